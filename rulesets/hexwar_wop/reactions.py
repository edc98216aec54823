"""9.23 to 9.27 and 13.9 to 13.17: what happens when an enemy unit comes near, on its way or in pursuit.

Lone headquarters are driven away or lost, guns without cover are overrun, cavalry, armoured cars and trains may fall back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from hexwar.engine import Action, ActionSet, Concern, Explained, Listed, Play, Position, PublicEvent, SeatName, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import Battle, HexName, Path, Retreat, Walking, go, in_enemy_zone, stack
from hexwar.pieces import Done, Location, Manner, Outcome, UnitName, eliminate, face, lose_step, standing, stands
from hexwar_wop.content import HEADQUARTERS, RIVER, TRAIN
from hexwar_wop.modifiers import ARTILLERY, troops
from hexwar_wop.retreat import FallingBack, run_past
from hexwar_wop.river import Drifting, boats, is_afloat
from hexwar_wop.transport import abandon, carrier

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At = Position[WopState, WopWorld]
    Doing = Play[WopState, WopWorld]

CAVALRY, CAR = "cavalry", "armoured_car"
OVERRUNS = (CAVALRY, CAR, TRAIN)
"""13.17.a: those that simply ride guns down."""
WITHDRAWAL = 2
"""13.17.c: hexes."""
FLIGHT = {CAVALRY: "9.23.2", CAR: "9.23.3", TRAIN: "9.23.3"}
"""The clause on a lone headquarters before an arm; before others it is 9.23.1."""


# -- who is concerned -----------------------------------------------------------------------------------------------------


def lone_headquarters(at: At, label: str) -> tuple[str, ...]:
    """9.23.a: the headquarters in a hex in which there are no units."""
    return () if troops(at, label) else stack(at, label)


def bare_guns(at: At, label: str) -> tuple[str, ...]:
    """13.17.a: the artillery of a hex in which there is nothing else but headquarters."""
    units = troops(at, label)
    return units if units and all(at.world.units[unit].arm == ARTILLERY for unit in units) else ()


def reacting(at: At, label: str, before: Set[str]) -> tuple[tuple[str, ...], int]:
    """13.9.a, 13.10.a, 13.11.a, 13.9.d: the units of a hex that may fall back only before some arms, and how far.

    What is loaded does not: it would lose its transport (18.10).
    """
    units, table = at.world.units, at.world.printed.tables.reaction
    here = troops(at, label)
    arms = {units[unit].arm for unit in here}
    kind = ""
    for alone in (TRAIN, RIVER):  # 13.11.a, 13.12: whoever else is there
        if alone in arms:
            kind, here = alone, tuple(unit for unit in here if units[unit].arm == alone)
    if not kind and arms == {CAR}:
        kind = CAR
    elif not kind and arms and arms <= {CAVALRY, CAR}:
        kind = CAVALRY
    able = tuple(unit for unit in here if unit not in at.state.reacted and not carrier(at, unit))
    if not kind or not able or not ("any" in table[kind].to or before <= {*table[kind].to}):
        return (), 0
    return able, table[kind].hexes


def distances(at: At, units: Sequence[str], most: int) -> Iterator[int]:
    """13.9.b: the hexes by which all of some units can fall back; 13.12: river units along the river."""
    for hexes in range(1, most + 1):
        if is_afloat(at, units[0]):
            able = all(at.world.river.ways_out(at, unit, hexes) for unit in units)
        else:
            able = all(at.world.retreat.is_possible(at, unit, hexes) for unit in units)
        if able:
            yield hexes


class Answer(NamedTuple):
    """What happens in a hex when an enemy comes next to it.

    Args:
        kind: "flight" of lone headquarters, "guns" without cover, or a "reaction" of those who may fall back.
        pieces: whom it happens to.
        most: hexes by which they may fall back or are driven off; 0 if they have no chance to.
        clause: the rule.
    """

    kind: str
    pieces: tuple[str, ...]
    most: int
    clause: str


def answer(at: At, units: Sequence[str], label: str, *, pursues: bool = False) -> Answer | None:
    """What happens in a hex when units come next to it together; None if nothing does."""
    coming, approached = arms_coming(at, units), at.world.printed.tables.headquarters_approached
    alone = lone_headquarters(at, label)
    if alone:
        arm = _worst(at, coming)  # 9.23.b: not by guns
        return Answer("flight", alone, approached[arm].displaced, FLIGHT.get(arm, "9.23.1")) if arm else None
    guns = bare_guns(at, label)
    if guns:
        lost = Answer("guns", guns, 0, "13.17.a") if coming & {*OVERRUNS} else Answer("guns", guns, WITHDRAWAL, "13.17.b")
        return lost if coming - {ARTILLERY} else None
    able, most = ((), 0) if pursues else reacting(at, label, coming)  # 13.9.c, 13.10.b, 13.11.b
    if not able or next(distances(at, able, most), None) is None:
        return None
    arms = {at.world.units[one].arm for one in able}
    if RIVER in arms:
        return Answer("reaction", able, most, "13.12")
    return Answer("reaction", able, most, "13.11.a" if TRAIN in arms else "13.9.a" if CAVALRY in arms else "13.10.a")


def concerned(at: At, units: Sequence[str], foe: str, *, pursues: bool = False) -> tuple[str, ...]:
    """The hexes in which something happens when units come into a hex; nothing does for headquarters (1.8)."""
    board = at.world.board
    if not arms_coming(at, units):
        return ()
    [enemy] = at.world.enemies(at.world.units[units[0]].side)
    near = board.around(foe) & at.state.layout.held[enemy]

    labels = [*board.unmask(near)] if near else []
    rivers = {at.state.locations[boat] for boat in boats(at, enemy)}
    labels += sorted(side for side in rivers if foe in at.world.river.banks(side))  # 13.12
    return tuple(label for label in labels if answer(at, units, label, pursues=pursues))


def arms_coming(at: At, units: Iterable[str]) -> set[str]:
    """The arms of those that come together: what is on a transport is what it is."""
    return {at.world.units[unit].arm for unit in units} - {HEADQUARTERS}


# -- one hex after the other ----------------------------------------------------------------------------------------------


@record
class Approaching(Step["WopState", "WopWorld"]):
    """A unit has come into a hex, and enemies next to it answer, hex by hex."""

    kind = "approaching"
    clause: ClassVar[str] = "13.9.a"
    seat: SeatName
    unit: UnitName
    hexes: tuple[Location, ...]
    """Hexes, and hexsides with boats."""
    pursues: bool = False
    reacted: bool = False
    """Whether a unit fell back, so that the unit may go on as it likes (13.15)."""

    def resume(self, play: Doing) -> None:
        """The next hex; when all are done, the unit goes on."""
        if not self.hexes or not stands(play, self.unit):
            play.pop()
            below = play.state.stack[-1]
            if self.reacted and isinstance(below, Advancing):
                play.replace(replace(below, path=(), halted=True))
            return
        label, foe = self.hexes[0], play.state.locations[self.unit]
        play.replace(replace(self, hexes=self.hexes[1:]))
        others = () if self.pursues else play.world.movement.company(play, self.unit)
        together = (self.unit, *others)
        found = answer(play, together, label, pursues=self.pursues)
        if found is None:
            return
        coming = arms_coming(play, together)
        if found.kind == "flight":
            drive_off(play, self.seat, _worst(play, coming), label, foe)
        elif found.kind == "guns":
            self._ride_down(play, coming, label, foe)
        else:
            owner = play.world.seat_for(play.world.units[found.pieces[0]].side, found.pieces[0])
            play.push(Reacting(owner, found.pieces, label, found.most, foe))

    def _ride_down(self, play: Doing, arms: Set[str], label: str, foe: str) -> None:
        """13.17: guns without cover are lost, or withdraw as in a retreat (13.17.d)."""
        guns = bare_guns(play, label)
        if arms & {*OVERRUNS}:
            for gun in guns:
                eliminate(play, gun, "guns")
            # The headquarters of the hex are alone now.
            play.replace(replace(play.state.stack[-1], hexes=(label, *self.hexes[1:])))
            return
        best = max(guns, key=lambda gun: play.world.units[gun].morale)
        morale = play.world.units[best].morale
        if play.roll(f"guns in {label} under attack ({morale})", clause="13.17.b", sides=10, lowest=0) > morale:
            for gun in guns:
                lose_step(play, gun, "guns.withdraw")
        left = standing(play, guns)
        if left:
            owner = play.world.seat_for(play.world.units[left[0]].side, left[0])
            abandon(play, stack(play, label))
            play.push(FallingBack(owner, stack(play, label), label, WITHDRAWAL, (foe,), attacked=False))


# -- 13.9 to 13.16 reactions ----------------------------------------------------------------------------------------------


@record
class Reacted(PublicEvent[Any]):
    """13.14: units have reacted, and do not do so again in this activation."""

    kind = "reacted"
    units: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Mark them."""
        state.reacted = (*state.reacted, *self.units)

    def __str__(self) -> str:
        return f"{', '.join(self.units)} react"


@record
class React(Action):
    """Fall back before the enemy by a number of hexes."""

    kind = "react"
    says = "fall back by {hexes}"
    hexes: int


@record
class Reacting(Step["WopState", "WopWorld"]):
    """13.9.a, 13.10.a, 13.11.a: units may fall back before an enemy who has come near."""

    kind = "reacting"
    says = "The enemy has come to {foe}: do {units} fall back from {origin}?"
    ending = "Stay"
    clause: ClassVar[str] = "13.9.a"
    seat: SeatName
    units: tuple[UnitName, ...]
    origin: Location
    most: int
    foe: HexName

    def deciders(self, at: At) -> tuple[str, ...]:
        """Their owner."""
        return (self.seat,)

    def concern(self, at: At, seat: str) -> Concern:
        """Who may, and where they and the enemy are."""
        return Concern(self.units, (*({self.origin} & at.world.board.indices.keys()), self.foe))

    def actions(self, at: At, seat: str) -> ActionSet:
        """Stay, or fall back by some hexes."""
        ways: list[Action] = [React(hexes) for hexes in distances(at, self.units, self.most)]
        refusal = Refusal.against("13.9.b", f"{', '.join(self.units)} cannot fall back so far")
        return Explained([Done(), *ways], lambda action: refusal, React)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """13.13, 13.16.a, 13.16.b: headquarters go along, and what zones cost on the way is as in any retreat."""
        play.pop()
        if not isinstance(action, React):
            return
        below = play.state.stack[-1]
        if isinstance(below, Approaching):
            play.replace(replace(below, reacted=True))
        play.emit(Reacted(self.units, clause="13.14"))
        if is_afloat(play, self.units[0]):
            play.push(Drifting(self.seat, self.units, action.hexes, beaten=False))
            return
        together = stack(play, self.origin) if set(troops(play, self.origin)) <= set(self.units) else self.units
        play.push(FallingBack(self.seat, together, self.origin, action.hexes, (self.foe,), attacked=False))


@record
class SetOut(PublicEvent[Any]):
    """13.7.a, 13.7.b, 13.8: a unit sets out, alone or with others, and does not move again in this activation."""

    kind = "set-out"
    units: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Note it."""
        state.marched, state.together = (*state.marched, *self.units), self.units

    def __str__(self) -> str:
        return f"{', '.join(self.units)} set{'s' if len(self.units) == 1 else ''} out"


@record
class Advancing(Walking):
    """13.15: a unit on its way; after a reaction its owner decides anew."""

    kind = "advancing"
    ending = "Stop here"
    halted: bool = False

    def _goes_on(self, at: At, path: Sequence[str]) -> int | Refusal:
        """14.28.a: a train runs past enemies in one go, as far as the next hex in which it can stand."""
        found: int | Refusal | None = at.memo.get((self, path))
        if found is None:
            found = at.memo[self, path] = self._price_of(at, path)
        return found

    def _price_of(self, at: At, path: Sequence[str]) -> int | Refusal:
        run = self._run(at, path)
        total = 0
        for number, label in enumerate(run):
            here = run[number - 1] if number else at.state.locations[self.unit]
            cost = self.price(at, here, label, self.left - total, fresh=not (self.begun or number))
            if isinstance(cost, Refusal):
                return cost
            total += cost
        if at.world.retreat.runs_past(at, self.unit, run[-1]):
            return Refusal.against("12.1.a", f"{self.unit} cannot stay in {run[-1]}")
        return total

    def _run(self, at: At, path: Sequence[str]) -> tuple[str, ...]:
        """The next hex of the way, and those after it until one in which there is no enemy."""
        ends = (number for number, label in enumerate(path) if not at.world.retreat.runs_past(at, self.unit, label))
        return tuple(path[: next(ends, len(path) - 1) + 1])

    def resume(self, play: Doing) -> None:
        """Enter the next hex, or run past an enemy (14.28.b)."""
        run = self._run(play, self.path) if self.path and stands(play, self.unit) else ()
        if len(run) < 2:
            Walking.resume(self, play)
            return
        cost, origin = self._goes_on(play, self.path), play.state.locations[self.unit]
        assert isinstance(cost, int), "the owner is asked where it cannot go on"
        play.replace(replace(self, path=self.path[len(run) :], left=self.left - cost, begun=True))
        go(play, self.unit, (origin, *run), "move.past")
        run_past(play, self.unit, (origin, *run))
        if stands(play, self.unit):
            self.hopped(play, run[-2], run[-1])

    def hopped(self, play: Doing, origin: str, target: str) -> None:
        """13.9, 11.1.a: enemies answer, and it may leave a garrison."""
        play.world.movement.entered(play, self.unit, origin, target, self.mode)

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, where the way is closed or the enemy has fallen back, if there is anything to decide."""
        if self.halted and stands(at, self.unit):
            return (self.seat,) if len(self._reach(at)) > 1 else ()
        return Walking.deciders(self, at)

    def actions(self, at: At, seat: str) -> ActionSet:
        """12.2.a: it may stay in a hex that is full."""
        ways = [action for action in Walking.actions(self, at, seat) if not isinstance(action, Done)]
        return Listed([Done(), *ways])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Stop, or go on."""
        Walking.perform(self, play, seat, action)
        play.replace(replace(play.state.stack[-1], halted=False))


# -- 9.23 to 9.27 lone headquarters ---------------------------------------------------------------------------------------


def drive_off(play: Doing, seat: str, arm: str, label: str, foe: str) -> None:
    """9.23.1 to 9.23.3, 9.26: lone headquarters in a hex are eliminated or moved, by the arm of who comes near."""
    entry = play.world.printed.tables.headquarters_approached[arm]
    for headquarters in lone_headquarters(play, label):
        if entry.eliminated_on and face(play, headquarters).move:  # 9.26: otherwise it is lost whatever comes near
            low, high = entry.eliminated_on
            rolled = play.roll(f"{headquarters} before {arm.replace('_', ' ')}", clause=FLIGHT[arm], sides=10, lowest=0)
            if low <= rolled <= high:
                eliminate(play, headquarters, "headquarters")
                continue
        abandon(play, (headquarters,))
        play.push(Fleeing(seat, headquarters, entry.displaced, foe))


@record
class Fleeing(Step["WopState", "WopWorld"]):
    """9.23.a: the opponent moves a lone headquarters, in the directions in which its owner's retreats are printed."""

    kind = "fleeing"
    shows = ("retreat", "path")
    says = "Move {headquarters} by {hexes} hexes."
    clause: ClassVar[str] = "9.23.a"
    seat: SeatName
    headquarters: UnitName
    hexes: int
    foe: HexName

    def ways(self, at: At) -> list[Path]:
        """One way to each hex to which it can be moved: that on which most zones of the opponent lie (9.27.b)."""
        key = ("flight", self.headquarters, self.hexes, self.foe)
        found: list[Path] | None = at.memo.get(key)
        if found is None:
            ways = at.world.retreat.driven(at, self.headquarters, self.hexes, self.foe)
            ends: dict[str, Path] = {}
            for path in sorted(ways, key=lambda path: (len(self._watched(at, path)), path)):
                ends[path[-1]] = path
            found = at.memo[key] = sorted(ends.values())
        return found

    def _watched(self, at: At, path: Path) -> list[str]:
        """9.27.b: the hexes of a way that lie in zones of the opponent."""
        side = at.world.units[self.headquarters].side
        return [label for label in path[1:] if in_enemy_zone(at, side, label)]

    def deciders(self, at: At) -> tuple[str, ...]:
        """The opponent, if there is a choice."""
        return (self.seat,) if stands(at, self.headquarters) and len(self.ways(at)) > 1 else ()

    def actions(self, at: At, seat: str) -> ActionSet:
        """Every hex."""
        return Listed([Retreat(self.headquarters, path) for path in self.ways(at)])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Move it."""
        assert isinstance(action, Retreat)
        play.pop()
        self._flee(play, action.path)

    def resume(self, play: Doing) -> None:
        """The only way, or none: 9.26, 14.26."""
        ways = self.ways(play) if stands(play, self.headquarters) else []
        play.pop()
        if ways:
            self._flee(play, ways[0])
        elif stands(play, self.headquarters):
            fixed = not play.world.units[self.headquarters].faces[-1].move
            eliminate(play, self.headquarters, "headquarters.immobile" if fixed else "headquarters.trapped")

    def _flee(self, play: Doing, path: Path) -> None:
        """9.27.b, 9.27.c: a roll for each hex in an enemy zone, by the most dangerous of those whose zone it is."""
        headquarters, side = self.headquarters, play.world.units[self.headquarters].side
        watched = self._watched(play, path)
        go(play, headquarters, path, "headquarters", Manner.RETREATS)
        for label in watched:
            low, high = danger(play, side, label)
            if low <= play.roll(f"{headquarters} in the zone over {label}", clause="9.27.b", sides=10, lowest=0) <= high:
                eliminate(play, headquarters, "headquarters.zone")
                return


def danger(at: At, side: str, label: str) -> tuple[int, int]:
    """9.27.b: the faces of the die that eliminate a headquarters in a hex that lies in enemy zones."""
    board, table, layout = at.world.board, at.world.printed.tables.headquarters_approached, at.state.layout
    [enemy] = at.world.enemies(side)
    near = board.unmask(board.around(label) & layout.held[enemy])
    owners = [unit for other in near if board.index(label) in layout.covered((), other) for unit in troops(at, other)]
    return min((table[arm].passing_zone for arm in arms_of(at, owners)), default=(9, 9))


def arms_of(at: At, units: Iterable[str]) -> set[str]:
    """The arms of some units before which headquarters flee."""
    return arms_near(at, {at.world.units[unit].arm for unit in units})


def arms_near(at: At, arms: Iterable[str]) -> set[str]:
    """Those of some arms before which headquarters flee."""
    return {*arms} & at.world.printed.tables.headquarters_approached.keys()


def leave_headquarters(play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
    """9.25: losses have left headquarters alone; the most dangerous enemy next to them drives them off."""
    fallen = [
        play.state.lost[unit] for unit in battle.attackers if unit in play.state.lost and play.world.units[unit].arm != RIVER
    ]
    for label in dict.fromkeys((battle.target, *fallen)):
        alone = lone_headquarters(play, label)
        if not alone:
            continue
        [enemy] = play.world.enemies(play.world.units[alone[0]].side)
        near = play.world.board.unmask(play.world.board.around(label) & play.state.layout.held[enemy])
        dangers = {(_rank(arm), other, arm) for other in near for arm in arms_of(play, troops(play, other))}
        if dangers:
            _, foe, arm = min(dangers)
            drive_off(play, play.world.seat_for(enemy), arm, label, foe)


def _worst(at: At, arms: Iterable[str]) -> str:
    """9.23: of several arms that come together, the most dangerous to a headquarters; "" if none is (9.23.b)."""
    return min(arms_near(at, arms), key=lambda arm: (_rank(arm), arm), default="")


def _rank(arm: str) -> int:
    """9.25: armoured cars and trains before cavalry, cavalry before the rest."""
    return 0 if arm in (CAR, TRAIN) else 1 if arm == CAVALRY else 2


REACTION_ACTIONS: tuple[type[Action], ...] = (React,)
REACTION_STEPS: tuple[type[Step], ...] = (Approaching, Reacting, Advancing, Fleeing)
REACTION_EVENTS: tuple[type[PublicEvent[Any]], ...] = (Reacted, SetOut)
