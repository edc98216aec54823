"""What holds in every position that play can lead to, of games that nobody thought about.

The checks of the kit follow random games by their events and compare their own books with the state: units and steps are
conserved, control is the last visitor's, chits are conserved, no stack is over the limit, sides are apart, no Soviet unit is
beyond the start line, zones are what the units make them, every move, retreat, pursuit, attack and supply check is one that the
literal rules allow, and the points are those of the literal count.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import hexwar
from hexwar.engine import Game, Position, RandomSource
from hexwar.mechanics import AttackAnnounced, AttackResolved, Battle, Declare, Fight
from hexwar.pieces import ChitDrawn, Done, StepLost, UnitEliminated, UnitMoved, UnitPlaced
from hexwar.testing import Following, Subject, budget_of, checks_of, observe, play_at_random, random_decisions
from hexwar.testing.strategies import chances
from hexwar_ava.state import FortressBuilt, UnitWithdrawn

CHANGES = (UnitPlaced, UnitMoved, StepLost, UnitEliminated, UnitWithdrawn, FortressBuilt)
"""The events after which something lies elsewhere, or with its other side up."""


def watched(game: Game, chance: RandomSource, *, tier: str = "ci", stop_after: int) -> Counter[str]:
    """Play at random with all checks that follow games; what happened, by kind and manner."""
    subject, budget = Subject.of("ava", game.world.setup.scenario), budget_of(tier)
    watches = [kind(subject, budget) for kind in checks_of(subject, "quick") if issubclass(kind, Following)]
    assert len(watches) > 15
    faults = observe(game, watches, random_decisions(game, chance, stop_after))
    assert not faults, f"{len(faults[0].moves)}: {faults[0].error}"
    return Counter(event.mode or event.manner if isinstance(event, UnitMoved) else event.kind for event in game.events)


def test_3_0_whole_training_games_obey_the_literal_rules() -> None:
    seen: Counter[str] = Counter()
    for seed in range(10):
        game = hexwar.new_game("ava", "training", seed=seed)
        seen += watched(game, random.Random(seed), stop_after=1000)
        assert game.result is not None
    # Something of everything happened, so that the test can fail.
    happened = {"moves", "strategic", "attack-declared", "retreats", "pursues", "fortress-built", "step-lost"}
    assert happened <= set(seen)
    assert seen["game-ended"] == 10


@given(chance=chances(4_000))
@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_3_0_training_games_that_hypothesis_plays(chance: RandomSource) -> None:
    game = hexwar.new_game("ava", "training", chance=chance)
    watched(game, chance, stop_after=1000)


@pytest.mark.parametrize(
    ("scenario", "actions", "tier"),
    [
        ("leningrad", 400, "ci"),
        ("smolensk-short", 400, "ci"),
        ("smolensk", 450, "ci"),
        ("kiev", 450, "ci"),
        ("campaign", 700, "quick"),
    ],
)
def test_3_0_real_scenarios_obey_the_literal_rules(scenario: str, actions: int, tier: str) -> None:
    game = hexwar.new_game("ava", scenario, seed=f"properties of {scenario}", options={"auto-setup": scenario != "kiev"})
    seen = watched(game, random.Random(scenario), tier=tier, stop_after=actions)
    assert seen["moves"]
    assert seen["attack-declared"]
    assert seen["units-activated"]


def test_10_6_12_retreats_supply_checks_and_points_of_a_leningrad_game() -> None:
    game = hexwar.new_game("ava", "leningrad", seed="lines", options={"auto-setup": True})
    seen = watched(game, random.Random("lines"), tier="nightly", stop_after=330)
    assert seen["retreats"]
    assert "supply" in [event.chit for event in game.events if isinstance(event, ChitDrawn)]


# -- previews ------------------------------------------------------------------------------------------


def attacks_of(scenario: str, seed: int, actions: int) -> int:
    """Play a game in which everybody attacks where he can; compare each attack with the preview just before it."""
    game = hexwar.new_game("ava", scenario, seed=seed, options={"auto-setup": True})
    chance = random.Random(seed)
    compared = 0
    for _ in range(actions):
        if not game.to_move:
            break
        seat = game.to_move[0]
        action = game.offered(seat).sample(chance)
        declared = [other for other in game.legal_actions(seat) if isinstance(other, Declare)] if isinstance(action, Done) else []
        action = chance.choice(declared) if declared else action
        before: Position = Position(game.world, game.state)
        preview = game.ruleset.query(before)
        events = game.apply(action, seat)
        for number, event in enumerate(events):
            if isinstance(event, CHANGES):
                break  # the position is no longer the one that was asked about
            if not isinstance(event, AttackAnnounced):
                continue
            battle = event.battle
            told = preview.odds(battle.attackers, battle.target)
            assert told == before.world.combat.odds(before, Battle.on(battle.side, battle.target, battle.attackers))
            assert (told.attack, told.defence, told.name) == (event.attack, event.defence, event.odds)
            assert tuple((s.columns, s.reason, s.clause) for s in told.shifts) == event.shifts
            resolved = next(later for later in events[number:] if isinstance(later, AttackResolved))
            assert told.distribution[resolved.result] > 0
            compared += 1
    return compared


def test_10_3_6_the_preview_of_an_attack_is_what_is_resolved() -> None:
    assert sum(attacks_of("training", seed, 150) for seed in range(6)) > 5
    assert attacks_of("leningrad", 1, 150)


# -- what one unit fewer changes ------------------------------------------------------------------------------------------


def less(game: Game, unit: str) -> Position:
    """The position if a unit were not on the map."""
    state = game.state.copy()
    state.put(unit, f"{game.world.units[unit].side} eliminated")
    return Position(game.world, state)


def moments(scenario: str, seed: int, gap: int, number: int) -> list[Game]:
    """A random game now and then."""
    game = hexwar.new_game("ava", scenario, seed=seed, options={"auto-setup": True})
    chance, found = random.Random(seed), []
    for _ in range(number):
        play_at_random(game, chance, stop_after=gap)
        if game.result is None:
            found.append(game.copy())
    return found


@pytest.mark.parametrize(
    ("scenario", "gap", "number", "units"), [("training", 7, 10, 99), ("leningrad", 90, 3, 12), ("kiev", 130, 2, 6)]
)
def test_3_3_2_an_enemy_fewer_never_cuts_a_line(scenario: str, gap: int, number: int, units: int) -> None:
    gained = 0
    for game in moments(scenario, 5, gap, number):
        world = game.world
        standing = [unit for unit, label in game.state.locations.items() if label in world.board]
        for side in ("axis", "soviet"):
            supplied = world.supply.supplied_units(game.position, side)
            hexes = world.supply.supplied(game.position, side)
            enemies = [unit for unit in standing if world.units[unit].side != side]
            for enemy in random.Random(len(game.history)).sample(enemies, min(units, len(enemies))):
                after = less(game, enemy)
                assert supplied <= world.supply.supplied_units(after, side), (side, enemy)
                more = world.supply.supplied(after, side)
                assert not hexes & ~more
                gained += more != hexes
    assert gained  # at least once a line was opened: the comparison can fail


@pytest.mark.parametrize(("scenario", "gap", "number", "units"), [("training", 7, 10, 99), ("leningrad", 90, 3, 9)])
def test_9_2_5_an_enemy_fewer_never_makes_a_move_dearer(scenario: str, gap: int, number: int, units: int) -> None:
    cheaper = 0
    for game in moments(scenario, 6, gap, number):
        world = game.world
        chance = random.Random(len(game.history))
        standing = [
            unit for unit, label in game.state.locations.items() if label in world.board and world.units[unit].arm != "fortress"
        ]
        for unit in chance.sample(standing, min(units, len(standing))):
            enemies = [other for other in standing if world.units[other].side != world.units[unit].side]
            near = sorted(
                enemies, key=lambda other: world.board.distance(game.state.locations[other], game.state.locations[unit])
            )
            if not near:
                continue
            reach, fewer = game.world.reaches.reach, less(game, near[0])
            before, after = reach(game.position, unit), reach(fewer, unit)
            assert all(after.get(label, 999) <= cost for label, cost in before.items())
            cheaper += dict(before) != dict(after)
    assert cheaper


def test_10_1_3_no_hex_is_attacked_twice_in_a_segment_and_no_unit_attacks_twice() -> None:
    """10.1.1, 10.1.3: by the events alone."""
    fights = 0
    for seed in range(8):
        game = hexwar.new_game("ava", "training", seed=seed)
        play_at_random(game, random.Random(seed))
        targets: set[str] = set()
        attackers: set[str] = set()
        for event in game.events:
            if event.kind == "units-activated":
                targets, attackers = set(), set()
            if isinstance(event, AttackAnnounced):
                assert event.battle.target not in targets
                assert not attackers & set(event.battle.attackers)
                targets.add(event.battle.target)
                attackers |= set(event.battle.attackers)
                fights += 1
    assert fights
    assert Fight.kind in game.ruleset.action_types
