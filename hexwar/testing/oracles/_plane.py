"""A game on a plane for the kit: who judges marches a second time, and how its table is turned."""

from __future__ import annotations

import copy
import dataclasses
import functools
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Union

from hexwar.board import PlaneBoard
from hexwar.engine import Action, ActionSet, AnyOf, Filtered, Game, Names, Ruleset, State, World
from hexwar.plane import Placed
from hexwar.tabletop import March, Marches
from hexwar.testing._running.kit import Capability

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableTurn:
    """One of the ways to lay a table on itself.

    Args:
        width: of the table.
        height: of the table.
        quarters: by how many quarters of a circle it is turned, clockwise.
        mirrored: whether it is mirrored first, left to right.
    """

    width: int
    height: int
    quarters: int = 0
    mirrored: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the table afterwards."""
        return (self.height, self.width) if self.quarters % 2 else (self.width, self.height)

    def spot(self, spot: Spot) -> Spot:
        """Where a point comes to lie."""
        x, y = (self.width - spot[0], spot[1]) if self.mirrored else spot
        width, height = self.width, self.height
        for _ in range(self.quarters):
            x, y, width, height = height - y, x, height, width
        return x, y

    def heading(self, heading: int) -> int:
        """Where somebody looks then; a number below 0 is no heading."""
        return heading if heading < 0 else ((-heading if self.mirrored else heading) + 90 * self.quarters) % 360

    def __str__(self) -> str:
        turned = f"turned by {90 * self.quarters} degrees" if self.quarters else ""
        return " and ".join(filter(None, ("mirrored" if self.mirrored else "", turned)))


class OnAPlane(Capability):
    """Pieces stand anywhere on a table. Marches are held to a judge who works otherwise, bases apart, and the table is turned.

    What it says is right for games of `hexwar.tabletop`; others override what differs.
    """

    name = "plane"

    def turns(self, world: World) -> tuple[TableTurn, ...]:
        """The ways to turn the table under which the rules must say the same."""
        board: PlaneBoard = world.board  # type: ignore[attr-defined]  # a game on a plane has one
        pairs = [(quarters, mirrored) for mirrored in (False, True) for quarters in range(4) if quarters or mirrored]
        return tuple([TableTurn(board.width, board.height, *pair) for pair in pairs])

    def world(self, rules: Ruleset, world: World, turn: TableTurn) -> World:
        """The world with its table turned."""
        board: PlaneBoard = world.board  # type: ignore[attr-defined]
        made: World = rules.world(replace(world.setup, board=self.board(board, turn)))
        return made

    def board(self, board: PlaneBoard, turn: TableTurn) -> PlaneBoard:
        """The table, turned with all that lies on it."""
        made = copy.copy(board)
        made.width, made.height = turn.size

        def moved(points: Any) -> list[Spot]:
            return [turn.spot((x, y)) for x, y in points]

        zones = [zone.model_copy(update={"outline": moved(zone.outline), "crest": moved(zone.crest)}) for zone in board.zones]
        made.zones, made.digest = tuple(zones), f"{board.digest} {turn}"
        made.lines = tuple([line.model_copy(update={"points": moved(line.points)}) for line in board.lines])
        made.closed = {who: tuple([tuple(moved(ring)) for ring in rings]) for who, rings in board.closed.items()}
        made.scenario = self.scenario(board.scenario, turn)
        return made

    def scenario(self, keys: dict[str, Any], turn: TableTurn) -> dict[str, Any]:
        """What the table file says of a battle, turned; as it is where no place of the table stands in it."""
        return keys

    def may_overlap(self, game: Game, one: str, other: str) -> bool:
        """Whether two pieces may stand on each other, such as one that rides on the other."""
        return False

    def is_possible(self, game: Game, offer: ActionSet, action: Action) -> bool | None:
        """Whether a march is possible, by other means than the rules'; None if the judge cannot tell.

        The way is judged: what a rulebook says besides of who may march at all, and of where one may end, is left to the rules.
        """
        marches = next((each for each in parts_of(offer) if isinstance(each, Marches)), None)
        if marches is None or not isinstance(action, March):
            return None
        from hexwar.testing.oracles._geometry import why_not

        ways, path = marches.ways, (*action.via, action.to)
        of, gaps = ways.classes[marches.mover], ways.terrain.closed.get(marches.mover, ())
        found = why_not(ways.terrain, of, marches.me, path, marches.allowance, marches.enemies, gaps, marches.crossing)
        return None if found is None else not found

    def placed(self, game: Game) -> Mapping[str, Placed]:
        """Where the bases of the pieces on the table are, as its picture shows them."""
        from hexwar.plane import Base

        return {
            piece.id: Placed(*piece.place, piece.heading or 0, Base(*piece.base))  # type: ignore[arg-type, call-arg]  # a point
            for piece in game.picture.pieces
            if piece.base is not None and isinstance(piece.place, tuple)
        }

    def image(self, game: Game, world: World, turn: TableTurn) -> Game:
        """The game as it stands, without its history, on the turned table, with the same dice."""
        state: State = game.state.copy()
        of: Any = type(state)
        hints, fields = hints_of(of), dataclasses.fields(of)
        for part in fields:
            if not part.name.startswith("_"):
                setattr(state, part.name, turned(getattr(state, part.name), hints.get(part.name), turn))
        rules = game.ruleset
        made: State = rules.bare(world).with_json(state.to_json(), rules.step_types)
        return Game(rules, world, made, game.chance.fork())


def parts_of(offer: ActionSet) -> Iterator[ActionSet]:
    """The sets of which a set is made."""
    if isinstance(offer, AnyOf):
        for each in offer.sets:
            yield from parts_of(each)
    elif isinstance(offer, Filtered):
        yield from parts_of(offer._base)
    else:
        yield offer


@functools.cache
def hints_of(cls: Any) -> Mapping[str, Any]:
    """The types of the fields of a class."""
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except NameError:
        return {}


def turned(value: Any, hint: Any, turn: TableTurn) -> Any:
    """A value with every point and every heading in it turned, by its type."""
    known = getattr(hint, "__metadata__", ())
    plain = hint.__origin__ if known else hint
    if value is None or isinstance(value, str):
        return value
    if Names("heading") in known:
        return turn.heading(value)
    if plain == tuple[int, int]:
        return turn.spot(value)
    if dataclasses.is_dataclass(value):
        cls: Any = type(value)
        hints = hints_of(cls)
        said = {part.name: getattr(value, part.name) for part in dataclasses.fields(cls) if not _is_unsaid(value, part)}
        changed = {name: turned(its, hints.get(name), turn) for name, its in said.items()}
        return replace(value, **changed)  # type: ignore[type-var]  # every record is a dataclass
    arms = typing.get_args(plain)
    if typing.get_origin(plain) in (Union, types.UnionType):
        fitting = [arm for arm in arms if _fits(value, arm)]
        return turned(value, fitting[0] if fitting else None, turn)
    if isinstance(value, tuple | list | frozenset):
        inner = [arms[0]] * len(value) if len(arms) != len(value) or Ellipsis in arms else arms
        each = inner if arms else [None] * len(value)
        return type(value)(turned(item, of, turn) for item, of in zip(value, each, strict=True))
    if isinstance(value, Mapping):
        keys, values = arms if len(arms) == 2 else (None, None)
        return {turned(key, keys, turn): turned(item, values, turn) for key, item in value.items()}
    return value


def _is_unsaid(value: Any, part: dataclasses.Field[Any]) -> bool:
    """Whether a field holds the point that stands for no point."""
    its = getattr(value, part.name)
    return isinstance(its, tuple) and bool(its == part.default)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value can be of a type, by its outermost part."""
    plain = hint.__origin__ if getattr(hint, "__metadata__", ()) else hint
    outer = typing.get_origin(plain) or plain
    return isinstance(outer, type) and isinstance(value, outer)
