"""Benchmarks that mean something on any machine: each measures our way against the obvious other way, in the same run.

Absolute times depend on the machine and on what else it does; a ratio of two things that take turns does not. So every
comparison runs in rounds, both ways after each other in each round, and reports the medians.

Run as `hexwar bench`.
"""

from __future__ import annotations

import copy
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hexwar

RULESET = "bridgehead"
FLAGSHIP = "ava"
Work = Callable[[], object]


@dataclass(frozen=True)
class Figure:
    """What was measured.

    Args:
        name: of what.
        ours: seconds of processor time for one call, or None where `rate` says it better.
        other: the same for the other way, if there is one.
        other_name: what the other way is.
        ratio: how many times longer the other way takes, the median over the rounds.
        rate: how many in a second.
        unit: of the rate.
    """

    name: str
    ours: float | None = None
    other: float | None = None
    other_name: str = ""
    ratio: float | None = None
    rate: float | None = None
    unit: str = ""

    def __str__(self) -> str:
        if self.rate is not None:
            return f"{self.name}: {self.rate:,.0f} {self.unit}"
        assert self.ours is not None
        text = f"{self.name}: {_time(self.ours)}"
        if self.other is None or self.ratio is None:
            return text
        return f"{text}; {self.other_name}: {_time(self.other)}; {self.ratio:.1f} times"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def run(*, quick: bool = False) -> list[Figure]:
    """Measure everything.

    Args:
        quick: fewer and shorter rounds, to see that it works.
    """
    rounds, share = (3, 0.01) if quick else (9, 0.05)
    game = hexwar.new_game(RULESET, seed=1)
    return [
        _random_play(RULESET, 2 if quick else 12),
        *_flagship(quick=quick),
        _measured("game start, world known", lambda: hexwar.new_game(RULESET, seed=1), rounds, share),
        _reach(game, rounds, share),
        _flood(game, rounds, share),
        _measured("state copy", game.state.copy, rounds, share, "copy.deepcopy", lambda: copy.deepcopy(_plain_state(game))),
        _measured("state digest", lambda: game.state.digest, rounds, share),
        _measured("view of a side", lambda: game.view(game.world.sides[0]), rounds, share),
        *_strategies(quick=quick),
    ]


# -- measuring ------------------------------------------------------------------------------------------------------------


def _calls(work: Work, share: float) -> int:
    """How many calls fill a round's share of time."""
    number = 1
    while True:
        spent = _spent(work, number)
        if spent >= share / 4 or number > 1_000_000:
            return max(1, round(number * share / max(spent, 1e-9)))
        number *= 4


def _spent(work: Work, number: int) -> float:
    begun = time.process_time()
    for _ in range(number):
        work()
    return time.process_time() - begun


def _measured(name: str, work: Work, rounds: int, share: float, other_name: str = "", other: Work | None = None) -> Figure:
    """The median of the rounds, in each of which both ways take turns."""
    ways = [(way, _calls(way, share)) for way in (work, other) if way is not None]
    times = [[_spent(way, number) / number for way, number in ways] for _ in range(rounds)]
    medians = map(statistics.median, zip(*times, strict=True))
    ratio = statistics.median(theirs[-1] / theirs[0] for theirs in times) if other else None
    return Figure(name, next(medians), next(medians, None), other_name, ratio)


# -- what is measured -------------------------------------------------------------------------------------------------------


def _random_play(ruleset: str, games: int) -> Figure:
    """Whole games of random choices, through the gate as everybody's actions go."""
    actions, begun = 0, time.process_time()
    for seed in range(games):
        actions += _random_game(ruleset, None, seed)
    return Figure("random play", rate=actions / (time.process_time() - begun), unit="actions a processor second")


def _random_game(ruleset: str, scenario: str | None, seed: int) -> int:
    """A game of random choices to its end; the number of actions."""
    game = hexwar.new_game(ruleset, scenario, seed=seed)
    chance = random.Random(seed)
    while game.to_move:
        seat = game.to_move[0]
        game.apply(game.offered(seat).sample(chance), seat)
    return len(game.history)


def _flagship(*, quick: bool) -> list[Figure]:
    """Random games of A Victory Awaits, beside random games of chess in the same rounds."""
    if FLAGSHIP not in hexwar.rulesets():
        return []
    figures = []
    chess = _chess_game()
    for scenario in ("leningrad", "smolensk", "kiev", "campaign"):
        _random_game(FLAGSHIP, scenario, 0)  # the world is made once
        times, rates, ratios = [], [], []
        for seed in range(1, 3 if quick else 8):
            begun = time.process_time()
            actions = _random_game(FLAGSHIP, scenario, seed)
            times.append(time.process_time() - begun)
            rates.append(actions / times[-1])
            if chess is not None:
                begun = time.process_time()
                moves = sum(chess(seed * 10 + number) for number in range(3))
                ratios.append(rates[-1] / (moves / (time.process_time() - begun)))
        figures.append(Figure(f"random game of ava {scenario}", statistics.median(times)))
        beside = f", {statistics.median(ratios):.2f} times chess" if ratios else ""
        unit = f"actions a processor second{beside}"
        figures.append(Figure(f"random play of ava {scenario}", rate=statistics.median(rates), unit=unit))
    return figures


def _chess_game() -> Callable[[int], int] | None:
    """A random game with the library python-chess, if that is installed: what a much used library of the kind does."""
    try:
        import chess
    except ImportError:
        return None

    def play(seed: int) -> int:
        chance, board, moves = random.Random(seed), chess.Board(), 0
        while not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
            moves += 1
        return moves

    return play


def _reach(game: hexwar.Game, rounds: int, share: float) -> Figure:
    """The movement kernel against Dijkstra on a graph with the same costs."""
    import networkx as nx

    from hexwar.board import reach

    world, board = game.world, game.world.board
    arm = next(iter(world.chart.arms))
    costs, budget = world.movement.costs(arm), 12
    graph: nx.DiGraph[int] = nx.DiGraph()
    for i in board.hexes:
        for d, delta in enumerate(board.deltas):
            if costs[d][i] <= budget:
                graph.add_edge(i, i + delta, weight=costs[d][i])
    start = board.hexes[len(board.hexes) // 2]

    def theirs() -> object:
        return nx.single_source_dijkstra_path_length(graph, start, cutoff=budget)

    assert dict(reach(board, start, budget, costs)) == theirs()
    return _measured("reach of a unit", lambda: reach(board, start, budget, costs), rounds, share, "networkx", theirs)


def _flood(game: hexwar.Game, rounds: int, share: float) -> Figure:
    """The supply kernel against a search on the board's graph."""
    import networkx as nx

    from hexwar.board import flood

    board = game.world.board
    closed = board.terrain_mask("lake", "woods")
    through = board.everywhere & ~closed
    start = board.unmask(through)[0]
    graph = board.graph.subgraph(board.unmask(through)).copy()
    seed = board.mask([start])

    def theirs() -> set[str]:
        return set(nx.single_source_shortest_path_length(graph, start))

    assert set(board.unmask(flood(board, seed, through=through))) == theirs()
    return _measured("supply of a side", lambda: flood(board, seed, through=through), rounds, share, "networkx", theirs)


def _plain_state(game: hexwar.Game) -> dict[str, Any]:
    """The state's own data, without the board that it refers to."""
    state = game.state
    return {name: getattr(state, name) for name in ("locations", "steps_left", "control", "stack")}


def _strategies(*, quick: bool) -> list[Figure]:
    """An example of each strategy of the test kit, if Hypothesis is installed."""
    try:
        from hexwar.testing.strategies import costs
    except ImportError:
        return []
    flagship = [(FLAGSHIP, "training")] if FLAGSHIP in hexwar.rulesets() and not quick else []
    found = costs(5 if quick else 150, (RULESET, None), *flagship)
    return [Figure(f"example of {name}", seconds) for name, seconds in found.items()]
