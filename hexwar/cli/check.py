"""`hexwar check`: hold a ruleset to what every ruleset promises."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexwar.cli.catalogue import AS_JSON, CLUSTER, OPTIONS, RULESET, print_report
from hexwar.cli.sections import Sectioned, examples

if TYPE_CHECKING:
    from hexwar.testing import Report

TIER = click.option(
    "--tier", type=click.Choice(("quick", "ci", "nightly")), default="quick", help="How much is played.", show_default=True
)
CHECKS = click.option("--only", "checks", metavar="CHECK", multiple=True, help="Only this check; may be given several times.")
JOBS = click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="How many processes work at a time; by default one for each processor."
)


@click.command(
    cls=Sectioned,
    sections={
        "What is checked": "checks listed tier seed scenarios options bot_games pythons",
        "Rule coverage: which clauses were cited, and by whom": "coverage html coverage_file fail_under",
        "How, and what is printed": "folder jobs address slow as_json",
    },
    epilog=examples(
        "hexwar check bridgehead",
        "hexwar check bridgehead --tier ci --json",
        "hexwar check bridgehead --coverage --html build",
    ),
)
@RULESET
@CHECKS
@click.option("--list", "listed", is_flag=True, help="List the checks, and those that are left out with the reason.")
@TIER
@click.option("--seed", type=int, default=0, help="Other seeds play other games.", show_default=True)
@click.option("--scenario", "scenarios", metavar="ID", multiple=True, help="Only this scenario; may be given several times.")
@OPTIONS
@click.option(
    "--bot-games",
    type=click.IntRange(0),
    metavar="N",
    help="How many games a bot plays, besides those at random; by default none, or with rule coverage a quarter as many.",
)
@click.option("--python", "pythons", metavar="EXE", multiple=True, help="Another Python that must play the same games.")
@click.option("--coverage", is_flag=True, help="Print all clauses with their citations.")
@click.option("--html", metavar="DIR", help="Write a page into this folder.")
@click.option("--coverage-file", metavar="FILE", help="Write JSON, for hexwar rules --coverage.")
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Fail if fewer clauses are cited.")
@click.option("--report", "folder", metavar="DIR", help="Where failures are written, each with its shortest replay.")
@JOBS
@CLUSTER
@click.option("--slow", is_flag=True, help="Print how long each check took.")
@AS_JSON
def check(
    ruleset: str,
    checks: tuple[str, ...],
    listed: bool,
    tier: str,
    seed: int,
    scenarios: tuple[str, ...],
    options: dict[str, bool | str],
    bot_games: int | None,
    pythons: tuple[str, ...],
    coverage: bool,
    html: str | None,
    coverage_file: str | None,
    fail_under: float | None,
    folder: str | None,
    jobs: int | None,
    address: str | None,
    slow: bool,
    as_json: bool,
) -> int:
    """Play random games and check what must hold in all of them.

    Exit code 1 if a check fails, or if fewer clauses are cited than --fail-under demands. Whether the checks themselves would
    notice a mistake in the rules is for `hexwar mutate`.
    """
    from hexwar.plugins import plugins
    from hexwar.testing import BUDGETS, check_ruleset
    from hexwar.workers import cluster

    plugins().info(ruleset)
    if listed:
        return _list_checks(ruleset, tier)
    wants_coverage = coverage or bool(html or coverage_file) or fail_under is not None
    if bot_games is None:
        bot_games = max(2, BUDGETS[tier].games // 4) if wants_coverage else 0
    with cluster(address) as executor:
        report = check_ruleset(
            ruleset,
            tier,
            seed,
            folder,
            scenarios=scenarios or None,
            options=options,
            only=checks or None,
            jobs=jobs,
            bot_games=bot_games,
            pythons=pythons or None,
            executor=executor,
        )
    written = _write_coverage(report, html, coverage_file)
    too_few = fail_under is not None and report.coverage.percent < fail_under
    print_report(as_json, report.to_json(), [*report.lines(slow=slow, coverage=coverage), *written])
    if too_few:
        click.secho(f"rule coverage: less than the {fail_under:g} % demanded", fg="red", err=True)
    return 0 if report.passed and not too_few else 1


def _write_coverage(report: Report, html: str | None, file: str | None) -> list[str]:
    """What was written, a line for each."""
    from hexwar.testing._coverage.coverage_html import write_page
    from hexwar.testing._coverage.rule_coverage import write_coverage

    written = []
    if html is not None:
        written.append(f"rule coverage as a page: {write_page(Path(html), report.coverage.rules, report.coverage.index)}")
    if file is not None:
        write_coverage(Path(file), [report.coverage.rules])
        written.append(f"rule coverage as JSON: {file}")
    return written


def _list_checks(ruleset: str, tier: str) -> int:
    from hexwar.testing import CHECKS, Subject, checks_of

    subject = Subject.of(ruleset)
    run = checks_of(subject, tier)
    for check in run:
        click.echo(f"{check.id}: {check.sentence}")
    for check in CHECKS.values():
        if check not in run:
            lacking = check.needs is not None and subject.kit.capability(check.needs) is None
            why = f"the ruleset declares no {check.needs.name}" if lacking and check.needs else f"from tier {check.tier} on"
            click.echo(f"not {check.id}: {why}")
    return 0
