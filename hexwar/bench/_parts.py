"""What play is made of, measured one by one: searches, copies, starts, saves, growth and memory, all on a large game."""

from __future__ import annotations

import gc
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from time import process_time
from typing import Any

import hexwar
from hexwar.bench._play import MOVES_A_SECOND, Row, peers, play, rate, start, turn
from hexwar.board import Board, flood, reach
from hexwar.plugins import plugins

Work = Callable[[], object]

OPENING = 300
"""After how many actions the armies of a large game stand on the map."""
LENGTH = 2000
"""How many actions a long game has."""
SEARCHES = 12
"""How many units' reaches are measured, from all over the map."""


def spent(work: Work, calls: int = 1) -> float:
    """The processor seconds of some calls."""
    begun = process_time()
    for _ in range(calls):
        work()
    return process_time() - begun


def exponent(sizes: Iterable[float], values: Iterable[float]) -> float:
    """The k for which values grow like sizes to the power of k: least squares of the logarithms."""
    return statistics.linear_regression([*map(math.log, sizes)], [*map(math.log, values)]).slope


def _opened(name: str) -> hexwar.Game:
    """A game in which the armies stand on the map; a short one in its middle."""
    length = play(start(name, 1), "sampled", 1, 2 * OPENING).actions // 2
    game = start(name, 1)
    play(game, "sampled", 1, length)
    return game


# -- kernels ----------------------------------------------------------------------------------------------------------------


def kernels(name: str, rounds: int, share: float) -> Iterator[Row]:
    """The searches and copies of a game, in the middle of it, against the obvious other ways; they take turns."""
    game = _opened(name)
    seat, board = game.to_move[0], getattr(game.world, "board", None)
    works: list[tuple[str, Work, str, Work | None]] = [
        ("digest of a state", lambda: game._state.digest, "", None),
        ("view of a side, with its question", lambda: game.view(seat), "", None),
        ("copy of a game", game.copy, "", None),
        ("new game in a world that is known", lambda: start(name, 1), "", None),
    ]
    if isinstance(board, Board):
        works[:0] = [_reach(game, board), _flood(board), _copy(game, board)]
    for row, ours, other_name, theirs in works:
        ways = [ours, theirs or ours]
        calls = [max(1, round(share / max(spent(way), 1e-7))) for way in ways]
        times = [[spent(way, number) * 1e6 / number for way, number in zip(ways, calls, strict=True)] for _ in range(rounds)]
        mine, other = map(statistics.median, zip(*times, strict=True))
        beside = {"other way": other_name, "its µs": other, "times": statistics.median(b / a for a, b in times)}
        yield {"name": row, "µs": mine} | (beside if theirs else {})


def _reach(game: hexwar.Game, board: Board) -> tuple[str, Work, str, Work]:
    """Units all over the map, with zones of control; the graphs that networkx needs are made beforehand."""
    import networkx as nx

    state, world = game._state, game.world
    searches = []
    movers = [unit for unit, at in state.locations.items() if at in board and world.units[unit].faces[0].move]
    for unit in movers[:: max(1, len(movers) // SEARCHES)][:SEARCHES]:
        counter, at = world.units[unit], board.index(state.locations[unit])
        costs, budget = world.reaches.costs(counter.arm), 2 * counter.faces[0].move
        leave, enter = map(bytes, state.layout.facing(counter.side).tables(world.zones.leave, world.zones.enter))
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_node(at)
        graph.add_weighted_edges_from(
            (i, i + delta, costs[d][i] + leave[i] + enter[i + delta])
            for i in board.hexes
            for d, delta in enumerate(board.deltas)
            if costs[d][i] + leave[i] + enter[i + delta] <= budget
        )
        searches.append((at, budget, costs, leave, enter, graph))

    def ours() -> list[object]:
        return [reach(board, at, most, costs, leave=leave, enter=enter) for at, most, costs, leave, enter, _ in searches]

    def theirs() -> list[object]:
        return [nx.single_source_dijkstra_path_length(graph, at, cutoff=most) for at, most, _, _, _, graph in searches]

    assert ours() == theirs()
    return f"reaches of {SEARCHES} units", ours, "networkx Dijkstra", theirs


def _flood(board: Board) -> tuple[str, Work, str, Work]:
    """What is connected with a hex by land, as supply is."""
    import networkx as nx

    through = board.everywhere & ~board.terrain_mask(*{"lake", "sea"}.intersection(board.terrain_names))
    labels = board.unmask(through)
    graph, source = board.graph.subgraph(labels).copy(), labels[len(labels) // 2]
    ours = partial(flood, board, board.mask([source]), through=through)
    theirs = partial(nx.single_source_shortest_path_length, graph, source)
    assert {*board.unmask(ours())} == {*theirs()}
    return "supply of a side", ours, "networkx", theirs


def _copy(game: hexwar.Game, board: Board) -> tuple[str, Work, str, Work]:
    """A copy of the state in which one unit stands elsewhere."""
    from pydantic import BaseModel, create_model

    state = game._state
    piece: type[BaseModel] = create_model("Piece", at=(str, ...), steps=(int, ...))
    pieces = {unit: piece(at=at, steps=state.steps_left.get(unit, 1)) for unit, at in state.locations.items()}
    plain = create_model("Plain", pieces=(dict[str, piece], ...), control=(dict[str, str], ...))(
        pieces=pieces, control=dict(state.control)
    )
    unit = next(unit for unit, at in state.locations.items() if at in board)
    to = next(label for label in board.neighbours(state.locations[unit]) if label not in state.layout.stacks)

    def theirs() -> None:
        plain.model_copy(deep=True).pieces[unit].at = to  # type: ignore[attr-defined]

    return "state copy with one unit moved", lambda: state.copy().put(unit, to), "pydantic deep copy", theirs


# -- start and saves --------------------------------------------------------------------------------------------------------

COLD = """
import time
spent = [time.process_time()]
import hexwar
spent.append(time.process_time())
import json, random, sys
if sys.argv[3:]:
    from hexwar.plugins import plugins
    for file in sys.argv[3:]:
        plugins().load_file(file)
game, chance = hexwar.new_game(sys.argv[1], sys.argv[2], seed=3), random.Random(3)
spent.append(time.process_time())
while game.to_move:
    seat = game.to_move[0]
    game.apply(game.offered(seat).sample(chance), seat)
spent.append(time.process_time())
try:  # what the operating system counts for a child begins with the memory of its parent
    peak = next((1024 * int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")), None)
except OSError:
    peak = None
print(json.dumps([*spent, peak]))
"""
"""A fresh process: how much time it has used after each step, and the most memory that it had."""


def cold(name: str, kept: str, plugins_too: Iterable[str] = ()) -> list[Any]:
    """Seconds before and after `import hexwar`, after `new_game` and at the end of a random game; the peak of memory in bytes.

    Args:
        name: the game.
        kept: a folder for what processes leave to the next one, compiled modules and boards: only the first that has it starts
            from nothing, as after an installation.
        plugins_too: files and folders of plugins that are loaded besides those of this process.
    """
    words = [sys.executable, "-c", COLD, *name.split("/"), *map(str, plugins().files), *plugins_too]
    said = {**os.environ, "PYTHONPYCACHEPREFIX": kept, "PYTHONDONTWRITEBYTECODE": "", "HEXWAR_CACHE": kept}
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True, env=said).stdout)  # type: ignore[no-any-return]


def starts(name: str, rounds: int, share: float) -> Iterator[Row]:
    """Fresh processes, and loading, in milliseconds, and as they would be on the machine of the limits."""
    chess = next(iter(peers(share).values()), None)
    game, speeds, found = start(name, 3), [], []
    play(game, "sampled", 3, LENGTH)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.hexwar")
        game.save(file)
        for number in range(rounds):
            speeds.append(rate(turn(chess, 1, share)) / MOVES_A_SECOND if chess else math.nan)
            _, fresh, first, *_ = cold(name, str(Path(folder, str(number))))
            bare, imported, begun, ended, _ = cold(name, str(Path(folder, str(number))))
            load = spent(lambda: hexwar.load_game(file)) * LENGTH / len(game.history)
            found.append([imported - bare, begun - imported, first - fresh, ended, load])
    rows = (
        "import hexwar, beyond bare Python",
        "first new_game",
        "first new_game, nothing compiled or kept",
        "cold process to the end of its first game",
    )
    for row, times in zip((*rows, f"loading {LENGTH} actions"), zip(*found, strict=True), strict=True):
        scaled = statistics.median(1e3 * time * speed for time, speed in zip(times, speeds, strict=True))
        yield {"name": row, "ms": 1e3 * statistics.median(times), "scaled ms": scaled if chess else None}


NEW = "bench-new-game"
"""The ruleset of a project that `hexwar new` makes, for comparison."""


def worlds(names: Iterable[str], large: str, rounds: int, share: float) -> Iterator[Row]:
    """What rulesets cost before and besides play, the large one and a project just made by `hexwar new` among them.

    Args:
        names: a scenario of each ruleset.
        large: the game with whose first `new_game` the others are compared.
        rounds: how often everybody has a turn.
        share: the processor seconds of a turn.
    """
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "hexwar", "new", NEW, "--into", folder], check=True, capture_output=True)
        project = str(Path(folder, NEW, "src", f"hexwar_{NEW.replace('-', '_')}"))
        games: dict[str, list[str]] = {name: [] for name in dict.fromkeys((large, *names))} | {f"{NEW}/field": [project]}
        for name, more in games.items():
            cold(name, folder, more)  # it compiles modules and checks content, which lasts
        found: list[dict[str, float]] = []
        for _ in range(rounds):
            ends = {name: cold(name, folder, more) for name, more in games.items()}
            found.append({name: begun - imported for name, (_, imported, begun, *_) in ends.items()})
    for name, more in games.items():
        begun = {
            "first new_game, ms": 1e3 * statistics.median(times[name] for times in found),
            f"x {large}": statistics.median(times[name] / times[large] for times in found),
        }
        yield {"name": name} | begun | ({} if more else _known(name, rounds, share))


def _known(name: str, rounds: int, share: float) -> Row:
    """What a new game costs in a world that is known, and loading, in this process."""
    game = start(name, 3)
    play(game, "sampled", 3, LENGTH)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.hexwar")
        game.save(file)
        loads = [spent(lambda: hexwar.load_game(file)) for _ in range(rounds)]
    again = partial(start, name, 3)
    calls = max(1, round(share / spent(again)))
    return {
        "new_game again, ms": 1e3 * statistics.median(spent(again, calls) / calls for _ in range(rounds)),
        "loading, µs/action": 1e6 * statistics.median(loads) / len(game.history),
    }


# -- growth -----------------------------------------------------------------------------------------------------------------


def growth(name: str, rounds: int, share: float) -> Iterator[Row]:
    """How the cost of an action and of a save grows, with the exponents fitted."""
    for row, by, found in chain(_by_length(name, rounds), _by_size(name, rounds)):
        sizes, costs = [*found], [statistics.median(times) * 1e6 for times in found.values()]
        ends = {"from": sizes[0], "to": sizes[-1], "µs": costs[0], "µs then": costs[-1]}
        yield {"name": row, "by": by, **ends, "exponent": exponent(sizes, costs)}


Grown = tuple[str, str, dict[int, list[float]]]
"""What grows, with what, and its seconds by size."""


def _by_length(name: str, rounds: int) -> Iterator[Grown]:
    """An action and a save after it, at four times in a game."""
    actions: dict[int, list[float]] = {}
    saves: dict[int, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            game, total = start(name, 3), 0.0
            save = partial(game.save, Path(folder, "game.hexwar"))
            for part in (8, 4, 2, 1):
                total += play(game, "sampled", part, LENGTH // part - len(game.history)).seconds
                length = len(game.history)
                actions.setdefault(length, []).append(total / length)
                save()  # what the earlier actions left to do for the first save
                for _ in range(5):  # the collector of garbage may run in one of them
                    play(game, "sampled", part, 1)
                    saves.setdefault(length, []).append(spent(save))
    yield "an action, the mean since the beginning", "actions so far", actions
    yield "a save after an action", "actions so far", saves


def _by_size(name: str, rounds: int) -> Iterator[Grown]:
    """An action at the beginning of games with part of the units, and of games with the same few units on larger maps."""
    game, ruleset = _opened(name), name.partition("/")[0]
    if not isinstance(getattr(game.world, "board", None), Board):
        return
    units = [(unit, at) for unit, at in game.state.locations.items() if at in game.world.board]
    parts = [dict(units[::every]) for every in (16, 8, 4, 2, 1)]
    yield "an action", "units on the map", {len(part): _costs(name, part, rounds) for part in parts}
    games = [start(f"{ruleset}/{scenario.id}", 1) for scenario in hexwar.rulesets()[ruleset].scenarios if not scenario.lacks]
    games.sort(key=lambda game: len(game.world.board.hexes))
    few = {unit: at for unit, at in games[0].state.locations.items() if at in games[0].world.board}
    fits = [game for game in games if all(unit in game.world.units and at in game.world.board for unit, at in few.items())]
    if few and len(fits) > 1:
        found = {len(it.world.board.hexes): _costs(f"{ruleset}/{it.world.setup.scenario}", few, rounds) for it in fits}
        yield f"an action with {len(few)} units", "hexes of the map", found


def _costs(name: str, units: dict[str, str], rounds: int) -> list[float]:
    """Seconds of an action in the first part of games that begin with some units on the map."""
    ruleset, _, scenario = name.partition("/")
    placed = ", ".join(f"{json.dumps(unit)} = {json.dumps(at)}" for unit, at in units.items())
    text = f'ruleset = "{ruleset}"\nscenario = "{scenario}"\nunits = {{ {placed} }}\n'
    return [1 / rate(play(hexwar.position(text, seed=seed), "sampled", seed, OPENING)) for seed in range(rounds)]


# -- memory -----------------------------------------------------------------------------------------------------------------


def memory(name: str, rounds: int, share: float) -> Iterator[Row]:
    """What a copy of a game and an action keep, and the most that a fresh process needs."""
    game = _opened(name)
    yield {"name": "a copy of a game", "kB": _kept(lambda: [copy() for copy in repeat(game.copy, 100)]) / 100 / 1024}
    before = len(game.history)
    kept = _kept(lambda: play(game, "sampled", 2, OPENING))
    yield {"name": "an action: events, history, what is kept for undo", "kB": kept / (len(game.history) - before) / 1024}
    with tempfile.TemporaryDirectory() as folder:
        peak = cold(name, folder)[-1]
    yield {"name": "a fresh process with one game, at most", "kB": peak and peak / 1024}


def _kept(work: Work) -> int:
    """The bytes that are in use after some work and were not before."""
    gc.collect()
    tracemalloc.start()
    made = work()
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del made
    return kept
