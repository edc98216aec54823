"""The kit is tested by planting faults: each must be caught, and each check must catch something."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexwar.testing import CHECKS, check_ruleset
from hexwar.testing._checks.flow import HeirsGetWhatIsLeft, NothingComesBack
from hexwar.testing._checks.gate import BotsAnswerWhatIsOffered
from hexwar.testing._checks.printed import TablesAreAsPrinted
from tests.engine import toy
from tests.tabletop import test_checks as test_on_a_plane
from tests.testing import test_classes, test_exact, test_metamorphic
from tests.testing.mutants import MUTANTS, Mutant
from tests.testing.rule_bugs import CAUGHT


@pytest.mark.parametrize(
    ("mutant", "check"),
    [pytest.param(mutant, check, id=f"{mutant.what}-{check}") for mutant in MUTANTS for check in mutant.caught_by],
)
def test_a_planted_fault_is_caught(mutant: Mutant, check: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    planted = mutant.plant(monkeypatch)
    report = check_ruleset(planted, only=[check], report_dir=tmp_path)
    assert not report.passed, f"{mutant.what} was not caught by {check}"
    (failure,) = report.failures
    assert failure.check == check
    assert failure.folder is not None
    assert (failure.folder / "REPORT.md").exists()
    print(f"{mutant.what}: {failure.message} [{failure.found_after} -> {len(failure.moves)} moves, {failure.effort}]")


def test_every_check_catches_something() -> None:
    """Whatever is in these lists is planted by a test, which fails if the check misses it."""
    planted = {check for mutant in MUTANTS for check in mutant.caught_by}
    planted |= {check for _, check, _ in (*test_metamorphic.FAULTS, *test_exact.FAULTS)}
    planted |= {check for _, _, check, _ in test_classes.CLASSES}
    planted.add(BotsAnswerWhatIsOffered.id)  # test_asked_out_of_the_blue
    planted.add(HeirsGetWhatIsLeft.id)  # test_19_2_3_an_heir_who_gets_more_than_was_left_is_noticed
    planted |= {
        NothingComesBack.id,
        TablesAreAsPrinted.id,
    }  # test_a_way_back_is_found, test_a_figure_that_is_not_as_printed_is_named
    planted |= {check for _, _, check, _ in test_on_a_plane.MISTAKES}
    assert planted | set(CAUGHT) >= set(CHECKS)


def test_without_a_fault_nothing_is_caught(tmp_path: Path) -> None:
    report = check_ruleset(toy.RULESET, report_dir=tmp_path)
    assert report.passed, "\n".join(report.lines())
    assert not list(tmp_path.iterdir())
