"""Arrival: units that wait off the board come in one by one, placed in a hex or by movement through one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, product
from typing import Any, NamedTuple

from hexwar.board import ALL, CLOSED, Board, Reach, StepCosts, mask_of
from hexwar.engine import Action, ActionSet, Listed, Play, Position, RandomSource, pick, record
from hexwar.errors import Refusal, UnknownName
from hexwar.mechanics._pieces import enter_hexes, has_room, in_enemy_zone, occupant
from hexwar.mechanics._state import HexName
from hexwar.mechanics._through import ways_through
from hexwar.mechanics._why_not_move import why_not_along, why_not_begin
from hexwar.mechanics._world import HexWorld
from hexwar.pieces._pieces import UnitPlaced
from hexwar.pieces._steps import OneByOne, UnitAction, UnitChoices, against

TRIES = 12
"""How often a sample looks for an open hex before it makes the list."""
SHOWN = 12
"""How many hexes a refusal names."""


class Reinforcements(NamedTuple):
    """Units of which some may arrive.

    Args:
        units: who.
        number: how many of them.
        about: the topic under which they come.
    """

    units: tuple[str, ...]
    number: int
    about: str = "arrival"


@record
class ComingIn(OneByOne):
    """Units that may come in now; those that do not wait where they are."""

    kind = ""
    shows = ("place",)
    hexes: tuple[HexName, ...]
    """Where they may come in."""
    limit: int = 999
    """How many of them may still come."""
    about: str = ""
    """The topic under which they come."""

    def rule(self, at: Position) -> str:
        """The clause on why they come."""
        return str(at.world.clause(self.about))

    def waiting(self, at: Position) -> tuple[str, ...]:
        """The units that still lie in a box, as long as more may come."""
        if self.limit < 1:
            return ()
        places, hexes = at.state.locations, at.world.board.indices
        return tuple([unit for unit in self.units if unit in places and places[unit] not in hexes])

    def strike_off(self, play: Play, unit: str) -> None:
        """The unit has come, and one less may follow."""
        units = tuple([other for other in self.units if other != unit])
        play.replace(replace(self, units=units, limit=self.limit - (unit in self.waiting(play))))

    def why_not_now(self, at: Position, action: UnitAction) -> Refusal | None:
        """Why a unit is not among those that come."""
        if self.limit < 1:
            return against(at, f"{self.about}.limit", "no more units may arrive now")
        return against(at, self.about, f"{action.unit} does not wait for its arrival")


# -- placed in a hex ------------------------------------------------------------------------------------------------------


@record
class Arrive(UnitAction):
    """Place a waiting unit in a hex."""

    kind = "arrive"
    says = "{unit} arrives at {to}"
    to: str


@record
class Arriving(ComingIn):
    """Units that are placed in a hex."""

    kind = "arriving"
    title = "Bring on your reinforcements"
    ending = "End arrivals"
    topic = "arrival"
    about: str = "arrival"

    def prompt(self, at: Position, seat: str) -> str:
        """Who waits, and how many may come if not all."""
        waiting = self.waiting(at)
        number = f" (no more than {self.limit})" if self.limit < len(waiting) else ""
        return f"Bring in reinforcements{number}: {', '.join(waiting)}."

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every open hex."""

        def why_not(action: Arrive) -> Refusal | None:
            return self.why_closed(at, unit, action.to)

        def likely(chance: RandomSource) -> Action | None:
            tries = (Arrive(unit, pick(self.hexes, chance)) for _ in range(TRIES if self.hexes else 0))
            return next((action for action in tries if why_not(action) is None), None)

        kept = at.memo, (self.kind, self.hexes, self.size_key(at, unit))
        return UnitChoices(Arrive, unit, partial(self.open_hexes, at, unit), partial(Arrive, unit), why_not, likely, kept)

    def size_key(self, at: Position, unit: str) -> Hashable:
        """The hexes that it may enter depend on its side, on what steps cost it, and on what stacking counts."""
        return at.world.units[unit].side, at.world.reaches.costs_of(at, unit), at.world.stacking.sort_of(at, unit)

    def open_hexes(self, at: Position, unit: str) -> Iterator[str]:
        """The hexes that a unit may enter, as `why_closed` says, for hundreds of hexes at a time."""
        world, layout, side = at.world, at.state.layout, at.world.units[unit].side
        shut = layout.threatened[side] | layout.closed_to(side)
        ground = _enterable(world.board, world.reaches.costs_of(at, unit)) & ~shut

        def open_among(hexes: tuple[str, ...]) -> Sequence[str]:
            mine = _mask(world.board, hexes)
            closed = mine & ~world.stacking.open_in(at, unit, mine & ground)
            left_out = {*world.board.scattered(closed)} if closed else ()
            return [label for label in hexes if label not in left_out] if left_out else hexes

        in_two = (self.hexes[:1], self.hexes[1:])  # often the question is only whether there is one
        return chain.from_iterable(map(open_among, in_two))

    def why_closed(self, at: Position, unit: str, label: str) -> Refusal | None:
        """Why a unit may not enter at a hex; None if it may."""
        side, board = at.world.units[unit].side, at.world.board
        if label not in self.hexes:
            if label in board and in_enemy_zone(at, side, label):
                return against(at, "arrival.hex.zone", f"{label} lies in an enemy zone of control")
            return against(at, "arrival.hex", f"{unit} may not enter at {label}; only at {_some(self.hexes)}")
        if occupant(at, label) not in (None, side):
            return against(at, "arrival.hex", f"the enemy stands in {label}")
        if in_enemy_zone(at, side, label):
            return against(at, "arrival.hex.zone", f"{label} lies in an enemy zone of control")
        if not _enterable(board, at.world.reaches.costs_of(at, unit)) >> board.index(label) & 1:
            return against(at, "arrival.hex", f"{label} is closed to {at.world.units[unit].arm}: {board.terrain(label)}")
        return None if has_room(at, unit, label) else against(at, "stacking", f"{label} is full")

    def act(self, play: Play, action: Arrive) -> None:
        """Place it."""
        self.place(play, action.unit, action.to)

    def place(self, play: Play, unit: str, label: str) -> None:
        """A unit comes in at a hex."""
        play.emit(UnitPlaced(unit, label, clause=play.world.clause(self.about)))
        enter_hexes(play, unit, (label,))


@lru_cache(maxsize=64)
def _mask(board: Board, hexes: tuple[str, ...]) -> int:
    """The mask of the hexes where units come in, which are often the same."""
    return board.mask(hexes)


@lru_cache(maxsize=64)
def _enterable(board: Board, costs: StepCosts) -> int:
    """The mask of the hexes into which the ground lets a step lead from somewhere; made once for an arm, then looked up."""
    tables = [(costs[d], delta) for d, delta in enumerate(board.deltas)]
    return mask_of({i + delta for table, delta in tables for i in board.hexes if table[i] != CLOSED}, board.size)


def _some(hexes: tuple[str, ...]) -> str:
    """The names of some hexes, not of hundreds."""
    return ", ".join(hexes) if len(hexes) <= SHOWN else f"{', '.join(hexes[:SHOWN])} and {len(hexes) - SHOWN} more"


# -- by movement, through entry hexes for which they pay ----------------------------------------------------------------------


@record
class Enter(UnitAction):
    """Bring a unit in through an entry hex and move it on."""

    kind = "enter"
    way = "path"
    to: str
    source: str
    """The entry hex."""
    mode: str = ""
    """The way of moving, if it is not the normal one."""
    path: tuple[str, ...] = ()
    """Every hex of its way, from the entry hex to the last, if it is not the cheapest."""

    def __str__(self) -> str:
        onward = f" and moves to {self.to}" if self.to != self.source else ""
        by = f" by {', '.join(self.path[1:-1])}" if self.path[1:-1] else ""
        return f"{self.unit} enters at {self.source}{onward}{by}{f' ({self.mode})' * bool(self.mode)}"


def entry_price(at: Position[Any, HexWorld], unit: str, source: str, mode: str = "") -> int:
    """The half points that a unit pays for the hex through which it comes in, or `CLOSED`.

    It pays for terrain or place, or in a way of moving along a link for that; and the surcharge of an enemy zone. There is no
    step between two hexes here, so what variants say of steps does not count. A price of the whole allowance is all it has.
    """
    world, kind = at.world, at.world.movement.mode(mode)
    if why_not_begin(at, unit, source, kind):
        return CLOSED
    prices, here = world.reaches.prices(at, unit, kind), world.board.index(source)
    arm, surcharge = prices.going.arm, prices.enter[here]
    price = world.chart.arms[arm].links.get(kind.along, CLOSED) if kind.along else world.chart.entry(world.board, arm, source)
    if CLOSED in (price, surcharge):
        return CLOSED
    if price == ALL:
        is_barred = prices.going.zones.whole == "either" and prices.threatened >> here & 1
        return CLOSED if is_barred else world.reaches.points(at, unit, kind)
    return min(price + surcharge, CLOSED)


def entry_reach(at: Position[Any, HexWorld], unit: str, source: str, mode: str = "") -> Reach | None:
    """How far a unit gets that comes in through a hex; None if it cannot come in there."""
    reaches, kind = at.world.reaches, at.world.movement.mode(mode)
    budget, price = reaches.points(at, unit, kind), entry_price(at, unit, source, mode)
    if not budget or price > budget:
        return None
    return reaches.reach_from(at, unit, at.world.board.index(source), budget - price, kind, fresh=False)


@record
class Entering(ComingIn):
    """Units that come in through entry hexes and move on; some of them, if there is a limit."""

    kind = "entering"
    topic = "entering"
    about: str = "entering"

    def prompt(self, at: Position, seat: str) -> str:
        """Who may come in, where, and how many."""
        waiting = self.waiting(at)
        count = f", {self.limit} of them" if self.limit < len(waiting) else ""
        return f"Bring units in at {', '.join(self.hexes)}{count}: {', '.join(waiting)}."

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every hex in which it may end, by each way of moving and each entry hex."""
        modes = [mode.name for mode in at.world.movement.modes]

        def ends(mode: str, source: str) -> list[tuple[str, str, str]]:
            reached = entry_reach(at, unit, source, mode)
            if reached is None:
                return []
            first = [source] if has_room(at, unit, source) else []
            return [(to, source, mode) for to in (*first, *at.world.reaches.ends(at, unit, reached))]

        def rows() -> list[tuple[str, str, str]]:
            return [row for mode in modes for source in self.hexes for row in ends(mode, source)]

        def make(row: tuple[str, str, str]) -> Action:
            return Enter(unit, *row)

        def likely(chance: RandomSource) -> Action | None:
            found = ends(pick(modes, chance), pick(self.hexes, chance))
            return make(pick(found, chance)) if found else None

        kept = at.memo, (self.kind, self.hexes, self.size_key(at, unit))
        through = partial(self._through, at, unit)
        return UnitChoices(Enter, unit, rows, make, partial(self.why_not, at), likely, kept, through)

    def _through(self, at: Position, unit: str, places: Sequence[str]) -> ActionSet:
        """By each entry hex and each way of moving, as far as the unit gets to the places."""
        made: list[Action] = []
        refusals: list[Refusal] = []
        for mode, source in product(at.world.movement.modes, self.hexes):
            found = entry_reach(at, unit, source, mode.name)
            ways = () if found is None else ways_through(at, unit, found, mode, places)
            if isinstance(ways, Refusal):
                refusals.append(ways)
            else:
                made += [Enter(unit, way[-1], source, mode.name, way) for way in ways]
        if not made and refusals:
            raise refusals[0]
        return Listed(made)

    def size_key(self, at: Position, unit: str) -> Hashable:
        """How far it gets depends on its side, arm and points, and where there is room on what stacking counts."""
        counter, world = at.world.units[unit], at.world
        return counter.side, counter.arm, world.movement.allowance(at, unit), world.stacking.sort_of(at, unit)

    def why_not(self, at: Position, action: Enter) -> Refusal | None:
        """Why a unit may not come in this way: the hex, who stands there, what it costs, how far it leads."""
        world: HexWorld = at.world
        unit, source, target, movement = action.unit, action.source, action.to, world.movement
        if source not in self.hexes:
            why = f"{unit} may not come in at {source}; only at {', '.join(self.hexes)}"
            return against(at, f"{self.about}.hex", why)
        if target not in world.board:
            return against(at, "move", f"there is no hex {target} on the map")
        try:
            mode = movement.mode(action.mode)
        except UnknownName as error:
            return against(at, "move", str(error))
        side, points = world.units[unit].side, movement.allowance(at, unit)
        for label in (source, target):
            holder = occupant(at, label)
            if holder not in (None, side):
                return against(at, "move.enemy", f"{label} is occupied by {holder}")
        if why_not := why_not_begin(at, unit, source, mode):
            return why_not
        reached = entry_reach(at, unit, source, mode.name)
        if reached is None:
            price = entry_price(at, unit, source, mode.name)
            ask = f"it is closed to {world.units[unit].arm}" if price == CLOSED else f"that costs {price / 2:g}"
            return against(at, "move.cost", f"{unit} cannot come in at {source} with {points} points: {ask}")
        if action.path:
            if action.path[0] != source or action.path[-1] != target:
                return against(at, "move", f"the way of {unit} leads from {source} to {target}")
            if why_not := why_not_along(at, unit, action.path, reached.budget, mode, fresh=False):
                return why_not
        elif world.board.index(target) not in reached:
            if mode.along and not world.board.has_link(target, mode.along):
                return against(at, f"{mode.topic}.way", f"{mode.name} movement stays on a {mode.along}, and {target} has none")
            message = f"{target} is out of reach of {unit} with the {reached.budget / 2:g} points that it has left at {source}"
            return against(at, mode.topic if mode.name else "move.cost", message)
        return world.stacking.why_not(at, unit, target)

    def act(self, play: Play, action: Enter) -> None:
        """Place it in the entry hex and move it on."""
        board, unit, source = play.world.board, action.unit, action.source
        reached = entry_reach(play, unit, source, action.mode)
        assert reached is not None
        path = action.path or [board.label(i) for i in reached.path(board.index(action.to))]
        play.emit(UnitPlaced(unit, source, clause=play.world.clause(self.about)))
        enter_hexes(play, unit, (source,))
        # A reaction to the arrival may have taken the unit away.
        if len(path) > 1 and play.state.locations.get(unit) == source:
            play.world.movement.go(play, unit, path, action.mode)
