"""The catalogue of generic bugs: each with the conditions under which it can matter to a ruleset."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hexwar.engine import Game, Step
from hexwar.mechanics import HexWorld, Supply
from hexwar.testing import Mutant, Patch, Subject


class Parts:
    """What a ruleset is made of, as far as it decides which bugs can matter to it.

    Args:
        subject: the ruleset.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    @cached_property
    def game(self) -> Game:
        """One at its beginning."""
        return self.subject.start(0)

    @property
    def world(self) -> Any:
        """Its world."""
        return self.game.world

    @property
    def world_type(self) -> type[Any]:
        """The class of its world, where its rules are."""
        return type(self.world)

    def part_type(self, name: str) -> type[Any]:
        """The class of a part of its world, where the rules of a chapter are."""
        kind: type[Any] = getattr(self.world_type, name).kind
        return kind

    @property
    def is_hex_game(self) -> bool:
        """Whether it is built on `hexwar.mechanics`."""
        return isinstance(self.world, HexWorld)

    @property
    def supply(self) -> Supply | None:
        """How it traces lines."""
        return getattr(self.world, "supply", None)

    def has_step(self, *kinds: type[Step]) -> bool:
        """Whether it has one of some steps of the mechanics, or one made from it."""
        return any(issubclass(step, kinds) for step in self.subject.ruleset.steps)

    def has_secrets(self) -> bool:
        """Whether somebody does not see everything, steps and dice apart."""
        return any(part.name not in ("stack", "draws") for part in self.subject.ruleset.state_type._secrets)

    def overrides(self, name: str, base: type[Any]) -> bool:
        """Whether its world has a rule of its own in place of one of a base class."""
        return getattr(self.world_type, name, None) is not getattr(base, name)

    def uses(self, function: Callable[..., Any]) -> bool:
        """Whether a module of the ruleset has imported a function."""
        package = type(self.subject.ruleset).__module__.partition(".")[0]
        modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == package]
        return any(value is function for module in modules for value in vars(module).values())

    def on_board(self, *terrain: str) -> bool:
        """Whether the board has a terrain."""
        return any(self.world.board.terrain(label) in terrain for label in self.world.board.labels)

    def has_sides(self, *features: str) -> bool:
        """Whether the board has a hexside feature."""
        return any(name in self.world.board.side_features for name in features)


Plant = Callable[[Patch, Parts], object]
"""Plants a bug below a ruleset."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something a ruleset must have for a bug to matter.

    Args:
        words: what is missing if it does not hold: "it has no chits".
        holds: whether the ruleset has it.
    """

    words: str
    holds: Callable[[Parts], bool]


@dataclass(frozen=True, slots=True)
class Generic:
    """A bug that many rulesets could have.

    Args:
        id: short, with hyphens.
        what: what is wrong then, in a sentence.
        plant: does it, given a patch and the parts of the ruleset.
        likely: the checks that should catch it.
        conditions: what a ruleset must have.
    """

    id: str
    what: str
    plant: Plant
    likely: tuple[str, ...]
    conditions: tuple[Condition, ...]

    def why_not(self, parts: Parts) -> str:
        """Why it cannot matter to a ruleset, or ""."""
        return next((condition.words for condition in self.conditions if not condition.holds(parts)), "")

    def mutant(self, parts: Parts) -> Mutant:
        """As a mutant of a ruleset."""
        return Mutant(self.id, self.what, lambda patch: self.plant(patch, parts), likely=self.likely)


def bug(id: str, what: str, plant: Plant, *conditions: Condition, likely: tuple[str, ...] | str = ()) -> Generic:
    """A generic bug; a single check that should catch it needs no brackets."""
    return Generic(id, what, plant, (likely,) if isinstance(likely, str) else likely, conditions)


def wrapping(owner: Any, name: str, around: Callable[..., Any]) -> Plant:
    """Another function of a module, or method of a class; it gets the original first."""
    return lambda patch, parts: patch.wrap(owner, name, around)


def in_world(name: str, around: Callable[..., Any]) -> Plant:
    """Another method of the ruleset's world."""
    return lambda patch, parts: patch.wrap(parts.world_type, name, around)


def in_part(part: str, name: str, around: Callable[..., Any]) -> Plant:
    """Another method of a part of the ruleset's world."""
    return lambda patch, parts: patch.wrap(parts.part_type(part), name, around)


def everywhere(function: Any, around: Callable[..., Any]) -> Plant:
    """Another function in all modules that use it."""
    return lambda patch, parts: patch.everywhere(function, around)


HEXES = Condition("it is not built on hexwar.mechanics", lambda parts: parts.is_hex_game)
GONE = Condition(
    "what is eliminated goes into a box of its own rules",
    lambda parts: parts.is_hex_game and not parts.overrides("grave", HexWorld),
)
SECRETS = Condition("it has nothing to hide", lambda parts: parts.has_secrets())
