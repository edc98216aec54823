"""Bugs of retreat and pursuit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hexwar.mechanics._pursuit
import hexwar.mechanics._retreat
from hexwar.mechanics import Pursuing, PursuitRules, Reaches, Retreating, RetreatOption, RetreatRules
from tests.testing.planted_generic.catalogue import Condition, bug, in_part, wrapping
from tests.testing.planted_generic.combat import COMBAT, TABLE, converted

RETREAT = Condition("it has no retreat of the mechanics", lambda parts: parts.has_step(Retreating))
OVERFLOW = Condition("its retreats never go on over full stacks", lambda parts: parts.world.retreat.overflow != 0)
PURSUIT = Condition("it has no pursuit of the mechanics", lambda parts: parts.has_step(Pursuing))
STOPS = Condition("nothing stops a pursuit", lambda parts: parts.part_type("pursuit").stops is not PursuitRules.stops)


def _retreat_the_worst_way(original: Any, self: RetreatRules, *given: Any) -> list[RetreatOption]:
    options = self.options(*given)
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
        in_part("retreat", "hurts", lambda original, self, at, unit, label: False),
        COMBAT,
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-costs-are-not-paid",
        "A unit loses no step on its retreat, whatever its way costs.",
        wrapping(hexwar.mechanics._retreat, "lose_step", lambda original, play, unit, topic: None),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-any-way",
        "A unit may retreat by any way, and not only by the best.",
        in_part("retreat", "best", lambda original, self, *given: self.options(*given)),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-the-worst-way",
        "A unit must retreat by the worst way.",
        in_part("retreat", "best", _retreat_the_worst_way),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-through-enemies",
        "A retreat leads through enemy units.",
        wrapping(Reaches, "can_enter", lambda original, self, *given: self.can_step(*given)),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "stacking-forgotten-in-retreat",
        "A retreat may end in a full hex.",
        in_part("retreat", "has_room", lambda original, self, at, unit, label: True),
        RETREAT,
        likely=("retreats-are-right", "staged-games-agree"),
    ),
    bug(
        "retreat-stops-at-full-stacks",
        "A retreat that finds no room does not go on.",
        in_part("retreat", "ends", lambda original, *given: (way for way in original(*given) if not way.overflow)),
        RETREAT,
        OVERFLOW,
        likely=("staged-games-agree", "retreats-are-right"),
    ),
    bug(
        "no-way-out-does-no-harm",
        "A unit that cannot retreat stays where it is.",
        wrapping(hexwar.mechanics._retreat, "eliminate", lambda original, play, unit, topic: None),
        RETREAT,
        likely=("staged-games-agree", "losses-are-right"),
    ),
    # -- pursuit
    bug(
        "pursuit-too-far",
        "Every arm pursues a hex farther.",
        in_part("pursuit", "hexes", lambda original, self, arm: original(self, arm) + 1),
        PURSUIT,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "pursuit-forgotten",
        "Nobody pursues.",
        in_part("pursuit", "paths", lambda original, self, at, unit, target: []),
        PURSUIT,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "pursuit-never-stops",
        "Nothing on the ground stops a pursuit.",
        in_part("pursuit", "stops", lambda original, self, at, unit, origin, target: ""),
        PURSUIT,
        STOPS,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "pursuit-into-enemies",
        "A pursuit leads into hexes with enemies.",
        wrapping(Reaches, "can_enter", lambda original, self, *given: self.can_step(*given)),
        PURSUIT,
        likely=("pursuits-are-right", "staged-games-agree"),
    ),
    bug(
        "stacking-forgotten-in-pursuit",
        "A pursuit may end in a full hex.",
        wrapping(hexwar.mechanics._pursuit, "has_room", lambda original, at, unit, label: True),
        PURSUIT,
        likely=("staged-games-agree", "pursuits-are-right"),
    ),
)
