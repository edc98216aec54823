"""Variants that bring actions, steps, events and invariants of their own, for the games in which they are on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

import hexwar
from hexwar import RefusalCode, Variant
from hexwar.engine import Action, ActionSet, Clause, Event, Invariant, Listed, Phase, SequenceOfPlay, Sight, Step, record
from hexwar.errors import ContentError, PluginError, SaveError
from hexwar.mechanics import Move
from hexwar.plugins import resolve_variants
from tests.plugins.sample import CLAUSE, game_plugins, plugin, using


@record
class Toast(Action):
    """Drink to something."""

    kind = "toast"
    to: str


@record
class Toasted(Event):
    """Somebody drank to something."""

    kind = "toasted"
    sight = Sight.PUBLIC
    to: str

    def apply(self, state: Any) -> None:
        state.turn += 0


@record
class Toasting(Step):
    """Blue drinks first."""

    kind = "toasting"
    clause: ClassVar[str] = "house.1"
    left: int = 1

    def deciders(self, at: Any) -> tuple[str, ...]:
        return ("blue",)

    def actions(self, at: Any, seat: str) -> ActionSet:
        return Listed([Toast("spring"), Toast("peace")])

    def perform(self, play: Any, seat: str, action: Action) -> None:
        assert isinstance(action, Toast)
        play.pop()
        play.emit(Toasted(action.to, clause=self.clause))


def first_a_toast(sequence: SequenceOfPlay) -> SequenceOfPlay:
    return SequenceOfPlay(Phase("toast", "Toast", "house.1", lambda play: play.push(Toasting())), *sequence.nodes)


SOBER = Invariant("house.1", "nobody is drunk", lambda at: None)


def toast(**changes: Any) -> Variant:
    parts = {"ACTIONS": (Toast,), "STEPS": (Toasting,), "EVENTS": (Toasted,), "INVARIANTS": (SOBER,), **changes}
    return Variant("house", "bridgehead", "A toast", plugin(hexwar_sequence=first_a_toast, **parts), (CLAUSE,))


@contextmanager
def playing(variant: Variant) -> Iterator[None]:
    manager = game_plugins()
    manager.register(plugin(hexwar_variants=lambda: [variant]), "house")
    with using(manager):
        yield


def new_game(on: bool = True) -> Any:
    return hexwar.new_game("bridgehead", seed=1, options={"house": on})


def test_the_parts_belong_to_the_ruleset_of_that_game_only() -> None:
    with playing(toast()):
        on, off = new_game(), new_game(False)
        assert set(on.ruleset.actions) - set(off.ruleset.actions) == {Toast}
        assert set(on.ruleset.steps) - set(off.ruleset.steps) == {Toasting}
        assert set(on.ruleset.events) - set(off.ruleset.events) == {Toasted}
        assert on.ruleset.invariants == (*off.ruleset.invariants, SOBER)
        assert "toast" in on.ruleset.action_types
        assert "toast" not in off.ruleset.action_types
        assert off.ruleset is hexwar.plugins.plugins().ruleset("bridgehead")


def test_the_action_can_be_done_there_and_is_unknown_elsewhere() -> None:
    with playing(toast()):
        on, off = new_game(), new_game(False)
        refusal = off.why_not(Toast("peace"), "blue")
        assert refusal is not None
        assert refusal.code is RefusalCode.UNKNOWN_ACTION
        with pytest.raises(hexwar.Refusal, match="no action is of kind 'toast'"):
            off.apply({"kind": "toast", "to": "peace"}, "blue")
        events = on.apply({"kind": "toast", "to": "peace"})
        assert events[1] == Toasted("peace", clause="house.1")


def test_saves_and_hand_made_positions_know_them(tmp_path: Path) -> None:
    position = "ruleset = 'bridgehead'\noptions = {house = %s}\nstack = [{kind = 'sequencing'}, {kind = 'toasting', left = 2}]"
    with playing(toast()):
        game = new_game()
        game.apply(Toast("spring"))
        game.save(tmp_path / "game.hexwar")
        assert hexwar.load_game(tmp_path / "game.hexwar").digest == game.digest
        assert hexwar.position(position % "true").state.stack[-1] == Toasting(2)
        with pytest.raises(ContentError, match="unknown kind of step 'toasting'"):
            hexwar.position(position % "false")
    with using(game_plugins()), pytest.raises(SaveError, match="no option is called 'house'"):
        hexwar.load_game(tmp_path / "game.hexwar")


def test_two_variants_may_share_a_class() -> None:
    one, other = toast(), toast()
    resolved = resolve_variants([one, Variant("second", "bridgehead", "Again", other.rules)])
    assert resolved.brought["house"]["actions"] == resolved.brought["second"]["actions"] == (Toast,)


def test_two_variants_with_classes_of_one_kind_are_both_named() -> None:
    @record
    class Drink(Action):
        kind: ClassVar[str] = "toast"

    second = Variant("second", "bridgehead", "Again", plugin(hexwar_veto=lambda: None, ACTIONS=(Drink,)))
    with pytest.raises(PluginError) as caught:
        resolve_variants([toast(), second])
    assert str(caught.value) == (
        f"variants house and second do not go together: Toast ({__name__}) and Drink ({__name__}) have the same kind 'toast'"
    )


@record
class Other(Action):
    """Something else of the same kind."""

    kind: ClassVar[str] = Move.kind


@record
class Stray(Step):
    """A step of a rule that there is not."""

    kind = "stray"
    clause: ClassVar[str] = "house.9"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ACTIONS": Toast}, "ACTIONS must be a tuple of classes of Action, not the class Toast"),
        ({"ACTIONS": (Toasted,)}, "ACTIONS must be a tuple of classes of Action, not the class Toasted"),
        ({"STEPS": (Toasting(),)}, "STEPS must be a tuple of classes of Step, not Toasting(left=1)"),
        ({"EVENTS": ("toasted",)}, "EVENTS must be a tuple of classes of Event, not 'toasted'"),
        ({"INVARIANTS": (Invariant,)}, "INVARIANTS must be a tuple of Invariant, not the class Invariant"),
        ({"ACTIONS": (Toast, Other)}, f"Other ({__name__}) and Move ({Move.__module__}) have the same kind 'move'"),
        ({"STEPS": (Toasting, Stray)}, "rules.toml: step Stray: cites a clause that is not in the index: "),
        ({"INVARIANTS": (Invariant("77", "peace", lambda at: None),)}, "rules.toml: invariant 'peace': cites a clause"),
    ],
)
def test_mistakes_are_told_with_the_variant(changes: dict[str, Any], sentence: str) -> None:
    with playing(toast(**changes)):
        new_game(False)  # as long as it is off, nobody minds
        with pytest.raises(PluginError) as caught:
            new_game()
    assert str(caught.value).startswith(f"variant house: {sentence}")


def test_a_variant_names_its_clause_and_its_scenarios() -> None:
    variant = Variant("house", "bridgehead", "House", plugin(hexwar_veto=lambda: None), clause="12.1", scenarios=("nowhere",))
    assert (variant.option.clause, variant.option.scenarios) == ("12.1", ("nowhere",))
    own = Variant("house", "bridgehead", "House", "x", (Clause("a.1", "a"), Clause("a.2", "b")))
    assert own.option.clause == "a.1"
    with playing(variant), pytest.raises(hexwar.HexwarError, match="option house applies to nowhere only"):
        new_game()
    unknown = Variant("house", "bridgehead", "House", plugin(hexwar_veto=lambda: None), clause="12.99")
    with playing(unknown), pytest.raises(PluginError, match=r"variant house: no clause is called '12\.99'"):
        new_game()
