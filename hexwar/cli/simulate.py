"""`hexwar simulate`: many games of bots, and what came of them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from hexwar import bots, studies
from hexwar.cli import FAILED, STOPPED
from hexwar.cli.catalogue import AS_JSON, CLUSTER, OPTIONS, RULESET, print_report
from hexwar.cli.play import bot_names
from hexwar.cli.sections import Sectioned, examples
from hexwar.errors import HexwarError
from hexwar.files import write_file
from hexwar.plugins import plugins


@click.command(
    cls=Sectioned,
    sections={
        "Which games": "scenario games first_seed options seats",
        "Who plays": "named disturb",
        "What is kept and printed": "out page against check_every folder as_json",
        "How": "jobs address",
    },
    epilog=examples(
        "hexwar simulate bridgehead --games 100",
        "hexwar simulate ava --scenario kiev --bot random --check 50",
        "hexwar simulate ava --games 200 --jobs 4 -o plain.jsonl --report plain.html",
        "hexwar simulate ava --games 200 --jobs 4 --option full-turns --against plain.jsonl",
    ),
)
@RULESET
@click.option("--scenario", help="Which scenario; the ruleset's first if not given.")
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="How many.")
@click.option("--first-seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of the first game.")
@click.option(
    "--bot",
    "named",
    multiple=True,
    metavar="[SIDE=]NAME",
    help="Who plays a side, or all sides; the ruleset's own bot if not named.",
)
@OPTIONS
@click.option("--seats", metavar="NAME", help="A seating for several players a side, as `hexwar info` lists them.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="How many games at the same time.")
@CLUSTER
@click.option("-o", "--out", metavar="FILE", help="Keep each game as a line of JSON; a file that exists is gone on with.")
@click.option("--report", "page", metavar="FILE.html", help="Write a page with plots.")
@click.option("--against", metavar="FILE", help="Compare with the games of another study on the same seeds.")
@click.option(
    "--check", "check_every", type=click.IntRange(0), default=0, metavar="N", help="Check the invariants after every N actions."
)
@click.option(
    "--disturb",
    type=click.IntRange(2),
    metavar="N",
    help="One decision in N is taken by chance; a bot whose answer is not offered then goes wrong.",
)
@click.option("--failures", "folder", metavar="DIR", default="", help="Where games that go wrong are saved.")
@AS_JSON
def simulate(
    ruleset: str,
    scenario: str | None,
    games: int,
    first_seed: int,
    named: tuple[str, ...],
    options: dict[str, bool | str],
    seats: str | None,
    jobs: int,
    address: str | None,
    out: str | None,
    page: str | None,
    against: str | None,
    check_every: int,
    disturb: int | None,
    folder: str,
    as_json: bool,
) -> int:
    """Let bots play many games: who wins, with how many points, and whether a game goes wrong.

    Exit code 1 if one does. The same seeds give the same games, however many processes play.
    """
    if page is not None:
        _check_page(page)
    info = plugins().info(ruleset)
    usual = next((name for name in reversed(named) if "=" not in name), bots.usual_bot(info))
    players = bot_names([text for text in named if "=" in text], usual, info.sides, info.sides)
    files = tuple(map(str, plugins().files))
    plan = studies.Plan(ruleset, scenario, players, options, check_every, folder, files, seats, disturb or 0)
    plan.begin(first_seed)  # a mistake in the arguments shows here, in one sentence
    seeds = range(first_seed, first_seed + games)
    before = _before(plan, against, seeds) if against else {}
    outcomes = _played(plan, seeds, jobs, address, out)
    if not outcomes:
        raise KeyboardInterrupt
    changes = _changes(before, outcomes)
    title = f"{info.title}: {info.scenario(scenario).title}"
    if len(outcomes) < games:
        hint = f"the same command goes on with {out}" if out else "with -o FILE they would be kept, and gone on with"
        click.echo(f"stopped after {len(outcomes)} of {games} games; {hint}", err=True)
    compared = {"compared": [*map(asdict, changes)]} if changes else {}
    print_report(as_json, {"games": [*map(asdict, outcomes)], **compared}, _lines(title, plan, outcomes, changes))
    if page is not None:
        head = _page_head(plan, seeds, outcomes, against)
        write_file(Path(page), studies.report(title, outcomes, head, changes))
        if not as_json:
            click.echo(f"The page is in {page}.")
    if len(outcomes) < games:
        return STOPPED
    return FAILED if any(outcome.error for outcome in outcomes) else 0


def _changes(before: dict[int, studies.Outcome], outcomes: list[studies.Outcome]) -> list[studies.Comparison]:
    """What is different from another study, if any of its games was played again."""
    is_comparable = any(not outcome.error and outcome.seed in before for outcome in outcomes)
    return studies.compare([*before.values()], outcomes) if is_comparable else []


def _check_page(page: str) -> None:
    """Fail before the first game is played if the page could not be written after the last."""
    if not page.endswith((".html", ".htm")):
        raise HexwarError(f"--report {page}: takes the name of a page, FILE.html; --failures DIR keeps the games that go wrong")
    if not Path(page).parent.is_dir():
        raise HexwarError(f"--report {page}: cannot be written: there is no such folder")


def _players(plan: studies.Plan) -> str:
    return ", ".join(f"{side}: {bot}" for side, bot in plan.bots.items())


def _lines(
    title: str, plan: studies.Plan, outcomes: Sequence[studies.Outcome], changes: Iterable[studies.Comparison]
) -> Iterator[str]:
    """What is printed when the games are played."""
    wrong = sum(bool(outcome.error) for outcome in outcomes)
    yield f"{title}; {_players(plan)}"
    yield from studies.summary(outcomes)
    if plan.disturb:
        decisions = sum(outcome.actions for outcome in outcomes)
        yield f"{decisions} decisions, one in {plan.disturb} taken by chance: {wrong} games went wrong"
    yield from map(str, changes)
    if wrong and plan.failures:
        yield f"Saved in {plan.failures}: {wrong} (hexwar replay FILE tells what happened)"
    elif wrong:
        yield "With --failures DIR the games that go wrong are saved."


def _page_head(plan: studies.Plan, seeds: range, outcomes: Sequence[studies.Outcome], against: str | None) -> dict[str, str]:
    """What the page says of how the games were played."""
    options = ", ".join(name if on is True else f"{name}={on}" for name, on in plan.options.items())
    some = f", {len(outcomes)} of them played" if len(outcomes) < len(seeds) else ""
    head = {
        "players": _players(plan),
        "options": options or "none",
        "seats": plan.seats or "",
        "seeds": f"{seeds[0]} to {seeds[-1]}{some}",
        "compared with": against or "",
    }
    return {name: text for name, text in head.items() if text}


def _before(plan: studies.Plan, against: str, seeds: range) -> dict[int, studies.Outcome]:
    """The games of another study on the same seeds; that there are none shows before the first game is played."""
    head, outcomes = studies.read_study(against)
    setup = plan.begin(seeds[0])[0].world.setup
    for key, wanted in (("ruleset", plan.ruleset), ("scenario", setup.scenario)):
        if head.get(key) != wanted:
            raise HexwarError(f"--against {against}: its {key} is {head.get(key)}, not {wanted}, so nothing can be compared")
    before = {outcome.seed: outcome for outcome in outcomes if outcome.seed in seeds and not outcome.error}
    if not before:
        raise HexwarError(f"--against {against}: has none of the seeds {seeds[0]} to {seeds[-1]}, so nothing can be compared")
    return before


def _played(plan: studies.Plan, seeds: range, jobs: int, address: str | None, out: str | None) -> list[studies.Outcome]:
    """The outcomes by seed, those so far if Ctrl-C ends it; a bar shows how far it is."""
    from hexwar.workers import cluster

    found: dict[int, studies.Outcome] = {}
    with cluster(address) as executor, contextlib.suppress(KeyboardInterrupt):
        for outcome in playing(plan, seeds, jobs, executor, out, "games"):
            found[outcome.seed] = outcome
    return [found[seed] for seed in sorted(found)]


def playing(
    plan: studies.Plan, seeds: range, jobs: int, executor: Executor | None, out: str | Path | None, label: str
) -> Iterator[studies.Outcome]:
    """The outcomes, kept in a file if one is named, while a terminal shows how many there are and how long the rest will take."""
    play = studies.StudyFile(out, plan).play if out else partial(studies.play_seeds, plan)
    outcomes = play(seeds, jobs=jobs, executor=executor)
    if not sys.stderr.isatty():
        yield from outcomes
        return
    with click.progressbar(outcomes, length=len(seeds), label=label, file=sys.stderr, show_pos=True) as bar:
        yield from bar
