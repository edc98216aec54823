"""What a player at the table can ask besides deciding: help, undo, log, rules, save, and the questions that the game answers."""

from __future__ import annotations

import click

from hexwar.cli.chronicle import Chronicle
from hexwar.cli.questions import QUESTIONS, Answer, Questions
from hexwar.engine import Game
from hexwar.errors import HexwarError, UnknownName

DECIDING = """\
To decide: a number does the action with that number; words do the action that they begin: "mo b1 0503". Of an id like
ger-1pz its end will do: "mo 1pz l0830". Several things at once: "mo b1 0503; mo b2 0503; done".
  list [WORDS]      what is possible now; "list UNIT", "list HEX", "list all"
  undo              take your last action back, up to the last roll, draw or reveal"""
REST = """\
The rest:
  log [N]           the last N events that you may know
  rule CLAUSE       what a rule says; "rule 10.6": a whole section
  curtain           no curtain when the players change, for those without secrets; once more, and it is back
  save FILE         write the game to a file
  quit              save and stop"""
HOLDS = "The file holds the seed and all secrets."
ALIASES = {"?": "help", "moves": "reach"}
NEEDED = {
    "hex": "say which hex: hex 0504, or the name of a place or a unit",
    "reach": "say of which unit: reach b1",
    "retreats": "say of which unit and by how many hexes: retreats b1 2",
    "rule": "say which clause: rule 8.3",
    "save": "say where to: save my.hexwar",
    "supply": "say of what: supply b1, or supply 0504",
}
"""What a command without its words is answered."""


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
        own: dict[str, Answer] = {
            "help": self._help,
            "log": self._log,
            "rule": self._rule,
            "save": self._save,
            "undo": self._undo,
        }
        self.known = own | Questions(game.view(seat), chronicle).known

    def obey(self, typed: str) -> bool:
        """Carry a command out; False if it is none."""
        word, *rest = typed.split()
        word = ALIASES.get(word.lower(), word.lower())
        if word not in self.known:
            return False
        try:
            if not rest and word in NEEDED:
                raise HexwarError(NEEDED[word])
            for line in self.known[word](rest):
                click.echo(line)
        except HexwarError as error:
            click.echo(str(error))
        return True

    def _help(self, words: list[str]) -> list[str]:
        lines = [DECIDING]
        for title, questions in QUESTIONS.items():
            told = [f"  {line}" for command, line in questions.items() if command in self.known]
            lines += [title, *told] if told else []
        return [*lines, REST]

    def _undo(self, words: list[str]) -> list[str]:
        taken = self._game.undo(self._seat)
        self.position_changed = True
        return [f"Taken back: {taken}."]

    def _log(self, words: list[str]) -> list[str]:
        number = int(words[0]) if words and words[0].isdecimal() and len(words[0]) < 6 else 20
        events = self._game.log(self._seat)
        return list(Chronicle(self._game.world).lines(events[max(0, len(events) - number) :]))

    def _rule(self, words: list[str]) -> list[str]:
        rules = self._game.world.rules
        found = [clause for clause in rules.values() if clause.id == words[0] or clause.id.startswith(f"{words[0]}.")]
        if not found:
            raise UnknownName("clause", words[0], rules)
        return [f"{it.id}  {it.title}" + (f" Ruling: {it.ruling}" if it.ruling else "") for it in found]

    def _save(self, words: list[str]) -> list[str]:
        self._game.save(words[0])
        return [f"Saved: {words[0]}. {HOLDS}"]
