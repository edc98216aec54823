"""What a page tells besides the position: turns, phases, objectives, trays, chits, briefing, lesson, charts, cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields, replace
from functools import lru_cache
from typing import Any

from hexwar.engine import (
    Action,
    Card,
    Fact,
    Game,
    Guide,
    HasBoard,
    Objective,
    Phase,
    Piece,
    Position,
    Question,
    Record,
    SequenceOfPlay,
    Stat,
    View,
    World,
    plain,
)
from hexwar.errors import UnknownName
from hexwar.pieces import Chit, ChitState
from hexwar.table.chronicle import Chronicle
from hexwar.table.questions import answers
from hexwar.web._scene import place_name

VALUES = "\u2013"
"""What stands between the values of a piece."""


def introduced(game: Game) -> dict[str, Any]:
    """What players are told before they begin, and whether there are charts."""
    info, setup = game.ruleset.info, game.world.setup
    guide = info.guide(setup.scenario)
    return {
        "ruleset": setup.ruleset,
        "scenario_id": setup.scenario,
        "briefing": plain(guide.briefing),
        "lesson": plain(guide.lesson),
        "charts": bool(game.ruleset.charts(game.world)),
    }


def in_brief(guide: Guide) -> dict[str, Any]:
    """What is said of a scenario where one is chosen: how long and how heavy it is, and who is taught its first turn."""
    briefing = guide.briefing
    return {
        "period": briefing.period,
        "about": briefing.about,
        "minutes": briefing.minutes,
        "weight": briefing.weight,
        "lesson": next((step.seat for step in guide.lesson if step.seat), ""),
    }


def charts(game: Game) -> list[Any]:
    """The tables to look things up in."""
    return [plain(chart) for chart in game.ruleset.charts(game.world)]


def beside(view: View) -> dict[str, Any]:
    """What stands beside the map: where in time the game is, what is worth points, what lies off the board."""
    at, ruleset = view.position, view.ruleset
    return {
        "track": _track(ruleset.track(at)),
        "phases": list(_phases(at)),
        "objectives": [_objective(it) for it in ruleset.objectives(at)],
        "trays": [_plain(tray) for tray in view.picture.beside()],
        "piles": _piles(view),
    }


@lru_cache(32)
def _track(cells: tuple[Record, ...]) -> list[Any]:
    return [plain(cell) for cell in cells]


def _plain(value: Any) -> dict[str, Any]:
    """A record as JSON data without what is empty."""
    made: Any = plain(value)
    return {name: it for name, it in made.items() if it or it == 0}


def _objective(objective: Objective) -> dict[str, Any]:
    """A place that is worth points as JSON data: its points may be a fraction."""
    told = {name: it for name, it in asdict(objective).items() if it or name == "points"}
    return told | {"place": place_name(objective.place)}


def _phases(at: Position) -> Iterator[dict[str, str]]:
    """The phases of the part of the sequence of play that is being gone through, and where in it the game is."""
    now, parts = at.state.phase, at.world.sequence.nodes
    listed = [[node for _, node in SequenceOfPlay(part).walk() if isinstance(node, Phase)] for part in parts]
    found = [(part, its) for its, part in zip(listed, parts, strict=True) if any(it.id == now for it in its)]
    if len(found) > 1:  # see `phase_title`
        found = [(part, its) for part, its in found if part.when is None or part.when(at)] or found
    passed = True
    for phase in found[0][1] if found else ():
        passed = passed and phase.id != now
        state = "now" if phase.id == now else "done" if passed else ""
        yield {"title": phase.title, "short": phase.short or phase.title, "clause": phase.clause, "state": state}


# -- chits ----------------------------------------------------------------------------------------------------------------


def _piles(view: View) -> list[dict[str, Any]]:
    """What a seat knows of the chits, pile by pile, by their names."""
    state, world = view.state, view.position.world
    if not isinstance(state, ChitState):
        return []
    piles = [_pile(world, "drawn", "Drawn", state.drawn, True)]
    known = [chit for chit in state.cup if chit != "?"] or list(state.known_in_cup)
    piles.append(_pile(world, "cup", "Cup", known, False) | {"count": len(state.cup)})
    kinds = (("chosen", "chosen", state.selected), ("hand", "in hand", state.hand), ("put-in", "put into the cup", state.put_in))
    for kind, title, held in kinds:
        piles += [_pile(world, kind, f"{side.title()}: {title}", chits, False, side) for side, chits in held.items()]
    return [pile for pile in piles if pile["count"]]


def _pile(world: World, kind: str, title: str, chits: Iterable[str], is_open: bool, side: str = "") -> dict[str, Any]:
    told = [plain(chit_of(world, chit)) for chit in chits]
    return {
        "id": f"{kind} {side}".strip(),
        "title": title,
        "side": side,
        "kind": kind,
        "open": is_open,
        "count": len(told),
        "chits": told,
    }


def chit_of(world: World, chit: str) -> Chit:
    """A chit as people know it; a secret one is "?"."""
    cup = getattr(world, "cup", None)
    return cup.chit(chit) if cup is not None and chit != "?" and cup.knows(chit) else Chit(chit, chit)


# -- questions ------------------------------------------------------------------------------------------------------------


def asked(question: Question, names: Chronicle) -> dict[str, Any]:
    """A question as JSON data, with the names of whatever it is about."""
    told: Any = question.to_json()
    told["says"] = names.asked(question)
    told["choices"] = [
        {**choice, **saying(question, action, names)} for choice, action in zip(told["choices"], question.plain, strict=True)
    ]
    known = {*question.pieces, *question.places}
    for group in told["groups"]:
        if group["key"] not in known:
            group["words"] = chit_of(question.at.world, group["key"]).name
    return told  # type: ignore[no-any-return]


def saying(question: Question, action: Action, names: Chronicle) -> dict[str, Any]:
    """A choice in names, what it costs, and what sort of choice it is, as a picture might show it."""
    cost, shown = question.cost(action), "end" if action.ends else question.shows[0]
    return {
        "says": names.sentence(action),
        **({} if cost is None else {"cost": cost}),
        **({"icon": shown} if shown != "none" else {}),
    }


# -- cards ----------------------------------------------------------------------------------------------------------------


def card(game: Game, view: View, unit: str) -> dict[str, Any]:
    """What a player may want to know of a piece: what its queries say, and what follows from how it is shown."""
    pieces = {piece.id: piece for piece in view.picture.pieces}
    if unit not in pieces:
        raise UnknownName("piece", unit, pieces)
    piece, told = pieces[unit], Card(unit)
    if answers(view.query, "card"):
        told = view.query.card(unit)
    names = Chronicle(view.position.world, short=True, ids=False)
    may, may_not = _deeds(game, view, unit, names) if not (told.may or told.may_not) else (told.may, told.may_not)
    stats = told.stats or tuple(_stats(piece, view))
    marks = tuple(Fact(words, "mark") for words in piece.marks)
    state = tuple(Fact(words, "state", good=False) for words in (*piece.state, *(["reduced"] if piece.reduced else [])))
    made: Any = plain(replace(told, stats=stats, facts=(*told.facts, *state, *marks), may=may, may_not=may_not))
    place = place_name(piece.place)
    return {
        **made,
        "name": piece.name or piece.id,
        "side": piece.side,
        "kind": piece.kind.replace("_", " "),
        "group": piece.group,
        "place": place,
        "where": "" if place is None else names.named(place),
    }


def _stats(piece: Piece, view: View) -> Iterator[Stat]:
    """The values that are printed on a piece, by what the legend says of them."""
    values, labels = piece.values.split(VALUES), view.picture.values.partition(" (")[0].split(VALUES)
    if piece.is_headquarters and "HQ: " in view.picture.values:
        labels = view.picture.values.partition("HQ: ")[2].rstrip(")").split(VALUES)
    if piece.values and len(values) == len(labels):
        yield from (Stat(label, value) for label, value in zip(labels, values, strict=True))
    elif piece.values:
        yield Stat("values", piece.values)
    left, most = piece.levels
    if most:
        yield Stat("steps", str(left), str(most) if left != most else "")


def _deeds(game: Game, view: View, unit: str, names: Chronicle) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """What a piece may do in the decision that waits, and the rule against what it may not, one of each sort of choice."""
    question = view.question
    if question is None or unit not in getattr(question.at.world, "units", {}):
        return (), ()
    if question.at.world.units[unit].side != question.at.world.seats[question.seat]:
        return (), ()
    group = question.group(unit) if unit in question.groups else None
    if group is not None and group:
        return (Fact(_number(question, group), "info", question.clause, True),), ()
    if not all(key in question.at.world.units for key in question.groups):  # the decision is about something else
        return (), ()
    example = question.example
    first = fields(example)[0].name if fields(example) else ""  # type: ignore[arg-type]  # every record is a dataclass
    if not first or question.by != first or example.ends:
        return (), ()
    refusal = game.why_not(replace(example, **{first: unit}), question.seat)  # type: ignore[type-var]
    return (), (() if refusal is None else (Fact(names.named(refusal.message), "info", refusal.clause, False),))


def _number(question: Question, group: Any) -> str:
    """How many choices a piece has, as people say it."""
    does = question.example.can or question.asks.replace("-", " ")
    places = len(group.places())
    where = "place" if isinstance(question.at.world, HasBoard) else "goal"
    return f"may {does}: {places} {where}{'' if places == 1 else 's'}" if places > 1 else f"may {does}"
