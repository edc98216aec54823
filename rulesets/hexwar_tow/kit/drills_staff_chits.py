"""Drills of the staff, continued: selection and use of chits, held chits, OKH, activation and the opening attack (4, 12.1)."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Game
from hexwar.mechanics import (
    Attack,
    Call,
    Done,
    Interrupt,
    Move,
    PutIn,
    Ready,
    Select,
    Selecting,
)
from hexwar.testing import lot
from hexwar.testing.drills import Drills, same
from hexwar_tow.activation import ChooseMode, Include, Lead
from hexwar_tow.kit.staff_table import (
    CHIT,
    COMBAT,
    DRAW,
    LUFTWAFFE,
    PUTTING_IN,
    crossings,
    offers,
    stage,
)
from hexwar_tow.okh import Use
from hexwar_tow.reinforcements import Replacing

drill = Drills()

FRONTS = ("voronezh-1", "steppe-1", "southwest-1", "south-1")

# -- 4.2 selection --------------------------------------------------------------------------------------------------------------


def active(game: Game) -> set[str]:
    """The units that are active."""
    return set(game.state.active)


STAFF = {"ger-8a": "0708", "ger-57": "0709", "sov-steppe": "1118", "sov-51": "1117"}


def choosing(turn: int, **state: Any) -> Game:
    """The selection of a turn."""
    return stage(STAFF, Selecting(), turn=turn, phase="selection", **state)


def chosen(game: Game, side: str, *chits: str, hold: bool = False) -> Game:
    """The same after some chits have been chosen."""
    for chit in chits:
        game.apply(Select(chit, hold), side)
    return game


def pool(game: Game, side: str) -> set[str]:
    """The chits that a side may choose now."""
    return offers(game, Select, "chit", side)


@drill("4.2.1.1", "the pools of the players, turn by turn")
def _() -> None:
    soviet = {f"{front}-{number}" for front in ("voronezh", "steppe", "southwest", "south") for number in (1, 2)}
    soviet.add("reinforcements")
    axis = {"4pza", "8a", "1pza", "6a"}
    for turn in range(1, 9):
        game = choosing(turn, drawn=["voronezh-1", "8a", "supply", "reinforcements"])
        more = ({"airborne"} if turn >= 3 else set()) | ({"stavka"} if turn >= 5 else set())
        same("4.2.1.1", f"Soviet chits in turn {turn}", pool(game, "soviet"), soviet | more)
        same("4.2.2.3", f"Axis chits in turn {turn}", pool(game, "axis"), axis | ({"okh-1", "okh-2"} if turn >= 2 else set()))
    same("4.2.1.6", "whether paratroopers jump twice", "airborne" in pool(choosing(4, landed=True), "soviet"), False)


@drill("4.2.1.7", "STAVKA comes only while the Soviets have few crossing points")
def _() -> None:
    for turn, most in ((5, 0), (6, 1), (7, 3), (8, 5)):
        enough, many = choosing(turn, crossings=crossings(most)), choosing(turn, crossings=crossings(most), landed=True)
        same("4.2.1.7", f"STAVKA with {most} crossing points in turn {turn}", "stavka" in pool(enough, "soviet"), True)
        same("4.2.1.7", f"STAVKA with {most + 1} crossing points in turn {turn}", "stavka" in pool(many, "soviet"), False)


@drill("4.2.1.3", "six Soviet chits, one for each Front, and STAVKA in the place of one")
def _() -> None:
    game = chosen(choosing(2), "soviet", "voronezh-1", "voronezh-2", "steppe-1", "steppe-2")
    due = {"southwest-1", "southwest-2", "south-1", "south-2"}
    same("4.2.1.3", "what is left when two Fronts are missing", pool(game, "soviet"), due)
    same("4.2.1.2", "whether the Soviets may stop", Ready() in game.legal_actions("soviet"), False)
    chosen(game, "soviet", "southwest-1", "south-1")
    same("4.2.1.2", "what a seventh chit might be", pool(game, "soviet"), set())
    same("4.2.1.2", "whether the Soviets may stop", Ready() in game.legal_actions("soviet"), True)
    game = chosen(choosing(6), "soviet", "stavka", "voronezh-1", "voronezh-2", "reinforcements")
    due = {"steppe-1", "steppe-2", "southwest-1", "southwest-2", "south-1", "south-2"}
    same("4.2.1.4", "what is left when STAVKA stands in for one of three", pool(game, "soviet"), due)


@drill("4.2.2.2", "the Axis chooses the number of the turn track, for the cup or for its hand; the Soviets hold nothing")
def _() -> None:
    for turn, number in enumerate((3, 4, 4, 4, 5, 5, 5, 5), 1):
        game = chosen(choosing(turn), "axis", *("4pza", "8a", "1pza", "6a", "okh-1")[: number - 1])
        same("4.2.2.2", f"whether {number - 1} chits do in turn {turn}", Ready() in game.legal_actions("axis"), False)
        chosen(game, "axis", min(pool(game, "axis")), hold=True)
        same("4.2.2.2", f"what else the Axis may choose in turn {turn}", pool(game, "axis"), set())
    same("4.2.0.3", "ways to choose of the Axis", offers(choosing(2), Select, "hold", "axis"), {True, False})
    same("4.2.0.2", "ways to choose of the Soviets", offers(choosing(2), Select, "hold", "soviet"), {False})


@drill("4.2.0.5", "what was chosen and the Supply chit are in the cup, what was held is not")
def _() -> None:
    game = chosen(choosing(2), "soviet", *FRONTS, "reinforcements", "steppe-2")
    game.apply(Ready(), "soviet")
    chosen(game, "axis", "okh-1", "8a", hold=True)
    chosen(game, "axis", "6a", "4pza")
    game.apply(Ready(), "axis")
    same("4.2.0.3", "the hand of the Axis", dict(game.state.hand), {"axis": ("okh-1", "8a")})
    due = {*FRONTS, "reinforcements", "steppe-2", "6a", "4pza", "supply"}
    same("4.2.0.5", "the cup", {*game.state.cup, *game.state.drawn}, due)


# -- 4.2.2, 4.3 held chits and OKH ----------------------------------------------------------------------------------------------


def drawing(*cup: str, first: str = "", units: dict[str, str] | None = None, **state: Any) -> Game:
    """A chit has been drawn, the first of the cup if nothing is said; the phase of held chits has passed."""
    lots = sorted(cup)
    dice = [lot(lots.index(first or cup[0])), *[lot(0)] * 6]
    return stage(STAFF if units is None else units, path=state.pop("path", DRAW), cup=lots, dice=dice, **state)


@drill("4.2.0.4", "before a draw held chits may go into the cup; if it is empty, one must")
def _() -> None:
    game = stage(STAFF, path=PUTTING_IN, cup=["supply"], hand={"axis": ["8a", "okh-1"]})
    same("4.2.0.4", "who is asked before a draw", game.to_move, ("axis",))
    same("4.2.0.4", "what may go into the cup", offers(game, PutIn, "chit"), {"8a", "okh-1"})
    same("4.2.0.4", "whether it may be held on", Done() in game.legal_actions("axis"), True)
    game.apply(PutIn("8a"))
    same("4.2.0.4", "the cup and the hand", (game.state.cup, dict(game.state.hand)), (("8a", "supply"), {"axis": ("okh-1",)}))
    empty = stage(STAFF, path=PUTTING_IN, cup=[], hand={"axis": ["8a"]})
    same("4.3.15", "what may be done with an empty cup", empty.legal_actions("axis"), [PutIn("8a")])
    late = stage(STAFF, over(), path=COMBAT, cup=[], hand={"axis": ["8a"]}, drawn=["supply"])
    same("4.3.15", "whether a turn goes on while the Axis holds chits", (late.state.turn, late.to_move), (2, ("axis",)))


def over() -> Replacing:
    """A step that is over at once."""
    return Replacing("soviet", ())


@drill("4.3.13", "only OKH reacts, to any chit but Supply, which goes back into the cup; from the hand there is no negotiation")
def _() -> None:
    game = drawing("steppe-1", hand={"axis": ["okh-1", "8a"]})
    same("4.3.13", "what may be done against a drawn chit", game.legal_actions("axis"), [Done(), Interrupt("okh-1")])
    game.apply(Interrupt("okh-1"))
    same("4.2.2.6", "the cup", game.state.cup, ("steppe-1",))
    same("4.2.2.5", "uses from the hand", offers(game, Use, "use"), {"headquarters", "order"})
    same("4.2.2.5", "the hand", dict(game.state.hand), {"axis": ("8a",)})
    supply = drawing("supply", "steppe-1", hand={"axis": ["okh-1"]})
    same("4.3.14", "whether Supply can be cancelled", offers(supply, Interrupt, "chit"), set())
    own = drawing("6a", hand={"axis": ["okh-1"]})
    same("4.3.14", "whether an Axis chit can be cancelled", offers(own, Interrupt, "chit"), {"okh-1"})
    cup = drawing("okh-1", hand={"axis": ["8a"]})
    cup.apply(Done())
    same("4.2.2.4", "uses from the cup", offers(cup, Use, "use"), {"headquarters", "order", "negotiation"})


@drill("4.2.2.8", "an OKH Order activates units anywhere, as many as the crossing points give; OKH leads any headquarters")
def _() -> None:
    units = {**STAFF, "ger-68": "0201", "ger-75": "1402", "ger-6a": "0203", "ger-88": "0301"}
    for number, landed, due in ((0, False, 6), (1, False, 7), (2, True, 8), (4, False, 8), (5, True, 9), (6, True, 10)):
        game = drawing("okh-1", units=units, crossings=crossings(number), landed=landed)
        game.apply(Use("order"))
        same("4.2.2.8", f"units with {number} crossing points, marker {landed}", game.state.stack[-1].number, due)
    same("4.2.2.8", "who may be activated", offers(game, Call, "unit"), {u for u in units if not u.startswith("sov")})
    for unit in ("ger-75", "ger-6a"):
        game.apply(Call(unit))
    game.apply(Done())
    same("4.2.2.8", "who is active", active(game), {"ger-75", "ger-6a"})
    same("4.2.2.8", "modes of an OKH Order", offers(game, ChooseMode, "mode"), {"move-combat", "combat-move"})
    game = drawing("okh-1", units=units)
    game.apply(Use("headquarters"))
    same("4.2.2.7", "headquarters that OKH may lead", offers(game, Lead, "unit"), {"ger-8a", "ger-6a"})
    game.apply(Lead("ger-6a"))
    same("4.2.2.7", "who is active", active(game), {"ger-6a", "ger-68", "ger-88"})


# -- 4.3 activation -------------------------------------------------------------------------------------------------------------


@drill("4.3.4", "an Axis headquarters may activate one other in its range, which leads nobody; a Soviet one does not")
def _() -> None:
    units = {"ger-8a": "0708", "ger-6a": "0711", "ger-57": "0714", "ger-1pza": "0704", "ger-4pza": "0713", "ger-68": "0709"}
    game = stage(units, path=CHIT, drawn=["8a"])
    same("4.3.4", "other headquarters in range", offers(game, Include, "unit"), {"ger-6a", "ger-1pza"})
    game.apply(Include("ger-6a"))
    same("4.3.5", "who is active", active(game), {"ger-8a", "ger-6a", "ger-68"})
    soviet = stage({"sov-steppe": "1118", "sov-south": "1117", "sov-51": "1116"}, path=CHIT, drawn=["steppe-1"])
    same("4.3.4", "whom a Soviet headquarters activates", active(soviet), {"sov-steppe", "sov-51"})


@drill("4.3.11", "STAVKA activates any Front")
def _() -> None:
    units = {**STAFF, "sov-south": "0220", "sov-50": "0219", "sov-voronezh": "1402"}
    game = stage(units, path=CHIT, drawn=["stavka"], turn=5)
    same("4.3.11", "Fronts that STAVKA may activate", offers(game, Lead, "unit"), {"sov-steppe", "sov-south", "sov-voronezh"})
    game.apply(Lead("sov-south"))
    same("4.3.11", "who is active", active(game), {"sov-south", "sov-50"})


@drill("4.3.6", "units move and then fight, or fight and then move, as their owner says")
def _() -> None:
    units = {"ger-8a": "0708", "ger-57": "0709", "sov-51": "0710", "sov-steppe": "1118"}
    for mode, kinds in (("move-combat", (Move, Attack)), ("combat-move", (Attack, Move))):
        game = stage(units, path=CHIT, drawn=["8a"], cup=["supply"])
        same("4.3.6", "modes", offers(game, ChooseMode, "mode"), {"move-combat", "combat-move"})
        game.apply(ChooseMode(mode))
        for number, kind in enumerate(kinds, 1):
            other = kinds[2 - number]
            told = [any(isinstance(a, wanted) for a in game.legal_actions("axis")) for wanted in (kind, other)]
            same("4.3.7", f"segment {number} of {mode}: whether its own and whether the other is offered", told, [True, False])
            game.apply(Done())
        same("4.3.7", f"who is active after {mode}", active(game), set())


@drill("4.3.17", "a unit acts whenever it is activated")
def _() -> None:
    game = stage(STAFF, path=DRAW, cup=["steppe-1", "steppe-2"], dice=[lot(0), lot(0)])
    for label in ("1116", "1115"):
        same("4.3.17", "who is active", active(game), {"sov-steppe", "sov-51"})
        game.apply(ChooseMode("move-combat"))
        game.apply(Move("sov-51", label))
        game.apply(Done())
    same("4.3.17", "where it is after two activations", game.state.at["sov-51"], "1115")


@drill("12.1.1", "turn 1 begins with the attack of one Soviet headquarters, which does not move; later turns do not")
def _() -> None:
    units = {"sov-steppe": "0712", "sov-51": "0711", "sov-50": "0716", "sov-52": "0719", "ger-57": "0710", "sov-voronezh": "1402"}
    game = stage(units, path=LUFTWAFFE, turn=1)
    same(
        "12.1.1",
        "who is asked in turn 1",
        (game.to_move, offers(game, Lead, "unit")),
        (("soviet",), {"sov-steppe", "sov-voronezh"}),
    )
    game.apply(Lead("sov-steppe"))
    same("12.1.1", "who takes part", active(game), {"sov-steppe", "sov-51", "sov-50"})
    same("12.1.1", "whom they may attack", offers(game, Attack, "target"), {"0710"})
    same("12.1.1", "who may move", offers(game, Move, "unit"), set())
    game.apply(Done())
    same("12.1.2", "what comes then", (game.state.phase, active(game)), ("selection", set()))
    same("12.1.1", "what turn 2 begins with", stage(units, path=LUFTWAFFE, turn=2).state.phase, "selection")
