"""What lies on the table, kept by events alone, and what is printed in the files: nothing is shared with the rules."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from dataclasses import field as keeping
from functools import cache
from typing import Any

from hexwar.engine import Event
from hexwar.pieces import Manner, UnitEliminated, UnitMoved
from hexwar.testing.oracles import Books, Field
from hexwar_wb95.content import DATA

FIGHTERS = ("infantry", "cavalry", "motorised", "armour")
GUNS = ("gun", "sp-gun")


@cache
def printed(name: str) -> Mapping[str, Any]:
    """A content file."""
    with (DATA / name).open("rb") as file:
        return tomllib.load(file)


@dataclass(frozen=True)
class Wb95Field(Field):
    """What else lies on the table in this game, by the names that its state has for it."""

    marching: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    ammunition: Mapping[str, int] = keeping(default_factory=dict)
    supporting: Mapping[str, str] = keeping(default_factory=dict)
    starless: tuple[str, ...] = ()
    defending: tuple[str, ...] = ()
    starred: tuple[str, ...] = ()
    marched: tuple[str, ...] = ()
    fought: tuple[str, ...] = ()
    fled: Mapping[str, tuple[str, ...]] = keeping(default_factory=dict)
    paid: tuple[str, ...] = ()
    dug: tuple[str, ...] = ()
    stirred: tuple[str, ...] = ()
    shaken: tuple[str, ...] = ()
    shortage: Mapping[str, int] = keeping(default_factory=dict)
    works: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    bridging: Mapping[str, str] = keeping(default_factory=dict)
    spent: Mapping[str, int] = keeping(default_factory=dict)
    flights: tuple[Any, ...] = ()
    pursued: tuple[str, ...] = ()
    """pursuit.1: who has pursued in this battle; no state has it."""
    bombed: tuple[str, ...] = ()
    """The hexes at which guns have fired since."""

    def enemy(self, side: str) -> str:
        """There are two sides."""
        return next(other for other in self.world.sides if other != side)

    def fresh(self, label: str, side: str = "") -> list[str]:
        """combat.3: the units in a hex that have not fled in this combat phase."""
        units = self.world.units
        there = [unit for unit in self.stacks.get(label, ()) if side in ("", units[unit].side)]
        return [unit for unit in there if unit not in self.fled]

    def is_fortified(self, side: str, label: str) -> bool:
        """up.5, fs.4: whether units of a side in a hex are in fieldworks or in their fortress."""
        return label in self.works or label in self.fortress(side)

    def fortress(self, side: str) -> tuple[str, ...]:
        """fs.1: the hexes inside the fortifications of a side."""
        return tuple(self.sheet.areas.get(f"forts {side}", ()))

    def river(self, a: str, b: str) -> str:
        """The river between two hexes, "" if there is none."""
        return next((river for river in ("large-river", "small-river") if river in self.sheet.sides[a, b]), "")

    def has_bridge(self, a: str, b: str) -> bool:
        """bridge.1 to bridge.4: whether a bridge leads over the river between two hexes now."""
        name = f"{min(a, b)}|{max(a, b)}"
        printed_bridge = bool(self.sheet.links[a, b] & {"road", "rail"}) or "bridge" in self.sheet.sides[a, b]
        return bool(self.river(a, b)) and (name in self.built or (printed_bridge and name not in self.broken))


Entry = Callable[[Any, Any], Wb95Field]


def _more(names: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return (*names, *dict.fromkeys(name for name in more if name not in names))


def _less(names: tuple[str, ...], *less: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in less)


def _without(mapping: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key not in keys}


def _formed(field: Wb95Field, event: Any) -> Wb95Field:
    marching = _more(field.marching, event.unit) if event.marching else _less(field.marching, event.unit)
    moves = [event.unit] if field.phase.endswith("-movement") else []
    return replace(field, marching=marching, marched=_more(field.marched, *moves), stirred=_more(field.stirred, *moves))


def _engaged(field: Wb95Field, event: Any) -> Wb95Field:
    ours = (*event.attackers, *field.supporting)
    return replace(
        field,
        defending=event.defenders,
        starred=event.starred,
        used=_more(field.used, *ours),
        fought=_more(field.fought, *ours),
        stirred=_more(field.stirred, *event.attackers, *event.defenders, *field.supporting),
    )


def _dug_in(field: Wb95Field, event: Any) -> Wb95Field:
    works, there = tuple(sorted({*field.works, event.hex})), field.stacks[event.hex]
    return replace(field, works=works, dug=_more(field.dug, *there))


def _fired(field: Wb95Field, event: Any) -> Wb95Field:
    stirred = _more(field.stirred, *event.guns)
    if not event.barrage:
        used, fought = _more(field.used, *event.guns), _more(field.fought, *event.guns)
        return replace(field, stirred=stirred, used=used, fought=fought, bombed=(*field.bombed, event.target))
    left = {**field.ammunition, event.side: field.ammunition.get(event.side, 0) - len(event.guns)}
    return replace(field, stirred=stirred, silent=_more(field.silent, *event.guns), ammunition=left)


def _broken(field: Wb95Field, event: Any) -> Wb95Field:
    if event.side in field.built:
        return replace(field, built=_less(field.built, event.side))
    return replace(field, broken=tuple(sorted({*field.broken, event.side})))


def _made(field: Wb95Field, event: Any) -> Wb95Field:
    if event.side in field.broken:
        return replace(field, broken=_less(field.broken, event.side))
    return replace(field, built=tuple(sorted({*field.built, event.side})))


def _worked(field: Wb95Field, event: Any) -> Wb95Field:
    spent = {**field.spent, event.unit: field.spent.get(event.unit, 0) + event.points}
    return replace(field, spent=spent, marched=_more(field.marched, event.unit), stirred=_more(field.stirred, event.unit))


def _flew(field: Wb95Field, event: Any) -> Wb95Field:
    from hexwar_wb95.state import Flight

    return replace(field, flights=(*field.flights, Flight(event.unit, event.hex, event.task, event.other)))


def _short(field: Wb95Field, event: Any) -> Wb95Field:
    others = _without(field.shortage, event.unit)
    return replace(field, shortage={**others, event.unit: event.level} if event.level else others)


ENTRIES: dict[Any, Entry] = {
    "stage-began": lambda field, event: replace(field, stirred=()),
    "side-began": lambda field, event: replace(field, marched=(), fought=(), dug=(), spent={}),
    "combat-began": lambda field, event: replace(field, used=(), fought=(), fled={}, supporting={}),
    "combat-ended": lambda field, event: replace(field, silent=()),
    "battle-began": lambda field, event: replace(field, supporting={}, starless=(), paid=(), pursued=(), bombed=()),
    "formation-changed": _formed,
    "gun-supports": lambda field, event: replace(field, supporting={**field.supporting, event.unit: event.hex}),
    "stars-declined": lambda field, event: replace(field, starless=_more(field.starless, event.side)),
    "engaged": _engaged,
    "fled": lambda field, event: replace(field, fled={**field.fled, event.unit: event.path}, paid=_more(field.paid, *event.paid)),
    "disorganised": lambda field, event: replace(
        field, shaken=_more(field.shaken, event.unit), stirred=_more(field.stirred, event.unit)
    ),
    "recovered": lambda field, event: replace(field, shaken=_less(field.shaken, event.unit)),
    "shortage-changed": _short,
    "works-built": _dug_in,
    "works-destroyed": lambda field, event: replace(field, works=_less(field.works, event.hex)),
    "guns-fired": _fired,
    "bridge-broken": _broken,
    "bridge-made": _made,
    "worked": _worked,
    "bridge-begun": lambda field, event: replace(field, bridging={**field.bridging, event.unit: event.side}),
    "bridge-ended": lambda field, event: replace(field, bridging=_without(field.bridging, event.unit)),
    "flew": _flew,
    "flights-ended": lambda field, event: replace(
        field, flights=tuple(flight for flight in field.flights if flight.unit not in event.units)
    ),
}
"""Kind of event -> what it does to the books, besides what all games have."""
BASE = {part.name for part in fields(Field)}


class Wb95Books(Books):
    """The books of this game."""

    field = Wb95Field
    kept = tuple(part.name for part in fields(Wb95Field) if part.name not in {*BASE, "pursued", "bombed"})

    def entered(self, field: Any, event: Event) -> Field:
        """up.3, rs.1, disorg.3, bridge.4: who goes has moved, and may leave fieldworks empty; who is gone has no marker."""
        after = super().entered(field, event)
        assert isinstance(after, Wb95Field)
        if not isinstance(event, UnitMoved | UnitEliminated) or event.unit not in field.pieces:
            return after
        unit, here = event.unit, field.pieces[event.unit].at
        works = after.works if after.stacks.get(here) else _less(after.works, here)
        bridging = _without(after.bridging, unit)
        if isinstance(event, UnitMoved):
            marched, stirred = _more(after.marched, unit), _more(after.stirred, unit)
            pursued = (*after.pursued, unit) if event.manner == Manner.PURSUES else after.pursued
            return replace(after, works=works, bridging=bridging, marched=marched, stirred=stirred, pursued=pursued)
        gone: dict[str, Any] = {name: _less(getattr(after, name), unit) for name in ("marching", "shaken", "silent")}
        return replace(
            after,
            works=works,
            bridging=bridging,
            shortage=_without(after.shortage, unit),
            supporting=_without(after.supporting, unit),
            **gone,
        )


OUTRIGHT = ("combat.headquarters", "disorganisation.again", "overrun", "overrun.headquarters", "supply.surrender")
"""The topics of eliminations with all steps: combat.5, disorg.2, art.4, hq.6, supply.8."""
BOOKS = Wb95Books(ENTRIES, outright=OUTRIGHT)
