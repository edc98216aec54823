"""Drills: positions made by hand for rules that seldom come up in random games, and what must become of them.

A drill says what the rulebook says, in plain numbers; it never asks the ruleset what is right. `drills_scenarios` has those of
the optional rules, of the scenarios and of many players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hexwar.engine import Action, Game
from hexwar.mechanics import (
    Arriving,
    Declare,
    Declaring,
    Done,
    Entering,
    LoseStep,
    Losing,
    Move,
    Moving,
    Pursue,
    Pursuing,
    Retreating,
    Select,
    Selecting,
)
from hexwar.testing.drills import Drills, same
from hexwar_ava.chits import AddChit, Adding
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.kit import reference as ref
from hexwar_ava.kit.boards import field, scene
from hexwar_ava.reinforcements import ChooseEntry
from hexwar_ava.supply import StandDown, StandingDown, SupplyCheck, Withdraw, Withdrawing
from hexwar_ava.turn import CallingZhukov

SELECTING, RESOLVING, ENDING = (2, 0), (2, 1, 1), (2, 4)
"""Where in the sequence of play a drill begins: with a selection, with a drawn chit, with the end of a turn."""


drill = Drills()


def row(first: int, last: int, number: int = 5, prefix: str = "") -> str:
    """A chain of hexes."""
    return " ".join(f"{prefix}{column:02}{number:02}" for column in range(first, last + 1))


AREAS = {"supply axis": ["0105"], "supply soviet": ["1605"]}
ISLAND = dict.fromkeys(("1204", "1304", "1305", "1206", "1105", "1104"), "~")
"""Lakes around 1205."""
PLAIN = field(size=(16, 10), areas=AREAS, rail=[row(1, 6)])
"""An Axis railway from the west, a Soviet source in the east."""
CUT = field(ISLAND, size=(16, 10), areas=AREAS, rail=[row(1, 6)])
"""The same with an island in 1205."""


def offers(game: Game, kind: type[Action], name: str, seat: str | None = None) -> set[str]:
    """What the actions of a kind are about; nothing if nobody is asked."""
    if not game.to_move:
        return set()
    return {getattr(action, name) for action in game.legal_actions(seat or game.to_move[0]) if isinstance(action, kind)}


def waits(game: Game, kind: type[Any]) -> Any:
    """The steps of a kind that wait."""
    return [step for step in game.state.stack if isinstance(step, kind)]


def steps(game: Game, *units: str) -> dict[str, int]:
    """The steps of units on the map, 0 for others."""
    return {unit: game.state.steps[unit] if game.state.at[unit] in game.world.board else 0 for unit in units}


def do(game: Game, seat: str | None = None, **action: Any) -> None:
    """An action of an optional rule, by its JSON form."""
    game.apply(game.ruleset.parse_action(action), seat)


# -- 6.0, 7.0 chits ------------------------------------------------------------------------------------------------------------


def selecting(scenario: str, turn: int, **more: Any) -> Game:
    """The beginning of a turn, after the armies of choice."""
    game = scene({}, board=PLAIN, scenario=scenario, path=SELECTING, turn=turn, **more)
    while waits(game, Adding):
        game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
    return game


SCHEDULES: Mapping[str, tuple[Mapping[int, str], Mapping[int, str]]] = {
    "leningrad": (
        {1: "ger-4pzg ger-16a ger-18a manstein", 4: "axis-reinforcements"},
        {1: "su-8a su-11a", 2: "su-27a", 3: "su-23a", 4: "soviet-reinforcements"},
    ),
    "smolensk": (
        {1: "ger-2pzg ger-3pzg-1 ger-3pzg-2 ger-4a ger-9a guderian", 4: "axis-reinforcements ger-2a"},
        {1: "su-3a su-4a su-10a", 2: "su-13a su-20a su-21a", 3: "su-16a su-19a su-22a", 4: "soviet-reinforcements"},
    ),
    "kiev": (
        {1: "ger-1pzg-1 ger-1pzg-2 ger-6a ger-17a", 2: "ger-11a rum-3a rum-4a", 4: "axis-reinforcements"},
        {1: "su-5a su-6a su-26a", 2: "su-9a su-12a su-18a", 4: "soviet-reinforcements"},
    ),
}
"""18.1.2, 18.1.3, 18.2.2, 18.2.3, 18.3.2, 18.3.3."""


@drill("15.2.1", "chits become available in their turns")
def _() -> None:
    for scenario, schedules in SCHEDULES.items():
        for side, schedule in zip(("axis", "soviet"), schedules, strict=True):
            due: set[str] = set()
            for turn in (1, 2, 3, 4):
                due |= set(schedule.get(turn, "").split())
                game = selecting(scenario, turn)
                told = {chit for chit in offers(game, Select, "chit", side) if not ref.PRINTED.chits[chit].choice}
                same("15.2.1", f"chits of {side} in turn {turn} of {scenario}", told, due)


@drill("6.3.2", "a held interrupt counts against the German number")
def _() -> None:
    others = ["ger-2pzg", "ger-3pzg-1", "ger-3pzg-2", "ger-4a", "ger-9a"]
    hold: dict[str, Any] = {"hand": {"axis": ["guderian"]}, "selected": {"axis": others}, "options": {"reserves": True}}
    game = scene({}, Selecting(), board=PLAIN, scenario="smolensk", path=(2, 1), phase="selection", **hold)
    same("6.3.2", "what the Axis may still select", offers(game, Select, "chit", "axis"), set())


@drill("18.1.4", "the Soviets add one army of each map from turn 4 on")
def _() -> None:
    same("18.1.4", "armies in turn 3", waits(scene({}, board=PLAIN, path=SELECTING, turn=3), Adding), [])
    game = scene({}, board=PLAIN, path=SELECTING, turn=4)
    added = 0
    while waits(game, Adding):
        game.apply(min(game.legal_actions("soviet"), key=str), "soviet")
        added += 1
    same("18.1.4", "armies that are added in turn 4 of the campaign", added, 3)
    same("18.1.4", "offers that are no armies", offers(game, AddChit, "chit", "soviet"), set())


@drill("7.3.3", "Manstein activates 4PzG, Guderian 2PzG, a second chit the same group")
def _() -> None:
    units = {"ger-4pzg": "0305", "ger-2pzg": "0905", "ger-3pzg": "1405", "su-10": "1609"}
    for chit, leader in (("manstein", "ger-4pzg"), ("guderian", "ger-2pzg"), ("ger-3pzg-2", "ger-3pzg")):
        game = scene(units, board=PLAIN, path=RESOLVING, turn=2, drawn=[chit])
        same("7.3.3", f"activated by {chit}", set(game.state.active), {leader})


@drill("13.0.2", "the chit of a headquarters that is not on the map does nothing")
def _() -> None:
    game = scene(
        {"ger-21": "0305", "su-10": "1609"}, board=PLAIN, path=RESOLVING, turn=2, drawn=["ger-4pzg"], cup=["supply"], dice=[1]
    )
    same("13.0.2", "active units", game.state.active, ())


# -- 3.4, 10.7 cities and pursuit --------------------------------------------------------------------------------


@drill("3.4.2", "a city belongs to whoever entered it last, if only on his way")
def _() -> None:
    board = field(land=[*row(3, 9).split(), "1609"], size=(16, 10), cities={"D": "0605"}, areas={"supply soviet": ["1609"]})
    game = scene({"ger-36m": "0405", "su-10": "1609"}, Moving("axis", ("ger-36m",)), board=board)
    same("3.4.1", "whose the city is", game.state.control["0605"], "soviet")
    game.apply(Move("ger-36m", "0805"))
    same("3.4.2", "whose it is when somebody has gone through", game.state.control["0605"], "axis")


@drill("10.7.1", "attackers may pursue, infantry one hex and mechanized units two")
def _() -> None:
    units = {"ger-36m": "0605", "ger-21": "0606", "su-10": "1609"}
    game = scene(units, Pursuing("axis", ("ger-36m", "ger-21"), "0705"), board=PLAIN, phase="combat")
    lengths = {(action.unit, len(action.path) - 1) for action in game.legal_actions("axis") if isinstance(action, Pursue)}
    same("10.7.2", "who may pursue by how many hexes", lengths, {("ger-36m", 1), ("ger-36m", 2), ("ger-21", 1)})


# -- 10.3, 10.6 worked examples ------------------------------------------------------------------------------------------------


@drill("10.3.13", "5 and twice half of 3 against 2 is 4-1, in dense forest 2-1, with the headquarters 5-1")
def _() -> None:
    rivers = {"minor-river": ["0605|0705"], "major-river": ["0606|0705"]}
    units = {"su-179": "0705", "ger-36m": "0704", "ger-21": "0605", "ger-217": "0606", "ger-4pzg": "0704", "su-10": "1609"}
    three = ["ger-36m", "ger-21", "ger-217"]
    for terrain, attackers, due in (
        ("", three, (8, 2, "4:1")),
        ("F", three, (8, 2, "2:1")),
        ("", [*three, "ger-4pzg"], (10, 2, "5:1")),
        ("F", ["ger-21", "ger-217"], (3, 2, "no attack")),
        ("", ["ger-21"], (1, 2, "no attack")),
    ):
        board = field({"0705": terrain} if terrain else {}, sides=rivers, road=["0606 0705"], size=(16, 10), areas=AREAS)
        told = scene(units, CallingZhukov("soviet"), board=board).query.odds(attackers, "0705")
        same("10.3.13", f"{attackers} against {terrain or 'clear'}", (told.attack, told.defence, told.name), due)


def retreated(land: str, sources: str, units: Mapping[str, str], hexes: int = 1) -> str:
    """Where su-5 is after a retreat on a narrow piece of land, and who is asked about it."""
    board = field(land=land.split(), size=(16, 10), areas={"supply soviet": sources.split(), "supply axis": ["0402"]})
    game = scene(units, Retreating("soviet", ("su-5",), units["su-5"], hexes), board=board, phase="combat", path=ENDING)
    return f"{game.state.at['su-5']} {'asked' if waits(game, Retreating) else ''}".rstrip()


@drill("10.6.11", "who would end a retreat in a full hex goes on, but only where no way with room is as cheap")
def _() -> None:
    crowd = {"su-90": "0406", "su-10": "0406", "ger-1pz": "0404"}
    same("10.6.11", "a retreat through a full hex", retreated("0404 0405 0406 0407", "0407", {**crowd, "su-5": "0405"}), "0407")
    land = "0402 0403 0404 0405 0406 0407 0506"
    between = {"su-90": "0405", "su-10": "0405", "ger-1pz": "0402", "ger-21": "0407", "su-5": "0404"}
    same("10.6.13", "a retreat between a full hex and one without a line", retreated(land, "0506", between), "0403")


@drill("10.6.12", "the line of a retreat is measured as if the beaten stack were gone")
def _() -> None:
    land = "0304 0305 0405 0504 0505 0506 0507"
    told = retreated(land, "0305 0507", {"su-5": "0405", "ger-21": "0304"})
    same("10.6.12", "a retreat whose own hex would be the shortest line", told, "0505")


# -- 10.8, 11.0 losses and supply checks ---------------------------------------------------------------------------------------


@drill("10.8.1", "who is lost in combat goes to the right box")
def _() -> None:
    boxes = {
        "su-179": "soviet available",
        "su-27a": "soviet available",
        "su-25c": "soviet available",
        "su-202m": "soviet eliminated",
        "su-28t": "soviet eliminated",
        "ger-21": "axis eliminated",
        "ger-36m": "axis eliminated",
        "ger-18a": "axis eliminated",
        "rum-3a": "axis eliminated",
        "fort-l1": "soviet eliminated",
    }
    for unit, box in boxes.items():
        seat = "axis" if box.startswith("axis") else "soviet"
        game = scene({unit: "0505", "ger-1": "0101", "su-10": "1601"}, Losing(seat, (unit,), 2), board=PLAIN, path=ENDING)
        same("10.8.1", f"the box of {unit}", game.state.at[unit], box)
        if "available" in box:
            same("12.3.1", f"the steps of {unit} in its box", game.state.steps[unit], game.world.units[unit].steps)


@drill("11.1.1", "whoever has no line loses a step, headquarters too; fortresses do not; who is lost is out of the game")
def _() -> None:
    units = {"su-179": "1205", "su-27a": "1205", "fort-l1": "1205", "su-90": "1405", "ger-21": "1408", "ger-36m": "0305"}
    game = scene(units, SupplyCheck(), board=CUT, turn=4)
    left = {"su-179": 1, "su-27a": 0, "fort-l1": 2, "su-90": 2, "ger-21": 1, "ger-36m": 2}
    same("11.1.1", "steps after a supply check", steps(game, *units), left)
    same("10.8.3", "the box of a headquarters lost in it", game.state.at["su-27a"], "soviet eliminated")


@drill("15.1.4", "the Axis checks its supply from turn 4 on")
def _() -> None:
    for turn in (1, 3, 4, 5):
        game = scene({"ger-21": "1408", "su-10": "1609"}, SupplyCheck(), board=PLAIN, turn=turn)
        same("15.1.4", f"steps after the check of turn {turn}", steps(game, "ger-21"), {"ger-21": 2 if turn < 4 else 1})


@drill("11.1.2", "Soviet losses are taken before Axis lines are traced")
def _() -> None:
    land = [*row(1, 4).split(), "1609"]
    board = field(land=land, size=(16, 10), areas={"supply axis": ["0105"], "supply soviet": ["1609"]}, rail=[row(1, 4)])
    game = scene({"su-27a": "0205", "ger-21": "0405", "su-10": "1609"}, SupplyCheck(), board=board, turn=4)
    same(
        "11.1.2",
        "steps when the Soviet headquarters on the railway is lost",
        steps(game, "su-27a", "ger-21"),
        {"su-27a": 0, "ger-21": 2},
    )


@drill("11.2.1", "the Axis takes units with a line into its box, as they are")
def _() -> None:
    units = {"ger-21": "0305", "ger-36m": "1408", "ger-18a": "0405", "su-10": "1609"}
    game = scene(units, Withdrawing("axis"), board=PLAIN, turn=2, reduced=["ger-21"])
    same("11.2.2", "who may be taken off the map", offers(game, Withdraw, "unit"), {"ger-21", "ger-18a"})
    game.apply(Withdraw("ger-21"))
    same("11.2.3", "where it goes", (game.state.at["ger-21"], game.state.steps["ger-21"]), ("axis available", 1))


# -- 12.0, 15.3, 15.4 who comes -----------------------------------------------------------------------------------------------


def coming(chit: str, turn: int, scenario: str = "campaign", units: Mapping[str, str] | None = None, **more: Any) -> Game:
    """A chit of reinforcements, or of an army, has been drawn."""
    board = more.pop("board", None) or field(
        size=(16, 10),
        rail=[row(1, 6), row(10, 16)],
        areas={"supply axis": ["0105"], "supply soviet": ["1605", "0810", "1602"], "supply moscow": ["1603", "1607"]},
    )
    return scene(units or {}, board=board, scenario=scenario, path=RESOLVING, turn=turn, drawn=[chit], **more)


@drill("12.2.1", "as many units come as the turn track says for each nation")
def _() -> None:
    expected = {
        ("campaign", "axis-reinforcements"): {"german": 6, "romanian": 1},
        ("campaign", "soviet-reinforcements"): {"soviet": 18},
        ("leningrad", "axis-reinforcements"): {"german": 1},
        ("leningrad", "soviet-reinforcements"): {"soviet": 6},
        ("kiev", "axis-reinforcements"): {"german": 3, "romanian": 1},
    }
    for (scenario, chit), numbers in expected.items():
        game = coming(chit, 5, scenario)
        told = {game.world.units[step.units[0]].nation: step.limit for step in waits(game, Arriving)}
        same("12.2.1", f"who comes with {chit} in {scenario}", told, numbers)


@drill("15.4.1", "the strategic reserve comes from turn 6 on, through the hexes from Moscow")
def _() -> None:
    for scenario, turn, number in (
        ("campaign", 5, 0),
        ("campaign", 6, 12),
        ("smolensk", 6, 6),
        ("leningrad", 6, 0),
        ("kiev", 9, 0),
    ):
        game = coming("soviet-reinforcements", turn, scenario)
        told = [(step.limit, set(step.hexes)) for step in waits(game, Entering)]
        due = [(number, {"1603", "1607"})] if number else []
        same("15.4.1", f"the reserve in turn {turn} of {scenario}", told, due)


@drill("15.3.2", "19A comes with its chit from turn 3 on, through one source on the east edge")
def _() -> None:
    army = {unit.id for unit in ref.PRINTED.units.values() if unit.start == "turn 3"}
    same("4.0.10", "units of 19A on the turn track", len(army), 11)
    same("15.3.1", "who comes in turn 2", set(coming("su-19a", 2).state.active), set())
    game = coming("su-19a", 3)
    same("15.3.1", "who comes in turn 3", set(game.state.active), army)
    same("15.3.2", "entries", offers(game, ChooseEntry, "hex"), {"1602", "1603", "1605", "1607"})
    game = coming("su-19a", 4, entry="1602")
    same("15.3.2", "entries once one is chosen", [step.hexes for step in waits(game, Entering)], [("1602",)])
    game = coming("su-19a", 4, units={"ger-21": "1602", "su-10": "1609"}, entry="1602")
    same("15.3.2", "entries when the enemy stands there", offers(game, ChooseEntry, "hex"), {"1603", "1605", "1607"})


@drill("15.1.2", "only the formation of a panzer group takes part in the surprise attack")
def _() -> None:
    units = {"ger-4pzg": "0505", "ger-1pz": "0605", "ger-36m": "0505", "ger-21": "0606", "ger-6pz": "1205", "su-10": "0705"}
    game = scene(units, board=PLAIN, path=(1,), phase="set-up")
    same("15.1.2", "who takes part", set(game.state.active), {"ger-4pzg", "ger-1pz", "ger-36m"})


# -- 14.0 fortresses -----------------------------------------------------------------------------------------------------------

TOWNS = field(
    {f"L{label}": "~" for label in ("0304", "0405", "0406", "0306", "0206", "0205")},
    size=(16, 10),
    prefix="L",
    major={"A": "L1205", "B": "L0805", "C": "L0305"},
    cities={"D": "L1405"},
    areas={"supply soviet": ["L1605"], "supply axis": ["L0601"]},
    rail=["L0601 L0602"],
)
"""A and B with a line, C on an island, D only a city."""


def building(units: Mapping[str, str], turn: int = 4, scenario: str = "campaign", **more: Any) -> Game:
    """A supply check, when the Soviets may build."""
    game = scene(units, SupplyCheck(), turn=turn, scenario=scenario, **{"board": TOWNS, **more})
    if waits(game, Withdrawing):
        game.apply(Done())
    return game


def levels(game: Game) -> dict[str, int]:
    """Hex -> levels of its fortress."""
    forts = [unit for unit in game.world.units if unit.startswith("fort-") and game.state.at.get(unit, "") in game.world.board]
    return {game.state.at[unit]: game.state.steps[unit] for unit in forts}


def built(game: Game, *hexes: str) -> Game:
    """The same after some levels."""
    for label in hexes:
        game.apply(Build(label))
    return game


@drill("14.1.2", "fortresses are built from turn 4 on in Soviet major cities with a line and no enemy next to them")
def _() -> None:
    enemy = {"ger-21": "L0804", "su-10": "L1601"}
    for turn in (1, 3):
        same("14.1.1", f"sites in turn {turn}", waits(building(enemy, turn), Building), [])
    same("14.1.3", "sites in turn 4", offers(building(enemy), Build, "hex"), {"L1205"})
    same("14.1.2", "sites without the enemy", offers(building({"su-10": "L1601"}), Build, "hex"), {"L1205", "L0805"})


@drill("14.1.4", "two levels a check in the campaign, one in Leningrad and Kiev, none in Smolensk")
def _() -> None:
    game = built(building({"su-10": "L1601"}), "L1205", "L1205")
    same("14.1.5", "levels after two were built", levels(game), {"L1205": 2})
    same("14.1.4", "sites after two levels", waits(game, Building), [])
    game = built(building({"su-10": "L1601"}, scenario="leningrad"), "L1205")
    same("18.1.5", "sites after one level in Leningrad", waits(game, Building), [])
    same("18.2.4", "sites in Smolensk", waits(building({}, scenario="smolensk"), Building), [])


@drill("14.1.5", "a fortress has two levels at most, each of which defends with one")
def _() -> None:
    game = building({"su-10": "L1601", "fort-l1": "L1205"})
    same("14.1.5", "levels of a fortress at its best", levels(game), {"L1205": 2})
    same("14.1.5", "sites besides a fortress of two levels", offers(game, Build, "hex"), {"L0805"})
    game = scene({"fort-l1": "0705", "ger-36m": "0605", "su-10": "1609"}, CallingZhukov("soviet"), board=PLAIN)
    same(
        "14.2.1",
        "5 attack points against two levels",
        (lambda odds: (odds.attack, odds.defence))(game.query.odds(["ger-36m"], "0705")),
        (5, 2),
    )


@drill("14.0.1", "no more hexes have a fortress than the scenario allows, and a lost marker is gone")
def _() -> None:
    units = {"su-8a": "L1619", "fort-l1": "L1205"}
    board = field(size=(16, 31), prefix="L", major={"A": "L1205", "B": "L0805"})
    game = building(units, turn=2, scenario="training", reduced=["fort-l1"], board=board)
    same("14.0.1", "sites in the training scenario, where one hex has a fortress", offers(game, Build, "hex"), {"L1205"})
    lost = {"fort-l1": "soviet eliminated", "fort-l2": "soviet eliminated", "fort-l3": "soviet eliminated", "su-10": "L1601"}
    same("14.3.2", "sites when all markers of the map are lost", waits(building(lost), Building), [])


@drill("14.2.3", "a fortress does not count for stacking, and enemy zones do nothing in its hex")
def _() -> None:
    units = {"fort-l1": "0605", "su-179": "0605", "su-90": "0805", "su-10": "0805", "ger-21": "0504"}
    game = scene(units, Moving("soviet", ("su-90", "su-10")), board=PLAIN)
    for unit in ("su-90", "su-10"):
        there = [
            action
            for action in game.legal_actions("soviet")
            if isinstance(action, Move) and (action.unit, action.to) == (unit, "0605")
        ]
        same("14.2.3", f"whether {unit} may move to the fortress", bool(there), unit == "su-90")
        if there:
            same("14.2.2", "what that costs", game.query.reach(unit).costs["0605"], 2.0)
            game.apply(there[0])


@drill("14.2.5", "against a fortress RR costs two steps, and nobody retreats")
def _() -> None:
    units = {"fort-l1": "0705", "su-179": "0705", "ger-36m": "0605", "ger-1pz": "0605", "ger-21": "0606", "su-10": "1609"}
    attackers = ("ger-36m", "ger-1pz", "ger-21")
    game = scene(units, Declaring("axis", attackers), board=PLAIN, phase="combat", dice=[4, 4, 4], path=ENDING)
    told = game.query.odds(attackers, "0705")
    same("14.2.1", "their odds", (told.attack, told.defence, told.name), (16, 4, "4:1"))
    for unit in attackers:
        game.apply(Declare(unit, "0705"))
    if waits(game, Declaring):
        game.apply(Done())
    for number in (2, 1):
        same("14.2.5", f"who may lose step {3 - number} of two", offers(game, LoseStep, "unit"), {"fort-l1", "su-179"})
        if number == 2:
            game.apply(LoseStep("su-179"))
    game.apply(LoseStep("su-179"))
    same(
        "14.2.6",
        "what is left",
        (steps(game, "fort-l1", "su-179"), game.state.at["fort-l1"]),
        ({"fort-l1": 2, "su-179": 0}, "0705"),
    )


# -- 16.0 victory --------------------------------------------------------------------------------------------------------------

A, B, C = "0605", "0905", "1205"
CITIES = field(
    ISLAND, size=(16, 10), major={"A": A, "B": B, "C": C}, cities={"D": "0404"}, rail=[row(1, 9)],
    areas={**AREAS, "supply soviet": ["1605"], "supply moscow": ["0109"]},
)  # fmt: skip
"""A and B on the Axis railway, C on an island; a source from Moscow in the far west."""


def score(units: Mapping[str, str], axis: Iterable[str], **more: Any) -> dict[str, int]:
    """Clause -> the points of the Axis, if it holds some hexes."""
    control = {**dict.fromkeys((A, B, C, "0404", "1605", "0109"), "soviet"), **dict.fromkeys(axis, "axis")}
    game = scene(units, CallingZhukov("soviet"), board=CITIES, control=control, turn=9, **{"stand_fast": [], **more})
    found: dict[str, int] = {}
    for item in game.query.score():
        found[item.clause] = found.get(item.clause, 0) + item.points
    same("16.1.1", "sides that score", {item.side for item in game.query.score()} - {"axis"}, set())
    return found


@drill("16.1.2", "points for cities, units, Stand Fast markers and breakthroughs")
def _() -> None:
    same("16.1.2", "points of A with a line and C without", score({}, [A, C, "0404"]), {"16.1.2": 15})
    same("16.2.1", "with Stand Fast markers", score({}, [A, C], stand_fast=[A, B, C]), {"16.1.2": 15, "16.2.1": 7})
    units = {"ger-1pz": "0305", "ger-36m": "0305", "ger-6pz": "axis eliminated", "ger-21": "0405"}
    same("16.1.3", "of full German mechanized units", score(units, [], reduced=["ger-36m"]), {"16.1.3": 1})
    gone = {
        "su-202m": "soviet eliminated",
        "su-28t": "soviet eliminated",
        "su-179": "soviet eliminated",
        "su-1t": "soviet available",
    }
    same("16.1.4", "of Soviet mechanized units", score(gone, []), {"16.1.4": 2})
    same("16.3.1", "of a source without a line", score({}, ["1605"]), {"16.3.1": 5})
    same("16.3.2", "of a source from Moscow with a line", score({}, ["0109", "1605"]), {"16.3.1": 10, "16.3.2": 10})


@drill("16.2.3", "from turn 6 on one marker a check is taken from a Soviet city with a line")
def _() -> None:
    def standing(turn: int, axis: str) -> Game:
        control = {**dict.fromkeys((A, B, C, "0404", "1605"), "soviet"), axis: "axis"}
        marked: dict[str, Any] = {"control": control, "stand_fast": [A, B, C]}
        return scene({"su-10": "1609"}, SupplyCheck(4), board=CITIES, turn=turn, **marked)

    same("16.2.3", "markers that may go in turn 5", waits(standing(5, A), StandingDown), [])
    same("16.2.3", "markers that may go in turn 6", offers(standing(6, A), StandDown, "hex"), {B})
    game = standing(6, C)
    same("16.2.3", "markers that may go from two cities", offers(game, StandDown, "hex"), {A, B})
    game.apply(StandDown(B))
    same("16.2.3", "whether more may go", waits(game, StandingDown), [])
    same("16.2.3", "markers that are left", set(game.state.stand_fast), {A, C})


@drill("16.4.2", "with the points of the scenario the Axis wins, with one less the Soviets")
def _() -> None:
    needed = {"training": 12, "leningrad": 54, "smolensk": 85, "smolensk-short": 60, "kiev": 52, "campaign": 191}
    for scenario, points in needed.items():
        game = scene({}, CallingZhukov("soviet"), board=PLAIN, scenario=scenario)
        same("18.1.15", f"points that the Axis needs in {scenario}", game.query.points_needed()["axis"][0], points)
    cities = {f"City {n}": f"{n:02}05" for n in (2, 4, 6, 8, 10, 12)}
    for held, winner in ((6, "axis"), (5, "soviet")):
        board = field(size=(16, 10), major=cities, rail=[row(1, 12)], areas=AREAS)
        hexes = list(cities.values())
        control = {**dict.fromkeys(hexes, "soviet"), **dict.fromkeys(hexes[:held], "axis"), "1605": "soviet"}
        game = scene({}, SupplyCheck(6), board=board, scenario="smolensk-short", turn=6, control=control, stand_fast=[])
        result = game.result
        told = (result.winner, dict(result.scores)) if result else None
        same("18.2.7", f"the verdict on {held} cities", told, (winner, {"axis": 10 * held}))
