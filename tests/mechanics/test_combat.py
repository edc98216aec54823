"""Attacks: who may attack what, odds with their reasons, and the die of the table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import CLOSED, Board
from hexwar.engine import Clause, Hooks, RuleIndex, Sight, TapedChance
from hexwar.engine._steps import Play
from hexwar.mechanics import (
    DECLARED_COMBAT_ACTIONS,
    DECLARED_COMBAT_EVENTS,
    DECLARED_COMBAT_STEPS,
    Attack,
    AttackCancelled,
    Attacking,
    AttackResolved,
    Battle,
    CallOff,
    Declare,
    Declaring,
    Fight,
    Join,
    Resolve,
    Resolving,
    TableCombat,
    TargetDeclared,
)
from hexwar.mechanics._combat import Aftermath, Assembling, Fighting
from hexwar.pieces import CombatTable, Done, Face, Outcome, Shift, Strength, Unit, UnitEliminated, UnitMoved
from tests.mechanics.samples import (
    BLUE,
    CITE,
    UNITS,
    At,
    SampleWorld,
    plain_board,
    play,
    position,
    positions,
    price_of,
    side_at,
    world,
)


def literal(at: At, unit: str, target: str) -> bool:
    """A unit on the board with attack strength, next to an enemy hex into which the ground would let it."""
    board, here = at.world.board, at.state.locations.get(unit, "")
    return (
        here in board
        and target in board.graph.neighbors(here)
        and side_at(at, target) not in (None, UNITS[unit].side)
        and UNITS[unit].faces[at.state.steps_left[unit] - 1].attack > 0
        and price_of(board, UNITS[unit].arm)(here, target) != CLOSED
    )


@given(positions(), st.sets(st.sampled_from(BLUE)), st.data())
def test_the_targets_are_those_that_somebody_may_attack(at: At, units: set[str], data: st.DataObject) -> None:
    board = at.world.board
    done = data.draw(st.lists(st.sampled_from(board.labels), max_size=2))
    step = Attacking("blue", tuple(sorted(units)), tuple(done))
    expected = {label for label in board.labels for unit in units if literal(at, unit, label)}
    assert step.able(at) == sorted(expected - set(done))
    assert step.deciders(at) == (("blue",) if expected - set(done) else ())
    for unit in units:
        for label in board.labels:
            assert at.world.combat.may_attack(at, unit, label) == literal(at, unit, label)
    if step.deciders(at):
        doing = play(at)
        doing.push(step)
        target = data.draw(st.sampled_from(step.able(at)))
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
        refusal = at.world.combat.why_not_attack(at, unit, target)
        assert refusal is not None
        assert (refusal.clause, refusal.message) == (CITE[topic], message)
    assert at.world.combat.why_not_attack(at, "b1", "0504") is None


def test_odds_come_with_their_reasons() -> None:
    board = plain_board(
        terrain={"0504": "f"}, more='[sides]\nriver = ["0404/SE"]\n[[place]]\nname = "Fort"\nkind = "fort"\nhex = "0504"'
    )

    class Brave(TableCombat):
        def strength(self, at: At, battle: Battle, unit: str) -> Strength:
            found = super().strength(at, battle, unit)
            return replace(found, counted=found.counted + 8) if unit in battle.attackers else found

        def shifts(self, at: At, battle: Battle) -> tuple[Shift, ...]:
            return (*super().shifts(at, battle), Shift(1, "morale", "clause combat"))

    of = world(board)
    of.combat = Brave(of)
    at = position(of, {"b1": "0404", "r1": "0504"}, reduced=["r1"])
    found = at.world.combat.odds(at, Battle.on("blue", "0504", ("b1",)))
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
    doing.push(Assembling("blue", Battle.on("blue", "0504", ("b1",)), ()))
    doing.state.stack[-1].perform(doing, "blue", Resolve())
    doing.state.stack[-1].resume(doing)
    (resolved,) = [event for event in doing.events if event.kind == "attack-resolved"]
    assert resolved.result == f"result {outcome % sides + 1}"  # type: ignore[attr-defined]
    assert doing.state.stack[-2] == Attacking("blue", (), ("0504",))


def test_an_attack_needs_no_combat_segment_under_it() -> None:
    """A hand-made position, or an event in the middle of a move, may begin with the attack itself."""
    doing = play(position(world(plain_board()), {"b1": "0404", "r1": "0504"}))
    doing.push(Attacking("blue", ()))
    doing.push(Aftermath("blue", Battle.on("blue", "0504", ("b1",)), Outcome("nothing")))
    doing.push(Assembling("blue", Battle.on("blue", "0504", ("b1",)), ()))
    doing.state.stack[-1].perform(doing, "blue", CallOff())
    assert [step.kind for step in doing.state.stack] == ["attacking", "aftermath"]
    assert doing.state.stack[0] == Attacking("blue", ())


def test_what_an_outcome_brings_comes_in_order() -> None:
    at = position(world(plain_board()), {"b1": "0404", "r1": "0504", "r2": "0504"}, reduced=["r1", "r2"])
    doing = play(at)
    doing.push(Aftermath("blue", Battle.on("blue", "0504", ("b1",)), Outcome("all", attacker=1, defender=1, retreat=1)))
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
    step = Assembling("blue", Battle.on("blue", "0504"), ("b1", "b2"))
    assert step.prompt(at, "blue") == "Who attacks 0504? b1, b2 can."
    assert step.deciders(at) == ("blue",)
    assert step.actions(at, "blue").why_not(Done()) is None
    assert Attacking("blue", ("b1",)).actions(at, "blue").why_not(Done()) is None
    joined = Assembling("blue", Battle.on("blue", "0504", ("b1",)), ("b2",))
    assert joined.prompt(at, "blue") == "Attack on 0504: 4 to 4, column 1:1."
    assert [str(action) for action in joined.actions(at, "blue")] == [
        "call the attack off",
        "resolve the attack",
        "b2 joins the attack",
    ]
    assert (str(Attack("0504")), str(Join("b1"))) == ("attack 0504", "b1 joins the attack")


# -- strengths and results as a ruleset may change them ---------------------------------------------------------------------


def printed(of: SampleWorld, **attack: int) -> SampleWorld:
    """The same world with other strengths printed on some counters."""
    faces = {unit: (Face(points, points, 5), Face(points, points, 5)) for unit, points in attack.items()}
    of.units = {unit: replace(counter, faces=faces.get(unit, counter.faces)) for unit, counter in of.units.items()}
    return of


@pytest.mark.parametrize(
    ("attackers", "defence", "expected"), [("b1 b2", 2, (3, "3:2")), ("b1", 1, (1, "1:1")), ("b1 b2 b3", 3, (4, "1:1"))]
)
def test_halves_are_added_before_fractions_are_dropped(attackers: str, defence: int, expected: tuple[int, str]) -> None:
    """Strength 3 each, all across the river: 1.5 + 1.5 is 3, a single 1.5 is 1, and 4.5 is 4 before the odds are worked out."""
    board = plain_board(more='[sides]\nriver = ["0404/SE", "0405/NE"]')
    of = printed(world(board), b1=3, b2=3, b3=3, r1=defence)
    at = position(of, {"b1": "0404", "b2": "0404", "b3": "0405", "r1": "0504"})
    found = at.world.combat.odds(at, Battle.on("blue", "0504", tuple(attackers.split())))
    assert (found.attack, found.name) == expected


def test_who_is_halved_is_the_rulesets_to_say() -> None:
    board = plain_board(more='[sides]\nriver = ["0404/SE"]')
    of = world(board)
    at = position(of, {"b1": "0404", "b2": "0503", "r1": "0504"})
    assert [unit.counted for unit in at.world.combat.odds(at, Battle.on("blue", "0504", ("b1", "b2"))).strengths] == [2, 4, 4]
    of.combat.halved = lambda at, battle, unit: unit == "b2"  # type: ignore[method-assign]
    dry = at.world.combat.odds(at, Battle.on("blue", "0504", ("b1", "b2"))).strengths
    assert [(int(unit.counted), bool(unit.reasons)) for unit in dry] == [(4, False), (2, True), (4, False)]


def test_a_changed_strength_has_its_reasons() -> None:
    class DugIn(TableCombat):
        def strength(self, at: At, battle: Battle, unit: str) -> Strength:
            found = super().strength(at, battle, unit)
            return found if unit in battle.attackers else found.changed(found.counted * 2, "dug in", CITE["combat.terrain"])

    class Tired(DugIn):
        def strength(self, at: At, battle: Battle, unit: str) -> Strength:
            found = super().strength(at, battle, unit)
            return found.changed(found.counted - 1, "tired", CITE["combat"])

    of = world(plain_board())
    of.combat = Tired(of)
    at = position(of, {"b1": "0404", "r1": "0504"})
    attacker, defender = of.combat.odds(at, Battle.on("blue", "0504", ("b1",))).strengths
    assert (attacker.counted, attacker.reasons) == (Fraction(3), (("tired", CITE["combat"]),))
    assert (defender.counted, defender.reasons) == (
        Fraction(7),
        (("dug in", CITE["combat.terrain"]), ("tired", CITE["combat"])),
    ), "each gets what the one before made"


def fortress(steps: int) -> At:
    """Red's r1 in a hex with a marker that cannot move; b1 and b2 stand before it."""
    of = world(plain_board())
    of.units = {**of.units, "rF": Unit("rF", "fort", "red", "fortress", (Face(0, 1, 0), Face(0, 2, 0)))}

    def convert(at: At, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        changed = Outcome(outcome.name, outcome.attacker, outcome.defender + outcome.retreat, 0)
        return (changed, CITE["retreat"]) if outcome.retreat else (outcome, "")

    of.combat.convert = convert  # type: ignore[method-assign]
    at = position(of, {"b1": "0404", "b2": "0404", "r1": "0504"})
    at.state.steps_left["rF"] = steps
    at.state.put("rF", "0504")
    return at


def finish(doing: Play, picks: tuple[int, ...] = ()) -> list[int]:
    """Play on to the end, choosing by number, then the first; how many choices there were each time."""
    offered: list[int] = []
    while doing.state.stack:
        step = doing.state.stack[-1]
        seats = step.deciders(doing)
        if not seats:
            step.resume(doing)
            continue
        actions = list(step.actions(doing, seats[0]))
        picked = picks[len(offered)] if len(offered) < len(picks) else 0
        offered.append(len(actions))
        step.perform(doing, seats[0], actions[picked])
    return offered


def test_a_result_may_mean_something_else_in_a_hex() -> None:
    found = set()
    pending: list[tuple[int, ...]] = [()]
    while pending:
        picks = pending.pop()
        at = fortress(2)
        at.world.table = CombatTable({"1:1": Fraction(1)}, {1: (Outcome("RR", retreat=2),)})
        doing = Play(at.world, at.state, TapedChance(None, [0]))
        doing.push(Fighting("blue", Battle.on("blue", "0504", ("b1", "b2"))))
        offered = finish(doing, picks)
        if len(offered) > len(picks):
            pending += [(*picks, number) for number in range(offered[len(picks)])]
            continue
        found.add((doing.state.steps_left.get("rF", 0), doing.state.steps_left.get("r1", 0)))
        assert not [event for event in doing.events if isinstance(event, UnitMoved)], "nobody retreats, so nobody pursues"
        (resolved,) = [event for event in doing.events if isinstance(event, AttackResolved)]
        assert (resolved.result, resolved.applied, resolved.rule) == ("RR", "2 steps, no retreat", CITE["retreat"])
        assert resolved.cited() == (CITE["combat.table"], CITE["retreat"])
        assert str(resolved) == "the attack on 0504 results in RR, here 2 steps, no retreat (clause retreat)"
    assert found == {(0, 2), (1, 1), (2, 0)}


def test_a_marker_that_does_not_move_has_no_way_out_and_no_attack() -> None:
    at = fortress(2)
    assert not at.world.retreat.is_possible(at, "rF", 1)
    assert at.world.retreat.why_not_along(at, "rF", 1, ("0504", "0604")) is not None
    assert Declaring("red", ("rF",)).deciders(at) == ()
    assert not at.world.combat.may_attack(at, "rF", "0404")


def test_a_result_that_stays_as_it_is_says_no_more() -> None:
    at = fortress(1)
    at.world.table = CombatTable({"1:1": Fraction(1)}, {1: (Outcome("A1", attacker=1),)})
    doing = Play(at.world, at.state, TapedChance(None, [0]))
    doing.push(Fighting("blue", Battle.on("blue", "0504", ("b1", "b2"))))
    finish(doing)
    (resolved,) = [event for event in doing.events if isinstance(event, AttackResolved)]
    assert (resolved.applied, resolved.cited()) == ("", (CITE["combat.table"],))
    assert str(resolved) == "the attack on 0504 results in A1"
    assert str(Outcome("2RR", 1, 1, 2)) == "the attacker loses 1 step, 1 step, retreat of 2"


# -- all attacks declared first -----------------------------------------------------------------------------------------------

DECLARED = {topic: f"clause {topic}" for topic in ("combat.cancelled", "combat.declare", "combat.order")}


def segment(board: Board, units: dict[str, str], reduced: tuple[str, ...] = (), **more: Any) -> At:
    """A position of a game in which all attacks are declared before the first is resolved."""
    at = position(world(board, **more), units, reduced)
    at.world.cite = {**CITE, **DECLARED}
    at.world.rules = RuleIndex(Clause(clause, topic) for topic, clause in at.world.cite.items())
    return at


def kinds(doing: Play) -> list[str]:
    """What has happened that players see."""
    return [event.kind for event in doing.events if event.sight is Sight.PUBLIC]


@given(positions(), st.sets(st.sampled_from(BLUE)), st.data())
def test_a_unit_may_be_declared_against_what_it_may_attack(at: At, units: set[str], data: st.DataObject) -> None:
    step = Declaring("blue", tuple(sorted(units)))
    expected = [
        Declare(unit, label) for unit in step.units for label in sorted(at.world.board.labels) if literal(at, unit, label)
    ]
    assert list(step.actions(at, "blue")) == [Done(), *expected]
    assert step.deciders(at) == (("blue",) if expected else ())
    assert step.waiting(at) == tuple(dict.fromkeys(action.unit for action in expected))
    for unit in at.world.units:
        for label in (*data.draw(st.lists(st.sampled_from(at.world.board.labels), max_size=3)), "9999"):
            action = Declare(unit, label)
            at.world.cite = {**CITE, **DECLARED}
            assert (step.actions(at, "blue").why_not(action) is None) == (action in expected)


def test_declaring_and_resolving_in_the_attackers_order() -> None:
    units = {"b1": "0404", "b2": "0404", "b3": "0406", "bQ": "0101", "r1": "0504", "r2": "0506"}
    at = segment(plain_board(), units, reduced=("b3",))
    doing = Play(at.world, at.state, TapedChance(None, [0, 0]))
    doing.push(Declaring("blue", ("b1", "b2", "b3", "bQ")))
    step = doing.state.stack[-1]
    assert step.prompt(doing, "blue") == "Declare attacks: b1, b2, b3 can."
    assert step.rule(doing) == DECLARED["combat.declare"]
    step.perform(doing, "blue", Declare("b3", "0506"))
    step = doing.state.stack[-1]
    assert step.prompt(doing, "blue") == "Declare attacks: b1, b2 can. Declared: 0506: 2 to 4, 1:2."
    step.perform(doing, "blue", Declare("b2", "0504"))
    doing.state.stack[-1].perform(doing, "blue", Declare("b1", "0504"))
    assert kinds(doing) == ["attack-planned"] * 3
    step = doing.state.stack[-1]
    assert step.deciders(doing) == ("blue",), "what was declared is confirmed"
    assert step.prompt(doing, "blue").startswith("Confirm the attacks. Declared: ")
    assert list(step.actions(doing, "blue")) == [Done()]
    again = step.actions(doing, "blue").why_not(Declare("b2", "0504"))
    assert again is not None
    assert (again.clause, again.message) == (CITE["combat.once"], "b2 attacks 0504 already")
    step.perform(doing, "blue", Done())
    step = doing.state.stack[-1]
    both = Battle.on("blue", "0504", ("b2", "b1"))
    assert step == Resolving("blue", (Battle.on("blue", "0506", ("b3",)), both)), "first declared, first listed"
    assert step.prompt(doing, "blue") == "Which attack is resolved next? 0506: 2 to 4, 1:2; 0504: 8 to 4, 2:1."
    assert step.rule(doing) == DECLARED["combat.order"]
    assert list(step.actions(doing, "blue")) == [Fight("0506"), Fight("0504")]
    nothing = step.actions(doing, "blue").why_not(Fight("0404"))
    assert nothing is not None
    assert nothing.message == "no attack on 0404 waits to be resolved"
    assert (step.actions(doing, "blue").why_not(Done()), Declaring("blue", ()).actions(doing, "blue").why_not(Done())) == (
        None,
        None,
    )
    step.perform(doing, "blue", Fight("0504"))
    assert doing.state.stack[-1] == Fighting("blue", both)
    finish(doing)
    assert [event.target for event in doing.events if isinstance(event, AttackResolved)] == ["0504", "0506"]
    declared = [event for event in doing.events if event.kind == "attack-declared"]
    assert [event.battle.attackers for event in declared] == [("b2", "b1"), ("b3",)]  # type: ignore[attr-defined]
    assert {type(event) for event in doing.events if event.kind.startswith("attack")} <= set(DECLARED_COMBAT_EVENTS)
    assert (str(Declare("b1", "0504")), str(Fight("0504"))) == ("b1 attacks 0504", "resolve the attack on 0504")
    assert str(TargetDeclared("b1", "0504", clause="1")) == "b1 is to attack 0504"


def test_done_ends_the_declarations_and_without_any_the_segment() -> None:
    at = segment(plain_board(), {"b1": "0404", "b2": "0404", "r1": "0504"})
    doing = play(at)
    doing.push(Declaring("blue", ("b1", "b2")))
    doing.state.stack[-1].perform(doing, "blue", Done())
    assert (doing.state.stack, kinds(doing)) == ([], [])
    doing.push(Declaring("blue", ("b1", "b2")))
    doing.state.stack[-1].perform(doing, "blue", Declare("b1", "0504"))
    step = doing.state.stack[-1]
    assert step == Declaring("blue", ("b2",), (("b1", "0504"),))
    assert step.deciders(doing) == ("blue",)
    step.perform(doing, "blue", Done())
    step = doing.state.stack[-1]
    assert step == Resolving("blue", (Battle.on("blue", "0504", ("b1",)),))
    assert step.deciders(doing) == (), "a single attack needs no order"
    step.resume(doing)
    assert kinds(doing) == ["attack-planned", "attack-declared"]


def test_the_steps_survive_a_save() -> None:
    at = segment(plain_board(), {"b1": "0404", "r1": "0504"})
    steps = {step.kind: step for step in DECLARED_COMBAT_STEPS}
    at.state.stack += [Declaring("blue", ("b2",), (("b1", "0504"),)), Resolving("blue", (Battle.on("blue", "0504", ("b1",)),))]
    data = at.state.to_json()
    assert at.state.with_json(data, steps).stack == at.state.stack
    assert {Declare, Fight, Done} < set(DECLARED_COMBAT_ACTIONS)


def test_each_refusal_of_a_declaration_says_what_is_wrong() -> None:
    board = plain_board(more='[sides]\nriver = ["0404/SE"]')
    units = {"b1": "0404", "b2": "pool", "b3": "0404", "bQ": "0404", "r1": "0504", "r2": "0606"}
    at = segment(board, units)
    step = Declaring("blue", ("b2", "b3", "bQ"))
    cases = {
        ("b1", "0504"): ("combat", "b1 is not active"),
        ("b2", "0504"): ("combat", "b2 is not on the map"),
        ("r1", "0404"): ("combat", "r1 is not active"),
        ("??", "0504"): ("combat", "?? is not active"),
        ("b3", "0606"): ("combat", "b3 does not stand next to 0606"),
        ("b3", "0403"): ("combat", "there is no enemy in 0403"),
        ("b3", "0504"): ("combat", "b3 could not move from 0404 into 0504"),
        ("bQ", "0504"): ("combat.strength", "bQ has no attack strength"),
    }
    for (unit, target), (topic, message) in cases.items():
        refusal = step.actions(at, "blue").why_not(Declare(unit, target))
        assert refusal is not None
        assert (refusal.clause, refusal.message) == (CITE[topic], message)


@pytest.mark.parametrize(
    ("terrain", "attack", "defence", "name"),
    [("f", 3, 4, "no attack"), ("f", 4, 4, "1:2"), (".", 1, 4, "no attack"), (".", 2, 4, "1:2"), (".", 0, 4, "")],
)
def test_below_the_first_column_the_attack_is_cancelled_without_a_die(terrain: str, attack: int, defence: int, name: str) -> None:
    at = segment(plain_board(terrain={"0504": terrain}), {"b1": "0404", "r1": "0504"})
    printed(at.world, b1=attack, r1=defence)
    doing = Play(at.world, at.state, TapedChance(None, [0]))
    doing.push(Declaring("blue", ("b1",)))
    if not name:
        assert doing.state.stack[-1].deciders(doing) == ()
        return
    doing.state.stack[-1].perform(doing, "blue", Declare("b1", "0504"))
    finish(doing)
    if name == "no attack":
        assert kinds(doing) == ["attack-planned", "attack-cancelled"], "no die is rolled, nobody is lost"
        cancelled = doing.events[-2]
        assert isinstance(cancelled, AttackCancelled)
        assert (cancelled.clause, cancelled.attack, cancelled.defence) == (DECLARED["combat.cancelled"], attack, defence)
        assert cancelled.reason == f"the odds of {attack} to {defence} are too low"
        assert str(cancelled) == f"the attack of blue on 0504 is cancelled: {cancelled.reason}"
    else:
        assert kinds(doing) == ["attack-planned", "attack-declared", "dice-rolled", "attack-resolved"]


def test_odds_are_worked_out_when_the_earlier_attacks_are_over() -> None:
    """Red's r3 is driven into the hex that is attacked next, and defends it: 4 to 4 becomes 4 to 8."""
    terrain = dict.fromkeys(("0503", "0604", "0405", "0403"), "m")
    at = segment(plain_board(terrain=terrain), {"b1": "0404", "b2": "0605", "r3": "0504", "r2": "0505"})
    outcome = Outcome("R", retreat=1)
    at.world.table = CombatTable({"1:2": Fraction(1, 2), "1:1": Fraction(1)}, {1: (outcome, outcome)})
    at.world.pursuit.hexes = lambda arm: 0
    doing = Play(at.world, at.state, TapedChance(None, [0, 0]))
    doing.push(Resolving("blue", (Battle.on("blue", "0505", ("b2",)), Battle.on("blue", "0504", ("b1",)))))
    doing.state.stack[-1].perform(doing, "blue", Fight("0504"))
    while doing.state.stack[-1] != Resolving("blue", (Battle.on("blue", "0505", ("b2",)),)):
        step = doing.state.stack[-1]
        assert not step.deciders(doing)
        step.resume(doing)
    assert doing.state.locations["r3"] == "0505"
    doing.state.stack[-1].resume(doing)
    declared = [event for event in doing.events if event.kind == "attack-declared"]
    assert [(event.attack, event.defence) for event in declared] == [(4, 4), (4, 8)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("gone", "reason"),
    [
        (("r1",), "nobody is left in 0504"),
        (("b1", "b2"), "no attacker is left"),
        (("b1",), ""),
        (("b1", "b2", "r1"), "nobody is left in 0504"),
    ],
)
@pytest.mark.parametrize("box", ["", "pool"])
def test_an_attack_on_nobody_or_by_nobody_is_dropped(gone: tuple[str, ...], reason: str, box: str) -> None:
    at = segment(plain_board(), {"b1": "0404", "b2": "0404", "r1": "0504"})
    doing = Play(at.world, at.state, TapedChance(None, [0]))
    doing.push(Resolving("blue", (Battle.on("blue", "0504", ("b1", "b2")),)))
    for unit in gone:
        doing.emit(UnitEliminated(unit, box, clause=CITE["losses"]))
    step = doing.state.stack[-1]
    if reason:
        assert step.prompt(doing, "blue") == f"Which attack is resolved next? 0504: {reason}."
    step.resume(doing)
    if reason:
        (cancelled,) = [event for event in doing.events if isinstance(event, AttackCancelled)]
        assert (cancelled.reason, cancelled.attack, cancelled.defence) == (reason, 0, 0)
        assert doing.state.stack == [Resolving("blue", ())]
        doing.state.stack[-1].resume(doing)
        assert doing.state.stack == []
    else:
        assert doing.state.stack[-1] == Fighting("blue", Battle.on("blue", "0504", ("b2",)))


@pytest.mark.parametrize("says", [True, False])
def test_a_reaction_may_end_an_attack_before_the_die(says: bool) -> None:
    """Where the ruleset has a rule about cancelled attacks, everybody is told."""

    def react(play: Play, event: Any) -> None:
        if event.kind == "attack-declared":
            play.emit(UnitMoved("b1", ("0404", "0403"), clause=CITE["move"]))

    of = segment(plain_board(), {"b1": "0404", "r1": "0504"}, hooks=Hooks(on_event=(react,)))
    if not says:
        of.world.cite = {topic: clause for topic, clause in of.world.cite.items() if topic != "combat.cancelled"}
    doing = Play(of.world, of.state, TapedChance(None, [0]))
    doing.push(Resolving("blue", (Battle.on("blue", "0504", ("b1",)),)))
    doing.state.stack[-1].resume(doing)
    doing.state.stack[-1].resume(doing)
    assert kinds(doing) == ["attack-declared", "unit-moved", *(["attack-cancelled"] if says else [])]


def test_the_dead_in_a_box_take_no_part_in_what_follows() -> None:
    """An attacker that was eliminated into a box keeps its place in the battle, but neither loses steps nor pursues."""
    of = world(plain_board())
    of.grave = lambda at, unit, topic: ("pool", CITE["losses"])  # type: ignore[method-assign]
    doing = play(position(of, {"b1": "0404", "r1": "0504"}, reduced=["b1", "r1"]))
    doing.push(Aftermath("blue", Battle.on("blue", "0504", ("b1",)), Outcome("both", attacker=2, defender=1)))
    assert finish(doing) == []
    assert (doing.state.locations["b1"], doing.state.locations["r1"]) == ("pool", "pool")
    assert [event.kind for event in doing.events].count("unit-eliminated") == 2
