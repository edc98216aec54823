"""What may be hidden in A Victory Awaits: the resampler changes what a seat may not know, and nothing that it knows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from hexwar import new_game
from hexwar.engine import Game, Position
from hexwar.testing._running.secrecy import with_state
from hexwar.testing._staging.random_play import choose
from hexwar_ava.controller import DrawNext, Reveal
from hexwar_ava.kit.secrets import AvaSecrets
from hexwar_ava.team_state import DOWN
from tests.ava.teams import controlled, row, set_up

SECRETS = AvaSecrets()
AUTO = {"auto-setup": True}


def positions(game: Game, actions: int, seed: int = 1) -> Iterator[Game]:
    """A random game, position by position."""
    chance = random.Random(seed)
    for _ in range(actions):
        if not game.to_move:
            return
        seat, action = choose(game, chance)
        game.apply(action, seat)
        yield game


def changed_fields(game: Game, actions: int, every: int = 3) -> Counter[str]:
    """How often a resampling changed each field; what a seat sees never changes."""
    changed: Counter[str] = Counter()
    for number, at in enumerate(positions(game, actions)):
        for seat in game.world.seats if number % every == 0 else ():
            made = SECRETS.resample(at.position, seat, random.Random(number))
            if made is None:
                continue
            viewer = game.world.viewer(seat)
            assert made.state.seen_by(viewer) == at.state.seen_by(viewer)
            fields = vars(made.state)
            changed.update(name for name, value in vars(at.state).items() if name != "layout" and value != fields[name])
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
    state.turn, state.phase, state.stack = 2, "held", []
    hands = set()
    for held in ({"axis": ("manstein",)}, {}):
        state.hand = dict(held)
        for number in range(30):
            made = SECRETS.resample(Position(game.world, state), "soviet", random.Random(number))
            if made is not None:
                hands.add(made.state.hand["axis"])
                assert set(made.state.hand) == set(held)
    assert ("guderian",) in hands, "which one it is, nobody knows"


def test_17_1_a_sealed_bid_may_be_any() -> None:
    game: Game = new_game("ava", "training", 1, {"bidding": True})
    game.apply(game.legal_actions("axis")[4], "axis")
    bids = set()
    for number in range(30):
        made = SECRETS.resample(game.position, "soviet", random.Random(number))
        if made is not None:
            bids.add(int(made.state.sealed["axis"][0]))
    highest = 2 * game.world.entry.victory_points
    assert len(bids) > 5
    assert min(bids) >= 1
    assert max(bids) <= highest
    assert SECRETS.resample(game.position, "axis", random.Random(1)) is None, "one's own bid is known"


def test_18_1_4_the_armies_that_were_added_may_be_others() -> None:
    game: Game = new_game("ava", "smolensk", 3, AUTO)
    turn = game.world.entry.extra_headquarters.from_turn
    for at in positions(game, 3_000, 3):
        if at.state.turn >= turn and at.state.added:
            break
    found = set()
    for number in range(60):
        made = SECRETS.resample(game.position, "axis", random.Random(number))
        if made is not None:
            added = made.state.added["soviet"]
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
            made = SECRETS.resample(game.position, seat, random.Random(number))
            if made is not None:
                found.add(made.state.queue)
    assert len(rows["north"]) > 1
    assert rows["controller"] <= {game.state.queue}


def test_20_2_the_division_of_the_other_team_is_exchanged() -> None:
    game: Game = new_game("ava", "campaign", 7, {**AUTO, "many-players": "master-cup"}, seats="4-teams")
    dividing, later = Counter[str](), Counter[str]()
    for number, at in enumerate(positions(game, 260, 7)):
        made = SECRETS.resample(at.position, "south", random.Random(number))
        if made is None or made.state.staff == at.state.staff:
            continue
        assert made.state.staff.get("axis") == at.state.staff.get("axis"), "one's own division is known"
        if at.state.cup:
            later["other"] += 1
            mine = Counter(seat for seat, _ in at.state.staff["soviet"])
            assert Counter(seat for seat, _ in made.state.staff["soviet"]) == mine, "as many in each cup"
            assert sorted(chit for _, chit in made.state.staff["soviet"]) == sorted(chit for _, chit in at.state.staff["soviet"])
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
