"""What a player at the table can ask besides deciding: help, undo, log, rules, save, and questions about the position."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from hexwar.board import Board
from hexwar.bots import KeyedChance, load_bot, usual_bot
from hexwar.engine import Action, Game, HasUnits, Piece, View, phase_title
from hexwar.errors import HexwarError, UnknownName
from hexwar.grouping import grouped
from hexwar.mechanics import LeadsToCombat
from hexwar.pieces import ActivationState, ChitState, total
from hexwar.table.chronicle import Chronicle, folded, window, wrapped
from hexwar.table.luck import luck_words
from hexwar.table.textmap import MOST_HEXES, around, text_map
from hexwar.table.words import spelt

NEAR = 3
"""How far a map reaches around a hex or a unit if nobody says."""
FARTHEST = 12
MOST_UNITS = 60
"""More units than these are counted; then the player says which he means."""
MOST_RULES = 12
"""More rules than these with a word in them are named, not quoted."""
MOST_WAYS = 8
"""How many ways of retreat are listed."""
QUESTIONS = {
    "Where things are:": {
        "status": "status            turn, phase, strengths and points",
        "map": """\
map               the map as text, as much as fits; "map on": before every question; "map all": all of it
  map FILE          a picture in a file (.svg, .png)""",
        "hex": """\
map UNIT, HEX 4   a part of it; "map FILE HEX 4": a picture of a part
  hex HEX           terrain, rivers, roads, zones and units; a name of a place or a unit will do""",
        "units": "units [WORDS]     units with strengths and places: of a side, formation, arm, place or name",
        "hint": "hint              what the game's bot would do in your place",
        "luck": "luck              what the dice of the battles brought, against what they bring on average",
    },
    "What could be:": {
        "reach": 'reach UNIT        where a unit can go and what that costs; "reach UNIT map" draws it',
        "reactions": "reactions UNIT HEX  what the enemy may do on a unit's way to a hex",
        "odds": "odds HEX [UNITS]  the odds of an attack with every reason; of all that may attack it if you name none",
        "retreats": "retreats UNIT N   the ways of retreat, the best first",
        "supply": "supply UNIT|HEX   the line of supply",
        "command": "command [HQ]      whom a headquarters activates",
        "zones": "zones [SIDE]      the enemy's zones of control",
        "score": "score             the points so far",
    },
}
"""What help says about the questions; a game has those that it can answer."""
DECIDING = """\
To decide: a number does the action with that number; words do the action that they begin: "mo b1 0503". Of an id like \
ger-1pz its end will do: "mo 1pz l0830". Several things at once: "mo b1 0503; mo b2 0503; done". By a way of your own: \
"mo b1 0503 by 0402, 0501".
  list [WORDS]      what is possible now; "list UNIT", "list HEX", "list all"
  undo [N]          take your last action back, or the last N, up to the last roll, draw or reveal"""
REST = """\
The rest:
  log [N]           the last N events that you may know
  rule CLAUSE       what a rule says; "rule 10.6": a whole section; "rule retreat": the rules that say so
  curtain           no curtain when the players change, for those without secrets; once more, and it is back
  save FILE         keep the game in this file from now on
  quit              save and stop"""
HOLDS = "The file holds the seed and all secrets."
ALIASES = {"?": "help", "moves": "reach"}
NEEDED = {
    "hex": "say which hex: hex 0504, or the name of a place or a unit",
    "reach": "say of which unit: reach b1",
    "reactions": "say of which unit, and where it is to go: reactions b1 0504",
    "retreats": "say of which unit and by how many hexes: retreats b1 2",
    "rule": "say which clause, or a word to look for: rule 8.3, rule retreat",
    "save": "say where to: save my.hexwar",
    "supply": "say of what: supply b1, or supply 0504",
}
"""What a command without its words is answered."""
QUESTION_WORDS = tuple(word for questions in QUESTIONS.values() for word in questions)

Answer = Callable[[list[str]], Iterable[str]]
"""From the words behind a command to the lines that are printed."""


def attackers_now(game: Game, view: View) -> frozenset[str]:
    """The units that may still attack: those of which a step of the seat says so, else those that are active.

    Args:
        game: whose stack of steps has that step, perhaps below the movement that comes first.
        view: what the seat knows.
    """
    for step in reversed(game.state.stack):
        if isinstance(step, LeadsToCombat) and getattr(step, "seat", None) == view.viewer.seat:
            return frozenset(step.may_still_attack(view.position))
    state = view.position.state
    return frozenset(state.active if isinstance(state, ActivationState) else ())


def answers(query: Any, name: str) -> bool:
    """Whether a game's queries answer a question: they have it, and do not say that the game has no such thing."""
    return callable(getattr(query, name, None)) and bool(getattr(query, f"has_{name}", True))


def advice(view: View) -> tuple[str, Action]:
    """The name of the game's usual bot, and what it would do; asked out of the blue, it has no plan of earlier decisions.

    It sees no more than the view, and its chance has nothing to do with the game's dice.

    Raises:
        HexwarError: the bot fails, or answers with something that is not offered.
    """
    name = usual_bot(view.ruleset.info)
    try:
        action: object = load_bot(name).choose(view, KeyedChance("hint"))
    except (Exception, SystemExit) as error:  # a bot may do anything, and a question ends no game
        raise HexwarError(f"{name} has no answer: {type(error).__name__}: {error}") from error
    if not isinstance(action, Action) or view.question is None or action not in view.question.offer:
        raise HexwarError(f"{name} has no answer that is offered")
    return name, action


def answered(known: Mapping[str, Answer], question: str, words: list[str]) -> Iterable[str]:
    """The answer to a question, word by word as it was typed.

    Raises:
        HexwarError: something is missing, or there is no such thing.
    """
    if not words and question in NEEDED:
        raise HexwarError(NEEDED[question])
    return known[question](words)


class Questions:
    """The questions of one seat, answered from its view. `known` has only those that the game can answer.

    Args:
        view: what the seat knows.
        chronicle: how names are written.
        attackers: the units that may attack now, if the game says so.
    """

    def __init__(self, view: View, chronicle: Chronicle, attackers: Container[str] = ()) -> None:
        self._view = view
        self._attackers = attackers
        self._chronicle = chronicle
        self._query: Any = view.query
        self._shown = view.picture
        self._sides = view.position.world.sides
        pieces = {piece.id: piece for piece in self._shown.pieces}
        world = view.position.world
        roster = world.units if isinstance(world, HasUnits) else pieces
        self._pieces = {unit: pieces[unit] for unit in (*roster, *pieces) if unit in pieces}
        board = self._shown.board
        always = {
            "status": True,
            "map": board is not None,
            "units": bool(pieces),
            "hex": isinstance(board, Board),
            "hint": view.question is not None,
        }
        if not answers(self._query, "reach"):
            always["reach"] = view.question is not None and "reach" in view.question.shows
        words = [word for word in QUESTION_WORDS if always.get(word, answers(self._query, word))]
        self.known: dict[str, Answer] = {word: getattr(self, f"_{word}") for word in words}

    @property
    def things(self) -> Iterator[str]:
        """What can be asked about, as it is typed: pieces, places and their names."""
        board = self._shown.board
        yield from self._pieces
        yield from getattr(board, "labels", ())
        yield from (name.lower().replace(" ", "-") for name in getattr(board, "names", {}).values())

    @property
    def _board(self) -> Board:
        board = self._shown.board
        if not isinstance(board, Board):
            raise HexwarError("this game is not played on a board of hexes")
        return board

    # -- names as they are typed ---------------------------------------------------------------------------------------------

    def _spelt(self, word: str) -> str:
        return spelt(word, self._pieces, self._shown.board or (), self._view.side)

    def _unit(self, word: str) -> str:
        unit = self._spelt(word)
        if unit not in self._pieces:
            raise UnknownName("unit", word, self._pieces)
        return unit

    def _label(self, word: str) -> str:
        """The hex that a word means, be it the hex in which a unit stands."""
        piece = self._pieces.get(self._spelt(word))
        if piece is None:
            return self._board.label(self._board.index(self._spelt(word)))
        if not self._stands(piece):
            raise HexwarError(f"{piece.id} is not on the board")
        return str(piece.place)

    def _stands(self, piece: Piece) -> bool:
        return piece.place in self._shown.board

    def _place(self, piece: Piece) -> str:
        place = piece.place
        return self._chronicle.named(place) if isinstance(place, str) else ", ".join(map(str, place or ()))

    def _hexes(self, labels: Iterable[str]) -> str:
        return ", ".join(map(self._chronicle.named, labels))

    # -- where things are ------------------------------------------------------------------------------------------------------

    def _map(self, words: list[str]) -> Iterable[str]:
        board = self._shown.board
        if words and "." in words[0]:
            return self._picture(*words)
        if words == ["all"] and isinstance(board, Board) and len(board) <= MOST_HEXES:
            return self._drawn(None)
        if words:
            middle, number = words[0], words[1] if len(words) > 1 else str(NEAR)
            if not number.isdecimal() or not 0 <= int(number[:3]) <= FARTHEST:
                raise HexwarError(f"the map around a hex reaches 0 to {FARTHEST} hexes, not {number!r}")
            return self._drawn(self._board.disk(self._label(middle), int(number)))
        if not isinstance(board, Board):
            return self._drawn(None)
        columns, lines = window()
        return self._drawn(around(board, self._focus(board), columns, lines))

    def _focus(self, board: Board) -> str:
        """The hex in the middle of what is asked about; otherwise of what the side has on the board."""
        asked = self._view.question
        places = [] if asked is None else [*asked.places, *(str(self._pieces[unit].place) for unit in asked.pieces)]
        mine = [str(piece.place) for piece in self._pieces.values() if piece.side == self._view.side]
        standing = (
            [label for label in places if label in board] or [label for label in mine if label in board] or list(board.labels)
        )
        x, y = (sum(board.centre(label)[axis] for label in standing) / len(standing) for axis in (0, 1))
        return min(standing, key=lambda label: (board.centre(label)[0] - x) ** 2 + (board.centre(label)[1] - y) ** 2)

    def _drawn(self, only: Iterable[str] | None, notes: dict[str, str] | None = None) -> list[str]:
        return [text_map(self._shown, colour=click.get_current_context(silent=True) is not None, only=only, notes=notes)]

    def _picture(self, file: str, middle: str = "", number: str = "", *more: str) -> list[str]:
        from hexwar.render import game_svg, write_picture

        far = int(number[:3]) if number.isdecimal() else NEAR
        only = self._board.disk(self._label(middle), far) if middle else None
        write_picture(game_svg(self._view, only=only), Path(file))
        return [f"Drawn: {file}"]

    def _hex(self, words: list[str]) -> list[str]:
        board, label = self._board, self._label(words[0])
        place = board.place(label)
        kind = f", {place.name} ({place.kind})" if place and place.kind else f", {place.name}" if place else ""
        owner = f", controlled by {self._shown.control[label]}" if label in self._shown.control else ""
        around = {near: sorted((*board.side(label, near), *board.links(label, near))) for near in board.neighbours(label)}
        zones = [side for side in self._sides if answers(self._query, "zones") and label in self._query.zones(side)]
        return [
            f"  {label}: {board.terrain(label)}{kind}{owner}",
            *(f"  to {self._chronicle.named(near)}: {', '.join(features)}" for near, features in around.items() if features),
            *([f"  in zones of control of {', '.join(zones)}"] if zones else []),
            *(self._counter(piece) for piece in self._pieces.values() if piece.place == label),
        ]

    def _units(self, words: list[str]) -> Iterable[str]:
        there = [piece for piece in self._pieces.values() if piece.place is not None]
        found = [piece for piece in there if all(self._fits(piece, word) for word in words)]
        if not found:
            sides = ", ".join(self._sides)
            raise HexwarError(f"no unit fits {' '.join(words)!r}: say a side ({sides}), a hex, a formation, an arm or a name")
        return map(self._counter, found) if words or len(found) <= MOST_UNITS else self._counted(found)

    def _fits(self, piece: Piece, word: str) -> bool:
        low, here = word.lower(), self._place(piece).lower()
        exact = (piece.id, piece.side, piece.kind, piece.group, str(piece.place))
        if low in map(str.lower, exact) or (low == "map" and self._stands(piece)):
            return True
        return len(low) > 2 and low in f"{piece.id} {piece.name} {here}".lower()

    def _counter(self, piece: Piece) -> str:
        width = max(6, *map(len, self._pieces)) if len(self._pieces) < 1000 else 10
        kinds = 10 if any(other.kind for other in self._pieces.values()) else 0
        side = max(map(len, self._sides))
        values = piece.values.replace("–", "-")
        what = f"{piece.kind:{kinds}} {values:{kinds and 7}} {self._place(piece):18}"
        return f"  {piece.id:{width}} {piece.side:{side}} {what} {piece.name}{' reduced' if piece.reduced else ''}".rstrip()

    def _counted(self, pieces: list[Piece]) -> list[str]:
        """How many units each side has where, by formation on the map."""
        standing = Counter((piece.side, "on the map", piece.group) for piece in pieces if self._stands(piece))
        others = Counter((piece.side, str(piece.place), "") for piece in pieces if not self._stands(piece))
        numbers = (standing + others).items()
        lines = grouped((f"{side}, {where}", f"{group} {number}".strip()) for (side, where, group), number in numbers)
        told = [folded(f"{title}: {', '.join(parts)}", "  ", "    ") for title, parts in lines.items()]
        return [*told, '  "units SIDE", "units map", "units FORMATION" or "units HEX" lists them.']

    def _hint(self, words: list[str]) -> list[str]:
        name, action = advice(self._view)
        return [f"  {name} would: {self._chronicle.told(action)}"]

    def _status(self, words: list[str]) -> list[str]:
        at, shown = self._view.position, self._shown
        lines = [f"  {self._turn}{phase_title(at)}; {' and '.join(self._view.to_move)} to decide"]
        for side in self._sides if shown.board is not None else ():
            standing = [piece for piece in shown.pieces if piece.side == side and self._stands(piece)]
            reduced = f", reduced {sum(piece.reduced for piece in standing)}" if any(piece.values for piece in standing) else ""
            held = f", places held {list(shown.control.values()).count(side)}" if shown.control else ""
            lines.append(f"  {side}: units on the map {len(standing)}{reduced}{held}")
        if answers(self._query, "score"):
            scores = self._query.score()
            points = ", ".join(f"{side} {total(scores, side)}" for side in dict.fromkeys(score.side for score in scores))
            lines.append(f"  Points: {points or 'none'}")
        return [*lines, *self._chits()]

    @property
    def _turn(self) -> str:
        turn, last = getattr(self._view.position.state, "turn", 0), getattr(self._view.position.world, "last_turn", 0)
        return f"Turn {turn}{f' of {last}' if last else ''}, " if turn else ""

    def _chits(self) -> list[str]:
        """What the side knows of the chits."""
        state = self._view.position.state
        if not isinstance(state, ChitState):
            return []
        side = self._view.side
        told = {
            "selected": state.selected.get(side),
            f"in the hand of {side}": state.hand.get(side),
            f"put into the cup by {side}": state.put_in.get(side),
            "known to be in the cup": state.known_in_cup,
            "drawn": state.drawn,
        }
        cup = [f"  Cup: {len(state.cup)} chit{'s' if len(state.cup) != 1 else ''}"]
        return cup + [folded(f"{what}: {self._hexes(chits)}", "  ", "    ") for what, chits in told.items() if chits]

    # -- what could be done ----------------------------------------------------------------------------------------------------

    def _reach(self, words: list[str]) -> list[str]:
        unit, asked = self._unit(words[0]), self._view.question
        if answers(self._query, "reach"):
            return self._reach_with_costs(unit, words)
        if asked is None or unit not in asked.groups:
            raise HexwarError(f"{unit} cannot go anywhere now")
        group = asked.group(unit)
        ends = [self._chronicle.named(it) if isinstance(it, str) else str(it) for it in group.places()]
        some = "" if group.offer.complete else "; these are some of the places"
        return [folded(f"{', '.join(ends) or 'nowhere'}{some}", "  ", "    ")]

    def _reach_with_costs(self, unit: str, words: list[str]) -> list[str]:
        movement = getattr(self._view.position.world, "movement", None)
        names = [mode.name for mode in getattr(movement, "modes", ()) if mode.name]
        mode = next((word for word in words[1:] if word != "map"), "")
        if mode and mode not in names:
            raise UnknownName("way of moving", mode, [*names, "map"])
        report = self._query.reach(unit, mode) if mode else self._query.reach(unit)
        here = str(self._pieces[unit].place)
        if "map" in words[1:]:
            costs = {label: f"[{cost:g}]" for label, cost in report.costs.items()}
            return self._drawn(dict.fromkeys((here, *report.costs, *report.closed)), costs)
        by_cost = itertools.groupby(sorted(report.costs, key=lambda label: (report.costs[label], label)), report.costs.get)
        closed = sorted(report.closed, key=lambda label: (self._board.distance(here, label), label))
        reasons = grouped((str(report.closed[label]).replace(label, "it"), label) for label in closed)
        told = {reason: reason if len(labels) > 1 else str(report.closed[labels[0]]) for reason, labels in reasons.items()}
        more = " or ".join(f'"reach {unit} {name}"' for name in names)
        return [
            *(folded(self._hexes(labels), f"  {cost:4g}  ", " " * 8) for cost, labels in by_cost),
            *([] if report.costs else ["  nowhere"]),
            *(folded(f"not {self._hexes(labels)}: {told[reason]}", "  ", "    ") for reason, labels in reasons.items()),
            *([f'  Other ways of moving: {more}; "reach {unit} map" draws it'] if more and not mode else []),
        ]

    def _reactions(self, words: list[str]) -> list[str]:
        if len(words) < 2:
            raise HexwarError(NEEDED["reactions"])
        found = self._query.reactions(self._unit(words[0]), self._label(words[1]))
        return [f"  in {it.hex}: {it.says} ({it.clause})" for it in found] or ["  none on the cheapest way"]

    def _odds(self, words: list[str]) -> list[str]:
        words = [self._spelt(word) for word in " ".join(words).replace(",", " ").split()]
        others = [word for word in words if word not in self._pieces]
        if not others:
            raise HexwarError("say which hex, and which attackers if not all: odds 0504, odds 0504 b1 b5")
        target = self._label(others[0])
        if others[1:]:
            raise UnknownName("unit", others[1], self._pieces)
        units, told = [word for word in words if word in self._pieces], []
        if not units:
            able = self._query.attackers(target, self._view.side)
            units = [unit for unit in able if unit in self._attackers] or list(able)
            idle = [unit for unit in able if unit not in self._attackers]
            told = [f"  may not attack now, so not counted: {', '.join(idle)}"] if idle and len(idle) < len(able) else []
            told += ["  none of them may attack now"] if idle and len(idle) == len(able) else []
        if not units:
            raise HexwarError(f"no unit of {self._view.side} can attack {target} from where it stands")
        odds, means = self._query.odds(units, target), self._query.meanings(units, target)
        reasons = {it.unit: "".join(f", {reason} ({clause})" for reason, clause in it.reasons) for it in odds.strengths}
        percents = {result: float(chance * 100) for result, chance in odds.distribution.items()}
        bars = {result: f"{percent:5.1f} %  {'#' * round(percent / 4):13}" for result, percent in percents.items()}
        widest = max(map(len, bars), default=0)
        return [
            *(f"  {self._chronicle.named(it.unit)}: {float(it.counted):g}{reasons[it.unit]}" for it in odds.strengths),
            *told,
            f"  {odds.attack} to {odds.defence}",
            *(f"  {shift.columns:+d} {shift.reason} ({shift.clause})" for shift in odds.shifts),
            f"  {odds.scale} {odds.name}" + ("" if odds.column is not None else ": the odds are too low for an attack"),
            *(f"  {result:{max(6, widest)}} {bar} {means.get(result, '')}".rstrip() for result, bar in bars.items()),
        ]

    def _supply(self, words: list[str]) -> list[str]:
        unit = self._spelt(words[0])
        asked = (unit,) if unit in self._pieces else (self._label(unit), self._view.side)
        report = self._query.supply(*asked)
        way = f" by {' '.join(report.line)}" if report.supplied and report.line else ""
        return [folded(f"{'in supply' if report.supplied else 'no supply'}{way} ({report.clause})", "  ", "    ")]

    def _retreats(self, words: list[str]) -> list[str]:
        number = words[1] if len(words) > 1 else "1"
        if not number.isdecimal():
            raise HexwarError(f"say by how many hexes: retreats {words[0]} 2")
        ways = self._query.retreats(self._unit(words[0]), int(number[:4]))
        costs = [f", costs {way.losses} step{'s' if way.losses > 1 else ''}" if way.losses else "" for way in ways]
        lines = [f"  {' '.join(way.path)}{cost}" for way, cost in zip(ways, costs, strict=True)] or ["  no way out"]
        more = [f"  and {len(ways) - MOST_WAYS} more, none of them better"] if len(ways) > MOST_WAYS else []
        return lines[:MOST_WAYS] + more

    def _command(self, words: list[str]) -> list[str]:
        mine = [piece for piece in self._pieces.values() if piece.side == self._view.side and self._stands(piece)]
        led = [self._unit(words[0])] if words else [piece.id for piece in mine if piece.is_headquarters]
        told = {hq: (self._hexes if words else ", ".join)(self._query.command(hq)) for hq in led}
        lines = [f"{self._chronicle.named(hq)} commands {units or 'nobody'}" for hq, units in told.items()]
        return [folded(line, "  ", "    ") for line in lines] or ["  no headquarters is on the board"]

    def _zones(self, words: list[str]) -> list[str]:
        sides = words[:1] or [side for side in self._sides if side != self._view.side]
        return [folded(f"{side}: {', '.join(self._query.zones(side)) or 'none'}", "  ", "    ") for side in sides]

    def _score(self, words: list[str]) -> list[str]:
        scores = self._query.score()
        kinds = grouped(((it.side, it.clause, it.points), self._chronicle.named(it.reason)) for it in scores)
        lines = [] if scores else ["  nobody has points yet"]
        for (side, clause, points), reasons in kinds.items():
            each = f" ({len(reasons)} times {points})" if len(reasons) > 1 else ""
            lines.append(folded(f"{side} {points * len(reasons):+g}{each}: {', '.join(reasons)} ({clause})", "  ", "    "))
        having = {score.side for score in scores}
        lines += [f"  {side} has {total(scores, side)} points" for side in self._sides if side in having]
        needed: dict[str, tuple[int, str]] = getattr(self._query, "points_needed", dict)()
        return lines + [f"  {side} wins with {number} ({clause})" for side, (number, clause) in needed.items()]


class TableCommands:
    """The commands of the seat that is being asked. Everything is answered from that seat's view.

    Args:
        game: the game.
        seat: who asks.
        chronicle: how names are written.
        kept_in: the file in which the game is kept.
    """

    def __init__(self, game: Game, seat: str, chronicle: Chronicle, kept_in: str | None = None) -> None:
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
        questions = Questions(view, chronicle, attackers_now(game, view))
        self.known = own | questions.known
        self._questions = questions

    def obey(self, typed: str) -> bool:
        """Carry a command out; False if it is none."""
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
            return (*self.known, "curtain", "list", "quit")
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
            raise HexwarError(f"there is a file {words[0]} already, and nothing in it shall be lost: choose another name")
        self._game.save(words[0])
        self.kept_in = words[0]
        return [f"Saved: {words[0]}. {HOLDS}"]
