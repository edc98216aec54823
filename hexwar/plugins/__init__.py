"""Plugins: typed hook specifications, discovery that survives broken plugins, and variants of rules."""

from hexwar.plugins.manager import Found, Plugins, plugins, use_plugins
from hexwar.plugins.specs import DiscoverySpecs, RuleSpecs, hookimpl
from hexwar.plugins.variants import Variant, resolve_hooks

__all__ = [
    "DiscoverySpecs",
    "Found",
    "Plugins",
    "RuleSpecs",
    "Variant",
    "hookimpl",
    "plugins",
    "resolve_hooks",
    "use_plugins",
]
