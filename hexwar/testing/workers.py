"""Other processes that do a part of the work.

A worker is a fresh Python that finds the same modules and plugins as this one. It is asked with plain data to call a function by
its name ("module:function") and answers with plain data, so that nothing depends on how this process was started: no main module
is imported again, and nothing is pickled.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hexwar.errors import HexwarError
from hexwar.plugins import plugins
from hexwar.plugins._variants import load_object
from hexwar.testing.ledger import children_ended

_PROGRAM = """\
import json, sys
sys.path[:] = json.loads(sys.stdin.readline()) or sys.path
try:
    from hexwar.testing.workers import serve
except ImportError as error:
    sys.exit(f"hexwar does not run there: {error}. Install it with 'pip install hexwar[testing]' for that Python.")
serve()
"""
_TOLD = 600
"""At most this many of the last characters that a dead worker printed are reported."""


class WorkerFailed(HexwarError):
    """A worker cannot be run or has ended, or the function that it called has raised an error."""


class Worker(contextlib.AbstractContextManager["Worker"]):
    """A process that answers orders, one after another.

    Args:
        hash_seed: its PYTHONHASHSEED; if not given, as for this process.
        python: another interpreter, whose own packages are used.
        block: plugins that are not to be found there.

    Raises:
        WorkerFailed: there is no such interpreter.
    """

    def __init__(self, *, hash_seed: int | None = None, python: str | None = None, block: Iterable[str] = ()) -> None:
        environment = {**os.environ, "HEXWAR_PLUGIN_FILE": os.pathsep.join(plugins().files)}
        environment["HEXWAR_BLOCK_PLUGINS"] = ",".join(filter(None, (os.environ.get("HEXWAR_BLOCK_PLUGINS", ""), *block)))
        if hash_seed is not None:
            environment["PYTHONHASHSEED"] = str(hash_seed)
        # A file, because nobody reads a pipe while we wait for an answer, and a full one would stop the worker.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        executable = sys.executable if python is None else shutil.which(python) or python
        try:
            self._process = subprocess.Popen(
                [executable, "-P", "-c", _PROGRAM],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, encoding="utf-8", env=environment,
            )  # fmt: skip
        except OSError as error:
            self._errors.close()
            raise WorkerFailed(f"cannot be run: {error.strerror or error}") from None
        self._write(sys.path if python is None else [])

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write(self, data: Any) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # one that has ended is found out when it does not answer
            self._process.stdin.write(f"{json.dumps(data)}\n")
            self._process.stdin.flush()

    def order(self, function: str, order: Any) -> None:
        """Ask, and do not wait.

        Args:
            function: "module:function", of one argument.
            order: the argument, as plain data.
        """
        self._write({"function": function, "order": order})

    def answer(self, seconds: float = math.inf) -> Any:
        """What the function returned for the oldest order that has not been answered.

        Raises:
            WorkerFailed: the function raised an error, or the process has ended or was ended after this many seconds.
        """
        assert self._process.stdout is not None
        until = time.monotonic() + seconds
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        if not line and time.monotonic() >= until:
            raise WorkerFailed(f"another process has not answered in {seconds:g} seconds")
        try:
            told = json.loads(line)
        except ValueError:
            raise WorkerFailed(f"another process ended: {self._printed() or 'it said nothing'}") from None
        if "error" in told:
            raise WorkerFailed(told["error"])
        return told["answer"]

    def _printed(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip()[-_TOLD:]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()
        children_ended()


def serve() -> None:
    """What a worker does: it reads orders line by line and answers each with a line, until there are no more."""
    # What the rules print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        asked = json.loads(line)
        told: dict[str, Any]
        try:
            told = {"answer": load_object(asked["function"])(asked["order"])}
            text = json.dumps(told)
        except Exception as error:
            last = "".join(traceback.format_exception(error)).strip()[-_TOLD:]
            text = json.dumps({"error": str(error) if isinstance(error, HexwarError) else last})
        answers.write(f"{text}\n")
        answers.flush()


def answers(function: str, orders: Sequence[Mapping[str, Any]], jobs: int) -> Iterator[Any]:
    """What a function returns for each of many orders, worked out by several processes; in the order of the orders.

    Args:
        function: "module:function", of one argument.
        orders: the arguments, as plain data; put those that take longest first.
        jobs: how many processes.

    Raises:
        WorkerFailed: instead of an answer; the other processes are ended.
    """
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()

    def ask(order: Mapping[str, Any]) -> Any:
        worker = idle.get()
        try:
            worker.order(function, order)
            return worker.answer()
        finally:
            idle.put(worker)

    # The workers are ended first, so that no thread waits for one.
    with ThreadPoolExecutor(jobs) as pool, contextlib.ExitStack() as running:
        for _ in range(useful_jobs(jobs, len(orders))):
            idle.put(running.enter_context(Worker()))
        yield from pool.map(ask, orders)


def useful_jobs(jobs: int | None, orders: int) -> int:
    """How many processes to use: as many as there are processors if not said, never more than there are orders."""
    return max(1, min(os.cpu_count() or 1 if jobs is None else jobs, orders))
