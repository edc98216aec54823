"""How strong the bots are: the table in docs/lab/strength.md, made from games that docs/strength.json has.

    python -m tests.studies.strength_page tow race --games 20     plays all pairs of bots, keeps the results, writes the table
    python -m tests.studies.strength_page                         writes the table from what is kept

A pair that is kept with as many games is not played again; `--again` plays it nonetheless, after a change of a bot or a rule.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hexwar.bots import usual_bot
from hexwar.plugins import plugins
from hexwar.studies import Match, Outcome, Plan, arena, interval, par, standings

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEPT, PAGE = DOCS / "strength.json", DOCS / "lab" / "strength.md"
BEGIN, END = "<!-- the table: python -m tests.studies.strength_page -->\n", "<!-- the end of the table -->\n"


def play(ruleset: str, scenario: str, games: int, *, jobs: int = 1, again: bool = False) -> Iterator[Match]:
    """Every pair of random, greedy and the ruleset's own bot on both sides, kept as soon as it is played."""
    info = plugins().info(ruleset)
    bots = list(dict.fromkeys((usual_bot(info), "greedy", "random")))
    plan = Plan(ruleset, info.scenario(scenario).id, dict.fromkeys(info.sides, bots[0]))
    kept = [] if again else [match for match in matches(ruleset, scenario) if len(match.outcomes) == games]
    known = [dict(match.bots) for match in kept]
    level = par(plan)
    for match in arena(plan, bots, range(games), jobs=jobs, known=known):
        kept.append(match)
        keep(ruleset, scenario, level, kept)
        yield match


def keep(ruleset: str, scenario: str, level: Mapping[str, float], played: Sequence[Match]) -> None:
    """Note what came of some matches of a scenario, in place of what is there."""
    known = read()
    known.setdefault(ruleset, {})[scenario] = {
        "par": dict(level),
        "matches": [
            {
                "bots": dict(match.bots),
                "games": [[it.winner, dict(it.scores), round(it.seconds, 2)] for it in match.outcomes],
                **({"errors": errors} if (errors := [it.error for it in match.outcomes if it.error]) else {}),
            }
            for match in played
        ],
    }
    KEPT.write_text(_json(known), encoding="utf-8")


def _json(known: dict[str, Any]) -> str:
    """A line for each match."""
    text = json.dumps(known, indent=1, sort_keys=True)
    for match in [match for scenarios in known.values() for entry in scenarios.values() for match in entry["matches"]]:
        long = json.dumps(match, indent=1, sort_keys=True)
        text = text.replace("\n".join(f"    {line}" for line in long.splitlines()), f"    {json.dumps(match, sort_keys=True)}")
    return f"{text}\n"


def read() -> dict[str, Any]:
    """Ruleset -> scenario -> par and matches."""
    return dict(json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.exists() else {}


def matches(ruleset: str, scenario: str) -> list[Match]:
    """The matches that are kept."""
    entries = read().get(ruleset, {}).get(scenario, {}).get("matches", ())
    return [
        Match(
            scenario,
            entry["bots"],
            [Outcome(seed, winner, scores, 0, seconds) for seed, (winner, scores, seconds) in enumerate(entry["games"])],
        )
        for entry in entries
    ]


def table() -> str:
    """All scenarios that are kept: what each bot did against the others on each side, its margin against par, its rating."""
    lines: list[str] = []
    for ruleset, scenarios in read().items():
        info = plugins().info(ruleset)
        first, second = info.sides
        lines += [
            f"**{info.title}**",
            "",
            f"| scenario | bot | Elo | as {first} | points | as {second} | points |",
            "|---|---|---|---|---|---|---|",
        ]
        for scenario in [it.id for it in info.scenarios if it.id in scenarios]:
            played, level = matches(ruleset, scenario), scenarios[scenario]["par"]
            games = len(played[0].outcomes)
            needs = ", ".join(f"{side} needs {points:g}" for side, points in level.items())
            about = f"{scenario} ({games} game{'s' if games > 1 else ''} a pair{f'; {needs}' if needs else ''})"
            for standing in sorted(standings(played), key=lambda it: (-round(it.elo), it.bot)):
                cells = [cell for side in info.sides for cell in _side(played, standing.bot, side, level)]
                lines.append(f"| {about} | {standing.bot} | {standing.elo:+.0f} | {' | '.join(cells)} |")
                about = ""
            own = next(match for match in played if len({*match.bots.values()}) == 1 and usual_bot(info) in match.bots.values())
            seconds = sum(it.seconds for it in own.outcomes) / len(own.outcomes)
            lines.append(
                f"| | {usual_bot(info)} on both sides, {seconds:.1f} s a game | | {' | '.join(_own(own, info.sides, level))} |"
            )
        lines.append("")
    return "\n".join(lines)


def _side(played: Sequence[Match], bot: str, side: str, level: Mapping[str, float]) -> tuple[str, str]:
    """How many games a bot won on a side against the others, and its mean margin."""
    mine = [match for match in played if match.bots[side] == bot and set(match.bots.values()) != {bot}]
    return _cells(Match("", {}, [outcome for match in mine for outcome in match.outcomes]), side, level)


def _own(match: Match, sides: Sequence[str], level: Mapping[str, float]) -> list[str]:
    return [cell for side in sides for cell in _cells(match, side, level)]


def _cells(match: Match, side: str, level: Mapping[str, float]) -> tuple[str, str]:
    games = len(match.outcomes)
    won = match.wins(side) + sum(not outcome.winner for outcome in match.outcomes) / 2
    low, high = interval(round(won), games)
    margin = match.margin(side, level)
    return f"{won:g} of {games} ({low:.0%} to {high:.0%})", "" if margin is None else f"{margin:+.1f}"


def written(page: str) -> str:
    """The page with the table."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("ruleset", nargs="?")
    parser.add_argument("scenarios", nargs="*")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    asked = parser.parse_args()
    for scenario in asked.scenarios:
        for match in play(asked.ruleset, scenario, asked.games, jobs=asked.jobs, again=asked.again):
            won = {side: match.wins(side) for side in match.bots}
            print(scenario, dict(match.bots), won, match.lead(next(iter(match.bots))), flush=True)
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
