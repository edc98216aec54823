"""Rule bugs on the map: stacking, zones, lines (3), command (8), movement (9), combat, retreat and pursuit (10)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from hexwar.board import CLOSED
from hexwar.mechanics import Mode, Retreating, RetreatRules, TableCombat, in_enemy_zone, stack
from hexwar.mechanics._pieces import enter_hexes
from hexwar.mechanics._pursuit import Pursuing
from hexwar.pieces import Losing
from hexwar.pieces._odds import work_out
from hexwar.testing import Mutant, Patch
from hexwar.testing.planting import answering, everywhere, setting, wrapping
from hexwar_ava.combat import AvaCombat, AvaPursuit, AvaRetreat
from hexwar_ava.content import STRATEGIC
from hexwar_ava.lines import AvaCommand, AvaSupply
from hexwar_ava.movement import AvaMovement
from hexwar_ava.zones import AvaStacking, AvaZones
from tests.ava.planted.planting import BOARDS, DRILLS, arms, chart, counters, lines, mutant, numbers, printed, results

MECHANIZED = ("armour", "mechanized", "motorized")


def _own_arms(arm: str) -> bool:
    return arm != STRATEGIC


def _without_headquarters(original: Any, self: Any, at: Any, units: Any, label: str) -> bool:
    counted = [unit for unit in units if not self.world.units[unit].is_headquarters]
    return not counted or bool(original(self, at, counted, label))


def _not_into_forests(original: Any, self: Any, origin: str, target: str) -> bool:
    return bool(original(self, origin, target)) and not self.world.board.terrain(target).endswith("forest")


def _shelterless_friends(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways = original(self, at, side, without)
    watched = ways.through & at.state.layout.threatened[side]
    return ways._replace(through=ways.through & ~watched, into=ways.into | watched)


def _one_more_step(original: Any, self: Any, at: Any, headquarters: str) -> Any:
    found = original(self, at, headquarters)
    if not found:
        return found
    units, board = self.world.units, self.world.board
    near = self.range_of(at, headquarters)
    others = [u for u, c in units.items() if c.is_headquarters and c.side == units[headquarters].side and u != headquarters]
    inside = [u for u in others if at.state.locations.get(u) in board and near >> board.index(at.state.locations[u]) & 1]
    return (*found, *inside)


def _own_formation(original: Any, self: Any, at: Any, headquarters: str) -> Any:
    units = self.world.units
    return tuple(unit for unit in original(self, at, headquarters) if units[unit].formation == units[headquarters].formation)


def _over_water(patch: Patch) -> None:
    answering(AvaCommand, "closed", 0)(patch)
    answering(AvaCommand, "walls", None)(patch)


def _supplied_only(original: Any, self: Any, at: Any, headquarters: str) -> Any:
    found = original(self, at, headquarters)
    return found if not found or self.world.supply.is_supplied(at, headquarters) else (headquarters,)


def _rounded(original: Any, self: Any, at: Any, battle: Any, unit: str) -> Any:
    strength = original(self, at, battle, unit)
    return replace(strength, counted=Fraction(int(strength.counted)))


def _bridges_help(original: Any, self: Any, at: Any, battle: Any, unit: str) -> bool:
    return bool(original(self, at, battle, unit)) and not self.world.board.links(at.state.locations[unit], battle.target)


def _all_or_none(original: Any, self: Any, at: Any, battle: Any, unit: str) -> bool:
    return any(original(self, at, battle, attacker) for attacker in battle.attackers)


def _never_cancelled(original: Any, table: Any, *given: Any) -> Any:
    odds = original(table, *given)
    if odds.base is None or odds.column is not None:
        return odds
    return replace(odds, column=0, name=table.columns[0], distribution=table.distribution(0), results=table.results(0))


def _counts_the_beaten(original: Any, self: Any, at: Any, side: str, labels: Any, *, without: str = "") -> Any:
    return original(self, at, side, labels)


def _halts_at_zones(original: Any, self: Any, at: Any, unit: str, origin: str, target: str) -> str:
    zone = in_enemy_zone(at, self.world.units[unit].side, target)
    return "pursuit.far.stop" if zone else original(self, at, unit, origin, target)


def _rivers_in_the_surprise_attack(original: Any, self: Any, at: Any, battle: Any, unit: str) -> Any:
    found = original(self, at, battle, unit)
    return self.over_rivers(at, battle, found) if at.state.phase == "surprise" else found


def _only_ground_stops(original: Any, self: Any, at: Any, unit: str, origin: str, target: str) -> str:
    return "pursuit.far.stop" if self.ground_stops(target) else ""


def _straight_away(original: Any, self: Any, at: Any, unit: str, path: Any, label: str) -> Any:
    sideways = self.world.board.distance(path[0], label) < len(path)
    return ("retreat", "not away") if sideways else original(self, at, unit, path, label)


def _all_alike(original: Any, self: Any, at: Any, unit: str, ways: Any) -> list[int]:
    return [0] * len(ways)


def _anywhere_first(original: Any, self: Any, at: Any, unit: str, target: str) -> Any:
    paths = original(self, at, unit, target)
    return [path[:2] for path in paths][:1] if at.state.phase != "surprise" else paths


def _first_row_wrong(content: Any) -> Any:
    table = content.table
    rows = {roll: (row[0], row[0], *row[2:]) for roll, row in table.rows.items()}
    return replace(content, table=type(table)(dict(zip(table.columns, table.ratios, strict=True)), rows))


def _friend_helps(original: Any, self: Any, at: Any, unit: str, label: str) -> bool:
    return bool(original(self, at, unit, label)) and not stack(at, label)


def _the_other_side(original: Any, self: Any, at: Any) -> tuple[str, ...]:
    found = original(self, at)
    others = [at.world.seat_for(side) for side in at.world.sides if side != at.world.seats[found[0]]] if found else []
    return tuple(others)


def _only_the_last(original: Any, play: Any, unit: str, hexes: Any) -> None:
    original(play, unit, tuple(hexes)[-1:])


MUTANTS: tuple[Mutant, ...] = (
    # 3.0 stacking, zones, lines, control
    mutant("three-in-a-hex", "3.1.1", "three units may stand in a hex", numbers(stacking=3), BOARDS),
    mutant(
        "headquarters-need-no-room",
        "3.1.1",
        "headquarters do not count for stacking",
        wrapping(AvaStacking, "fits", _without_headquarters),
        BOARDS,
    ),
    mutant("zones-over-water", "3.2.2", "zones reach into lakes", answering(AvaZones, "extends", True), BOARDS),
    mutant(
        "lines-through-zones",
        "3.3.3",
        "lines go through enemy zones",
        wrapping(
            AvaSupply,
            "ways",
            lambda o, s, at, side, without="": (w := o(s, at, side, without))._replace(through=w.through | w.into),
        ),
        BOARDS,
    ),
    mutant(
        "friends-lift-no-zone",
        "3.3.5",
        "a friendly unit does not open an enemy zone to a line",
        wrapping(AvaSupply, "ways", _shelterless_friends),
        BOARDS,
    ),
    mutant(
        "watched-sources-are-shut",
        "3.3.3",
        "no line leaves a source that lies in an enemy zone",
        wrapping(
            AvaSupply,
            "ways",
            lambda o, s, at, side, without="": (w := o(s, at, side, without))._replace(starts=w.sources & w.through),
        ),
        BOARDS,
    ),
    mutant("lines-over-lakes", "3.3.6", "lines cross lakes", lines(closed=0), BOARDS),
    mutant("lines-over-mountains", "3.3.7", "lines cross mountains without a road", lines(bound={}), BOARDS),
    mutant(
        "soviet-lines-over-the-start-line",
        "3.3.10",
        "Soviet lines cross the start line",
        wrapping(AvaSupply, "never_crossed", lambda original, self, side: original(self, "axis")),
        BOARDS,
    ),
    mutant("axis-lines-anywhere", "3.3.11", "Axis lines need no railway", lines(along={}), BOARDS),
    mutant(
        "seven-off-the-rails",
        "3.3.13",
        "an Axis line may leave the railway by seven hexes",
        numbers(axis_line_off_rail=7),
        BOARDS,
    ),
    mutant(
        "five-off-the-rails", "3.3.14", "an Axis line may leave the railway by five hexes", numbers(axis_line_off_rail=5), BOARDS
    ),
    mutant(
        "taken-at-the-end-of-a-move",
        "3.4.2",
        "a city is taken only by a unit that ends its move there",
        everywhere(enter_hexes, _only_the_last),
        DRILLS,
    ),
    mutant(
        "cities-are-never-taken",
        "3.4.2",
        "nobody takes a city by entering it",
        everywhere(enter_hexes, lambda original, play, unit, hexes: None),
        DRILLS,
    ),
    mutant(
        "zones-end-at-forests",
        "3.2.1",
        "zones do not reach into forests",
        wrapping(AvaZones, "extends", _not_into_forests),
        "places",
    ),
    # 8.0 command
    mutant(
        "command-range-5",
        "8.2.1",
        "headquarters reach five hexes",
        counters(lambda unit: unit.command > 0, lambda unit: replace(unit, command=5)),
        "activation",
    ),
    mutant(
        "headquarters-activate-headquarters",
        "8.1.4",
        "a headquarters activates others in its range",
        wrapping(AvaCommand, "led_by", _one_more_step),
        BOARDS,
    ),
    mutant(
        "romanians-command-germans",
        "8.3.1",
        "a Romanian headquarters activates German units",
        wrapping(AvaCommand, "follows", lambda original, self, unit, leader: not unit.is_headquarters),
        BOARDS,
    ),
    mutant(
        "own-formation-only",
        "8.1.1",
        "a headquarters activates its own formation only",
        wrapping(AvaCommand, "led_by", _own_formation),
        BOARDS,
    ),
    mutant("command-over-water", "8.2.5", "command range is counted over water", _over_water, BOARDS),
    mutant(
        "command-needs-supply",
        "8.2.4",
        "a headquarters without a line activates nobody else",
        wrapping(AvaCommand, "led_by", _supplied_only),
        BOARDS,
    ),
    # 9.0 movement, TEC
    mutant(
        "start-line-is-open",
        "9.1.4",
        "Soviet units cross the start line",
        lambda patch: patch.set(AvaMovement, "closed_sides", {}),
        BOARDS,
    ),
    mutant("minor-rivers-are-free", "9.2.3", "a minor river costs nothing", arms(_own_arms, "sides", minor_river=0), BOARDS),
    mutant("roads-cost-two", "9.2.4", "a hex along a road costs two points", arms(_own_arms, "links", road=4), BOARDS),
    mutant(
        "entering-zones-costs-one", "9.2.5", "entering an enemy zone costs one point more", setting(AvaZones, "enter", 2), BOARDS
    ),
    mutant("leaving-zones-is-free", "9.2.6", "leaving an enemy zone costs nothing", setting(AvaZones, "leave", 0), BOARDS),
    mutant(
        "major-rivers-in-zones",
        "9.2.10",
        "a major river is crossed from zone to zone",
        wrapping(AvaMovement, "zone_terms", lambda original, *given: original(*given)._replace(whole="")),
        BOARDS,
    ),
    mutant(
        "one-bank-in-a-zone",
        "9.2.10",
        "a major river is closed only if both banks are in enemy zones",
        wrapping(AvaMovement, "zone_terms", lambda original, *given: original(*given)._replace(whole="both")),
        BOARDS,
    ),
    mutant("major-rivers-are-small", "9.2.9", "a major river costs one point", arms(_own_arms, "sides", major_river=2), BOARDS),
    mutant(
        "railway-bridges-do-not-carry",
        "9.2.11",
        "a railway bridge does not help over a major river",
        chart(lifts={"road": frozenset({"major-river", "minor-river"}), "rail": frozenset()}),
        BOARDS,
    ),
    mutant("mountains-are-open", "9.2.12", "any unit enters mountains", arms(_own_arms, "terrain", mountain=4), BOARDS),
    mutant(
        "mountain-troops-stay-below",
        "9.2.14",
        "mountain divisions enter mountains along roads only",
        arms(_own_arms, "terrain", mountain=CLOSED),
        BOARDS,
    ),
    mutant(
        "strategic-for-one",
        "9.3.1",
        "strategic movement costs a whole point a hex",
        arms(lambda arm: arm == STRATEGIC, "links", road=2),
        BOARDS,
    ),
    mutant(
        "strategic-by-rail",
        "9.3.5",
        "railways serve for strategic movement",
        arms(lambda arm: arm == STRATEGIC, "links", rail=1),
        BOARDS,
    ),
    mutant(
        "strategic-in-zones",
        "9.3.4",
        "strategic movement goes through enemy zones",
        setting(AvaMovement, "modes", (Mode(""), Mode("strategic", arm=STRATEGIC, along="road", topic="move.strategic"))),
        BOARDS,
    ),
    mutant(
        "tanks-love-forests",
        "TEC.2",
        "light forest costs mechanized units one point",
        arms(lambda arm: arm in MECHANIZED, "terrain", light_forest=2),
        BOARDS,
    ),
    mutant(
        "dense-forest-is-light",
        "TEC.3",
        "dense forest costs infantry one point",
        arms(lambda arm: arm not in (*MECHANIZED, STRATEGIC), "terrain", dense_forest=2),
        BOARDS,
    ),
    mutant("swamps-are-dry", "TEC.4", "swamp costs one point", arms(_own_arms, "terrain", swamp=2), BOARDS),
    mutant("major-cities-keep-their-ground", "TEC.7", "a major city costs what its terrain does", chart(flat={}), BOARDS),
    mutant("railways-are-roads", "TEC.12", "a step along a railway costs one point", arms(_own_arms, "links", rail=2), BOARDS),
    # 10.0 combat
    mutant(
        "rounded-one-by-one", "1.2.1", "fractions are dropped for each unit", wrapping(TableCombat, "strength", _rounded), DRILLS
    ),
    mutant(
        "rivers-halve-nobody",
        "10.3.2",
        "attackers across a river have their full strength",
        answering(AvaCombat, "halved", False),
        BOARDS,
    ),
    mutant(
        "bridges-help-attackers",
        "10.3.2",
        "attackers over a bridge are not halved",
        wrapping(AvaCombat, "halved", _bridges_help),
        BOARDS,
    ),
    mutant(
        "all-are-halved",
        "10.3.3",
        "if one attacks across a river, all are halved",
        wrapping(AvaCombat, "halved", _all_or_none),
        DRILLS,
    ),
    mutant(
        "the-beaten-defend",
        "10.3.4",
        "a unit that has retreated defends with its full strength",
        setting(AvaCombat, "strength", TableCombat.strength),
        BOARDS,
    ),
    mutant(
        "one-shift-only",
        "10.3.11",
        "the shift of a city is not added to that of its terrain",
        wrapping(TableCombat, "shifts", lambda original, self, at, battle: original(self, at, battle)[:1]),
        DRILLS,
    ),
    mutant(
        "forests-give-no-shift",
        "10.3.9",
        "terrain shifts nothing",
        wrapping(TableCombat, "shifts", lambda original, self, at, battle: ()),
        BOARDS,
    ),
    mutant(
        "never-cancelled",
        "10.3.12",
        "an attack that is shifted below 1-1 is fought at 1-1",
        everywhere(work_out, _never_cancelled),
        DRILLS,
    ),
    mutant("a-wrong-column", "10.4.1", "the column 1.5-1 has the results of 1-1", printed(_first_row_wrong), "combat"),
    mutant("attackers-lose-one-less", "10.4.2", "A1 is no loss at all", results(A1={"attacker": 0}), "combat"),
    mutant("one-hex-is-enough", "10.4.3", "RR is a retreat of one hex", results(RR={"retreat": 1}), "retreat"),
    mutant("one-loss-is-enough", "10.4.4", "1RR costs the defender nothing", results(_1RR={"defender": 0}), "combat"),
    mutant(
        "attackers-choose-losses",
        "10.5.1",
        "the enemy distributes losses",
        wrapping(Losing, "deciders", _the_other_side),
        "bot-games-agree",
    ),
    mutant(
        "attackers-choose-retreats",
        "10.6.1",
        "the enemy chooses the way of a retreat",
        wrapping(Retreating, "deciders", _the_other_side),
        "deciders",
    ),
    # 10.6 retreat, 10.7 pursuit
    mutant(
        "zones-do-not-hurt",
        "10.6.9",
        "a retreat through enemy zones costs nothing",
        answering(AvaRetreat, "hurts", False),
        BOARDS,
    ),
    mutant(
        "friends-help-the-beaten",
        "3.2.7",
        "a friendly unit lifts an enemy zone for a retreat",
        wrapping(AvaRetreat, "hurts", _friend_helps),
        BOARDS,
    ),
    mutant(
        "rivers-bar-nobody",
        "10.6.7",
        "a retreat crosses a major river with its second hex",
        setting(AvaRetreat, "why_not_into", RetreatRules.why_not_into),
        BOARDS,
    ),
    mutant(
        "retreats-go-straight",
        "10.6.1",
        "every hex of a retreat leads away from its start",
        wrapping(AvaRetreat, "why_not_into", _straight_away),
        BOARDS,
    ),
    mutant(
        "full-stacks-kill",
        "10.6.11",
        "who would end a retreat in a full hex is lost",
        wrapping(AvaRetreat, "ends", lambda original, *given: (way for way in original(*given) if not way.overflow)),
        DRILLS,
    ),
    mutant(
        "full-stacks-are-not-avoided",
        "10.6.13",
        "a retreat does not avoid full hexes",
        wrapping(AvaRetreat, "full_stacks", _all_alike),
        DRILLS,
    ),
    mutant(
        "retreats-anywhere",
        "10.6.12",
        "a retreat need not lead towards a source",
        wrapping(AvaRetreat, "length_of_line", _all_alike),
        BOARDS,
    ),
    mutant(
        "the-beaten-hold-their-line",
        "10.6.12",
        "the line of a retreat is measured with the beaten stack in its hex",
        wrapping(AvaSupply, "lengths", _counts_the_beaten),
        DRILLS,
    ),
    mutant(
        "infantry-pursues-two",
        "10.7.2",
        "infantry pursues two hexes",
        answering(AvaPursuit, "hexes", 2),
        BOARDS,
    ),
    mutant(
        "panzers-pursue-three",
        "10.7.2",
        "mechanized units pursue three hexes",
        wrapping(AvaPursuit, "hexes", lambda original, *given: (n := original(*given)) + (n == 2)),
        BOARDS,
    ),
    mutant(
        "ground-stops-nobody",
        "10.7.3",
        "a pursuit goes on from forests and cities",
        answering(AvaPursuit, "ground_stops", False),
        BOARDS,
    ),
    mutant(
        "rivers-stop-nobody",
        "10.7.4",
        "a pursuit goes on beyond a river",
        wrapping(AvaPursuit, "stops", _only_ground_stops),
        BOARDS,
    ),
    mutant(
        "zones-stop-pursuit",
        "10.7.5",
        "a pursuit ends in an enemy zone",
        wrapping(AvaPursuit, "stops", _halts_at_zones),
        BOARDS,
    ),
    mutant(
        "one-way-of-pursuit",
        "10.7.6",
        "a unit pursues into the first hex only",
        wrapping(AvaPursuit, "paths", _anywhere_first),
        BOARDS,
    ),
    mutant("no-pursuit", "10.7.1", "attackers never pursue", answering(Pursuing, "choices", []), DRILLS),
    # 14.2, 15.1.3
    mutant(
        "fortresses-shelter-nobody",
        "14.2.2",
        "enemy zones count in fortress hexes",
        lambda patch: patch.set(AvaZones, "shelters", frozenset()),
        BOARDS,
    ),
    mutant(
        "fortresses-need-room",
        "14.2.3",
        "a fortress counts for stacking",
        wrapping(AvaStacking, "fits", lambda original, self, at, units, label: len(units) <= 2),
        DRILLS,
    ),
    mutant(
        "rivers-in-the-surprise-attack",
        "15.1.3",
        "rivers halve attackers in the surprise attack",
        wrapping(AvaCombat, "strength", _rivers_in_the_surprise_attack),
        BOARDS,
    ),
)
