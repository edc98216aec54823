"""19.2 Many players: who commands which units and chits, and the steps that the players of a side share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from hexwar.engine import NEUTRAL, ActionSet, Grouped, Lanes, Part, Play, Position, SeatName, Step, record
from hexwar.errors import HexwarError, Refusal
from hexwar.mechanics import Arriving, Declaring, Entering
from hexwar.pieces import Choosing, OneByOne, UnitAction, UnitName, unit_of
from hexwar_ava.combat import SURPRISE
from hexwar_ava.counters import Counter
from hexwar_ava.state import Doing, UnitsActivated
from hexwar_ava.tables import Chit, Role

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld

CONTROLLER = "controller"
"""The option's value and the seat of a controller who plays no side."""
MASTER_CUP = "master-cup"
OWN_FIELDS = {"active": (), "retreated": (), "commander": ""}
"""What each activation keeps separately, as it begins; and the phase."""
ROLE_CLAUSES = {4: "19.2.1", 5: "19.2.2", 6: "19.2.3", 7: "19.2.4", 8: "19.2.5"}


class AvaTeams(Part):
    """The seats of a game and what they command."""

    world: AvaWorld

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The seats that belong to a side."""
        return tuple(seat for seat, side in self.world.seats.items() if side != NEUTRAL)

    @cached_property
    def divided(self) -> bool:
        """Whether several players divide a side by the roles of 19.2; under other names the first of a side decides alone."""
        return len(self.players) > len(self.world.sides) and set(self.players) <= set(self._roles)

    @cached_property
    def many(self) -> str:
        """How many players play: "controller" (19), "master-cup" (20), or "" for one chit after the other."""
        chosen = str(self.world.options["many-players"])
        return "" if chosen == "off" else chosen

    @cached_property
    def _roles(self) -> Mapping[str, Role]:
        return {role.seat: role for role in self.world.printed.roles.role}

    def check(self) -> None:
        """Fail with a sentence if the seats and the options do not fit together.

        Raises:
            HexwarError: naming what is wrong.
        """
        if self.many and not self.divided:
            raise HexwarError(
                f"option many-players={self.many} needs the seats of many players, such as seats='6-players'; "
                f"the seats are {', '.join(self.world.seats)}"
            )
        if self.world.options["controller"] == "player" and self.controller not in self.players:
            raise HexwarError("option controller=player needs the roles of 19.2, such as seats='6-players': they name him")
        for side in self.world.sides if self.divided else ():
            role_sides = {self._roles[seat].side for seat in self.world.seats_of(side)}
            if role_sides != {side}:
                raise HexwarError(f"the seats of {side} are roles of the other side")
            sheets = {sheet for seat in self.world.seats_of(side) for sheet in self._roles[seat].sheets}
            if not {"L", "S", "K"} <= sheets:
                raise HexwarError(f"nobody of {side} commands on one of the maps: take one of the ruleset's seatings")
            if self.many == MASTER_CUP and str(len(self.world.seats_of(side))) not in self.world.printed.roles.masters.number:
                raise HexwarError(f"a master cup (20) is for teams of one to five, not of {len(self.world.seats_of(side))}")

    @cached_property
    def controller(self) -> str:
        """19.3.1: the seat of the controller, "" if there is no one to ask."""
        if self.many != CONTROLLER or self.world.options["controller"] == "automatic":
            return ""
        if self.world.options["controller"] == "seat":
            return CONTROLLER
        named = self.world.printed.roles.controllers.get(str(len(self.players)), "")  # type: ignore[call-overload]
        return named if named in self.players else "nobody"

    # -- 19.2 who commands what -------------------------------------------------------------------------------------------

    @cached_property
    def clause(self) -> str:
        """The clause on the roles for this number of players."""
        return ROLE_CLAUSES.get(len(self.players), "19.2.6")

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """Unit -> who commands it."""
        return {unit: self._owner_of(counter) for unit, counter in self.world.units.items()}

    def _owner_of(self, counter: Counter) -> str:
        """19.2: by formation, by nation, or by map."""
        seats = self.world.seats_of(counter.side)
        roles = [self._roles[seat] for seat in seats]
        by_formation = [role.seat for role in roles if counter.formation and counter.formation in role.formations]
        by_nation = [role.seat for role in roles if counter.nation in role.nations]
        by_map = [role.seat for role in roles if counter.sheet in role.sheets]
        return (*by_formation, *by_nation, *by_map, *seats)[0]

    def seat_on(self, side: str, label: str) -> str:
        """Who decides for a side about a hex or a map, by the letter of the map."""
        seats = self.world.seats_of(side)
        return next((seat for seat in seats if self.divided and label[:1] in self._roles[seat].sheets), seats[0])

    def seat_of(self, chit: Chit) -> str:
        """Who carries out a chit: the commander of its headquarters; of a chit that concerns a whole side, its first seat."""
        return self.world.seat_for(chit.side or self.world.sides[0], chit.activates)

    def owns(self, seat: str, unit: str) -> bool:
        """Whether a seat decides for a unit of its side."""
        return not self.divided or self.owners[unit] == seat

    def acting(self, at: Position, unit: str) -> str:
        """8.1.1: who moves the active units: the player who carries out the chit, or the commander of the first of them."""
        commander: str = getattr(at.state, "commander", "")
        return commander or self.world.seat_for(self.world.units[unit].side, unit)

    def free(self, at: Position, units: tuple[str, ...]) -> tuple[str, ...]:
        """8.1.1: of the given units, those that no other activation in progress is using."""
        engaged: Mapping[str, tuple[str, ...]] | None = getattr(at.state, "engaged", None)
        if not engaged:
            return units
        taken = {unit for others in engaged.values() for unit in others}
        return tuple(unit for unit in units if unit not in taken)

    def not_yours(self, seat: str, unit: str) -> Refusal | None:
        """19.2: the refusal for a player who tries to decide for another player's unit."""
        if unit not in self.world.units or self.owns(seat, unit):
            return None
        whose = self.world.seat_for(self.world.units[unit].side, unit)
        return Refusal.against(self.clause, f"{unit} is commanded by {whose}, not by {seat}")


# -- side by side -------------------------------------------------------------------------------------------------------


@record
class Together(Lanes):
    """Several players of a side do something at the same time, each in a lane of their own."""

    kind = "together"


def side_by_side(play: Play[Any, AvaWorld], steps: Iterable[tuple[str, str, Step]]) -> None:
    """Let several seats act at once.

    Args:
        play: the game.
        steps: the name of each lane, its seat, and what that has to do.
    """
    lanes = Together()
    for name, seat, step in steps:
        lanes = lanes.with_lane(play, name, seat, [step], phase=play.state.phase, **OWN_FIELDS)
    if lanes.lanes:
        play.push(lanes)


def pass_on(play: Doing, step: Choosing) -> None:
    """A team decides one after the other: the next player goes on with a step, which ends after the last of them."""
    seats = play.world.seats_of(play.world.seats[step.seat])
    if play.world.teams.divided and step.seat != seats[-1]:
        play.replace(replace(step, seat=seats[seats.index(step.seat) + 1]))
    else:
        play.pop()


@record
class Surprising(Step):
    """15.1, 20.2.7: the panzer groups of one player attack; the others' do at the same time."""

    kind = "surprising"
    clause: ClassVar[str] = "20.2.7"
    seat: SeatName
    units: tuple[UnitName, ...]

    def resume(self, play: Doing) -> None:
        """Activate them."""
        play.replace(Declaring(self.seat, self.units))
        play.emit(UnitsActivated(SURPRISE, self.units, clause="15.1.2"))


# -- units of several players that come in ----------------------------------------------------------------------------------


class _Shared(OneByOne):
    """A step over the units of several players: each is asked about their own; a player who is done leaves it to the others."""

    __slots__ = ()

    def waiting_for(self, at: Position, seat: str) -> tuple[str, ...]:
        """His own."""
        return tuple(unit for unit in self.waiting(at) if at.world.teams.owns(seat, unit))

    def actions(self, at: Position, seat: str) -> ActionSet:
        """What his units can do; 19.2: not those of others."""

        def missing(action: UnitAction) -> Refusal | None:
            return at.world.teams.not_yours(seat, action.unit) or self.why_not_now(at, action)

        return Grouped(self.stopping(at), self.waiting_for(at, seat), partial(self.choices, at), unit_of, missing)

    def deciders(self, at: Position) -> tuple[str, ...]:
        """Everybody with a unit that can come."""
        seats = at.world.seats_of(at.world.seats[self.seat])
        return tuple(seat for seat in seats if any(self.choices(at, unit) for unit in self.waiting_for(at, seat)))

    def stop(self, play: Play, seat: str) -> None:
        """No more of his units come; the others' still may."""
        rest = tuple(unit for unit in self.units if not play.world.teams.owns(seat, unit))
        if rest:
            play.replace(replace(self, units=rest))
        else:
            play.pop()


@record
class TeamArriving(_Shared, Arriving):
    """12.1: the reinforcements of a team; the number is the team's, first come, first served."""

    kind = "team-arriving"


@record
class TeamEntering(_Shared, Entering):
    """15.4: the strategic reserve of a team."""

    kind = "team-entering"
