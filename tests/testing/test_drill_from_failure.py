"""Failure folders become drills."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexwar.errors import HexwarError
from hexwar.mechanics import Movement
from hexwar.testing import Mutant, Subject, check_ruleset, planted
from hexwar.testing.drill_from_failure import drill_of
from hexwar.testing.drills import DrillBook, played
from hexwar.testing.planting import answering

BUG = Mutant("far", "every unit has ten points", answering(Movement, "allowance", 20))


def test_a_failure_becomes_a_drill_that_tells_the_bug_from_the_rule(tmp_path: Path) -> None:
    subject = Subject.of("bridgehead")
    with planted(BUG):
        (failure,) = check_ruleset("bridgehead", only=["moves-are-right"], report_dir=tmp_path / "found").failures
        assert failure.folder is not None
        file = tmp_path / "drills.toml"
        file.write_text(drill_of(failure.folder), encoding="utf-8")
        book = DrillBook(file)
        (drill,) = book.drills
        assert drill["clause"] in subject.rules
        assert played(subject, book, drill, {}) == ""
    assert played(subject, book, drill, {}) != ""


def test_a_folder_without_a_position(tmp_path: Path) -> None:
    with pytest.raises(HexwarError, match="no failure folder"):
        drill_of(tmp_path)
