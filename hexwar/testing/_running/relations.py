"""Metamorphic relations as capabilities: what one may do to a position without the rules saying anything else about it.

What the rules say of an image (the same position on a board that is turned, mirrored or renumbered, with other names for units or
sides) must be the image of what they say. An image is a world of its own and a way to translate: every text in a state, an action
or an answer that is a translated name becomes the other name, and all else stays as it is.

Each relation is a promise that a ruleset makes in its kit. For rulesets that are built on `hexwar.mechanics` the methods here do;
others, and those whose content names hexes, units or sides outside of board, counters and state, override what differs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hexwar.board import CLOSED, Board
from hexwar.engine import Action, Game, Ruleset, State, World, part
from hexwar.errors import HexwarError
from hexwar.grouping import grouped
from hexwar.hexes import Hex, Hexside, reflect, rotate
from hexwar.mechanics import Move
from hexwar.testing._running.kit import Capability

Names = Mapping[str, str]
"""Name -> the name that takes its place."""


def translated(value: Any, names: Names) -> Any:
    """A value with every text in it that is a name replaced, keys of mappings included."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple | list | frozenset):
        return type(value)(translated(item, names) for item in value)
    if isinstance(value, Mapping):
        return {translated(key, names): translated(item, names) for key, item in value.items()}
    return value


def frozen(value: Any) -> Any:
    """JSON data as a value that can be an element of a set."""
    if isinstance(value, Mapping):
        return frozenset((key, frozen(item)) for key, item in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def unordered(value: Any) -> Any:
    """JSON data in which the order of lists of names does not count."""
    if isinstance(value, Mapping):
        return {key: unordered(item) for key, item in value.items()}
    if isinstance(value, list):
        items = list(map(unordered, value))
        return sorted(items) if all(isinstance(item, str) for item in items) else items
    return value


@dataclass(frozen=True)
class Image:
    """A translated game.

    Args:
        what: what has been done to it, for messages: "turned by 60 degrees".
        world: what the image is played with.
        names: what is called otherwise there.
    """

    what: str
    world: World
    names: Names = field(default_factory=dict)

    def state(self, game: Game) -> State:
        """The image of a game's state, made from its JSON form, so that nothing that is derived comes along."""
        rules = game.ruleset
        made: State = rules.bare(self.world).with_json(translated(game.state.to_json(), self.names), rules.step_types)
        return made

    def action(self, game: Game, action: Action) -> Action:
        """The image of an action."""
        return game.ruleset.parse_action(translated(action.to_json(), self.names)) if self.names else action

    def seat(self, seat: str) -> str:
        """The image of a seat."""
        return self.names.get(seat, seat)

    def of(self, game: Game) -> Game:
        """The image of a game as it stands, without its history and with the same dice."""
        return Game(game.ruleset, self.world, self.state(game), game.chance.fork())


# -- boards ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """One of the twelve ways to lay a hex grid on itself.

    Args:
        sixths: by how many sixths of a circle it is turned, clockwise.
        mirrored: whether it is mirrored first.
    """

    sixths: int = 0
    mirrored: bool = False

    def __call__(self, h: Hex) -> Hex:
        """Where a hex comes to lie."""
        return rotate(reflect(h) if self.mirrored else h, self.sixths)

    def __str__(self) -> str:
        turned = f"turned by {60 * self.sixths} degrees" if self.sixths else ""
        return " and ".join(filter(None, ("mirrored" if self.mirrored else "", turned))) or "left as it is"


TURNS = tuple(Turn(sixths, mirrored) for mirrored in (False, True) for sixths in range(6) if sixths or mirrored)
"""All but leaving it as it is."""


def moved(board: Board, turn: Callable[[Hex], Hex], labels: Names | None = None) -> Board:
    """A board on which every hex lies elsewhere, with all that is printed on it; its label goes with it.

    Args:
        board: the board.
        turn: hex -> hex; neighbours must stay neighbours.
        labels: other labels, label -> label.
    """
    content, names = board.content, labels or {}

    def across(sides: Mapping[Hexside, frozenset[str]]) -> dict[Hexside, frozenset[str]]:
        return {Hexside.between(*map(turn, side.hexes)): kinds for side, kinds in sides.items()}

    hexes = {
        turn(h): replace(
            printed, labels=translated(printed.labels, names), properties=translated(dict(printed.properties), names)
        )
        for h, printed in content.hexes.items()
    }
    return Board(
        replace(
            content,
            hexes=hexes,
            sides=across(content.sides),
            links=across(content.links),
            places=tuple(replace(place, hexes=translated(place.hexes, names)) for place in content.places),
            areas=translated(dict(content.areas), names),
        )
    )


# -- names -----------------------------------------------------------------------------------------------------------------


def fresh_names(names: Iterable[str], taken: Iterable[str], *, prefix: str, seed: int | None = None) -> dict[str, str]:
    """New names for old ones.

    Args:
        names: the old ones.
        taken: names of other things, which no new one may have.
        prefix: what the new ones begin with, where they are in another order.
        seed: shuffles them; without one, they sort as the old ones do, also among other words.

    Raises:
        HexwarError: an old name is also the name of something else, so that a name would be ambiguous.
    """
    old, others = sorted(set(names)), set(taken)
    for name in old:
        if name in others:
            raise HexwarError(f"{name!r} is the name of two things, so it cannot be replaced by another")
    if seed is None:
        new = [f"{name}!" for name in old]
    else:
        new = [f"{prefix}{number:0{len(str(len(old)))}}" for number in range(len(old))]
        random.Random(seed).shuffle(new)
    for name in new:
        if name in others or name in old:
            raise HexwarError(f"{name!r} cannot be a new name, because something has it already")
    return dict(zip(old, new, strict=True))


def rebuilt(rules: Ruleset, world: World, **attributes: Any) -> World:
    """A rebuilt world, with other values of some attributes and nothing computed from the old ones.

    For worlds of `hexwar.mechanics`, which work out ground and tables on first use.
    """
    made: World = rules.world(world.setup)
    for kind in type(made).__mro__:
        for name, value in vars(kind).items():
            if isinstance(value, cached_property | part):
                vars(made).pop(name, None)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


# -- answers -----------------------------------------------------------------------------------------------------------------

Answers = dict[tuple[Any, ...], Any]
"""What was asked -> the answer, both of texts, numbers, tuples, frozensets and mappings, so that they can be translated."""

KINDS = ("zones", "reach", "supply", "odds", "retreats", "command", "actions")
"""What can be asked of a position of a ruleset that is built on `hexwar.mechanics`."""

RETREAT = 2
"""How far units are asked to retreat."""


def hex_answers(game: Game, units: Sequence[str], kinds: Iterable[str] = KINDS) -> Answers:
    """What the rules say of some units on a hex board; lists whose order means nothing are sets."""
    asked = frozenset(kinds)
    query, world, state = game.query, game.world, game.state
    found: Answers = {}
    if "zones" in asked:
        found |= {("zones", side): frozenset(query.zones(side)) for side in world.sides}
    if "actions" in asked:
        found["asked",] = frozenset(game.to_move)
        for seat in game.to_move:
            found["actions", seat] = frozenset(frozen(action.to_json()) for action in game.legal_actions(seat))
    for unit in units:
        if state.locations.get(unit, "") not in world.board:
            continue
        counter = world.units[unit]
        if "reach" in asked:
            report = query.reach(unit)
            found["reach", unit] = dict(report.costs)
            found["closed to", unit] = {label: (refusal.code.value, refusal.clause) for label, refusal in report.closed.items()}
        if "supply" in asked and query.has_supply:
            line = query.supply(unit)
            found["supply", unit] = (line.supplied, len(line.line))
        if "retreats" in asked and query.has_combat:
            found["retreats", unit] = frozenset((way.path, way.losses, way.overflow) for way in query.retreats(unit, RETREAT))
        if "command" in asked and counter.is_headquarters:
            found["command", unit] = frozenset(query.command(unit))
        if "odds" in asked and query.has_combat:
            found |= _odds_of(game, unit)
    return found


def _odds_of(game: Game, unit: str) -> Answers:
    """The odds of a unit against every hex next to it in which enemies stand, alone and with all who could join."""
    world, state, query = game.world, game.state, game.query
    here, enemies = state.locations[unit], world.enemies(world.units[unit].side)
    found: Answers = {}
    standing = grouped((label, other) for other, label in state.locations.items())
    for target in world.board.neighbours(here):
        if not any(world.units[other].side in enemies for other in standing.get(target, ())):
            continue
        friends = tuple(sorted(query.attackers(target, world.units[unit].side)))
        for attackers in dict.fromkeys(((unit,), *([friends] if friends else []))):
            try:
                odds = query.odds(attackers, target)
            except HexwarError:  # who only supports others, or does not attack at all
                found["odds", frozenset(attackers), target] = None
                continue
            found["odds", frozenset(attackers), target] = (
                (odds.attack, odds.defence, odds.base, odds.column),
                frozenset((shift.columns, shift.clause) for shift in odds.shifts),
                frozenset((strength.unit, strength.printed, strength.counted) for strength in odds.strengths),
                dict(odds.distribution),
            )
    return found


def difference(here: Answers, there: Answers) -> str:
    """The first thing about which two sets of answers differ, in words, or ""."""
    for question in dict.fromkeys((*here, *there)):
        if here.get(question) != there.get(question):
            what = " ".join(str(sorted(part)) if isinstance(part, frozenset) else str(part) for part in question)
            return f"{what}: {_contrast(here.get(question), there.get(question))}"
    return ""


def _contrast(here: Any, there: Any) -> str:
    """What only one of two answers has, or both of them."""
    if isinstance(here, frozenset) and isinstance(there, frozenset):
        return f"only here {_listed(here - there)}, only there {_listed(there - here)}"
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        parts = [key for key in dict.fromkeys((*here, *there)) if here.get(key) != there.get(key)]
        return ", ".join(f"{key} is {here.get(key)} here and {there.get(key)} there" for key in parts[:3])
    return f"{here} here and {there} there"


def _listed(values: frozenset[Any]) -> str:
    return ", ".join(sorted(map(_plainly, values))[:3]) or "nothing"


def _plainly(value: Any) -> str:
    if isinstance(value, frozenset):  # an action
        return "{" + ", ".join(sorted(f"{key}: {item}" for key, item in value)) + "}"
    return str(value)


def json_difference(here: Mapping[str, Any], there: Mapping[str, Any]) -> str:
    """The first field in which the JSON forms of two states differ, in words, or ""."""
    return difference({(name,): value for name, value in here.items()}, {(name,): value for name, value in there.items()})


# -- relations as capabilities ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Relation(Capability):
    """What all of them share.

    Args:
        kinds: what is asked of a position and of its image; see `hexwar.testing._running.relations.KINDS`.
    """

    kinds: Sequence[str] = KINDS

    def units(self, game: Game) -> Sequence[str]:
        """The units about which something can be asked."""
        return [unit for unit, label in game.state.locations.items() if label in game.world.board]

    def answers(self, game: Game, units: Sequence[str]) -> Answers:
        """What the rules say of some units, and of all that may be done now."""
        return hex_answers(game, units, self.kinds)


@dataclass(frozen=True)
class Symmetry(Relation):
    """The rules know no compass: on a board that is turned or mirrored everything is as it was.

    The hexes keep their labels when they move, so a ruleset whose own tables name hexes can promise this. One that has no such
    tables can also promise that the labels do not matter.

    Args:
        kinds: what is asked of a position and of its image.
        turns: what is done to the board.
        labels: whether hexes get new labels as well.
    """

    turns: Sequence[Turn] = TURNS
    labels: bool = False

    def answers(self, game: Game, units: Sequence[str]) -> Answers:
        """As always, but without detours: they are offered by places that the ordinary way does not pass.

        A move takes any of several ways that cost the same; a world that allows detours by a place does not say which.
        """
        found = super().answers(game, units)
        if _has_detours(game):
            for question, answer in found.items():
                if question[0] == "actions":
                    found[question] = frozenset(action for action in answer if not dict(action).get("path"))
        return found

    def settles(self, game: Game, action: Action) -> bool:
        """Whether an action says all about what it leads to, dice apart; a move in a world with detours does not."""
        return not (isinstance(action, Move) and _has_detours(game))

    @property
    def changes(self) -> list[tuple[Turn, bool]]:
        """What is done to the board: how it is turned, and whether it gets other labels."""
        return [(turn, labels) for turn in self.turns for labels in ((False, True) if self.labels else (False,))]

    def image(self, rules: Ruleset, world: Any, turn: Turn, labels: bool = False) -> Image:
        """Games on the turned board."""
        board = world.board
        names: dict[str, str] = {}
        if labels:
            names = fresh_names(board.indices, (*world.units, *world.sides, *world.boxes, *board.areas), prefix="hex ", seed=0)
        what = f"{turn}, with other labels" if names else str(turn)
        return Image(f"the board is {what}", self.world(rules, world, moved(board, turn, names), names), names)

    def world(self, rules: Ruleset, world: Any, board: Board, names: Names) -> World:
        """What is played with on another board; `names` are the labels that changed.

        Override this where the world has tables of its own that name hexes.
        """
        made: World = rules.world(replace(world.setup, board=board))
        return made


class Renaming(Relation):
    """What a unit is called does not matter."""

    def image(self, rules: Ruleset, world: Any, seed: int | None = None) -> Image:
        """Games with other names for all units; with a seed they also sort in another order."""
        taken = (*world.sides, *world.board.indices, *world.boxes)
        names = fresh_names(world.units, taken, prefix="unit ", seed=seed)
        what = "the units have other names" + ("" if seed is None else " that sort otherwise")
        return Image(what, self.world(rules, world, names), names)

    def world(self, rules: Ruleset, world: Any, names: Names) -> World:
        """What is played with under other names of units.

        Override this where the world has tables of its own that name units.
        """
        units = {names[unit]: replace(counter, id=names[unit]) for unit, counter in world.units.items()}
        return rebuilt(rules, world, units=units)


@dataclass(frozen=True)
class Interchange(Relation):
    """The two sides could be exchanged: whatever is asked here has the same answer for either of them.

    Which answers these are, `kinds` says. Where victory or the number of chits differ between the sides but movement and combat
    do not, it leaves out the actions.
    """

    kinds: Sequence[str] = KINDS[:-1]

    def image(self, rules: Ruleset, world: Any) -> Image:
        """Games in which the units of one side are the other's."""
        one, other = world.sides
        names = {one: other, other: one}
        return Image("the sides are exchanged", self.world(rules, world, names), names)

    def world(self, rules: Ruleset, world: Any, names: Names) -> World:
        """What is played with when the sides are exchanged.

        Override this where the world has more that belongs to a side than its units: sources of supply, for instance.
        """
        return rebuilt(rules, world, units=self.counters(world, names))

    def counters(self, world: Any, names: Names) -> Mapping[str, Any]:
        """The units under the other flag."""
        return {unit: replace(counter, side=names[counter.side]) for unit, counter in world.units.items()}


@dataclass(frozen=True)
class Locality(Relation):
    """A unit that comes to stand far away from another's reach does not matter to it.

    Args:
        kinds: what must stay as it was for the units that are far away.
        far: how many hexes from every hex in reach are far: beyond the zones of control and what they touch.
        depends: what reaches over any distance, such as supply; units for which it changes are not compared.
    """

    kinds: Sequence[str] = ("reach", "odds", "retreats", "actions")
    far: int = 3
    depends: Sequence[str] = ("supply",)

    def strangers(self, game: Game) -> Sequence[str]:
        """The units that could be put on the board: out of play or not there yet, without command, and no step waits for them."""
        at, world = game.state.locations, game.world
        waiting = _texts([step.to_json() for step in game.state.stack])
        return [
            unit
            for unit, counter in world.units.items()
            if at.get(unit, "") not in world.board
            and unit not in waiting
            and counter.arm in world.chart.arms
            and not counter.is_headquarters
        ]

    def hexes(self, game: Game, stranger: str) -> Sequence[str]:
        """The hexes where such a unit could stand: ground of its arm, without units."""
        world = game.world
        held = set(game.state.locations.values())
        arm = world.units[stranger].arm
        return [
            label for label in world.board.labels if label not in held and world.chart.entry(world.board, arm, label) != CLOSED
        ]

    def concerned(self, game: Game, unit: str) -> Sequence[str]:
        """The hexes that matter to a unit: where it can retreat to from where it stands, and where it can go, in whatever way."""
        modes = game.world.movement.modes_of(game.position, unit)
        around = game.world.board.disk(game.state.locations[unit], RETREAT + 1)
        return [*around, *(label for mode in modes for label in game.query.reach(unit, mode.name).costs)]


def _texts(value: Any) -> set[str]:
    """All texts in JSON data."""
    if isinstance(value, str):
        return {value}
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return {text for item in items for text in _texts(item)}


def _has_detours(game: Game) -> bool:
    """Whether units may be sent round by a place."""
    return bool(game.world.movement.prizes(game.position))
