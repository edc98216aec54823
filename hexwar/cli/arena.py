"""`hexwar arena`: which bot is the strongest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import click

from hexwar import bots, studies
from hexwar.cli.catalogue import AS_JSON, CLUSTER, OPTIONS, RULESET, print_report
from hexwar.cli.sections import Sectioned, examples
from hexwar.cli.simulate import playing
from hexwar.errors import HexwarError
from hexwar.plugins import plugins


@click.command(
    cls=Sectioned,
    sections={
        "Which games": "scenarios games first_seed options",
        "Who plays": "chosen rungs",
        "How, and what is printed": "jobs address out as_json",
    },
    epilog=examples(
        "hexwar arena ava --scenario training --games 20 --jobs 2",
        "hexwar arena ava --scenario training --ladder 48,96,192",
    ),
)
@RULESET
@click.option("--scenario", "scenarios", multiple=True, help="Only this scenario; may be given several times.")
@click.option("--bot", "chosen", metavar="NAME", multiple=True, help="The game's own, greedy and random if none is named.")
@click.option(
    "--ladder",
    "rungs",
    metavar="N,N,...",
    callback=lambda context, option, text: _rungs(text),
    help="Search with these numbers of rollouts as well, each compared with the one below it. 48:2: cut off after two turns.",
)
@click.option("--games", type=click.IntRange(1), default=10, show_default=True, help="Of each bot on each side with each other.")
@click.option("--first-seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of the first game.")
@OPTIONS
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="How many games at the same time.")
@CLUSTER
@click.option("-o", "--out", metavar="DIR", help="Keep each match as a study in a folder; one that is there is gone on with.")
@AS_JSON
def arena(
    ruleset: str,
    scenarios: tuple[str, ...],
    chosen: tuple[str, ...],
    rungs: list[str],
    games: int,
    first_seed: int,
    options: dict[str, bool | str],
    jobs: int,
    address: str | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Let every bot play every other and itself, on both sides of every scenario, with the same seeds; who is how strong."""
    from hexwar.workers import cluster

    info = plugins().info(ruleset)
    if len(info.sides) != 2:
        raise HexwarError(f"an arena is for two sides; {info.title} has {len(info.sides)}")
    usual = bots.usual_bot(info)
    others = chosen or ((usual, "greedy") if rungs else (usual, "greedy", "random"))
    names = list(dict.fromkeys((*others, *rungs)))
    matches: list[studies.Match] = []
    seeds = range(first_seed, first_seed + games)

    def play(match: studies.Plan) -> Iterator[studies.Outcome]:
        told = " - ".join(match.bots.values())
        file = Path(out, f"{match.scenario} {told}.jsonl".replace(" ", "_").replace(":", "-")) if out else None
        return playing(match, seeds, jobs, executor, file, f"{match.scenario}: {told}")

    with cluster(address) as executor:
        for scenario in [info.scenario(name).id for name in scenarios] or [scenario.id for scenario in info.playable]:
            players = dict(zip(info.sides, (*names, *names), strict=False))
            plan = studies.Plan(ruleset, scenario, players, options, plugins=tuple(map(str, plugins().files)))
            for name in names:  # a mistake in the arguments shows here, in one sentence
                studies.Plan(ruleset, scenario, dict.fromkeys(info.sides, name), options).begin(first_seed)
            level = studies.par(plan)
            for match in studies.arena(plan, names, seeds, play=play):
                matches.append(match)
                if not as_json:
                    click.echo(_line(match, level))
    return _report(matches, as_json, [usual, *rungs] if rungs else [])


def _rungs(text: str | None) -> list[str]:
    """The bots of a ladder, from what was typed."""
    rungs = [f"search:{rung.strip()}" for rung in text.split(",")] if text else []
    for rung in rungs:
        bots.load_bot(rung)
    return rungs


def _steps(matches: Iterable[studies.Match], rungs: list[str]) -> Iterator[tuple[str, str, str, str, studies.Comparison]]:
    """Scenario, side, opponent, the rung, and what changes from the rung below to it on the same seeds."""
    known = {(match.scenario, *match.bots.items()): match for match in matches}
    for match in known.values():
        for place, side in enumerate(match.bots):
            before = match.bots[side]
            if before in rungs[:-1]:
                after = rungs[rungs.index(before) + 1]
                other = known.get((match.scenario, *{**match.bots, side: after}.items()))
                if other is not None:
                    opponent = [*match.bots.values()][1 - place]
                    for found in studies.compare(match.outcomes, other.outcomes):
                        if found.side == side:
                            yield match.scenario, side, opponent, after, found


def _report(matches: list[studies.Match], as_json: bool, rungs: list[str]) -> int:
    """Print who is how strong; the exit code."""
    ranked, steps = studies.standings(matches), list(_steps(matches, rungs))
    wrong = [f"seed {it.seed}: {it.error}" for match in matches for it in match.outcomes if it.error]
    data = {
        "matches": [{"scenario": it.scenario, "bots": dict(it.bots), "games": [*map(asdict, it.outcomes)]} for it in matches],
        "standings": [asdict(standing) for standing in ranked],
        "ladder": [
            {"scenario": scenario, "side": side, "opponent": opponent, "rung": rung, **asdict(found)}
            for scenario, side, opponent, rung, found in steps
        ],
    }
    compared = [f"{scenario}: {rung} against {opponent}, {found}" for scenario, _, opponent, rung, found in steps]
    print_report(as_json, data, [*_table(ranked), *([""] if compared else []), *compared, *wrong])
    return 1 if wrong else 0


def _table(ranked: Iterable[studies.Standing]) -> Iterator[str]:
    yield from ("", f"{'bot':20} {'Elo':>6}  {'won':15} 95 % interval")
    for it in ranked:
        low, high = it.between
        yield f"{it.bot:20} {it.elo:+6.0f}  {f'{it.won:g} of {it.games}':15} {low:.0%} to {high:.0%}"


def _line(match: studies.Match, level: Mapping[str, float]) -> str:
    """Who won how often, and by how much the first side was better than par."""
    (first, one), (second, other) = match.bots.items()
    margin = match.margin(first, level)
    than = "against par" if level else "ahead"
    points = f", {first} {margin:+.1f} points {than}" if margin is not None else ""
    wrong = sum(bool(outcome.error) for outcome in match.outcomes)
    drawn = len(match.outcomes) - match.wins(first) - match.wins(second) - wrong
    rest = f", {drawn} drawn" * bool(drawn) + f", {wrong} went wrong" * bool(wrong)
    return f"{match.scenario}: {first} {one} {match.wins(first)}, {second} {other} {match.wins(second)}{rest}{points}"
