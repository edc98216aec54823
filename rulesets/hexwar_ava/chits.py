"""6.0 Selection: which chits a side may select, and what becomes of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from hexwar.engine import Action, ActionSet, Listed, Play, Position, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics import ChitWorld, Selecting
from hexwar_ava.state import ChitAdded
from hexwar_ava.tables import Chit, ScenarioEntry, Track

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexwar_ava.content import AvaContent
    from hexwar_ava.world import At, Doing


class AvaChits(ChitWorld):
    """The chits of a scenario. Whatever a side does not select lies face down and is not used in the turn (6.1.2)."""

    printed: AvaContent
    entry: ScenarioEntry
    track: Track

    @cached_property
    def chits(self) -> Mapping[str, Chit]:
        """Every chit of the scenario; 17.2: optional rules may have some more."""
        last = self.entry.last_turn
        printed = {
            chit.id: chit
            for chit in (*self.printed.chits_of(self.entry.id, last), *self.printed.choices_of(self.entry.id))
            if chit.kind != "master"
        }
        chits: dict[str, Chit] = self.hooks.refine("chits", printed, self)
        return chits

    @cached_property
    def chits_to_hold(self) -> Mapping[str, tuple[Chit, ...]]:
        """6.3.1, 18.1.10: the chits that each side may ever hold in hand."""
        kinds = {"axis": "interrupt", "soviet": "reinforcements"}
        return {side: tuple(c for c in self.chits.values() if (c.kind, c.side) == (kind, side)) for side, kind in kinds.items()}

    def available(self, at: Position, side: str) -> tuple[str, ...]:
        """15.2.1, 18.1.4: the chits that a side may select from this turn; a headquarters that arrives brings none (12.1.1)."""
        turn, added = at.state.turn, at.state.added.get(side, ())
        found = self._available.get((side, turn, added))
        if found is None:
            mine = [chit for chit in self.chits.values() if chit.side == side]
            found = tuple(chit.id for chit in mine if (chit.id in added if chit.choice else chit.turn <= turn))
            self._available[side, turn, added] = found
        return found

    @cached_property
    def _available(self) -> dict[tuple[str, int, tuple[str, ...]], tuple[str, ...]]:
        return {}

    def _left(self, at: Position, side: str) -> dict[str, int]:
        """6.2.1 to 6.2.3, 6.3.2: how many chits of each nation may still be selected; held ones count."""
        left = {str(nation): numbers[at.state.turn - 1] for nation, numbers in self.track.chits.items()}
        for chit in (*at.state.selected.get(side, ()), *at.state.hand.get(side, ())):
            left[str(self.chits[chit].nation)] -= 1
        return left

    def _rest(self, at: Position, side: str) -> list[str]:
        chosen = (*at.state.selected.get(side, ()), *at.state.hand.get(side, ()))
        return [chit for chit in self.available(at, side) if chit not in chosen]

    def selectable(self, at: Position, side: str) -> tuple[str, ...]:
        """6.1.1: any chit that is available, as long as the number of its nation lasts."""
        left, chits = self._left(at, side), self.chits
        rest = self._rest(at, side)
        owed = self._owed(rest)
        if not owed:
            return tuple([chit for chit in rest if left[str(chits[chit].nation)] > 0])
        return tuple(chit for chit in rest if left[str(chits[chit].nation)] > self._kept_for(owed, chit))

    def _owed(self, rest: Iterable[str]) -> list[str]:
        """6.2.6: the Reinforcements chits that a side has still to select, if the option says that it must."""
        if not self.options["reinforcements-always"]:
            return []
        return [chit for chit in rest if self.chits[chit].kind == "reinforcements"]

    def _kept_for(self, owed: Iterable[str], chit: str) -> int:
        """How much of the number of a chit's nation other chits will need."""
        return sum(other != chit and self.chits[other].nation == self.chits[chit].nation for other in owed)

    def may_finish(self, at: Position, side: str) -> bool:
        """6.1.1: fewer than the number will do; 6.2.6: unless the option says that the reinforcements must be among them."""
        return not self.options["reinforcements-always"] or not self._owed(self.selectable(at, side))

    def why_not_ready(self, at: Position, side: str) -> tuple[str, str] | None:
        """6.2.6: the option demands the Reinforcements chit."""
        owed = ", ".join(self._owed(self.selectable(at, side)))
        return ("chits.reinforcements", f"{owed} must be selected") if owed else None

    def may_take_rest(self, at: Position, side: str) -> bool:
        """Whether all that is left fits into the numbers."""
        left = self._left(at, side)
        rest = self._rest(at, side)
        for chit in rest:
            left[str(self.chits[chit].nation)] -= 1
        return bool(rest) and min(left.values()) >= 0

    def keeping(self, at: Position, side: str, chit: str) -> Literal["cup", "hand", "either"]:
        """6.3.1: interrupts are held; 18.1.10: the Soviet reinforcements may be, in the turns after Zhukov took command."""
        kind = self.chits[chit].kind
        if kind == "interrupt":
            return "hand"
        if kind == "reinforcements" and side == "soviet" and 0 < at.state.zhukov < at.state.turn:
            return "either"
        return "cup"

    def common_chits(self, at: Position) -> tuple[str, ...]:
        """6.2.5: the Supply Check is in every cup and counts against nobody's number."""
        return tuple(chit.id for chit in self.chits.values() if chit.kind == "supply")

    def why_not_selectable(self, at: Position, side: str, chit: str) -> tuple[str, str] | None:
        """The rule that is in the way."""
        known = self.chits.get(chit)
        if known is None:
            return "chits.available", f"there is no chit {chit} in this scenario"
        if known.kind == "supply":
            return "chits.common", f"{chit} is in every cup and is nobody's to select"
        if known.side != side:
            return "chits.available", f"{chit} is no chit of {side}"
        if chit not in self.available(at, side):
            return "chits.available", f"{chit} is not available in turn {at.state.turn}"
        rest = self._rest(at, side)
        if chit not in rest:
            return "chits.select", f"{chit} is selected already"
        left = self._left(at, side)[str(known.nation)]
        owed = self._owed(rest)
        if 0 < left <= self._kept_for(owed, chit):
            return f"chits.{known.nation}", f"the last {known.nation} chit of the turn must be {', '.join(owed)}"
        if left <= 0:
            number = self.track.chits[known.nation][at.state.turn - 1] if known.nation else 0
            return f"chits.{known.nation}", f"no more than {number} {known.nation} chits may be selected in turn {at.state.turn}"
        return None


@record
class AddChit(Action):
    """Make one more headquarters chit available."""

    kind = "add-chit"
    chit: str

    def __str__(self) -> str:
        return f"make {self.chit} available"


@record
class Adding(Step):
    """18.1.4: the owner chooses which further chits of a map become available this turn; they stay available."""

    kind = "adding"
    clause: ClassVar[str] = "18.1.4"
    seat: str
    sheet: str
    left: int

    def _candidates(self, at: At) -> list[str]:
        added = at.state.added.get(at.world.seats[self.seat], ())
        return [c.id for c in at.world.chits.values() if c.choice and c.sheet == self.sheet and c.id not in added]

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, while there is a choice."""
        return (self.seat,) if 0 < self.left < len(self._candidates(at)) else ()

    def prompt(self, at: At, seat: str) -> str:
        """Which are left."""
        return f"Choose an army that can be activated from now on: {', '.join(self._candidates(at))}."

    def actions(self, at: At, seat: str) -> ActionSet:
        """Any that is left."""
        return Listed(AddChit(chit) for chit in self._candidates(at))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Note it."""
        assert isinstance(action, AddChit)
        self._add(play, action.chit)

    def _add(self, play: Doing, chit: str) -> None:
        play.replace(Adding(self.seat, self.sheet, self.left - 1))
        play.emit(ChitAdded(play.world.seats[self.seat], chit, clause=self.clause))

    def resume(self, play: Doing) -> None:
        """Add what nobody needs to be asked about."""
        candidates = self._candidates(play)
        if self.left and candidates:
            self._add(play, candidates[0])
        else:
            play.pop()

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, AddChit):
            return None
        message = f"{action.chit} is not one of the armies to choose from: {', '.join(self._candidates(at))}"
        return Refusal(RefusalCode.AGAINST_RULE, self.clause, message)


def select_chits(play: Play) -> None:
    """5.0.3, 6.1.1, 6.1.3: the armies to choose from first, then both sides select at once and in secret."""
    play.push(Selecting())
    add_chits(play)


def add_chits(play: Play) -> None:
    """18.1.4: the armies that the Soviets add this turn; of a team each player chooses on his map."""
    extra = play.world.entry.extra_headquarters
    if play.state.turn >= extra.from_turn:
        for sheet, number in reversed(extra.chits.items()):
            play.push(Adding(play.world.seat_on("soviet", sheet), sheet, number))
