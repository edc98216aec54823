"""Chance that Hypothesis controls: dice for a game, and a source for random decisions."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable

from hypothesis import strategies as st

from hexwar.engine import Action, Game
from hexwar.testing._staging.dice import Lot, ScriptedDice
from hexwar.testing._staging.random_play import SeatAction, choose
from hexwar.testing.strategies._arguments import StrategyError, draw_bytes, whole


class Tape:
    """Random numbers from drawn bytes, and once they are used up from a plain generator that they seed.

    A number takes microseconds, where one that Hypothesis draws takes fifty. Zeros give the first of what there is to choose
    from, which in a game is the dullest action; so shrinking makes a game dull.

    Args:
        data: the bytes.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.used = 0
        """How many bytes were used."""
        self._rest: random.Random | None = None

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 up to but not including `stop`."""
        if stop <= 1:
            if stop < 1:
                raise ValueError(f"one of {stop} outcomes cannot be drawn")
            return 0
        end = self.used + (stop.bit_length() + 7) // 8 + 1  # a byte more than it takes, so that no outcome is much rarer
        if end > len(self.data):
            if self._rest is None:
                self._rest = random.Random(self.data)
            return self._rest.randrange(stop)
        number = int.from_bytes(self.data[self.used : end], "big")
        self.used = end
        return number % stop

    def __copy__(self) -> Tape:
        twin = Tape(self.data)
        twin.used = self.used
        twin._rest = copy.copy(self._rest)
        return twin

    def __repr__(self) -> str:
        shown = self.data[:8].hex() + ("..." if len(self.data) > 8 else "")
        return f"Tape({shown})"


def chances(controlled: int = 256) -> st.SearchStrategy[Tape]:
    """A source of chance, for `new_game(chance=...)`, `play_at_random` and wherever a `random.Random` will do.

        @given(chances(), chances())
        def test_games_come_to_an_end(dice, decisions):
            game = hexwar.new_game("bridgehead", chance=dice)
            assert play_at_random(game, decisions).finished

    Args:
        controlled: how many bytes come from Hypothesis; a number takes two as a rule. Further numbers follow from these bytes.
    """
    return _tapes(whole("controlled", controlled, 1, 4000))


@st.composite
def _tapes(draw: st.DrawFn, size: int) -> Tape:
    return Tape(draw_bytes(draw, size))


def dice(rolls: int = 6, faces: int = 6, lots: Iterable[int] = ()) -> st.SearchStrategy[ScriptedDice]:
    """Dice that fall as Hypothesis says, for a position in which the next draws are rolls of a die; shrinks to ones.

        @given(dice(rolls=1))
        def test_any_roll_has_a_result(script):
            game = position("bridgehead", units=..., step=Attacking("blue", ("b1",)), dice=script)

    The failing example shows what was rolled: `<dice 6; 1 used>`. A whole game also draws lots; give it `chances()`.

    Args:
        rolls: how many; what a game rolls beyond them does not depend on the example.
        faces: of the die.
        lots: the numbers of lots that are drawn before the first die, from 0.
    """
    whole("rolls", rolls, 0, 1000)
    whole("faces", faces, 1, 256)
    return _scripts(rolls, faces, [Lot(whole("lots", lot, 0)) for lot in lots])


@st.composite
def _scripts(draw: st.DrawFn, rolls: int, faces: int, before: list[Lot]) -> ScriptedDice:
    return ScriptedDice([*before, *(byte % faces + 1 for byte in draw_bytes(draw, rolls))], then=random.Random(0))


def _demand_asked(game: Game) -> None:
    if not game.to_move:
        raise StrategyError(f"nobody can do anything: the game is over ({game.result})")


def decisions(game: Game, *, controlled: int = 32) -> st.SearchStrategy[SeatAction]:
    """Something that a seat may do now, with the seat: a pair for `game.apply(action, seat)`. Shrinks to the dullest.

        @given(st.data())
        def test_somebody_does_something(data):
            game = data.draw(reachable_games("bridgehead"))
            seat, action = data.draw(decisions(game))
            game.apply(action, seat)

    Args:
        game: the position; it must not be over.
        controlled: see `chances`.
    """
    _demand_asked(game)
    return _decisions(game, whole("controlled", controlled, 1, 4000))


@st.composite
def _decisions(draw: st.DrawFn, game: Game, controlled: int) -> SeatAction:
    return choose(game, Tape(draw_bytes(draw, controlled)))


def actions(game: Game, seat: str | None = None, *, controlled: int = 32) -> st.SearchStrategy[Action]:
    """An action that is offered now. Shrinks to the dullest one; nothing is listed, so it is quick for hundreds of units.

        @given(st.data())
        def test_what_is_offered_can_be_done(data):
            game = data.draw(reachable_games("bridgehead"))
            game.apply(data.draw(actions(game)))

    Args:
        game: the position; it must not be over.
        seat: who acts, one of those who are asked; any of them if not given.
        controlled: see `chances`.
    """
    _demand_asked(game)
    if seat is not None and seat not in game.to_move:
        raise StrategyError(f"{seat} is not asked now; {', '.join(game.to_move)} must decide")
    return _actions(game, seat, whole("controlled", controlled, 1, 4000))


@st.composite
def _actions(draw: st.DrawFn, game: Game, seat: str | None, controlled: int) -> Action:
    chance = Tape(draw_bytes(draw, controlled))
    return choose(game, chance)[1] if seat is None else game.offered(seat).sample(chance)
