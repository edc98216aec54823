"""ko, cmdunit, terrain.4: what follows when a unit moves, is suppressed or goes out of the game, whoever caused it.

Whatever moves a unit goes through `shift`, whatever suppresses one through `suppress`, and whatever knocks one
out through `knock_out`: so passengers, joined command units and breaches are thought of in one place.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from hexwar.engine import Action, Choices, Spot, record
from hexwar.errors import Refusal
from hexwar.pieces import Obliged, UnitAction, UnitName
from hexwar.plane import TOUCH, Line, Placed, along, contact, length, meets, sweeps, within
from hexwar.tabletop import nearest_spot
from hexwar_bkc.state import Breached, KnockedOut, Moved, Suppressed
from hexwar_bkc.world import CM, SCREENS, At, Doing, has_room, placed, terrain_of, ways_of

OPENED = SCREENS | {"wire", "traps"}
"""terrain.13: what engineers open."""
AROUND = ("rear", "right", "left", "front")
"""The edges of a base, the safest first."""


def passengers(at: At, unit: str) -> list[str]:
    """What a unit carries or tows."""
    return [one for one, carrier in at.state.aboard.items() if carrier == unit]


def knock_out(play: Doing, unit: str, why: str, clause: str) -> None:
    """stat.9: a unit is out of the game, and with it what it carries (ko.3) and command units that joined it (cmdunit.6)."""
    carried = passengers(play, unit)
    followers = [chief for chief, host in play.state.joined.items() if host == unit]
    play.emit(KnockedOut(unit, why, clause=clause))
    for one in carried:
        play.emit(KnockedOut(one, f"it goes down with {unit}", clause="ko.3"))
    for chief in followers:
        play.emit(KnockedOut(chief, f"it had joined {unit}", clause="cmdunit.6"))


def suppress(play: Doing, unit: str, clause: str) -> None:
    """supp.3: a unit is suppressed, and command units that joined it (cmdunit.6)."""
    followers = [chief for chief, host in play.state.joined.items() if host == unit]
    for one, rule in ((unit, clause), *((chief, "cmdunit.6") for chief in followers)):
        if one not in play.state.suppressed and one not in play.state.lost:
            play.emit(Suppressed(one, clause=rule))


def shift(play: Doing, unit: str, path: Sequence[Spot], heading: int, clause: str, why: str = "moves") -> None:
    """A unit goes a way, its first point included: command units that joined it follow, others in its way are displaced."""
    me, model = placed(play, unit), play.world.units[unit]
    legs = [(a, b) for a, b in itertools.pairwise(path) if a != b]
    play.emit(Moved(unit, tuple(path), heading, why, clause=clause))
    if not legs:
        return
    if model.commands:
        return
    for chief in [chief for chief, host in play.state.joined.items() if host == unit]:
        there = beside(play, chief, unit, AROUND)
        if there:
            play.emit(Moved(chief, (play.state.spots[chief], there[0].centre), there[0].heading, "follows", clause="cmdunit.5"))
    if model.type == "armour":
        _breach(play, unit, legs)
    for chief in [*play.state.spots]:
        other = play.world.units[chief]
        if other.commands and other.side != model.side and chief in play.state.spots:
            base = placed(play, chief).corners
            if any(sweeps(me.moved(a).corners, (b[0] - a[0], b[1] - a[1]), base) for a, b in legs):
                play.push(Joining(play.world.seat_for(other.side), chief))


def _breach(play: Doing, unit: str, legs: Iterable[tuple[Spot, Spot]]) -> None:
    """terrain.4: armour that crosses an obstacle makes a breach as wide as its base."""
    width = play.world.units[unit].base.width
    for a, b in legs:
        for line in terrain_of(play).lines:
            if line.kind not in SCREENS | {"wire"} or not line.name:
                continue
            for c, d in line.legs:
                spot = _crossing(a, b, c, d)
                known = [gap.at for gap in play.state.gaps if gap.line == line.name]
                is_new = spot and all(math.dist(spot, at) > width // 4 for at in known)
                if spot and is_new:
                    play.emit(Breached(unit, line.name, spot, width, clause="terrain.4"))


@record
class Clear(UnitAction):
    """terrain.13, reconstructed: engineers open an obstacle that they touch."""

    kind = "clear"
    says = "open {line} with {unit}"
    can = "open an obstacle"
    unit: UnitName
    line: str


def clears(at: At, unit: str) -> Choices:
    """terrain.13: the obstacles that engineers can open."""
    terrain, is_able = terrain_of(at), at.world.units[unit].type == "engineer" and at.world.options["fieldworks"]
    touched = terrain.touched(placed(at, unit)) if is_able and unit in at.state.spots else ()
    near = [line.name for line in (terrain.lines[number] for number in touched) if line.kind in OPENED and line.name]

    def why_not(action: object) -> Refusal | None:
        if not isinstance(action, Clear) or action.unit != unit:
            return None
        if not is_able:
            return Refusal.against("terrain.13", f"{unit} are no engineers, or fieldworks are no option of this game")
        return None if action.line in near else Refusal.against("terrain.13", f"{unit} touches no obstacle called {action.line}")

    return Choices([Clear(unit, line) for line in dict.fromkeys(near)], why_not)


def clear(play: Doing, action: Clear) -> None:
    """terrain.13: a gap of 5 cm where they stand."""
    line = terrain_of(play).named(action.line)
    assert isinstance(line, Line), "it was judged before"
    spot = nearest_spot(line, play.state.spots[action.unit])
    play.emit(Breached(action.unit, action.line, spot, 5 * CM, clause="terrain.13"))


def _crossing(a: Spot, b: Spot, c: Spot, d: Spot) -> Spot | None:
    """Where two legs meet, in whole units; None if they do not, or lie along each other."""
    den = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if not den or not meets(a, b, c, d):
        return None
    num = (c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])
    return a[0] + num * (b[0] - a[0]) // den, a[1] + num * (b[1] - a[1]) // den


# -- where there is room ------------------------------------------------------------------------------------------------------


def beside(at: At, unit: str, host: str, edges: Iterable[str], *, away: bool = False) -> list[Placed]:
    """Where a unit could stand in contact with another, at each of its edges at which there is room.

    Args:
        at: the position.
        unit: the unit.
        host: the other.
        edges: the edges that come into question, in order.
        away: whether it looks away from the other.
    """
    it = placed(at, host)
    me = Placed(*it.centre, 0, at.world.units[unit].base)
    found = [contact(me, it, edge) for edge in edges]
    if away:
        found = [there.moved(there.centre, (there.heading + 180) % 360) for there in found]
    return [there for there in found if has_room(at, unit, there)]


def straight(at: At, unit: str, goal: Spot, far: int, gap: int = TOUCH, crossing: str = "any") -> Placed | None:
    """How far a unit gets straight towards a point: before what is shut to it, not on others, and not so near to an enemy.

    None where it cannot move at all.
    """
    me, model, units = placed(at, unit), at.world.units[unit], at.world.units
    foes = [placed(at, other) for other in at.state.spots if units[other].side != model.side]
    if goal == me.centre or far < 1:
        return None
    way = (along(me.centre, goal, far),)
    path = ways_of(at).trim(me, way, far, model.arm, foes, crossing=crossing)  # type: ignore[arg-type]
    while path and path[0] != me.centre:
        there = me.moved(path[0])
        if has_room(at, unit, there) and not any(within(there.corners, foe.corners, gap) for foe in foes):
            return there
        gone = math.isqrt((path[0][0] - me.x) ** 2 + (path[0][1] - me.y) ** 2)
        path = (along(me.centre, path[0], gone - 10),) if gone > 10 else ()
    return None


# -- command units in the way --------------------------------------------------------------------------------------------------


@record
class Join(Action):
    """cmdunit.3: the command unit joins this unit."""

    kind = "join"
    says = "join {host}"
    host: UnitName


@record
class Joining(Obliged):
    """cmdunit.3: a command unit through which an enemy moves must join a unit of its own, or is knocked out."""

    kind = "joining"
    says = "Which unit does {chief} join? {able}"
    topic = "join"
    choice: ClassVar[type[Action]] = Join
    chief: UnitName

    def able(self, at: At) -> Sequence[str]:
        """Own units that it reaches with half its Move."""
        return () if self.chief not in at.state.spots else list(hosts(at, self.chief))

    def why_not(self, at: At, action: Any) -> Refusal:
        """Why it cannot join another."""
        return Refusal.against("cmdunit.3", f"{self.chief} does not reach {action.host} with half its Move")

    def chosen(self, play: Doing, action: Any) -> None:
        """cmdunit.5: it stays there until its owner's next turn."""
        play.pop()
        there = hosts(play, self.chief)[action.host]
        way = (play.state.spots[self.chief], there.centre)
        play.emit(Moved(self.chief, way, there.heading, f"joins {action.host}", host=action.host, clause="cmdunit.3"))

    def resume(self, play: Doing) -> None:
        """cmdunit.3: without a unit to join it is knocked out."""
        if not self.able(play):
            play.pop()
            if self.chief in play.state.spots:
                knock_out(play, self.chief, "an enemy moves through it", "cmdunit.3")
            return
        Obliged.resume(self, play)


def hosts(at: At, chief: str) -> dict[str, Placed]:
    """cmdunit.3: the units that a command unit can join, and where it would stand."""
    me, model = placed(at, chief), at.world.units[chief]
    found = {}
    for host in at.world.of_side[model.side]:
        if host not in at.state.spots or at.world.units[host].commands:
            continue
        near = [there for there in beside(at, chief, host, AROUND) if length((me.centre, there.centre)) <= model.move // 2 << 20]
        if near:
            found[host] = near[0]
    return found
