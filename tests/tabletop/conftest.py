"""Every test plays the game of the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tabletop import quarry


@pytest.fixture(autouse=True, scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quarry")
    for title, text in quarry.FILES.items():
        (folder / title).parent.mkdir(parents=True, exist_ok=True)
        (folder / title).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def plugin(page: Path) -> Iterator[None]:
    with quarry.loaded(page):
        yield
