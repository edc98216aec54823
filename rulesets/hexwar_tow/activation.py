"""4.3 The Action Phase: a chit is drawn, perhaps cancelled by a reaction, and resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hexwar.engine import Action, ActionSet, Explained, Listed, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import (
    Attacking,
    Done,
    Interrupt,
    Interrupting,
    PuttingIn,
    UnitAction,
    UnitsActivated,
    draw_chit,
    end_activation,
    face,
    in_enemy_zone,
    on_board,
    standing,
)
from hexwar_tow.counters import HQ
from hexwar_tow.relocation import Marching
from hexwar_tow.state import ModeChosen, ReactionPlayed

if TYPE_CHECKING:
    from hexwar_tow.world import At, Doing

MODES = ("move-combat", "combat-move")


# -- 4.2.0.4, 4.3.1, 4.3.13 before a chit is resolved -----------------------------------------------------------------------


def chits_remain(at: At) -> bool:
    """4.3.15: the cup or the hand of the Axis is not empty."""
    return bool(at.state.cup or at.state.hand.get("axis"))


def the_axis_holds_chits(at: At) -> bool:
    """4.2.0.4: there is something to put in."""
    return bool(at.state.hand.get("axis"))


def put_in(play: Doing) -> None:
    """4.2.0.4: before each draw the Axis may put held chits into the cup."""
    end_activation(play)
    play.push(PuttingIn(play.world.seat_for("axis")))


@record
class Reacting(Interrupting):
    """4.3.13: with an OKH chit in hand, the Axis may cancel the chit that was drawn."""

    kind = "reacting"

    def playable(self, at: At) -> tuple[str, ...]:
        """4.2.2.5: OKH only."""
        held = at.state.hand.get(at.world.seats[self.seat], ())
        return tuple(chit for chit in held if at.world.chits[chit].kind == "okh")

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """4.2.2.6: the drawn chit goes back; the held one is resolved in its place."""
        Interrupting.perform(self, play, seat, action)
        if isinstance(action, Interrupt):
            play.emit(ReactionPlayed(action.chit, clause="4.2.2.5"))


def may_react(at: At) -> bool:
    """4.3.13, 4.3.14: whether the Axis may hold OKH, as far as the Soviets know, and the drawn chit can be cancelled."""
    state, chits = at.state, at.world.chits
    if not state.hand.get("axis") or chits[state.drawn[-1]].kind == "supply":
        return False
    return any(c.kind == "okh" and c.turn <= state.turn and c.id not in state.drawn for c in chits.values())


def draw(play: Doing) -> None:
    """4.3.1: draw a chit; the Axis may react."""
    end_activation(play)
    draw_chit(play)
    if may_react(play):
        play.push(Reacting(play.world.seat_for("axis")))


# -- 4.3.3 to 4.3.7 an activation -------------------------------------------------------------------------------------------


@record
class ChooseMode(Action):
    """Say in which order the active units move and fight."""

    kind = "choose-mode"
    mode: str

    def __str__(self) -> str:
        return "move, then fight" if self.mode == "move-combat" else "fight, then move"

    def appeal(self, at: At) -> float:
        """To a bot: units next to the enemy fight first, then exploit; others must first move up."""
        side = at.world.units[at.state.active[0]].side
        near = [in_enemy_zone(at, side, at.state.locations[unit]) for unit in standing(at, at.state.active)]
        ready = sum(near) / max(len(near), 1)
        return ready if self.mode == "combat-move" else 0.5


@record
class ChoosingMode(Step):
    """4.3.6: one mode for the whole activation."""

    kind = "choosing-mode"
    clause: ClassVar[str] = "4.3.6"
    seat: str

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player of the activated units."""
        return (self.seat,)

    def prompt(self, at: At, seat: str) -> str:
        """The question."""
        return "Move and then fight, or fight and then move?"

    def actions(self, at: At, seat: str) -> ActionSet:
        """Either."""
        return Listed([ChooseMode(mode) for mode in MODES])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Note it."""
        assert isinstance(action, ChooseMode)
        play.pop()
        play.emit(ModeChosen(action.mode, clause=self.clause))


@record
class Include(UnitAction):
    """Activate another headquarters as well."""

    kind = "include"

    def __str__(self) -> str:
        return f"activate {self.unit} as well"

    def appeal(self, at: At) -> float:
        """To a bot: more is better."""
        return 1.0


@record
class ChoosingSecond(Step):
    """4.3.4: an Axis headquarters may activate one other in its range; 4.3.5: that one activates no units."""

    kind = "choosing-second"
    clause: ClassVar[str] = "4.3.4"
    seat: str
    chit: str
    units: tuple[str, ...]
    others: tuple[str, ...]

    def deciders(self, at: At) -> tuple[str, ...]:
        """The Axis."""
        return (self.seat,)

    def prompt(self, at: At, seat: str) -> str:
        """Which there are."""
        return f"Activate another headquarters in range, {' or '.join(self.others)}?"

    def actions(self, at: At, seat: str) -> ActionSet:
        """None, or any of them."""

        def why_not(action: Include) -> Refusal:
            return Refusal.against(self.clause, f"{action.unit} is no other headquarters in range")

        return Explained([Done(), *map(Include, self.others)], why_not, Include)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Call them up."""
        play.pop()
        more = (action.unit,) if isinstance(action, Include) else ()
        rank = play.world.basis.rank
        units = tuple(sorted((*self.units, *more), key=rank.__getitem__))
        call_up(play, self.seat, self.chit, units, "4.3.4" if more else "4.3.3")


def activate(play: Doing, chit: str, headquarters: str) -> None:
    """4.3.3, 4.3.17: a headquarters and all units in its range, as they stand now (2.3.15), however often they were active."""
    world = play.world
    units = world.command.led_by(play, headquarters)
    side = world.units[headquarters].side
    seat = world.seat_for(side, headquarters)
    if side == "axis" and units:
        near = world.command.range_of(play, headquarters)
        others = tuple(
            unit
            for unit in on_board(play, side)
            if world.units[unit].arm == HQ and unit != headquarters and near >> world.board.index(play.state.locations[unit]) & 1
        )
        if others:
            play.push(ChoosingSecond(seat, chit, units, others))
            return
    call_up(play, seat, chit, units, "4.3.3" if units else "2.3.6")


def call_up(play: Doing, seat: str, chit: str, units: tuple[str, ...], clause: str) -> None:
    """4.3.3, 4.3.6: they are active; their owner chooses the mode."""
    play.emit(UnitsActivated(chit, units, clause=clause))
    if units:
        play.push(ChoosingMode(seat))


@record
class Lead(UnitAction):
    """Activate a headquarters."""

    kind = "lead"

    def __str__(self) -> str:
        return f"activate {self.unit}"

    def appeal(self, at: At) -> float:
        """To a bot: the strength that it leads."""
        return float(sum(face(at, unit).attack for unit in at.world.command.led_by(at, self.unit)))


@record
class ChoosingHeadquarters(Step):
    """4.3.11, 4.2.2.7, 12.1.1: the owner chooses one of his headquarters."""

    kind = "choosing-headquarters"
    seat: str
    chit: str
    about: str

    def rule(self, at: At) -> str:
        """The clause on why he may."""
        return self.about

    def _able(self, at: At) -> list[str]:
        side = at.world.seats[self.seat]
        return [unit for unit in on_board(at, side) if at.world.units[unit].arm == HQ]

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, if he has one on the map."""
        return (self.seat,) if self._able(at) else ()

    def prompt(self, at: At, seat: str) -> str:
        """Which there are."""
        return f"{self.chit}: which headquarters, {' or '.join(self._able(at))}?"

    def actions(self, at: At, seat: str) -> ActionSet:
        """Any of them."""

        def why_not(action: Lead) -> Refusal:
            return Refusal.against(self.about, f"{action.unit} is no {at.world.seats[self.seat]} headquarters on the map")

        return Explained(map(Lead, self._able(at)), why_not, Lead)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Activate it."""
        assert isinstance(action, Lead)
        play.pop()
        self.chosen(play, action.unit)

    def chosen(self, play: Doing, headquarters: str) -> None:
        """What the choice brings."""
        activate(play, self.chit, headquarters)

    def resume(self, play: Doing) -> None:
        """There is none."""
        play.pop()
        play.emit(UnitsActivated(self.chit, (), clause=self.about))


# -- 12.1 the first turn ----------------------------------------------------------------------------------------------------

OPENING = "the opening attack"


@record
class ChoosingOpening(ChoosingHeadquarters):
    """12.1.1: the Soviets choose a headquarters; it and the units in its range may attack but not move."""

    kind = "choosing-opening"

    def chosen(self, play: Doing, headquarters: str) -> None:
        """They attack at once."""
        units = play.world.command.led_by(play, headquarters)
        play.emit(UnitsActivated(self.chit, units, clause="12.1.1"))
        play.push(Attacking(self.seat, units))


def open_attack(play: Doing) -> None:
    """12.1.1: after the Luftwaffe Phase of turn 1."""
    play.push(ChoosingOpening(play.world.seat_for("soviet"), OPENING, "12.1.1"))


# -- 4.3.7 the segments -----------------------------------------------------------------------------------------------------


def somebody_is_active(at: At) -> bool:
    """4.3.7: an active unit is on the map."""
    return bool(standing(at, at.state.active))


def active_units_move_first(at: At) -> bool:
    """4.3.6: in Move-Combat."""
    return at.state.mode == "move-combat" and somebody_is_active(at)


def active_units_move_last(at: At) -> bool:
    """4.3.6: in Combat-Move."""
    return at.state.mode == "combat-move" and somebody_is_active(at)


def _owner(at: At) -> str:
    return at.world.seat_for(at.world.units[at.state.active[0]].side)


def move(play: Doing) -> None:
    """9.0.1: the active units may move, each once."""
    play.push(Marching(_owner(play), standing(play, play.state.active)))


def fight(play: Doing) -> None:
    """10.0.2: the active units may attack; an optional rule may prevent some of them."""
    able = play.world.combat.attackers(play, standing(play, play.state.active))
    if able:
        play.push(Attacking(_owner(play), able))
