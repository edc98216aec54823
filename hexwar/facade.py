"""The facade: what people import. See `hexwar.__init__` for the list of names."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexwar.engine import Game, RandomSource, RulesetInfo, SeededChance, Setup, TapedChance, settle_options
from hexwar.errors import ContentError, HexwarError, SaveError, UnknownName
from hexwar.plugins import plugins, resolve_hooks

if TYPE_CHECKING:
    from hexwar.board import Board
    from hexwar.engine import Chance, Ruleset, World

MAX_POSITION_CHARACTERS = 2_000_000
MAX_KEPT_WORLDS = 8


def rulesets() -> dict[str, RulesetInfo]:
    """The installed rulesets by id. Imports no rules."""
    return plugins().rulesets()


def new_game(
    ruleset: str,
    scenario: str | None = None,
    seed: int | str | None = None,
    options: Mapping[str, object] | None = None,
    *,
    chance: RandomSource | None = None,
    seats: Mapping[str, str] | None = None,
) -> Game[Any, Any]:
    """Start a game.

    Args:
        ruleset: its id.
        scenario: its id; the ruleset's first if not given.
        seed: the same seed and actions give the same game; a fresh one is taken (and saved) if not given.
        options: optional rules by id.
        chance: a source of random numbers instead of a seed, such as `ScriptedDice` or a `random.Random`.
        seats: seat -> side, for several players a side; otherwise each side is one seat.
    """
    rules, world = _world(ruleset, scenario, options or {}, seats)
    return Game(rules, world, rules.start(world), _chance(seed, chance))


def load_game(path: str | os.PathLike[str]) -> Game[Any, Any]:
    """Load a saved game: it is replayed and compared with the digests in the file."""
    from hexwar.engine.save import read_save, replay

    saved = read_save(path)
    name = str(path)
    try:
        info = plugins().info(saved.ruleset)
        if saved.version not in (info.version, *info.loads):
            loads = ", ".join((info.version, *info.loads))
            raise SaveError(
                f"{name}: was written by version {saved.version} of {saved.ruleset}; "
                f"version {info.version} is installed, which loads saves of {loads}"
            )
        if saved.position is not None:
            game = _from_position(saved.position, name, saved.chance())
        else:
            rules, world = _world(saved.ruleset, saved.scenario, saved.options, saved.seats)
            game = Game(rules, world, rules.start(world), saved.chance())
    except (UnknownName, ContentError) as error:
        raise SaveError(f"{name}: {error}") from None
    replay(saved, game, name)
    return game


def load_board(board: str | os.PathLike[str]) -> Board:
    """A board by its id ("ava/campaign"), or from a map file."""
    from hexwar.board import load_map

    maps = plugins().maps()
    if isinstance(board, str) and board in maps:
        return load_map(maps[board], resolve=_map_file)
    if Path(board).is_file():
        return load_map(Path(board), resolve=_map_file)
    raise UnknownName("board", board, maps)


def _map_file(board: str) -> Any:
    maps = plugins().maps()
    if board not in maps:
        raise UnknownName("board", board, maps)
    return maps[board]


def position(source: str | os.PathLike[str], *, seed: int | str = 0, chance: RandomSource | None = None) -> Game[Any, Any]:
    """A game from a hand-made position: a TOML file, or its text.

    The text names a `ruleset` and may name a `scenario`, `options`, a `board` (id, file, or a map as a table), `units`
    (unit -> hex, or a table such as {at = "0304", steps = 1}), `state` (fields of the state) and `stack` (the steps that
    wait, the current one last). What it leaves out is as at the scenario's beginning, but no unit stands on the board.
    """
    text, name = _text_of(source)
    return _from_position(text, name, _chance(seed, chance))


def _text_of(source: str | os.PathLike[str]) -> tuple[str, str]:
    if isinstance(source, str) and ("\n" in source or "=" in source):
        return source, "position"
    try:
        return Path(source).read_text(encoding="utf-8"), str(source)
    except OSError as error:
        raise ContentError(str(source), "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ContentError(str(source), "", "is not text") from None


def _from_position(text: str, name: str, chance: Chance) -> Game[Any, Any]:
    import tomllib

    if len(text) > MAX_POSITION_CHARACTERS:
        raise ContentError(name, "", f"is longer than {MAX_POSITION_CHARACTERS} characters")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ContentError(name, "", f"is not valid TOML: {error}") from None
    expected: dict[str, type] = {
        "ruleset": str, "scenario": str, "options": dict, "seats": dict, "board": object, "units": dict, "state": dict, "stack": list,
    }  # fmt: skip
    for key, value in data.items():
        if key not in expected:
            raise ContentError(name, key, f"unknown key; a position has {', '.join(expected)}")
        if not isinstance(value, expected[key]):
            raise ContentError(name, key, f"must be a {expected[key].__name__}, not {value!r}")
    if "ruleset" not in data:
        raise ContentError(name, "ruleset", "is missing: which game is it?")
    try:
        board = _board_of(data["board"], name) if "board" in data else None
        rules, setup = _prepare(data["ruleset"], data.get("scenario"), data.get("options", {}), data.get("seats"), board)
        world = rules.world(setup)
        state = rules.bare(world)
        fields = {**data.get("state", {}), **({"stack": data["stack"]} if "stack" in data else {})}
        state = state.with_json(fields, rules.step_types)
        units = {unit: entry if isinstance(entry, dict) else {"at": entry} for unit, entry in data.get("units", {}).items()}
        if units:
            rules.place(world, state, units)
    except ContentError:
        raise
    except (HexwarError, ValueError) as error:
        raise ContentError(name, "", str(error)) from None
    return Game(rules, world, state, chance, source=text)


def _board_of(value: object, name: str) -> Board:
    from hexwar.board import load_map

    if isinstance(value, str):
        return load_map(value) if "\n" in value else load_board(value)
    raise ContentError(name, "board", "must be a board's id, a map file or the text of one")


def _prepare(
    ruleset: str,
    scenario: str | None,
    options: Mapping[str, object],
    seats: Mapping[str, str] | None,
    board: Board | None,
) -> tuple[Ruleset[Any, Any], Setup]:
    manager = plugins()
    info = manager.info(ruleset)
    chosen = info.scenario(scenario)
    settled = settle_options(options, manager.options(ruleset), chosen.id)
    variants = [variant for variant in manager.variants(ruleset).values() if settled[variant.id]]
    own = {option.id for option in info.options}
    # A foreign variant that is off must leave no trace, not even its name in a save.
    kept = {name: value for name, value in settled.items() if name in own or value}
    rules = manager.ruleset(ruleset)
    index = rules.rules.extended(clause for variant in variants for clause in variant.clauses)
    setup = Setup(
        ruleset=ruleset,
        version=info.version,
        scenario=chosen.id,
        options=kept,
        seats=_seats(info, seats),
        rules=index,
        hooks=resolve_hooks(variants),
        board=board,
    )
    return rules, setup


def _world(
    ruleset: str, scenario: str | None, options: Mapping[str, object], seats: Mapping[str, str] | None
) -> tuple[Ruleset[Any, Any], World]:
    """The world of a game. Worlds never change, so games of the same make share one: its tables take long to work out."""
    manager = plugins()
    rules, setup = _prepare(ruleset, scenario, options, seats, None)
    key = (ruleset, setup.scenario, tuple(setup.options.items()), tuple(setup.seats.items()))
    worlds: dict[Any, World] = manager.worlds
    if key not in worlds:
        while len(worlds) >= MAX_KEPT_WORLDS:
            del worlds[next(iter(worlds))]
        worlds[key] = rules.world(setup)
    return rules, worlds[key]


def _seats(info: RulesetInfo, seats: Mapping[str, str] | None) -> dict[str, str]:
    if not seats:
        return {side: side for side in info.sides}
    for seat, side in seats.items():
        if side not in info.sides:
            raise UnknownName(f"side of {info.id} (for seat {seat!r})", side, info.sides)
        if seat in info.sides and seat != side:
            raise HexwarError(f"seat {seat!r} has the name of another side than its own, {side!r}")
    for side in info.sides:
        if side not in seats.values():
            raise HexwarError(f"nobody plays {side}: every side needs a seat")
    return dict(seats)


def _chance(seed: int | str | None, chance: RandomSource | None) -> Chance:
    if chance is not None:
        return TapedChance(chance)
    return SeededChance(secrets.randbits(63) if seed is None else seed)
