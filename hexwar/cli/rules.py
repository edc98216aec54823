"""`hexwar rules`: the rule index of a ruleset, to look a rule up, to see what is missing and what tests cover."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexwar.cli.catalogue import AS_JSON, RULESET, print_json
from hexwar.engine import Clause, RuleIndex, Status
from hexwar.files import write_file
from hexwar.plugins import plugins
from hexwar.plugins._places import Place, places

if TYPE_CHECKING:
    from hexwar.testing import RuleCoverage

SOURCES = 10
"""At most this many of those who cite a clause are named."""
MARKS = {Status.IMPLEMENTED: " ", Status.DIVERGENT: "~", Status.ABSENT: "-"}


@click.command(epilog="Example: hexwar rules bridgehead 8, or hexwar rules bridgehead --status absent")
@RULESET
@click.argument("clause", required=False)
@click.option("--status", type=click.Choice([status.value for status in Status]), help="Only clauses of this status.")
@click.option("--search", metavar="WORD", help="Only clauses that say this.")
@click.option(
    "--coverage",
    "files",
    metavar="FILE",
    multiple=True,
    help="With the tests and citations of each clause, from pytest --rule-coverage-file FILE or "
    "hexwar check --coverage-file FILE; may be given several times.",
)
@click.option("--html", metavar="DIR", help="Write rule coverage as a page into this folder; needs --coverage.")
@click.option("--markdown", metavar="FILE", help="Write all clauses with their places, tests and coverage as a page of Markdown.")
@click.option("--tests", metavar="DIR", help="With --markdown: where the tests are that carry clauses in their names.")
@AS_JSON
def rules(
    ruleset: str,
    clause: str | None,
    status: str | None,
    search: str | None,
    files: tuple[str, ...],
    html: str | None,
    markdown: str | None,
    tests: str | None,
    as_json: bool,
) -> None:
    """Look up the rules of a ruleset: every clause with its status and how doubts were decided.

    CLAUSE is a number such as 8.3, printed with where it is implemented; a chapter such as 8 prints all of its clauses.
    """
    index = plugins().rule_index(ruleset)
    covered = _coverage(ruleset, files)
    if html is not None:
        _write_page(Path(html), covered, index)
    if markdown is not None:
        _write_markdown(Path(markdown), ruleset, covered, files, tests)
    elif tests is not None:
        raise click.UsageError("--tests is for --markdown FILE")
    found = _wanted(index, clause, status, (search or "").lower())
    everything = not (clause or status or search)
    chapters = _chapters(index.values(), covered) if everything else []
    if as_json:
        where = places(ruleset)
        clauses = [_as_json(it, where.get(it.id, ()), covered) for it in found]
        print_json({"clauses": clauses, **({"chapters": chapters} if everything else {})})
        return
    if not found:
        click.echo("No clause fits.")
    _print(found, covered, places(ruleset) if len(found) == 1 else {})
    if everything:
        _print_table(chapters)
        if covered:
            click.echo(f"\n{covered.sentence(index)}")


def _wanted(index: RuleIndex, below: str | None, status: str | None, word: str) -> list[Clause]:
    """The clauses of a chapter, of a status, and with a word in them; all if none of these is given."""
    found = index.below(below) if below else list(index.values())
    return [it for it in found if status in (None, it.status) and word in f"{it.id} {it.title} {it.ruling}".lower()]


def _coverage(ruleset: str, files: tuple[str, ...]) -> RuleCoverage | None:
    """What all the files have recorded together."""
    from hexwar.testing import RuleCoverage
    from hexwar.testing._coverage.rule_coverage import load_coverage

    return functools.reduce(RuleCoverage.merged, [load_coverage(Path(file), ruleset) for file in files]) if files else None


def _write_page(folder: Path, covered: RuleCoverage | None, index: RuleIndex) -> None:
    from hexwar.testing._coverage.coverage_html import write_page

    if covered is None:
        raise click.UsageError("--html needs --coverage FILE: without it there is nothing to show")
    click.echo(f"rule coverage as a page: {write_page(folder, covered, index)}", err=True)


def _as_json(clause: Clause, where: Iterable[Place], covered: RuleCoverage | None) -> dict[str, Any]:
    found = [{"file": place.file, "line": place.line, "name": place.name} for place in where]
    return {**asdict(clause), "places": found, **(covered.covered(clause.id) if covered else {})}


def _write_markdown(
    file: Path, ruleset: str, covered: RuleCoverage | None, recorded: tuple[str, ...], folder: str | None
) -> None:
    from hexwar.testing._coverage.rule_pages import RulePage, tests_in

    if folder is not None and not Path(folder).is_dir():
        raise click.UsageError(f"--tests {folder}: there is no such folder")
    tests = tests_in(Path(folder), plugins().rule_index(ruleset)) if folder is not None else {}
    text = RulePage(ruleset, tests, covered, ", ".join(recorded)).markdown()
    write_file(file, f"# Rules of {plugins().info(ruleset).title}\n\n{text}")
    click.echo(f"the rules as a page: {file}", err=True)


def _print(found: list[Clause], covered: RuleCoverage | None, where: Mapping[str, tuple[Place, ...]]) -> None:
    width = max((len(it.id) for it in found), default=0)
    for it in found:
        note = f" [{it.status}]" if it.status != Status.IMPLEMENTED else ""
        option = f" (option {it.option})" if it.option else ""
        lines = [
            *([f"Ruling: {it.ruling}"] if it.ruling else []),
            *(f"Implemented: {_shown(at)}:{at.line}{at.name and f' ({at.name})'}" for at in where.get(it.id, ())),
            *(_covered(covered, it, alone=len(found) == 1) if covered else []),
        ]
        click.echo(f"{MARKS[it.status]} {click.style(it.id.ljust(width), bold=True)}  {it.title}{option}{note}")
        for line in lines:
            click.echo(f"  {' ' * width}  {line}")


def _covered(covered: RuleCoverage, clause: Clause, *, alone: bool) -> Iterator[str]:
    """How often a clause is tested and cited; by whom, where it is looked up alone."""
    numbers, fired = covered.covered(clause.id), covered.fired.get(clause.id, {})
    ways = ", ".join(f"{numbers[way]} {way}" for way in ("events", "refusals", "steps") if numbers[way])
    exempt = f"; exempt: {clause.exempt}" if clause.exempt else ""
    yield f"Tests: {numbers['tests']}, citations: {numbers['citations']}{ways and f' ({ways})'}{exempt}"
    if alone:
        yield from (f"Test: {name}" for name in covered.tests.get(clause.id, ()))
        yield from (f"Failing test: {name}" for name in covered.failing.get(clause.id, ()))
        yield from (f"Cited by: {name} ({fired[name].total})" for name in covered.most(clause.id, SOURCES))
        if len(fired) > SOURCES:
            yield f"and {len(fired) - SOURCES} more"


def _shown(place: Place) -> str:
    """The file as it can be opened from here, or where it is in its package if that is elsewhere."""
    here = Path.cwd()
    return place.path.relative_to(here).as_posix() if place.path.is_relative_to(here) else place.file


def _chapters(clauses: Iterable[Clause], covered: RuleCoverage | None) -> list[dict[str, Any]]:
    """How many clauses each chapter has and what has become of them; a line for all at the end."""
    columns = ["clauses", *(status.value for status in Status), *(["testable", "tested", "cited"] if covered else [])]
    rows: dict[str, Counter[str]] = {}
    for clause in clauses:
        found = ["clauses", clause.status.value]
        if covered:
            found += ["testable"] * clause.testable
            found += ["tested"] * (clause.testable and bool(covered.tests.get(clause.id)))
            found += ["cited"] * bool(covered.citations(clause.id).total)
        rows.setdefault(clause.chapter, Counter()).update(found)
    rows["all"] = sum(rows.values(), Counter())
    return [{"chapter": chapter, **{name: row[name] for name in columns}} for chapter, row in rows.items()]


def _print_table(rows: list[dict[str, Any]]) -> None:
    widths = {name: max(len(name), *(len(str(row[name])) for row in rows)) for name in rows[0]}
    cells = [[str(row[name]).rjust(width) for name, width in widths.items()] for row in rows]
    head = [name.ljust(width) for name, width in widths.items()]
    body = ["  ".join([row["chapter"].ljust(widths["chapter"]), *cell[1:]]) for row, cell in zip(rows, cells, strict=True)]
    click.echo("\n".join(["", "  ".join(head).rstrip(), *body]))
