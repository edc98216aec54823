"""A game: a state, its history, and how far undo may go back; and playouts, lines of play in place for search and statistics."""

from __future__ import annotations

from itertools import takewhile
from os import PathLike
from typing import NamedTuple, Self

from hexwar.engine._actions import Action
from hexwar.engine._chance import Chance, SeededChance
from hexwar.engine._events import Event
from hexwar.engine._gate import Gate, busy
from hexwar.engine._read_only import read_only
from hexwar.engine._ruleset import Q, Ruleset
from hexwar.engine._sequence import Sequencing
from hexwar.engine._state import State
from hexwar.engine._steps import Play, S, W
from hexwar.errors import HexwarError, Refusal, RefusalCode, RuleBroken, RuleBrokenCode

CHECKPOINT_EVERY = 100


class Decision(NamedTuple):
    """One entry of a game's history: who did what, and how many events the log had before."""

    seat: str
    action: Action
    log_length: int


class Game(Gate[S, W, Q]):
    """A game in progress. Create one with `hexwar.new_game`, `hexwar.load_game` or `hexwar.position`.

    It is for one thread. A second change while one is being made is refused; `copy`, `copy.copy` and `copy.deepcopy` all give an
    independent game, and a game cannot be pickled: save it.
    """

    def __init__(self, ruleset: Ruleset[S, W, Q], world: W, state: S, chance: Chance, source: str | None = None) -> None:
        self._first_state = state.copy()
        if not state.stack:
            self._first_state.stack.append(Sequencing())
        super().__init__(ruleset, world, self._first_state.copy(), chance)
        self.source = source
        """The text of the position that the game started from, None for a scenario's beginning."""
        self.caveat = ""
        """What could not be verified when the game was loaded, in a sentence; "" if everything was."""
        self.history: list[Decision] = []
        self.events: list[Event] = []
        """Every event so far, the engine's own and secret ones included: for replays and tests, not for players."""
        self._undoable: list[S] = []
        """The states before the last decisions, as far as these can be taken back."""
        play = Play(world, self._state, chance)
        self._offers, self._memo = self._settle(play), play.memo
        self.events.extend(play.events)
        self._checkpoints: dict[int, S | str] = {0: self._state}
        self._handed_out: tuple[S, S] | None = None
        """A state, and what is handed out of it."""

    @property
    def state(self) -> S:
        """The whole position as a value, secrets included: it cannot be changed, and what you hold stays as it is.

        A copy of it (`game.state.copy()`) is yours to change.
        """
        its = self._state
        if self._handed_out is None or self._handed_out[0] is not its:
            self._handed_out = its, read_only(its)
        return self._handed_out[1]

    @property
    def first_state(self) -> S:
        """The position that the game started from, with the first step on the stack; it cannot be changed either."""
        return read_only(self._first_state)

    def _do(self, seat: str, offered: Action) -> list[Event]:
        asked, before = self.to_move, self._state
        # Done on a copy: what a caller holds, or waits for an undo, never changes, nor does a game in which a rule failed.
        play = Play(self.world, before.copy(), self._chance, self._memo)
        try:
            offers = self._carry_out(play, seat, offered)
            barrier = tuple(offers) != asked or self._is_barrier(before, play)
        except BaseException:
            self._chance.rewind(before.draws)
            raise
        self._state = play.state
        self._offers, self._memo = offers, play.memo
        self.history.append(Decision(seat, offered, len(self.events)))
        if barrier:
            self._undoable.clear()
        else:
            self._undoable.append(before)
        self.events += play.events
        if len(self.history) % CHECKPOINT_EVERY == 0:
            self._checkpoints[len(self.history)] = play.state  # states are values: the digest can wait until it is needed
        return play.events

    def playout(self, *, seed: int | str | None = None, log: bool = False) -> Playout[S, W, Q]:
        """Begin a line of play from here, to try something out: it is quicker than a copy, because it keeps no history.

        Args:
            seed: of dice of its own; None for those of the game, which it then foretells.
            log: whether it keeps its events.

        Examples:
            >>> import random
            >>> playout, chance = hexwar.new_game("bridgehead", seed=2).playout(seed=1), random.Random(1)
            >>> while playout.to_move:
            ...     seat = playout.to_move[0]
            ...     _ = playout.apply(playout.offered(seat).sample(chance), seat)
            >>> playout.result.winner in ("blue", "red")
            True
        """
        return Playout(self, seed=seed, log=log)

    def take_over(self, line: Repeating[S, W, Q]) -> None:
        """Go on from where a repetition of this game's actions got to."""
        number = max(mark for mark in line.marks if mark <= line.barrier)
        is_end = number == len(line.history)
        self._state = line._state if is_end else line.marks[number]
        self.history = line.history[:number]
        self.events = line.events if is_end else line.events[: line.history[number].log_length]
        self._checkpoints |= {mark: state for mark, state in line.marks.items() if mark <= number and not mark % CHECKPOINT_EVERY}
        self._offers, self._memo = line._offers if is_end else {}, {}
        for made in line.history[number:]:  # these may perhaps be undone
            self._do(made.seat, made.action)

    # -- undo -----------------------------------------------------------------------------------------------------

    def _is_barrier(self, before: S, play: Play[S, W]) -> bool:
        """Whether undo may not go back behind what is being done, because of a draw or a reveal."""
        after = play.state
        if after.draws != before.draws:
            return True
        for event in play.events:
            if event.reveals:
                return True
        if after.keeps_secrets_of(before):
            return False
        for seat in self.world.seats:
            viewer = self.world.viewer(seat)
            if after.discloses(before, viewer):
                return True
            if after.differs_unseen(before, viewer) and not before.looks_like(after, viewer):
                return True
        return False

    @property
    def can_undo(self) -> bool:
        """Whether the player who took the last action can take it back: for the host of the game, since it may reveal secrets."""
        return bool(self._undoable)

    def may_undo(self, side: str) -> bool:
        """Whether a side can take the last action back, which is all that its player may know about undo."""
        return bool(self.undo_lengths(side))

    def undo_lengths(self, side: str) -> list[int]:
        """The lengths that the log would have if a side took back its last action, its last two, and so on, as far as it may."""
        seat, last = self._any_seat(side), zip(reversed(self._undoable), reversed(self.history), strict=False)
        return [decision.log_length for _, decision in takewhile(lambda it: it[1].seat == seat, last)]

    def undo(self, side: str | None = None) -> Action:
        """Take the last action back and return it.

        Args:
            side: who takes it back; players cannot take back another's action.

        Raises:
            Refusal: a die roll, a draw, a reveal or another side's decision came after it.

        Examples:
            >>> game = hexwar.new_game("bridgehead", seed=2)
            >>> _ = game.apply(game.question("blue").example, "blue")
            >>> str(game.undo("blue"))
            'select bC'
        """
        if not self._changing.acquire(False):
            raise busy()
        try:
            if not (self.can_undo if side is None else self.may_undo(side)):
                # One sentence for all causes: which of them it was may be another player's secret.
                message = "there is nothing to take back since the last draw, reveal or decision of another player"
                raise Refusal(RefusalCode.UNDO_BARRIER, "", message)
            self._state = self._undoable.pop()
            self._offers, self._memo = {}, {}
            self._checkpoints.pop(len(self.history), None)
            _, action, log_length = self.history.pop()
            del self.events[log_length:]
            return action
        finally:
            self._changing.release()

    # -- looking at it ----------------------------------------------------------------------------------------------

    def log(self, side: str | None = None, since: int = 0) -> list[Event]:
        """Return the events that a side may know, or the public ones if no side is named.

        Args:
            side: whose log.
            since: how many of `events` to leave out at the beginning, for callers that have shown those already.

        Examples:
            >>> game = hexwar.new_game("bridgehead", seed=2)
            >>> _ = game.apply(game.question("blue").example, "blue")
            >>> [event.kind for event in game.log("blue")][-1], [event.kind for event in game.log("red")][-1]
            ('chit-selected', 'phase-entered')
        """
        events = self.events[since:] if since else self.events
        if side is None:
            viewers = [self.world.viewer(seat) for seat in self.world.seats]
            return [event for event in events if all(event.seen_by(viewer) is event for viewer in viewers)]
        viewer = self.world.viewer(self._any_seat(side))
        return [seen for event in events if (seen := event.seen_by(viewer)) is not None]

    # -- keeping it -------------------------------------------------------------------------------------------------

    @property
    def chance(self) -> Chance:
        """Where its dice come from: for the host of the game, who can foretell them with it."""
        return self._chance

    @property
    def seed(self) -> int | str | None:
        """The seed, if it may be told: one that was not given stays a secret until the game is over. None for other dice."""
        chance = self._chance
        if not isinstance(chance, SeededChance) or (chance.is_secret and self.result is None):
            return None
        return chance.seed

    @property
    def checkpoints(self) -> dict[int, str]:
        """Number of actions -> digest after them: the beginning, every hundredth and the last."""
        for number, kept in self._checkpoints.items():
            if isinstance(kept, State):
                self._checkpoints[number] = kept.digest
        return {**self._checkpoints, len(self.history): self.digest}  # type: ignore[dict-item]  # all are digests now

    def copy(self) -> Self:
        """An independent game in the same position."""
        twin = super().copy()
        twin.history = list(self.history)
        twin.events = list(self.events)
        twin._undoable = list(self._undoable)
        twin._checkpoints = dict(self._checkpoints)
        return twin

    def after(self, number: int) -> Self:
        """The same game after this many of its actions, to look at or to go on with."""
        if not isinstance(number, int):
            raise HexwarError(f"after takes a number of actions, not {number!r}")
        if number > len(self.history):
            raise HexwarError(f"the game has {len(self.history)} actions, so there is nothing after {number}")
        again = type(self)(self.ruleset, self.world, self._first_state, self._chance.fork(), self.source)
        for decision in self.history[:number]:
            again.apply(decision.action, decision.seat)
        return again

    def save(self, path: str | PathLike[str]) -> None:
        """Write the game to a file so that no crash loses what was saved before: it leaves the old game or the new one.

        Save after every action, before you confirm it, to have a journal: the first save to a file writes it whole, and each
        further one adds a line with what was decided since, unless the file was changed from outside, which takes the
        same time however long the game is. When `save` returns, it is on the disk. `hexwar.load_game` reads both, and says in
        `caveat` if the last line was not finished. After an undo, and with dice of its own, a game is written whole.
        """
        from hexwar.engine._save import write_save

        write_save(self, path)

    def to_text(self) -> str:
        """What `save` writes, for those who keep games elsewhere than in files; secrets included."""
        from hexwar.engine._save import to_text

        return to_text(self)

    def __repr__(self) -> str:
        status = str(self.result) if self.result else f"{', '.join(self.to_move)} to move"
        return f"<{self.ruleset.info.id} {self.world.setup.scenario}, {len(self.history)} actions, {status}>"


class Playout(Gate[S, W, Q]):
    """A line of play that is tried out and thrown away. `Game.playout` begins one.

    Offers, gate, events, dice and digests are those of a game, and the game that it comes from never changes. But each action
    changes the one state that there is, so nothing can be undone, nothing is saved, and there is no history. Offers, questions
    and `state` are those of the moment: do not use them after the next action. A view, a copy and a copy of the state stay what
    they are. A playout in which a rule failed in the middle of an action refuses to go on.

    Args:
        start: where it begins.
        seed: of dice of its own; None for those of the start.
        log: whether it keeps its events.
    """

    def __init__(self, start: Gate[S, W, Q], *, seed: int | str | None = None, log: bool = False) -> None:
        chance = start._chance.fork() if seed is None else SeededChance(seed)
        super().__init__(start.ruleset, start.world, start._state.copy(), chance)
        self.events: list[Event] = []
        """The events since it began, if it keeps them."""
        self._keeps_events = log
        self._is_whole = True

    def _do(self, seat: str, offered: Action) -> list[Event]:
        play = Play(self.world, self._state, self._chance, self._memo)
        self._offers, self._memo, self._is_whole = {}, {}, False
        self._offers = self._carry_out(play, seat, offered)
        self._memo, self._is_whole = play.memo, True
        if self._keeps_events:
            self.events += play.events
        return play.events

    def _ask_again(self) -> tuple[str, ...]:
        if not self._is_whole:
            message = "a rule failed in the middle of an action, so this playout cannot go on; begin another one"
            raise RuleBroken(RuleBrokenCode.UNFINISHED, message)
        return super()._ask_again()

    def copy(self) -> Self:
        """An independent playout in the same position."""
        twin = super().copy()
        twin.events = list(self.events)
        return twin


class Repeating(Playout[S, W, Q]):
    """A game's actions done once more, when it is loaded: in place, which takes less time, but with history and events.

    Args:
        game: the game before its first action; it takes over in the end.
        total: how many actions there are.
    """

    def __init__(self, game: Game[S, W, Q], total: int) -> None:
        super().__init__(game, log=True)
        self._chance, self.events = game.chance, [*game.events]
        self.history: list[Decision] = []
        self.marks: dict[int, S] = {0: game._state}
        """Number of actions -> a copy of the state after them."""
        self.barrier = 0
        """After how many actions there is surely nothing to be undone."""
        self._late = total - CHECKPOINT_EVERY

    def _do(self, seat: str, offered: Action) -> list[Event]:
        asked, draws = self.to_move, self._state.draws
        self.history.append(Decision(seat, offered, len(self.events)))
        events = super()._do(seat, offered)
        number = len(self.history)
        if self.to_move != asked or self._state.draws != draws:
            self.barrier = number
        else:
            for event in events:
                if event.reveals:
                    self.barrier = number
                    break
        if number % CHECKPOINT_EVERY == 0 or (number == self.barrier and number > self._late):
            self.marks[number] = self._state.copy()
        return events
