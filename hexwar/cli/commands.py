"""What a player at the table can ask besides deciding: help, undo, log, rules, save, and the questions that the game answers."""

from __future__ import annotations

from collections.abc import Callable

import click

from hexwar.cli.chronicle import Chronicle
from hexwar.cli.questions import Questions
from hexwar.engine import Game
from hexwar.errors import HexwarError, UnknownName

DECIDING = """\
To decide: a number does the action with that number; words do the action that they begin: "mo b1 0503". Of an id like
ger-1pz its end will do: "mo 1pz l0830". Several things at once: "mo b1 0503; mo b2 0503; done".
  list [WORDS]      what is possible now; "list UNIT", "list HEX", "list all"
  undo              take your last action back, up to the last roll, draw or reveal"""
QUESTIONS = {
    "Where things are:": {
        "status": "status            turn, phase, strengths and points",
        "map": 'map               the map as text; "map FILE": a picture in a file (.svg, .png)',
        "hex": """\
map UNIT, HEX 4   a part of it; "map FILE HEX 4": a picture of a part
  hex HEX           terrain, rivers, roads, zones and units; a name of a place or a unit will do""",
        "units": "units [WORDS]     units with strengths and places: of a side, formation, arm, place or name",
    },
    "What could be:": {
        "reach": 'reach UNIT        where a unit can go and what that costs; "reach UNIT map" draws it',
        "odds": "odds HEX [UNITS]  the odds of an attack with every reason; of all that stand next to it if you name none",
        "retreats": "retreats UNIT N   the ways of retreat, the best first",
        "supply": "supply UNIT|HEX   the line of supply",
        "command": "command [HQ]      whom a headquarters activates",
        "zones": "zones [SIDE]      the enemy's zones of control",
        "score": "score             the points so far",
    },
}
"""What help says about the questions that the game answers."""
QUESTION_WORDS = ("moves", *(word for questions in QUESTIONS.values() for word in questions))
"""Questions that some games answer."""
REST = """\
The rest:
  log [N]           the last N events that you may know
  rule CLAUSE       what a rule says; "rule 10.6": a whole section
  curtain           no curtain when the players change, for those without secrets; once more, and it is back
  save FILE         write the game to a file
  quit              save and stop"""


HOLDS = "The file holds the seed and all secrets."


class TableCommands:
    """The commands of the seat that is being asked. Everything is answered from that seat's view.

    Args:
        game: the game.
        seat: who asks.
        chronicle: how names are written.
    """

    def __init__(self, game: Game, seat: str, chronicle: Chronicle) -> None:
        self._game = game
        self._seat = seat
        self.position_changed = False
        """Whether something was taken back, so that the question must be asked again."""
        self._known: dict[str, Callable[[list[str]], None]] = {
            "help": self._help,
            "?": self._help,
            "log": self._log,
            "rule": self._rule,
            "save": self._save,
            "undo": self._undo,
            **Questions(game.view(seat), chronicle).known,
        }

    def obey(self, typed: str) -> bool:
        """Carry a command out; False if it is none."""
        word, *rest = typed.split()
        command = self._known.get(word.lower())
        if command is None:
            return False
        try:
            command(rest)
        except HexwarError as error:
            click.echo(str(error))
        return True

    def _help(self, words: list[str]) -> None:
        click.echo(DECIDING)
        for title, questions in QUESTIONS.items():
            told = [f"  {line}" for command, line in questions.items() if command in self._known]
            if told:
                click.echo("\n".join((title, *told)))
        click.echo(REST)

    def _undo(self, words: list[str]) -> None:
        click.echo(f"Taken back: {self._game.undo(self._seat)}.")
        self.position_changed = True

    def _log(self, words: list[str]) -> None:
        number = int(words[0]) if words and words[0].isdecimal() and len(words[0]) < 6 else 20
        events = self._game.log(self._seat)
        for line in Chronicle(self._game.world).lines(events[max(0, len(events) - number) :]):
            click.echo(line)

    def _rule(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say which clause: rule 8.3")
        rules = self._game.world.rules
        found = [clause for clause in rules.values() if clause.id == words[0] or clause.id.startswith(f"{words[0]}.")]
        if not found:
            raise UnknownName("clause", words[0], rules)
        for clause in found:
            click.echo(f"{clause.id}  {clause.title}" + (f" Ruling: {clause.ruling}" if clause.ruling else ""))

    def _save(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say where to: save my.hexwar")
        self._game.save(words[0])
        click.echo(f"Saved: {words[0]}. {HOLDS}")
