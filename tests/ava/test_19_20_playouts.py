"""Campaigns of many players to their end, by 19 and by 20, with four to eight seats."""

from __future__ import annotations

import os
import random

import pytest

import hexwar
from hexwar.bots import KeyedChance, load_bot
from hexwar.engine import Action, Event, Game
from hexwar.testing import Subject, Watch, budget_of, play_at_random
from hexwar.testing._checks.secrets import HiddenContentDoesNotShow, SecretChoicesStaySecret, ViewsHide
from hexwar.testing._checks.values import JsonIsExact, StatesAreValues
from hexwar_ava import INFO

BY = {
    "19": {"many-players": "controller"},
    "19-seat": {"many-players": "controller", "controller": "seat"},
    "19-player": {"many-players": "controller", "controller": "player"},
    "20": {"many-players": "master-cup"},
}
SEATINGS = [seating.id for seating in INFO.seatings]
EVERY = [(seats, by) for seats in SEATINGS for by in BY if (seats, by) != ("4-teams", "19-player")]
"""Nobody of four teams is among the players whom 19.2 names as controllers."""
PLAYED = EVERY[::2] if os.environ.get("HEXWAR_TIER", "quick") == "quick" else EVERY
"""Every seating with half of the ways, in the larger tiers with all of them."""


def begin(seats: str, by: str, seed: int = 1, **options: bool) -> Game:
    return hexwar.new_game("ava", "campaign", seed=seed, seats=seats, options={"auto-setup": True, **BY[by], **options})


def sound(game: Game, seat: str, action: Action, events: list[Event]) -> None:
    """What must hold after an action; looked at now and then."""
    if len(game.history) % 150 and game.result is None:
        return
    found = [(invariant.title, invariant.broken(game.position)) for invariant in game.ruleset.invariants]
    assert not [entry for entry in found if entry[1]]
    units = [unit for group in game.state.engaged.values() for unit in group]
    assert len(units) == len(set(units)), "no unit is in the hands of two activations"


@pytest.mark.parametrize(("seats", "by"), [("4-players", "19"), ("7-players", "19-seat"), ("6-teams", "20")])
def test_19_20_a_campaign_of_many_comes_to_its_end(seats: str, by: str) -> None:
    game = begin(seats, by)
    assert play_at_random(game, random.Random(f"{seats} {by}"), on_step=sound).finished
    assert game.state.turn == 9


@pytest.mark.long
@pytest.mark.parametrize(("seats", "by"), PLAYED)
def test_19_20_every_seating_comes_to_its_end(seats: str, by: str) -> None:
    seed = SEATINGS.index(seats) + list(BY).index(by)
    game = begin(seats, by, seed, **{"auto-setup": bool(seed % 2)})
    assert play_at_random(game, random.Random(f"{seats} {by} {seed}"), on_step=sound).finished
    state = game.first_state.copy()
    for event in game.events:
        event.apply(state)
    assert state.digest == game.digest, "folding the events gives the last state"


@pytest.mark.long
@pytest.mark.parametrize(("seats", "by"), [("4-players", "19-seat"), ("8-players", "20")])
def test_19_20_commanders_play_a_campaign_of_many(seats: str, by: str) -> None:
    game = begin(seats, by)
    bots = {seat: load_bot("ava-commander") for seat in game.world.seats}
    chance, order = KeyedChance(1), random.Random(1)
    busiest = 0
    while game.to_move:
        seat = order.choice(game.to_move)
        game.apply(bots[seat].choose(game.view(seat), chance), seat)
        busiest = max(busiest, len(game.state.engaged))
    assert game.result is not None
    assert busiest > 1, "activations go on side by side"


WATCHES: tuple[type[Watch], ...] = (ViewsHide, HiddenContentDoesNotShow, SecretChoicesStaySecret, StatesAreValues, JsonIsExact)


@pytest.mark.parametrize("by", ["19-seat", "20"])
def test_19_20_secrets_and_values_hold_in_games_of_many(by: str) -> None:
    subject = Subject.of("ava", "campaign", {"auto-setup": True, **BY[by]})
    watches = [kind(subject, budget_of("quick")) for kind in WATCHES]
    chance = random.Random(f"watched {by}")
    game = subject.start(f"watched {by}")
    for _ in range(60):
        seat = chance.choice(game.to_move)
        action = game.offered(seat).sample(chance)
        for watch in watches:
            watch.before(game, seat, action)
        events = game.apply(action, seat)
        for watch in watches:
            watch.after(game, seat, action, events)
