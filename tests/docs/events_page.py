"""The tables of docs/events.md, made from the code: `python -m tests.docs.events_page` brings the page up to date.

Kinds, fields, sights and sentences come from the classes. Under which clauses an event happens is read from the code where it
names them, and for the rest from games: `--play` plays the known games of every kit and some by chance, and keeps what was
cited in `citations.json`.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import random
import sys
import typing
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import hexwar
import hexwar.mechanics  # all of its modules
from hexwar.engine import Event, RuleIndex, Sight
from hexwar.engine import _events as engine_events
from hexwar.plugins import plugins, resolve_variants
from hexwar.plugins._places import files_of, ids_in, module_of
from tests.docs.tables import DOCS, put, sentence, table, typed

PAGE = DOCS / "events.md"
CITATIONS = Path(__file__).with_name("citations.json")
RULESETS = ("bridgehead", "ava", "bkc", "tow", "wb95", "wop")
SEEN_BY = {Sight.PUBLIC: "all", Sight.OWNER: "its side", Sight.NOBODY: "nobody"}
Cited = dict[str, dict[str, list[str]]]
"""Ruleset -> kind of event -> clauses."""


def engine() -> list[type[Event]]:
    """The engine's own events."""
    found = [*vars(engine_events).values(), hexwar.engine.LaneEntered, hexwar.engine.LaneLeft]
    return [event for event in found if isinstance(event, type) and issubclass(event, Event) and event.kind]


def mechanics() -> list[type[Event]]:
    """The events that the mechanics bring for all games."""
    shared = ("hexwar.mechanics._", "hexwar.pieces._")
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith(shared)]
    found = {it for module in modules for it in vars(module).values() if isinstance(it, type) and issubclass(it, Event)}
    return sorted((event for event in found if event.kind and event not in engine()), key=lambda event: event.kind)


def of_ruleset(ruleset: str) -> dict[type[Event], str]:
    """The events of a ruleset and of its optional rules; each with the option that brings it, "" for most."""
    found = dict.fromkeys(plugins().ruleset(ruleset).events, "")
    for variant in plugins().variants(ruleset).values():
        for brought in resolve_variants([variant]).brought.values():
            found |= {event: variant.id for event in brought.get("events", ()) if event not in found}
    return found


def fields(event: type[Event]) -> str:
    """The fields of an event, its clause apart; a text has no type."""
    hints, told = typing.get_type_hints(event, include_extras=True), []
    for field in dataclasses.fields(event):
        if field.name != "clause":
            kind = typed(hints[field.name])
            told.append(f"`{field.name}`" if kind == "str" else f"`{field.name}: {kind}`")
    return ", ".join(told)


def sight(event: type[Event]) -> str:
    """Who sees it."""
    return SEEN_BY[event.sight] + ("; reveals" if event.reveals else "")


# -- the clauses -----------------------------------------------------------------------------------------------------------


def in_code(ruleset: str) -> dict[str, set[str]]:
    """Name of a class of events -> the clauses that the code of a ruleset gives it outright."""
    known, outlines = plugins(), dict[str, str]()
    found: dict[str, set[str]] = defaultdict(set)
    entries = [known.info(ruleset).entry, *(variant.rules for variant in known.variants(ruleset).values())]
    index = known.rule_index(ruleset)
    for name, path in files_of([module_of(entry) for entry in entries], index.source).items():
        tree = ast.parse(path.read_text(encoding="utf-8")) if name.endswith(".py") else ast.Module([], [])
        around = {inner: outer for outer in ast.walk(tree) if isinstance(outer, ast.ClassDef) for inner in ast.walk(outer)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                given = [keyword.value for keyword in node.keywords if keyword.arg == "clause"]
                texts = {text for value in given for text in _texts(value, around.get(node))}
                found[node.func.id] |= {text for text in texts if text in index}
                outlines[node.func.id] = home.name if (home := around.get(node)) else ""
    for outline, event in outlines.items():  # what others see of an event cites what the event cites
        found[outline] = found[outline] or found.get(event, set())
    return found


def _texts(value: ast.expr, home: ast.ClassDef | None) -> Iterator[str]:
    """The texts that an expression may give; `self.clause` is that of the class around it."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from (*_texts(value.body, home), *_texts(value.orelse, home))
    elif ast.unparse(value) == "self.clause" and home is not None:
        for said in home.body:
            if isinstance(said, ast.Assign | ast.AnnAssign) and ast.unparse(said).startswith("clause") and said.value:
                yield from _texts(said.value, None)


def in_games(ruleset: str) -> dict[str, set[str]]:
    """Kind of event -> the clauses under which it happened in the known games, and in some by chance."""
    from hexwar.testing import Subject
    from hexwar.testing._checks.corpus import known_games

    subject, games = Subject.of(ruleset), []
    found: dict[str, set[str]] = defaultdict(set)
    for known in known_games(subject):
        game = known.of(subject).start(known.key)
        for seat, action in known.course(game):
            game.apply(action, seat)
        games.append(game)
    for number, scenario in enumerate(subject.info.playable):
        for _ in range(2):
            game, chance = hexwar.new_game(ruleset, scenario.id, seed=number), random.Random(number)
            while game.to_move and len(game.history) < 1500:
                seat = game.to_move[0]
                game.apply(game.question(seat).sample(chance), seat)
            games.append(game)
    for game in games:
        for event in game.events:
            if event.clause:
                found[event.kind].add(event.clause)
    return found


def cited() -> Cited:
    """The clauses of each kind of event, as they were found last."""
    found: Cited = json.loads(CITATIONS.read_text(encoding="utf-8"))
    return found


def play() -> None:
    """Play, and keep what was cited."""
    found = {ruleset: {kind: sorted(ids) for kind, ids in sorted(in_games(ruleset).items())} for ruleset in RULESETS}
    CITATIONS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def clauses(event: type[Event], ruleset: str, code: dict[str, set[str]], games: Cited) -> str:
    """The clauses of an event in a ruleset, in the order of its rulebook."""
    index: RuleIndex = plugins().rule_index(ruleset)
    found = code.get(event.__name__, set()) | set(games[ruleset].get(event.kind, ()))
    found = found or {clause for clause, _ in ids_in(event.__doc__ or "", index)}
    return ", ".join(f"[{clause}](rules/{ruleset}.md#{clause})" for clause in index if clause in found)


# -- the page ------------------------------------------------------------------------------------------------------------


def written(page: str) -> str:
    """The page with its tables."""
    games, shared = cited(), mechanics()
    code = {ruleset: in_code(ruleset) for ruleset in RULESETS}
    own = {ruleset: of_ruleset(ruleset) for ruleset in RULESETS}
    rows = [[f"`{event.kind}`", sentence(event.__doc__), fields(event), sight(event)] for event in engine()]
    page = put(page, "engine", table(["kind", "what happened", "fields", "seen by"], rows))
    rows = [[f"`{event.kind}`", sentence(event.__doc__), fields(event), sight(event)] for event in shared]
    page = put(page, "mechanics", table(["kind", "what happened", "fields", "seen by"], rows))
    everywhere = [*engine(), *shared]
    rows = []
    for event in everywhere:
        cells = [clauses(event, ruleset, code[ruleset], games) for ruleset in RULESETS]
        if any(cells):
            rows.append([f"`{event.kind}`", *cells])
    page = put(page, "clauses", table(["kind", *RULESETS], rows))
    for ruleset in RULESETS:
        rows = []
        for event, option in own[ruleset].items():
            if event not in everywhere:
                what = sentence(event.__doc__) + (f" (option `{option}`)" if option else "")
                rows.append([f"`{event.kind}`", what, fields(event), sight(event), clauses(event, ruleset, code[ruleset], games)])
        if rows:
            page = put(page, ruleset, table(["kind", "what happened", "fields", "seen by", "clauses"], rows))
    return page


if __name__ == "__main__":
    if "--play" in sys.argv:
        play()
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
