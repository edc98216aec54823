"""Positions by hand and by play: how units are put on a board so that no rule is broken, and where random decisions lead."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from hexwar.board import CLOSED, load_map
from hexwar.engine import Game, Position, Ruleset, Step
from hexwar.grouping import grouped
from hexwar.mechanics import Attacking, Declaring, HexState, HexWorld, Moving
from hexwar.pieces._pieces import on_board
from hexwar.testing._running.subject import Subject
from hexwar.testing._staging.positions import made_state, position
from hexwar.testing._staging.random_play import RandomGame, play_at_random
from hexwar.testing.strategies._arguments import StrategyError, draw_bytes, whole
from hexwar.testing.strategies._chances import Tape

Placement = Mapping[str, str]
"""Piece -> hex."""


class Arranging(ABC):
    """What `positions` asks about a game: which pieces there are, where they may stand, and what may be asked of whom.

    Rulesets that are built on `hexwar.mechanics` need not say: they get `HexArranging`. Another one gives its own as
    `Kit.pieces`, or a test gives one to `positions`.
    """

    @abstractmethod
    def pieces(self, world: Any) -> Mapping[str, str]:
        """Every piece that can stand on the board -> its side."""

    @abstractmethod
    def near(self, world: Any, label: str, radius: int) -> Sequence[str]:
        """The hexes so far from a hex at most, nearest first."""

    @abstractmethod
    def hexes(self, world: Any, piece: str) -> Sequence[str]:
        """The hexes that a piece may stand in, in reading order."""

    @abstractmethod
    def fits(self, world: Any, placed: Placement, piece: str, label: str) -> bool:
        """Whether a piece may stand in a hex with those that have their place already."""

    def entry(self, world: Any, piece: str, label: str, choice: int) -> Mapping[str, object]:
        """What `Ruleset.place` receives; the choice from 0 to 255 may leave a piece weaker, and 0 leaves it as it is."""
        return {"at": label}

    def fields(self, at: Position) -> Mapping[str, Any]:
        """Fields of the state that follow from where the pieces stand."""
        return {}

    @abstractmethod
    def steps(self, ruleset: Ruleset, at: Position, seat: str) -> Iterable[Step]:
        """What a seat may be asked, the dullest first; steps without a question here are skipped."""


class HexArranging(Arranging):
    """Positions of rulesets that are built on `hexwar.mechanics`."""

    def pieces(self, world: Any) -> Mapping[str, str]:
        """See `Arranging.pieces`."""
        return {unit: counter.side for unit, counter in world.units.items()}

    def near(self, world: HexWorld, label: str, radius: int) -> Sequence[str]:
        """See `Arranging.near`."""
        return world.board.disk(label, radius)

    def hexes(self, world: HexWorld, piece: str) -> Sequence[str]:
        """Those whose terrain it can enter from somewhere: see `Arranging.hexes`."""
        counter, board = world.units[piece], world.board
        if counter.arm not in world.chart.arms:  # it never moves
            return tuple(board.labels)
        costs = world.reaches.costs(counter.arm, "", counter.side)
        open_to = {board.label(i + board.deltas[d]) for d in range(6) for i in board.hexes if costs[d][i] != CLOSED}
        return [label for label in board.labels if label in open_to] or list(board.labels)

    def fits(self, world: HexWorld, placed: Placement, piece: str, label: str) -> bool:
        """Sides apart, stacks within their limit: see `Arranging.fits`."""
        there = [other for other, where in placed.items() if where == label]
        friends = all(world.units[other].side == world.units[piece].side for other in there)
        return friends and world.stacking.fits(Position(world, HexState()), (*there, piece), label)

    def entry(self, world: Any, piece: str, label: str, choice: int) -> Mapping[str, object]:
        """A third of the units have lost steps: see `Arranging.entry`."""
        steps = world.units[piece].steps
        return {"at": label, "steps": steps - choice // 3 % steps} if choice % 3 == 2 else {"at": label}

    def fields(self, at: Position) -> Mapping[str, Any]:
        """The side that stands in a place controls it: see `Arranging.fields`."""
        world, layout = at.world, at.state.layout
        taken = {label: world.units[layout.stacks[label][0]].side for label in world.controlled if label in layout.stacks}
        return {"control": {**at.state.control, **taken}} if taken else {}

    def steps(self, ruleset: Ruleset, at: Position, seat: str) -> Iterable[Step]:
        """Movement, attacks one by one or declared, as far as the ruleset has them: see `Arranging.steps`."""
        units = tuple(on_board(at, at.world.seats[seat]))
        kinds = [kind for kind in (Moving, Attacking, Declaring) if kind in ruleset.steps]
        return [kind(seat, units) for kind in kinds]


def arranging_of(ruleset: Ruleset, pieces: object) -> Arranging | None:
    """How positions of a ruleset are made, as far as it or what it is built on says so."""
    if isinstance(pieces, Arranging):
        return pieces
    return HexArranging() if issubclass(ruleset.state_type, HexState) else None


class Table:
    """A world on which pieces are arranged, with what need be found out only once.

    Args:
        arranging: how.
        world: of the game.
    """

    def __init__(self, arranging: Arranging, world: Any) -> None:
        self.arranging = arranging
        self.world = world
        self.open_to = cache(partial(arranging.hexes, world))
        """The hexes that a piece may stand in."""
        self.pieces = grouped((side, piece) for piece, side in arranging.pieces(world).items() if side in world.sides)
        """Side -> its pieces, in order."""

    def arrange(self, counts: Mapping[str, int], data: bytes, *, near: bool) -> dict[str, str]:
        """Put this many pieces of each side on the board, wherever the bytes say and there is room. Zeros put them in a heap."""
        choices = iter(data)
        left = {side: list(pieces) for side, pieces in self.pieces.items()}
        placed: dict[str, str] = {}
        field: Sequence[str] = ()
        first: list[str] = []
        """Where the first piece of each side stands."""
        for turn in range(max(counts.values(), default=0)):
            for side in [side for side, count in counts.items() if turn < count and left.get(side)]:
                which, where, more = islice(choices, 3)
                piece = left[side].pop(which % len(left[side]))
                hexes = self.open_to(piece)
                if not field or not near:
                    place = (where << 8 | more) % len(hexes) if hexes else 0
                    order: Sequence[str] = [*hexes[place:], *hexes[:place]]
                elif turn == 0:  # next to the enemy
                    order = _turned(self.arranging.near(self.world, first[0], 1)[1:], where)
                    order = [*order, *field]
                else:
                    order = _turned(field, where)
                open_hexes = set(hexes)
                fitting = (at for at in order if at in open_hexes and self.arranging.fits(self.world, placed, piece, at))
                label = next(fitting, None)
                if label is None:
                    continue
                placed[piece] = label
                if turn == 0:
                    first.append(label)
                if not field:
                    field = self.arranging.near(self.world, label, 1 + next(choices) % 3)
        return placed


def _turned(order: Sequence[str], choice: int) -> Sequence[str]:
    """The same in the same order, but beginning elsewhere."""
    start = choice % len(order) if order else 0
    return [*order[start:], *order[:start]]


# -- by hand -------------------------------------------------------------------------------------------------------------------

Options = Mapping[str, bool | str] | None


def placements(
    world: HexWorld,
    *,
    near_contact: bool = True,
    min_units: int = 1,
    max_units: int = 4,
    anywhere: bool = False,
    boxes: Sequence[str] = (),
) -> st.SearchStrategy[dict[str, str]]:
    """Where units stand on the board of a world: unit -> hex, no side over its limit and none in an enemy's hex.

    For tests of mechanics with a world of their own; with a ruleset, `positions` is easier. Shrinks to few units.

        @given(placements(world))
        def test_zones(at): ...

    Args:
        world: board, units and stacking limit.
        near_contact: whether they stand close together, the first of each side next to each other.
        min_units: of each side, as far as there is room.
        max_units: of each side.
        anywhere: whether they may stand in terrain that they cannot enter.
        boxes: locations off the board in which half of the others are.
    """
    most = whole("max_units", max_units, whole("min_units", min_units, 0))
    arranging = _Anywhere() if anywhere else HexArranging()
    for box in boxes:
        if box not in world.boxes:
            raise StrategyError(f"the world has no box {box!r}")
    return _placements(Table(arranging, world), min_units, most, near_contact, tuple(boxes))


@st.composite
def _placements(draw: st.DrawFn, table: Table, least: int, most: int, near: bool, boxes: tuple[str, ...]) -> dict[str, str]:
    placed, rest = _arranged(draw, table, least, most, near)
    others = [unit for of in table.pieces.values() for unit in of if unit not in placed]
    for unit, byte in zip(others if boxes else (), rest, strict=False):
        if byte % 2:
            placed[unit] = boxes[byte // 2 % len(boxes)]
    return placed


class _Anywhere(HexArranging):
    """Whatever the terrain."""

    def hexes(self, world: HexWorld, piece: str) -> Sequence[str]:
        """All."""
        return world.board.labels


def _arranged(draw: st.DrawFn, table: Table, least: int, most: int, near: bool) -> tuple[dict[str, str], bytes]:
    """Units in their places, and a byte for each unit without a use."""
    counts = {side: draw(st.integers(min(least, len(pieces)), min(most, len(pieces)))) for side, pieces in table.pieces.items()}
    used = 3 * sum(min(most, len(pieces)) for pieces in table.pieces.values()) + 1
    data = draw_bytes(draw, used + sum(map(len, table.pieces.values())))
    return table.arrange(counts, data[:used], near=near), data[used:]


def positions(
    ruleset: str | Ruleset,
    *,
    near_contact: bool = True,
    min_units: int = 1,
    max_units: int = 4,
    step: type[Step] | Sequence[type[Step]] | None = None,
    scenario: str | None = None,
    options: Options = None,
    maps: st.SearchStrategy[str] | None = None,
    state: Mapping[str, Any] | None = None,
    arranging: Arranging | None = None,
) -> st.SearchStrategy[Game]:
    """Games that begin in a position with a few units of each side, in which a side is about to move or to attack.

    No rule is broken: stacks are within their limit, sides apart, units on terrain that they may enter, and the invariants of the
    ruleset hold. So a rule can be tested at once, and play continues from there. Shrinks to one unit a side next to the enemy.

        @given(positions("bridgehead", step=Moving))
        def test_no_move_ends_in_an_enemy_hex(game):
            enemies = {label for unit, label in game.state.locations.items() if game.world.units[unit].side not in game.to_move}
            assert not {action.to for action in game.legal_actions() if action.kind == "move"} & enemies

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        near_contact: whether the units stand close together, the first of each side next to each other where the ground allows
            it; otherwise anywhere on the board.
        min_units: of each side, as far as there is room.
        max_units: of each side.
        step: what is waiting, such as `Moving`; any of the steps that the ruleset has if not given.
        scenario: whose board and counters; the ruleset's first if not given.
        options: optional rules.
        maps: map texts in place of the scenario's board, such as `map_texts(...)` with the names that the ruleset knows.
        state: further fields of the state, such as {"turn": 2}.
        arranging: how units are placed, for a ruleset that is not built on `hexwar.mechanics` and whose kit does not say it.
    """
    subject = Subject.of(ruleset, scenario, options)
    most = whole("max_units", max_units, whole("min_units", min_units, 1))
    how = arranging or arranging_of(subject.ruleset, subject.kit.pieces)
    if how is None:
        raise StrategyError(
            f"{subject.info.id} is not built on hexwar.mechanics: its kit must say how positions are made, with an Arranging as "
            "Kit.pieces"
        )
    kinds = () if step is None else (step,) if isinstance(step, type) else tuple(step)
    for kind in kinds:
        if kind not in subject.ruleset.steps:
            known = ", ".join(sorted(other.__name__ for other in subject.ruleset.steps))
            raise StrategyError(f"{subject.info.id} has no step {kind.__name__}; it has {known}")
    scene = _Scene(subject, how, kinds, dict(state or {}))

    return _positions(scene, maps, min_units, most, near_contact)


_WHICH = st.integers(0, 7)


@st.composite
def _positions(draw: st.DrawFn, scene: _Scene, maps: st.SearchStrategy[str] | None, least: int, most: int, near: bool) -> Game:
    board = None if maps is None else draw(maps)
    table = scene.table if board is None else scene.table_on(board)
    placed, rest = _arranged(draw, table, least, most, near)
    return scene.game(table, board, placed, rest, draw(_WHICH), Tape(draw_bytes(draw, 64)))


class _Scene:
    """What the positions of one strategy have in common."""

    def __init__(self, subject: Subject, arranging: Arranging, kinds: tuple[type[Step], ...], state: Mapping[str, Any]) -> None:
        self._subject = subject
        self._arranging = arranging
        self._kinds = kinds
        self._state = state

    @cached_property
    def _beginning(self) -> Game:
        return self._subject.start(0)

    @cached_property
    def table(self) -> Table:
        """The scenario's own board."""
        return Table(self._arranging, self._beginning.world)

    def table_on(self, board: str) -> Table:
        """Another board."""
        beginning = self._beginning
        setup = replace(beginning.world.setup, board=load_map(board))
        return Table(self._arranging, beginning.ruleset.world(setup))

    def game(self, table: Table, board: str | None, placed: Mapping[str, str], rest: bytes, which: int, dice: Tape) -> Game:
        """The position, or none if no seat could act in it."""
        units = {
            piece: self._arranging.entry(table.world, piece, label, choice)
            for (piece, label), choice in zip(placed.items(), rest, strict=False)
        }
        at, units = self._legal(table, units)
        sides = self._arranging.pieces(table.world)
        all_there = len({sides[piece] for piece in units}) == len(table.pieces)
        step = self._waiting(at, which) if all_there else None
        if step is None:
            reject()
        fields = {**self._state, **self._arranging.fields(at)}
        return position(
            self._subject.info.id if self._subject.installed else self._subject.ruleset,
            units=units,
            step=step,
            dice=dice,
            scenario=self._subject.scenario,
            options=self._subject.options,
            board=board,
            state=fields,
        )

    def _legal(self, table: Table, units: Mapping[str, Mapping[str, object]]) -> tuple[Position, dict[str, Mapping[str, object]]]:
        """The units that can stand where they do by the ruleset's own invariants: as a rule all of them."""
        at = self._at(table, units)
        if not self._broken(at):
            return at, dict(units)
        kept: dict[str, Mapping[str, object]] = {}
        for piece, entry in units.items():
            if not self._broken(self._at(table, {**kept, piece: entry})):
                kept[piece] = entry
        return self._at(table, kept), kept

    def _at(self, table: Table, units: Mapping[str, Mapping[str, object]]) -> Position:
        rules, world = self._beginning.ruleset, table.world
        at = Position(world, made_state(rules, world, self._state, units))
        follow = self._arranging.fields(at)
        return Position(world, at.state.with_json(follow, rules.step_types)) if follow else at

    def _broken(self, at: Position) -> bool:
        return any(invariant.broken(at) for invariant in self._beginning.ruleset.invariants)

    def _waiting(self, at: Position, which: int) -> Step | None:
        """One of the steps with a question here."""
        steps = [step for seat in at.world.seats for step in self._arranging.steps(self._beginning.ruleset, at, seat)]
        found = [step for step in steps if (not self._kinds or type(step) in self._kinds) and step.deciders(at)]
        return found[which % len(found)] if found else None


# -- by play -----------------------------------------------------------------------------------------------------------------


def reachable_games(
    ruleset: str | Ruleset,
    max_actions: int = 40,
    *,
    min_actions: int = 0,
    scenario: str | None = None,
    options: Options = None,
    controlled: int = 256,
) -> st.SearchStrategy[Game]:
    """Games that random decisions have led somewhere; they may be over. Shrinks to the beginning, and to dull decisions.

        @given(reachable_games("bridgehead", max_actions=30))
        def test_saves_are_exact(game): ...

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        max_actions: the most actions that were done.
        min_actions: the fewest, unless the game was over before.
        scenario: the ruleset's first if not given.
        options: optional rules.
        controlled: how many bytes of dice, and as many of decisions, come from Hypothesis, see `chances`.
    """
    subject = Subject.of(ruleset, scenario, options)
    most = whole("max_actions", max_actions, whole("min_actions", min_actions, 0))
    return _reachable(subject, min_actions, most, whole("controlled", controlled, 1, 4000))


@st.composite
def _reachable(draw: st.DrawFn, subject: Subject, least: int, most: int, controlled: int) -> Game:
    number = draw(st.integers(least, most))
    dice, decisions = Tape(draw_bytes(draw, controlled)), Tape(draw_bytes(draw, controlled))
    return play_at_random(subject.start(dice), decisions, stop_after=number).game


def reachable_states(
    ruleset: str | Ruleset,
    max_actions: int = 40,
    *,
    min_actions: int = 0,
    scenario: str | None = None,
    options: Options = None,
    controlled: int = 256,
) -> st.SearchStrategy[Position]:
    """The positions (state and world) of `reachable_games`, as predicates and queries of a ruleset take them.

    @given(reachable_states("bridgehead"))
    def test_every_unit_stands_somewhere(at):
        assert set(at.state.locations) == set(at.state.steps_left)
    """
    games = reachable_games(
        ruleset, max_actions, min_actions=min_actions, scenario=scenario, options=options, controlled=controlled
    )
    return games.map(lambda game: game.position)


def random_games(
    ruleset: str | Ruleset,
    max_actions: int | None = None,
    *,
    scenario: str | None = None,
    options: Options = None,
    controlled: int = 1024,
) -> st.SearchStrategy[RandomGame]:
    """Whole games of random decisions, with the moves that were made.

        @given(random_games("bridgehead"))
        def test_games_come_to_an_end(played):
            assert played.finished

    Shrinking takes as many games as it tries; where that matters leave it out (`phases`) and use `minimise`.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        max_actions: where to stop; the scenario's bound if not given.
        scenario: the ruleset's first if not given.
        options: optional rules.
        controlled: how many bytes of dice, and as many of decisions, come from Hypothesis, see `chances`.
    """
    subject = Subject.of(ruleset, scenario, options)
    limit = subject.bound if max_actions is None else whole("max_actions", max_actions, 0)
    return _random_games(subject, limit, whole("controlled", controlled, 1, 4000))


@st.composite
def _random_games(draw: st.DrawFn, subject: Subject, limit: int, controlled: int) -> RandomGame:
    dice, decisions = Tape(draw_bytes(draw, controlled)), Tape(draw_bytes(draw, controlled))
    return play_at_random(subject.start(dice), decisions, stop_after=limit)
