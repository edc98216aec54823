"""A server without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hexwar.web import SqliteStore, Tables, make_app
from tests.web.players import HOST_KEY


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def client(file: Path) -> Iterator[TestClient]:
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))) as client:
        yield client
