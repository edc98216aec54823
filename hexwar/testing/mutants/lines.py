"""Bugs of supply and command."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hexwar.mechanics import SupplyRules, command_range, in_command
from hexwar.mechanics.supply import Terrain, Ways
from hexwar.testing.mutants.catalogue import Condition, Parts, bug
from hexwar.testing.mutation import Patch

SUPPLY = Condition("it has no supply lines of the mechanics", lambda parts: parts.supply is not None)
CLOSED = Condition(
    "no terrain is closed to lines", lambda parts: parts.supply is not None and parts.on_board(*parts.supply.closed_terrain)
)
WATCHED = Condition(
    "lines leave sources in enemy zones", lambda parts: parts.supply is not None and not parts.supply.leaves_watched_sources
)
COMMAND = Condition("it has no command of the mechanics", lambda parts: parts.uses(in_command))

# -- supply ----------------------------------------------------------------------------------------------------------------


def _ways(patch: Patch, parts: Parts, change: Any) -> None:
    def ways(original: Any, self: SupplyRules, at: Any, side: str, without: str = "") -> Ways:
        found: Ways = change(original(self, at, side, without), at, side)
        return found

    patch.wrap(type(parts.supply), "ways", ways)


@bug("supply-ignores-zones", "Lines pass enemy zones.", SUPPLY, likely=("supply-is-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    _ways(patch, parts, lambda ways, at, side: ways._replace(through=ways.through | ways.into, into=0))


@bug("supply-friends-do-not-help", "Lines do not pass an enemy zone where a friend stands.", SUPPLY,
     likely=("supply-is-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def watched(ways: Ways, at: Any, side: str) -> Ways:
        friends = ways.through & at.state.layout.threatened[side]
        return ways._replace(through=ways.through & ~friends, into=ways.into | friends)

    _ways(patch, parts, watched)


@bug("supply-through-enemies", "Lines pass enemy units.", SUPPLY, likely=("supply-is-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(SupplyRules, "_enemies", lambda original, self, at, side: 0)


@bug("supply-over-closed-terrain", "Lines cross terrain that is closed to them.", SUPPLY, CLOSED,
     likely=("supply-is-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def terrain(original: Any, self: SupplyRules, board: Any, side: str, link: str = "") -> Terrain:
        found: Terrain = original(self, board, side, link)
        return replace(found, closed=0)

    patch.wrap(type(parts.supply), "terrain", terrain)


@bug("supply-from-watched-sources", "Lines go on from sources in enemy zones.", SUPPLY, WATCHED,
     likely=("supply-is-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def sources(original: Any, self: SupplyRules, at: Any, side: str, ways: Ways) -> tuple[int, int]:
        usable, _ = original(self, at, side, ways)
        return usable, usable

    patch.wrap(SupplyRules, "_sources", sources)


def _supplied(patch: Patch, parts: Parts, forgotten: Any) -> None:
    def supplied(original: Any, self: SupplyRules, at: Any, side: str, wanted: int = 0) -> int:
        everywhere: int = at.world.board.everywhere
        return everywhere if forgotten(at.world.sides, side) else int(original(self, at, side, wanted))

    patch.wrap(type(parts.supply), "supplied", supplied)


@bug("supply-forgotten", "Everybody is in supply.", SUPPLY, likely=("supply-is-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    _supplied(patch, parts, lambda sides, side: True)


@bug("supply-of-one-side-forgotten", "One side is always in supply.", SUPPLY, likely=("supply-is-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    _supplied(patch, parts, lambda sides, side: side == sides[0])


# -- command ---------------------------------------------------------------------------------------------------------------


@bug("command-range-more", "Command reaches a hex farther.", COMMAND, likely="command-is-right")
def _(patch: Patch, parts: Parts) -> None:
    def wider(original: Any, at: Any, headquarters: str, *closed: Any, **named: Any) -> int:
        mask: int = original(at, headquarters, *closed, **named)
        for label in at.world.board.unmask(mask):
            mask |= at.world.board.around(label)
        return mask

    patch.everywhere(command_range, wider)


@bug("command-range-less", "Command reaches a hex less far.", COMMAND, likely="command-is-right")
def _(patch: Patch, parts: Parts) -> None:
    def narrower(original: Any, at: Any, headquarters: str, *closed: Any, **named: Any) -> int:
        board, here, command = at.world.board, at.state.at[headquarters], at.world.units[headquarters].command
        found = board.unmask(original(at, headquarters, *closed, **named))
        mask: int = board.mask([label for label in found if board.distance(here, label) < command])
        return mask

    patch.everywhere(command_range, narrower)


def _commanding(patch: Patch, more: Any) -> None:
    def commanded(original: Any, at: Any, headquarters: str, *given: Any, **named: Any) -> list[str]:
        found: list[str] = original(at, headquarters, *given, **named)
        rank = at.state.layout.ground.rank
        return sorted(set(more(at, headquarters, found)), key=rank.__getitem__)

    patch.everywhere(in_command, commanded)


def _near(at: Any, headquarters: str) -> list[str]:
    """Whoever stands within the range of a headquarters as the crow flies."""
    board, places, command = at.world.board, at.state.at, at.world.units[headquarters].command
    here = places[headquarters]
    return [unit for unit, label in places.items() if label in board and board.distance(here, label) <= command]


@bug("command-of-enemies", "A headquarters activates enemy units in its range as well.", COMMAND, likely="command-is-right")
def _(patch: Patch, parts: Parts) -> None:
    def more(at: Any, leader: str, found: list[str]) -> list[str]:
        units = at.world.units
        return [*found, *(unit for unit in _near(at, leader) if units[unit].side != units[leader].side)]

    _commanding(patch, more)


@bug("command-of-headquarters", "A headquarters activates other headquarters.", COMMAND, likely="command-is-right")
def _(patch: Patch, parts: Parts) -> None:
    def more(at: Any, leader: str, found: list[str]) -> list[str]:
        units = at.world.units
        near = [unit for unit in _near(at, leader) if units[unit].is_headquarters and units[unit].side == units[leader].side]
        return [*found, *near]

    _commanding(patch, more)


@bug("command-forgets-itself", "A headquarters does not activate itself.", COMMAND, likely="command-is-right")
def _(patch: Patch, parts: Parts) -> None:
    _commanding(patch, lambda at, leader, found: [unit for unit in found if unit != leader])
