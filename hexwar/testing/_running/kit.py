"""What a ruleset says to the kit about itself: what it has (stacking, zones, supply, ...) and its own checks.

A ruleset says in its card where that is (`RulesetInfo.kit = "my_rules.kit:KIT"`); without one, every universal check runs and
nothing else. A suite may add to it, which is how a test module tries something out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from hexwar.engine import Position

if TYPE_CHECKING:
    from hexwar.testing._running.watch import Check

At = Position


class Capability:
    """Something that not every game has. Checks that need it run for the rulesets that say they have it.

    A ruleset has a capability once. What a check must know of the rules, it asks the capability.
    """

    is_quick: ClassVar[bool] = False
    """Whether its answers take so little time that checks need not look at one in many on a large board."""
    name: ClassVar[str] = ""
    """As the command line calls it: the words of the class, unless it says another."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.name = vars(cls).get("name") or re.sub(r"(?<!^)(?=[A-Z])", " ", cls.__name__).lower()


C = TypeVar("C", bound=Capability)


def with_piece(at: At, piece: str, label: str) -> At:
    """A position with a unit in another hex, as strong as it can be if it was not there; the one it was made from stays."""
    state = at.state.copy()
    state.steps_left = {piece: at.world.units[piece].steps, **state.steps_left}
    state.put(piece, label)
    return Position(at.world, state)


def without_piece(at: At, piece: str) -> At:
    """A position without a unit; the one it was made from stays as it is."""
    state = at.state.copy()
    state.remove(piece)
    return Position(at.world, state)


@dataclass(frozen=True)
class Kit:
    """What a ruleset tells the kit.

    Args:
        capabilities: what it has, which switches on the checks that need it.
        checks: its own, besides the universal ones: whatever its rulebook lets one judge from outside.
        scenarios: tier -> the scenarios that its games are of, in turn, so that one that is named twice is played twice as often;
            only the first one in the quick tier and all in the others by default.
        looks: tier -> the share of the decisions of a random game that is looked at, in stretches all over it; all of them, or of
            a long game as many as the tier has by default.
        pieces: how positions are made, an `Arranging` of `hexwar.testing.strategies`; rulesets that are built on
            `hexwar.mechanics` need not say.
        secret: the fields of the state that the rulebook hides from somebody; () if it hides nothing. It is worth saying a second
            time: a field that is shown by mistake is as public as any other.
        known_failures: check id -> why it fails and will be repaired; `hexwar check` and the suite expect it to fail.
        harmless: automatic mutant -> why it is no mistake in this ruleset; it is left out.
    """

    capabilities: Sequence[Capability] = ()
    checks: Sequence[type[Check]] = ()
    scenarios: Mapping[str, Sequence[str]] = field(default_factory=dict)
    looks: Mapping[str, float] = field(default_factory=dict)
    pieces: object = None
    harmless: Mapping[str, str] = field(default_factory=dict)
    known_failures: Mapping[str, str] = field(default_factory=dict)
    secret: Sequence[str] | None = None

    def capability(self, kind: type[C]) -> C | None:
        """A capability by its class."""
        return next((capability for capability in self.capabilities if isinstance(capability, kind)), None)

    def extended(self, capabilities: Sequence[Capability] = (), checks: Sequence[type[Check]] = ()) -> Kit:
        """This one with more; a capability of the same class takes the place of the one that is there."""
        kept = [own for own in self.capabilities if type(own) not in {type(other) for other in capabilities}]
        return replace(self, capabilities=(*kept, *capabilities), checks=tuple(dict.fromkeys((*self.checks, *checks))))
