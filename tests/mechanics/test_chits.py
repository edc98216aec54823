"""Chits are conserved and secret, and whole games keep what must hold."""

from __future__ import annotations

import random
from collections import Counter
from typing import ClassVar

import pytest

import hexwar
from hexwar.engine import (
    Action,
    Clause,
    Game,
    Hooks,
    Play,
    Position,
    RuleIndex,
    SeededChance,
    SequenceOfPlay,
    Setup,
    Viewer,
    World,
    part,
)
from hexwar.pieces import ChitPlayed, ChitReturned, ChitState, Cup, Ready, Select, Selecting, chosen_chits, draw_chit
from hexwar.pieces._chits import ChitSelected, Keeping
from tests.bridgehead.helpers import scenario


def random_game(seed: int, options: dict[str, bool] | None = None) -> tuple[random.Random, Game]:
    return random.Random(seed), scenario(random.Random(seed + 1000), options)


@pytest.mark.parametrize("seed", range(4))
def test_no_chit_is_lost_or_seen(seed: int) -> None:
    chance, game = random_game(seed)
    in_play: Counter[str] = Counter()
    while game.to_move:
        seat = chance.choice(game.to_move)
        chosen = game.state.selected
        for side in ("blue", "red"):
            seen = game.view(side).state
            assert seen.selected == ({side: chosen[side]} if side in chosen else {})
            assert set(seen.cup) <= {"?"}
            assert len(seen.cup) == len(game.state.cup)
        for event in game.apply(game.offered(seat).sample(chance), seat):
            if event.kind == "chit-selected":
                in_play.update([event.chit])  # type: ignore[attr-defined]
            elif event.kind == "cup-filled":
                in_play["supply"] += 1
                assert event.count == sum(in_play.values())  # type: ignore[attr-defined]
            elif event.kind == "chit-drawn":
                in_play.subtract([event.chit])  # type: ignore[attr-defined]
        assert min(in_play.values(), default=0) >= 0
        held = Counter(chit for chits in game.state.selected.values() for chit in chits)
        assert +in_play == +(held + Counter(game.state.cup))
    assert not +in_play, "every cup was drawn empty" if game.result and game.result.clause == "14.3" else ""


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_keep_the_invariants_and_equal_states_offer_the_same(seed: int) -> None:
    chance, game = random_game(seed, options={"barrage": bool(seed % 2)})
    while game.to_move:
        for invariant in game.ruleset.invariants:
            assert invariant.broken(game.position) is None
        # The same value, made anew from its JSON form, must offer the same choices in the same order.
        twin = game.ruleset.bare(game.world).with_json(game.state.to_json(), game.ruleset.step_types)
        assert twin == game.state
        for seat in game.to_move:
            at = Position(game.world, twin)
            assert list(twin.stack[-1].actions(at, seat)) == game.legal_actions(seat)
            assert twin.stack[-1].prompt(at, seat) in game.prompt(seat)
        seat = chance.choice(game.to_move)
        game.apply(game.offered(seat).sample(chance), seat)


def test_sentences() -> None:
    assert (str(Select("bA")), str(Ready())) == ("select bA", "selection made")
    assert str(Select("bA", hold=True)) == "select bA and hold it"
    told = [
        ChitSelected("blue", "bA", clause="1"),
        ChitSelected("blue", "bA", True, clause="1"),
        ChitReturned("bA", clause="1"),
        ChitPlayed("blue", "bA", clause="1"),
    ]
    assert [str(event) for event in told] == [
        "blue selects bA",
        "blue selects bA and holds it",
        "bA goes back into the cup",
        "-- blue plays bA --",
    ]


def test_a_ruleset_says_which_chits_there_are() -> None:
    bare = Cup.__new__(Cup)
    for ask in (bare.number, bare.available, bare.resolve):
        with pytest.raises(NotImplementedError):
            ask(None, "blue")  # type: ignore[arg-type]
    assert bare.common(None) == ()  # type: ignore[arg-type]


def test_the_bundled_game_plays_to_its_end() -> None:
    chance = random.Random(5)
    game = hexwar.new_game("bridgehead", seed=5)
    while game.to_move:
        seat = chance.choice(game.to_move)
        game.apply(game.offered(seat).sample(chance), seat)
    assert game.result is not None
    assert game.result.winner in ("blue", "red")


# -- chits that are held in hand, and limits other than a number ---------------------------------------------------------


class Nations(Cup):
    """Up to two chits whose name begins with "g" and one that begins with "r"; fewer will do. A "!" is held, a "?" may be."""

    chits: ClassVar[tuple[str, ...]] = ("g1", "g2", "g3!", "r1", "r2?")
    limits: ClassVar[dict[str, int]] = {"g": 2, "r": 1}

    def open(self, at: Position, side: str) -> Counter[str]:
        return Counter(self.limits) - Counter(chit[0] for chit in chosen_chits(at, side))

    def available(self, at: Position, side: str) -> tuple[str, ...]:
        return self.chits

    def number(self, at: Position, side: str) -> int:
        return sum(self.limits.values())

    def why_not(self, at: Position, side: str, chit: str) -> tuple[str, str] | None:
        if chit == "x":
            return "chits.draw", "there is no such chit"
        full = chit in self.chits and not self.open(at, side)[chit[0]] and chit not in chosen_chits(at, side)
        return ("chits.select.limit", f"no more of {chit[0]}") if full else super().why_not(at, side, chit)

    def why_not_ready(self, at: Position, side: str) -> None:
        return None

    def keeping(self, at: Position, side: str, chit: str) -> Keeping:
        return "hand" if chit.endswith("!") else "either" if chit.endswith("?") else "cup"

    def common(self, at: Position) -> tuple[str, ...]:
        return ("supply",)


def selection(made: type[Nations] = Nations) -> tuple[Play, Selecting]:
    class Sample(World):
        cup = part(made)
        cite = {"chits.select": "chits.select", "chits.draw": "chits.draw", "chits.select.limit": "limit"}  # noqa: RUF012

    rules = RuleIndex(Clause(clause, clause) for clause in Sample.cite.values())
    setup = Setup("sample", "1", "", {}, {"blue": "blue", "red": "red"}, rules, Hooks())
    doing = Play(Sample(setup, SequenceOfPlay()), ChitState(), SeededChance(1))
    doing.push(Selecting())
    return doing, doing.state.stack[-1]


def choose(doing: Play, seat: str, *actions: Action) -> None:
    step = doing.state.stack[-1]
    for action in actions:
        assert action in step.actions(doing, seat), action
        step.perform(doing, seat, action)


def test_a_chit_is_held_where_it_must_be_and_may_be() -> None:
    doing, step = selection()
    assert step.prompt(doing, "blue") == "Select up to 3 more chits."
    assert list(step.actions(doing, "blue")) == [
        Ready(),
        Select("g1"),
        Select("g2"),
        Select("g3!", hold=True),
        Select("r1"),
        Select("r2?"),
        Select("r2?", hold=True),
    ]
    choose(doing, "blue", Select("g3!", hold=True), Select("r2?"))
    assert (doing.state.selected, doing.state.hand) == ({"blue": ("r2?",)}, {"blue": ("g3!",)})
    assert step.prompt(doing, "blue") == "Select up to 1 more chit."
    assert list(step.actions(doing, "blue")) == [Ready(), Select("g1"), Select("g2")]
    choose(doing, "blue", Select("g1"))
    assert list(step.actions(doing, "blue")) == [Ready()]
    assert step.prompt(doing, "blue") == "Confirm the selection."


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        (Select("g2"), ("limit", "no more of g")),
        (Select("g1"), ("chits.select", "g1 is selected already")),
        (Select("g3!"), ("chits.select", "g3! is selected already")),
        (Select("x"), ("chits.draw", "there is no such chit")),
        (Select("y"), ("limit", "no more chits may be selected this turn")),
    ],
)
def test_why_a_chit_may_not_be_selected(action: Action, refusal: tuple[str, str]) -> None:
    doing, step = selection()
    choose(doing, "blue", Select("g1"), Select("g3!", hold=True), Select("r1"))
    found = step.actions(doing, "blue").why_not(action)
    assert found is not None
    assert (found.clause, found.message) == refusal


def test_why_a_chit_may_not_be_kept_so() -> None:
    doing, step = selection()
    refusals = [step.actions(doing, "blue").why_not(action) for action in (Select("g3!"), Select("g1", hold=True), Select("y"))]
    assert [refusal and refusal.message for refusal in refusals] == [
        "g3! may not be put into the cup",
        "g1 may not be held in hand",
        "y is not among the chits that may be selected",
    ]
    assert step.actions(doing, "blue").why_not(Ready()) is None


def test_the_hand_outlasts_the_cup_and_the_drawn_chit_goes_back() -> None:
    doing, step = selection()
    choose(doing, "blue", Select("g1"), Select("g3!", hold=True), Ready())
    choose(doing, "red", Select("r2?", hold=True), Select("g2"), Ready())
    assert step.deciders(doing) == ()
    step.resume(doing)
    assert doing.state.cup == ("g1", "g2", "supply"), "what is held is not in it"
    assert doing.state.hand == {"blue": ("g3!",), "red": ("r2?",)}
    blue = doing.state.seen_by(Viewer("blue", "blue"))
    assert (blue.cup, blue.put_in, blue.known_in_cup) == (("?",) * 3, {"blue": ("g1",)}, ("supply",)), "it knows its own"
    chit = draw_chit(doing)
    assert chit not in doing.state.known_in_cup
    doing.emit(ChitReturned(chit, clause="chits.draw"))
    assert (doing.state.cup, doing.state.drawn) == (("g1", "g2", "supply"), ())
    assert chit in doing.state.known_in_cup, "everybody saw it go back"
    assert doing.state.put_in == {"blue": ("g1",), "red": ("g2",)}, "what was put in, whether or not it was drawn"
    chit = draw_chit(doing)
    doing.emit(ChitPlayed("blue", "g3!", clause="chits.draw"))
    assert (doing.state.hand, doing.state.drawn) == ({"red": ("r2?",)}, (chit, "g3!"))
    assert ChitPlayed.reveals
    doing.push(Selecting())
    doing.state.stack[-1].resume(doing)
    assert (doing.state.cup, doing.state.drawn) == (("supply",), ()), "a new turn"
    assert doing.state.hand == {"red": ("r2?",)}


def test_of_two_equal_chits_the_one_drawn_last_goes_back() -> None:
    state = ChitState(drawn=("a", "b", "a", "c"), cup=("d",))
    ChitReturned("a", clause="").apply(state)
    assert (state.drawn, state.cup) == (("a", "b", "c"), ("a", "d"))


@pytest.mark.parametrize("seed", range(20))
def test_nobody_learns_what_the_other_side_selects_or_holds(seed: int) -> None:
    """Two games that differ only in Red's choices look the same to Blue, as long as the cup is of one size."""
    seen = []
    for red in ([Select("g1"), Select("g3!", hold=True)], [Select("r1"), Select("g3!", hold=True)], [Select("r2?")]):
        chance = random.Random(seed)
        doing, step = selection()
        looks: list[object] = []
        turns: list[tuple[str, Action | None]] = [("red", action) for action in (*red, Ready())]
        turns[:0] = [("blue", None)] * chance.randint(0, 2)
        for seat, action in turns:
            viewer = Viewer("blue", "blue")
            looks.append((doing.state.seen_by(viewer).to_json(), step.prompt(doing, "blue"), list(step.actions(doing, "blue"))))
            if action is None:
                action = chance.choice(list(step.actions(doing, seat))[1:] or [Ready()])
            choose(doing, seat, action)
        blind = Position(doing.world, doing.state.seen_by(Viewer("blue", "blue")))
        assert list(step.actions(blind, "blue")) == list(step.actions(doing, "blue"))
        choose(doing, "blue", Ready())
        step.resume(doing)
        told = [event.seen_by(Viewer("blue", "blue")) for event in doing.events]
        # Only a change counts: how often Blue looked depends on how much Red did.
        looks = [look for number, look in enumerate(looks) if not number or look != looks[number - 1]]
        seen.append((looks, doing.state.seen_by(Viewer("blue", "blue")).to_json(), [str(event) for event in told if event]))
    assert seen[0] == seen[1] == seen[2]
