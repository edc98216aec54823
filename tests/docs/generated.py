"""What the documentation has from the code and not from an author: `python -m tests.docs.generated` before the site is built.

Pages such as docs/rules/ava.md include what is written here. It is not committed, since it changes with every line of code.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from hexwar.errors import ContentError
from hexwar.plugins import plugins
from hexwar.testing import Mutant, RuleCoverage
from hexwar.testing._coverage.rule_coverage import load_coverage
from hexwar.testing._coverage.rule_pages import RulePage, tests_in
from tests.docs import planted

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "docs"
"""Where mkdocs.yml looks for what pages include."""
UNPLANTED = ("bkc", "wb95")
"""Rulesets with a page of rules and no list of planted bugs."""


def rules(ruleset: str, recorded: Path | None = None) -> str:
    """The rules of a ruleset, with the coverage of a recorded run if there is one that knows the ruleset."""
    tests = tests_in(ROOT / "tests" / ruleset, plugins().rule_index(ruleset))
    coverage, when = _recorded(ruleset, recorded)
    return RulePage(ruleset, tests, coverage, when, _bugs(planted.RULES.get(ruleset, ()))).markdown()


def _recorded(ruleset: str, file: Path | None) -> tuple[RuleCoverage | None, str]:
    if file is None or not file.is_file():
        return None, ""
    try:
        found = load_coverage(file, ruleset)
    except ContentError:  # it is about other rulesets
        return None, ""
    return found, f"of {datetime.fromtimestamp(file.stat().st_mtime, UTC):%d %B %Y, %H:%M} UTC"


def _bugs(mutants: Sequence[Mutant]) -> dict[str, list[str]]:
    """Clause -> a line about the bugs that break it."""
    found: dict[str, list[str]] = {}
    for mutant in mutants:
        found.setdefault(mutant.clause, []).append(f"{planted.plain(mutant.what)} (`{mutant.id}`)")
    return {clause: [f"**[Planted bugs](../planted.md):** {'; '.join(bugs)}"] for clause, bugs in found.items()}


def write(folder: Path = FOLDER, recorded: Path | None = None) -> None:
    """Write everything that pages include."""
    made = {f"rules/{ruleset}.md": rules(ruleset, recorded) for ruleset in (*planted.RULES, *UNPLANTED)}
    made["planted.md"] = planted.tables()
    # The changelog lies beside the folder of pages, and links to them as seen from there.
    made["changelog.md"] = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--coverage", type=Path, help="what pytest --rule-coverage-file wrote; need not be there")
    write(recorded=parser.parse_args().coverage)
