"""Play in a browser: a small server and a page, for every ruleset alike. Run as `hexwar serve`.

The page gets what the view of its seat has and nothing else. Every action is written to the store before it is confirmed.
"""

from __future__ import annotations

from hexwar.web._app import make_app
from hexwar.web._replay import replay_page
from hexwar.web._store import SqliteStore, Store
from hexwar.web._tables import Table, Tables

__all__ = ["SqliteStore", "Store", "Table", "Tables", "make_app", "replay_page"]
