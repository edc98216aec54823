"""The check of made-up positions: what random games rarely come to, such as retreats over full stacks, is met here at once."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hexwar.engine import Game, SeededChance, Sequencing
from hexwar.mechanics import Arriving, CallOff, Pursue, Pursuing
from hexwar.pieces import Done
from hexwar.testing._checks.answers import AnswersAreRight
from hexwar.testing._checks.flow import HeirsGetWhatIsLeft, InvariantsHold
from hexwar.testing._checks.following import HUGE, Following, current, differ
from hexwar.testing._running.watch import CheckFailed, NotJudged, Survey, Watch, complaint, observe
from hexwar.testing._staging.random_play import SeatAction, choose
from hexwar.testing.oracles import Books, Pursuits, Staging
from hexwar.testing.oracles._field import sheet_of

TRIES = 4


def eager(game: Game, chance: random.Random, actions: int) -> Iterator[SeatAction]:
    """Random decisions until the turn is over and reinforcements have come, by a player who prefers to fight.

    Several players of a side take what comes, so that the first leaves something to the next.
    """
    turn = game.state.turn
    for _ in range(actions):
        if not game.to_move or (game.state.turn != turn and current(game, Arriving) is None):
            return
        tried = [choose(game, chance) for _ in range(TRIES if len(game.world.seats) == len(game.world.sides) else 1)]
        yield next((made for made in tried if not isinstance(made[1], Done | CallOff)), tried[0])


class StagedGamesAgree(Survey):
    """In games that begin with units thrown together near the enemy, every check of rules that the ruleset has holds too."""

    needs = Staging
    once = True

    def run(self, seed: int) -> None:
        """Play such games for a while."""
        from hexwar.testing._checks import CHECKS  # of which this is one

        staging, kit = self.rule(Staging), self.subject.kit
        of_rules = [kind for kind in CHECKS.values() if issubclass(kind, Following | InvariantsHold | HeirsGetWhatIsLeft)]
        kinds = [kind for kind in (*of_rules, *kit.checks) if issubclass(kind, Watch) and kind is not AnswersAreRight]
        for number in range(staging.games(self.budget)):
            key = f"{seed}|staged|{number}"
            game = staging.stage(self.subject, key)
            first = game.first_state
            begun = {
                unit: (label, first.steps_left[unit]) for unit, label in first.locations.items() if label in game.world.board
            }
            answers = AnswersAreRight(self.subject, self.budget)
            most = staging.units if game.world.board.size < HUGE else 1
            wrong = complaint(answers, answers.compare, game, answers.books.of(game), most)
            if wrong is not None:
                raise self.fail(f"{wrong.message}\nIn staged position {key!r} ({begun})")
            able = [kind for kind in kinds if (kind.needs is None or kit.capability(kind.needs)) and kind.can_follow(game)]
            watches = [kind(self.subject, self.budget) for kind in able]
            for fault in observe(game, watches, eager(game, random.Random(key), staging.actions(game))):
                moves = "; ".join(f"{seat}: {action}" for seat, action in fault.moves)
                where = f"staged position {key!r} ({begun}), after {moves or 'nothing'}"
                if isinstance(fault.error, NotJudged):  # the rules crashed, which is not a disagreement
                    crash = fault.error.crash
                    raise NotJudged(self.id, CheckFailed(crash.check, f"{crash.message}\nIn {where}"))
                raise self.fail(f"{fault.error.check}: {fault.error.message}\nIn {where}")


class LonePursuitsAgree(Survey):
    """From every hex into every hex beside it, a unit of each arm may pursue as far as the rules say.

    One bridge on a map is enough for a bug, and no random game finds it.
    """

    needs = Staging

    def run(self, seed: int) -> None:
        """Try every step on the map, with no other unit on it."""
        staging, pursuits = self.rule(Staging), self.subject.kit.capability(Pursuits)
        if pursuits is None:
            return
        rules, world = self.subject.ruleset, self.subject.start(seed).world
        bare = rules.bare(world)
        for unit in staging.lone(world):
            seat = world.seat_for(world.units[unit].side, unit)
            for label, near in sheet_of(world.board).near.items():
                state = bare.copy()
                rules.place(world, state, {unit: {"at": label}})
                field = (self.subject.kit.capability(Books) or Books()).field.of(world, state)
                for target in near:
                    state.stack[:] = [Sequencing(staging.path), Pursuing(seat, (unit,), target)]
                    game = Game(rules, world, state, SeededChance(seed))
                    asked = current(game, Pursuing) is not None
                    told = {action.path for action in game.legal_actions(seat) if isinstance(action, Pursue)} if asked else set()
                    wrong = differ(told, pursuits.ways(field, field.pieces[unit], target))
                    if wrong:
                        raise self.fail(f"the ways of {unit} to pursue from {label} into {target}: {wrong}")
