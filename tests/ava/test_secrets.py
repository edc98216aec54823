"""What may be hidden in A Victory Awaits: a seat imagines anything that it may not know, and nothing else than it knows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from hexwar import new_game
from hexwar.engine import Game, Position, Sequencing
from hexwar.testing._running.secrecy import with_state
from hexwar.testing._staging.random_play import choose
from hexwar_ava.activation import PlayingHeld
from hexwar_ava.controller import DrawNext, Reveal
from hexwar_ava.team_state import DOWN
from hexwar_ava.turn import CallingZhukov
from tests.ava.teams import controlled, row, set_up

AUTO = {"auto-setup": True}
FREE = ("layout", "draws")
"""What is derived, and the dice."""


def positions(game: Game, actions: int, seed: int = 1) -> Iterator[Game]:
    """A random game, position by position."""
    chance = random.Random(seed)
    for _ in range(actions):
        if not game.to_move:
            return
        seat, action = choose(game, chance)
        game.apply(action, seat)
        yield game


def imagined(game: Game, seat: str, number: int) -> Any:
    """What a seat imagines."""
    return game.view(seat).imagine(random.Random(number)).state


def changed_fields(game: Game, actions: int, every: int = 3) -> Counter[str]:
    """How often each field was imagined as something else."""
    changed: Counter[str] = Counter()
    for number, at in enumerate(positions(game, actions)):
        for seat in game.world.seats if number % every == 0 else ():
            fields = vars(imagined(at, seat, number))
            changed.update(name for name, value in vars(at.state).items() if name not in FREE and value != fields[name])
    return changed


def test_6_selections_hands_and_the_cup_are_exchanged() -> None:
    fields: Counter[str] = Counter()
    for seed in range(4):
        fields += changed_fields(new_game("ava", "training", seed, AUTO), 80, 1)
    assert set(fields) <= {"selected", "cup", "hand", "put_in"}
    assert fields["selected"] > 5
    assert fields["cup"] > 5


def test_6_3_a_held_chit_may_be_there_or_not() -> None:
    fields = changed_fields(new_game("ava", "leningrad", 2, AUTO), 900, 2)
    assert fields["hand"] > 3


def test_7_3_5_who_still_holds_a_chit_at_the_end_of_the_turn_is_known() -> None:
    game: Game = new_game("ava", "campaign", 1, AUTO)
    state = game.state.copy()
    state.turn, state.phase, state.stack, state.drawn = 2, "held", [Sequencing(), PlayingHeld("axis")], ("supply",)
    state.hand = {"axis": ("manstein",)}
    hands = {imagined(with_state(game, Position(game.world, state)), "soviet", number).hand["axis"] for number in range(30)}
    assert ("guderian",) in hands, "which one it is, nobody knows"
    assert () not in hands
    state.phase, state.stack = "end", [Sequencing(), CallingZhukov("soviet")]
    state.hand = {}
    hands = {len(imagined(with_state(game, Position(game.world, state)), "soviet", number).hand) for number in range(30)}
    assert hands == {0}, "at the end of the turn everybody knows that all hands are empty"


def test_17_1_a_sealed_bid_may_be_any() -> None:
    game: Game = new_game("ava", "training", 1, {"bidding": True})
    game.apply(game.legal_actions("axis")[4], "axis")
    bids = set()
    for number in range(30):
        bids.add(int(imagined(game, "soviet", number).sealed["axis"][0]))
    highest = 2 * game.world.entry.victory_points
    assert len(bids) > 5
    assert min(bids) >= 1
    assert max(bids) <= highest
    assert imagined(game, "axis", 1).sealed == game.state.sealed, "one's own bid is known"


def test_18_1_4_the_armies_that_were_added_may_be_others() -> None:
    game: Game = new_game("ava", "smolensk", 3, AUTO)
    turn = game.world.entry.extra_headquarters.from_turn
    for at in positions(game, 3_000, 3):
        if at.state.turn >= turn and at.state.added:
            break
    found = set()
    for number in range(60):
        added = imagined(game, "axis", number).added["soviet"]
        assert len(set(added)) == len(game.state.added["soviet"])
        found.add(added)
    assert len(found) > 1


def test_19_4_2_what_lies_face_down_is_exchanged_with_the_cup_but_not_for_the_controller() -> None:
    game: Game = new_game("ava", "campaign", 5, {**AUTO, "many-players": "controller", "controller": "seat"})
    for at in positions(game, 400, 5):
        if any(face == DOWN for _, face, _ in at.state.queue) and len(at.state.cup) > 2:
            break
    else:
        pytest.fail("there was never a row of chits")
    rows: dict[str, set[Any]] = {"north": set(), "controller": set()}
    for number in range(20):
        for seat, found in rows.items():
            found.add(imagined(game, seat, number).queue)
    assert len(rows["north"]) > 1
    assert rows["controller"] <= {game.state.queue}


def test_20_2_the_division_of_the_other_team_is_exchanged() -> None:
    game: Game = new_game("ava", "campaign", 7, {**AUTO, "many-players": "master-cup"}, seats="4-teams")
    dividing, later = Counter[str](), Counter[str]()
    for number, at in enumerate(positions(game, 260, 7)):
        made = imagined(at, "south", number)
        if made.staff == at.state.staff:
            continue
        assert made.staff.get("axis") == at.state.staff.get("axis"), "one's own division is known"
        if at.state.cup:
            later["other"] += 1
            chits = [sorted(chit for _, chit in state.staff["soviet"] if "dummy" not in chit) for state in (made, at.state)]
            assert chits[0] == chits[1], "all that were not drawn"
            shown = [(seat, chit) for chit, seat in at.state.shown_from.items() if chit not in at.state.drawn]
            assert {*shown} <= {*made.staff["soviet"]} | {*made.staff["axis"]}, "whose it is, everybody has seen"
        else:
            dividing["other"] += 1
    assert dividing["other"]
    assert later["other"]


@pytest.mark.clause("19.4.3", "19.4.4")
def test_19_4_3_that_the_controller_is_asked_does_not_tell_what_lies_face_down() -> None:
    """Once the cup was empty, he was asked only where something might be revealed, and everybody could see that."""
    game = controlled("ger-1pzg-1 su-4a su-10a ger-16a", units=set_up(), board="", controller="seat")
    for action in (DrawNext(), Reveal(2), DrawNext(), DrawNext()):
        game.apply(action, "controller")
    assert not game.state.cup
    assert row(game, "north").count("? face down") == 2
    asked = set()
    for chits in (("su-10a", "su-26a"), ("ger-16a", "su-10a"), ("ger-9a", "ger-4a"), ("supply", "su-10a")):
        state = game.state.copy()
        hidden = iter(chits)
        state.queue = tuple(
            (next(hidden), face, keeper) if face == DOWN else (chit, face, keeper) for chit, face, keeper in state.queue
        )
        asked.add(with_state(game, Position(game.world, state)).to_move)
    assert asked == {game.to_move}
    assert game.to_move[-1] == "controller"
