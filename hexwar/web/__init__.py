"""Play in a browser: a small server and a page, for every ruleset alike. Run as `hexwar serve`.

The page gets what the view of its seat has and nothing else. Every action is written to the store before it is confirmed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar._lazy import lazy

if TYPE_CHECKING:
    from hexwar.web._app import make_app
    from hexwar.web._keys import Keys
    from hexwar.web._limits import Limits
    from hexwar.web._notices import Notice
    from hexwar.web._postgres import PostgresStore
    from hexwar.web._replay import replay_page
    from hexwar.web._store import SqliteStore, Store
    from hexwar.web._table import Table
    from hexwar.web._tables import Tables

__all__ = ["Keys", "Limits", "Notice", "PostgresStore", "SqliteStore", "Store", "Table", "Tables", "make_app", "replay_page"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Keys": "_keys",
        "Notice": "_notices",
        "Limits": "_limits",
        "PostgresStore": "_postgres",
        "SqliteStore": "_store",
        "Store": "_store",
        "Table": "_table",
        "Tables": "_tables",
        "make_app": "_app",
        "replay_page": "_replay",
    },
)
