"""Rule bugs of the 1918-21 system of the kinds that its checks had let through, made before the checks were mended.

`hexwar check wop --planted tests/wop/planted_again.py`. Each is a slip in a line or two.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable
from typing import Any

from hexwar.testing.mutation import Mutant, Patch
from hexwar.testing.planting import Plant, setting
from hexwar_wop.air import patrol
from hexwar_wop.air_fights import _fight
from hexwar_wop.modifiers import commander
from hexwar_wop.movement import WopMovement
from hexwar_wop.overstacking import outlets
from hexwar_wop.reactions import Reacting, leave_headquarters
from hexwar_wop.replacements import replacements_phase, wait_for_headquarters
from hexwar_wop.retreat import WopRetreat, _failures, _pass_zones
from hexwar_wop.river import WopRivers
from hexwar_wop.supply import is_supplied
from hexwar_wop.transport import _why_not_there, set_down
from hexwar_wop.victory import reach_radio
from hexwar_wop.zones import WopZones


def slip(function: Callable[..., Any], right: str, wrong: str) -> Plant:
    """Other words in the text of a function, wherever it is used already."""

    def plant(patch: Patch) -> None:
        text = textwrap.dedent(inspect.getsource(function))
        if text.count(right) != 1:
            raise ValueError(f"{function.__qualname__} has {right!r} {text.count(right)} times")
        made: dict[str, Any] = {}
        exec(text.replace(right, wrong), vars(sys.modules[function.__module__]), made)
        setting(function, "__code__", made[function.__name__].__code__)(patch)

    return plant


def mutant(id: str, clause: str, what: str, plant: Plant) -> Mutant:
    """A bug of this list."""
    return Mutant(id, what, plant, clause)


MUTANTS = [
    mutant(
        "again-soviet-pieces-first",
        "5.3",
        "The opponent's pieces come back before the Polish ones.",
        slip(replacements_phase, "tuple(reversed(play.world.sides))", "tuple(play.world.sides)"),
    ),
    mutant(
        "again-groups-supply",
        "3.4.a",
        "An independent unit draws supply from a group as well.",
        slip(is_supplied, 'headquarters_of(at, side, "formation", "army")', "headquarters_of(at, side)"),
    ),
    mutant(
        "again-boats-do-not-block",
        "3.5",
        "An enemy boat on the river does not break a boat's way to its base.",
        slip(WopRivers.is_supplied, " and not self.is_held(at, there, side)", ""),
    ),
    mutant(
        "again-patrols-with-the-initiative",
        "4.3.a",
        "The player with the initiative places air units first.",
        slip(patrol, "(first, *play.world.enemies(first))", "(*play.world.enemies(first), first)"),
    ),
    mutant(
        "again-units-do-not-wait",
        "5.9",
        "A unit does not wait for the headquarters of its formation.",
        slip(wait_for_headquarters, "0 < box(play, unit) < later", "0 < later < box(play, unit)"),
    ),
    mutant(
        "again-only-armies-gather",
        "9.21.a",
        "An independent unit without command goes only towards an army.",
        slip(WopMovement.homeward, 'in ("army", "formation")]', 'in ("army",)]'),
    ),
    mutant(
        "again-attackers-leaders-stay",
        "9.25",
        "Headquarters of attackers that were lost are not driven off.",
        slip(leave_headquarters, "(battle.target, *fallen)", "(battle.target,)"),
    ),
    mutant("again-loaded-zones", "10.2.2", "Loaded units have a zone.", slip(WopZones.strength, " if unit not in loaded}", "}")),
    mutant(
        "again-worst-morale-tests",
        "10.14.a",
        "A stack in a zone tests its lowest morale.",
        slip(_failures, "best = max(", "best = min("),
    ),
    mutant(
        "again-displaced-into-a-crowd",
        "12.5",
        "Who is over the limit is moved into a full hex.",
        slip(outlets, " and has_room(at, unit, label)", ""),
    ),
    mutant(
        "again-leaders-do-not-react",
        "13.13",
        "Headquarters stay behind when their units react.",
        slip(
            Reacting.perform,
            "stack(play, self.origin) if set(troops(play, self.origin)) <= set(self.units) else self.units",
            "self.units",
        ),
    ),
    mutant(
        "again-boats-past-two",
        "14.29.a",
        "A boat falls back past two enemy units at once.",
        slip(WopRivers.ways_out, "self.foes(at, there, side) < 2", "self.foes(at, there, side) < 3"),
    ),
    mutant(
        "again-worst-commander",
        "14.13.i",
        "Of several commanders of the attacker the worst counts.",
        slip(commander, "ours = max((", "ours = min(("),
    ),
    mutant(
        "again-retreat-past-attackers",
        "14.22.a",
        "A retreat need not lead away from all attackers.",
        slip(
            WopRetreat.choice,
            "any(board.distance(end, foe) < hexes for foe in foes)",
            "all(board.distance(end, foe) < hexes for foe in foes)",
        ),
    ),
    mutant(
        "again-boats-leave-their-bank",
        "16.4.2",
        "A boat does not defend the hex at which it lies.",
        slip(WopRivers.defends, '"16.4.2" if target in self.banks(here) else ""', '""'),
    ),
    mutant(
        "again-targets-have-stars",
        "17.13.a",
        "An air unit without fighters defends itself with its stars.",
        slip(_fight, "stars_of(play, name) if units[name].fighter else 0", "stars_of(play, name)"),
    ),
    mutant(
        "again-loading-before-the-enemy",
        "18.5.a",
        "An echelon loads at a station next to the enemy.",
        slip(
            _why_not_there,
            "if is_near_enemy(at, at.world.units[unit].side, to):",
            "if is_near_enemy(at, at.world.units[unit].side, here) and to != here:",
        ),
    ),
    mutant(
        "again-transport-back-early",
        "18.12",
        "A transport is back a turn early.",
        slip(set_down, "returns_after + 1", "returns_after"),
    ),
    mutant(
        "again-radio-a-turn-early",
        "19.3",
        "The radio counts only before the last turn that is named for it.",
        slip(reach_radio, "play.state.turn > radio.until", "play.state.turn >= radio.until"),
    ),
    mutant(
        "again-rating-is-too-much",
        "10.15",
        "A headquarters that retreats is lost on its rating as well.",
        slip(_pass_zones, "> rating", ">= rating"),
    ),
]
