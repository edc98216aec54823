"""For a mistake that nobody notices, a position is found in which it shows."""

import tomllib
from pathlib import Path

import pytest

from hexwar.testing import Subject
from hexwar.testing._mutants.judging import FORKS
from hexwar.testing._mutants.run import automatic
from hexwar.testing._mutants.target import Target
from hexwar.testing.drills import DrillBook, played

pytestmark = pytest.mark.skipif(not FORKS, reason="two versions of the rules are compared by processes that fork")
LINE = 'return 2 if arm == "armour" else 1'


def test_a_position_is_found_for_a_mistake_that_nobody_notices(tmp_path: Path) -> None:
    wrong = "return 2 if True else 1"
    (mutant,) = [each.id for each in Target.of("bridgehead").mutants if (each.before, each.after) == (LINE, wrong)]

    def found(folder: str) -> str:
        report = automatic("bridgehead", only=[mutant], checks=["content-is-sound"], witness=200, folder=str(tmp_path / folder))
        assert report.survivors[0].witness is not None
        file = report.write_drafts(tmp_path / folder)
        assert file is not None
        assert "perhaps" not in report.survivors[0].witness.words
        return file.read_text(encoding="utf-8")

    text = found("one")
    (drill,) = tomllib.loads(text)["drill"]
    assert drill["clause"] == "11.2"
    assert len(drill["units"]) == 1
    assert not played(Subject.of("bridgehead"), DrillBook(), drill, {})  # so the rules have it
    assert "is allowed (11.2)" in text  # and so they would have it with the mistake
    assert found("one") == found("other") == text  # as kept, and searched again


def test_nothing_is_found_for_what_is_no_mistake(tmp_path: Path) -> None:
    """A list of games that are never compared: no rule asks for it."""
    known = [each for each in Target.of("bridgehead").mutants if "content_parts" in each.name]
    report = automatic("bridgehead", only=[known[0].id], checks=["content-is-sound"], witness=20, folder=str(tmp_path))
    (trial,) = report.survivors
    assert trial.witness is not None
    assert not trial.witness.draft
    assert trial.witness.decisions == 20
    assert report.write_drafts(tmp_path) is None
    assert "none of 20 decisions" in "\n".join(report.lines())
