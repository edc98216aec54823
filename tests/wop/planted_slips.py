"""Slips in the rules of the 1918-21 system, a word or two each.

The first thirty-nine were made from the rulebook and the source without a look at the checks; the others are of the same kinds.
`hexwar mutate wop --planted tests/wop/planted.py` plants them with the rest.
"""

from __future__ import annotations

import copy
from functools import partial

import hexwar_wop.activation
import hexwar_wop.movement
from hexwar.mechanics import Reaches
from hexwar.testing import Mutant, planting
from hexwar.testing.planting import Plant, setting
from hexwar_wop.activation import SEGMENTS, Marching
from hexwar_wop.air import patrol
from hexwar_wop.air_fights import _fight
from hexwar_wop.combat import WopCombat
from hexwar_wop.command import is_under_command, note_command
from hexwar_wop.content import RIVER, TRAIN, WopContent, load_wop
from hexwar_wop.flights import leave_fights, leave_map
from hexwar_wop.homeward import homeward
from hexwar_wop.modifiers import _rating, attacking_ashore, commander, half_up, is_encircled, neighbours, supply
from hexwar_wop.overstacking import outlets
from hexwar_wop.pursuit import Chasing, WopPursuit
from hexwar_wop.reactions import Approaching, Fleeing, Reacting, leave_headquarters, reacting
from hexwar_wop.recreation import determine_return
from hexwar_wop.reinforcements import arrival_hexes
from hexwar_wop.replacements import homes, replacements_phase, wait_for_headquarters
from hexwar_wop.retreat import FallingBack, WopRetreat, _failures, _pass_zones, is_watched
from hexwar_wop.river import Drifting, WopRivers
from hexwar_wop.supply import drawn_by, is_supplied, supplied_hexes
from hexwar_wop.transport import _why_not_there, can_unload, set_down, toll
from hexwar_wop.turn import end_phase
from hexwar_wop.victory import decide, reach_radio
from hexwar_wop.weather import determine_weather
from hexwar_wop.zones import WopZones
from tests.plants import slip

printed = partial(planting.printed, load_wop)


def mutant(id: str, clause: str, what: str, plant: Plant) -> Mutant:
    """A slip that drills find."""
    return Mutant(id, what, plant, clause, likely=("drills",))


def no_fort_garrisons(content: WopContent) -> WopContent:
    """The terrain table without the mark of forts."""
    made = copy.copy(content)
    ground = [entry.model_copy(update={"garrison_site": False}) if entry.id == "fort" else entry for entry in content.terrain.hex]
    made.terrain = content.terrain.model_copy(update={"hex": ground})
    return made


MUTANTS: tuple[Mutant, ...] = (
    # -- 1 to 4
    mutant(
        "halves-to-even",
        "1.6",
        "exact halves are rounded to the even number, as Python does",
        slip(half_up, "floor(value + Fraction(1, 2))", "round(value)"),
    ),
    mutant(
        "soviet-armies-first",
        "2.9.a",
        "in the end phase the opponent's army headquarters move before the Polish ones",
        slip(end_phase, "reversed(play.world.sides)", "play.world.sides"),
    ),
    mutant(
        "headquarters-before-units",
        "2.7.b",
        "headquarters move before the units",
        setting(
            hexwar_wop.activation,
            "SEGMENTS",
            (SEGMENTS[0], SEGMENTS[2], SEGMENTS[1], *SEGMENTS[3:]),
        ),
    ),
    mutant(
        "armies-do-not-supply",
        "3.4.b",
        "an independent unit draws no supply from an army",
        slip(drawn_by, '"formation", "army")', '"formation")'),
    ),
    mutant(
        "hungry-tanks-keep-pace",
        "3.12.b",
        "tanks without supply keep their whole allowance",
        setting(hexwar_wop.movement, "HALVED", ("armoured_car", TRAIN, RIVER)),
    ),
    mutant(
        "one-bank-shuts-the-river",
        "3.5",
        "an enemy on one bank is enough to break a boat's way to its base",
        slip(WopRivers.is_supplied, "shut = all(", "shut = any("),
    ),
    mutant(
        "one-roll-under-clouds",
        "4.2.2",
        "under clouds one roll decides for all air units",
        slip(
            determine_weather,
            'rolls = {unit: play.roll(f"{unit} under clouds", clause=clause, sides=10, lowest=0) for unit in squadrons}',
            'rolls = dict.fromkeys(squadrons, play.roll("air units under clouds", clause=clause, sides=10, lowest=0))',
        ),
    ),
    # -- 5, 6
    mutant(
        "repulsed-lose-markers",
        "5.17",
        "attackers that are thrown back and units that react lose their REPLACEMENT markers too",
        slip(FallingBack._pay, "        lose_markers(play, fought)", "    lose_markers(play, fought)"),
    ),
    mutant(
        "any-army-takes-them-back",
        "5.7",
        "an independent unit comes back with any army of its side, not with the nearest",
        slip(homes, "[label for label, distance in far.items() if distance == min(far.values())]", "[*far]"),
    ),
    mutant(
        "reinforcements-inland",
        "6.1.c",
        "a reinforcement whose hex is taken may come in the open country as well as at the map's edge",
        slip(arrival_hexes, "{label for label in board.labels if len(board.neighbours(label)) < 6}", "{*board.labels}"),
    ),
    # -- 9
    mutant(
        "lost-group-commands",
        "9.6",
        "a group carries on the command of an army that does not reach it",
        slip(is_under_command, "for group in groups if is_under_command(at, group))", "for group in groups)"),
    ),
    mutant(
        "stragglers-any-time",
        "9.20.a",
        "units without command may move after others of their formation",
        slip(
            Marching.strike_off,
            "[other for other in marked if formation and counters[other].formation == formation]",
            "[other for other in marked if other == unit and formation]",
        ),
    ),
    mutant(
        "least-dangerous-drives-off",
        "9.25",
        "a headquarters that losses left alone is driven off by the least dangerous enemy",
        slip(leave_headquarters, "min(dangers)", "max(dangers)"),
    ),
    mutant(
        "one-roll-for-a-flight",
        "9.27.b",
        "a lone headquarters that is driven through several enemy zones rolls only once",
        slip(Fleeing._flee, "for label in watched:", "for label in watched[:1]:"),
    ),
    # -- 10 to 12
    mutant(
        "zone-of-the-strongest",
        "10.2.3.a",
        "whether a stack has a zone depends on its strongest unit, not on the sum",
        slip(
            WopZones.strength,
            "sum([units[unit].faces[levels[unit] - 1].defence for unit in counted])",
            "max((units[unit].faces[levels[unit] - 1].defence for unit in counted), default=0)",
        ),
    ),
    mutant(
        "friends-cover-a-retreat",
        "10.13",
        "a unit of the own side cancels an enemy zone for a retreat",
        slip(
            is_watched,
            "in_enemy_zone(at, side, label) or",
            "(in_enemy_zone(at, side, label) and side not in {at.world.units[unit].side for unit in troops(at, label)}) or",
        ),
    ),
    mutant(
        "zones-of-the-allowance",
        "10.10",
        "in pursuit, zones cost parts of the allowance and not of the points of pursuit",
        slip(WopPursuit.going, "movement.terms_with(self.world.units[unit].arm, points)", "movement.zone_terms(at, unit)"),
    ),
    mutant(
        "no-garrison-in-a-fort",
        "11.1.a",
        "the terrain table does not mark forts as places for garrisons",
        printed(no_fort_garrisons),
    ),
    mutant(
        "displaced-from-friends",
        "12.5",
        "who is over the limit is moved away from his own side's units",
        slip(outlets, "world.supply.troops(at, enemy)", "world.supply.troops(at, side)"),
    ),
    # -- 13
    mutant(
        "one-gun-pays",
        "13.17.c",
        "of several guns without cover that fail the test only one loses a level",
        slip(
            Approaching._ride_down,
            'for gun in guns:\n            lose_step(play, gun, "guns.withdraw")',
            'lose_step(play, best, "guns.withdraw")',
        ),
    ),
    mutant(
        "stack-of-the-first",
        "13.7.b",
        "a stack has the points of the unit that leads it, not of its slowest",
        slip(Reaches._ask, "self.world.movement.companions(at, unit, mode)", "()"),
    ),
    mutant(
        "mixed-force-provokes",
        "13.9.a",
        "cavalry may fall back before a force in which there is some infantry, whoever else comes with it",
        slip(reacting, "before <= {*table[kind].to}", "before & {*table[kind].to}"),
    ),
    # -- 14
    mutant(
        "beaten-are-spared",
        "14.3.c",
        "units that fell back into a hex take no losses when it is attacked",
        slip(WopCombat.defenders_lose_levels, "troops(play, battle.target)", "counting(play, battle.target)"),
    ),
    mutant(
        "last-pursuer-counts",
        "14.38.b",
        "a headquarters follows with the points of the unit that pursued last",
        slip(Chasing.act, "points > dict(play.state.pursuits).get(formation, 0)", "points"),
    ),
    mutant(
        "short-retreats-shun-enemies",
        "14.22.1",
        "a retreat by one hex next to an enemy is only a second choice",
        slip(WopRetreat.choice, "clear or hexes == 1", "clear"),
    ),
    mutant(
        "delay-spares-retreats",
        "14.25.b",
        "enemy air units that delay do not count for a retreat",
        slip(is_watched, " or is_delayed(at, side, label)", ""),
    ),
    mutant(
        "boats-sink-at-once",
        "14.29.b",
        "a boat of two levels that is hit as it runs past an enemy is eliminated",
        slip(Drifting.act, 'lose_step(play, unit, "retreat.river")', 'eliminate(play, unit, "retreat.river")'),
    ),
    mutant(
        "attackers-need-a-line",
        "14.13.h",
        "the attacker's commander counts only if a line leads from him at that moment",
        slip(
            _rating, "if formation in side else 0", "if formation in side and at.world.command.leads(at, formation, unit) else 0"
        ),
    ),
    mutant(
        "armies-lend-their-rating",
        "14.13.i",
        "an independent unit within the range of an army has its commander",
        slip(_rating, "units[hq].level == FORMATION", "units[hq].level"),
    ),
    mutant(
        "tests-do-not-help-attackers",
        "14.13.h",
        "who has passed the test of independence attacks without a commander",
        slip(note_command, "{*play.state.passed, *play.state.no_command}", "{*play.state.no_command}"),
    ),
    mutant(
        "one-with-a-commander-is-enough",
        "14.13.h",
        "the attackers have a commander if one of them was under command",
        slip(commander, "any(unit in at.state.unled", "all(unit in at.state.unled"),
    ),
    mutant(
        "retreat-to-any-army",
        "14.21.b",
        "an independent unit retreats towards any army of its side, not only the nearest",
        slip(WopRetreat._armies, "[label for label, far in distances.items() if far == min(distances.values())]", "[*distances]"),
    ),
    mutant(
        "trapped-leaders-live",
        "14.26",
        "a headquarters whose units find no way out is not eliminated with them",
        slip(FallingBack.resume, "not (self.gone or self.trapped)", "not self.gone"),
    ),
    mutant(
        "lone-staff-is-a-neighbour",
        "14.13.u",
        "a lone headquarters next to an attacker counts as a neighbour that is not attacked",
        slip(neighbours, "for unit in counting(at, label)", "for unit in stack(at, label)"),
    ),
    mutant(
        "beaten-neighbours-cost",
        "14.13.u",
        "who was attacked and fell back to stand beside another attacker counts as left alone",
        slip(neighbours, "for unit in counting(at, label)", "for unit in troops(at, label)"),
    ),
    mutant(
        "headquarters-fed-in-zones",
        "3.2.b",
        "a headquarters alone in an enemy zone is supplied beside a free road",
        slip(supplied_hexes, " & supply.open_to(at, side)", ""),
    ),
    mutant(
        "trains-eat-on-rails-only",
        "3.4.a",
        "a train that the railway does not feed draws from no headquarters",
        slip(is_supplied, "drawn = bool(", "drawn = counter.arm != TRAIN and bool("),
    ),
    mutant(
        "driven-as-in-a-retreat",
        "9.23.a",
        "a lone headquarters is driven only where 14.22 would have it retreat",
        slip(WopRetreat.driven, "return printed or [", "return ["),
    ),
    mutant(
        "guns-attack-alone",
        "14.14.c",
        "guns next to the target attack from a hex of their own",
        slip(attacking_ashore, "not in (ARTILLERY, RIVER)", "!= RIVER"),
    ),
    mutant(
        "hunger-adds-up",
        "14.13.k",
        "every unit without supply counts by itself",
        slip(supply, "_value(at, name)", "_value(at, name) * len(hungry)"),
    ),
    mutant(
        "staff-opens-a-ring",
        "14.13.s",
        "a headquarters of the own side in a neighbouring hex cancels the enemy's zone there",
        slip(is_encircled, "for unit in troops(at, hex)", "for unit in stack(at, hex)"),
    ),
    # -- 16 to 19
    mutant(
        "boats-guard-their-side",
        "16.4.1",
        "a boat joins the defence only if its own hexside is crossed, not the next one",
        slip(WopRivers.defends, "{here, *self.next[here]}", "{here}"),
    ),
    mutant(
        "used-units-recover",
        "17.17",
        "weakened air units recover in the turn in which they were used",
        slip(leave_map, "unit not in play.state.flown and ", ""),
    ),
    mutant(
        "defenders-stay-aloft",
        "17.14.1",
        "at the end of an activation only the active side's air units that supported fights go home",
        slip(
            leave_fights,
            "if flight.mission == SUPPORT)",
            "if flight.mission == SUPPORT and play.world.units[flight.unit].side == play.world.seats[seat])",
        ),
    ),
    mutant(
        "unloading-before-the-enemy",
        "18.5.b",
        "an echelon unloads at a station next to the enemy",
        slip(
            can_unload,
            "any(not is_near_enemy(at, side, station) for station in stations(at, label))",
            "bool(stations(at, label))",
        ),
    ),
    mutant(
        "half-of-the-transport",
        "18.13.b",
        "unloading costs half of what the transport moves",
        slip(toll, "at.world.movement.own_allowance(at, unit)", "at.world.movement.initial(at, unit)"),
    ),
    mutant(
        "levels-by-more",
        "19.3",
        "a verdict needs more than the difference of points that is printed for it",
        slip(decide, "difference >= level.min", "difference > level.min"),
    ),
    # -- of the same kinds
    mutant(
        "soviet-pieces-first",
        "5.3",
        "the opponent's pieces come back before the Polish ones",
        slip(replacements_phase, "tuple(reversed(play.world.sides))", "tuple(play.world.sides)"),
    ),
    mutant(
        "groups-supply",
        "3.4.a",
        "an independent unit draws supply from a group as well",
        slip(drawn_by, 'headquarters_of(at, side, "formation", "army")', "headquarters_of(at, side)"),
    ),
    mutant(
        "patrols-with-the-initiative",
        "4.3.a",
        "the player with the initiative places air units first",
        slip(patrol, "(first, *play.world.enemies(first))", "(*play.world.enemies(first), first)"),
    ),
    mutant(
        "units-do-not-wait",
        "5.9",
        "a unit does not wait for the headquarters of its formation",
        slip(wait_for_headquarters, "0 < box(play, unit) < later", "0 < later < box(play, unit)"),
    ),
    mutant(
        "only-armies-gather",
        "9.21.a",
        "an independent unit without command goes only towards an army",
        slip(homeward, 'in ("army", "formation")]', 'in ("army",)]'),
    ),
    mutant(
        "attackers-leaders-stay",
        "9.25",
        "headquarters of attackers that were lost are not driven off",
        slip(leave_headquarters, "(battle.target, *fallen)", "(battle.target,)"),
    ),
    mutant("loaded-zones", "10.2.2", "loaded units have a zone", slip(WopZones.strength, "unit not in loaded and ", "")),
    mutant(
        "worst-morale-tests",
        "10.14.a",
        "a stack in a zone tests its lowest morale",
        slip(_failures, "best = max(", "best = min("),
    ),
    mutant(
        "displaced-into-a-crowd",
        "12.5",
        "who is over the limit is moved into a full hex",
        slip(outlets, " and has_room(at, unit, label)", ""),
    ),
    mutant(
        "leaders-do-not-react",
        "13.13",
        "headquarters stay behind when their units react",
        slip(
            Reacting.perform,
            "stack(play, self.origin) if set(troops(play, self.origin)) <= set(self.units) else self.units",
            "self.units",
        ),
    ),
    mutant(
        "boats-past-two",
        "14.29.a",
        "a boat falls back past two enemy units at once",
        slip(WopRivers.ways_out, "self.foes(at, there, side) < 2", "self.foes(at, there, side) < 3"),
    ),
    mutant(
        "worst-commander",
        "14.13.i",
        "of several commanders of the attacker the worst counts",
        slip(commander, "ours = max((", "ours = min(("),
    ),
    mutant(
        "retreat-past-attackers",
        "14.22.a",
        "a retreat need not lead away from all attackers",
        slip(
            WopRetreat.choice,
            "any(board.distance(end, foe) < hexes for foe in foes)",
            "all(board.distance(end, foe) < hexes for foe in foes)",
        ),
    ),
    mutant(
        "boats-leave-their-bank",
        "16.4.2",
        "a boat does not defend the hex at which it lies",
        slip(WopRivers.defends, '"16.4.2" if target in self.banks(here) else ""', '""'),
    ),
    mutant(
        "targets-have-stars",
        "17.13.a",
        "an air unit without fighters defends itself with its stars",
        slip(_fight, "stars_of(play, name) if units[name].fighter else 0", "stars_of(play, name)"),
    ),
    mutant(
        "loading-before-the-enemy",
        "18.5.a",
        "an echelon loads at a station next to the enemy",
        slip(
            _why_not_there,
            "if is_near_enemy(at, at.world.units[unit].side, to):",
            "if is_near_enemy(at, at.world.units[unit].side, here) and to != here:",
        ),
    ),
    mutant(
        "transport-back-early",
        "18.12",
        "a transport is back a turn early",
        slip(set_down, "returns_after + 1", "returns_after"),
    ),
    mutant(
        "radio-a-turn-early",
        "19.3",
        "the radio counts only before the last turn that is named for it",
        slip(reach_radio, "play.state.turn > radio.until", "play.state.turn >= radio.until"),
    ),
    mutant(
        "rating-is-too-much",
        "10.15",
        "a headquarters that retreats is lost on its rating as well",
        slip(_pass_zones, "> rating", ">= rating"),
    ),
    # -- what can only happen on the Narew
    mutant(
        "immobile-staff-back-early",
        "9.26",
        "a headquarters without movement is back a turn early",
        slip(determine_return, "table.immobile_headquarters + 1", "table.immobile_headquarters"),
    ),
    mutant(
        "boats-sail-through", "16.1.a", "boats pass enemy boats", slip(WopRivers._reach, " or self.is_held(at, there, side)", "")
    ),
    mutant(
        "boats-do-not-block",
        "3.5",
        "an enemy boat does not cut the river for supply",
        slip(WopRivers.is_supplied, " and not self.is_held(at, there, side)", ""),
    ),
    mutant(
        "escorts-lose-alone",
        "17.13.b",
        "a fighter that loses goes home alone",
        slip(_fight, "if touch(play, best, flight)]", "if flight.unit in pair]"),
    ),
)
