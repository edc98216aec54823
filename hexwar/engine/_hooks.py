"""Rule hooks as the engine sees them: plain functions, resolved when a game is created; nothing in play asks a plugin manager."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hexwar.engine._actions import Action
    from hexwar.engine._events import Event
    from hexwar.engine._sequence import SequenceOfPlay
    from hexwar.engine._steps import Play, Position, World
    from hexwar.errors import Refusal


class Hooks(NamedTuple):
    """The rule hooks of one game, each a chain of functions in calling order.

    Args:
        sequence: change the sequence of play; None leaves it as it is.
        veto: forbid an action that is offered.
        on_event: react to an event.
    """

    sequence: tuple[Callable[[World, SequenceOfPlay], SequenceOfPlay | None], ...] = ()
    veto: tuple[Callable[[Position, str, Action], Refusal | None], ...] = ()
    on_event: tuple[Callable[[Play, Event], None], ...] = ()
