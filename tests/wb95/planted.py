"""Slips in the rules of WB-95, a word or two each, made from the clauses and the source without a look at drills and tests.

`hexwar mutate wb95 --planted tests/wb95/planted.py` plants them.
"""

from __future__ import annotations

from hexwar.testing import Mutant
from hexwar.testing.planting import Plant, answering, setting, wrapping
from hexwar_wb95 import air, fire, movement, results, state, supply, zones
from hexwar_wb95.combat import Wb95Combat, Wb95Duty
from hexwar_wb95.movement import may_move_strategically
from hexwar_wb95.stars import Stars
from hexwar_wb95.works import Forts
from tests.plants import slip


def mutant(id: str, clause: str, what: str, plant: Plant) -> Mutant:
    """A slip that drills find."""
    return Mutant(id, what, plant, clause, likely=("drills",))


MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "guns-stack-by-attack",
        "stack.1",
        "artillery counts its strength in attack in a hex",
        slip(zones.strength_points, "arm in GUNS or arm == HQ", "arm == HQ"),
    ),
    mutant(
        "no-zone-from-a-zone",
        "zoc.8",
        "a unit that leaves a zone may enter no zone at all",
        wrapping(zones.Wb95Zones, "same", lambda original, self, at, side, label: at.state.layout.threatened[side]),
    ),
    mutant(
        "forts-are-obliged",
        "fs.4",
        "units in a fortress must attack",
        slip(Wb95Duty.of_unit, "self.world.forts.is_fortified(at, side, here)", "here in at.state.works"),
    ),
    mutant(
        "half-crosses",
        "combat.6",
        "half of the strength is enough for a river",
        slip(Wb95Combat._crossed, "sum(share.values()) * 2 > 1", "sum(share.values()) * 2 >= 1"),
    ),
    mutant(
        "most-before-the-fort",
        "fs.2",
        "more than half of the attack must cross the line of a fortress",
        slip(Forts.across, ">= 1", "> 1"),
    ),
    mutant(
        "worst-ground-of-equals",
        "combat.7",
        "of equally strong hexes the ground that helps least counts",
        slip(Wb95Combat.main_target, "return points, self", "return points, -self"),
    ),
    mutant(
        "one-cap-for-both",
        "proc.5",
        "the attacker's columns are not limited before the defender's are taken off",
        slip(
            Wb95Combat.odds,
            "self.shifts(at, battle), self.support(at, battle))",
            "(*self.shifts(at, battle), *self.support(at, battle)))",
        ),
    ),
    mutant(
        "a-roll-for-each-hex",
        "result.4",
        "a retreat of n hexes brings n rolls",
        slip(results.Fleeing.act, "len(path) - 2", "len(path) - 1"),
    ),
    mutant(
        "followers-pay",
        "retreat.4",
        "every unit of a stack pays for a hex in an enemy zone",
        slip(state.Fled.apply, "also(state.paid, *self.paid)", "state.paid"),
    ),
    mutant(
        "shortest-flight-counts",
        "pursuit.2",
        "pursuit goes as far as the unit that fled least",
        slip(results.Wb95Pursuit.distance, "max(", "min("),
    ),
    mutant("no-hex-beyond", "pursuit.6", "whoever destroyed a defender goes no hex beyond", setting(results, "BEYOND", 1)),
    mutant(
        "cheap-overruns",
        "art.4",
        "an overrun of guns in fieldworks costs a point, as in the open",
        setting(movement, "EXTRA_IN_WORKS", 1),
    ),
    mutant(
        "backing-from-zones",
        "art.14",
        "guns in an enemy zone support the defence of any hex",
        answering("hexwar_wb95.support", "in_enemy_zone", False),
    ),
    mutant(
        "ground-counts-once",
        "art.17",
        "independent fire loses the bonus of the ground once",
        slip(fire.strength_of, "air - 2 *", "air -"),
    ),
    mutant(
        "guns-with-staff",
        "art.19",
        "artillery beside a headquarters defends with its SO",
        slip(
            Wb95Combat.strength,
            "self.world.units[other].is_gun or self.world.units[other].arm == HQ",
            "self.world.units[other].is_gun",
        ),
    ),
    mutant(
        "both-act-after-a-tie",
        "air.6",
        "after a tie in the air both sides act",
        slip(air._fight_in_the_air, "if tie or sums", "if sums"),
    ),
    mutant(
        "air-defence-rounds-down",
        "air.11",
        "half of the support in defence is rounded down",
        slip(air.Wings.support, "Fraction(half_up(points))", "Fraction(points // 2)"),
    ),
    mutant(
        "surrender-at-the-level",
        "supply.8",
        "a roll equal to the level removes the unit",
        slip(supply.supply_phase, "rolled < level + 1", "rolled <= level + 1"),
    ),
    mutant(
        "defence-without-supply",
        "supply.10",
        "guns without supply keep their strength in defence",
        slip(Wb95Combat.halved_for, "(attacks or is_gun)", "attacks"),
    ),
    mutant(
        "gold-is-cancelled-first",
        "star.5",
        "anti-tank stars cancel assault stars before armour stars",
        slip(
            Stars.shifts,
            "max(0, mine[BLACK] - lost), mine[GOLD] - max(0, lost - mine[BLACK])",
            "mine[BLACK] - max(0, lost - mine[GOLD]), max(0, mine[GOLD] - lost)",
        ),
    ),
    mutant(
        "half-a-stage-of-rest",
        "disorg.3",
        "what was done in the turn of the other side does not disturb",
        slip(state.SideBegan.apply, "state.spent = {}", "state.spent, state.stirred = {}, ()"),
    ),
    mutant(
        "diggers-move",
        "rs.2",
        "whoever dug in may move strategically",
        slip(may_move_strategically, " or unit in state.dug", ""),
    ),
)
