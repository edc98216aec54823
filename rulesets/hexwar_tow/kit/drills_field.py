"""Drills of the field: positions made by hand for rules that random positions do not show, and what must become of them.

A drill says what the rulebook says, in plain numbers; it never asks the ruleset what is right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import hexwar
from hexwar.engine import Action, Game
from hexwar.mechanics import Move
from hexwar.testing.watch import Survey
from hexwar_tow.kit.field_boards import scene
from hexwar_tow.relocation import Marching, Relocate


class Differs(AssertionError):
    """Something is not as a drill says."""


def same(clause: str, what: str, told: object, due: object) -> None:
    """Fail unless two things are equal."""
    if told != due:
        raise Differs(f"{clause}: {what}: {told}, but the rule says {due}")


DRILLS: list[Callable[[], None]] = []


def drill(play: Callable[[], None]) -> Callable[[], None]:
    """Add a drill to those that the kit runs."""
    DRILLS.append(play)
    return play


def offers(game: Game[Any, Any], kind: type[Action], name: str) -> set[Any]:
    """What the actions of a kind are about; nothing if nobody is asked."""
    return {getattr(action, name) for seat in game.to_move for action in game.legal_actions(seat) if isinstance(action, kind)}


@drill
def _() -> None:
    for scenario in ("campaign", "race"):
        game = hexwar.new_game("tow", scenario, seed=0, options={"auto-setup": True})
        same("8.1.7", f"who holds the cities of {scenario} at first", set(game.state.control.values()), {"axis"})


@drill
def _() -> None:
    units = {"ger-4pza": "0707", "ger-112": "0708", "sov-51": "0913"}
    game = scene(units, Marching("axis", ("ger-4pza", "ger-112")))
    same("9.4.1", "who may be relocated in place of a move", offers(game, Relocate, "unit"), {"ger-4pza"})
    same("9.0.1", "who may move", offers(game, Move, "unit"), {"ger-4pza", "ger-112"})


class FieldDrills(Survey):
    """Rules that seldom come up."""

    id: ClassVar[str] = "field-drills"
    sentence: ClassVar[str] = "In positions made by hand the rules of the field do what the rulebook says (5, 6, 8 to 10)."

    def run(self, seed: int) -> None:
        """Try all of them."""
        for play in DRILLS if self.is_first else ():
            try:
                play()
            except Differs as error:
                raise self.fail(str(error)) from error
