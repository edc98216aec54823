"""Positions to begin with: small random maps with everything in the rules of the field, and the middle of the war."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import hexwar
from hexwar.engine import Game, Sequencing, Step
from hexwar.mechanics import Aftermath, Attacking, Battle, Fighting
from hexwar.pieces import Outcome
from hexwar.testing import Budget, Subject, position, to_toml
from hexwar.testing.oracles import Staging
from hexwar_tow.kit.rules import CITY, HQ, STACKING, TowField
from hexwar_tow.kit.staff import LAST_TURN, gains
from hexwar_tow.relocation import Marching

ROWS, COLUMNS = 7, 8
HEXES = [f"{row:02}{column:02}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)]
GRID = {"layout": "rows", "columns": COLUMNS, "rows": ROWS, "shifted": "odd", "shift": "east", "order": "rows-first"}
LEGEND = {".": "clear", "^": "rough", "s": "marsh", "~": "water"}
FEATURES = ("", "", "", "", "minor-river", "major-river", "major-river", "blocked")
UNITS = [
    "ger-112",
    "ger-68",
    "ger-11pz",
    "ger-10pg",
    "ger-213sec",
    "rom-24",
    "ger-19pz",
    "ger-75",
    "ger-4pza",
    "ger-8a",
    "sov-51",
    "sov-50",
    "sov-2tk",
    "sov-3m",
    "sov-18g",
    "sov-4gc",
    "sov-52",
    "sov-10tk",
    "sov-voronezh",
    "sov-steppe",
]
OUTCOMES = (("R", 0, 0, 1), ("R", 0, 0, 1), ("RR", 0, 0, 2), ("RR", 0, 0, 2), ("1RR", 0, 1, 2), ("2RR", 0, 2, 2), ("A2", 2, 0, 0))
"""10.3.3: results after which a player must decide."""
NEXT_CHIT, RESOLVING, NEXT_TURN = (1, 3, 1), (1, 3, 2), (1, 0)
"""Where the sequence of play goes on."""


def near(label: str) -> list[str]:
    """The hexes around one on a small map."""
    row, column = int(label[:2]), int(label[2:])
    east = row % 2
    found = [(1, east), (0, 1), (-1, east), (-1, east - 1), (0, -1), (1, east - 1)]
    return [it for up, right in found if (it := f"{row + up:02}{column + right:02}") in HEXES]


def random_map(chance: random.Random) -> tuple[str, list[str], list[str]]:
    """A small map, mostly open, so that there is somewhere to go; its dry hexes, and its cities."""
    letters = {label: chance.choice("......^^s~") for label in HEXES}
    dry = [label for label in HEXES if letters[label] != "~"]
    cover = [label for label in dry if letters[label] in "^s"]
    named = [*chance.sample(cover, 2), *chance.sample([label for label in dry if label not in cover], 3)]
    sides: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {"road": [], "rail": []}
    for a, b in [(here, there) for here in HEXES for there in near(here) if here < there]:
        feature, land = chance.choice(FEATURES), a in dry and b in dry
        if feature == "blocked" or (feature and land):
            sides.setdefault(feature, []).append(f"{a}|{b}")
        for kind, share in (("road", 0.3), ("rail", 0.12)):
            if land and feature != "blocked" and chance.random() < share:
                links[kind].append(f"{a} {b}")
    picture = "".join(letters[label] for label in HEXES)
    rows = [picture[row * COLUMNS : (row + 1) * COLUMNS] for row in reversed(range(ROWS))]
    board = {
        "format": 1,
        "id": "field",
        "grid": {**GRID, "rows_from": "south"},
        "terrain": {"legend": LEGEND, "rows": "\n".join(rows)},
        "sides": sides,
        "links": links,
        "place": [{"name": it, "kind": "town" if it in named[:3] else CITY, "hex": it} for it in named],
        "areas": {f"supply {side}": chance.sample(dry, 2) for side in ("axis", "soviet")},
    }
    return to_toml(board), dry, named[3:]


@cache
def printed(scenario: str) -> Any:
    """The map and the counters of a scenario."""
    return hexwar.new_game("tow", scenario, seed=0, options={"auto-setup": True}).world


CALLS = 9
"""One staged game in this many begins with a Soviet chit that brings units."""


class TowStaging(Staging):
    """Most games begin on a small map, some in the middle of the war."""

    def games(self, budget: Budget) -> int:
        """How many are played."""
        return {"quick": 52, "ci": 240, "nightly": 20_000}[budget.tier]

    def actions(self, game: Game) -> int:
        """About an operation on a small map, about a turn on a large one."""
        return 40 if len(game.world.board.labels) == len(HEXES) else 150

    def lone(self, world: Any) -> list[str]:
        """None: the maps are large, and the small ones have everything."""
        return []

    def stage(self, subject: Subject, key: str) -> Game:
        """A game in some position; the same key gives the same one."""
        chance = random.Random(key)
        scenario, begin = ("campaign", self.field) if chance.randrange(13) else (chance.choice(("race", "campaign")), self.war)
        if self.is_every(key, CALLS):
            scenario, begin = "campaign", self.call
        units, values = begin(printed(scenario), chance)
        return position("tow", scenario=scenario, units=units, seed=key, **values)

    def thrown(
        self, world: Any, units: Iterable[str], hexes: Mapping[str, Sequence[str]], chance: random.Random
    ) -> dict[str, str]:
        """Unit -> hex: units on the hexes of their side, as far as there is room; nearly half of them preferably with others."""
        bare, stacks = TowField(world, {}, {}, {}), dict[str, list[str]]()
        for unit in units:
            side = world.units[unit].side
            label = chance.choice(list(stacks) if stacks and chance.random() < 0.45 else hexes[side])
            there = stacks.get(label, [])
            if STACKING.fits(bare, [*there, unit], label) and all(world.units[other].side == side for other in there):
                stacks.setdefault(label, []).append(unit)
        return {unit: label for label, there in stacks.items() for unit in there}

    def field(self, world: Any, chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both sides close together on a random map: one side moves and attacks, then supply is checked."""
        text, dry, cities = random_map(chance)
        crowd = chance.sample(dry, min(len(dry), chance.randint(9, 20)))
        able = [unit for unit in chance.sample(UNITS, len(UNITS)) if chance.random() < 0.9]
        places = self.thrown(world, able, {"axis": crowd, "soviet": crowd}, chance)
        counters = {unit: world.units[unit] for unit in places}
        side, held = chance.choice(("axis", "soviet")), {label: counters[unit].side for unit, label in places.items()}
        active = tuple(unit for unit in places if counters[unit].side == side)
        control = {label: held.get(label) or chance.choice(("axis", "soviet")) for label in cities}
        landing = chance.choice([label for label in dry if held.get(label) != "axis"]) if chance.random() < 0.3 else ""
        marked = [unit for unit in places if counters[unit].arm != HQ and chance.random() < 0.35]
        reduced = [unit for unit in places if counters[unit].steps > 1 and chance.random() < 0.35]
        state = {
            "turn": 1,
            "phase": "combat",
            "mode": "move-combat",
            "active": active,
            "cup": ["supply"],
            "control": control,
            "orders": [label for label in cities if control[label] == "axis" and chance.random() < 0.5],
            "supply": {unit: chance.choice(("out of supply", "isolated")) for unit in marked},
            "luftwaffe": {"axis": ["off", "def"]},
            "sorties": 2,
            "airborne": landing,
            "landed": bool(landing),
        }
        steps = [Sequencing(NEXT_CHIT), Attacking(side, active), *self.begun(side, active, places, cities, chance)]
        units = {unit: {"at": label, "steps": 1} if unit in reduced else {"at": label} for unit, label in places.items()}
        return units, {"board": text, "step": steps, "state": state}

    def call(self, world: Any, chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
        """The Soviets have drawn a chit that brings a group; of those called before, some, all or none have come already."""
        units, values = self.field(world, chance)
        groups, share = chance.randint(1, 7), chance.choice((0.4, 1))
        called = [f"soviet group {number}" for number in range(1, groups + 2)]
        waiting = [unit for unit, it in world.units.items() if it.start in called and not it.replacement and unit not in units]
        gone = {unit: {"at": "soviet eliminated"} for unit in waiting if chance.random() < share}
        state = {**values["state"], "phase": "draw", "mode": "", "active": [], "drawn": ["reinforcements"], "groups": groups}
        return {**units, **gone}, {**values, "state": state, "step": [Sequencing(RESOLVING)]}

    def begun(
        self, side: str, active: tuple[str, ...], places: Mapping[str, str], cities: Sequence[str], chance: random.Random
    ) -> list[Step]:
        """Nothing, a movement segment, a battle before its die, mostly over a city, or a battle that has had its result."""
        enemies = {label: [u for u in active if places[u] in near(label)] for u, label in places.items() if u not in active}
        targets, sort = [label for label, able in enemies.items() if able], chance.random()
        if sort < 0.25 or (sort < 0.75 and not targets):
            return [Marching(side, active)]
        if sort >= 0.75:
            return []
        rolled = chance.random() < 0.7
        target = chance.choice([label for label in targets if label in cities and not rolled] or targets)
        able = enemies[target]
        battle = Battle.on(side, target, tuple(chance.sample(able, chance.randint(1, len(able)))))
        return [Aftermath(side, battle, Outcome(*chance.choice(OUTCOMES))) if rolled else Fighting(side, battle)]

    def war(self, world: Any, chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
        """A turn in the middle of the war, with half of the armies around some front, the Soviets more to the east."""
        board, front, turn = world.board, chance.randint(12, 30), chance.randint(2, LAST_TURN[world.setup.scenario])
        land = [label for label in board.labels if board.terrain(label) != "water"]
        zones = {"axis": range(front - 8, front + 3), "soviet": range(front - 3, front + 9)}
        hexes = {side: [label for label in land if int(label[2:]) in zone] for side, zone in zones.items()}
        able = [u for u, it in world.units.items() if chance.random() < 0.5 and it.start != "ukrainian fronts"]
        places = self.thrown(world, able, hexes, chance)
        cities = [label for place in board.places if place.kind == CITY for label in place.hexes]
        held = {label: world.units[unit].side for unit, label in places.items()}
        control = {label: held.get(label) or ("soviet" if chance.random() < 0.3 else "axis") for label in cities}
        field = TowField(world, places, {unit: world.units[unit].steps for unit in places}, {}, turn)
        marked = [unit for unit in places if world.units[unit].arm != HQ and chance.random() < 0.08]
        state = {
            "turn": turn,
            "phase": "next",
            "control": control,
            "orders": [label for label in world.printed.markers.supreme_command_orders if control[label] == "axis"],
            "crossings": sorted(it for it in board.areas["crossing points"] if gains(field, it) or chance.random() < 0.3),
            "airborne": places.get("sov-18g", ""),
            "landed": "sov-18g" in places,
            "groups": chance.randint(0, 6),
            "relocations": {side: chance.randint(0, 4) for side in world.sides},
            "supply": {unit: chance.choice(("out of supply", "isolated")) for unit in marked},
        }
        return dict(places), {"step": [Sequencing(NEXT_TURN)], "state": state}
