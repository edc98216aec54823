"""Small maps and positions made by hand: an open field with a few counters, and one step that waits.

The field is the test board of 40 columns and 30 rows, all clear, unless somebody says otherwise. Odd columns are half a hex
farther south: 1110 has the neighbours 1109, 1210, 1211, 1111, 1011 and 1010 (clockwise from the north), 1010 has 1009, 1109,
1110, 1011, 0910 and 0909. Games on it use the counters of the campaign.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hexwar.engine import Game, RandomSource, Sequencing, Step
from hexwar.mechanics import Moving
from hexwar.testing.dice import Lot
from hexwar.testing.positions import position

LETTERS = {
    ".": "clear",
    "f": "light-forest",
    "F": "dense-forest",
    "s": "swamp",
    "m": "mountain",
    "~": "lake",
    "=": "sea",
}
COLUMNS, ROWS = 40, 30


def field(
    terrain: Mapping[str, str] | None = None,
    *,
    land: Iterable[str] = (),
    sides: Mapping[str, Iterable[str]] | None = None,
    road: Iterable[str] = (),
    rail: Iterable[str] = (),
    cities: Mapping[str, str] | None = None,
    major: Mapping[str, str] | None = None,
    areas: Mapping[str, Iterable[str]] | None = None,
    size: tuple[int, int] = (COLUMNS, ROWS),
    prefix: str = "",
) -> str:
    """A map as text.

    Args:
        terrain: hex -> letter of `LETTERS`.
        land: if given, everything that is neither here nor in `terrain` is a lake.
        sides: feature ("major-river", "minor-river", "water", "start-line") -> hexsides such as "1110|1111" or "1110/N".
        road: chains of hexes, such as "1010 1110 1210".
        rail: the same.
        cities: name -> hex.
        major: name of a major city -> its hexes, separated by blanks.
        areas: name ("supply axis", "supply soviet", "supply moscow", "west of the start line") -> hexes.
        size: columns and rows.
        prefix: the letter of a printed map before each number, which everything above then has as well.
    """
    columns, lines = size
    dry = set(land)
    rows = [["~" if dry else "."] * columns for _ in range(lines)]
    letters = {**dict.fromkeys(dry, "."), **(terrain or {})}
    for hex, letter in letters.items():
        label = hex.removeprefix(prefix)
        rows[int(label[2:]) - 1][int(label[:2]) - 1] = letter
    picture = "\n".join(" ".join(row) for row in rows)
    places = "".join(f'[[place]]\nname = "{name}"\nkind = "city"\nhex = "{label}"\n' for name, label in (cities or {}).items())
    places += "".join(
        f'[[place]]\nname = "{name}"\nkind = "major-city"\nhex = "{labels}"\n' for name, labels in (major or {}).items()
    )
    zones = {"supply axis": [], "supply soviet": [], "west of the start line": [], **(areas or {})}
    legend = ", ".join(f'"{letter}" = "{name}"' for letter, name in LETTERS.items())
    return f'''format = 1
id = "field"
title = "A field"
[grid]
layout = "columns"
columns = {columns}
rows = {lines}
shifted = "even"
shift = "up"
prefix = "{prefix}"
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
{"".join(f'"{name}" = {list(labels)}{chr(10)}' for name, labels in zones.items())}
'''


def between(west: int, rows: int = ROWS) -> list[str]:
    """All hexsides between a column and the next, for `sides` of a field with so many rows."""
    first = 0 if west % 2 else -1
    pairs = [(number, other) for number in range(1, rows + 1) for other in (number + first, number + first + 1)]
    return [f"{west:02}{number:02}|{west + 1:02}{other:02}" for number, other in pairs if 1 <= other <= rows]


def scene(
    units: Mapping[str, str],
    *steps: Step,
    board: str | None = None,
    scenario: str = "campaign",
    dice: Iterable[int | Lot] | RandomSource = (),
    reduced: Iterable[str] = (),
    options: Mapping[str, bool | str] | None = None,
    path: tuple[int, ...] = (2, 1, 3),
    **state: Any,
) -> Game:
    """A game in a hand-made position.

    Args:
        units: unit -> hex or box.
        steps: what waits, the current step last.
        board: a map, as `field` makes it; None for an open field, "" for the scenario's own board.
        scenario: whose counters and numbers are used.
        dice: dice and lots, as `ScriptedDice` takes them.
        reduced: units that have lost a step.
        options: options that are on.
        path: where in the sequence of play the game goes on after the steps; by default with the combat segment of a chit.
        state: other fields of the state; it is turn 1 and the phase is "movement" unless they say otherwise.
    """
    places = {unit: {"at": label, **({"steps": 1} if unit in set(reduced) else {})} for unit, label in units.items()}
    return position(
        "ava",
        units=places,
        step=[Sequencing(path), *steps],
        dice=dice,
        scenario=scenario,
        options=options,
        board=(field() if board is None else board) or None,
        state={"turn": 1, "phase": "movement", **state},
    )


# -- random boards with everything that the rules speak of -----------------------------------------------------------------------

RANDOM_SIZE = (8, 7)
AXIS_UNITS = ("ger-1pz", "ger-36m", "ger-21", "ger-291", "ger-1mt", "ger-4pzg", "ger-1c", "rum-3a")
SOVIET_UNITS = ("su-179", "su-11", "su-27a", "su-202m", "su-28t", "su-25c", "fort-l1", "fort-l2")
TERRAIN = "......fFsm~."
"""A letter for each number; mostly open, so that there is somewhere to go."""


def _name(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


HEXES = [_name(column, row) for column in range(1, RANDOM_SIZE[0] + 1) for row in range(1, RANDOM_SIZE[1] + 1)]


def around(label: str) -> list[str]:
    """2.1.9: the neighbours of a hex on a random board, by the column's parity."""
    column, row = int(label[:2]), int(label[2:])
    beside = (row, row + 1) if column % 2 else (row - 1, row)
    found = [(column, row - 1), (column, row + 1), *((c, r) for c in (column - 1, column + 1) for r in beside)]
    return [_name(c, r) for c, r in found if 1 <= c <= RANDOM_SIZE[0] and 1 <= r <= RANDOM_SIZE[1]]


PAIRS = sorted({(min(a, b), max(a, b)) for a in HEXES for b in around(a)})


def _make(ground: bytes, sides: bytes, links: bytes, marks: bytes, line: int) -> tuple[str, set[str]]:
    """A map from random numbers, and its water. West of the column `line` is the ground beyond the start line."""
    terrain = {label: TERRAIN[number % len(TERRAIN)] for label, number in zip(HEXES, ground, strict=True)}
    cities: dict[str, str] = {}
    major: dict[str, str] = {}
    for n, number in enumerate(marks[:10]):
        label = HEXES[number % len(HEXES)]
        if terrain[label] in "~m" or label in cities.values() or label in " ".join(major.values()):
            continue
        if n < 6:
            cities[f"City {n}"] = label
        elif n < 9 and not set(around(label)) & set(" ".join(major.values()).split()):
            second = [near for near in around(label) if terrain[near] not in "~m" and near not in cities.values()]
            second = [near for near in second if not set(around(near)) & set(" ".join(major.values()).split())]
            major[f"Great City {n}"] = f"{label} {second[0]}" if n == 8 and second else label
    features: dict[str, list[str]] = {"minor-river": [], "major-river": [], "water": [], "start-line": []}
    roads, rails = [], []
    great = [labels.split() for labels in major.values()]
    for (a, b), side, link in zip(PAIRS, sides, links, strict=True):
        wet = "~" in terrain[a] + terrain[b]
        kind = ("", "", "", "minor-river", "major-river", "", "water")[side % 7]
        joined = any(a in labels and b in labels for labels in great)  # TEC.13
        kind = "" if joined and kind == "water" else kind
        if kind:
            features[kind].append(f"{a}|{b}")
        if (int(a[:2]) <= line) != (int(b[:2]) <= line):
            features["start-line"].append(f"{a}|{b}")
        if not wet and kind != "water":
            if link % 5 in (1, 3) or joined:
                roads.append(f"{a} {b}")
            if link % 5 in (2, 3) or joined:
                rails.append(f"{a} {b}")
    dry = [label for label in HEXES if terrain[label] != "~"]
    axis = sorted({dry[number % len(dry)] for number in marks[10:13]})
    soviet = sorted({label for number in marks[13:15] if int((label := dry[number % len(dry)])[:2]) > line})
    west = [label for label in HEXES if int(label[:2]) <= line]
    text = field(
        {label: letter for label, letter in terrain.items() if letter != "."},
        sides={kind: labels for kind, labels in features.items() if labels},
        road=roads,
        rail=rails,
        cities=cities,
        major=major,
        areas={"supply axis": axis, "supply soviet": soviet, "west of the start line": west},
        size=RANDOM_SIZE,
    )
    return text, set(HEXES) - set(dry)


def random_scene(number: Callable[[int], bytes], line: int, *, surprise: bool) -> Game:
    """A random board with units of both sides, those of the Axis in the middle of their move.

    Args:
        number: so many random bytes.
        line: the column west of which the ground beyond the start line is.
        surprise: whether it is the phase of the surprise attack.
    """
    size = len(PAIRS)
    ground, sides, links, marks, places = number(len(HEXES)), number(size), number(size), number(15), number(32)
    text, water = _make(ground, sides, links, marks, line)
    units: dict[str, str] = {}
    holder: dict[str, list[str]] = {}
    for unit, place in zip((*AXIS_UNITS, *SOVIET_UNITS), places[:16], strict=True):
        label = HEXES[place % len(HEXES)]
        soviet, fort = unit in SOVIET_UNITS, unit.startswith("fort")
        here = holder.setdefault(label, [])
        heads = [other for other in here if not other.startswith("fort")]
        mixed = any((other in SOVIET_UNITS) != soviet for other in here)
        full = any(other.startswith("fort") for other in here) if fort else len(heads) > 1
        if place % 5 == 4 or label in water or mixed or full or (soviet and int(label[:2]) <= line):
            continue
        units[unit] = label
        here.append(unit)
    if not any(unit in AXIS_UNITS for unit in units):
        units["ger-21"] = next(label for label in HEXES if label not in water and not holder.get(label))
    reduced = [unit for unit, place in zip(units, places[16:], strict=False) if place % 3 == 0]
    axis = tuple(unit for unit in units if unit in AXIS_UNITS)
    retreated = [unit for unit, place in zip(units, places[16:], strict=False) if place % 4 == 0]
    phase = "surprise" if surprise else "movement"
    return scene(units, Moving("axis", axis), board=text, reduced=reduced, phase=phase, retreated=retreated)


def seeded_scene(key: str) -> Game:
    """A random position that depends on a key alone."""
    chance = random.Random(key)
    return random_scene(chance.randbytes, chance.randrange(4), surprise=chance.random() < 0.5)
