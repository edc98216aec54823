"""A witness of whole games: after every action it works out literally what the rules let it work out, and compares.

Odds from counters, rivers, supply markers and terrain (1.3, 8.2, 10.2), the result from the printed table (PA.CRT), markers of a
supply check (8.1), crossing points (12.3), control (8.1.7), headquarters that never leave the game (2.3) and victory points
(13.3). Bots that like to attack play; nothing here calls the rules that it checks.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import hexwar
from hexwar.bots import GreedyBot, KeyedChance, move_once
from hexwar.engine import Event, Game
from hexwar_tow.state import WAITING
from tests.tow.battles import AT, attack, battle
from tests.tow.table import field, of_kind
from tests.tow.test_10_results import SEQUENCE

COLUMNS = [Fraction(1), Fraction(3, 2), *map(Fraction, range(2, 11))]
TOGETHER = {"1826", "1827", "1926"}


class Witness:
    """What was on the table before an action, to be compared with what its events tell."""

    def __init__(self, game: Game) -> None:
        self.seen: dict[str, int] = {}
        self.note(game)

    def note(self, game: Game) -> None:
        """Remember the position."""
        state = game.state
        self.at, self.steps, self.supply = dict(state.at), dict(state.steps), dict(state.supply)
        self.committed = state.committed

    def look(self, game: Game, events: list[Event]) -> None:
        """Compare events and position with the rules."""
        for event in events:
            self.seen[event.kind] = self.seen.get(event.kind, 0) + 1
            if event.kind == "attack-declared":
                self.odds(game, event)
        resolved = of_kind(events, "attack-resolved")
        if (
            len(resolved) == 1 and not self.committed and not of_kind(events, "marker-used")
        ):  # the Luftwaffe changes odds and roll
            rolled = [event.dice[0] for event in of_kind(events, "dice-rolled")]
            declared = of_kind(game.events, "attack-declared")
            column = list(game.world.table.columns).index(declared[-1].odds)
            assert resolved[0].result == SEQUENCE[column + rolled[0] - 1]
        self.markers(game, events)
        self.crossings(game)
        self.pieces(game)
        if game.world.entry.scheme == "campaign" and game.state.phase != "verdict" and game.result is None:
            self.points(game)
        self.note(game)

    def odds(self, game: Game, event: Any) -> None:
        """1.3.2, 8.2, 10.2: strengths and column."""
        world, board, target = game.world, game.world.board, event.battle.target
        sums: dict[str, int] = {}
        for unit in event.battle.attackers:
            printed = world.units[unit].faces[self.steps[unit] - 1].attack
            here = self.at[unit]
            sums[here] = sums.get(here, 0) + max(0, printed - (2 if unit in self.supply else 0))
        rivers = {"major-river", "minor-river"}
        strength = sum(total // 2 if rivers & set(board.side(here, target)) else total for here, total in sums.items())
        defence = 0
        for unit, here in self.at.items():
            if here == target:
                printed = world.units[unit].faces[self.steps[unit] - 1].defence
                defence += max(0, printed - (2 if self.supply.get(unit) == "isolated" else 0))
        if defence:
            kinds = {place.kind for place in board.places if target in place.hexes}
            left = ("town" in kinds) + (board.terrain(target) in ("rough", "marsh"))
            left = 2 if "major-city" in kinds else left
            column = max(n for n, begins in enumerate(COLUMNS) if Fraction(strength, defence) >= begins) - left
        else:
            column = len(COLUMNS) - 1
        assert (event.attack, event.defence) == (strength, defence)
        assert list(world.table.columns).index(event.odds) == column

    def markers(self, game: Game, events: list[Event]) -> None:
        """8.1.8 to 8.1.11: markers change in a check only, and as the lines of the moment say."""
        changes = of_kind(events, "supply-changed")
        gone = {unit for unit in self.supply if game.state.at.get(unit) not in game.world.board}
        if not changes:
            assert dict(game.state.supply) == {unit: how for unit, how in self.supply.items() if unit not in gone}
            return
        for event in changes:
            before = self.supply.get(event.unit, "")
            assert event.status in ({"": ("out of supply",)}.get(before, ("isolated", "")))

    def crossings(self, game: Game) -> None:
        """12.3: nobody overlooks a crossing point."""
        state, world = game.state, game.world
        held: dict[str, set[str]] = {"axis": set(), "soviet": set()}
        for unit, label in state.at.items():
            if label in world.board:
                held[world.units[unit].side].add(label)
        for label in set(world.crossing_hexes) - set(state.crossings):
            guarded = held["axis"] & (TOGETHER if label in TOGETHER and state.turn < 7 else {label})
            near = state.turn >= 7 or any(world.board.distance(label, other) <= 2 for other in held["soviet"])
            assert guarded or not near, label

    def pieces(self, game: Game) -> None:
        """2.3, 8.1.7: headquarters are on the map or wait; cities belong to whoever stands in them."""
        state, world = game.state, game.world
        for unit, label in state.at.items():
            if label in world.cities:
                assert state.control[label] == world.units[unit].side
            if world.units[unit].arm == "hq" and world.units[unit].start.isdigit():
                assert label in world.board or label == WAITING

    def points(self, game: Game) -> None:
        """13.3: what the Soviets have before the end."""
        state, world = game.state, game.world
        points = 8 * sum(owner == "soviet" for owner in state.control.values())
        points += 2 * state.relocations.get("axis", 0) - 2 * state.relocations.get("soviet", 0)
        for unit, label in state.at.items():
            counter = world.units[unit]
            if label == "axis eliminated" and counter.nation == "german":
                points += 2 if counter.arm == "armour" else 1
            if counter.side == "soviet" and label in world.breakthrough_hexes:
                points += 5
        assert points == sum(score.points for score in game.query.score())


def witnessed(scenario: str, seed: int) -> dict[str, int]:
    """Play a game before a witness; how many events of each kind it has seen."""
    game = hexwar.new_game("tow", scenario, seed=seed, options={"auto-setup": True})
    witness, chance = Witness(game), KeyedChance(f"witness {seed}")
    bots = {"axis": GreedyBot(2.0), "soviet": GreedyBot(2.0)}
    while game.result is None:
        witness.look(game, move_once(game, bots, chance))
    return witness.seen


@pytest.mark.clause("10.2.4", "8.1.11", "12.3.4", "13.3.2", "13.3.3", "13.3.4", "10.3.1")
def test_1_3_2_a_witness_agrees_with_whole_games() -> None:
    seen = witnessed("training", 3)
    for seed in (4, 5):
        for kind, number in witnessed("training", seed).items():
            seen[kind] = seen.get(kind, 0) + number
    assert seen["attack-declared"] > 40
    assert seen["attack-resolved"] > 40


def test_10_2_1_the_witness_would_notice_rivers_that_do_not_halve() -> None:
    """A planted fault."""
    board = field(sides={"minor-river": [f"{AT}|0708"]})
    for halved in (True, False):
        game = battle({"ger-213sec": AT, "sov-2tk": "0708"}, "sov-2tk", board=board, dice=[1])
        witness = Witness(game)
        if not halved:
            game.world.halved = lambda at, battle, unit: False
        events = attack(game, AT, "sov-2tk")
        if halved:
            witness.look(game, events)
        else:
            with pytest.raises(AssertionError):
                witness.look(game, events)
