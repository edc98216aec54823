"""What lies on the table, kept by events alone, and what is printed on counters and sheets: nothing is shared with the rules."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from dataclasses import field as keeping
from functools import cache
from typing import Any

from hexwar.testing.oracles import Books, Field
from hexwar_wop.content import DATA, PARTS, WHOLE

SIDES = ("polish", "soviet")


@cache
def printed(name: str) -> Mapping[str, Any]:
    """A content file."""
    with (DATA / name).open("rb") as file:
        return tomllib.load(file)


@cache
def roster(side: str, key: str) -> tuple[Mapping[str, Any], ...]:
    """Every entry of a list of a side's order of battle, with what single scenarios have of their own."""
    own = [printed(f"{name}.toml")[side].get("own", {}).get(key, ()) for name in PARTS]
    return (*printed(f"{WHOLE}.toml")[side][key], *(entry for entries in own for entry in entries))


@cache
def entries() -> Mapping[str, Mapping[str, Any]]:
    """Piece -> what the order of battle says of it, and its side."""
    lists = [(side, entry) for side in SIDES for key in ("headquarters", "units") for entry in roster(side, key)]
    return {entry["id"]: {**entry, "of": side} for side, entry in lists}


@cache
def ground() -> Mapping[str, Mapping[str, Any]]:
    """Kind of hex -> its line of the terrain table."""
    return {entry["id"]: entry for entry in printed("terrain.toml")["hex"]}


@cache
def edges() -> Mapping[str, Mapping[str, Any]]:
    """Kind of hexside -> its line of the terrain table."""
    return {entry["id"]: entry for entry in printed("terrain.toml")["hexside"]}


@cache
def column(kind: str) -> str:
    """13.2.b: the column of the terrain table by which a type of unit or a transport moves."""
    transports, classes = printed("templates.toml")["transport"], printed("templates.toml")["movement_class"]
    if kind in transports:
        return str(transports[kind]["moves_as"])
    return next(str(name) for name, entry in classes.items() if kind in entry["used_by"])


@cache
def transport_kinds() -> Mapping[str, str]:
    """Transport -> its kind; a boat carries as a ship does."""
    boats = {unit: "ship" for unit, entry in entries().items() if entry.get("type") == "river_unit"}
    return {entry["id"]: entry["kind"] for side in SIDES for entry in roster(side, "transport")} | boats


@dataclass(frozen=True)
class WopField(Field):
    """What else lies on the table in this game, by the names that its state has for it."""

    active: str = ""
    no_supply: tuple[str, ...] = ()
    no_command: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    unled: tuple[str, ...] = ()
    weather: str = ""
    grounded: tuple[str, ...] = ()
    lost: Mapping[str, str] = keeping(default_factory=dict)
    markers: Mapping[str, int] = keeping(default_factory=dict)
    refitting: tuple[str, ...] = ()
    reacted: tuple[str, ...] = ()
    marched: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    loaded: Mapping[str, str] = keeping(default_factory=dict)
    spent: Mapping[str, int] = keeping(default_factory=dict)
    radio: bool = False
    planned: tuple[tuple[str, str], ...] = ()
    leading: tuple[tuple[str, str], ...] = ()
    beaten: tuple[str, ...] = ()
    pursuits: tuple[tuple[str, int], ...] = ()
    engaged: tuple[tuple[str, str], ...] = ()
    flights: tuple[Any, ...] = ()
    launched: tuple[str, ...] = ()
    flown: tuple[str, ...] = ()

    def kind(self, unit: str) -> str:
        """1.3, 1.8: the type of a piece; that of a headquarters is "hq"."""
        return str(entries()[unit].get("type", "hq") if unit in entries() else self.world.units[unit].arm)

    def troops(self, label: str, side: str = "") -> list[str]:
        """1.8: the units in a hex; headquarters do not count."""
        units = self.world.units
        return [unit for unit in self.stacks.get(label, ()) if self.kind(unit) != "hq" and side in ("", units[unit].side)]

    def manned(self, side: str) -> set[str]:
        """The hexes in which a side has units, and not only headquarters."""
        return {piece.at for piece in self.of_side(side) if self.kind(piece.id) != "hq"}

    def enemy(self, side: str) -> str:
        """1.1: there are two sides."""
        return next(other for other in SIDES if other != side)


Entry = Callable[[Any, Any], Field]


def _sets(**names: str) -> Entry:
    """Each field takes a value from the event."""
    return lambda field, event: replace(field, **{name: getattr(event, source) for name, source in names.items()})


def _clears(*names: str) -> Entry:
    """Each field is as in the beginning."""
    fresh = {"spent": {}, "active": ""}
    return lambda field, event: replace(field, **{name: fresh.get(name, ()) for name in names})


def _adds(name: str, what: Callable[[Any], tuple[Any, ...]]) -> Entry:
    """A field grows."""
    return lambda field, event: replace(field, **{name: (*getattr(field, name), *what(event))})


def _less(name: str, what: Callable[[Any], tuple[str, ...]]) -> Entry:
    """A field loses pieces."""
    return lambda field, event: replace(field, **{name: tuple(it for it in getattr(field, name) if it not in what(event))})


def _put(piece: str, place: Callable[[Any], str], visits: bool = False) -> Entry:
    """A piece lies elsewhere."""

    def put(field: WopField, event: Any) -> Field:
        unit, label = getattr(event, piece), place(event)
        moved = replace(field, locations={**field.locations, unit: label})
        return BOOKS.visited(moved, unit, (label,)) if visits else moved

    return put


def _without(mapping: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key not in keys}


def _returns(field: WopField, event: Any) -> WopField:
    lost = {**field.lost, event.unit: event.hex}
    if not event.turn:
        return replace(field, lost=lost)
    places, steps = {**field.locations, event.unit: f"turn {event.turn}"}, {**field.steps_left, event.unit: event.steps}
    return replace(field, lost=lost, locations=places, steps_left=steps)


def _recreated(field: WopField, event: Any) -> Field:
    return _put("unit", lambda it: it.location, visits=True)(replace(field, lost=_without(field.lost, event.unit)), event)


def _loaded(field: WopField, event: Any) -> WopField:
    places = {**field.locations, event.unit: event.location}
    places |= {event.transport: "transport in use"} if places[event.transport] == "transport pool" else {}
    spent = {**field.spent, event.transport: event.points} if event.points else field.spent
    return replace(field, loaded={**field.loaded, event.unit: event.transport}, locations=places, spent=spent)


def _unloaded(field: WopField, event: Any) -> Field:
    spent = {**field.spent, event.unit: event.points} if event.points else field.spent
    now = replace(field, loaded=_without(field.loaded, event.unit), spent=spent)
    return _put("unit", lambda it: it.location, visits=True)(now, event)


def _transport_lost(field: WopField, event: Any) -> Field:
    left = {piece: by for piece, by in field.loaded.items() if by != event.transport}
    return replace(field, loaded=left).without(event.transport)


def _sailed(field: WopField, event: Any) -> WopField:
    return replace(field, locations={**field.locations, **dict.fromkeys((event.unit, *event.cargo), event.path[-1])})


def _flew(field: WopField, event: Any) -> WopField:
    unit = event.flight.unit
    flights, launched = (*field.flights, event.flight), (*field.launched, unit)
    return replace(field, flights=flights, launched=launched, flown=(*field.flown, unit))


def _landed(field: WopField, event: Any) -> WopField:
    flights = tuple(flight for flight in field.flights if flight.unit != event.unit)
    return replace(field, flights=flights, launched=tuple(unit for unit in field.launched if unit != event.unit))


def _checked(field: WopField, event: Any) -> WopField:
    places = {**field.locations, event.unit: f"turn {event.turn}"} if event.turn else field.locations
    return replace(field, steps_left={**field.steps_left, event.unit: event.steps}, locations=places)


def _followed(field: WopField, event: Any) -> WopField:
    return replace(field, pursuits=tuple({**dict(field.pursuits), event.headquarters: event.points}.items()))


def _marked(field: WopField, event: Any) -> WopField:
    markers = {**field.markers, event.side: field.markers[event.side] - 1}
    return replace(field, refitting=(*field.refitting, event.unit), markers=markers)


ENTRIES: dict[Any, Entry] = {
    "supply-checked": _sets(no_supply="units"),
    "command-checked": _sets(no_command="pieces", passed="passed"),
    "command-markers-removed": _clears("no_command", "passed"),
    "begun-without-command": _sets(unled="units"),
    "weather-set": _sets(weather="weather", grounded="grounded"),
    "activation-began": lambda field, event: replace(field, active=event.side, reacted=(), marched=(), together=(), unled=()),
    "activation-over": _clears("active", "spent", "unled"),
    "radio-taken": lambda field, event: replace(field, radio=True),
    "return-determined": _returns,
    "return-delayed": _put("unit", lambda event: f"turn {event.turn}"),
    "recreated": _recreated,
    "marker-placed": _marked,
    "markers-removed": _less("refitting", lambda event: event.units),
    "level-gained": lambda field, event: replace(
        field, steps_left={**field.steps_left, event.unit: field.steps_left[event.unit] + 1}
    ),
    "loaded": _loaded,
    "unloaded": _unloaded,
    "transport-sent": _put("transport", lambda event: f"turn {event.turn}"),
    "transport-returned": _put("transport", lambda event: "transport pool"),
    "transport-lost": _transport_lost,
    "cargo-lost": lambda field, event: replace(field, loaded=_without(field.loaded, event.unit)),
    "sailed": _sailed,
    "air-unit-placed": _flew,
    "air-unit-left": _landed,
    "air-loss-checked": _checked,
    "air-unit-returned": _put("unit", lambda event: "airfields"),
    "air-units-rested": lambda field, event: replace(
        field, flown=(), steps_left={**field.steps_left, **dict.fromkeys(event.units, 2)}
    ),
    "launch-answered": _clears("launched"),
    "reacted": _adds("reacted", lambda event: event.units),
    "set-out": lambda field, event: replace(field, marched=(*field.marched, *event.units), together=event.units),
    "attack-planned": _adds("planned", lambda event: ((event.unit, event.target),)),
    "leader-named": _adds("leading", lambda event: ((event.target, event.unit),)),
    "stack-beaten": _adds("beaten", lambda event: event.units),
    "pursuit-noted": _followed,
    "boat-engaged": _adds("engaged", lambda event: ((event.unit, event.target),)),
    "attacks-over": _clears("planned", "leading", "beaten", "pursuits", "engaged"),
}
"""Kind of event -> what it does to the books, besides what all games have."""


BASE = {part.name for part in fields(Field)}


class WopBooks(Books):
    """The books of this game."""

    field = WopField
    kept = ("active", *(part.name for part in fields(WopField) if part.name not in BASE))

    def comes_back(self, field: Any, unit: str) -> bool:
        """5.1, 14.45: what is lost may come back; garrisons lie in a pool."""
        return unit in field.lost or field.locations.get(unit) == "garrison pool"


OUTRIGHT = (
    "guns",
    "headquarters",
    "headquarters.immobile",
    "headquarters.trapped",
    "headquarters.zone",
    "retreat.immobile",
    "retreat.immobile.headquarters",
    "retreat.none",
    "retreat.train",
    "retreat.zone.headquarters",
    "stacking.excess",
    "transport.sunk",
)
"""The topics of eliminations: 13.17, 9.23 to 9.27, 14.26 to 14.30, 10.15, 12.5, 18.7."""
BOOKS = WopBooks(ENTRIES, outright=OUTRIGHT)
