"""Who arrives, and what counts in the end, a second time from the files of the scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hexwar.testing.oracles import Arrivals, Field, Points
from hexwar_wb95.kit.ground import MOVEMENT
from hexwar_wb95.kit.table import printed


def scenario(field: Field) -> Mapping[str, Any]:
    """What the file says about the scenario."""
    found: Mapping[str, Any] = printed("scenarios.toml")["scenario"][field.world.setup.scenario]
    return found


class Wb95Arrivals(Arrivals):
    """phase.1: reinforcements."""

    def entries(self, field: Field, unit: str) -> Iterable[str]:
        """The area that the scenario names."""
        name = scenario(field).get("entry", {}).get(field.world.units[unit].side, "")
        return field.sheet.areas.get(name, ())


class Wb95Points(Points):
    """phase.1: places by their values, where the scenario counts them."""

    are_told = True

    def scores(self, field: Field) -> dict[str, int]:
        """Side -> points."""
        found = dict.fromkeys(field.world.sides, 0)
        if "points" in scenario(field)["victory"]:
            for label, name in field.sheet.names.items():
                if (owner := field.control.get(label)) is not None:
                    found[owner] += field.sheet.values[name]
        return found

    def winner(self, field: Field, scores: Mapping[str, int]) -> str | None:
        """phase.1: the attacker with enough of them or with the places that decide, or who is left alone."""
        rules = scenario(field)["victory"]
        owners = {name: field.control.get(label) for label, name in field.sheet.names.items()}
        left = {field.world.units[unit].side for unit in field.locations if field.world.units[unit].arm != "air"}
        if len(left) == 1:
            return left.pop()
        wins = scores[rules["side"]] >= rules["points"] or {owners[name] for name in rules["sudden"]} == {rules["side"]}
        return str(rules["side"]) if wins else next(side for side in field.world.sides if side != rules["side"])


TURN = (Wb95Arrivals(MOVEMENT, {}), Wb95Points())
