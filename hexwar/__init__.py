"""hexwar: a framework in which a complete printed wargame is a plugin.

The names below are the whole public facade; they are imported when first used, so that `import hexwar` is instant.
The [glossary](../glossary.md) explains the words.
"""

from __future__ import annotations

import importlib
import sys

TYPE_CHECKING = False  # `typing` itself would take longer than everything else here
if TYPE_CHECKING:
    from typing import Any

    from hexwar.engine import Action, Event, Result, RulesetInfo, View
    from hexwar.errors import ContentError, HexwarError, Refusal, RefusalCode, SaveError
    from hexwar.facade import Game, load_board, load_game, new_game, position, read_view, rulesets
    from hexwar.plugins import Variant, hookimpl

__version__ = "1.0.0rc1"

_HOMES = {
    "Action": "hexwar.engine",
    "ContentError": "hexwar.errors",
    "Event": "hexwar.engine",
    "Game": "hexwar.facade",
    "HexwarError": "hexwar.errors",
    "Refusal": "hexwar.errors",
    "RefusalCode": "hexwar.errors",
    "Result": "hexwar.engine",
    "RulesetInfo": "hexwar.engine",
    "SaveError": "hexwar.errors",
    "Variant": "hexwar.plugins",
    "View": "hexwar.engine",
    "hookimpl": "hexwar.plugins",
    "load_board": "hexwar.facade",
    "load_game": "hexwar.facade",
    "new_game": "hexwar.facade",
    "position": "hexwar.facade",
    "read_view": "hexwar.facade",
    "rulesets": "hexwar.facade",
}

__all__ = [
    "Action",
    "ContentError",
    "Event",
    "Game",
    "HexwarError",
    "Refusal",
    "RefusalCode",
    "Result",
    "RulesetInfo",
    "SaveError",
    "Variant",
    "View",
    "hookimpl",
    "load_board",
    "load_game",
    "new_game",
    "position",
    "read_view",
    "rulesets",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        home = sys.modules.get(_HOMES[name])
        if not hasattr(home, name):  # it is not imported, or another thread is at it
            from hexwar.pausing import uncollected

            with uncollected(lasting=True):
                home = importlib.import_module(_HOMES[name])
        return getattr(home, name)
    raise AttributeError(f"module 'hexwar' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
