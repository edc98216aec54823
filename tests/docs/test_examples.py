"""The README and every page of the documentation do what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import blocks, run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
WITH_CODE = [page for page in PAGES if any(block.language in ("python", "console") for block in blocks(page.read_text("utf-8")))]


def test_there_are_pages_with_code() -> None:
    assert {"README.md", "architecture.md", "tutorial.md"} <= {page.name for page in WITH_CODE}


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.name)
def test_code_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if page.name in ("learning.md", "masked-ppo.md"):
        pytest.importorskip("pettingzoo")  # an extra
    if page.name == "openspiel.md":
        pytest.importorskip("pyspiel")  # it has wheels for some systems only
    assert run(page, tmp_path) > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    import re

    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"
