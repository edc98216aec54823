"""Non-interference: a leak is planted in every channel that a seat has, and the check that is named finds it there."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import hexwar
from hexwar.engine import Concern, Game, Listed, Picture, Question, RandomSource, Sight, State, View, shuffled
from hexwar.errors import Refusal, RefusalCode
from hexwar.table.commands import TableCommands
from hexwar.testing import BUDGETS, CHECKS, At, Subject, observe, random_decisions
from hexwar.testing._running.secrecy import CHANNELS, PRESENT, Observer, Pool, difference, questions, with_state
from tests.engine import toy

HIDDEN, CHOICES = "hidden-content-does-not-show", "secret-choices-stay-secret"
Patch = pytest.MonkeyPatch


class Imagining(toy.ToyRuleset):
    """The toy says what may be hidden: the others' wishes and bids, what they have seen, and the deck behind its first card."""

    def imagine(self, view: View, at: At, chance: RandomSource) -> None:
        state, mine = at.state, view.viewer.seat
        deck = shuffled((1, 2, 3), chance)
        if mine in state.known:
            deck.sort(key=lambda card: card != state.known[mine])
        state.deck = tuple(deck)
        is_bidding = any(isinstance(step, toy.Bidding) for step in view.steps)
        for name in at.world.seats:
            if name != mine:
                if chance.randrange(2):
                    state.known[name] = deck[0]
                if chance.randrange(5):
                    state.wish[name] = chance.randrange(4)
                if name not in view.to_move or not is_bidding:
                    state.bids[name] = chance.randrange(4)


IMAGINING = Imagining()


def found(check: str, ruleset: Any = toy.RULESET, seeds: int = 12) -> str:
    """What a check finds in a few games, "" if nothing."""
    subject, kind = Subject.of(ruleset), CHECKS[check]
    for seed in range(seeds):
        watch: Any = kind(subject, BUDGETS["quick"])
        watch.rate = 0.5
        game = subject.start(seed)
        for fault in observe(game, [watch], random_decisions(game, random.Random(seed), subject.bound)):
            return str(fault.error)
    return ""


def enemy(at: Any, seat: str) -> str:
    return next(str(name) for name in at.world.seats if name != seat)


# -- one leak in each channel -----------------------------------------------------------------------------------------------


def view_shows_the_wishes(patch: Patch) -> None:
    seen_by = State.seen_by

    def careless(self: Any, viewer: Any) -> Any:
        twin: Any = seen_by(self, viewer)
        twin.wish = dict(self.wish)
        return twin

    patch.setattr(toy.Toy, "seen_by", careless)


def wish_is_laid_on_the_table(patch: Patch) -> None:
    def apply(self: toy.Wished, state: toy.Toy) -> None:
        state.wish[self.side] = self.amount
        state.table = (self.amount,)

    patch.setattr(toy.Wished, "apply", apply)


def enemy_wish_is_not_offered(patch: Patch) -> None:
    def actions(self: Any, at: Any, seat: str) -> Listed:
        return Listed([toy.Bid(), *(toy.Wish(n) for n in range(4) if n != at.state.wish.get(enemy(at, seat)))])

    patch.setattr(toy.Bidding, "actions", actions)


def enemy_wish_turns_the_order(patch: Patch) -> None:
    def actions(self: Any, at: Any, seat: str) -> Listed:
        offered = [toy.Bid(), *(toy.Wish(n) for n in range(4))]
        return Listed(offered[::-1] if at.state.wish.get(enemy(at, seat), 0) % 2 else offered)

    patch.setattr(toy.Bidding, "actions", actions)


def _question_from_the_true_position(patch: Patch) -> None:
    view = Game.view

    def careless(self: Any, side: str) -> Any:
        seen = view(self, side)
        if seen.question is not None:
            seen.question = Question(self._step, lambda: self.position, side, self.to_move, self.offered(side))
        return seen

    patch.setattr(Game, "view", careless)


def prompt_cites_another_clause(patch: Patch) -> None:
    _question_from_the_true_position(patch)
    patch.setattr(toy.Bidding, "rule", lambda self, at: "1.1" if 3 in at.state.wish.values() else "1")


def question_is_about_the_wishes(patch: Patch) -> None:
    _question_from_the_true_position(patch)
    patch.setattr(toy.Bidding, "concern", lambda self, at, seat: Concern(places=tuple(map(str, at.state.wish.values()))))


def others_know_what_was_bid(patch: Patch) -> None:
    patch.setattr(toy.BidMade, "outline", lambda self: toy.SomebodyBid(f"{self.side} {self.amount}", clause="1"))


def everybody_hears_the_wish(patch: Patch) -> None:
    patch.setattr(toy.Wished, "sight", Sight.PUBLIC)


def _refusal_from_the_true_position(patch: Patch, refuse: Callable[[Any], Refusal]) -> None:
    patch.setattr(Game, "_explain", lambda self, seat, action: refuse(self.state))


def refusal_says_too_much(patch: Patch) -> None:
    _refusal_from_the_true_position(patch, lambda state: Refusal(RefusalCode.NOT_OFFERED, "", f"no, {state.wish}"))


def refusal_code_depends_on_it(patch: Patch) -> None:
    codes = RefusalCode.NOT_OFFERED, RefusalCode.AGAINST_RULE
    _refusal_from_the_true_position(patch, lambda state: Refusal(codes[sum(state.wish.values()) % 2], "", "no"))


def refusal_clause_depends_on_it(patch: Patch) -> None:
    clauses = "1", "2"
    _refusal_from_the_true_position(
        patch, lambda state: Refusal(RefusalCode.AGAINST_RULE, clauses[sum(state.wish.values()) % 2], "no")
    )


def a_step_keeps_the_wish(patch: Patch) -> None:
    """Steps are public: what only one seat may know does not belong there."""
    perform = toy.Bidding.perform

    def careless(self: Any, play: Any, seat: str, action: Any) -> None:
        perform(self, play, seat, action)
        if isinstance(action, toy.Wish):
            play.state.stack.insert(0, toy.Walking(seat, action.amount))

    patch.setattr(toy.Bidding, "perform", careless)


def undo_depends_on_it(patch: Patch) -> None:
    patch.setattr(Game, "_is_barrier", lambda self, before, play: before.draws != play.state.draws or before.deck[1] == 2)


def undo_refusal_says_too_much(patch: Patch) -> None:
    def undo(self: Any, side: Any = None) -> Any:
        raise Refusal(RefusalCode.UNDO_BARRIER, "", f"the deck is {self.state.deck}")

    patch.setattr(Game, "undo", undo)


def enemy_wish_says_who_is_asked(patch: Patch) -> None:
    deciders = toy.Bidding.deciders

    def turned(self: Any, at: Any) -> tuple[str, ...]:
        asked = deciders(self, at)
        return asked[::-1] if sum(at.state.wish.values()) % 2 else asked

    patch.setattr(toy.Bidding, "deciders", turned)


def derived_field_keeps_the_wishes(patch: Patch) -> None:
    """What is derived is in no JSON; a query that reads it tells it all the same."""

    def rebuild(self: Any) -> None:
        wishes = sum(self.wish.values()) or self.farthest.get("wishes", 0)
        self.farthest = {"steps": max(self.track.values(), default=0), "wishes": wishes}

    class Query:
        def __init__(self, at: Any) -> None:
            self._at = at

        def farthest(self) -> dict[str, int]:
            return dict(self._at.state.farthest)

    patch.setattr(toy.Toy, "rebuild", rebuild)
    patch.setattr(toy.ToyRuleset, "query", lambda self, at: Query(at))


def error_says_too_much(patch: Patch) -> None:
    prompt = Game.prompt

    def gossip(self: Any, side: str | None = None) -> str:
        if side not in self.to_move:
            raise LookupError(f"not now, the deck is {self.state.deck}")
        return prompt(self, side)

    patch.setattr(Game, "prompt", gossip)


def picture_notes_the_wishes(patch: Patch) -> None:
    """A picture that is drawn from the true position."""
    view = Game.view

    def drawn(self: Any, side: str) -> Any:
        seen = view(self, side)
        patch.setattr(type(self.ruleset), "picture", lambda rules, at: Picture(notes=(str(self.state.wish),)))
        return seen

    patch.setattr(Game, "view", drawn)


def status_prints_the_wishes(patch: Patch) -> None:
    init = TableCommands.__init__

    def careless(self: Any, game: Game, *more: Any) -> None:
        init(self, game, *more)
        self.known["status"] = lambda words: [f"the wishes: {game.state.wish}"]

    patch.setattr(TableCommands, "__init__", careless)


def a_secret_seed_is_told(patch: Patch) -> None:
    patch.setattr(Game, "seed", property(lambda self: self.chance.seed))


LEAKS = (
    (view_shows_the_wishes, HIDDEN, "view"),
    (wish_is_laid_on_the_table, CHOICES, "view"),
    (enemy_wish_is_not_offered, HIDDEN, "actions"),
    (enemy_wish_is_not_offered, CHOICES, "actions"),
    (enemy_wish_turns_the_order, HIDDEN, "actions"),
    (enemy_wish_turns_the_order, CHOICES, "actions"),
    (prompt_cites_another_clause, HIDDEN, "prompt"),
    (prompt_cites_another_clause, CHOICES, "prompt"),
    (question_is_about_the_wishes, HIDDEN, "question"),
    (question_is_about_the_wishes, CHOICES, "question"),
    (a_step_keeps_the_wish, CHOICES, "steps"),
    (picture_notes_the_wishes, HIDDEN, "picture"),
    (others_know_what_was_bid, HIDDEN, "log"),
    (everybody_hears_the_wish, CHOICES, "log"),
    (refusal_says_too_much, HIDDEN, "refusals"),
    (refusal_says_too_much, CHOICES, "refusals"),
    (refusal_code_depends_on_it, HIDDEN, "refusals"),
    (refusal_clause_depends_on_it, HIDDEN, "refusals"),
    (undo_depends_on_it, HIDDEN, "undo"),
    (undo_refusal_says_too_much, HIDDEN, "undo"),
    (enemy_wish_says_who_is_asked, HIDDEN, "to-move"),
    (derived_field_keeps_the_wishes, HIDDEN, "queries"),
    (error_says_too_much, HIDDEN, "errors"),
    (status_prints_the_wishes, HIDDEN, "table"),
    (status_prints_the_wishes, CHOICES, "table"),
    (a_secret_seed_is_told, HIDDEN, "head"),
)


@pytest.mark.parametrize(("plant", "check", "channel"), LEAKS, ids=[f"{plant.__name__}-{check}" for plant, check, _ in LEAKS])
def test_a_leak_is_found_in_its_channel(plant: Callable[[Patch], None], check: str, channel: str, monkeypatch: Patch) -> None:
    plant(monkeypatch)
    told = found(check, IMAGINING)
    assert told.startswith(check)
    assert f"by its {channel}:" in told, told


def test_every_channel_has_its_leak() -> None:
    assert {channel for _, _, channel in LEAKS} == set(CHANNELS)


@pytest.mark.parametrize("check", [HIDDEN, CHOICES])
def test_a_sound_game_keeps_its_secrets(check: str) -> None:
    assert found(check, IMAGINING) == ""


def test_the_channels_are_counted() -> None:
    subject = Subject.of(IMAGINING)
    tally: Counter[str] = Counter()
    for seed in range(4):
        watches: list[Any] = [CHECKS[check](subject, BUDGETS["quick"]) for check in (HIDDEN, CHOICES)]
        game = subject.start(seed)
        assert not observe(game, watches, random_decisions(game, random.Random(seed), 100))
        for watch in watches:
            tally += watch.tally
    assert set(tally) == set(CHANNELS)


# -- where a ruleset imagines what is hidden, the checks are strict ---------------------------------------------------------


def test_rules_that_fail_with_other_secrets_are_at_fault(monkeypatch: Patch) -> None:
    deciders = toy.Bidding.deciders

    def fussy(self: Any, at: Any) -> tuple[str, ...]:
        if at.state.deck != (1, 2, 3):
            raise AssertionError("who shuffled the deck?")
        return deciders(self, at)

    monkeypatch.setattr(toy.Bidding, "deciders", fussy)
    assert "the rules fail for" in found(HIDDEN, IMAGINING)


def test_a_gate_that_refuses_and_then_does_it_is_no_secret_but_told(monkeypatch: Patch) -> None:
    """The observer tries on a copy: the game that is watched stays as it is, whatever the gate does."""
    game = toy.new_game()
    monkeypatch.setattr(Game, "why_not", lambda self, action, side=None: Refusal(RefusalCode.NOT_OFFERED, "", "no"))
    from hexwar.testing._staging.attempts import Attempt

    heard = Observer(game, "north", [Attempt("similar", toy.Wish(1), "north")]).sees("refusals")
    assert "it was refused, and then done" in heard[0][1]
    assert not game.history


# -- resampling ---------------------------------------------------------------------------------------------------------------


def play(game: Game, actions: int, seed: int = 0) -> Game:
    for seat, action in [*random_moves(game, actions, seed)]:
        game.apply(action, seat)
    return game


def random_moves(game: Game, actions: int, seed: int) -> Any:
    twin, chance = game.copy(), random.Random(seed)
    for decision in random_decisions(twin, chance, actions):
        twin.apply(decision[1], decision[0])
        yield decision


def test_5_2_a_selection_is_made_anew_by_the_rules_of_selection() -> None:
    seen = set()
    game: Game = hexwar.new_game("bridgehead", seed=3)
    while game.state.phase != "selection":
        play(game, 1)
    for seat in ("blue", "red"):
        while seat in game.to_move:  # blue has selected and confirmed, red only begun
            if seat == "red" and game.state.selected.get("red"):
                break
            game.apply(game.legal_actions(seat)[-1], seat)
    number = len(game.state.selected["blue"])
    for n in range(40):
        at = game.view("red").imagine(random.Random(n))
        chosen = at.state.selected["blue"]
        seen.add(chosen)
        assert len(set(chosen)) == number, "whoever has confirmed has selected as many as he must"
        assert at.state.selected["red"] == game.state.selected["red"], "what one has selected oneself stays"
        assert {at.world.units[chit].side for chit in chosen} == {"blue"}
    assert len(seen) > 1


def test_5_3_the_cup_keeps_its_number_and_what_was_drawn() -> None:
    changed = 0
    for seed in range(6):
        game = play(hexwar.new_game("bridgehead", seed=seed), 25, seed)
        for n in range(10):
            at = game.view("red").imagine(random.Random(n))
            changed += at.state.cup != game.state.cup
            assert len(at.state.cup) == len(game.state.cup)
            assert not set(at.state.cup) & set(game.state.drawn)
            mine = [chit for chit in game.state.cup if not chit.startswith("b")]
            assert [chit for chit in at.state.cup if not chit.startswith("b")] == mine
            assert not difference(Observer(game.copy(), "red"), Observer(with_state(game, at.position), "red"), PRESENT)
    assert changed > 5


def test_where_nothing_is_imagined_everything_is_exchanged_at_once_and_one_by_one() -> None:
    pool = Pool()
    game = toy.new_game()
    for action in (toy.Wish(2), toy.Wish(3)):
        game.apply(action, "north")
        pool.note(game._state)
    named = [name for name, _ in pool.positions(game._position, "south", random.Random(1), 3)]
    assert named[0] == "wish, deck"
    assert {"wish", "deck"} < set(named)


# -- queries ------------------------------------------------------------------------------------------------------------------


def test_questions_are_made_from_the_names_of_parameters() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    asked = dict(questions(game.view("blue"), random.Random(1)))
    known = {
        "reach",
        "supplied",
        "supply",
        "odds",
        "attackers",
        "meanings",
        "card",
        "combat_table",
        "says",
        "zones",
        "retreats",
        "command",
        "control",
        "score",
        "points_needed",
    }
    assert set(asked) == known
    assert asked["score"] == ()
    assert asked["zones"][0] in ("blue", "red")
    assert asked["reach"][0] in game.world.units


def test_a_seat_may_not_learn_by_undo_what_another_did() -> None:
    """Whoever looks at a card cannot take that back, which is his own business."""
    told = []
    for action in (toy.Peek(), toy.Wish(2)):
        game = toy.new_game()
        game.apply(action, "north")
        with pytest.raises(Refusal) as refusal:
            game.undo("south")
        told.append((game.may_undo("south"), str(refusal.value)))
        assert game.may_undo("north") == game.can_undo == (action == toy.Wish(2))
    assert told[0] == told[1]
