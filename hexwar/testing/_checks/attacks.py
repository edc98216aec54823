"""The check of attacks that go round the gate: second threads, invalid dice, long lines of orders, odd names of files."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

from hexwar.engine import Action, Chance, Event, Game, TapedChance
from hexwar.errors import HexwarError, Refusal, RefusalCode
from hexwar.testing._checks.following import Counting, Remembering

ATTACKS: dict[str, str] = {
    "second change": "an action or an undo while another action is carried out, from inside of the dice and by another thread",
    "odd chance": "dice that give truths, fractions, texts, nothing, numbers that are not on the die",
    "long line": "orders behind semicolons at the table that go on when another player is asked",
    "odd path": "a null, a folder, a device or nothing as the name of a save",
}
"""The sorts of attacks, and what is wrong with each."""

ODD_OUTCOMES: tuple[Any, ...] = (True, False, 0.0, None, "0", 0j, -1, 10**30, float("nan"), b"\0", [0], object())
ODD_PATHS = ("", ".", "a\0b", "/dev/null", "\ud800", "x" * 5000)
MARK = "no-such-clause"
"""Somebody asks for it last; a line that is typed shows it once."""


class AttacksFail(Counting, Remembering):
    """Threads, dice that give no numbers, long lines of orders at the table and odd names of files change and tell nothing."""

    rate = 0.02

    def begin(self, game: Game) -> None:
        """Save to what is no file, and load it."""
        self.failing = "odd path"
        for name in ODD_PATHS:
            for what, call in (("saved to", game.save), ("loaded from", self.subject.load)):
                self.tally[self.failing] += 1
                told = _raised(call, name)
                self.demand(isinstance(told, HexwarError), f"a game can be {what} {name[:20]!r}, or fails there: {told!r}")
        self.failing = ""

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Give a long line of orders at the table; where something was drawn, draw it again with meddling and with odd dice."""
        self.failing = "long line"
        self._line(self.was.copy(), seat, action, game)
        self.failing = ""
        if game.state.draws == self.was.state.draws:
            return
        self.failing = "second change"
        twin = self.was.copy()
        dice = twin._chance = _Meddling(game.chance, lambda: twin.apply(action, seat), lambda: twin.undo(seat))
        done = twin.apply(action, seat)
        self.tally[self.failing] += len(dice.told)
        for told in dice.told:
            busy = isinstance(told, Refusal) and told.code is RefusalCode.BUSY
            self.demand(busy, f"while {action!r} is carried out, a second change is not refused as such: {told!r}")
        self.demand((done, twin.digest) == (events, game.digest), f"a second change changes what {action!r} does")
        self.failing = "odd chance"
        for odd in ODD_OUTCOMES:
            twin = self.was.copy()
            twin._chance = TapedChance(_Stuck(odd))
            self.tally[self.failing] += 1
            told = _raised(twin.apply, action, seat)
            self.demand(isinstance(told, HexwarError), f"dice that give {odd!r} are taken, or fail: {told!r}")
            same = (twin.digest, len(twin.history)) == (self.was.digest, len(self.was.history))
            self.demand(same, f"dice that give {odd!r} are refused, but the game has changed")
        self.failing = ""

    def _line(self, game: Game, seat: str, action: Action, others: Game) -> None:
        """A player at the table types an order, and behind it those of all others and what they would like to read."""
        from hexwar.table.session import typed

        since = len(game.history)
        orders = [str(other.legal_actions(name)[0]) for other in (game, others) for name in other.to_move if name != seat]
        self.tally[self.failing] += len(orders) + 2
        printed = typed(game, seat, "; ".join([str(action), *orders, "log 5", f"rule {MARK}"]))
        made = [decision.seat for decision in game.history[since:] if decision.seat != seat]
        self.demand(not made, f"a line of {seat} goes on to decide for {', '.join(made)}")
        crossed = len(game.history) > since and seat not in game.to_move and printed.count(MARK) > 1
        self.demand(not crossed, f"a line of {seat} goes on to read what {', '.join(game.to_move)} may know")


def _raised(call: Callable[..., object], *arguments: Any) -> object:
    """The error of a call, or what it gives."""
    try:
        return call(*arguments)
    except Exception as error:
        return error


class _Stuck:
    """Dice that always give the same thing."""

    def __init__(self, outcome: Any) -> None:
        self._outcome = outcome

    def randrange(self, size: int) -> Any:
        return self._outcome


class _Meddling(Chance):
    """Dice that change the game while they are rolled, themselves and by another thread."""

    def __init__(self, chance: Chance, *changes: Callable[[], object]) -> None:
        self._chance = chance
        self._changes = changes
        self.told: list[object] = []

    def draw(self, counter: int, size: int) -> int:
        if not self.told:
            self._meddle()
            thread = Thread(target=self._meddle)
            thread.start()
            thread.join()
        return self._chance.draw(counter, size)

    def _meddle(self) -> None:
        self.told += [_raised(change) for change in self._changes]
