"""What the server says to a seat, as plain JSON data: all of it made from the seat's view and its log."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from operator import attrgetter
from typing import Any
from weakref import WeakKeyDictionary

import hexwar
from hexwar.engine import Action, Clause, Freedom, Game, Position, Question, View, Viewer, World, phase_title
from hexwar.engine._question import place_of, way_of
from hexwar.errors import HexwarError, Refusal, UnknownName
from hexwar.grouping import grouped
from hexwar.pieces import ChitState, Odds, TurnBegan, UnitMoved, total
from hexwar.plugins import plugins
from hexwar.search import LEVELS
from hexwar.table.chronicle import Chronicle
from hexwar.table.luck import Compared, luck_of, luck_words, remarks, throws
from hexwar.table.offers import Offer
from hexwar.table.questions import DECIDING, QUESTIONS, Answer, Questions, answered, answers, attackers_now
from hexwar.table.words import attempts, spelt_line, units_and_board
from hexwar.web._guide import asked, beside, card, charts, in_brief, introduced, saying
from hexwar.web._keys import opened
from hexwar.web._notices import Notice
from hexwar.web._replay import replay_page
from hexwar.web._scene import Line, Scene, SeatLog, concerned, place_name, place_named, places
from hexwar.web._seating import Seating
from hexwar.web._store import Damaged, Kept
from hexwar.web._summary import Summary
from hexwar.web._table import Table
from hexwar.web._talk import names

LATEST = 80
"""How many lines of the log come with a position."""
MOST_FOUND = 40
"""How many clauses a search finds."""
MOST_AIMED = 60
"""How many pieces are asked whether they could go to one place."""
MOST_JOINING = 12
"""How many units are asked what an attack would be if they joined it."""
MOST_TRIED = 2_000
"""How long an action may be that is only tried."""
MOST_DIGITS = 9
"""How many digits of a number are read."""
ELSEWHERE = ("map", "hint")
"""Questions of the table in the terminal that have an answer of their own here."""


def catalogue() -> list[dict[str, Any]]:
    """What can be played."""
    own = {info.bot for info in hexwar.rulesets().values()}  # these know the rules of one game
    return [
        {
            "id": info.id,
            "title": info.title,
            "bots": [bot for bot in sorted(plugins().bots()) if bot == info.bot or bot not in own],
            "bot": info.bot or "greedy",
            "levels": LEVELS,
            "scenarios": [
                {"id": it.id, "title": it.title, "summary": it.summary, "sides": list(info.sides), **in_brief(info.guide(it.id))}
                for it in info.playable
            ],
            "options": [
                {"id": option.id, "title": option.title, "default": option.default, "choices": list(option.choices)}
                for option in plugins().options(info.id)
            ],
        }
        for info in hexwar.rulesets().values()
        if info.playable
    ]


def about(table: Table, seats: Iterable[str], is_host: bool = False) -> dict[str, Any]:
    """What a page needs first: the game's name, who sits where, the board, and whether the reader gives out links."""
    game = table.game
    info, setup = game.ruleset.info, game.world.setup
    return {
        "game": table.name,
        "title": info.title,
        "scenario": info.scenario(setup.scenario).title,
        "seats": dict(game.world.seats),
        "bots": dict(table.seating.bots),
        "mine": list(seats),
        "host": is_host,
        "ground": places(game),
        "overlays": [name for name in OVERLAYS if _has_overlay(game, name)],
        "hints": table.hints,
        "names": names(table),
        **introduced(game),
    }


def listed(kept: Kept, key: str) -> dict[str, Any]:
    """A game in a list of games; one that is damaged says so where others say how they ended.

    Args:
        kept: as the store has it.
        key: the digest of the reader's key; one that opens nothing is the host's, who may sit at all seats that people have.
    """
    try:
        found, damage = _listed(kept, opened(kept.head, key)), kept.damage
    except (AttributeError, KeyError, TypeError, ValueError):
        named = {"game": kept.game, "title": "a damaged game", "scenario": kept.game, "seats": {}, "bots": {}, "mine": []}
        found = {**named, "turn": 0, "phase": "", "number": 0, "begun": 0, "last": 0}
        damage = kept.damage or str(Damaged("what was agreed when it began is incomplete"))
    return found | {"to_move": [], "over": damage} if damage else found


def waiting(kept: Kept) -> dict[str, Any] | None:
    """A game that looks for players, as strangers may know it; None if it does not."""
    if kept.damage or not kept.head.get("open"):
        return None
    shown = listed(kept, "")
    if shown["over"]:
        return None
    return {name: shown[name] for name in ("game", "title", "scenario", "ruleset", "scenario_id", "begun")} | {
        "open": list(kept.head["open"])
    }


def _listed(kept: Kept, seats: Iterable[str] | None) -> dict[str, Any]:
    head, now = kept.head, kept.last.get("now", kept.head["now"])
    info = hexwar.rulesets().get(head["ruleset"])
    seating = Seating(head["seats"], now.get("bots", head["bots"]), tuple(now.get("resigned", ())))
    mine = [seat for seat in head["seats"] if seat not in head["bots"]] if seats is None else list(seats)
    if now["over"] is None:
        mine = list(seating.seats_of(mine))
    return {
        "game": kept.game,
        "title": info.title if info else head["ruleset"],
        "scenario": next((it.title for it in info.scenarios if it.id == head["scenario"]), "") if info else head["scenario"],
        "ruleset": head["ruleset"],
        "scenario_id": head["scenario"],
        "seats": dict(head["seats"]),
        "bots": dict(seating.bots),
        "mine": mine,
        **{what: now[what] for what in ("turn", "phase", "over")},
        "to_move": list(now["to_move"]),
        "number": sum(kept.last.get("seen", {}).get(seat, 0) for seat in mine or [""]),
        "begun": head["begun"],
        "last": max(kept.last.get("times", {}).get(seat, head["begun"]) for seat in mine or [""]),
    }


def notice(table: Table, seat: str, link: str) -> Notice:
    """What a player who does not look should know."""
    info = table.game.ruleset.info
    title = f"{info.title}: {info.scenario(table.game.world.setup.scenario).title}"
    return Notice(table.name, title, seat, table.note(seat, "contact"), table.over, link)


def position(table: Table, seat: str | None, seats: Iterable[str], known: Iterable[str] = ()) -> dict[str, Any]:
    """What a seat sees now.

    Args:
        table: where.
        seat: whose view it is; that of a spectator, who sees what everybody may know, if None.
        seats: all that the reader has.
        known: names of faces that the page has already.
    """
    game, view = table.game, table.game.view(seat)
    question = None
    if view.question is not None and not table.over:
        question = asked(view.question, _names(game))
        question["words"] = Chronicle(game.world, short=True).asked(view.question)
    seat_log = _log(table, view.viewer)
    lines = seat_log.lines(game.events)
    return {
        **_shown(game, view, known),
        "number": table.number_for(seats),
        "seat": seat,
        "to_move": [] if table.over else list(view.to_move),
        "result": table.over,
        "question": question,
        "mine": list(seats),
        "bots": dict(table.seating.bots),
        "resigned": {} if table.over else table.seating.resigned_for,
        "due": {asked: due for asked in table.game.to_move if (due := table.due(asked)) is not None},
        "resigning": "" if seat is None else table.resigning(table.seating.decides(seat)),
        "undo": [] if seat is None or table.seating.ended else _ways_back(game, seat, lines),
        "log": seat_log.in_words(lines[-LATEST:]),
        "stopped": table.stopped,
    }


def _shown(game: Game, view: View, known: Iterable[str]) -> dict[str, Any]:
    """The map, and what lies beside it."""
    picture, at, had = view.picture, view.position, set(known)
    scene = Scene(picture, game.world.sides)
    return {
        "turn": getattr(at.state, "turn", 0),
        "turns": getattr(at.world, "last_turn", 0),
        "phase": phase_title(at) if at.state.phase else "",
        "notes": list(picture.notes),
        "pieces": scene.pieces,
        "control": scene.control,
        "colours": scene.colours,
        "faces": {face: drawn for face, drawn in scene.faces.items() if face not in had},
        "chits": _chits(view),
        "score": _score(view),
        **beside(view),
    }


def _chits(view: View) -> dict[str, list[str]]:
    """What the seat knows of the chits, pile by pile."""
    state = view.state
    if not isinstance(state, ChitState):
        return {}
    own = {"chosen": state.selected, "in hand": state.hand, "put into the cup": state.put_in}
    piles = {f"{side}, {where}": chits for where, held in own.items() for side, chits in held.items()}
    shown = {"drawn": state.drawn, "in the cup": state.cup, "known to be in the cup": state.known_in_cup}
    return {name: list(chits) for name, chits in {**shown, **piles}.items() if chits}


def _score(view: View) -> list[dict[str, Any]]:
    """The points of each side, and with how many it wins."""
    if not answers(view.query, "score"):
        return []
    scores = view.query.score()
    needed: dict[str, tuple[int, str]] = getattr(view.query, "points_needed", dict)()
    sides = dict.fromkeys((*view.position.world.sides, *(score.side for score in scores), *needed))
    return [
        {
            "side": side,
            "points": total(scores, side),
            "needed": needed.get(side, (None, ""))[0],
            "clause": needed.get(side, (None, ""))[1],
            "items": [[it.points, it.reason, it.clause] for it in scores if it.side == side],
        }
        for side in sides
    ]


# -- what happened --------------------------------------------------------------------------------------------------------


_logs: WeakKeyDictionary[Table, dict[Viewer, SeatLog]] = WeakKeyDictionary()


def _log(table: Table, viewer: Viewer) -> SeatLog:
    logs = _logs.setdefault(table, {})
    if viewer not in logs:
        logs[viewer] = SeatLog(viewer, table.game.world)
    return logs[viewer]


def _lines(table: Table, viewer: Viewer) -> list[Line]:
    return _log(table, viewer).lines(table.game.events)


def log(table: Table, seat: str | None, before: str) -> list[dict[str, Any]]:
    """Lines of the log before one of them."""
    end = _number(before)
    viewer = table.game.view(seat).viewer
    return _log(table, viewer).in_words(_lines(table, viewer)[max(0, end - LATEST) : end])


def _ways_back(game: Game, seat: str, lines: list[Line]) -> list[int]:
    """How many lines the log would have after one undo, after two, and so on."""
    return [bisect_left(lines, length, key=attrgetter("number")) for length in game.undo_lengths(seat)]


def _number(text: str) -> int:
    """What a query says, where 0 stands for anything that is no number of a line."""
    return int(text[:MOST_DIGITS]) if text.isdecimal() else 0


def moment(table: Table, seat: str | None, line: str, faces: str) -> dict[str, Any]:
    """What the seat saw when a line of its log was written, after the action that it belongs to."""
    game = table.game
    viewer = game.view(seat).viewer
    lines = _log(table, viewer).lines(game.events)
    at = lines[min(_number(line), len(lines) - 1)].number
    end = next((decision.log_length for decision in game.history if decision.log_length > at), len(game.events))
    state = game.first_state.copy()
    for event in game.events[:end]:
        event.apply(state)
    then: View = View(game.ruleset, Position(game.world, state.seen_by(viewer)), viewer, ())
    return {**_shown(game, then, faces.split(",")), "line": sum(it.number < end for it in lines) - 1}


def luck(table: Table, seat: str | None) -> dict[str, Any]:
    """What the dice of the battles brought each side, against what they bring on average."""
    game = table.game
    viewer = game.view(seat).viewer
    fought = throws(game, viewer)

    def compared(what: str, it: Compared) -> list[Any]:
        return [what, it.rolled, str(it.expected), float(it.expected)]

    sides = [
        {
            "side": it.side,
            "attacks": it.attacks,
            "defences": it.defences,
            "share": float(it.share),
            "sigma": it.sigma,
            "compared": [
                compared("steps that enemies lose", it.inflicted),
                compared("steps that it loses", it.suffered),
                compared("hexes that enemies retreat", it.driven),
                compared("hexes that it retreats", it.yielded),
            ],
        }
        for it in luck_of(game, fought)
    ]
    return {"sides": sides, "words": remarks(game, viewer, fought)}


_summaries: WeakKeyDictionary[Table, dict[Viewer, dict[str, Any]]] = WeakKeyDictionary()


def summed(table: Table, seat: str | None) -> dict[str, Any]:
    """A game that is over in numbers; computed once.

    Raises:
        HexwarError: it goes on.
    """
    if table.over is None:
        raise HexwarError("this game is not over: its summary comes with the end")
    viewer, known = table.game.view(seat).viewer, _summaries.setdefault(table, {})
    if viewer not in known:
        known[viewer] = Summary(table.game).figures(_lines(table, viewer))
    return {**known[viewer], "luck": luck(table, seat)}


def replayed(table: Table, seat: str | None) -> str:
    """A page that replays the game, as the side of a seat saw it."""
    return replay_page(table.game, seat)


# -- what can be chosen ---------------------------------------------------------------------------------------------------


def group(table: Table, seat: str | None, key: str, through: str) -> dict[str, Any]:
    """The choices of a question that are about one thing, and where they lead.

    Args:
        table: where.
        seat: who is asked.
        key: what they are about.
        through: the places, with semicolons between them, through which their way is to lead; as the rules have it if "".
    """
    question = _question(table, seat)
    found = question.group(key)
    if through:
        found = found.through([place_named(name) for name in through.split(";")])
    listed = {action: place_name(place) for place, actions in found.places().items() for action in actions}
    chosen = [*listed, *(it for it in found if it not in listed)]
    freedom, at = found.freedom(), question.at
    return {
        "key": key,
        "complete": question.complete,
        "open": None if freedom is None else _free(freedom),
        "choices": [
            {
                "action": it.to_json(),
                "words": str(it),
                "place": listed.get(it),
                "way": [*map(place_name, way_of(at, it))],
                **saying(question, it, _names(table.game)),
            }
            for it in chosen
        ],
    }


def _free(freedom: Freedom) -> dict[str, Any]:
    """How a choice is put together that is not listed; a snap is where its action leads and how the piece looks there."""
    return {
        "action": freedom.action.to_json(),
        "point": freedom.point,
        "turn": freedom.turn,
        "way": freedom.way,
        "allowance": freedom.allowance,
        "legs": freedom.legs,
        "region": [list(spot) for spot in freedom.region],
        "snaps": [{"name": name, "to": list(getattr(action, freedom.point))} for name, action in freedom.snaps],
    }


def tried(table: Table, seat: str, action: str) -> dict[str, Any]:
    """What an action would lead to, be it offered or not: a refusal, what of it is possible, and what a player would see.

    Args:
        table: where.
        seat: who asks.
        action: in JSON.

    Raises:
        HexwarError: it is not a valid action in this game.
    """
    game, question = table.game, _question(table, seat)
    try:
        if len(action) > MOST_TRIED:
            raise ValueError(f"it is longer than {MOST_TRIED} letters")
        meant = game.ruleset.parse_action(json.loads(action))
    except (ValueError, RecursionError) as error:
        raise HexwarError(f"that is not a valid action in this game: {error}") from None
    refusal = game.why_not(meant, seat)
    trimmed = question.offer.trimmed(meant) if refusal is not None else meant
    query, told = table.game.view(seat).query, None
    if trimmed is not None and answers(query, "attempt"):
        told = query.attempt(trimmed)
    return {
        "refusal": None if refusal is None else {"clause": refusal.clause, "words": refusal.message},
        "trimmed": None if trimmed is None else trimmed.to_json(),
        "length": told.length if told else None,
        "sees": list(told.sees) if told else [],
        "notes": [[*note] for note in (*(told.notes if told else ()), *(question.forecast(trimmed) if trimmed else ()))],
    }


def measured(table: Table, seat: str | None, unit: str, other: str) -> dict[str, Any]:
    """The gap between two pieces, and whether one sees the other: where from, where to, and what is in the way.

    Raises:
        HexwarError: the game measures nothing, or there is no such piece on the table.
    """
    query, pieces = table.game.view(seat).query, {piece.id: piece for piece in table.game.view(seat).picture.pieces}
    if not answers(query, "gap"):
        raise HexwarError("in this game nothing is measured")
    for name in (unit, other):
        if name not in pieces or not isinstance(pieces[name].place, tuple):
            raise UnknownName("piece on the table", name, pieces)
    look = query.look(unit, other)
    return {
        "gap": round(query.gap(unit, other), 2),
        "look": {"clear": look.clear, "eye": list(look.eye), "to": list(look.to), "by": look.blocked_by, "topic": look.topic},
    }


def aimed(table: Table, seat: str | None, place: str) -> dict[str, Any]:
    """The choices of a question that lead to one place or strike it, whichever piece they are about."""
    question = _question(table, seat)
    led = ((it.key, where, actions) for it in islice(question, MOST_AIMED) for where, actions in it.places().items())
    there = [(key, action) for key, where, actions in led if place_name(where) == place for action in actions]
    return {
        "key": place,
        "complete": question.complete,
        "choices": [
            {
                "action": it.to_json(),
                "words": str(it),
                "place": None,
                "way": [],
                "about": key,
                **saying(question, it, _names(table.game)),
            }
            for key, it in there
        ],
    }


_chronicles: WeakKeyDictionary[World, Chronicle] = WeakKeyDictionary()


def _names(game: Game) -> Chronicle:
    """Finds names without ids."""
    if game.world not in _chronicles:
        _chronicles[game.world] = Chronicle(game.world, short=True, ids=False)
    return _chronicles[game.world]


def _question(table: Table, seat: str | None) -> Question:
    question = table.game.view(seat).question
    if question is None:
        raise HexwarError(f"{seat or 'a spectator'} is not asked")
    return question


def reach(table: Table, seat: str | None, unit: str) -> dict[str, Any]:
    """What it costs a unit to go where, by which way, and why hexes are closed to it."""
    view = table.game.view(seat)
    if not answers(view.query, "reach"):
        return _reach_of_choices(view, unit)
    world = view.position.world
    if unit not in world.units:
        raise UnknownName("unit", unit, world.units)
    if unit not in view.position.state.locations:
        raise HexwarError(f"{unit} is not on the board")
    movement = getattr(world, "movement", None)
    modes = [mode.name for mode in movement.modes_of(view.position, unit)] if movement else [""]
    costs: dict[str, tuple[float, str]] = {}
    ways: dict[str, list[str]] = {}
    closed: Mapping[str, Refusal] = {}
    for mode in modes:
        report = view.query.reach(unit, mode) if mode else view.query.reach(unit)
        closed = closed or report.closed
        for label, cost in report.costs.items():
            if label not in costs:
                costs[label] = float(cost), mode
                if movement:
                    ways[label] = world.reaches.way(view.position, unit, label, mode)
    enemies = [side for side in world.sides if side != world.units[unit].side and answers(view.query, "zones")]
    zones = [label for label in dict.fromkeys(it for side in enemies for it in view.query.zones(side)) if label in costs]
    why_not = {label: str(why) for label, why in closed.items() if label not in costs}
    return {"costs": costs, "ways": ways, "closed": why_not, "zones": zones}


def _reach_of_choices(view: View, unit: str) -> dict[str, Any]:
    """Where a piece can go in a game whose queries do not say it: where its choices lead, at no known cost."""
    question = view.question
    if question is None or "reach" not in question.shows or unit not in question.groups:
        raise HexwarError("this game has no reach")
    led = question.group(unit).places().items()
    ways = {place_name(place): [*map(place_name, way_of(question.at, actions[0]))] for place, actions in led}
    return {"costs": {}, "ways": ways, "closed": {}, "zones": []}


def attack(table: Table, seat: str | None, target: str, units: str) -> dict[str, Any]:
    """An attack on a hex by some units: the odds with every reason, and the exact chance of each result.

    Args:
        table: where.
        seat: who asks.
        target: the hex.
        units: the attackers with commas between them; those that take part so far, or else all that may, if "".
    """
    view = table.game.view(seat)
    if not answers(view.query, "odds"):
        raise HexwarError("this game has no odds")
    able = list(view.query.attackers(target, view.side))
    joined = [unit for unit, goal in view.question.goals if goal == target] if view.question else []
    may = attackers_now(table.game, view)
    idle = [unit for unit in able if unit not in may and unit not in joined]
    chosen = [unit for unit in units.split(",") if unit] or joined or [unit for unit in able if unit in may] or able
    able = list(dict.fromkeys(joined + able))
    answer: dict[str, Any] = {"target": target, "able": able, "joined": joined, "chosen": chosen, "idle": idle}
    if chosen:
        odds, means = view.query.odds(chosen, target), view.query.meanings(chosen, target)
        answer |= _battle(view, target, chosen, [unit for unit in able if unit not in chosen], odds)
        answer["odds"] = {
            "attack": odds.attack,
            "defence": odds.defence,
            "name": f"{odds.scale} {odds.name}",
            "possible": odds.column is not None,
            "strengths": [[it.unit, float(it.counted), list(it.reasons)] for it in odds.strengths],
            "shifts": [[it.columns, it.reason, it.clause] for it in odds.shifts],
            "results": [[name, str(it), float(it), means.get(name, "")] for name, it in odds.distribution.items()],
        }
    return answer


def _battle(view: View, target: str, chosen: list[str], others: list[str], odds: Odds) -> dict[str, Any]:
    """What a page shows of an attack besides its odds: the table, what each other unit would make of it, and plain words."""
    query, shown = view.query, {}
    chart = query.combat_table() if answers(query, "combat_table") else None
    if chart is not None:
        labels, rows = [row[0] for row in chart.rows], [list(row[1:]) for row in chart.rows]
        columns = {"columns": list(chart.headers[1:]), "printed": odds.base, "column": odds.column}
        shown["table"] = {**columns, "rows": rows, "row_labels": labels, "clause": chart.clause}
    joined = {}
    for unit in others[:MOST_JOINING]:
        with suppress(HexwarError):
            joined[unit] = query.odds([*chosen, unit], target).name
    says = query.says(chosen, target) if answers(query, "says") else {}
    return {"table": None, **shown, "with": joined, "says": says}


def charted(table: Table, seat: str | None) -> list[Any]:
    """The tables to look things up in."""
    return charts(table.game)


def card_of(table: Table, seat: str | None, unit: str) -> dict[str, Any]:
    """What a player may want to know of a piece."""
    return card(table.game, table.game.view(seat), unit)


def hint(table: Table, seat: str, seats: Iterable[str], level: str = "normal") -> dict[str, Any]:
    """What a bot would do in the place of a seat that is asked, why, and what that is about; a bot may think for a while.

    Args:
        table: where.
        seat: who asks.
        seats: all that the reader has.
        level: how good the advice is to be.

    Raises:
        HexwarError: the seat is not asked, hints were switched off when the game began, or there is no such level.
    """
    number, view = table.looked_at(seat, seats)
    if not table.hints:
        raise HexwarError("hints are switched off in this game")
    question = view.question
    if question is None or table.over:
        raise HexwarError(f"{seat} is not asked")
    given = table.adviser.advise(view, level)
    bot, action, analysis = given.bot, given.action, given.analysis
    pieces, places = concerned(action, view.position.world)
    goal = place_name(place_of(question.at, action))
    return {
        "number": number,
        "bot": bot,
        "action": action.to_json(),
        "words": Chronicle(view.position.world, short=True).sentence(action),
        "clause": question.clause,
        "analysis": None if analysis is None else analysis.to_json(),
        "pieces": pieces,
        "way": [*map(place_name, way_of(question.at, action))],
        "places": list(dict.fromkeys([*(it for it in places if it != goal), *([goal] if goal else [])])),
    }


# -- what lies over the map -----------------------------------------------------------------------------------------------


def overlay(table: Table, seat: str | None, name: str) -> dict[str, Any]:
    """Something that the seat can know of the whole map: fills (whose, places), lines (whose, places), rings around pieces."""
    if name not in OVERLAYS:
        raise UnknownName("overlay", name, OVERLAYS)
    view = table.game.view(seat)
    if not _has_overlay(table.game, name):
        raise HexwarError(f"this game has no {name}")
    shown = OVERLAYS[name](table, view)
    return {**shown, "legend": _legend(name, shown)}


def _legend(name: str, shown: Mapping[str, Any]) -> list[dict[str, str]]:
    """What the patterns of an overlay mean, as far as they are there."""
    words = LEGENDS[name]
    kinds = (("fill", shown.get("fills", ())), ("line", shown.get("lines", ())))
    found = [(kind, its[0]) for kind, some in kinds for its in some if its[1]]
    told = [{"pattern": kind, "side": side, "words": words[kind].format(side.title())} for kind, side in dict.fromkeys(found)]
    return [*told, *([{"pattern": "ring", "side": "", "words": words["ring"]}] if shown.get("rings") else [])]


def _supply(table: Table, view: View) -> dict[str, Any]:
    fills, rings, said = [], [], []
    for side in view.position.world.sides:
        hexes, fed = view.query.supplied(side)
        fills += [[side, hexes]] if side == view.side or view.side not in view.position.world.sides else []
        cut = [unit for unit in _standing(view, side) if unit not in fed]
        rings += cut
        said.append(f"{side}: {len(fed)} in supply, {len(cut)} without")
    return {"fills": fills, "rings": rings, "words": said}


def _command(table: Table, view: View) -> dict[str, Any]:
    shown, standing = view.picture.pieces, _standing(view, view.side)
    places = {piece.id: place_name(piece.place) for piece in shown}
    leaders = [it.id for it in shown if it.is_headquarters and it.id in standing]
    led = {leader: view.query.command(leader) for leader in leaders}
    lines = [[view.side, [places[leader], places[unit]]] for leader, units in led.items() for unit in units if unit != leader]
    obey = {unit for units in led.values() for unit in units}
    alone = [unit for unit in standing if unit not in obey]
    return {"lines": lines, "rings": alone, "words": [f"{len(led)} headquarters; {len(alone)} units that none commands"]}


def _zones(table: Table, view: View) -> dict[str, Any]:
    return {"fills": [[side, view.query.zones(side)] for side in view.position.world.sides]}


def _control(table: Table, view: View) -> dict[str, Any]:
    return {"fills": list(grouped((side, place) for place, side in view.picture.control.items()).items())}


def _moves(table: Table, view: View) -> dict[str, Any]:
    """The moves of this turn and of the last."""
    seen, begun = [line.event for line in _lines(table, view.viewer)], 0
    moves: list[tuple[int, UnitMoved]] = []
    for event in reversed(seen):
        if isinstance(event, UnitMoved):
            moves.append((begun, event))
        begun += isinstance(event, TurnBegan)
        if begun == 2:
            break
    units = view.position.world.units
    return {"lines": [[units[it.unit].side, it.path, "before" if turn else ""] for turn, it in reversed(moves)]}


LEGENDS = {
    "supply": {"fill": "{} lines of supply lead here", "ring": "without supply"},
    "command": {"line": "who commands whom", "ring": "not commanded"},
    "zones": {"fill": "zones of control of {}"},
    "control": {"fill": "held by {}"},
    "moves": {"line": "moves of {}, this turn and the last"},
}
"""Overlay -> pattern -> what it means."""
OVERLAYS = {"supply": _supply, "command": _command, "zones": _zones, "control": _control, "moves": _moves}


def _has_overlay(game: Game, name: str) -> bool:
    return UnitMoved in game.ruleset.events if name == "moves" else name == "control" or answers(game.query, name)


def _standing(view: View, side: str) -> list[str]:
    """The units of a side on the map that can move: no fortress, for example, needs supply or command."""
    movers, board = view.position.world.basis.movers, view.position.world.board
    return [it.id for it in view.picture.pieces if it.side == side and it.place in board and it.id in movers]


# -- words ----------------------------------------------------------------------------------------------------------------


def words(table: Table, seat: str | None, question: str, about: str) -> list[str]:
    """What the table in the terminal would answer: odds, supply, hex and so on."""
    view = table.game.view(seat)
    chronicle = Chronicle(table.game.world, short=True)
    told = Questions(view, chronicle, attackers_now(table.game, view), table.adviser)
    known: dict[str, Answer] = {**told.known, "luck": lambda _: luck_words(table.game, view.viewer)}
    if question == "list":
        return list(Offer(_question(table, seat), chronicle).listing(about.strip()))
    if question == "help":
        return list(_help({name: it for name, it in known.items() if name != "hint" or table.hints}))
    if question not in known or question in ELSEWHERE:
        raise UnknownName("question", question, [name for name in known if name not in ELSEWHERE])
    return list(answered(known, question, about.split()))


def _help(known: Mapping[str, Answer]) -> Iterator[str]:
    """What can be typed; there is no map among words."""
    for heading, questions in QUESTIONS.items():
        yield heading
        yield from (f"  {text.splitlines()[-1].strip()}" for name, text in questions.items() if name in known and name != "map")
    yield from DECIDING.splitlines()
    yield "  rule WORDS        the rules with these words, or whose number begins so"


def obey(table: Table, seat: str, number: int, line: str, seats: Iterable[str]) -> None:
    """Do what a player typed, as at the terminal: a number of the list, the words of an action, or undo.

    Raises:
        HexwarError: that is not possible, or may mean several things.
    """
    if line.strip() == "undo":
        table.undo(seat, number, seats=seats)
    else:
        table.act(seat, number, _meant(table, seat, line.strip()).to_json(), seats=seats)


def _meant(table: Table, seat: str, line: str) -> Action:
    game, world = table.game, table.game.world
    offer = Offer(_question(table, seat), Chronicle(world, short=True))
    full = spelt_line(line, world, world.seats[seat])
    numbered = offer.number(line, units_and_board(world)[1])
    found = [numbered] if numbered is not None else offer.meant(full) or offer.meant(line)
    tried = [] if found else list(attempts(full, game.ruleset))
    refusals = [(action, game.why_not(action, seat)) for action in tried]
    found = found or [action for action, refusal in refusals if refusal is None][:1]
    if len(found) == 1:
        return found[0]
    if found:
        raise HexwarError(f"That may mean {len(found)} things: {', '.join(map(str, found[:6]))}. Say more.")
    for _, refusal in refusals:
        if refusal is not None:
            raise offer.explained(refusal)
    raise HexwarError(f'Nothing that is possible now fits {line!r}; "list" shows everything.')


def rule(table: Table, seat: str | None, clause: str) -> dict[str, str]:
    """A clause of the rules in play."""
    rules = table.game.world.rules
    if clause not in rules:
        raise UnknownName("clause", clause, rules)
    return {"clause": clause, "text": rules[clause].title, "ruling": rules[clause].ruling}


def rules(table: Table, seat: str | None, search: str) -> dict[str, Any]:
    """The first clauses that have all the words, or whose number begins so, and how many more there are."""
    wanted = search.lower().split()

    def fits(clause: Clause) -> bool:
        text = f"{clause.title} {clause.ruling}".lower()
        return clause.id.startswith(search) if search[0].isdecimal() else all(word in text for word in wanted)

    found = [it for it in table.game.world.rules.values() if fits(it)] if wanted else []
    shown = [{"clause": it.id, "text": it.title, "ruling": it.ruling} for it in found[:MOST_FOUND]]
    return {"found": shown, "more": len(found) - len(shown)}
