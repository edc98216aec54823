"""Every page is read in a fresh state of mind: no plugin and no module of an earlier one is left."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from hexwar.plugins import use_plugins

WRITTEN = ("hexwar_openspiel", "my_bridgehead", "quarry", "three_crowns")
"""Modules that pages write."""


@pytest.fixture(autouse=True)
def fresh_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", list(sys.path))
    use_plugins(None)
    yield
    use_plugins(None)
    for name in [name for name in sys.modules if name.partition(".")[0] in WRITTEN]:
        del sys.modules[name]
