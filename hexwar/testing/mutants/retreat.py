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
from hexwar.testing.mutants.catalogue import Condition, Plant, bug, everywhere, in_world, wrapping
from hexwar.testing.mutants.combat import COMBAT, TABLE, converted

SHELTER = Condition("friends are no shelter on its retreats", lambda parts: not parts.overrides("retreat_hurts", CombatWorld))
RETREAT = Condition("it has no retreat of the mechanics", lambda parts: parts.has_step(Retreating))
AWAY = Condition("its retreats lead anywhere", lambda parts: parts.world.retreat_away)
OVERFLOW = Condition("its retreats never go on over full stacks", lambda parts: parts.world.retreat_overflow != 0)
PURSUIT = Condition("it has no pursuit of the mechanics", lambda parts: parts.has_step(Pursuing))
STOPS = Condition("nothing stops a pursuit", lambda parts: parts.overrides("stops_pursuit", CombatWorld))


def _set_in_world(name: str, change: Any) -> Plant:
    """Worlds have another value of an attribute once they are made."""

    def init(original: Any, self: Any, *given: Any, **named: Any) -> None:
        original(self, *given, **named)
        setattr(self, name, change(getattr(self, name)))

    return in_world("__init__", init)


def _retreat_friends_are_no_shelter(original: Any, self: CombatWorld, at: Any, unit: str, label: str) -> bool:
    return bool(original(self, at, unit, label)) or in_enemy_zone(at, self.units[unit].side, label)


def _retreat_the_worst_way(original: Any, *given: Any) -> list[RetreatOption]:
    options = retreat_options(*given)
    return [option for option in options if option.rank == options[-1].rank]


BUGS = (
    # -- retreat
    bug(
        "retreat-forgotten",
        "Nobody retreats.",
        converted(lambda found: replace(found, retreat=0)),
        COMBAT,
        TABLE,
        RETREAT,
        likely="losses-are-right",
    ),
    bug(
        "retreat-too-far",
        "A retreat is a hex longer than the result says.",
        converted(lambda found: replace(found, retreat=found.retreat + 1) if found.retreat else found),
        COMBAT,
        TABLE,
        RETREAT,
        likely="retreats-are-right",
    ),
    bug(
        "retreat-through-zones-is-free",
        "Enemy zones on a retreat cost nothing.",
        in_world("retreat_hurts", lambda original, self, at, unit, label: False),
        COMBAT,
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-friends-are-no-shelter",
        "A zone on a retreat costs a step although a friend is there.",
        in_world("retreat_hurts", _retreat_friends_are_no_shelter),
        COMBAT,
        RETREAT,
        SHELTER,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-costs-are-not-paid",
        "A unit loses no step on its retreat, whatever its way costs.",
        wrapping(hexwar.mechanics.retreat, "lose_step", lambda original, play, unit, topic: None),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-any-way",
        "A unit may retreat by any way, and not only by the best.",
        everywhere(best_retreats, lambda original, *given: retreat_options(*given)),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-the-worst-way",
        "A unit must retreat by the worst way.",
        everywhere(best_retreats, _retreat_the_worst_way),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-sideways",
        "A retreat need not lead away from where it began.",
        _set_in_world("retreat_away", lambda away: False),
        RETREAT,
        AWAY,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-through-enemies",
        "A retreat leads through enemy units.",
        wrapping(Movement, "can_enter", lambda original, self, *given: self.can_step(*given)),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "stacking-forgotten-in-retreat",
        "A retreat may end in a full hex.",
        in_world("has_retreat_room", lambda original, self, at, unit, label: True),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-stops-at-full-stacks",
        "A retreat that finds no room does not go on.",
        _set_in_world("retreat_overflow", lambda overflow: 0),
        RETREAT,
        OVERFLOW,
        likely=("staged-games-agree", "retreats-are-right"),
    ),
    bug(
        "no-way-out-does-no-harm",
        "A unit that cannot retreat stays where it is.",
        wrapping(hexwar.mechanics.retreat, "eliminate", lambda original, play, unit, topic: None),
        RETREAT,
        likely=("staged-games-agree", "losses-are-right"),
    ),
    # -- pursuit
    bug(
        "pursuit-too-far",
        "Every arm pursues a hex farther.",
        _set_in_world("pursuit_range", lambda ranges: {arm: hexes + 1 for arm, hexes in ranges.items()}),
        PURSUIT,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "pursuit-forgotten",
        "Nobody pursues.",
        everywhere(pursuit_paths, lambda original, at, unit, target: []),
        PURSUIT,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "pursuit-never-stops",
        "Nothing on the ground stops a pursuit.",
        in_world("stops_pursuit", lambda original, self, at, unit, origin, target: False),
        PURSUIT,
        STOPS,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "pursuit-into-enemies",
        "A pursuit leads into hexes with enemies.",
        wrapping(Movement, "can_enter", lambda original, self, *given: self.can_step(*given)),
        PURSUIT,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "stacking-forgotten-in-pursuit",
        "A pursuit may end in a full hex.",
        wrapping(hexwar.mechanics.pursuit, "has_room", lambda original, at, unit, label: True),
        PURSUIT,
        likely=("staged-games-agree", "pursuits-are-right"),
    ),
)
