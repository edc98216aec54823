"""19.3: victory, by the points of the scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hexwar.engine import Objective, Play, Position, PublicEvent, record
from hexwar.pieces import Score, Victory, total

if TYPE_CHECKING:
    from hexwar_wop.world import Counter, WopState, WopWorld

    Doing = Play[WopState, WopWorld]

CLAUSE = "19.3"


class WopVictory(Victory):
    """Points for hexes that the enemy held at the beginning, for pieces that it has lost, and for the radio."""

    world: WopWorld

    def scores(self, at: Position) -> tuple[Score, ...]:
        """19.3: as they are now."""
        rules, state = self.world.scenario.victory, at.state
        taken = [entry for entry in rules.hexes if state.control.get(entry.hex, entry.owner) != entry.owner]
        found = [Score(state.control[entry.hex], entry.value, f"{entry.name} ({entry.hex})", CLAUSE) for entry in taken]
        for unit in filter(state.lost.__contains__, self.world.units):  # in roster order, whatever was lost first
            counter = self.world.units[unit]
            found.append(Score(self.world.enemies(counter.side)[0], self.worth(counter), f"{unit} is off the map", CLAUSE))
        if rules.radio and state.radio:
            found.append(Score(rules.radio.side, rules.radio.value, f"the radio in {rules.radio.hex}", CLAUSE))
        return tuple(found)

    def objectives(self, at: Position) -> tuple[Objective, ...]:
        """19.3: hexes that count for the side that did not hold them at the start."""
        rules, held = self.world.scenario.victory, at.state.control
        gets = {side: self.world.enemies(side)[0] for side in self.world.sides}
        return tuple(
            Objective(it.hex, it.value, gets[it.owner], held.get(it.hex, it.owner), it.name, CLAUSE) for it in rules.hexes
        )

    def worth(self, counter: Counter) -> int:
        """The points for a piece that is off the map; a group counts as a formation."""
        kind = ("hq_army" if counter.level == "army" else "hq_formation") if counter.level else counter.arm
        return self.world.scenario.victory.eliminated[kind]


@record
class RadioTaken(PublicEvent[Any]):
    """A unit has entered the hex of the radio in time."""

    kind = "radio-taken"
    says = "{unit} takes the radio"
    unit: str

    def apply(self, state: WopState) -> None:
        """Note it."""
        state.radio = True


def reach_radio(play: Doing, unit: str, hexes: Sequence[str]) -> None:
    """19.3: points for the side whose unit enters a hex by the end of a turn; a headquarters is no unit (1.8)."""
    radio, counter = play.world.scenario.victory.radio, play.world.units[unit]
    if radio is None or play.state.radio or play.state.turn > radio.until:
        return
    if radio.hex in hexes and counter.side == radio.side and not counter.level:
        play.emit(RadioTaken(unit, clause=CLAUSE))


def decide(play: Doing) -> None:
    """19.3: at the end of every turn an early victory; after the last, the points decide."""
    rules, control = play.world.scenario.victory, play.state.control
    found = play.world.victory.scores(play)
    tally = {side: int(total(found, side)) for side in play.world.sides}
    for side, labels in rules.automatic.items():
        if all(control.get(label) == side for label in labels):
            names = ", ".join(play.world.controlled[label] for label in labels)
            play.end(side, f"{side} holds {names}", clause=CLAUSE, scores=tally)
            return
    if play.state.turn == play.world.last_turn:
        difference = tally["polish"] - tally["soviet"]
        level = next(level for level in rules.levels if difference >= level.min)
        play.end(level.winner, f"{level.result}: {tally['polish']} to {tally['soviet']} points", clause=CLAUSE, scores=tally)
