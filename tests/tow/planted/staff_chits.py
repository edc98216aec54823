"""Rule bugs of the staff, continued: chits, held chits, OKH, activation and the opening attack (4, 12.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hexwar_tow.okh
import hexwar_tow.relocation
import hexwar_tow.ruleset
import hexwar_tow.supply
import hexwar_tow.turn
import hexwar_tow.world
from hexwar.engine import Listed
from hexwar.pieces import ChitReturned, on_board, standing
from hexwar.testing.planting import answering, wrapping
from hexwar_tow import activation
from hexwar_tow.activation import ChooseMode, ChoosingHeadquarters, ChoosingMode, ChoosingOpening, Reacting
from hexwar_tow.counters import HQ
from hexwar_tow.late_chits import PuttingIn
from hexwar_tow.lines import TowCommand
from hexwar_tow.okh import NEGOTIATION, ChoosingUse, Ordering, TowCup, Use
from hexwar_tow.relocation import Marching
from hexwar_tow.state import ModeChosen, TowState
from tests.plants import instead
from tests.tow.planted.planting import printed
from tests.tow.planted.staff_planting import chits, crossings, mutant, numbers

# -- 4.2 selection --------------------------------------------------------------------------------------------------------------


def _owed_without_stavka(original: Any, self: TowCup, chosen: Any) -> int:
    return len(self.fronts - {self.world.chits[chit].front for chit in chosen})


def _owed_with_stavka_twice(original: Any, self: TowCup, chosen: Any) -> int:
    owed = int(original(self, chosen))
    return max(0, owed - 1) if any(self.world.chits[chit].kind == "stavka" for chit in chosen) else owed


def _landed_again(original: Any, self: TowCup, at: Any, chit: Any) -> Any:
    return None if chit.kind == "airborne" and at.state.landed else original(self, at, chit)


def _drawn_rest(original: Any, self: TowCup, at: Any, side: str) -> tuple[str, ...]:
    found: tuple[str, ...] = original(self, at, side)
    return tuple(chit for chit in found if chit not in at.state.drawn or at.state.phase != "selection")


def _one_less(original: Any, self: TowCup, at: Any, side: str) -> int:
    return int(original(self, at, side)) - (side == "axis")


def _early_stavka(content: Any) -> Any:
    table = content.numbers.model_copy(update={"stavka": {**content.numbers.stavka, 4: 0}})
    chit = content.chits["stavka"].model_copy(update={"turn": 4})
    return replace(content, numbers=table, chits={**content.chits, "stavka": chit})


SELECTION = (
    mutant("seven-soviet-chits", "4.2.1.2", "the Soviets choose seven chits", numbers(soviet_chits=7)),
    mutant("five-soviet-chits", "4.2.1.2", "the Soviets choose five chits", numbers(soviet_chits=5)),
    mutant("fronts-are-left-out", "4.2.1.3", "not every Front needs a chit", answering(TowCup, "_owed", 0)),
    mutant("stavka-stands-in-for-nobody", "4.2.1.4", "STAVKA replaces no Front", wrapping(TowCup, "_owed", _owed_without_stavka)),
    mutant(
        "stavka-stands-in-for-two", "4.2.1.4", "STAVKA replaces two Fronts", wrapping(TowCup, "_owed", _owed_with_stavka_twice)
    ),
    mutant("stavka-in-turn-4", "4.2.1.7", "STAVKA comes in turn 4", printed(_early_stavka)),
    mutant(
        "stavka-with-any-crossings", "4.2.1.7", "STAVKA comes whatever the Soviets hold", numbers(stavka={5: 7, 6: 7, 7: 7, 8: 7})
    ),
    mutant("stavka-one-crossing-less", "PA.STAVKA.2", "STAVKA is stricter by a point", numbers(stavka={6: 0, 7: 2, 8: 4})),
    mutant("airborne-in-turn-2", "4.2.1.6", "paratroopers come in turn 2", chits(lambda chit: chit.kind == "airborne", turn=2)),
    mutant("airborne-twice", "4.2.1.6", "paratroopers jump again", wrapping(TowCup, "why_unavailable", _landed_again)),
    mutant("okh-in-turn-1", "4.2.2.3", "OKH comes in turn 1", chits(lambda chit: chit.kind == "okh", turn=1)),
    mutant("one-axis-chit-less", "4.2.2.2", "the Axis chooses a chit less", wrapping(TowCup, "number", _one_less)),
    mutant("soviets-hold-chits", "4.2.0.2", "the Soviets may hold chits", answering(TowCup, "keeping", "either")),
    mutant("the-axis-holds-nothing", "4.2.0.3", "the Axis may not hold chits", answering(TowCup, "keeping", "cup")),
    mutant(
        "drawn-chits-rest", "4.2.0.6", "what was drawn last turn cannot be chosen", wrapping(TowCup, "available", _drawn_rest)
    ),
)

# -- 4.2.0.4, 4.2.2, 4.3.13 held chits and OKH ----------------------------------------------------------------------------------


def _three_uses(original: Any, self: ChoosingUse, at: Any, seat: str) -> Any:
    return Listed([*original(self, at, seat), *([Use(NEGOTIATION)] if self.from_hand else [])])


def _two_uses(original: Any, self: ChoosingUse, at: Any, seat: str) -> Any:
    return Listed([action for action in original(self, at, seat) if action != Use(NEGOTIATION)])


def _any_held(original: Any, self: Reacting, at: Any) -> tuple[str, ...]:
    held: tuple[str, ...] = at.state.hand.get("axis", ())
    return held


def _lost(original: Any, self: ChitReturned, state: TowState) -> None:
    cup = state.cup
    original(self, state)
    state.cup = cup


def _in_range(original: Any, self: Ordering, at: Any) -> list[str]:
    leaders = [unit for unit in on_board(at, "axis") if at.world.units[unit].arm == HQ]
    near = {unit for leader in leaders for unit in at.world.command.led_by(at, leader)}
    return [unit for unit in original(self, at) if unit in near]


def _no_more_after_an_order(original: Any, self: Ordering, play: Any, units: tuple[str, ...]) -> None:
    leaders = [unit for unit in units if play.world.units[unit].arm == HQ]
    more = {unit for leader in leaders for unit in play.world.command.led_by(play, leader)}
    original(self, play, tuple(sorted({*units, *more}, key=play.world.basis.rank.__getitem__)))


OKH = (
    mutant(
        "held-chits-stay-in-hand",
        "4.2.0.4",
        "held chits go in only when the cup is empty",
        wrapping(PuttingIn, "deciders", lambda original, self, at: original(self, at) if not at.state.cup else ()),
    ),
    mutant(
        "held-chits-are-lost",
        "4.3.15",
        "the turn ends with an empty cup, whatever the Axis holds",
        instead(activation.chits_remain, lambda at: bool(at.state.cup)),
    ),
    mutant(
        "okh-from-the-hand-negotiates", "4.2.2.5", "OKH negotiates from the hand", wrapping(ChoosingUse, "actions", _three_uses)
    ),
    mutant("okh-never-negotiates", "4.2.2.4", "OKH does not negotiate", wrapping(ChoosingUse, "actions", _two_uses)),
    mutant("any-chit-reacts", "4.3.13", "any held chit is a reaction", wrapping(Reacting, "able", _any_held)),
    mutant("nobody-reacts", "4.3.13", "the Axis cannot react", wrapping(activation, "may_react", lambda original, at: False)),
    mutant(
        "supply-is-cancelled",
        "4.3.14",
        "a reaction cancels Supply",
        wrapping(activation, "may_react", lambda original, at: "axis" in at.state.hand),
    ),
    mutant("cancelled-chits-are-lost", "4.2.2.6", "a cancelled chit is lost", wrapping(ChitReturned, "apply", _lost)),
    mutant("orders-within-range", "4.2.2.8", "an OKH Order needs headquarters near", wrapping(Ordering, "able", _in_range)),
    mutant(
        "orders-of-headquarters",
        "4.2.2.8",
        "a headquarters in an OKH Order leads",
        wrapping(Ordering, "called", _no_more_after_an_order),
    ),
    mutant("orders-to-one-more", "4.2.2.8", "an OKH Order is for one unit more", crossings(okh_units=lambda number: number + 1)),
    mutant(
        "okh-leads-the-first",
        "4.2.2.7",
        "OKH and STAVKA lead the first headquarters only",
        wrapping(ChoosingHeadquarters, "able", lambda original, self, at: original(self, at)[:1]),
    ),
)

# -- 4.3 activation -------------------------------------------------------------------------------------------------------------


def _leads_too(original: Any, self: Any, play: Any, seat: str, action: Any) -> None:
    if isinstance(action, activation.Include):
        more = [unit for unit in play.world.command.led_by(play, action.unit) if unit not in (*self.units, action.unit)]
        self = replace(self, units=(*self.units, *more))
    original(self, play, seat, action)


def _soviets_too(original: Any, self: TowCommand, at: Any, leader: str) -> tuple[str, ...]:
    found: tuple[str, ...] = original(self, at, leader)
    units, board = self.world.units, self.world.board
    if units[leader].side == "axis" or not found:
        return found
    near = self.range_of(at, leader)
    others = [u for u in on_board(at, "soviet") if units[u].arm == HQ and near >> board.index(at.state.locations[u]) & 1]
    return tuple(dict.fromkeys((*found, *others)))


def _both_move(original: Any, self: ChoosingOpening, play: Any, headquarters: str) -> None:
    original(self, play, headquarters)
    play.push(Marching(self.seat, standing(play, play.state.active)))


ACTIVATION = (
    mutant(
        "the-second-leads",
        "4.3.5",
        "the second headquarters leads its units",
        wrapping(activation.ChoosingSecond, "perform", _leads_too),
    ),
    mutant("a-second-soviet", "4.3.4", "a Soviet headquarters activates others", wrapping(TowCommand, "led_by", _soviets_too)),
    mutant(
        "no-second-headquarters",
        "4.3.4",
        "an Axis headquarters activates no other",
        wrapping(
            activation.ChoosingSecond, "actions", lambda original, self, at, seat: Listed(list(original(self, at, seat))[:1])
        ),
    ),
    mutant(
        "always-move-first",
        "4.3.6",
        "units move first, whatever is said",
        wrapping(ModeChosen, "apply", lambda original, self, state: setattr(state, "mode", "move-combat")),
    ),
    mutant(
        "one-mode-only",
        "4.3.6",
        "there is no Combat-Move",
        wrapping(ChoosingMode, "actions", lambda original, self, at, seat: Listed([ChooseMode("move-combat")])),
    ),
    mutant("the-opening-moves", "12.1.1", "units of the opening attack move", wrapping(ChoosingOpening, "chosen", _both_move)),
    mutant("no-opening", "12.1.1", "there is no attack before turn 1", answering(ChoosingOpening, "deciders", ())),
    mutant(
        "an-opening-every-turn",
        "4.0.2",
        "every turn begins with a Soviet attack",
        instead(hexwar_tow.turn.it_is_the_first_turn, lambda at: True),
    ),
    mutant(
        "airborne-brings-no-group",
        "4.3.10",
        "no group comes with the Airborne chit",
        wrapping(
            hexwar_tow.okh, "bring_in", lambda original, play: original(play) if play.state.drawn[-1] != "airborne" else None
        ),
    ),
)

CHIT_MUTANTS = (*SELECTION, *OKH, *ACTIVATION)
"""In the order of the rulebook."""
