"""Boards of other kinds than hexes: areas that are joined by links, and a plane with coordinates.

They hold what is printed; how pieces move over them is up to the rulesets. All kinds are loaded by `load_map`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from hexwar._notebook import shown
from hexwar.errors import ContentError, UnknownName
from hexwar.hashing import blake2b
from hexwar.hexes import Point

if TYPE_CHECKING:
    from hexwar.board._mapfile import AreasFile, PlaneFile


class AnyBoard:
    """What boards of all kinds have."""

    kind: ClassVar[str] = "any kind"
    """What it is made of, as in "a board of hexes"."""

    id: str
    """The id of the map file."""
    title: str
    """What the map is called."""
    provenance: Mapping[str, Any]
    """What of the map is fact, fitted or reconstructed, in its author's words."""
    names: Mapping[str, str]
    """Label -> name, of places that have one."""

    @property
    def digest(self) -> str:
        """A fingerprint of all that can matter in play."""
        raise NotImplementedError

    def __contains__(self, place: object) -> bool:
        """Whether there is such a place."""
        raise NotImplementedError

    def centre(self, place: Any) -> Point:
        """Where a place is drawn, in the board's own unit."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return shown(self, repr(self), "board_svg")


class _Printed(AnyBoard):
    """A board that is little more than its file."""

    digest = ""

    def __init__(self, keys: AreasFile | PlaneFile) -> None:
        self.id = keys.id
        self.title = keys.title
        self.provenance = keys.provenance
        text = keys.model_dump_json(exclude={"title": True, "provenance": True, **self._absent(keys)})
        self.digest = blake2b(text.encode(), digest_size=16).hexdigest()

    @staticmethod
    def _absent(keys: Any) -> dict[str, Any]:
        """What a file does not say and earlier files could not: it leaves the digest as it is."""
        return {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


class AreaBoard(_Printed):
    """Areas with names, joined by links of one or more kinds.

    Raises:
        ContentError: two areas have one label, or a link joins what is not there.
    """

    kind: ClassVar[str] = "areas"

    def __init__(self, keys: AreasFile, source: str = "map") -> None:
        super().__init__(keys)
        self.areas = {area.label: area for area in keys.area}
        """Label -> what is printed of the area: its name, terrain, middle and outline."""
        self.labels = tuple(self.areas)
        """The labels in the file's order."""
        self.names = {label: area.name for label, area in self.areas.items() if area.name}
        if len(self.areas) < len(keys.area):
            raise ContentError(source, "area", "two areas have the same label")
        self._links: dict[str, dict[str, set[str]]] = {label: {} for label in self.areas}
        for kind, chains in keys.links.items():
            for chain in map(str.split, chains):
                for one, other in pairwise(chain):
                    for a, b in ((one, other), (other, one)):
                        if a not in self.areas:
                            raise ContentError(source, f"links {kind}", str(UnknownName("area", a, self.areas)))
                        self._links[a].setdefault(b, set()).add(kind)

    def __contains__(self, place: object) -> bool:
        return isinstance(place, str) and place in self.areas

    def neighbours(self, label: str) -> tuple[str, ...]:
        """The areas that a link joins to one."""
        return tuple(self._links[label])

    def links(self, a: str, b: str) -> frozenset[str]:
        """The kinds of link between two areas."""
        return frozenset(self._links[a].get(b, ()))

    def centre(self, place: Any) -> Point:
        """The middle of an area."""
        x, y = self.areas[place].middle
        return float(x), float(y)


class PlaneBoard(_Printed):
    """A table with coordinates, in whole units from its top left corner, and what is printed on it."""

    kind: ClassVar[str] = "points"

    def __init__(self, keys: PlaneFile, source: str = "map") -> None:
        super().__init__(keys)
        self.names = {}  # a point has no label
        self.width, self.height, self.unit = keys.width, keys.height, keys.unit
        self.piece = keys.piece or max(keys.width, keys.height) / 24
        """How wide a piece is drawn."""
        self.zones = tuple(keys.zone)
        """What covers a part of it, such as a wood."""
        self.lines = tuple(keys.line)
        """What runs across it, such as a road."""
        self.closed = {who: tuple(map(tuple, outlines)) for who, outlines in keys.closed.items()}
        """Who moves -> the outlines that are shut to them."""
        self.scenario = keys.scenario
        """What a ruleset reads besides, such as where sides deploy; it checks that itself."""

    @staticmethod
    def _absent(keys: PlaneFile) -> dict[str, Any]:
        zones = {number: {"crest"} for number, zone in enumerate(keys.zone) if not zone.crest}
        unsaid = [{name for name in ("name", "width") if not getattr(line, name)} for line in keys.line]
        lines = {number: names for number, names in enumerate(unsaid) if names}
        absent = {"zone": zones, "line": lines, "closed": not keys.closed, "scenario": not keys.scenario}
        return {name: what for name, what in absent.items() if what}

    def __contains__(self, place: object) -> bool:
        if not isinstance(place, tuple) or len(place) != 2 or not all(type(number) is int for number in place):
            return False
        return bool(0 <= place[0] <= self.width and 0 <= place[1] <= self.height)

    def centre(self, place: Any) -> Point:
        """The point itself."""
        return float(place[0]), float(place[1])
