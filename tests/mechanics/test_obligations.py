"""The duty to attack: the local rule against exhaustive search on small positions, and what players are told.

The truth here shares nothing with the rule: it tries every battle that could still be fought.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import Action, Play, Position, TapedChance
from hexwar.mechanics import (
    Assembling,
    Attack,
    Attacking,
    Battle,
    CallOff,
    Declare,
    Declaring,
    Join,
    Obligations,
    Resolve,
    TableCombat,
    Widen,
)
from hexwar.mechanics._obligations import Hand, met
from hexwar.pieces import CombatTable, Done, Outcome
from tests.mechanics.samples import At, SampleWorld, plain_board, position, world

EXEMPT = "b3"
"""Obliges nobody, and may attack all the same."""
BLUE = ("b1", "b2", "b3", "bQ")
RED = ("r1", "r2", "r3", "rQ")


class Everywhere(Obligations):
    """Whoever could attack a hex has to; b3 is exempt."""

    def of_unit(self, at: Position, unit: str) -> Collection[str]:
        """All that it could attack."""
        side = self.world.units[unit].side
        return () if unit == EXEMPT else self.world.combat.targets(at, (unit,), side).get(unit, ())


class Wide(TableCombat):
    """A unit attacks as many hexes as it can."""

    most: int | None = None

    def most_targets(self, at: Position, unit: str) -> int | None:
        """Any number, or as many as the test says."""
        return self.most


def made(most: int | None) -> SampleWorld:
    """The sample world with a duty to attack, whose table has one result."""
    of = world(plain_board(), stacking=4)
    of.combat = Wide(of)
    of.combat.most = most
    of.obligations = Everywhere(of)
    of.table = CombatTable({"1:1": Fraction(1)}, {1: (Outcome("--"),)}, capped=True)
    return of


# -- the truth ------------------------------------------------------------------------------------------------------------


def could(at: At, unit: str) -> frozenset[str]:
    """What a unit could attack."""
    return frozenset(at.world.combat.targets(at, (unit,), "blue").get(unit, ()))


def battles(at: At, fresh: frozenset[str], most: int | None) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Every battle that some units could fight: several against one hex, or those of one hex against several."""
    for number in range(1, len(fresh) + 1):
        for units in combinations(sorted(fresh), number):
            shared = frozenset.intersection(*(could(at, unit) for unit in units))
            yield from ((frozenset(units), frozenset([target])) for target in sorted(shared))
            if len({at.state.locations[unit] for unit in units}) == 1:
                reach = sorted(frozenset.union(*(could(at, unit) for unit in units)))
                for many in range(2, min(len(reach), most or len(reach)) + 1):
                    for targets in combinations(reach, many):
                        if all(could(at, unit) & set(targets) for unit in units):
                            yield frozenset(units), frozenset(targets)


def best(at: At, fresh: frozenset[str], left: frozenset[str], most: int | None) -> int:
    """How many of some duties can be met, by units that are obliged."""
    obliged = frozenset(unit for unit in fresh if unit != EXEMPT)
    if not left or not obliged:
        return 0
    found = 0
    for units, targets in battles(at, obliged, most):
        if targets & left:
            found = max(found, len(targets & left) + best(at, obliged - units, left - targets, most))
            if found == len(left):
                break
    return found


def completable(at: At, step: Assembling, battle: Battle, most: int | None) -> int:
    """The most duties that are met if a battle is brought to an end by joins and widenings, and others follow."""
    fresh, duties = frozenset(step.may_still_attack(at)), frozenset(step.duties)
    found = -1
    for units, targets in battles(at, fresh, most):
        if units >= set(battle.attackers) and targets >= set(battle.targets) and not targets & set(step.done):
            found = max(found, len(targets & duties) + best(at, fresh - units, duties - targets, most))
    return found


HEXES = [f"0{column}0{row}" for column in (3, 4, 5) for row in (3, 4, 5)]


@st.composite
def crowds(draw: st.DrawFn) -> tuple[int | None, dict[str, str]]:
    """A few units of both sides within nine hexes."""
    red = draw(st.dictionaries(st.sampled_from(RED[:3]), st.sampled_from(HEXES), min_size=1, max_size=3))
    free = [label for label in HEXES if label not in red.values()]
    blue = draw(st.dictionaries(st.sampled_from(BLUE[:3]), st.sampled_from(free), min_size=1, max_size=3))
    return draw(st.sampled_from([None, None, 1, 2])), {**blue, **red}


def begun(most: int | None, units: dict[str, str]) -> Play:
    """The combat segment of Blue."""
    of = made(most)
    at = position(of, units)
    doing = Play(of, at.state, TapedChance(None, [0] * 50))
    doing.push(Attacking("blue", tuple(unit for unit in units if unit in BLUE)))
    return doing


@given(crowds(), st.randoms(use_true_random=False))
def test_the_rule_agrees_with_exhaustive_search_and_nobody_is_stuck(
    crowd: tuple[int | None, dict[str, str]], chance: object
) -> None:
    most, units = crowd
    doing = begun(most, units)
    segment = doing.state.stack[-1]
    possible = best(doing, frozenset(segment.units), frozenset(segment.due(doing)), most)
    met_so_far = due = 0
    while doing.state.stack:
        step = doing.state.stack[-1]
        seats = step.deciders(doing)
        if not seats:
            step.resume(doing)
            continue
        offered = list(step.actions(doing, "blue"))
        assert offered, "somebody is asked who may do nothing"
        if isinstance(step, Attacking):
            due = best(doing, frozenset(step.units), frozenset(step.due(doing)), most)
            assert met_so_far + due >= possible, "more only where b3 attacks what it need not"
            assert (Done() in offered) == (due == 0)
        elif isinstance(step, Assembling):
            for unit in step.able:
                joined = step.battle.joined(unit, *[target for target in step.battle.targets if target in could(doing, unit)])
                assert (Join(unit) in offered) == (completable(doing, step, joined, most) >= due), (unit, joined)
            if step.battle.attackers:
                fresh = frozenset(step.may_still_attack(doing)) - set(step.battle.attackers)
                hit = frozenset(step.battle.targets) & set(step.duties)
                rest = best(doing, fresh, frozenset(step.duties) - hit, most)
                assert (Resolve() in offered) == (len(hit) + rest >= due)
        actions = [action for action in offered if not isinstance(action, CallOff)] or offered
        action: Action = chance.choice(actions)  # type: ignore[attr-defined]
        if isinstance(action, Resolve):
            met_so_far += len(set(step.battle.targets) & set(step.duties))
        step.perform(doing, "blue", action)
    assert met_so_far >= possible, "every duty that could be met has been"


# -- what players are told -------------------------------------------------------------------------------------------------

LINE = {"b1": "0404", "b2": "0405", "r1": "0504", "r2": "0505"}
"""b1 stands beside 0504 and b2 beside both."""


def refusal(doing: Play, action: Action) -> str:
    """What speaks against an action."""
    found = doing.state.stack[-1].actions(doing, "blue").why_not(action)
    assert found is not None, f"nothing speaks against {action}"
    return str(found.message)


def act(doing: Play, *actions: Action) -> None:
    """Do what is offered."""
    for action in actions:
        assert action in doing.state.stack[-1].actions(doing, "blue")
        doing.state.stack[-1].perform(doing, "blue", action)


def test_a_refusal_names_the_hexes_that_would_be_left() -> None:
    doing = begun(None, LINE)
    assert doing.state.stack[-1].due(doing) == ("0504", "0505")
    assert refusal(doing, Done()) == "0504, 0505 would be left unattacked"
    assert doing.state.stack[-1].prompt(doing, "blue").endswith("Not to be left unattacked: 0504, 0505.")
    act(doing, Attack("0504"))
    assert refusal(doing, CallOff()) == "0504 would be left unattacked"
    act(doing, Join("b2"))
    assert refusal(doing, Join("b1")) == "0505 would be left unattacked", "from two hexes one hex is attacked"
    assert refusal(doing, Resolve()) == "0505 would be left unattacked"
    act(doing, Widen("0505"), Resolve())
    while not isinstance(doing.state.stack[-1], Attacking):
        doing.state.stack[-1].resume(doing)
    assert doing.state.stack[-1].due(doing) == ()
    act(doing, Done())


def test_who_is_exempt_obliges_nobody() -> None:
    doing = begun(None, {EXEMPT: "0404", "r1": "0504"})
    assert doing.state.stack[-1].due(doing) == ()


def test_what_only_one_can_attack_is_left_to_that_one_where_each_attacks_once() -> None:
    doing = begun(1, LINE)
    act(doing, Attack("0504"))
    assert refusal(doing, Join("b2")) == "0505 would be left unattacked"
    act(doing, Join("b1"), Resolve())


@pytest.mark.parametrize("most", [None, 1])
def test_the_same_question_where_all_attacks_are_declared_first(most: int | None) -> None:
    of = made(most)
    doing = Play(of, position(of, LINE).state, TapedChance(None, [0] * 9))
    doing.push(Declaring("blue", ("b1", "b2")))
    assert refusal(doing, Done()) == "0504, 0505 would be left unattacked"
    if most:
        assert refusal(doing, Declare("b2", "0504")) == "0505 would be left unattacked"
    else:
        act(doing, Declare("b2", "0504"))
        assert refusal(doing, Done()) == "0505 would be left unattacked"
    act(doing, Declare("b2", "0505"))
    if most:
        act(doing, Declare("b1", "0504"))
    act(doing, Done())


def test_without_a_duty_an_attack_says_nothing_of_it() -> None:
    of = made(1)
    of.obligations = Obligations(of)
    doing = Play(of, position(of, LINE).state, TapedChance(None, [0]))
    doing.push(Attacking("blue", ("b1", "b2")))
    act(doing, Attack("0504"))
    assert doing.state.stack[-1] == Assembling("blue", Battle.on("blue", "0504"), ("b1", "b2"))
    act(doing, Join("b1"), Resolve())
    assert doing.state.stack[0] == Attacking("blue", ("b2",), ("0504",))


def test_what_no_odds_allow_may_be_called_off() -> None:
    doing = begun(1, {"b1": "0404", "r1": "0504", "r2": "0504"})
    doing.world.table = CombatTable({"3:1": Fraction(3)}, {1: (Outcome("--"),)})
    act(doing, Attack("0504"))
    act(doing, CallOff())
    act(doing, Done())


def test_contacts_that_battles_make_are_no_duties() -> None:
    """The first battle fixes them: r3 comes to stand beside b2 afterwards."""
    doing = begun(None, {**LINE, "r3": "0602"})
    act(doing, Attack("0504"), Join("b1"), Resolve())
    while not isinstance(doing.state.stack[-1], Attacking):
        doing.state.stack[-1].resume(doing)
    doing.state.put("r3", "0406")
    assert doing.state.stack[-1].due(doing) == ("0505",)


def test_duties_are_handed_on_until_as_many_as_possible_are_met() -> None:
    hands = [Hand({"a", "b"}, 1), Hand({"a"}, 1), Hand({"b", "c", "d"}, 2)]
    assert met("abcd", hands) == ["a", "b", "c", "d"]
    assert met("abcd", hands[:2]) == ["a", "b"]
    assert met("abcd", [Hand({"a", "b", "c", "d"}, None)]) == ["a", "b", "c", "d"]
