"""What a bot is, the simplest one, and how bots play a game to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from hexwar.engine import Action, Event, Game, RandomSource, Result, RulesetInfo, View
from hexwar.engine._chance import key_of, keyed_draw
from hexwar.errors import HexwarError, PluginError
from hexwar.plugins import plugins


@runtime_checkable
class Bot(Protocol):
    """A player. It may remember things between its decisions, but must do without if it is asked in the middle of a game."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """One of the view's legal actions.

        Args:
            view: all that the bot's side may know; it is being asked.
            chance: the only source of randomness, so that the same chance gives the same decisions.
        """
        ...  # pragma: no cover


class RandomBot:
    """Any offered action will do: cheap, and fair enough to wander through every rule."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """One of the offered actions."""
        return view.sample(chance)


class Disturbed:
    """A bot whose game another bot plays along: some of its decisions are taken by chance, and it must go on from there.

    Args:
        bot: who is asked.
        share: one decision in this many is taken by chance.
        chance: which ones, and how.
    """

    def __init__(self, bot: Bot, share: int, chance: RandomSource) -> None:
        self._bot, self._share, self._chance = bot, share, chance

    def choose(self, view: View, chance: RandomSource) -> Action:
        """What the bot answers, or what chance decides after it has answered.

        Raises:
            HexwarError: its answer is not offered.
        """
        answer = self._bot.choose(view, chance)
        if view.question is None or view.question.offer.find(answer) is None:
            raise HexwarError(f"{type(self._bot).__name__} answers {answer}, which is not offered: {view.prompt}")
        return answer if self._chance.randrange(self._share) else view.sample(self._chance)


class KeyedChance:
    """A random source of a bot's own, which gives the same numbers on every platform and never touches the game's dice."""

    __slots__ = ("_counter", "_key")

    def __init__(self, seed: int | str) -> None:
        self._key = key_of(f"bots:{seed}")  # and nothing else: from the seed a bot could foretell the game's dice
        self._counter = 0

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 up to but not including `stop`."""
        self._counter += 1
        return keyed_draw(self._key, self._counter, stop)


def usual_bot(info: RulesetInfo) -> str:
    """The name of the bot that plays a ruleset by default: its own, or one that plays any game."""
    return info.bot or "greedy"


PROGRAM = "program"
"""What stands before the command of a bot in a program of its own: "program:python3 my_bot.py"."""


def load_bot(name: str, *, may_run: bool = False) -> Bot:
    """A new bot by the name under which a plugin offers it; behind a colon stands what its maker is told, as in "search:96".

    Args:
        name: its name.
        may_run: whether "program:COMMAND" may start a program. Only who types the name may say so: never allow it for
            names that come from a file or over a network.
    """
    manager = plugins()
    name, _, told = name.partition(":")
    if name == PROGRAM:
        if not may_run:
            raise HexwarError("a bot in a program of its own is started on the command line only")
        from hexwar.bots._process import ProgramBot

        return ProgramBot(told)
    make = manager.load(manager.bots(), "bot", name)
    bot = make(told) if told else make()
    if not isinstance(bot, Bot):
        raise PluginError(f"bot {name}: {type(bot).__name__} has no method choose(view, chance)")
    return bot


def move_once(game: Game, bots: Mapping[str, Bot], chance: RandomSource) -> list[Event]:
    """Let the first bot that is asked decide; empty if no bot is asked.

    Args:
        game: the game.
        bots: by seat or by side; a seat's own bot comes first.
        chance: what the bots may draw from.
    """
    for seat in game.to_move:
        bot = bots.get(seat) or bots.get(game.world.seats[seat])
        if type(bot) is RandomBot:  # what it would do, without a view of everything for each decision
            return game.apply(game.offered(seat).sample(chance), seat)
        if bot is not None:
            return game.apply(bot.choose(game.view(seat), chance), seat)
    return []


def play_to_end(
    game: Game,
    bots: Mapping[str, Bot],
    chance: RandomSource | None = None,
    *,
    bound: int | None = None,
    look: Callable[[Game], object] = lambda game: None,
) -> Result:
    """Let bots play a game to its end.

    Args:
        game: the game; it is played in place.
        bots: a bot for every side, or for every seat.
        chance: what the bots may draw from; a fixed source if not given.
        bound: the most actions; the scenario's own bound if not given.
        look: called after every action.

    Raises:
        HexwarError: a side has no bot, or the game does not end within the bound.
    """
    for seat, side in game.world.seats.items():
        if seat not in bots and side not in bots:
            raise HexwarError(f"nobody plays {seat}: a bot for every side is needed")
    chance = KeyedChance(0) if chance is None else chance
    most = game.ruleset.info.scenario(game.world.setup.scenario).bound if bound is None else bound
    for _ in range(most):
        if game.result is not None:
            return game.result
        move_once(game, bots, chance)
        look(game)
    if game.result is None:
        raise HexwarError(f"the game is not over after {most} actions")
    return game.result
