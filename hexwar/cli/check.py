"""`hexwar check`: hold a ruleset to what every ruleset promises."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexwar.cli.catalogue import AS_JSON, CLUSTER, OPTIONS, RULESET, print_report

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from hexwar.testing import Report
    from hexwar.testing._mutants.mutation import Trial
    from hexwar.testing._mutants.report import AutoTrial

TIERS = ("quick", "ci", "nightly")


@click.command(
    epilog="Examples: hexwar check bridgehead --tier ci --json; hexwar check bridgehead --mutate --tests tests; "
    "hexwar check bridgehead --coverage --html build"
)
@RULESET
@click.option("--tier", type=click.Choice(TIERS), default="quick", help="How much is played.", show_default=True)
@click.option("--seed", type=int, default=0, help="Other seeds play other games.", show_default=True)
@click.option("--scenario", "scenarios", multiple=True, help="Only this scenario; may be given several times.")
@OPTIONS
@click.option("--only", "checks", metavar="CHECK", multiple=True, help="Only this check; may be given several times.")
@click.option("--report", "folder", metavar="DIR", help="Where failures are written, each with its shortest replay.")
@click.option("--jobs", type=click.IntRange(1), help="How many processes work at a time; one for each processor if not given.")
@CLUSTER
@click.option("--slow", is_flag=True, help="Tell how long each check took.")
@click.option("--coverage", is_flag=True, help="Tell which clauses of the rulebook were cited and by whom; bots play some games.")
@click.option("--bot-games", type=click.IntRange(0), help="So many games are played by a bot; with --coverage a quarter more.")
@click.option("--html", metavar="DIR", help="Write rule coverage, or the outcome of --mutate, as a page into this folder.")
@click.option("--coverage-file", metavar="FILE", help="Write rule coverage as JSON, for hexwar rules --coverage.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail if fewer clauses are cited, or mistakes noticed.",
)
@click.option("--python", "pythons", metavar="EXE", multiple=True, help="Another Python that must play the same games.")
@click.option(
    "--mutate",
    is_flag=False,
    flag_value="auto",
    type=click.Choice(["auto"]),
    help="Make mistakes in the rules; tell who notices.",
)
@click.option("--sample", type=click.IntRange(0), default=100, help="With --mutate: this many; 0 for all.", show_default=True)
@click.option(
    "--in", "within", metavar="PLACE", multiple=True, help="With --mutate: only in this file or package; data for all data."
)
@click.option("--tests", metavar="PATH", multiple=True, help="With --mutate: tests for pytest, besides the checks.")
@click.option("--survivors", is_flag=True, help="With --mutate: what was ever caught counts as caught, whatever has changed.")
@click.option("--mutant", "mutants", metavar="ID", multiple=True, help="Only this rule bug; may be given several times.")
@click.option("--planted", metavar="FILE", multiple=True, help="Plant the rule bugs that this Python file has as MUTANTS.")
@click.option("--list", "listed", is_flag=True, help="Only list the checks, or with --mutate or --planted the rule bugs.")
@AS_JSON
def check(
    ruleset: str,
    tier: str,
    seed: int,
    scenarios: tuple[str, ...],
    options: dict[str, bool | str],
    checks: tuple[str, ...],
    folder: str | None,
    jobs: int | None,
    address: str | None,
    slow: bool,
    coverage: bool,
    bot_games: int | None,
    html: str | None,
    coverage_file: str | None,
    fail_under: float | None,
    pythons: tuple[str, ...],
    mutate: str | None,
    sample: int,
    within: tuple[str, ...],
    tests: tuple[str, ...],
    survivors: bool,
    mutants: tuple[str, ...],
    planted: tuple[str, ...],
    listed: bool,
    as_json: bool,
) -> int:
    """Play random games of a ruleset and check the promises that hold for all of them.

    Exit code 1 if something fails, with --planted if a bug is not caught, with --fail-under if too few clauses were cited or,
    with --mutate, too few mistakes were noticed.
    """
    from hexwar.plugins import plugins
    from hexwar.testing import BUDGETS, check_ruleset
    from hexwar.workers import cluster

    plugins().info(ruleset)
    if planted:
        if options:
            raise click.UsageError("a planted bug is judged with the options that it names: leave --option out with --planted")
        if listed:
            return _list_planted(ruleset, planted)
        with cluster(address) as executor:
            return _plant(ruleset, tier, seed, mutants, planted, jobs, executor, as_json)
    if mutate or mutants:
        from hexwar.testing._mutants.run import automatic, list_mutants

        if listed:
            click.echo("\n".join(list_mutants(ruleset, within)))
            return 0
        with cluster(address) as executor:
            found = automatic(
                ruleset,
                sample=sample or None,
                seed=seed,
                only=mutants,
                within=within,
                tier=tier,
                options=options,
                checks=checks,
                tests=tests,
                jobs=jobs,
                survivors=survivors,
                told=None if as_json else _tell,
                executor=executor,
            )
        for warning in found.warnings:
            click.secho(warning, fg="red", err=True)
        if html is not None:
            click.echo(f"as a page: {found.write_page(Path(html))}", err=True)
        print_report(as_json, found.to_json(), found.lines())
        return int(fail_under is not None and found.percent < fail_under)
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


def _list_planted(ruleset: str, planted: tuple[str, ...]) -> int:
    from hexwar.testing._mutants.mutation import mutants_of

    for mutant in mutants_of(ruleset, planted).values():
        click.echo(f"{mutant.id}: {mutant.what}" + (f" ({mutant.clause})" if mutant.clause else ""))
    return 0


def _tell(trial: AutoTrial | Trial) -> None:
    """A line on the error stream as each is judged, for people at a terminal: all of them take minutes."""
    if sys.stderr.isatty():
        click.echo(trial.line(), err=True)


def _plant(
    ruleset: str,
    tier: str,
    seed: int,
    mutants: tuple[str, ...],
    planted: tuple[str, ...],
    jobs: int | None,
    executor: Executor | None,
    as_json: bool,
) -> int:
    from hexwar.testing._mutants.mutation import mutate

    told = None if as_json else _tell
    report = mutate(ruleset, tier=tier, seed=seed, only=mutants or None, files=planted, jobs=jobs, told=told, executor=executor)
    print_report(as_json, report.to_json(), report.lines())
    return 1 if report.survivors else 0
