"""`hexwar bench`: the benchmarks of `hexwar.bench`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from hexwar.cli import FAILED
from hexwar.cli.sections import examples


@click.command(
    epilog=examples(
        "hexwar bench --quick",
        "hexwar bench ava/campaign staged sampled",
        "hexwar bench my-game --picture play.svg",
    )
)
@click.argument("words", nargs=-1, metavar="[RULESET | RULESET/SCENARIO | WAY | TABLE]...")
@click.option("--quick", is_flag=True, help="Fewer and shorter rounds.")
@click.option("--json", "json_file", metavar="FILE", help="Also write the figures as JSON; - for standard output alone.")
@click.option("--picture", "svg_file", metavar="FILE.svg", help="Also draw random play as bars.")
@click.option("--check", is_flag=True, help="Exit code 1 if a figure falls under its floor.")
def bench(words: tuple[str, ...], quick: bool, json_file: str | None, svg_file: str | None, check: bool) -> int:
    """Measure hexwar against the obvious other ways, in processor time, in one run, with medians of rounds.

    WAY is list, staged, sampled, in-place, whole-list or bot; TABLE is play, worlds, kernels, start, growth, memory or
    strategies.
    The page "Performance" of the documentation explains how to read them.
    """
    from hexwar import bench as benchmarks
    from hexwar.files import write_whole

    tables = benchmarks.run(words, quick=quick)
    data = json.dumps(tables, indent=2, ensure_ascii=False)
    click.echo(data if json_file == "-" else "\n".join(benchmarks.text(tables)))
    if json_file and json_file != "-":
        write_whole(Path(json_file), f"{data}\n".encode())
    if svg_file:
        write_whole(Path(svg_file), benchmarks.picture(tables).encode())
    short = benchmarks.broken(tables) if check else []
    for sentence in short:
        click.echo(sentence, err=True)
    return FAILED if short else 0
