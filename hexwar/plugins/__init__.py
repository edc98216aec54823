"""Plugins: typed hook specifications, discovery that survives broken plugins, and variants of rules."""

from hexwar.plugins._manager import Found, Plugins, plugins, use_plugins
from hexwar.plugins._resolve import Resolved, resolve_variants
from hexwar.plugins._variants import Variant
from hexwar.plugins.specs import API, DiscoverySpecs, RuleSpecs, hookimpl

__all__ = [
    "API",
    "DiscoverySpecs",
    "Found",
    "Plugins",
    "Resolved",
    "RuleSpecs",
    "Variant",
    "hookimpl",
    "plugins",
    "resolve_variants",
    "use_plugins",
]
