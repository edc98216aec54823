"""What players may ask at any time: distances (fire.4), sight, and what a march would do."""

from __future__ import annotations

from hexwar.engine import Card, Fact, Stat
from hexwar.plane import CM, Look, gap2
from hexwar.tabletop import March, Tried
from hexwar_bkc.effects import passengers
from hexwar_bkc.movement import Marches
from hexwar_bkc.world import At, in_contact, in_cover, moved, placed, sight_between, visible


class BkcQuery:
    """Questions of a position; none of them changes it."""

    def __init__(self, at: At) -> None:
        self._at = at

    def gap(self, unit: str, other: str) -> float:
        """fire.3, fire.4: the distance between two bases, in centimetres; only to be read."""
        num, den = gap2(placed(self._at, unit).corners, placed(self._at, other).corners)
        return float((num / den) ** 0.5 / CM)

    def look(self, unit: str, other: str) -> Look:
        """los: what one unit sees of another, and what is in the way."""
        return sight_between(self._at, unit, other)

    def seen_by(self, unit: str) -> tuple[str, ...]:
        """los.11: the enemies that a unit sees."""
        return visible(self._at, unit)

    def attempt(self, action: March) -> Tried:
        """What a march would lead to: whom the unit would see, and whether it would be in cover."""
        marches = Marches(self._at, action.unit)
        there = moved(self._at, action.unit, marches.end(action))
        notes = (("in cover", "hit.2"),) if in_cover(there, action.unit, ()) else ()
        return Tried(marches.length(action), visible(there, action.unit), notes)

    def card(self, unit: str) -> Card:
        """stat: the numbers of a unit, and what holds of it now."""
        at, model = self._at, self._at.world.units[unit]
        taken = at.state.hits.get(unit, 0)
        stats = [Stat("move", f"{model.move // CM}", "", "stat.6")]
        if model.commands:
            stats.insert(0, Stat("command", f"{model.value}", "", "stat.7"))
        if model.dice:
            fire = f"{model.dice}{model.mark}/{model.range // CM}" if model.range else f"{model.dice}"
            stats.insert(0, Stat("attack/range", fire, "", "stat.3"))
        stats.append(Stat("hits", f"{model.hits - taken}", f"{model.hits}", "stat.4"))
        if model.save:
            stats.append(Stat("save", f"{model.save}+", "", "stat.5"))
        facts = [Fact(words, "state", clause, good) for words, clause, good in self._facts(unit)]
        return Card(unit, tuple(stats), tuple(facts))

    def _facts(self, unit: str) -> list[tuple[str, str, bool | None]]:
        at = self._at
        found: list[tuple[str, str, bool | None]] = []
        if not at.world.stands(at.state, unit):
            return found
        if unit in at.state.suppressed:
            found.append(("suppressed: does nothing until its own turn ends", "supp.3", False))
        if unit in at.state.aboard:
            found.append((f"carried by {at.state.aboard[unit]}", "command.23", None))
        if unit not in at.state.spots:
            return found
        if unit in at.state.dug_in:
            found.append(("dug in", "fall.8", True))
        elif in_cover(at, unit, ()):
            found.append(("in cover", "hit.2", True))
        if in_contact(at, unit):
            found.append(("in close combat", "charge.1", None))
        if carried := passengers(at, unit):
            found.append((f"carries {', '.join(carried)}", "command.23", None))
        if orders := at.state.orders.get(unit):
            found.append((f"orders this turn: {orders}", "command.12", None))
        seen = visible(at, unit)
        found.append((f"sees {', '.join(seen)}" if seen else "sees no enemy", "los.11", None))
        return found
