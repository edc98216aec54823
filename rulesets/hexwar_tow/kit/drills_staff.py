"""Drills of the staff: headquarters (2.3), set-up (3) and the Luftwaffe (7).

A drill says what the rulebook says, in plain numbers; it never asks the ruleset what is right. `drills_staff_chits` has those of
the turn, `drills_staff_arrivals` those of reinforcements, orders, crossing points, victory and the optional rules.
"""

from __future__ import annotations

from typing import Any

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import (
    Arrive,
    Attack,
    Attacking,
    Battle,
    Done,
    Join,
    Move,
    Outcome,
    Resolve,
    RollModified,
    UnitsActivated,
)
from hexwar.mechanics.combat import Aftermath
from hexwar.testing import lot
from hexwar.testing.drills import Drills, same
from hexwar_tow.kit.ground import ground, neighbours
from hexwar_tow.kit.staff_table import (
    CHIT,
    COMBAT,
    END,
    LUFTWAFFE,
    SET_UP,
    crossings,
    everywhere,
    happened,
    offers,
    points,
    rim,
    stage,
    waits,
    within,
)
from hexwar_tow.luftwaffe import Commit
from hexwar_tow.relocation import Marching, Relocate, Relocating
from hexwar_tow.supply import SupplyCheck

drill = Drills()

HQ, OTHER = "ger-4pza", "ger-8a"
BOX = "headquarters waiting"


def active(game: Game) -> set[str]:
    """The units that are active."""
    return set(game.state.active)


# -- 2.3 headquarters -----------------------------------------------------------------------------------------------------------


@drill("2.3.12", "a chit activates its headquarters and all of its side within four hexes, whatever their formation or supply")
def _() -> None:
    units = {
        OTHER: "0708",
        "ger-57": "0712",
        "rom-24": "0704",
        "ger-68": "0713",
        "sov-51": "0709",
        "sov-50": "0711",
        "ger-11pz": "1108",
    }
    game = stage(units, path=CHIT, drawn=["8a"], supply={"ger-57": "isolated", "ger-11pz": "out of supply"})
    same("2.3.14", "who is active", active(game), {OTHER, "ger-57", "rom-24", "ger-11pz"})
    walled = ground(sides={"blocked": rim("0710")}, terrain={"0806": "~", "0805": "~", "0707": "~", "0606": "~", "0607": "~"})
    game = stage({OTHER: "0708", "ger-57": "0710", "ger-68": "0704", "ger-75": "0809"}, board=walled, path=CHIT, drawn=["8a"])
    same("2.3.13", "who is active beyond walls and water", active(game), {OTHER, "ger-75"})


@drill("2.3.15", "range counts when a headquarters is activated, and not later")
def _() -> None:
    units = {OTHER: "0708", "ger-11pz": "0712", "sov-51": "0718"}
    mine = (OTHER, "ger-11pz")
    game = stage(units, Marching("axis", mine), path=COMBAT, active=mine, mode="move-combat", drawn=["8a"])
    game.apply(Move("ger-11pz", "0717"))
    game.apply(Done())
    same("2.3.15", "whom a unit may attack that has left the range", offers(game, Attack, "target"), {"0718"})


@drill("2.3.6", "a headquarters relocates to a hex five or more away with a line, outside enemy zones and without another one")
def _() -> None:
    board = ground({"0503": "~"}, sides={"major-river": rim("0705")})
    units = {HQ: "0710", OTHER: "0903", "ger-112": "0904", "ger-68": "0904", "sov-51": "0414"}
    game = stage(units, Marching("axis", (HQ,)), board=board)
    same("2.3.5", "whether it may be relocated", offers(game, Relocate, "unit"), {HQ})
    game.apply(Relocate(HQ))
    shut = {"0503", "0705", "0903", "0414", *neighbours("0414")}
    same("2.3.6", "where it may go", offers(game, Arrive, "to"), everywhere() - within("0710", 4) - shut)
    game.apply(Arrive(HQ, "0702"))
    same("2.3.10", "relocations", dict(game.state.relocations), {"axis": 1})
    same("2.3.5", "whether it may still move", offers(game, Move, "unit"), set())


@drill("2.3.8", "the line may not run through its own old hex, if only the headquarters holds a zone off there")
def _() -> None:
    row = [f"07{column:02}" for column in range(1, 13)]
    walls = {f"{label}|{near}" for label in row for near in neighbours(label) if near in everywhere() - {*row}}
    board = ground(sides={"blocked": sorted(walls - {"0705|0806"})})
    game = stage({HQ: "0705", "sov-51": "0806"}, Marching("axis", (HQ,)), board=board)
    same("2.3.8", "whether it may be relocated", offers(game, Relocate, "unit"), set())


@drill("2.3.3", "a headquarters that is lost in combat relocates; one without a hex waits for a supply check")
def _() -> None:
    lost = Aftermath("soviet", Battle("soviet", "0710", ("sov-51",)), Outcome("1RR", 0, 1, 2))
    game = stage({HQ: "0710", "sov-51": "0711"}, lost)
    same("2.3.3", "who is relocated", [step.units for step in waits(game, Relocating)], [(HQ,)])
    same("2.3.6", "where it may go", offers(game, Arrive, "to"), everywhere() - within("0710", 4) - {*neighbours("0711")})
    waiting = stage({HQ: BOX, "ger-112": "0707"}, SupplyCheck())
    same("2.3.6", "where one that waits may go", offers(waiting, Arrive, "to"), everywhere())
    waiting.apply(Arrive(HQ, "0706"))
    same("2.3.10", "relocations", dict(waiting.state.relocations), {"axis": 1})
    silent = stage({HQ: BOX, "ger-112": "0707"}, path=CHIT, drawn=["4pza"], cup=["supply"])
    same("2.3.6", "whom the chit of one that waits activates", happened(silent, UnitsActivated)[0].units, ())


@drill("2.3.4", "a headquarters without a line relocates when supply is checked, at two points")
def _() -> None:
    island = ground(sides={"major-river": [*rim("0710"), *rim("0313")]})
    for unit, label, due, side in ((HQ, "0710", 2, "axis"), ("sov-steppe", "0313", -2, "soviet")):
        game = stage({unit: label}, SupplyCheck(), board=island)
        same("2.3.4", f"who must relocate in place of {unit}", offers(game, Arrive, "unit"), {unit})
        game.apply(Arrive(unit, "1418"))
        same("2.3.10", f"what {side} has relocated", dict(game.state.relocations), {side: 1})
        same("2.3.10", f"points for the relocation of {unit}", points(game), {"13.3.4": due})


# -- 3.0 set-up -----------------------------------------------------------------------------------------------------------------

ORDERS = ("0218", "1338", "1631", "2305", "2634", "2918")


@drill("3.0.6", "six cities have orders, all are Axis, no crossing point is Soviet, and all are at full strength and in supply")
def _() -> None:
    for scenario in ("race", "campaign"):
        game: Game = hexwar.new_game("tow", scenario, seed=1)
        state, world = game.state, game.world
        same("3.0.6", "cities with orders", tuple(sorted(state.orders)), ORDERS)
        same("3.0.9", "who has the cities", set(state.control.values()), {"axis"})
        same("3.0.9", "crossing points of the Soviets", state.crossing_points, 0)
        same("3.0.5", "units without supply", dict(state.supply), {})
        same("2.2.8", "units that are reduced", {u for u in state.at if state.steps[u] < world.units[u].steps}, set())
        leaders = {unit for unit, label in state.at.items() if world.units[unit].command and label in world.board}
        base = {"sov-voronezh", "sov-steppe", "sov-southwest", "sov-south", "ger-4pza", "ger-8a", "ger-1pza", "ger-6a"}
        same("3.0.2", "headquarters on the map", leaders, base)


@drill("3.0.7", "three security divisions, each on another major city")
def _() -> None:
    game = hexwar.new_game("tow", "race", seed=1)
    cities = {label for place in game.world.board.places if place.kind == "major-city" for label in place.hexes}
    same("3.0.7", "who sets up", game.to_move, ("axis",))
    for left in (3, 2, 1):
        units = offers(game, Arrive, "unit")
        same("3.0.7", "security divisions to place", len(units), left)
        unit = min(units)
        room = offers(game, Arrive, "to")
        same("3.0.7", "cities that they may hold", room <= cities, True)
        label = min(room)
        game.apply(Arrive(unit, label))
        if left > 1:
            same("3.0.7", "whether another may join the first", label in offers(game, Arrive, "to"), False)


@drill("3.0.7", "a security division may stand in a city next to the enemy, if there is room")
def _() -> None:
    board = ground(cities={"K": "0707", "P": "0903", "S": "0503", "T": "0403"})
    game = stage({"sov-51": "0708", "ger-112": "0903", "ger-68": "0903"}, path=SET_UP, board=board)
    same("3.0.7", "cities that they may hold", offers(game, Arrive, "to"), {"0707", "0503", "0403"})


# -- 7.0 the Luftwaffe ----------------------------------------------------------------------------------------------------------


def flown(number: int, *lots: int, landed: bool = False, **state: Any) -> Game:
    """The beginning of a turn with so many crossing points."""
    dice = [lot(which) for which in lots]
    return stage({"sov-51": "0718"}, path=LUFTWAFFE, crossings=crossings(number), landed=landed, dice=dice, **state)


@drill("7.0.3", "as many markers as the crossing points give, out of two of each kind, unseen by the Soviets")
def _() -> None:
    for number, landed, due in (
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 1),
        (2, 0, 1),
        (2, 1, 2),
        (4, 0, 2),
        (5, 0, 3),
        (6, 0, 3),
        (6, 1, 4),
    ):
        game = flown(number, *[0] * due, landed=bool(landed))
        same("4.1.1", f"markers with {number} crossing points, Airborne {landed}", len(game.state.luftwaffe.get("axis", ())), due)
    same("7.0.2", "all markers", sorted(flown(6, 0, 0, 0, 0, landed=True).state.luftwaffe["axis"]), ["def", "def", "off", "off"])
    one, other = flown(3, 0, 0), flown(3, 3, 2)
    same("7.0.3", "two draws that differ", one.state.luftwaffe == other.state.luftwaffe, False)
    told = [[str(event) for event in game.log("soviet")] for game in (one, other)]
    same("7.0.4", "what the Soviets hear of them", told[0], told[1])


def raid(side: str, markers: str, die: int) -> Game:
    """An attack at 2:1 while the Axis has markers; the dice are those of the second of two equal attacks, too."""
    mine = {"soviet": ("sov-2tk", "sov-51", "ger-11pz"), "axis": ("ger-11pz", "ger-112", "sov-51")}[side]
    first, second, defender = mine
    have = sorted(markers.split())
    game = stage(
        {defender: "0708", first: "0707", second: "0707"},
        Attacking(side, (first, second)),
        dice=[die],
        active=[first, second],
        luftwaffe={"axis": have},
        sorties=len(have),
    )
    game.apply(Attack("0708"))
    game.apply(Join(first))
    game.apply(Join(second))
    game.apply(Resolve())
    return game


@drill("7.0.7", "Off AS shifts an Axis attack by two columns, Def AS takes two off a Soviet die, never below one")
def _() -> None:
    for side, kind in (("axis", "off"), ("soviet", "def")):
        game = raid(side, "def off", 4)
        same("7.0.5", f"who is asked when {side} attacks", game.to_move, ("axis",))
        same("7.0.7", f"markers for an attack of {side}", offers(game, Commit, "marker"), {kind})
        game.apply(Commit(kind))
        same("7.0.6", "markers that are left", dict(game.state.luftwaffe)["axis"], ({"def": "off", "off": "def"}[kind],))
        same("7.0.6", f"markers that may still be used by {side}", offers(game, Commit, "marker"), set())
        game.apply(Done())
        rolls = [event.counts for event in happened(game, RollModified)]
        same("7.0.8", f"what a 4 counts in the attack of {side}", rolls, [2] if side == "soviet" else [])
    for markers, due in (("off", "4:1"), ("off off", "6:1"), ("", "2:1")):
        attack = ["0708", "ger-11pz", "ger-112"]
        air: dict[str, Any] = {"committed": markers.split(), "committed_to": attack} if markers else {}
        units = {"sov-51": "0708", "ger-11pz": "0707", "ger-112": "0707"}
        game = stage(units, Attacking("axis", ("ger-11pz", "ger-112")), active=["ger-11pz", "ger-112"], **air)
        same("7.0.7", f"the column with {markers or 'no markers'}", game.query.odds(attack[1:], "0708").name, due)
    low = raid("soviet", "def", 2)
    low.apply(Commit("def"))
    same("7.0.8", "what a 2 counts", [event.counts for event in happened(low, RollModified)], [1])


@drill("4.3.16", "at the end of the turn unused markers return")
def _() -> None:
    game = stage({"sov-51": "0718"}, path=END, luftwaffe={"axis": ["off"]}, sorties=1, turn=3, phase="combat")
    same("4.3.16", "markers after the turn", (game.state.sorties, dict(game.state.luftwaffe)), (0, {}))
    same("4.4.2", "the next turn", game.state.turn, 4)
