"""Inside hexwar's own test run the duel is not installed: tests/packaging runs these tests where it is."""

from __future__ import annotations

import importlib.util

collect_ignore = [] if importlib.util.find_spec("hexwar_duel") else ["tests"]
