"""`hexwar check`: hold a ruleset to what every ruleset promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hexwar.cli.catalogue import AS_JSON, RULESET, print_json

TIERS = ("quick", "ci", "nightly")


@click.command(epilog="Examples: hexwar check bridgehead --tier ci --json; hexwar check bridgehead --mutate")
@RULESET
@click.option("--tier", type=click.Choice(TIERS), default="quick", help="How much is played.", show_default=True)
@click.option("--seed", type=int, default=0, help="Other seeds play other games.", show_default=True)
@click.option("--scenario", "scenarios", multiple=True, help="Only this scenario; may be given several times.")
@click.option("--only", "checks", metavar="CHECK", multiple=True, help="Only this check; may be given several times.")
@click.option("--report", "folder", metavar="DIR", help="Where failures are written, each with its shortest replay.")
@click.option("--mutate", is_flag=True, help="Plant rule bugs one by one, and tell which of them the checks catch.")
@click.option("--mutant", "mutants", metavar="ID", multiple=True, help="Only this rule bug; may be given several times.")
@click.option("--list", "listed", is_flag=True, help="With --mutate: only list the rule bugs, and those that cannot matter.")
@click.option("--markdown", "table", metavar="FILE", help="With --mutate: put the table into a Markdown file.")
@click.option("--jobs", type=click.IntRange(1), help="How many processes work at a time.")
@AS_JSON
def check(
    ruleset: str,
    tier: str,
    seed: int,
    scenarios: tuple[str, ...],
    checks: tuple[str, ...],
    folder: str | None,
    mutate: bool,
    mutants: tuple[str, ...],
    listed: bool,
    table: str | None,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Play random games of a ruleset and check the promises that hold for all of them.

    Exit code 1 if something fails, with --mutate if a bug is not caught.
    """
    from hexwar.plugins import plugins
    from hexwar.testing import check_ruleset

    plugins().info(ruleset)
    if listed:
        return _list_mutants(ruleset)
    if mutate or mutants or table:
        return _mutate(ruleset, tier, seed, mutants, table, jobs, as_json)
    report: Any = check_ruleset(ruleset, tier, seed, folder, scenarios=scenarios or None, only=checks or None)
    if as_json:
        print_json(report.to_json())
    else:
        click.echo("\n".join(report.lines()))
    return 0 if report.passed else 1


def _list_mutants(ruleset: str) -> int:
    from hexwar.testing.mutants import unused_mutants
    from hexwar.testing.mutation import mutants_of
    from hexwar.testing.subject import Subject

    for mutant in mutants_of(ruleset).values():
        click.echo(f"{mutant.id}: {mutant.what}" + (f" ({mutant.clause})" if mutant.clause else ""))
    for name, why in unused_mutants(Subject.of(ruleset)).items():
        click.echo(f"not {name}: {why}")
    return 0


def _mutate(
    ruleset: str, tier: str, seed: int, mutants: tuple[str, ...], table: str | None, jobs: int | None, as_json: bool
) -> int:
    from hexwar.testing.mutation import mutate, write_table

    report = mutate(ruleset, tier=tier, seed=seed, only=mutants or None, jobs=jobs)
    if table:
        write_table(Path(table), report)
    if as_json:
        print_json(report.to_json())
    else:
        click.echo("\n".join(report.lines()))
    return 1 if report.survivors else 0
