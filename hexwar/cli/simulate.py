"""`hexwar simulate`: many games of bots, and what came of them."""

from __future__ import annotations

from dataclasses import asdict

import click

from hexwar.cli import FAILED
from hexwar.cli.catalogue import AS_JSON, OPTIONS, RULESET, print_report


@click.command(
    epilog="Examples: hexwar simulate bridgehead --games 100; hexwar simulate ava --scenario kiev --bot random --check 50"
)
@RULESET
@click.option("--scenario", help="Which scenario; the ruleset's first if not given.")
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="How many.")
@click.option("--first-seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of the first game.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[SIDE=]NAME",
    help="Who plays a side, or all sides; the ruleset's own bot if not named.",
)
@OPTIONS
@click.option("--seats", metavar="NAME", help="A seating for several players a side, as `hexwar info` lists them.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="How many games at the same time.")
@click.option("--check", "check_every", type=click.IntRange(0), default=0, help="Check the invariants after so many actions.")
@click.option("--report", "folder", metavar="DIR", default="", help="Where games that go wrong are saved.")
@AS_JSON
def simulate(
    ruleset: str,
    scenario: str | None,
    games: int,
    first_seed: int,
    bots: tuple[str, ...],
    options: dict[str, bool | str],
    seats: str | None,
    jobs: int,
    check_every: int,
    folder: str,
    as_json: bool,
) -> int:
    """Let bots play many games: who wins, with how many points, and whether a game goes wrong.

    Exit code 1 if one does.
    """
    from hexwar.bots import Plan, play_one, summary
    from hexwar.bots import simulate as run
    from hexwar.cli.play import DEFAULT_BOT, bot_names
    from hexwar.plugins import plugins

    info = plugins().info(ruleset)
    usual = next((name for name in reversed(bots) if "=" not in name), info.bot or DEFAULT_BOT)
    players = bot_names([text for text in bots if "=" in text], usual, info.sides, info.sides)
    files = tuple(map(str, plugins().files))
    plan = Plan(ruleset, scenario, players, options, check_every, folder, files, seats)
    if jobs > 1:  # a mistake in the arguments shows here, in one sentence
        first = [play_one(plan, first_seed)]
        outcomes = [*first, *run(plan, games - 1, first_seed=first_seed + 1, jobs=jobs)]
    else:
        outcomes = list(run(plan, games, first_seed=first_seed))
    wrong = [outcome for outcome in outcomes if outcome.error]
    saved = f"Saved in {folder}: {len(wrong)} (hexwar replay FILE tells what happened)"
    lines = [
        f"{info.title}: {info.scenario(scenario).title}; {', '.join(f'{s}: {b}' for s, b in players.items())}",
        *summary(outcomes),
        *([saved if folder else "With --report DIR the games that go wrong are saved."] if wrong else []),
    ]
    print_report(as_json, {"games": [asdict(outcome) for outcome in outcomes]}, lines)
    return FAILED if wrong else 0
