"""cc.19 to cc.23, pursue, flee: what the two sides do after a round of close combat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from hexwar.engine import Action, ActionSet, Choices, Heading, Listed, Position, RandomSource, SeatName, Spot, record
from hexwar.errors import Refusal
from hexwar.pieces import Obliged, OneByOne, TopicStep, UnitAction, UnitName, against
from hexwar.plane import EDGES, TOUCH, Placed, along, away, contact, edges_towards, first_touch, length, shifted, towards
from hexwar_bkc.charging import WEAPONS, Limits, edges_in_use, engage, why_not_contact, why_not_ground, why_not_type, why_not_way
from hexwar_bkc.effects import knock_out, shift, suppress
from hexwar_bkc.fire import crosses_mines, stays_put
from hexwar_bkc.state import Pursued, in_cm
from hexwar_bkc.transport import carriers, mount, why_not_mount
from hexwar_bkc.world import (
    CM,
    At,
    Doing,
    blockers,
    enemies_of,
    has_room,
    in_bunker,
    in_contact,
    in_open,
    is_within,
    moved,
    nearest,
    placed,
    sees,
    ways_of,
)

ANYWHERE = 32_000
"""pursue.5: pursuit knows no distance."""


# -- flight -------------------------------------------------------------------------------------------------------------------


@record
class FleeFrom(Action):
    """flee.2: away from this enemy."""

    kind = "flee-from"
    says = "flee from {enemy}"
    enemy: UnitName


@record
class Fleeing(Obliged):
    """flee.1 to flee.9: the beaten units of a side flee one after the other.

    Args:
        seat: whose they are.
        units: they.
        enemies: those that they fought.
        far: the difference in hits.
    """

    kind = "fleeing"
    says = "From which enemy does {fleer} flee? {able}"
    lists = ("able", "fleer")
    topic = "flee"
    choice: ClassVar[type[Action]] = FleeFrom
    seat: SeatName
    units: tuple[UnitName, ...]
    enemies: tuple[UnitName, ...]
    far: int

    def fleer(self, at: At) -> tuple[str, ...]:
        """The unit that flees next, if one is left."""
        return tuple([unit for unit in self.units if unit in at.state.spots][:1])

    def able(self, at: At) -> Sequence[str]:
        """flee.2: of the enemies that touch it or that it touches, those with most supporters."""
        if not self.fleer(at):
            return ()
        (unit,) = self.fleer(at)
        state = at.state
        touching = [one for one, (other, _) in state.contacts.items() if other == unit]
        touching += [state.contacts[unit][0]] if unit in state.contacts and state.contacts[unit][0] not in touching else []
        touching = touching or list(nearest(at, unit, [one for one in self.enemies if one in state.spots]))
        backed = {one: sum(friend == one for friend, _ in state.supports.values()) for one in touching}
        return tuple([one for one in touching if backed[one] == max(backed.values())])

    def why_not(self, at: At, action: Any) -> Refusal:
        """Why not from another."""
        return Refusal.against("flee.2", f"{self.fleer(at)[0]} flees from an enemy in contact that has most supporters")

    def chosen(self, play: Doing, action: Any) -> None:
        """Go, and then the next."""
        (unit,) = self.fleer(play)
        play.replace(replace(self, units=tuple(one for one in self.units if one != unit)))
        flee(play, unit, action.enemy, self.far)


def flee(play: Doing, unit: str, enemy: str, far: int) -> None:
    """flee.1 to flee.9: straight away from an enemy, a centimetre for each hit of difference, without turning."""
    if far > 10:
        knock_out(play, unit, f"it flees {far} cm", "flee.5")
        return
    if stays_put(play, unit) or in_bunker(play, unit):
        knock_out(play, unit, "it cannot flee", "flee.8")
        return
    me, units = placed(play, unit), play.world.units
    others = {other: placed(play, other) for other in play.state.spots if other != unit}
    friends = {other: it for other, it in others.items() if units[other].side == units[unit].side}
    source = placed(play, enemy)
    dx, dy = me.x - source.x, me.y - source.y
    end = along(me.centre, (me.x + dx, me.y + dy), far * CM)
    way = end[0] - me.x, end[1] - me.y
    engaged = [
        other
        for other, it in others.items()
        if in_contact(play, other) and other != enemy and _meets(play, unit, other, me, way, it)
    ]
    found = away(me, source.centre, far * CM, ways_of(play), units[unit].arm, friends, blockers(play, unit))
    if engaged:
        knock_out(play, unit, f"it flees through {engaged[0]}, which is in close combat", "flee.7")
    elif crosses_mines(play, me.centre, end):
        knock_out(play, unit, "it flees through mines", "flee.6")
    elif found.out:
        reasons = {"table": "off the table", "enemy": "through an enemy"}
        knock_out(play, unit, f"it flees {reasons.get(found.out, 'into ground that is shut to it')}", "flee.6")
    elif found.stopped_by and found.stopped_by in play.state.suppressed:
        knock_out(play, unit, f"it flees onto {found.stopped_by}, which is suppressed", "flee.9")
        knock_out(play, found.stopped_by, f"{unit} flees onto it", "flee.9")
    else:
        shift(play, unit, (me.centre, found.to.centre), me.heading, "flee.1", "flees")
        if found.stopped_by:
            suppress(play, found.stopped_by, "flee.4")


def _meets(at: At, unit: str, other: str, me: Placed, way: Spot, it: Placed) -> bool:
    """Whether a fleeing unit runs into another; who stands behind it to support it, it runs into at once."""
    met = first_touch(me.corners, way, it.corners)
    return met is not None and met < 1


# -- the winner chooses -----------------------------------------------------------------------------------------------------


@record
class Hold(Action):
    """cc.19: stay, and turn as you like."""

    kind = "hold"
    says = "hold the position"


@record
class Retire(Action):
    """cc.18: break off."""

    kind = "retire"
    says = "break off"


@record
class GoAfter(Action):
    """pursue.1: pursue the enemy."""

    kind = "go-after"
    says = "pursue"


@record
class Winning(TopicStep):
    """cc.18: the side that took fewer hits holds, breaks off or pursues.

    Args:
        seat: who chooses.
        units: its units in the combat.
        losers: the enemy's.
        faced: whom each of both fought.
        fronts: units whose front was touched in this round.
        orphans: supporters whose friend is out of the game.
    """

    kind = "winning"
    says = "The combat is won: hold, break off or pursue?"
    topic = "aftermath"
    seat: SeatName
    units: tuple[UnitName, ...]
    losers: tuple[UnitName, ...]
    faced: tuple[tuple[UnitName, UnitName], ...]
    fronts: tuple[UnitName, ...]
    orphans: tuple[UnitName, ...]

    def _pursuing(self) -> Pursuing:
        return Pursuing(self.seat, self.units, self.losers, self.faced, self.fronts, self.orphans)

    def deciders(self, at: At) -> tuple[str, ...]:
        """The winner, while a unit is left."""
        return (self.seat,) if any(unit in at.state.spots for unit in self.units) else ()

    def actions(self, at: At, seat: str) -> ActionSet:
        """Pursuit only if a unit can."""
        able = [GoAfter()] if self._pursuing().deciders(at) else []
        return Listed((Hold(), Retire(), *able))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Do it."""
        play.pop()
        if isinstance(action, Hold):
            units = tuple([unit for unit in self.units if unit in play.state.spots and not in_contact(play, unit)])
            play.push(Turning(self.seat, units))
        elif isinstance(action, Retire):
            break_off(play, play.world.seats[self.seat], self.units, "cc.20")
        else:
            play.push(self._pursuing())

    def resume(self, play: Doing) -> None:
        """Nobody is left."""
        play.pop()


@record
class Face(UnitAction):
    """cc.19: look somewhere else."""

    kind = "face"
    says = "turn {unit} to {heading} degrees"
    unit: UnitName
    heading: Heading


class Faces(ActionSet):
    """The headings to which a unit can turn where it stands."""

    complete = False

    def __init__(self, at: At, unit: str) -> None:
        self._at, self._unit, self._me = at, unit, placed(at, unit)

    def find(self, action: Action) -> Action | None:
        """A heading at which it has room."""
        mine = isinstance(action, Face) and action.unit == self._unit
        return action if mine and self.why_not(action) is None else None

    def why_not(self, action: Action) -> Refusal | None:
        """What is against it."""
        if not isinstance(action, Face) or action.unit != self._unit:
            return None
        if not 0 <= action.heading < 360 or action.heading == self._me.heading:
            return Refusal.against("cc.19", f"a heading is 0 to 359 degrees, and another than {self._me.heading}")
        if not has_room(self._at, self._unit, self._me.moved(self._me.centre, action.heading)):
            return Refusal.against("move.7", f"{self._unit} has no room to turn so")
        return None

    def __iter__(self) -> Iterator[Action]:
        return (
            face for turn in (90, 180, 270) if self.why_not(face := Face(self._unit, (self._me.heading + turn) % 360)) is None
        )

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def sample(self, chance: RandomSource) -> Action:
        """Any heading."""
        face = Face(self._unit, chance.randrange(360))
        if self.why_not(face) is None:
            return face
        for listed in self:
            return listed
        raise LookupError("nothing is offered")


@record
class Turning(OneByOne):
    """cc.19: units that hold may turn."""

    kind = "turning"
    says = "Turn a unit: {waiting}."
    topic = "turn"

    def choices(self, at: At, unit: str) -> ActionSet:
        """Any heading."""
        return Faces(at, unit)

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit is not among those that hold."""
        return Refusal.against("cc.19", f"{action.unit} does not hold, or has turned") if isinstance(action, UnitAction) else None

    def act(self, play: Doing, action: Any) -> None:
        """Turn."""
        here = play.state.spots[action.unit]
        shift(play, action.unit, (here, here), action.heading, "cc.19")


# -- breaking off ------------------------------------------------------------------------------------------------------------


def break_off(play: Doing, side: str, units: Sequence[str], clause: str) -> None:
    """cc.20, cc.23: three dice for a side; suppressed units and unlimbered guns stay."""
    able = tuple([unit for unit in units if unit in play.state.spots and not is_stuck(play, unit)])
    if able:
        dice = play.dice(f"{side} breaks off", clause=clause, dice=3)
        play.push(BreakingOff(play.world.seat_for(side), able, min(dice) * CM, sum(dice) * CM))


def is_stuck(at: At, unit: str) -> bool:
    """cc.23: whether a unit cannot break off."""
    return unit in at.state.suppressed or at.world.units[unit].type == "gun"


@record
class BreakOff(UnitAction):
    """cc.20: go there, and look somewhere."""

    kind = "break-off"
    unit: UnitName
    to: Spot
    heading: Heading = -1
    """-1: the way it goes."""
    carrier: UnitName = ""
    """cc.22: what it mounts first, which then goes."""

    def __str__(self) -> str:
        looking = f", heading {self.heading}" if self.heading >= 0 else ""
        riding = f" on {self.carrier}" if self.carrier else ""
        return f"break off with {self.unit}{riding} to {in_cm(self.to)}{looking}"

    @property
    def mover(self) -> str:
        """What goes."""
        return self.carrier or self.unit


class BreakOffs(ActionSet):
    """Every place to which a unit can break off.

    Args:
        at: the position.
        unit: the unit.
        least: the lowest of the three dice, in units of the table.
        most: their sum.
    """

    complete = False

    def __init__(self, at: At, unit: str, least: int, most: int) -> None:
        self._at, self._unit, self._least, self._most, self._me = at, unit, least, most, placed(at, unit)

    def end(self, action: BreakOff) -> Placed:
        """Where what goes stands then."""
        me = placed(self._at, action.mover)
        return me.moved(action.to, action.heading if action.heading >= 0 else towards(me.centre, action.to))

    def why_not(self, action: Action) -> Refusal | None:
        """cc.20, cc.21, cc.22: what is against it."""
        if not isinstance(action, BreakOff) or action.unit != self._unit:
            return None
        at, unit = self._at, action.mover
        if action.carrier and (wrong := self._why_not_on(action.carrier)):
            return wrong
        me, model = placed(at, unit), at.world.units[unit]
        far, most = length((me.centre, action.to)), self._most // (2 if action.carrier else 1)
        if far < self._least << 20 or far > most << 20:
            return Refusal.against(
                "cc.22" if action.carrier else "cc.20", f"{unit} goes {self._least / CM:g} to {most / CM:g} cm"
            )
        if not -1 <= action.heading < 360:
            return Refusal.against("cc.20", "a heading is 0 to 359 degrees, or -1 for the way it goes")
        why = ways_of(at).why_not(me, (action.to,), most, model.arm, blockers(at, unit), crossing="touched")
        if why:
            return against(at, f"move.{why[0]}", f"{unit} {why[1]}")
        there = self.end(action)
        if not has_room(at, unit, there):
            return against(at, "move.friend", f"{unit} has no room there")
        after = moved(at, unit, there)
        for enemy in enemies_of(at, model.side):
            if is_within(after, unit, enemy, 5 * CM - 1) and (sees(after, unit, enemy) or sees(after, enemy, unit)):
                return Refusal.against("cc.21", f"{enemy} would be within 5 cm")
        return None

    def _why_not_on(self, carrier: str) -> Refusal | None:
        """cc.22: why the unit cannot mount something that it touches; the combat is no hindrance."""
        out = Position(self._at.world, self._at.state.copy())
        out.state.part(self._unit)
        if carrier not in self._at.state.spots or not is_within(self._at, self._unit, carrier, TOUCH):
            return Refusal.against("cc.22", f"{self._unit} does not touch {carrier}")
        return why_not_mount(out, self._unit, carrier)

    def find(self, action: Action) -> Action | None:
        """It, if nothing is against it."""
        mine = isinstance(action, BreakOff) and action.unit == self._unit
        return action if mine and self.why_not(action) is None else None

    def __iter__(self) -> Iterator[Action]:
        for far in dict.fromkeys((self._most - 1, (self._least + self._most) // 2, self._least + 1)):
            for turn in (180, 135, 225, 90, 270, 45, 315, 0):
                found = BreakOff(self._unit, shifted(self._me.centre, (self._me.heading + turn) % 360, far))
                if self.why_not(found) is None:
                    yield found
        for carrier in carriers(self._at, self._at.world.units[self._unit].side):
            spot, heading = self._at.state.spots[carrier], self._at.state.headings[carrier]
            for turn in (0, 180, 90, 270):
                found = BreakOff(self._unit, shifted(spot, (heading + turn) % 360, self._most // 2 - 1), -1, carrier)
                if self.why_not(found) is None:
                    yield found

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def sample(self, chance: RandomSource) -> Action:
        """A place at random, or one of the menu."""
        for _ in range(8):
            far = self._least + chance.randrange(self._most - self._least + 1)
            found = BreakOff(self._unit, shifted(self._me.centre, chance.randrange(360), far), chance.randrange(361) - 1)
            if self.why_not(found) is None:
                return found
        for listed in self:
            return listed
        raise LookupError("nothing is offered")


@record
class BreakingOff(OneByOne):
    """cc.20: each unit of a side that breaks off goes somewhere; one that finds no place stays."""

    kind = "breaking-off"
    says = "Where does a unit break off to? {waiting}"
    topic = "break-off"
    may_stop: ClassVar[bool] = False
    least: int
    most: int

    def choices(self, at: At, unit: str) -> ActionSet:
        """Its places."""
        return BreakOffs(at, unit, self.least, self.most)

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit does not break off."""
        if not isinstance(action, UnitAction):
            return None
        stuck = action.unit in at.state.spots and is_stuck(at, action.unit)
        why = "is suppressed or a gun, and stays" if stuck else "does not break off, or has done so"
        return Refusal.against("cc.23" if stuck else "cc.20", f"{action.unit} {why}")

    def act(self, play: Doing, action: Any) -> None:
        """Go."""
        there = BreakOffs(play, action.unit, self.least, self.most).end(action)
        if action.carrier:
            mount(play, action.unit, action.carrier, "cc.22")
        shift(play, action.mover, (play.state.spots[action.mover], action.to), there.heading, "cc.20", "breaks off")


# -- pursuit ------------------------------------------------------------------------------------------------------------------


@record
class Pursue(UnitAction):
    """pursue.1: go into contact with an edge of an enemy that flees."""

    kind = "pursue"
    says = "pursue {target} with {unit}, {edge}"
    unit: UnitName
    target: UnitName
    edge: str


@record
class Pursuing(OneByOne):
    """pursue.1 to pursue.10: units that pursue, one after the other."""

    kind = "pursuing"
    says = "Which unit pursues? {waiting}"
    topic = "pursue"
    losers: tuple[UnitName, ...]
    faced: tuple[tuple[UnitName, UnitName], ...]
    fronts: tuple[UnitName, ...]
    orphans: tuple[UnitName, ...]

    def choices(self, at: At, unit: str) -> ActionSet:
        """Enemies and their edges."""
        targets = () if in_contact(at, unit) else self.targets(at, unit)

        def why_not(action: object) -> Refusal | None:
            if not isinstance(action, Pursue) or action.unit != unit:
                return None
            if action.target not in targets or action.edge not in EDGES:
                return Refusal.against("pursue.9", f"{unit} cannot pursue {action.target} to its {action.edge} edge")
            return self.why_not(at, unit, action.target, action.edge)

        return Choices([Pursue(unit, target, edge) for target in targets for edge in EDGES], why_not)

    def targets(self, at: At, unit: str) -> tuple[str, ...]:
        """pursue.9: whoever's enemy is out of the game goes for the nearest supporter of it, if there is one."""
        left = [one for one in self.losers if one in at.state.spots]
        foe = dict(self.faced).get(unit, "")
        backers = [one for one in left if one in self.orphans]
        if foe and foe not in at.state.spots and backers:
            return nearest(at, unit, backers)
        return tuple([one for one in left if one not in backers]) or tuple(left)

    def why_not(self, at: At, unit: str, target: str, edge: str) -> Refusal | None:
        """pursue.2 to pursue.8: why a unit cannot pursue an enemy so."""
        model, enemy = at.world.units[unit], at.world.units[target]
        if model.type in WEAPONS or unit in at.state.dug_in:
            return Refusal.against("pursue.3", f"{unit} is a gun, an infantry support weapon or dug in")
        if unit in at.state.suppressed:
            return Refusal.against("supp.3", f"{unit} is suppressed")
        is_open = in_open(at, target)
        if enemy.type == "armour" and is_open:
            return Refusal.against("pursue.4", f"{target} is armour in the open")
        if is_open and enemy.arm in ("track", "truck", "motorcycle") and model.arm in ("foot", "boat", "horse"):
            return Refusal.against("pursue.2", f"{target} is a vehicle in the open")
        if unit in self.orphans:
            wrong = why_not_type(at, unit, "pursue.8") or why_not_ground(at, unit, target)
            if wrong:
                return Refusal.against("pursue.8", wrong.message)
        first = next(iter(edges_towards(placed(at, target), placed(at, unit).centre)), "")
        if edge != first and not (target not in self.fronts or "front" in edges_in_use(at, target)):
            return Refusal.against("pursue.7", f"nobody touches the front of {target} yet")
        if wrong := why_not_contact(at, unit, target, edge):
            return wrong
        return why_not_way(at, unit, contact(placed(at, unit), placed(at, target), edge), (target,), Limits(ANYWHERE))

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit does not pursue."""
        return Refusal.against("pursue.1", f"{action.unit} does not pursue") if isinstance(action, UnitAction) else None

    def act(self, play: Doing, action: Any) -> None:
        """Go, and remember how far that was."""
        here = play.state.spots[action.unit]
        there = contact(placed(play, action.unit), placed(play, action.target), action.edge)
        far = length((here, there.centre)) >> 20
        engage(play, action.unit, action.target, action.edge, "pursue.5", "pursues")
        play.emit(Pursued(action.unit, far, clause="pursue.10"))
