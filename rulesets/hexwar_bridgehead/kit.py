"""What Bridgehead tells the test kit about itself."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Ruleset, World
from hexwar.mechanics import SupplyRules
from hexwar.testing.images import KINDS, Names, rebuilt, translated
from hexwar.testing.kit import Kit
from hexwar.testing.relations import Interchange, Locality, Renaming, Symmetry


class Flags(Interchange):
    """Blue and Red could change their flags, if the home areas and the numbers of chits went along."""

    def world(self, rules: Ruleset[Any, Any], world: Any, names: Names) -> World:
        """With the scenario's numbers and the sources exchanged."""
        scenario = world.scenario
        changed = {name: translated(getattr(scenario, name), names) for name in ("chits", "home", "holds")}
        # The names in these tables are areas and towns, which no side has.
        return rebuilt(
            rules,
            world,
            units=self.counters(world, names),
            scenario=scenario.model_copy(update=changed),
            supply=SupplyRules(translated(dict(world.supply.sources), names), closed_terrain=("lake",)),
        )


KIT = Kit(capabilities=(Symmetry(labels=True), Renaming(), Flags(KINDS), Locality()))
