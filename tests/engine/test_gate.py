"""The gate: only what is offered happens, and whatever is refused or fails leaves no trace."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import (
    Action,
    ActionSet,
    Branch,
    DiceRolled,
    Event,
    Explained,
    Game,
    Invariant,
    Listed,
    Loop,
    Option,
    Phase,
    Picture,
    Play,
    Position,
    SequenceOfPlay,
    State,
    Step,
    TapedChance,
    World,
    public,
    record,
    state,
)
from hexwar.engine import _gate as gate_module
from hexwar.engine._records import has_shape
from hexwar.errors import ContentError, HexwarError, Refusal, RefusalCode, RuleBroken, RuleBrokenCode
from tests.engine.toy import (
    INFO,
    RULESET,
    TEAMS,
    Bid,
    Do,
    Doing,
    Lay,
    Peek,
    Toy,
    ToyRuleset,
    Walk,
    Walked,
    Walking,
    Wish,
    change,
    deeds_game,
    new_game,
    play_on,
    result_of,
    setup,
    teams_game,
)


def trace(game: Game) -> tuple[object, ...]:
    """All that a refused action must leave as it was."""
    tape = game.chance.tape.copy() if isinstance(game.chance, TapedChance) else ()
    offered = {seat: game.legal_actions(seat) for seat in game.to_move}
    logs = [game.log(seat) for seat in game.world.seats]
    history, checkpoints = list(game.history), dict(game.checkpoints)
    return (
        game.digest,
        game.state.draws,
        game.state.copy(),
        history,
        list(game.events),
        checkpoints,
        game.can_undo,
        offered,
        logs,
        tape,
    )


def walking() -> Game[Toy, World]:
    """North has won the bidding and walks."""
    game = new_game()
    game.apply(Wish(3), "north")
    game.apply(Bid(), "north")
    game.apply(Bid(), "south")
    assert game.to_move == ("north",)
    return game


def over() -> Game[Toy, World]:
    game = new_game()
    play_on(game, range(1000))
    assert game.result is not None
    return game


# -- every code -------------------------------------------------------------------------------------------------------


@record
class Foreign(Action):
    kind = "foreign"


@record
class Impostor(Action):
    kind: ClassVar[str] = "wish"
    amount: int


class SlyWish(Wish):
    pass


NOT_ACTIONS: list[tuple[Any, str]] = [
    ({"kind": "fly"}, "not a valid action in this game: no action is of kind 'fly'; known: bid, peek, walk, wish"),
    ({}, 'not a valid action in this game: an action is an object with a "kind"'),
    ({"kind": 1}, 'not a valid action in this game: an action is an object with a "kind"'),
    ({"kind": ["wish"]}, 'not a valid action in this game: an action is an object with a "kind"'),
    ({"kind": "wish", "amount": "1"}, "not a valid action in this game: amount: input should be a valid integer"),
    ({"kind": "wish", "amount": True}, "not a valid action in this game: amount: input should be a valid integer"),
    ({"kind": "wish"}, "not a valid action in this game: amount: "),
    ({"kind": "wish", "amount": 1, "more": 1}, "not a valid action in this game: more: unexpected keyword argument"),
    ({"kind": "wish", "amount": object()}, "not a valid action in this game: is no JSON data: "),
    (Foreign(), "not a valid action in this game: Foreign is not among the ruleset's actions"),
    (Impostor(1), "not a valid action in this game: Impostor is not among the ruleset's actions"),
    (SlyWish(1), "not a valid action in this game: SlyWish is not among the ruleset's actions"),
    (Wish("x"), "not a valid action in this game: amount: input should be a valid integer"),  # type: ignore[arg-type]
    (Wish(None), "not a valid action in this game: amount: input should be a valid integer"),  # type: ignore[arg-type]
    (Wish([1]), "the action holds something that no action may hold"),  # type: ignore[arg-type]
    (Wish(object()), "not a valid action in this game: a state or record may not hold a object"),  # type: ignore[arg-type]
    ("bid", "an action is needed, not a str"),
    (None, "an action is needed, not a NoneType"),
    (Bid, "an action is needed, not a type"),
]


@pytest.mark.parametrize(("thing", "sentence"), NOT_ACTIONS)
def test_what_is_no_action_is_refused_as_unknown(thing: Any, sentence: str) -> None:
    game = new_game()
    before = trace(game)
    with pytest.raises(Refusal) as caught:
        game.apply(thing, "north")
    assert (caught.value.code, caught.value.clause) == (RefusalCode.UNKNOWN_ACTION, "")
    assert str(caught.value).startswith(sentence)
    assert trace(game) == before


def test_a_field_that_only_looks_right_as_json_is_refused_as_unknown() -> None:
    game = deeds_game({"x": lambda play: None})
    for wrong in (Lay(frozenset({1})), Lay("x")):  # type: ignore[arg-type]
        refusal = game.why_not(wrong)
        assert refusal is not None
        assert refusal.code is RefusalCode.UNKNOWN_ACTION
    right = game.why_not(Lay((1,)))
    assert right is not None
    assert right.code is RefusalCode.NOT_OFFERED


@pytest.mark.parametrize(
    ("game", "action", "side", "code", "clause", "sentence"),
    [
        (walking(), Walk(9), "north", RefusalCode.NOT_OFFERED, "2", "2: Walk(steps=9) is not possible now"),
        (walking(), Bid(), "south", RefusalCode.NOT_YOUR_TURN, "", "south is not asked now; north must decide"),
        (over(), Bid(), None, RefusalCode.GAME_OVER, "", "the game is over: north wins: went farthest"),
        (over(), Bid(), "north", RefusalCode.GAME_OVER, "", "the game is over: north wins: went farthest"),
        (new_game(), Bid(), "east", RefusalCode.UNKNOWN_SEAT, "", "nobody sits at 'east'; the seats are north, south"),
        (over(), Bid(), "east", RefusalCode.UNKNOWN_SEAT, "", "nobody sits at 'east'; the seats are north, south"),
        (new_game(), Bid(), None, RefusalCode.AMBIGUOUS_SEAT, "", "north, south could do this: say which side does"),
        (teams_game(), Bid(), "north", RefusalCode.AMBIGUOUS_SEAT, "", "n1, n2 of north decide at the same time: say which seat"),
        (new_game(), Wish(4), "north", RefusalCode.AGAINST_RULE, "1.1", "1.1: a bid is at most 3"),
        (new_game(), Wish(4), None, RefusalCode.AGAINST_RULE, "1.1", "1.1: a bid is at most 3"),
    ],
    ids=repr,
)
def test_each_refusal_has_its_code_clause_and_sentence_and_changes_nothing(
    game: Game[Toy, World], action: Action, side: str | None, code: RefusalCode, clause: str, sentence: str
) -> None:
    before = trace(game)
    told = game.why_not(action, side)
    with pytest.raises(Refusal) as caught:
        game.apply(action, side)
    assert caught.value == told
    assert (caught.value.code, caught.value.clause) == (code, clause)
    assert str(caught.value).startswith(sentence)
    assert trace(game) == before


def test_undo_has_a_refusal_of_its_own() -> None:
    with pytest.raises(Refusal) as caught:
        new_game().undo()
    assert caught.value.code is RefusalCode.UNDO_BARRIER


def test_asking_without_naming_one_of_several_seats_is_ambiguous() -> None:
    game = new_game()
    for ask in (game.prompt, game.offered, game.legal_actions):
        with pytest.raises(Refusal, match="north, south decide at the same time: say which side"):
            ask()


def test_a_side_with_one_seat_left_needs_no_seat() -> None:
    game = teams_game()
    game.apply(Bid(), "n1")
    game.apply(Bid(), "north")
    assert [move.seat for move in game.history] == ["n1", "n2"]
    assert game.to_move == ("s1", "s2")
    with pytest.raises(Refusal, match="north is not asked now; s1, s2 must decide"):
        game.legal_actions("north")


def test_the_seat_is_found_if_only_one_could_do_it() -> None:
    game = new_game()
    game.apply(Peek(), "south")
    game.apply(Peek())
    assert [move.seat for move in game.history] == ["south", "north"]


def test_a_finished_game_asks_nobody() -> None:
    game = over()
    assert game.to_move == ()
    assert game.legal_actions() == []
    with pytest.raises(Refusal, match="the game is over"):
        game.prompt()


# -- what is offered ----------------------------------------------------------------------------------------------------


def test_an_action_may_come_as_json() -> None:
    one, two = new_game(), new_game()
    one.apply(Wish(2), "north")
    two.apply(MappingProxyType({"kind": "wish", "amount": 2}), "north")
    assert one.digest == two.digest
    assert one.history == two.history
    assert one.why_not({"kind": "wish", "amount": 2}, "north") == one.why_not(Wish(2), "north")


@pytest.mark.parametrize("action", [Wish(True), Wish(1.0)])  # type: ignore[arg-type]
def test_what_merely_compares_equal_is_no_action(action: Wish) -> None:
    """Given a bid of True, which equals 1, then no set of actions ever sees it."""
    game = new_game()
    with pytest.raises(Refusal, match="not a valid action in this game: "):
        game.apply(action, "north")


@pytest.mark.parametrize(("cards", "fits"), [((), True), ((1, 2), True), ([1], False), ((1, "2"), False), ((True,), False)])
def test_the_shape_of_an_action_goes_down_into_tuples(cards: Any, fits: bool) -> None:
    assert has_shape(Lay(cards)) is fits


@record
class Shaped(Action):
    kind = "shaped"
    point: tuple[int, str]
    maybe: str | None = None


@pytest.mark.parametrize(
    ("action", "fits"),
    [
        (Shaped((1, "a")), True),
        (Shaped((1, "a"), "b"), True),
        (Shaped((1,)), False),  # type: ignore[arg-type]
        (Shaped(("a", 1)), False),  # type: ignore[arg-type]
        (Shaped((1, "a"), 1), False),  # type: ignore[arg-type]
    ],
)
def test_pairs_and_choices_have_their_shape_too(action: Shaped, fits: bool) -> None:
    assert has_shape(action) is fits


def test_the_prompt_carries_the_clause() -> None:
    assert new_game().prompt("north") == "Bid from 0 to 3. (1)"

    @record
    class Asking(Doing):
        kind = "asking"
        clause: ClassVar[str] = ""

        def prompt(self, at: Position, seat: str) -> str:
            return "Well?"

    assert deeds_game({"x": lambda play: None}, step=Asking()).prompt() == "Well?"


def test_the_offer_is_stable_and_dullest_first() -> None:
    game = new_game()
    assert game.legal_actions("north") == [Bid(), Wish(0), Wish(1), Wish(2), Wish(3), Peek()]
    assert game.legal_actions("north") == list(game.offered("north"))


def test_repr_says_what_is_going_on() -> None:
    assert repr(new_game()) == "<toy short, 0 actions, north, south to move>"
    assert repr(over()).endswith(f"actions, {result_of(over())}>")


def test_the_query_is_the_rulesets() -> None:
    assert new_game().query is None


numbers = st.integers(-2, 8)
anything = st.none() | st.booleans() | numbers | st.text(max_size=2) | st.lists(numbers, max_size=2) | st.just(object())
attempts = st.one_of(
    st.builds(Wish, anything),
    st.builds(Walk, anything),
    st.builds(Bid),
    st.builds(Peek),
    st.builds(Impostor, numbers),
    st.builds(Do, st.text(max_size=2)),
    st.dictionaries(
        st.sampled_from(["kind", "amount", "steps", "x"]), st.sampled_from(["wish", "walk", "bid", 1, "1", True]) | anything
    ),
    anything,
)
seats = st.sampled_from([None, "north", "south", "n1", "s2", "east", ""])


@given(st.booleans(), st.integers(0, 9), st.lists(st.tuples(st.integers(0, 999), attempts, seats), max_size=30))
def test_nothing_that_is_not_offered_ever_changes_anything(
    teams: bool, seed: int, tries: list[tuple[int, Any, str | None]]
) -> None:
    game = teams_game(seed) if teams else new_game(seed)
    for choice, action, side in tries:
        before = trace(game)
        told = game.why_not(action, side)
        assert trace(game) == before
        if told is None:
            game.apply(action, side)
            move = game.history[-1]
            assert any(move.action is offered for offered in before[7][move.seat])  # type: ignore[index]
        else:
            with pytest.raises(Refusal) as caught:
                game.apply(action, side)
            assert caught.value == told
            assert trace(game) == before
            assert "\n" not in str(told)
            play_on(game, [choice])


def test_of_all_actions_of_the_game_exactly_the_listed_ones_are_done() -> None:
    every = [Bid(), Peek(), *map(Wish, range(-2, 9)), *map(Walk, range(-2, 9))]
    for begin in (new_game(), teams_game()):
        for choice in range(25):
            for seat in begin.world.seats:
                listed = begin.legal_actions(seat) if seat in begin.to_move else []
                assert [action for action in listed if action not in every] == []
                for action in every:
                    game = begin.copy()
                    if action in listed:
                        game.apply(action, seat)
                        assert game.history[-1].action == action
                    else:
                        with pytest.raises(Refusal):
                            game.apply(action, seat)
            play_on(begin, [choice])


# -- rulesets that fail -------------------------------------------------------------------------------------------------


class Script:
    def randrange(self, stop: int, /) -> int:
        return stop - 1


@pytest.mark.parametrize("error", [ZeroDivisionError("oops"), KeyboardInterrupt(), RecursionError(), AssertionError()])
def test_a_ruleset_that_fails_in_the_middle_leaves_the_game_as_it_was(error: BaseException) -> None:
    def fail(play: Play) -> None:
        change(play, round=99, table=(7,))
        play.roll("luck", clause="9", dice=2)
        play.push(Walking("south", 1))
        play.state.track["north"] = 99
        raise error

    def roll_high(play: Play) -> None:
        play.roll("luck", clause="9", sides=3)

    game = deeds_game({"fail": fail, "roll": roll_high, "set": lambda play: change(play, round=5)}, chance=TapedChance(Script()))
    game.apply(Do("set"))
    held, before = game.state, trace(game)
    with pytest.raises(type(error)):
        game.apply(Do("fail"))
    assert trace(game) == before
    assert game.state is held
    # The die of the failed action never fell: another one, with fewer faces, falls in its place.
    assert game.apply(Do("roll"))[0] == DiceRolled("luck", (3,), 3, clause="9")


def test_a_state_that_somebody_holds_never_changes() -> None:
    game = new_game()
    states: list[tuple[Toy, str]] = []
    for choice in range(40):
        states.append((game.state, game.digest))
        play_on(game, [choice])
    assert all(state.digest == digest for state, digest in states)
    begin = Toy(track={"north": 0, "south": 0})
    deeds_game({"x": lambda play: None}, begin=begin)
    assert begin == Toy(track={"north": 0, "south": 0})


def test_a_copy_and_its_original_go_separate_ways_even_through_undo() -> None:
    game = new_game()
    game.apply(Wish(1), "north")
    before = trace(game)
    twin = game.copy()
    assert trace(twin) == before
    twin.undo()
    twin.apply(Wish(3), "north")
    twin.apply(Peek(), "south")
    assert trace(game) == before
    game.undo()
    assert game.digest == new_game().digest


def test_a_refusal_after_the_offer_is_the_rulesets_mistake() -> None:
    def refuse(play: Play) -> None:
        raise Refusal(RefusalCode.AGAINST_RULE, "9", "not today")

    game = deeds_game({"x": refuse})
    with pytest.raises(RuleBroken, match=r"Do\(deed='x'\) was offered and then refused: 9: not today"):
        game.apply(Do("x"))
    assert game.history == []


def empty_stack(play: Play) -> None:
    play.pop()
    play.pop()


def too_far(play: Play) -> None:
    for _ in range(3):
        play.pop()


def nothing_left(play: Play) -> None:
    for _ in range(2):
        play.pop()
    play.replace(Again())


def wrong_clause(play: Play) -> None:
    play.emit(DiceRolled("x", (1,), clause="77"))


@record
class Nobody(Step[Toy, World]):
    kind = "nobody"


@record
class Speechless(Doing):
    kind = "speechless"

    def actions(self, at: Position, seat: str) -> ActionSet:
        return Listed(())


@record
class Again(Step[Toy, World]):
    kind = "again"

    def resume(self, play: Play[Toy, World]) -> None:
        play.replace(Again())


@pytest.mark.parametrize(
    ("deed", "sentence", "code"),
    [
        (wrong_clause, "DiceRolled cites clause '77', which is not in the rule index", RuleBrokenCode.UNKNOWN_CLAUSE),
        (
            lambda play: play.end(None, "x", clause=""),
            "GameEnded cites clause '', which is not in the rule index",
            RuleBrokenCode.UNKNOWN_CLAUSE,
        ),
        (empty_stack, "the stack of steps is empty and the game is not over", RuleBrokenCode.DEAD_END),
        (too_far, "there is no step to take off the stack: it is empty", RuleBrokenCode.EMPTY_STACK),
        (nothing_left, "there is no step to replace: the stack is empty", RuleBrokenCode.EMPTY_STACK),
        (lambda play: play.push(Nobody()), r"the step Nobody\(\) waits for nobody and does nothing", RuleBrokenCode.DEAD_END),
        (
            lambda play: play.push(Again()),
            "50 automatic steps without a decision: the sequence of play makes no progress",
            RuleBrokenCode.DEAD_END,
        ),
        (
            lambda play: play.push(Speechless()),
            r"the step Speechless\(seats=\('north',\)\) asks north and offers nothing",
            RuleBrokenCode.DEAD_END,
        ),
        (lambda play: play.push(Doing(("axis",))), "asks 'axis'; the seats are north, south", RuleBrokenCode.UNKNOWN_SEAT),
        (lambda play: play.draw("cup", [], clause="9"), "cup: there is nothing to draw from", RuleBrokenCode.NOTHING_TO_DRAW),
        (lambda play: play.pop(), "the sequence of play came to its end and no phase ended the game", RuleBrokenCode.DEAD_END),
    ],
)
def test_what_no_ruleset_may_do_is_named_and_leaves_no_trace(
    deed: Any, sentence: str, code: RuleBrokenCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_module, "MAX_AUTOMATIC_STEPS", 50)
    game = deeds_game({"x": deed})
    before = trace(game)
    with pytest.raises(RuleBroken, match=sentence) as caught:
        game.apply(Do("x"))
    assert caught.value.code is code
    assert trace(game) == before


def idle(play: Play) -> None:
    pass


def true(at: Position) -> bool:
    return True


@pytest.mark.parametrize(
    ("nodes", "sentence", "code"),
    [
        ((Phase("a", "A", "9", idle),), "came to its end", RuleBrokenCode.DEAD_END),
        ((Loop("L", "9", true, (Phase("a", "A", "9", idle),)),), "makes no progress", RuleBrokenCode.DEAD_END),
        ((Loop("L", "9", true, ()),), "makes no progress", RuleBrokenCode.DEAD_END),
        ((Branch("B", "9", true, ()),), "came to its end", RuleBrokenCode.DEAD_END),
        ((Phase("a", "A", "77", idle),), "PhaseEntered cites clause '77'", RuleBrokenCode.UNKNOWN_CLAUSE),
    ],
)
def test_a_sequence_that_leads_nowhere_is_the_authors_mistake(
    nodes: Any, sentence: str, code: RuleBrokenCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_module, "MAX_AUTOMATIC_STEPS", 50)
    with pytest.raises(RuleBroken, match=sentence) as caught:
        deeds_game({}, *nodes)
    assert caught.value.code is code


def test_a_refusal_with_an_unknown_clause_is_the_authors_mistake() -> None:
    @record
    class Citing(Doing):
        kind = "citing"

        def actions(self, at: Position, seat: str) -> ActionSet:
            return Explained(Doing.actions(self, at, seat), lambda action: Refusal.against("77", "never"))

    game = deeds_game({"x": idle}, step=Citing())
    with pytest.raises(RuleBroken, match="a refusal cites clause '77', which is not in the rule index"):
        game.why_not(Do("y"))


def test_a_game_may_begin_with_steps_on_the_stack() -> None:
    game = deeds_game({"x": idle}, begin=Toy(track={"north": 0, "south": 0}, stack=[Doing(("south",))]))
    assert game.to_move == ("south",)
    assert game.first_state.stack == game.state.stack == [Doing(("south",))]


def test_a_step_that_says_nothing_asks_nobody_and_offers_nothing() -> None:
    at, step = new_game().position, Nobody()
    assert (step.deciders(at), step.prompt(at, "north"), list(step.actions(at, "north"))) == ((), "", [])
    assert step.actions(at, "north").why_not(Bid()) is None


def test_a_draw_counts_and_gives_one_of_the_lots() -> None:
    drawn: list[str] = []
    game = deeds_game({"x": lambda play: drawn.append(play.draw("cup", ["a", "b", "c"], clause="9"))})
    for _ in range(20):
        game.apply(Do("x"))
    assert set(drawn) == {"a", "b", "c"}
    assert game.state.draws == 20


# -- hooks --------------------------------------------------------------------------------------------------------------


def no_second(at: Position, seat: str, action: Action) -> Refusal | None:
    return Refusal(RefusalCode.AGAINST_RULE, "3", "not that one") if action == Do("b") else None


def test_a_veto_takes_an_action_out_of_the_offer_and_says_why() -> None:
    game = deeds_game({"a": idle, "b": idle}, hooks={"veto": (lambda at, seat, action: None, no_second)})
    assert game.legal_actions() == [Do("a")]
    before = trace(game)
    with pytest.raises(Refusal, match="3: not that one"):
        game.apply(Do("b"))
    assert trace(game) == before
    refusal = game.why_not(Do("c"))
    assert refusal is not None
    assert refusal.code is RefusalCode.NOT_OFFERED


def test_a_veto_of_everything_is_the_authors_mistake() -> None:
    with pytest.raises(RuleBroken, match="asks north and offers nothing"):
        deeds_game({"b": idle}, hooks={"veto": (no_second,)})


def test_reactions_hear_every_event_of_the_rules_and_may_add_their_own() -> None:
    heard: list[Event] = []

    def react(play: Play, event: Event) -> None:
        heard.append(event)
        if isinstance(event, DiceRolled):
            change(play, table=event.dice)

    game = deeds_game({"x": lambda play: play.roll("luck", clause="9")}, hooks={"on_event": (react,)})
    events = game.apply(Do("x"))
    assert [event.kind for event in events] == ["dice-rolled", "changed"]
    assert [event.kind for event in heard] == ["phase-entered", "dice-rolled", "changed"]
    assert game.state.table == events[0].dice  # type: ignore[attr-defined]


# -- seats and the ruleset's own check -------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", [{"north": "south", "south": "north"}, {"north": "north", "n2": "north", "south": "south"}])
def test_a_seat_may_not_take_a_name_that_stands_for_other_peoples_secrets(chosen: Mapping[str, str]) -> None:
    with pytest.raises(HexwarError, match="has the name of a side, so it must be the only seat of that side"):
        new_game(seats=chosen)


def test_seats_and_sides_are_found_both_ways() -> None:
    world = RULESET.world(setup(seats=TEAMS))
    assert world.sides == ("north", "south")
    assert world.seats_of("south") == ("s1", "s2")
    assert world.seats_of("east") == ()
    assert world.viewer("n2") == ("n2", "north")


def test_the_rulesets_defaults() -> None:
    world = RULESET.world(setup())
    assert RULESET.bare(world) == RULESET.start(world)
    assert RULESET.picture(Position(world, RULESET.start(world))) == Picture()
    assert RULESET.invariants[0].broken(Position(world, Toy(track={"north": -1}))) == "negative"
    with pytest.raises(ValueError, match="toy cannot place units in a hand-made position: leave out `units`"):
        RULESET.place(world, RULESET.start(world), {})


def test_a_ruleset_that_cites_unknown_clauses_fails_its_check() -> None:
    RULESET.check()

    @record
    class Astray(Step[Toy, World]):
        kind = "astray"
        clause: ClassVar[str] = "77"

    @record
    class WalkedAstray(Walked):
        kind = "walked-astray"
        clause: str = field(default="77", kw_only=True)

    one, two = Phase("a", "Move", "77", idle), Phase("b", "Move", "2", idle)
    mistakes: list[tuple[dict[str, object], str]] = [
        ({"steps": (Astray,)}, "step Astray"),
        ({"events": (WalkedAstray,)}, "event WalkedAstray"),
        ({"sequence": SequenceOfPlay(one, two)}, "sequence of play, Move"),
        ({"sequence": SequenceOfPlay(two, one)}, "sequence of play, Move"),
        ({"invariants": (Invariant("77", "peace", lambda at: None),)}, "invariant 'peace'"),
        ({"info": dataclasses.replace(INFO, options=(Option("o", "O", clause="77"),))}, "option o"),
    ]
    for changes, where in mistakes:
        wrong = type("Wrong", (ToyRuleset,), dict(changes))()
        with pytest.raises(ContentError, match="cites a clause that is not in the index: no clause is called '77'") as caught:
            wrong.check()
        assert caught.value.where == where


def test_a_ruleset_whose_state_is_no_value_fails_its_check() -> None:
    @state
    class Deep(State):
        stacks: dict[str, list[str]] = public(factory=dict)

    with pytest.raises(TypeError, match="the state field 'stacks'"):
        type("Wrong", (ToyRuleset,), {"state_type": Deep})().check()


def test_a_ruleset_without_actions_is_refused_in_a_sentence() -> None:
    with pytest.raises(ContentError, match="actions: is empty: list every class of actions"):
        type("Idle", (ToyRuleset,), {"actions": ()})().check()
