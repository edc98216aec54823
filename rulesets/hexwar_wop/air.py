"""4.3, 14.8 and 17: the questions in which air units are placed: patrols, support of a fight, fighters that answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from hexwar.engine import Action, ActionSet, Concern, Play, Position, RandomSource, Step, pick, record
from hexwar.errors import Refusal
from hexwar.mechanics import Battle
from hexwar.pieces import OneByOne, UnitChoices, on_board
from hexwar_wop.air_fights import AirUnitPlaced, carry_out
from hexwar_wop.flights import COVER, DELAY, RECONNAISSANCE, SUPPORT, Flight, flight_of, hex_of, ready, why_not_ready
from hexwar_wop.missions import (
    Escort,
    Fly,
    Hinder,
    Intercept,
    Reconnoitre,
    Support,
    near_formations,
    supported_hexes,
    why_no_escort,
    why_no_interception,
    why_not_hinder,
    why_not_spot,
    why_not_support,
)

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]

Sort = tuple[Sequence[str], Callable[[str], Action]]
"""Hexes or pieces, and the action that each of them makes."""


@record
class Launching(OneByOne):
    """Base of the steps in which a player places air units, one after the other."""

    kind = ""
    shows = ("place",)

    def waiting(self, at: At) -> tuple[str, ...]:
        """17.5.a: those that can be used."""
        return ready(at, at.world.seats[self.seat])

    def offers(self, at: At, unit: str) -> Iterator[Sort]:
        """What a unit could do, sort by sort."""
        raise NotImplementedError

    def against(self, at: At, action: Any) -> Refusal | None:
        """Why an action is refused, the unit apart."""
        raise NotImplementedError

    def choices(self, at: At, unit: str) -> ActionSet:
        """What a unit may do."""

        def rows() -> Iterator[Action]:
            return (make(name) for names, make in self.offers(at, unit) for name in names)

        def likely(chance: RandomSource) -> Action | None:
            sorts = [sort for sort in self.offers(at, unit) if sort[0]]
            if not sorts:
                return None
            names, make = pick(sorts, chance)
            return make(pick(names, chance))

        return UnitChoices(Fly, unit, rows, lambda action: action, partial(self.why_not_now, at), likely)

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit cannot do something now."""
        if not isinstance(action, Fly):
            return None
        return why_not_ready(at, at.world.seats[self.seat], action.unit) or self.against(at, action)

    def strike_off(self, play: Doing, unit: str) -> None:
        """What was used, the state knows."""

    def stop(self, play: Doing, seat: str) -> None:
        """That is all."""
        self.resume(play)


@record
class Patrolling(Launching):
    """4.3.a: a player places air units for reconnaissance and delay, and fighters with them; 4.3.b: the others wait."""

    kind = "patrolling"
    ending = "Keep the rest on the ground"
    clause: ClassVar[str] = "4.3.a"

    def prompt(self, at: At, seat: str) -> str:
        """Who can fly."""
        return f"Weather: {at.state.weather}. Place {', '.join(self.waiting(at))}, or keep them for the fights."

    def offers(self, at: At, unit: str) -> Iterator[Sort]:
        """Every formation, every hex, every air unit to go with."""
        side, board = at.world.seats[self.seat], at.world.board
        [enemy] = at.world.enemies(side)
        yield [hq for hq in on_board(at, enemy) if at.world.units[hq].level == "formation"], partial(Reconnoitre, unit)
        yield board.unmask(near_formations(at, side)), partial(Hinder, unit)
        yield _escorts(at, side, unit)

    def against(self, at: At, action: Any) -> Refusal | None:
        """4.3.a: by what the air unit is to do."""
        side = at.world.seats[self.seat]
        if isinstance(action, Reconnoitre):
            return why_not_spot(at, side, action.formation)
        if isinstance(action, Hinder):
            return why_not_hinder(at, side, action.to)
        if isinstance(action, Escort):
            return why_no_escort(at, side, action.unit, action.whom)
        return Refusal.against("4.3.a", "in this phase there is reconnaissance, delay and escort")

    def act(self, play: Doing, action: Any) -> None:
        """Place it."""
        if isinstance(action, Reconnoitre):
            label = play.state.locations[action.formation]
            flight = Flight(action.unit, RECONNAISSANCE, label, formation=action.formation)
            play.emit(AirUnitPlaced(flight, clause="17.6.a"))
        elif isinstance(action, Hinder):
            play.emit(AirUnitPlaced(Flight(action.unit, DELAY, action.to), clause="17.8"))
        else:
            _escort(play, action)

    def resume(self, play: Doing) -> None:
        """17.12.b: the enemy may answer what was placed."""
        play.pop()
        if play.state.launched:
            [enemy] = play.world.enemies(play.world.seats[self.seat])
            play.push(Answering(play.world.seat_for(enemy), (), 1))


@record
class Supporting(Launching):
    """14.8.a, 17.2.3, 17.10.a: a player places air units that support a fight; 17.10.b: any number."""

    kind = "supporting"
    ending = "End support"
    clause: ClassVar[str] = "14.8.a"
    battle: Battle

    def prompt(self, at: At, seat: str) -> str:
        """Which fight."""
        return f"Does {' or '.join(self.waiting(at))} support the fight for {self.battle.target}?"

    def concern(self, at: At, seat: str) -> Concern:
        """The fight."""
        return Concern(self.battle.attackers, (self.battle.target,))

    def offers(self, at: At, unit: str) -> Iterator[Sort]:
        """Every hex of those that fight, and every air unit to go with."""
        side = at.world.seats[self.seat]
        yield supported_hexes(at, side, self.battle), partial(Support, unit)
        yield _escorts(at, side, unit)

    def against(self, at: At, action: Any) -> Refusal | None:
        """17.10.a, 17.12.a."""
        side = at.world.seats[self.seat]
        if isinstance(action, Support):
            return why_not_support(at, side, self.battle, action.to)
        if isinstance(action, Escort):
            return why_no_escort(at, side, action.unit, action.whom)
        return Refusal.against("14.8.a", "air units support the fight now, or go with those that do")

    def act(self, play: Doing, action: Any) -> None:
        """Place it."""
        if isinstance(action, Support):
            flight = Flight(action.unit, SUPPORT, action.to, battle=self.battle.target)
            play.emit(AirUnitPlaced(flight, clause="17.10.a"))
        else:
            _escort(play, action)


def _escorts(at: At, side: str, unit: str) -> Sort:
    return [whom for whom in at.state.launched if why_no_escort(at, side, unit, whom) is None], partial(Escort, unit)


def _escort(play: Doing, action: Escort) -> None:
    ward = flight_of(play, action.whom)
    assert ward is not None
    play.emit(AirUnitPlaced(Flight(action.unit, COVER, hex_of(play, ward)), clause="17.12.a"))


@record
class Answering(Launching):
    """14.8.b, 17.12.b: a player may place fighters on what the enemy has just placed; the enemy may answer those in turn."""

    kind = "answering"
    ending = "Send no more fighters"
    clause: ClassVar[str] = "17.12.b"
    passed: int = 0
    """1 if the other player has answered: when both have, and this one places nothing, the missions are carried out."""
    placed: bool = False

    def prompt(self, at: At, seat: str) -> str:
        """Those that it could answer."""
        return f"The enemy has placed {', '.join(self._enemies(at))}: does {' or '.join(self.waiting(at))} intercept?"

    def concern(self, at: At, seat: str) -> Concern:
        """What the enemy has placed."""
        return Concern(tuple(self._enemies(at)))

    def _enemies(self, at: At) -> list[str]:
        return [unit for unit in at.state.launched if at.world.units[unit].side != at.world.seats[self.seat]]

    def offers(self, at: At, unit: str) -> Iterator[Sort]:
        """Every enemy air unit that was placed."""
        side = at.world.seats[self.seat]
        able = [whom for whom in self._enemies(at) if why_no_interception(at, side, unit, whom) is None]
        yield able, partial(Intercept, unit)

    def against(self, at: At, action: Any) -> Refusal | None:
        """17.12.b."""
        if isinstance(action, Intercept):
            return why_no_interception(at, at.world.seats[self.seat], action.unit, action.whom)
        return Refusal.against("17.12.b", "only fighters answer what the enemy has placed")

    def act(self, play: Doing, action: Intercept) -> None:
        """Place the fighter."""
        play.replace(replace(self, placed=True))
        met = flight_of(play, action.whom)
        assert met is not None
        play.emit(AirUnitPlaced(Flight(action.unit, COVER, hex_of(play, met), against=action.whom), clause="17.12.b"))

    def resume(self, play: Doing) -> None:
        """The other player, until both have enough; then everything is carried out."""
        play.pop()
        if self.passed and not self.placed:
            carry_out(play)
        else:
            [enemy] = play.world.enemies(play.world.seats[self.seat])
            play.push(Answering(play.world.seat_for(enemy), (), 1))


def patrol(play: Doing) -> None:
    """2.4, 4.3.a: the player without the initiative places first."""
    first = play.world.initiative(play.state.turn)
    for side in (first, *play.world.enemies(first)):  # the last of them lies on top
        if ready(play, side):
            play.push(Patrolling(play.world.seat_for(side), ()))


def support(play: Doing, battle: Battle) -> None:
    """14.8.a, 14.8.b: air units of the attacker, of the defender, then fighters of both."""
    sides = (*play.world.enemies(battle.side), battle.side)
    able = [side for side in sides if ready(play, side)]
    if able:
        play.push(Answering(play.world.seat_for(battle.side), ()))
    for side in able:
        play.push(Supporting(play.world.seat_for(side), (), battle))


AIR_ACTIONS: tuple[type[Action], ...] = (Reconnoitre, Hinder, Support, Escort, Intercept)
AIR_STEPS: tuple[type[Step], ...] = (Patrolling, Supporting, Answering)
