"""5: re-created pieces come back onto the map, and weakened units receive replacements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexwar.board import CLOSED
from hexwar.engine import Action, ActionSet, Explained, PublicEvent, record
from hexwar.errors import Refusal
from hexwar.mechanics import Arrive, enter_hexes, has_room, occupant
from hexwar.pieces import Choosing, OneByOne, UnitAction, stands
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER
from hexwar_wop.recreation import LevelGained, MarkersRemoved
from hexwar_wop.river import present
from hexwar_wop.supply import headquarters_of, is_supplied, supplied_hexes
from hexwar_wop.world import At, Doing, WopState

NEAR_ARMY = 5
"""5.5.a: how far from its army's headquarters that of a formation comes back."""
ORDER = ("army", "group", "formation", "")
"""5.2: armies first, then the headquarters below them, then units."""


# -- 5.1 to 5.13 re-creation ----------------------------------------------------------------------------------------------


@record
class Recreated(PublicEvent[WopState]):
    """A piece is back on the map."""

    kind = "recreated"
    says = "{unit} is re-created in {location}"
    unit: str
    location: str

    def apply(self, state: WopState) -> None:
        """Put it there."""
        state.lost = {unit: label for unit, label in state.lost.items() if unit != self.unit}
        state.put(self.unit, self.location)


@record
class ReturnDelayed(PublicEvent[WopState]):
    """5.9: a unit waits for its headquarters."""

    kind = "return-delayed"
    says = "{unit} waits for its headquarters until turn {turn}"
    unit: str
    turn: int

    def apply(self, state: WopState) -> None:
        """Put it into that box."""
        state.put(self.unit, f"turn {self.turn}")


def box(at: At, unit: str) -> int:
    """The turn in whose box a piece lies; 0 if it lies in none."""
    word, _, number = at.state.locations.get(unit, "").partition(" ")
    return int(number) if word == "turn" else 0


def returning(at: At, side: str) -> list[str]:
    """14.48, 5.2: the eliminated pieces of a side that are due, in the order in which they come back."""
    units = at.world.units
    found = [unit for unit in at.state.lost if units[unit].side == side and 0 < box(at, unit) <= at.state.turn]
    return sorted(found, key=lambda unit: (ORDER.index(units[unit].level), at.world.basis.rank[unit]))


def why_not_here(at: At, unit: str, label: str) -> Refusal | None:
    """Why a piece may not come back in a hex: 5.4 and 5.5 for headquarters, 5.6 to 5.8 for units."""
    counter, board = at.world.units[unit], at.world.board
    if counter.arm == RIVER:
        return None if label in harbours(at, unit) else Refusal.against("5.7", f"{unit} does not come back in {label}")
    if label not in board:
        return Refusal.against("5.6", f"there is no hex {label} on the map")
    if occupant(at, label) not in (None, counter.side):
        return Refusal.against("12.1.a", f"the enemy is in {label}")
    chart, links = at.world.chart, at.world.chart.arms[counter.arm].links
    if chart.entry(board, counter.arm, label) == CLOSED and not any(board.has_link(label, link) for link in links):
        return Refusal.against("13.2.a", f"{label} is closed to {unit}")
    friends = at.world.supply.troops(at, counter.side) >> board.index(label) & 1
    watched = not friends and _faces_enemy(at, counter.side, label)
    if counter.level:
        why = None if watched else _why_not_headquarters(at, unit, label)
    elif label not in homes(at, unit):
        with_whom = "formation" if counter.formation else "army"
        why = Refusal.against("5.6" if counter.formation else "5.7", f"{unit} comes back with its {with_whom}, not in {label}")
    else:
        why = None if has_room(at, unit, label) else Refusal.against("12.2.a", f"there is no room for {unit} in {label}")
    if why is None and watched:
        clause = {"army": "5.4.b", "": "5.8"}.get(counter.level, "5.5.b")
        why = Refusal.against(clause, f"{label} is next to the enemy, and no unit of its side awaits {unit} there")
    return why


def _why_not_headquarters(at: At, unit: str, label: str) -> Refusal | None:
    counter, board = at.world.units[unit], at.world.board
    supplied = supplied_hexes(at, counter.side) >> board.index(label) & 1
    if not supplied:
        return Refusal.against("5.4.a" if counter.level == "army" else "5.5.a", f"{unit} would have no supply in {label}")
    if counter.level == "army":
        return None
    if not stands(at, counter.army) or board.distance(label, at.state.locations[counter.army]) > NEAR_ARMY:
        return Refusal.against("5.5.a", f"{label} is more than {NEAR_ARMY} hexes from {counter.army}")
    return None


def _faces_enemy(at: At, side: str, label: str) -> bool:
    """5.4.b: whether enemy units, not only headquarters, are next to a hex."""
    [enemy] = at.world.enemies(side)
    return bool(at.world.board.around(label) & at.world.supply.troops(at, enemy))


def homes(at: At, unit: str) -> list[str]:
    """5.6, 5.7, 5.12: where a unit comes back: with its formation, or with the army nearest to where it was eliminated."""
    counter, board, places = at.world.units[unit], at.world.board, at.state.locations
    if counter.formation:
        return [places[counter.formation]] if stands(at, counter.formation) else []
    far = {places[hq.id]: board.distance(at.state.lost[unit], places[hq.id]) for hq in headquarters_of(at, counter.side, "army")}
    return [label for label, distance in far.items() if distance == min(far.values())]


def harbours(at: At, unit: str) -> list[str]:
    """5.7, 5.8: where a river unit comes back: on the hexsides nearest to its army without enemies at the banks."""
    side, board, river = at.world.units[unit].side, at.world.board, at.world.river
    armies = homes(at, unit)
    free = [place for place in river.sides if not river.foes(at, place, side) and not river.is_held(at, place, side)]
    far = {
        place: min((board.distance(bank, army) for bank in river.banks(place) for army in armies), default=0) for place in free
    }
    return [place for place in far if armies and far[place] == min(far.values())]


@record
class Recreating(OneByOne):
    """5.1, 5.3: pieces that are due may come back; what does not waits."""

    kind = "recreating"
    says = "Re-create {waiting}."
    clause = "5.2"

    def waiting(self, at: At) -> tuple[str, ...]:
        """Those for which there is a place."""
        return tuple(unit for unit in self.units if not stands(at, unit) and self.places(at, unit))

    def strike_off(self, play: Doing, unit: str) -> None:
        """5.2: it is too late for those of a higher level."""
        rank = {other: ORDER.index(play.world.units[other].level) for other in self.units}
        left = tuple(other for other in self.units if other != unit and rank[other] >= rank[unit])
        play.replace(replace(self, units=left))

    def places(self, at: At, unit: str) -> Sequence[str]:
        """The hexes in which a piece may come back."""
        key = ("places", unit)
        if key not in at.memo:
            counter = at.world.units[unit]
            board = at.world.board
            candidates = board.unmask(supplied_hexes(at, counter.side)) if counter.level else homes(at, unit)
            if counter.arm == RIVER:
                candidates = harbours(at, unit)
            at.memo[key] = [label for label in candidates if why_not_here(at, unit, label) is None]
        found: list[str] = at.memo[key]
        return found

    def choices(self, at: At, unit: str) -> ActionSet:
        """Its hexes."""
        ways: list[Action] = [Arrive(unit, label) for label in self.places(at, unit)]
        return Explained(ways, lambda action: why_not_here(at, unit, action.to), Arrive)

    def act(self, play: Doing, action: Arrive) -> None:
        """It is back."""
        play.emit(Recreated(action.unit, action.to, clause="5.2"))
        enter_hexes(play, action.unit, (action.to,))

    def why_not_now(self, at: At, action: UnitAction) -> Refusal | None:
        """Why a piece is not among them: it is not due, or there is no place for it."""
        why = why_not_here(at, action.unit, action.to) if action.unit in self.units and isinstance(action, Arrive) else None
        return why or Refusal.against("5.2", f"{action.unit} does not come back now")


def wait_for_headquarters(play: Doing) -> None:
    """5.9: a unit is not back before the headquarters of its formation."""
    for unit in filter(play.state.lost.__contains__, play.world.units):
        formation = play.world.units[unit].formation
        later = box(play, formation) if formation in play.state.lost else 0
        if 0 < box(play, unit) < later:
            play.emit(ReturnDelayed(unit, later, clause="5.9"))


# -- 5.14 to 5.18 replacements --------------------------------------------------------------------------------------------


@record
class Refit(UnitAction):
    """Place a REPLACEMENT marker on a unit."""

    kind = "refit"
    says = "replacements for {unit}"


@record
class MarkerPlaced(PublicEvent[WopState]):
    """5.15.a: a unit gets a REPLACEMENT marker."""

    kind = "marker-placed"
    says = "{unit} receives replacements"
    unit: str
    side: str

    def apply(self, state: WopState) -> None:
        """5.18.b: the marker does not come back."""
        state.refitting = (*state.refitting, self.unit)
        state.markers = {**state.markers, self.side: state.markers[self.side] - 1}


def why_no_refit(at: At, unit: str, side: str) -> Refusal | None:
    """5.15.a, 5.16: why a unit receives no replacements; a unit that came back in this phase may (5.15.b)."""
    counter = at.world.units.get(unit)
    if counter is None or counter.side != side or counter.arm in (HEADQUARTERS, AIR) or not present(at, (unit,)):
        return Refusal.against("5.15.a", f"{unit} is no unit of the side on the map")
    if not at.state.markers.get(side):
        return Refusal.against("5.14", "there is no REPLACEMENT marker left")
    if unit in at.state.refitting:
        return Refusal.against("5.18.a", f"{unit} has its marker already")
    if at.state.steps_left[unit] == counter.steps:
        return Refusal.against("5.15.a", f"{unit} is not weakened")
    if unit in at.state.no_supply or not is_supplied(at, unit)[0]:
        return Refusal.against("5.16", f"{unit} has no supply")
    own = [counter.formation] if counter.formation else [hq.id for hq in headquarters_of(at, side, "army")]
    if not any(stands(at, hq) and at.world.command.leads(at, hq, unit) for hq in own):
        return Refusal.against("5.15.a", f"{unit} is not within the range of {' or '.join(own) or 'an army'}")
    return None


@record
class Refitting(Choosing):
    """5.15: REPLACEMENT markers are placed, as many as the owner likes."""

    kind = "refitting"
    clause = "5.15.a"
    choice = Refit

    def able(self, at: At) -> list[str]:
        """The units that may receive replacements."""
        side = at.world.seats[self.seat]
        if not at.state.markers.get(side):
            return []
        weak = [unit for unit in at.world.command.pieces(at, side) if at.state.steps_left[unit] < at.world.units[unit].steps]
        return [unit for unit in weak if why_no_refit(at, unit, side) is None]

    def why_not(self, at: At, action: Refit) -> Refusal | None:
        """Why a unit is not among them."""
        return why_no_refit(at, action.unit, at.world.seats[self.seat])

    def prompt(self, at: At, seat: str) -> str:
        """How many markers there are."""
        left = at.state.markers.get(at.world.seats[seat], 0)
        return f"Replacements ({left} marker{'s' if left > 1 else ''} left) for {', '.join(self.able(at))}?"

    def chosen(self, play: Doing, action: Refit) -> None:
        """Place the marker; 5.18.c: the unit moves and attacks as always."""
        play.emit(MarkerPlaced(action.unit, play.world.seats[self.seat], clause="5.15.a"))


def raise_levels(play: Doing) -> None:
    """5.18.a, 19.1.2: markers go, and the units are stronger by a level."""
    marked = play.state.refitting
    if marked:
        play.emit(MarkersRemoved(marked, clause="19.1.2"))
    for unit in marked:
        if present(play, (unit,)) and play.state.steps_left[unit] < play.world.units[unit].steps:
            play.emit(LevelGained(unit, clause="5.18.a"))


def replacements_phase(play: Doing) -> None:
    """2.5, 5.3: first what comes back, the Polish pieces before the others, then replacements."""
    wait_for_headquarters(play)
    sides = tuple(reversed(play.world.sides))
    for side in sides:
        play.push(Refitting(play.world.seat_for(side)))
    for side in sides:
        due = tuple(returning(play, side))
        if due:
            play.push(Recreating(play.world.seat_for(side), due))
