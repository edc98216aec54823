"""The facade: what people import. See `hexwar.__init__` for the list of names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from typing_extensions import TypeVar

from hexwar import engine
from hexwar.board import AnyBoard, Board, load_map
from hexwar.engine import (
    NEUTRAL,
    Chance,
    Phase,
    Position,
    RandomSource,
    RuleIndex,
    Ruleset,
    RulesetInfo,
    SeededChance,
    Sequencing,
    Setup,
    TapedChance,
    View,
    misnamed,
    settle_options,
)
from hexwar.engine._records import plain_text
from hexwar.engine._state import NOBODY
from hexwar.errors import ContentError, HexwarError, PluginError, SaveError, UnknownName, require
from hexwar.files import Source, parse_toml, read_text
from hexwar.pausing import uncollected
from hexwar.plugins import Variant, plugins, resolve_variants

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from hexwar.engine._save import SavedGame
    from hexwar.mechanics import HexQuery, HexState, HexWorld

    Game: TypeAlias = engine.Game[HexState, HexWorld, HexQuery]
    """The usual kind of game, on hexes. For a game on something else, write `hexwar.engine.Game[...]`."""
else:
    Game = engine.Game

B = TypeVar("B", bound="AnyBoard", default="Board")

MAX_KEPT_WORLDS = 8
_PATH = (str, os.PathLike)
MAX_SEATS = 100


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
    seats: str | Mapping[str, str] | None = None,
) -> Game:
    """Start a game.

    Args:
        ruleset: its id.
        scenario: its id; the ruleset's first if not given.
        seed: the same seed and actions give the same game. A fresh one is taken if none is given; it is saved, and otherwise a
            secret until the game is over (`Game.seed`).
        options: optional rules by id.
        chance: a source of random numbers instead of a seed, such as `ScriptedDice` or a `random.Random`.
        seats: for several players a side: the name of one of the ruleset's seatings, or seat -> side; otherwise each side is
            one seat. The ruleset says who of a side is asked; where it does not, the first seat of the side decides
            and the others only watch.

    Examples:
        >>> game = hexwar.new_game("bridgehead", seed=2, options={"barrage": True})
        >>> game.to_move
        ('blue', 'red')
    """
    with uncollected():
        rules, world = _world(ruleset, scenario, options or {}, seats)
        return Game(rules, world, rules.start(world), _chance(seed, chance))


def load_game(path: Source, *, board: str | os.PathLike[str] | None = None) -> Game:
    """Load a saved game: it is replayed and compared with the digests in the file.

    Digests of an older schema are not compared; `Game.caveat` says so then.

    Args:
        path: the file, or anything else that has `read_text`.
        board: the map to play it on, if that was corrected since: a file with the map as it was, or the id of an installed one,
            which is then taken without the corrections that HEXWAR_CORRECTIONS names. The sheets of a board are looked for
            beside the file first.

    Raises:
        SaveError: with a sentence that says what is wrong and where.

    Examples:
        >>> game = hexwar.new_game("bridgehead", seed=2)
        >>> game.save("evening.hexwar")
        >>> hexwar.load_game("evening.hexwar").digest == game.digest
        True
    """
    if not hasattr(path, "read_text"):
        require(path, _PATH, f"a save is the path of a file or an object with read_text, not {type(path).__name__}")
    with uncollected(lasting=True):  # a game that is let go of leaves no circles behind
        return _loaded(path, board)


def _loaded(path: Source, board: str | os.PathLike[str] | None) -> Game:
    from hexwar.engine._save import read_save, replay

    saved = read_save(path)
    name = str(path)
    try:
        game = _begin_again(saved, None if board is None else _uncorrected(board))
    except UnknownName as error:
        raise SaveError(f"{name}: needs what is not installed: {error}") from None
    except HexwarError as error:
        raise SaveError(f"{name}: {error}") from None
    try:
        replay(saved, game, name)
    except Exception as error:
        # The moves of a scenario are checked one by one, so nothing but a defect breaks there. In a position steps may
        # lie on the stack, below the current one, that have not been inspected yet.
        if saved.position is None or isinstance(error, SaveError):
            raise
        raise SaveError(f"{name}: its position cannot be played: {_unfit(error)}") from error
    return game


def _uncorrected(board: str | os.PathLike[str]) -> AnyBoard:
    """A board from the very file, without corrections."""
    file = Path(board)

    def sheet(map_id: str) -> Traversable:
        beside = file.with_name(f"{map_id.rpartition('/')[2]}.toml")
        return beside if _is_file(beside) else _map_file(map_id)

    return load_map(file if _is_file(file) else _map_file(str(board)), resolve=sheet, kind=AnyBoard)


def _begin_again(saved: SavedGame, board: AnyBoard | None) -> Game:
    """The game of a save before its first action."""
    info = plugins().info(saved.ruleset)
    if saved.version not in (info.version, *info.loads):
        loads = ", ".join((info.version, *info.loads))
        raise SaveError(
            f"was written by version {saved.version} of {saved.ruleset}; "
            f"version {info.version} is installed, which loads saves of {loads}"
        )
    if saved.position is None:
        rules, world = _world(saved.ruleset, saved.scenario, saved.options, saved.seats, board, saved.version)
        return Game(rules, world, rules.start(world), saved.chance())
    game = _from_position(saved.position, "its position", saved.chance(), board, saved.version)
    setup = game.world.setup
    same = (setup.ruleset, setup.scenario, dict(setup.seats)) == (saved.ruleset, saved.scenario, saved.seats)
    if not same or any(setup.options.get(option) != value for option, value in saved.options.items()):
        raise SaveError("its head and its position are of different games: it was damaged or edited")
    return game


def load_board(
    board: str | os.PathLike[str],
    overrides: Iterable[str | os.PathLike[str]] = (),
    *,
    kind: type[B] | None = None,
) -> B:
    """Load a board by its id ("ava/campaign"), or from a map file.

    Args:
        board: an id or a path.
        overrides: files with corrections of it. Those in the folder that HEXWAR_CORRECTIONS names come before them, as far
            as they concern this board, and so reach every game.
        kind: the kind of board that is wanted: `hexwar.board.AreaBoard`, `PlaneBoard` or `AnyBoard`; hexes if not given.

    Examples:
        >>> board = hexwar.load_board("bridgehead/crossing")
        >>> board.terrain("0301"), board.neighbours("0101")
        ('woods', ('0201', '0202', '0102'))
    """
    require(board, _PATH, f'a board is an id such as "ava/campaign" or the path of a map file, not {type(board).__name__}')
    wanted: type[Any] = kind or Board
    is_known = isinstance(board, str) and board in plugins().maps()
    source = Path(board) if not is_known and _is_file(board) else _map_file(board)
    files = [Path(file) for file in overrides]
    if files:
        # What is asked for must fit; what lies in the folder need not.
        load_map(source, resolve=_map_file, overrides=files, kind=wanted)
    loaded: B = load_map(source, resolve=_map_file, overrides=[*_corrections(), *files], others_allowed=True, kind=wanted)
    return loaded


def _corrections() -> list[Path]:
    """The player's own corrections of maps."""
    folder = os.environ.get("HEXWAR_CORRECTIONS")
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise HexwarError(f"HEXWAR_CORRECTIONS names {folder}, which is no folder")
    return sorted(Path(folder).glob("*.toml"))


def _map_file(board: str | os.PathLike[str]) -> Traversable:
    maps = plugins().maps()
    if not isinstance(board, str) or board not in maps:
        raise UnknownName("board", board, maps)
    return maps[board]


def _is_file(path: str | os.PathLike[str]) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # longer than a name of a file can be, or with a character that none can have
        return False


def read_view(data: Mapping[str, Any]) -> View:
    """A view, from `View.to_json(whole=True)`: for bots in programs of their own.

    Args:
        data: as it came; the ruleset must be installed here in the same version.

    Raises:
        HexwarError: what is wrong, in a sentence.
    """
    try:
        setup = data["setup"]
        info = plugins().info(setup["ruleset"])
        if setup["version"] != info.version:
            raise HexwarError(f"the view is of {info.id} {setup['version']}, and {info.version} is installed")
        rules, world = _world(setup["ruleset"], setup["scenario"], setup["options"], setup["seats"])
        state = rules.bare(world).with_json({**data["state"], "stack": data["steps"]}, rules.step_types)
        steps, state.stack = state.stack, []
        viewer = world.viewer(data["seat"]) if data["seat"] in world.seats else NOBODY
        return View(rules, Position(world, state), viewer, tuple(data["to_move"]), steps)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise HexwarError(f"this is no view as to_json(whole=True) writes it: {type(error).__name__}: {error}") from None


# -- positions ------------------------------------------------------------------------------------------------------

_TEXT, _TABLE, _LIST = (str, "a string"), (dict, "a table"), (list, "a list")
_POSITION_KEYS: Mapping[str, tuple[type, str]] = {
    "ruleset": _TEXT,
    "scenario": _TEXT,
    "options": _TABLE,
    "seats": _TABLE,
    "board": _TEXT,
    "units": _TABLE,
    "state": _TABLE,
    "stack": _LIST,
}


def position(
    source: str | os.PathLike[str],
    *,
    seed: int | str | None = 0,
    chance: RandomSource | None = None,
    board: str | os.PathLike[str] | None = None,
) -> Game:
    """Start a game in a hand-made position: a TOML file, or its content as a string.

    The text names a `ruleset` and may name a `scenario`, `options`, `seats`, a `board` (its id or its text), `units` (unit ->
    hex, or a table such as {at = "0304", steps = 1}), `state` (fields of the state) and `stack` (the steps that wait, the current
    one last). What it leaves out is as at the scenario's beginning, but no unit stands on the board.

    Args:
        source: the file, or the text.
        seed: as for `new_game`.
        chance: as for `new_game`.
        board: the map to play it on, an id or a file, instead of the one that the position names. Only the caller can name a
            file: a position or a save may come from anywhere.

    Raises:
        ContentError: naming the file, the key and the mistake.

    Examples:
        >>> game = hexwar.position('''
        ... ruleset = "bridgehead"
        ... units = { b5 = "0403", r1 = "0504" }
        ... stack = [{ kind = "moving", seat = "blue", units = ["b5"] }]
        ... ''')
        >>> game.question().groups
        ('b5',)
    """
    text, name = _text_of(source)
    return _from_position(text, name, _chance(seed, chance), None if board is None else load_board(board, kind=AnyBoard))


def _text_of(source: str | os.PathLike[str]) -> tuple[str, str]:
    require(source, _PATH, f"a position is the path of a TOML file or its content as a string, not {type(source).__name__}")
    if isinstance(source, str) and ("\n" in source or ("=" in source and not _is_file(source))):
        return source, "position"
    return read_text(source), str(source)


def _from_position(text: str, name: str, chance: Chance, board: AnyBoard | None, version: str = "") -> Game:
    data = _position_keys(text, name)
    if board is None and "board" in data:
        with _blaming(name, "board"):
            board = _board_of(data["board"])
    with _blaming(name, "board" if board is not None else ""):
        rules, world = _world(data["ruleset"], data.get("scenario"), data.get("options", {}), data.get("seats"), board, version)
    state = rules.bare(world)
    with _blaming(name, "state"):
        state = state.with_json(data.get("state", {}), rules.step_types)
    with _blaming(name, ""):  # what is wrong with the stack begins with its name
        state = state.with_json({key: data[key] for key in data if key == "stack"}, rules.step_types)
        if state.stack and not isinstance(state.stack[0], Sequencing):
            state.stack.insert(0, Sequencing())
    units = {unit: entry if isinstance(entry, dict) else {"at": entry} for unit, entry in data.get("units", {}).items()}
    if units:
        with _blaming(name, "units"):
            rules.place(world, state, units)
    with _blaming(name, ""):
        for mistake in misnamed(Position(world, state)):
            raise ValueError(mistake if mistake.startswith("stack.") else f"state: {mistake}")
        game = Game(rules, world, state, chance, source=text)
        if "state" in data or "stack" in data:
            _look_at(game)
    return game


def _look_at(game: Game) -> None:
    """Look at a position from every seat: rules trust their state, and this one was written by hand.

    What waits below the current step is asked as if it were its turn. Nobody acts, and nothing goes on by itself: a position may
    be there to show what the rules do wrong.
    """
    for seat in game.world.seats:
        view = game.view(seat)
        _ = view.to_json(), view.picture, view.legal_actions()
    part = game.first_state.copy()
    while part.stack:
        at, step = Position(game.world, part), part.stack[-1]
        if isinstance(step, Sequencing):
            _check_place(step.path, len(part.stack) - 1, at)
        for seat in step.deciders(at):
            _ = step.prompt(at, seat), list(step.actions(at, seat))
        part.stack.pop()


def _check_place(path: tuple[int, ...], depth: int, at: Position) -> None:
    """Fail unless the game may stand there in the sequence of play: before something, or in the last phase of a body."""
    before = at.world.sequence.node((*path[:-1], path[-1] - 1)) if path else None
    if at.world.sequence.node(path) is None and not (isinstance(before, Phase) and at.state.phase in ("", before.id)):
        raise ValueError(f"stack.{depth}: the sequence of play has no place {list(path)} in the phase {at.state.phase!r}")


def _position_keys(text: str, name: str) -> dict[str, Any]:
    data = parse_toml(text, name)
    for key, value in data.items():
        if key not in _POSITION_KEYS:
            raise ContentError(name, key, str(UnknownName("key of a position", key, _POSITION_KEYS)))
        kind, words = _POSITION_KEYS[key]
        if not isinstance(value, kind):
            raise ContentError(name, key, f"must be {words}, not {value!r}")
    if "ruleset" not in data:
        raise ContentError(name, "ruleset", 'is missing: write the id of a game, such as ruleset = "bridgehead"')
    return data


@contextmanager
def _blaming(name: str, where: str) -> Iterator[None]:
    """Whatever fails inside is a mistake in this place of the file: content is untrusted, and rules trust their state."""
    try:
        yield
    except (HexwarError, ValueError) as error:
        raise ContentError(name, where, str(error)) from None
    except Exception as error:
        raise ContentError(name, where, _unfit(error)) from error


def _unfit(error: Exception) -> str:
    return f"does not fit the game ({type(error).__name__}: {error})"


def _board_of(board: str) -> AnyBoard:
    """The board of a position: no file, because the position may come from anywhere."""
    if "\n" in board:
        return load_map(board, resolve=_map_file, kind=AnyBoard)
    _map_file(board)  # there is one of this id
    return load_board(board, kind=AnyBoard)


# -- worlds ---------------------------------------------------------------------------------------------------------


def _prepare(
    ruleset: str,
    scenario: str | None,
    options: Mapping[str, object],
    seats: str | Mapping[str, str] | None,
    board: AnyBoard | None,
    version: str = "",
) -> tuple[Ruleset, Setup]:
    manager = plugins()
    ruleset = plain_text(ruleset)
    info = manager.info(ruleset)
    chosen = info.scenario(None if scenario is None else plain_text(scenario))
    if chosen.lacks:
        others = ", ".join(other.id for other in info.playable)
        hint = f"; there is {others}, and hexwar rules {ruleset} tells what is there" if others else ""
        raise HexwarError(f"{chosen.id} of {ruleset} cannot be played yet: it lacks {chosen.lacks}{hint}")
    known = manager.options(ruleset)
    try:
        settled = settle_options(options, known, chosen.id)
    except UnknownName as unknown:
        raise manager.explained(unknown) from None
    # An option with choices is on where it is not at its default.
    off = {option.id: option.default if option.choices else False for option in known}
    variants = [variant for variant in manager.variants(ruleset).values() if settled[variant.id] != off[variant.id]]
    own = {option.id for option in info.options}
    if not seats:
        on = (option for option in known if settled[option.id] != off[option.id])
        seats = next((option.seating for option in on if option.seating), None)
    # A foreign variant that is off must leave no trace, not even its name in a save.
    kept = {name: value for name, value in settled.items() if name in own or value != off[name]}
    neutral = {seat: NEUTRAL for option in known for seat in option.seats.get(settled[option.id], ())}
    rules = manager.ruleset(ruleset)
    resolved = resolve_variants(variants)
    index = _index(rules.rules, variants)
    for variant, brought in resolved.brought.items():
        try:
            rules = rules.extended(index, **brought)
        except (HexwarError, ValueError) as error:
            raise PluginError(f"variant {variant}: {error}") from None
    setup = Setup(
        ruleset=ruleset,
        version=version or info.version,
        scenario=chosen.id,
        options=kept,
        seats=_seats(info, seats, chosen.id, neutral),
        rules=index,
        hooks=resolved.hooks,
        parts=resolved.parts,
        board=board,
    )
    return rules, setup


def _index(rules: RuleIndex, variants: Iterable[Variant]) -> RuleIndex:
    """The ruleset's clauses and those of the variants in play."""
    for variant in variants:
        for clause in variant.clauses:
            if clause.id in rules:
                raise PluginError(
                    f"variant {variant.id}: there is a clause {clause.id} already; its clauses need ids of their own"
                )
        rules = rules.extended(variant.clauses)
        if variant.clause and variant.clause not in rules:
            raise PluginError(f"variant {variant.id}: {UnknownName('clause', variant.clause, rules)}")
    return rules


def _world(
    ruleset: str,
    scenario: str | None,
    options: Mapping[str, object],
    seats: str | Mapping[str, str] | None,
    board: AnyBoard | None = None,
    version: str = "",
) -> tuple[Ruleset, Any]:
    """The world of a game. Worlds never change, so games of the same setup share one: its tables take long to work out."""
    manager = plugins()
    rules, setup = _prepare(ruleset, scenario, options, seats, board, version)
    if board is not None:
        return rules, rules.world(setup)
    # What the environment says about content (HEXWAR_CORRECTIONS and what rulesets have of the kind) is part of the make.
    said = tuple(sorted((name, value) for name, value in os.environ.items() if name.startswith("HEXWAR_")))
    key = (setup.ruleset, setup.version, setup.scenario, tuple(setup.options.items()), tuple(setup.seats.items()), said)
    world = manager.worlds.pop(key, None)
    if world is None:
        while len(manager.worlds) >= MAX_KEPT_WORLDS:
            manager.worlds.pop(next(iter(manager.worlds)), None)
        with uncollected(lasting=True):
            world = rules.world(setup)
    manager.worlds[key] = world  # behind those that were not asked for since: they go first
    return rules, world


def _seats(info: RulesetInfo, seats: str | Mapping[str, str] | None, scenario: str, neutral: Mapping[str, str]) -> dict[str, str]:
    if isinstance(seats, str):
        seats = info.seating(plain_text(seats), scenario).seats
    if not seats:
        return {**{side: side for side in info.sides}, **neutral}
    example = {f"{info.sides[0]}-1": info.sides[0]}
    require(seats, Mapping, f"seats are the name of a seating or a mapping from seats to sides, such as {example}, not {seats!r}")
    if len(seats) > MAX_SEATS:
        raise HexwarError(f"a game has at most {MAX_SEATS} seats, not {len(seats)}")
    seats = {plain_text(seat): plain_text(side) for seat, side in seats.items()}
    players = {seat: side for seat, side in seats.items() if side != neutral.get(seat)}
    for seat, side in players.items():
        if side not in info.sides:
            raise UnknownName(f"side of {info.id} (for seat {seat!r})", side, info.sides)
        if seat in info.sides and seat != side:
            raise HexwarError(f"seat {seat!r} has the name of another side than its own, {side!r}")
        if seat in neutral:
            raise HexwarError(f"seat {seat!r} belongs to no side in this game, so it cannot be one of {side}")
    for side in info.sides:
        if side not in players.values():
            raise HexwarError(f"nobody plays {side}: every side needs a seat")
    return {**players, **neutral}


def _chance(seed: int | str | None, chance: RandomSource | None) -> Chance:
    if chance is not None:
        if not isinstance(chance, RandomSource):
            raise HexwarError(f"a source of chance has a method randrange, as random.Random has it; {chance!r} has none")
        return TapedChance(chance)
    return SeededChance(int.from_bytes(os.urandom(8), "big") >> 1, is_secret=True) if seed is None else SeededChance(seed)
