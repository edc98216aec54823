"""Ways through places: what leads through them is legal, and everything is found that their owner may want."""

from __future__ import annotations

import random
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game, Group, Listed
from hexwar.errors import Refusal
from hexwar.mechanics import Enter, Move
from hexwar.pieces import Done

GAMES = [("bridgehead", "crossing"), ("ava", "training"), ("tow", "training"), ("wop", "raid")]


def in_order(places: list[Any], path: tuple[str, ...]) -> bool:
    rest = iter(path)
    return all(place in rest for place in places)


def ways_offered(ruleset: str, scenario: str, seed: int) -> Any:
    """Games in which somebody is asked where a unit is to go, and one of the units that may."""
    game, chance = hexwar.new_game(ruleset, scenario, seed=seed), random.Random(seed)
    for _ in range(250):
        if not game.to_move:
            return
        question = game.question(game.to_move[0])
        if question.way and question.groups and chance.random() < 0.4:
            yield game, question.group(chance.choice(question.groups)), chance
        game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])


def led(group: Group, chance: random.Random) -> tuple[list[Any], list[Any]]:
    """Some places, one or two, and the choices that lead through them."""
    ends = sorted(group.places())  # type: ignore[type-var]
    places = chance.sample(ends, min(len(ends), chance.randrange(1, 3)))
    try:
        return places, list(group.through(places))
    except Refusal:
        return places, []


@pytest.mark.parametrize(("ruleset", "scenario"), GAMES)
def test_every_way_through_places_is_offered_and_leads_there(ruleset: str, scenario: str) -> None:
    number = 0
    for game, group, chance in ways_offered(ruleset, scenario, 3):
        places, actions = led(group, chance)
        for action in actions:
            number += 1
            assert game.why_not(action, game.to_move[0]) is None
            assert in_order(places, action.path)
            assert action.path[-1] == action.to
    assert number > 30


def test_through_the_hexes_of_a_way_it_is_that_way() -> None:
    """A detour that is listed is what its owner gets who names its hexes, and by its place alone the same way is found."""
    number = 0
    for _, group, _ in ways_offered("ava", "training", 5):
        for action in group:
            if isinstance(action, Move) and action.path and not action.mode:
                number += 1
                assert action in list(group.through(action.path[1:-1]))
    assert number


def moving() -> Game:
    game = hexwar.new_game("bridgehead", seed=7)
    while game.question(game.to_move[0]).asks != "move":
        game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
    return game


def test_a_way_that_is_closed_is_refused_with_its_rule() -> None:
    game = moving()
    question = game.question(game.to_move[0])
    group = question.group(question.groups[0])
    with pytest.raises(Refusal, match="there is no hex 9999"):
        group.through(["9999"])
    (enemy, *_) = [label for label, stack in game.state.layout.stacks.items() if game.world.units[stack[0]].side != question.seat]
    with pytest.raises(Refusal, match="occupied by"):
        group.through([enemy])
    far = [to for to in group.places() if isinstance(to, str)]
    one, other = max(((a, b) for a in far for b in far), key=lambda pair: game.world.board.distance(*pair))
    with pytest.raises(Refusal, match="does not get from"):
        group.through([one, other])


def test_a_unit_may_come_back_to_where_it_began_and_may_stay_at_its_corner() -> None:
    game = moving()
    question = game.question(game.to_move[0])
    group = question.group(question.groups[0])
    here = game.state.locations[group.key]
    (near, *_) = [to for to in sorted(group.places()) if game.world.board.adjacent(here, to)]  # type: ignore[type-var]
    ways = {action.to: action.path for action in group.through([near])}  # type: ignore[attr-defined]
    assert ways[here] == (here, near, here)
    assert ways[near] == (here, near)


def test_what_has_no_way_leads_through_nothing() -> None:
    assert not Listed([Done()]).through(["0101"])
    assert (Done.way, Move.way, Enter.way) == ("", "path", "path")
