"""What a player can ask about a position: status, map and units of any game, and what its queries answer besides."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from hexwar.board import Board
from hexwar.cli.chronicle import Chronicle, folded
from hexwar.engine import HasUnits, Piece, View, phase_title
from hexwar.errors import HexwarError, UnknownName
from hexwar.mechanics import total

NEAR = 3
"""How far a map reaches around a hex or a unit if nobody says."""
FARTHEST = 12
MOST_UNITS = 60
"""More units than these are counted; then the player says which he means."""
MOST_WAYS = 8
"""How many ways of retreat are listed."""


class Questions:
    """The questions of one seat, answered from its view. `known` has only those that the game can answer.

    Args:
        view: what the seat knows.
        chronicle: how names are written.
    """

    def __init__(self, view: View, chronicle: Chronicle) -> None:
        self._view = view
        self._chronicle = chronicle
        self._query: Any = view.query
        self._shown = view.picture
        pieces = {piece.id: piece for piece in self._shown.pieces}
        world = view.position.world
        roster = world.units if isinstance(world, HasUnits) else pieces
        self._pieces = {unit: pieces[unit] for unit in (*roster, *pieces) if unit in pieces}
        self.known: dict[str, Callable[[list[str]], None]] = {"status": self._status}
        known = self.known
        if self._shown.board is not None:
            known["map"] = self._map
        if self._pieces:
            known["units"] = self._units
        if isinstance(self._shown.board, Board):
            known["hex"] = self._hex
        answers = {
            "command": self._command,
            "odds": self._odds,
            "reach": self._reach,
            "retreats": self._retreats,
            "score": self._score,
            "supply": self._supply,
            "zones": self._zones,
        }
        self.known |= {name: answer for name, answer in answers.items() if self._answers(name)}
        if "reach" in known:
            known["moves"] = self._reach

    def _answers(self, name: str) -> bool:
        """Whether the game's queries answer a question: they have it, and do not say that the game has no such thing."""
        return callable(getattr(self._query, name, None)) and bool(getattr(self._query, f"has_{name}", True))

    @property
    def _board(self) -> Board:
        board = self._shown.board
        if not isinstance(board, Board):
            raise HexwarError("this game is not played on a board of hexes")
        return board

    # -- names as they are typed ---------------------------------------------------------------------------------------------

    def _unit(self, word: str) -> str:
        """A unit by its id in any letters, or by what stands behind the last hyphen of it where only one has that."""
        found = self._unit_or_none(word)
        if found is None:
            raise UnknownName("unit", word, self._pieces)
        return found

    def _unit_or_none(self, word: str) -> str | None:
        units, low = self._pieces, word.lower()
        if word in units:
            return word
        found = [unit for unit in units if unit.lower() == low] or [unit for unit in units if unit.lower().endswith(f"-{low}")]
        mine = [unit for unit in found if units[unit].side == self._view.side]
        return found[0] if len(found) == 1 else mine[0] if len(mine) == 1 else None

    def _label(self, word: str) -> str:
        """A hex by its label in any letters, or by the name of its place."""
        board = self._board
        if word in board:
            return board.label(board.index(word))
        if word.upper() in board:
            return board.label(board.index(word.upper()))
        named = [place for place in board.places if place.name.lower().replace(" ", "-") == word.lower()]
        return named[0].hex if len(named) == 1 else board.label(board.index(word))

    def _label_or_unit(self, word: str) -> str:
        """The hex that a word means, be it the hex in which a unit stands."""
        unit = self._unit_or_none(word)
        if unit is None:
            return self._label(word)
        if not self._stands(self._pieces[unit]):
            raise HexwarError(f"{unit} is not on the board")
        return str(self._pieces[unit].place)

    def _stands(self, piece: Piece) -> bool:
        return piece.place in self._shown.board

    def _place(self, piece: Piece) -> str:
        place = piece.place
        return self._chronicle.named(place) if isinstance(place, str) else ", ".join(map(str, place or ()))

    def _hexes(self, labels: Iterable[str]) -> str:
        return ", ".join(map(self._chronicle.named, labels))

    # -- where things are ------------------------------------------------------------------------------------------------------

    def _map(self, words: list[str]) -> None:
        from hexwar.cli.textmap import MOST_HEXES

        board = self._shown.board
        if words and "." in words[0]:
            self._picture(words)
        elif words:
            around, number = words[0], words[1] if len(words) > 1 else str(NEAR)
            if not number.isdecimal() or not 0 <= int(number[:3]) <= FARTHEST:
                raise HexwarError(f"the map around a hex reaches 0 to {FARTHEST} hexes, not {number!r}")
            self._draw(self._board.disk(self._label_or_unit(around), int(number)))
        elif isinstance(board, Board) and len(board) > MOST_HEXES:
            asked = self._view.question.pieces if self._view.question else ()
            example = next((unit for unit in asked if self._stands(self._pieces[unit])), board.labels[0])
            click.echo(f'  The map has {len(board)} hexes: say which part, "map {example}" or "map {board.labels[0]} 5";')
            click.echo('  "map FILE.svg" draws all of it, "map FILE.svg HEX 5" a part.')
        else:
            self._draw(None)

    def _draw(self, only: Iterable[str] | None, notes: dict[str, str] | None = None) -> None:
        from hexwar.cli.textmap import text_map

        coloured = click.get_current_context(silent=True) is not None
        click.echo(text_map(self._shown, colour=coloured, only=only, notes=notes))

    def _picture(self, words: list[str]) -> None:
        from hexwar.render import game_svg, write_picture

        only = None
        if len(words) > 1:
            number = words[2] if len(words) > 2 and words[2].isdecimal() else str(NEAR)
            only = self._board.disk(self._label_or_unit(words[1]), int(number[:3]))
        write_picture(game_svg(self._view, only=only), Path(words[0]))
        click.echo(f"Drawn: {words[0]}")

    def _hex(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say which hex: hex 0504, or the name of a place or a unit")
        board, label = self._board, self._label_or_unit(words[0])
        place = board.place(label)
        kind = f", {place.name} ({place.kind})" if place and place.kind else f", {place.name}" if place else ""
        owner = f", controlled by {self._shown.control[label]}" if label in self._shown.control else ""
        click.echo(f"  {label}: {board.terrain(label)}{kind}{owner}")
        for near in board.neighbours(label):
            features = sorted((*board.side(label, near), *board.links(label, near)))
            if features:
                click.echo(f"  to {self._chronicle.named(near)}: {', '.join(features)}")
        sides = self._view.position.world.sides if self._answers("zones") else ()
        zones = [side for side in sides if label in self._query.zones(side)]
        if zones:
            click.echo(f"  in zones of control of {', '.join(zones)}")
        for piece in self._pieces.values():
            if piece.place == label:
                click.echo(self._counter(piece))

    def _units(self, words: list[str]) -> None:
        there = [piece for piece in self._pieces.values() if piece.place is not None]
        found = [piece for piece in there if all(self._fits(piece, word) for word in words)]
        if not found:
            sides = ", ".join(self._view.position.world.sides)
            raise HexwarError(f"no unit fits {' '.join(words)!r}: say a side ({sides}), a hex, a formation, an arm or a name")
        if not words and len(found) > MOST_UNITS:
            self._count(found)
            return
        for piece in found:
            click.echo(self._counter(piece))

    def _fits(self, piece: Piece, word: str) -> bool:
        low, here = word.lower(), self._place(piece).lower()
        exact = (piece.id, piece.side, piece.kind, piece.group, str(piece.place))
        if low in map(str.lower, exact) or (low == "map" and self._stands(piece)):
            return True
        return len(low) > 2 and low in f"{piece.id} {piece.name} {here}".lower()

    def _counter(self, piece: Piece) -> str:
        width = max(6, *map(len, self._pieces)) if len(self._pieces) < 1000 else 10
        kinds = 10 if any(other.kind for other in self._pieces.values()) else 0
        side = max(map(len, self._view.position.world.sides))
        values = piece.values.replace("–", "-")
        reduced = " reduced" if piece.reduced else ""
        what = f"{piece.kind:{kinds}} {values:{kinds and 7}} {self._place(piece):18}"
        return f"  {piece.id:{width}} {piece.side:{side}} {what} {piece.name}{reduced}".rstrip()

    def _count(self, pieces: list[Piece]) -> None:
        numbers: dict[tuple[str, str, str], int] = {}
        for piece in pieces:
            key = (piece.side, "on the map", piece.group) if self._stands(piece) else (piece.side, str(piece.place), "")
            numbers[key] = numbers.get(key, 0) + 1
        lines: dict[str, list[str]] = {}
        for (side, where, group), number in numbers.items():
            lines.setdefault(f"{side}, {where}", []).append(f"{group} {number}" if group else str(number))
        for title, parts in lines.items():
            click.echo(folded(f"{title}: {', '.join(parts)}", "  ", "    "))
        click.echo('  "units SIDE", "units map", "units FORMATION" or "units HEX" lists them.')

    def _status(self, words: list[str]) -> None:
        at, shown = self._view.position, self._shown
        turn = getattr(at.state, "turn", 0)
        when = f"Turn {turn}, {phase_title(at)}" if turn else phase_title(at)
        click.echo(f"  {when}; {' and '.join(self._view.to_move)} to decide")
        for side in at.world.sides if shown.board is not None else ():
            standing = [piece for piece in shown.pieces if piece.side == side and self._stands(piece)]
            parts = [f"units on the map {len(standing)}"]
            if any(piece.values for piece in standing):
                parts.append(f"reduced {sum(piece.reduced for piece in standing)}")
            if shown.control:
                parts.append(f"places held {list(shown.control.values()).count(side)}")
            click.echo(f"  {side}: {', '.join(parts)}")
        if self._answers("score"):
            scores = self._query.score()
            points = ", ".join(f"{side} {total(scores, side)}" for side in dict.fromkeys(score.side for score in scores))
            click.echo(f"  Points: {points or 'none'}")

    # -- what could be done ----------------------------------------------------------------------------------------------------

    def _reach(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say of which unit: reach b1")
        movement = getattr(self._view.position.world, "movement", None)
        names = [mode.name for mode in getattr(movement, "modes", ()) if mode.name]
        drawn = "map" in words[1:]
        mode = next((word for word in words[1:] if word != "map"), "")
        if mode and mode not in names:
            raise UnknownName("way of moving", mode, [*names, "map"])
        unit = self._unit(words[0])
        report = self._query.reach(unit, mode)
        board, here = self._board, str(self._pieces[unit].place)
        if drawn:
            costs = {label: f"[{cost:g}]" for label, cost in report.costs.items()}
            self._draw([here, *report.costs, *(label for label in report.closed if label not in report.costs)], costs)
            return
        by_cost = sorted(report.costs.items(), key=lambda item: (item[1], item[0]))
        for cost, hexes in itertools.groupby(by_cost, key=lambda item: item[1]):
            click.echo(folded(self._hexes(label for label, _ in hexes), f"  {cost:4g}  ", " " * 8))
        if not report.costs:
            click.echo("  nowhere")
        reasons: dict[str, list[str]] = {}
        for label in sorted(report.closed, key=lambda label: (board.distance(here, label), label)):
            reasons.setdefault(str(report.closed[label]).replace(label, "it"), []).append(label)
        for reason, labels in reasons.items():
            told = reason if len(labels) > 1 else str(report.closed[labels[0]])
            click.echo(folded(f"not {self._hexes(labels)}: {told}", "  ", "    "))
        others = [name for name in names if name != mode]
        if others and not mode:
            more = " or ".join(f'"reach {unit} {name}"' for name in others)
            click.echo(f'  Other ways of moving: {more}; "reach {unit} map" draws it')

    def _odds(self, words: list[str]) -> None:
        words = " ".join(words).replace(",", " ").split()
        units = [unit for word in words if (unit := self._unit_or_none(word)) is not None]
        others = [word for word in words if self._unit_or_none(word) is None]
        if not others:
            raise HexwarError("say which hex, and which attackers if not all: odds 0504, odds 0504 b1 b5")
        target = self._label(others[0])
        if others[1:]:
            raise UnknownName("unit", others[1], self._pieces)
        if not units:
            units = self._query.attackers(target, self._view.side)
            if not units:
                raise HexwarError(f"no unit of {self._view.side} can attack {target} from where it stands")
        odds = self._query.odds(units, target)
        for strength in odds.strengths:
            reasons = "".join(f", {reason} ({clause})" for reason, clause in strength.reasons)
            click.echo(f"  {self._chronicle.named(strength.unit)}: {float(strength.counted):g}{reasons}")
        click.echo(f"  {odds.attack} to {odds.defence}")
        for shift in odds.shifts:
            click.echo(f"  {shift.columns:+d} {shift.reason} ({shift.clause})")
        click.echo(f"  column {odds.name}" + ("" if odds.column is not None else ": the odds are too low for an attack"))
        means = self._query.meanings(units, target)
        for result, chance in odds.distribution.items():
            percent = float(chance * 100)
            click.echo(f"  {result:6} {percent:5.1f} %  {'#' * round(percent / 4):13} {means.get(result, '')}".rstrip())

    def _supply(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say of what: supply b1, or supply 0504")
        unit = self._unit_or_none(words[0])
        report = self._query.supply(unit) if unit else self._query.supply(self._label(words[0]), self._view.side)
        way = f" by {' '.join(report.line)}" if report.supplied and report.line else ""
        click.echo(folded(f"{'in supply' if report.supplied else 'no supply'}{way} ({report.clause})", "  ", "    "))

    def _retreats(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say of which unit and by how many hexes: retreats b1 2")
        number = words[1] if len(words) > 1 else "1"
        if not number.isdecimal():
            raise HexwarError(f"say by how many hexes: retreats {words[0]} 2")
        ways = self._query.retreats(self._unit(words[0]), int(number[:4]))
        for way in ways[:MOST_WAYS]:
            cost = f", costs {way.losses} step{'s' if way.losses > 1 else ''}" if way.losses else ""
            click.echo(f"  {' '.join(way.path)}{cost}")
        if len(ways) > MOST_WAYS:
            click.echo(f"  and {len(ways) - MOST_WAYS} more, none of them better")
        if not ways:
            click.echo("  no way out")

    def _command(self, words: list[str]) -> None:
        if words:
            chosen = [self._unit(words[0])]
        else:
            mine = [piece for piece in self._pieces.values() if piece.side == self._view.side and self._stands(piece)]
            chosen = [piece.id for piece in mine if piece.symbol == "headquarters"]
        for hq in chosen:
            units = self._query.command(hq)
            told = self._hexes(units) if words else ", ".join(units)
            click.echo(folded(f"{self._chronicle.named(hq)} commands {told or 'nobody'}", "  ", "    "))
        if not chosen:
            click.echo("  no headquarters is on the board")

    def _zones(self, words: list[str]) -> None:
        sides = words[:1] or [side for side in self._view.position.world.sides if side != self._view.side]
        for side in sides:
            click.echo(folded(f"{side}: {', '.join(self._query.zones(side)) or 'none'}", "  ", "    "))

    def _score(self, words: list[str]) -> None:
        scores = self._query.score()
        kinds: dict[tuple[str, str, float], list[str]] = {}
        for score in scores:
            kinds.setdefault((score.side, score.clause, score.points), []).append(self._chronicle.named(score.reason))
        for (side, clause, points), reasons in kinds.items():
            each = f" ({len(reasons)} times {points})" if len(reasons) > 1 else ""
            click.echo(folded(f"{side} {points * len(reasons):+g}{each}: {', '.join(reasons)} ({clause})", "  ", "    "))
        for side in self._view.position.world.sides:
            if any(score.side == side for score in scores):
                click.echo(f"  {side} has {total(scores, side)} points")
        if not scores:
            click.echo("  nobody has points yet")
        for side, (number, clause) in getattr(self._query, "points_needed", dict)().items():
            click.echo(f"  {side} wins with {number} ({clause})")
