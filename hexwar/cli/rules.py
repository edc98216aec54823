"""`hexwar rules`: the rule index of a ruleset, to look a rule up, to see what is missing and what tests cover."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexwar.cli.catalogue import AS_JSON, RULESET, print_json
from hexwar.engine import Clause, RuleIndex, Status
from hexwar.errors import UnknownName
from hexwar.plugins import plugins
from hexwar.plugins._places import Place, places

if TYPE_CHECKING:
    from hexwar.testing.rule_coverage import RuleCoverage

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
@AS_JSON
def rules(
    ruleset: str,
    clause: str | None,
    status: str | None,
    search: str | None,
    files: tuple[str, ...],
    html: str | None,
    as_json: bool,
) -> None:
    """Look up the rules of a ruleset: every clause with its status and how doubts were decided.

    CLAUSE is a number such as 8.3, printed with where it is implemented; a chapter such as 8 prints all of its clauses.
    """
    index = plugins().rule_index(ruleset)
    covered = _load(files, ruleset) if files else None
    if html is not None:
        if covered is None:
            raise click.UsageError("--html needs --coverage FILE: without it there is nothing to show")
        _write_page(html, covered, index)
    found = _below(index, clause) if clause else list(index.values())
    found = [it for it in found if (not status or it.status == status) and (not search or search.lower() in _text(it).lower())]
    everything = not (clause or status or search)
    chapters = _chapters(index.values(), covered) if everything else []
    if as_json:
        where = places(ruleset)
        told = [
            {
                **asdict(it),
                "places": [{"file": place.file, "line": place.line, "name": place.name} for place in where.get(it.id, ())],
                **(covered.covered(it.id) if covered else {}),
            }
            for it in found
        ]
        print_json({"clauses": told, **({"chapters": chapters} if everything else {})})
        return
    if not found:
        click.echo("No clause fits.")
    _print(found, covered, places(ruleset) if len(found) == 1 else {})
    if everything:
        _print_table(chapters)
        if covered:
            click.echo(f"\n{covered.sentence(index)}")


def _load(files: tuple[str, ...], ruleset: str) -> RuleCoverage:
    from hexwar.testing.rule_coverage import load_coverage

    return functools.reduce(lambda one, other: one.merged(other), [load_coverage(Path(file), ruleset) for file in files])


def _write_page(folder: str, covered: RuleCoverage, index: RuleIndex) -> None:
    from hexwar.testing.coverage_html import write_page

    click.echo(f"rule coverage as a page: {write_page(Path(folder), covered, index)}", err=True)


def _print(found: list[Clause], covered: RuleCoverage | None, where: Mapping[str, tuple[Place, ...]]) -> None:
    width = max((len(it.id) for it in found), default=0)
    for it in found:
        note = f" [{it.status}]" if it.status != Status.IMPLEMENTED else ""
        option = f" (option {it.option})" if it.option else ""
        click.echo(f"{MARKS[it.status]} {click.style(it.id.ljust(width), bold=True)}  {it.title}{option}{note}")
        if it.ruling:
            click.echo(f"  {' ' * width}  Ruling: {it.ruling}")
        for place in where.get(it.id, ()):
            click.echo(f"  {' ' * width}  Implemented: {_shown(place)}:{place.line}{place.name and f' ({place.name})'}")
        if covered:
            numbers = covered.covered(it.id)
            exempt = f"; exempt: {it.exempt}" if it.exempt else ""
            ways = [f"{numbers[way]} {way}" for way in ("events", "refusals", "steps") if numbers[way]]
            how = f" ({', '.join(ways)})" if ways else ""
            click.echo(f"  {' ' * width}  Tests: {numbers['tests']}, citations: {numbers['citations']}{how}{exempt}")
            if len(found) == 1:
                _print_sources(covered, it, width)


def _shown(place: Place) -> str:
    """The file as it can be opened from here, or where it is in its package if that is elsewhere."""
    here = Path.cwd()
    return place.path.relative_to(here).as_posix() if place.path.is_relative_to(here) else place.file


def _print_sources(covered: RuleCoverage, clause: Clause, width: int) -> None:
    """Who tests and who cites the one clause that is looked up."""
    for name in covered.tests.get(clause.id, ()):
        click.echo(f"  {' ' * width}  Test: {name}")
    for name in covered.failing.get(clause.id, ()):
        click.echo(f"  {' ' * width}  Failing test: {name}")
    fired = covered.fired.get(clause.id, {})
    for name in covered.most(clause.id, SOURCES):
        click.echo(f"  {' ' * width}  Cited by: {name} ({fired[name].total})")
    if len(fired) > SOURCES:
        click.echo(f"  {' ' * width}  and {len(fired) - SOURCES} more")


def _chapters(clauses: Iterable[Clause], covered: RuleCoverage | None) -> list[dict[str, Any]]:
    """How many clauses each chapter has and what has become of them; a line for all at the end."""
    rows: dict[str, dict[str, Any]] = {}
    columns = ["clauses", *(status.value for status in Status), *(["testable", "tested", "cited"] if covered else [])]
    total: dict[str, Any] = {"chapter": "all", **dict.fromkeys(columns, 0)}
    for clause in clauses:
        for row in (rows.setdefault(clause.chapter, {"chapter": clause.chapter, **dict.fromkeys(columns, 0)}), total):
            row["clauses"] += 1
            row[clause.status.value] += 1
            if covered:
                row["testable"] += clause.testable
                row["tested"] += clause.testable and bool(covered.tests.get(clause.id))
                row["cited"] += bool(covered.citations(clause.id).total)
    return [*rows.values(), total]


def _print_table(rows: list[dict[str, Any]]) -> None:
    widths = {name: max(len(name), *(len(str(row[name])) for row in rows)) for name in rows[0]}
    click.echo()
    click.echo("  ".join(name.ljust(width) for name, width in widths.items()).rstrip())
    for row in rows:
        first, *numbers = row
        cells = [str(row[first]).ljust(widths[first]), *(str(row[name]).rjust(widths[name]) for name in numbers)]
        click.echo("  ".join(cells))


def _below(index: RuleIndex, clause: str) -> list[Clause]:
    """A clause, or everything in its chapter."""
    found = [it for it in index.values() if it.id == clause or it.id.startswith(f"{clause}.")]
    if not found:
        raise UnknownName("clause", clause, index)
    return found


def _text(clause: Clause) -> str:
    return f"{clause.id} {clause.title} {clause.ruling}"
