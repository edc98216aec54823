"""The hook specifications: the whole surface that a plugin can use, in one short module.

A plugin is a module or object whose functions carry these names and the marker `hexwar.hookimpl`. *Discovery hooks*
are called when somebody asks what there is. *Rule hooks* belong to a `Variant`: they are collected when a game is
created with that variant switched on and are plain function calls from then on. A rule hook gets the value so far as
its last argument and returns another, or None to leave it as it is; it may take fewer arguments than listed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from hexwar.engine import Action, Event, Invariant, Play, Position, RulesetInfo, SequenceOfPlay, World
    from hexwar.errors import Refusal
    from hexwar.mechanics import Mode, Rail, Reinforcements, Score
    from hexwar.plugins.variants import Variant

API = 1
"""The version of this surface. It rises when a hook goes away or changes its meaning, not when one is added; a plugin may
say `HEXWAR_API = 1` and is then refused, in a sentence, by a hexwar with another."""

hookspec = pluggy.HookspecMarker("hexwar")
hookimpl = pluggy.HookimplMarker("hexwar")


class DiscoverySpecs:
    """Hooks that say what a plugin brings. Keep what they import light: `hexwar list` calls them."""

    @hookspec
    def hexwar_rulesets(self) -> Iterable[RulesetInfo]:  # type: ignore[empty-body]
        """Rulesets, as cards; the rules behind them are imported on first use."""

    @hookspec
    def hexwar_variants(self) -> Iterable[Variant]:  # type: ignore[empty-body]
        """Optional and house rules for installed rulesets."""

    @hookspec
    def hexwar_maps(self) -> Mapping[str, Traversable]:  # type: ignore[empty-body]
        """Map files by board id, such as "ava/campaign"."""

    @hookspec
    def hexwar_bots(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Bots by name, each as "module:object"; the object makes a bot when called without arguments."""

    @hookspec
    def hexwar_renderers(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Picture formats by file ending, each as "module:function" that turns SVG text into bytes."""

    @hookspec
    def hexwar_commands(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Commands of the command line by name, each as "module:object" of a click command."""

    @hookspec
    def hexwar_invariants(self, ruleset: str) -> Iterable[Invariant]:  # type: ignore[empty-body]
        """Further invariants that the test kit checks in games of a ruleset."""


class RuleSpecs:
    """Hooks that change a rule of an installed ruleset."""

    @hookspec
    def hexwar_sequence(self, world: World, sequence: SequenceOfPlay) -> SequenceOfPlay | None:
        """The sequence of play, asked once when a world is made; the world has its options, but no board yet."""

    @hookspec
    def hexwar_chits(self, world: World, chits: dict[str, Any]) -> dict[str, Any] | None:
        """The chits of the game by id, as the ruleset describes them, asked once."""

    @hookspec
    def hexwar_resolve_chit(self, play: Play, chit: str, resolved: bool) -> bool | None:
        """Do what a drawn or played chit does. True says that it is done, or that steps were pushed which do it."""

    @hookspec
    def hexwar_conditions(self, at: Position, conditions: str) -> str | None:
        """The conditions that movement costs depend on now, such as "mud"; "" in fair weather."""

    @hookspec
    def hexwar_movement_cost(self, world: World, conditions: str, mover: str, origin: str, target: str, cost: int) -> int | None:
        """The half movement points of a step between adjacent hexes, asked once for each when a table is made."""

    @hookspec
    def hexwar_modes(self, at: Position, unit: str, modes: tuple[Mode, ...]) -> tuple[Mode, ...] | None:
        """The ways of moving that are open to a unit, the normal one first."""

    @hookspec
    def hexwar_zone(self, world: World, kind: str, origin: str, target: str, extends: bool) -> bool | None:
        """Whether the zone of control of a kind of unit extends from one hex into the next."""

    @hookspec
    def hexwar_stacking_limit(self, world: World, side: str, hex: str, limit: int) -> int | None:
        """How much of a side may stand in a hex."""

    @hookspec
    def hexwar_supply(self, at: Position, unit: str, supplied: bool) -> bool | None:
        """Whether a unit is in supply."""

    @hookspec
    def hexwar_lines(self, world: World, side: str, links: tuple[Rail, ...]) -> tuple[Rail, ...] | None:
        """The links that a side's lines follow, any one of which will do; none: they go anywhere. Asked once."""

    @hookspec
    def hexwar_reinforcements(
        self, at: Position, chit: str, groups: tuple[Reinforcements, ...]
    ) -> tuple[Reinforcements, ...] | None:
        """Who may arrive with a chit, in groups that have a number each; the last group comes first."""

    @hookspec
    def hexwar_victory_points(self, at: Position, scores: tuple[Score, ...]) -> tuple[Score, ...] | None:
        """What each side scores, item by item."""

    @hookspec
    def hexwar_points_needed(self, at: Position, side: str, needed: tuple[int, str]) -> tuple[int, str] | None:
        """How many points a side needs to win, and the clause that says so."""

    @hookspec
    def hexwar_veto(self, at: Position, seat: str, action: Action) -> Refusal | None:
        """Forbid an offered action by returning a refusal."""

    @hookspec
    def hexwar_on_event(self, play: Play, event: Event) -> None:
        """React to an event of the game, by further events or steps. It hears of what it emits itself, too."""
