"""Games from positions that nobody wrote: random games in whose middle the pieces are thrown together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hexwar.engine import settle_options
from hexwar.testing import BUDGETS, CheckFailed, Mutant, Subject, check_ruleset, planted
from hexwar.testing.oracles import Movement, Thrown
from hexwar.testing.planting import setting
from hexwar_bridgehead.world import BridgeheadZones

FREE_ZONES = Mutant("free-zones", "Entering enemy zones costs nothing.", setting(BridgeheadZones, "enter", 0))


@pytest.mark.parametrize("ruleset", ["bridgehead", "wop", "wb95"])
def test_thrown_games_come_from_all_turns_and_depend_on_their_key_alone(ruleset: str) -> None:
    subject = Subject.of(ruleset)
    thrown = subject.kit.capability(Thrown) or Thrown()
    games = [thrown.stage(subject, f"key {number}") for number in range(8)]
    assert [thrown.stage(subject, f"key {number}").digest for number in range(8)] == [game.digest for game in games]
    assert len({game.state.turn for game in games}) > 2
    assert all(thrown.is_sound(game) for game in games)


def test_options_meet_in_pairs() -> None:
    subject = Subject.of("tow", "training")
    thrown = Thrown(subject.kit.capability(Movement))
    met = [settle_options(one.options, one.every_option, one.scenario) for one, *_ in thrown.staged(subject, BUDGETS["quick"], 0)]
    on = {name for options in met for name, value in options.items() if value}
    assert len(met) == 24
    assert on == {"auto-setup", "bidding", "ukrainian-fronts"}


def test_a_fault_is_reported_with_its_position_and_a_test(tmp_path: Path) -> None:
    with planted(FREE_ZONES):
        report = check_ruleset("bridgehead", only=["thrown-games-agree"], report_dir=tmp_path)
        (failure,) = report.failures
        assert (failure.check, failure.judge) == ("thrown-games-agree", "answers-are-right")
        assert len(failure.replay) <= 3
        assert failure.folder is not None
        written = {file.name for file in failure.folder.iterdir()}
        assert {"REPORT.md", "minimal.json", "position.toml", "position.svg"} <= written
        assert failure.smallest is not None
        assert failure.smallest.units < failure.smallest.units_before
        (test,) = failure.folder.glob("test_*.py")
        found: dict[str, Any] = {}
        exec(test.read_text(encoding="utf-8"), found)
        tests = [function for name, function in found.items() if name.startswith("test_")]
        for function in tests:
            with pytest.raises(CheckFailed, match="answers-are-right"):
                function()
    for function in tests:
        function()
