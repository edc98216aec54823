"""end, break, victory: the end phase, battlegroups that break, objectives, points and the verdict."""

from __future__ import annotations

from hexwar.plane import half_inside
from hexwar_bkc.content import Objective
from hexwar_bkc.state import Broke, Held, TurnEnded
from hexwar_bkc.world import At, Doing, placed, terrain_of

STEPS = ("draw", "minor victory", "total victory")
"""victory.1, victory.2, victory.3: what a difference in objectives is called."""


def counted(at: At, side: str) -> list[str]:
    """break.1: the units of a side that count for its break point, lost ones included."""
    units = at.world.units
    return [unit for unit in at.world.of_side[side] if units[unit].type not in ("command", "transport", "artillery")]


def break_point(at: At, side: str) -> int:
    """break.1: half of them, rounded up."""
    return (len(counted(at, side)) + 1) // 2


def losses(at: At, side: str) -> int:
    """break.2: how many of them are lost."""
    return sum(unit in at.state.lost for unit in counted(at, side))


def break_test(play: Doing, side: str) -> None:
    """break.2, break.3, break.4: a side that has lost enough is tested at the start of its turn."""
    lost, point = losses(play, side), break_point(play, side)
    if lost < point or play.state.broken:
        return
    units = play.world.units
    chiefs = [
        unit for unit in play.state.spots if units[unit].side == side and units[unit].commands and units[unit].formation != "fao"
    ]
    first = [unit for unit in chiefs if units[unit].formation == "co"]
    value = max((units[unit].value for unit in first or chiefs), default=0) - (lost - point)
    if play.world.has_orders and value > 0:
        roll = play.roll(f"{side} may break: 2 dice against {value}", clause="break.2", dice=2)
        if roll == 2 or (roll <= value and roll != 12):
            return
    mine = tuple([unit for unit in play.world.of_side[side] if play.world.stands(play.state, unit)])
    play.emit(Broke(side, mine, clause="break.4"))


def end_turn(play: Doing) -> None:
    """end.2, end.3: hit markers go, and the active player's units recover."""
    side = play.state.active
    recovered = tuple([unit for unit in play.state.suppressed if play.world.units[unit].side == side])
    play.emit(TurnEnded(side, recovered, clause="end.2"))


def holds(at: At, side: str, name: str) -> bool:
    """Whether a side has a unit in a place, and the enemy none; command units do not count."""
    area = terrain_of(at).named(name)
    ring = getattr(area, "ring", None)
    if ring is None:
        return False
    units = at.world.units
    inside = {units[unit].side for unit in at.state.spots if not units[unit].commands and half_inside(placed(at, unit), ring)}
    return inside == {side}


def beyond(at: At, side: str, name: str) -> list[str]:
    """The units of a side that are on the enemy's side of a place; command units do not count."""
    ring = getattr(terrain_of(at).named(name), "ring", ())
    axis = 1 if at.world.keys.edges[side] in ("north", "south") else 0
    far = 1 if at.world.keys.edges[side] in ("north", "west") else -1
    limit = max((far * spot[axis] for spot in ring), default=0)
    units = at.world.units
    mine = [unit for unit in at.state.spots if units[unit].side == side and not units[unit].commands]
    return [unit for unit in mine if far * at.state.spots[unit][axis] > limit]


def reached(at: At, objective: Objective) -> bool:
    """Whether a side has what it is to reach."""
    enemy = at.world.enemies(objective.side)[0]
    if objective.hold:
        return holds(at, objective.side, objective.hold)
    if objective.deny:
        return not holds(at, enemy, objective.deny)
    if objective.cross:
        return len(beyond(at, objective.side, objective.cross)) >= objective.units
    return objective.breaks == at.state.broken != ""


def rank(at: At, side: str) -> int:
    """victory.1 to victory.3: 2 with a main objective, 1 with a minor one, 0 with none."""
    ranks = [2 if it.rank == "main" else 1 for it in at.world.keys.objective if it.side == side and reached(at, it)]
    return max(ranks, default=0)


def points(at: At, side: str) -> int:
    """victory.4: the cost of the enemy's lost units, command and transport included; all of a battlegroup that broke and left."""
    enemy, units = at.world.enemies(side)[0], at.world.units
    broke = enemy == at.state.broken
    gone = [unit for unit in at.world.of_side[enemy] if broke or unit in at.state.lost or units[unit].type == "artillery"]
    budgets = at.world.keys.budgets
    return adjusted(sum(units[unit].cost for unit in gone), max(budgets.values(), default=0), budgets.get(enemy))


def adjusted(vp: int, whole: int, budget: int | None) -> int:
    """victory.5: points against a side that had less to spend than the game is for."""
    return vp if budget is None else max(vp - (whole - budget), 0)


def held_now(at: At) -> tuple[str, ...]:
    """The sides that have their main objective; one that only denies a place to the enemy has it at the end and not before."""
    aims = [it for it in at.world.keys.objective if it.rank == "main" and not it.deny]
    return tuple(dict.fromkeys(it.side for it in aims if reached(at, it)))


def end_game_turn(play: Doing) -> None:
    """end.6: a main objective is reached if it is held at the end of two game turns in a row."""
    now = held_now(play)
    lasting = [side for side in now if side in play.state.held]
    if now != play.state.held:
        play.emit(Held(now, clause="end.6"))
    if lasting and play.state.turn < play.world.last_turn:
        decide(play)


def is_over(at: At) -> bool:
    """break.4, break.5: a battlegroup has broken and the other side has had its turn of this game turn."""
    return bool(at.state.broken)


def decide(play: Doing) -> None:
    """victory.1 to victory.7: the verdict."""
    ranks = {side: rank(play, side) for side in play.world.sides}
    vp = {side: points(play, side) for side in play.world.sides}
    broken = play.state.broken
    if broken:  # victory.6
        vp[broken] = min(vp[broken], vp[play.world.enemies(broken)[0]])
    result, clause = verdict(ranks, vp, play.world.sides)
    winner = next((side for side, step in result.items() if step > 0), None)
    reason = STEPS[min(result[winner], 2)] if winner else STEPS[0]
    play.end(winner, reason, clause=clause, scores=vp)


def verdict(ranks: dict[str, int], vp: dict[str, int], sides: tuple[str, ...]) -> tuple[dict[str, int], str]:
    """victory.1, victory.2, victory.3, victory.7: side -> steps above a draw, and the clause."""
    one, other = sides
    difference = ranks[one] - ranks[other]
    steps = max(-2, min(2, difference))
    clause = ("victory.1", "victory.2", "victory.3")[abs(steps)]
    for side, sign in ((one, 1), (other, -1)):
        enemy = other if side == one else one
        if vp[side] > 0 and vp[side] >= 2 * vp[enemy]:
            steps, clause = max(-2, min(2, steps + sign)), "victory.7"
    return {one: steps, other: -steps}, clause
