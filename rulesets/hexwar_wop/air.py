"""4.3, 14.8 and 17: air missions: reconnaissance, delay, support of a fight, and fighters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from hexwar.engine import Action, ActionSet, Concern, Play, Position, PublicEvent, RandomSource, Step, pick, record
from hexwar.errors import Refusal
from hexwar.mechanics import Battle, OneByOne, UnitAction, UnitChoices, on_board, stands
from hexwar_wop.flights import (
    COVER,
    DELAY,
    RECONNAISSANCE,
    SUPPORT,
    WEAKENED,
    Flight,
    flight_of,
    flights_of,
    hex_of,
    impact_zone,
    leave,
    ready,
    stars_of,
    why_not_ready,
)
from hexwar_wop.modifiers import Forces

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]

NEAR = 3
"""17.8: hexes from an enemy formation."""


# -- 17.2 what an air unit may do -------------------------------------------------------------------------------------------


@record
class Fly(UnitAction):
    """An air unit is used."""

    kind = ""
    can = "fly"


@record
class Reconnoitre(Fly):
    """17.2.1: try to spot an enemy formation."""

    kind = "reconnoitre"
    says = "{unit} looks for {formation}"
    formation: str


@record
class Hinder(Fly):
    """17.2.2: delay the enemy around a hex."""

    kind = "hinder"
    says = "{unit} delays the enemy around {to}"
    to: str


@record
class Support(Fly):
    """17.2.3: support a fight, from a hex of the units that are in it."""

    kind = "support"
    says = "{unit} supports the fight over {to}"
    to: str


@record
class Escort(Fly):
    """17.2.4, 17.12.a: a fighter goes with an air unit of its side."""

    kind = "escort"
    says = "{unit} escorts {whom}"
    whom: str


@record
class Intercept(Fly):
    """17.2.4, 17.12.b: a fighter is placed on an enemy air unit."""

    kind = "intercept"
    says = "{unit} intercepts {whom}"
    whom: str


@record
class AirUnitPlaced(PublicEvent[Any]):
    """17.5.a: an air unit is over the map, and that is its use in this turn."""

    kind = "air-unit-placed"
    flight: Flight

    def apply(self, state: WopState) -> None:
        """Put it there."""
        unit = self.flight.unit
        state.flights = (*state.flights, self.flight)
        state.launched, state.flown = (*state.launched, unit), (*state.flown, unit)

    def __str__(self) -> str:
        flight = self.flight
        whom = {RECONNAISSANCE: flight.formation, SUPPORT: flight.battle, COVER: flight.against}.get(flight.mission, "")
        return f"{flight.unit} over {flight.hex}: {flight.mission}" + (f" ({whom})" if whom else "")


@record
class FormationSpotted(PublicEvent[Any]):
    """17.6.a, 17.7: an air unit tracks a formation for the rest of the turn."""

    kind = "formation-spotted"
    says = "{unit} has found {formation} and tracks it"
    unit: str
    formation: str

    def apply(self, state: WopState) -> None:
        """It is over its headquarters already."""


@record
class AirFightDecided(PublicEvent[Any]):
    """17.13.a: two air units have met; the winner is "" after a tie."""

    kind = "air-fight-decided"
    units: tuple[str, str]
    totals: tuple[int, int]
    winner: str

    def apply(self, state: WopState) -> None:
        """What follows is told by itself."""

    def __str__(self) -> str:
        told = " against ".join(f"{unit} ({total})" for unit, total in zip(self.units, self.totals, strict=True))
        return f"{told}: {f'{self.winner} wins' if self.winner else 'nothing comes of it'}"


@record
class LaunchAnswered(PublicEvent[Any]):
    """17.12.b: nobody answers what has been placed any more."""

    kind = "launch-answered"
    says = "the air units carry out their missions"

    def apply(self, state: WopState) -> None:
        """They are not new any more."""
        state.launched = ()


# -- 4.3, 14.8 who may be placed where --------------------------------------------------------------------------------------


def why_not_spot(at: At, side: str, formation: str) -> Refusal | None:
    """17.6.a: an air unit is placed on the headquarters of an enemy formation; 17.3: anywhere on the map."""
    counter = at.world.units.get(formation)
    if counter is None or counter.level != "formation" or counter.side == side or not stands(at, formation):
        return Refusal.against("17.6.a", f"{formation} is no headquarters of an enemy formation on the map")
    return None


def why_not_hinder(at: At, side: str, label: str) -> Refusal | None:
    """17.8: near a unit or the headquarters of an enemy formation; 17.3."""
    board = at.world.board
    if label not in board:
        return Refusal.against("17.3", f"there is no hex {label} on the map")
    if not near_formations(at, side) >> board.index(label) & 1:
        return Refusal.against("17.8", f"no enemy formation is within {NEAR} hexes of {label}")
    return None


def near_formations(at: At, side: str) -> int:
    """17.8: the mask of the hexes in which air units of a side may delay the enemy."""
    found: int | None = at.memo.get(("near", side))
    if found is None:
        [enemy] = at.world.enemies(side)
        units, board = at.world.units, at.world.board
        pieces = [unit for unit in on_board(at, enemy) if units[unit].formation or units[unit].level == "formation"]
        found = board.mask([at.state.locations[unit] for unit in pieces])
        for _ in range(NEAR):
            found |= reduce(or_, [found << delta if delta > 0 else found >> -delta for delta in board.deltas])
            found &= board.everywhere
        at.memo["near", side] = found
    return found


def why_not_support(at: At, side: str, battle: Battle, label: str) -> Refusal | None:
    """17.10.a: where units of the formations stand that attack or are attacked; an independent unit is one by itself."""
    if label not in supported_hexes(at, side, battle):
        return Refusal.against("17.10.a", f"no unit of {side} in {label} is of those that fight for {battle.target}")
    return None


def supported_hexes(at: At, side: str, battle: Battle) -> list[str]:
    """17.10.a: the hexes from which a fight can be supported."""
    forces, units, places = Forces.of(at, battle), at.world.units, at.state.locations
    fighting = (*forces.attackers, *forces.guns) if side == battle.side else forces.defenders
    formations = {units[unit].formation for unit in fighting} - {""}
    others = [unit for unit in on_board(at, side) if units[unit].formation in formations]
    return sorted({places[unit] for unit in (*fighting, *others) if stands(at, unit)})


def why_no_fighter(at: At, unit: str) -> Refusal | None:
    """17.12.a: only units with the symbol of fighters are used as such."""
    return None if at.world.units[unit].fighter else Refusal.against("17.12.a", f"{unit} is no fighter unit")


def why_no_escort(at: At, side: str, unit: str, whom: str) -> Refusal | None:
    """17.12.a: a fighter goes with an air unit of its side that is being placed for something else."""
    ward = flight_of(at, whom)
    if ward is None or at.world.units[whom].side != side or whom not in at.state.launched or ward.mission == COVER:
        return Refusal.against("17.12.a", f"{whom} is not being placed for another mission of {side}")
    return why_no_fighter(at, unit)


def why_no_interception(at: At, side: str, unit: str, whom: str) -> Refusal | None:
    """17.12.b: a fighter is placed on an enemy air unit that has just been used."""
    if whom not in at.state.launched or at.world.units[whom].side == side:
        return Refusal.against("17.12.b", f"{whom} is no enemy air unit that has just been placed")
    return why_no_fighter(at, unit)


# -- the questions --------------------------------------------------------------------------------------------------------


@record
class Launching(OneByOne):
    """Base of the steps in which a player places air units, one after the other."""

    kind = ""

    def waiting(self, at: At) -> tuple[str, ...]:
        """17.5.a: those that can be used."""
        return ready(at, at.world.seats[self.seat])

    def offers(self, at: At, unit: str) -> Iterator[Sequence[Action]]:
        """What a unit could do, sort by sort."""
        raise NotImplementedError

    def against(self, at: At, action: Any) -> Refusal | None:
        """What speaks against an action, the unit apart."""
        raise NotImplementedError

    def choices(self, at: At, unit: str) -> ActionSet:
        """What a unit may do."""

        def rows() -> Iterator[Action]:
            return (action for sort in self.offers(at, unit) for action in sort)

        def likely(chance: RandomSource) -> Action | None:
            sorts = [sort for sort in self.offers(at, unit) if sort]
            return pick(pick(sorts, chance), chance) if sorts else None

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

    def offers(self, at: At, unit: str) -> Iterator[Sequence[Action]]:
        """Every formation, every hex, every air unit to go with."""
        side, board = at.world.seats[self.seat], at.world.board
        [enemy] = at.world.enemies(side)
        yield [Reconnoitre(unit, hq) for hq in on_board(at, enemy) if at.world.units[hq].level == "formation"]
        yield [Hinder(unit, label) for label in board.unmask(near_formations(at, side))]
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
    """14.8.a, 17.2.3, 17.10.a: a player places air units that support a fight; 17.10.b: as many as he likes."""

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

    def offers(self, at: At, unit: str) -> Iterator[Sequence[Action]]:
        """Every hex of those that fight, and every air unit to go with."""
        side = at.world.seats[self.seat]
        yield [Support(unit, label) for label in supported_hexes(at, side, self.battle)]
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


def _escorts(at: At, side: str, unit: str) -> list[Action]:
    return [Escort(unit, whom) for whom in at.state.launched if why_no_escort(at, side, unit, whom) is None]


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
    """1 if the other player has had his say: when both have, and this one places nothing, the missions are carried out."""
    placed: bool = False

    def prompt(self, at: At, seat: str) -> str:
        """Whom he could answer."""
        return f"The enemy has placed {', '.join(self._enemies(at))}: does {' or '.join(self.waiting(at))} intercept?"

    def concern(self, at: At, seat: str) -> Concern:
        """What the enemy has placed."""
        return Concern(tuple(self._enemies(at)))

    def _enemies(self, at: At) -> list[str]:
        return [unit for unit in at.state.launched if at.world.units[unit].side != at.world.seats[self.seat]]

    def offers(self, at: At, unit: str) -> Iterator[Sequence[Action]]:
        """Every enemy air unit that was placed."""
        side = at.world.seats[self.seat]
        yield [Intercept(unit, whom) for whom in self._enemies(at) if why_no_interception(at, side, unit, whom) is None]

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


# -- 17.13 fights in the air, 17.6 reconnaissance -----------------------------------------------------------------------------


def touch(at: At, one: Flight, other: Flight) -> bool:
    """17.13.a: whether the impact zones of two air units have a hex in common."""
    return bool(impact_zone(at, one) & impact_zone(at, other))


def carry_out(play: Doing) -> None:
    """17.12, 17.13, 17.6: those that were placed fight whom they meet; then reconnaissance is tried."""
    launched = play.state.launched
    if not launched:
        return
    _fighters_meet(play, launched)
    for unit in launched:
        _intercept(play, unit)
    for unit in launched:
        flight = flight_of(play, unit)
        if flight and flight.mission == RECONNAISSANCE:
            _look(play, flight)
    play.emit(LaunchAnswered(clause="17.12.b"))


def _fighters_meet(play: Doing, launched: Sequence[str]) -> None:
    """17.13.a: each fighter that was placed fights all enemy fighters that it meets, one after the other, each once."""
    met: set[frozenset[str]] = set()
    for unit in launched:
        for other in _enemy_fighters(play, unit):
            pair = frozenset({unit, other})
            if pair not in met and flight_of(play, unit) and flight_of(play, other):
                met.add(pair)
                _fight(play, unit, other)


def _enemy_fighters(at: At, unit: str) -> list[str]:
    """The enemy fighters whose zones touch that of a fighter over the map."""
    flight, counter = flight_of(at, unit), at.world.units[unit]
    if flight is None or not counter.fighter:
        return []
    [enemy] = at.world.enemies(counter.side)
    return [foe.unit for foe in flights_of(at, enemy) if at.world.units[foe.unit].fighter and touch(at, flight, foe)]


def _intercept(play: Doing, unit: str) -> None:
    """17.13.a: an air unit that no fighter protects defends itself, without its modifier."""
    fighter = flight_of(play, unit)
    if fighter and fighter.against and flight_of(play, fighter.against) and not _enemy_fighters(play, unit):
        _fight(play, unit, fighter.against)


def _fight(play: Doing, unit: str, other: str) -> None:
    """17.13.a to 17.13.c: who throws more wins; the loser and all others that the winner meets fly home and check losses."""
    units = play.world.units
    pair, totals = (unit, other), []
    for name in pair:
        added = stars_of(play, name) if units[name].fighter else 0
        totals.append(added + play.roll(f"{name} in the air ({added:+d})", clause="17.13.a", sides=10, lowest=0))
    winner = "" if totals[0] == totals[1] else pair[totals.index(max(totals))]
    if winner and not units[winner].fighter:
        winner = ""  # it simply goes on
    play.emit(AirFightDecided(pair, (totals[0], totals[1]), winner, clause="17.13.a"))
    best = flight_of(play, winner) if winner else None
    if best is None:
        return
    [enemy] = play.world.enemies(units[winner].side)
    for beaten in [flight for flight in flights_of(play, enemy) if touch(play, best, flight)]:
        leave(play, beaten.unit, "17.14.2")


def _look(play: Doing, flight: Flight) -> None:
    """17.6.a to 17.6.c: a roll finds the formation; an air unit that fails goes home."""
    table = play.world.printed.tables.air
    added = table.reconnaissance_weakened if play.state.steps_left[flight.unit] == WEAKENED else 0
    rolled = play.roll(f"{flight.unit} looks for {flight.formation} (+{added})", clause="17.6.a", sides=10, lowest=0)
    if rolled + added <= table.reconnaissance[1]:
        play.emit(FormationSpotted(flight.unit, flight.formation, clause="17.7"))
    else:
        leave(play, flight.unit, "17.6.c")


AIR_ACTIONS: tuple[type[Action], ...] = (Reconnoitre, Hinder, Support, Escort, Intercept)
AIR_STEPS: tuple[type[Step], ...] = (Patrolling, Supporting, Answering)
AIR_EVENTS: tuple[type[PublicEvent[Any]], ...] = (AirUnitPlaced, FormationSpotted, AirFightDecided, LaunchAnswered)
