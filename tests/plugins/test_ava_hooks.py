"""The rule hooks that the course of a game asks: sequence, chits, ways of moving, lines, reinforcements and the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import hexwar
from hexwar import Variant
from hexwar.engine import Phase, Position, SequenceOfPlay
from hexwar.errors import RuleBroken
from hexwar.mechanics import Arrive, Combat, Mode, Move, Rail, Reinforcements
from hexwar.plugins import Plugins
from tests.plugins.sample import CLAUSE, playing_with, plugin, using

MOVING = '{kind = "moving", seat = "blue", units = ["b1"]}'
ON: dict[str, object] = {"house": True}


@contextmanager
def at_war(**hooks: Any) -> Iterator[Plugins]:
    """A Victory Awaits with a house rule, which the option `house` switches on."""
    rules = plugin(**hooks)
    manager = Plugins(allow=["ava", "maps", "house"])
    manager.register(plugin(hexwar_variants=lambda: [Variant("house", "ava", "House rule", rules, (CLAUSE,))]), "house")
    with using(manager):
        yield manager


def training(path: tuple[int, ...], *, on: bool = True, **parts: str) -> Any:
    """A hand-made position of the training scenario that goes on at a place of the sequence of play."""
    state = ", ".join(f"{name} = {value}" for name, value in parts.items() if name != "units")
    lines = [
        'ruleset = "ava"',
        'scenario = "training"',
        f"options = {{house = {str(on).lower()}}}",
        f"units = {{{parts.get('units', '')}}}",
        f"state = {{turn = 2, phase = 'command'{', ' if state else ''}{state}}}",
        f'stack = [{{kind = "sequencing", path = {list(path)}}}]',
    ]
    return hexwar.position("\n".join(lines))


def test_hexwar_sequence_has_one_phase_more() -> None:
    def muster(play: Any) -> None:
        play.roll("muster", clause="house.1")

    def first_a_muster(world: Any, sequence: SequenceOfPlay) -> SequenceOfPlay:
        assert world.options == {"barrage": False, "house": True}
        return SequenceOfPlay(Phase("muster", "Muster", "house.1", muster), *sequence.nodes)

    with playing_with(hexwar_sequence=first_a_muster):
        game = hexwar.new_game("bridgehead", seed=1, options=ON)
        told = [event.kind for event in game.events if event.clause == "house.1"]
        assert told == ["phase-entered", "dice-rolled"]
        assert game.world.sequence.outline()[0] == "Muster [house.1]"
        assert "Muster [house.1]" not in hexwar.new_game("bridgehead", seed=1).world.sequence.outline()
    with playing_with(hexwar_sequence=lambda: ["muster"]), pytest.raises(RuleBroken, match="must return SequenceOfPlay or None"):
        hexwar.new_game("bridgehead", seed=1, options=ON)


def test_hexwar_chits_adds_and_takes_away() -> None:
    def other_chits(world: Any, chits: dict[str, Any]) -> dict[str, Any]:
        assert world.entry.id == "training"
        rest = {name: chit for name, chit in chits.items() if name != "manstein"}
        return {**rest, "ger-18a-2": chits["ger-18a"].model_copy(update={"id": "ger-18a-2"})}

    with at_war(hexwar_chits=other_chits):
        on, off = (hexwar.new_game("ava", "training", seed=1, options={"house": on}) for on in (True, False))
        assert set(off.world.chits) - set(on.world.chits) == {"manstein"}
        assert set(on.world.chits) - set(off.world.chits) == {"ger-18a-2"}
        assert "ger-18a-2" in on.world.available(on.position, "axis")
        assert on.world.content != off.world.content, "a save knows what it was played with"


def test_hexwar_resolve_chit_does_it_in_its_own_way() -> None:
    def no_supply_check(play: Any, chit: str, resolved: bool) -> bool | None:
        if chit != "supply" or resolved:
            return None
        play.roll("instead", clause="house.1")
        return True

    parts = {"units": "su-8a = 'L0927', ger-4pzg = 'L0530'", "drawn": "['supply']", "cup": "['ger-4pzg']"}
    with at_war(hexwar_resolve_chit=no_supply_check):
        on, off = (training((2, 1, 1), on=on, **parts) for on in (True, False))
        assert [event.purpose for event in on.events if event.kind == "dice-rolled"] == ["instead"]
        assert on.state.drawn == ("supply", "ger-4pzg"), "the next chit is drawn"
        assert off.state.drawn == ("supply",)
        assert "off the map" in off.prompt()


def test_hexwar_modes_keeps_a_unit_out_of_zones() -> None:
    def timid(at: Any, unit: str, modes: tuple[Mode, ...]) -> tuple[Mode, ...] | None:
        return (replace(modes[0], outside_zones=True),) if unit == "b1" else None

    text = (
        "ruleset = 'bridgehead'\noptions = {house = %s}\nunits = {b1 = '0402', b2 = '0302', r1 = '0404'}\n"
        "stack = [{kind = 'sequencing', path = [0, 2]}, {kind = 'moving', seat = 'blue', units = ['b1', 'b2']}]"
    )
    with playing_with(hexwar_modes=timid):
        for on, enters in (("false", True), ("true", False)):
            game = hexwar.position(text % on)
            zone = set(game.query.zones("red"))
            ends = {move.to for move in game.legal_actions() if isinstance(move, Move) and move.unit == "b1"}
            assert bool(ends & zone) is enters
            assert ends - zone
            others = {move.to for move in game.legal_actions() if isinstance(move, Move) and move.unit == "b2"}
            assert others & zone
        refusal = game.why_not(Move("b1", sorted(zone & set(game.query.reach("b2").costs))[0]))
        assert refusal is not None
        assert "enters an enemy zone of control" in refusal.message
        assert Move("b1", sorted(ends)[0]) in game.offered("blue")


def test_hexwar_modes_closes_a_way_of_moving() -> None:
    with at_war(hexwar_modes=lambda modes: modes[:1]):
        units = "ger-4pzg = 'L0530', ger-1pz = 'L0529'"
        for on in (False, True):
            game = training((2, 1, 1), on=on, units=units, drawn="['ger-4pzg']")
            modes = {move.mode for move in game.legal_actions() if isinstance(move, Move)}
            assert modes == ({""} if on else {"", "strategic"})


def test_the_part_combat_says_who_may_attack() -> None:
    class Resting(Combat):
        def attackers(self, at: Position, units: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(unit for unit in super().attackers(at, units) if unit != "ger-1pz")

    units = "ger-4pzg = 'L0530', ger-1pz = 'L0529', ger-6pz = 'L0529', su-90 = 'L0528'"
    with at_war(PARTS={"combat": Resting}):
        for on, able in ((False, {"ger-1pz", "ger-6pz"}), (True, {"ger-6pz"})):
            game = training((2, 1, 3), on=on, units=units, drawn="['ger-4pzg']", active="['ger-1pz', 'ger-6pz']")
            assert {action.unit for action in game.legal_actions() if hasattr(action, "unit")} == able


def test_hexwar_lines_follow_a_road() -> None:
    def by_road(side: str) -> tuple[Rail, ...] | None:
        return (Rail("road", 0),) if side == "soviet" else None

    units = "su-90 = 'L1319', su-8a = 'L0927', ger-4pzg = 'L0530'"
    with at_war(hexwar_lines=by_road):
        on, off = (training((2, 0), on=on, units=units) for on in (True, False))
        assert off.query.supply("su-90").supplied
        board = on.world.board
        for unit in ("su-90", "su-8a"):
            line = on.query.supply(unit).line
            assert all("road" in board.links(here, there) for here, there in pairwise(line))
        trackless = [hex for hex in board.labels if not board.has_link(hex, "road")]
        assert any(off.query.supply(hex, "soviet").supplied for hex in trackless)
        assert not any(on.query.supply(hex, "soviet").supplied for hex in trackless)


def test_hexwar_reinforcements_come_in_other_numbers() -> None:
    def one_more(at: Any, chit: str, groups: tuple[Reinforcements, ...]) -> tuple[Reinforcements, ...]:
        assert chit == "axis-reinforcements"
        return tuple(group._replace(number=group.number + 1) for group in groups)

    units = "ger-207sec = 'axis available', ger-21 = 'axis available', ger-1 = 'axis available', su-8a = 'L1619'"
    with at_war(hexwar_reinforcements=one_more):
        came = {}
        for on in (False, True):
            game = training((2, 1, 1), on=on, units=units, drawn="['axis-reinforcements']")
            came[on] = 0
            while arrivals := [action for action in game.legal_actions("axis") if isinstance(action, Arrive)]:
                game.apply(arrivals[0])
                came[on] += 1
        assert came[True] == came[False] + 1


def test_hexwar_points_needed_decide_the_game() -> None:
    def half(side: str, needed: tuple[int, str]) -> tuple[int, str]:
        assert side == "axis"
        return needed[0] // 2, "house.1"

    with at_war(hexwar_points_needed=half):
        on, off = (hexwar.new_game("ava", "training", seed=1, options={"house": on}) for on in (True, False))
        assert (on.query.points_needed(), off.query.points_needed()) == ({"axis": (6, "house.1")}, {"axis": (12, "16.4.2")})
