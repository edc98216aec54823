"""Topics: how the mechanics cite a rulebook that they do not know.

A ruleset says under which of its clauses each topic stands ("move.zone" is 7.3); steps, events and refusals of the
mechanics name the topic.
"""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Position, Step, record
from hexwar.errors import Refusal

Why = tuple[str, str]
"""Why something may not be done: the topic of the rule, and a sentence."""


@record
class TopicStep(Step):
    """A step whose clause the ruleset gives: the world knows it by the step's topic."""

    kind = ""
    topic: ClassVar[str] = ""

    def rule(self, at: Position) -> str:
        """The ruleset's clause on the topic; a step of one game names the clause itself."""
        return self.clause or str(at.world.clause(self.topic))


def against(at: Position, topic: str, message: str) -> Refusal:
    """A refusal that cites the ruleset's clause on a topic."""
    return Refusal.against(at.world.clause(topic), message)
