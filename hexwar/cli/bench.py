"""`hexwar bench`: the benchmarks of `hexwar.bench`."""

from __future__ import annotations

import click

from hexwar.cli.catalogue import AS_JSON


@click.command(epilog="Example: hexwar bench --quick")
@click.option("--quick", is_flag=True, help="Fewer and shorter rounds.")
@AS_JSON
def bench(quick: bool, as_json: bool) -> None:
    """Measure hexwar against the obvious other ways: ratios in one run, medians of rounds."""
    from hexwar.bench import run, to_json

    figures = run(quick=quick)
    click.echo(to_json(figures) if as_json else "\n".join(map(str, figures)))
