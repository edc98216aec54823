"""Staged games of the staff: what seldom comes up in games from the start is played here."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import hexwar
from hexwar.engine import Game, Sequencing
from hexwar.testing import position
from hexwar.testing.checks.pieces import PiecesAreConserved
from hexwar.testing.oracles import Field
from hexwar.testing.watch import Check, Survey, observe, random_decisions
from hexwar_tow.kit import staff
from hexwar_tow.kit.staff_checks import WATCHES

DECISIONS = 150
"""How far a staged game is followed: about a turn."""


def staged(key: str) -> Game:
    """A turn in the middle of the war, with the armies thrown together around some front; the same key gives the same one."""
    chance = random.Random(key)
    scenario = chance.choice(("race", "campaign", "campaign"))
    world = hexwar.new_game("tow", scenario, seed=0, options={"auto-setup": True}).world
    places = _scattered(world, chance)
    cities = {label for place in world.board.places if place.kind == "major-city" for label in place.hexes}
    soviet = {label for unit, label in places.items() if unit.startswith("sov") and label in cities}
    free = cities - soviet - {label for unit, label in places.items() if not unit.startswith("sov")}
    soviet |= {label for label in sorted(free) if chance.random() < 0.3}
    turn = chance.randint(2, staff.LAST_TURN[scenario])
    field = Field(world, places, {unit: world.units[unit].steps for unit in places}, {}, turn)
    points = [label for label in world.board.areas["crossing points"] if staff.gains(field, label, turn) or chance.random() < 0.3]
    drop = places.get("sov-18g", "")
    fighting = sorted(unit for unit in places if not world.units[unit].command)
    state = {
        "turn": turn,
        "phase": "next",
        "control": {label: "soviet" if label in soviet else "axis" for label in sorted(cities)},
        "orders": [label for label in world.printed.markers.supreme_command_orders if label not in soviet],
        "crossings": sorted(points),
        "landed": bool(drop),
        "airborne": drop,
        "groups": chance.randint(0, 6),
        "relocations": {side: chance.randint(0, 4) for side in world.sides},
        "supply": {unit: chance.choice(("out of supply", "isolated")) for unit in fighting if chance.random() < 0.08},
    }
    step = [Sequencing((1, 0))]
    return position("tow", scenario=scenario, units=places, step=step, state=state, seed=key)


def _scattered(world: Any, chance: random.Random) -> dict[str, str]:
    """Unit -> hex, for half of the units: the sides mixed where the front is, the Soviets more to the east."""
    board, front = world.board, chance.randint(12, 30)
    land = [label for label in board.labels if board.terrain(label) != "water"]
    reach = {"axis": range(front - 8, front + 3), "soviet": range(front - 3, front + 9)}
    stacks: dict[str, list[str]] = {}
    for unit, counter in world.units.items():
        if chance.random() < 0.5 or counter.start == "ukrainian fronts":
            continue
        near = [label for label in land if int(label[2:]) in reach[counter.side]]
        label = chance.choice(near)
        there = stacks.setdefault(label, [])
        leaders = sum(bool(world.units[other].command) for other in there)
        friends = all(world.units[other].side == counter.side for other in there)
        if friends and (not leaders if counter.command else len(there) - leaders < 2):
            there.append(unit)
    return {unit: label for label, there in stacks.items() for unit in there}


class StagedTurns(Survey):
    """Follows games that begin in a later turn."""

    id: ClassVar[str] = "staged-turns"
    sentence: ClassVar[str] = (
        "Games that begin in the middle of the war keep to the staff's literal rules, too (2 to 4, 7, 11 to 13)."
    )

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        for number in range(self.budget.probes if self.is_first else 0):
            key = f"{seed}|{number}"
            game = staged(key)
            watches = [kind(self.subject, self.budget) for kind in (*WATCHES, PiecesAreConserved)]
            for fault in observe(game, watches, random_decisions(random.Random(key), DECISIONS)):
                raise self.fail(f"game {key!r}, decision {len(fault.moves)}: {fault.error}")


STAFF_CHECKS: tuple[type[Check], ...] = (*WATCHES, StagedTurns)
"""In the order in which they are reported."""
