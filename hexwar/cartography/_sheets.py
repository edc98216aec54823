"""What was laid on the grid, cut into sheets and written down; and the board file that joins them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Final

from hexwar.cartography._areas import Area
from hexwar.cartography._grid import Grid, Window
from hexwar.cartography._recipe import BoardPart, Recipe, SheetPart
from hexwar.cartography._survey import Settlements
from hexwar.files import toml_key, toml_value
from hexwar.grouping import grouped
from hexwar.hexes import DIRECTION_NAMES, Hex, Hexside, LabelCodec, Orientation, neighbour

_WIDTH: Final = 118
_NO_HEX: Final = "-"
_STATUSES: Final = ("fact", "fitted", "reconstructed")


@dataclass(frozen=True, slots=True)
class SheetWriter:
    """Writes down what lies on the grid, sheet by sheet.

    Args:
        recipe: the recipe.
        grid: its grid.
        settlements: the towns.
        terrain: terrain by hex.
        sides: feature -> name (of a river) -> hexsides.
        links: kind -> line -> chains of hexes.
        areas: the named areas.
        origin: what the recipe is called, for the comment at the top.
    """

    recipe: Recipe
    grid: Grid
    settlements: Settlements
    terrain: dict[Hex, str]
    sides: dict[str, dict[str, list[Hexside]]]
    links: dict[str, dict[str, list[list[Hex]]]]
    areas: list[Area]
    origin: str

    def sheet(self, window: Window) -> str:
        """The map file of one sheet."""
        labels = {h: window.label(h) for h in self.grid.hexes if h in window.hexes}
        part, grid = window.part, self.recipe.grid
        lines = self._top(part)
        lines += table("grid", {**grid.model_dump(exclude_defaults=True), "rows": part.rows, "prefix": part.prefix})
        lines += self._terrain(window)
        lines += self._sides(labels)
        lines += self._links(labels)
        lines += self._places(labels)
        lines += self._areas(window, labels)
        lines += self._provenance(labels, window)
        return "\n".join(lines)

    def board(self, part: BoardPart) -> str:
        """The board file that joins the sheets."""
        lines = self._top(part)
        for number, window in enumerate(self.grid.windows):
            join = {"join": self._seams(window, self.grid.windows[:number])} if number else {}
            lines += table("[sheet]", {"map": window.part.id, **join})
        lines += self._seam_links()
        lines += table("provenance", self.recipe.provenance)
        return "\n".join(lines)

    def _top(self, part: BoardPart | SheetPart) -> list[str]:
        origin = f"# Built from {self.origin} by `hexwar map build`; change the recipe or its inputs, not this file."
        return [origin, "format = 1", f"id = {toml_value(part.id)}", f"title = {toml_value(part.title)}", ""]

    def _terrain(self, window: Window) -> list[str]:
        legend = {name: symbol for symbol, name in self.recipe.terrain.legend.items()}
        codec, part = window.codec, window.part
        numbers = range(1, part.rows + 1) if codec.rows_from == "north" else range(part.rows, 0, -1)
        rows = []
        for row in numbers:
            hexes = [codec.at(column, row + part.offset) for column in range(1, self.recipe.grid.columns + 1)]
            line = "".join(legend[self.terrain[h]] if h in self.grid.inside else _NO_HEX for h in hexes)
            rows.append(f" {line}" if _sticks_out(codec, row) else line)
        return [*table("terrain", {"legend": self.recipe.terrain.legend})[:-1], 'rows = """', *rows, '"""', ""]

    def _sides(self, labels: dict[Hex, str]) -> list[str]:
        lines = ["[sides]"]
        for feature, named in self.sides.items():
            seen = {name: [side for side in named[name] if any(h in labels for h in side.hexes)] for name in sorted(named)}
            words = {name: side_words(sides, labels, self.grid.orientation) for name, sides in seen.items()}
            lines += listed(feature, [(name, runs(found)) for name, found in words.items()])
        return [*lines, ""]

    def _links(self, labels: dict[Hex, str]) -> list[str]:
        lines = ["[links]"]
        for kind, chains in self.links.items():
            lines += listed(kind, [(line, chain_strings(found, labels)) for line, found in chains.items()])
        return [*lines, ""]

    def _places(self, labels: dict[Hex, str]) -> list[str]:
        settlements, lines = self.settlements, []
        names = sorted(set(settlements.named.values()), key=lambda name: (settlements.rank(name), name))
        for name in names:
            it = settlements.all[name]
            seen = [labels[h] for h in it.hexes if h in labels]
            if seen:
                tags = {"tags": it.tags} if it.tags else {}
                lines += table("[place]", {"name": it.name, "kind": it.kind, "hex": " ".join(seen), **tags})
        return lines

    def _areas(self, window: Window, labels: dict[Hex, str]) -> list[str]:
        lines = ["[areas]"]
        for area in self._shown(window):
            seen = [h for h in area.hexes if h in labels]
            if len(seen) > 30:
                lines += listed(area.name, [("", runs(_spans(seen, window)))])
            elif seen:
                lines.append(f"{toml_key(area.name)} = [{toml_value(' '.join(labels[h] for h in seen))}]")
        return [*lines, ""]

    def _shown(self, window: Window) -> list[Area]:
        """The areas that a sheet shows."""
        return [area for area in self.areas if not area.sheets or window.part.id in area.sheets]

    def _provenance(self, labels: dict[Hex, str], window: Window) -> list[str]:
        told = grouped((source, what) for what, source in self._sources(labels, window))
        groups: dict[str, list[str]] = {status: [*self.recipe.provenance.get(status, [])] for status in _STATUSES}
        for source, found in told.items():
            status, _, why = source.partition(" ")
            status = status.rstrip(":")
            groups[status].append(f"{', '.join(found)}: {why}" if why else ", ".join(found))
        general = {name: value for name, value in self.recipe.provenance.items() if name not in groups}
        return table("provenance", {**general, **groups})

    def _sources(self, labels: dict[Hex, str], window: Window) -> Iterator[tuple[str, str]]:
        """What the recipe says of the hexes of a sheet, and what each statement rests on."""
        recipe, at, side = self.recipe, self.grid.at, self.grid.side
        courses = [(it, [h for text in it.sides for h in side(text).hexes]) for it in recipe.rivers.always]
        said: list[tuple[Iterable[Hex], str, str]] = [
            *((map(at, it.hexes), f"{it.place} in {' '.join(it.hexes)}", it.source) for it in recipe.control),
            *(([at(it.hex)], f"{it.terrain} in {it.hex}", it.source) for it in recipe.override),
            *((side(text).hexes, f"no water on {text}", source) for text, source in recipe.water.dry.items()),
            *((side(text).hexes, f"no river on {text}", source) for text, source in recipe.rivers.never.items()),
            *((hexes, f"{it.river} on {' '.join(it.sides)}", it.source) for it, hexes in courses),
            *((labels, f"no land: {it.name}", it.source) for it in recipe.mask),
            *((area.hexes, area.name, area.source) for area in self._shown(window)),
        ]
        return ((what, source) for hexes, what, source in said if any(h in labels for h in hexes))

    def _seams(self, window: Window, below: list[Window]) -> list[str]:
        """Where a sheet lies: on a hex of another, or beside one; two seams, so that a mistake in one is noticed."""
        corners = [min(window.hexes), max(window.hexes, key=lambda h: (h.q, -h.r))]
        found = []
        for h in filter(self.grid.inside.__contains__, corners):
            seams = (self._seam(h, window, other) for other in reversed(below))
            found += [seam for seam in seams if seam][:1]
        return found

    def _seam(self, h: Hex, window: Window, other: Window) -> str:
        names = DIRECTION_NAMES[self.grid.orientation]
        if h in other.hexes:
            return f"{window.label(h)} on {other.label(h)}"
        for d, name in enumerate((*names[3:], *names[:3])):
            if neighbour(h, d) in other.hexes & self.grid.inside:
                return f"{window.label(h)} {name} of {other.label(neighbour(h, d))}"
        return ""

    def _seam_links(self) -> list[str]:
        """Links between hexes that no sheet shows together."""
        lines = ["[links]"]
        for kind, chains in self.links.items():
            steps = {(min(pair), max(pair)) for line in chains.values() for chain in line for pair in pairwise(chain)}
            apart = [(a, b) for a, b in steps if not any({a, b} <= window.hexes for window in self.grid.windows)]
            words = sorted(f"{self.grid.label(a)} {self.grid.label(b)}" for a, b in apart)
            lines += listed(kind, [("", [f"  {toml_value(word)}," for word in words])])
        return [*lines, ""]


def _sticks_out(codec: LabelCodec, row: int) -> bool:
    """Whether a row of a pointy map begins half a hex farther east, which the text then shows with a blank."""
    return codec.layout == "rows" and (row % 2 == 1) == (codec.shifted == "odd") == (codec.shift == "east")


def _spans(hexes: list[Hex], window: Window) -> list[str]:
    """Hexes as words, those that follow each other in a column or row as one word such as 0101..0109."""
    standing = window.codec.layout == "columns"
    lines = sorted((window.codec.numbers(h)[:: 1 if standing else -1], window.label(h)) for h in hexes)
    words = []
    for _, run in groupby(enumerate(lines), lambda it: (it[1][0][0], it[1][0][1] - it[0])):
        labels = [label for _, (_, label) in run]
        words.append(labels[0] if len(labels) == 1 else f"{labels[0]}..{labels[-1]}")
    return words


# -- map files as text: readable, one subject a block -------------------------------------------------------------------------


def table(name: str, values: Mapping[str, Any]) -> list[str]:
    """A table of simple values."""
    return [f"[{name}]", *(f"{toml_key(word)} = {toml_value(value)}" for word, value in values.items()), ""]


def runs(words: Iterable[str], indent: str = "  ") -> list[str]:
    """Words as quoted strings, several to a string, none too long."""
    lines = textwrap.wrap(" ".join(words), _WIDTH - len(indent) - 3, break_long_words=False, break_on_hyphens=False)
    return [f"{indent}{toml_value(line)}," for line in lines]


def listed(name: str, groups: Sequence[tuple[str, Iterable[str]]]) -> list[str]:
    """A key with a list of strings, each group under a comment of its own; nothing at all if there are no strings."""
    lines: list[str] = []
    for comment, strings in groups:
        found = list(strings)
        if comment and found:
            lines.append(f"  # {comment}")
        lines += found
    return [f"{toml_key(name)} = [", *lines, "]"] if lines else []


def side_words(sides: Iterable[Hexside], labels: Mapping[Hex, str], orientation: Orientation) -> list[str]:
    """Hexsides as words such as 0304/SE/S, each named from a hex that has a label, the first if both have."""
    names = DIRECTION_NAMES[orientation]
    found = grouped(
        (side.hex, side.d) if side.hex in labels else (neighbour(side.hex, side.d), side.d + 3) for side in sorted(sides)
    )
    return ["/".join((labels[h], *(names[d] for d in sorted(found[h])))) for h in sorted(found, key=labels.__getitem__)]


def chain_strings(chains: Iterable[Sequence[Hex]], labels: Mapping[Hex, str], most: int = 20) -> list[str]:
    """Chains of hexes as quoted strings; long ones go on in the next string from the hex where the last one ended."""
    pieces = [piece for chain in chains for piece in _on_sheet(chain, labels)]
    parts = [piece[k : k + most] for piece in pieces for k in range(0, len(piece) - 1, most - 1)]
    return [f"  {toml_value(' '.join(labels[h] for h in part))}," for part in parts]


def _on_sheet(chain: Sequence[Hex], labels: Mapping[Hex, str]) -> list[list[Hex]]:
    pieces = [list(piece) for on_sheet, piece in groupby(chain, labels.__contains__) if on_sheet]
    return [piece for piece in pieces if len(piece) > 1]
