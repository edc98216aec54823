"""Who arrives (6) and what scores (19.3) a second time, from the text and from the files of the scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hexwar.pieces import UnitPlaced
from hexwar.testing.oracles import Arrivals, Field, Points
from hexwar_wop.kit.ground import MOVEMENT
from hexwar_wop.kit.table import SIDES, entries, printed
from hexwar_wop.reinforcements import Reinforcing


def scenario(field: Field) -> Mapping[str, Any]:
    """What is printed about the scenario."""
    return printed(f"{field.world.setup.scenario}.toml")


class WopArrivals(Arrivals):
    """6: reinforcements."""

    asks = (Reinforcing,)

    def brings(self, event: UnitPlaced, field: Field) -> bool:
        """Groups and garrisons come by other rules."""
        return event.clause.startswith("6.")

    def due(self, field: Any, unit: str) -> bool:
        """6.1.d, 2.6.b: in its turn or, where there was no place, later; not what is to be re-created."""
        return super().due(field, unit) and unit not in field.lost and bool(self._entry(field, unit))

    def _entry(self, field: Any, unit: str) -> str:
        entry, own = entries().get(unit, {}), scenario(field)
        for side in SIDES:
            if unit in own.get(side, {}).get("arrives", {}):
                return str(own[side]["arrives"][unit][1])
        return str(entry.get("entry", ""))

    def entries(self, field: Any, unit: str) -> Iterable[str]:
        """6.1.c, as ruled: any hex of the map's edge within 3, where the enemy is in its hex."""
        home, side = self._entry(field, unit), field.world.units[unit].side
        if not field.is_enemy_held(side, home):
            return (home,)
        edge = [label for label, near in field.sheet.near.items() if len(near) < 6]
        return [label for label in edge if field.sheet.distance(home, label) <= 3]

    def hexes(self, field: Any, unit: str) -> set[str]:
        """6.1, 12.1.a, 12.2.a, as ruled: no unit arrives where the enemy is or where there is no room."""
        side, stacking = field.world.units[unit].side, self.movement.stacking
        return {
            it for it in self.entries(field, unit) if not field.is_enemy_held(side, it) and stacking.has_room(field, unit, it)
        }


class WopPoints(Points):
    """19.3: points for hexes that the enemy held, for what it has lost, and for the radio."""

    are_told = True

    def scores(self, field: Any) -> dict[str, int]:
        """Side -> points."""
        rules, found = scenario(field)["victory"], dict.fromkeys(SIDES, 0)
        for entry in rules["hexes"]:
            holder = field.control.get(entry["hex"], entry["owner"])
            found[holder] += entry["value"] if holder != entry["owner"] else 0
        for unit in field.lost:
            entry, kind = entries().get(unit, {}), field.world.units[unit].arm
            kind = ("hq_army" if entry["kind"] == "army" else "hq_formation") if kind == "hq" else kind
            found[field.enemy(field.world.units[unit].side)] += rules["eliminated"][kind]
        if "radio" in rules and field.radio:
            found[rules["radio"]["side"]] += rules["radio"]["value"]
        return found

    def winner(self, field: Any, scores: Mapping[str, int]) -> str | None:
        """An early victory, or the level that the difference reaches."""
        rules = scenario(field)["victory"]
        for side, labels in rules.get("automatic", {}).items():
            if all(field.control.get(label) == side for label in labels):
                return str(side)
        difference = scores["polish"] - scores["soviet"]
        found: str | None = next(level for level in rules["levels"] if difference >= level["min"]).get("winner")
        return found


def _can_move(field: Any, side: str) -> bool:
    """7.2, 13.1.b: whether a unit of a side on the map may move, and is not held by lack of command."""
    pieces = field.of_side(side)
    return any(it.move for it in pieces if field.kind(it.id) != "hq" and it.id not in field.no_command)


def _initiative(field: Any) -> str:
    """2.1.b, 7.1."""
    return next(str(turn["initiative"]) for turn in scenario(field)["turn"] if turn["n"] == field.turn)


def _army_can_move(field: Any) -> bool:
    """2.9.b."""
    heads = [it for it in field.pieces.values() if entries().get(it.id, {}).get("kind") == "army"]
    return any(it.move for it in heads if it.id not in field.loaded and it.id not in field.no_command)


CONDITIONS = {
    "initiative_can_move": lambda field: _can_move(field, _initiative(field)),
    "others_can_move": lambda field: _can_move(field, field.enemy(_initiative(field))),
    "army_can_move": _army_can_move,
    "group_waits": lambda field: "GrK" in field.locations and "GrK" not in field.lost,
}
"""What the table of questions asks about a position."""
TURN = (WopArrivals(MOVEMENT, {}), WopPoints())
