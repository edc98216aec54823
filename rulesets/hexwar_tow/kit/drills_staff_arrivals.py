"""Drills of the staff, continued: reinforcements (11), orders and crossing points (12), victory (13), optional rules (14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive, Arriving, Attack, Attacking, Join, Move, Resolve
from hexwar.mechanics.bidding import Bid
from hexwar.testing.drills import Drills, same
from hexwar_tow.kit.ground import ground
from hexwar_tow.kit.staff_table import (
    CHIT,
    END,
    LUFTWAFFE,
    NEXT,
    crossings,
    happened,
    offers,
    points,
    rim,
    stage,
    waits,
    within,
)
from hexwar_tow.negotiation import LiftOrder
from hexwar_tow.okh import Use
from hexwar_tow.reinforcements import Replace
from hexwar_tow.relocation import Marching
from hexwar_tow.state import AirborneDestroyed, GroupCalled

drill = Drills()

TRACK = [f"07{column:02}" for column in range(20, 8, -1)]
RAIL = ground(rail=[" ".join(TRACK)])
AXIS_TRACK = [f"07{column:02}" for column in range(1, 8)]
AXIS_RAIL = ground(rail=[" ".join(AXIS_TRACK)])
FRONT = {"sov-51": "1018", "ger-57": "1002"}

GROUPS = {
    1: {"sov-6gtk", "sov-7gtk", "sov-9m", "sov-21", "sov-30"},
    2: {"sov-73"},
}
"""11.1.1: some of the groups, without their replacements."""


def boxes(keep: Iterable[str] = ()) -> dict[str, str]:
    """All Soviet reinforcements but some, out of the game."""
    counters = hexwar.new_game("tow", "campaign", seed=1).world.units
    return {u: "soviet eliminated" for u, it in counters.items() if it.start.startswith("soviet group") and u not in {*keep}}


def coming(units: dict[str, str] | None = None, chit: str = "reinforcements", **more: Any) -> Game[Any, Any]:
    """A Soviet chit has been drawn."""
    state = {"drawn": [chit], "cup": ["supply"], "phase": "activation", "board": RAIL, "path": CHIT, **more}
    return stage({**FRONT, **(units or {})}, **state)


def to(game: Game[Any, Any], unit: str) -> set[str]:
    """Where a unit may arrive."""
    if not game.to_move:
        return set()
    return {a.to for a in game.legal_actions(game.to_move[0]) if isinstance(a, Arrive) and a.unit == unit}


# -- 11.0, 11.1 Soviet reinforcements -------------------------------------------------------------------------------------------


@drill("11.0.2", "reinforcements come by rail from a source, not past enemies, their zones or cities, where there is room")
def _() -> None:
    same("11.0.2", "hexes with a railway to the source", to(coming(), "sov-6gtk"), {*TRACK})
    for more in ({}, {"sov-50": "0713", "sov-52": "0712"}):
        near = coming({"ger-68": "0813", **more})
        same("11.0.3", f"hexes when 0712 and 0713 are in an enemy zone ({len(more)} friends)", to(near, "sov-6gtk"), {*TRACK[:7]})
    full = coming({"sov-50": "0719", "sov-52": "0719"})
    same("11.0.4", "hexes when 0719 is full", to(full, "sov-6gtk"), {*TRACK} - {"0719"})
    city = coming(board=ground(rail=[" ".join(TRACK)], cities={"K": "0716"}))
    same("11.0.3", "hexes when a city is the enemy's", to(city, "sov-6gtk"), {*TRACK[:4]})
    broken = coming(board=ground(rail=[" ".join(TRACK[:3]), " ".join(TRACK[4:])]))
    same("11.0.2", "hexes of a broken railway", to(broken, "sov-6gtk"), {*TRACK[:3]})
    landed = coming({"sov-18g": "0711"}, airborne="0711", landed=True, board=ground(rail=[" ".join(TRACK[8:])]))
    same("11.1.6", "hexes on a railway from the Airborne marker", to(landed, "sov-6gtk"), set())


@drill("11.1.1", "the n-th chit brings group n, in whatever turn, and whoever had to wait; all at full strength")
def _() -> None:
    first = coming(turn=5)
    same("11.1.1", "who comes with the first chit", offers(first, Arrive, "unit"), GROUPS[1])
    first.apply(Arrive("sov-6gtk", "0719"))
    same("2.2.8", "the steps of whoever comes", first.state.steps["sov-6gtk"], 2)
    second = coming(boxes({*GROUPS[1], *GROUPS[2]}), groups=1, turn=2)
    same("11.0.6", "who comes with the second chit if nobody could before", offers(second, Arrive, "unit"), GROUPS[1] | GROUPS[2])
    landing = coming(chit="airborne", turn=3)
    same("4.3.10", "who comes with the Airborne chit first", offers(landing, Arrive, "unit"), GROUPS[1])
    same("4.3.10", "the group", [event.group for event in happened(landing, GroupCalled)], [1])


@drill("11.1.2", "a replacement takes the place of a unit of its kind in supply, which leaves the game")
def _() -> None:
    units = {"sov-2tk": "1017", "sov-10tk": "1016", "sov-3m": "1015", "sov-31tk": "1014"}
    state: dict[str, Any] = {"supply": {"sov-10tk": "out of supply", "sov-31tk": "isolated"}, "reduced": ["sov-2tk"]}
    game = coming({**boxes(["sov-25tk"]), **units}, groups=2, **state)
    same("11.1.2", "whom the replacement may replace", offers(game, Replace, "replaced"), {"sov-2tk"})
    game.apply(Replace("sov-25tk", "sov-2tk"))
    same("11.1.4", "where both are", (game.state.at["sov-25tk"], game.state.at.get("sov-2tk")), ("1017", None))
    same("2.2.8", "the steps of the replacement", game.state.steps["sov-25tk"], 2)


def dropping(units: dict[str, str] | None = None, **more: Any) -> Game[Any, Any]:
    """Paratroopers and nobody else."""
    return coming({**boxes(), **(units or {})}, "airborne", turn=3, **more)


@drill("11.1.5", "the marker and its unit land within eight hexes of a supplied unit, zones or not, and count at once")
def _() -> None:
    water = ground({"1014": "~"})
    game = dropping({"ger-57": "1012", "sov-50": "0105"}, board=water, supply={"sov-50": "out of supply"})
    due = within("1018", 8) - {"1014", "1012"}
    same("11.1.5", "where they may land", to(game, "sov-18g"), due)
    game.apply(Arrive("sov-18g", "1013"))
    state = game.state
    told = (state.at["sov-18g"], state.airborne, state.landed, state.crossing_points)
    same("11.1.9", "unit, marker and crossing points", told, ("1013", "1013", True, 1))
    none = dropping(supply={"sov-51": "isolated"})
    same("11.1.5", "whether they land without a supplied unit", none.state.landed, False)


@drill("11.1.6", "the marker is a source until an enemy enters its hex, and counts as a crossing point for good")
def _() -> None:
    island = ground(sides={"major-river": rim("0710")})
    for airborne, supplied in (("0710", True), ("", False)):
        game = stage({"sov-18g": "0710"}, Marching("soviet", ("sov-18g",)), board=island, airborne=airborne, landed=True)
        same("11.1.6", f"whether a unit on the marker {airborne!r} is supplied", game.query.supply("sov-18g").supplied, supplied)
    for unit, end in (("ger-57", "0709"), ("ger-57", "0710"), ("ger-8a", "0710")):
        game = stage({unit: "0708", "ger-75": "1402"}, Marching("axis", (unit, "ger-75")), airborne="0709", landed=True)
        game.apply(Move(unit, end))
        same("11.1.7", f"the marker when {unit} has gone to {end}", (game.state.airborne, game.state.crossing_points), ("", 1))
        same("11.1.7", "that it was destroyed", len(happened(game, AirborneDestroyed)), 1)


# -- 11.2, 12.2 negotiation -----------------------------------------------------------------------------------------------------


def negotiating(number: int = 0, units: dict[str, str] | None = None, **more: Any) -> Game[Any, Any]:
    """OKH has been drawn, and the Axis negotiates."""
    state = {"board": AXIS_RAIL, "crossings": crossings(number), "path": CHIT, "drawn": ["okh-1"], "cup": ["supply"], **more}
    game = stage({**FRONT, **(units or {})}, **state)
    game.apply(Use("negotiation"))
    return game


def spent(game: Game[Any, Any], unit: str, label: str) -> set[str]:
    """Which kinds of unit can still be paid when another one has come."""
    game.apply(Arrive(unit, label))
    return kinds(game)


def kinds(game: Game[Any, Any]) -> set[str]:
    """The kinds of units that can be bought."""
    if not waits(game, Arriving):
        return set()
    return {game.world.units[unit].start.removeprefix("axis ") for unit in offers(game, Arrive, "unit")}


@drill("11.2.1", "a panzer division costs 2 points, infantry 1, an ally one half, and the points come from the crossing points")
def _() -> None:
    game = negotiating()
    same("11.0.2", "where Axis units may come", to(game, "ger-9"), {*AXIS_TRACK})
    same("4.2.2.9", "what 3 points buy", kinds(game), {"PR", "IR", "AR"})
    same("11.2.1", "what is left of 3 for after a panzer division", spent(game, "ger-1pz", "0702"), {"IR", "AR"})
    same("11.2.1", "what is left of 1 for after an ally", spent(game, "rom-24", "0703"), {"AR"})
    for number, landed, halves in ((0, 0, 6), (1, 0, 8), (2, 0, 8), (2, 1, 9), (4, 0, 9), (5, 0, 10), (5, 1, 10), (6, 1, 11)):
        told = bought(negotiating(number, landed=bool(landed)))
        same("4.2.2.9", f"half points with {number} crossing points, Airborne {landed}", told, halves)


def bought(game: Game[Any, Any]) -> int:
    """How many half points there are: one for an ally each, two where only infantry is left."""
    total = 0
    while waits(game, Arriving):
        price, unit = min((1 if game.world.units[u].start == "axis AR" else 2, u) for u in offers(game, Arrive, "unit"))
        game.apply(Arrive(unit, min(to(game, unit))))
        total += price
    return total


@drill("12.2.2", "three points lift an order, which leaves the game")
def _() -> None:
    cities = ground(rail=[" ".join(AXIS_TRACK)], cities={"A": "0704", "B": "0909"})
    for number, after in ((0, set()), (4, {"IR", "AR"}), (6, {"PR", "IR", "AR"})):
        game = negotiating(number, board=cities, orders=["0704", "0909"])
        same("12.2.2", "orders that may be lifted", offers(game, LiftOrder, "hex"), {"0704", "0909"})
        game.apply(LiftOrder("0909"))
        same("12.2.2", "orders that are left", tuple(game.state.orders), ("0704",))
        same("12.2.2", f"what can be bought then with {number} crossing points", kinds(game), after)
    poor = negotiating(0, board=cities, orders=["0704"])
    poor.apply(Arrive("rom-24", "0702"))
    same("12.2.2", "orders that two and a half points lift", offers(poor, LiftOrder, "hex"), set())


@drill("12.2.1", "in a city with an order each hex of retreat is a lost step, for the Axis only")
def _() -> None:
    board = ground(cities={"K": "0707"})
    tanks = ("sov-2tk", "sov-10tk", "sov-31tk")
    for die, orders, due in ((2, ["0707"], (1, "0707")), (4, ["0707"], (0, "axis eliminated")), (2, [], (2, "0706"))):
        units = {"ger-112": "0707", **dict(zip(tanks, ("0708", "0708", "0808"), strict=True))}
        game = stage(units, Attacking("soviet", tanks), board=board, orders=orders, dice=[die], active=tanks, mode="combat-move")
        game.apply(Attack("0707"))
        for unit in tanks:
            game.apply(Join(unit))
        game.apply(Resolve())
        while game.to_move == ("axis",):
            game.apply(
                min(game.legal_actions("axis"), key=lambda action: str(getattr(action, "path", ("", "0706"))[-1] != "0706"))
            )
        told = (game.state.steps["ger-112"] if game.state.at["ger-112"] in game.world.board else 0, game.state.at["ger-112"])
        same("12.2.1", f"six to one less two columns, die {die}, orders {orders}", told, due)


@drill("12.2.3", "the Soviets win when a unit enters a city with an order, if only on its way")
def _() -> None:
    board = ground(cities={"K": "0709"})
    for end in ("0709", "0710"):
        for scenario in ("race", "campaign"):
            units = {"sov-51": "0708", "sov-50": "1402"}
            game = stage(units, Marching("soviet", ("sov-51", "sov-50")), board=board, orders=["0709"], scenario=scenario)
            game.apply(Move("sov-51", end))
            same("12.2.3", f"the winner after a move to {end}", game.result and game.result.winner, "soviet")
    free = stage({"sov-51": "0708", "sov-50": "1402"}, Marching("soviet", ("sov-51", "sov-50")), board=board, orders=[])
    free.apply(Move("sov-51", "0709"))
    same("12.2.3", "the game when a city without an order falls", (free.result, free.state.control["0709"]), (None, "soviet"))
    held = stage({"ger-57": "0708", "ger-68": "1402"}, Marching("axis", ("ger-57", "ger-68")), board=board, orders=["0709"])
    held.apply(Move("ger-57", "0709"))
    same("12.2.3", "the game when the Axis enters it", held.result, None)


# -- 12.3 crossing points -------------------------------------------------------------------------------------------------------

BANK = ground(areas={"crossing points": ["0705", "1212"]})


def moved(units: dict[str, str], unit: str, end: str, board: str | None = BANK, **more: Any) -> set[str]:
    """The crossing points of the Soviets after a move."""
    side = "soviet" if unit.startswith("sov") else "axis"
    game = stage(units, Marching(side, (unit,)), board=board, **more)
    game.apply(Move(unit, end))
    return set(game.state.crossings)


@drill("12.3.3", "the Soviets gain a crossing point that they enter, or that is empty with a unit within two hexes, for good")
def _() -> None:
    same("12.3.3", "crossing points after going through", moved({"sov-2tk": "0708"}, "sov-2tk", "0702"), {"0705"})
    same("12.3.4", "after coming within two hexes", moved({"sov-51": "0709"}, "sov-51", "0707"), {"0705"})
    same("12.3.4", "after coming within three hexes", moved({"sov-51": "0709"}, "sov-51", "0708"), set())
    same("12.3.4", "while the Axis is there", moved({"sov-51": "0708", "ger-57": "0705"}, "sov-51", "0707"), set())
    same("12.3.4", "when the Axis has left", moved({"sov-51": "0707", "ger-57": "0705"}, "ger-57", "0703"), {"0705"})
    again = moved({"sov-51": "1414", "ger-57": "0706"}, "ger-57", "0705", crossings=["0705"])
    same("12.3.6", "when the Axis is there again", again, {"0705"})


@drill("12.3.5", "1826 and 1827 fall only when they and Kremenchuk are clear of the Axis")
def _() -> None:
    for label, due in (("1926", set()), ("1827", set()), ("1826", set()), ("2025", {"1826", "1827"})):
        told = moved({"sov-2tk": "1724", "ger-57": label}, "sov-2tk", "1825", board=None)
        same("12.3.5", f"crossing points while the Axis is in {label}", told & {"1826", "1827"}, due)


@drill("12.3.7", "in turns 7 and 8 crossing points without an Axis unit fall by themselves")
def _() -> None:
    for turn, due in ((5, set()), (6, {"0705"}), (7, {"0705"})):
        game = stage({"sov-51": "0420", "ger-57": "1212"}, path=NEXT, board=BANK, turn=turn, phase="verdict")
        same("12.3.7", f"crossing points at the start of turn {turn + 1}", set(game.state.crossings), due)
    left = moved({"sov-51": "0420", "ger-57": "1212"}, "ger-57", "1210", turn=7, crossings=["0705"])
    same("12.3.7", "when the Axis leaves one in turn 7", left, {"0705", "1212"})


# -- 13.0 victory ---------------------------------------------------------------------------------------------------------------

WEST = [f"{row:02}{column:02}" for row in range(1, 15) for column in range(1, 9)]
CITIES = ground(
    areas={"west of the dnieper": WEST, "crossing points": ["1401"], "breakthrough": ["0901", "0902"]},
    cities={"A": "0712", "B": "0714"},
)
POCKET = {"ger-57": "0806", "ger-68": "0606", "ger-75": "0704", "ger-88": "0708"}
"""Around 0706."""


def score(units: dict[str, str], scenario: str, **more: Any) -> dict[str, float]:
    """The points of the Soviets by clause."""
    return points(stage({"ger-57": "0501", **units}, Marching("axis", ("ger-57",)), board=CITIES, scenario=scenario, **more))


@drill(
    "13.2.3", "the race: 5 points a crossing point, not for the marker, 1 or 1/2 a unit beyond the Dnieper, half without a line"
)
def _() -> None:
    same("13.2.3", "crossing points", score({}, "race", crossings=crossings(3), landed=True), {"13.2.3": 15})
    west = {"sov-2tk": "0706", "sov-51": "0707", "sov-steppe": "0606", "sov-50": "0709", "sov-3m": "1105", "ger-112": "0308"}
    same("13.2.4", "a tank, a mechanised and a rifle corps", score(west, "race"), {"13.2.4": 2.5})
    cut = {"sov-2tk": "0706", "sov-51": "0706", **POCKET}
    same("13.2.4", "a tank and a rifle corps without a line", score(cut, "race"), {"13.2.4": 0.75})
    rest = {"relocations": {"axis": 3, "soviet": 1}, "control": {"0712": "soviet", "0714": "axis"}}
    same("13.2.2", "relocations, cities and dead in the race", score({"ger-68": "axis eliminated"}, "race", **rest), {})


@drill("13.3.2", "the campaign: cities 8, German armour 2, others 1, allies none, relocations 2, a unit that breaks through 5")
def _() -> None:
    same("13.3.2", "one of two cities", score({}, "campaign", control={"0712": "soviet", "0714": "axis"}), {"13.3.2": 8})
    dead = dict.fromkeys(("ger-7pz", "ger-16pg", "ger-68", "rom-24", "hun-2pz"), "axis eliminated")
    same("13.3.3", "a panzer, a mechanised and an infantry division, two allies", score(dead, "campaign"), {"13.3.3": 4})
    same("13.3.4", "relocations", score({}, "campaign", relocations={"axis": 1, "soviet": 3}), {"13.3.4": -4})
    through = {"sov-2tk": "0901", "sov-51": "0901", "sov-50": "0902", "ger-68": "0505"}
    same("13.3.5", "three units on breakthrough hexes", score(through, "campaign"), {"13.3.5": 15})
    same("13.3.1", "crossing points in the campaign", score({}, "campaign", crossings=crossings(2)), {})


@drill("13.3.6", "after the last turn a unit without a line counts as eliminated")
def _() -> None:
    ring = {"sov-2tk": "0806", "sov-51": "0606", "sov-50": "0704", "sov-52": "0708"}
    inside = {"ger-11pz": "0706", "ger-112": "0706", "rom-24": "0506", **ring, "sov-47": "0505", "sov-3m": "0507"}
    for turn, phase, due in ((8, "combat", {}), (7, "verdict", {}), (8, "verdict", {"13.3.6": 3})):
        same("13.3.6", f"Germans without a line in turn {turn}, {phase}", score(inside, "campaign", turn=turn, phase=phase), due)
    lone = {"sov-2tk": "0901", "ger-57": "0803", "ger-68": "1003", "ger-75": "0701", "ger-88": "1101", "ger-112": "0903"}
    for phase, due in (("combat", {"13.3.5": 5}), ("verdict", {})):
        told = score(lone, "campaign", turn=8, phase=phase)
        same("13.3.6", f"a Soviet unit without a line on a breakthrough hex, {phase}", told, due)


def verdict(scenario: str, turn: int, **more: Any) -> str | None:
    """Who wins at the end of a turn."""
    units = more.pop("units", {"ger-57": "0501"})
    game = stage(units, path=END, board=CITIES, scenario=scenario, turn=turn, **more)
    return None if game.result is None else game.result.winner


@drill("13.2.1", "50 points after turn 4 of the race; 65 at the end of any turn of the campaign, or the Axis wins after turn 8")
def _() -> None:
    for number, turn, due in ((10, 4, "soviet"), (9, 4, "axis"), (12, 3, None)):
        same("13.2.1", f"{5 * number} points after turn {turn}", verdict("race", turn, crossings=crossings(number)), due)
    eight = {"control": {"0712": "soviet", "0714": "axis"}}
    for relocated, dead, turn, due in ((28, 1, 3, "soviet"), (28, 0, 3, None), (28, 0, 8, "axis"), (28, 1, 8, "soviet")):
        units = {"ger-57": "0501", **({"ger-68": "axis eliminated"} if dead else {})}
        told = verdict("campaign", turn, relocations={"axis": relocated}, units=units, **eight)
        same("13.3.1", f"{8 + 2 * relocated + dead} points after turn {turn}", told, due)


# -- 14.0 optional rules --------------------------------------------------------------------------------------------------------


@drill("14.1.1", "the higher bid is what the Soviets need; equal bids are made again")
def _() -> None:
    for axis, soviet, due in ((40, 52, 52), (61, 52, 61)):
        game = hexwar.new_game("tow", "race", seed=1, options={"bidding": True})
        game.apply(Bid(axis), "axis")
        game.apply(Bid(soviet), "soviet")
        same("14.1.1", f"the points for bids of {axis} and {soviet}", game.query.points_needed()["soviet"][0], due)
        notes = {name: list(note) for name, note in game.state.notes.items()}
        for number, winner in ((due // 5, "axis"), (due // 5 + 1, "soviet")):
            told = verdict("race", 4, crossings=crossings(number), notes=notes, options={"bidding": True})
            same("14.1.1", f"the winner with {5 * number} points", told, winner)
    again = hexwar.new_game("tow", "race", seed=1, options={"bidding": True})
    again.apply(Bid(50), "axis")
    again.apply(Bid(50), "soviet")
    same("14.1.1", "who bids after equal bids", set(again.to_move), {"axis", "soviet"})


@drill("14.2.1", "at the start of turn 4 any Soviet headquarters may be exchanged; the chits of its Front lead the new one")
def _() -> None:
    units = {"sov-voronezh": "0715", "sov-steppe": "0915", "sov-south": "headquarters waiting", "sov-51": "0714"}
    on: dict[str, bool | str] = {"ukrainian-fronts": True}

    def able(game: Game[Any, Any]) -> set[str]:
        found = [action.to_json() for action in game.legal_actions(game.to_move[0])]
        return {str(action["unit"]) for action in found if action["kind"] == "rename"}

    for turn in (3, 5):
        same("14.2.1", f"who may be exchanged in turn {turn}", able(stage(units, path=LUFTWAFFE, turn=turn, options=on)), set())
    game = stage(units, path=LUFTWAFFE, turn=4, options=on)
    same("14.2.1", "who may be exchanged in turn 4", able(game), {"sov-voronezh", "sov-steppe", "sov-south"})
    game.apply(game.ruleset.parse_action({"kind": "rename", "unit": "sov-steppe"}))
    same("2.3.16", "where the new one is", (game.state.at["sov-2ukr"], game.state.at.get("sov-steppe")), ("0915", None))
    same("14.2.1", "who may be exchanged still", able(game), {"sov-voronezh", "sov-south"})
    for chit in ("voronezh-1", "voronezh-2"):
        game = stage({"sov-1ukr": "0715", "sov-51": "0714"}, path=CHIT, drawn=[chit])
        same("2.3.16", f"whom {chit} activates", set(game.state.active), {"sov-1ukr", "sov-51"})
