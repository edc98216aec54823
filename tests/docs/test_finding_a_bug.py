"""The page about finding a bug shows the report that its reader gets, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import blocks, run

PAGE = Path(__file__).parents[2] / "docs" / "finding-a-bug.md"


def test_the_report_on_the_page_is_the_real_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(PAGE, tmp_path)
    report = (tmp_path / "found" / "REPORT.md").read_text(encoding="utf-8")
    shown = [block.text for block in blocks(PAGE.read_text(encoding="utf-8")) if block.language in ("text", "toml")]
    assert len(shown) == 3
    for text in shown:
        assert text in report
    for name in ("position", "after"):
        assert (tmp_path / "found" / f"{name}.svg").exists()
    (written,) = (tmp_path / "found").glob("test_*.py")
    function = written.read_text(encoding="utf-8").rpartition("\n\n\n")[2].rpartition("\n\n")[2]
    page = PAGE.read_text(encoding="utf-8")
    assert [line for line in function.splitlines() if line.strip() not in page] == []
