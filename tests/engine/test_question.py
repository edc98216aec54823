"""The question as data: what is asked, of whom, about what, and what can be chosen, group by group."""

from __future__ import annotations

import json
from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, load_bot, move_once
from hexwar.engine import Action, Grouped, Listed, Question, View
from hexwar.errors import ContentError, UnknownName
from hexwar.mechanics import Arrive, CallOff, Join, Move, Moving
from hexwar.pieces import Done
from tests.engine import toy

HOMES = 'rA = "0902"\nbA = "0102"'


def question(view: View) -> Question:
    assert view.question is not None
    return view.question


def position(stack: str, units: str) -> hexwar.Game:
    head = f'ruleset = "bridgehead"\nstate = {{ turn = 1 }}\nstack = [{{ kind = "sequencing" }}, {stack}]'
    return hexwar.position(f"{head}\n[units]\n{units}\n{HOMES}")


def moving() -> hexwar.Game:
    return position('{ kind = "moving", seat = "blue", units = ["b1", "b2"] }', 'b1 = "0603"\nb2 = "0704"\nr1 = "0604"')


def test_it_says_what_is_asked_of_whom_and_by_which_rule() -> None:
    asked = question(toy.new_game().view("south"))
    assert (asked.kind, asked.clause, asked.seat, asked.seats) == ("bidding", "1", "south", ("north", "south"))
    assert asked.prompt == "Bid from 0 to 3. (1)"
    assert (asked.groups, asked.by, asked.pieces, asked.places, asked.ending) == ((), "", (), (), None)
    assert list(asked.plain) == [toy.Bid(), *(toy.Wish(n) for n in range(4)), toy.Peek()]


def test_those_who_are_not_asked_have_none() -> None:
    game = toy.new_game()
    game.apply(toy.Bid(), "north")
    assert game.view("north").question is None
    assert game.view("north").to_json()["question"] is None


def test_moves_are_grouped_by_unit_and_by_place() -> None:
    asked = question(moving().view("blue"))
    assert (asked.kind, asked.asks, asked.by, asked.groups, asked.pieces) == (
        "moving",
        "move",
        "unit",
        ("b1", "b2"),
        ("b1", "b2"),
    )
    assert asked.plain == (Done(),)
    group = asked.group("b1")
    assert all(isinstance(action, Move) and action.unit == "b1" for action in group)
    assert [Move("b1", "0503")] == group.places()["0503"]
    assert set(group.places()) == {action.to for action in group if isinstance(action, Move)}
    with pytest.raises(UnknownName, match="no group of choices is called 'b9'; known: b1, b2"):
        asked.group("b9")


def test_it_says_what_could_still_be_done_if_it_ended_now() -> None:
    game = moving()
    ending = question(game.view("blue")).ending
    assert ending is not None
    assert (ending.action, ending.left, str(ending)) == (Done(), ("b1", "b2"), "End movement: 2 units can still move")
    game.apply(game.legal_actions("blue")[1])
    assert str(question(game.view("blue")).ending) == "End movement: 1 unit can still move"


def test_it_names_what_it_is_about_besides_what_can_be_chosen() -> None:
    game = position('{ kind = "attacking", seat = "blue", units = ["b1", "b2"] }', 'b1 = "0603"\nb2 = "0704"\nr1 = "0604"')
    targets = question(game.view("blue"))
    assert (targets.by, targets.groups, targets.places) == ("target", ("0604",), ("0604",))
    assert targets.counts() == {"0604": 1}
    game.apply(targets.example)
    game.apply(Join("b1"))
    asked = question(game.view("blue"))
    assert (asked.kind, asked.pieces, asked.places, asked.groups) == ("assembling", ("b1", "b2"), ("0604",), ("b2",))
    assert CallOff() in asked.plain


def test_a_decision_of_thousands_lists_nothing_but_the_group_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given reinforcements that may come in nearly everywhere, when a client asks, then only one unit's hexes are listed."""
    game = hexwar.new_game("ava", "campaign", 1, {"auto-setup": True})
    bots, chance = {side: load_bot("ava-commander") for side in game.world.sides}, KeyedChance(1)
    while game.question(game.to_move[0]).asks != "arrive":
        move_once(game, bots, chance)
    asked = question(game.view(game.to_move[0]))
    listed: list[str] = []
    listing = type(asked.group(asked.groups[0]).offer).__iter__

    def noted(offer: Any) -> Any:
        for action in listing(offer):
            listed.append(action.key)
            yield action

    monkeypatch.setattr(type(asked.group(asked.groups[0]).offer), "__iter__", noted)
    data = asked.to_json()
    assert len(listed) <= 2 * len(asked.groups)
    assert len(json.dumps(data)) < 20_000
    unit = asked.groups[-1]
    before = len(listed)
    arrivals = list(asked.group(unit))
    assert set(listed[before:]) == {unit}
    assert all(isinstance(action, Arrive) for action in arrivals)


@pytest.mark.parametrize("ruleset", ["bridgehead", "tow", "ava"])
def test_the_groups_are_the_offer_and_it_goes_through_json(ruleset: str) -> None:
    game = hexwar.new_game(ruleset, seed=4)
    bots, chance = dict.fromkeys(game.world.sides, RandomBot()), KeyedChance(4)
    kinds = set()
    for _ in range(150):
        if not game.to_move:
            break
        for seat in game.to_move:
            view = game.view(seat)
            asked, again = question(view), question(game.view(seat))
            kinds.add(asked.kind)
            data: Any = json.loads(json.dumps(view.to_json()))["question"]
            assert data == asked.to_json() == again.to_json() == game.question(seat).to_json()
            groups: list[Any] = [asked.group(key).to_json() for key in asked.groups]
            choices = data["choices"] + [choice for group in groups for choice in group["choices"]]
            actions = [game.ruleset.parse_action(choice["action"]) for choice in choices]
            assert sorted(map(repr, actions)) == sorted(map(repr, view.legal_actions()))
            assert [str(action) for action in actions] == [choice["words"] for choice in choices]
            assert asked.example in game.offered(seat)
        move_once(game, bots, chance)
    assert len(kinds) > 3


def test_a_nameless_group_is_divided_by_what_its_actions_are_about() -> None:
    offer = Grouped([Done()], ("",), lambda _: [Move("b1", "0101"), Move("b2", "0101"), Move("b1", "0102")], lambda action: "")
    divided = offer.grouped()
    assert (divided.plain, divided.keys) == ((Done(),), ("b1", "b2"))
    assert list(divided.group("b1")) == [Move("b1", "0101"), Move("b1", "0102")]
    assert Listed([Done()]).grouped().example() == Done()
    with pytest.raises(LookupError, match="nothing is offered"):
        Listed(()).example()


def test_what_an_action_is_about_is_the_text_in_its_first_field() -> None:
    actions: list[Action] = [Move("b1", "0101"), Done(), toy.Walk(2), toy.Do("it")]
    assert [action.key for action in actions] == ["b1", "", "", "it"]


class TestWhatIsShown:
    """Given a question, then it says what a client shows besides the choices."""

    def test_shared_steps_say_it(self) -> None:
        assert moving().question("blue").shows == ("reach",)
        assert hexwar.new_game("bridgehead", seed=1).question("blue").shows == ("chits",)
        attacking = position('{ kind = "attacking", seat = "blue", units = ["b1"], done = [] }', 'b1 = "0603"\nr1 = "0604"')
        assert attacking.question("blue").shows == ("attack",)
        assert question(moving().view("blue")).to_json()["shows"] == ["reach"]

    def test_where_nothing_is_named_nothing_is_shown(self) -> None:
        assert question(toy.new_game().view("south")).shows == ("none",)

    def test_a_word_that_no_client_knows_is_a_mistake_of_the_ruleset(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = hexwar.new_game("bridgehead", seed=1)
        monkeypatch.setattr(Moving, "shows", ("moves",))
        with pytest.raises(
            ContentError, match=r"bridgehead: step Moving: shows 'moves', which is not one of reach, attack, retreat"
        ):
            game.ruleset.check()
