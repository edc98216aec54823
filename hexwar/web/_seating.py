"""Who decides at which seat: people, bots, and what becomes of the seats of those who resign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from hexwar.engine import NEUTRAL


class Seating(NamedTuple):
    """The seats of a game at one moment; it never changes."""

    sides: Mapping[str, str]
    """Seat -> side, in order."""
    bots: Mapping[str, str]
    """Seat -> the bot that decides there."""
    resigned: tuple[str, ...] = ()
    """The seats whose people have resigned, in that order."""
    ended: bool = False
    """Whether the game is over because of that."""

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that no bot has."""
        return tuple(seat for seat in self.sides if seat not in self.bots)

    @property
    def words(self) -> str:
        """How the game ended, if a resignation ended it."""
        *others, last = self.resigned
        return f"{', '.join(others)} and {last} have resigned" if others else f"{last} has resigned"

    @property
    def resigned_for(self) -> dict[str, str]:
        """Seat whose player has resigned -> who decides there now: another seat, or a bot in words."""
        return {seat: self.decides(seat) or f"the bot {self.bots[seat]}" for seat in self.resigned}

    def decides(self, seat: str) -> str:
        """The seat whose player decides for a seat: its own or, after a resignation, the first of its side; "" if a bot does."""
        if seat in self.bots:
            return ""
        if seat not in self.resigned:
            return seat
        return next(iter(self._mates(seat)), seat)

    def seats_of(self, mine: Iterable[str]) -> tuple[str, ...]:
        """The seats at which the players of some seats decide."""
        own = set(mine)
        return tuple(seat for seat in self.sides if self.decides(seat) in own and seat not in self.bots)

    def resignation(self, seat: str, bot: str) -> dict[str, str] | None:
        """What follows when a player resigns: the seats that bots take over, none if a player of the side does; None: the end.

        A side has given up when it has no player left. The game goes on while two sides have not, and a person plays.
        """
        if self._mates(seat):
            return {}
        side = self.sides[seat]
        given_up = {self.sides[other] for other in self.resigned if other in self.bots} | {side, NEUTRAL}
        playing = [other for other in self.people if other not in (seat, *self.resigned) and self.sides[other] != NEUTRAL]
        if not playing or (side != NEUTRAL and len(set(self.sides.values()) - given_up) < 2):
            return None
        taken = [seat] if side == NEUTRAL else [other for other in self.people if self.sides[other] == side]
        return dict.fromkeys(taken, bot)

    def after(self, entry: Mapping[str, Any]) -> Seating:
        """What it is after an entry of the history: `resign` is true if that ended the game, or says which bots take over."""
        if "resign" not in entry:
            return self
        resigned, bots = (*self.resigned, str(entry["seat"])), entry["resign"]
        if isinstance(bots, Mapping):
            return self._replace(resigned=resigned, bots={**self.bots, **bots})
        return self._replace(resigned=resigned, ended=True)

    def _mates(self, seat: str) -> list[str]:
        """The others of its side who have not resigned."""
        if self.sides[seat] == NEUTRAL:
            return []
        others = [other for other in self.people if other != seat and other not in self.resigned]
        return [other for other in others if self.sides[other] == self.sides[seat]]
