"""What changes in a game, and the events that change it besides those of pieces."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hexwar.engine import Event, Play, Position, PublicEvent, SideName, public, record, state
from hexwar.mechanics import HexName, HexState
from hexwar.pieces import UnitName

if TYPE_CHECKING:
    from hexwar_wb95.world import Wb95World

At: TypeAlias = "Position[Wb95State, Wb95World]"
Doing: TypeAlias = "Play[Wb95State, Wb95World]"
Hexside = str
"""Two hexes that meet, the lesser label first: "1522|1523"."""


def hexside(a: str, b: str) -> Hexside:
    """The hexside between two adjacent hexes."""
    return f"{min(a, b)}|{max(a, b)}"


@record
class Flight:
    """An air unit over a hex, with its task."""

    unit: UnitName
    hex: HexName
    task: str
    other: str = ""
    """The other end of a bridge that it is to destroy."""


@state
class Wb95State(HexState):
    """Everything that changes."""

    marching: tuple[UnitName, ...] = public(default=())
    """art.6: the guns in march formation."""
    used: tuple[UnitName, ...] = public(default=())
    """art.12, art.15: the units that have attacked or supported in this combat phase."""
    silent: tuple[UnitName, ...] = public(default=())
    """art.21: the guns that fired a barrage, until the end of their combat phase."""
    ammunition: Mapping[SideName, int] = public(factory=dict)
    """art.22: what each side has left."""
    supporting: Mapping[UnitName, HexName] = public(factory=dict)
    """proc.1, proc.2: gun -> the first hex of the battle in which it supports its side."""
    starless: tuple[SideName, ...] = public(default=())
    """star.4: the sides that do not use their stars in the battle in progress."""
    defending: tuple[UnitName, ...] = public(default=())
    """result.6: the defenders of the battle in progress."""
    starred: tuple[SideName, ...] = public(default=())
    """star.3: the sides whose stars count in it."""
    marched: tuple[UnitName, ...] = public(default=())
    """rs.1, up.1: the units that have moved since the last movement phase began."""
    fought: tuple[UnitName, ...] = public(default=())
    """rs.2: the units of the active side that have fought in this combat phase."""
    fled: Mapping[UnitName, tuple[HexName, ...]] = public(factory=dict)
    """pursuit.2, up.1: unit -> the way that it retreated in this combat phase."""
    paid: tuple[HexName, ...] = public(default=())
    """retreat.4: the hexes in enemy zones for which the retreat in progress has paid."""
    dug: tuple[UnitName, ...] = public(default=())
    """rs.2: the units that have built fieldworks in this turn of their side."""
    stirred: tuple[UnitName, ...] = public(default=())
    """disorg.3, bridge.4: the units that have moved or fought in this stage."""
    shaken: tuple[UnitName, ...] = public(default=())
    """disorg.1: the disorganised units."""
    shortage: Mapping[UnitName, int] = public(factory=dict)
    """supply.6: unit -> its level of shortage."""
    works: tuple[HexName, ...] = public(default=())
    """up.1: the hexes with fieldworks."""
    broken: tuple[Hexside, ...] = public(default=())
    """bridge.1: the bridges that are down."""
    built: tuple[Hexside, ...] = public(default=())
    """bridge.4: the bridges that are new."""
    bridging: Mapping[UnitName, Hexside] = public(factory=dict)
    """bridge.4: headquarters -> where it builds."""

    spent: Mapping[UnitName, int] = public(factory=dict)
    """bridge.1: unit -> the points that it has spent on bridges in this turn of its side."""
    flights: tuple[Flight, ...] = public(default=())
    """air.1: the aircraft over the map."""

    def put(self, unit: str, location: str) -> None:
        """With what follows wherever a unit goes: it has stirred, and fieldworks that it leaves empty are gone."""
        before = self.locations.get(unit)
        super().put(unit, location)
        if before is not None and before in self.layout.basis.indices:
            if unit not in self.stirred:
                self.stirred = (*self.stirred, unit)
            if unit in self.bridging:
                self.bridging = {other: side for other, side in self.bridging.items() if other != unit}
            if unit not in self.marched:
                self.marched = (*self.marched, unit)
            self._left(before)

    def remove(self, unit: str) -> None:
        """With everything that was known of it."""
        before = self.locations[unit]
        super().remove(unit)
        for name in ("marching", "shaken", "silent"):
            if unit in (units := getattr(self, name)):
                setattr(self, name, without(units, unit))
        for name in ("shortage", "bridging", "supporting"):
            if unit in (found := getattr(self, name)):
                setattr(self, name, {other: value for other, value in found.items() if other != unit})
        self._left(before)

    def _left(self, label: str) -> None:
        """up.3: no unit is left in the fieldworks of a hex."""
        if label in self.works and not self.layout.stacks.get(label):
            self.works = without(self.works, label)


def without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """All but one."""
    return tuple([other for other in names if other != name])


def also(names: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """With those that are not there yet."""
    return (*names, *[name for name in dict.fromkeys(more) if name not in names])


def half_up(points: Fraction | int, by: int = 2) -> int:
    """air.11: halves round up."""
    return -(-points // by)


def is_fresh(at: At, unit: str) -> bool:
    """combat.3: whether a unit has not fled in this combat phase: one that has adds nothing where it has come to."""
    return unit not in at.state.fled


# -- events -------------------------------------------------------------------------------------------------------------


@record
class StageBegan(PublicEvent[Wb95State]):
    """A stage begins, and no unit has moved in it."""

    kind = "stage-began"
    says = "a stage begins"

    def apply(self, state: Wb95State) -> None:
        """Forget what was done in the last."""
        state.stirred = ()


@record
class SideBegan(PublicEvent[Wb95State]):
    """The turn of a side begins."""

    kind = "side-began"
    says = "the turn of {side} begins"
    side: str

    def apply(self, state: Wb95State) -> None:
        """Forget what was done in the turn before."""
        state.marched = state.fought = state.dug = ()
        state.spent = {}


@record
class CombatBegan(PublicEvent[Wb95State]):
    """A combat phase begins: every gun may fire, and no unit has fled."""

    kind = "combat-began"
    says = "every gun may fire"

    def apply(self, state: Wb95State) -> None:
        """Forget the last one."""
        state.used, state.fought, state.fled, state.supporting = (), (), {}, {}


@record
class CombatEnded(PublicEvent[Wb95State]):
    """A combat phase is over: guns that fired a barrage may move and fire again."""

    kind = "combat-ended"
    says = "the guns of a barrage may fire again"

    def apply(self, state: Wb95State) -> None:
        """Free them."""
        state.silent = ()


@record
class BattleBegan(PublicEvent[Wb95State]):
    """An attack is put together: it has no support yet."""

    kind = "battle-began"
    says = "{side} plans an attack"
    side: str

    def apply(self, state: Wb95State) -> None:
        """Forget the last battle."""
        state.supporting, state.starless, state.paid = {}, (), ()


@record
class FormationChanged(PublicEvent[Wb95State]):
    """A gun changed between march and combat formation."""

    kind = "formation-changed"
    unit: str
    marching: bool

    def apply(self, state: Wb95State) -> None:
        """Change it; that is movement."""
        state.marching = also(state.marching, self.unit) if self.marching else without(state.marching, self.unit)
        if state.phase.endswith("-movement"):
            state.marched, state.stirred = also(state.marched, self.unit), also(state.stirred, self.unit)

    def __str__(self) -> str:
        return f"{self.unit} goes into {'march' if self.marching else 'combat'} formation"


@record
class GunSupports(PublicEvent[Wb95State]):
    """A gun supports its side in a battle."""

    kind = "gun-supports"
    says = "{unit} supports the battle for {hex}"
    unit: str
    hex: str

    def apply(self, state: Wb95State) -> None:
        """Once the battle is fought, it fires no more in this phase."""
        state.supporting = {**state.supporting, self.unit: self.hex}


@record
class StarsDeclined(PublicEvent[Wb95State]):
    """A side does not use its stars in a battle."""

    kind = "stars-declined"
    says = "{side} does not use its stars"
    side: str

    def apply(self, state: Wb95State) -> None:
        """Note it."""
        state.starless = also(state.starless, self.side)


@record
class Engaged(PublicEvent[Wb95State]):
    """Units fight."""

    kind = "engaged"
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    starred: tuple[str, ...] = ()
    """The sides whose stars count."""

    def apply(self, state: Wb95State) -> None:
        """They have stirred, and guns have fired."""
        state.defending, state.starred = self.defenders, self.starred
        state.used = also(state.used, *self.attackers, *state.supporting)
        state.fought = also(state.fought, *self.attackers, *state.supporting)
        state.stirred = also(state.stirred, *self.attackers, *self.defenders, *state.supporting)

    def __str__(self) -> str:
        return f"{', '.join(self.attackers)} fight {', '.join(self.defenders)}"


@record
class Fled(PublicEvent[Wb95State]):
    """A unit retreated along a way, for the first time in the phase or again."""

    kind = "fled"
    unit: str
    path: tuple[str, ...]
    paid: tuple[str, ...] = ()
    """The hexes for which it paid."""

    def apply(self, state: Wb95State) -> None:
        """Note the way."""
        state.fled = {**state.fled, self.unit: self.path}
        state.paid = also(state.paid, *self.paid)

    def __str__(self) -> str:
        return f"{self.unit} has fled by {' '.join(self.path)}"


@record
class Disorganised(PublicEvent[Wb95State]):
    """A unit is disorganised."""

    kind = "disorganised"
    says = "{unit} is disorganised"
    unit: str

    def apply(self, state: Wb95State) -> None:
        """Mark it; it takes a whole stage to recover."""
        state.shaken, state.stirred = also(state.shaken, self.unit), also(state.stirred, self.unit)


@record
class Recovered(PublicEvent[Wb95State]):
    """A unit is in order again."""

    kind = "recovered"
    says = "{unit} is in order again"
    unit: str

    def apply(self, state: Wb95State) -> None:
        """Take the marker off."""
        state.shaken = without(state.shaken, self.unit)


@record
class ShortageChanged(PublicEvent[Wb95State]):
    """A unit is short of supply, or no more."""

    kind = "shortage-changed"
    unit: str
    level: int

    def apply(self, state: Wb95State) -> None:
        """Change the marker."""
        others = {unit: level for unit, level in state.shortage.items() if unit != self.unit}
        state.shortage = {**others, self.unit: self.level} if self.level else others

    def __str__(self) -> str:
        return f"{self.unit} lacks supply, level {self.level}" if self.level else f"{self.unit} is supplied again"


@record
class WorksBuilt(PublicEvent[Wb95State]):
    """A unit dug in."""

    kind = "works-built"
    says = "{unit} builds fieldworks in {hex}"
    unit: str
    hex: str

    def apply(self, state: Wb95State) -> None:
        """Place the marker."""
        state.works = tuple(sorted({*state.works, self.hex}))
        state.dug = also(state.dug, *state.layout.stacks[self.hex])


WB95_EVENTS: tuple[type[Event], ...] = (
    StageBegan,
    SideBegan,
    CombatBegan,
    CombatEnded,
    BattleBegan,
    FormationChanged,
    GunSupports,
    StarsDeclined,
    Engaged,
    Fled,
    Disorganised,
    Recovered,
    ShortageChanged,
    WorksBuilt,
)
