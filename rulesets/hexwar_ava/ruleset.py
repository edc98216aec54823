"""The ruleset as far as it goes: the rule index and the sequence of play. A game cannot be started yet."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import NoReturn

from hexwar.engine import Loop, Phase, RuleIndex, Ruleset, SequenceOfPlay, Setup, state
from hexwar.errors import HexwarError
from hexwar.mechanics import CHIT_ACTIONS, ChitState, HexState, HexWorld
from hexwar_ava import INFO
from hexwar_ava.content import load_ava

RULES = RuleIndex.load(files(__package__) / "data" / "rules.toml")


@state
class AvaState(HexState, ChitState):
    """What the mechanics need; the game's own is still to come."""


def cannot_be_played(*_: object) -> NoReturn:
    """Say what is missing.

    Raises:
        HexwarError: always.
    """
    raise HexwarError(
        "A Victory Awaits cannot be played yet: its maps, counters, charts and rule index are there, "
        "but set-up, activation, movement, combat, supply, reinforcements and victory are not "
        "(hexwar rules ava --status absent)"
    )


def turns_remain(at: object) -> bool:
    """5.0.2: the last turn is not over."""
    cannot_be_played(at)


def chits_remain(at: object) -> bool:
    """5.0.6: the cup is not empty."""
    cannot_be_played(at)


# 5.0: the rulebook's order. The phases name what will happen in them; nothing enters them.
CHIT = (
    Phase("command", "Command", "5.0.4", cannot_be_played),
    Phase("activation", "Activation", "8.1.1", cannot_be_played),
    Phase("movement", "Movement segment", "9.0.1", cannot_be_played),
    Phase("combat", "Combat segment", "10.0.1", cannot_be_played),
)
TURN = (
    Phase("selection", "Selection", "5.0.3", cannot_be_played),
    Loop("Chits", "5.0.6", chits_remain, CHIT),
    Phase("interrupts", "Held interrupts", "7.3.5", cannot_be_played),
    Phase("end", "End", "5.0.7", cannot_be_played),
)
SEQUENCE = SequenceOfPlay(
    Phase("set-up", "Set-up", "4.0.2", cannot_be_played),
    Phase("surprise", "Surprise attack", "15.1.1", cannot_be_played),
    Loop("Turn", "5.0.1", turns_remain, TURN),
    Phase("verdict", "Verdict", "16.4.1", cannot_be_played),
)


class AVictoryAwaits(Ruleset[AvaState, HexWorld]):
    """The game on three maps."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = AvaState
    actions = CHIT_ACTIONS
    steps = ()
    events = ()

    def world(self, setup: Setup) -> HexWorld:
        """There is none yet."""
        cannot_be_played(setup)

    def provenance(self) -> Mapping[str, Mapping[str, object]]:
        """What the content files say of themselves."""
        return load_ava().provenance

    def start(self, world: HexWorld) -> AvaState:
        """There is none yet."""
        cannot_be_played(world)


RULESET = AVictoryAwaits()
