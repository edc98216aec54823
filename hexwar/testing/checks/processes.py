"""The check that a game is the same everywhere: other processes play it too, with other hash seeds and by other Pythons.

Which other Pythons there are, nobody can guess: `HEXWAR_PYTHONS` names them, `check_ruleset(pythons=...)` or
`hexwar check --python`. Each needs hexwar and the ruleset installed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hexwar.plugins import plugins
from hexwar.plugins.variants import load_object
from hexwar.testing.checks.content import fingerprint
from hexwar.testing.mutation import plant_again
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Survey

GAMES = 2
PYTHONS = "HEXWAR_PYTHONS"
_PROGRAM = """\
import json, sys
order = json.load(sys.stdin)
sys.path[:] = order["path"] or [*sys.path, *order["also"]]
try:
    from hexwar.errors import HexwarError
    from hexwar.testing.checks.processes import answer
except ImportError as error:
    sys.exit(f"hexwar does not run there: {error}. Install it with 'pip install hexwar[testing]' for that Python.")
try:
    print(json.dumps(answer(order)))
except HexwarError as error:
    sys.exit(f"{error}")
"""
SECONDS = 300


@contextlib.contextmanager
def in_pythons(pythons: Sequence[str] | None) -> Iterator[None]:
    """Inside, these interpreters play as well, also where other processes share the work; None leaves it to HEXWAR_PYTHONS."""
    before = os.environ.get(PYTHONS)
    if pythons is not None:
        os.environ[PYTHONS] = os.pathsep.join(pythons)
    try:
        yield
    finally:
        if before is not None:
            os.environ[PYTHONS] = before
        elif pythons is not None:
            del os.environ[PYTHONS]


def other_pythons() -> tuple[str, ...]:
    """The interpreters that play as well: names or paths."""
    return tuple(filter(None, os.environ.get(PYTHONS, "").split(os.pathsep)))


class Elsewhere:
    """Another process that answers a question about a ruleset; it works until somebody asks for its answer.

    Args:
        function: "module:function", which takes the subject and the seed there and returns JSON data.
        subject: what is asked about; it must have an address.
        seed: for games.
        hash_seed: PYTHONHASHSEED there.
        python: another interpreter; its own packages are used.
        block: plugins that are not to be found there.
    """

    class Failed(Exception):
        """It gave no answer; says why."""

    def __init__(
        self,
        function: str,
        subject: Subject,
        seed: int,
        *,
        hash_seed: int = 0,
        python: str | None = None,
        block: Iterable[str] = (),
    ) -> None:
        self.what = f"with PYTHONHASHSEED={hash_seed}" + (f" in {python}" if python else "")
        self._order = json.dumps(
            {
                "path": [] if python else sys.path,
                "also": [] if subject.installed else _ours(),
                "function": function,
                "ruleset": subject.address,
                "scenario": subject.scenario,
                "options": dict(subject.options),
                "seed": seed,
            }
        )
        blocked = ",".join(filter(None, (os.environ.get("HEXWAR_BLOCK_PLUGINS", ""), *block)))
        files = os.pathsep.join(plugins().files)
        self._environment = {
            **os.environ,
            "PYTHONHASHSEED": str(hash_seed),
            "HEXWAR_PLUGIN_FILE": files,
            "HEXWAR_BLOCK_PLUGINS": blocked,
        }
        self._python = python

    def __enter__(self) -> Elsewhere:
        executable = sys.executable if self._python is None else shutil.which(self._python) or self._python
        try:
            self._process = subprocess.Popen(
                [executable, "-P", "-c", _PROGRAM],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, encoding="utf-8", errors="replace", env=self._environment,
            )  # fmt: skip
        except OSError as error:
            raise self.Failed(f"cannot be run: {error.strerror or error}") from None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # one that fails at once tells why below
            self._process.stdin.write(self._order)
            self._process.stdin.close()
        self._process.stdin = None
        return self

    def answer(self) -> Any:
        """What it says.

        Raises:
            Failed: nothing that could be understood.
        """
        try:
            text, errors = self._process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise self.Failed(f"another process has not answered in {SECONDS} seconds") from None
        if self._process.returncode:
            raise self.Failed(f"the game fails in another process: {errors.strip()[-600:]}")
        try:
            return json.loads(text)
        except ValueError as error:
            raise self.Failed(f"another process prints what is no answer: {error}") from error

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()
        self._process.wait()


def _ours() -> list[str]:
    """Where this process finds modules that are of no Python's own."""
    own = tuple(os.path.realpath(prefix) for prefix in {sys.prefix, sys.base_prefix})
    return [entry for entry in map(os.path.realpath, sys.path) if not entry.startswith(own)]


class SameEverywhere(Survey):
    """Neither the process nor the hash seed nor the version of Python makes a difference."""

    id = "same-everywhere"
    sentence = "The same moves and dice give the same digests and the same log in another process under another hash seed."

    def run(self, seed: int) -> None:
        """Play the same games here and elsewhere."""
        if self.subject.address is None:
            raise self.fail("the ruleset is an object in no module, so that no other process finds it: assign it to a name there")
        # What depends on hash seeds does so in every scenario: the first is played under several, the others under one more each.
        seeds = range(self.budget.processes if self.is_first or self.budget.tier == "nightly" else 1)
        makes: list[dict[str, Any]] = [{"hash_seed": number} for number in seeds]
        makes += [{"python": python} for python in other_pythons()]
        with contextlib.ExitStack() as running:
            others: list[Elsewhere] = []
            for make in makes:
                other = Elsewhere(f"{__name__}:play", self.subject, seed, **make)
                try:
                    others.append(running.enter_context(other))
                except Elsewhere.Failed as error:
                    raise self.fail(f"{other.what} nothing can be compared: it {error}") from error
            here = fingerprint(self.subject, seed, GAMES)  # while the others work as well
            for other in others:
                try:
                    there = other.answer()
                except Elsewhere.Failed as error:
                    raise self.fail(f"{other.what} {error}") from error
                self._compare(here, there, other.what)

    def _compare(self, here: list[str], there: list[str], what: str) -> None:
        for number, (one, other) in enumerate(zip(here, there, strict=False)):
            if one != other:
                raise self.fail(f"{what} another process differs at item {number}: {other}; here {one}")
        if len(here) != len(there):
            raise self.fail(f"{what} another process has {len(there)} items instead of {len(here)}")


def play(subject: Subject, seed: int) -> list[str]:
    """What the other process is asked: the fingerprint of the same games."""
    return fingerprint(subject, seed, GAMES)


def answer(order: dict[str, Any]) -> Any:
    """What the other process says."""
    plant_again()  # a bug that was planted here is planted there
    ruleset = order["ruleset"]
    subject = Subject.of(load_object(ruleset) if ":" in ruleset else ruleset, order["scenario"], order["options"])
    return load_object(order["function"])(subject, order["seed"])
