"""Supply and command, word for word: capabilities of rulesets that have them."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

from hexwar.engine import Event
from hexwar.testing._running.kit import Capability
from hexwar.testing.oracles._field import Field, Piece
from hexwar.testing.oracles._ground import Zones

Memory = Hashable


class _Ways:
    """The ways of lines over a map, wherever units stand: where each ends with what it remembers, and how it goes on."""

    def __init__(self) -> None:
        self.ends: list[tuple[str, Memory]] = []
        self.onward: dict[int, list[tuple[int, str]]] = {}
        """Number of a way -> the numbers of those that are a hex longer, with the hex."""
        self._numbers: dict[tuple[str, Memory], int] = {}

    def number(self, end: tuple[str, Memory]) -> int:
        """Ways with the same end and the same memory are one; a number is found faster than both."""
        if end not in self._numbers:
            self._numbers[end] = len(self.ends)
            self.ends.append(end)
        return self._numbers[end]


class Supply(Capability):
    """Lines lead from sources to units. A line ends in an enemy zone, but continues from there only where a friend stands.

    Args:
        zones: what lines do not pass.
        sources: side -> the area of the board its lines come from.
        closed_terrain: terrain that no line enters.
    """

    in_turn = False
    """Whether the lines of the second side are traced when the first has had its losses."""

    def __init__(self, zones: Zones, sources: Mapping[str, str], *, closed_terrain: Iterable[str] = ()) -> None:
        self.zones = zones
        self.areas = dict(sources)
        self.closed_terrain = frozenset(closed_terrain)

    def sources(self, field: Field, side: str) -> tuple[str, ...]:
        """Where a side's lines come from."""
        return field.sheet.areas.get(self.areas[side], ())

    def is_open(self, field: Field, side: str, label: str) -> bool:
        """Whether a line may come into a hex at all."""
        return field.sheet.terrain[label] not in self.closed_terrain and not field.is_enemy_held(side, label)

    def begins(self, field: Field, side: str) -> Iterable[Memory]:
        """What a line has to remember in its source, once for each way to begin."""
        return (None,)

    def goes_on(self, field: Field, side: str, origin: str, memory: Memory) -> bool:
        """Whether a line goes on from a hex to which it may come; not from an enemy zone, unless a friend stands there.

        Args:
            field: the position.
            side: whose line.
            origin: where it has come to.
            memory: what it has to remember of its way there.
        """
        return origin not in self.zones.watched(field, side) or origin in field.stacks

    def passes(self, field: Field, side: str, origin: str, memory: Memory, target: str) -> Iterable[Memory]:
        """How a line may go on from a hex into the next by what is printed on the map, wherever units stand.

        Returns:
            What it has to remember then, once for each way to go on.
        """
        return (True,)

    def lines(self, field: Field, side: str) -> dict[str, int]:
        """All hexes with a line and the length of the shortest: hex by hex from the sources."""
        if (self, side) not in field.memo:
            field.memo[self, side] = self._lines(field, side)
        found: dict[str, int] = field.memo[self, side]
        return found

    def _lines(self, field: Field, side: str) -> dict[str, int]:
        found = {label: 0 for label in self.sources(field, side) if self.is_open(field, side, label)}
        ways: _Ways = field.sheet.memo.setdefault((self, side), _Ways())
        waiting = deque(ways.number((label, start)) for label in found for start in self.begins(field, side))
        lengths = dict.fromkeys(waiting, 0)
        shut = {label for label in field.sheet.terrain if not self.is_open(field, side, label)}
        while waiting:
            number = waiting.popleft()
            here, memory = ways.ends[number]
            if not self.goes_on(field, side, here, memory):
                continue
            if number not in ways.onward:
                on = [(near, kept) for near in field.sheet.near[here] for kept in self.passes(field, side, here, memory, near)]
                ways.onward[number] = [(ways.number(end), end[0]) for end in on]
            length = lengths[number] + 1
            for other, label in ways.onward[number]:
                if other not in lengths and label not in shut:
                    lengths[other] = length
                    found.setdefault(label, length)
                    waiting.append(other)
        return found

    def is_line(self, field: Field, side: str, line: Sequence[str]) -> bool:
        """Whether a way from hex to hex is a line."""
        if not line or line[0] not in self.sources(field, side) or not all(self.is_open(field, side, there) for there in line):
            return False
        memories = {*self.begins(field, side)}
        for a, b in pairwise(line):
            memories = {memory for memory in memories if b in field.sheet.near[a] and self.goes_on(field, side, a, memory)}
            memories = {kept for memory in memories for kept in self.passes(field, side, a, memory, b)}
        return bool(memories)

    def has_line(self, field: Field, piece: Piece) -> bool:
        """Whether a piece is in supply."""
        return piece.at in self.lines(field, piece.side)

    def suffers(self, field: Field, side: str) -> set[str]:
        """The units of a side that lose a step when supply is checked: those without a line."""
        return {piece.id for piece in field.of_side(side) if not self.has_line(field, piece)}

    def judged_by(self, event: Event, field: Field) -> tuple[str, ...]:
        """The sides whose units lose a step now if they have no line, where an event begins such a check."""
        return ()

    def marked(self, event: Event, field: Field) -> tuple[Iterable[str], Iterable[str]] | None:
        """Whom an event says to be without supply, and who is; None for other events."""
        return None

    of_hexes = True
    """Whether players can ask for the supply of a hex, and are shown lines; of units alone otherwise."""


class Command(Capability):
    """Headquarters activate the units around them.

    Args:
        closed_terrain: terrain through which range is not counted.
    """

    def __init__(self, *, closed_terrain: Iterable[str] = ()) -> None:
        self.closed_terrain = frozenset(closed_terrain)

    def range_of(self, field: Field, leader: Piece) -> int:
        """How many hexes a headquarters reaches: what its counter says."""
        return leader.command

    def passes(self, field: Field, origin: str, target: str) -> bool:
        """Whether range is counted from a hex into the next."""
        return field.sheet.terrain[target] not in self.closed_terrain

    def within(self, field: Field, leader: Piece) -> set[str]:
        """The hexes in the range of a headquarters, ring by ring."""
        found, ring = {leader.at}, {leader.at}
        for _ in range(self.range_of(field, leader)):
            ring = {near for here in ring for near in field.sheet.near[here] if self.passes(field, here, near)} - found
            found |= ring
        return found

    def follows(self, field: Field, leader: Piece, piece: Piece) -> bool:
        """Whether a piece obeys a headquarters in whose range it stands: none that commands itself, nothing that never moves."""
        faces = field.world.units[piece.id].faces
        return piece.side == leader.side and not piece.command and any(face.move for face in faces)

    def marked(self, event: Event, field: Field) -> tuple[Iterable[str], Iterable[str]] | None:
        """Whom an event says to be without command, and who is; None for other events."""
        return None

    def commanded(self, field: Field, leader: Piece) -> set[str]:
        """The headquarters and the units that it activates."""
        near = self.within(field, leader)
        return {leader.id} | {p.id for p in field.pieces.values() if p.at in near and self.follows(field, leader, p)}


class ChitCommand(Command):
    """A headquarters is activated by the chit of its own name."""
