"""What is tested: a ruleset, installed or as an object, with the scenarios and options that its games are played with."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hexwar import facade
from hexwar.engine import (
    Game,
    Invariant,
    Option,
    RandomSource,
    RuleIndex,
    Ruleset,
    RulesetInfo,
    SeededChance,
    Setup,
    TapedChance,
    World,
    settle_options,
)
from hexwar.engine._save import read_save, replay
from hexwar.plugins import plugins
from hexwar.plugins._variants import load_object
from hexwar.testing._running.kit import Kit

SHORT = 500
"""The most actions of a short game."""


@dataclass(frozen=True)
class Subject:
    """A ruleset under test.

    Args:
        ruleset: the rules.
        scenario: its id.
        options: the options that differ from their defaults.
        installed: whether plugins find it; otherwise games are made from the object.
        kit: what it says to the kit about itself.
        seats: the name of one of the ruleset's seatings, for games of several players a side.
    """

    ruleset: Ruleset
    scenario: str
    options: Mapping[str, bool | str] = field(default_factory=dict)
    installed: bool = True
    kit: Kit = field(default_factory=Kit)
    seats: str | None = None

    @classmethod
    def of(
        cls,
        ruleset: str | Ruleset,
        scenario: str | None = None,
        options: Mapping[str, bool | str] | None = None,
        seats: str | None = None,
    ) -> Subject:
        """By the id of an installed ruleset, or by the object of one that is not."""
        if isinstance(ruleset, str):
            rules, installed = plugins().ruleset(ruleset), True
        else:
            rules, known = ruleset, plugins().rulesets()
            installed = rules.info.id in known and plugins().ruleset(rules.info.id) is rules
            if not installed:
                rules.check()
        kit = plugins().load({rules.info.id: rules.info.kit}, "kit", rules.info.id) if rules.info.kit else Kit()
        if scenario is None and rules.info.playable:
            scenario = rules.info.playable[0].id
        return cls(rules, rules.info.scenario(scenario).id, dict(options or {}), installed, kit, seats)

    @classmethod
    def at(
        cls, address: str, scenario: str | None = None, options: Mapping[str, bool | str] | None = None, seats: str | None = None
    ) -> Subject:
        """By what another process finds it by; see `address`."""
        return cls.of(load_object(address) if ":" in address else address, scenario, options, seats)

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process, which finds the ruleset and its own kit there."""
        return Subject.at, (self.address, self.scenario, self.options, self.seats)

    def __str__(self) -> str:
        """What is played, in a few words."""
        told = [name if value is True else f"{name}={value or 'off'}" for name, value in self.options.items()]
        return " ".join([self.scenario, *told, *([self.seats] if self.seats else [])])

    @property
    def info(self) -> RulesetInfo:
        """The ruleset's card."""
        return self.ruleset.info

    @property
    def bound(self) -> int:
        """The most actions that a game of the scenario can take."""
        return self.info.scenario(self.scenario).bound

    @property
    def is_short(self) -> bool:
        """Whether its games are so short that each may be looked at closely."""
        return self.bound <= SHORT

    def among(self, scenarios: Sequence[str]) -> list[Subject]:
        """The same ruleset in several scenarios."""
        return [replace(self, scenario=self.info.scenario(scenario).id) for scenario in scenarios]

    def played(self, tier: str) -> Sequence[str]:
        """The scenarios that games of a tier are of, in turn; one that is named more often is played more often."""
        every = [scenario.id for scenario in self.info.playable]
        return self.kit.scenarios.get(tier) or (every[:1] if tier == "quick" else every)

    def with_options(self, options: Mapping[str, bool | str]) -> Subject:
        """The same ruleset with other options."""
        return replace(self, options=dict(options))

    @cached_property
    def every_option(self) -> list[Option]:
        """Its options, those of installed variants included."""
        return plugins().options(self.info.id) if self.installed else list(self.info.options)

    @cached_property
    def invariants(self) -> list[Invariant]:
        """What must hold by what plugins say, besides the invariants of the ruleset as it is in a game."""
        return plugins().invariants(self.info.id)

    @cached_property
    def rules(self) -> RuleIndex:
        """The rule index, with the clauses of every variant that is installed."""
        variants = plugins().variants(self.info.id).values() if self.installed else ()
        return self.ruleset.rules.extended(clause for variant in variants for clause in variant.clauses)

    def start(self, dice: RandomSource | int | str) -> Game:
        """A new game, with the dice of a seed or of another source."""
        if self.installed:
            given: dict[str, Any] = {"seed": dice} if isinstance(dice, int | str) else {"chance": dice}
            return facade.new_game(self.info.id, self.scenario, options=self.options, seats=self.seats, **given)
        chance = SeededChance(dice) if isinstance(dice, int | str) else TapedChance(dice)
        return Game(self.ruleset, self.world, self.ruleset.start(self.world), chance)

    @cached_property
    def world(self) -> World:
        """The world of a ruleset that is not installed."""
        info = self.info
        setup = Setup(
            ruleset=info.id,
            version=info.version,
            scenario=self.scenario,
            options=settle_options(self.options, info.options, self.scenario),
            seats=info.seating(self.seats, self.scenario).seats if self.seats else {side: side for side in info.sides},
            rules=self.ruleset.rules,
        )
        made: World = self.ruleset.world(setup)
        return made

    def load(self, path: str | os.PathLike[str]) -> Game:
        """A saved game, replayed and verified."""
        if self.installed:
            return facade.load_game(path)
        from hexwar.testing._staging.positions import read_position  # which is made of subjects

        saved = read_save(path)
        begun = self.start(0) if saved.position is None else read_position(self, saved.position)
        game = Game(self.ruleset, self.world, begun.first_state, saved.chance(), saved.position)
        replay(saved, game, str(path))
        return game

    @property
    def address(self) -> str | None:
        """What another process finds it by: the id, "module:object", or None if it is in no module."""
        if self.installed:
            return self.info.id
        module = type(self.ruleset).__module__
        names = (name for name, value in vars(sys.modules[module]).items() if value is self.ruleset)
        return next((f"{module}:{name}" for name in names), None)
