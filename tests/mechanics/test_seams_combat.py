"""What games to come need of combat, each as a toy: several targets, results for both sides, other ways to decide a battle.

The steps around a battle (attack, losses, retreat, pursuit) are those of the mechanics in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from hexwar.engine import Action, DiceRolled, Play, Position, TapedChance, essence, record
from hexwar.mechanics import (
    Assembling,
    Attack,
    Attacking,
    Battle,
    Combat,
    Fighting,
    Join,
    Pursue,
    Resolve,
    Retreat,
    TableCombat,
    Widen,
)
from hexwar.mechanics._battle import Stage
from hexwar.pieces import CombatTable, LoseStep, Odds, Outcome
from tests.mechanics.samples import At, SampleWorld, plain_board, position, world

UNITS = {"b1": "0405", "b2": "0405", "b3": "0404", "r1": "0504", "r2": "0505"}
"""Blue's three beside Red's two, which stand in two hexes."""


def made(combat: type[Combat]) -> SampleWorld:
    """The sample world with another part."""
    of = world(plain_board())
    of.combat = combat(of)  # type: ignore[assignment]
    return of


def finish(doing: Play, prefer: Sequence[type[Action]] = ()) -> list[Action]:
    """Play on to the end of the stack: the last action of a preferred kind, else the first; what was decided."""
    decided: list[Action] = []
    while doing.state.stack:
        step = doing.state.stack[-1]
        seats = step.deciders(doing)
        if not seats:
            step.resume(doing)
            continue
        actions = list(step.actions(doing, seats[0]))
        wanted = [action for kind in prefer for action in actions if isinstance(action, kind)]
        decided.append(wanted[-1] if wanted else actions[0])
        step.perform(doing, seats[0], decided[-1])
    return decided


# -- several targets, results for both sides --------------------------------------------------------------------------------


class BothSides(TableCombat):
    """Attackers may have to retreat as well, after the defenders; a unit attacks as many hexes as it can."""

    def most_targets(self, at: Position, unit: str) -> None:
        """Any number."""
        return None

    def stages(self) -> tuple[Stage, ...]:
        losses, defence, retreat, pursuit = super().stages()
        return losses, defence, retreat, self.attackers_retreat, pursuit


@record
class Supported(Battle):
    """A battle in which something more counts."""

    kind = "supported"
    markers: int = 0


class WithGuns(TableCombat):
    """b2 is a gun, which fires over any distance."""

    def still_attacks(self, at: Position, unit: str, target: str) -> bool:
        """The gun does."""
        return unit == "b2" or super().still_attacks(at, unit, target)


def wide(outcome: Outcome, units: dict[str, str] | None = None) -> Play:
    """An attack on 0504 is being put together, in a game whose table has one result."""
    of = made(BothSides)
    of.table = CombatTable({"1:2": Fraction(1, 2), "1:1": Fraction(1)}, {1: (outcome, outcome)})
    at = position(of, units or UNITS)
    doing = Play(of, at.state, TapedChance(None, [0]))
    doing.push(Attacking("blue", ("b1", "b2", "b3")))
    doing.state.stack[-1].perform(doing, "blue", Attack("0504"))
    return doing


def act(doing: Play, *actions: Action) -> None:
    """Do what the step on top offers."""
    for action in actions:
        assert action in doing.state.stack[-1].actions(doing, "blue")
        doing.state.stack[-1].perform(doing, "blue", action)


def test_an_attack_on_two_hexes_at_once() -> None:
    doing = wide(Outcome("2R", defender=2, retreat=1))
    act(doing, Join("b1"), Join("b2"))
    offered = doing.state.stack[-1].actions(doing, "blue")
    assert [action.target for action in offered if isinstance(action, Widen)] == ["0505"]
    refusal = offered.why_not(Widen("0606"))
    assert refusal is not None
    assert refusal.message == "nobody who takes part can attack 0606"
    act(doing, Widen("0505"))
    battle = doing.state.stack[-1].battle
    assert battle.pairs == (("b1", "0504"), ("b2", "0504"), ("b1", "0505"), ("b2", "0505"))
    assert Join("b3") not in doing.state.stack[-1].actions(doing, "blue"), "several hexes do not attack several"
    odds = doing.world.combat.odds(doing, doing.state.stack[-1].battle)
    assert (odds.attack, odds.defence) == (8, 8), "the defenders of both hexes count together"
    act(doing, Resolve())
    assert doing.state.stack[0] == Attacking("blue", ("b3",), ("0504", "0505")), "both have been attacked"
    decided = finish(doing, (LoseStep, Retreat, Pursue))
    kinds = [type(action).__name__ for action in decided]
    assert kinds.count("LoseStep") == 2, "the owner spreads them over both hexes"
    assert {"0504", "0505"}.isdisjoint(doing.state.locations[unit] for unit in ("r1", "r2") if unit in doing.state.locations)
    assert {action.path[1] for action in decided if isinstance(action, Pursue)} <= {"0504", "0505"}
    assert "Pursue" in kinds


def test_a_target_that_was_given_up_is_no_longer_attacked() -> None:
    doing = wide(Outcome("R", retreat=1))
    pairs = (("b1", "0503"), ("b3", "0503"), ("b1", "0505"))
    battle, odds, reason = doing.world.combat.weigh(doing, Battle("blue", ("0503", "0505"), pairs))
    assert (battle, reason) == (Battle.on("blue", "0505", ["b1"]), "")
    assert odds is not None


def test_a_battle_keeps_what_a_game_adds_to_it_and_guns_that_fire_from_afar() -> None:
    of = made(WithGuns)
    at = position(of, {"b1": "0404", "b2": "0401", "b3": "0401", "r1": "0504"})
    declared = Supported("blue", ("0504",), (("b1", "0504"), ("b2", "0504"), ("b3", "0504")), 2)
    battle, odds, reason = of.combat.weigh(at, declared)
    assert (battle, reason) == (Supported("blue", ("0504",), (("b1", "0504"), ("b2", "0504")), 2), "")
    assert odds is not None
    alone = replace(declared, pairs=(("b3", "0504"),))
    assert of.combat.weigh(at, alone)[1:] == (None, "no attacker is left"), "b3 has gone away"


@pytest.mark.parametrize("battle", [Battle.on("blue", "0504", ["b1"]), Supported("blue", ("0504",), (("b1", "0504"),), 2)])
def test_a_battle_of_its_own_kind_is_read_back_as_what_it_was(battle: Battle) -> None:
    at = position(made(TableCombat), {"b1": "0404", "r1": "0504"})
    data = Fighting("blue", battle).to_json()
    (step,) = at.state.with_json({"stack": [data]}, {"fighting": Fighting}).stack
    assert step == Fighting("blue", battle)


def test_what_is_no_kind_of_battle_is_named() -> None:
    at = position(made(TableCombat), {"b1": "0404", "r1": "0504"})
    data = {"kind": "fighting", "seat": "blue", "battle": {"kind": "duel", "side": "blue", "targets": ["0504"], "pairs": []}}
    with pytest.raises(ValueError, match=r"stack\.0: battle.*no kind of battle 'duel'; known: .*supported"):
        at.state.with_json({"stack": [data]}, {"fighting": Fighting})
    with pytest.raises(TypeError, match="Nameless is a battle of its own kind"):

        class Nameless(Battle):
            """It says no kind."""


def test_positions_load_that_were_written_when_a_battle_had_one_hex() -> None:
    at = position(made(TableCombat), {"b1": "0404", "r1": "0504"})
    battle = {"side": "blue", "target": "0504", "attackers": ["b1"]}
    expected = Fighting("blue", Battle.on("blue", "0504", ["b1"]))

    def loaded(battle: object) -> list[object]:
        data = {"kind": "fighting", "seat": "blue", "battle": battle}
        return at.state.with_json({"stack": [data]}, {"fighting": Fighting}).stack  # type: ignore[no-any-return]

    assert loaded(battle) == loaded(expected.to_json()["battle"]) == [expected]
    with pytest.raises(ValueError, match=r"battle\.target"):
        loaded({**battle, "targets": []})
    with pytest.raises(ValueError, match=r"battle"):
        loaded({**battle, "attackers": "b1"})
    with pytest.raises(ValueError, match=r"battle"):
        loaded("0504")


def test_a_result_for_both_sides() -> None:
    doing = wide(Outcome("both", attacker=1, retreat=1, repulse=2), {"b1": "0404", "b3": "0405", "r1": "0504"})
    act(doing, Join("b1"), Join("b3"), Resolve())
    decided = finish(doing, (LoseStep, Retreat))
    assert sum(isinstance(action, LoseStep) for action in decided) == 1
    board, places = doing.world.board, doing.state.locations
    assert board.distance("0504", places["r1"]) == 1
    assert [board.distance(start, places[unit]) for unit, start in (("b1", "0404"), ("b3", "0405"))] == [2, 2]


def test_what_these_games_add_leaves_no_trace_in_others() -> None:
    """Fields at their defaults are not part of a digest, nor of the fingerprint of a table."""
    assert essence(Assembling("blue", Battle.on("blue", "0504", ["b1"]), ())) == {
        "kind": "assembling",
        "seat": "blue",
        "battle": {"side": "blue", "targets": ["0504"], "pairs": [["b1", "0504"]]},
        "able": [],
    }
    assert essence(Outcome("R", retreat=1)) == {"name": "R", "retreat": 1}


# -- other ways to decide a battle -------------------------------------------------------------------------------------------


class PoolCombat(Combat):
    """A die for each attacker's step; every five or six hits, and with two hits the defenders give way."""

    def odds(self, at: Position, battle: Battle) -> Odds:
        """The dice."""
        dice = sum(at.state.steps_left[unit] for unit in battle.attackers)
        steps = sum(at.state.steps_left[unit] for unit in self.defenders(at, battle))
        results = tuple([self._outcome(faces) for faces in product(range(1, 7), repeat=dice)])  # all faces that they can show
        counted = Counter(outcome.name for outcome in results)
        shares = {name: Fraction(count, len(results)) for name, count in counted.items()}
        return Odds(dice, steps, (), (), None, dice, f"{dice} dice", shares, results=results)

    def resolve(self, play: Play, battle: Battle, odds: Odds) -> Outcome:
        """The faces count one by one."""
        return self._outcome(play.dice("pool", clause=self.world.clause("combat.table"), dice=odds.attack))

    def _outcome(self, faces: Sequence[int]) -> Outcome:
        hits = sum(number > 4 for number in faces)
        return Outcome(f"{hits} hits", defender=hits, retreat=int(hits > 1))


def fought(combat: type[Combat], *tape: int) -> tuple[Play, list[Action]]:
    """b1 attacks r1 alone and follows if it can."""
    of = made(combat)
    at = position(of, {"b1": "0404", "r1": "0504"})
    doing = Play(of, at.state, TapedChance(None, list(tape)))
    doing.push(Attacking("blue", ("b1",)))
    act(doing, Attack("0504"), Join("b1"))
    prompt: str = doing.state.stack[-1].prompt(doing, "blue")
    assert of.combat.odds(at, Battle.on("blue", "0504", ("b1",))).name in prompt
    act(doing, Resolve())
    return doing, finish(doing, (LoseStep, Retreat, Pursue))


@pytest.mark.parametrize(("faces", "left", "follows"), [((5, 6), 0, True), ((1, 5), 1, False), ((4, 4), 2, False)])
def test_a_battle_decided_by_a_pool_of_dice(faces: tuple[int, int], left: int, follows: bool) -> None:
    doing, _ = fought(PoolCombat, *(number - 1 for number in faces))
    (rolled,) = [event for event in doing.events if isinstance(event, DiceRolled)]
    assert rolled.dice == faces
    assert doing.state.steps_left.get("r1", 0) == left
    assert (doing.state.locations["b1"] == "0504") == follows


def test_the_chances_of_a_pool_are_exact() -> None:
    of = made(PoolCombat)
    at: At = position(of, {"b1": "0404", "r1": "0504"}, reduced=["b1"])
    assert of.combat.odds(at, Battle.on("blue", "0504", ("b1",))).distribution == {
        "0 hits": Fraction(2, 3),
        "1 hits": Fraction(1, 3),
    }
