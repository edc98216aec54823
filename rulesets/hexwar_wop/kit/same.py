"""What may be done to a position of the 1918-21 system without the rules saying anything else about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hexwar.engine import Action, Game, Ruleset, World
from hexwar.testing import Interchange, Locality, Names, Renaming, Symmetry, rebuilt, translated

FIELD = ("zones", "reach", "supply", "odds", "command")
"""What has nothing to do with the printed directions of retreat (14.21.a)."""


class Compass(Symmetry):
    """Only retreats know the points of the compass."""

    def settles(self, game: Game, action: Action) -> bool:
        """What an action leads to may be a retreat."""
        return False


class Flags(Interchange):
    """But for the directions of retreats, bases and points the sides are alike."""


class OtherNames(Renaming):
    """Formations, armies and groups are named on counters and by the scenario."""

    def world(self, rules: Ruleset, world: Any, names: Names) -> World:
        """With all of these translated."""
        units = {}
        for unit, counter in world.units.items():
            told = {name: translated(getattr(counter, name), names) for name in ("formation", "army", "subordinates", "by")}
            units[names[unit]] = replace(counter, id=names[unit], **told)
        groups = translated(dict(world.scenario.groups), names)
        return rebuilt(rules, world, units=units, scenario=world.scenario.model_copy(update={"groups": groups}))


class Distance(Locality):
    """Lines, and with them those without command and who leads in a fight, reach over any distance."""

    def units(self, game: Game) -> Sequence[str]:
        """Those with command."""
        return [unit for unit in super().units(game) if unit not in game.state.no_command]


SAME = (Compass(FIELD), Flags(("zones", "reach", "odds", "command")), OtherNames(), Distance(("reach", "retreats")))
