"""The fast rules and the literal ones agree in positions of random games."""

from __future__ import annotations

import random
from typing import Any

import pytest

import hexwar
from hexwar.engine import Action, Event, Game
from hexwar.testing import playout
from tests.tow.helpers import field, marching, position
from tests.tow.reference import Table

EVERY = {"training": 9, "race": 61}


def compare(game: Game[Any, Any], chance: random.Random) -> None:
    """Zones, lines and command, and the reaches and retreats of a few units."""
    table, query = Table(game), game.query
    for side in ("axis", "soviet"):
        assert table.watched(table.enemy(side)) == set(query.zones(side))
        lines = table.supplied(side)
        for unit, label in table.at.items():
            if table.units[unit].side == side:
                assert query.supply(unit).supplied == (label in lines), unit
    for unit in table.at:
        if table.units[unit].command:
            assert set(query.command(unit)) == table.commanded(unit)
    for unit in chance.sample(sorted(table.at), min(6, len(table.at))):
        literal = {label: cost for label, cost in table.reach(unit).items() if label != table.at[unit]}
        found = query.reach(unit).costs
        assert all(literal.get(label) == cost for label, cost in found.items()), unit
        room = {label for label in literal if game.world.may_stack((*game.state.layout.stacks.get(label, ()), unit), label)}
        assert room == set(found), unit
        retreat(game, table, unit, chance.choice((1, 2)))


def retreat(game: Game[Any, Any], table: Table, unit: str, hexes: int) -> None:
    ways = list(table.retreats(unit, hexes))
    options = game.query.retreats(unit, hexes)
    assert {option.path[: hexes + 1] for option in options} <= set(ways)
    if options and not options[0].overflow and all(not option.overflow for option in options):
        steps = game.state.steps[unit]
        ranks = [(table.rank(unit, way)[0] >= steps, *table.rank(unit, way)) for way in ways]
        best = options[0].path
        assert (table.rank(unit, best)[0] >= steps, *table.rank(unit, best)) == min(ranks)


@pytest.mark.parametrize("scenario", ["training", "race"])
@pytest.mark.parametrize("seed", range(3))
def test_8_1_2_fast_and_literal_rules_agree(scenario: str, seed: int) -> None:
    chance = random.Random(seed)

    def look(game: Game[Any, Any], seat: str, action: Action, events: list[Event[Any]]) -> None:
        if len(game.history) % EVERY[scenario] == 0 and game.result is None:
            compare(game, chance)

    game = hexwar.new_game("tow", scenario, seed=seed, options={"auto-setup": True})
    playout(game, random.Random(seed), on_step=look)


def test_9_3_2_the_literal_rule_would_notice_a_bridge_that_lifts_the_ban() -> None:
    """A planted fault: a world that does not guard major rivers is caught."""
    board = field(sides={"major-river": ["0708|0709"]}, road=["0708 0709"])
    game = position({"ger-57": "0708", "sov-51": "0809"}, marching("ger-57"), board=board)
    compare(game, random.Random(1))
    broken = position({"ger-57": "0708", "sov-51": "0809"}, marching("ger-57"), board=board)
    broken.world._guarded_sides = frozenset()
    broken.world._costs.clear()
    with pytest.raises(AssertionError):
        compare(broken, random.Random(1))
