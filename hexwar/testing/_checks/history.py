"""Checks of a game's past: replaying, saving and taking back."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hexwar import facade
from hexwar.engine import Action, Event, Game, SeededChance, TapedChance
from hexwar.errors import HexwarError, Refusal
from hexwar.testing._checks.following import Remembering, Repeating
from hexwar.testing._checks.loaders import position_of
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Watch, in_words, try_offered
from hexwar.testing._staging.dice import ScriptedDice
from hexwar.testing._staging.random_play import moves_of, replay_moves

EARLY = 30
"""Games of fewer actions are also saved as if they had begun with the position to which they came."""
COMPARED = 12
"""How many actions a loaded game is played on beside the one that was saved."""


def fresh_game(subject: Subject, game: Game) -> Game:
    """A new game with the same dice."""
    chance = game.chance
    if game.source is not None:  # it began in a hand-made position
        return Game(game.ruleset, game.world, game.first_state, chance.fork(), game.source)
    if isinstance(chance, SeededChance):
        return subject.start(chance.seed)
    assert isinstance(chance, TapedChance)
    return subject.start(ScriptedDice.outcomes(chance.tape))


AGAIN, SHORT = 5, 250
"""A short game is played again at most the first number of times, as long as all that is at most the second of actions."""


class ReplaysAgree(Watch):
    """A new game with the same dice and the same moves comes to the same state with the same log."""

    def end(self, game: Game) -> None:
        """Play it all again; a short game several times, because chance that is not the game's own often says the same twice."""
        for _ in range(max(1, min(AGAIN, SHORT // max(1, len(game.history))))):
            self._replay(game)

    def _replay(self, game: Game) -> None:
        again = fresh_game(self.subject, game)
        try:
            replay_moves(again, game.history)
        except Exception as error:
            raise self.fail(f"played again, move {len(again.history) + 1} fails: {in_words(error)}") from error
        self.demand(again.digest == game.digest, "played again, the game ends in another state")
        self.demand(
            again.events == game.events and [str(event) for event in again.events] == [str(event) for event in game.events],
            "played again, the game has another log",
        )


class SavesCarryEverything(Repeating):
    """A game that is saved, loaded and played on goes as it does without."""

    rate = 0.01

    def looks_at(self, number: int) -> bool:
        """Rarely, because loading replays the whole game, but also in short games."""
        return number in (4, 24, 80) or super().looks_at(number)

    _twin: Game | None = None
    _since = 0

    @property
    def follows(self) -> bool:
        """As long as a loaded game runs beside this one."""
        return self._twin is not None

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Save and load."""
        if self._twin is None:
            self._since = len(game.history)
            self._twin = self._loaded(game)
            if len(game.history) < EARLY and self.subject.installed and self.subject.seats is None:
                self._loaded(facade.position(position_of(game), seed=0))

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Play on in both."""
        assert self._twin is not None
        self.repeat("the loaded game", self._twin, game, seat, action, events, self._since)
        if len(game.history) - self._since >= COMPARED or not game.to_move:
            self._twin = None

    def _loaded(self, game: Game) -> Game:
        game = game.copy()
        if isinstance(game.chance, SeededChance):  # as if the seed had not been given
            game._chance = SeededChance(game.chance.seed, is_secret=True)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "game.json")
            self._keep(game, file)
            try:
                loaded = self.subject.load(file)
            except Exception as error:
                raise self.fail(f"a saved game cannot be loaded: {in_words(error)}") from error
            self._tear(game, file)
        self.demand(
            loaded.digest == game.digest and loaded.events == game.events, "a loaded game has another state or another log"
        )
        self.demand(
            moves_of(loaded) == moves_of(game) and loaded.to_move == game.to_move,
            "a loaded game has another history, or asks another seat",
        )
        self.demand(loaded.checkpoints == game.checkpoints, "a loaded game has other digests on its way")
        self.demand(
            (loaded.seed, loaded.source) == (game.seed, game.source), "a loaded game began otherwise, or tells another seed"
        )
        for asked in game.to_move:
            self.demand(loaded.legal_actions(asked) == game.legal_actions(asked), f"a loaded game offers {asked} other actions")
        return loaded

    def _keep(self, game: Game, file: Path) -> None:
        """Save it several times, as a table does: with its last decision, without it after an undo, and with it once more."""
        moves = list(game.history)
        game.save(file)
        if moves and game.may_undo(moves[-1].seat):
            game.undo(moves[-1].seat)
            game.save(file)
            for move in moves[len(game.history) :]:
                try_offered(game, move.seat, move.action)
                game.save(file)

    def _tear(self, game: Game, file: Path) -> None:
        """Half of a line that was added is no line: a save that ends so is refused, or loads as it was before, and says so."""
        whole, _, last = file.read_bytes().rstrip().rpartition(b"\n")
        if not last.startswith(b"{"):
            return
        file.write_bytes(whole + b"\n" + last[: len(last) // 2])
        try:
            torn = self.subject.load(file)
        except HexwarError:
            return
        self.demand(torn.caveat and len(torn.history) < len(game.history), "a save with half a line loads as if it were whole")


class UndoGoesBack(Remembering, Repeating):
    """Undo restores the position exactly, and never crosses a draw, a reveal or a change of who decides."""

    rate = 0.5

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Take it back on a copy, if that can be done."""
        was = self.was
        if not game.can_undo:
            self._refused(game, None)
            return
        self._barriers(game, was, seat, action, events)
        for other in game.world.seats:
            if other != seat:
                self._refused(game, other)
        twin = game.copy()
        for asked in twin.to_move:
            twin.offered(asked)  # what is computed now must be forgotten
        taken = twin.undo(seat)
        self.demand(taken == action, f"undo says that it took back {taken!r}, but {action!r} was the last action")
        self.demand(
            (twin.digest, twin.events, twin.history, twin.checkpoints) == (was.digest, was.events, was.history, was.checkpoints),
            f"taking {action!r} back does not restore state, log and history",
        )
        self.demand(
            twin.to_move == was.to_move and all(twin.legal_actions(asked) == was.legal_actions(asked) for asked in was.to_move),
            f"after taking {action!r} back other actions are offered than before",
        )
        self.repeat("a game in which this was taken back", twin, game, seat, action, events)

    def _barriers(self, game: Game, was: Game, seat: str, action: Action, events: list[Event]) -> None:
        what = f"{action!r} by {seat} could be taken back, although"
        self.demand(game._state.draws == was._state.draws, f"{what} dice were rolled or lots drawn")
        self.demand(not any(event.reveals for event in events), f"{what} something was revealed")
        self.demand(game.to_move == was.to_move, f"{what} now {', '.join(game.to_move) or 'nobody'} must decide")

    def _refused(self, game: Game, side: str | None) -> None:
        twin = game.copy()
        try:
            taken = twin.undo(side)
        except Refusal:
            same = (twin.digest, len(twin.history)) == (game.digest, len(game.history))
            self.demand(same, "a refused undo changed the game")
        else:
            whose = "nothing" if side is None else f"nothing of {side}"
            raise self.fail(f"{taken!r} was taken back, but there is {whose} to take back")
