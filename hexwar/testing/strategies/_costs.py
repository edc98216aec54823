"""What an example of each strategy costs, Hypothesis' own work included: `hexwar bench` reports it."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hexwar import facade
from hexwar.testing.strategies._chances import actions, chances, dice
from hexwar.testing.strategies._ground import boards, labels, map_texts
from hexwar.testing.strategies._positions import positions, random_games, reachable_games
from hexwar.testing.strategies._units import rosters, units


def costs(examples: int, *rulesets: tuple[str, str | None]) -> dict[str, float]:
    """Strategy -> seconds of processor time for an example.

    Args:
        examples: how many to make of each.
        *rulesets: pairs of a ruleset and a scenario for the strategies that need one.
    """
    made: dict[str, st.SearchStrategy[Any]] = {
        "nothing (Hypothesis alone)": st.integers(),
        "chances()": chances(),
        "dice()": dice(),
        "boards()": boards(),
        "map_texts()": map_texts(),
        "rosters()": rosters(),
    }
    for ruleset, scenario in rulesets:
        game, where = facade.new_game(ruleset, scenario, seed=1), f" of {ruleset}{f' {scenario}' if scenario else ''}"
        made |= {
            f"labels(board){where}": labels(game.world.board),
            f"actions(game){where}": actions(game),
            f"units(){where}": units(ruleset, scenario=scenario),
            f"positions(){where}": positions(ruleset, scenario=scenario),
            f"reachable_games(){where}": reachable_games(ruleset, scenario=scenario),
            f"random_games(){where}": random_games(ruleset, scenario=scenario),
        }
    return {name: _cost(strategy, examples) for name, strategy in made.items()}


def _cost(strategy: st.SearchStrategy[Any], examples: int) -> float:
    spent: list[float] = []
    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )

    @quiet
    @given(strategy)
    def run(value: object) -> None:
        spent.append(time.process_time())

    run()  # the first time, maps are loaded and tables are made
    spent.clear()
    begun = time.process_time()
    run()
    return (spent[-1] - begun) / len(spent)
