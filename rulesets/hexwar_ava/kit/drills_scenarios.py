"""Drills of the optional rules (17), of the scenarios (18) and of many players (19, 20), and set-ups on the real maps (4)."""

from __future__ import annotations

import json
from typing import Any

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arriving, Declaring, Done, Move, Moving, Select, Selecting
from hexwar.testing.drills import Drills, same
from hexwar_ava import INFO
from hexwar_ava.kit import drills
from hexwar_ava.kit import reference as ref
from hexwar_ava.kit.boards import field, scene
from hexwar_ava.kit.drills import AREAS, ENDING, PLAIN, RESOLVING, coming, do, offers, row, selecting, waits
from hexwar_ava.kit.judges_staff import SetUp
from hexwar_ava.kit.witness import Witness
from hexwar_ava.setting_up import Place
from hexwar_ava.supply import Relinquishing, SupplyCheck, Withdraw
from hexwar_ava.turn import CallingZhukov

drill = Drills()


def named(game: Game, kind: str, name: str = "unit") -> set[str]:
    """What the actions of a kind are about that an optional rule brings."""
    return {getattr(action, name) for action in game.legal_actions(game.to_move[0]) if action.kind == kind}


# -- 4.0 set-up ----------------------------------------------------------------------------------------------------------------


def _set_up(scenario: str, *, whole: bool) -> None:
    """Begin a game; a whole set-up crowds units together: hexes that must be filled stay empty if the rules let them."""
    game = hexwar.new_game("ava", scenario, seed="drill")
    witness = Witness(game, [SetUp])
    symbols = {label for name, hexes in game.world.board.areas.items() if name.startswith("hq ") for label in hexes}
    while whole and game.state.phase == "set-up":
        seat = game.to_move[0]
        stacks = game.state.layout.stacks
        unit = next(unit for unit in stacks["set-up"] if game.world.units[unit].side == game.world.seats[seat])
        step = game.state.stack[-1]
        places = [action for action in step.choices(game.position, unit) if isinstance(action, Place)]
        action = max(places, key=lambda place: (place.to not in symbols, len(stacks.get(place.to, ())), place.to))
        witness.follow(game, seat, action, game.apply(action, seat))
    same("4.0.1", f"objections against the set-up of {scenario}", [str(objection) for objection in witness.objections[:1]], [])


@drill("4.0.7", "the formations of Smolensk set up in their zones, and Kiev and Leningrad begin as printed")
def _() -> None:
    for scenario in ("smolensk", "kiev", "leningrad"):
        _set_up(scenario, whole=scenario == "smolensk")


# -- 17.0 optional rules ---------------------------------------------------------------------------------------------------------


@drill("17.1.1", "the higher bid has the Axis and must be reached")
def _() -> None:
    for axis, soviet, due in ((15, 9, 15), (7, 20, 20)):
        game = hexwar.new_game("ava", "training", seed=1, options={"bidding": True})
        same("17.1.1", "bids", len(game.legal_actions("axis")), 24)
        do(game, "soviet", kind="bid", points=soviet)
        do(game, "axis", kind="bid", points=axis)
        same("17.1.1", f"what the Axis needs after bids of {axis} and {soviet}", game.query.points_needed()["axis"][0], due)


RESERVES = {"su-8a": "0505", "su-10": "0606", "su-90": "1505", "ger-21": "0104"}
"""su-10 is in range of its headquarters, su-90 is not."""


def _called(scenario: str, roll: int, *units: str, where: dict[str, str] | None = None) -> Game:
    more: dict[str, Any] = {"options": {"reserves": True}, "phase": "command", "turn": 2, "drawn": ["reserves"], "dice": [roll]}
    game = scene(where or RESERVES, board=PLAIN, scenario=scenario, path=RESOLVING, **more)
    for unit in units:
        do(game, kind="call", unit=unit)
    return game


@drill("17.2.2", "the die says how many units Reserves activate")
def _() -> None:
    for scenario, numbers in (("campaign", (3, 3, 3, 3, 4, 5)), ("leningrad", (1, 1, 2, 2, 3, 3))):
        for roll, number in enumerate(numbers, 1):
            step = _called(scenario, roll).state.stack[-1]
            same("17.2.2", f"units of Reserves for {roll} in {scenario}", step.number, number)


@drill("17.2.4", "units of Reserves out of range have half their strength and no strategic movement")
def _() -> None:
    game = _called("campaign", 1, "su-10", "su-90")
    game.apply(Done())
    same("17.2.3", "units out of range", game.state.notes.get("reserves out of range"), ("su-90",))
    same("17.2.2", "active units", set(game.state.active), {"su-10", "su-90"})


@drill("18.1.14", "in Leningrad units of Reserves do not attack")
def _() -> None:
    game = _called("leningrad", 1, "su-10", where={"su-8a": "0505", "su-10": "0606", "ger-21": "0607"})
    if waits(game, Moving):
        game.apply(Done())
    same("18.1.14", "attacks", waits(game, Declaring), [])


@drill("17.3.1", "other headquarters in range with a line may relocate")
def _() -> None:
    board = field(size=(20, 12), rail=[row(1, 14)], areas={"supply axis": ["0105"], "supply soviet": ["2005"]})
    units = {"ger-18a": "0505", "ger-16a": "0705", "ger-4pzg": "0906", "ger-3pzg": "1405", "ger-1": "0506", "su-10": "1810"}
    game = scene(units, board=board, path=RESOLVING, drawn=["ger-18a"], options={"relocation": True}, turn=4)
    same("17.3.1", "who may relocate", named(game, "relocate"), {"ger-16a", "ger-4pzg"})
    do(game, kind="relocate", unit="ger-16a")
    same("17.3.1", "where it goes", game.state.at["ger-16a"], "turn 5")


@drill("17.4.1", "a Soviet line leaves its road or railway by twelve hexes at most")
def _() -> None:
    for way in ("road", "rail"):
        areas = {"supply axis": ["0105"], "supply soviet": ["4005"]}
        links: dict[str, Any] = {way: [row(25, 40)]}
        board = field(size=(40, 10), areas=areas, **links)
        game = scene({"su-10": "1305", "su-90": "1205"}, CallingZhukov("soviet"), board=board, options={"soviet-supply": True})
        told = {unit: game.query.supply(unit).supplied for unit in ("su-10", "su-90")}
        same("17.4.1", f"lines twelve and thirteen hexes from the {way}", told, {"su-10": True, "su-90": False})


@drill("17.5.1", "a German headquarters activates ten mechanized units at most")
def _() -> None:
    tanks = [unit.id for unit in ref.PRINTED.units_of("campaign").values() if unit.mechanized and unit.nation == "german"]
    spots = [f"{column:02}{number:02}" for column in range(4, 8) for number in range(4, 8) for _ in range(2)]
    for number in (10, 11):
        units = {"ger-4pzg": spots[0], **dict(zip(tanks[:number], spots[1:], strict=False)), "su-10": "1609"}
        more: dict[str, Any] = {"options": {"armour-limit": True}, "drawn": ["ger-4pzg"], "turn": 2}
        game = scene(units, board=PLAIN, path=RESOLVING, **more)
        asked = named(game, "leave-out") if not waits(game, Moving) else set()
        same("17.5.1", f"who may be left out of {number}", asked, set() if number == 10 else set(tanks[:11]))


@drill("17.6.2", "the second activations of two panzer groups use different railways")
def _() -> None:
    board = field(size=(20, 12), rail=[row(1, 10)], areas={"supply axis": ["0105"], "supply soviet": ["2012"]})
    units = {"ger-3pzg": "0905", "ger-7pz": "1005", "ger-1pzg": "1106", "ger-9pz": "0807", "su-10": "2010"}
    both = {"panzer groups": ["ger-3pzg", "ger-1pzg"]}
    used = {**both, "railway of ger-1pzg": row(2, 10).split()}
    more: dict[str, Any] = {"options": {"panzer-headquarters": True}, "turn": 2, "cup": ["su-8a"], "dice": [1, 1, 1]}
    for notes, active in ((both, True), (used, False)):
        game = scene(units, board=board, path=RESOLVING, drawn=["ger-3pzg-2"], notes=notes, **more)
        same("17.6.2", "whether 3PzG is activated again", "ger-3pzg" in game.state.active, active)


# -- 18.0 scenarios --------------------------------------------------------------------------------------------------------------


@drill("18.3.5", "Leningrad and Kiev have no OKH")
def _() -> None:
    for scenario, has in (("leningrad", False), ("kiev", False), ("smolensk", True)):
        game = selecting(scenario, 1, options={"reserves": True})
        same("18.3.5", f"whether {scenario} has OKH", "okh" in offers(game, Select, "chit", "axis"), has)


NEVA = field(size=(16, 10), major={"Leningrad": "0805"}, areas=AREAS, rail=[row(1, 6)])


@drill("18.1.9", "an Axis unit next to Leningrad lets the Soviets call Zhukov")
def _() -> None:
    for to, reached in (("0705", True), ("0605", False)):
        game = scene({"ger-36m": "0405", "su-10": "1609"}, Moving("axis", ("ger-36m",)), board=NEVA, scenario="leningrad")
        game.apply(Move("ger-36m", to))
        same("18.1.9", f"whether Leningrad is reached from {to}", game.state.city_reached, reached)
    for near in (False, True):
        game = scene({}, board=NEVA, scenario="leningrad", path=ENDING, turn=3, city_reached=near)
        same("18.1.9", "whether the Soviets are asked about Zhukov", bool(waits(game, CallingZhukov)), near)


@drill("18.1.10", "from the turn after he was called the Soviets may hold their Reinforcements chit")
def _() -> None:
    for zhukov, may in ((0, False), (6, False), (5, True)):
        more: dict[str, Any] = {"zhukov": zhukov, "city_reached": bool(zhukov), "phase": "selection", "path": (2, 1)}
        game = scene({}, Selecting(), board=NEVA, scenario="leningrad", turn=6, **more)
        held = {a.chit for a in game.legal_actions("soviet") if isinstance(a, Select) and a.hold}
        same(
            "18.1.10",
            f"what may be held in turn 6 when he came in turn {zhukov}",
            held,
            {"soviet-reinforcements"} if may else set(),
        )


@drill("18.1.8", "three units of 3PzG come to Leningrad in turn 7, beyond the number")
def _() -> None:
    group = {unit.id for unit in ref.PRINTED.units_of("leningrad").values() if unit.start == "turn 7"}
    same("18.1.7", "units on turn 7", len(group), 3)
    game = scene({}, board=NEVA, scenario="leningrad", path=ENDING, turn=6, zhukov=5)
    same("5.0.8", "where they are when turn 7 begins", {game.state.at[unit] for unit in group}, {"axis available"})
    game = coming("axis-reinforcements", 7, "leningrad", dict.fromkeys(group, "axis available"))
    told = {step.about: step.limit for step in waits(game, Arriving)}
    same("18.1.8", "how many come in turn 7", told, {"arrival": 1, "arrival.transfer": 3})


PANZERS = {"ger-3pz": "0205", "ger-7pz": "0205", "ger-18m": "0305", "ger-20m": "0305"}


@drill("18.2.5", "mechanized units with 18 attack points leave Smolensk in turn 6")
def _() -> None:
    for turn in (5, 6):
        units = {**PANZERS, "ger-7": "0405", "su-27": "1609"}
        game = scene(units, SupplyCheck(), board=PLAIN, scenario="smolensk", turn=turn)
        same("18.2.5", f"whether somebody leaves in turn {turn}", bool(waits(game, Relinquishing)), turn == 6)
        if turn == 6:
            same("18.2.6", "who may leave", offers(game, Withdraw, "unit"), set(PANZERS))
            for unit in ("ger-3pz", "ger-18m", "ger-20m"):
                same("18.2.5", f"whether {unit} is to leave", bool(waits(game, Relinquishing)), True)
                game.apply(Withdraw(unit))
            same("18.2.5", "whether more is to leave", waits(game, Relinquishing), [])
            same("18.2.5", "where they go", game.state.at["ger-3pz"], "axis eliminated")


@drill("18.2.9", "two breakthrough hexes score in the long game of Smolensk only")
def _() -> None:
    for scenario, due in (("smolensk", 10), ("smolensk-short", 0)):
        start = scene({}, CallingZhukov("soviet"), board="", scenario=scenario).state.control
        control = {**start, **{label: "axis" for label in ("S4230", "S4730") if label in start}}
        game = scene({}, CallingZhukov("soviet"), board="", scenario=scenario, control=control)
        ground = ref.Ground(ref.Field.of(game))
        line = ref.lines(ground, "axis")
        due = sum(10 if label in line else 5 for label in ("S4230", "S4730")) if scenario == "smolensk" else 0
        told = sum(item.points for item in game.query.score() if item.clause == "18.2.9")
        same("18.2.9", f"points of the breakthrough hexes in {scenario}", told, due)


# -- 19.2, 20.2.4 many players -----------------------------------------------------------------------------------------------


def _many(seats: str, variant: str, turn: int, path: tuple[int, ...]) -> Game:
    """A turn of many players begins."""
    units = {"ger-4pzg": {"at": "0205"}, "su-8a": {"at": "1505"}}
    tables: dict[str, dict[str, Any]] = {
        "seats": dict(INFO.seating(seats, "campaign").seats),
        "options": {"many-players": variant},
        "units": units,
        "state": {"turn": turn, "phase": "selection"},
    }
    text = f'ruleset = "ava"\nscenario = "campaign"\nboard = {json.dumps(PLAIN)}\n'
    text += f'stack = [{{kind = "sequencing", path = {list(path)}}}]\n'
    for name, table in tables.items():
        inside = ", ".join(f"{json.dumps(key)} = {_toml(value)}" for key, value in table.items())
        text += f"{name} = {{{inside}}}\n"
    return hexwar.position(text, seed=1)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


@drill("19.2.5", "formations and nations have their commanders, and each map its player")
def _() -> None:
    game = _many("8-players", "controller", 2, (3, 0))
    commanders = {
        "ger-4pzg": "north",
        "ger-3pzg": "centre-3pzg-9a",
        "ger-9a": "centre-3pzg-9a",
        "ger-4a": "centre-4a-2pzg",
        "ger-2pzg": "centre-4a-2pzg",
        "ger-1pzg": "south-6a-1pzg-17a",
        "ger-6a": "south-6a-1pzg-17a",
        "ger-11a": "south-11a-romanians",
        "rum-3a": "south-11a-romanians",
        "su-8a": "soviets-leningrad",
        "su-4a": "soviets-smolensk",
        "su-26a": "soviets-kiev",
    }
    told = {unit: game.world.seat_for(game.world.units[unit].side, unit) for unit in commanders}
    same("19.2.5", "the commander of", told, commanders)
    maps = {"L3602": "soviets-leningrad", "S3510": "soviets-smolensk", "K3507": "soviets-kiev"}
    same("19.2.6", "who decides about", {label: game.world.teams.seat_on("soviet", label) for label in maps}, maps)


@drill("20.2.4", "eight Masters for a team of two, six for three, one fewer in turn 1")
def _() -> None:
    for seats, turn, number in (("4-teams", 1, 7), ("4-teams", 2, 8), ("6-teams", 1, 5), ("6-teams", 4, 6)):
        game = _many(seats, "master-cup", turn, (4, 0))
        for _ in range(200):
            if game.state.cup or not game.to_move:
                break
            seat = game.to_move[-1]
            game.apply(game.legal_actions(seat)[0], seat)
        chits = [*game.state.cup, *game.state.drawn]
        for side in ("axis", "soviet"):
            told = sum(chit.startswith(f"{side}-master") for chit in chits)
            same("20.2.4", f"Masters of {side} with {seats} in turn {turn}", told, number)


ALL_DRILLS = (*drills.drill, *drill)
"""All drills, those of `hexwar_ava.kit.drills` first."""
