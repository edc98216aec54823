"""Attacks on games, saves and positions: what tests try in small and `docs/attacks.md` reports at length.

`python -m tests.facade.attacks` prints the figures.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import hexwar
from hexwar.engine import Game, SeededChance, State
from hexwar.engine._save import to_text
from hexwar.errors import HexwarError, SaveError
from hexwar.testing._checks.loaders import position_of
from hexwar.testing._staging.attempts import Claiming
from hexwar.testing._staging.damage import damages


def liars(ruleset: str, number: int, seed: int) -> Counter[str]:
    """Let somebody act for a seat that is asked under the name of another: it must count as the name that it says."""
    tally: Counter[str] = Counter()
    chance = random.Random(seed)
    while tally["attempts"] < number:
        game = hexwar.new_game(ruleset, seed=chance.randrange(1000))
        for _ in range(200):
            if not game.to_move or tally["attempts"] >= number:
                break
            for seat in game.to_move:
                for other in set(game.world.seats) - set(game.to_move):
                    twin = game.copy()
                    tally["attempts"] += 1
                    try:
                        twin.apply(twin.offered(seat).sample(chance), Claiming(other, seat))
                        tally["successes"] += 1
                    except HexwarError:
                        pass
            seat = chance.choice(game.to_move)
            game.apply(game.offered(seat).sample(chance), seat)
    return tally


def reachable(things: Iterable[object], most: int = 400_000) -> Iterator[object]:
    """Everything to which attributes lead from some objects, private ones and closures too, but no modules and classes."""
    pending, seen = list(things), set[int]()
    kept = []  # so that no number of an object is used twice
    while pending and len(seen) < most:
        thing = pending.pop()
        if id(thing) in seen or isinstance(thing, type | types.ModuleType | int | float | bytes | None):
            continue
        seen.add(id(thing))
        kept.append(thing)
        yield thing
        if isinstance(thing, str):
            continue
        if isinstance(thing, Mapping):
            pending += [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset):
            pending += thing
        for name in ("__self__", "__func__", "__defaults__", "__wrapped__", "func", "args", "keywords"):
            pending.append(getattr(thing, name, None))
        for cell in getattr(thing, "__closure__", None) or ():
            pending.append(cell.cell_contents)
        pending += vars(thing).values() if hasattr(thing, "__dict__") else ()
        for cls in type(thing).__mro__:
            slots = cls.__dict__.get("__slots__", ())
            pending += [
                getattr(thing, name, None) for name in ([slots] if isinstance(slots, str) else slots) if name != "__weakref__"
            ]


def seeds_found(ruleset: str, number: int, seed: int) -> Counter[str]:
    """Look for the seed, the dice or the true position in what a bot gets."""
    from hexwar.bots import KeyedChance

    tally: Counter[str] = Counter()
    chance = random.Random(seed)
    game = hexwar.new_game(ruleset, seed="the secret seed")
    while tally["attempts"] < number and game.to_move:
        for _ in range(5):
            if game.to_move:
                seat = chance.choice(game.to_move)
                game.apply(game.offered(seat).sample(chance), seat)
        for seat in game.to_move:
            tally["attempts"] += 1
            found = reachable((game.view(seat), KeyedChance("the secret seed")))
            tally["successes"] += any(_tells(thing) for thing in found)
    return tally


def _tells(thing: object) -> bool:
    return (
        isinstance(thing, Game | SeededChance)
        or (isinstance(thing, State) and thing.draws > 0)
        or (isinstance(thing, str) and "the secret seed" in thing)
    )


# -- saves ---------------------------------------------------------------------------------------------------------------------


def loads(path: Path) -> bool:
    """Whether a save loads."""
    try:
        hexwar.load_game(path)
    except SaveError:
        return False
    return True


def cuts(text: str) -> Iterator[bytes]:
    """A save, shortened at every byte; without its last line break it is whole."""
    data = text.rstrip().encode()
    return (data[:length] for length in range(len(data)))


def bits_flipped(text: str, bit: int) -> Iterator[bytes]:
    """A save with a bit of a byte flipped, for every byte."""
    data = text.encode()
    return (data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :] for at in range(len(data)))


def swapped(text: str) -> Iterator[str]:
    """A save with two neighbouring decisions exchanged: as they stand, and without their links."""
    data = json.loads(text)
    made = data["decisions"]
    for number in range(len(made) - 1):
        one, two = made[number : number + 2]
        if (one["seat"], one["action"]) != (two["seat"], two["action"]):
            for pair in ([two, one], [{**one, **_bare(two)}, {**two, **_bare(one)}]):
                yield json.dumps({**data, "decisions": [*made[:number], *pair, *made[number + 2 :]]})


def replaced(game: Game) -> Iterator[str]:
    """A save of a game with one action replaced by another that was offered in its place."""
    data = json.loads(to_text(game))
    again = Game(game.ruleset, game.world, game.first_state, game.chance.fork())
    for number, made in enumerate(game.history):
        for other in [action for action in again.legal_actions(made.seat) if action != made.action][:2]:
            changed = [*data["decisions"]]
            changed[number] = {**changed[number], "action": other.to_json()}
            yield json.dumps({**data, "decisions": changed})
        again.apply(made.action, made.seat)


def _bare(made: dict[str, Any]) -> dict[str, Any]:
    return {"seat": made["seat"], "action": made["action"]}


def broken_saves(texts: Iterable[bytes | str], whole: str) -> Counter[str]:
    """Try to load each; a success is one that loads with other values than the whole one."""
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game"
        for text in texts:
            tally["attempts"] += 1
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            tally["successes"] += loads(path) and json.loads(text) != json.loads(whole)
    return tally


# -- positions -----------------------------------------------------------------------------------------------------------------


def damaged_positions(ruleset: str, number: int, seed: int) -> Counter[str]:
    """Damage positions of random games; those that load are looked at from all seats, and played for a while."""
    tally: Counter[str] = Counter()
    chance = random.Random(seed)
    scenarios = hexwar.rulesets()[ruleset].playable
    while tally["attempts"] < number:
        game = hexwar.new_game(ruleset, chance.choice(scenarios).id, seed=chance.randrange(1000))
        for _ in range(chance.choice([0, 5, 30, 100, 200])):
            before = game.copy()
            _step(game, chance)
            if not game.to_move:
                game = before
                break
        for damage in list(damages(position_of(game), "toml", chance, 30))[-30:]:
            tally["attempts"] += 1
            try:
                damaged = hexwar.position(damage.data.decode() + "\n", seed=1)
            except (HexwarError, UnicodeDecodeError):
                continue
            tally["loaded"] += 1
            try:
                _look(damaged)
                for _ in range(25):
                    _step(damaged, chance)
                _look(damaged)
            except Exception as error:
                tally["failed"] += 1
                tally[f"{type(error).__name__} {str(error)[:80]}: {damage.what[:80]}"] += 1
    return tally


def _step(game: Game, chance: random.Random) -> None:
    if game.to_move:
        seat = chance.choice(game.to_move)
        game.prompt(seat)
        game.apply(game.offered(seat).sample(chance), seat)


def _look(game: Game) -> None:
    for seat in game.world.seats:
        view = game.view(seat)
        json.dumps(view.to_json())
        assert view.picture is not None
    assert game.digest


def main(scale: int) -> None:
    """Print all figures."""
    played = hexwar.new_game("bridgehead", seed=3)
    chance = random.Random(3)
    for _ in range(150):
        _step(played, chance)
    short = hexwar.new_game("bridgehead", seed=3)
    for _ in range(2):
        _step(short, chance)
    text, brief = to_text(played), to_text(short)
    runs: dict[str, Callable[[], Counter[str]]] = {
        "saves cut": lambda: broken_saves(cuts(brief), brief),
        "saves flipped": lambda: broken_saves((each for bit in range(8) for each in bits_flipped(brief, bit)), brief),
        "saves swapped": lambda: broken_saves(swapped(text), text),
        "saves replaced": lambda: broken_saves(replaced(played), text),
    }
    for ruleset in ("bridgehead", "ava", "tow"):
        runs[f"liars {ruleset}"] = partial(liars, ruleset, 100 * scale, 1)
        runs[f"seed {ruleset}"] = partial(seeds_found, ruleset, 2 * scale, 1)
        runs[f"positions {ruleset}"] = partial(damaged_positions, ruleset, 300 * scale, 2)
    for name, run in runs.items():
        tally = run()
        found = tally.pop("successes", 0) + tally.pop("failed", 0)
        print(name, "attempts", tally.pop("attempts"), "loaded", tally.pop("loaded", 0), "successes", found, flush=True)
        for words, count in tally.items():
            print("   ", count, words)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
