"""`hexwar bench`: the benchmarks of `hexwar.bench`."""

from __future__ import annotations

from dataclasses import asdict

import click

from hexwar.cli.catalogue import AS_JSON, print_report


@click.command(epilog="Example: hexwar bench --quick")
@click.option("--quick", is_flag=True, help="Fewer and shorter rounds.")
@AS_JSON
def bench(quick: bool, as_json: bool) -> None:
    """Measure hexwar against the obvious other ways: ratios in one run, medians of rounds."""
    from hexwar.bench import run

    figures = run(quick=quick)
    print_report(as_json, {"figures": [asdict(figure) for figure in figures]}, map(str, figures))
