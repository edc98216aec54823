"""The pytest plugin: `pytest -p hexwar.testing.pytest_plugin`.

It has options for the conformance suites of a run, a fixture for games whose replay is written when a test fails, a list of all
failure folders at the end, and rule coverage. It is loaded by name and not by an entry point, so that nobody's tests become
slower for having hexwar installed, and so that code coverage sees hexwar being imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hexwar.engine import Game

TIERS = ("quick", "ci", "nightly")
REPLAY = "hexwar-replay"
"""The property of a test report under which a failure folder is found; xdist and JUnit files carry it."""

_VARIABLES = {
    "hexwar_tier": "HEXWAR_TIER",
    "hexwar_seed": "HEXWAR_SEED",
    "hexwar_report_dir": "HEXWAR_FAILURES",
    "hexwar_scenario": "HEXWAR_SCENARIOS",
}
"""Option -> the environment variable that suites look at: they are made when test modules are imported, and know no config."""

_FAILED: pytest.StashKey[bool] = pytest.StashKey()
_ENVIRONMENT: pytest.StashKey[pytest.MonkeyPatch] = pytest.StashKey()


# -- options ------------------------------------------------------------------------------------------------------------


_OPTIONS: dict[str, dict[str, Any]] = {
    "--hexwar-tier": {"choices": TIERS, "help": "How much conformance suites play that do not say it themselves."},
    "--hexwar-seed": {"type": int, "metavar": "N", "help": "Other seeds play other games; Hypothesis begins with it, too."},
    "--hexwar-report-dir": {"metavar": "DIR", "help": "Where failure folders are written; .hexwar/failures if not given."},
    "--hexwar-scenario": {
        "action": "append",
        "metavar": "ID",
        "help": "Only this scenario, in the suites of rulesets that have it; may be given several times.",
    },
    "--rule-coverage": {
        "action": "append",
        "default": [],
        "metavar": "RULESET[:FOLDER]",
        "help": "Tell which clauses of a ruleset have a passing test, in the folder if one is named; may be given several times.",
    },
    "--rule-coverage-file": {"metavar": "FILE", "help": "Write rule coverage as JSON, for hexwar rules --coverage."},
    "--rule-coverage-html": {"metavar": "DIR", "help": "Write rule coverage as a page for each ruleset."},
    "--rule-coverage-fail-under": {
        "type": float,
        "metavar": "PERCENT",
        "help": "Fail if fewer of the testable clauses have a passing test.",
    },
    "--rule-coverage-cited-fail-under": {
        "type": float,
        "metavar": "PERCENT",
        "help": "Fail if fewer of the clauses are cited in play.",
    },
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("hexwar", "tests of a hexwar ruleset")
    for name, words in _OPTIONS.items():
        group.addoption(name, **words)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, pass the options to suites, and start rule coverage on demand."""
    config.addinivalue_line("markers", "clause(*ids): clauses of the rulebook that a test covers besides the one in its name")
    config.addinivalue_line("markers", "hexwar_tier(name): the test runs from this tier on: quick, ci, nightly")
    config.pluginmanager.register(_Folders(), "hexwar-failures")
    _tell_suites(config)
    wanted = config.getoption("rule_coverage", [])
    if wanted:
        from hexwar.testing._coverage.pytest_coverage import NAME, Gatherer

        config.pluginmanager.register(Gatherer(config, wanted), NAME)
        return
    for name in ("file", "html", "fail_under", "cited_fail_under"):
        if config.getoption(f"rule_coverage_{name}", None) is not None:
            raise pytest.UsageError(f"--rule-coverage-{name.replace('_', '-')} needs --rule-coverage RULESET")


def _tell_suites(config: pytest.Config) -> None:
    environment = config.stash[_ENVIRONMENT] = pytest.MonkeyPatch()
    for option, variable in _VARIABLES.items():
        value = config.getoption(option, None)
        if value is None:
            continue
        if option == "hexwar_report_dir":
            value = config.invocation_params.dir / value
        environment.setenv(variable, ",".join(value) if isinstance(value, list) else str(value))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave the environment as it was."""
    if _ENVIRONMENT in config.stash:
        config.stash[_ENVIRONMENT].undo()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a later tier wait for it."""
    tier = os.environ.get("HEXWAR_TIER", "quick")
    for item in items:
        for mark in item.iter_markers("hexwar_tier"):
            if len(mark.args) != 1 or mark.args[0] not in TIERS:
                raise pytest.UsageError(f"{item.nodeid}: hexwar_tier needs one of {', '.join(TIERS)}")
            if tier in TIERS and TIERS.index(mark.args[0]) > TIERS.index(tier):
                item.add_marker(pytest.mark.skip(reason=f"runs from tier {mark.args[0]} on: --hexwar-tier {mark.args[0]}"))


# -- games --------------------------------------------------------------------------------------------------------------


class Games:
    """Makes games, and remembers them until the test is over. What the fixture `hexwar_game` gives."""

    def __init__(self) -> None:
        self.made: list[Game] = []

    def __call__(self, ruleset: str, scenario: str | None = None, seed: int | str | None = None, **more: Any) -> Game:
        """A new game, as `hexwar.new_game` makes it; its seed is 0, or what --hexwar-seed says, if none is given."""
        import hexwar

        if seed is None and "chance" not in more:
            seed = int(os.environ.get("HEXWAR_SEED", "0"))
        return self.keep(hexwar.new_game(ruleset, scenario, seed, **more))

    def keep(self, game: Game) -> Game:
        """Write the replay of a game that was made elsewhere, too."""
        self.made.append(game)
        return game


@pytest.fixture
def hexwar_game(request: pytest.FixtureRequest) -> Iterator[Games]:
    """Makes games of a ruleset: `hexwar_game("bridgehead", seed=7)`. If the test fails, their replays are written."""
    games = Games()
    yield games
    if request.node.stash.get(_FAILED, False):
        for number, game in enumerate(games.made, 1):
            folder = _write_game(request.node.nodeid, number, game)
            request.node.user_properties.append((REPLAY, str(folder)))


def _write_game(nodeid: str, number: int, game: Game) -> Path:
    from hexwar.errors import HexwarError
    from hexwar.testing import describe
    from hexwar.testing._reports.folders import DEFAULT_DIRECTORY

    name = re.sub(r"[^A-Za-z0-9]+", "-", nodeid.rpartition("/")[2]).strip("-")[:100]
    folder = Path(os.environ.get("HEXWAR_FAILURES", DEFAULT_DIRECTORY)) / f"{name}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "position.txt").write_text(f"{describe(game)}\n", encoding="utf-8")
    try:
        (folder / "replay.json").write_text(game.to_text(), encoding="utf-8")
    except HexwarError:  # a game that begins with a position made by hand has no replay
        (folder / "replay.json").unlink(missing_ok=True)
    return folder


# -- failures at the end ------------------------------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember for the fixture that a test has failed, and for the end where a check has written its report."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
        folder = getattr(call.excinfo.value, "folder", None) if call.excinfo is not None else None
        if folder is not None:
            item.user_properties.append((REPLAY, str(folder)))
            report.user_properties = list(item.user_properties)
    return report


class _Folders:
    """Hears of reports, those of xdist's workers included, and lists the folders that they name."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the folders of a test."""
        self._found |= {(report.nodeid, str(value)): None for name, value in report.user_properties if name == REPLAY}

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List failure folders with the line that shows each again."""
        from hexwar.testing._reports.folders import replay_command

        if self._found:
            terminalreporter.section("hexwar failures")
        for test, folder in self._found:
            terminalreporter.write_line(f"{test}: {folder}")
            game = next((name for name in ("minimal.json", "replay.json") if (Path(folder) / name).exists()), None)
            if game is not None:
                terminalreporter.write_line(f"  {replay_command(Path(folder) / game)}")
