"""Rule coverage as a page: one file without anything from elsewhere, which reads well without scripts too."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from hexwar.engine import Clause, RuleIndex, Status
from hexwar.files import write_file
from hexwar.testing._coverage.ledger import Citations
from hexwar.testing._coverage.rule_coverage import RuleCoverage

NAMES_SHOWN = 60
"""At most this many of those who cited a clause are named; a clause at the heart of a game is cited by nearly every test."""


def write_page(folder: Path, coverage: RuleCoverage, index: RuleIndex) -> Path:
    """Write the page into a folder, which is made if it is not there.

    Returns:
        The file, named after the ruleset.
    """
    file = folder / f"{coverage.ruleset}.html"
    write_file(file, page(coverage, index), folders=True)
    return file


def page(coverage: RuleCoverage, index: RuleIndex) -> str:
    """The page as text."""
    chapters = {name: list(clauses) for name, clauses in groupby(index.values(), lambda clause: clause.chapter)}
    view = _View(coverage, index)
    title = escape(f"Rule coverage of {coverage.ruleset}")
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>{title}</h1>
{view.summary(index.values())}
</header>
{view.contents(chapters)}
{_FILTERS}
<main>
{"".join(view.chapter(chapter, clauses) for chapter, clauses in chapters.items())}
</main>
<script>{_SCRIPT}</script>
</body>
</html>
"""


class _View:
    """The parts of the page."""

    def __init__(self, coverage: RuleCoverage, index: RuleIndex) -> None:
        self._coverage = coverage
        self._expected = {clause.id for clause in coverage.expected(index)}
        self._has_tests = bool(coverage.tests or coverage.failing)

    def _shares(self, clauses: Collection[Clause]) -> dict[str, tuple[int, int]]:
        """What of some clauses is covered and could be: cited in any way and in each, and tested."""
        numbers = [self._coverage.citations(clause.id) for clause in clauses if clause.id in self._expected]
        shares = {"cited in play": (sum(bool(number.total) for number in numbers), len(numbers))}
        if self._has_tests:
            tested = [bool(self._coverage.tests.get(clause.id)) for clause in clauses if clause.testable]
            shares["with a passing test"] = sum(tested), len(tested)
        ways = {
            f"by {way}": (sum(bool(number[n]) for number in numbers), len(numbers)) for n, way in enumerate(Citations._fields)
        }
        return {**shares, **ways}

    # -- all of it ----------------------------------------------------------------------------------------------------------

    def summary(self, clauses: Collection[Clause]) -> str:
        """The figures at the top."""
        # Never rounded up: 100 % is said of all of them only.
        figures = "".join(
            f'<div class="figure"><b>{100 * number // of if of else 100} %</b><span>{number} of {of} {name}</span>'
            f"{_bar(number, of)}</div>"
            for name, (number, of) in self._shares(clauses).items()
        )
        unknown = "".join(
            f"<p class=bad>No clause {escape(clause)}, which {escape(', '.join(tests))} names.</p>"
            for clause, tests in self._coverage.unknown.items()
        )
        return f'<div class="figures">{figures}</div>{unknown}'

    def contents(self, chapters: dict[str, list[Clause]]) -> str:
        """A line for each chapter, with bars."""
        rows = []
        for chapter, clauses in chapters.items():
            shares = [share for what, share in self._shares(clauses).items() if not what.startswith("by ")]
            bars = "".join(f"<td>{_bar(number, of)}</td><td class=n>{number} of {of}</td>" for number, of in shares)
            name = escape(chapter)
            rows.append(f'<tr><th scope=row><a href="#chapter-{name}">{name}</a></th><td class=n>{len(clauses)}</td>{bars}</tr>')
        tests = "<th colspan=2>with a passing test</th>" if self._has_tests else ""
        head = f"<tr><th>chapter</th><th>clauses</th><th colspan=2>cited</th>{tests}</tr>"
        return f'<table class="chapters"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'

    # -- one chapter --------------------------------------------------------------------------------------------------------

    def chapter(self, chapter: str, clauses: Collection[Clause]) -> str:
        """The clauses of a chapter, a row for each."""
        tests = "<th>tests</th>" if self._has_tests else ""
        numbers = "".join(f"<th class=n>{name}</th>" for name in Citations._fields)
        head = f"<tr><th>clause</th><th>what it says</th>{numbers}{tests}<th>cited by</th></tr>"
        rows = "\n".join(self._row(clause) for clause in clauses)
        name = escape(chapter)
        return (
            f'<section id="chapter-{name}"><h2>Chapter {name}</h2><table class="clauses"><thead>{head}</thead>'
            f"<tbody>\n{rows}\n</tbody></table></section>\n"
        )

    def _row(self, clause: Clause) -> str:
        numbers = self._coverage.citations(clause.id)
        cells = "".join(f"<td class=n>{number or '–'}</td>" for number in numbers)
        tests = f"<td>{self._tests(clause)}</td>" if self._has_tests else ""
        return (
            f'<tr class="{self._state(clause, numbers)}" id="{escape(clause.id)}"><th scope=row>{escape(clause.id)}</th>'
            f"<td>{_says(clause)}</td>{cells}{tests}<td>{self._cited_by(clause)}</td></tr>"
        )

    def _state(self, clause: Clause, numbers: Citations) -> str:
        """The classes of a row, by which it is coloured and found."""
        states = {
            "absent": clause.status is Status.ABSENT,
            "off": clause.status is not Status.ABSENT and clause.id not in self._expected,
            "cited": clause.id in self._expected and numbers.total,
            "never": clause.id in self._expected and not numbers.total,
            "untested": self._has_tests and clause.testable and not self._coverage.tests.get(clause.id),
            "failing": self._coverage.failing.get(clause.id),
        }
        return " ".join(state for state, holds in states.items() if holds)

    def _tests(self, clause: Clause) -> str:
        passing, failing = self._coverage.tests.get(clause.id, ()), self._coverage.failing.get(clause.id, ())
        word = f"{len(passing)}" + (f", <b class=bad>{len(failing)} failing</b>" if failing else "")
        return _details(word, [*(f"fails: {name}" for name in failing), *passing])

    def _cited_by(self, clause: Clause) -> str:
        fired = self._coverage.fired.get(clause.id, {})
        names = self._coverage.most(clause.id, NAMES_SHOWN)
        more = [f"and {len(fired) - len(names)} more"] if len(fired) > len(names) else []
        return _details(str(len(fired)), [*(f"{name or '(nobody)'}: {_in_words(fired[name])}" for name in names), *more])


def _says(clause: Clause) -> str:
    status = "" if clause.status is Status.IMPLEMENTED else f"<b>{clause.status.value}</b>"
    notes = ", ".join(filter(None, (status, clause.option and f"option {escape(clause.option)}", escape(clause.kind))))
    said = f"{escape(clause.title)} <small>{notes}</small>" if notes else escape(clause.title)
    told = {"Ruling": clause.ruling, "No test": clause.exempt}
    return said + "".join(f"<p class=ruling>{what}: {escape(text)}</p>" for what, text in told.items() if text)


def _in_words(numbers: Citations) -> str:
    return ", ".join(f"{number} {name}" for name, number in numbers._asdict().items() if number)


def _details(summary: str, lines: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<details><summary>{summary}</summary><ul>{items}</ul></details>" if lines else "–"


def _bar(number: int, of: int) -> str:
    share = 100 * number / of if of else 100
    return f'<span class="bar"><span style="width:{share:.1f}%"></span></span>'


_FILTERS = """\
<form class="filters" hidden>
<label><input type="radio" name="show" value="" checked> all</label>
<label><input type="radio" name="show" value="never"> never cited</label>
<label><input type="radio" name="show" value="untested"> without a passing test</label>
<label><input type="radio" name="show" value="failing"> failing</label>
<input type="search" name="words" placeholder="number or word" aria-label="number or word">
<output></output>
</form>"""

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #2e7d4f; --bad: #b3402e; --dim: #8889; --soft: #8881; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1200px; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: .75rem; margin-bottom: 1.5rem; }
.figure { background: var(--soft); border-radius: 6px; padding: .7rem .9rem; }
.figure b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.figure span { display: block; font-size: .85rem; }
.bar { display: block; background: var(--line); border-radius: 3px; height: 7px; min-width: 90px; margin-top: .35rem; }
.bar > span { display: block; background: var(--good); border-radius: 3px; height: 100%; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .55rem; text-align: left; vertical-align: top; }
thead th { font-size: .8rem; font-weight: 600; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.chapters { width: auto; margin-bottom: 1.5rem; }
.chapters .bar { width: 170px; }
.clauses { table-layout: fixed; }
.clauses th:nth-child(1) { width: 5.5rem; }
.clauses th:nth-child(n+3) { width: 5.3rem; }
.clauses th:last-child { width: 17rem; }
.clauses tbody th { border-left: 4px solid var(--dim); font-variant-numeric: tabular-nums; }
tr.cited th { border-left-color: var(--good); }
tr.never th { border-left-color: var(--bad); }
tr.absent, tr.off { opacity: .6; }
.ruling, small { color: GrayText; font-size: .85rem; margin: .15rem 0 0; }
.bad { color: var(--bad); }
details ul { margin: .2rem 0; padding-left: 1rem; font-size: .8rem; overflow-wrap: anywhere; }
summary { cursor: pointer; }
.filters { position: sticky; top: 0; background: Canvas; border-bottom: 1px solid var(--line); padding: .6rem 0;
  display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; }
.filters[hidden], [hidden] { display: none; }
.filters input[type=search] { font: inherit; padding: .15rem .4rem; }
@media (max-width: 700px) { .clauses { table-layout: auto; } .clauses th { width: auto !important; } }
"""

_SCRIPT = """
const form = document.querySelector(".filters"), rows = [...document.querySelectorAll(".clauses tbody tr")];
function filter() {
  const state = form.show.value, words = form.words.value.trim().toLowerCase();
  let shown = 0;
  for (const row of rows) {
    const fits = (!state || row.classList.contains(state)) && (!words || row.textContent.toLowerCase().includes(words));
    row.hidden = !fits;
    shown += fits;
  }
  for (const section of document.querySelectorAll("section")) section.hidden = !section.querySelector("tbody tr:not([hidden])");
  form.querySelector("output").textContent = shown + " of " + rows.length + " clauses";
}
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
filter();
"""
