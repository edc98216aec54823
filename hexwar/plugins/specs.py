"""The hook specifications: the whole surface that a plugin can use, in one short module.

A plugin is a module or object whose functions carry these names and the marker `hexwar.hookimpl`. *Discovery hooks*
are called when rulesets, maps and so on are listed. *Rule hooks* belong to a `Variant`: they are collected when a game is
created with that variant switched on and are plain function calls from then on. They may take fewer arguments than
listed here. Most rules are parts of a world, which a variant changes by subclasses: see `hexwar.engine._parts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from hexwar.engine import Action, Event, Invariant, Play, Position, RulesetInfo, SequenceOfPlay, World
    from hexwar.errors import Refusal
    from hexwar.plugins._variants import Variant

API = 1
"""The version of this surface. It rises when a hook goes away or changes its meaning, not when one is added; a plugin may
say `HEXWAR_API = 1` and is then refused, in a sentence, by a hexwar with another."""

hookspec = pluggy.HookspecMarker("hexwar")
hookimpl = pluggy.HookimplMarker("hexwar")
"""Marks a function of a plugin as the implementation of the hook of its name."""


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
    def hexwar_notices(self) -> Mapping[str, str]:  # type: ignore[empty-body]
        """Ways to tell absent players that they are asked, each as "module:function" that takes a `hexwar.web.Notice`."""

    @hookspec
    def hexwar_invariants(self, ruleset: str) -> Iterable[Invariant]:  # type: ignore[empty-body]
        """Further invariants that the test kit checks in games of a ruleset."""


class RuleSpecs:
    """Hooks that change what no part of a world decides."""

    @hookspec
    def hexwar_sequence(self, world: World, sequence: SequenceOfPlay) -> SequenceOfPlay | None:
        """Another sequence of play; asked once when a world is made, which has its options, but no board yet."""

    @hookspec
    def hexwar_veto(self, at: Position, seat: str, action: Action) -> Refusal | None:
        """Forbid an offered action by returning a refusal."""

    @hookspec
    def hexwar_on_event(self, play: Play, event: Event) -> None:
        """React to an event of the game, by further events or steps. It also receives the events that it emits itself."""
