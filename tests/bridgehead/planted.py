"""Bugs to plant in Bridgehead's own rules, each with the clause that it breaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import hexwar_bridgehead.barrage as barrage
import hexwar_bridgehead.ruleset as ruleset
import hexwar_bridgehead.turn as turn
import hexwar_bridgehead.world as world
from hexwar.engine import Loop, Phase, Play, SequenceOfPlay
from hexwar.mechanics import RetreatRules, TableCombat
from hexwar.pieces import Score, Shift, lose_step, on_board
from hexwar.pieces._pieces import eliminate
from hexwar.testing import Mutant, Patch
from hexwar_bridgehead.combat import BridgeheadCombat, BridgeheadPursuit, BridgeheadRetreat
from hexwar_bridgehead.staff import BridgeheadCup, BridgeheadVictory
from hexwar_bridgehead.world import BridgeheadWorld

MUTANTS: list[Mutant] = []


def bug(clause: str, id: str, what: str, *likely: str, **options: bool) -> Callable[[Any], Any]:
    """Add a function to the list: it plants a bug in the rule of a clause."""

    def enter(plant: Callable[[Patch], object]) -> Callable[[Patch], object]:
        MUTANTS.append(Mutant(id, what, plant, clause, tuple(options.items()), likely))
        return plant

    return enter


def _scenario(patch: Patch, **changes: Any) -> None:
    """The turn track has other numbers."""

    def load(original: Any, file: Any, model: Any) -> Any:
        return original(file, model).model_copy(update=changes)

    patch.wrap(world, "load_content", load)


def _without_early_end(patch: Patch) -> None:
    first, verdict = turn.SEQUENCE.nodes
    assert isinstance(first, Loop)
    *before, operations = first.body
    assert isinstance(operations, Loop)
    phases = tuple(node for node in operations.body if isinstance(node, Phase) and node.id != "early")
    patch.set(ruleset, "SEQUENCE", SequenceOfPlay(replace(first, body=(*before, replace(operations, body=phases))), verdict))


# -- 1, 5, 6: the turn -----------------------------------------------------------------------------------------------------


@bug("1.1", "five-turns", "The game ends after five turns.", "drills")
def _(patch: Patch) -> None:
    _scenario(patch, turns=5)


@bug("1.1", "seven-turns", "The game lasts seven turns.", "drills")
def _(patch: Patch) -> None:
    _scenario(patch, turns=7)


@bug("5.2", "red-selects-two-at-once", "Red selects two chits in the first turn.", "chits-are-kept")
def _(patch: Patch) -> None:
    _scenario(patch, chits={"blue": [2] * 6, "red": [2] * 6})


@bug("5.2", "dead-headquarters-have-chits", "The chits of headquarters that are gone may be selected.", "chits-are-kept")
def _(patch: Patch) -> None:
    def available(original: Any, self: BridgeheadCup, at: Any, side: str) -> tuple[str, ...]:
        return tuple(unit for unit, of in self.world.units.items() if of.side == side and of.is_headquarters)

    patch.wrap(BridgeheadCup, "available", available)


# -- 10, 11: retreat and pursuit -------------------------------------------------------------------------------------------


@bug(
    "10.4",
    "retreat-to-the-front",
    "Of two ways with equal losses the one that ends farther from supply is taken.",
    "staged-games-agree",
    "retreats-are-right",
)
def _(patch: Patch) -> None:
    patch.wrap(BridgeheadRetreat, "hexes_to_supply", lambda original, *given: [-number for number in original(*given)])


@bug("10.4", "retreat-anywhere", "Of two ways with equal losses either may be taken.", "staged-games-agree", "retreats-are-right")
def _(patch: Patch) -> None:
    patch.wrap(BridgeheadRetreat, "hexes_to_supply", lambda original, *given: [0 for _ in original(*given)])


@bug("10.1", "retreat-sideways", "A retreat need not lead away from where it began.", "retreats-are-right", "staged-games-agree")
def _(patch: Patch) -> None:
    patch.set(BridgeheadRetreat, "why_not_into", RetreatRules.why_not_into)


@bug("10.3", "retreat-friends-are-no-shelter", "A zone on a retreat costs a step although a friend is there.",
     "retreats-are-right", "staged-games-agree")  # fmt: skip
def _(patch: Patch) -> None:
    patch.set(BridgeheadRetreat, "hurts", RetreatRules.hurts)


def _stops(patch: Patch, stops: Callable[[BridgeheadWorld, bool, str], bool]) -> None:
    def changed(original: Any, self: BridgeheadPursuit, at: Any, unit: str, origin: str, target: str) -> str:
        world = self.world
        river = bool(world.board.side(origin, target) & world.chart.halved_across)
        return "pursuit.far.stop" if stops(world, river, target) else ""

    patch.wrap(BridgeheadPursuit, "stops", changed)


@bug(
    "11.2",
    "pursuit-over-the-river",
    "A river that was crossed does not end a pursuit.",
    "pursuits-are-right",
    "lone-pursuits-agree",
)
def _(patch: Patch) -> None:
    _stops(patch, lambda self, river, target: self.board.place(target) is not None or self.board.terrain(target) != "clear")


@bug("11.2", "pursuit-through-towns", "A town does not end a pursuit.", "pursuits-are-right", "lone-pursuits-agree")
def _(patch: Patch) -> None:
    _stops(patch, lambda self, river, target: river or self.board.terrain(target) != "clear")


@bug("11.2", "pursuit-through-woods", "Woods and marsh do not end a pursuit.", "pursuits-are-right", "lone-pursuits-agree")
def _(patch: Patch) -> None:
    _stops(patch, lambda self, river, target: river or self.board.place(target) is not None)


# -- 12: supply ------------------------------------------------------------------------------------------------------------


@bug("12.3", "unsupplied-fight-in-full", "Units without supply fight in full.", "attacks-are-right", "staged-games-agree")
def _(patch: Patch) -> None:
    patch.set(BridgeheadCombat, "strength", TableCombat.strength)


@bug("12.3", "unsupplied-defend-in-full", "Units without supply defend in full.", "attacks-are-right", "staged-games-agree")
def _(patch: Patch) -> None:
    def strength(original: Any, self: BridgeheadCombat, at: Any, battle: Any, unit: str) -> Any:
        return (original if unit in battle.attackers else TableCombat.strength)(self, at, battle, unit)

    patch.wrap(BridgeheadCombat, "strength", strength)


@bug("12.4", "supply-judged-unit-by-unit", "Lines are judged as steps are lost, so that one loss can cut off or save the next.",
     "staged-games-agree", "supply-is-right")  # fmt: skip
def _(patch: Patch) -> None:
    def check(original: Any, play: Any) -> None:
        for side in turn.RED_FIRST:
            for unit in on_board(play, side):
                if not play.world.supply.is_supplied(play, unit):
                    lose_step(play, unit, "supply.check")

    patch.wrap(turn, "check_supply", check)


@bug("12.4", "supply-of-red-only", "The supply chit harms Red only.", "supply-is-right", "staged-games-agree")
def _(patch: Patch) -> None:
    def check(original: Any, play: Any) -> None:
        for unit in [unit for unit in on_board(play, "red") if not play.world.supply.is_supplied(play, unit)]:
            lose_step(play, unit, "supply.check")

    patch.wrap(turn, "check_supply", check)


@bug(
    "12.4",
    "supply-kills",
    "A unit without supply is eliminated when the chit is drawn.",
    "pieces-are-conserved",
)
def _(patch: Patch) -> None:
    patch.wrap(turn, "lose_step", lambda original, play, unit, topic: eliminate(play, unit, topic))


@bug("12.1", "homes-exchanged", "Supply and reinforcements come from the enemy's home.", "arrivals-are-right", "supply-is-right")
def _(patch: Patch) -> None:
    _scenario(patch, home={"blue": "east", "red": "west"})


# -- 13: reinforcements ----------------------------------------------------------------------------------------------------


def _due(patch: Patch, is_due: Callable[[int, int], bool]) -> None:
    def due(original: Any, at: Any, unit: str) -> bool:
        word, _, number = at.state.locations.get(unit, "").partition(" ")
        return word == "turn" and is_due(int(number), at.state.turn)

    patch.wrap(turn, "_is_due", due)


@bug("13.1", "reinforcements-early", "Reinforcements come a turn early.", "arrivals-are-right")
def _(patch: Patch) -> None:
    _due(patch, lambda number, now: number <= now + 1)


@bug("13.1", "reinforcements-late", "Reinforcements come a turn late.", "arrivals-are-right")
def _(patch: Patch) -> None:
    _due(patch, lambda number, now: number < now)


@bug("13.1", "reinforcements-do-not-wait", "Reinforcements that did not come in their turn never come.", "arrivals-are-right")
def _(patch: Patch) -> None:
    _due(patch, lambda number, now: number == now)


@bug("13.1", "blue-first", "Blue's reinforcements and losses come before Red's.", "drills", "supply-is-right")
def _(patch: Patch) -> None:
    patch.set(turn, "RED_FIRST", ("blue", "red"))


# -- 14: victory -----------------------------------------------------------------------------------------------------------


@bug("14.2", "eliminated-units-count-double", "Each eliminated unit is worth two points.", "drills")
def _(patch: Patch) -> None:
    _scenario(patch, eliminated=2)


@bug("14.2", "eliminated-units-count-for-their-owner", "Eliminated units score for their own side.", "drills")
def _(patch: Patch) -> None:
    def scores(original: Any, self: Any, at: Any) -> tuple[Score, ...]:
        turned = {"blue": "red", "red": "blue"}
        return tuple(replace(one, side=turned[one.side]) if "eliminated" in one.reason else one for one in original(self, at))

    patch.wrap(BridgeheadVictory, "scores", scores)


def _ending(patch: Patch, winner: Callable[[Any, dict[str, int]], Any]) -> None:
    def end(original: Any, self: Play, won: Any, reason: str, *, clause: str, scores: Any = None) -> None:
        original(self, winner(won, dict(scores or {})), reason, clause=clause, scores=scores)

    patch.wrap(Play, "end", end)


@bug("14.3", "tie-to-the-attacker", "Blue wins a tie.", "drills")
def _(patch: Patch) -> None:
    _ending(patch, lambda won, scores: "blue" if scores and len(set(scores.values())) == 1 else won)


@bug("14.4", "no-early-end", "A side without units plays on.", "drills")
def _(patch: Patch) -> None:
    _without_early_end(patch)


@bug("14.4", "the-beaten-win", "A side without units wins.", "drills")
def _(patch: Patch) -> None:
    _ending(patch, lambda won, scores: won if scores else {"blue": "red", "red": "blue"}[won])


@bug("14.4", "nobody-left-is-for-red", "If both are without units, Red wins.", "drills")
def _(patch: Patch) -> None:
    def end(original: Any, self: Play, won: Any, reason: str, *, clause: str, scores: Any = None) -> None:
        original(self, won if scores or self.state.locations else "red", reason, clause=clause, scores=scores)

    patch.wrap(Play, "end", end)


# -- 15: barrage -----------------------------------------------------------------------------------------------------------


@bug(
    "15.1",
    "barrage-from-afar",
    "Headquarters support attacks three hexes away.",
    "attacks-are-right",
    "staged-games-agree",
    barrage=True,
)
def _(patch: Patch) -> None:
    patch.set(barrage, "RANGE", 3)


@bug("15.1", "barrage-to-the-left", "The barrage helps the defender.", "attacks-are-right", "staged-games-agree", barrage=True)
def _(patch: Patch) -> None:
    patch.set(barrage, "Shift", lambda columns, reason, clause: Shift(-columns, reason, clause))
