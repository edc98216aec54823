"""The commands of the player who is being asked: help, undo, log, rules, save, and the questions about the position."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from hexwar.engine import Game
from hexwar.errors import HexwarError
from hexwar.table.chronicle import Chronicle, wrapped
from hexwar.table.luck import luck_words
from hexwar.table.questions import ALIASES, DECIDING, QUESTIONS, Adviser, Answer, Questions, answered, attackers_now

MOST_RULES = 12
"""More rules than these with a word in them are named, not quoted."""
REST = """\
The rest:
  log [N]           the last N events that you may know
  rule CLAUSE       what a rule says; "rule 10.6": a whole section; "rule retreat": the rules that say so
  what if           try something out for all sides, from what you know; what you do not know is made up
  curtain           no curtain when the players change, for those without secrets; once more, and it is back
  save FILE         keep the game in this file from now on
  quit              save and stop"""
HOLDS = "The file holds the seed and all secrets."


class TableCommands:
    """The commands of the seat that is being asked. Everything is answered from that seat's view.

    Args:
        game: the game.
        seat: who asks.
        chronicle: how names are written.
        kept_in: the file in which the game is kept.
        adviser: who gives hints; a new one if not given.
    """

    def __init__(
        self, game: Game, seat: str, chronicle: Chronicle, kept_in: str | None = None, adviser: Adviser | None = None
    ) -> None:
        self._game = game
        self._seat = seat
        self.kept_in = kept_in
        """The file in which the game is kept from now on."""
        self.position_changed = False
        """Whether something was taken back, so that the question must be asked again."""
        own: dict[str, Answer] = {
            "help": self._help,
            "log": self._log,
            "luck": lambda words: luck_words(game, game.world.viewer(seat)),
            "rule": self._rule,
            "save": self._save,
            "undo": self._undo,
        }
        view = game.view(seat)
        questions = Questions(view, chronicle, attackers_now(game, view), adviser or Adviser(game))
        self.known = own | questions.known
        self._questions = questions

    def obey(self, typed: str) -> bool:
        """Carry a command out, and return whether there is such a command."""
        word, *rest = typed.split()
        word = ALIASES.get(word.lower(), word.lower())
        if word not in self.known:
            return False
        try:
            for line in answered(self.known, word, rest):
                click.echo(wrapped(line))
        except HexwarError as error:
            click.echo(wrapped(str(error)))
        return True

    def completions(self, before: list[str]) -> Iterable[str]:
        """The words that may come next: commands, and behind one what can be asked about."""
        if not before:
            return (*self.known, "curtain", "list", "quit", "what if")
        return self._questions.things if ALIASES.get(before[0], before[0]) in self.known else ()

    def _help(self, words: list[str]) -> list[str]:
        lines = [DECIDING]
        for title, questions in QUESTIONS.items():
            told = [f"  {line}" for command, line in questions.items() if command in self.known]
            lines += [title, *told] if told else []
        return "\n".join([*lines, REST]).split("\n")

    def _undo(self, words: list[str]) -> list[str]:
        wanted = int(words[0]) if words and words[0].isdecimal() and len(words[0]) < 6 else 1
        taken: list[str] = []
        for _ in range(wanted):
            if taken and not self._game.may_undo(self._seat):
                taken.append("no more can be")
                break
            taken.append(str(self._game.undo(self._seat)))
            self.position_changed = True
        return [f"Taken back: {', '.join(taken)}."]

    def _log(self, words: list[str]) -> list[str]:
        number = int(words[0]) if words and words[0].isdecimal() and len(words[0]) < 6 else 20
        events = self._game.log(self._seat)
        return list(Chronicle(self._game.world).lines(events[max(0, len(events) - number) :]))

    def _rule(self, words: list[str]) -> list[str]:
        rules, sought = self._game.world.rules, " ".join(words).lower()
        is_word = sought.replace(" ", "").isalpha()
        found = [it for it in rules.values() if is_word and sought in f"{it.title} {it.ruling}".lower()]
        if len(found) > MOST_RULES:
            return [f'{len(found)} rules say so: {", ".join(it.id for it in found)}. Say more, or "rule {found[0].id}".']
        found = found or rules.below(words[0])
        return [f"{it.id}  {it.title}" + (f" Ruling: {it.ruling}" if it.ruling else "") for it in found]

    def _save(self, words: list[str]) -> list[str]:
        if words[0] != self.kept_in and Path(words[0]).is_file():
            raise HexwarError(f"there is a file {words[0]} already, and it is not overwritten: choose another name")
        self._game.save(words[0])
        self.kept_in = words[0]
        return [f"Saved: {words[0]}. {HOLDS}"]
