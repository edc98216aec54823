"""18: transport. Units and headquarters are loaded on wagons, trucks, echelons and river units, carried, and unloaded.

A transport counter lies in the pool until it covers a unit (18.2.a), in a box of the turn track after it was unloaded (18.12).
Who is aboard stands in its hex, or on the hexside of the river unit that carries it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from hexwar.board import CLOSED
from hexwar.engine import Action, ActionSet, Explained, Play, Position, PublicEvent, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import enter_hexes, occupant
from hexwar.pieces import OneByOne, UnitAction, eliminate, face, lose_step, on_board
from hexwar_wop.content import HEADQUARTERS, RIVER, TRAIN

if TYPE_CHECKING:
    from hexwar_wop.content import TransportKind
    from hexwar_wop.world import WopState, WopWorld

    At = Position[WopState, WopWorld]
    Doing = Play[WopState, WopWorld]

DEPOT, IN_USE = "transport pool", "transport in use"
"""Where transport counters lie that are not loaded, and those that cover units on the map."""
ECHELON, SHIP, INFANTRY = "echelon", "ship", "infantry"
STATION = "station"
"""The tag of a place with a station (18.5.a)."""
NEAR, FAR = 1, 2
"""18.5.a: hexes from the unit to the station at most, and from the station to the enemy at least."""
CAPACITY_CLAUSES = {SHIP: "18.7.2", ECHELON: "18.7.3"}


# -- who is aboard what -----------------------------------------------------------------------------------------------------


def kind_of(at: Position, transport: str) -> TransportKind:
    """18.1: the kind of a transport: wagons, trucks, an echelon; a river unit carries as a ship does."""
    found: TransportKind = at.world.printed.templates.transport[_kind(at, transport)]
    return found


def _kind(at: Position, transport: str) -> str:
    arm: str = at.world.units[transport].arm
    return SHIP if arm == RIVER else arm


def carrier(at: Position, piece: str) -> str:
    """What carries a piece, or ""."""
    found: str = at.state.loaded.get(piece, "")
    return found


def aboard(at: Position, transport: str) -> tuple[str, ...]:
    """18.7: what a transport carries."""
    rank = at.world.basis.rank
    return tuple(sorted((piece for piece, by in at.state.loaded.items() if by == transport), key=rank.__getitem__))


def mates(at: Position, piece: str) -> tuple[str, ...]:
    """Those that are on the same transport as a piece."""
    by = carrier(at, piece)
    return tuple(other for other in aboard(at, by) if other != piece) if by else ()


def travels_alone(at: Position, headquarters: str) -> bool:
    """Whether a headquarters decides where its transport goes: no unit is aboard with it, and no river unit carries it."""
    by, units = carrier(at, headquarters), at.world.units
    return not by or (units[by].arm != RIVER and all(units[other].level for other in aboard(at, by)))


# -- events -----------------------------------------------------------------------------------------------------------------


@record
class Loaded(PublicEvent[Any]):
    """18.2.a: a transport counter covers a piece."""

    kind = "loaded"
    says = "{unit} is loaded on {transport} in {location}"
    unit: str
    transport: str
    location: str
    points: int = 0
    """18.2.b: what that costs the transport."""

    def apply(self, state: WopState) -> None:
        """Cover it."""
        state.loaded = {**state.loaded, self.unit: self.transport}
        if state.locations[self.transport] == DEPOT:
            state.put(self.transport, IN_USE)
        if self.points:
            state.spent = {**state.spent, self.transport: self.points}
        state.put(self.unit, self.location)


@record
class Unloaded(PublicEvent[Any]):
    """18.11: a piece gets off."""

    kind = "unloaded"
    says = "{unit} gets off {transport} in {location}"
    unit: str
    transport: str
    location: str
    points: int = 0
    """18.13.a, 18.13.b: what that costs the piece."""

    def apply(self, state: WopState) -> None:
        """Uncover it."""
        state.loaded = {piece: by for piece, by in state.loaded.items() if piece != self.unit}
        if self.points:
            state.spent = {**state.spent, self.unit: self.points}
        state.put(self.unit, self.location)


@record
class TransportSent(PublicEvent[Any]):
    """18.12: an empty transport lies on the turn track."""

    kind = "transport-sent"
    says = "{transport} can be used again in turn {turn}"
    transport: str
    turn: int

    def apply(self, state: WopState) -> None:
        """Put it into its box."""
        state.put(self.transport, f"turn {self.turn}")


@record
class TransportReturned(PublicEvent[Any]):
    """2.3.d: a transport can be used again."""

    kind = "transport-returned"
    says = "{transport} can be used again"
    transport: str

    def apply(self, state: WopState) -> None:
        """Put it into the pool."""
        state.put(self.transport, DEPOT)


@record
class TransportLost(PublicEvent[Any]):
    """18.10: a transport is out of the game."""

    kind = "transport-lost"
    says = "{transport} is lost"
    transport: str

    def apply(self, state: WopState) -> None:
        """Take it away; who was aboard stands in the hex."""
        left = [piece for piece, by in state.loaded.items() if by == self.transport]
        state.loaded = {piece: by for piece, by in state.loaded.items() if by != self.transport}
        state.remove(self.transport)
        for piece in left:
            state.touch(piece)


@record
class CargoLost(PublicEvent[Any]):
    """A piece that was carried is eliminated."""

    kind = "cargo-lost"
    says = "{unit} is no longer on {transport}"
    unit: str
    transport: str

    def apply(self, state: WopState) -> None:
        """Note it."""
        state.loaded = {piece: by for piece, by in state.loaded.items() if piece != self.unit}


# -- 18.2 to 18.7 loading ---------------------------------------------------------------------------------------------------


@record
class Load(UnitAction):
    """Load a piece on a transport: where it stands, at a station next to it, or on the river unit at its bank."""

    kind = "load"
    says = "load {unit} on {transport} in {to}"
    transport: str
    to: str


@record
class Unload(UnitAction):
    """Let a piece get off, with all others on the same counter; from a river unit it goes ashore alone."""

    kind = "unload"
    says = "unload {unit} in {to}"
    to: str


def why_not_load(at: At, unit: str, transport: str, to: str) -> Refusal | None:
    """Why a piece on the map cannot be loaded on a transport at the beginning of its side's activation."""
    units = at.world.units
    counter, means = units[unit], units.get(transport)
    if means is None or means.side != counter.side or _kind(at, transport) not in at.world.printed.templates.transport:
        return Refusal.against("18.1", f"{counter.side} has no transport {transport}")
    if carrier(at, unit):
        return Refusal.against("18.2.a", f"{unit} is on {carrier(at, unit)} already")
    return (
        _why_not_at_hand(at, transport, to)
        or _why_not_on(at, Load(unit, transport, to))
        or (None if is_led_by_army(at, unit) else Refusal.against("18.6.a", f"no line leads from an army to {unit}"))
    )


def _why_not_on(at: At, load: Load) -> Refusal | None:
    """Why a piece cannot be loaded on a transport that is at hand."""
    unit, transport = load.unit, load.transport
    return _why_no_room(at, unit, transport) or _why_not_there(at, unit, transport, at.state.locations[unit], load.to)


def _why_not_at_hand(at: At, transport: str, to: str) -> Refusal | None:
    place = at.state.locations.get(transport, "")
    if at.world.units[transport].arm == RIVER:
        if place == to and "|" in place:
            return None
        return Refusal.against("18.4", f"{transport} is not on a navigable stretch at {to}")
    if place == DEPOT or (place == IN_USE and at.state.locations[aboard(at, transport)[0]] == to):
        return None
    clause, why = (
        ("18.12", f"{transport} is not back yet") if place.startswith("turn") else ("18.2.a", f"{transport} is elsewhere")
    )
    return Refusal.against(clause, why)


def _why_no_room(at: At, unit: str, transport: str) -> Refusal | None:
    """18.7: what a transport of a kind carries."""
    clause = CAPACITY_CLAUSES.get(_kind(at, transport), "18.7.1")
    sort = _sort(at, unit, transport)
    if not sort or not face(at, unit).move:
        return Refusal.against(clause, f"{transport} does not carry {unit}")
    taken = sum(_sort(at, other, transport) == sort for other in aboard(at, transport))
    if taken < kind_of(at, transport).capacity[sort]:
        return None
    return Refusal.against(clause, f"there is no room for {unit} on {transport}")


def _sort(at: At, unit: str, transport: str) -> str:
    """As what a piece counts on a transport: infantry, any unit, or a headquarters; "" if it is not carried at all."""
    counter, capacity = at.world.units[unit], kind_of(at, transport).capacity
    if counter.level:
        return HEADQUARTERS if capacity.get(HEADQUARTERS) else ""
    if "unit" in capacity:
        return "unit" if counter.arm not in (TRAIN, RIVER) else ""
    return INFANTRY if counter.arm == INFANTRY else ""


def _why_not_there(at: At, unit: str, transport: str, here: str, to: str) -> Refusal | None:
    """18.4, 18.5.a: where a piece is loaded; wagons and trucks come to it, where the ground lets them."""
    board, kind = at.world.board, _kind(at, transport)
    if kind == SHIP:
        return None if here in to.split("|") else Refusal.against("18.4", f"{unit} does not stand at {to}")
    if kind == ECHELON:
        if to not in stations(at, here):
            return Refusal.against("18.5.a", f"{to} has no station, or lies more than {NEAR} hex from {unit}")
        if is_near_enemy(at, at.world.units[unit].side, to):
            return Refusal.against("18.5.a", f"the enemy is less than {FAR} hexes from the station in {to}")
        return None
    if to != here:
        return Refusal.against("18.2.a", f"{unit} is loaded where it stands, in {here}")
    chart = at.world.chart
    if chart.entry(board, kind, here) == CLOSED and not any(board.has_link(here, link) for link in chart.arms[kind].links):
        return Refusal.against("13.2.a", f"{here} is closed to {transport}")
    return None


def stations(at: Position, label: str) -> list[str]:
    """18.5.a: the hexes with stations in or next to a hex."""
    near, there = (label, *at.world.board.neighbours(label)), at.world.stations
    return [label for label in near if label in there]


def is_near_enemy(at: Position, side: str, label: str) -> bool:
    """18.5.a: whether an enemy unit stands in a hex or next to it."""
    board, [enemy] = at.world.board, at.world.enemies(side)
    return bool((board.around(label) | 1 << board.index(label)) & at.world.supply.troops(at, enemy))


def is_led_by_army(at: At, unit: str) -> bool:
    """18.6.a: whether a line leads to a piece from the headquarters of an army."""
    return bool(armies_reach(at, at.world.units[unit].side) & at.world.river.ground.get(at.state.locations[unit], 0))


def armies_reach(at: At, side: str) -> int:
    """18.6.a: the mask of the hexes to which a line leads from the headquarters of an army."""
    kept, key = at.state.layout.memo, ("led by armies", side)
    found: int | None = kept.get(key)
    if found is None:
        armies = [leader for leader in on_board(at, side) if at.world.units[leader].level == "army"]
        found = kept[key] = at.world.command.together(at, armies)
    return found


def loads(at: At, unit: str) -> Iterator[Load]:
    """What a piece could be loaded on, and where, as far as counters and places are concerned."""
    here, side, units = at.state.locations[unit], at.world.units[unit].side, at.world.units
    if here not in at.world.board or carrier(at, unit):
        return
    for transport, place in at_hand(at, side):
        if units[transport].arm == RIVER:
            yield from [Load(unit, transport, place)] if here in place.split("|") else ()
        else:
            hexes = stations(at, here) if units[transport].arm == ECHELON else [here]
            yield from (Load(unit, transport, label) for label in hexes if place in ("", label))


def at_hand(at: At, side: str) -> list[tuple[str, str]]:
    """18.2.a, 18.4: the transports of a side that may load units, and where they are: "" for anywhere."""
    found: list[tuple[str, str]] | None = at.memo.get(("at hand", side))
    if found is not None:
        return found
    places, units = at.state.locations, at.world.units
    found = at.memo["at hand", side] = []
    for transport in at.world.transports[side]:
        place = places.get(transport, "")
        if place == DEPOT:
            found.append((transport, ""))
        elif place == IN_USE:
            found.append((transport, places[aboard(at, transport)[0]]))
        elif units[transport].arm == RIVER and "|" in place:
            found.append((transport, place))
    return found


# -- 18.11 to 18.13 unloading ----------------------------------------------------------------------------------------------


def why_not_unload(at: At, unit: str, to: str) -> Refusal | None:
    """Why a piece cannot get off; 18.6.b: command plays no part."""
    by, counter = carrier(at, unit), at.world.units[unit]
    if not by:
        return Refusal.against("18.11", f"{unit} is not loaded")
    here, kind = at.state.locations[unit], _kind(at, by)
    if kind == SHIP:
        if to not in here.split("|"):
            return Refusal.against("18.11", f"{to} is not at the bank where {by} lies")
        if occupant(at, to) not in (None, counter.side):
            return Refusal.against("12.1.a", f"the enemy is in {to}")
        if at.world.chart.entry(at.world.board, counter.arm, to) == CLOSED:
            return Refusal.against("13.2.a", f"{to} is closed to {unit}")
        return None
    if to != here:
        return Refusal.against("18.11", f"{unit} gets off where it is, in {here}")
    if not can_unload(at, unit, to):
        return Refusal.against("18.5.b", f"there is no station at most {NEAR} hex from {here} that is {FAR} hexes from the enemy")
    return None


def can_unload(at: Position, unit: str, label: str) -> bool:
    """18.5.b: whether a piece could get off a land transport in a hex: from an echelon near a station, away from the enemy."""
    if _kind(at, carrier(at, unit)) != ECHELON:
        return True
    side = at.world.units[unit].side
    return any(not is_near_enemy(at, side, station) for station in stations(at, label))


def unloads(at: At, unit: str) -> Iterator[Unload]:
    """Where a piece could get off."""
    if carrier(at, unit):
        yield from (Unload(unit, label) for label in at.state.locations[unit].split("|"))


def toll(at: At, unit: str, transport: str) -> int:
    """18.13.a, 18.13.b: what unloading costs: a point, or half the allowance that the piece begins with, rounded down."""
    price = kind_of(at, transport).unload_cost
    return price if isinstance(price, int) else int(at.world.movement.own_allowance(at, unit) // 2)


def set_down(play: Doing, unit: str, to: str, points: int, clause: str) -> None:
    """18.11, 18.12: a piece gets off; an empty counter goes to the turn track, three full turns ahead."""
    by = carrier(play, unit)
    play.emit(Unloaded(unit, by, to, points, clause=clause))
    if play.world.units[by].arm != RIVER and not aboard(play, by):
        play.emit(TransportSent(by, play.state.turn + play.world.printed.templates.loading.returns_after + 1, clause="18.12"))


# -- the beginning of an activation ------------------------------------------------------------------------------------------


@record
class Transporting(OneByOne):
    """18.2.a, 18.11: at the beginning of an activation, pieces are loaded and unloaded."""

    kind = "transporting"
    says = "Load or unload: {waiting}?"
    clause: ClassVar[str] = "18.2.a"

    def waiting(self, at: Position) -> tuple[str, ...]:
        """Those that can do either, on the map or on its rivers."""
        found: tuple[str, ...] | None = at.memo.get(self)
        if found is None:
            found = at.memo[self] = tuple([unit for unit in self.units if next(self._ways(at, unit), None)])
        return found

    def _ways(self, at: Position, unit: str) -> Iterator[Action]:
        """What can be done with a piece; 18.6.a: whether an army leads it is asked first because it is quick."""
        if unit in at.state.loaded:
            yield from (action for action in unloads(at, unit) if _why_not(at, action) is None)
        elif is_led_by_army(at, unit):
            yield from (action for action in loads(at, unit) if _why_not_on(at, action) is None)

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every transport that it can be loaded on, and every hex in which it can get off."""
        return Explained(self._ways(at, unit), lambda action: _why_not(at, action))

    def why_not_now(self, at: Position, action: UnitAction) -> Refusal | None:
        """Why a piece is not among them."""
        if action.unit not in self.units:
            return Refusal.against("18.2.a", f"{action.unit} is not among those that are loaded or unloaded now")
        return _why_not(at, action)

    def act(self, play: Doing, action: Load | Unload) -> None:
        """18.2.b: loading costs the transport a point, once in a turn (18.3); 18.11: all of a counter's cargo gets off."""
        unit = action.unit
        if isinstance(action, Load):
            here, cost = play.state.locations[unit], play.world.printed.templates.loading.cost
            play.emit(Loaded(unit, action.transport, action.to, cost, clause="18.2.a"))
            if action.to != here:
                enter_hexes(play, unit, (action.to,))
            return
        by = carrier(play, unit)
        together = (unit,) if play.world.units[by].arm == RIVER else (unit, *mates(play, unit))
        for other in together:
            if other != unit:
                self._top(play).strike_off(play, other)
            clause = "18.13.a" if isinstance(kind_of(play, by).unload_cost, int) else "18.13.b"
            set_down(play, other, action.to, toll(play, other, by), clause)
            enter_hexes(play, other, (action.to,))

    @staticmethod
    def _top(play: Doing) -> Transporting:
        top: Transporting = play.state.stack[-1]
        return top

    def strike_off(self, play: Play, unit: str) -> None:
        """It has been loaded or unloaded."""
        play.replace(replace(self, units=tuple(other for other in self.units if other != unit)))


def _why_not(at: At, action: Action) -> Refusal | None:
    if isinstance(action, Load):
        return why_not_load(at, action.unit, action.transport, action.to)
    return why_not_unload(at, action.unit, action.to) if isinstance(action, Unload) else None


def transport_segment(play: Doing, seat: str) -> None:
    """18.2.a, 18.11: the first thing in an activation."""
    side = play.world.seats[seat]
    if any(play.state.locations.get(transport, "turn").partition(" ")[0] != "turn" for transport in play.world.transports[side]):
        units, loaded = play.world.units, play.state.loaded
        mine = [piece for piece in play.world.of_side[side] if piece in loaded and units[loaded[piece]].arm == RIVER]
        play.push(Transporting(seat, (*on_board(play, side), *mine)))


def return_transports(play: Doing) -> None:
    """2.3.d, 18.12: transports whose turn has come can be used again."""
    for transport in (name for names in play.world.transports.values() for name in names):
        word, _, number = play.state.locations.get(transport, "").partition(" ")
        if word == "turn" and int(number) <= play.state.turn and play.world.units[transport].arm != RIVER:
            play.emit(TransportReturned(transport, clause="2.3.d"))


def arrive_loaded(play: Doing, unit: str) -> None:
    """6.1.a: a reinforcement that comes by rail is on its echelon, which it has from beyond the map, with its whole move."""
    transport, here = play.world.units[unit].by, play.state.locations[unit]
    if not transport or not play.world.board.has_link(here, "rail"):
        return
    if _why_not_at_hand(play, transport, here) is None and _why_no_room(play, unit, transport) is None:
        play.emit(Loaded(unit, transport, here, clause="6.1.a"))


# -- 18.10 what is lost -----------------------------------------------------------------------------------------------------


def abandon(play: Doing, pieces: Iterable[str]) -> None:
    """18.10: pieces must retreat: what carries them is lost, and each of the units loses a level; headquarters have none."""
    left = [piece for piece in pieces if carrier(play, piece)]
    for transport in dict.fromkeys(carrier(play, piece) for piece in left):
        play.emit(TransportLost(transport, clause="18.10"))
    for piece in left:
        if not play.world.units[piece].level:
            lose_step(play, piece, "transport.retreat")


def cargo_is_lost(play: Doing, unit: str) -> None:
    """A piece has been eliminated: a counter without cargo is lost with it (18.10), and a river unit with all aboard (18.7.2)."""
    by = carrier(play, unit)
    if by:
        play.emit(CargoLost(unit, by, clause="18.10"))
        if play.world.units[by].arm != RIVER and not aboard(play, by):
            play.emit(TransportLost(by, clause="18.10"))
    for piece in aboard(play, unit):
        eliminate(play, piece, "transport.sunk")


def misplaced(at: At) -> str | None:
    """18.2.a: what is wrong with who is aboard what."""
    for transport in (name for names in at.world.transports.values() for name in names):
        cargo, place = aboard(at, transport), at.state.locations.get(transport, "")
        places = {at.state.locations.get(piece, "") for piece in cargo}
        if at.world.units[transport].arm == RIVER:
            wrong = bool(cargo) and places != {place}
        else:
            wrong = (place == IN_USE) != bool(cargo) or len(places) > 1
        if wrong:
            return f"{transport} in {place} carries {', '.join(cargo) or 'nobody'} in {', '.join(sorted(places))}"
    return None


TRANSPORT_ACTIONS: tuple[type[Action], ...] = (Load, Unload)
TRANSPORT_STEPS: tuple[type[Step], ...] = (Transporting,)
TRANSPORT_EVENTS: tuple[type[PublicEvent[Any]], ...] = (
    Loaded,
    Unloaded,
    TransportSent,
    TransportReturned,
    TransportLost,
    CargoLost,
)
