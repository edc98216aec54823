"""More rule bugs of the 1918-21 system, made from its rulebook and its source without a look at its checks.

`hexwar check wop --planted tests/wop/planted_blind.py`. Each is a slip in a line or two.
"""

from __future__ import annotations

import copy
import inspect
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import hexwar_wop.activation
import hexwar_wop.movement
from hexwar.testing import planting
from hexwar.testing.mutation import Mutant, Patch
from hexwar.testing.planting import Plant, setting
from hexwar_wop.activation import Marching, attack_segment, displace_excess, leave_fights, move_headquarters, move_units
from hexwar_wop.air_fights import _fight
from hexwar_wop.combat import WopCombat
from hexwar_wop.command import is_under_command
from hexwar_wop.content import RIVER, TRAIN, WopContent, load_wop
from hexwar_wop.flights import leave_map
from hexwar_wop.modifiers import commander, half_up, is_encircled, neighbours, supply
from hexwar_wop.movement import WopMovement
from hexwar_wop.overstacking import outlets
from hexwar_wop.pursuit import Chasing
from hexwar_wop.reactions import Approaching, Fleeing, leave_headquarters, reacting
from hexwar_wop.reinforcements import arrival_hexes
from hexwar_wop.replacements import homes
from hexwar_wop.retreat import FallingBack, WopRetreat, is_watched
from hexwar_wop.river import Drifting, WopRivers
from hexwar_wop.supply import is_supplied
from hexwar_wop.transport import can_unload, toll, transport_segment
from hexwar_wop.turn import end_phase
from hexwar_wop.victory import decide
from hexwar_wop.weather import determine_weather
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


def no_fort_garrisons(content: WopContent) -> WopContent:
    """The terrain table without the mark of forts."""
    made = copy.copy(content)
    ground = [entry.model_copy(update={"garrison_site": False}) if entry.id == "fort" else entry for entry in content.terrain.hex]
    made.terrain = content.terrain.model_copy(update={"hex": ground})
    return made


def mutant(id: str, clause: str, what: str, plant: Plant) -> Mutant:
    """A bug of this list."""
    return Mutant(id, what, plant, clause)


MUTANTS = [
    # -- 1 to 4
    mutant(
        "blind-halves-to-even",
        "1.6",
        "Exact halves are rounded to the even number, as Python does.",
        slip(half_up, "floor(value + Fraction(1, 2))", "round(value)"),
    ),
    mutant(
        "blind-soviet-armies-first",
        "2.9.a",
        "In the end phase the opponent's army headquarters move before the Polish ones.",
        slip(end_phase, "reversed(play.world.sides)", "play.world.sides"),
    ),
    mutant(
        "blind-headquarters-before-units",
        "2.7.b",
        "Headquarters move before the units.",
        setting(
            hexwar_wop.activation,
            "SEGMENTS",
            (transport_segment, move_headquarters, move_units, attack_segment, displace_excess, leave_fights),
        ),
    ),
    mutant(
        "blind-armies-do-not-supply",
        "3.4.b",
        "An independent unit draws no supply from an army.",
        slip(is_supplied, '"formation", "army")', '"formation")'),
    ),
    mutant(
        "blind-hungry-tanks-keep-pace",
        "3.12.b",
        "Tanks without supply keep their whole allowance.",
        setting(hexwar_wop.movement, "HALVED", ("armoured_car", TRAIN, RIVER)),
    ),
    mutant(
        "blind-one-bank-shuts-the-river",
        "3.5",
        "An enemy on one bank is enough to break a boat's way to its base.",
        slip(WopRivers.is_supplied, "shut = all(", "shut = any("),
    ),
    mutant(
        "blind-one-roll-under-clouds",
        "4.2.2",
        "Under clouds one roll decides for all air units.",
        slip(
            determine_weather,
            'rolls = {unit: play.roll(f"{unit} under clouds", clause=clause, sides=10, lowest=0) for unit in squadrons}',
            'rolls = dict.fromkeys(squadrons, play.roll("air units under clouds", clause=clause, sides=10, lowest=0))',
        ),
    ),
    # -- 5, 6
    mutant(
        "blind-repulsed-lose-markers",
        "5.17",
        "Attackers that are thrown back and units that react lose their REPLACEMENT markers too.",
        slip(FallingBack._pay, "        lose_markers(play, fought)", "    lose_markers(play, fought)"),
    ),
    mutant(
        "blind-any-army-takes-them-back",
        "5.7",
        "An independent unit comes back with any army of its side, not with the nearest.",
        slip(homes, "[label for label, distance in far.items() if distance == min(far.values())]", "[*far]"),
    ),
    mutant(
        "blind-reinforcements-inland",
        "6.1.c",
        "A reinforcement whose hex is taken may come in the open country as well as at the map's edge.",
        slip(arrival_hexes, "{label for label in board.labels if len(board.neighbours(label)) < 6}", "{*board.labels}"),
    ),
    # -- 9
    mutant(
        "blind-lost-group-commands",
        "9.6",
        "A group carries on the command of an army that does not reach it.",
        slip(is_under_command, "for group in groups if is_under_command(at, group))", "for group in groups)"),
    ),
    mutant(
        "blind-stragglers-any-time",
        "9.20.a",
        "Units without command may move after others of their formation.",
        slip(
            Marching.strike_off,
            "[other for other in marked if formation and counters[other].formation == formation]",
            "[other for other in marked if other == unit and formation]",
        ),
    ),
    mutant(
        "blind-least-dangerous-drives-off",
        "9.25",
        "A headquarters that losses left alone is driven off by the least dangerous enemy.",
        slip(leave_headquarters, "min(dangers)", "max(dangers)"),
    ),
    mutant(
        "blind-one-roll-for-a-flight",
        "9.27.b",
        "A lone headquarters that is driven through several enemy zones rolls only once.",
        slip(Fleeing._flee, "for label in watched:", "for label in watched[:1]:"),
    ),
    # -- 10 to 12
    mutant(
        "blind-zone-of-the-strongest",
        "10.2.3.a",
        "Whether a stack has a zone depends on its strongest unit, not on the sum.",
        slip(
            WopZones.strength,
            "sum(units[unit].faces[state.steps_left[unit] - 1].defence for unit in counted)",
            "max((units[unit].faces[state.steps_left[unit] - 1].defence for unit in counted), default=0)",
        ),
    ),
    mutant(
        "blind-friends-cover-a-retreat",
        "10.13",
        "A unit of the own side cancels an enemy zone for a retreat.",
        slip(
            is_watched,
            "in_enemy_zone(at, side, label) or",
            "(in_enemy_zone(at, side, label) and side not in {at.world.units[unit].side for unit in troops(at, label)}) or",
        ),
    ),
    mutant(
        "blind-zones-of-the-allowance",
        "10.10",
        "In pursuit, zones cost parts of the allowance and not of the points of pursuit.",
        slip(WopMovement.in_pursuit, "self._terms(self.world.units[unit].arm, points)", "self.terms(at, unit)"),
    ),
    mutant(
        "blind-no-garrison-in-a-fort",
        "11.1.a",
        "The terrain table does not mark forts as places for garrisons.",
        planting.printed(load_wop, no_fort_garrisons),
    ),
    mutant(
        "blind-displaced-from-friends",
        "12.5",
        "Who is over the limit is moved away from his own side's units.",
        slip(outlets, "world.supply.troops(at, enemy)", "world.supply.troops(at, side)"),
    ),
    # -- 13
    mutant(
        "blind-one-gun-pays",
        "13.17.c",
        "Of several guns without cover that fail the test only one loses a level.",
        slip(
            Approaching._ride_down,
            'for gun in guns:\n            lose_step(play, gun, "guns.withdraw")',
            'lose_step(play, best, "guns.withdraw")',
        ),
    ),
    mutant(
        "blind-stack-of-the-first",
        "13.7.b",
        "A stack has the points of the unit that leads it, not of its slowest.",
        slip(WopMovement._most, "(unit, *self.companions(at, unit)) if mode.name else (unit,)", "(unit,)"),
    ),
    mutant(
        "blind-mixed-force-provokes",
        "13.9.a",
        "Cavalry may fall back before a force in which there is some infantry, whoever else comes with it.",
        slip(reacting, "before <= {*table[kind].to}", "before & {*table[kind].to}"),
    ),
    # -- 14
    mutant(
        "blind-beaten-are-spared",
        "14.3.c",
        "Units that fell back into a hex take no losses when it is attacked.",
        slip(WopCombat.defenders_lose, "troops(play, battle.target)", "counting(play, battle.target)"),
    ),
    mutant(
        "blind-last-pursuer-counts",
        "14.38.b",
        "A headquarters follows with the points of the unit that pursued last.",
        slip(Chasing.act, "points > dict(play.state.pursuits).get(formation, 0)", "points"),
    ),
    mutant(
        "blind-short-retreats-shun-enemies",
        "14.22.1",
        "A retreat by one hex next to an enemy is only a second choice.",
        slip(WopRetreat.choice, "clear or hexes == 1", "clear"),
    ),
    mutant(
        "blind-delay-spares-retreats",
        "14.25.b",
        "Enemy air units that delay do not count for a retreat.",
        slip(is_watched, " or is_delayed(at, side, label)", ""),
    ),
    mutant(
        "blind-boats-sink-at-once",
        "14.29.b",
        "A boat of two levels that is hit as it runs past an enemy is eliminated.",
        slip(Drifting.act, 'lose_step(play, unit, "retreat.river")', 'eliminate(play, unit, "retreat.river")'),
    ),
    mutant(
        "blind-attackers-need-a-line",
        "14.13.h",
        "The attacker's commander counts only if a line leads from him at that moment.",
        slip(
            commander,
            "_rating(at, _leaders(at, unit)) for unit in forces.attackers",
            "_rating(at, _led_now(at, unit)) for unit in forces.attackers",
        ),
    ),
    mutant(
        "blind-retreat-to-any-army",
        "14.21.b",
        "An independent unit retreats towards any army of its side, not only the nearest.",
        slip(WopRetreat.armies, "[label for label, far in distances.items() if far == min(distances.values())]", "[*distances]"),
    ),
    mutant(
        "blind-trapped-leaders-live",
        "14.26",
        "A headquarters whose units find no way out is not eliminated with them.",
        slip(FallingBack.resume, "not (self.gone or self.trapped)", "not self.gone"),
    ),
    mutant(
        "blind-lone-staff-is-a-neighbour",
        "14.13.u",
        "A lone headquarters next to an attacker counts as a neighbour that is not attacked.",
        slip(neighbours, "for unit in troops(at, label)", "for unit in stack(at, label)"),
    ),
    mutant(
        "blind-hunger-adds-up",
        "14.13.k",
        "Every unit without supply counts by itself.",
        slip(supply, "_value(at, name)", "_value(at, name) * len(hungry)"),
    ),
    mutant(
        "blind-staff-opens-a-ring",
        "14.13.s",
        "A headquarters of the own side in a neighbouring hex cancels the enemy's zone there.",
        slip(is_encircled, "for unit in troops(at, hex)", "for unit in stack(at, hex)"),
    ),
    # -- 16 to 19
    mutant(
        "blind-boats-guard-their-side",
        "16.4.1",
        "A boat joins the defence only if its own hexside is crossed, not the next one.",
        slip(WopRivers.defends, "{here, *self.next[here]}", "{here}"),
    ),
    mutant(
        "blind-only-the-fighter-goes-home",
        "17.13.b",
        "The other air units of the side that lost a fight in the air stay.",
        slip(_fight, "if touch(play, best, flight)]", "if flight.unit in pair]"),
    ),
    mutant(
        "blind-used-units-recover",
        "17.17",
        "Weakened air units recover in the turn in which they were used.",
        slip(leave_map, "unit not in play.state.flown and ", ""),
    ),
    mutant(
        "blind-defenders-stay-aloft",
        "17.14.1",
        "At the end of an activation only the active side's air units that supported fights go home.",
        slip(
            leave_fights,
            "if flight.mission == SUPPORT)",
            "if flight.mission == SUPPORT and play.world.units[flight.unit].side == play.world.seats[seat])",
        ),
    ),
    mutant(
        "blind-unloading-before-the-enemy",
        "18.5.b",
        "An echelon unloads at a station next to the enemy.",
        slip(
            can_unload,
            "any(not is_near_enemy(at, side, station) for station in stations(at, label))",
            "bool(stations(at, label))",
        ),
    ),
    mutant(
        "blind-half-of-the-transport",
        "18.13.b",
        "Unloading costs half of what the transport moves.",
        slip(toll, "at.world.movement.own_allowance(at, unit)", "at.world.movement.initial(at, unit)"),
    ),
    mutant(
        "blind-levels-by-more",
        "19.3",
        "A verdict needs more than the difference of points that is printed for it.",
        slip(decide, "difference >= level.min", "difference > level.min"),
    ),
]
