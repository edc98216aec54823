"""What a player can ask about a position on a hex board: map, units, hexes, reach, odds, supply, command, zones, points."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from hexwar.cli.chronicle import Chronicle, folded
from hexwar.engine import View, phase_title
from hexwar.errors import HexwarError, UnknownName
from hexwar.mechanics import Battle, CombatWorld, HexQuery, HexWorld, Unit, face, stack, stands, total
from hexwar.mechanics.combat import may_attack

NEAR = 3
"""How far a map reaches around a hex or a unit if nobody says."""
FARTHEST = 12
MOST_UNITS = 60
"""More units than these are counted; then the player says which he means."""
MOST_WAYS = 8
"""How many ways of retreat are told."""


class HexQuestions:
    """The questions of one seat, answered from its view.

    Args:
        view: what the seat knows.
        chronicle: how names are written.
    """

    def __init__(self, view: View, chronicle: Chronicle) -> None:
        self._view = view
        self._chronicle = chronicle
        self.known: dict[str, Callable[[list[str]], None]] = {
            "command": self._command,
            "hex": self._hex,
            "map": self._map,
            "moves": self._reach,
            "odds": self._odds,
            "reach": self._reach,
            "retreats": self._retreats,
            "score": self._score,
            "status": self._status,
            "supply": self._supply,
            "units": self._units,
            "zones": self._zones,
        }

    @property
    def _world(self) -> HexWorld:
        world = self._view.position.world
        if not isinstance(world, HexWorld):
            raise HexwarError("this game has no map of hexes")
        return world

    @property
    def _query(self) -> HexQuery:
        self._world  # noqa: B018 - a game without a map is told so
        query = self._view.query
        if not isinstance(query, HexQuery):
            raise HexwarError("this game answers no such questions")
        return query

    # -- names as they are typed ---------------------------------------------------------------------------------------------

    def _unit(self, word: str) -> str:
        """A unit by its id in any letters, or by what stands behind the last hyphen of it where only one has that."""
        found = self._unit_or_none(word)
        if found is None:
            raise UnknownName("unit", word, self._world.units)
        return found

    def _unit_or_none(self, word: str) -> str | None:
        units, low = self._world.units, word.lower()
        if word in units:
            return word
        found = [unit for unit in units if unit.lower() == low] or [unit for unit in units if unit.lower().endswith(f"-{low}")]
        mine = [unit for unit in found if units[unit].side == self._view.side]
        return found[0] if len(found) == 1 else mine[0] if len(mine) == 1 else None

    def _label(self, word: str) -> str:
        """A hex by its label in any letters, or by the name of its place."""
        board = self._world.board
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
        if not stands(self._view.position, unit):
            raise HexwarError(f"{unit} is not on the board")
        return str(self._view.position.state.at[unit])

    def _hexes(self, labels: Iterable[str]) -> str:
        return ", ".join(map(self._chronicle.named, labels))

    # -- where things are ------------------------------------------------------------------------------------------------------

    def _map(self, words: list[str]) -> None:
        from hexwar.cli.textmap import MOST_HEXES

        board = self._world.board
        if words and "." in words[0]:
            self._picture(words)
        elif words:
            around, number = words[0], words[1] if len(words) > 1 else str(NEAR)
            if not number.isdecimal() or not 0 <= int(number[:3]) <= FARTHEST:
                raise HexwarError(f"the map around a hex reaches 0 to {FARTHEST} hexes, not {number!r}")
            self._draw(board.disk(self._label_or_unit(around), int(number)))
        elif len(board) > MOST_HEXES:
            example = next((unit for unit in self._active() if stands(self._view.position, unit)), board.labels[0])
            click.echo(f'  The map has {len(board)} hexes: say which part, "map {example}" or "map {board.labels[0]} 5";')
            click.echo('  "map FILE.svg" draws all of it, "map FILE.svg HEX 5" a part.')
        else:
            self._draw(None)

    def _active(self) -> list[str]:
        return [unit for action in self._view.legal_actions()[:200] if (unit := getattr(action, "unit", "")) in self._world.units]

    def _draw(self, only: Iterable[str] | None, notes: dict[str, str] | None = None) -> None:
        from hexwar.cli.textmap import text_map

        coloured = click.get_current_context(silent=True) is not None
        click.echo(text_map(self._view.position, colour=coloured, only=only, notes=notes))

    def _picture(self, words: list[str]) -> None:
        from hexwar.render import game_svg, write_picture

        only = None
        if len(words) > 1:
            number = words[2] if len(words) > 2 and words[2].isdecimal() else str(NEAR)
            only = self._world.board.disk(self._label_or_unit(words[1]), int(number[:3]))
        write_picture(game_svg(self._view, only=only), Path(words[0]))
        click.echo(f"Drawn: {words[0]}")

    def _hex(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say which hex: hex 0504, or the name of a place or a unit")
        world, at = self._world, self._view.position
        board, label = world.board, self._label_or_unit(words[0])
        place = board.place(label)
        kind = f", {place.name} ({place.kind})" if place and place.kind else f", {place.name}" if place else ""
        owner = f", controlled by {at.state.control[label]}" if label in at.state.control else ""
        click.echo(f"  {label}: {board.terrain(label)}{kind}{owner}")
        for near in board.neighbours(label):
            features = sorted((*board.side(label, near), *board.links(label, near)))
            if features:
                click.echo(f"  to {self._chronicle.named(near)}: {', '.join(features)}")
        zones = [side for side in world.sides if label in self._query.zones(side)]
        if zones:
            click.echo(f"  in zones of control of {', '.join(zones)}")
        for unit in stack(at, label):
            click.echo(self._counter(world.units[unit]))

    def _units(self, words: list[str]) -> None:
        world, at = self._world, self._view.position
        there = [unit for unit in world.units.values() if unit.id in at.state.at]
        found = [unit for unit in there if all(self._fits(unit, word) for word in words)]
        if not found:
            sides = ", ".join(world.sides)
            raise HexwarError(f"no unit fits {' '.join(words)!r}: say a side ({sides}), a hex, a formation, an arm or a name")
        if not words and len(found) > MOST_UNITS:
            self._count(found)
            return
        for unit in found:
            click.echo(self._counter(unit))

    def _fits(self, unit: Unit, word: str) -> bool:
        low = word.lower()
        here = str(self._view.position.state.at[unit.id])
        exact = (unit.id, unit.side, unit.arm, unit.formation, here)
        if low in map(str.lower, exact) or (low == "map" and here in self._world.board):
            return True
        board = self._world.board
        place = board.place(here) if here in board else None
        return (place is not None and place.name.lower() == low) or (
            len(low) > 2 and low in f"{unit.id} {unit.name} {here}".lower()
        )

    def _counter(self, unit: Unit) -> str:
        at = self._view.position
        now = face(at, unit.id)
        reduced = " reduced" if at.state.steps[unit.id] < unit.steps else ""
        values = f"{now.attack}-{now.defence}-{now.move}"
        here = self._chronicle.named(str(at.state.at[unit.id]))
        width = max(6, *(len(other) for other in self._world.units)) if len(self._world.units) < 1000 else 10
        side = max(map(len, self._world.sides))
        return f"  {unit.id:{width}} {unit.side:{side}} {unit.arm:10} {values:7} {here:18} {unit.name}{reduced}"

    def _count(self, units: list[Unit]) -> None:
        at, board = self._view.position, self._world.board
        numbers: dict[tuple[str, str, str], int] = {}
        for unit in units:
            here = at.state.at[unit.id]
            key = (unit.side, "on the map", unit.formation) if here in board else (unit.side, str(here), "")
            numbers[key] = numbers.get(key, 0) + 1
        lines: dict[str, list[str]] = {}
        for (side, where, formation), number in numbers.items():
            lines.setdefault(f"{side}, {where}", []).append(f"{formation or 'units'} {number}" if formation else str(number))
        for title, parts in lines.items():
            click.echo(folded(f"{title}: {', '.join(parts)}", "  ", "    "))
        click.echo('  "units SIDE", "units map", "units FORMATION" or "units HEX" lists them.')

    def _status(self, words: list[str]) -> None:
        world, state = self._world, self._view.position.state
        title = phase_title(self._view.position)
        click.echo(f"  Turn {state.turn}, {title}; {' and '.join(self._view.to_move)} to decide")
        for side in world.sides:
            mine = [unit for unit in world.units.values() if unit.side == side and unit.id in state.at]
            standing = [unit for unit in mine if stands(self._view.position, unit.id)]
            reduced = sum(state.steps[unit.id] < unit.steps for unit in standing)
            held = [label for label, owner in state.control.items() if owner == side]
            click.echo(f"  {side}: units on the map {len(standing)}, reduced {reduced}, places held {len(held)}")
        try:
            scores = self._query.score()
        except HexwarError:
            return
        points = ", ".join(f"{side} {total(scores, side)}" for side in dict.fromkeys(score.side for score in scores))
        click.echo(f"  Points: {points or 'none'}")

    # -- what could be done ----------------------------------------------------------------------------------------------------

    def _reach(self, words: list[str]) -> None:
        if not words:
            raise HexwarError("say of which unit: reach b1")
        names = [mode.name for mode in self._world.movement.modes if mode.name]
        drawn = "map" in words[1:]
        mode = next((word for word in words[1:] if word != "map"), "")
        if mode and mode not in names:
            raise UnknownName("way of moving", mode, [*names, "map"])
        unit = self._unit(words[0])
        report = self._query.reach(unit, mode)
        board, here = self._world.board, str(self._view.position.state.at[unit])
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
            raise UnknownName("unit", others[1], self._world.units)
        if not units:
            units = self._next_to(target)
        odds = self._query.odds(units, target)
        for strength in odds.strengths:
            reasons = "".join(f", {reason} ({clause})" for reason, clause in strength.reasons)
            click.echo(f"  {self._chronicle.named(strength.unit)}: {float(strength.counted):g}{reasons}")
        click.echo(f"  {odds.attack} to {odds.defence}")
        for shift in odds.shifts:
            click.echo(f"  {shift.columns:+d} {shift.reason} ({shift.clause})")
        click.echo(f"  column {odds.name}" + ("" if odds.column is not None else ": the odds are too low for an attack"))
        means = self._meanings(Battle(self._world.units[units[0]].side, target, tuple(units)))
        for result, chance in odds.distribution.items():
            percent = float(chance * 100)
            click.echo(f"  {result:6} {percent:5.1f} %  {'#' * round(percent / 4):13} {means.get(result, '')}".rstrip())

    def _meanings(self, battle: Battle) -> dict[str, str]:
        """What each result of the table would mean there."""
        world = self._world
        if not isinstance(world, CombatWorld):
            return {}
        outcomes = {outcome.name: outcome for row in world.table.rows.values() for outcome in row}
        return {name: str(world.convert(self._view.position, battle, outcome)[0]) for name, outcome in outcomes.items()}

    def _next_to(self, target: str) -> list[str]:
        """All that could attack a hex from where they stand, active or not."""
        at, side = self._view.position, self._view.side
        near = [unit for label in self._world.board.neighbours(target) for unit in stack(at, label)]
        able = [unit for unit in near if self._world.units[unit].side == side and may_attack(at, unit, target)]
        if not able:
            raise HexwarError(f"no unit of {side} can attack {target} from where it stands")
        return able

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
        world = self._world
        if words:
            chosen = [self._unit(words[0])]
        else:
            mine = [unit for unit in world.units.values() if unit.side == self._view.side and unit.is_headquarters]
            chosen = [unit.id for unit in mine if stands(self._view.position, unit.id)]
        for hq in chosen:
            units = self._query.command(hq)
            told = self._hexes(units) if words else ", ".join(units)
            click.echo(folded(f"{self._chronicle.named(hq)} commands {told or 'nobody'}", "  ", "    "))
        if not chosen:
            click.echo("  no headquarters is on the board")

    def _zones(self, words: list[str]) -> None:
        world = self._world
        sides = words[:1] or [side for side in world.sides if side != self._view.side]
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
        for side in self._world.sides:
            if any(score.side == side for score in scores):
                click.echo(f"  {side} has {total(scores, side)} points")
        if not scores:
            click.echo("  nobody has points yet")
        for side, (number, clause) in getattr(self._query, "points_needed", dict)().items():
            click.echo(f"  {side} wins with {number} ({clause})")
