"""Why a unit cannot move: the rule of movement in sentences. What is open, `hexwar.mechanics.Reaches` says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hexwar.board import ALL, CLOSED, MAX_BUDGET, reach
from hexwar.engine import Position, record
from hexwar.errors import Refusal, UnknownName
from hexwar.mechanics._going import NORMAL, Bar, Mode
from hexwar.mechanics._pieces import in_enemy_zone, occupant
from hexwar.pieces._steps import against

if TYPE_CHECKING:
    from hexwar.mechanics._prices import Prices
    from hexwar.mechanics._reaches import Reaches

ONLY_CLOSED = bytes([0] * CLOSED + [CLOSED])
"""Translates a table of surcharges into one in which only closed hexes are left."""


def why_not_move(at: Position, unit: str, to: str, mode: str = "", path: Sequence[str] = ()) -> Refusal | None:
    """Why a unit on the board cannot move to a hex, or None if it can: the rule from which all moves are offered.

    Args:
        at: the position.
        unit: a unit on the board.
        to: a hex, or what was taken for one.
        mode: the way of moving.
        path: the way that its owner chooses; the cheapest if there is none.
    """
    world, indices, here = at.world, at.world.board.indices, at.state.locations[unit]
    reaches: Reaches = world.reaches
    if to not in indices:
        return against(at, "move", f"there is no hex {to} on the map")
    if to == here and not path:
        return against(at, "move", f"{unit} stands in {to} already")
    kind = reaches.open_mode(at, unit, mode)
    if kind is None:
        try:
            return against(at, f"{world.movement.mode(mode).topic}.open", f"{mode} movement is not open to {unit} now")
        except UnknownName as error:
            return against(at, "move", str(error))
    points = reaches.points(at, unit, kind)
    begin = why_not_begin(at, unit, here, kind)
    holder = occupant(at, to)
    overruns = world.movement.going(at, unit, kind).may_overrun(indices[to]) if holder else False
    if holder not in (None, world.units[unit].side) and not overruns:
        return against(at, "move.enemy", f"{to} is occupied by {holder}")
    if points and not begin and not path and indices[to] in reaches.reach_from(at, unit, indices[here], points, kind):
        full: Refusal | None = world.stacking.why_not(at, unit, to)
        return full
    if not points:
        return against(at, "move", f"{unit} has no movement points")
    if begin or not path:
        return begin or _out_of_reach(at, unit, to, kind)
    if path[0] != here or path[-1] != to:
        return against(at, "move", f"the way of {unit} leads from {here} to {to}, not from {path[0]} to {path[-1]}")
    why = why_not_along(at, unit, path, points, kind)
    return why or (None if to == here else world.stacking.why_not(at, unit, to))


def cannot_begin(at: Position, unit: str, i: int, mode: Mode) -> str:
    """What keeps a unit from beginning a move of some kind in a hex, "start" or "zone"; "" if nothing does."""
    if mode.along and not at.world.board.link_mask(mode.along) >> i & 1:
        return "start"
    return "zone" if mode.outside_zones and at.state.layout.threatened[at.world.units[unit].side] >> i & 1 else ""


def why_not_begin(at: Position, unit: str, label: str, mode: Mode) -> Refusal | None:
    """Why a unit may not begin a move of some kind in a hex. None if it may."""
    topic = cannot_begin(at, unit, at.world.board.index(label), mode)
    if topic == "start":
        return against(at, f"{mode.topic}.start", f"{mode.name} movement begins on a {mode.along}, and {label} has none")
    if topic:
        kind = f"{mode.name} movement".lstrip()
        return against(at, f"{mode.topic}.zone", f"{label} is in an enemy zone of control, where no {kind} begins")
    return None


def why_not_along(
    at: Position, unit: str, path: Sequence[str], budget: int, mode: Mode = NORMAL, *, fresh: bool = True
) -> Refusal | None:
    """Why a unit cannot go along a way, hex by hex, with some half points."""
    left = budget
    for here, label in pairwise(path):
        cost = price_or_refusal(at, unit, here, label, left, mode, fresh=fresh)
        if isinstance(cost, Refusal):
            return cost
        left, fresh = left - cost, False
    return None


def price_or_refusal(
    at: Position, unit: str, origin: str, target: str, left: int, mode: Mode = NORMAL, *, fresh: bool = True
) -> int | Refusal:
    """What a step costs a unit that has some half points left, or the rule that keeps it from taking it."""
    board, reaches = at.world.board, at.world.reaches
    if target not in board or not board.adjacent(origin, target):
        return against(at, "move", f"{target} is not next to {origin} on the map")
    price: int | None = reaches.step(at, unit, origin, target, left, mode, fresh=fresh)
    return _why_no_step(at, unit, origin, target, left, mode, fresh) if price is None else price


def _why_no_step(at: Position, unit: str, origin: str, target: str, left: int, mode: Mode, fresh: bool) -> Refusal:
    world, side = at.world, at.world.units[unit].side
    board, prices = world.board, world.reaches.prices(at, unit, mode)
    i, n, d = board.index(origin), board.index(target), board.direction(origin, target)
    holder = occupant(at, target)
    if holder not in (None, side) and not prices.going.passes >> n & 1 and not prices.going.may_overrun(n):
        return against(at, "move.enemy", f"{target} is occupied by {holder}")
    if mode.outside_zones and in_enemy_zone(at, side, target):
        return against(at, f"{mode.topic}.zone", f"{target} lies in an enemy zone of control")
    for bar in prices.going.bars:
        if (fresh or not bar.first) and (bar.hexes >> n & 1 or (bar.steps and bar.steps[d] >> i & 1)):
            return _barred(at, bar, unit, origin, target)
    price, is_inside = prices.costs[d][i], prices.threatened >> i & prices.threatened >> n & 1
    if is_inside and prices.within >= ALL and price != CLOSED:
        price = prices.within
    if price == CLOSED:
        return _closed(at, unit, origin, target, mode)
    if price == ALL and not fresh:
        return against(at, "move.cost", f"the step from {origin} to {target} takes the whole move of {unit}")
    if price == ALL and world.reaches.bars_whole(prices, i, n):
        return _barred_whole(at, prices, origin, target)
    if is_inside and prices.costs.is_guarded(i, n):
        why = f"nobody goes from {origin} to {target} while both lie in enemy zones of control, bridge or no bridge"
        return against(at, "move.zone.whole", why)
    total = world.reaches.price(prices, i, d, fresh=fresh)
    if total == CLOSED:
        return against(at, "move.zone", f"{unit} has entered an enemy zone of control in {origin}, and stops there")
    topic = "move.zone" if price <= left else "move.cost"
    message = f"the step from {origin} to {target} costs {unit} {total / 2:g} points, and it has {left / 2:g} left"
    return against(at, topic, message)


def _barred(at: Position, bar: Bar, unit: str, origin: str, target: str) -> Refusal:
    return against(at, bar.topic, bar.why.format(unit=unit, origin=origin, target=target))


def _barred_whole(at: Position, prices: Prices, origin: str, target: str) -> Refusal:
    ground = at.world.chart.entry(at.world.board, prices.going.arm, target) == ALL
    zones = f"begins {'or' if prices.going.zones.whole == 'either' else 'and'} ends in enemy zones of control"
    why = f"a step that takes the whole move, as from {origin} to {target}, never {zones}"
    return against(at, "move.zone.whole.ground" if ground else "move.zone.whole", why)


def _closed(at: Position, unit: str, origin: str, target: str, mode: Mode = NORMAL) -> Refusal:
    """Why the ground closes a step."""
    board, counter = at.world.board, at.world.units[unit]
    if line := at.world.reaches.closed_line(counter.side, origin, target):
        return against(at, "move.side.line", f"{counter.side} never crosses the {line} between {origin} and {target}")
    if mode.along:
        why = f"{mode.name} movement stays on a {mode.along}, and none leads from {origin} to {target}"
        return against(at, f"{mode.topic}.way", why)
    barrier = at.world.chart.barrier(board, counter.arm, origin, target)
    if barrier:
        return against(at, "move.side", f"{counter.arm} cannot cross the {barrier} between {origin} and {target}")
    terrain = board.terrain(target)
    return against(at, f"move.cost.closed.{terrain}", f"{target} is closed to {counter.arm}: {terrain}")


def _out_of_reach(at: Position, unit: str, target: str, mode: Mode) -> Refusal:
    """Why no way leads a unit to a hex, with all its points."""
    board, here, counter, reaches = at.world.board, at.state.locations[unit], at.world.units[unit], at.world.reaches
    budget, start, goal = reaches.points(at, unit, mode), board.index(here), board.index(target)
    points = at.world.movement.allowance(at, unit, mode.name)
    prices: Prices = reaches.prices(at, unit, mode)
    costs = prices.costs
    for bar in prices.going.bars:
        free = replace(prices.going, bars=tuple([other for other in prices.going.bars if other is not bar]))
        if goal in reaches.search(at, reaches.prices_for(at, free), start, budget, fresh=True):
            return _barred(at, bar, unit, here, target)
    enter = prices.enter.translate(ONLY_CLOSED)
    in_the_way = goal in reach(board, start, budget, costs, enter=enter, firsts=costs.whole_steps(start))
    adjacent = board.adjacent(here, target)
    if adjacent and reaches.closed_line(counter.side, here, target):
        return _closed(at, unit, here, target)
    if mode.outside_zones:
        open_to_all = at.state.layout.facing(counter.side).tables(0, 0)[1]
        if goal in reach(board, start, budget, costs, enter=open_to_all, firsts=costs.whole_steps(start)):
            kind = f"{mode.name} move".lstrip()
            return against(at, f"{mode.topic}.zone", f"every {kind} of {unit} to {target} enters an enemy zone of control")
    if mode.name:
        if mode.along and not board.has_link(target, mode.along):
            return against(at, f"{mode.topic}.way", f"{mode.name} movement stays on a {mode.along}, and {target} has none")
        if mode.along and goal not in reach(board, start, MAX_BUDGET, costs):
            return against(at, f"{mode.topic}.way", f"no {mode.along} leads {unit} from {here} to {target}")
        return against(at, mode.topic, f"{target} is out of reach of {unit} by {mode.name} movement with {points} points")
    if adjacent:
        price = costs[board.direction(here, target)][start]
        if price == CLOSED and (not in_the_way or at.world.chart.barrier(board, counter.arm, here, target)):
            return _closed(at, unit, here, target)
        is_inside = prices.threatened >> start & prices.threatened >> goal & 1
        if in_the_way and (price == ALL or (is_inside and costs.is_guarded(start, goal))):
            return _why_no_step(at, unit, here, target, budget, NORMAL, True)
    if in_the_way:
        message = f"enemy zones of control make the way to {target} too costly for {unit} with {points} points"
        return against(at, "move.zone", message)
    return against(at, "move.cost", f"{target} is out of reach of {unit} with {points} points")


@record
class ReachReport:
    """What a player sees before moving.

    Args:
        costs: hex -> movement points spent, for every hex in which the move may end.
        closed: hex next to the way -> the refusal that explains why the move may not end there.
    """

    costs: dict[str, float]
    closed: dict[str, Refusal]


def reach_report(at: Position, unit: str, mode: str = "") -> ReachReport:
    """Where a unit can go with the cost of each hex, and why neighbouring hexes are closed."""
    board, here, reaches = at.world.board, at.state.locations[unit], at.world.reaches
    found = reaches.reach(at, unit, mode)
    open_to = {label: found[board.index(label)] / 2 for label in reaches.ends(at, unit, found)}
    beside = dict.fromkeys(near for known in (here, *open_to) for near in board.neighbours(known))
    refusals = {label: why_not_move(at, unit, label, mode) for label in beside if label != here and label not in open_to}
    return ReachReport(open_to, {label: refusal for label, refusal in refusals.items() if refusal})
