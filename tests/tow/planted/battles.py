"""Rule bugs in battle: odds (10.2), results and losses (10.3), retreat (10.4) and pursuit (10.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hexwar_tow.combat
from hexwar.engine import Listed, Play
from hexwar.mechanics import Attacking, Join, PursuitRules, Retreating, RetreatRules, TableCombat, in_enemy_zone, stack
from hexwar.mechanics._combat import Assembling
from hexwar.mechanics._pursuit import Pursuing
from hexwar.pieces import Done, UnitMoved
from hexwar.pieces._odds import work_out
from hexwar.testing import Mutant, Patch
from hexwar.testing.planting import answering, everywhere, setting, wrapping
from hexwar_tow.combat import MAJOR, Accompanied, TowCombat, TowPursuit, TowRetreat, is_unbridged
from hexwar_tow.counters import HQ
from hexwar_tow.world import TowWorld
from tests.tow.planted.planting import DRILLS, chart, mutant, printed, pursuing, results, shifts

# -- 10.0 who attacks ----------------------------------------------------------------------------------------------------------


def _stacks_are_spent(original: Any, self: Play, step: Any) -> None:
    top = self.state.stack[-1]
    if isinstance(step, Attacking) and isinstance(top, Attacking):
        places = self.state.locations
        spent = {places[unit] for unit in top.units if unit not in step.units}
        step = replace(step, units=tuple(unit for unit in step.units if places[unit] not in spent))
    original(self, step)


def _only(wanted: Any) -> Any:
    """A set of actions without some."""

    def change(original: Any, self: Any, at: Any, seat: str) -> Any:
        return Listed([action for action in original(self, at, seat) if wanted(self, at, action)])

    return change


def _from_one_hex(step: Assembling, at: Any, action: Any) -> bool:
    joined, places = step.battle.attackers, at.state.locations
    return not (isinstance(action, Join) and joined) or places[action.unit] == places[joined[0]]


# -- 10.2 odds -----------------------------------------------------------------------------------------------------------------


def _bridges_help(original: Any, self: Any, at: Any, battle: Any, unit: str) -> bool:
    return bool(original(self, at, battle, unit)) and not self.world.board.links(at.state.locations[unit], battle.target)


def _all_or_none(original: Any, self: Any, at: Any, battle: Any, unit: str) -> bool:
    return any(original(self, at, battle, attacker) for attacker in battle.attackers)


def _halved_first(original: Any, self: Any, at: Any, battle: Any, unit: str) -> Any:
    return self.weakened(at, battle, self.over_rivers(at, battle, self.printed(at, battle, unit)))


def _beyond_ten(original: Any, table: Any, points: Any, strengths: Any, moved: Any, support: Any) -> Any:
    odds = original(table, points, strengths, moved, support)
    attack, defence = points
    if not defence or not attack or attack < 11 * defence:
        return odds
    columns = sum(shift.columns for shift in (*moved, *support))
    column = min(attack // defence + columns, len(table.columns) - 1)
    shares, results = table.distribution(column), table.results(column)
    return replace(odds, column=column, name=table.columns[column], distribution=shares, results=results)


def _one_column_wrong(content: Any) -> Any:
    table = content.table
    rows = {roll: (*row[:5], row[4], *row[6:]) for roll, row in table.rows.items()}
    return replace(content, table=type(table)(dict(zip(table.columns, table.ratios, strict=True)), rows))


# -- 10.3 results --------------------------------------------------------------------------------------------------------------


def _retreat_first(original: Any, self: Any) -> Any:
    attackers, losses, retreat, pursuit = original(self)
    return attackers, retreat, losses, pursuit


def _everybody_is_lost(original: Any, self: Any, at: Any, unit: str, topic: str) -> tuple[str, str]:
    return f"{self.units[unit].side} eliminated", "10.3.6"


def _the_dead_wait(original: Any, self: Any, at: Any, unit: str, topic: str) -> tuple[str, str]:
    counter = self.units[unit]
    found: tuple[str, str] = original(self, at, unit, topic)
    return found if counter.arm == HQ else ("axis AR" if counter.side == "axis" else "soviet group 8", "10.3.6")


def _the_other_side(original: Any, self: Any, at: Any) -> tuple[str, ...]:
    found = original(self, at)
    return tuple(at.world.seat_for(side) for side in at.world.sides if side != at.world.seats[found[0]]) if found else ()


# -- 10.4 retreat --------------------------------------------------------------------------------------------------------------


def _friends_help(original: Any, self: Any, at: Any, unit: str, label: str) -> bool:
    return bool(original(self, at, unit, label)) and not stack(at, label)


def _barred_where(barred: Any) -> Any:
    """A retreat keeps out of more hexes."""

    def change(original: Any, self: Any, at: Any, unit: str, path: Any, label: str) -> Any:
        wrong = barred(self.world, path, label)
        return ("retreat.barred", "wrongly barred") if wrong else original(self, at, unit, path, label)

    return change


def _there_and_back(original: Any, self: Any, at: Any, unit: str, path: Any, label: str) -> Any:
    return None if len(path) == 2 and label == path[0] else original(self, at, unit, path, label)


def _full_hexes_kill(original: Any, self: Any, at: Any, unit: str, way: Any, longer: Any) -> Any:
    return [way] if self.has_room(at, unit, way.path[-1]) else []


def _judged_by(*names: str) -> Any:
    """Ways of retreat are judged by some measures."""
    return lambda original, self: tuple(getattr(self, name) for name in names)


# -- 10.5 pursuit --------------------------------------------------------------------------------------------------------------


def _leaders(choices: Any) -> Any:
    """Headquarters pursue otherwise."""

    def change(original: Any, self: Any, at: Any, unit: str) -> Any:
        return choices(self, at, unit) if at.world.units[unit].arm == HQ else original(self, at, unit)

    return change


def _bystanders(patch: Patch) -> None:
    def with_comrades(original: Any, self: Any, at: Any, seat: str, battle: Any, attackers: Any) -> Any:
        hexes = dict.fromkeys(at.state.locations[unit] for unit in attackers)
        comrades = [unit for label in hexes for unit in stack(at, label)]
        return original(self, at, seat, battle, tuple(dict.fromkeys((*attackers, *comrades))))

    patch.wrap(TowPursuit, "begin", with_comrades)


def _zones_stop(original: Any, self: Any, at: Any, unit: str, origin: str, target: str) -> str:
    zone = in_enemy_zone(at, self.world.units[unit].side, target)
    return "pursuit.far.stop" if zone else original(self, at, unit, origin, target)


def _rivers_stop(*rivers: str) -> Any:
    def change(original: Any, self: Any, at: Any, unit: str, origin: str, target: str) -> str:
        wet = self.world.board.side(origin, target) & set(rivers)
        return "pursuit.far.stop" if wet else original(self, at, unit, origin, target)

    return change


def _one_second_hex(original: Any, self: Any, at: Any, unit: str, target: str) -> Any:
    paths = original(self, at, unit, target)
    return [*(path for path in paths if len(path) == 2), *[path for path in paths if len(path) > 2][:1]]


def _only_tell(original: Any, play: Any, unit: str, path: Any, topic: str, manner: Any) -> None:
    play.emit(UnitMoved(unit, tuple(path), manner, clause=play.world.clause(topic)))


MUTANTS: tuple[Mutant, ...] = (
    # 10.0 who attacks
    mutant(
        "stacks-attack-together",
        "10.0.4",
        "units of a stack cannot attack different hexes",
        wrapping(Play, "replace", _stacks_are_spent),
        DRILLS,
    ),
    mutant(
        "attacking-is-a-must",
        "10.0.5",
        "an active unit that can attack must",
        wrapping(Attacking, "actions", _only(lambda step, at, action: not isinstance(action, Done))),
    ),
    mutant(
        "attacks-from-one-hex",
        "10.0.7",
        "units of one hex only attack together",
        wrapping(Assembling, "actions", _only(_from_one_hex)),
    ),
    # 10.2 odds
    mutant(
        "major-rivers-halve-nobody",
        "10.2.1",
        "attackers across a major river have their full strength",
        chart(halved_across=frozenset({"minor-river"})),
    ),
    mutant(
        "bridges-help-attackers", "10.2.1", "attackers over a bridge are not halved", wrapping(TowCombat, "halved", _bridges_help)
    ),
    mutant(
        "all-are-halved", "10.2.1", "if one attacks across a river, all are halved", wrapping(TowCombat, "halved", _all_or_none)
    ),
    mutant(
        "halved-before-weakened",
        "10.2.2",
        "what supply costs is taken off half the strength",
        wrapping(TowCombat, "strength", _halved_first),
    ),
    mutant(
        "rounded-once",
        "1.3.2",
        "fractions are dropped once for the battle, and not for each hex",
        setting(TowCombat, "points", TableCombat.points),
        DRILLS,
    ),
    mutant("more-than-ten", "10.2.5", "a ratio above 10 is shifted from where it is", everywhere(work_out, _beyond_ten), DRILLS),
    mutant("rough-ground-is-no-cover", "PA.TEC.2", "rough ground shifts nothing", shifts(rough=0)),
    mutant("marshes-are-no-cover", "PA.TEC.3", "marshes shift nothing", shifts(marsh=0)),
    mutant("cities-shift-one-column", "PA.TEC.4", "a major city shifts one column", shifts(major_city=-1)),
    mutant("towns-shift-two-columns", "PA.TEC.5", "a town shifts two columns", shifts(town=-2)),
    mutant(
        "nothing-is-shifted",
        "10.2.9",
        "terrain shifts an attack on a defence of nothing",
        setting(TowCombat, "shifts", TableCombat.shifts),
        DRILLS,
    ),
    # 10.3 results
    mutant("a-wrong-column", "PA.CRT.1", "the column 5:1 has the results of 4:1", printed(_one_column_wrong), DRILLS),
    mutant("a2-costs-one", "10.3.3", "A2 costs the attacker one step", results(A2={"attacker": 1})),
    mutant("r-is-two-hexes", "10.3.3", "R is a retreat of two hexes", results(R={"retreat": 2})),
    mutant("rr-is-one-hex", "10.3.3", "RR is a retreat of one hex", results(RR={"retreat": 1})),
    mutant("1rr-costs-nothing", "10.3.3", "1RR costs the defender no step", results(_1RR={"defender": 0})),
    mutant("2rr-is-one-hex", "10.3.3", "2RR is a retreat of one hex", results(_2RR={"retreat": 1}), DRILLS),
    mutant(
        "who-retreats-loses-nothing",
        "10.3.4",
        "defenders retreat before they lose steps, and then lose none",
        wrapping(TowCombat, "stages", _retreat_first),
    ),
    mutant(
        "headquarters-are-lost",
        "10.3.6",
        "an eliminated headquarters leaves the game",
        wrapping(TowWorld, "grave", _everybody_is_lost),
    ),
    mutant(
        "the-dead-wait", "10.3.6", "eliminated units wait with the reinforcements", wrapping(TowWorld, "grave", _the_dead_wait)
    ),
    # 10.4 retreat
    mutant(
        "victors-choose-retreats",
        "10.4.2",
        "the enemy chooses the ways of a retreat",
        wrapping(Retreating, "deciders", _the_other_side),
    ),
    mutant(
        "zones-are-not-avoided",
        "10.4.3",
        "a retreat need not keep its losses low",
        wrapping(TowRetreat, "measures", _judged_by("from_source", "too_many")),
    ),
    mutant(
        "friends-shelter-the-beaten",
        "10.4.4",
        "a retreat into a zone costs nothing where a friend stands",
        wrapping(TowRetreat, "hurts", _friends_help),
    ),
    mutant(
        "one-step-a-retreat",
        "10.4.4",
        "a retreat costs one step at most",
        wrapping(TowRetreat, "costly_hexes", lambda original, *given: original(*given)[:1]),
        DRILLS,
    ),
    mutant(
        "retreats-anywhere",
        "10.4.5",
        "a retreat need not lead towards a source",
        wrapping(TowRetreat, "measures", _judged_by("losses", "too_many")),
    ),
    mutant(
        "room-outweighs-sources",
        "10.4.5",
        "a hex with room is better than one nearer to a source",
        wrapping(TowRetreat, "measures", _judged_by("losses", "too_many", "from_source")),
    ),
    mutant(
        "full-hexes-are-not-avoided",
        "10.4.5",
        "a full hex is as good as one with room",
        wrapping(TowRetreat, "measures", _judged_by("losses", "from_source")),
        DRILLS,
    ),
    mutant(
        "full-hexes-kill",
        "10.4.6",
        "who would end a retreat in a full hex is lost",
        wrapping(TowRetreat, "onward", _full_hexes_kill),
    ),
    mutant(
        "minor-rivers-stop-retreats",
        "10.4.7",
        "no retreat crosses a minor river",
        wrapping(
            TowRetreat,
            "why_not_into",
            _barred_where(lambda world, path, label: "minor-river" in world.board.side(path[-1], label)),
        ),
    ),
    mutant(
        "rivers-bar-nobody",
        "10.4.8",
        "a retreat crosses any major river",
        setting(TowRetreat, "why_not_into", RetreatRules.why_not_into),
    ),
    mutant(
        "rivers-at-once-or-never",
        "10.4.8",
        "a retreat crosses a major river with its first hex only",
        wrapping(
            TowRetreat,
            "why_not_into",
            _barred_where(lambda world, path, label: len(path) > 1 and is_unbridged(world, path[-1], label)),
        ),
    ),
    mutant(
        "retreats-from-zone-to-zone",
        "10.4.9",
        "a retreat crosses a major river from zone to zone",
        answering(TowRetreat, "from_zone_to_zone", False),
        DRILLS,
    ),
    mutant(
        "retreats-go-straight",
        "10.4.11",
        "every hex of a retreat leads away from its start",
        wrapping(
            TowRetreat,
            "why_not_into",
            _barred_where(lambda world, path, label: world.board.distance(path[0], label) < len(path)),
        ),
    ),
    mutant(
        "there-and-back",
        "10.4.11",
        "a retreat comes back into the hex of the battle",
        wrapping(TowRetreat, "why_not_into", _there_and_back),
    ),
    mutant(
        "orders-hold-nobody",
        "10.4.12",
        "units retreat from a city with a Supreme Command Order",
        wrapping(TowCombat, "convert", lambda original, self, at, battle, outcome: (outcome, "")),
        DRILLS,
    ),
    # 10.5 pursuit
    mutant("bystanders-pursue", "10.5.1", "units pursue that stood beside the attackers", _bystanders),
    mutant("infantry-pursues-two", "10.5.2", "every unit pursues two hexes", pursuing(lambda arm, hexes: 2)),
    mutant("tanks-pursue-one", "10.5.2", "mechanised units pursue one hex", pursuing(lambda arm, hexes: 1)),
    mutant(
        "tanks-pursue-three",
        "10.5.2",
        "mechanised units pursue three hexes",
        pursuing(lambda arm, hexes: hexes + (hexes == 2)),
    ),
    mutant(
        "cavalry-pursues-two",
        "10.5.2",
        "cavalry pursues two hexes",
        pursuing(lambda arm, n: 2 if arm == "cavalry" else n),
        DRILLS,
    ),
    mutant(
        "headquarters-never-pursue",
        "10.5.3",
        "headquarters do not go along",
        wrapping(Accompanied, "choices", _leaders(lambda step, at, unit: [])),
    ),
    mutant(
        "headquarters-pursue-alone",
        "10.5.3",
        "headquarters pursue without those of their stack",
        wrapping(Accompanied, "choices", _leaders(Pursuing.choices)),
    ),
    mutant("zones-stop-pursuit", "10.5.4", "a pursuit ends in an enemy zone", wrapping(TowPursuit, "stops", _zones_stop)),
    mutant("one-second-hex", "10.5.6", "a pursuit leads on into one hex only", wrapping(TowPursuit, "paths", _one_second_hex)),
    mutant(
        "bridges-stop-pursuit",
        "10.5.8",
        "a bridge over a major river does not help a pursuit",
        wrapping(TowPursuit, "stops", _rivers_stop(MAJOR)),
        DRILLS,
    ),
    mutant(
        "minor-rivers-stop-pursuit",
        "10.5.8",
        "a minor river stops a pursuit",
        wrapping(TowPursuit, "stops", _rivers_stop("minor-river")),
        DRILLS,
    ),
    mutant(
        "pursuit-over-major-rivers",
        "10.5.9",
        "the second hex of a pursuit lies across a major river",
        setting(TowPursuit, "why_not_into", PursuitRules.why_not_into),
        DRILLS,
    ),
    mutant(
        "pursuers-take-nothing",
        "10.5.11",
        "a unit that pursues into a city does not take it",
        wrapping(hexwar_tow.combat, "go", _only_tell),
        DRILLS,
    ),
)
