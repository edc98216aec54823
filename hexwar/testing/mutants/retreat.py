"""Bugs of retreat and pursuit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hexwar.mechanics.pursuit
import hexwar.mechanics.retreat
import hexwar.mechanics.retreat_paths
from hexwar.mechanics import CombatWorld, Movement, Pursuing, Retreating, RetreatOption, in_enemy_zone
from hexwar.mechanics.pursuit import pursuit_paths
from hexwar.mechanics.retreat_paths import best_retreats, retreat_options
from hexwar.testing.mutants.catalogue import Condition, Parts, bug
from hexwar.testing.mutants.combat import COMBAT, TABLE, converted
from hexwar.testing.mutation import Patch

SHELTER = Condition("friends are no shelter on its retreats", lambda parts: not parts.overrides("retreat_hurts", CombatWorld))
RETREAT = Condition("it has no retreat of the mechanics", lambda parts: parts.has_step(Retreating))
AWAY = Condition("its retreats lead anywhere", lambda parts: parts.world.retreat_away)
OVERFLOW = Condition("its retreats never go on over full stacks", lambda parts: parts.world.retreat_overflow != 0)
PURSUIT = Condition("it has no pursuit of the mechanics", lambda parts: parts.has_step(Pursuing))
STOPS = Condition("nothing stops a pursuit", lambda parts: parts.overrides("stops_pursuit", CombatWorld))


def _set_in_world(patch: Patch, parts: Parts, name: str, change: Any) -> None:
    """Worlds have another value of an attribute once they are made."""

    def init(original: Any, self: Any, *given: Any, **named: Any) -> None:
        original(self, *given, **named)
        setattr(self, name, change(getattr(self, name)))

    patch.wrap(parts.world_type, "__init__", init)


# -- retreat ---------------------------------------------------------------------------------------------------------------


@bug("retreat-forgotten", "Nobody retreats.", COMBAT, TABLE, RETREAT, likely="losses-are-right")
def _(patch: Patch, parts: Parts) -> None:
    converted(patch, parts, lambda found: replace(found, retreat=0))


@bug("retreat-too-far", "A retreat is a hex longer than the result says.", COMBAT, TABLE, RETREAT, likely="retreats-are-right")
def _(patch: Patch, parts: Parts) -> None:
    converted(patch, parts, lambda found: replace(found, retreat=found.retreat + 1) if found.retreat else found)


@bug("retreat-through-zones-is-free", "Enemy zones on a retreat cost nothing.", COMBAT, RETREAT,
     likely=("retreats-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(parts.world_type, "retreat_hurts", lambda original, self, at, unit, label: False)


@bug("retreat-friends-are-no-shelter", "A zone on a retreat costs a step although a friend is there.", COMBAT, RETREAT, SHELTER,
     likely=("retreats-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def hurts(original: Any, self: CombatWorld, at: Any, unit: str, label: str) -> bool:
        return bool(original(self, at, unit, label)) or in_enemy_zone(at, self.units[unit].side, label)

    patch.wrap(parts.world_type, "retreat_hurts", hurts)


@bug("retreat-costs-are-not-paid", "A unit loses no step on its retreat, whatever its way costs.", RETREAT,
     likely=("retreats-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(hexwar.mechanics.retreat, "lose_step", lambda original, play, unit, topic: None)


@bug("retreat-any-way", "A unit may retreat by any way, and not only by the best.", RETREAT,
     likely=("retreats-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    patch.everywhere(best_retreats, lambda original, *given: retreat_options(*given))


@bug(
    "retreat-the-worst-way", "A unit must retreat by the worst way.", RETREAT, likely=("retreats-are-right", "staged-games-agree")
)
def _(patch: Patch, parts: Parts) -> None:
    def worst(original: Any, *given: Any) -> list[RetreatOption]:
        options = retreat_options(*given)
        return [option for option in options if option.rank == options[-1].rank]

    patch.everywhere(best_retreats, worst)


@bug("retreat-sideways", "A retreat need not lead away from where it began.", RETREAT, AWAY,
     likely=("retreats-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    _set_in_world(patch, parts, "retreat_away", lambda away: False)


@bug(
    "retreat-through-enemies",
    "A retreat leads through enemy units.",
    RETREAT,
    likely=("retreats-are-right", "staged-games-agree"),
)
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Movement, "can_enter", lambda original, self, *given: self.can_step(*given))


@bug(
    "stacking-forgotten-in-retreat",
    "A retreat may end in a full hex.",
    RETREAT,
    likely=("retreats-are-right", "staged-games-agree"),
)
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(parts.world_type, "has_retreat_room", lambda original, self, at, unit, label: True)


@bug("retreat-stops-at-full-stacks", "A retreat that finds no room does not go on.", RETREAT, OVERFLOW,
     likely=("staged-games-agree", "retreats-are-right"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    _set_in_world(patch, parts, "retreat_overflow", lambda overflow: 0)


@bug("no-way-out-does-no-harm", "A unit that cannot retreat stays where it is.", RETREAT,
     likely=("staged-games-agree", "losses-are-right"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(hexwar.mechanics.retreat, "eliminate", lambda original, play, unit, topic: None)


# -- pursuit ---------------------------------------------------------------------------------------------------------------


@bug("pursuit-too-far", "Every arm pursues a hex farther.", PURSUIT, likely=("pursuits-are-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    _set_in_world(patch, parts, "pursuit_range", lambda ranges: {arm: hexes + 1 for arm, hexes in ranges.items()})


@bug("pursuit-forgotten", "Nobody pursues.", PURSUIT, likely=("pursuits-are-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    patch.everywhere(pursuit_paths, lambda original, at, unit, target: [])


@bug("pursuit-never-stops", "Nothing on the ground stops a pursuit.", PURSUIT, STOPS,
     likely=("pursuits-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(parts.world_type, "stops_pursuit", lambda original, self, at, unit, origin, target: False)


@bug(
    "pursuit-into-enemies",
    "A pursuit leads into hexes with enemies.",
    PURSUIT,
    likely=("pursuits-are-right", "staged-games-agree"),
)
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Movement, "can_enter", lambda original, self, *given: self.can_step(*given))


@bug(
    "stacking-forgotten-in-pursuit",
    "A pursuit may end in a full hex.",
    PURSUIT,
    likely=("staged-games-agree", "pursuits-are-right"),
)
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(hexwar.mechanics.pursuit, "has_room", lambda original, at, unit, label: True)
