"""Drills of the field: positions made by hand for rules that random positions do not show, and what must become of them.

A drill says what the rulebook says, in plain numbers; it never asks the ruleset what is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import hexwar
from hexwar.engine import Action, Game
from hexwar.mechanics import Battle, Move, Outcome, Pursue
from hexwar.mechanics.combat import Aftermath, Fighting
from hexwar.testing.drills import Drilled, Drills, same
from hexwar_tow.kit.field_boards import ground, scene, walls
from hexwar_tow.kit.field_rules import LAST, cell, meaning
from hexwar_tow.relocation import Marching, Relocate

drill = Drills()


def offers(game: Game[Any, Any], kind: type[Action], name: str) -> set[Any]:
    """What the actions of a kind are about; nothing if nobody is asked."""
    return {getattr(action, name) for seat in game.to_move for action in game.legal_actions(seat) if isinstance(action, kind)}


@drill("8.1.7", "the Axis holds all cities at first")
def _() -> None:
    for scenario in ("campaign", "race"):
        game = hexwar.new_game("tow", scenario, seed=0, options={"auto-setup": True})
        same("8.1.7", f"who holds the cities of {scenario} at first", set(game.state.control.values()), {"axis"})


@drill("9.4.1", "a headquarters may be relocated in place of its move")
def _() -> None:
    units = {"ger-4pza": "0707", "ger-112": "0708", "sov-51": "0913"}
    game = scene(units, Marching("axis", ("ger-4pza", "ger-112")))
    same("9.4.1", "who may be relocated in place of a move", offers(game, Relocate, "unit"), {"ger-4pza"})
    same("9.0.1", "who may move", offers(game, Move, "unit"), {"ger-4pza", "ger-112"})


AT, EAST, WEST, NORTH_WEST, SOUTH_WEST = "0707", "0708", "0706", "0807", "0607"
"""Where most defenders stand, their attackers, and the hexes beyond; 0706 is nearer to the source of the Axis than the others."""


def after(result: str, units: Mapping[str, str], *attackers: str, **more: Any) -> Game[Any, Any]:
    """An attack of the Soviets on 0707 has just had a result."""
    found = meaning(result)
    outcome = Outcome(result, found.attacker, found.defender, found.retreat)
    return scene(units, Aftermath("soviet", Battle("soviet", AT, attackers), outcome), **more)


def places(game: Game[Any, Any], *units: str) -> list[str]:
    """Where units are."""
    return [game.state.at[unit] for unit in units]


# -- 5.0, 8.1, 10.2, PA.CRT ----------------------------------------------------------------------------------------------------


@drill("5.0.5", "a headquarters that retreats onto another is relocated")
def _() -> None:
    game = after("R", {"ger-4pza": AT, "ger-8a": WEST, "sov-51": EAST}, "sov-51")
    same("5.0.5", "a headquarters that retreats onto another", places(game, "ger-4pza"), ["headquarters waiting"])


@drill("5.0.7", "the Airborne marker takes no room")
def _() -> None:
    units = {"sov-51": "0709", "sov-52": EAST, "ger-112": "0302"}
    game = scene(units, Marching("soviet", ("sov-51",)), airborne=EAST, landed=True)
    same("5.0.7", "whether there is room beside a unit and the Airborne marker", EAST in offers(game, Move, "to"), True)


@drill("8.1.11", "a move changes no supply marker")
def _() -> None:
    game = scene({"ger-112": AT, "sov-51": "0313"}, Marching("axis", ("ger-112",)), supply={"ger-112": "isolated"})
    game.apply(Move("ger-112", WEST))
    same("8.1.11", "the markers after a move", dict(game.state.supply), {"ger-112": "isolated"})


@drill("10.2.5", "more than ten to one is ten to one before the shifts")
def _() -> None:
    units = {"ger-213sec": AT, "sov-2tk": EAST, "sov-10tk": EAST}
    for letter, due in ((".", "10:1"), ("^", "9:1")):
        told = scene(units, Marching("soviet", ("sov-2tk",)), board=ground({AT: letter})).query.odds(("sov-2tk", "sov-10tk"), AT)
        same("10.2.5", f"12 to 1 on {letter!r}", (told.attack, told.defence, told.name), (12, 1, due))


@drill("PA.CRT.7", "results mean what the table says")
def _() -> None:
    table = scene({"sov-51": AT}, Marching("soviet", ("sov-51",))).world.table
    for roll in range(1, 7):
        for column in range(LAST + 1):
            told, due = table.rows[roll][column], meaning(cell(column, roll))
            numbers = (told.name, told.attacker, told.defender, told.retreat)
            same(
                "PA.CRT.7",
                f"roll {roll}, column {column}",
                numbers,
                (cell(column, roll), due.attacker, due.defender, due.retreat),
            )


@drill("10.4.12", "in a hex with an order a retreat is a loss")
def _() -> None:
    units = {"ger-112": AT, "sov-2tk": EAST, "sov-10tk": EAST}
    battle = Battle("soviet", AT, ("sov-2tk", "sov-10tk"))
    city: dict[str, Any] = {"board": ground(cities={"Kyiv": AT}), "control": {AT: "axis"}}
    for orders, due in (([AT], (AT, 1)), ([], (WEST, 2))):  # 12 to 3 is 4:1, in a city 2:1, and 5 is R
        game = scene(units, Fighting("soviet", battle), dice=[5], orders=orders, **city)
        told = (game.state.at["ger-112"], game.state.steps["ger-112"])
        same("10.4.12", f"place and steps after R in a city with the orders {orders}", told, due)


# -- 10.4, 10.5 retreat and pursuit ----------------------------------------------------------------------------------------------


@drill("10.4.4", "a retreat through enemy zones costs steps")
def _() -> None:
    ring = {"ger-112": AT, "sov-51": EAST, "sov-50": "0705", "sov-52": "0907", "sov-47": "0507"}
    game = after("R", ring, "sov-51")
    same("10.4.4", "place and steps after a hex in a zone", (*places(game, "ger-112"), game.state.steps["ger-112"]), (WEST, 1))
    game = after("RR", ring, "sov-51")
    game.apply(game.legal_actions("axis")[0])
    same("10.4.4", "a unit that retreats through two hexes in zones", places(game, "ger-112"), ["axis eliminated"])


@drill("10.4.10", "a unit without a way out is lost")
def _() -> None:
    board = ground(sides={"blocked": walls(AT, EAST)})
    for unit, due in (("ger-112", "axis eliminated"), ("ger-4pza", "headquarters waiting")):
        game = after("R", {unit: AT, "sov-51": EAST}, "sov-51", board=board)
        same("10.4.10", f"{unit} without a way out", places(game, unit), [due])


@drill("10.4.5", "a retreat leads towards the source, and rather to a hex with room")
def _() -> None:
    full = {"ger-112": AT, "ger-68": WEST, "ger-75": WEST, "sov-51": EAST}
    board = ground(size=(14, 14), areas={"supply axis": ["1103"]})  # 0706 and 0807 are as near
    same(
        "10.4.5",
        "a retreat with a full hex and one with room",
        places(after("R", full, "sov-51", board=board), "ger-112"),
        [NORTH_WEST],
    )
    same("10.4.5", "a retreat to a full hex that is nearer", places(after("R", full, "sov-51"), "ger-112"), ["0705"])


@drill("10.5.2", "tanks and mechanized units pursue two hexes, others one")
def _() -> None:
    lengths = {"sov-51": {1}, "sov-4gc": {1}, "sov-18g": {1}, "sov-2tk": {1, 2}, "sov-3m": {1, 2}}
    for unit, due in lengths.items():
        game = after("R", {"ger-112": AT, unit: EAST}, unit)
        same("10.5.2", f"how far {unit} pursues", {len(path) - 1 for path in offers(game, Pursue, "path")}, due)


@drill("10.5.11", "a city is taken by whoever enters it")
def _() -> None:
    board = ground(cities={"Kyiv": AT})
    game = after("R", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board, control={AT: "axis"}, orders=[])
    game.apply(Pursue("sov-51", (EAST, AT)))
    same("10.5.11", "whose a city is into which somebody has pursued", game.state.control[AT], "soviet")
    leader = {"sov-steppe": EAST, "ger-112": "0302"}
    game = scene(leader, Marching("soviet", ("sov-steppe",)), board=board, control={AT: "axis"}, orders=[])
    game.apply(Move("sov-steppe", AT))
    same("8.1.7", "whose a city is that a headquarters has entered", game.state.control[AT], "soviet")


@drill("10.5.8", "a pursuit crosses no major river without a bridge")
def _() -> None:
    near = {AT, EAST, NORTH_WEST, SOUTH_WEST, "0808", "0608"}  # the beaten stand in 0706
    units = {"ger-112": AT, "sov-2tk": EAST}
    major, minor = {"major-river": [f"{AT}|{EAST}"]}, {"minor-river": [f"{AT}|{EAST}"]}
    beyond = {"major-river": [f"{AT}|{SOUTH_WEST}"]}
    boards = (
        (ground(), near),
        (ground(sides=minor), near),
        (ground(sides=major), {AT}),
        (ground(sides=major, rail=[f"{EAST} {AT}"]), near),
        (ground(sides=beyond), near - {SOUTH_WEST}),
        (ground(sides=beyond, road=[f"{AT} {SOUTH_WEST}"]), near),
    )
    for number, (board, due) in enumerate(boards):
        game = after("R", units, "sov-2tk", board=board)
        ends = {path[-1] for path in offers(game, Pursue, "path")}
        same("10.5.8", f"the ends of a pursuit on map {number}", ends, due)


class FieldDrills(Drilled):
    """Rules that seldom come up."""

    id: ClassVar[str] = "field-drills"
    sentence: ClassVar[str] = "In positions made by hand the rules of the field do what the rulebook says (5, 6, 8 to 10)."
    drills = drill
