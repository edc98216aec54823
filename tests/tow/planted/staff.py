"""Rule bugs of the staff: headquarters, set-up and the Luftwaffe (2, 3, 7); `staff_chits` and others have the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hexwar_tow.okh
import hexwar_tow.relocation
import hexwar_tow.supply
import hexwar_tow.turn
import hexwar_tow.world
from hexwar.engine import Play, Sight
from hexwar.mechanics import in_enemy_zone, stack
from hexwar.pieces import on_board, standing
from hexwar.testing import Patch
from hexwar.testing.planting import answering, everywhere, wrapping
from hexwar_tow.combat import TowCombat
from hexwar_tow.counters import HQ
from hexwar_tow.lines import TowCommand
from hexwar_tow.luftwaffe import Supporting
from hexwar_tow.relocation import HeadquartersMoves, Marching, Relocating
from hexwar_tow.ruleset import TracesOfWar
from hexwar_tow.setting_up import Garrisoning
from hexwar_tow.state import HeadquartersRelocated, MarkerDrawn, MarkerUsed, TowState
from hexwar_tow.world import TowWorld
from tests.tow.planted.planting import printed
from tests.tow.planted.staff_arrivals import ARRIVAL_MUTANTS
from tests.tow.planted.staff_chits import CHIT_MUTANTS
from tests.tow.planted.staff_planting import crossings, mutant, numbers
from tests.tow.planted.staff_victory import VICTORY_MUTANTS

# -- 2.3 headquarters -----------------------------------------------------------------------------------------------------------


def _commanded(keep: Any) -> Any:
    """Only some of the units in range."""
    return wrapping(
        TowCommand,
        "led_by",
        lambda original, self, at, leader: tuple(
            u for u in original(self, at, leader) if u == leader or keep(self.world, at, leader, u)
        ),
    )


def _posts(change: Any) -> Any:
    return wrapping(hexwar_tow.relocation, "posts", change)


def _in_zones(original: Any, at: Any, unit: str, origin: str) -> int:
    """2.3.7: as if nobody had zones."""
    world, board = at.world, at.world.board
    near = board.mask(board.disk(origin, world.numbers.relocation.least - 1)) if origin else 0
    return int(original(at, unit, origin) | (world.supply.supplied(at, world.units[unit].side) & ~near & ~_leaders(at, unit)))


def _leaders(at: Any, unit: str) -> int:
    side, board = at.world.units[unit].side, at.world.board
    others = [other for other in on_board(at, side) if at.world.units[other].arm == HQ and other != unit]
    return int(board.mask(at.state.locations[other] for other in others))


def _without_line(original: Any, at: Any, unit: str, origin: str) -> int:
    """2.3.8: any land outside enemy zones."""
    board, side = at.world.board, at.world.units[unit].side
    near = board.mask(board.disk(origin, at.world.numbers.relocation.least - 1)) if origin else 0
    land = board.everywhere & ~board.terrain_mask("water") & ~at.state.layout.threatened[side]
    enemies = at.state.layout.held["soviet" if side == "axis" else "axis"]
    return int(land & ~enemies & ~near & ~_leaders(at, unit))


def _to_another(patch: Patch) -> None:
    """2.3.9: hexes with another headquarters are no worse."""
    patch.wrap(hexwar_tow.relocation, "posts", lambda original, at, *more: original(at, *more) | _leaders(at, more[0]))
    patch.wrap(Relocating, "open_hexes", lambda original, self, at, unit: iter(self.hexes))


def _not_counted(original: Any, self: HeadquartersRelocated, state: TowState) -> None:
    state.put(self.unit, self.hex)


def _in_range_now(original: Any, at: Any, units: Any) -> Any:
    """2.3.15: the range is measured again when units fight."""
    found = original(at, units)
    leaders = [unit for unit in found if at.world.units[unit].arm == HQ]
    if not leaders or at.state.phase != "combat":
        return found
    near = {unit for leader in leaders for unit in at.world.command.led_by(at, leader)}
    return tuple(unit for unit in found if unit in near)


def _only_cut_off_units(original: Any, self: Any, play: Any) -> None:
    original(self, play)
    top = play.state.stack[-1]
    on_map = [unit for unit in top.lost if play.state.locations[unit] not in play.world.board]
    play.replace(replace(top, lost=tuple(on_map)))


def _nobody_who_waits(original: Any, at: Any, side: str) -> list[str]:
    return []


HEADQUARTERS = (
    mutant(
        "only-its-own-formation",
        "2.4.1",
        "a headquarters activates units of its own formation only",
        _commanded(lambda world, at, leader, unit: world.units[unit].formation == world.units[leader].formation),
    ),
    mutant(
        "command-needs-supply",
        "2.3.14",
        "isolated units are not activated",
        _commanded(lambda world, at, leader, unit: at.state.supply.get(unit) != "isolated"),
    ),
    mutant(
        "zones-stop-command",
        "2.3.14",
        "units in enemy zones are not activated",
        _commanded(lambda world, at, leader, unit: not in_enemy_zone(at, world.units[unit].side, at.state.locations[unit])),
    ),
    mutant(
        "command-over-blocked-sides",
        "2.3.13",
        "command range is counted across blocked hexsides",
        answering(TowCommand, "walls", None),
    ),
    mutant(
        "command-over-water",
        "2.3.13",
        "command range is counted through water",
        answering(TowCommand, "closed", 0),
    ),
    mutant("range-measured-again", "2.3.15", "who has left the range may not attack", everywhere(standing, _in_range_now)),
    mutant("relocation-of-four", "2.3.6", "a headquarters relocates by four hexes", numbers(relocation={"least": 4})),
    mutant("relocation-of-six", "2.3.6", "a headquarters relocates by six hexes at least", numbers(relocation={"least": 6})),
    mutant("relocation-into-zones", "2.3.7", "a headquarters relocates into enemy zones", _posts(_in_zones)),
    mutant("relocation-without-line", "2.3.8", "a headquarters relocates where it has no line", _posts(_without_line)),
    mutant(
        "relocation-on-its-own-line",
        "2.3.8",
        "a line may run through the hex that only the headquarters holds open",
        wrapping(hexwar_tow.relocation, "in_enemy_zone", lambda original, at, side, label: False),
    ),
    mutant(
        "relocation-to-another",
        "2.3.9",
        "a headquarters relocates to another one",
        _to_another,
    ),
    mutant(
        "relocations-are-free", "2.3.10", "relocations are not counted", wrapping(HeadquartersRelocated, "apply", _not_counted)
    ),
    mutant("no-relocation-at-will", "2.3.5", "a headquarters cannot relocate", answering(HeadquartersMoves, "_may", False)),
    mutant(
        "relocated-headquarters-move",
        "2.3.5",
        "a headquarters that was relocated may move as well",
        wrapping(
            Marching,
            "perform",
            lambda original, self, play, seat, action: (
                hexwar_tow.relocation.lift(play, action.unit, "9.4.1")
                if isinstance(action, hexwar_tow.relocation.Relocate)
                else original(self, play, seat, action)
            ),
        ),
    ),
    mutant(
        "lost-headquarters-wait",
        "2.3.3",
        "a headquarters that is lost in combat is not relocated at once",
        wrapping(hexwar_tow.world, "relocate", lambda original, play, unit, origin: None),
    ),
    mutant(
        "cut-off-headquarters-stay",
        "2.3.4",
        "a headquarters without a line stays where it is",
        wrapping(hexwar_tow.supply.SupplyCheck, "_judge", _only_cut_off_units),
    ),
    mutant(
        "waiting-headquarters-are-lost",
        "2.3.6",
        "a headquarters without a hex never comes back",
        wrapping(hexwar_tow.supply, "waiting_headquarters", _nobody_who_waits),
    ),
)

# -- 2.2, 3.0 set-up ------------------------------------------------------------------------------------------------------------


def _without_kharkiv(original: Any, self: TracesOfWar, world: TowWorld) -> TowState:
    state: TowState = original(self, world)
    state.orders = tuple(label for label in state.orders if label != "2634")
    return state


def _a_city_is_soviet(original: Any, self: TracesOfWar, world: TowWorld) -> TowState:
    state: TowState = original(self, world)
    free = [label for label in world.cities if label not in state.orders]
    state.control = {**state.control, **dict.fromkeys(free[:1], "soviet")}
    return state


def _boxes_are_reduced(original: Any, self: TracesOfWar, world: TowWorld, state: TowState, where: Any) -> None:
    original(self, world, state, where)
    state.steps_left = {**state.steps_left, **{unit: 1 for unit in where if world.units[unit].start.startswith("soviet group")}}


def _share(original: Any, self: Garrisoning, at: Any, unit: str, label: str) -> Any:
    if label in self.hexes and any(at.world.units[other].arm == "security" for other in stack(at, label)):
        return None
    return original(self, at, unit, label)


def _outside_zones(original: Any, self: Garrisoning, at: Any, unit: str, label: str) -> Any:
    watched = label in at.world.board and in_enemy_zone(at, "axis", label)
    return ("arrival.garrison", f"{label} is in an enemy zone") if watched else original(self, at, unit, label)


def _anywhere(original: Any, play: Any, step: Any) -> None:
    towns = tuple(label for place in play.world.board.places for label in place.hexes)
    original(play, replace(step, hexes=tuple(dict.fromkeys((*step.hexes, *towns)))) if isinstance(step, Garrisoning) else step)


def _ukrainian(content: Any) -> Any:
    old, new = content.units["sov-steppe"], content.units["sov-2ukr"]
    swapped = {"sov-steppe": replace(old, start=new.start), "sov-2ukr": replace(new, start=old.start)}
    return replace(content, units={**content.units, **swapped})


SET_UP = (
    mutant("kharkiv-may-fall", "3.0.6", "Kharkiv has no order", wrapping(TracesOfWar, "bare", _without_kharkiv)),
    mutant("a-city-begins-soviet", "3.0.9", "a city is Soviet at the start", wrapping(TracesOfWar, "bare", _a_city_is_soviet)),
    mutant(
        "reinforcements-come-reduced",
        "2.2.8",
        "Soviet reinforcements come with one step",
        wrapping(TracesOfWar, "place", _boxes_are_reduced),
    ),
    mutant("security-shares-a-city", "3.0.7", "two security divisions hold a city", wrapping(Garrisoning, "why_closed", _share)),
    mutant(
        "security-away-from-the-enemy",
        "3.0.7",
        "security divisions hold no city in an enemy zone",
        wrapping(Garrisoning, "why_closed", _outside_zones),
    ),
    mutant(
        "security-in-towns",
        "3.0.7",
        "security divisions hold towns, too",
        wrapping(Play, "push", _anywhere),
    ),
    mutant("ukrainian-from-the-start", "3.0.2", "the Soviets begin with a Ukrainian Front", printed(_ukrainian)),
)

# -- 7.0 the Luftwaffe ----------------------------------------------------------------------------------------------------------


def _stays(original: Any, self: MarkerUsed, state: TowState) -> None:
    have, number = state.luftwaffe, state.sorties
    original(self, state)
    state.luftwaffe, state.sorties = have, number


def _either(original: Any, self: Supporting, at: Any, action: Any) -> Any:
    return None if action.marker in at.state.luftwaffe.get("axis", ()) else original(self, at, action)


LUFTWAFFE = (
    mutant(
        "three-off-markers",
        "7.0.2",
        "three of the four markers are Off AS",
        numbers(luftwaffe={"off": {"markers": 3}, "def": {"markers": 1}}),
    ),
    mutant("one-marker-more", "7.0.3", "the Luftwaffe has a marker more", crossings(luftwaffe=lambda number: min(4, number + 1))),
    mutant("used-markers-stay", "7.0.6", "a used marker may be used again", wrapping(MarkerUsed, "apply", _stays)),
    mutant("off-is-one-column", "7.0.7", "Off AS shifts by one column", numbers(luftwaffe={"off": {"columns": 1}})),
    mutant("def-is-one-less", "7.0.8", "Def AS takes one off the die", numbers(luftwaffe={"def": {"roll": -1}})),
    mutant("def-in-axis-attacks", "7.0.8", "any marker serves in any attack", wrapping(Supporting, "why_not", _either)),
    mutant(
        "markers-are-seen",
        "7.0.4",
        "the Soviets see which markers are drawn",
        lambda patch: patch.set(MarkerDrawn, "sight", Sight.PUBLIC),
    ),
    mutant(
        "off-counts-once",
        "7.0.5",
        "of two Off AS one counts",
        wrapping(TowCombat, "support", lambda original, self, at, battle: original(self, at, battle)[:1]),
    ),
    mutant(
        "markers-stay", "4.3.16", "unused markers stay", wrapping(hexwar_tow.turn, "return_markers", lambda original, play: None)
    ),
)

MUTANTS = (*HEADQUARTERS, *SET_UP, *CHIT_MUTANTS, *LUFTWAFFE, *ARRIVAL_MUTANTS, *VICTORY_MUTANTS)
"""In the order of the rulebook."""
