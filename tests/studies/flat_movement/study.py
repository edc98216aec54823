"""Measure one movement segment after another: the engine, flat integers in Python, flat integers in C.

    python -m tests.studies.flat_movement.study [GAMES]

Every segment of some random campaigns is played three times from the same position with the same dice, in turns, and timed in
processor time. Before that, every offer of every unit is compared. See README.md.
"""

from __future__ import annotations

import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hexwar
from hexwar.board import COMPILED
from hexwar.engine import Game
from hexwar.mechanics import ControlTaken, Moving
from hexwar.pieces import UnitMoved
from tests.studies.flat_movement.flat import Flat, Ground, Native, build


def segments(seed: int, most: int | None = None) -> Iterator[Game[Any, Any, Any]]:
    """A random campaign, each time that a movement segment begins."""
    game, chance, last = hexwar.new_game("ava", "campaign", seed=seed), random.Random(seed), 0
    while game.to_move and most != 0:
        step = game.state.stack[-1]
        if isinstance(step, Moving) and len(step.units) > last:
            yield game.copy()
            most = None if most is None else most - 1
        last = len(step.units) if isinstance(step, Moving) else 0
        seat = game.to_move[0]
        game.apply(game.offered(seat).sample(chance), seat)


def forget(game: Game[Any, Any, Any]) -> None:
    """Drop what was worked out in a position: its copies share that, and the next one would find it done."""
    layout = game.state.layout
    layout.memo = {}
    for side in layout.basis.sides:
        layout.facing(side).prices.clear()
    game.world.reaches._free.clear()


def dice_for(game: Game[Any, Any, Any], seed: int) -> list[int]:
    """Enough dice for a segment."""
    chance = random.Random(seed)
    return [chance.randrange(1 << 30) for _ in range(2 * len(game.state.stack[-1].units))]


def engine_play(game: Any, dice: Sequence[int]) -> int:
    """The segment in the engine, by a game or a playout: as `Flat.play`."""
    step, seat, roll = game.state.stack[-1], game.to_move[0], iter(dice)
    waiting, moved = list(step.waiting(game.position)), 0
    while waiting:
        unit = waiting.pop(next(roll) % len(waiting))
        moves = game.offered(seat).group(unit)
        count = moves.count()
        if count:
            game.apply(moves.nth(next(roll) % count), seat)
            moved += 1
    return moved


def compare(game: Game[Any, Any, Any], ground: Ground, others: Sequence[Flat | Native], dice: Sequence[int]) -> int:
    """Play a segment with all at once; fail where they differ. How many offers were compared."""
    seat, roll, compared = game.to_move[0], iter(dice), 0
    waiting, log = others[0].waiting[:], len(game.log())
    python = others[0]
    assert isinstance(python, Flat)
    while waiting:
        offered: Any = game.offered(seat)
        for unit in waiting:  # whoever moves next, these are its moves
            offers = [other.offers(unit) for other in others]
            assert all(theirs == offers[0] for theirs in offers)
            theirs = list(offered.group(ground.units[unit]))
            assert theirs == [ground.action(offer, python.path(offer) if offer.via >= 0 else ()) for offer in offers[0]]
            compared += len(theirs)
        unit = waiting.pop(next(roll) % len(waiting))
        offers = [python.offers(unit)]
        if offers[0]:
            chosen = offers[0][next(roll) % len(offers[0])]
            action = ground.action(chosen, python.path(chosen) if chosen.via >= 0 else ())
            for other in others:
                other.apply(chosen)
                other.undo()
                other.apply(chosen)
            told = game.apply(action, seat)
            for other in others:
                events = ground.events(other.made[-1])
                assert [event for event in told if isinstance(event, UnitMoved | ControlTaken)] == events, (told, events)
    assert log < len(game.log())
    return compared


def chess_play(seed: int) -> int:
    """A random game with python-chess, to compare with other machines; 0 moves without it."""
    try:
        import chess
    except ImportError:
        return 0
    chance, board = random.Random(seed), chess.Board()
    while not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return len(board.move_stack)


def main(games: int) -> None:
    """Print the table."""
    spent: dict[str, float] = {}
    moved: dict[str, int] = {}
    compared = 0

    def timed(way: str, work: Callable[[], int]) -> None:
        begun = time.process_time()
        moved[way] = moved.get(way, 0) + work()
        spent[way] = spent.get(way, 0) + time.process_time() - begun

    def undone(flat: Flat) -> int:
        count = len(flat.made)
        for _ in range(count):
            flat.undo()
        return count

    def told(ground: Ground, flat: Flat) -> int:
        return len([ground.events(made) for made in flat.made])

    kernel = import_module("hexwar.board._kernel") if COMPILED else None
    with TemporaryDirectory() as folder:
        compiler = shutil.which("cc")
        library = build(Path(folder), compiler) if compiler else None
        ground = None
        for seed in range(games):
            for number, game in enumerate(segments(seed)):
                ground = ground or Ground(game)
                start, dice = ground.start(game), dice_for(game, number)
                flats = {"flat, Python": Flat(ground, start)}
                if kernel:
                    flats["flat, Python and the kernel"] = Flat(ground, start, kernel)
                if seed == 0:
                    natives = [Native(library, ground, start)] if library else []
                    compared += compare(game.copy(), ground, [Flat(ground, start, kernel), *natives], dice)
                for way, begun in (("engine", game.copy), ("engine, playout", game.playout)):
                    forget(game)
                    timed(way, partial(engine_play, begun(), dice))
                for way, flat in flats.items():
                    timed(way, partial(flat.play, dice))
                if library:
                    native = Native(library, ground, start)
                    timed("flat, C", partial(native.play, dice))
                    assert native.made == flats["flat, Python"].made
                if number % 10 == 0:
                    timed("python-chess", partial(chess_play, number))
                timed("flat, events when read", partial(told, ground, flats["flat, Python"]))
                timed("flat, undo", partial(undone, flats["flat, Python"]))
    print(f"{compared} offers compared, all equal; the engine with {'the compiled kernel' if kernel else 'pure Python'}")
    engine = spent["engine"] / moved["engine"]
    for way, seconds in spent.items():
        if not moved[way]:
            continue
        each = seconds / moved[way]
        print(f"{way:28} {moved[way]:6} moves  {each * 1e6:8.1f} us each  {engine / each:7.1f} times")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
