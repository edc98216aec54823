"""A game at the terminal: bots move at once, people are asked, and no side sees what another hides.

When the player changes and the game has secrets, a curtain falls. Whatever is done is written to the game's file before anything
is printed that follows from it, so that no kill and no crash costs more than what has not been printed yet.
"""

from __future__ import annotations

import contextlib
import random
import shlex
import sys
from collections.abc import Container, Iterator, Mapping

import click

from hexwar.bots import Bot, KeyedChance, move_once
from hexwar.engine import Action, Game, HasBoard, HasUnits, RandomSource, SeededChance, Sight
from hexwar.errors import HexwarError, Refusal, RefusalCode
from hexwar.plugins import plugins
from hexwar.table import FORGET
from hexwar.table.chronicle import Chronicle, folded, wrapped
from hexwar.table.commands import HOLDS, TableCommands
from hexwar.table.input_line import Completions, forget_lines, read_line
from hexwar.table.offers import TARGETS, Offer
from hexwar.table.questions import ALIASES, QUESTION_WORDS, Adviser
from hexwar.table.unnamed_games import end_unnamed
from hexwar.table.words import attempts, spelt_line, units_and_board

MOST_RECALLED = 15
"""How many of the latest events are shown to a player who continues a saved game."""
IMAGINED = "IMAGINED, NOT THE GAME."
"""Stands above every question of a position that was made up."""
LEAST_TRIED = 3
"""Words of an attempt of which none is left out: what, who and where."""
TELL_EVERY = 50
"""After how many actions a game of bots reports what happened; the log is rebuilt each time."""


class Session:
    """One game from here to its end, or to where the players leave it.

    Args:
        game: the game.
        bots: by seat or side; the other seats are people.
        chance: what the bots draw from.
        quiet: print the result only; people are still asked.
        continuing: the command that continues the game, with "{path}" for its file.
        names: by seat or side, what the bots are called; those of their classes if not given.
    """

    def __init__(
        self,
        game: Game,
        bots: Mapping[str, Bot],
        chance: RandomSource,
        *,
        quiet: bool = False,
        continuing: str = "hexwar play --load {path}",
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.game = game
        self.bots = bots
        self.names = {side: type(bot).__name__ for side, bot in bots.items()} | dict(names or {})
        self.chance = chance
        self.save: str | None = None
        """Where the game is kept."""
        self.unnamed = False
        """Whether the file was not named by the user."""
        self.borrowed = False
        """Whether it was loaded, and nobody said that it may be changed: it is, once a person has decided something."""
        self._unkept = False
        """Whether the file could not be written the last time."""
        self.quiet = quiet
        self.continuing = continuing
        self.people = [seat for seat, side in game.world.seats.items() if seat not in bots and side not in bots]
        self._seed = getattr(game.chance, "seed", None)
        # A seed that was not given is told when the game is over.
        self._seed_known = game.seed is not None or not self.people
        self._chronicles = {seat: Chronicle(game.world, short=True) for seat in (*self.people, "")}
        self._shown = {seat: max(0, len(game.log(seat)) - MOST_RECALLED) if game.history else 0 for seat in self.people} | {"": 0}
        self._last = ""
        self._adviser = Adviser(game)
        self._supposed = 0
        """How many positions were imagined."""
        self._curtains = True
        self._typed: list[str] = []
        """What was typed behind a semicolon and waits to be obeyed."""
        self._is_further = False
        """Whether what is being obeyed stood behind a semicolon."""
        self._follows = False
        """Whether the map is drawn before every question."""

    def run(self) -> None:
        """Play."""
        if not self.quiet:
            self._begin()
        try:
            self._play()
        except (EOFError, KeyboardInterrupt, click.Abort):
            self._leave()
        except (Exception, SystemExit) as error:  # a defect of the rules or of a bot must not cost the players their game
            self._leave()
            self._blame(error)
            raise
        else:
            self._finish()

    def _begin(self) -> None:
        click.echo("\n".join(map(wrapped, self.head)))
        if self.save is not None and self.people:
            again = ': "hexwar play --resume" goes on with it' if self.unnamed else ""
            click.echo(wrapped(f"Every action is kept in {self.save}{again}."))

    def _play(self) -> None:
        while self.game.result is None:
            if not move_once(self.game, self.bots, self.chance):
                self._ask(self._next_person())
            elif not self.people and len(self.game.history) % TELL_EVERY == 0:
                self._tell("")

    def _blame(self, error: BaseException) -> None:
        """Say in an error whose bot was playing. What a bot raises on purpose, or to end the program, becomes one sentence."""
        seat = next((seat for seat in self.game.to_move if seat not in self.people), None)  # bots decide before people
        when = f"while {self._player(seat)} played {seat}: " if seat else ""
        if isinstance(error, SystemExit) or (seat and isinstance(error, HexwarError)):
            raise HexwarError(f"{when}{type(error).__name__}: {error}") from error
        if seat:
            error.add_note(when.rstrip())

    @property
    def head(self) -> list[str]:
        """What everybody is told when the game begins or is loaded."""
        setup, info = self.game.world.setup, self.game.ruleset.info
        usual = {option.id: option.default for option in plugins().options(info.id)}
        changed = {name: value for name, value in setup.options.items() if value != usual.get(name, False)}
        chosen = [name if value is True else f"{name}={value}" for name, value in changed.items()]
        scenario = info.scenario(setup.scenario)
        seed = "dice from elsewhere" if self._seed is None else f"seed {self._seed}" if self._seed_known else "a secret seed"
        players = ", ".join(f"{seat}: {self._player(seat)}" for seat in self.game.world.seats)
        lines = [f"{click.style(info.title, bold=True)}: {scenario.title}", f"{players}; {', '.join([seed, *chosen])}"]
        if self.people:
            lines += [folded(scenario.summary)] if scenario.summary else []
            lines.append('Type the number or the words of what you want to do, or "help".')
        return lines

    def _player(self, seat: str) -> str:
        name = self.names.get(seat) or self.names.get(self.game.world.seats[seat])
        return name or ("you" if len(self.people) == 1 else "a player")

    # -- people -----------------------------------------------------------------------------------------------------------

    def _next_person(self) -> str:
        """Who is asked: the player at the device if they are asked at all, so that it is passed on as rarely as possible."""
        asked = [seat for seat in self.game.to_move if seat in self.people]
        return self._last if self._last in asked else asked[0]

    def _ask(self, seat: str) -> None:
        if seat != self._last:
            self._curtain(seat)
            self._last = seat
        self._tell(seat)
        question = self.game.question(seat)
        offer = Offer(question, self._chronicles[seat])
        if not self._typed:
            click.echo()
            prompt = self._chronicles[seat].asked(question)
            click.secho(folded(f"{seat}: {prompt}", hanging="  "), bold=True)
            click.echo("\n".join(map(wrapped, offer.lines())))
        commands = self._commands(seat)
        if self._follows and not self._typed:
            commands.obey("map")
        confirmed: Action | str | None = None
        over = False
        while not over:
            typed = self._input(lambda before: [*commands.completions(before), *offer.completions(before)])
            if typed and not self._obeyed(typed, offer) and not commands.obey(typed):
                over, confirmed = self._decided(typed, seat, offer, confirmed)
            over = self._followed(commands, seat) or over

    def _commands(self, seat: str) -> TableCommands:
        return TableCommands(self.game, seat, self._chronicles[seat], self.save, self._adviser)

    def _obeyed(self, typed: str, offer: Offer) -> bool:
        """Do what is said to the table, rather than asked about the game or decided in it; whether it was that."""
        word, _, rest = typed.partition(" ")
        if typed in ("quit", "q", "exit"):
            raise click.Abort
        if word in ("list", "ls"):
            click.echo("\n".join(map(wrapped, offer.listing(rest.strip()))))
        elif typed in ("map on", "map off"):
            self._follows = typed == "map on"
            click.echo(f"The map is {'' if self._follows else 'not '}drawn before every question.")
        elif typed == "what if":
            self._suppose()
        elif typed == "curtain":
            self._curtains = not self._curtains
            click.echo("The device is passed with a curtain." if self._curtains else "No curtain from now on.")
        elif not typed.isprintable():
            click.echo("A line is made of printable letters, and this one has others.")
        else:
            return False
        return True

    def _suppose(self) -> None:
        """Go on in a position that the player imagines, for all seats; what is done there happens nowhere else."""
        self._supposed += 1
        chance = KeyedChance(f"what if {len(self.game.history)} {self._supposed}")
        line = self.game.view(self._last).imagine(chance)
        dice = SeededChance(chance.randrange(1 << 62), is_secret=True)
        WhatIf(Game(self.game.ruleset, line.world, line.state.copy(), dice), {}, chance).run()

    def _decided(self, typed: str, seat: str, offer: Offer, confirmed: Action | str | None) -> tuple[bool, Action | str | None]:
        """Whether the question is over after what was typed, and the action that is done if it is typed once more."""
        meant = self._meant(typed, seat, offer)
        left = offer.left_by(meant) if meant != confirmed and sys.stdin.isatty() else ""
        if isinstance(meant, Action) and left:
            confirmed, meant = meant, f'{left} Type "{typed}" once more to end it all the same.'
        if isinstance(meant, Action):
            self.game.apply(meant, seat)
            self.borrowed = False
            self._keep()
            return True, None
        click.echo(wrapped(meant))
        if self._typed:
            click.echo(wrapped(f"The line stops there; not done: {';'.join(self._typed).strip()}"))
        self._typed.clear()
        return self._is_further, confirmed  # what was done before it has changed the question

    def _followed(self, commands: TableCommands, seat: str) -> bool:
        """Do what follows from a command: the game is kept elsewhere, or the position is another, and the question is over."""
        if commands.kept_in is not None and commands.kept_in != self.save:
            self._move_to(commands.kept_in)
        if commands.position_changed:
            self.borrowed = False
            self._keep()
            self._shown[seat] = min(self._shown[seat], len(self.game.log(seat)))
        return commands.position_changed

    def _input(self, completions: Completions) -> str:
        self._is_further = bool(self._typed)
        if not self._typed:
            self._typed = read_line(completions).split(";")
        return self._typed.pop(0).strip()

    def _meant(self, typed: str, seat: str, offer: Offer) -> Action | str:
        """The action that a player means, or a sentence that says why nothing fits."""
        try:
            return self._found(typed, seat, offer)
        except Refusal as refusal:
            return str(refusal)

    def _found(self, typed: str, seat: str, offer: Offer) -> Action | str:
        world = self.game.world
        numbered = offer.number(typed, units_and_board(world)[1])
        if numbered is not None and self._is_further:
            return "Behind a semicolon numbers are not taken: they change with every action. Use words."
        found = [numbered] if numbered is not None else offer.meant(spelt_line(typed, world)) or offer.meant(typed)
        if not found and not offer.complete:  # then more is possible than what is listed
            found = [action for action in self._attempts(typed) if self.game.why_not(action, seat) is None][:1]
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(str(action) for action in found[:6])
            more = f', …. Say more, or "list {typed}"' if len(found) > 6 else ". Say more"
            return f"That may mean {len(found)} things: {some}{more}."
        refusal = self._why_not(typed, seat)
        return _nothing_fits(typed) if refusal is None else str(offer.explained(refusal))

    def _attempts(self, typed: str) -> Iterator[Action]:
        """The actions that a player may have tried, offered or not."""
        world = self.game.world
        known: dict[str, Container[object]] = {"unit": world.units} if isinstance(world, HasUnits) else {}
        known |= dict.fromkeys(TARGETS, world.board) if isinstance(world, HasBoard) else {}
        return attempts(
            spelt_line(typed, world), self.game.ruleset, lambda field, value: field not in known or value in known[field]
        )

    def _why_not(self, typed: str, seat: str) -> Refusal | None:
        """The rule that forbids what a player tried; preferably one about the attempt rather than about the moment."""
        told = [refusal for action in self._attempts(typed) if (refusal := self.game.why_not(action, seat)) is not None]
        if not told and len(typed.split()) > LEAST_TRIED:  # perhaps the last word was one too many
            return self._why_not(typed.rpartition(" ")[0], seat)
        return min(told, key=lambda refusal: (refusal.code != RefusalCode.AGAINST_RULE, not refusal.clause), default=None)

    def _curtain(self, seat: str) -> None:
        secret = any(event.sight is not Sight.PUBLIC for event in self.game.ruleset.events)
        falls = len(self.people) > 1 and secret and self._curtains
        if falls and self._last:
            _wipe()
        if self._typed:
            click.echo("A line of orders ends where another player decides: the rest of it is dropped.")
            self._typed.clear()
        if falls:
            forget_lines()
            click.prompt(f"Pass the device to {seat}, then press Enter", prompt_suffix=" ", default="", show_default=False)
            _wipe()

    # -- telling ----------------------------------------------------------------------------------------------------------

    def _tell(self, seat: str) -> None:
        """Print what happened since this seat last looked; what concerns no seat is for all."""
        self._keep()
        events = self.game.log(seat or None)
        fresh = events[self._shown[seat] :]
        self._shown[seat] = len(events)
        if not self._curtains:  # then the others have just read it, too
            self._shown.update({other: len(self.game.log(other)) for other in self.people})
        if not self.quiet:
            for line in self._chronicles[seat].lines(fresh):
                click.echo(wrapped(line))

    def _finish(self) -> None:
        # After the game nothing is anybody's secret turn any more, but what was hidden stays hidden.
        self._tell(self._last)
        result = self.game.result
        assert result is not None
        verdict = f"{result.winner} wins" if result.winner else "A draw"
        tally = ", ".join(f"{side} {score}" for side, score in result.scores.items())
        secret = self._seed is not None and not self._seed_known and not self.quiet
        lines = [
            click.style(f"{verdict[0].upper()}{verdict[1:]}: {result.reason} ({result.clause}).", bold=True),
            f"Scores: {tally}." if tally else "",
            f"The seed was {self._seed}." if secret else "",
        ]
        click.echo("\n".join([*([] if self.quiet else [""]), *filter(None, lines)]))
        if self.save is None or self.borrowed:
            return
        is_wanted = bool(self.people) or not self.unnamed
        if is_wanted:
            self._write()
            click.echo(f"Saved: {self.save} (hexwar replay {self.save}; hexwar review {self.save})")
        if self.unnamed:
            end_unnamed(self.save, played=is_wanted)

    # -- keeping it -------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Write what was done before anybody hears of it. If that fails, the players hear so, and the game goes on."""
        if self.save is None or self.borrowed or not self.game.history:
            return
        try:
            self.game.save(self.save)
        except HexwarError as error:
            if not self._unkept:
                click.echo(wrapped(f'THE GAME IS NOT KEPT: {error}. It goes on; "save FILE" keeps it somewhere else.'), err=True)
            self._unkept = True
        else:
            if self._unkept:
                click.echo(f"The game is kept again: {self.save}", err=True)
            self._unkept = False

    def _move_to(self, path: str) -> None:
        """From now on the game is kept in another file."""
        if self.unnamed and self.save not in (None, path):
            end_unnamed(str(self.save), played=False)
        self.save, self.unnamed, self.borrowed, self._unkept = path, False, False, False

    def _write(self) -> None:
        """Write the game when it is left: a failure is that of the command."""
        try:
            self.game.save(str(self.save))
        except HexwarError as error:
            click.echo(f"The game could not be saved: {error}", err=True)
            raise click.exceptions.Exit(1) from None

    def _leave(self) -> None:
        if self.borrowed or not self.game.history:
            if self.unnamed:
                end_unnamed(str(self.save), played=False)
            click.echo("\nNothing was played yet.")
        elif self.save is not None:
            self._write()  # before anything is printed: the reader may be gone
            click.echo(f"\nSaved. To go on: {self.continuing.format(path=shlex.quote(self.save))}\n{HOLDS}")


class WhatIf(Session):
    """A position that somebody imagines, played on for all seats until "quit"; nothing of it is kept."""

    def _begin(self) -> None:
        self._curtains = False
        self._shown = dict.fromkeys(self._shown, len(self.game.log(None)))
        told = "What you do not know is made up, and so are the dice. You decide for all sides; quit goes back."
        click.echo(wrapped(f"{IMAGINED} {told}"))

    def _ask(self, seat: str) -> None:
        click.echo()
        click.secho(IMAGINED, fg="yellow")
        super()._ask(seat)

    def _commands(self, seat: str) -> TableCommands:
        commands = super()._commands(seat)
        del commands.known["save"]
        return commands

    def _finish(self) -> None:
        click.echo(f"{IMAGINED} {self.game.result}")
        self._leave()

    def _leave(self) -> None:
        click.echo("Back in the game: nothing of that has happened.")


def typed(game: Game, seat: str, line: str) -> str:
    """What the table prints if a player types one line and nobody types any more; the game goes on as far as the line does."""
    from click.testing import CliRunner

    session = Session(game, {}, random)
    session._last = seat
    with CliRunner().isolation(f"{line}\n") as (out, *_):
        with contextlib.suppress(click.Abort, EOFError):
            session._ask(seat)
            while session._typed and game.to_move:
                session._ask(session._next_person())
        return out.getvalue().decode()


def _nothing_fits(typed: str) -> str:
    """The answer to a line that is neither an order nor a question of this game."""
    word = typed.split()[0].lower()
    if ALIASES.get(word, word) in QUESTION_WORDS:
        return f'This game has no {word}; "help" lists what it has.'
    return f'Nothing that is possible now fits {typed!r}; "list" shows everything, "help" explains.'


def _wipe() -> None:
    """Clear the screen, and what could be scrolled back to as well."""
    click.clear()
    if sys.stdout.isatty():
        click.echo(FORGET, nl=False)
