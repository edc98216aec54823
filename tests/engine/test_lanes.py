"""Lanes: several stacks of steps side by side, each with values of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from hexwar.engine import (
    NEUTRAL,
    Action,
    ActionSet,
    Clause,
    Event,
    Explained,
    Game,
    Lane,
    Lanes,
    Phase,
    Play,
    Position,
    RuleIndex,
    Ruleset,
    RulesetInfo,
    Scenario,
    SeededChance,
    SequenceOfPlay,
    Setup,
    Sight,
    State,
    Step,
    World,
    hidden,
    public,
    record,
    state,
)
from hexwar.errors import Refusal, RefusalCode, RuleBroken

SEATS = {"n1": "north", "n2": "north", "s1": "south", "judge": NEUTRAL}


@state
class Lab(State):
    mood: str = public(default="calm")
    tools: tuple[str, ...] = public(default=())
    marks: tuple[str, ...] = public(default=())
    secret: str = hidden(default="")
    shelf: dict[str, int] = public(factory=dict)


@record
class Mark(Action):
    kind = "mark"
    word: str = "x"


@record
class Lose(Action):
    kind = "lose"


@record
class Start(Action):
    kind = "start"
    seat: str


@record
class Marked(Event[Lab]):
    kind = "marked"
    sight = Sight.PUBLIC
    seat: str
    word: str

    def apply(self, state: Lab) -> None:
        state.marks = (*state.marks, f"{self.seat} {self.word} {state.mood}")
        state.tools = (*state.tools, self.word)


@record
class MoodChanged(Event[Lab]):
    kind = "mood-changed"
    sight = Sight.PUBLIC
    mood: str

    def apply(self, state: Lab) -> None:
        state.mood = self.mood


@record
class Marking(Step[Lab, World]):
    """A seat makes marks; with `foe`, somebody else has to answer each."""

    kind = "marking"
    clause: ClassVar[str] = "1"
    seat: str
    left: int = 1
    foe: str = ""

    def deciders(self, at: Position[Lab, World]) -> tuple[str, ...]:
        return (self.seat,) if self.left else ()

    def prompt(self, at: Position[Lab, World], seat: str) -> str:
        return f"Mark, {at.state.mood}."

    def actions(self, at: Position[Lab, World], seat: str) -> ActionSet:
        def why_not(action: Action) -> Refusal | None:
            return Refusal.against("2", f"no rude marks, {at.state.mood}") if action == Mark("rude") else None

        return Explained([Mark(), Mark(at.state.mood), Lose()], why_not)

    def perform(self, play: Play[Lab, World], seat: str, action: Action) -> None:
        if isinstance(action, Lose):
            play.end(None, "somebody gave up", clause="1")
            return
        assert isinstance(action, Mark)
        play.replace(replace(self, left=self.left - 1))
        play.emit(Marked(seat, action.word, clause="1"))
        if self.foe:
            play.push(Marking(self.foe))

    def resume(self, play: Play[Lab, World]) -> None:
        play.pop()


@record
class Turning(Step[Lab, World]):
    """Changes the mood of its lane, without asking anybody."""

    kind = "turning"
    mood: str

    def resume(self, play: Play[Lab, World]) -> None:
        play.pop()
        play.emit(MoodChanged(self.mood, clause="1"))


@record
class Stuck(Step[Lab, World]):
    kind = "stuck"


@record
class Room(Lanes[Lab, World]):
    """Lanes, and a judge who may start one for anybody who has none."""

    kind = "room"
    judged: bool = False
    clause: ClassVar[str] = "1"

    def own_deciders(self, at: Position[Lab, World]) -> tuple[str, ...]:
        return ("judge",) if self.judged and len(self.lanes) < 2 else ()

    def own_prompt(self, at: Position[Lab, World], seat: str) -> str:
        return "Start somebody."

    def own_actions(self, at: Position[Lab, World], seat: str) -> ActionSet:
        starts = [Start(name) for name in at.world.seats_of("north")]
        return Explained(starts, lambda action: Refusal.against("2", "nobody of the south"), Start)

    def own_perform(self, play: Play[Lab, World], seat: str, action: Action) -> None:
        assert isinstance(action, Start)
        play.replace(self.with_lane(play, action.seat, action.seat, [Marking(action.seat)], mood="sent"))

    def ended(self, play: Play[Lab, World], lane: Lane) -> None:
        play.emit(MoodChanged(f"after {lane.name}", clause="1"))


class LabRuleset(Ruleset[Lab, World]):
    info = RulesetInfo("lab", "Lab", "1", ("north", "south"), (Scenario("one", "One"),), "lab:RULESET")
    rules = RuleIndex([Clause("1", "Marks"), Clause("2", "Manners")])
    sequence = SequenceOfPlay(Phase("go", "Go", "1", lambda play: None))
    state_type = Lab
    actions = (Mark, Lose, Start)
    steps = (Marking, Turning, Stuck, Room)
    events = ()

    def world(self, setup: Setup) -> World:
        return World(setup, self.sequence)

    def start(self, world: World) -> Lab:
        return Lab()


def begin(*lanes: tuple[str, str, list[Step], dict[str, Any]], judged: bool = False) -> Game:
    """A game in which these lanes lie side by side; then n1 marks alone."""
    rules = LabRuleset()
    world = World(Setup("lab", "1", "one", {}, SEATS, rules.rules), rules.sequence)
    first = Lab()
    room = Room(judged=judged)
    for name, seat, steps, kept in lanes:
        room = room.with_lane(Position(world, first), name, seat, steps, **kept)
    first.stack = [Marking("n1"), room]
    return Game(rules, world, first, SeededChance(1))


def three() -> Game:
    return begin(
        ("a", "n1", [Marking("n1", 2)], {"mood": "glad"}),
        ("b", "n2", [Marking("n2")], {"mood": "sad"}),
        ("c", "s1", [Marking("s1"), Turning("grim")], {"mood": "sad", "tools": ("axe",)}),
    )


def test_everybody_whom_a_lane_asks_is_asked_at_once() -> None:
    game = three()
    assert game.to_move == ("n1", "n2", "s1")
    assert game.prompt("n1") == "Mark, glad. (1)"
    assert game.prompt("s1") == "Mark, grim. (1)", "what needs no decision has happened in its lane"
    assert game.state.mood == "calm", "and in no other place"


def test_each_acts_in_his_own_lane_with_its_own_values() -> None:
    game = three()
    game.apply(Mark(), "n2")
    game.apply(Mark("glad"), "n1")
    game.apply(Mark("grim"), "s1")
    assert game.state.marks == ("n2 x sad", "n1 glad glad", "s1 grim grim"), "a field that no lane keeps is everybody's"
    assert game.state.tools == ("x", "glad"), "the third has tools of its own"
    assert game.state.mood == "after c"


def test_when_all_lanes_have_come_to_their_end_the_step_is_done() -> None:
    game = three()
    for seat in ("s1", "n1", "n2", "n1"):
        game.apply(Mark(), seat)
    assert game.state.stack == [Marking("n1")]
    assert list(game.to_move) == ["n1"]


def test_folding_the_events_over_the_first_state_gives_the_last() -> None:
    game = three()
    for seat in ("s1", "n1", "n2"):
        game.apply(Mark(), seat)
        twin = game.first_state.copy()
        for event in game.events:
            event.apply(twin)
        assert twin == game.state


def test_what_somebody_else_asks_comes_before_ones_own_business() -> None:
    game = begin(
        ("own", "n1", [Marking("n1", 3)], {"mood": "own"}), ("other", "s1", [Marking("s1", 1, "n1")], {"mood": "theirs"})
    )
    game.apply(Mark("own"), "n1")
    game.apply(Mark(), "s1")
    assert game.to_move == ("n1",), "the other lane waits for an answer, and only n1 can give it"
    assert game.prompt("n1") == "Mark, theirs. (1)"
    game.apply(Mark("theirs"), "n1")
    assert game.prompt("n1") == "Mark, own. (1)"


def test_a_view_shows_each_seat_the_lane_in_which_it_decides() -> None:
    game = three()
    assert {seat: game.view(seat).state.mood for seat in SEATS} == {"n1": "glad", "n2": "sad", "s1": "grim", "judge": "calm"}
    assert game.view("s1").state.tools == ("axe",)
    assert game.view("n1").state.stack == []


def test_whoever_is_not_asked_is_refused_and_told_who_is() -> None:
    game = three()
    game.apply(Mark(), "n2")
    with pytest.raises(Refusal, match="n2 is not asked now; n1, s1 must decide") as caught:
        game.apply(Mark(), "n2")
    assert caught.value.code is RefusalCode.NOT_YOUR_TURN
    with pytest.raises(Refusal, match="judge is not asked now"):
        game.apply(Mark(), "judge")


def test_a_refusal_is_that_of_the_lane() -> None:
    game = three()
    assert str(game.why_not(Mark("rude"), "s1")) == str(Refusal(RefusalCode.AGAINST_RULE, "2", "no rude marks, grim"))
    other = game.why_not(Mark("sad"), "n1")
    assert other is not None
    assert (other.code, other.clause) == (RefusalCode.NOT_OFFERED, "1")


def test_an_action_in_a_lane_can_be_taken_back() -> None:
    game = three()
    before = game.digest
    game.apply(Mark(), "n1")
    assert game.can_undo
    assert game.undo("n1") == Mark()
    assert game.digest == before
    game.apply(Mark(), "n2")
    assert not game.can_undo, "others are asked now"


def test_a_state_with_lanes_is_a_value() -> None:
    game = three()
    game.apply(Mark(), "n1")
    back = game.first_state.with_json(game.state.to_json(), game.ruleset.step_types)
    assert back == game.state
    assert repr(back.stack) == repr(game.state.stack)
    assert back.digest == game.digest


def test_the_kinds_of_waiting_steps_are_part_of_the_value() -> None:
    one = Room((Lane("a", "n1", (Marking("n1"),)),))
    other = Room((Lane("a", "n1", (Turning("n1"),)),))
    assert one.to_json() != other.to_json()


@pytest.mark.parametrize(
    ("lanes", "words"),
    [
        ("none", "expected a list of lanes"),
        ([{"name": "a"}], "a lane has a name, a seat, a stack"),
        ([{"name": 1, "seat": "n1", "stack": [], "kept": {}}], "should be a valid string"),
        ([{"name": "a", "seat": "n1", "stack": [{"kind": "nothing"}], "kept": {}}], "unknown kind of step 'nothing'"),
        ([{"name": "a", "seat": "n1", "stack": [], "kept": {"size": 1}}], "size: the state has no such field"),
        ([{"name": "a", "seat": "n1", "stack": [], "kept": []}], "a lane keeps a table of fields"),
        ([{"name": "a", "seat": "n1", "stack": [], "kept": {"mood": 1}}], "should be a valid string"),
    ],
)
def test_what_is_no_lane_is_refused_in_a_sentence(lanes: object, words: str) -> None:
    game = three()
    with pytest.raises(ValueError, match=words):
        game.first_state.with_json({"stack": [{"kind": "room", "lanes": lanes}]}, game.ruleset.step_types)


@pytest.mark.parametrize(
    ("more", "words"), [({"size": 1}, "size: extra"), ({"inside": 3}, "no such lane"), ({"judged": 2}, "valid boolean")]
)
def test_what_else_is_wrong_with_such_a_step_is_refused_too(more: dict[str, object], words: str) -> None:
    game = three()
    with pytest.raises(ValueError, match=words):
        game.first_state.with_json({"stack": [{"kind": "room", **more}]}, game.ruleset.step_types)


def test_a_lane_cannot_keep_what_not_everybody_sees() -> None:
    with pytest.raises(RuleBroken, match="'secret', because not everybody sees that field"):
        begin(("a", "n1", [Marking("n1")], {"secret": "x"}))


def test_a_lane_cannot_keep_what_is_changed_in_place() -> None:
    with pytest.raises(RuleBroken, match="'shelf', because that field is changed in place"):
        begin(("a", "n1", [Marking("n1")], {"shelf": {"a": 1}}))


def test_somebody_may_start_lanes_while_others_go_on() -> None:
    game = begin(("c", "s1", [Marking("s1")], {"mood": "grim"}), judged=True)
    assert game.to_move == ("s1", "judge")
    assert game.prompt("judge") == "Start somebody."
    assert game.why_not(Start("s1"), "judge") == Refusal(RefusalCode.AGAINST_RULE, "2", "nobody of the south")
    game.apply(Start("n2"), "judge")
    assert game.to_move == ("n2", "s1")
    assert game.prompt("n2") == "Mark, sent. (1)"
    game.apply(Mark(), "s1")
    assert game.to_move == ("n2", "judge")


def test_a_game_can_end_in_a_lane() -> None:
    game = three()
    game.apply(Lose(), "n2")
    assert game.to_move == ()
    assert game.result is not None
    assert game.first_state.with_json(game.state.to_json(), game.ruleset.step_types) == game.state


def test_lanes_may_lie_in_lanes() -> None:
    game = begin(("out", "n1", [Marking("n1")], {"mood": "outer"}))
    inner = Room().with_lane(game.position, "in", "n2", [Marking("n2")], mood="inner", tools=())
    inner = inner.with_lane(game.position, "too", "s1", [Marking("s1", 2)], mood="inmost")
    room = Room((Lane("out", "n1", (Marking("n1"), inner), (("mood", "outer"),)),))
    first = game.first_state.copy()
    first.stack = [Marking("n1"), room]
    game = Game(game.ruleset, game.world, first, SeededChance(1))
    assert game.to_move == ("n2", "s1")
    assert game.prompt("s1") == "Mark, inmost. (1)"
    assert game.view("s1").state.mood == "inmost"
    game.apply(Mark("inner"), "n2")
    game.apply(Mark(), "s1")
    game.apply(Mark(), "s1")
    assert list(game.to_move) == ["n1"]
    assert game.prompt("n1") == "Mark, after too. (1)", "what happens at the end of an inner lane happens in the outer one"
    game.apply(Mark(), "n1")
    assert game.state.marks == ("n2 inner inner", "s1 x inmost", "s1 x inmost", "n1 x after too")


def test_a_step_that_waits_for_nobody_and_does_nothing_is_a_mistake_in_a_lane_too() -> None:
    with pytest.raises(RuleBroken, match="waits for nobody and does nothing"):
        begin(("a", "n1", [Stuck()], {}))


def test_a_seat_that_belongs_to_no_side_makes_no_side() -> None:
    game = three()
    assert game.world.sides == ("north", "south")
    assert game.world.viewer("judge").side == NEUTRAL
