"""`hexwar mutate`: make mistakes in the rules of a ruleset, and see which of them nobody notices."""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexwar.cli.catalogue import AS_JSON, CLUSTER, OPTIONS, RULESET, print_report
from hexwar.cli.check import CHECKS, JOBS, TIER
from hexwar.cli.sections import Sectioned, examples

if TYPE_CHECKING:
    from hexwar.testing._mutants.mutation import Trial
    from hexwar.testing._mutants.report import AutoTrial


@click.command(
    cls=Sectioned,
    sections={
        "Which mistakes": "sample seed within mutants planted survivors listed",
        "Who judges them": "checks tests tier options",
        "How, and what is printed": "witness drafts html fail_under jobs address as_json",
    },
    epilog=examples(
        "hexwar mutate bridgehead --tests tests",
        "hexwar mutate ava --sample 0 --in hexwar_ava/combat.py",
        "hexwar mutate ava --sample 30 --witness 2000",
        "hexwar mutate bridgehead --planted tests/bridgehead/planted.py",
    ),
)
@RULESET
@click.option(
    "--sample", type=click.IntRange(0), metavar="N", default=100, help="How many, drawn at random; 0 for all.", show_default=True
)
@click.option("--seed", type=int, default=0, help="Other seeds draw others, and play other games.", show_default=True)
@click.option("--in", "within", metavar="PLACE", multiple=True, help="Only in this file or package; data for all data files.")
@click.option("--mutant", "mutants", metavar="ID", multiple=True, help="Only this one; may be given several times.")
@click.option(
    "--planted", metavar="FILE", multiple=True, help="In place of all those: the rule bugs that this Python file has as MUTANTS."
)
@click.option("--survivors", is_flag=True, help="Only those that nobody has caught yet; what was ever caught counts as caught.")
@click.option("--list", "listed", is_flag=True, help="Only list them.")
@CHECKS
@click.option("--tests", metavar="PATH", multiple=True, help="Also these tests, which pytest runs.")
@TIER
@OPTIONS
@click.option(
    "--witness",
    type=click.IntRange(0),
    metavar="N",
    default=0,
    help="For each that nobody notices, try N decisions to find a position in which it shows, and write it as a drill.",
)
@click.option("--drafts", metavar="DIR", default=".hexwar/mutants", help="Where these drills are written.", show_default=True)
@click.option("--html", metavar="DIR", help="Write a page with the sources, and marks at the lines.")
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Fail if fewer are noticed.")
@JOBS
@CLUSTER
@AS_JSON
def mutate(
    ruleset: str,
    sample: int,
    seed: int,
    within: tuple[str, ...],
    mutants: tuple[str, ...],
    planted: tuple[str, ...],
    survivors: bool,
    listed: bool,
    checks: tuple[str, ...],
    tests: tuple[str, ...],
    tier: str,
    options: dict[str, bool | str],
    witness: int,
    drafts: str,
    html: str | None,
    fail_under: float | None,
    jobs: int | None,
    address: str | None,
    as_json: bool,
) -> int:
    """Make mistakes in rules and data, and see which of them nobody notices.

    A test suite that finds nothing may be good or blind: this shows which. Exit code 1 if fewer mistakes are noticed than
    --fail-under demands, or if one of those that --planted names is not caught.
    """
    from hexwar.plugins import plugins
    from hexwar.workers import cluster

    plugins().info(ruleset)
    if planted and options:
        raise click.UsageError("a planted bug is judged with the options that it names: leave --option out with --planted")
    if listed:
        click.echo("\n".join(_planted_bugs(ruleset, planted) if planted else _possible(ruleset, within)))
        return 0
    with cluster(address) as executor:
        if planted:
            return _plant(ruleset, tier, seed, mutants, planted, jobs, executor, as_json)
        from hexwar.testing._mutants.run import automatic

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
            witness=witness,
            progress=None if as_json else _tell,
            executor=executor,
        )
    for warning in found.warnings:
        click.secho(warning, fg="red", err=True)
    if (file := found.write_drafts(Path(drafts))) is not None:
        click.echo(f"drafts of drills, to be confirmed: {file}", err=True)
    if html is not None:
        click.echo(f"as a page: {found.write_page(Path(html))}", err=True)
    print_report(as_json, found.to_json(), found.lines())
    return int(fail_under is not None and found.percent < fail_under)


def _possible(ruleset: str, within: tuple[str, ...]) -> list[str]:
    from hexwar.testing._mutants.run import list_mutants

    return list_mutants(ruleset, within)


def _planted_bugs(ruleset: str, planted: tuple[str, ...]) -> list[str]:
    from hexwar.testing._mutants.mutation import mutants_of

    bugs = mutants_of(ruleset, planted).values()
    return [f"{bug.id}: {bug.what}" + (f" ({bug.clause})" if bug.clause else "") for bug in bugs]


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

    progress = None if as_json else _tell
    report = mutate(
        ruleset, tier=tier, seed=seed, only=mutants or None, files=planted, jobs=jobs, progress=progress, executor=executor
    )
    print_report(as_json, report.to_json(), report.lines())
    return 1 if report.survivors else 0
