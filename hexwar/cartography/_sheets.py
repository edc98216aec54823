"""What was laid on the grid, cut into sheets and written down; and the board file that joins them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hexwar.cartography._areas import Area
from hexwar.cartography._grid import Grid, Window
from hexwar.cartography._places import Settlements
from hexwar.cartography._recipe import Recipe
from hexwar.cartography._writer import chain_strings, key, listed, runs, side_words, table, text
from hexwar.hexes import DIRECTION_NAMES, Hex, Hexside, LabelCodec, neighbour

_NO_HEX: Final = "-"
_STATUSES: Final = ("fact", "fitted", "reconstructed")


@dataclass(slots=True)
class Drawing:
    """Everything on the grid, ready to be written.

    Args:
        terrain: terrain by hex.
        sides: feature -> name (of a river) -> hexsides.
        links: kind -> line -> chains of hexes.
        settlements: the towns.
        areas: the named areas.
    """

    terrain: dict[Hex, str]
    sides: dict[str, dict[str, list[Hexside]]]
    links: dict[str, dict[str, list[list[Hex]]]]
    settlements: Settlements
    areas: list[Area]


class SheetWriter:
    """Writes the files of one recipe.

    Args:
        recipe: the recipe.
        grid: its grid.
        drawing: what lies on it.
        origin: what the recipe is called, for the comment at the top.
    """

    def __init__(self, recipe: Recipe, grid: Grid, drawing: Drawing, origin: str) -> None:
        self._recipe = recipe
        self._grid = grid
        self._drawing = drawing
        self._head = [
            f"# Built from {origin} by `hexwar map build`; change the recipe or its inputs, not this file.",
            "format = 1",
        ]

    def sheet(self, window: Window) -> str:
        """The map file of one sheet."""
        labels = {h: window.label(h) for h in self._grid.hexes if h in window.hexes}
        part, grid = window.part, self._recipe.grid
        lines = [*self._head, f"id = {text(part.id)}", f"title = {text(part.title)}", ""]
        lines += table("grid", {**grid.model_dump(exclude_defaults=True), "rows": part.rows, "prefix": part.prefix})
        lines += self._terrain(window)
        lines += self._sides(labels)
        lines += self._links(labels)
        lines += self._places(labels)
        lines += self._areas(window, labels)
        lines += self._provenance(labels, window)
        return "\n".join(lines)

    def board(self) -> str:
        """The board file that joins the sheets."""
        part = self._recipe.board
        assert part is not None
        lines = [*self._head, f"id = {text(part.id)}", f"title = {text(part.title)}", ""]
        below: list[Window] = []
        for window in self._grid.windows:
            lines += ["[[sheet]]", f"map = {text(window.part.id)}"]
            if below:
                lines.append(f"join = [{', '.join(text(seam) for seam in self._seams(window, below))}]")
            lines.append("")
            below.append(window)
        lines += self._seam_links()
        lines += table("provenance", dict(self._recipe.provenance))
        return "\n".join(lines)

    def _terrain(self, window: Window) -> list[str]:
        legend = {name: symbol for symbol, name in self._recipe.terrain.legend.items()}
        codec, part = window.codec, window.part
        numbers = range(1, part.rows + 1) if codec.rows_from == "north" else range(part.rows, 0, -1)
        rows = []
        for row in numbers:
            hexes = [codec.at(column, row + part.offset) for column in range(1, self._recipe.grid.columns + 1)]
            line = "".join(legend[self._drawing.terrain[h]] if h in self._grid.inside else _NO_HEX for h in hexes)
            rows.append(f" {line}" if _sticks_out(codec, row) else line)
        return [*table("terrain", {"legend": self._recipe.terrain.legend})[:-1], 'rows = """', *rows, '"""', ""]

    def _sides(self, labels: dict[Hex, str]) -> list[str]:
        flat = self._grid.orientation == "flat"
        lines = ["[sides]"]
        for feature, named in self._drawing.sides.items():
            groups = []
            for name in sorted(named):
                seen = [side for side in named[name] if any(h in labels for h in side.hexes)]
                groups.append((name, runs(side_words(seen, labels, flat))))
            lines += listed(feature, groups)
        return [*lines, ""]

    def _links(self, labels: dict[Hex, str]) -> list[str]:
        lines = ["[links]"]
        for kind, chains in self._drawing.links.items():
            lines += listed(kind, [(line, chain_strings(found, labels)) for line, found in chains.items()])
        return [*lines, ""]

    def _places(self, labels: dict[Hex, str]) -> list[str]:
        settlements, lines = self._drawing.settlements, []
        names = sorted(set(settlements.named.values()), key=lambda name: (settlements.rank(name), name))
        for name in names:
            it = settlements.all[name]
            seen = [labels[h] for h in it.hexes if h in labels]
            if seen:
                lines += [
                    "[[place]]",
                    f"name = {text(it.name)}",
                    f"kind = {text(it.kind)}",
                    f"hex = {text(' '.join(seen))}",
                ]
                if it.tags:
                    lines.append(f"tags = [{', '.join(map(text, it.tags))}]")
                lines.append("")
        return lines

    def _areas(self, window: Window, labels: dict[Hex, str]) -> list[str]:
        lines = ["[areas]"]
        for area in self._drawing.areas:
            if area.sheets and window.part.id not in area.sheets:
                continue
            seen = [h for h in area.hexes if h in labels]
            if len(seen) > 30:
                lines += listed(area.name, [("", runs(_spans(seen, window)))])
            elif seen:
                lines.append(f"{key(area.name)} = [{text(' '.join(labels[h] for h in seen))}]")
        return [*lines, ""]

    def _provenance(self, labels: dict[Hex, str], window: Window) -> list[str]:
        told: dict[str, list[str]] = {}
        for what, source in self._sources(labels, window):
            told.setdefault(source, []).append(what)
        groups: dict[str, list[str]] = {status: [*self._recipe.provenance.get(status, [])] for status in _STATUSES}
        for source, found in told.items():
            status, _, why = source.partition(" ")
            status = status.rstrip(":")
            groups[status].append(f"{', '.join(found)}: {why}" if why else ", ".join(found))
        general = {name: value for name, value in self._recipe.provenance.items() if name not in groups}
        return table("provenance", {**general, **groups})

    def _sources(self, labels: dict[Hex, str], window: Window) -> Iterator[tuple[str, str]]:
        for control in self._recipe.control:
            if any(self._grid.at(label) in labels for label in control.hexes):
                yield f"{control.place} in {' '.join(control.hexes)}", control.source
        for override in self._recipe.override:
            if self._grid.at(override.hex) in labels:
                yield f"{override.terrain} in {override.hex}", override.source
        for side, source in self._recipe.water.dry.items():
            if any(h in labels for h in self._grid.side(side).hexes):
                yield f"no water on {side}", source
        for side, source in self._recipe.rivers.never.items():
            if any(h in labels for h in self._grid.side(side).hexes):
                yield f"no river on {side}", source
        for course in self._recipe.rivers.always:
            if any(h in labels for side in course.sides for h in self._grid.side(side).hexes):
                yield f"{course.river} on {' '.join(course.sides)}", course.source
        for mask in self._recipe.mask:
            yield f"no land: {mask.name}", mask.source
        for area in self._drawing.areas:
            if (not area.sheets or window.part.id in area.sheets) and any(h in labels for h in area.hexes):
                yield area.name, area.source

    def _seams(self, window: Window, below: list[Window]) -> list[str]:
        """Where a sheet lies: on a hex of another, or beside one; two seams, so that a mistake in one is noticed."""
        corners = [min(window.hexes), max(window.hexes, key=lambda h: (h.q, -h.r))]
        found = []
        for h in corners:
            if h not in self._grid.inside:
                continue
            for other in reversed(below):
                if h in other.hexes:
                    found.append(f"{window.label(h)} on {other.label(h)}")
                    break
                beside = [d for d in range(6) if neighbour(h, d) in other.hexes & self._grid.inside]
                if beside:
                    name = DIRECTION_NAMES[self._grid.orientation][(beside[0] + 3) % 6]
                    found.append(f"{window.label(h)} {name} of {other.label(neighbour(h, beside[0]))}")
                    break
        return found

    def _seam_links(self) -> list[str]:
        """Links between hexes that no sheet shows together."""
        lines = ["[links]"]
        for kind, chains in self._drawing.links.items():
            words = []
            for a, b in _steps(chains.values()):
                if not any(a in window.hexes and b in window.hexes for window in self._grid.windows):
                    words.append(f"{self._grid.label(a)} {self._grid.label(b)}")
            lines += listed(kind, [("", [f"  {text(word)}," for word in sorted(set(words))])])
        return [*lines, ""]


def _steps(lines: Iterable[list[list[Hex]]]) -> Iterator[tuple[Hex, Hex]]:
    for chains in lines:
        for chain in chains:
            yield from ((min(pair), max(pair)) for pair in pairwise(chain))


def _sticks_out(codec: LabelCodec, row: int) -> bool:
    """Whether a row of a pointy map begins half a hex farther east, which the text then shows with a blank."""
    return codec.layout == "rows" and (row % 2 == 1) == (codec.shifted == "odd") == (codec.shift == "east")


def _spans(hexes: list[Hex], window: Window) -> list[str]:
    """Hexes as words, those that follow each other in a column or row as one word such as 0101..0109."""
    standing = window.codec.layout == "columns"
    numbers = sorted(window.codec.numbers(h) if standing else window.codec.numbers(h)[::-1] for h in hexes)
    words: list[list[tuple[int, int]]] = []
    for line, k in numbers:
        if words and words[-1][-1] == (line, k - 1):
            words[-1].append((line, k))
        else:
            words.append([(line, k)])
    return ["..".join(_ends([_printed(window, it, standing) for it in word])) for word in words]


def _ends(labels: list[str]) -> list[str]:
    return [labels[0], labels[-1]] if len(labels) > 1 else labels


def _printed(window: Window, numbers: tuple[int, int], standing: bool) -> str:
    column, row = numbers if standing else numbers[::-1]
    return window.codec.text(column, row - window.part.offset)
