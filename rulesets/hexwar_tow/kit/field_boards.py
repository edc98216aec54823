"""Small maps and positions made by hand, and random ones with everything that the rules of the field speak of.

Games on such maps use the counters of the campaign.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hexwar.engine import Game, RandomSource, Sequencing, Step
from hexwar.mechanics import Attacking, Battle, Outcome
from hexwar.mechanics.combat import Aftermath, Fighting
from hexwar.testing.dice import Lot
from hexwar.testing.positions import position
from hexwar_tow.kit.ground import ground as make_ground
from hexwar_tow.kit.ground import neighbours
from hexwar_tow.relocation import Marching
from hexwar_tow.supply import SupplyCheck

SIZE = (10, 14)
"""Rows and columns of a field."""
SELECTION = (1, 2)
"""Where the sequence of play goes on: with the selection of chits, before which nothing happens by itself."""


def ground(terrain: Mapping[str, str] | None = None, *, size: tuple[int, int] = SIZE, **more: Any) -> str:
    """A map as text; see `hexwar_tow.kit.ground`."""
    return make_ground(terrain, size=size, **more)


def around(label: str, size: tuple[int, int] = SIZE) -> list[str]:
    """The hexes around one on a map of some size, clockwise from the north-east."""
    return [near for near in neighbours(label) if 1 <= int(near[:2]) <= size[0] and 1 <= int(near[2:]) <= size[1]]


def walls(label: str, *doors: str) -> list[str]:
    """All hexsides of a hex but those to some others."""
    return [f"{label}|{near}" for near in around(label) if near not in doors]


def scene(
    units: Mapping[str, str],
    *steps: Step,
    board: str | None = None,
    dice: Iterable[int | Lot] | RandomSource | None = (),
    reduced: Iterable[str] = (),
    seed: int | str = 0,
    **state: Any,
) -> Game:
    """A game in a hand-made position of the campaign.

    Args:
        units: unit -> hex or box.
        steps: what waits, the current step last; then chits are selected.
        board: a map, as `ground` makes it; None for an open field.
        dice: what will be rolled; None for the dice of the seed.
        reduced: units that have lost a step.
        seed: see `dice`.
        state: other fields of the state; it is turn 1 unless they say otherwise.
    """
    weak = set(reduced)
    places: dict[str, str | Mapping[str, object]] = {
        unit: {"at": label, "steps": 1} if unit in weak else label for unit, label in units.items()
    }
    return position(
        "tow",
        units=places,
        step=[Sequencing(SELECTION), *steps],
        dice=dice,
        scenario="campaign",
        board=ground() if board is None else board,
        seed=seed,
        state={"turn": 1, "phase": "movement", **state},
    )


# -- random positions ----------------------------------------------------------------------------------------------------------

RANDOM_SIZE = (7, 8)
AXIS = ("ger-112", "ger-68", "ger-11pz", "ger-10pg", "ger-213sec", "rom-24", "ger-19pz", "ger-75", "ger-4pza", "ger-8a")
SOVIET = ("sov-51", "sov-50", "sov-2tk", "sov-3m", "sov-18g", "sov-4gc", "sov-52", "sov-10tk", "sov-voronezh", "sov-steppe")
TERRAIN = "......^^s~"
"""Mostly open, so that there is somewhere to go."""
OUTCOMES = (
    Outcome("R", retreat=1),
    Outcome("R", retreat=1),
    Outcome("RR", retreat=2),
    Outcome("RR", retreat=2),
    Outcome("1RR", defender=1, retreat=2),
    Outcome("2RR", defender=2, retreat=2),
    Outcome("A2", attacker=2),
)
"""10.3.3: results after which somebody has to do something."""
FEATURES = ("", "", "", "", "minor-river", "major-river", "major-river", "blocked")
HEXES = [f"{row:02}{column:02}" for row in range(1, RANDOM_SIZE[0] + 1) for column in range(1, RANDOM_SIZE[1] + 1)]
PAIRS = sorted({(min(a, b), max(a, b)) for a in HEXES for b in around(a, RANDOM_SIZE)})


def random_ground(chance: random.Random) -> tuple[str, list[str], list[str]]:
    """A random map, its dry hexes and its major cities."""
    letters = {label: chance.choice(TERRAIN) for label in HEXES}
    dry = [label for label in HEXES if letters[label] != "~"]
    named = chance.sample(dry, 5)
    sides: dict[str, list[str]] = {}
    links: dict[str, list[str]] = {"road": [], "rail": []}
    for a, b in PAIRS:
        feature = chance.choice(FEATURES)
        if "~" in letters[a] + letters[b] and feature != "blocked":
            feature = ""
        if feature:
            sides.setdefault(feature, []).append(f"{a}|{b}")
        if feature != "blocked" and a in dry and b in dry:
            for kind, share in (("road", 0.3), ("rail", 0.12)):
                if chance.random() < share:
                    links[kind].append(f"{a} {b}")
    text = ground(
        letters,
        sides=sides,
        road=links["road"],
        rail=links["rail"],
        towns={f"Town {number}": label for number, label in enumerate(named[:3])},
        cities={f"City {number}": label for number, label in enumerate(named[3:])},
        areas={"supply axis": chance.sample(dry, 2), "supply soviet": chance.sample(dry, 2)},
        size=RANDOM_SIZE,
    )
    return text, dry, named[3:]


def random_scene(key: str) -> Game:
    """A random map with units of both sides close together: one side moves and attacks, then supply is checked."""
    chance = random.Random(key)
    text, dry, cities = random_ground(chance)
    near = chance.sample(dry, min(len(dry), chance.randint(9, 20)))
    stacks: dict[str, list[str]] = {}
    units: dict[str, str] = {}
    for unit in chance.sample(AXIS + SOVIET, len(AXIS + SOVIET)):
        label = chance.choice(list(stacks) if stacks and chance.random() < 0.45 else near)
        there = stacks.get(label, [])
        leaders = [other for other in there if other in LEADERS]
        full = bool(leaders) if unit in LEADERS else len(there) - len(leaders) > 1
        if chance.random() < 0.9 and not full and all((other in AXIS) == (unit in AXIS) for other in there):
            stacks.setdefault(label, []).append(unit)
            units[unit] = label
    side, mine = chance.choice((("axis", AXIS), ("soviet", SOVIET)))
    active = tuple(unit for unit in units if unit in mine)
    held = {label: "soviet" for unit, label in units.items() if label in cities and unit in SOVIET}
    control = {label: held.get(label, chance.choice(("axis", "soviet"))) for label in cities}
    control.update({label: "axis" for unit, label in units.items() if label in cities and unit in AXIS})
    free = [label for label in dry if not any(unit in AXIS for unit in stacks.get(label, ()))]
    landing = chance.choice(free) if chance.random() < 0.3 else ""
    marked = {unit: chance.choice(("out of supply", "isolated")) for unit in units if unit not in LEADERS}
    steps: list[Step] = [SupplyCheck(), Attacking(side, active)]
    begun = chance.random()
    if begun < 0.25:
        steps.append(Marching(side, active))
    elif begun < 0.75:
        steps += _battle(side, active, units, stacks, cities, chance)
    return scene(
        units,
        *steps,
        board=text,
        dice=None,
        reduced=[unit for unit in units if unit not in ONE_STEP and chance.random() < 0.35],
        seed=key,
        active=list(active),
        control=control,
        orders=[label for label in cities if control[label] == "axis" and chance.random() < 0.5],
        supply={unit: marker for unit, marker in marked.items() if chance.random() < 0.35},
        luftwaffe={"axis": ["off", "def"]},
        sorties=2,
        airborne=landing,
        landed=bool(landing),
    )


def _battle(
    side: str,
    active: Sequence[str],
    units: Mapping[str, str],
    stacks: Mapping[str, Sequence[str]],
    cities: Sequence[str],
    chance: random.Random,
) -> list[Step]:
    """A battle whose die is not rolled yet, mostly over a city, or one that has just had a result; none without neighbours."""
    near = {label: [unit for unit in active if units[unit] in around(label, RANDOM_SIZE)] for label in stacks}
    targets = [label for label, able in near.items() if able and stacks[label][0] not in active]
    if not targets:
        return []
    rolled = chance.random() < 0.7
    wanted = [label for label in targets if label in cities and not rolled] or targets
    target = chance.choice(wanted)
    battle = Battle(side, target, tuple(chance.sample(near[target], chance.randint(1, len(near[target])))))
    return [Aftermath(side, battle, chance.choice(OUTCOMES)) if rolled else Fighting(side, battle)]


LEADERS = ("ger-4pza", "ger-8a", "sov-voronezh", "sov-steppe")
ONE_STEP = (*LEADERS, "ger-213sec")
