"""6.0 Selection: which chits a side may select, and where they go."""

from __future__ import annotations

from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from hexwar.engine import Action, ActionSet, Explained, Play, Position, record
from hexwar.errors import Refusal
from hexwar.pieces import Cup, Keeping, Obliged, Ready, Select, Selecting, Why, against, chosen_chits, end_activation
from hexwar_ava.state import At, ChitAdded, Doing
from hexwar_ava.tables import Chit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hexwar_ava.world import AvaWorld


class AvaSelection(Cup):
    """6.0: which chits a side may select, and where they go; the others lie face down and are not used in the turn (6.1.2)."""

    world: AvaWorld

    def printed(self) -> dict[str, Chit]:
        """Every chit of the scenario by id; 17.2: optional rules may add some."""
        content, entry = self.world.printed, self.world.entry
        chits = (*content.chits_of(entry.id, entry.last_turn), *content.choices_of(entry.id))
        return {chit.id: chit for chit in chits if chit.kind != "master"}

    def knows(self, chit: str) -> bool:
        """6.0: those that are printed; 20.1.1, 20.2.13: with a master cup, Master chits and dummies too."""
        kind, _, number = chit.rpartition("-")
        made = {"dummy", *(f"{side}-master" for side in self.world.sides)} if self.world.teams.many == "master-cup" else ()
        return chit in self.world.chits or (kind in made and number.isdecimal())

    def available(self, at: Position, side: str) -> tuple[str, ...]:
        """15.2.1, 18.1.4: the chits that a side may select from this turn; a headquarters that arrives brings none (12.1.1)."""
        return self._available(side, at.state.turn, at.state.added.get(side, ()))

    @cached_property
    def _available(self) -> Callable[[str, int, tuple[str, ...]], tuple[str, ...]]:
        @cache
        def available(side: str, turn: int, added: tuple[str, ...]) -> tuple[str, ...]:
            mine = [chit for chit in self.world.chits.values() if chit.side == side]
            return tuple(chit.id for chit in mine if (chit.id in added if chit.choice else chit.turn <= turn))

        return available

    def _left(self, at: Position, side: str) -> dict[str, int]:
        """6.2.1 to 6.2.3, 6.3.2: how many chits of each nation may still be selected; held ones count."""
        turn, chits = at.state.turn, self.world.chits
        left = self._numbers.get(turn)
        if left is None:
            left = self._numbers[turn] = {str(nation): by[turn - 1] for nation, by in self.world.track.chits.items()}
        left = left.copy()
        for chit in chosen_chits(at, side):
            left[str(chits[chit].nation)] -= 1
        return left

    @cached_property
    def _numbers(self) -> dict[int, dict[str, int]]:
        return {}

    def _rest(self, at: Position, side: str) -> list[str]:
        chosen = chosen_chits(at, side)
        return [chit for chit in self.available(at, side) if chit not in chosen]

    def _owed(self, rest: Iterable[str]) -> list[str]:
        """6.2.6: the Reinforcements chits that a side must still select, if the option requires it."""
        if not self.world.options["reinforcements-always"]:
            return []
        return [chit for chit in rest if self.world.chits[chit].kind == "reinforcements"]

    def _kept_for(self, owed: Iterable[str], chit: str) -> int:
        """How much of the number of a chit's nation other chits will need."""
        chits = self.world.chits
        return sum(other != chit and chits[other].nation == chits[chit].nation for other in owed)

    def selectable(self, at: Position, side: str) -> tuple[str, ...]:
        """6.1.1: all that may be selected, at once."""
        left, chits, rest = self._left(at, side), self.world.chits, self._rest(at, side)
        owed = self._owed(rest)
        return tuple([chit for chit in rest if left[str(chits[chit].nation)] > (self._kept_for(owed, chit) if owed else 0)])

    def why_not(self, at: Position, side: str, chit: str) -> Why | None:
        """6.1.1: any chit that is available, as long as the number of its nation lasts."""
        known = self.world.chits.get(chit)
        if known is None:
            return "chits.select.available", f"there is no chit {chit} in this scenario"
        if known.kind == "supply":
            return "chits.common", f"{chit} is in every cup and is nobody's to select"
        if known.side != side:
            return "chits.select.available", f"{chit} is no chit of {side}"
        if chit not in self.available(at, side):
            return "chits.select.available", f"{chit} is not available in turn {at.state.turn}"
        rest = self._rest(at, side)
        if chit not in rest:
            return "chits.select", f"{chit} is selected already"
        left = self._left(at, side)[str(known.nation)]
        owed = self._owed(rest)
        if 0 < left <= self._kept_for(owed, chit):
            return f"chits.{known.nation}", f"the last {known.nation} chit of the turn must be {', '.join(owed)}"
        if left <= 0:
            number = self.world.track.chits[known.nation][at.state.turn - 1] if known.nation else 0
            return f"chits.{known.nation}", f"no more than {number} {known.nation} chits may be selected in turn {at.state.turn}"
        return None

    def why_not_ready(self, at: Position, side: str) -> Why | None:
        """6.1.1: fewer than the number are allowed; 6.2.6: unless the option says that the reinforcements must be among them."""
        owed = ", ".join(self._owed(self.selectable(at, side))) if self.world.options["reinforcements-always"] else ""
        return ("chits.reinforcements", f"{owed} must be selected") if owed else None

    def takes_all(self, at: Position, side: str) -> bool:
        """Whether all that is left fits into the numbers."""
        left = self._left(at, side)
        for chit in self._rest(at, side):
            left[str(self.world.chits[chit].nation)] -= 1
        return min(left.values()) >= 0

    def keeping(self, at: Position, side: str, chit: str) -> Keeping:
        """6.3.1: interrupts are held; 18.1.10: the Soviet reinforcements may be, in the turns after Zhukov took command."""
        kind = self.world.chits[chit].kind
        if kind == "interrupt":
            return "hand"
        return "either" if kind == "reinforcements" and side == "soviet" and 0 < at.state.zhukov < at.state.turn else "cup"

    def common(self, at: Position) -> tuple[str, ...]:
        """6.2.5: the Supply Check is in every cup and counts against nobody's number."""
        return tuple(chit.id for chit in self.world.chits.values() if chit.kind == "supply")

    def may_hold(self, at: Position, side: str) -> list[str]:
        """6.3.1, 18.1.10: the chits that a side may hold now, as far as the other knows: those not shown yet."""
        state = at.state
        if side == "soviet" and not 0 < state.zhukov < state.turn:
            return []
        return [chit.id for chit in self._to_hold[side] if chit.turn <= state.turn and chit.id not in state.drawn]

    @cached_property
    def _to_hold(self) -> Mapping[str, tuple[Chit, ...]]:
        chits, kinds = self.world.chits.values(), {"axis": "interrupt", "soviet": "reinforcements"}
        return {side: tuple(c for c in chits if (c.kind, c.side) == (kind, side)) for side, kind in kinds.items()}


@record
class SelectRest(Action):
    """Choose every chit that is left."""

    kind = "select-rest"
    says = "select all that are left"


@record
class AvaSelecting(Selecting):
    """6.1.1: a side may select all that is left at once, if the numbers allow it."""

    kind = "selecting"

    def deciders(self, at: Position) -> tuple[str, ...]:
        """6.1.1: a team selects together: any of its players may, and may confirm for all."""
        world, ready = at.world, at.state.ready
        if not world.teams.divided:
            return Selecting.deciders(self, at)
        return tuple([seat for side in world.sides if side not in ready for seat in world.seats_of(side)])

    def actions(self, at: Position, seat: str) -> ActionSet:
        """With all that is left, after the confirmation."""
        one_by_one, side = [*Selecting.actions(self, at, seat)], at.world.seats[seat]
        if any(isinstance(action, Select) for action in one_by_one) and at.world.cup.takes_all(at, side):
            one_by_one.insert(int(Ready() in one_by_one), SelectRest())
        return Explained(one_by_one, partial(self.why_not, at, side))

    def why_not(self, at: Position, side: str, action: Action) -> Refusal | None:
        """6.1.1: all that is left only if it fits into the numbers."""
        if not isinstance(action, SelectRest):
            return Selecting.why_not(self, at, side, action)
        takes_all = at.world.cup.takes_all(at, side)
        return None if takes_all else against(at, "chits.select.limit", "not all of the other chits may be selected together")

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Note the choice."""
        if not isinstance(action, SelectRest):
            Selecting.perform(self, play, seat, action)
            return
        cup, side = play.world.cup, play.world.seats[seat]
        for chit in cup.selectable(play, side):
            Selecting.perform(self, play, seat, Select(chit, cup.keeping(play, side, chit) == "hand"))


@record
class AddChit(Action):
    """Make one more headquarters chit available."""

    kind = "add-chit"
    says = "make {chit} available"
    chit: str


@record
class Adding(Obliged):
    """18.1.4: the owner chooses which further chits of a map become available this turn; they stay available."""

    kind = "adding"
    says = "Choose an army that can be activated from now on: {able}."
    clause: ClassVar[str] = "18.1.4"
    choice = AddChit
    sheet: str
    left: int

    def able(self, at: At) -> list[str]:
        """The armies that are left, while one is to be added."""
        added = at.state.added.get(at.world.seats[self.seat], ())
        armies = [c.id for c in at.world.chits.values() if c.choice and c.sheet == self.sheet and c.id not in added]
        return armies if self.left else []

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, while there is a choice."""
        return (self.seat,) if self.left < len(self.able(at)) else ()

    def why_not(self, at: At, action: AddChit) -> Refusal:
        """Only one of those that are left."""
        why = f"{action.chit} is not one of the armies to choose from: {', '.join(self.able(at))}"
        return Refusal.against(self.clause, why)

    def chosen(self, play: Doing, action: AddChit) -> None:
        """Note it."""
        play.replace(Adding(self.seat, self.sheet, self.left - 1))
        play.emit(ChitAdded(play.world.seats[self.seat], action.chit, clause=self.clause))


def select_chits(play: Play) -> None:
    """5.0.3, 6.1.1, 6.1.3: after the surprise attack; the armies to choose from first, then both sides at once and in secret."""
    end_activation(play)
    play.push(AvaSelecting())
    add_chits(play)


def add_chits(play: Play) -> None:
    """18.1.4: the armies that the Soviets add this turn; in a team each player chooses on his map."""
    extra = play.world.entry.extra_headquarters
    if play.state.turn >= extra.from_turn:
        for sheet, number in reversed(extra.chits.items()):
            play.push(Adding(play.world.teams.seat_on("soviet", sheet), sheet, number))
