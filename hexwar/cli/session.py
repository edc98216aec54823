"""A game at the terminal: bots move at once, people are asked, and nobody sees what another side may not show.

When the player changes and the game has secrets, a curtain falls. However a session ends, by `quit`, at the end of the
input or by Ctrl-C, the game is saved and the way back is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from hexwar.bots import Bot, move_once
from hexwar.cli.chronicle import Chronicle
from hexwar.cli.commands import TableCommands
from hexwar.cli.words import attempt, matching
from hexwar.engine import Action, Game, RandomSource, Sight
from hexwar.errors import HexwarError

MOST_SHOWN = 24
"""How many actions a prompt lists before it asks for words."""
TELL_EVERY = 50
"""After how many actions a game of bots tells what happened; the log is made anew each time."""


class Leave(Exception):
    """The player wants to stop."""


class Session:
    """One game from here to its end, or to where the players leave it.

    Args:
        game: the game.
        bots: by seat or side; the other seats are people.
        chance: what the bots draw from.
        save: where the game is kept.
        quiet: print the result only; people are still asked.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        bots: Mapping[str, Bot],
        chance: RandomSource,
        *,
        save: str | None = None,
        quiet: bool = False,
        way_back: str = "hexwar play --load {path}",
    ) -> None:
        self.game = game
        self.bots = bots
        self.chance = chance
        self.save = save
        self.quiet = quiet
        self.way_back = way_back
        self.people = [seat for seat, side in game.world.seats.items() if seat not in bots and side not in bots]
        self._chronicles = {seat: Chronicle(game.world) for seat in (*self.people, "")}
        self._shown = dict.fromkeys(self._chronicles, 0)
        self._last = ""

    def run(self) -> None:
        """Play."""
        if not self.quiet:
            self._introduce()
        try:
            while self.game.result is None:
                if not move_once(self.game, self.bots, self.chance):
                    self._ask(self._next_person())
                elif not self.people and len(self.game.history) % TELL_EVERY == 0:
                    self._tell("")
        except (Leave, EOFError, KeyboardInterrupt, click.Abort):
            self._leave()
            return
        self._finish()

    def _introduce(self) -> None:
        setup, info = self.game.world.setup, self.game.ruleset.info
        chosen = [name if value is True else f"{name}={value}" for name, value in setup.options.items() if value]
        click.echo(f"{click.style(info.title, bold=True)}: {info.scenario(setup.scenario).title}")
        seed = getattr(self.game.chance, "seed", None)
        notes = [f"seed {seed}" if seed is not None else "dice from elsewhere", *chosen]
        click.echo(f"{', '.join(f'{seat}: {self._player(seat)}' for seat in self.game.world.seats)}; {', '.join(notes)}")
        if self.people:
            click.echo('Type the number or the words of what you want to do, or "help".')

    def _player(self, seat: str) -> str:
        bot = self.bots.get(seat) or self.bots.get(self.game.world.seats[seat])
        return type(bot).__name__ if bot else "you" if len(self.people) == 1 else "a player"

    # -- people -----------------------------------------------------------------------------------------------------------

    def _next_person(self) -> str:
        """Who is asked: whoever sits at the device if he is asked at all, so that it is passed as seldom as possible."""
        asked = [seat for seat in self.game.to_move if seat in self.people]
        return self._last if self._last in asked else asked[0]

    def _ask(self, seat: str) -> None:
        if seat != self._last:
            self._curtain(seat)
            self._last = seat
        self._tell(seat)
        actions = self.game.legal_actions(seat)
        click.echo()
        click.secho(f"{seat}: {self._chronicles[seat].named(self.game.prompt(seat))}", bold=True)
        self._list(actions if len(actions) <= MOST_SHOWN else actions[:0], len(actions))
        commands = TableCommands(self.game, seat, self._chronicles[seat])
        while True:
            typed = self._input()
            if typed in ("quit", "q", "exit"):
                raise Leave
            if typed in ("list", "ls"):
                self._list(actions, len(actions))
            elif typed and not commands.obey(typed):
                action = self._meant(typed, seat, actions)
                if action is not None:
                    self.game.apply(action, seat)
                    return
            if commands.position_changed:
                self._shown[seat] = min(self._shown[seat], len(self.game.log(seat)))
                return

    def _input(self) -> str:
        text: str = click.prompt(">", prompt_suffix=" ", default="", show_default=False)
        return text.strip()

    def _list(self, actions: list[Action], number: int) -> None:
        for place, action in enumerate(actions, 1):
            click.echo(f"  {place:3}  {self._chronicles[self._last].named(str(action))}")
        if not actions:
            example = self.game.legal_actions(self._last)[-1]
            click.echo(f'  {number} possibilities: type what you want, such as "{example}", or "list"')

    def _meant(self, typed: str, seat: str, actions: list[Action]) -> Action | None:
        if typed.isdecimal() and len(typed) < 4 and 1 <= int(typed) <= len(actions):
            return actions[int(typed) - 1]
        found = matching(typed, actions)
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(str(action) for action in found[:6])
            click.echo(f"That may mean {len(found)} things: {some}{', …' if len(found) > 6 else ''}. Say more.")
            return None
        tried = attempt(typed, self.game.ruleset)
        refusal = self.game.why_not(tried, seat) if tried is not None else None
        click.echo(
            f"{refusal}" if refusal else f'Nothing that is possible now fits {typed!r}; "list" shows everything, "help" explains.'
        )
        return None

    def _curtain(self, seat: str) -> None:
        secret = any(event.sight is not Sight.PUBLIC for event in self.game.ruleset.events)
        if len(self.people) > 1 and secret:
            if self._last:
                _wipe()
            click.prompt(f"Pass the device to {seat}, then press Enter", prompt_suffix=" ", default="", show_default=False)
            _wipe()

    # -- telling ----------------------------------------------------------------------------------------------------------

    def _tell(self, seat: str) -> None:
        """Print what happened since this seat last looked; what nobody in particular sees is for all."""
        events = self.game.log(seat or None)
        fresh = events[self._shown[seat] :]
        self._shown[seat] = len(events)
        if not self.quiet:
            for line in self._chronicles[seat].lines(fresh):
                click.echo(line)

    def _finish(self) -> None:
        # After the game nothing is anybody's secret turn any more, but what was hidden stays hidden.
        self._tell(self._last)
        result = self.game.result
        assert result is not None
        verdict = f"{result.winner} wins" if result.winner else "A draw"
        tally = ", ".join(f"{side} {score}" for side, score in result.scores.items())
        if not self.quiet:
            click.echo()
        click.secho(f"{verdict[0].upper()}{verdict[1:]}: {result.reason} ({result.clause}).", bold=True)
        if tally:
            click.echo(f"Scores: {tally}.")
        if self.save is not None:
            self.game.save(self.save)
            click.echo(f"Saved: {self.save} (hexwar replay {self.save})")

    def _leave(self) -> None:
        click.echo()
        if not self.game.history and self.save is None:
            click.echo("Nothing was played yet.")
            return
        path = self.save or _free_name(f"{self.game.ruleset.info.id}-autosave")
        try:
            self.game.save(path)
        except HexwarError as error:
            click.echo(f"The game could not be saved: {error}", err=True)
            raise click.exceptions.Exit(1) from None
        click.echo(f"Saved. To go on: {self.way_back.format(path=path)}")


def _wipe() -> None:
    """Clear the screen, and what could be scrolled back to as well."""
    click.clear()
    if sys.stdout.isatty():
        click.echo("\033[3J", nl=False)


def _free_name(stem: str) -> str:
    """A name that no file here has: an earlier game that was interrupted must not be lost to a later one."""
    names = (f"{stem}{number}.hexwar" for number in ("", *range(2, 1000)))
    return next((name for name in names if not Path(name).exists()), f"{stem}.hexwar")
