"""What a player at the table can ask about the position: where things are, and what could be."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from hexwar.board import Board
from hexwar.bots import Bot, KeyedChance, load_bot, usual_bot
from hexwar.engine import Action, Game, HasUnits, Piece, View, phase_title
from hexwar.errors import HexwarError, UnknownName
from hexwar.grouping import grouped
from hexwar.mechanics import LeadsToCombat
from hexwar.pieces import ActivationState, ChitState, Odds, total
from hexwar.search import Analysis, SearchBot, level_named
from hexwar.table.chronicle import Chronicle, folded, window
from hexwar.table.textmap import MOST_HEXES, around, text_map
from hexwar.table.words import spelt

NEAR = 3
"""How far a map reaches around a hex or a unit by default."""
FARTHEST = 12
MOST_UNITS = 60
"""More units than these are counted; then the player says which are meant."""
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
        "measure": "measure UNIT UNIT  the gap between two pieces on a table, and whether the first sees the second",
        "sight": "sight UNIT        whom a unit sees, and what hides the others",
        "units": "units [WORDS]     units with strengths and places: of a side, formation, arm, place or name",
        "hint": """\
hint              what the game's bot would do in your place
  hint strong       the same after some seconds of imagined games, with the reason; "hint 20s" takes its time""",
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
ALIASES = {"?": "help", "moves": "reach"}
NEEDED = {
    "measure": "say between which two: measure b1 r1",
    "sight": "say of which unit: sight b1",
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


@dataclass(frozen=True)
class Advice:
    """What a bot would do.

    Args:
        bot: its name.
        action: what it would do.
        analysis: what it has found out, if it searches.
    """

    bot: str
    action: Action
    analysis: Analysis | None


class Adviser:
    """Advice to the seats of a game, from their views. A bot keeps its plan as long as what it advises is what is done.

    Args:
        game: the game; of its history it looks at what was decided, and at nothing else.
        most: the longest time for a decision, in seconds.
    """

    def __init__(self, game: Game, most: float = math.inf) -> None:
        self._game, self._most = game, most
        self._given: dict[tuple[str, str], tuple[Bot, str, list[Action], Advice]] = {}
        """Seat and level -> the bot, what the seat knew when it was asked last and had done until then, and what it said."""

    def advise(self, view: View, level: str = "normal") -> Advice:
        """What a bot would do: it sees no more than the view, and its chance has nothing to do with the game's dice.

        Args:
            view: what the seat that asks knows.
            level: how good the advice is to be: "normal" is the game's usual bot; a time such as "20s" will do.

        Raises:
            HexwarError: there is no such level, the bot fails, or it answers with something that is not offered.
        """
        named = level_named(level, self._most)
        name = usual_bot(view.ruleset.info) if level == "normal" else named
        seat = view.viewer.seat
        done = [decision.action for decision in self._game.history if decision.seat == seat]
        bot: Bot | None = None
        if (seat, level) in self._given:
            bot, digest, before, given = self._given[seat, level]
            if digest == view.digest:
                return given
            if done not in (before, [*before, given.action]):
                bot = None
        try:
            bot = bot or load_bot(name)
            action: object = bot.choose(view, KeyedChance("hint"))
        except (Exception, SystemExit) as error:  # a bot may do anything, and a question ends no game
            raise HexwarError(f"{name} has no answer: {type(error).__name__}: {error}") from error
        if not isinstance(action, Action) or view.question is None or action not in view.question.offer:
            raise HexwarError(f"{name} has no answer that is offered")
        given = Advice(name, action, bot.analysis if isinstance(bot, SearchBot) else None)
        self._given[seat, level] = bot, view.digest, done, given
        return given


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
        adviser: who gives hints; there are none without one.
    """

    def __init__(self, view: View, chronicle: Chronicle, attackers: Container[str] = (), adviser: Adviser | None = None) -> None:
        self._view = view
        self._adviser = adviser
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
            "measure": answers(self._query, "gap"),
            "sight": answers(self._query, "seen_by"),
            "hint": view.question is not None and adviser is not None,
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

    def _measure(self, words: list[str]) -> list[str]:
        if len(words) < 2:
            raise HexwarError(NEEDED["measure"])
        one, other = map(self._unit_there, words[:2])
        return [f"  {self._query.gap(one, other):.2f} cm; {self._looked(one, other)}"]

    def _sight(self, words: list[str]) -> list[str]:
        unit = self._unit_there(words[0])
        side = self._pieces[unit].side
        enemies = [piece.id for piece in self._pieces.values() if piece.side != side and self._stands(piece)]
        return [f"  {self._looked(unit, enemy)}" for enemy in enemies] or ["  nobody is there to be seen"]

    def _looked(self, unit: str, other: str) -> str:
        """Whether one piece sees another, and if not, why."""
        look = self._query.look(unit, other)
        if look.clear:
            return f"{unit} sees {other}"
        why = "which is not in front of it" if look.topic == "arc" else f"which {look.blocked_by} hides"
        return f"{unit} does not see {other}, {why}"

    def _unit_there(self, word: str) -> str:
        unit = self._unit(word)
        if not self._stands(self._pieces[unit]):
            raise HexwarError(f"{unit} is not on the board")
        return unit

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
        assert self._adviser is not None, "there is no such question without"
        given = self._adviser.advise(self._view, words[0].lower() if words else "normal")
        why = [f"  {given.analysis.reason}"] if given.analysis else []
        return [f"  {given.bot} would: {self._chronicle.sentence(given.action)}", *why]

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
        names = self._ways_of_moving
        mode = next((word for word in words[1:] if word != "map"), "")
        if mode and mode not in names:
            raise UnknownName("way of moving", mode, [*names, "map"])
        report = self._query.reach(unit, mode) if mode else self._query.reach(unit)
        here = str(self._pieces[unit].place)
        if "map" in words[1:]:
            costs = {label: f"[{cost:g}]" for label, cost in report.costs.items()}
            return self._drawn(dict.fromkeys((here, *report.costs, *report.closed)), costs)
        more = " or ".join(f'"reach {unit} {name}"' for name in names)
        others = [f'  Other ways of moving: {more}; "reach {unit} map" draws it'] if more and not mode else []
        return [*self._by_cost(report.costs), *self._closed(here, report.closed), *others]

    @property
    def _ways_of_moving(self) -> list[str]:
        """The names of the ways of moving besides the usual one."""
        movement = getattr(self._view.position.world, "movement", None)
        return [mode.name for mode in getattr(movement, "modes", ()) if mode.name]

    def _by_cost(self, costs: Mapping[str, float]) -> list[str]:
        """Hexes that can be reached, a paragraph for each cost."""
        by_cost = itertools.groupby(sorted(costs, key=lambda label: (costs[label], label)), costs.__getitem__)
        return [folded(self._hexes(labels), f"  {cost:4g}  ", " " * 8) for cost, labels in by_cost] or ["  nowhere"]

    def _closed(self, here: str, closed: Mapping[str, object]) -> Iterator[str]:
        """Hexes that cannot be entered, the nearest first, a paragraph for each reason."""
        nearest = sorted(closed, key=lambda label: (self._board.distance(here, label), label))
        for reason, labels in grouped((str(closed[label]).replace(label, "it"), label) for label in nearest).items():
            why = reason if len(labels) > 1 else str(closed[labels[0]])
            yield folded(f"not {self._hexes(labels)}: {why}", "  ", "    ")

    def _reactions(self, words: list[str]) -> list[str]:
        if len(words) < 2:
            raise HexwarError(NEEDED["reactions"])
        found = self._query.reactions(self._unit(words[0]), self._label(words[1]))
        return [f"  in {it.hex}: {it.says} ({it.clause})" for it in found] or ["  none on the cheapest way"]

    def _odds(self, words: list[str]) -> list[str]:
        units, target = self._attack(words)
        left_out: list[str] = []
        if not units:
            units, left_out = self._all_attackers(target)
        odds, means = self._query.odds(units, target), self._query.meanings(units, target)
        return [*self._strengths(odds), *left_out, *_columns(odds), *_distribution(odds, means)]

    def _attack(self, words: list[str]) -> tuple[list[str], str]:
        """The units and the hex of an attack, from words in any order."""
        words = [self._spelt(word) for word in " ".join(words).replace(",", " ").split()]
        others = [word for word in words if word not in self._pieces]
        if not others:
            raise HexwarError("say which hex, and which attackers if not all: odds 0504, odds 0504 b1 b5")
        target = self._label(others[0])
        if others[1:]:
            raise UnknownName("unit", others[1], self._pieces)
        return [word for word in words if word in self._pieces], target

    def _all_attackers(self, target: str) -> tuple[list[str], list[str]]:
        """The units that may attack a hex now, or if none may, those that could; and what is said about the others."""
        able = list(self._query.attackers(target, self._view.side))
        if not able:
            raise HexwarError(f"no unit of {self._view.side} can attack {target} from where it stands")
        units = [unit for unit in able if unit in self._attackers]
        idle = [unit for unit in able if unit not in self._attackers]
        if not units:
            return able, ["  none of them may attack now"]
        return units, [f"  may not attack now, so not counted: {', '.join(idle)}"] if idle else []

    def _strengths(self, odds: Odds) -> Iterator[str]:
        for it in odds.strengths:
            reasons = "".join(f", {reason} ({clause})" for reason, clause in it.reasons)
            yield f"  {self._chronicle.named(it.unit)}: {float(it.counted):g}{reasons}"

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


def _columns(odds: Odds) -> Iterator[str]:
    """The odds, what shifts them, and where that leads."""
    yield f"  {odds.attack} to {odds.defence}"
    for shift in odds.shifts:
        yield f"  {shift.columns:+d} {shift.reason} ({shift.clause})"
    yield f"  {odds.scale} {odds.name}" + ("" if odds.column is not None else ": the odds are too low for an attack")


def _distribution(odds: Odds, means: Mapping[str, str]) -> Iterator[str]:
    """The chance of every result, as a number and as a bar, and what it means."""
    percents = {result: float(chance * 100) for result, chance in odds.distribution.items()}
    width = max(6, *map(len, percents)) if percents else 0
    for result, percent in percents.items():
        bar = f"{percent:5.1f} %  {'#' * round(percent / 4):13}"
        yield f"  {result:{width}} {bar} {means.get(result, '')}".rstrip()
