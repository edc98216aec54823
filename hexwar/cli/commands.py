"""What a player at the table can ask besides deciding: help, undo, map, log, odds, reach, supply, save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from hexwar.cli.chronicle import Chronicle
from hexwar.engine import Game
from hexwar.errors import HexwarError, UnknownName
from hexwar.mechanics import HexQuery, HexWorld, face

HELP = """\
  A number does the action with that number; words do the action that they begin: "mo b1 0503".
  list              everything that is possible now
  map [FILE.svg]    the map as text, or as a picture in a file (.svg, .png)
  units [SIDE]      the units with their strengths and places
  log [N]           the last N events that you may know
  odds HEX UNIT...  the odds of an attack, with every reason
  reach UNIT        where a unit can go and what that costs
  supply UNIT|HEX   the line of supply
  rule CLAUSE       what a rule says
  undo              take your last action back, up to the last roll, draw or reveal
  save FILE         write the game to a file
  quit              save and stop"""


class TableCommands:
    """The commands of the seat that is being asked. Everything is answered from that seat's view.

    Args:
        game: the game.
        seat: who asks.
        chronicle: how names are written.
    """

    def __init__(self, game: Game[Any, Any], seat: str, chronicle: Chronicle) -> None:
        self._game = game
        self._seat = seat
        self._view = game.view(seat)
        self._chronicle = chronicle
        self.position_changed = False
        """Whether something was taken back, so that the question must be asked anew."""

    def obey(self, typed: str) -> bool:
        """Carry a command out; False if it is none."""
        word, *rest = typed.split()
        known: dict[str, Callable[[list[str]], None]] = {
            "help": self._help,
            "?": self._help,
            "log": self._log,
            "map": self._map,
            "odds": self._odds,
            "reach": self._reach,
            "rule": self._rule,
            "save": self._save,
            "supply": self._supply,
            "undo": self._undo,
            "units": self._units,
        }
        command = known.get(word.lower())
        if command is None:
            return False
        try:
            command(rest)
        except HexwarError as error:
            click.echo(str(error))
        return True

    def _help(self, words: list[str]) -> None:
        click.echo(HELP)

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
        clause = self._game.world.rules[words[0]]
        click.echo(f"{clause.id}  {clause.title}" + (f" Ruling: {clause.ruling}" if clause.ruling else ""))

    def _save(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say where to: save my.hexwar")
        self._game.save(words[0])
        click.echo(f"Saved: {words[0]}")

    # -- what needs a hex board ---------------------------------------------------------------------------------------------

    def _world(self) -> HexWorld:
        world = self._game.world
        if not isinstance(world, HexWorld):
            raise HexwarError("this game has no map of hexes")
        return world

    def _query(self) -> HexQuery:
        query = self._view.query
        if not isinstance(query, HexQuery):
            raise HexwarError("this game answers no such questions")
        return query

    def _map(self, words: list[str]) -> None:
        from hexwar.cli.textmap import text_map

        self._world()
        if not words:
            click.echo(text_map(self._view.position, colour=click.get_current_context(silent=True) is not None))
            return
        from hexwar.render import game_svg, write_picture

        write_picture(game_svg(self._view), Path(words[0]))
        click.echo(f"Drawn: {words[0]}")

    def _units(self, words: list[str]) -> None:
        world, at = self._world(), self._view.position
        if words and words[0] not in world.sides:
            raise UnknownName("side", words[0], world.sides)
        for unit in world.units.values():
            if unit.id in at.state.at and (not words or unit.side == words[0]):
                now = face(at, unit.id)
                reduced = " reduced" if at.state.steps[unit.id] < unit.steps else ""
                values = f"{now.attack}-{now.defence}-{now.move}"
                click.echo(f"  {unit.id:6} {unit.side:8} {unit.arm:10} {values:8} {at.state.at[unit.id]:8} {unit.name}{reduced}")

    def _odds(self, words: list[str]) -> None:
        if len(words) < 2:
            raise HexwarError("say which hex and which attackers: odds 0504 b1 b5")
        self._known_units(words[1:])
        odds = self._query().odds(words[1:], self._known_hex(words[0]))
        for strength in odds.strengths:
            reasons = "".join(f", {reason} ({clause})" for reason, clause in strength.reasons)
            click.echo(f"  {self._chronicle.named(strength.unit)}: {float(strength.counted):g}{reasons}")
        click.echo(f"  {odds.attack} to {odds.defence}")
        for shift in odds.shifts:
            click.echo(f"  {shift.columns:+d} {shift.reason} ({shift.clause})")
        click.echo(f"  column {odds.name}" + ("" if odds.column is not None else ": the odds are too low for an attack"))
        for result, chance in odds.distribution.items():
            percent = float(chance * 100)
            click.echo(f"  {result:6} {percent:5.1f} %  {'#' * round(percent / 4)}")

    def _reach(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say of which unit: reach b1")
        self._known_units(words[:1])
        report = self._query().reach(words[0])
        hexes = [f"{label} ({cost:g})" for label, cost in sorted(report.costs.items(), key=lambda item: (item[1], item[0]))]
        click.echo(f"  {', '.join(hexes)}" if hexes else "  nowhere")
        for label, refusal in sorted(report.closed.items()):
            click.echo(f"  not {label}: {refusal}")

    def _supply(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say of what: supply b1, or supply 0504")
        self._world()
        side = self._view.side
        report = self._query().supply(words[0], None if words[0] in self._world().units else side)
        way = f" by {' '.join(report.line)}" if report.supplied and report.line else ""
        click.echo(f"  {'in supply' if report.supplied else 'no supply'}{way} ({report.clause})")

    def _known_units(self, ids: list[str]) -> None:
        for unit in ids:
            self._world().unit(unit)

    def _known_hex(self, label: str) -> str:
        board = self._world().board
        return board.label(board.index(label))
