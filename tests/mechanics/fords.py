"""Three Fords: a toy with three sides, lines of supply that cost points, a duty to attack, and attacks by one hex on several.

Everything else is as the mechanics have it, so that this file is all that such a game writes.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from hexwar.board import load_map
from hexwar.engine import (
    Clause,
    Game,
    Loop,
    Phase,
    Play,
    Position,
    RuleIndex,
    RulesetInfo,
    Scenario,
    SeededChance,
    SequenceOfPlay,
    Setup,
    part,
    state,
)
from hexwar.mechanics import (
    COMBAT_ACTIONS,
    COMBAT_EVENTS,
    COMBAT_STEPS,
    HEX_EVENTS,
    ArmCosts,
    Attacking,
    CombatWorld,
    HexRuleset,
    HexState,
    Layout,
    LineTerms,
    Move,
    Moving,
    Obligations,
    PricedSupply,
    Stacking,
    Stage,
    TableCombat,
    TerrainChart,
    Widen,
    Zones,
    standard_invariants,
)
from hexwar.mechanics._supply import Ways
from hexwar.pieces import CombatTable, Face, Outcome, Score, TurnBegan, Unit, Victory, lose_step, on_board, standing, total

SIDES = ("red", "blue", "green")
TURNS = 4

MAP = """format = 1
id = "fords"
grid = { layout = "columns", columns = 7, rows = 6, shifted = "even", shift = "up" }
[terrain]
legend = { "." = "clear", "f" = "forest" }
rows = '''
. . . f . . .
. f . . . f .
. . . . f . .
f . . f . . .
. . f . . f .
. . . . . . .
'''
[sides]
river = ["0402/SE", "0403/NE", "0304/SE"]
[links]
road = ["0101 0202 0302 0403", "0701 0602 0502 0403", "0406 0405 0404 0403"]
[areas]
"supply red" = ["0101"]
"supply blue" = ["0701"]
"supply green" = ["0406"]
[[place]]
name = "Ford"
hex = "0403"
kind = "town"
value = 3
"""

TITLES = {
    "1": "A turn: each side moves, then fights, then all check their lines",
    "2": "Movement by terrain, roads and zones",
    "2.1": "Two units stand in a hex, and nobody with an enemy",
    "3": "The duty to attack: infantry attacks every enemy that it touches; guns need not",
    "3.1": "The units of one hex may attack several hexes together",
    "4": "Odds from 1:4 to 3:1; worse and better ones count as these",
    "4.1": "Losses, then retreats of both, then pursuit",
    "5": "A line from a source costs points, but none along roads and through own units",
    "5.1": "A line costs at most what the unit's nation allows",
    "5.2": "Who has no line at the end of a turn loses a step",
    "6": "Points for the ford and for units that are left",
}
CITE = {
    "activation": "1",
    "combat": "3.1",
    "combat.duty": "3",
    "combat.odds": "4",
    "combat.river": "4",
    "combat.terrain": "4",
    "combat.table": "4",
    "control": "6",
    "losses": "4.1",
    "move": "2",
    "pursuit": "4.1",
    "retreat": "4.1",
    "stacking": "2.1",
    "supply": "5",
    "supply.check": "5.2",
}
CHART = TerrainChart(
    arms={
        "infantry": ArmCosts({"clear": 2, "forest": 4}, {"river": 2}, {"road": 1}),
        "guns": ArmCosts({"clear": 2, "forest": 6}, {"river": 4}, {"road": 1}),
        "carts": ArmCosts({"clear": 2, "forest": 4}, {"river": 4}, {"road": 0}),
    },
    bridges=frozenset({"road"}),
    shifts={"forest": -1},
    halved_across=frozenset({"river"}),
)
RESULTS = {
    "A2": Outcome("A2", attacker=2),
    "A1": Outcome("A1", attacker=1, repulse=1),
    "X": Outcome("X", attacker=1, defender=1),
    "D1": Outcome("D1", defender=1, retreat=1),
    "D2": Outcome("D2", defender=2, retreat=2),
}
TABLE = CombatTable(
    {"1:4": Fraction(1, 4), "1:2": Fraction(1, 2), "1:1": Fraction(1), "2:1": Fraction(2), "3:1": Fraction(3)},
    {
        roll: tuple(RESULTS[name] for name in row.split())
        for roll, row in enumerate(("A2 A2 A1 X D1", "A2 A1 X D1 D1", "A1 A1 X D1 D2", "A1 X D1 D2 D2"), 1)
    },
    capped=True,
)
ALLOWED = {"guard": 6, "militia": 4}
"""5.1: nation -> half points."""


def _units() -> dict[str, Unit]:
    hexes = {"red": "0202 0102 0301", "blue": "0602 0702 0501", "green": "0405 0306 0504"}
    found = {}
    for side, starts in hexes.items():
        for number, start in enumerate(starts.split(), 1):
            arm, nation = ("guns" if number == 3 else "infantry"), ("militia" if number == 2 else "guard")
            name = f"{side[0]}{number}"
            found[name] = Unit(name, f"{side} {number}", side, arm, (Face(2, 2, 3), Face(4, 3, 3)), start, formation=nation)
    return found


@state
class FordsState(HexState):
    """What the mechanics bring."""


Doing: TypeAlias = "Play[FordsState, FordsWorld]"


class FordsZones(Zones):
    """2: a point to enter and to leave; guns have none."""

    enter = leave = 2

    def covers(self, arm: str, label: str) -> Any:
        return () if arm == "guns" else super().covers(arm, label)


class FordsStacking(Stacking):
    """2.1."""

    most = 2


class FordsDuty(Obligations):
    """3."""

    def of_unit(self, at: Position, unit: str) -> Collection[str]:
        counter = self.world.units[unit]
        return () if counter.arm == "guns" else self.world.combat.targets(at, (unit,), counter.side).get(unit, ())


class FordsCombat(TableCombat):
    """3.1 and 4: one hex against many."""

    def most_targets(self, at: Position, unit: str) -> None:
        return None

    def stages(self) -> tuple[Stage, ...]:
        return self.attackers_lose, self.defenders_lose, self.attackers_retreat, self.defenders_retreat, self.attackers_pursue


class FordsSupply(PricedSupply):
    """5: carts."""

    def terms(self, side: str) -> LineTerms:
        return LineTerms(row="carts", budget=max(ALLOWED.values()))

    def judge(self, at: Position, unit: str, price: int | None) -> bool:
        return price is not None and price <= ALLOWED[self.world.units[unit].formation]

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        return super().ways(at, side, without)._replace(free=at.state.layout.held[side])


class FordsVictory(Victory):
    """6."""

    def scores(self, at: Position) -> tuple[Score, ...]:
        owner = at.state.control.get("0403")
        left = [Score(side, 1, f"{unit} is left", "6") for side in at.world.sides for unit in on_board(at, side)]
        return (*left, Score(owner, 3, "holds the ford", "6")) if owner else tuple(left)


class FordsWorld(CombatWorld):
    """Board and counters."""

    zones = part(FordsZones)
    stacking = part(FordsStacking)
    combat = part(FordsCombat)
    obligations = part(FordsDuty)
    supply = part(FordsSupply)
    victory = part(FordsVictory)
    table = TABLE


def begin_turn(play: Doing) -> None:
    """1."""
    play.emit(TurnBegan(play.state.turn + 1, clause="1"))


def operate(play: Doing, side: str) -> None:
    """1: the duties are those that a side has when it has moved."""
    seat, units = play.world.seat_for(side), tuple(on_board(play, side))
    if units:
        play.push(Moving(seat, units))


def fight(play: Doing, side: str) -> None:
    """3."""
    if units := standing(play, on_board(play, side)):
        play.push(Attacking(play.world.seat_for(side), units))


def check_lines(play: Doing) -> None:
    """5.2: all are judged before anybody loses."""
    cut_off = [unit for side in SIDES for unit in on_board(play, side) if not play.world.supply.is_supplied(play, unit)]
    for unit in cut_off:
        lose_step(play, unit, "supply.check")


def decide(play: Doing) -> None:
    """6: a tie is a draw."""
    found = play.world.victory.scores(play)
    tally = {side: int(total(found, side)) for side in SIDES}
    best = [side for side in SIDES if tally[side] == max(tally.values())]
    play.end(best[0] if len(best) == 1 else None, "most points", clause="6", scores=tally)


def _phases() -> tuple[Phase, ...]:
    found = []
    for side in SIDES:
        found.append(Phase(f"move-{side}", f"{side} moves", "2", partial(operate, side=side)))
        found.append(Phase(f"fight-{side}", f"{side} fights", "3", partial(fight, side=side)))
    return tuple(found)


TURN = (Phase("turn", "Turn", "1", begin_turn), *_phases(), Phase("lines", "Lines", "5.2", check_lines))
SEQUENCE = SequenceOfPlay(
    Loop("Turn", "1", lambda at: at.state.turn < TURNS, TURN),
    Phase("verdict", "Verdict", "6", decide),
)


class Fords(HexRuleset[FordsState, FordsWorld]):
    """The toy."""

    info = RulesetInfo(
        id="fords",
        title="Three Fords",
        version="1.0",
        sides=SIDES,
        scenarios=(Scenario("fords", "Three Fords", bound=600),),
        entry="tests.mechanics.fords:RULESET",
    )
    rules = RuleIndex(Clause(clause, title) for clause, title in TITLES.items())
    sequence = SEQUENCE
    state_type = FordsState
    actions = (Move, *COMBAT_ACTIONS, Widen)
    steps = (Moving, *COMBAT_STEPS)
    events = (*HEX_EVENTS, *COMBAT_EVENTS)
    invariants = standard_invariants(stacking="2.1", sides_apart="2.1", zones="2", steps="4.1", control="6")

    def world(self, setup: Setup) -> FordsWorld:
        board = setup.board or load_map(MAP)
        return FordsWorld(setup, SEQUENCE, board=board, units=_units(), chart=CHART, cite=CITE)

    def bare(self, world: FordsWorld) -> FordsState:
        return FordsState(layout=Layout(world.basis))


RULESET = Fords()


def new_game(seed: int = 1) -> Game[FordsState, FordsWorld]:
    """A game of it, which no plugin brings."""
    seats = {side: side for side in SIDES}
    setup = Setup(ruleset="fords", version="1.0", scenario="fords", options={}, seats=seats, rules=Fords.rules)
    world = RULESET.world(setup)
    return Game(RULESET, world, RULESET.start(world), SeededChance(seed))
