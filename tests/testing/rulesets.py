"""Rulesets with faults that no monkeypatch can plant, because another process or the source itself must have them."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Listed, Phase, Play, Position, SequenceOfPlay, Step, World, record
from tests.engine.toy import Toy, ToyRuleset, change


@record
class Say(Action):
    kind = "say"
    word: str


@record
class Talking(Step[Toy, World]):
    """Offers words in the order in which a set has them, which depends on the hash seed."""

    kind = "talking"
    clause: ClassVar[str] = "1"
    left: int = 4

    def deciders(self, at: Position[Toy, World]) -> tuple[str, ...]:
        return ("north",)

    def actions(self, at: Position[Toy, World], seat: str) -> ActionSet:
        return Listed(Say(word) for word in {"yes", "no", "perhaps", "never", "always", "soon"})

    def perform(self, play: Play[Toy, World], seat: str, action: Action) -> None:
        if self.left:
            play.replace(Talking(self.left - 1))
            change(play, round=play.state.round + 1)
        else:
            play.end("north", "all is said", clause="4")


class UnorderedRuleset(ToyRuleset):
    actions = (Say,)
    steps = (Talking,)
    sequence = SequenceOfPlay(Phase("talk", "Talk", "1", lambda play: play.push(Talking())))


UNORDERED = UnorderedRuleset()


class HomelessRuleset(ToyRuleset):
    """One whose object nobody finds in its module."""
