"""A server without a network, and one with a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hexwar.web import SqliteStore, Tables, make_app
from tests.web.browsing import Site, launched, opened
from tests.web.players import HOST_KEY


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def client(file: Path) -> Iterator[TestClient]:
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))) as client:
        yield client


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits do not depend on how fast the tests run."""
    monkeypatch.setattr("hexwar.web._limits.monotonic", lambda: 0.0)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "games.sqlite")
    yield site
    site.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    yield from opened(browser, 1280, 800)
