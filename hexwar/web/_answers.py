"""What the server says to a seat, as plain JSON data: all of it made from the seat's view and its log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import hexwar
from hexwar.engine import View, phase_title
from hexwar.errors import HexwarError, UnknownName
from hexwar.plugins import plugins
from hexwar.table.chronicle import Chronicle, brief
from hexwar.table.questions import Questions
from hexwar.web._notices import Notice
from hexwar.web._scene import Scene, place_name, places, told
from hexwar.web._store import Kept
from hexwar.web._tables import Table

LATEST = 80
"""How many lines of the log come with a position."""


def catalogue() -> list[dict[str, Any]]:
    """What can be played."""
    bots = sorted(plugins().bots())
    return [
        {
            "id": info.id,
            "title": info.title,
            "bots": bots,
            "bot": info.bot or "greedy",
            "scenarios": [
                {"id": scenario.id, "title": scenario.title, "summary": scenario.summary, "sides": list(info.sides)}
                for scenario in info.playable
            ],
            "options": [
                {"id": option.id, "title": option.title, "default": option.default, "choices": list(option.choices)}
                for option in plugins().options(info.id)
            ],
        }
        for info in hexwar.rulesets().values()
        if info.playable
    ]


def about(table: Table, seats: Iterable[str]) -> dict[str, Any]:
    """What never changes: the game's name, who sits where, and the board."""
    game = table.game
    info, setup = game.ruleset.info, game.world.setup
    return {
        "game": table.name,
        "title": info.title,
        "scenario": info.scenario(setup.scenario).title,
        "seats": dict(game.world.seats),
        "bots": dict(table.head["bots"]),
        "mine": list(seats),
        "ground": places(game),
    }


def listed(kept: Kept, seats: Iterable[str] | None) -> dict[str, Any]:
    """A game in a list of games.

    Args:
        kept: as the store has it.
        seats: those that the reader has; None for the host, who may sit at all that people have.
    """
    head, now = kept.head, kept.last.get("now", kept.head["now"])
    info = hexwar.rulesets().get(head["ruleset"])
    people = [seat for seat in head["seats"] if seat not in head["bots"]]
    return {
        "game": kept.game,
        "title": info.title if info else head["ruleset"],
        "scenario": next((it.title for it in info.scenarios if it.id == head["scenario"]), "") if info else head["scenario"],
        "seats": head["seats"],
        "bots": head["bots"],
        "mine": people if seats is None else list(seats),
        **now,
        "number": kept.number,
        "begun": head["begun"],
        "last": kept.last.get("time", head["begun"]),
    }


def notice(table: Table, seat: str, link: str) -> Notice:
    """What a player who does not look should know."""
    info = table.game.ruleset.info
    title = f"{info.title}: {info.scenario(table.game.world.setup.scenario).title}"
    return Notice(table.name, title, seat, table.note(seat, "contact"), table.over, link)


def position(table: Table, seat: str | None, known: Iterable[str] = ()) -> dict[str, Any]:
    """What a seat sees now.

    Args:
        table: where.
        seat: whose view it is; that of a spectator, who sees what everybody may know, if None.
        known: names of faces that the page has already.
    """
    game = table.game
    view = game.view(seat)
    picture, at = view.picture, view.position
    scene = Scene(picture, game.world.sides)
    chronicle = Chronicle(game.world, short=True)
    question = None if view.question is None or table.over else view.question.to_json()
    if question is not None:
        question["words"] = chronicle.named(brief(str(question["prompt"])))
    return {
        "number": table.number,
        "seat": seat,
        "to_move": [] if table.over else list(view.to_move),
        "turn": getattr(at.state, "turn", 0),
        "phase": phase_title(at) if at.state.phase else "",
        "notes": list(picture.notes),
        "result": table.over,
        "question": question,
        "undo": seat is not None and not table.resigned and game.may_undo(seat),
        "pieces": scene.pieces,
        "control": scene.control,
        "colours": scene.colours,
        "faces": {face: drawn for face, drawn in scene.faces.items() if face not in set(known)},
        "log": told(game.log(seat)[-LATEST:], chronicle),
        "stopped": table.stopped,
    }


def group(table: Table, seat: str, key: str) -> dict[str, Any]:
    """The choices of a question that are about one thing, and where they lead."""
    view = table.game.view(seat)
    if view.question is None:
        raise HexwarError(f"{seat} is not asked")
    found = view.question.group(key)
    by_place = found.places()
    listed = {id(action): place_name(place) for place, actions in by_place.items() for action in actions}
    chosen = [action for actions in by_place.values() for action in actions] + [it for it in found if id(it) not in listed]
    return {
        "key": key,
        "complete": view.question.complete,
        "choices": [{"action": it.to_json(), "words": str(it), "place": listed.get(id(it))} for it in chosen],
    }


def reach(table: Table, seat: str, unit: str) -> dict[str, Any]:
    """What it costs a unit to go where, and why hexes are closed to it."""
    report = _query(table, seat, "reach")(unit)
    return {
        "costs": {label: float(cost) for label, cost in report.costs.items()},
        "closed": {label: str(why) for label, why in report.closed.items()},
    }


def words(table: Table, seat: str, question: str, about: list[str]) -> list[str]:
    """What the table in the terminal would answer: odds, supply, hex and so on."""
    view = table.game.view(seat)
    known = Questions(view, Chronicle(table.game.world, short=True)).known
    if question not in known or question == "map":
        raise UnknownName("question", question, [name for name in known if name != "map"])
    return list(known[question](about))


def rule(table: Table, clause: str) -> dict[str, str]:
    """A clause of the rules in play."""
    rules = table.game.world.rules
    if clause not in rules:
        raise UnknownName("clause", clause, rules)
    return {"clause": clause, "text": rules[clause].title, "ruling": rules[clause].ruling}


def _query(table: Table, seat: str, name: str) -> Any:
    view: View = table.game.view(seat)
    found = getattr(view.query, name, None)
    if found is None:
        raise HexwarError(f"this game has no {name}")
    return found
