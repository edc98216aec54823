"""What changes in a game, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hexwar.engine import Event, Heading, News, PublicEvent, SideName, Sight, Spot, Trail, owned, public, record, state
from hexwar.pieces import PieceState, UnitName


@record
class Smoke:
    """A cloud of smoke.

    Args:
        side: whose artillery laid it.
        ring: its corners.
    """

    side: SideName
    ring: tuple[Spot, ...]


@record
class Gap:
    """A breach in an obstacle.

    Args:
        line: the name of the obstacle.
        at: its middle.
        width: how wide it is.
    """

    line: str
    at: Spot
    width: int


@record
class Mission:
    """sched.4: fire that was scheduled.

    Args:
        gun: what fires.
        turn: when.
        to: at which point.
    """

    gun: UnitName
    turn: int
    to: Spot


@state
class BkcState(PieceState):
    """Where units stand, and what has happened to them this turn. Everything is seen by everybody."""

    spots: Mapping[UnitName, Spot] = public(factory=dict)
    """Unit -> where its centre is; a unit that is out of the game is not here."""
    headings: Mapping[UnitName, Heading] = public(factory=dict)
    """Unit -> where it looks."""
    active: SideName = public(default="")
    """Whose turn it is."""
    hits: Mapping[UnitName, int] = public(factory=dict)
    """ko.2: unit -> hits that it has taken this turn."""
    suppressed: tuple[UnitName, ...] = public(default=())
    """supp.3: units that do nothing."""
    reacted: tuple[UnitName, ...] = public(default=())
    """command.13: units that acted in the reaction phase of this turn."""
    orders: Mapping[UnitName, int] = public(factory=dict)
    """command.12: unit -> orders that it has had this turn."""
    leaders: Mapping[UnitName, UnitName] = public(factory=dict)
    """command.7: unit -> the command unit that has ordered it this turn."""
    closed: tuple[UnitName, ...] = public(default=())
    """command.9: units to which no more orders go this turn."""
    finished: tuple[UnitName, ...] = public(default=())
    """command.5: command units that give no more orders this turn."""
    lost: tuple[UnitName, ...] = public(default=())
    """stat.9: units that are out of the game, in the order in which they went."""
    held: tuple[SideName, ...] = public(default=())
    """end.6: sides that held their main objective at the end of the last game turn."""
    broken: SideName = public(default="")
    """break.4: the side whose battlegroup has broken."""
    contacts: Mapping[UnitName, tuple[UnitName, str]] = public(factory=dict)
    """charge.1: unit -> the enemy that its front touches, and that enemy's edge. The enemy need not touch back with its front."""
    supports: Mapping[UnitName, tuple[UnitName, str]] = public(factory=dict)
    """support.cc.1: unit -> the friend behind which it stands, and that friend's edge."""
    charged: tuple[UnitName, ...] = public(default=())
    """cc.6: units that have charged this turn and have not fought since."""
    pursued: Mapping[UnitName, int] = public(factory=dict)
    """cc.7: unit -> how far it has pursued for the round that comes."""
    aboard: Mapping[UnitName, UnitName] = public(factory=dict)
    """command.23: unit -> what carries or tows it; such a unit has no place of its own."""
    stirred: tuple[UnitName, ...] = public(default=())
    """fire.7: units that have moved this turn."""
    joined: Mapping[UnitName, UnitName] = public(factory=dict)
    """cmdunit.5: command unit -> the unit that it has joined."""
    dug_in: tuple[UnitName, ...] = public(default=())
    """fall.8: units that are dug in; one that moves is so no longer."""
    smoke: tuple[Smoke, ...] = public(default=())
    """end.4: smoke on the table."""
    gaps: tuple[Gap, ...] = public(default=())
    """terrain.4: breaches that were made in obstacles."""
    missions: Mapping[SideName, tuple[Mission, ...]] = owned(factory=dict)
    """sched.4: side -> the fire that it has scheduled and that has not fallen yet; the other side does not see it."""
    activated: tuple[UnitName, ...] = public(default=())
    """artillery.4: artillery that has fired this turn."""
    revealed: tuple[UnitName, ...] = public(default=())
    """los.12: units that have fired."""
    barred: tuple[SideName, ...] = public(default=())
    """sched.8: sides that may change no mission any more."""

    def put(self, unit: str, location: Any) -> None:
        """Place a unit at a point."""
        if isinstance(location, tuple):
            self.spots = {**self.spots, unit: location}
            self.headings = {unit: 0, **self.headings}
        else:
            super().put(unit, location)

    def remove(self, unit: str) -> None:
        """Take a unit out of the game."""
        super().remove(unit)
        for name in ("spots", "headings", "hits", "aboard", "joined"):
            setattr(self, name, {other: it for other, it in getattr(self, name).items() if other != unit})
        self.joined = {other: host for other, host in self.joined.items() if host != unit}
        for name in ("suppressed", "charged", "dug_in"):
            setattr(self, name, tuple(other for other in getattr(self, name) if other != unit))
        self.part(unit)

    def part(self, unit: str) -> None:
        """Take a unit out of all contact and support."""
        if self.contacts or self.supports:
            for name in ("contacts", "supports"):
                kept = {one: it for one, it in getattr(self, name).items() if unit not in (one, it[0])}
                setattr(self, name, kept)
            engaged = {*self.contacts, *(enemy for enemy, _ in self.contacts.values())}
            self.supports = {one: it for one, it in self.supports.items() if it[0] in engaged}


@record
class Moved(PublicEvent[BkcState]):
    """A unit went somewhere else, or turned."""

    kind = "moved"
    unit: str
    path: tuple[Spot, ...]
    """Its first point included."""
    heading: Heading
    why: str = "moves"
    host: str = ""
    """cmdunit.5: the unit that a command unit joins by it."""

    def apply(self, state: BkcState) -> None:
        """Put it there; whatever it touched, it touches no longer."""
        state.spots = {**state.spots, self.unit: self.path[-1]}
        state.headings = {**state.headings, self.unit: self.heading}
        state.part(self.unit)
        if self.host:
            state.joined = {**state.joined, self.unit: self.host}
        if len(set(self.path)) > 1:
            state.dug_in = tuple(other for other in state.dug_in if other != self.unit)
            if self.unit not in state.stirred:
                state.stirred = (*state.stirred, self.unit)

    def trail(self) -> Trail:
        """Its way."""
        return Trail((self.unit,), self.path, "move")

    def __str__(self) -> str:
        if len(set(self.path)) == 1:
            return f"{self.unit} turns to {self.heading} degrees"
        return f"{self.unit} {self.why} to {in_cm(self.path[-1])}, heading {self.heading}"


@record
class Struck(PublicEvent[BkcState]):
    """An attack was resolved: what was judged, and what the dice said."""

    kind = "struck"
    target: str
    shooters: tuple[str, ...]
    dice: int
    needed: int
    """What hits."""
    received: int
    """supp.1: hits before saves."""
    saved: int
    marked: int
    """ko.2: hits that are marked; none where the attack cannot damage the target."""
    notes: tuple[str, ...] = ()
    """What changed the dice, the number needed or the save."""
    rules: tuple[str, ...] = ()
    """The clauses of these."""

    def apply(self, state: BkcState) -> None:
        """Mark the hits, and whose fire it was."""
        new = tuple(unit for unit in self.shooters if unit not in state.revealed)
        if new:
            state.revealed = (*state.revealed, *new)
        if self.marked:
            state.hits = {**state.hits, self.target: state.hits.get(self.target, 0) + self.marked}

    def cited(self) -> tuple[str, ...]:
        """With the clauses of what was judged."""
        return (self.clause, *self.rules)

    def __str__(self) -> str:
        who = f"{', '.join(self.shooters)} fire at" if self.shooters else "fire falls on"
        notes = f" ({', '.join(self.notes)})" if self.notes else ""
        return f"{who} {self.target}: {self.received} of {self.dice} dice hit on {self.needed}+, {self.saved} saved{notes}"


@record
class KnockedOut(PublicEvent[BkcState]):
    """A unit is out of the game."""

    kind = "knocked-out"
    unit: str
    why: str

    def apply(self, state: BkcState) -> None:
        """Take it off the table."""
        state.remove(self.unit)
        state.lost = (*state.lost, self.unit)

    def __str__(self) -> str:
        return f"{self.unit} is knocked out: {self.why}"


@record
class Suppressed(PublicEvent[BkcState]):
    """A unit is suppressed."""

    kind = "suppressed"
    says = "{unit} is suppressed"
    unit: str

    def apply(self, state: BkcState) -> None:
        """Mark it."""
        state.suppressed = (*state.suppressed, self.unit)


@record
class Breached(PublicEvent[BkcState]):
    """An armoured unit makes a breach in an obstacle."""

    kind = "breached"
    says = "{unit} makes a breach in {line}"
    unit: str
    line: str
    at: Spot
    width: int

    def apply(self, state: BkcState) -> None:
        """The obstacle has a gap."""
        state.gaps = (*state.gaps, Gap(self.line, self.at, self.width))


@record
class Charged(PublicEvent[BkcState]):
    """A unit sets out to charge; the enemy may answer before it arrives."""

    kind = "charged"
    says = "{unit} charges {target}"
    unit: str
    target: str

    def apply(self, state: BkcState) -> None:
        """cc.6: remember it for the combat."""
        state.charged = (*state.charged, self.unit)


@record
class Touched(PublicEvent[BkcState]):
    """A unit has come into contact with an edge of another: to fight it if it is an enemy, to support it if it is a friend."""

    kind = "touched"
    unit: str
    other: str
    edge: str
    supports: bool = False

    def apply(self, state: BkcState) -> None:
        """Remember it."""
        name = "supports" if self.supports else "contacts"
        setattr(state, name, {**getattr(state, name), self.unit: (self.other, self.edge)})

    def __str__(self) -> str:
        return f"{self.unit} {'supports' if self.supports else 'is in contact with'} {self.other} ({self.edge})"


@record
class Mounted(PublicEvent[BkcState]):
    """A unit gets on another, or is towed by it."""

    kind = "mounted"
    says = "{unit} mounts {carrier}"
    unit: str
    carrier: str

    def apply(self, state: BkcState) -> None:
        """It has no place of its own any more."""
        for name in ("spots", "headings"):
            setattr(state, name, {other: it for other, it in getattr(state, name).items() if other != self.unit})
        state.aboard = {**state.aboard, self.unit: self.carrier}
        state.dug_in = tuple(other for other in state.dug_in if other != self.unit)
        state.part(self.unit)


@record
class Dismounted(PublicEvent[BkcState]):
    """A unit gets off."""

    kind = "dismounted"
    unit: str
    carrier: str
    at: Spot
    heading: Heading

    def apply(self, state: BkcState) -> None:
        """It stands there."""
        state.aboard = {other: carrier for other, carrier in state.aboard.items() if other != self.unit}
        state.spots = {**state.spots, self.unit: self.at}
        state.headings = {**state.headings, self.unit: self.heading}

    def __str__(self) -> str:
        return f"{self.unit} gets off {self.carrier} at {in_cm(self.at)}"


@record
class Pursued(PublicEvent[BkcState]):
    """A unit has pursued an enemy into contact."""

    kind = "pursued"
    unit: str
    distance: int

    def apply(self, state: BkcState) -> None:
        """cc.7: remember how far."""
        state.pursued = {**state.pursued, self.unit: self.distance}

    def __str__(self) -> str:
        return f"{self.unit} has pursued {self.distance / 100:g} cm"


@record
class RoundFought(PublicEvent[BkcState]):
    """A round of close combat: what each side has received, and what its enemy's supporters add."""

    kind = "round-fought"
    number: int
    units: tuple[str, ...]
    totals: tuple[tuple[str, int], ...]
    """cc.13, cc.14, cc.15: side -> hits that count against it."""
    rules: tuple[str, ...] = ()

    def apply(self, state: BkcState) -> None:
        """cc.6: whoever has charged has had what that is worth."""
        state.charged = tuple(unit for unit in state.charged if unit not in self.units)
        state.pursued = {}

    def cited(self) -> tuple[str, ...]:
        """With the clauses of what was counted."""
        return (self.clause, *self.rules)

    def __str__(self) -> str:
        totals = ", ".join(f"{hits} against {side}" for side, hits in self.totals)
        return f"round {self.number} of the combat of {', '.join(self.units)}: {totals}"


@record
class Bombarded(PublicEvent[BkcState]):
    """Artillery fires: where the shells were to fall, and where they fell."""

    kind = "bombarded"
    side: str
    guns: tuple[str, ...]
    target: Spot
    centre: Spot
    deviation: int
    rings: tuple[tuple[Spot, ...], ...]
    units: tuple[str, ...]
    """artillery.23: all units in the zones."""
    smoke: bool = False

    def apply(self, state: BkcState) -> None:
        """Remember who has fired, and lay smoke."""
        state.activated = tuple(dict.fromkeys((*state.activated, *self.guns)))
        if self.smoke:
            state.smoke = (*state.smoke, *(Smoke(self.side, ring) for ring in dict.fromkeys(self.rings)))

    def __str__(self) -> str:
        what = "smoke" if self.smoke else "shells"
        amiss = f", {self.deviation / 100:g} cm from {in_cm(self.target)}" if self.deviation else ""
        under = f" on {', '.join(self.units)}" if self.units else ""
        return f"{what} of {', '.join(self.guns)} at {in_cm(self.centre)}{amiss}{under}"


@record
class MissionSealed(News[BkcState]):
    """What the enemy sees of a mission: that there is one."""

    kind = "mission-sealed"
    says = "{by} has scheduled fire, or changed what was scheduled"
    by: str


@record
class MissionWritten(Event[BkcState]):
    """A player schedules fire."""

    kind = "mission-written"
    sight = Sight.OWNER
    side: str
    mission: Mission

    def apply(self, state: BkcState) -> None:
        """Write it down."""
        state.missions = {**state.missions, self.side: (*state.missions.get(self.side, ()), self.mission)}

    def outline(self) -> MissionSealed:
        """That there is one."""
        return MissionSealed(self.side, clause=self.clause)

    def __str__(self) -> str:
        return f"{self.mission.gun} is to fire at {in_cm(self.mission.to)} in turn {self.mission.turn}"


@record
class MissionsChanged(Event[BkcState]):
    """sched.7: missions of a turn are cancelled, or delayed by a turn."""

    kind = "missions-changed"
    sight = Sight.OWNER
    side: str
    turn: int
    guns: tuple[str, ...]
    delayed: bool

    def apply(self, state: BkcState) -> None:
        """Cross them out, or write another turn."""
        kept = []
        for mission in state.missions.get(self.side, ()):
            if mission.turn != self.turn or mission.gun not in self.guns:
                kept.append(mission)
            elif self.delayed:
                kept.append(Mission(mission.gun, mission.turn + 1, mission.to))
        state.missions = {**state.missions, self.side: tuple(kept)}

    def outline(self) -> MissionSealed:
        """That something has changed."""
        return MissionSealed(self.side, clause=self.clause)

    def __str__(self) -> str:
        return f"missions of {', '.join(self.guns)} in turn {self.turn} are {'delayed' if self.delayed else 'cancelled'}"


@record
class MissionFired(PublicEvent[BkcState]):
    """sched.6: a mission is revealed."""

    kind = "mission-fired"
    reveals = True
    side: str
    mission: Mission

    def apply(self, state: BkcState) -> None:
        """It is done."""
        left = list(state.missions.get(self.side, ()))
        if self.mission in left:
            left.remove(self.mission)
        state.missions = {**state.missions, self.side: tuple(left)}

    def __str__(self) -> str:
        return f"{self.mission.gun} was scheduled for {in_cm(self.mission.to)}"


@record
class Barred(PublicEvent[BkcState]):
    """sched.8: a side may change no mission any more."""

    kind = "barred"
    says = "{side} may change no mission any more"
    side: str

    def apply(self, state: BkcState) -> None:
        """Remember it."""
        state.barred = (*state.barred, self.side)


@record
class Reacted(PublicEvent[BkcState]):
    """A unit acts in the reaction phase."""

    kind = "reacted"
    says = "{unit} reacts"
    unit: str

    def apply(self, state: BkcState) -> None:
        """Remember it for its orders."""
        state.reacted = (*state.reacted, self.unit)


@record
class OrderTested(PublicEvent[BkcState]):
    """A command unit tried to give an order."""

    kind = "order-tested"
    command: str
    units: tuple[str, ...]
    value: int
    """After all modifiers."""
    roll: int
    succeeds: bool
    notes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def apply(self, state: BkcState) -> None:
        """Count the order if it got through; earlier formations are closed in any case."""
        earlier = [unit for unit, leader in state.leaders.items() if leader == self.command and unit not in self.units]
        state.closed = tuple(dict.fromkeys((*state.closed, *earlier)))
        if self.succeeds:
            state.orders = {**state.orders, **{unit: state.orders.get(unit, 0) + 1 for unit in self.units}}
            state.leaders = {**state.leaders, **dict.fromkeys(self.units, self.command)}

    def cited(self) -> tuple[str, ...]:
        """With the clauses of the modifiers."""
        return (self.clause, *self.rules)

    def __str__(self) -> str:
        notes = f" ({', '.join(self.notes)})" if self.notes else ""
        result = "gets through" if self.succeeds else "fails"
        return f"{self.command} orders {', '.join(self.units)}: {self.roll} against {self.value}{notes}, the order {result}"


@record
class Finished(PublicEvent[BkcState]):
    """A command unit gives no more orders this turn, and its units get none."""

    kind = "finished"
    says = "{command} gives no more orders"
    command: str

    def apply(self, state: BkcState) -> None:
        """Close it and its units."""
        mine = [unit for unit, leader in state.leaders.items() if leader == self.command]
        state.finished = tuple(dict.fromkeys((*state.finished, self.command)))
        state.closed = tuple(dict.fromkeys((*state.closed, *mine)))


@record
class PlayerTurnBegan(PublicEvent[BkcState]):
    """A player's turn begins."""

    kind = "player-turn-began"
    side: str
    released: tuple[str, ...] = ()
    """cmdunit.5: command units that leave the units they had joined."""

    def apply(self, state: BkcState) -> None:
        """Forget what happened in the last."""
        state.active = self.side
        state.reacted = state.closed = state.finished = state.charged = state.stirred = state.activated = ()
        state.joined = {unit: host for unit, host in state.joined.items() if unit not in self.released}
        state.orders, state.leaders = {}, {}

    def __str__(self) -> str:
        return f"-- {self.side} --"


@record
class TurnEnded(PublicEvent[BkcState]):
    """The markers of a player's turn are removed."""

    kind = "turn-ended"
    side: str
    recovered: tuple[str, ...]
    """end.3: the active player's units that are no longer suppressed."""
    recovery: str = field(kw_only=True, default="end.3")

    def apply(self, state: BkcState) -> None:
        """Remove them."""
        state.hits = {}
        state.smoke = tuple(cloud for cloud in state.smoke if cloud.side == self.side)
        state.suppressed = tuple(unit for unit in state.suppressed if unit not in self.recovered)

    def cited(self) -> tuple[str, ...]:
        """Both rules of the end phase."""
        return (self.clause, self.recovery)

    def __str__(self) -> str:
        return f"{self.side} ends the turn" + (f"; {', '.join(self.recovered)} recover" if self.recovered else "")


@record
class Held(PublicEvent[BkcState]):
    """Who held a main objective at the end of a game turn."""

    kind = "held"
    sides: tuple[str, ...]

    def apply(self, state: BkcState) -> None:
        """Remember it."""
        state.held = self.sides

    def __str__(self) -> str:
        return f"{', '.join(self.sides)} hold their main objective" if self.sides else "nobody holds a main objective"


@record
class Broke(PublicEvent[BkcState]):
    """A battlegroup breaks and leaves the table."""

    kind = "broke"
    says = "the battlegroup of {side} breaks"
    side: str
    units: tuple[str, ...]

    def apply(self, state: BkcState) -> None:
        """Take all of it away."""
        state.broken = self.side
        for unit in self.units:
            state.remove(unit)


BKC_EVENTS = (
    *(Moved, Struck, KnockedOut, Suppressed, Breached, Charged, Touched, Mounted, Dismounted, Pursued, RoundFought),
    *(Bombarded, MissionSealed, MissionWritten, MissionsChanged, MissionFired, Barred),
    *(Reacted, OrderTested, Finished, PlayerTurnBegan, TurnEnded, Held, Broke),
)


def in_cm(spot: Spot) -> str:
    """A point in centimetres, as players type it."""
    return f"{spot[0] / 100:g} {spot[1] / 100:g}"
