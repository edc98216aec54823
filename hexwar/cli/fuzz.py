"""`hexwar fuzz`: many illegal actions and exchanged secrets."""

from __future__ import annotations

import sys
from typing import Any

import click

from hexwar.cli.catalogue import AS_JSON, CLUSTER, OPTIONS, RULESET, print_report

DEFAULT = 10_000
"""How many attempts are made where neither a number nor a time is given."""


@click.command(epilog="Example: hexwar fuzz ava --attempts 100000 --jobs 2")
@RULESET
@click.option(
    "--attempts", type=click.IntRange(1), metavar="N", help=f"How many of each kind; {DEFAULT} if no time is given either."
)
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="How long it may take.")
@click.option("--jobs", type=click.IntRange(1), default=1, help="How many processes play at a time.", show_default=True)
@CLUSTER
@click.option("--scenario", "scenarios", multiple=True, help="Only this scenario; may be given several times.")
@OPTIONS
@click.option("--seed", type=int, default=0, help="Other seeds play other games.", show_default=True)
@click.option("--report", "folder", metavar="DIR", help="Where failures are written, each with its shortest replay.")
@AS_JSON
def fuzz(
    ruleset: str,
    attempts: int | None,
    minutes: float | None,
    jobs: int,
    address: str | None,
    scenarios: tuple[str, ...],
    options: dict[str, bool | str],
    seed: int,
    folder: str | None,
    as_json: bool,
) -> int:
    """Put illegal actions of all sorts to a ruleset, and exchange what is hidden: nothing may be accepted, nothing may leak.

    Random games of all scenarios take turns, with optional rules and with every seating; an --option holds in all of them.
    Exit code 1 if something is found.
    """
    from hexwar.plugins import plugins
    from hexwar.testing import fuzz_ruleset
    from hexwar.workers import cluster

    plugins().info(ruleset)
    number = DEFAULT if attempts is None and minutes is None else attempts
    with cluster(address) as executor:
        report = fuzz_ruleset(
            ruleset,
            attempts=number,
            minutes=minutes,
            jobs=jobs,
            scenarios=scenarios or None,
            options=options,
            seed=seed,
            report_dir=folder,
            progress=None if as_json else _progress,
            executor=executor,
        )
    print_report(as_json, report.to_json(), report.lines())
    return 0 if report.passed else 1


def _progress(total: Any) -> None:
    """A line on the error stream that is overwritten again and again, for people at a terminal."""
    if sys.stderr.isatty():
        done = f"{total.games.total()} games, {total.attempts.total():,} attempts, {total.compared.total():,} comparisons"
        click.echo(f"\r{done} ", nl=False, err=True)
