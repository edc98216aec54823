"""11.1 Soviet reinforcements: numbered groups, replacements, and the airborne drop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from hexwar.engine import Choices, Part, Position, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics import Arrive, Arriving, Reinforcements, enter_hexes, has_room, occupant, stack
from hexwar.pieces import Face, OneByOne, UnitAction, UnitPlaced, against, face, on_board
from hexwar_tow.state import AirborneLanded, At, Doing, GroupCalled, UnitReplaced

AIRBORNE = "soviet airborne"
"""The box of the unit that comes with the Airborne chit."""


def rail_hexes(at: At, side: str) -> tuple[str, ...]:
    """11.0.2, 11.0.3, 11.0.5: hexes on railways that lead to a source without enemies, their zones or cities, in any range."""
    return tuple(at.world.board.unmask(at.world.supply.rail_network(at, side, "rail")))


class TowArrivals(Part):
    """11.1: who may come with a chit."""

    def called(self, at: Position) -> list[str]:
        """11.1.1: all whose group has been called."""
        return [unit for number in range(1, at.state.groups + 1) for unit in stack(at, f"soviet group {number}")]

    def groups(self, at: Position) -> tuple[Reinforcements, ...]:
        """11.1.1, 11.0.6: the group of the chit, and those that had to wait; 11.1.2: not those that replace others."""
        fresh = tuple(unit for unit in self.called(at) if not self.world.units[unit].replacement)
        return (Reinforcements(fresh, len(fresh)),) if fresh else ()


def bring_in(play: Doing) -> None:
    """11.1.1: the next group comes; 11.1.2: replacements take the place of others."""
    play.emit(GroupCalled(play.state.groups + 1, clause="11.1.1"))
    arrivals, seat = play.world.arrivals, play.world.seat_for("soviet")
    others = tuple(unit for unit in arrivals.called(play) if play.world.units[unit].replacement)
    if others:
        play.push(Replacing(seat, others))
    for group in arrivals.groups(play):
        play.push(Arriving(seat, group.units, rail_hexes(play, "soviet"), group.number, group.about))


@record
class Replace(UnitAction):
    """Let a replacement take the place of a weaker unit on the map."""

    kind = "replace"
    says = "{unit} takes the place of {replaced}"
    replaced: str

    def appeal(self, at: At) -> float:
        """To a bot: the weakest goes."""
        return -float(face(at, self.replaced).attack)


@record
class Replacing(OneByOne):
    """11.1.2, 2.2.11: replacement units come in, each in place of a weaker unit of its kind."""

    kind = "replacing"
    says = "Replace units on the map by {waiting}?"
    clause: ClassVar[str] = "11.1.2"

    def waiting(self, at: At) -> tuple[str, ...]:
        """Those that still lie in a box."""
        places, board = at.state.locations, at.world.board
        return tuple(unit for unit in self.units if unit in places and places[unit] not in board)

    def choices(self, at: At, unit: str) -> Choices:
        """11.1.2, 11.1.3, 2.2.11: any unit of its kind that is in supply and weaker than it is."""
        able = on_board(at, "soviet")

        def why_not(action: Replace) -> Refusal | None:
            other = action.replaced
            if other not in able or at.world.units[other].arm != at.world.units[unit].arm:
                return Refusal(RefusalCode.AGAINST_RULE, "11.1.2", f"{other} is no Soviet unit on the map of the same kind")
            if other in at.state.supply:
                return Refusal(RefusalCode.AGAINST_RULE, "11.1.3", f"{other} is {at.state.supply[other]}")
            now, fresh = face(at, other), at.world.units[unit].faces[-1]
            if not is_weaker(now, fresh) and not at.world.as_in_1_0:
                told = f"{now.attack}-{now.defence} as it stands against {fresh.attack}-{fresh.defence}"
                return Refusal(RefusalCode.AGAINST_RULE, "2.2.11", f"{other} is not weaker than {unit}: {told}")
            return None

        return Choices([Replace(unit, other) for other in able], why_not)

    def act(self, play: Doing, action: Replace) -> None:
        """11.1.4: the other one leaves the game."""
        play.emit(UnitReplaced(action.replaced, action.unit, clause="11.1.4"))


def is_weaker(one: Face, other: Face) -> bool:
    """2.2.11: whether a side of a counter has less strength than another, in attack or in defence, and in neither more."""
    pairs = ((one.attack, other.attack), (one.defence, other.defence))
    return all(mine <= its for mine, its in pairs) and any(mine < its for mine, its in pairs)


# -- 11.1.5 the airborne drop -----------------------------------------------------------------------------------------------


@record
class Dropping(Arriving):
    """11.1.5: the Airborne marker and its unit land together, in enemy zones or not."""

    kind = "dropping"
    may_stop: ClassVar[bool] = False

    def prompt(self, at: At, seat: str) -> str:
        """Who lands."""
        return f"Where do the paratroopers land ({', '.join(self.waiting(at))})?"

    def open_hexes(self, at: At, unit: str) -> Iterator[str]:
        """The hexes in range without an enemy and with room, as units stand now: the group has already arrived."""
        return (label for label in drop_zone(at) if self._why_shut(at, unit, label) is None)

    def why_closed(self, at: At, unit: str, label: str) -> Refusal | None:
        """Why the unit may not land in a hex; None if it may."""
        if label not in drop_zone(at):
            most = at.world.numbers.drop_range
            return against(at, "arrival.drop", f"{label} is no land within {most} hexes of a Soviet unit in supply")
        return self._why_shut(at, unit, label)

    def _why_shut(self, at: At, unit: str, label: str) -> Refusal | None:
        if occupant(at, label) == "axis":
            return against(at, "arrival.drop", f"the enemy stands in {label}")
        return None if has_room(at, unit, label) else against(at, "stacking", f"{label} is full")

    def act(self, play: Doing, action: Arrive) -> None:
        """11.1.9: the marker counts at once."""
        play.emit(AirborneLanded(action.to, clause="11.1.9"))
        play.emit(UnitPlaced(action.unit, action.to, clause="11.1.5"))
        enter_hexes(play, action.unit, (action.to,))


def drop_zone(at: At) -> tuple[str, ...]:
    """11.1.5: the land within range of a Soviet unit that has no supply marker."""
    world, board = at.world, at.world.board
    near = 0
    for unit in on_board(at, "soviet"):
        if unit not in at.state.supply:
            near |= board.near(at.state.locations[unit], world.numbers.drop_range)
    return tuple(board.unmask(near & ~board.terrain_mask("water")))


def drop(play: Doing) -> None:
    """4.3.10, 11.1.5: the Airborne chit becomes a marker."""
    play.push(Dropping(play.world.seat_for("soviet"), stack(play, AIRBORNE), (), about="arrival.drop"))
