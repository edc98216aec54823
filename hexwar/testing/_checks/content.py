"""Checks of what surrounds the rules: metadata, boards, citations in the source, optional rules."""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import zip_longest
from pathlib import Path

from hexwar import facade
from hexwar.board import AnyBoard
from hexwar.engine import Action, Event, Ruleset, Step
from hexwar.errors import HexwarError
from hexwar.plugins._checks import checked_answer
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import (
    Crash,
    Survey,
    begin,
    crash_failure,
    in_words,
    random_decisions,
    try_offered,
)


class ContentIsSound(Survey):
    """The metadata fits the rules, every scenario has a bound, its board loads, and a game of it begins."""

    once = True

    def run(self, seed: int) -> None:
        """Look at the card, then begin a game of each scenario."""
        info = self.subject.info
        try:
            checked_answer("hexwar_rulesets", [info])
            self.subject.ruleset.check()
        except (HexwarError, TypeError, ValueError) as error:
            raise self.fail(str(error)) from error
        for mistake in self._mistakes():
            raise self.fail(mistake)
        for scenario in info.scenarios:
            try:
                if scenario.board:
                    facade.load_board(scenario.board, kind=AnyBoard)
            except Exception as error:
                raise self.fail(f"scenario {scenario.id} does not begin: {in_words(error)}") from error
            if scenario.lacks:
                continue
            game = begin(self.subject.among([scenario.id])[0].with_options({}), seed)
            self.demand(game.to_move, f"scenario {scenario.id} is over before anybody decides")

    def _mistakes(self) -> Iterator[str]:
        """What discovery does not look at, because it imports no rules."""
        info, rules = self.subject.info, self.subject.rules
        known = {"option": [option.id for option in self.subject.every_option], "scenario": [one.id for one in info.scenarios]}
        if not len(rules):
            yield "the rule index has no clause"
        for scenario in info.scenarios:
            if scenario.bound <= 0:
                yield f"scenario {scenario.id}: its bound is {scenario.bound}, but a game takes some actions"
        for option in self.subject.every_option:
            for kind, named in (("option", option.excludes), ("scenario", option.scenarios)):
                yield from (f"option {option.id}: there is no {kind} {name!r}" for name in named if name not in known[kind])
            if option.clause and option.clause not in rules:
                yield f"option {option.id}: clause {option.clause!r} is not in the rule index"
        yield from unlisted(self.subject.ruleset)
        hidden, own = secrets_of(self.subject.ruleset), {field.name for field in fields(self.subject.ruleset.state_type)}
        for name in self.subject.kit.secret or ():
            if name not in hidden:
                why = "everybody sees it" if name in own else "the state has no such field"
                yield f"the kit says that {name} is secret, and {why}"


def secrets_of(ruleset: Ruleset) -> list[str]:
    """The fields of the state that are hidden from somebody."""
    own = [
        field
        for field in fields(ruleset.state_type)
        if field.name not in ("stack", "draws") and not field.metadata.get("derived")
    ]
    return [field.name for field in own if field.metadata.get("sight", "undeclared") is not None]


def unlisted(ruleset: Ruleset) -> Iterator[str]:
    """The actions, events and steps of a ruleset's modules that have a kind and are in none of its lists."""
    modules = _modules_of(ruleset)
    own = [ruleset, *(kind for kind in _below(Ruleset) if kind.__module__ in modules)]
    for name, base in (("actions", Action), ("events", Event), ("steps", Step)):
        known = {kind for rules in own for kind in getattr(rules, name, ())}
        for kind in _below(base):
            is_own = kind.__module__ in modules and getattr(sys.modules[kind.__module__], kind.__name__, None) is kind
            if is_own and vars(kind).get("kind") and kind not in known:
                yield f"{kind.__module__}.{kind.__name__} is not among the {name} of the ruleset, so no save can have it"


def _modules_of(ruleset: Ruleset) -> list[str]:
    """The modules of a ruleset's package that its own module uses, and those that they use."""
    found = [type(ruleset).__module__]
    package = found[0].rpartition(".")[0] or found[0]
    for name in found:
        used = {getattr(value, "__module__", "") or "" for value in vars(sys.modules[name]).values()}
        found += sorted(
            other for other in used if other.startswith(f"{package}.") and other in sys.modules and other not in found
        )
    return found


def _below(base: type) -> Iterator[type]:
    kinds: list[type] = type.__subclasses__(base)
    for kind in kinds:
        yield kind
        yield from _below(kind)


class CitationsExist(Survey):
    """Every clause id that is written in the ruleset's source is in the rule index."""

    once = True

    def run(self, seed: int) -> None:
        """Read the source."""
        unknown = [
            f"{place} cites {clause!r}" for place, clause in citations(self.subject.ruleset) if clause not in self.subject.rules
        ]
        self.demand(not unknown, "; ".join(unknown))


_SHAPE = re.compile(r"(?:[A-Z]+\.)*\d+(?:\.\w+)+")


def citations(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """All clause ids that are written in the source of a ruleset's package, each with its file and line.

    Found are values of a name `clause` and of a mapping CLAUSES, and what looks like a clause among arguments without a name.
    """
    module = sys.modules[type(ruleset).__module__]
    package = sys.modules.get(module.__package__ or "")
    file = getattr(package, "__file__", None)
    for path in sorted(Path(file).parent.rglob("*.py")) if file else [Path(str(module.__file__))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for constant in _cited(node):
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str) and constant.value:
                    yield f"{path.name}:{constant.lineno}", constant.value


def _cited(node: ast.AST) -> Iterator[ast.expr | None]:
    """What may be a clause in a piece of source."""
    if isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "clause")
        yield from (value for value in node.args if isinstance(value, ast.Constant) and _SHAPE.fullmatch(str(value.value)))
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        assigned = {ast.unparse(target) for target in (node.targets if isinstance(node, ast.Assign) else [node.target])}
        if "clause" in assigned:
            yield node.value
            if isinstance(node.value, ast.Call):
                yield from (keyword.value for keyword in node.value.keywords if keyword.arg == "default")
        if "CLAUSES" in assigned and isinstance(node.value, ast.Dict):
            yield from node.value.values


SHORTENED = 200
"""How many actions of a game are compared where there is one for each option."""
CLOSELY, EVERY = 200, 20
"""The digest is taken after each of this many first actions, then after every n-th: it covers whatever went before."""


class OptionsWork(Survey):
    """An option that is named and has its default makes no difference."""

    once = True

    def run(self, seed: int) -> None:
        """Play with each of them."""
        named: dict[str, dict[str, bool | str]] = {}
        for option in self.subject.every_option:
            scenario = option.scenarios[0] if option.scenarios else self.subject.scenario
            named.setdefault(scenario, {})[option.id] = option.default
        for scenario, defaults in named.items():
            plain = self.subject.among([scenario])[0].with_options({})
            due = fingerprint(plain, seed, most=SHORTENED)  # first: where games crash in any case no option is to blame
            try:
                if fingerprint(plain.with_options(defaults), seed, most=SHORTENED) == due:
                    continue  # all of them together make no difference
            except (Crash, HexwarError):
                pass
            for option_id, default in defaults.items():
                self._name(plain, option_id, default, due, seed)

    def _name(self, plain: Subject, option: str, default: bool | str, due: list[str], seed: int) -> None:
        """Name one of them alone."""
        try:
            off = fingerprint(plain.with_options({option: default}), seed, most=SHORTENED)
        except Crash as crash:
            error = crash_failure(crash.seat, crash.action, crash.error)
            raise self.fail(f"naming option {option} with its default makes the game crash: {error}") from crash
        for one, other in zip_longest(due, off):
            self.demand(one == other, f"naming option {option} with its default changes the game: {other}, not {one}")


def fingerprint(subject: Subject, seed: int, most: int | None = None) -> list[str]:
    """A random game, action by action with the digest after many, and what its log says.

    Args:
        subject: what is played.
        seed: others give other games.
        most: actions; all if not given.

    Raises:
        Crash: the rules fail.
    """
    key = f"{seed}|0"
    game = subject.start(key)
    found = [f"options {dict(game.world.options)}", game.digest]
    for seat, action in random_decisions(game, random.Random(key), most or subject.bound):
        try_offered(game, seat, action)
        done = len(game.history)
        found.append(f"{seat} {action!r} {game.digest if done <= CLOSELY or done % EVERY == 0 else ''}")
    return [*found, game.digest, *(f"{event!r} {event}" for event in game.events)]
