"""Metamorphic checks: Bridgehead and the training scenario pass them, and each finds what it is there for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import hexwar
import hexwar.mechanics._queries
from hexwar.errors import HexwarError
from hexwar.mechanics import Reaches, reach_report
from hexwar.testing import Locality, Symmetry, Turn, check_ruleset, moved, translated
from hexwar.testing._running.relations import TURNS, difference, fresh_names, json_difference, unordered
from hexwar_bridgehead.combat import BridgeheadCombat, BridgeheadRetreat
from hexwar_bridgehead.world import BridgeheadStacking
from tests.testing.test_checks import found

CHECKS = ("board-can-turn", "sides-can-swap", "names-do-not-matter", "far-units-do-not-matter")


def test_bridgehead_passes() -> None:
    report = check_ruleset("bridgehead", only=CHECKS)
    assert [outcome.check for outcome in report.outcomes] == list(CHECKS)
    assert report.passed


def test_the_training_scenario_passes_what_holds_for_it() -> None:
    checks = ["board-can-turn", "far-units-do-not-matter"]
    report = check_ruleset("ava", only=checks, scenarios=["training"], capabilities=[Symmetry(), Locality()])
    assert [outcome.verdict for outcome in report.outcomes] == ["passed", "passed"]


# -- faults that they find ---------------------------------------------------------------------------------------------------

Patch = pytest.MonkeyPatch
Strength = Callable[[Any, Any, str, Fraction], Fraction]


def stronger(patch: Patch, change: Strength) -> None:
    """Plant a rule that makes units stronger."""
    real = BridgeheadCombat.strength

    def strength(self: Any, at: Any, battle: Any, unit: str) -> Any:
        found = real(self, at, battle, unit)
        return replace(found, counted=change(at, battle, unit, found.counted))

    patch.setattr(BridgeheadCombat, "strength", strength)


def the_sun_blinds_those_who_attack_eastwards(patch: Patch) -> None:
    def blind(at: Any, battle: Any, unit: str, counted: Fraction) -> Fraction:
        board = at.world.board
        east = board.centre(battle.target)[0] > board.centre(at.state.locations[unit])[0] + 0.1
        return counted / 2 if east and unit in battle.attackers else counted

    stronger(patch, blind)


def no_retreat_to_the_north(patch: Patch) -> None:
    real = BridgeheadRetreat.why_not_into

    def southwards(self: Any, at: Any, unit: str, path: tuple[str, ...], label: str) -> Any:
        north = self.world.board.direction(path[-1], label) == 0
        return ("retreat", "not northwards") if north else real(self, at, unit, path, label)

    patch.setattr(BridgeheadRetreat, "why_not_into", southwards)


def the_fourth_column_is_marshy(patch: Patch) -> None:
    patch.setattr(BridgeheadStacking, "limit", lambda self, side, label: 1 if label.startswith("04") else 2)


def moves_take_another_way(patch: Patch) -> None:
    """Only what an action leads to shows it: the unit ends a hex further in one direction."""
    real: Any = Reaches.way

    def further(self: Any, at: Any, unit: str, to: str, mode: str = "", by: Any = ()) -> list[str]:
        path: list[str] = real(self, at, unit, to, mode, by)
        board = at.world.board
        north = [label for label in board.neighbours(path[-1]) if board.direction(path[-1], label) == 0]
        return path[:-1] if north and len(path) > 2 and path[-2] == north[0] else path

    patch.setattr(Reaches, "way", further)


def blue_fights_better(patch: Patch) -> None:
    stronger(patch, lambda at, battle, unit, counted: counted + (at.world.units[unit].side == "blue"))


def zones_of_blue_are_seen_only(patch: Patch) -> None:
    real = hexwar.mechanics._queries.HexQuery.zones
    patch.setattr(hexwar.mechanics._queries.HexQuery, "zones", lambda self, side: real(self, side) if side == "blue" else ())


def tanks_have_a_name(patch: Patch) -> None:
    stronger(patch, lambda at, battle, unit, counted: counted * 2 if unit in ("b5", "r6") else counted)


def the_first_in_the_alphabet_leads(patch: Patch) -> None:
    stronger(patch, lambda at, battle, unit, counted: counted + 5 * (battle.attackers[:1] and unit == min(battle.attackers)))


def crowds_are_slow(patch: Patch) -> None:
    real = reach_report

    def slow(at: Any, unit: str, mode: str = "") -> Any:
        report = real(at, unit, mode)
        on_map = sum(label in at.world.board for label in at.state.locations.values())
        return type(report)({label: cost + on_map for label, cost in report.costs.items()}, report.closed)

    patch.setattr(hexwar.mechanics._queries, "reach_report", slow)


def crowds_sap_the_will(patch: Patch) -> None:
    stronger(
        patch, lambda at, battle, unit, counted: counted + sum(label in at.world.board for label in at.state.locations.values())
    )


FAULTS: list[tuple[Callable[[Patch], None], str, str]] = [
    (the_sun_blinds_those_who_attack_eastwards, "board-can-turn", "the rules answer otherwise. odds"),
    (no_retreat_to_the_north, "board-can-turn", "the rules answer otherwise. retreats"),
    (the_fourth_column_is_marshy, "board-can-turn", "with other labels"),
    (moves_take_another_way, "board-can-turn", "leads elsewhere. locations"),
    (blue_fights_better, "sides-can-swap", "when the sides are exchanged, the rules answer otherwise."),
    (zones_of_blue_are_seen_only, "sides-can-swap", "zones red"),
    (tanks_have_a_name, "names-do-not-matter", "when the units have other names"),
    (the_first_in_the_alphabet_leads, "names-do-not-matter", "that sort otherwise"),
    (crowds_are_slow, "far-units-do-not-matter", "far away, the rules answer otherwise. reach"),
    (crowds_sap_the_will, "far-units-do-not-matter", "far away, the rules answer otherwise. odds"),
]
"""What is planted in Bridgehead, which check must find it, and in which words."""


@pytest.mark.parametrize(("plant", "check", "words"), FAULTS)
def test_a_fault_is_found(plant: Callable[[Patch], None], check: str, words: str, monkeypatch: Patch) -> None:
    plant(monkeypatch)
    hexwar.plugins.plugins().worlds.clear()
    told = found(check, "bridgehead", seeds=20)
    hexwar.plugins.plugins().worlds.clear()
    assert words in told


# -- images ------------------------------------------------------------------------------------------------------------------


def test_there_are_eleven_turns_and_each_keeps_neighbours() -> None:
    board = hexwar.load_board("bridgehead/crossing")
    digests = {moved(board, turn).digest for turn in TURNS}
    assert len(digests | {board.digest}) == 12
    for turn in TURNS:
        image = moved(board, turn)
        for label in board.labels:
            assert set(image.neighbours(label)) == set(board.neighbours(label))
            assert image.terrain(label) == board.terrain(label)
            for near in board.neighbours(label):
                assert (image.side(label, near), image.links(label, near)) == (board.side(label, near), board.links(label, near))
    assert moved(board, Turn()).digest == board.digest
    assert str(Turn(2, mirrored=True)) == "mirrored and turned by 120 degrees"


def test_new_names() -> None:
    names = fresh_names(["b", "a", "c"], ["supply"], prefix="unit ", seed=3)
    assert sorted(names) == ["a", "b", "c"]
    assert sorted(names.values()) == ["unit 0", "unit 1", "unit 2"]
    assert fresh_names(["a", "b"], [], prefix="") == {"a": "a!", "b": "b!"}
    with pytest.raises(HexwarError, match="'a' is the name of two things"):
        fresh_names(["a"], ["a"], prefix="unit ")
    with pytest.raises(HexwarError, match="'a!' cannot be a new name"):
        fresh_names(["a"], ["a!"], prefix="unit ")


def test_translation_goes_everywhere() -> None:
    value = {"a": ["a", ("b", frozenset({"a"}))], "n": 1}
    assert translated(value, {"a": "x"}) == {"x": ["x", ("b", frozenset({"x"}))], "n": 1}
    assert unordered({"units": ["b", "a"], "path": [["b"], ["a"]]}) == {"units": ["a", "b"], "path": [["b"], ["a"]]}


def test_differences_are_told_in_words() -> None:
    assert difference({}, {}) == ""
    assert difference({("reach", "b1"): {"0101": 1}}, {("reach", "b1"): {}}) == "reach b1: 0101 is 1 here and None there"
    assert difference({("zones", "red"): frozenset("a")}, {}) == "zones red: frozenset({'a'}) here and None there"
    sets = difference({("actions", "red"): frozenset({frozenset({("kind", "done")})})}, {("actions", "red"): frozenset()})
    assert sets == "actions red: only here {kind: done}, only there nothing"
    assert json_difference({"at": {"a": "1"}, "turn": 2}, {"at": {"a": "2"}, "turn": 2}) == "at: a is 1 here and 2 there"
    assert json_difference({"turn": 1}, {"turn": 2}) == "turn: 1 here and 2 there"
    assert json_difference({"turn": 1}, {"turn": 1}) == ""
