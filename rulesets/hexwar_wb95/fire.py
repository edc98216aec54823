"""Barrage and independent fire: guns that fire at a hex without attacking it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hexwar.engine import Action, ActionSet, Choices, Concern, Play, Position, PublicEvent, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import occupant, stack
from hexwar.pieces import Choosing, Losing, TopicStep, UnitAction, against, face, standing
from hexwar_wb95.content import half
from hexwar_wb95.results import suffer
from hexwar_wb95.state import Wb95State, also

if TYPE_CHECKING:
    from hexwar_wb95.state import At, Doing

LEAST = {True: 2, False: 1}
"""art.20: how many guns fire a barrage, or alone."""
NEAR = 2
"""art.16: the least distance of independent fire."""


@record
class Aim(Action):
    """Choose a hex for a barrage."""

    kind = "aim"
    says = "fire a barrage at {target}"
    can = "be fired at"
    target: str


@record
class Bombard(Action):
    """Fire at a hex in the combat phase without attacking it."""

    kind = "bombard"
    says = "fire at {target}"
    can = "be fired at"
    target: str


@record
class Lay(UnitAction):
    """Let a gun take part in the fire."""

    kind = "lay"
    says = "lay {unit} on the target"


@record
class Shoot(Action):
    """Fire."""

    kind = "shoot"
    says = "fire"


@record
class GunsFired(PublicEvent[Wb95State]):
    """Guns fired at a hex."""

    kind = "guns-fired"
    side: str
    guns: tuple[str, ...]
    target: str
    barrage: bool
    strength: int

    def apply(self, state: Wb95State) -> None:
        """art.16, art.21, art.22: a barrage takes ammunition and silences the guns; independent fire is their one use."""
        if self.barrage:
            state.silent = also(state.silent, *self.guns)
            left = state.ammunition.get(self.side, 0) - len(self.guns)
            state.ammunition = {**state.ammunition, self.side: left}
        else:
            state.used, state.fought = also(state.used, *self.guns), also(state.fought, *self.guns)
        state.stirred = also(state.stirred, *self.guns)

    def __str__(self) -> str:
        return f"{', '.join(self.guns)} fire at {self.target} with {self.strength}{' in a barrage' * self.barrage}"


@record
class FireResolved(PublicEvent[Wb95State]):
    """What fire at a hex brought."""

    kind = "fire-resolved"
    says = "the fire at {target} results in {result}"
    target: str
    result: str

    def apply(self, state: Wb95State) -> None:
        """What follows has events of its own."""


# -- who may fire at what -------------------------------------------------------------------------------------------------


def why_no_fire(at: At, side: str, unit: str, target: str, *, barrage: bool) -> Refusal | None:
    """art.1, art.7, art.12, art.16, art.21: why a gun may not fire at a hex."""
    world, here = at.world, at.state.locations.get(unit, "")
    counter = world.units.get(unit)
    if counter is None or counter.side != side or not counter.is_gun or here not in world.board.indices:
        return against(at, "fire", f"{side} has no gun {unit} on the map")
    if target not in world.board.indices or occupant(at, target) not in world.enemies(side):
        return against(at, "fire", f"there is no enemy in {target}")
    far, most = world.board.distance(here, target), world.printed.tables.guns.range
    if far > most:
        return against(at, "combat.support.range", f"{target} is out of range of {unit}: {most} hexes")
    if barrage:
        if unit in at.state.marching:
            return against(at, "combat.fire.formation", f"{unit} is in march formation")
        return against(at, "combat.barrage", f"{unit} has fired a barrage in this turn") if unit in at.state.silent else None
    if far < NEAR:
        return against(at, "fire", f"{target} is nearer to {unit} than {NEAR} hexes")
    tired: Refusal | None = world.combat.why_not_fire(at, unit)
    return tired


def guns_for(at: At, side: str, target: str, *, barrage: bool) -> list[str]:
    """The guns of a side that may fire at a hex: what `why_no_fire` says of each of them."""
    if occupant(at, target) not in at.world.enemies(side):
        return []
    board, places, least, most = at.world.board, at.state.locations, 0 if barrage else NEAR, at.world.printed.tables.guns.range
    return [unit for unit in _loaded(at, side, barrage=barrage) if least <= board.distance(places[unit], target) <= most]


def _loaded(at: At, side: str, *, barrage: bool) -> list[str]:
    """art.7, art.12, art.21: the guns of a side that may fire, whatever is in range."""
    found: list[str] | None = at.memo.get(("loaded", side, barrage))
    if found is None:
        state, why_not = at.state, at.world.combat.why_not_fire
        guns = [unit for unit in at.world.on_board(state, side) if at.world.units[unit].is_gun]
        if barrage:
            found = [unit for unit in guns if unit not in state.marching and unit not in state.silent]
        else:
            found = [unit for unit in guns if why_not(at, unit) is None]
        at.memo["loaded", side, barrage] = found
    return found


def in_range(at: At, side: str, *, barrage: bool) -> list[str]:
    """The hexes with enemies at which enough guns of a side may fire."""
    if len(_loaded(at, side, barrage=barrage)) < LEAST[barrage]:
        return []
    hexes = {at.state.locations[unit] for enemy in at.world.enemies(side) for unit in at.world.on_board(at.state, enemy)}
    return [label for label in sorted(hexes) if len(guns_for(at, side, label, barrage=barrage)) >= LEAST[barrage]]


def strength_of(at: At, guns: tuple[str, ...], target: str, *, barrage: bool) -> int:
    """art.17, art.20: the strength in attack, doubled in a barrage, less twice the bonus of the ground."""
    points = sum(int(at.world.combat.halved_for(at, unit, face(at, unit).attack, attacks=True).counted) for unit in guns)
    if barrage:
        return 2 * points - 2 * at.world.bonus(target)
    side = at.world.units[guns[0]].side if guns else ""
    air = sum(int(strength.counted) for strength in at.world.wings.support(at, (target,), side, attacks=True))
    return points + air - 2 * at.world.bonus(target)


# -- steps --------------------------------------------------------------------------------------------------------------


@record
class Barraging(Choosing):
    """art.20: the barrage phase of a side."""

    kind = "barraging"
    shows = ("place",)
    says = "Fire a barrage at {able}?"
    clause = "art.20"
    topic = "fire.barrage"
    ending = "No more barrages"
    choice = Aim

    def able(self, at: Position) -> list[str]:
        """art.22: hexes in range of two guns, while there is ammunition for two."""
        side = at.world.seats[self.seat]
        if at.state.ammunition.get(side, 0) < LEAST[True]:
            return []
        found = at.memo.get(("barrage", side))
        if found is None:
            found = at.memo["barrage", side] = in_range(at, side, barrage=True)
        return [*found]

    def why_not(self, at: Position, action: Any) -> Refusal | None:
        """art.20, art.22."""
        if not isinstance(action, Aim) or action.target in self.able(at):
            return None
        side = at.world.seats[self.seat]
        if (left := at.state.ammunition.get(side, 0)) < LEAST[True]:
            return against(at, "fire.ammunition", f"{side} has {left} ammunition left, and a barrage takes two")
        return against(at, "fire.barrage", f"fewer than two guns may fire a barrage at {action.target}")

    def chosen(self, play: Play, action: Aim) -> None:
        """Choose the guns."""
        play.push(Laying(self.seat, action.target, (), True))


@record
class Laying(TopicStep):
    """art.16, art.20: guns are laid on a hex one by one, then fire."""

    kind = "laying"
    shows = ("attack",)
    topic = "fire"
    seat: str
    target: str
    guns: tuple[str, ...]
    barrage: bool

    def deciders(self, at: Position) -> tuple[str, ...]:
        """Whoever fires."""
        return (self.seat,)

    def concern(self, at: Position, seat: str) -> Concern:
        """The guns and the hex."""
        return Concern(self.guns, (self.target,))

    def prompt(self, at: Position, seat: str) -> str:
        """With what."""
        found = strength_of(at, self.guns, self.target, barrage=self.barrage)
        return f"Fire at {self.target} with {', '.join(self.guns) or 'which guns?'}: strength {max(0, found)}."

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Another gun, or fire."""
        side = at.world.seats[self.seat]
        guns = map(Lay, guns_for(at, side, self.target, barrage=self.barrage))
        return Choices([Shoot(), *guns], partial(self.why_not, at))

    def why_not(self, at: Position, action: Action) -> Refusal | None:
        """art.20, art.22: too few guns, or no ammunition for another."""
        side = at.world.seats[self.seat]
        if isinstance(action, Shoot):
            few = len(self.guns) < LEAST[self.barrage]
            return against(at, "fire.barrage", f"{LEAST[self.barrage]} guns fire at least") if few else None
        if not isinstance(action, Lay):
            return None
        if action.unit in self.guns:
            return against(at, "fire", f"{action.unit} takes part already")
        if self.barrage and len(self.guns) >= at.state.ammunition.get(side, 0):
            return against(at, "fire.ammunition", f"{side} has no ammunition for another gun")
        return why_no_fire(at, side, action.unit, self.target, barrage=self.barrage)

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Add the gun, or fire."""
        if isinstance(action, Lay):
            play.replace(Laying(self.seat, self.target, (*self.guns, action.unit), self.barrage))
            return
        play.pop()
        strength = strength_of(play, self.guns, self.target, barrage=self.barrage)
        clause = "art.20" if self.barrage else "art.16"
        fired = GunsFired(play.world.seats[self.seat], self.guns, self.target, self.barrage, max(0, strength), clause=clause)
        play.emit(fired)
        strike(play, self.target, strength, clause)


def strike(play: Doing, target: str, strength: int, clause: str) -> None:
    """art.16, art.20, air.9: the fire table; disorganisation first, then losses that the owner distributes."""
    if strength <= 0:
        return
    rolled = play.roll(f"fire at {target}", clause=clause)
    result = play.world.printed.tables.fire.result(strength, rolled)
    play.emit(FireResolved(target, result, clause=clause))
    found, units = half(result), stack(play, target)
    suffer(play, units, rolls=found.rolls, shaken=found.shaken)
    left = standing(play, units)
    if found.losses and left:
        play.push(Losing(play.world.seat_for(play.world.units[left[0]].side), left, found.losses))


def barrage_phase(play: Doing, side: str) -> None:
    """art.20."""
    play.push(Barraging(play.world.seat_for(side)))


FIRE_ACTIONS: tuple[type[Action], ...] = (Aim, Bombard, Lay, Shoot)
FIRE_STEPS: tuple[type[Step], ...] = (Barraging, Laying)
FIRE_EVENTS = (GunsFired, FireResolved)
