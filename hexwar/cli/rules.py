"""`hexwar rules`: the rule index of a ruleset, to look a rule up or to see what is missing."""

from __future__ import annotations

from dataclasses import asdict

import click

from hexwar.cli.catalogue import AS_JSON, RULESET, print_json
from hexwar.engine import Clause, RuleIndex, Status
from hexwar.errors import UnknownName
from hexwar.plugins import plugins

MARKS = {Status.IMPLEMENTED: " ", Status.DIVERGENT: "~", Status.ABSENT: "-"}


@click.command(epilog="Example: hexwar rules bridgehead 8, or hexwar rules bridgehead --status absent")
@RULESET
@click.argument("clause", required=False)
@click.option("--status", type=click.Choice([status.value for status in Status]), help="Only clauses of this status.")
@click.option("--search", metavar="WORD", help="Only clauses that say this.")
@AS_JSON
def rules(ruleset: str, clause: str | None, status: str | None, search: str | None, as_json: bool) -> None:
    """Look up the rules of a ruleset: every clause with its status and how doubts were decided.

    CLAUSE is a number such as 8.3; a chapter such as 8 prints all of its clauses.
    """
    index = plugins().ruleset(ruleset).rules
    added = [extra for variant in plugins().variants(ruleset).values() for extra in variant.clauses]
    index = index.extended(extra for extra in added if extra.id not in index)
    found = _below(index, clause) if clause else list(index.values())
    found = [it for it in found if (not status or it.status == status) and (not search or search.lower() in _text(it).lower())]
    if as_json:
        print_json({"clauses": [asdict(it) for it in found]})
        return
    if not found:
        click.echo("No clause fits.")
    width = max((len(it.id) for it in found), default=0)
    for it in found:
        note = f" [{it.status}]" if it.status != Status.IMPLEMENTED else ""
        option = f" (option {it.option})" if it.option else ""
        click.echo(f"{MARKS[it.status]} {click.style(it.id.ljust(width), bold=True)}  {it.title}{option}{note}")
        if it.ruling:
            click.echo(f"  {' ' * width}  Ruling: {it.ruling}")


def _below(index: RuleIndex, clause: str) -> list[Clause]:
    """A clause, or everything in its chapter."""
    found = [it for it in index.values() if it.id == clause or it.id.startswith(f"{clause}.")]
    if not found:
        raise UnknownName("clause", clause, index)
    return found


def _text(clause: Clause) -> str:
    return f"{clause.id} {clause.title} {clause.ruling}"
