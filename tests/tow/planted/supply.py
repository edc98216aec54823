"""Rule bugs of supply: lines, control of cities, markers and what they do (8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hexwar_tow.supply
from hexwar.mechanics import Movement
from hexwar.mechanics._pieces import enter_hexes
from hexwar.testing import Mutant
from hexwar.testing.planting import answering, everywhere, setting, wrapping
from hexwar_tow.combat import TowCombat
from hexwar_tow.counters import HQ
from hexwar_tow.lines import TowSupply
from hexwar_tow.movement import TowMovement
from hexwar_tow.ruleset import TracesOfWar
from hexwar_tow.state import ISOLATED, OUT_OF_SUPPLY, TowState
from hexwar_tow.supply import verdict
from hexwar_tow.zones import BLOCKED
from tests.tow.planted.planting import DRILLS, mutant, numbers

# -- 8.0 -----------------------------------------------------------------------------------------------------------------------


def _without_leaders(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways, board, units = original(self, at, side, without), at.world.board, at.world.units
    alone = [label for label, there in at.state.layout.stacks.items() if label in board and _are_leaders(units, there)]
    return ways._replace(through=ways.through & ~(board.mask(alone) & at.state.layout.threatened[side]))


def _are_leaders(units: Any, there: Any) -> bool:
    return bool(there) and all(units[unit].arm == HQ for unit in there)


def _through_zones(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways = original(self, at, side, without)
    shut = at.state.layout.closed_to(side) | ways.passage.closed | self.closed_cities(at, side)
    return ways._replace(through=ways.through | at.state.layout.threatened[side] & ~shut)


BRIDGES = ("road", "rail")


def _within_four(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways, board = original(self, at, side, without), at.world.board
    near = board.mask(label for source in board.unmask(ways.sources) for label in board.disk(source, 4))
    return ways._replace(through=ways.through & near)


def _rivers(*features: str, bridges: tuple[str, ...] = (), blocked: tuple[str, ...] = BLOCKED) -> Any:
    """Other hexsides that no line crosses: some need a bridge, others have none."""

    def terms(original: Any, self: Any, side: str) -> Any:
        board = self.world.board
        return original(self, side)._replace(walls=(board.walls(*blocked), board.walls(*features, unless_link=bridges)))

    return wrapping(TowSupply, "terms", terms)


def _watched_sources(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways = original(self, at, side, without)
    return ways._replace(through=ways.through | ways.sources & ~at.state.layout.closed_to(side))


def _leaders_take_nothing(original: Any, play: Any, unit: str, hexes: Any) -> None:
    if play.world.units[unit].arm == HQ:
        play.world.entered(play, unit, tuple(hexes))
    else:
        original(play, unit, hexes)


def _at_the_end(original: Any, play: Any, unit: str, hexes: Any) -> None:
    original(play, unit, tuple(hexes)[-1:])


def _soviet_cities(original: Any, self: Any, world: Any) -> Any:
    state = original(self, world)
    state.control, state.orders = dict.fromkeys(state.control, "soviet"), ()
    return state


def _marker_stays(original: Any, at: Any, unit: str, supplied: bool) -> Any:
    status, clause = original(at, unit, supplied)
    return (at.state.supply.get(unit, ""), clause) if supplied else (status, clause)


def _marker_is(first: str, second: str, third: str) -> Any:
    """Which marker follows none, Out of Supply and Isolated without a line."""

    def change(original: Any, at: Any, unit: str, supplied: bool) -> Any:
        status, clause = original(at, unit, supplied)
        before = at.state.supply.get(unit, "")
        return (status if supplied else {"": first, OUT_OF_SUPPLY: second, ISOLATED: third}[before]), clause

    return change


def _lost_on_the_way(original: Any, self: TowState, unit: str, location: str) -> None:
    original(self, unit, location)
    self.supply = {other: how for other, how in self.supply.items() if other != unit}


def _weaker(attack: str, defence: str) -> Any:
    """Whose attack and whose defence are weaker: of units with one of some markers, named by their first letters."""

    def change(original: Any, self: Any, at: Any, battle: Any, found: Any) -> Any:
        status = at.state.supply.get(found.unit, "-")
        weak = status[0] in (attack if found.unit in battle.attackers else defence)
        return found.changed(max(found.counted - 2, 0 * found.counted), status, "8.2.2") if weak else found

    return change


def _below_nothing(original: Any, self: Any, at: Any, battle: Any, found: Any) -> Any:
    weakened = original(self, at, battle, found)
    return replace(weakened, counted=found.counted - 2) if weakened.reasons else found


def _any_marker_slows(original: Any, self: Any, at: Any, unit: str) -> int:
    points: int = Movement.allowance(self, at, unit)
    return points // 2 if unit in at.state.supply else points


def _rounded_up(original: Any, self: Any, at: Any, unit: str) -> int:
    points: int = Movement.allowance(self, at, unit)
    return (points + 1) // 2 if at.state.supply.get(unit) == ISOLATED else points


MUTANTS: tuple[Mutant, ...] = (
    # 8.1 lines and checks
    mutant("lines-of-four-hexes", "8.1.2", "lines are at most four hexes long", wrapping(TowSupply, "ways", _within_four)),
    mutant("lines-through-zones", "8.1.4", "lines pass enemy zones", wrapping(TowSupply, "ways", _through_zones)),
    mutant(
        "headquarters-open-no-zone",
        "8.1.4",
        "a headquarters alone does not open an enemy zone to a line",
        wrapping(TowSupply, "ways", _without_leaders),
    ),
    mutant(
        "watched-sources-are-open",
        "8.1.4",
        "lines leave a source in an enemy zone in which no friend stands",
        wrapping(TowSupply, "ways", _watched_sources),
    ),
    mutant("lines-over-major-rivers", "8.1.5", "lines cross major rivers without a bridge", _rivers()),
    mutant("bridges-carry-no-lines", "8.1.5", "no bridge carries a line over a major river", _rivers("major-river")),
    mutant(
        "railway-bridges-carry-no-lines",
        "2.1.6",
        "a railway bridge carries no line",
        _rivers("major-river", bridges=("road",)),
    ),
    mutant(
        "minor-rivers-stop-lines",
        "8.1.5",
        "lines cross minor rivers by bridges only",
        _rivers("major-river", "minor-river", bridges=BRIDGES),
    ),
    mutant(
        "lines-over-blocked-sides",
        "8.1.5",
        "lines cross blocked hexsides",
        _rivers("major-river", bridges=BRIDGES, blocked=()),
    ),
    mutant(
        "lines-through-enemy-cities",
        "8.1.6",
        "lines pass major cities of the enemy",
        answering(TowSupply, "closed_cities", 0),
    ),
    mutant(
        "landings-are-no-source",
        "11.1.6",
        "the Airborne marker is no source",
        answering(TowSupply, "landed", 0),
    ),
    mutant(
        "cities-begin-as-soviet",
        "8.1.7",
        "all cities begin in Soviet hands",
        wrapping(TracesOfWar, "bare", _soviet_cities),
        DRILLS,
    ),
    mutant(
        "taken-at-the-end-of-a-move", "8.1.7", "a city on the way of a unit is not taken", everywhere(enter_hexes, _at_the_end)
    ),
    mutant(
        "headquarters-take-nothing",
        "8.1.7",
        "a headquarters that enters a city does not take it",
        everywhere(enter_hexes, _leaders_take_nothing),
        DRILLS,
    ),
    mutant("markers-are-kept", "8.1.8", "a unit with a line keeps its marker", everywhere(verdict, _marker_stays)),
    mutant(
        "isolated-at-once",
        "8.1.9",
        "the first check without a line isolates",
        everywhere(verdict, _marker_is(ISOLATED, ISOLATED, ISOLATED)),
    ),
    mutant(
        "never-isolated",
        "8.1.10",
        "a unit that is out of supply stays that",
        everywhere(verdict, _marker_is(OUT_OF_SUPPLY, OUT_OF_SUPPLY, ISOLATED)),
    ),
    mutant(
        "isolation-turns-back",
        "8.1.10",
        "an isolated unit is only out of supply at the next check",
        everywhere(verdict, _marker_is(OUT_OF_SUPPLY, ISOLATED, OUT_OF_SUPPLY)),
    ),
    mutant(
        "markers-are-lost-on-the-way",
        "8.1.11",
        "a unit that moves loses its marker",
        wrapping(TowState, "put", _lost_on_the_way),
        DRILLS,
    ),
    mutant(
        "headquarters-need-no-line",
        "8.1.12",
        "headquarters without a line stay where they are",
        wrapping(hexwar_tow.supply, "lift", lambda original, play, unit, clause: None),
    ),
    mutant(
        "axis-relocates-first",
        "8.1.1",
        "the headquarters of the Axis are relocated first",
        setting(hexwar_tow.supply, "ORDER", ("axis", "soviet")),
    ),
    # 8.2 effects
    mutant(
        "out-of-supply-attacks-in-full",
        "8.2.2",
        "units out of supply attack with full strength",
        wrapping(TowCombat, "weakened", _weaker("i", "i")),
    ),
    mutant(
        "out-of-supply-defends-weaker",
        "8.2.2",
        "units out of supply defend with less",
        wrapping(TowCombat, "weakened", _weaker("oi", "oi")),
    ),
    mutant("one-point-weaker", "8.2.2", "a marker costs one point of strength", numbers("supply", weaker=1)),
    mutant(
        "weaker-than-nothing", "8.2.2", "a weakened strength goes below nothing", wrapping(TowCombat, "weakened", _below_nothing)
    ),
    mutant(
        "isolated-defend-in-full",
        "8.2.3",
        "isolated units defend with full strength",
        wrapping(TowCombat, "weakened", _weaker("oi", "")),
    ),
    mutant(
        "isolated-attack-in-full",
        "8.2.3",
        "isolated units attack with full strength",
        wrapping(TowCombat, "weakened", _weaker("o", "i")),
    ),
    mutant(
        "isolated-move-in-full",
        "8.2.3",
        "isolated units have all their movement points",
        numbers("supply", allowance_divided_by=1),
    ),
    mutant(
        "out-of-supply-moves-half",
        "8.2.2",
        "units out of supply have half their movement points",
        wrapping(TowMovement, "allowance", _any_marker_slows),
    ),
    mutant(
        "halves-are-rounded-up", "1.3.1", "half a movement point counts as one", wrapping(TowMovement, "allowance", _rounded_up)
    ),
)
