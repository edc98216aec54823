"""The check of battles: who attacks whom, what the table says, who pays for it, who retreats where, and who follows (10)."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, DiceRolled, Event, Game, Step, StepPopped, StepPushed
from hexwar.mechanics import (
    Assembling,
    Attack,
    AttackDeclared,
    Attacking,
    AttackResolved,
    Done,
    Join,
    LoseStep,
    Losing,
    Pursue,
    Pursuing,
    Resolve,
    Retreat,
    Retreating,
    StepLost,
    UnitEliminated,
    UnitMoved,
)
from hexwar.mechanics.combat import Aftermath, Fighting
from hexwar.testing.checks.following import current, differ, listed
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget
from hexwar_tow.kit.field_book import Follower
from hexwar_tow.kit.field_rules import Ground, Path, Result, cell, meaning
from hexwar_tow.state import MarkerUsed

NONE = Result(0, 0, 0)


class LiteralCombat(Follower):
    """Battles from the first attacker to the last pursuer."""

    id: ClassVar[str] = "literal-combat"
    sentence: ClassVar[str] = (
        "Attackers, targets, results, losses, retreats and pursuits are those of the literal rules (5.0.5, 10.0, 10.3 to 10.5)."
    )

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._fresh: set[str] = set()
        """Active units that have not attacked."""
        self._closed: set[str] = set()
        """Hexes that have been attacked."""
        self._target = ""
        self._joined: list[str] = []
        self._attackers: Path = ()
        self._defenders: Path = ()
        self._markers: list[str] = []
        self._roll = 0
        self._result = NONE
        self._owed = {"attacker": 0, "defender": 0}
        self._battle = False
        """Whether a battle has had its result and is not over."""
        self._hexes = 0
        """How far the beaten have to retreat."""
        self._beaten: set[str] = set()
        self._retreating = ""
        """Who has just retreated, and what it still has to pay."""
        self._price = 0
        self._fallen: set[str] = set()
        """Who has lost its last step in this battle, and may stand elsewhere by now."""
        self._victors: set[str] = set()
        """Who may still pursue."""
        self._pursuit = False
        self._gone: list[Path] = []
        self._owed_a_question = False
        self._asked = False

    # -- what happens -------------------------------------------------------------------------------------------------------

    def waits(self, step: Step) -> None:
        """A segment that has begun already."""
        if isinstance(step, Attacking):
            self._fresh, self._closed = set(step.units), set(step.done)
        elif isinstance(step, Fighting | Aftermath):
            self._target, self._attackers = step.battle.target, step.battle.attackers
            self._defenders = tuple(unit for unit, label in self.state.at.items() if label == self._target)
            if isinstance(step, Aftermath):
                self._bears(meaning(step.outcome.name))

    def decided(self, action: Action) -> None:
        """An attack is put together; or somebody says who pursues."""
        self._asked = self._asked or self.top(Pursuing) is not None
        if isinstance(action, Attack):
            self._target, self._joined = action.target, []
        elif isinstance(action, Join):
            self._joined.append(action.unit)
        elif isinstance(action, Resolve):  # 10.2.8: calling an attack off spends nothing
            self._closed.add(self._target)

    def judge(self, game: Game, event: Event) -> None:
        """Compare each event with what the rules leave."""
        if type(event) is StepPushed:
            self._begins(game, event.step)
        elif isinstance(event, StepPopped) and self.top(Aftermath) is not None:
            self._close(game)
        elif isinstance(event, AttackDeclared):
            self._declared(game, event)
        elif isinstance(event, MarkerUsed):
            self._markers.append(event.marker)
        elif isinstance(event, DiceRolled):
            self._roll = sum(event.dice)
        elif isinstance(event, AttackResolved):
            self._resolved(game, event)
        elif isinstance(event, StepLost | UnitEliminated):
            self._buried(game, event)
            self._lost(game, event)
        elif isinstance(event, UnitMoved) and event.manner == "retreats":
            self._went(game, event)
        elif isinstance(event, UnitMoved) and event.manner == "pursues":
            self._pursued(game, event)

    def _begins(self, game: Game, step: Step) -> None:
        if isinstance(step, Attacking):
            self._fresh, self._closed = set(step.units), set(step.done)
        elif isinstance(step, Retreating):
            self._paid()
            left = {unit for unit in self._defenders if self.state.at.get(unit) == self._target}
            if (set(step.units), step.hexes) != (left, self._result.retreat):
                told = f"{listed(step.units)} by {step.hexes}"
                raise self.fail(f"{told} retreat from {self._target}, but {listed(left)} should by {self._result.retreat}")
            self._hexes, self._beaten = step.hexes, set(left)
        elif isinstance(step, Pursuing):
            self._paid()
            self._victors_follow(game)

    def _declared(self, game: Game, event: AttackDeclared) -> None:
        battle, board = event.battle, self.ground(game)
        self._attackers, self._defenders, self._markers = battle.attackers, tuple(board.stack(battle.target)), []
        if (battle.target, list(battle.attackers)) != (self._target, self._joined):
            raise self.fail(f"{event!r}: {self._target} was to be attacked by {listed(self._joined)}")
        wrong = [unit for unit in battle.attackers if unit not in self._fresh or not board.may_attack(unit, battle.target)]
        if wrong:
            raise self.fail(f"{event!r}: {listed(wrong)} cannot attack, or not again")
        self._fresh -= set(battle.attackers)

    def _resolved(self, game: Game, event: AttackResolved) -> None:
        board = self.ground(game)
        column = board.column(event.target, self._attackers, self._markers.count("off"))
        if column is None:
            raise self.fail(f"{event!r}: there can be no such attack")
        roll = max(1, self._roll - 2 * self._markers.count("def"))
        printed = cell(column, roll)
        if event.result != printed:
            raise self.fail(f"{event!r}: for a roll of {self._roll} that counts as {roll} the table prints {printed}")
        self._bears(board.result(event.target, self._attackers, printed))

    def _bears(self, result: Result) -> None:
        """What both sides owe for a result."""
        steps = self.state.steps
        self._result = result
        self._owed = {
            "attacker": min(result.attacker, sum(steps[unit] for unit in self._attackers)),
            "defender": min(result.defender, sum(steps[unit] for unit in self._defenders)),
        }
        self._battle, self._owed_a_question, self._asked, self._pursuit = True, False, False, False
        self._fallen = set()

    def _lost(self, game: Game, event: StepLost | UnitEliminated) -> None:
        if self.top(Losing) is not None:
            party = "attacker" if event.unit in self._attackers else "defender" if event.unit in self._defenders else "unit"
            if not self._owed.get(party):
                raise self.fail(f"{event!r}: the {party} has no step to lose")
            if (self.state.steps[event.unit] > 1) != isinstance(event, StepLost):
                raise self.fail(f"{event!r}: the unit had {self.state.steps[event.unit]} steps")
            self._owed[party] -= 1
            if isinstance(event, UnitEliminated):
                self._fallen.add(event.unit)
        elif self.top(Retreating) is not None:
            if event.unit == self._retreating and self._price:
                self._price -= 1
            elif isinstance(event, StepLost) or event.unit == self._retreating or event.unit not in self._beaten:
                raise self.fail(f"{event!r}: its retreat does not cost that")
            else:
                self._beaten.discard(event.unit)
                ways = self.ground(game).best(event.unit, self._hexes)
                if ways:
                    raise self.fail(f"{event!r}: it could retreat by {listed(ways)}")

    def _buried(self, game: Game, event: Event) -> None:
        """10.3.6: combat units leave the game, headquarters are relocated."""
        if isinstance(event, UnitEliminated):
            counter = game.world.units[event.unit]
            box = "headquarters waiting" if counter.arm == "hq" else f"{counter.side} eliminated"
            if event.to != box:
                raise self.fail(f"{event!r}: it goes to the box {box!r} (10.3.6)")

    def _went(self, game: Game, event: UnitMoved) -> None:
        if self._price:
            raise self.fail(f"{self._retreating} has lost {self._price} steps too few on its retreat")
        if event.unit not in self._beaten:
            raise self.fail(f"{event!r}: the unit does not have to retreat")
        self._beaten.discard(event.unit)
        board = self.ground(game)
        ways = dict(board.gone(event.unit, path) for path in board.best(event.unit, self._hexes))
        if event.path not in ways:
            raise self.fail(f"{event!r}: by {self._hexes} hexes it retreats {listed(ways)}")
        self._retreating, self._price = event.unit, ways[event.path]

    def _paid(self) -> None:
        for party, steps in self._owed.items():
            if steps:
                raise self.fail(f"the {party} has lost {steps} steps too few in the attack on {self._target}")
        if self._price:
            raise self.fail(f"{self._retreating} has lost {self._price} steps too few on its retreat")

    def _close(self, game: Game) -> None:
        if self._battle and self.state.result is None:
            self._paid()
            left = [unit for unit in self._defenders if self.state.at.get(unit) == self._target]
            if left and self._result.retreat:
                raise self.fail(f"{listed(left)} should have retreated from {self._target}")
            if self._owed_a_question and not self._asked:
                raise self.fail(f"nobody was asked whether the attackers of {self._target} pursue")
            if not left and not self._pursuit and self._standing(self.ground(game)):
                raise self.fail(f"{self._target} is empty, but there was no pursuit")
        self._battle, self._price, self._retreating = False, 0, ""

    # -- 10.5 pursuit --------------------------------------------------------------------------------------------------------

    def _victors_follow(self, game: Game) -> None:
        board = self.ground(game)
        standing = self._standing(board)
        hexes = {board.at[unit] for unit in standing}
        leaders = [unit for label in hexes for unit in board.stack(label) if board.units[unit].arm == "hq"]
        self._victors, self._pursuit, self._gone = {*standing, *leaders}, True, []
        self._owed_a_question = any(self._ways(board, unit) for unit in self._victors)

    def _standing(self, board: Ground) -> list[str]:
        return [unit for unit in self._attackers if unit in board.at and unit not in self._fallen]

    def _ways(self, board: Ground, unit: str) -> set[Path]:
        """10.5.3: a headquarters goes along with those of its stack, and one hex by itself if it attacked."""
        if board.units[unit].arm != "hq":
            return board.pursuits(unit, self._target)
        here = board.at[unit]
        ways = {path for path in self._gone if path[0] == here}
        ways |= {(here, self._target)} if unit in self._attackers else set()
        return {path for path in ways if board.has_room(unit, path[-1])}

    def _pursued(self, game: Game, event: UnitMoved) -> None:
        board = self.ground(game)
        if event.unit not in self._victors or event.path not in self._ways(board, event.unit):
            raise self.fail(f"{event!r}: the unit may not pursue like that")
        self._victors.discard(event.unit)
        if board.units[event.unit].arm != "hq":
            self._gone.append(event.path)

    # -- what is offered -------------------------------------------------------------------------------------------------------

    def offered(self, game: Game, seat: str) -> None:
        """Compare the choices of the owner with what the rules leave."""
        actions, board = game.legal_actions, Ground(game.world, game.state)
        side = game.world.seats[seat]
        if current(game, Attacking) is not None:
            told = {action.target for action in actions(seat) if isinstance(action, Attack)}
            near = {label for unit in self._fresh & set(board.at) for label in board.board.neighbours(board.at[unit])}
            able = {label for label in near if any(board.may_attack(unit, label) for unit in self._fresh)}
            self._compare(f"the hexes that {seat} may attack", told, able - self._closed)
            if Done() not in actions(seat):
                raise self.fail(f"{seat} must attack (10.0.5)")
        elif current(game, Assembling) is not None:
            joining = {action.unit for action in actions(seat) if isinstance(action, Join)}
            able = {unit for unit in self._fresh if board.may_attack(unit, self._target)}
            self._compare(f"the units that may attack {self._target}", joining, able - set(self._joined))
            possible = bool(self._joined) and board.odds(self._target, tuple(self._joined))[2] is not None
            if (Resolve() in actions(seat)) != possible:
                raise self.fail(f"{listed(self._joined)} {'can' if possible else 'cannot'} attack {self._target} (10.2.8)")
        elif current(game, Losing) is not None:
            choice = {action.unit for action in actions(seat) if isinstance(action, LoseStep)}
            alive = set(board.at) - self._fallen
            mine = {unit for unit in (*self._attackers, *self._defenders) if unit in alive and board.side(unit) == side}
            self._compare(f"the units from which {seat} takes losses", choice, mine)
        elif current(game, Retreating) is not None:
            paths = {(action.unit, action.path) for action in actions(seat) if isinstance(action, Retreat)}
            best = {(u, path) for u in self._beaten if u in board.at for path in board.best(u, self._hexes)}
            self._compare(f"the retreats of {seat}", {f"{u} {p}" for u, p in paths}, {f"{u} {p}" for u, p in best})
            if any(board.side(unit) != side for unit in self._beaten):
                raise self.fail(f"{seat} is asked how {listed(self._beaten)} retreat")
        elif current(game, Pursuing) is not None:
            follow = {f"{action.unit} {action.path}" for action in actions(seat) if isinstance(action, Pursue)}
            ways = {f"{u} {path}" for u in self._victors if u in board.at for path in self._ways(board, u)}
            self._compare(f"the pursuits of {seat}", follow, ways)

    def _compare(self, what: str, told: set[str], literal: set[str]) -> None:
        wrong = differ(told, literal)
        if wrong:
            raise self.fail(f"{what}: {wrong}")
