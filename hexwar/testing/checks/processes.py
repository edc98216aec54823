"""The check that a game is the same everywhere: other processes, with other hash seeds, play it too."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from typing import Any

from hexwar.plugins import plugins
from hexwar.plugins.variants import load_object
from hexwar.testing.checks.content import fingerprint
from hexwar.testing.mutation import plant_again
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Survey

GAMES = 2
_PROGRAM = """\
import json, sys
order = json.load(sys.stdin)
sys.path[:] = order["path"]
from hexwar.testing.checks.processes import answer
print(json.dumps(answer(order)))
"""
SECONDS = 300


class SameEverywhere(Survey):
    """Neither the process nor the hash seed makes a difference."""

    id = "same-everywhere"
    sentence = "The same moves and dice give the same digests and the same log in another process under another hash seed."

    def run(self, seed: int) -> None:
        """Play the same games here and elsewhere."""
        address = self.subject.address
        if address is None:
            raise self.fail("the ruleset is an object in no module, so that no other process finds it: assign it to a name there")
        order = json.dumps(
            {
                "path": sys.path,
                "ruleset": address,
                "scenario": self.subject.scenario,
                "options": dict(self.subject.options),
                "seed": seed,
            }
        )
        others = [(hash_seed, _start(hash_seed)) for hash_seed in range(self.budget.processes)]
        try:
            # Elsewhere first: they work while we do.
            for _, process in others:
                assert process.stdin is not None
                with contextlib.suppress(OSError):  # one that fails at once tells why below
                    process.stdin.write(order)
                    process.stdin.close()
            here = fingerprint(self.subject, seed, GAMES)
            for hash_seed, process in others:
                assert process.stdout is not None
                assert process.stderr is not None
                text, errors = process.stdout.read(), process.stderr.read()
                if process.wait(SECONDS):
                    raise self.fail(f"with PYTHONHASHSEED={hash_seed} the game fails in another process: {errors.strip()[-600:]}")
                try:
                    there = json.loads(text)
                except ValueError as error:
                    raise self.fail(
                        f"with PYTHONHASHSEED={hash_seed} another process prints what is no answer: {error}"
                    ) from error
                self._compare(here, there, hash_seed)
        finally:
            for _, process in others:
                process.kill()
                for pipe in (process.stdin, process.stdout, process.stderr):
                    if pipe is not None:
                        with contextlib.suppress(OSError):
                            pipe.close()
                process.wait()

    def _compare(self, here: list[str], there: list[str], hash_seed: int) -> None:
        for number, (one, other) in enumerate(zip(here, there, strict=False)):
            if one != other:
                raise self.fail(f"with PYTHONHASHSEED={hash_seed} another process differs at item {number}: {other}; here {one}")
        if len(here) != len(there):
            raise self.fail(f"with PYTHONHASHSEED={hash_seed} another process has {len(there)} items instead of {len(here)}")


def _start(hash_seed: int) -> subprocess.Popen[str]:
    files = os.pathsep.join(plugins().files)
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "HEXWAR_PLUGIN_FILE": files}
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment,
    )  # fmt: skip


def answer(order: dict[str, Any]) -> list[str]:
    """What the other process says: the fingerprint of the ordered games."""
    plant_again()  # a bug that was planted here is planted there
    ruleset = order["ruleset"]
    subject = Subject.of(load_object(ruleset) if ":" in ruleset else ruleset, order["scenario"], order["options"])
    return fingerprint(subject, order["seed"], GAMES)
