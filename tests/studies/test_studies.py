"""Studies: the same games whoever plays them, kept as they come, counted and compared."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hexwar.errors import HexwarError
from hexwar.studies import (
    Moment,
    Outcome,
    Plan,
    StudyError,
    StudyFile,
    compare,
    interval,
    play_one,
    play_seeds,
    read_study,
    report,
    simulate,
    summary,
)
from hexwar.studies._figures import quartiles, student
from hexwar.workers import WorkerLost, Workers, cluster
from tests.cli.helpers import run
from tests.testing.doubling import double

PLAN = Plan("bridgehead", None, {"blue": "random", "red": "random"})
RANDOM = ["simulate", "bridgehead", "--bot", "random"]


def _sorted(path: Path) -> list[str]:
    return sorted(path.read_text(encoding="utf-8").splitlines())


class TestSameGames:
    def test_whoever_plays_them_the_file_is_the_same(self, tmp_path: Path) -> None:
        for name, jobs in (("one", 1), ("two", 2)):
            assert len(list(StudyFile(tmp_path / name, PLAN).play(range(6), jobs=jobs))) == 6
        with ThreadPoolExecutor(2) as threads:
            list(StudyFile(tmp_path / "threads", PLAN).play(range(6), executor=threads))
        assert _sorted(tmp_path / "one") == _sorted(tmp_path / "two") == _sorted(tmp_path / "threads")

    def test_outcomes_come_by_seed_from_simulate(self) -> None:
        assert [outcome.seed for outcome in simulate(PLAN, 5, first_seed=3, jobs=2)] == [3, 4, 5, 6, 7]

    def test_turns_points_and_decisions_are_noted(self) -> None:
        (outcome,) = play_seeds(PLAN, [4])
        assert [moment.turn for moment in outcome.moments] == list(range(1, len(outcome.moments) + 1))
        assert sum(outcome.decisions.values()) == outcome.actions
        assert outcome.moments[0].steps.keys() == {"blue", "red"}
        assert outcome.reason
        if outcome.scores:
            assert outcome.moments[-1].points == outcome.scores

    @pytest.mark.parametrize(
        ("bots", "sentence"),
        [
            ({"blue": "random", "rad": "random"}, "no side is called 'rad'"),
            ({"blue": "random"}, "nobody plays red: a bot for every side is needed"),
        ],
    )
    def test_a_side_that_is_misspelt_or_missing_is_told(self, bots: dict[str, str], sentence: str) -> None:
        with pytest.raises(HexwarError, match=sentence):
            list(simulate(Plan("bridgehead", None, bots), 1))


class TestFile:
    def test_it_goes_on_where_it_ended(self, tmp_path: Path) -> None:
        file = tmp_path / "study.jsonl"
        list(StudyFile(file, PLAN).play(range(4)))
        whole = _sorted(file)
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[:3]) + lines[3][:20], encoding="utf-8")  # somebody pulled the plug
        again = StudyFile(file, PLAN)
        assert sorted(again.known) == [0, 1]
        assert sorted(outcome.seed for outcome in again.play(range(4))) == [0, 1, 2, 3]
        assert _sorted(file) == whole

    def test_another_study_is_not_mixed_in(self, tmp_path: Path) -> None:
        StudyFile(tmp_path / "study", PLAN)
        other = Plan("bridgehead", None, {"blue": "greedy", "red": "random"})
        with pytest.raises(StudyError, match=r"is the file of another study: bots .*random.* instead of .*greedy"):
            StudyFile(tmp_path / "study", other)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("", "is no study: it has no whole line"),
            ("no json\n", "line 1: is no line of a study, or is damaged"),
            ("[1]\n", "line 1: is no line of a study, or is damaged"),
            ("{}\n", "is no study: its first line does not say of what"),
            ('{"study": 1}\n{"seed": 1}\n', "line 2: is no game of a study, or is damaged"),
            ('{"study": 1}\n' + "[" * 100_000 + "\n", "line 2: is no line of a study, or is damaged"),
        ],
    )
    def test_what_is_no_study_is_refused(self, tmp_path: Path, text: str, sentence: str) -> None:
        (tmp_path / "study").write_text(text, encoding="utf-8")
        with pytest.raises(StudyError, match=sentence):
            read_study(tmp_path / "study")

    @pytest.mark.parametrize("length", [0, 1, 100])
    def test_a_file_that_was_only_begun_is_begun_again(self, tmp_path: Path, length: int) -> None:
        StudyFile(tmp_path / "whole", PLAN)
        whole = (tmp_path / "whole").read_text(encoding="utf-8")
        (tmp_path / "study").write_text(whole[:length], encoding="utf-8")
        StudyFile(tmp_path / "study", PLAN)
        assert (tmp_path / "study").read_text(encoding="utf-8") == whole

    def test_what_somebody_else_wrote_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "notes").write_text("my notes", encoding="utf-8")
        with pytest.raises(StudyError, match="is no study"):
            StudyFile(tmp_path / "notes", PLAN)
        assert (tmp_path / "notes").read_text(encoding="utf-8") == "my notes"

    def test_a_folder_that_cannot_be_made_is_a_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(StudyError, match="cannot be written"):
            StudyFile(tmp_path / "file" / "study", PLAN)

    def test_damaged_times_do_not_matter(self, tmp_path: Path) -> None:
        file = tmp_path / "study"
        list(StudyFile(file, PLAN).play(range(2)))
        times = Path(f"{file}.times")
        times.write_bytes(b'1\n{"seed": 0}\n\xff\n' + times.read_bytes().splitlines(keepends=True)[1])
        _, games = read_study(file)
        assert [game.seconds > 0 for game in games] == [False, True]

    def test_of_another_format(self, tmp_path: Path) -> None:
        (tmp_path / "study").write_text('{"study": 9}\n', encoding="utf-8")
        with pytest.raises(StudyError, match="format 9; this hexwar reads format 1"):
            read_study(tmp_path / "study")


class TestWorkers:
    def test_an_error_of_the_function_is_raised_here(self) -> None:
        with Workers(1) as workers:
            with pytest.raises(ZeroDivisionError, match="nothing is left"):
                workers.submit(double, {"number": 1, "raise": True}).result()
            assert workers.submit(double, {"number": 2}).result()["number"] == 4

    def test_work_that_ends_its_process_is_lost_and_the_rest_goes_on(self) -> None:
        with Workers(1, retries=1) as workers:
            lost, kept = workers.submit(double, {"number": 1, "die": True}), workers.submit(double, {"number": 2})
            with pytest.raises(WorkerLost, match="last words"):
                lost.result()
            assert kept.result()["number"] == 4

    def test_a_killed_process_loses_nothing(self, tmp_path: Path) -> None:
        with Workers(2) as workers:
            found: list[Outcome] = []
            for outcome in StudyFile(tmp_path / "killed", PLAN).play(range(12), executor=workers):
                found.append(outcome)
                if len(found) == 3:
                    os.kill(next(iter(workers._running))._process.pid, signal.SIGKILL)
        list(StudyFile(tmp_path / "whole", PLAN).play(range(12)))
        assert _sorted(tmp_path / "killed") == _sorted(tmp_path / "whole")


@pytest.mark.parametrize("is_kept", [True, False])
def test_ctrl_c_tells_of_the_games_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_kept: bool) -> None:
    def play(plan: Plan, seed: int) -> Outcome:
        if seed == 2:
            raise KeyboardInterrupt
        return play_one(plan, seed)

    out, page = tmp_path / "kept.jsonl", tmp_path / "page.html"
    list(StudyFile(tmp_path / "before.jsonl", PLAN).play([0]))
    monkeypatch.setattr("hexwar.studies._simulate.play_one", play)
    more = ["-o", str(out)] * is_kept + ["--report", str(page), "--against", str(tmp_path / "before.jsonl")]
    ran = run(*RANDOM, "--games", "9", *more)
    assert ran.code == 130
    assert "\n2 games: " in ran.out
    assert " of 1 game; of the same seeds" in ran.out
    assert "0 to 8, 2 of them played" in page.read_text(encoding="utf-8")
    hint = f"the same command goes on with {out}" if is_kept else "with -o FILE"
    assert ran.err.startswith(f"stopped after 2 of 9 games; {hint}")
    assert run(*RANDOM, "--games", "1", "--first-seed", "2").code == 130  # not one game: nothing to tell of


def test_nothing_is_lost_where_every_game_that_could_be_compared_goes_wrong(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(StudyFile(own_folder / "before.jsonl", PLAN).play([0]))
    monkeypatch.setattr("hexwar.studies._simulate.play_one", lambda plan, seed: Outcome(seed, "", {}, 0, error="Oops"))
    ran = run(*RANDOM, "--games", "1", "--against", "before.jsonl")
    assert ran.code == 1
    assert "seed 0: Oops" in ran.out


class TestFigures:
    @pytest.mark.parametrize(
        ("hits", "trials", "low", "high"),
        [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
    )
    def test_wilsons_interval(self, hits: int, trials: int, low: float, high: float) -> None:
        assert interval(hits, trials) == pytest.approx((low, high), abs=1e-4)

    def test_five_of_five_coins_may_be_chance_and_six_are_not(self) -> None:
        def changed(games: int) -> str:
            before = [Outcome(seed, "red", {"blue": 1, "red": 2}, 9) for seed in range(games)]
            after = [Outcome(seed, "blue", {"blue": 5, "red": 2}, 9) for seed in range(games)]
            blue, _ = compare(before, after)
            assert (blue.gained, blue.lost, blue.before, blue.after) == (games, 0, 0, games)
            assert blue.margin == 4
            return str(blue)

        assert changed(5).startswith("blue: no difference beyond chance: 5 instead of 0 of 5 games")
        assert "(p = 0.062)" in changed(5)
        assert changed(6).startswith("blue: wins more often: 6 instead of 0 of 6 games")
        assert "(p = 0.031)" in changed(6)

    def test_only_seeds_that_both_have_are_compared(self) -> None:
        before, after = [Outcome(1, "red", {}, 9), Outcome(2, "red", {}, 9)], [Outcome(2, "red", {}, 9), Outcome(3, "", {}, 1)]
        assert [change.games for change in compare(before, after)] == [1]
        with pytest.raises(HexwarError, match="no seed in common"):
            compare(before[:1], after)

    @pytest.mark.parametrize(("freedom", "errors"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (100, 1.984)])
    def test_students_interval(self, freedom: int, errors: float) -> None:
        assert student(freedom) == pytest.approx(errors, abs=0.005)

    def test_two_games_tell_little_of_the_lead_and_one_nothing(self) -> None:
        before = [Outcome(seed, "red", {"blue": 0, "red": 0}, 9) for seed in range(2)]
        after = [Outcome(seed, "red", {"blue": 2 * seed, "red": 0}, 9) for seed in range(2)]
        assert "points (± 12.7)" in str(compare(before, after)[0])
        assert compare(before[1:], after)[0].error is None
        assert str(compare(before[1:], after)[0]).endswith("its lead changes by +2.0 points")

    def test_quartiles_lie_between_the_values(self) -> None:
        assert quartiles([4]) == (4, 4, 4)
        assert quartiles([26, 19]) == (20.75, 22.5, 24.25)
        assert quartiles([5, 1, 4, 2, 3]) == (2, 3, 4)

    def test_a_side_that_lost_everything_is_counted(self) -> None:
        """Given games at whose end a side has no unit left, then its wins are 0 and so are its steps."""
        moments = (Moment(1, {}, {"blue": 3, "red": 4}), Moment(2, {}, {"blue": 3}))
        outcomes = [Outcome(seed, "blue", {}, 9, moments=moments) for seed in range(2)]
        outcomes.append(Outcome(2, "blue", {}, 9, moments=(moments[0], Moment(2, {}, {"blue": 3, "red": 4}))))
        assert "red wins 0" in summary(outcomes)[0]
        assert "red, turn 2: 0 (0 to 2), 3 games" in report("Steps", outcomes, {})

    def test_speed_is_that_of_the_games_whose_time_is_known(self) -> None:
        known, unknown = Outcome(1, "blue", {}, 100, 0.5), Outcome(2, "blue", {}, 300)
        assert summary([known, unknown])[-1] == "200 actions and 0.50 processor seconds a game, 200 actions a second"
        assert summary([unknown])[-1] == "300 actions a game"


class TestPage:
    def test_one_file_without_scripts_or_addresses(self) -> None:
        outcomes = list(simulate(PLAN, 5))
        page = report("Lenta <crossing>", outcomes, {"players": "a & b"}, compare(outcomes, outcomes))
        assert "<h1>Lenta &lt;crossing&gt;</h1>" in page
        assert "a &amp; b" in page
        assert "<script" not in page
        assert page.replace("http://www.w3.org/2000/svg", "").count("://") == 0
        assert page.count("<svg") >= 4
        assert "no difference beyond chance" in page
        assert len(page) < 40_000

    def test_games_that_all_went_wrong_have_a_page_too(self) -> None:
        assert "seed 1: Oops" in report("Nothing", [Outcome(1, "", {}, 0, error="Oops")], {})


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestCommand:
    def test_a_study_kept_shown_and_compared(self, own_folder: Path) -> None:
        first = run(*RANDOM, "--games", "3", "-o", "a.jsonl", "--report", "a.html")
        assert first.code == 0
        assert (own_folder / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
        more = run(*RANDOM, "--games", "5", "-o", "a.jsonl", "--json")
        assert len(json.loads(more.out)["games"]) == 5
        assert len(read_study("a.jsonl")[1]) == 5
        same = run(*RANDOM, "--games", "5", "--against", "a.jsonl")
        assert "blue: no difference beyond chance" in same.out

    @pytest.mark.parametrize(
        ("head", "words", "sentence"),
        [
            ({"ruleset": "ava"}, [], "its ruleset is ava, not bridgehead"),
            ({"scenario": "other"}, [], "its scenario is other, not crossing"),
            ({}, ["--first-seed", "7"], "has none of the seeds 7 to 26"),
        ],
    )
    def test_what_cannot_be_compared_is_told_before_the_games(
        self, own_folder: Path, head: dict[str, str], words: list[str], sentence: str
    ) -> None:
        file = own_folder / "a.jsonl"
        list(StudyFile(file, PLAN).play(range(1)))
        first, *games = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text(json.dumps({**json.loads(first), **head}) + "\n" + "".join(games), encoding="utf-8")
        ran = run(*RANDOM, "--against", "a.jsonl", "-o", "b.jsonl", *words)
        assert ran.code == 2
        assert sentence in ran.sentence
        assert not (own_folder / "b.jsonl").exists()

    def test_the_page_names_options_and_what_it_was_compared_with(self, own_folder: Path) -> None:
        run(*RANDOM, "--games", "1", "-o", "a.jsonl")
        run(*RANDOM, "--games", "1", "--option", "barrage", "--against", "a.jsonl", "--report", "a.html")
        page = (own_folder / "a.html").read_text(encoding="utf-8")
        assert "<td>options</td><td>barrage</td>" in page
        assert "<td>compared with</td><td>a.jsonl</td>" in page

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--report", "folder"], "--report folder: takes the name of a page, FILE.html"),
            (["--against", "nothing.jsonl"], "nothing.jsonl"),
            (["--report", "no/where.html", "--games", "1"], "no/where.html: cannot be written: there is no such folder"),
        ],
    )
    @pytest.mark.usefixtures("own_folder")
    def test_mistakes_are_a_sentence(self, words: list[str], sentence: str) -> None:
        ran = run(*RANDOM, *words)
        assert ran.code == 2
        assert sentence in ran.sentence


def test_where_no_cluster_is_that_is_a_sentence() -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    ran = run(*RANDOM, "--cluster", "nonsense")
    assert ran.code == 2
    assert "no scheduler of a Dask cluster answers at nonsense" in ran.sentence


def test_without_dask_that_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "a cluster needs Dask: pip install 'hexwar[dask]'" in run(*RANDOM, "--cluster", "tcp://127.0.0.1:1").sentence


def _started(folder: Path, program: str, *words: str) -> subprocess.Popen[bytes]:
    silent, path = subprocess.DEVNULL, os.pathsep.join(sys.path)
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard", *words],
        cwd=folder, stdout=silent, stderr=silent, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler with two workers on loopback: its address and the workers."""
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    scheduler = _started(tmp_path, "dask_scheduler", "--host", address)
    workers = [_started(tmp_path, "dask_worker", address, "--no-nanny", "--nthreads", "1", "--name", name) for name in "ab"]
    try:
        for attempt in (
            1,
            2,
            3,
        ):  # a client gives up if its thread does not begin in ten seconds
            try:
                with distributed.Client(address, timeout="120s") as client:
                    client.wait_for_workers(2, timeout=120)
                break
            except AssertionError:
                if attempt == 3:
                    raise
        yield address, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def test_a_cluster_plays_the_same_games_though_one_of_its_processes_is_killed(
    dask: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, (first, _) = dask
    with cluster(address) as executor:
        found = []
        for outcome in StudyFile(tmp_path / "cluster", PLAN).play(range(60), executor=executor):
            found.append(outcome)
            if len(found) == 5:
                first.kill()
    assert not [outcome.error for outcome in found if outcome.error]
    list(StudyFile(tmp_path / "here", PLAN).play(range(60)))
    assert _sorted(tmp_path / "cluster") == _sorted(tmp_path / "here")
