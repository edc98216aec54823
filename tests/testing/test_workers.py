"""Other processes: they answer in order, are ended, and change nothing in what `check_ruleset` finds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hexwar.plugins import Plugins, hookimpl, plugins, use_plugins
from hexwar.testing import check_ruleset
from hexwar.workers import Worker, WorkerFailed, answers, useful_jobs
from tests.engine import toy
from tests.testing import mutants
from tests.testing.doubling import double

DOUBLE = "tests.testing.doubling:double"
QUICKLY = ["no-dead-ends", "others-are-refused", "content-is-sound", "citations-exist"]


class TestWorker:
    def test_it_answers_one_order_after_another(self) -> None:
        with Worker(hash_seed=7) as worker:
            for number in (1, 2):
                worker.order(DOUBLE, {"number": number})
            first, second = worker.answer(), worker.answer()
        assert (first["number"], second["number"]) == (2, 4)
        assert first["process"] == second["process"] != os.getpid()
        assert first["seed"] == "7"

    def test_an_error_is_told_and_the_worker_lives_on(self) -> None:
        with Worker() as worker:
            worker.order(DOUBLE, {"number": 1, "raise": True})
            worker.order(DOUBLE, {"number": 1, "refuse": True})
            worker.order(DOUBLE, {"number": 1})
            with pytest.raises(WorkerFailed, match="ZeroDivisionError: nothing is left"):
                worker.answer()
            with pytest.raises(WorkerFailed, match=r"^a sentence$"):
                worker.answer()
            assert worker.answer()["number"] == 2

    def test_the_last_words_of_a_dead_one_are_told(self) -> None:
        with Worker() as worker:
            worker.order(DOUBLE, {"number": 1, "die": True})
            with pytest.raises(WorkerFailed, match=r"(?s)another process ended: .*last words"):
                worker.answer()
            worker.order(DOUBLE, {"number": 1})
            with pytest.raises(WorkerFailed, match="another process ended"):
                worker.answer()

    def test_a_late_one_is_ended(self) -> None:
        with Worker() as worker:
            worker.order(DOUBLE, {"number": 1, "sleep": 600})
            with pytest.raises(WorkerFailed, match=r"not answered in 0\.5 seconds"):
                worker.answer(0.5)


class TestAnswers:
    def test_they_come_in_the_order_of_the_orders(self) -> None:
        orders: list[dict[str, Any]] = [{"number": 3, "sleep": 0.3}, {"number": 2}, {"number": 1}, {"number": 0}]
        found = list(answers(double, orders, 2))
        assert [one["number"] for one in found] == [6, 4, 2, 0]
        assert len({one["process"] for one in found}) == 2

    def test_a_failure_ends_all_of_them(self) -> None:
        orders: list[dict[str, Any]] = [{"number": 1, "raise": True}, *({"number": n, "sleep": 600} for n in range(3))]
        with pytest.raises(ZeroDivisionError, match="nothing is left"):
            list(answers(double, orders, 2))

    def test_who_stops_listening_waits_for_nobody(self) -> None:
        orders = [{"number": 1}, {"number": 2, "sleep": 600}, {"number": 3, "sleep": 600}]
        found = answers(double, orders, 2)
        assert next(found)["number"] == 2
        found.close()  # type: ignore[attr-defined]

    @pytest.mark.parametrize(("jobs", "orders", "useful"), [(4, 2, 2), (1, 9, 1), (3, 9, 3), (2, 0, 1)])
    def test_no_more_processes_than_orders(self, jobs: int, orders: int, useful: int) -> None:
        assert useful_jobs(jobs, orders) == useful
        assert useful_jobs(None, 1) == 1


class TestCheck:
    def test_the_number_of_processes_changes_nothing(self) -> None:
        alone = check_ruleset("bridgehead", only=QUICKLY, bot_games=1)
        together = check_ruleset("bridgehead", only=QUICKLY, bot_games=1, jobs=2)
        assert (alone.jobs, together.jobs) == (1, 2)
        assert alone == together
        assert alone.coverage.cited == together.coverage.cited
        assert alone.passed
        assert any("played by greedy" in source for source in alone.coverage.rules.fired["7.1"])
        assert all(outcome.seconds > 0 for outcome in together.outcomes)

    def test_failures_are_the_same_too(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A plugin file breaks a rule in every process."""
        (tmp_path / "broken.py").write_text(
            "import dataclasses\nfrom hexwar.plugins import hookimpl\n"
            "from tests.engine import toy\nfrom tests.testing import mutants\n"
            "class Patch:\n"
            "    def setattr(self, owner, name, value, **more): setattr(owner, name, value)\n"
            "RULESET = mutants.walking_back(Patch())\n"
            "@hookimpl\n"
            "def hexwar_rulesets():\n"
            "    return [dataclasses.replace(toy.INFO, entry=f'{__name__}:RULESET')]\n",
            encoding="utf-8",
        )
        monkeypatch.setenv("HEXWAR_PLUGIN_FILE", str(tmp_path / "broken.py"))
        monkeypatch.setattr(toy.RULESET, "info", toy.RULESET.info)
        mutants.walking_back(monkeypatch)  # so that it is mended here when the test is over
        use_plugins(None)
        try:
            reports = [
                check_ruleset("toy", only=["invariants-hold", "no-dead-ends"], report_dir=tmp_path / str(jobs), jobs=jobs)
                for jobs in (1, 2)
            ]
        finally:
            use_plugins(None)
        found = [[(failure.check, failure.message, failure.moves) for failure in report.failures] for report in reports]
        assert found[0] == found[1]
        assert [check for check, *_ in found[0]] == ["invariants-hold"]
        assert [len(list((tmp_path / str(jobs)).iterdir())) for jobs in (1, 2)] == [1, 1]

    def test_what_others_cannot_find_is_checked_here(self) -> None:
        assert check_ruleset(toy.RULESET, only=["content-is-sound", "no-dead-ends"], jobs=2).jobs == 2
        assert check_ruleset("bridgehead", only=["content-is-sound", "citations-exist"], first=True, jobs=2).jobs == 1

        class Toys:
            @hookimpl
            def hexwar_rulesets(self) -> list[Any]:
                import dataclasses

                return [dataclasses.replace(toy.INFO, entry="tests.engine.toy:RULESET")]

        assert plugins().portable
        manager = Plugins(installed=False)
        manager.register(Toys(), "toys")
        use_plugins(manager)
        try:
            assert check_ruleset("toy", only=["content-is-sound", "no-dead-ends"], jobs=2).jobs == 1
        finally:
            use_plugins(None)
