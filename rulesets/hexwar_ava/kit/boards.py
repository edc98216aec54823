"""Small maps: an open field for positions made by hand, and random ones with everything that the rules mention.

The field is the test board of 40 columns and 30 rows, all clear unless stated otherwise. Odd columns are half a hex
farther south: 1110 has the neighbours 1109, 1210, 1211, 1111, 1011 and 1010 (clockwise from the north), 1010 has 1009, 1109,
1110, 1011, 0910 and 0909. Games on it use the counters of the campaign.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hexwar.engine import Game, SeededChance, Sequencing, Step
from hexwar.mechanics import Declaring, HexWorld, Moving
from hexwar.testing import Budget, Subject, position, to_toml
from hexwar.testing.oracles import Places, Staging
from hexwar_ava.kit.rules import AXIS, MOVEMENT, PRINTED, SOVIET, SURPRISE
from hexwar_ava.supply import SupplyCheck

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
EMPTY: dict[str, list[str]] = {"supply axis": [], "supply soviet": [], "west of the start line": []}
"""The areas that every map has."""


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
    places = {"city": cities or {}, "major-city": major or {}}
    return to_toml(
        {
            "format": 1,
            "id": "field",
            "title": "A field",
            "grid": {"layout": "columns", "columns": columns, "rows": lines, "shifted": "even", "shift": "up", "prefix": prefix},
            "terrain": {"legend": LETTERS, "rows": "\n".join(" ".join(row) for row in rows)},
            "sides": {feature: list(labels) for feature, labels in (sides or {}).items()},
            "links": {"road": list(road), "rail": list(rail)},
            "place": [{"name": name, "kind": kind, "hex": it} for kind in places for name, it in places[kind].items()],
            "areas": {**EMPTY, **{name: list(labels) for name, labels in (areas or {}).items()}},
        }
    )


# -- random boards ----------------------------------------------------------------------------------------------------------

SIZE = (8, 7)
RESOLVING = (2, 1, 1)
"""Where in the sequence of play a drawn chit is resolved."""
UNITS = {
    AXIS: ("ger-1pz", "ger-36m", "ger-21", "ger-291", "ger-1mt", "ger-4pzg", "ger-1c", "rum-3a"),
    SOVIET: ("su-179", "su-11", "su-27a", "su-202m", "su-28t", "su-25c", "fort-l1", "fort-l2"),
}
TERRAIN = "......fFsm~."
"""Mostly open, so that there is somewhere to go."""
HEXES = [f"{column:02}{row:02}" for column in range(1, SIZE[0] + 1) for row in range(1, SIZE[1] + 1)]


def around(label: str) -> list[str]:
    """2.1.9: the neighbours of a hex on a random board, by the column's parity."""
    column, row = int(label[:2]), int(label[2:])
    beside = (row, row + 1) if column % 2 else (row - 1, row)
    found = [(column, row - 1), (column, row + 1), *((c, r) for c in (column - 1, column + 1) for r in beside)]
    return [f"{c:02}{r:02}" for c, r in found if 1 <= c <= SIZE[0] and 1 <= r <= SIZE[1]]


PAIRS = sorted({(min(a, b), max(a, b)) for a in HEXES for b in around(a)})


def random_board(chance: random.Random, line: int) -> str:
    """A map; west of the column `line` is the ground beyond the start line."""
    terrain = {label: chance.choice(TERRAIN) for label in HEXES}
    dry = [label for label in HEXES if terrain[label] != "~"]
    open_to = [label for label in dry if terrain[label] != "m"]
    cities = dict(zip((f"City {number}" for number in range(6)), chance.sample(open_to, 6), strict=True))
    major: dict[str, str] = {}
    for label in chance.sample(open_to, 4):
        taken = {*cities.values(), *" ".join(major.values()).split()}
        if not {label, *around(label)} & {*" ".join(major.values()).split()} and label not in taken:
            second = [near for near in around(label) if near in open_to and near not in taken and chance.random() < 0.3]
            second = [near for near in second if not {*around(near)} & taken - {*cities.values()}]
            major[f"Great City {label}"] = " ".join([label, *second[:1]])
    features: dict[str, list[str]] = {"minor-river": [], "major-river": [], "water": [], "start-line": []}
    links: dict[str, list[str]] = {"road": [], "rail": []}
    for a, b in PAIRS:
        joined = any({a, b} <= {*labels.split()} for labels in major.values())  # TEC.13
        kind = chance.choice(("", "", "", "", "minor-river", "major-river", "" if joined else "water"))
        if kind:
            features[kind].append(f"{a}|{b}")
        if (int(a[:2]) <= line) != (int(b[:2]) <= line):
            features["start-line"].append(f"{a}|{b}")
        for way in links if kind != "water" and "~" not in terrain[a] + terrain[b] else ():
            links[way] += [f"{a} {b}"] if joined or chance.random() < 0.4 else []
    areas = {
        "supply axis": sorted({*chance.choices(dry, k=3)}),
        "supply soviet": sorted(label for label in {*chance.choices(dry, k=2)} if int(label[:2]) > line),
        "supply moscow": sorted(label for label in {*chance.choices(dry, k=1)} if int(label[:2]) > line),
        "west of the start line": [label for label in HEXES if int(label[:2]) <= line],
    }
    ground = {label: letter for label, letter in terrain.items() if letter != "."}
    return field(
        ground, sides=features, road=links["road"], rail=links["rail"], cities=cities, major=major, areas=areas, size=SIZE
    )


def _movable(side: str, places: Places) -> tuple[str, ...]:
    return tuple(unit for unit in places if unit in UNITS[side] and not unit.startswith("fort"))


TEAMS, FALLEN, BUILDS = 6, 20, 3
"""One staged game in six has several players on each side, who have lost twenty units and now build fortresses."""
ENDING = {"controller": (3, 3), "master-cup": (4, 4)}
"""Where a turn of many players goes on after its chits."""


class AvaStaging(Staging):
    """Positions on random small boards, in which everything lies close together."""

    units = 99

    def games(self, budget: Budget) -> int:
        """How many are played."""
        return 4 * budget.probes

    def lone(self, world: HexWorld) -> list[str]:
        """10.7.2: there are two sorts of pursuers; the map of the training scenario has all sorts of ground."""
        return [unit for unit in ("ger-6pz", "ger-21") if unit in world.units and world.board.size < 1000]

    def team(self, subject: Subject, key: str) -> Game:
        """The Soviet part of a supply check (11.3, 14.1, 16.2.3) in the campaign, with several players on each side."""
        chance = random.Random(key)
        mode = chance.choice([*ENDING])
        options: dict[str, bool | str] = {"many-players": mode, "auto-setup": True}
        sides = {seating.id: [*seating.seats.values()] for seating in subject.info.seatings}
        seated = [name for name, seats in sides.items() if seats.count(SOVIET) > 1]
        there = replace(subject, scenario="campaign", options=options, seats=chance.choice(seated))
        game = there.start(key)
        state = game.state.copy()
        for unit in chance.sample([unit for unit, label in state.locations.items() if label in game.world.board], FALLEN):
            state.remove(unit)
        state.turn, state.phase = chance.randint(4, 9), "activation"
        state.stack[:] = [Sequencing(ENDING[mode]), SupplyCheck(BUILDS)]
        return Game(game.ruleset, game.world, state, SeededChance(key))

    def stage(self, subject: Subject, key: str) -> Game:
        """A move, a combat segment, a retreat or a pursuit of some side, or a chit that has just been drawn."""
        if self.is_every(key, TEAMS):
            return self.team(subject, key)
        chance = random.Random(key)
        line = chance.randrange(4)
        begun = position("ava", board=random_board(chance, line), scenario="campaign")
        world, side = begun.world, chance.choice((AXIS, SOVIET))
        places = self.thrown(world, chance, line)
        begin = chance.choice((self.move, self.declare, self.declare, self.retreat, self.pursuit, self.draw, self.draw))
        steps = begin(world, side, places, chance)
        held = {str(entry["at"]): world.units[unit].side for unit, entry in places.items()}
        owners = {label: chance.choice((owner, AXIS, SOVIET)) for label, owner in begun.state.control.items()}
        values = {
            "turn": chance.randint(1, 9),
            "phase": chance.choice(("combat", SURPRISE)) if side == AXIS else "combat",
            "control": {label: held.get(label, owner) for label, owner in owners.items()},
            "cup": ["supply"],
        }
        if steps:
            values |= {"active": list(_movable(side, places)), "retreated": [u for u in places if chance.random() < 0.2]}
            return self.placed(subject, world, places, [Sequencing(self.path), *steps], values, key, begun.source)
        leaders = [chit.id for chit in PRINTED.chits.values() if chit.activates in places]
        chit = chance.choice(("supply", f"{side}-reinforcements", *leaders))
        values |= {"phase": "command", "drawn": [chit], "cup": ["su-8a"] if chit == "supply" else ["supply"]}
        return self.placed(subject, world, places, [Sequencing(RESOLVING)], values, key, begun.source)

    def move(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> list[Step]:
        """A side moves."""
        return [Moving(world.seat_for(side), _movable(side, places))]

    def declare(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> list[Step]:
        """A side attacks."""
        return [Declaring(world.seat_for(side), _movable(side, places))]

    def draw(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> list[Step]:
        """A chit has been drawn."""
        return []

    def thrown(self, world: HexWorld, chance: random.Random, line: int) -> Places:
        """Most units somewhere where they can stand."""
        places: Places = {}
        stacks: dict[str, list[str]] = {}
        for side, units in UNITS.items():
            for unit in units:
                label, fort = chance.choice(HEXES), unit.startswith("fort")
                there = stacks.setdefault(label, [])
                alike = [other for other in there if other.startswith("fort") == fort]
                free = len(alike) < (1 if fort else 2) and all(other in units for other in there)
                dry = world.board.terrain(label) != "lake" and (side == AXIS or int(label[:2]) > line)
                if free and dry and chance.random() < 0.9:
                    there.append(unit)
                    places[unit] = {"at": label, "steps": chance.randint(1, world.units[unit].steps)}
        return places


STAGING = AvaStaging(MOVEMENT, (2, 1, 3))
