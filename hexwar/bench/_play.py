"""Random legal play in the ways in which a program can play, and other people's programs beside it."""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import hexwar
from hexwar.engine import Action, Playout, pick
from hexwar.pausing import set_aside

Row = dict[str, Any]
"""A line of a table: its name, and a value for each column; None where there is none."""

CHESS = "python-chess"
RALLY = "Rally the Troops"
WATERLOO = 0.53
"""Clicks a second of Rally the Troops' Waterloo Campaign in node, as a part of python-chess' moves: measured, in one run."""
MOVES_A_SECOND = 22_000
"""What python-chess does on a machine like the one for which limits in seconds are given."""


class Tally(NamedTuple):
    """What one program did in its turn, and the processor seconds that it took."""

    games: int
    actions: int
    clicks: int
    options: int
    seconds: float


def rate(tally: Tally, column: str = "actions") -> float:
    """How many in a second."""
    return float(getattr(tally, column)) / tally.seconds


def total(tallies: Iterable[Tally]) -> Tally:
    """All of them together."""
    return Tally(*map(sum, zip(*tallies, strict=True)))


Player = Callable[[int], Tally]
"""Plays the game of a seed to its end."""
Line = hexwar.Game | Playout
"""A game, or a line of play from it that is thrown away."""
Choice = tuple[Action, int, int]
"""What was chosen, with how many clicks, after looking at how many options."""


# -- our ways ---------------------------------------------------------------------------------------------------------------


def _list(line: Line, seat: str, chance: random.Random, made: Callable[[Any], Any] = lambda offers: offers) -> Choice:
    offers = made(line.legal_actions(seat))
    return pick(offers, chance), 1, len(offers)


def _staged(line: Line, seat: str, chance: random.Random) -> Choice:
    """A piece, then one of all that it can do; a piece that can do nothing costs time and counts for nothing."""
    question = line.question(seat)
    slots: list[Action | str] = [*question.plain, *question.groups]
    looked = len(slots)
    while True:
        slot = slots.pop(chance.randrange(len(slots)))
        if isinstance(slot, Action):
            return slot, 1, looked
        group = question.group(slot)
        if count := len(group):
            return group[chance.randrange(count)], 2, looked + count


def _sampled(line: Line, seat: str, chance: random.Random) -> Choice:
    return line.offered(seat).sample(chance), 1, 1


WAYS: Mapping[str, Callable[[Line, str, random.Random], Choice]] = {
    "list": _list,
    "staged": _staged,
    "sampled": _sampled,
    "in-place": _sampled,
    "whole-list": partial(_list, made=list),
}
SLOW = {"whole-list": 1, "bot": 3}
"""Slow ways, for which a few rounds suffice in a large game."""


def start(name: str, seed: int) -> hexwar.Game:
    """A new game of "ruleset/scenario"."""
    ruleset, _, scenario = name.partition("/")
    return hexwar.new_game(ruleset, scenario or None, seed=seed)


def play(game: hexwar.Game, way: str, seed: int, most: int) -> Tally:
    """Play a game on in one of the ways; in place the game itself stays where it is."""
    choose, chance = WAYS[way], random.Random(seed)
    actions = clicks = options = 0
    begun = time.process_time()
    line: Line = game.playout() if way == "in-place" else game
    while actions < most and line.to_move:
        seat = line.to_move[0]
        action, more, looked = choose(line, seat, chance)
        line.apply(action, seat)
        actions, clicks, options = actions + 1, clicks + more, options + looked
    return Tally(1, actions, clicks, options, time.process_time() - begun)


def contest(name: str, way: str, seed: int) -> Tally:
    """A whole game in one of our ways; making it, in a world that is known, does not count."""
    from hexwar.bots import KeyedChance, load_bot, play_to_end

    game = start(name, seed)
    info = game.ruleset.info
    if way != "bot":
        return play(game, way, seed, info.scenario(game.world.setup.scenario).bound)
    bots = {side: load_bot(info.bot or "greedy") for side in game.world.sides}
    begun = time.process_time()
    play_to_end(game, bots, KeyedChance(seed))
    return Tally(1, len(game.history), len(game.history), 0, time.process_time() - begun)


# -- others -----------------------------------------------------------------------------------------------------------------

RALLY_DRIVER = """
const rules = require(process.argv[1]), most = Number(process.argv[2])
let state, n = Number(process.argv[3])
const roll = stop => (n = n * 48271 % 2147483647) % stop
function play() {
    let actions = 0, options = 0
    for (state = rules.setup(n, rules.scenarios[0], {}); state.active !== "None" && state.state !== "game_over"; ++actions) {
        const role = rules.roles.includes(state.active) ? state.active : rules.roles[0], found = []
        for (const [name, what] of Object.entries(rules.view(state, role).actions))
            if (name !== "undo")
                for (const one of Array.isArray(what) ? what : what ? [undefined] : []) found.push([name, one])
        options += found.length
        state = rules.action(state, role, ...found[roll(found.length)])
    }
    return [1, actions, actions, options]
}
for (let i = 0; i < 5; ++i) play()
const begun = process.cpuUsage(), sum = [0, 0, 0, 0]
const spent = () => { const since = process.cpuUsage(begun); return (since.user + since.system) / 1e6 }
do play().forEach((value, i) => sum[i] += value); while (spent() < most)
console.log(JSON.stringify([...sum, spent()]))
"""
"""A module of Rally the Troops plays at random: its rules say what may be clicked, and each click is an action."""


def peers(share: float) -> dict[str, Player]:
    """Other people's programs, as far as they are installed.

    Args:
        share: the processor seconds of a turn, for those that run in a process of their own.
    """
    found: dict[str, Player] = {CHESS: _chess, "OpenSpiel chess": _open_spiel, RALLY: partial(_rally, share)}
    for name, play_one in [*found.items()]:
        try:
            play_one(0)
        except (ImportError, LookupError):
            del found[name]
    return found


def _rally(share: float, seed: int) -> Tally:
    rules, node = Path(os.environ["HEXWAR_RTT"], "rules.js").resolve(), shutil.which("node") or "node"
    ran = subprocess.run(
        [node, "-e", RALLY_DRIVER, str(rules), str(share), str(seed + 1)], check=True, capture_output=True, text=True
    )
    return Tally(*json.loads(ran.stdout))


def _chess(seed: int) -> Tally:
    import chess

    board = chess.Board()
    return _listing(seed, board.is_game_over, lambda: list(board.legal_moves), board.push)


def _open_spiel(seed: int) -> Tally:
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    state = pyspiel.load_game("chess").new_initial_state()
    return _listing(seed, state.is_terminal, state.legal_actions, state.apply_action)


def _listing(seed: int, over: Callable[[], bool], legal: Callable[[], list[Any]], do: Callable[[Any], object]) -> Tally:
    """A random game of those who list what is legal."""
    chance, moves, options, begun = random.Random(seed), 0, 0, time.process_time()
    while not over():
        found = legal()
        do(chance.choice(found))
        moves, options = moves + 1, options + len(found)
    return Tally(1, moves, moves, options, time.process_time() - begun)


# -- rounds -----------------------------------------------------------------------------------------------------------------


def turn(player: Player, seed: int, share: float) -> Tally:
    """Games of seeds from this one on, until a share of time is used up."""
    tallies = [player(seed)]
    while sum(tally.seconds for tally in tallies) < share:
        tallies.append(player(seed + len(tallies)))
    return total(tallies)


def rounds_of(players: Mapping[str, Player], rounds: int, share: float) -> dict[str, list[Tally]]:
    """Let everybody play in turns: in each round all of them, with the same seeds; the slow ones only in the first rounds."""
    played: dict[str, list[Tally]] = {name: [] for name in players}
    for number in range(rounds):
        for name, player in players.items():
            if number < SLOW.get(name, rounds):
                played[name].append(turn(player, 1000 * number + 1, share))
    return played


def rows_of(name: str, played: Mapping[str, Sequence[Tally]]) -> Iterable[Row]:
    """The table's rows, with ratios to what python-chess and Waterloo did in the same rounds."""
    chess, rally = ([*map(rate, played.get(peer, ()))] for peer in (CHESS, RALLY))
    waterloo = rally or [WATERLOO * moves for moves in chess]

    def against(tallies: Sequence[Tally], column: str, theirs: list[float]) -> float | None:
        ratios = [rate(tally, column) / other for tally, other in zip(tallies, theirs, strict=False)]
        return statistics.median(ratios) if ratios else None

    for way, tallies in played.items():
        sums = total(tallies)
        yield {
            "name": f"{name} {way}".strip(),
            **{f"{each}/s": statistics.median(rate(it, each) for it in tallies) for each in ("actions", "clicks", "options")},
            "options/action": sums.options / sums.actions,
            "µs/action": 1e6 * sums.seconds / sums.actions,
            "s/game": sums.seconds / sums.games,
            "scaled s/game": sums.seconds / sums.games * statistics.median(chess) / MOVES_A_SECOND if chess else None,
            "x chess": against(tallies, "actions", chess),
            "x Waterloo": against(tallies, "actions", waterloo),
            "clicks x Waterloo": against(tallies, "clicks", waterloo),
        }


def measured(games: Iterable[str], ways: Callable[[str], Iterable[str]], rounds: int, share: float) -> list[Row]:
    """Random play of some games in some ways, and of other people's programs beside it.

    Args:
        games: "ruleset/scenario".
        ways: which ways a game is played in.
        rounds: how often everybody has a turn.
        share: the least processor seconds of a turn.
    """
    others = peers(share)
    theirs: dict[str, list[Tally]] = {peer: [] for peer in others}
    rows: list[Row] = []
    for name in games:
        turn(partial(contest, name, "sampled"), 0, share)  # worlds and tables are made once, and that is measured elsewhere
        with set_aside():
            played = rounds_of(others | {way: partial(contest, name, way) for way in ways(name)}, rounds, share)
        rows += [row for row in rows_of(name, played) if row["name"].removeprefix(f"{name} ") not in others]
        for peer, tallies in theirs.items():
            tallies += played[peer]
    return [*rows, *rows_of("", theirs)]
