"""A ruleset whose source cites clauses that do not exist, in every way in which a clause can be cited."""

from __future__ import annotations

from typing import Any, ClassVar

from hexwar.engine import Action, Play, Position, Step, World, record
from hexwar.errors import Refusal, RefusalCode
from tests.engine.toy import Toy, ToyRuleset

CLAUSES = {"walk": "2", "swim": "77.1"}


@record
class Swimming(Step[Toy, World]):
    kind = "swimming"
    clause: ClassVar[str] = "2"

    def resume(self, play: Play[Toy, World]) -> None:
        play.roll("swim", clause="77.2")

    def why_not(self, at: Position[Toy, World], seat: str, action: Action) -> Refusal | None:
        return Refusal(RefusalCode.AGAINST_RULE, "77.3", "nobody swims")

    def dive(self, play: Any) -> None:
        clause = "77.4"
        play.roll("dive", clause=clause)


class MisquotingRuleset(ToyRuleset):
    pass


MISQUOTING = MisquotingRuleset()
