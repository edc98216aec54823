"""Faults that only one line of a check can catch, planted where the engine would not let a ruleset go."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hexwar.engine import Action, Event, Game, Listed, Option, Play, Result, Scenario, State
from hexwar.errors import HexwarError, Refusal
from hexwar.testing import BUDGETS, CHECKS, CheckFailed, Printed, Subject, Survey, Watch, observe, random_decisions
from hexwar.testing._checks.content import CitationsExist, citations, secrets_of, unlisted
from hexwar.testing._checks.gate import Snapshot
from hexwar.testing._checks.values import state_difference
from hexwar.testing._running.check import unsaid
from tests.engine import toy

QUICK = BUDGETS["quick"]


def found(check: str, ruleset: Any = toy.RULESET, seeds: int = 8) -> str:
    """What a check finds in a few games, "" if nothing."""
    subject, kind = Subject.of(ruleset), CHECKS[check]
    if issubclass(kind, Survey):
        try:
            kind(subject, QUICK).run(0)
        except CheckFailed as error:
            return str(error)
        return ""
    assert issubclass(kind, Watch)
    for seed in range(seeds):
        game = subject.start(seed)
        for fault in observe(game, [kind(subject, QUICK)], random_decisions(game, random.Random(seed), subject.bound)):
            return str(fault.error)
    return ""


def with_info(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    monkeypatch.setattr(toy.RULESET, "info", dataclasses.replace(toy.INFO, **changes), raising=False)


@pytest.mark.parametrize(
    "check",
    [name for name, check in CHECKS.items() if name not in ("same-everywhere", *toy.KIT.known_failures) and check.needs is None],
)
def test_the_toy_is_sound(check: str) -> None:
    assert found(check) == ""


# -- the card --------------------------------------------------------------------------------------------------------------

SHORT = Scenario("short", "Short", bound=200)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"title": 7}, "title must be a string"),
        ({"sides": ("North", "south")}, "a side has a lower-case name, not 'North'"),
        ({"scenarios": (SHORT, SHORT)}, "scenarios has 'short' twice"),
        ({"options": (Option("pace", "Pace", ("slow",), "fast"),)}, "default 'fast' is not one of its choices"),
        ({"options": (Option("pace", "Pace", excludes=("steep",)),)}, "there is no option 'steep'"),
        ({"options": (Option("pace", "Pace", scenarios=("long",)),)}, "there is no scenario 'long'"),
        ({"options": (Option("pace", "Pace", clause="77"),)}, "option pace: cites a clause that is not in the index"),
        ({"scenarios": (dataclasses.replace(SHORT, board="nowhere"),)}, "scenario short does not begin: UnknownName"),
    ],
)
def test_a_wrong_card(changes: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject.of(toy.RULESET)
    with_info(monkeypatch, **changes)
    with pytest.raises(CheckFailed, match=words):
        CHECKS["content-is-sound"](subject, QUICK).run(0)  # type: ignore[attr-defined]


def test_a_card_without_scenarios_or_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject.of(toy.RULESET)
    with_info(monkeypatch, scenarios=())
    with pytest.raises(CheckFailed, match="needs at least one side and one scenario"):
        CHECKS["content-is-sound"](subject, QUICK).run(0)  # type: ignore[attr-defined]


def test_a_ruleset_that_does_not_check(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject.of(toy.RULESET)

    def fail(self: object) -> None:
        raise HexwarError("no good")

    monkeypatch.setattr(toy.ToyRuleset, "check", fail)
    with pytest.raises(CheckFailed, match="no good"):
        CHECKS["content-is-sound"](subject, QUICK).run(0)  # type: ignore[attr-defined]


def test_a_scenario_that_is_over_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    start = toy.ToyRuleset.start

    def over(self: toy.ToyRuleset, world: Any) -> toy.Toy:
        state = start(self, world)
        state.result = Result("north", "at once", "4")
        return state

    monkeypatch.setattr(toy.ToyRuleset, "start", over)
    assert "is over before anybody decides" in found("content-is-sound")


def test_citations_are_found_in_a_package_and_in_a_file() -> None:
    assert {clause for _, clause in citations(Subject.of("bridgehead").ruleset)} >= {"5.1", "8.1", "14.2", "15.1"}
    assert {clause for _, clause in citations(toy.RULESET)} >= {"1", "1.1", "1.2", "2", "4"}
    assert CitationsExist(Subject.of("bridgehead"), QUICK).run(0) is None  # type: ignore[func-returns-value]


# -- what an author forgets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lists", ["actions", "events", "steps"])
def test_what_is_in_no_list_of_the_ruleset_is_named(lists: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = getattr(toy.ToyRuleset, lists)
    own = next(kind for kind in known if kind.__module__ == toy.__name__)
    monkeypatch.setattr(toy.ToyRuleset, lists, tuple(kind for kind in known if kind is not own))
    assert list(unlisted(toy.RULESET)) == [
        f"tests.engine.toy.{own.__name__} is not among the {lists} of the ruleset, so no save can have it"
    ]


@pytest.mark.parametrize("ruleset", ["bridgehead", "ava", "tow", "wop", "wb95", "bkc"])
def test_the_lists_of_the_rulesets_are_whole_and_their_secrets_are_said(ruleset: str) -> None:
    subject = Subject.of(ruleset)
    assert list(unlisted(subject.ruleset)) == []
    assert set(secrets_of(subject.ruleset)) == set(subject.kit.secret or ())


@pytest.mark.parametrize(("field", "why"), [("round", "everybody sees it"), ("rnd", "the state has no such field")])
def test_a_field_that_the_kit_calls_secret_must_be(field: str, why: str) -> None:
    subject = Subject.of(toy.RULESET)
    told = dataclasses.replace(subject, kit=dataclasses.replace(subject.kit, secret=("bids", field)))
    with pytest.raises(CheckFailed, match=f"the kit says that {field} is secret, and {why}"):
        CHECKS["content-is-sound"](told, QUICK).run(0)  # type: ignore[attr-defined]


def test_who_hides_nothing_is_asked_once() -> None:
    wop = Subject.of("wop")
    (note,) = unsaid(dataclasses.replace(wop, kit=dataclasses.replace(wop.kit, secret=None)))
    assert "Then say so in the kit: Kit(secret=())" in note
    assert unsaid(wop) == unsaid(Subject.of(toy.RULESET)) == []


def test_a_figure_that_is_not_as_printed_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[rows]\n1 = [1, 2]\n2 = [3, 4]\n")
    figures = tmp_path / "printed.toml"
    figures.write_text(
        '[[printed]]\nclause = "1"\nfile = "table.toml"\nat = "rows"\nis = { 1 = [1, 2] }\n'
        '[[printed]]\nclause = "2"\nfile = "table.toml"\nat = ["rows.1", "rows.2"]\nis = [1, 2]\n'
    )
    subject = Subject.of(toy.RULESET)
    told = dataclasses.replace(subject, kit=subject.kit.extended([Printed(figures, tmp_path)]))
    words = re.escape("table.toml: rows.2 is [3, 4]; as printed it is [1, 2] (2)")
    with pytest.raises(CheckFailed, match=words):
        CHECKS["tables-are-as-printed"](told, QUICK).run(0)  # type: ignore[attr-defined]


def test_a_way_back_is_found() -> None:
    assert "these decisions lead back to where they began: " in found("nothing-comes-back")
    assert "Wish(" in found("nothing-comes-back")


# -- the gate --------------------------------------------------------------------------------------------------------------


def test_a_snapshot_notices_what_changed() -> None:
    game = toy.new_game()
    before = Snapshot(game)
    assert before.difference(game, thorough=True) == ""
    game._state.round = 2
    assert before.difference(game, thorough=True) == "the digest of the state changed"
    game._state.round = 1
    game._state = game.state.copy()
    assert before.difference(game) == "the state is another"
    game.apply(toy.Wish(1), "north")
    assert before.difference(game) == "the history changed"


def test_a_snapshot_notices_other_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    game = toy.new_game()
    before = Snapshot(game)
    monkeypatch.setattr(Game, "legal_actions", lambda self, side=None: [toy.Bid()])
    assert before.difference(game, thorough=True) == "the offered actions changed"


def test_asking_may_not_change_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    why_not = toy.Bidding.why_not

    def meddle(self: Any, at: Any, seat: str, action: Action) -> Refusal | None:
        game.events.append(game.events[0])
        return why_not(self, at, seat, action)

    monkeypatch.setattr(toy.Bidding, "why_not", meddle)
    subject = Subject.of(toy.RULESET)
    for check in ("others-are-refused", "why-not-agrees"):
        game = subject.start(3)
        kind: Any = CHECKS[check]
        (fault,) = observe(game, [kind(subject, QUICK)], random_decisions(game, random.Random(3), 60))
        assert "the log changed" in str(fault.error)


def test_a_state_that_is_changed_by_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    why_not = toy.Bidding.why_not

    def meddle(self: Any, at: Any, seat: str, action: Action) -> Refusal | None:
        game._state.table = (*game.state.table, 1)
        return why_not(self, at, seat, action)

    monkeypatch.setattr(toy.Bidding, "why_not", meddle)
    subject = Subject.of(toy.RULESET)
    game = subject.start(3)
    kind: Any = CHECKS["others-are-refused"]
    (fault,) = observe(game, [kind(subject, QUICK)], random_decisions(game, random.Random(3), 60))
    assert "after many refusals the digest of the state changed" in str(fault.error)


def test_what_is_not_offered_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    find = Listed.find
    monkeypatch.setattr(Listed, "find", lambda self, action: find(self, action) or next(iter(self)))
    assert "was not offered and has been done" in found("others-are-refused")


def test_a_refusal_without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Game._judge

    def mute(self: Any, action: Any, side: Any) -> Any:
        seat, offered, refusal = judge(self, action, side)
        return seat, offered, refusal and Refusal(refusal.code, "", "")

    monkeypatch.setattr(Game, "_judge", mute)
    assert "is refused without a code and a sentence" in found("others-are-refused")


def test_a_gate_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Game._judge

    def fail(self: Any, action: Any, side: Any) -> Any:
        if judge(self, action, side)[2] is None:
            return judge(self, action, side)
        raise OSError("gate")

    monkeypatch.setattr(Game, "why_not", lambda self, action, side=None: judge(self, action, side)[2])
    monkeypatch.setattr(Game, "_judge", fail)
    subject = Subject.of(toy.RULESET)
    with pytest.raises(CheckFailed, match="apply fails: OSError: gate"):
        CHECKS["why-not-agrees"](subject, QUICK).before(subject.start(1), "north", toy.Bid())  # type: ignore[attr-defined]


def test_why_not_refuses_what_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    why_not = Game.why_not

    def gloomy(self: Any, action: Any, side: Any = None) -> Any:
        if action == toy.Peek() and side in self.to_move and action in self.offered(side):
            return Refusal("not-offered", "", "no")  # type: ignore[arg-type]
        return why_not(self, action, side)

    monkeypatch.setattr(Game, "why_not", gloomy)
    assert "why_not says" in found("why-not-agrees")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"find": lambda self, action: None}, "but looking for it gives None"),
        ({"sample": lambda self, chance: toy.Walk(99)}, "which is not in the list"),
    ],
)
def test_an_offer_that_does_not_know_itself(change: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject.of(toy.RULESET)
    game = subject.start(1)
    for name, value in change.items():
        monkeypatch.setattr(Listed, name, value)
    with pytest.raises(CheckFailed, match=words):
        CHECKS["offers-are-sets"](subject, QUICK).before(game, "north", toy.Bid())  # type: ignore[attr-defined]


# -- the course of a game --------------------------------------------------------------------------------------------------


def test_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject.of(toy.RULESET)
    game = subject.start(1)
    watch: Any = CHECKS["no-dead-ends"](subject, QUICK)
    monkeypatch.setattr(Game, "legal_actions", lambda self, side=None: [])
    with pytest.raises(CheckFailed, match="north is asked and has no action"):
        watch.begin(game)
    monkeypatch.setattr(Game, "to_move", ())
    with pytest.raises(CheckFailed, match="nobody is asked and the game is not over"):
        watch.begin(game)


def test_a_refusal_that_cites_an_unknown_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, at: Any, seat: str, action: Action) -> Refusal:
        return Refusal("against-rule", "77", "no")  # type: ignore[arg-type]

    monkeypatch.setattr(toy.Bidding, "why_not", refuse)
    assert "cites clause '77'" in found("clauses-are-known")
    monkeypatch.setattr(Game, "_explain", lambda self, seat, action: refuse(self, None, seat, action))
    assert "the refusal cites clause '77'" in found("clauses-are-known")


def test_explanations_that_fail_are_no_business_of_the_citations(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, at: Any, seat: str, action: Action) -> Refusal:
        raise KeyError("words")

    monkeypatch.setattr(toy.Bidding, "why_not", refuse)
    assert found("clauses-are-known") == ""


def test_a_verdict_that_cites_an_unknown_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(play: Play, winner: str, reason: str, *, clause: str, scores: Any) -> None:
        from hexwar.engine import GameEnded

        play.emit(GameEnded(Result(winner, reason, "77", dict(scores)), clause=clause))

    monkeypatch.setattr(Play, "end", end)
    assert "the verdict cites clause '77'" in found("clauses-are-known")


# -- values ----------------------------------------------------------------------------------------------------------------


def test_derived_things_without_equality_are_compared_part_by_part() -> None:
    class Thing:
        def __init__(self, part: object) -> None:
            self.part = part

    one, other = toy.Toy(), toy.Toy()
    one.farthest, other.farthest = Thing(Thing(1)), Thing(Thing(1))  # type: ignore[assignment]
    assert state_difference(one, other) == ""
    other.farthest = Thing(Thing(2))  # type: ignore[assignment]
    assert state_difference(one, other).startswith("farthest is")
    other.farthest = object()  # type: ignore[assignment]
    assert state_difference(one, other).startswith("farthest is")


def test_an_event_that_does_not_fit_when_applied_again(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[int] = []

    def apply(self: Any, state: Any) -> None:
        applied.append(1)
        if len(applied) % 2 == 0:
            raise ValueError("twice")

    monkeypatch.setattr(toy.Peeked, "apply", apply)
    assert "does not fit the state that the events before it give" in found("events-tell-everything")


def test_a_state_that_reads_back_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    with_json = State.with_json

    def other_seat(self: Any, data: Any, steps: Any) -> Any:
        made: Any = with_json(self, data, steps)
        made.farthest["secret"] = 1
        return made

    monkeypatch.setattr(State, "with_json", other_seat)
    assert "a state read back from JSON differs: farthest" in found("states-are-values")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("deciders", "are asked instead of"),
        ("actions", "other actions, or in another order"),
        ("perform", "plays on differently"),
    ],
)
def test_a_state_that_knows_more_than_its_json(step: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What hangs on the object and is not in the value is lost on the way through JSON."""
    marked = toy.ToyRuleset.start

    def mark(self: Any, world: Any) -> toy.Toy:
        state = marked(self, world)
        state.__dict__["mark"] = True
        return state

    copy = State.copy

    def keep(self: Any) -> Any:
        twin: Any = copy(self)
        twin.__dict__["mark"] = self.__dict__.get("mark", False) and not self.__dict__.get("parsed")
        return twin

    with_json = State.with_json

    def lose(self: Any, data: Any, steps: Any) -> Any:
        made: Any = with_json(self, data, steps)
        made.__dict__["mark"] = False
        return made

    original: Callable[..., Any] = getattr(toy.Bidding, step)

    def depends(self: Any, at: Any, *rest: Any) -> Any:
        if at.state.__dict__.get("mark", False):
            if step == "perform":
                at.emit(toy.SomebodyBid("north", clause="1"))
            elif step == "actions":
                return Listed(list(original(self, at, *rest))[::-1])
            else:
                return tuple(reversed(original(self, at, *rest)))
        return original(self, at, *rest)

    monkeypatch.setattr(toy.ToyRuleset, "start", mark)
    monkeypatch.setattr(State, "copy", keep)
    monkeypatch.setattr(State, "with_json", lose)
    monkeypatch.setattr(toy.Bidding, step, depends)
    assert words in found("states-are-values")


def test_a_step_or_an_event_without_an_exact_json_form(monkeypatch: pytest.MonkeyPatch) -> None:
    to_json = toy.Walking.to_json
    monkeypatch.setattr(toy.Walking, "to_json", lambda self: {**to_json(self), "left": self.left + 1})
    assert "the step Walking" in found("json-is-exact")
    monkeypatch.undo()
    monkeypatch.setattr(toy.Walked, "to_json", lambda self: {"steps": {1, 2}})
    assert "has no JSON form" in found("json-is-exact")


def test_a_repr_that_means_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.Wish, "__repr__", lambda self: f"Wish(amount={(self.amount + 1) % 4})")
    assert "evaluates to" in found("reprs-evaluate")


def test_copies_in_which_the_rules_fail_are_left_to_another_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, play: Any, seat: str, action: Action) -> None:
        raise KeyError("walk")

    monkeypatch.setattr(toy.Walking, "perform", fail)
    assert "not judged: the ruleset crashed (see offered-actions-apply)" in found("copies-are-independent")
    assert "not judged: the ruleset crashed" in found("secret-choices-stay-secret")


# -- the past --------------------------------------------------------------------------------------------------------------


def test_a_replay_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexwar.testing._checks.history.fresh_game", lambda subject, game: subject.start("other dice"))
    assert "played again" in found("replays-agree")


def test_a_replay_with_another_log(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter(range(10**6))
    monkeypatch.setattr(toy.Walked, "__str__", lambda self: f"walk number {next(numbers)}")
    assert "another log" in found("replays-agree")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda game: game._state.__setattr__("round", 99), "another state or another log"),
        (lambda game: game.history and game.history.pop(), "another history"),
        (lambda game: game._state.stack.clear() or game._state.stack.append(toy.Walking("north", 1)), "another"),
    ],
)
def test_a_loaded_game_that_differs(change: Callable[[Any], Any], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Subject.load

    def spoil(self: Subject, path: Any) -> Any:
        game = load(self, path)
        change(game)
        return game

    monkeypatch.setattr(Subject, "load", spoil)
    assert words in found("saves-carry-everything")


def test_a_loaded_game_that_offers_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    load, legal = Subject.load, Game.legal_actions
    loaded: list[Any] = []

    def note(self: Subject, path: Any) -> Any:
        loaded.append(load(self, path))
        return loaded[-1]

    def reverse(self: Any, side: str | None = None) -> list[Action]:
        return legal(self, side)[:: -1 if any(self is game for game in loaded) else 1]

    monkeypatch.setattr(Subject, "load", note)
    monkeypatch.setattr(Game, "legal_actions", reverse)
    assert "a loaded game offers" in found("saves-carry-everything")


def test_a_loaded_game_that_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Subject.load

    def spoil(self: Subject, path: Any) -> Any:
        game = load(self, path)

        def refuse(action: object, side: str | None = None) -> list[Event]:
            raise HexwarError("worn out")

        game.apply = refuse  # type: ignore[method-assign]
        return game

    monkeypatch.setattr(Subject, "load", spoil)
    assert "does not go on with" in found("saves-carry-everything")


def with_undo(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any, Any], Any]) -> None:
    undo = Game.undo
    monkeypatch.setattr(Game, "undo", lambda self, side=None: change(self, lambda: undo(self, side)))


def test_undo_says_that_it_took_back_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    with_undo(monkeypatch, lambda game, undo: undo() and toy.Walk(9))
    assert "undo says that it took back" in found("undo-goes-back")


def test_undo_by_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    undo = Game.undo
    monkeypatch.setattr(Game, "undo", lambda self, side=None: undo(self))
    assert "nothing of" in found("undo-goes-back")


def test_undo_where_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "undo", lambda self, side=None: toy.Bid())
    monkeypatch.setattr(Game, "can_undo", False)
    assert "there is nothing to take back" in found("undo-goes-back")


def test_a_refused_undo_that_changes_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def meddle(self: Any, side: str | None = None) -> Action:
        game._state.round += 1
        raise Refusal("undo-barrier", "", "no")  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "undo", meddle)
    subject = Subject.of(toy.RULESET)
    game = subject.start(1)
    kind: Any = CHECKS["undo-goes-back"]
    (fault,) = observe(game, [kind(subject, QUICK)], random_decisions(game, random.Random(1), 20))
    assert "a refused undo changed the game" in str(fault.error)


def test_undo_after_which_something_else_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    legal, undo = Game.legal_actions, Game.undo
    undone: list[Any] = []

    def note(self: Any, side: str | None = None) -> Action:
        action = undo(self, side)
        undone.append(self)
        return action

    monkeypatch.setattr(Game, "undo", note)
    monkeypatch.setattr(
        Game, "legal_actions", lambda self, side=None: legal(self, side)[:: -1 if any(self is game for game in undone) else 1]
    )
    assert "other actions are offered than before" in found("undo-goes-back")


def test_undo_across_a_change_of_who_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = Game.apply

    def forget(self: Any, action: Any, side: str | None = None) -> list[Event]:
        before = self.state
        events = apply(self, action, side)
        self._undoable[:] = [before]
        return events

    monkeypatch.setattr(Game, "apply", forget)
    assert "could be taken back, although" in found("undo-goes-back")


def test_doing_again_has_another_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    apply, undo = Game.apply, Game.undo
    undone: list[Any] = []

    def note(self: Any, side: str | None = None) -> Action:
        undone.append(self)
        return undo(self, side)

    def differently(self: Any, action: Any, side: str | None = None) -> list[Event]:
        return apply(self, action, side)[1:] if any(self is game for game in undone) else apply(self, action, side)

    monkeypatch.setattr(Game, "undo", note)
    monkeypatch.setattr(Game, "apply", differently)
    assert "a game in which this was taken back plays on differently" in found("undo-goes-back")


# -- secrets ---------------------------------------------------------------------------------------------------------------


def test_a_view_through_which_the_game_can_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_by = State.seen_by

    def share(self: Any, viewer: Any) -> Any:
        twin: Any = seen_by(self, viewer)
        if twin.wish == self.wish:
            twin.wish = self.wish
        return twin

    monkeypatch.setattr(State, "seen_by", share)
    assert "could be changed through it" in found("views-hide")


def test_a_view_that_lists_the_actions_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    from hexwar.engine import View

    to_json = View.to_json
    monkeypatch.setattr(View, "to_json", lambda self: {**to_json(self), "actions": [1]})
    assert "is not asked" in found("views-hide")


def test_an_undeclared_field_shows_its_default() -> None:
    from hexwar.engine import state

    @state
    class Careless(toy.Toy):
        notes: str = "blank"

    class CarelessRuleset(toy.ToyRuleset):
        state_type = Careless

        def start(self, world: Any) -> Careless:
            return Careless(track=dict.fromkeys(world.sides, 0), farthest={"steps": 0}, notes="secret")

    assert found("views-hide", CarelessRuleset()) == ""
    assert found("hidden-content-does-not-show", CarelessRuleset()) == ""


def test_positions_that_no_game_comes_to_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    deciders = toy.Bidding.deciders

    def fussy(self: Any, at: Any) -> tuple[str, ...]:
        if at.state.deck != (1, 2, 3):
            raise AssertionError("who shuffled the deck?")
        return deciders(self, at)

    monkeypatch.setattr(toy.Bidding, "deciders", fussy)
    assert found("hidden-content-does-not-show") == ""


def test_who_decides_may_depend_on_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    deciders = toy.Bidding.deciders

    def first_card(self: Any, at: Any) -> tuple[str, ...]:
        asked = deciders(self, at)
        return asked if at.state.deck[0] == 1 else asked[::-1]

    monkeypatch.setattr(toy.Bidding, "deciders", first_card)
    assert found("hidden-content-does-not-show") == ""


# -- what an action costs --------------------------------------------------------------------------------------------------


def test_an_action_that_calls_too_many_functions_is_named_with_the_slowest(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_dull(number: int) -> bool:
        return sum(range(number % 7)) < 0

    deciders = toy.Bidding.deciders
    monkeypatch.setattr(toy.Bidding, "deciders", lambda self, at: any(map(is_dull, range(9_000))) or deciders(self, at))
    words = found("actions-are-cheap")
    assert re.search(
        r"calls [\d,]+ functions, \d+ times as many as one of bridgehead .* into is_dull \(test_checks.py:\d+\): \d+%", words
    )


# -- elsewhere -------------------------------------------------------------------------------------------------------------


def test_another_process_that_fails_or_says_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexwar.workers._PROGRAM", "import sys; sys.stdin.readline(); sys.exit('broken')")
    assert "the game fails in another process: another process ended: broken" in found("same-everywhere")
    answer = "import sys; sys.stdin.readline(); print('{\"answer\": []}')"
    monkeypatch.setattr("hexwar.workers._PROGRAM", answer)
    assert "another process differs at item 0: nothing; here" in found("same-everywhere")


def test_a_malformed_action_is_refused_before_its_words_are_asked_for() -> None:
    """A frozenset where a tuple belongs has the same JSON form, and no last hex that a sentence could name."""
    from hexwar import new_game
    from hexwar.mechanics import Retreat

    refusal = new_game("bridgehead", seed=1).why_not(Retreat("b1", frozenset({"0304", "0404"})), "blue")  # type: ignore[arg-type]
    assert refusal is not None
    assert refusal.code == "unknown-action"
