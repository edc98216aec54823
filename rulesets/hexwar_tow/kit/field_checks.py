"""The checks of the field: random small maps with everything on them, and the watches of games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from hexwar.engine import Game
from hexwar.mechanics import CallOff, Done, Selecting
from hexwar.testing.checks.flow import InvariantsHold
from hexwar.testing.checks.pieces import StacksFit, ZonesAreRight
from hexwar.testing.playouts import SeatAction, choose
from hexwar.testing.watch import Check, CheckFailed, Deciding, NotJudged, Survey, Watch, observe
from hexwar_tow.kit.checks import LiteralBattles, difference
from hexwar_tow.kit.field_boards import random_scene
from hexwar_tow.kit.field_combat import LiteralCombat
from hexwar_tow.kit.field_moves import LiteralMoves, LiteralSupply
from hexwar_tow.kit.field_rules import Ground

SCENES = {"quick": 96, "ci": 240, "nightly": 20_000}
"""How many positions a tier looks at."""
WATCHES: tuple[type[Watch], ...] = (
    InvariantsHold,
    StacksFit,
    ZonesAreRight,
    LiteralBattles,
    LiteralCombat,
    LiteralMoves,
    LiteralSupply,
)


def eager(chance: random.Random) -> Deciding:
    """Decisions by chance until the operation is over, of somebody who rather fights than lets it be."""

    def decide(game: Game) -> Iterator[SeatAction]:
        for _ in range(40):
            if not game.to_move or isinstance(game.state.stack[-1], Selecting):
                return
            tried = [choose(game, chance) for _ in range(4)]
            yield next((made for made in tried if not isinstance(made[1], Done | CallOff)), tried[0])

    return decide


def faults_of(game: Game, chance: random.Random) -> str:
    """In what a position on a small map is not as the literal rules have it, "" if it is."""
    wrong = difference(game, chance, 4)
    if wrong:
        return wrong
    board, query = Ground(game.world, game.state), game.query
    for unit in chance.sample(sorted(board.at), min(6, len(board.at))):
        if board.strategic_ends(unit) != query.reach(unit, "strategic").costs:
            return f"{unit} gets elsewhere by strategic movement (9.2)"
    return _wrong_odds(game, board, chance)


def _wrong_odds(game: Game, board: Ground, chance: random.Random) -> str:
    for target in sorted(set(board.at.values())):
        able = sorted(unit for unit in board.at if board.may_attack(unit, target))
        for number in {len(able), chance.randint(1, max(1, len(able)))} if able else ():
            attackers = tuple(chance.sample(able, number))
            attack, defence, column = board.odds(target, attackers)
            told = game.query.odds(attackers, target)
            if (told.attack, told.defence, told.column) != (attack, defence, column):
                return f"the attack of {attackers} on {target} is {attack}:{defence} in column {column} (10.2)"
    return ""


class LiteralScenes(Survey):
    """The rules hold where it gets tight."""

    id: ClassVar[str] = "literal-scenes"
    sentence: ClassVar[str] = (
        "On small random maps with units close together, moves, battles and supply are those of the literal rules (5 to 10)."
    )

    def run(self, seed: int) -> None:
        """Look at positions, then play them for a while."""
        if not self.is_first:
            return
        for number in range(SCENES[self.budget.tier]):
            key = f"{seed}|scene|{number}"
            game, chance = random_scene(key), random.Random(key)
            wrong = faults_of(game, chance)
            if wrong:
                raise self.fail(f"{wrong}\nIn random position {key!r}")
            watches = [kind(self.subject, self.budget) for kind in WATCHES]
            for fault in observe(game, watches, eager(chance)):
                moves = "; ".join(f"{seat}: {action}" for seat, action in fault.moves)
                where = f"random position {key!r}, after {moves or 'nothing'}"
                if isinstance(fault.error, NotJudged):  # the rules crashed, which is not a disagreement
                    crash = fault.error.crash
                    raise NotJudged(self.id, CheckFailed(crash.check, f"{crash.message}\nIn {where}"))
                raise self.fail(f"{fault.error.check}: {fault.error.message}\nIn {where}")


CHECKS: tuple[type[Check], ...] = (LiteralMoves, LiteralCombat, LiteralSupply, LiteralScenes)
