"""What holds of a unit on hexes now, and what the result of a battle means there, in words for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from hexwar.engine import Fact, Position
from hexwar.errors import HexwarError
from hexwar.mechanics._battle import Battle
from hexwar.mechanics._pieces import occupant, stack
from hexwar.pieces._odds import Outcome
from hexwar.pieces._pieces import on_board, stands

if TYPE_CHECKING:
    from hexwar.mechanics._queries import HexQuery

MOST_NAMED = 3
"""How many units of a stack are named."""


def facts_of(query: HexQuery, at: Position, unit: str) -> Iterator[Fact]:
    """What holds of a unit now, each with its clause; less of one that is not on the board."""
    if not stands(at, unit):
        return
    world, counter = at.world, at.world.units[unit]
    label = at.state.locations[unit]
    with suppress(HexwarError):  # a game says with it that it has no supply, or that this piece needs none
        report = query.supply(unit)
        yield Fact("in supply" if report.supplied else "out of supply", "supply", report.clause, report.supplied)
    yield from _commanded(at, unit)
    ground = f"in {world.board.terrain(label).replace('_', ' ')}"
    others = [world.units[other].name for other in stack(at, label) if other != unit]
    with_whom = f"with {_listed(others)}" if others else "alone"
    yield Fact(f"{with_whom} {ground}", "stack", world.cite.get("stacking", ""))
    with suppress(HexwarError):
        if any(label in query.zones(side) for side in world.sides if side != counter.side):
            yield Fact("in a zone of control of the enemy", "zone", world.cite.get("move.zone", ""), False)


def _commanded(at: Position, unit: str) -> Iterator[Fact]:
    """Who commands a unit, or whom it commands."""
    world, counter = at.world, at.world.units[unit]
    clause = world.cite.get("activation", "")
    if counter.is_headquarters:
        number = sum(led != unit for led in world.command.led_by(at, unit))
        yield Fact(f"commands {number} unit{'' if number == 1 else 's'}", "command", clause, number > 0)
        return
    leaders = [it for it in on_board(at, counter.side) if world.units[it].is_headquarters]
    led = [world.units[it].name for it in leaders if unit in world.command.led_by(at, it)]
    if led:
        yield Fact(f"commanded by {_listed(led)}", "command", clause, True)
    elif leaders and unit in world.basis.movers:
        yield Fact("no headquarters reaches it", "command", clause, False)


def _listed(names: list[str]) -> str:
    shown = names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def words_of(at: Position, battle: Battle, outcome: Outcome) -> str:
    """What a result means for the units of a battle."""
    world = at.world
    defenders = [unit for target in battle.targets for unit in stack(at, target)]
    theirs = occupant(at, battle.target) or "defenders"
    left: dict[str, Any] = {unit: at.state.steps_left.get(unit, 1) for unit in defenders}
    who = world.units[defenders[0]].name if len(defenders) == 1 else f"the {theirs} stack"
    said = [f"the attackers lose {_number(outcome.attacker, 'step')}"] if outcome.attacker else []
    dies = bool(defenders) and outcome.defender >= sum(left.values())
    if dies:
        said.append(f"{who} is destroyed")
    elif outcome.defender:
        said.append(f"{who} loses {_number(outcome.defender, 'step')}")
    if outcome.retreat and not dies:
        said.append(f"{'it ' if outcome.defender else f'{who} '}retreats {_number(outcome.retreat, 'hex')}")
    if outcome.repulse:
        said.append(f"the attackers retreat {_number(outcome.repulse, 'hex')}")
    return ", ".join(said) or "nothing happens"


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 'es' if what.endswith('x') else 's'}"
