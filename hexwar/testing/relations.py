"""Metamorphic relations as capabilities: what one may do to a position without the rules saying anything else about it.

Each is a promise that a ruleset makes in its kit. For rulesets that are built on `hexwar.mechanics` the methods here do; others,
and those whose content names hexes, units or sides outside of board, counters and state, override what differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hexwar.board import CLOSED, Board
from hexwar.engine import Action, Game, Ruleset, World
from hexwar.mechanics import Move
from hexwar.testing.images import KINDS, RETREAT, TURNS, Answers, Image, Names, Turn, fresh_names, hex_answers, moved, rebuilt
from hexwar.testing.kit import Capability


class Relation(Capability):
    """What all of them share.

    Args:
        kinds: what is asked of a position and of its image; see `hexwar.testing.images.KINDS`.
    """

    def __init__(self, kinds: Sequence[str] = KINDS) -> None:
        self.kinds = tuple(kinds)

    def units(self, game: Game) -> Sequence[str]:
        """The units about which something can be asked."""
        return [unit for unit, label in game.state.locations.items() if label in game.world.board]

    def answers(self, game: Game, units: Sequence[str]) -> Answers:
        """What the rules say of some units, and of all that may be done now."""
        return hex_answers(game, units, self.kinds)


class Symmetry(Relation):
    """The rules know no compass: on a board that is turned or mirrored everything is as it was.

    The hexes keep their labels when they move, so a ruleset whose own tables name hexes can promise this. One that has no such
    tables can also promise that the labels do not matter.

    Args:
        kinds: what is asked of a position and of its image.
        turns: what is done to the board.
        labels: whether hexes get new labels as well.
    """

    name = "symmetry"

    def __init__(self, kinds: Sequence[str] = KINDS, turns: Sequence[Turn] = TURNS, *, labels: bool = False) -> None:
        super().__init__(kinds)
        self.turns = tuple(turns)
        self.labels = labels

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

    name = "renaming"

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


class Interchange(Relation):
    """The two sides could be exchanged: whatever is asked here has the same answer for either of them.

    Which answers these are, `kinds` says. Where victory or the number of chits differ between the sides but movement and combat
    do not, it leaves out the actions.
    """

    name = "interchange"

    def __init__(self, kinds: Sequence[str] = KINDS[:-1]) -> None:
        super().__init__(kinds)

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


class Locality(Relation):
    """A unit that comes to stand far away from another's reach does not matter to it.

    Args:
        far: how many hexes from every hex in reach are far: beyond the zones of control and what they touch.
        kinds: what must stay as it was for the units that are far away.
        depends: what reaches over any distance, such as supply; units for which it changes are not compared.
    """

    name = "locality"

    def __init__(
        self,
        far: int = 3,
        kinds: Sequence[str] = ("reach", "odds", "retreats", "actions"),
        depends: Sequence[str] = ("supply",),
    ) -> None:
        super().__init__(kinds)
        self.far = far
        self.depends = tuple(depends)

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
        """The hexes where such a unit could stand: ground of its arm, nobody there."""
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
