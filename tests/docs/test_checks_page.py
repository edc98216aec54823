"""The reference of all checks says what the checks say of themselves."""

from __future__ import annotations

from pathlib import Path

from hexwar.testing import CHECKS

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"
BEGIN, END = "<!-- checks: begin -->\n", "<!-- checks: end -->\n"


def table() -> str:
    rows = ["| check | needs | must hold |", "|---|---|---|"]
    for check in CHECKS.values():
        rows.append(f"| `{check.id}` | {f'`{check.needs.__name__}`' if check.needs else ''} | {check.sentence} |")
    return "\n".join(rows) + "\n"


def test_the_page_has_every_check_with_its_sentence() -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    written, found, _ = rest.partition(END)
    assert found
    assert written == table(), "docs/checks.md is out of date: put tests.docs.test_checks_page.table() between its marks"
