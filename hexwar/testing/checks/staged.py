"""The check of made-up positions: what random games rarely come to, such as retreats over full stacks, is met here at once."""

from __future__ import annotations

import random

from hexwar.testing.checks.combat import AttacksAreRight, LossesAreRight
from hexwar.testing.checks.flow import InvariantsHold
from hexwar.testing.checks.movement import MovesAreRight
from hexwar.testing.checks.pieces import PiecesAreConserved, PlacesFollowVisits, StacksFit, ZonesAreRight
from hexwar.testing.checks.retreats import PursuitsAreRight, RetreatsAreRight
from hexwar.testing.checks.supply import CommandIsRight, SupplyIsRight
from hexwar.testing.checks.turns import ChitsAreKept
from hexwar.testing.oracles import Staging
from hexwar.testing.watch import Survey, Watch, observe, random_decisions

GAMES = 5
"""So many for each ordinary game of the tier."""
ACTIONS = 40
WATCHES: tuple[type[Watch], ...] = (
    InvariantsHold,
    PiecesAreConserved,
    PlacesFollowVisits,
    StacksFit,
    ZonesAreRight,
    MovesAreRight,
    AttacksAreRight,
    LossesAreRight,
    RetreatsAreRight,
    PursuitsAreRight,
    SupplyIsRight,
    CommandIsRight,
    ChitsAreKept,
)


class StagedGamesAgree(Survey):
    """The rules hold where it gets tight."""

    id = "staged-games-agree"
    sentence = "In games that begin with units thrown together near the enemy, every check of rules that the ruleset has holds too."
    needs = Staging

    def run(self, seed: int) -> None:
        """Play such games for a while."""
        staging, kit = self.subject.kit.capability(Staging), self.subject.kit
        assert staging is not None
        kinds = [*WATCHES, *(check for check in kit.checks if issubclass(check, Watch))]
        for number in range(GAMES * self.budget.games):
            key = f"{seed}|staged|{number}"
            game = staging.stage(self.subject, key)
            begun = game.first_state.to_json()
            watches = [kind(self.subject, self.budget) for kind in kinds if kind.needs is None or kit.capability(kind.needs)]
            for fault in observe(game, watches, random_decisions(random.Random(key), ACTIONS)):
                moves = "; ".join(f"{seat}: {action}" for seat, action in fault.moves)
                where = f"staged position {key!r} ({begun['at']}, steps {begun['steps']}), after {moves or 'nothing'}"
                raise self.fail(f"{fault.error.check}: {fault.error.message}\nIn {where}")
