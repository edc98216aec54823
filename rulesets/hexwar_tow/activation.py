"""4.3 The Action Phase: a chit is drawn, perhaps cancelled by a reaction, and resolved."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, record
from hexwar.errors import Refusal
from hexwar.mechanics import Attacking, in_enemy_zone
from hexwar.pieces import (
    ChitName,
    Choosing,
    Interrupt,
    Interrupting,
    UnitAction,
    UnitName,
    UnitsActivated,
    draw_chit,
    end_activation,
    face,
    on_board,
    standing,
)
from hexwar_tow.chits import OPENING
from hexwar_tow.counters import HQ
from hexwar_tow.late_chits import PuttingIn
from hexwar_tow.relocation import Marching
from hexwar_tow.state import At, Doing, ModeChosen, ReactionPlayed

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

    def able(self, at: At) -> tuple[str, ...]:
        """4.2.2.5: OKH only."""
        held = at.state.hand.get(at.world.seats[self.seat], ())
        return tuple(chit for chit in held if at.world.chits[chit].kind == "okh")

    def chosen(self, play: Doing, action: Interrupt) -> None:
        """4.2.2.6: the drawn chit goes back; the held one is resolved in its place."""
        Interrupting.chosen(self, play, action)
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
class ChoosingMode(Choosing):
    """4.3.6: one mode for the whole activation."""

    kind = "choosing-mode"
    says = "Move and then fight, or fight and then move?"
    clause: ClassVar[str] = "4.3.6"
    choice = ChooseMode
    may_stop = False

    def able(self, at: At) -> tuple[str, ...]:
        """Either."""
        return MODES

    def chosen(self, play: Doing, action: ChooseMode) -> None:
        """Note it."""
        play.pop()
        play.emit(ModeChosen(action.mode, clause=self.clause))


@record
class Include(UnitAction):
    """Activate another headquarters as well."""

    kind = "include"
    says = "activate {unit} as well"
    can = "be activated"

    def appeal(self, at: At) -> float:
        """To a bot: more is better."""
        return 1.0


@record
class ChoosingSecond(Choosing):
    """4.3.4: an Axis headquarters may activate one other in its range; 4.3.5: that one activates no units."""

    kind = "choosing-second"
    ending = "No other headquarters"
    clause: ClassVar[str] = "4.3.4"
    choice = Include
    chit: ChitName
    units: tuple[UnitName, ...]
    others: tuple[UnitName, ...]

    def prompt(self, at: At, seat: str) -> str:
        """Which there are."""
        return f"Activate another headquarters in range, {' or '.join(self.others)}?"

    def able(self, at: At) -> tuple[str, ...]:
        """One of the others."""
        return self.others

    def why_not(self, at: At, action: Include) -> Refusal:
        """Only another headquarters in range."""
        return Refusal.against(self.clause, f"{action.unit} is no other headquarters in range")

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Activate them all."""
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
    says = "activate {unit}"

    def appeal(self, at: At) -> float:
        """To a bot: the strength that it leads."""
        return float(sum(face(at, unit).attack for unit in at.world.command.led_by(at, self.unit)))


@record
class ChoosingHeadquarters(Choosing):
    """4.3.11, 4.2.2.7, 12.1.1: the owner chooses one of their headquarters."""

    kind = "choosing-headquarters"
    choice = Lead
    may_stop = False
    chit: ChitName
    about: str

    def rule(self, at: At) -> str:
        """The clause that allows it."""
        return self.about

    def able(self, at: At) -> list[str]:
        """The headquarters of the side on the map."""
        side = at.world.seats[self.seat]
        return [unit for unit in on_board(at, side) if at.world.units[unit].arm == HQ]

    def prompt(self, at: At, seat: str) -> str:
        """Which there are."""
        return f"{self.chit}: which headquarters, {' or '.join(self.able(at))}?"

    def why_not(self, at: At, action: Lead) -> Refusal:
        """Only a headquarters of the side on the map."""
        return Refusal.against(self.about, f"{action.unit} is no {at.world.seats[self.seat]} headquarters on the map")

    def chosen(self, play: Doing, action: Lead) -> None:
        """It acts."""
        play.pop()
        activate(play, self.chit, action.unit)

    def resume(self, play: Doing) -> None:
        """There is none."""
        play.pop()
        play.emit(UnitsActivated(self.chit, (), clause=self.about))


# -- 12.1 the first turn ----------------------------------------------------------------------------------------------------


@record
class ChoosingOpening(ChoosingHeadquarters):
    """12.1.1: the Soviets choose a headquarters; it and the units in its range may attack but not move."""

    kind = "choosing-opening"

    def chosen(self, play: Doing, action: Lead) -> None:
        """They attack at once."""
        play.pop()
        units = play.world.command.led_by(play, action.unit)
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
    """10.0.2: the active units may attack."""
    able = standing(play, play.state.active)
    if able:
        play.push(Attacking(_owner(play), able))
