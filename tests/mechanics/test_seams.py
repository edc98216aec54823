"""What later games need of movement, zones and stacking, each in a toy that is smaller than its rule.

A walker is shot at on his way; a stack is strong enough for a zone or not; a bridge is blown; horses pay for zones, boots do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import CLOSED, Board
from hexwar.engine import (
    Action,
    ActionSet,
    Clause,
    Event,
    Game,
    Listed,
    Phase,
    Play,
    Position,
    RuleIndex,
    Ruleset,
    RulesetInfo,
    Scenario,
    SeededChance,
    SequenceOfPlay,
    Setup,
    Sight,
    Step,
    part,
    public,
    record,
    state,
)
from hexwar.mechanics import (
    HEX_EVENTS,
    ChangingZones,
    HexState,
    HexWorld,
    Layout,
    Move,
    Movement,
    Moving,
    Stacking,
    Walking,
    WalkingMovement,
    Zones,
    ZoneTerms,
    price_or_refusal,
    reach_report,
)
from hexwar.pieces import Done, Unit, face, lose_step, place_units
from tests.mechanics.samples import CHART, CITE, UNITS, plain_board

RULES = RuleIndex(Clause(clause, topic) for topic, clause in CITE.items())
BOARD = plain_board(9, 7, more='[sides]\nriver = ["0404/S"]\n[links]\nroad = ["0404 0405"]')


@state
class ToyState(HexState):
    blown: frozenset[tuple[str, str]] = public(default=frozenset())
    """The bridges that are down."""


class ToyWorld(HexWorld):
    def __init__(self, setup: Setup, sequence: SequenceOfPlay, board: Board = BOARD, units: Mapping[str, Unit] = UNITS) -> None:
        super().__init__(setup, sequence, board=board, units=units, chart=CHART, cite=CITE, boxes=("pool",))


@record
class Blow(Action):
    """Blow the bridge."""

    kind = "blow"


@record
class BridgeBlown(Event[ToyState]):
    kind = "bridge-blown"
    sight = Sight.PUBLIC
    origin: str
    target: str

    def apply(self, state: ToyState) -> None:
        state.blown = state.blown | {(self.origin, self.target), (self.target, self.origin)}


@record
class Blowing(Step):
    """Red may blow the bridge before Blue moves."""

    kind = "blowing"

    def deciders(self, at: Position) -> tuple[str, ...]:
        return ("red",)

    def actions(self, at: Position, seat: str) -> ActionSet:
        return Listed([Done(), Blow()])

    def perform(self, play: Play, seat: str, action: Action) -> None:
        play.pop()
        if isinstance(action, Blow):
            play.emit(BridgeBlown("0404", "0405", clause=CITE["move.side"]))


@record
class Fire(Action):
    """Shoot."""

    kind = "fire"


@record
class Shooting(Step):
    """Red may shoot at a unit that has come next to one of his."""

    kind = "shooting"
    unit: str

    def deciders(self, at: Position) -> tuple[str, ...]:
        return ("red",)

    def actions(self, at: Position, seat: str) -> ActionSet:
        return Listed([Done(), Fire()])

    def perform(self, play: Play, seat: str, action: Action) -> None:
        play.pop()
        if isinstance(action, Fire):
            lose_step(play, self.unit, "losses")


class Toy(Ruleset[ToyState, ToyWorld]):
    """Blue moves; what differs between the toys is the world."""

    info = RulesetInfo("seams", "Seams", "1", ("blue", "red"), (Scenario("s", "S"),), "")
    rules = RULES
    state_type = ToyState
    actions = (Move, Done, Fire, Blow)
    steps = (Moving, Walking, Shooting, Blowing)
    events = (*HEX_EVENTS, BridgeBlown)

    def __init__(self, world: type[ToyWorld], *before: Step) -> None:
        self.world_type = world
        movers = tuple(unit for unit, counter in UNITS.items() if counter.side == "blue")

        def begin(play: Play) -> None:
            for step in (Moving("blue", movers), *before):
                play.push(step)

        def stop(play: Play) -> None:
            play.end(None, "that is all", clause=CITE["move"])

        self.sequence = SequenceOfPlay(Phase("move", "Move", CITE["move"], begin), Phase("end", "End", CITE["move"], stop))

    def world(self, setup: Setup) -> ToyWorld:
        return self.world_type(setup, self.sequence)

    def start(self, world: ToyWorld) -> ToyState:
        return ToyState(layout=Layout(world.basis))


def game_of(world: type[ToyWorld], units: Mapping[str, str], *before: Step, reduced: Sequence[str] = ()) -> Game:
    rules = Toy(world, *before)
    made = rules.world(Setup("seams", "1", "s", {}, {"blue": "blue", "red": "red"}, RULES))
    begin = rules.start(made)
    place_units(made, begin, {unit: {"at": label, **({"steps": 1} if unit in reduced else {})} for unit, label in units.items()})
    return Game(rules, made, begin, SeededChance(1))


# -- interruptible walking ----------------------------------------------------------------------------------------------


class UnderFire(WalkingMovement):
    def hop(self, play: Play, unit: str, origin: str, target: str, mode: str = "") -> None:
        board, enemies = self.world.board, play.state.layout.held["red"]
        if board.around(target) & enemies:
            play.push(Shooting(unit))


WAY = ("0204", "0304", "0404", "0504", "0604", "0704")


class Walks(ToyWorld):
    movement = part(UnderFire)


def test_a_walker_is_asked_about_hex_by_hex_and_goes_on_with_the_points_left() -> None:
    game = game_of(Walks, {"b1": "0204", "r1": "0505"})
    game.apply(Move("b1", "0704", path=WAY), "blue")
    assert (game.to_move, game.state.locations["b1"]) == (("red",), "0504"), "the first hex next to red"
    walking = game.state.stack[-2]
    assert isinstance(walking, Walking)
    assert walking.left == 2 * (6 - 3), "three points of six are spent"
    game.apply(Fire(), "red")
    assert game.state.steps_left["b1"] == 1
    while game.to_move == ("red",):
        game.apply(Done(), "red")
    assert game.state.locations["b1"] == "0704"
    moves = [event for event in game.events if event.kind == "unit-moved"]
    assert len(moves) == 5, "each hex is an event of its own"


def test_a_walker_that_dies_on_the_way_walks_no_farther() -> None:
    game = game_of(Walks, {"b1": "0204", "b2": "0101", "r1": "0505"}, reduced=["b1"])
    game.apply(Move("b1", "0704", path=WAY), "blue")
    game.apply(Fire(), "red")
    assert "b1" not in game.state.locations
    assert game.to_move == ("blue",), "the others still move"


def test_a_walker_whose_way_is_closed_chooses_another_with_the_points_left() -> None:
    class Ambush(UnderFire):
        def hop(self, play: Play, unit: str, origin: str, target: str, mode: str = "") -> None:
            if target == "0404":
                play.push(Blowing())

        def changed_steps(self, at: Position, arm: str) -> Mapping[tuple[str, str], int]:
            return dict.fromkeys(at.state.blown, CLOSED)

    class Ambushed(ToyWorld):
        movement = part(Ambush)

    for answer, ends in ((Done(), "0406"), (Blow(), None)):
        game = game_of(Ambushed, {"b1": "0403"})
        game.apply(Move("b1", "0406"), "blue")
        game.apply(answer, "red")
        if ends is None:
            assert game.to_move == ("blue",)
            assert "stopped in 0404 with 5 points left" in game.prompt("blue")
            assert Move("b1", "0505") in game.offered("blue")
            assert Move("b1", "0907") not in game.offered("blue")
            game.apply(Move("b1", "0505"), "blue")
            ends = "0505"
        assert game.state.locations["b1"] == ends


# -- ground that changes -------------------------------------------------------------------------------------------------


class Bridges(Movement):
    def changed_steps(self, at: Position, arm: str) -> Mapping[tuple[str, str], int]:
        return dict.fromkeys(at.state.blown, CLOSED)


class Crossing(ToyWorld):
    movement = part(Bridges)


def test_a_bridge_that_is_blown_carries_nobody() -> None:
    game = game_of(Crossing, {"b3": "0404"}, Blowing())
    before = game.world.reaches.reach(game.position, "b3", points=1)
    assert game.world.board.index("0405") in before
    game.apply(Blow(), "red")
    after = game.world.reaches.reach(game.position, "b3", points=1)
    assert game.world.board.index("0405") not in after
    assert game.world.reaches.reach(game.position, "b3").path(game.world.board.index("0405"))[1:2] != [
        game.world.board.index("0405")
    ], "round it"
    twin = game_of(Crossing, {"b3": "0404"}, Blowing())
    assert game.world.board.index("0405") in twin.world.reaches.reach(twin.position, "b3", points=1), "elsewhere it stands"


@given(st.data())
def test_costs_that_are_changed_in_places_are_those_of_a_table_made_anew(data: st.DataObject) -> None:
    board = BOARD
    printed = {(a, b): CHART.cost(board, "foot", a, b) for a in board.labels for b in board.neighbours(a)}
    steps = data.draw(st.dictionaries(st.sampled_from(sorted(printed)), st.sampled_from((0, 1, 7, 254, CLOSED)), max_size=8))
    index = board.index
    patched = CHART.table(board, "foot").changed(board, {(index(a), index(b)): cost for (a, b), cost in steps.items()})
    anew = CHART.table(board, "foot", lambda a, b, cost: steps.get((a, b), cost))
    assert [patched[d] for d in range(6)] == [anew[d] for d in range(6)]
    for i in board.hexes:
        assert patched.whole_steps(i) == anew.whole_steps(i)
        assert (patched._steps[i], patched._least[i]) == (anew._steps[i], anew._least[i])


# -- zones and stacking that depend on the position ----------------------------------------------------------------------


class StrongZones(ChangingZones):
    """Only a stack of more than four points has a zone."""

    enter = 4

    def covered(self, state: HexState, label: str) -> int:
        units = state.layout.stacks[label]
        strength = sum(self.world.units[unit].faces[state.steps_left[unit] - 1].defence for unit in units)
        return self.world.board.around(label) if strength > 4 else 0


class Weights(Stacking):
    """At most six points of strength in a hex."""

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        return sum(face(at, unit).defence for unit in units) <= 6


class Strong(ToyWorld):
    zones = part(StrongZones)
    stacking = part(Weights)


def test_a_stack_has_a_zone_while_it_is_strong_enough() -> None:
    game = game_of(Strong, {"b1": "0303", "r1": "0505", "r2": "0505"})
    assert game.world.zones.of(game.position, "red") == tuple(
        label for label in BOARD.labels if label in BOARD.neighbours("0505")
    )
    play = Play(game.world, game.state.copy(), SeededChance(1))
    for _ in range(2):
        lose_step(play, "r1", "losses")
    assert play.world.zones.of(play, "red") == (), "four points are left"
    assert play.state.layout.threatened["blue"] == 0


@given(st.data())
def test_zones_that_change_are_kept_as_if_made_anew(data: st.DataObject) -> None:
    world = Strong(Setup("seams", "1", "s", {}, {"blue": "blue", "red": "red"}, RULES), SequenceOfPlay())
    now = ToyState(layout=Layout(world.basis))
    place_units(world, now, {unit: {"at": "pool"} for unit in UNITS})
    homes = {"blue": ("0303", "0304", "pool"), "red": ("0404", "0305", "pool")}
    for _ in range(data.draw(st.integers(1, 12))):
        now = now.copy()
        unit = data.draw(st.sampled_from(sorted(now.locations)))
        if data.draw(st.booleans()):
            now.put(unit, data.draw(st.sampled_from(homes[UNITS[unit].side])))
        elif now.steps_left[unit] > 1:
            now.steps_left = {**now.steps_left, unit: now.steps_left[unit] - 1}
            now.touch(unit)
        else:
            now.remove(unit)
        anew = ToyState(layout=Layout(world.basis), locations=dict(now.locations), steps_left=dict(now.steps_left))
        anew.rebuild()
        assert now.layout == anew.layout


def test_stacking_counts_strength() -> None:
    game = game_of(Strong, {"b1": "0303", "b2": "0304", "b3": "0403"}, reduced=["b1"])
    assert Move("b1", "0304") in game.offered("blue"), "two and four"
    assert Move("b2", "0403") not in game.offered("blue"), "four and four"
    assert game.why_not(Move("b2", "0403"), "blue") is not None


# -- zones by arm and by step ------------------------------------------------------------------------------------------------


class HorsesShy(Movement):
    """Tracks pay for enemy zones, foot does not; from zone to zone everybody pays three points more."""

    def zone_terms(self, at: Position, unit: str) -> ZoneTerms:
        terms = super().zone_terms(at, unit)
        return terms._replace(within=10) if self.world.units[unit].arm == "tracks" else ZoneTerms(within=6)


class Costly(Zones):
    enter = 4


class ByArm(ToyWorld):
    zones = part(Costly)
    movement = part(HorsesShy)


def test_zones_may_cost_by_arm_and_by_step() -> None:
    game = game_of(ByArm, {"b1": "0304", "b3": "0304", "r1": "0504"})
    costs = {unit: reach_report(game.position, unit).costs for unit in ("b1", "b3")}
    assert (costs["b1"]["0404"], costs["b3"]["0404"]) == (1.0, 3.0), "into a zone"
    literal = price_or_refusal(game.position, "b1", "0404", "0405", 12, fresh=False)
    assert literal == 1 + 6, "from zone to zone"
