"""Bugs of supply and command."""

from __future__ import annotations

from typing import Any

from hexwar.mechanics import Command, Supply
from hexwar.mechanics._supply import Ways
from tests.testing.planted_generic.catalogue import Condition, Plant, bug

SUPPLY = Condition("it has no supply lines of the mechanics", lambda parts: parts.supply is not None)
CLOSED = Condition(
    "no terrain is closed to lines", lambda parts: any(parts.world.supply.terms(side).closed for side in parts.world.sides)
)
COMMAND = Condition("it has no command of the mechanics", lambda parts: parts.uses(Command))


def _ways(change: Any) -> Plant:
    def ways(original: Any, self: Supply, at: Any, side: str, without: str = "") -> Any:
        return change(original(self, at, side, without), at, side)

    return lambda patch, parts: patch.wrap(type(parts.supply), "ways", ways)


def _supply_friends_do_not_help(ways: Ways, at: Any, side: str) -> Ways:
    friends = ways.through & at.state.layout.threatened[side]
    return ways._replace(through=ways.through & ~friends, into=ways.into | friends)


def _supply_through_enemies(ways: Ways, at: Any, side: str) -> Ways:
    return ways._replace(through=ways.through | at.state.layout.closed_to(side) & ~ways.passage.closed)


def _supplied(forgotten: Any) -> Plant:
    def supplied(original: Any, self: Supply, at: Any, side: str, wanted: int = 0) -> Any:
        return at.world.board.everywhere if forgotten(at.world.sides, side) else original(self, at, side, wanted)

    return lambda patch, parts: patch.wrap(type(parts.supply), "supplied", supplied)


def _command(name: str, around: Any) -> Plant:
    return lambda patch, parts: patch.wrap(type(parts.world.command), name, around)


def _command_range_more(original: Any, self: Command, at: Any, headquarters: str) -> int:
    mask: int = original(self, at, headquarters)
    for label in at.world.board.unmask(mask):
        mask |= at.world.board.around(label)
    return mask


def _command_range_less(original: Any, self: Command, at: Any, headquarters: str) -> Any:
    board, here, command = at.world.board, at.state.locations[headquarters], at.world.units[headquarters].command
    found = board.unmask(original(self, at, headquarters))
    return board.mask([label for label in found if board.distance(here, label) < command])


def _commanding(more: Any) -> Plant:
    def led_by(original: Any, self: Command, at: Any, headquarters: str) -> tuple[str, ...]:
        found = original(self, at, headquarters)
        return tuple(sorted(set(more(at, headquarters, found)), key=at.state.layout.basis.rank.__getitem__)) if found else ()

    return _command("led_by", led_by)


def _near(at: Any, headquarters: str) -> list[str]:
    """Every unit within the range of a headquarters in a straight line."""
    board, places, command = at.world.board, at.state.locations, at.world.units[headquarters].command
    here = places[headquarters]
    return [unit for unit, label in places.items() if label in board and board.distance(here, label) <= command]


def _command_of_enemies(at: Any, leader: str, found: tuple[str, ...]) -> list[str]:
    units = at.world.units
    return [*found, *(unit for unit in _near(at, leader) if units[unit].side != units[leader].side)]


def _command_of_headquarters(at: Any, leader: str, found: tuple[str, ...]) -> list[str]:
    units = at.world.units
    near = [unit for unit in _near(at, leader) if units[unit].is_headquarters and units[unit].side == units[leader].side]
    return [*found, *near]


BUGS = (
    bug(
        "supply-ignores-zones",
        "Lines pass enemy zones.",
        _ways(lambda ways, at, side: ways._replace(through=ways.through | ways.into, into=0)),
        SUPPLY,
        likely=("supply-is-right", "staged-games-agree"),
    ),
    bug(
        "supply-friends-do-not-help",
        "Lines do not pass an enemy zone where a friend stands.",
        _ways(_supply_friends_do_not_help),
        SUPPLY,
        likely=("supply-is-right", "staged-games-agree"),
    ),
    bug(
        "supply-through-enemies",
        "Lines pass enemy units.",
        _ways(_supply_through_enemies),
        SUPPLY,
        likely=("supply-is-right", "staged-games-agree"),
    ),
    bug(
        "supply-over-closed-terrain",
        "Lines cross terrain that is closed to them.",
        lambda patch, parts: patch.wrap(
            type(parts.supply), "terms", lambda original, self, side: original(self, side)._replace(closed=0)
        ),
        SUPPLY,
        CLOSED,
        likely=("supply-is-right", "staged-games-agree"),
    ),
    bug(
        "supply-from-watched-sources",
        "Lines go on from sources in enemy zones.",
        _ways(lambda ways, at, side: ways._replace(starts=ways.sources)),
        SUPPLY,
        likely=("supply-is-right", "staged-games-agree"),
    ),
    bug(
        "supply-forgotten",
        "Everybody is in supply.",
        _supplied(lambda sides, side: True),
        SUPPLY,
        likely=("supply-is-right", "staged-games-agree"),
    ),
    bug(
        "supply-of-one-side-forgotten",
        "One side is always in supply.",
        _supplied(lambda sides, side: side == sides[0]),
        SUPPLY,
        likely=("supply-is-right", "staged-games-agree"),
    ),
    # -- command
    bug(
        "command-range-more",
        "Command reaches a hex farther.",
        _command("range_of", _command_range_more),
        COMMAND,
        likely="command-is-right",
    ),
    bug(
        "command-range-less",
        "Command reaches a hex less far.",
        _command("range_of", _command_range_less),
        COMMAND,
        likely="command-is-right",
    ),
    bug(
        "command-of-enemies",
        "A headquarters activates enemy units in its range as well.",
        _commanding(_command_of_enemies),
        COMMAND,
        likely="command-is-right",
    ),
    bug(
        "command-of-headquarters",
        "A headquarters activates other headquarters.",
        _commanding(_command_of_headquarters),
        COMMAND,
        likely="command-is-right",
    ),
    bug(
        "command-forgets-itself",
        "A headquarters does not activate itself.",
        _commanding(lambda at, leader, found: [unit for unit in found if unit != leader]),
        COMMAND,
        likely="command-is-right",
    ),
)
