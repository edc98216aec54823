"""Maps made by hand for positions of Traces of War, as text.

As on the map of the game a label is row and column, rows are counted from the south, and odd rows are half a hex farther east:
0707 has the neighbours 0808, 0708, 0608, 0607, 0706 and 0807 (clockwise from the north-east), 0807 has 0907, 0808, 0707, 0706,
0806 and 0906.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

LETTERS = {".": "clear", "^": "rough", "s": "marsh", "~": "water"}


def ground(
    terrain: Mapping[str, str] | None = None,
    *,
    sides: Mapping[str, Iterable[str]] | None = None,
    road: Iterable[str] = (),
    rail: Iterable[str] = (),
    towns: Mapping[str, str] | None = None,
    cities: Mapping[str, str] | None = None,
    areas: Mapping[str, Iterable[str]] | None = None,
    size: tuple[int, int] = (14, 20),
) -> str:
    """A map as text.

    Args:
        terrain: hex -> letter of `LETTERS`; the rest is clear.
        sides: feature ("major-river", "minor-river", "blocked") -> hexsides such as "0707|0708".
        road: chains of hexes, such as "0706 0707 0708".
        rail: the same.
        towns: name -> hex.
        cities: name of a major city -> its hex.
        areas: name ("supply axis", "supply soviet", ...) -> hexes.
        size: rows and columns; unless `areas` says otherwise the Axis source lies in the west, the Soviet one in the east.
    """
    lines, columns = size
    sources = {"supply axis": ["0701"], "supply soviet": [f"07{columns:02}"]}
    rows = [["."] * columns for _ in range(lines)]
    for label, letter in (terrain or {}).items():
        rows[lines - int(label[:2])][int(label[2:]) - 1] = letter
    picture = "\n".join(" " * ((lines - number) % 2) + "".join(row) for number, row in enumerate(rows))
    places = "".join(
        f'[[place]]\nname = "{name}"\nkind = "{kind}"\nhex = "{label}"\n'
        for kind, named in (("town", towns or {}), ("major-city", cities or {}))
        for name, label in named.items()
    )
    legend = ", ".join(f'"{letter}" = "{name}"' for letter, name in LETTERS.items())
    return f'''format = 1
id = "field"
title = "A field"
[grid]
layout = "rows"
columns = {columns}
rows = {lines}
shifted = "odd"
shift = "east"
order = "rows-first"
rows_from = "south"
[terrain]
legend = {{ {legend} }}
rows = """
{picture}
"""
[sides]
{"".join(f"{feature} = {list(labels)}{chr(10)}" for feature, labels in (sides or {}).items())}
[links]
road = {list(road)}
rail = {list(rail)}
{places}
[areas]
{"".join(f'"{name}" = {list(labels)}{chr(10)}' for name, labels in {**sources, **(areas or {})}.items())}
'''


def neighbours(label: str) -> list[str]:
    """The six hexes around one, clockwise from the north-east, on the map or not."""
    row, column = int(label[:2]), int(label[2:])
    east = row % 2
    near = [(1, east), (0, 1), (-1, east), (-1, east - 1), (0, -1), (1, east - 1)]
    return [f"{row + up:02}{column + right:02}" for up, right in near]
