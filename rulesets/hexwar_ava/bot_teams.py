"""What a commander decides only where many play (19, 20): the controller's choices, the division of chits, interrupts."""

from __future__ import annotations

from hexwar.engine import Action, View
from hexwar.mechanics import Done
from hexwar_ava.bot_ground import Picture
from hexwar_ava.carrying_out import Cancel
from hexwar_ava.controller import DrawNext, Reveal, Wait
from hexwar_ava.master_cup import DivideRest
from hexwar_ava.team_state import DOWN


def divide(view: View, offered: Action) -> Action:
    """Every chit to the commander of its headquarters."""
    return DivideRest()


def control(view: View, offered: Action) -> Action:
    """Reveal what may be revealed, in order; keep drawing while at most two chits wait face down."""
    actions = view.legal_actions()
    reveals = [action for action in actions if isinstance(action, Reveal)]
    if reveals:
        return reveals[0]
    hidden = [entry for entry in view.state.queue if entry[1] == DOWN]
    return DrawNext() if DrawNext() in actions and len(hidden) < 2 else Wait()


def interrupt(view: View, offered: Action) -> Action:
    """The supply check: before the last one, or if it would hurt those who could still move; otherwise wait."""
    picture = Picture(view)
    chits = picture.world.chits
    checks = [a for a in view.legal_actions() if isinstance(a, Cancel) and chits[a.revealed].kind == "supply"]
    return next((action for action in checks if picture.delays_check(action.chit)), Done())
