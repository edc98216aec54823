"""`hexwar check`: hold a ruleset to what every ruleset promises."""

from __future__ import annotations

from typing import Any

import click

from hexwar.cli.catalogue import AS_JSON, RULESET, print_json

TIERS = ("quick", "ci", "nightly")


@click.command(epilog="Examples: hexwar check bridgehead; hexwar check bridgehead --tier ci --report failures --json")
@RULESET
@click.option("--tier", type=click.Choice(TIERS), default="quick", help="How much is played.", show_default=True)
@click.option("--seed", type=int, default=0, help="Other seeds play other games.", show_default=True)
@click.option("--scenario", "scenarios", multiple=True, help="Only this scenario; may be given several times.")
@click.option("--report", "folder", metavar="DIR", help="Where failures are written, each with its shortest replay.")
@AS_JSON
def check(ruleset: str, tier: str, seed: int, scenarios: tuple[str, ...], folder: str | None, as_json: bool) -> int:
    """Play random games of a ruleset and check the promises that hold for all of them.

    Exit code 1 if something fails.
    """
    from hexwar.plugins import plugins
    from hexwar.testing import check_ruleset

    plugins().info(ruleset)
    report: Any = check_ruleset(ruleset, tier, seed, folder, scenarios=scenarios or None)
    if as_json:
        print_json(report.to_json())
    else:
        click.echo("\n".join(report.lines()))
    return 0 if report.passed else 1
