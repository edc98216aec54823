"""Attacks: who may attack what, odds with their reasons, and the die of the table."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import CLOSED
from hexwar.engine import Hooks, TapedChance
from hexwar.engine.steps import Play
from hexwar.mechanics import Attack, Attacking, Battle, CallOff, CombatTable, Done, Join, Outcome, Resolve, Shift, odds
from hexwar.mechanics.combat import Aftermath, Assembling, may_attack, refuse_attack
from tests.mechanics.samples import BLUE, CITE, UNITS, At, plain_board, play, position, positions, price_of, side_at, world


def literal(at: At, unit: str, target: str) -> bool:
    """A unit on the board with attack strength, next to an enemy hex into which the ground would let it."""
    board, here = at.world.board, at.state.at.get(unit, "")
    return (
        here in board
        and target in board.graph.neighbors(here)
        and side_at(at, target) not in (None, UNITS[unit].side)
        and UNITS[unit].faces[at.state.steps[unit] - 1].attack > 0
        and price_of(board, UNITS[unit].arm)(here, target) != CLOSED
    )


@given(positions(), st.sets(st.sampled_from(BLUE)), st.data())
def test_the_targets_are_those_that_somebody_may_attack(at: At, units: set[str], data: st.DataObject) -> None:
    board = at.world.board
    done = data.draw(st.lists(st.sampled_from(board.labels), max_size=2))
    step = Attacking("blue", tuple(sorted(units)), tuple(done))
    expected = {label for label in board.labels for unit in units if literal(at, unit, label)}
    assert step.targets(at) == sorted(expected - set(done))
    assert step.deciders(at) == (("blue",) if expected - set(done) else ())
    for unit in units:
        for label in board.labels:
            assert may_attack(at, unit, label) == literal(at, unit, label)
    if step.deciders(at):
        doing = play(at)
        doing.push(step)
        target = data.draw(st.sampled_from(step.targets(at)))
        step.perform(doing, "blue", Attack(target))
        assembling = doing.state.stack[-1]
        assert assembling.able == tuple(unit for unit in sorted(units) if literal(at, unit, target))


def test_each_refusal_says_what_is_wrong() -> None:
    board = plain_board(more='[sides]\nriver = ["0404/SE"]')
    at = position(world(board), {"b1": "0404", "b3": "0404", "bQ": "0404", "r1": "0504", "r2": "0606"})
    cases = {
        ("b1", "0403"): ("combat", "there is no enemy in 0403"),
        ("b1", "9999"): ("combat", "there is no enemy in 9999"),
        ("b1", "0606"): ("combat", "b1 does not stand next to 0606"),
        ("bQ", "0504"): ("combat.strength", "bQ has no attack strength"),
        ("b3", "0504"): ("combat", "b3 could not move from 0404 into 0504"),
    }
    for (unit, target), (topic, message) in cases.items():
        refusal = refuse_attack(at, unit, target)
        assert refusal is not None
        assert (refusal.clause, refusal.message) == (CITE[topic], message)
    assert refuse_attack(at, "b1", "0504") is None


def test_odds_come_with_their_reasons() -> None:
    board = plain_board(
        terrain={"0504": "f"}, more='[sides]\nriver = ["0404/SE"]\n[[place]]\nname = "Fort"\nkind = "fort"\nhex = "0504"'
    )
    hooks = Hooks(
        {
            "strength": (lambda at, battle, unit, role, strength: strength + 8 if role == "attack" else None,),
            "shifts": (lambda at, battle, shifts: (*shifts, Shift(1, "morale", "clause combat")),),
        }
    )
    at = position(world(board, hooks=hooks), {"b1": "0404", "r1": "0504"}, reduced=["r1"])
    found = odds(at, Battle("blue", "0504", ("b1",)))
    attacker, defender = found.strengths
    assert (attacker.printed, attacker.counted, attacker.reasons) == (
        4,
        Fraction(10),
        (("halved across a river", CITE["combat.river"]),),
    )
    assert (defender.printed, defender.counted, defender.reasons) == (2, Fraction(2), ())
    assert [(shift.columns, shift.reason) for shift in found.shifts] == [(-1, "forest"), (-2, "fort"), (1, "morale")]
    assert (found.attack, found.defence, found.base, found.column, found.name) == (10, 2, 3, 1, "1:1")


@given(st.integers(1, 10), st.integers(0, 9))
def test_the_die_has_as_many_sides_as_the_table_has_rows(sides: int, outcome: int) -> None:
    table = CombatTable({"1:1": Fraction(1)}, {roll: (Outcome(f"result {roll}"),) for roll in range(1, sides + 1)})
    at = position(world(plain_board()), {"b1": "0404", "r1": "0504"})
    at.world.table = table
    doing = Play(at.world, at.state, TapedChance(None, [outcome % sides]))
    doing.push(Attacking("blue", ("b1",)))
    doing.push(Assembling("blue", Battle("blue", "0504", ("b1",)), ()))
    doing.state.stack[-1].perform(doing, "blue", Resolve())
    doing.state.stack[-1].resume(doing)
    (resolved,) = [event for event in doing.events if event.kind == "attack-resolved"]
    assert resolved.result == f"result {outcome % sides + 1}"  # type: ignore[attr-defined]
    assert doing.state.stack[-2] == Attacking("blue", (), ("0504",))


def test_an_attack_needs_no_combat_segment_under_it() -> None:
    """A hand-made position, or an event in the middle of a move, may begin with the attack itself."""
    doing = play(position(world(plain_board()), {"b1": "0404", "r1": "0504"}))
    doing.push(Attacking("blue", ()))
    doing.push(Aftermath("blue", Battle("blue", "0504", ("b1",)), Outcome("nothing")))
    doing.push(Assembling("blue", Battle("blue", "0504", ("b1",)), ()))
    doing.state.stack[-1].perform(doing, "blue", CallOff())
    assert [step.kind for step in doing.state.stack] == ["attacking", "aftermath"]
    assert doing.state.stack[0] == Attacking("blue", ())


def test_what_an_outcome_brings_comes_in_order() -> None:
    at = position(world(plain_board()), {"b1": "0404", "r1": "0504", "r2": "0504"}, reduced=["r1", "r2"])
    doing = play(at)
    doing.push(Aftermath("blue", Battle("blue", "0504", ("b1",)), Outcome("all", attacker=1, defender=1, retreat=1)))
    seen: list[str] = []
    while doing.state.stack:
        step = doing.state.stack[-1]
        if not seen or seen[-1] != step.kind:
            seen.append(step.kind)
        if step.deciders(doing):
            step.perform(doing, step.seat, list(step.actions(doing, step.seat))[-1])
        else:
            step.resume(doing)
    assert [kind for kind in seen if kind != "aftermath"] == ["losing", "losing", "retreating", "pursuing"]


def test_sentences() -> None:
    at = position(world(plain_board()), {"b1": "0404", "b2": "0404", "r1": "0504"})
    step = Assembling("blue", Battle("blue", "0504"), ("b1", "b2"))
    assert step.prompt(at, "blue") == "Who attacks 0504? b1, b2 can."
    assert step.deciders(at) == ("blue",)
    assert step.refuse(at, "blue", Done()) is None
    assert Attacking("blue", ("b1",)).refuse(at, "blue", Done()) is None
    joined = Assembling("blue", Battle("blue", "0504", ("b1",)), ("b2",))
    assert joined.prompt(at, "blue") == "Attack on 0504: 4 to 4, column 1:1."
    assert [str(action) for action in joined.actions(at, "blue")] == [
        "call the attack off",
        "resolve the attack",
        "b2 joins the attack",
    ]
    assert (str(Attack("0504")), str(Join("b1"))) == ("attack 0504", "b1 joins the attack")
