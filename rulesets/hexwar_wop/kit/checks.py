"""The checks that only the 1918-21 system needs: the sum of a fight, the table, who loses, and where the beaten go."""

from __future__ import annotations

from hexwar.engine import Action, Event, Game, StepPushed
from hexwar.mechanics import Aftermath, Declaring, Retreat, RollModified
from hexwar.pieces import LoseStep
from hexwar.testing import Check, Watch
from hexwar_wop.kit.air import AirLossesAreLiteral, FlightsAreLiteral
from hexwar_wop.kit.fights import Table
from hexwar_wop.losses import LosingLevels
from hexwar_wop.retreat import FallingBack


class SumsAreLiteral(Watch):
    """What is added to the die in an attack is what chapter 14 says, word for word."""

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Every attack that is planned, and those that the player could plan."""
        step = game.state.stack[-1]
        if not isinstance(step, Declaring):
            return
        table, side = Table.of(game), game.world.seats[seat]
        found = game.world.combat.targets(game.position, step.units, side)
        for target in sorted({label for labels in found.values() for label in labels})[: self.budget.probes]:
            able = [unit for unit, labels in found.items() if target in labels]
            if all(table.kind(unit) in ("artillery", "river_unit") for unit in able):
                continue
            told, literal = game.query.odds(able, target).column, table.total(able, target)
            nothing = not sum(table.points(unit, attacks=True) for unit in able)
            self.demand(
                told == (None if nothing else literal), f"{', '.join(able)} against {target}: {told} for {literal}", "14.13.a"
            )


class ResultsAreLiteral(Watch):
    """A sum means what the combat table prints, and the modifiers that are told are all of it."""

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """The last sum, and what was then pushed."""
        total = None
        for event in events:
            if isinstance(event, RollModified):
                total = event.rolled + sum(value for value, _, _ in event.modifiers)
                self.demand(total == event.counts, f"{event} is {total}", "14.15")
            elif isinstance(event, StepPushed) and isinstance(event.step, Aftermath) and total is not None:
                now = event.step.outcome
                told = (now.attacker, now.repulse, now.defender, now.retreat)
                self.demand(told == Table.result(total), f"{total} means {Table.result(total)}, not {told}", "14.16")


class LossesAreEven(Watch):
    """The leader loses first, then always somebody with the most levels left."""

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Who may lose."""
        step = game.state.stack[-1]
        if isinstance(step, LosingLevels):
            left = {unit: game.state.steps_left[unit] for unit in step.units if unit in game.state.locations}
            left = {unit: levels for unit, levels in left.items() if game.state.locations[unit] in game.world.board}
            leaders = {unit for unit in step.first if unit in left}
            due = leaders or {unit for unit, levels in left.items() if levels == max(left.values())}
            told = {it.unit for it in game.legal_actions(seat) if isinstance(it, LoseStep)}
            self.demand(told == due, f"{sorted(told)} may lose, and should be {sorted(due)}", "14.42.b")


class RetreatsAreLiteral(Watch):
    """Beaten units go where chapter 14 lets them go, and nowhere else."""

    def before(self, game: Game, seat: str, action: Action) -> None:
        """The ways of everybody who still is to go."""
        step = game.state.stack[-1]
        if isinstance(step, FallingBack):
            table = Table.of(game)
            for unit in step.waiting(game.position):
                if table.kind(unit) not in ("hq", "armoured_train"):
                    told = {it.path for it in game.legal_actions(seat) if isinstance(it, Retreat) and it.unit == unit}
                    literal = table.retreats(unit, step.hexes, step.foes)
                    self.demand(told == literal, f"{unit} from {step.origin}: {sorted(told ^ literal)}", "14.22.a")


CHECKS: tuple[type[Check], ...] = (
    SumsAreLiteral,
    ResultsAreLiteral,
    LossesAreEven,
    RetreatsAreLiteral,
    FlightsAreLiteral,
    AirLossesAreLiteral,
)
