"""Random playouts with recorded moves, and replaying such moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hexwar.engine import Action, Decision, Event, Game, Playout, RandomSource

SeatAction = tuple[str, Action]
"""Who does what."""

OnStep = Callable[[Game, str, Action, list[Event]], None]
"""Called after each action with the game, the seat, the action and what followed."""


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A game that was played on at random.

    Args:
        game: as it stands at the end.
        moves: what was done.
        finished: whether it came to its end, rather than to the limit.
    """

    game: Game
    moves: tuple[SeatAction, ...]
    finished: bool


def choose(game: Game | Playout, chance: RandomSource) -> SeatAction:
    """Any seat that is asked, any action that it is offered."""
    asked = game.to_move
    seat = asked[chance.randrange(len(asked))] if len(asked) > 1 else asked[0]
    return seat, game.offered(seat).sample(chance)


def play_at_random(
    game: Game, chance: RandomSource, *, stop_after: int | None = None, on_step: OnStep | None = None
) -> RandomGame:
    """Play a game on with random decisions.

    Args:
        game: it is played on, not copied.
        chance: where the decisions come from; the game has dice of its own.
        stop_after: the most actions to play; the scenario's bound if not given.
        on_step: called after each action.
    """
    info = game.ruleset.info
    limit = info.scenario(game.world.setup.scenario).bound if stop_after is None else stop_after
    moves: list[SeatAction] = []
    while game.to_move and len(moves) < limit:
        seat, action = choose(game, chance)
        events = game.apply(action, seat)
        moves.append((seat, action))
        if on_step is not None:
            on_step(game, seat, action, events)
    return RandomGame(game, tuple(moves), not game.to_move)


def moves_of(game: Game) -> list[SeatAction]:
    """What was done in a game so far."""
    return [(move.seat, move.action) for move in game.history]


def replay_moves(
    game: Game, moves: Iterable[SeatAction | Decision | Mapping[str, Any]], *, skip: bool = False
) -> list[SeatAction]:
    """Apply recorded moves to a game.

    Args:
        game: it is played on.
        moves: pairs of seat and action, entries of a history, or moves as a save writes them.
        skip: leave out moves that are not offered, instead of raising the refusal.

    Returns:
        The moves that were applied.
    """
    done: list[SeatAction] = []
    for move in moves:
        seat, action = decision(game, move)
        if skip and not is_offered(game, seat, action):
            continue
        game.apply(action, seat)
        done.append((seat, action))
    return done


def decision(game: Game, move: SeatAction | Decision | Mapping[str, Any]) -> SeatAction:
    """A recorded move as a pair of seat and action."""
    if isinstance(move, Decision):
        return move.seat, move.action
    if isinstance(move, Mapping):
        return move["seat"], game.ruleset.parse_action(move["action"])
    return move


def is_offered(game: Game, seat: str, action: Action) -> bool:
    """Whether a seat is asked and may do this; cheaper than asking why not."""
    return seat in game.to_move and game.offered(seat).find(action) is not None


def shortened(value: object, length: int = 200) -> str:
    """A repr for a sentence, of something that may be odd or broken."""
    try:
        text = ascii(value)
    except Exception as error:  # more digits or more levels than Python likes to write, or the repr of a broken ruleset
        text = f"a {type(value).__name__} that cannot be written: {type(error).__name__}"
    return text if len(text) <= length else f"{text[:length]}..."
