"""A new user walks through the built site, offline; see `tests.docs.walk`. `tox -e docs` builds what is walked through."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.walk import SITE, Walk, broken, pages
from tests.web.browsing import launched

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module", autouse=True)
def site() -> Path:
    if not (SITE / "index.html").is_file():
        assert "CI" not in os.environ, "the site is not built: tox -e docs"
        pytest.skip("the site is not built: tox -e docs")
    return SITE


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from launched()


@pytest.fixture
def walk(browser: Any, site: Path, tmp_path: Path) -> Iterator[Walk]:
    walk = Walk(browser, site, tmp_path)
    yield walk
    assert (walk.left, walk.complaints) == ([], [])
    assert list(tmp_path.glob("*.png"))


def test_every_link_and_picture_is_there_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    known = pages(site)
    assert len(known) > 40
    assert list(broken(known)) == []


def test_every_door_of_the_front_page_leads_to_its_pages(walk: Walk) -> None:
    walk.doors()


def test_rules_and_reference_are_a_click_away(walk: Walk) -> None:
    walk.rules_and_reference()


def test_the_search_works_from_a_folder(walk: Walk) -> None:
    walk.search()


def test_wide_tables_fit_a_telephone_in_the_dark(walk: Walk) -> None:
    walk.small_and_dark()
