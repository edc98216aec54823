"""Supply and command, word for word: capabilities of rulesets that have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hexwar.engine import Event
from hexwar.testing.kit import Capability
from hexwar.testing.oracles.field import Field, Piece
from hexwar.testing.oracles.ground import Zones


class Supply(Capability):
    """Lines lead from sources to units. A line ends in an enemy zone, but goes on from there only where a friend stands.

    Args:
        zones: what lines do not pass.
        sources: side -> the area of the board its lines come from.
        closed_terrain: terrain that no line enters.
    """

    name = "supply"

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

    def goes_on(self, field: Field, side: str, label: str, watched: set[str]) -> bool:
        """Whether a line may go on from a hex that it has come to."""
        return label not in watched or label in field.stacks

    def lines(self, field: Field, side: str) -> set[str]:
        """All hexes with a line: hex by hex from the sources."""
        if (self, side) not in field.memo:
            field.memo[self, side] = self._lines(field, side)
        found: set[str] = field.memo[self, side]
        return found

    def _lines(self, field: Field, side: str) -> set[str]:
        watched = self.zones.watched(field, side)
        found = {label for label in self.sources(field, side) if self.is_open(field, side, label)}
        waiting = sorted(found)
        while waiting:
            label = waiting.pop()
            if not self.goes_on(field, side, label, watched):
                continue
            for near in field.sheet.near[label]:
                if near not in found and self.is_open(field, side, near):
                    found.add(near)
                    waiting.append(near)
        return found

    def has_line(self, field: Field, piece: Piece) -> bool:
        """Whether a piece is in supply."""
        return piece.at in self.lines(field, piece.side)

    def judged_by(self, event: Event, field: Field) -> tuple[str, ...]:
        """The sides whose units lose a step now if they have no line, where an event begins such a check."""
        return ()


class Command(Capability):
    """Headquarters activate the units around them.

    Args:
        closed_terrain: terrain through which range is not counted.
    """

    name = "command"

    def __init__(self, *, closed_terrain: Iterable[str] = ()) -> None:
        self.closed_terrain = frozenset(closed_terrain)

    def within(self, field: Field, leader: Piece) -> set[str]:
        """The hexes in the range of a headquarters, ring by ring."""
        found, ring = {leader.at}, {leader.at}
        for _ in range(leader.command):
            near = {label for here in ring for label in field.sheet.near[here]}
            ring = {label for label in near - found if field.sheet.terrain[label] not in self.closed_terrain}
            found |= ring
        return found

    def follows(self, field: Field, leader: Piece, piece: Piece) -> bool:
        """Whether a piece obeys a headquarters in whose range it stands: none that commands itself, nothing that never moves."""
        faces = field.world.units[piece.id].faces
        return piece.side == leader.side and not piece.command and any(face.move for face in faces)

    def commanded(self, field: Field, leader: Piece) -> set[str]:
        """The headquarters and the units that it activates."""
        near = self.within(field, leader)
        return {leader.id} | {p.id for p in field.pieces.values() if p.at in near and self.follows(field, leader, p)}
