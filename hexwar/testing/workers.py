"""Other processes that do a part of the work.

A worker is a fresh Python that finds the same modules and plugins as this one. It is asked with plain data to call a function by
its name ("module:function") and answers with plain data, so that nothing depends on how this process was started: no main module
is imported again, and nothing is pickled.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hexwar.errors import HexwarError
from hexwar.plugins import plugins
from hexwar.plugins.variants import load_object

_PROGRAM = """\
import json, sys
sys.path[:] = json.loads(sys.stdin.readline())
from hexwar.testing.workers import serve
serve()
"""
_TOLD = 600
"""So many of the last characters of what a dead worker printed are told."""


class WorkerFailed(HexwarError):
    """A worker has ended, or the function that it called has raised an error."""


class WorkerLate(WorkerFailed):
    """A worker did not answer in time; it has been ended."""


class Worker:
    """A process that answers orders, one after another.

    Args:
        hash_seed: its PYTHONHASHSEED; as this process would have it if not given.
    """

    def __init__(self, hash_seed: int | None = None) -> None:
        environment = {**os.environ, "HEXWAR_PLUGIN_FILE": os.pathsep.join(plugins().files)}
        if hash_seed is not None:
            environment["PYTHONHASHSEED"] = str(hash_seed)
        # A file, because nobody reads a pipe while we wait for an answer, and a full one would stop the worker.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, encoding="utf-8", env=environment,
        )  # fmt: skip
        self._begun = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def order(self, function: str, order: Any) -> None:
        """Ask, and do not wait.

        Args:
            function: "module:function", of one argument.
            order: the argument, as plain data.
        """
        assert self._process.stdin is not None
        text = json.dumps({"function": function, "order": order})
        if not self._begun:
            self._begun = True
            text = f"{json.dumps(sys.path)}\n{text}"
        with contextlib.suppress(OSError):  # one that has ended is found out when it does not answer
            self._process.stdin.write(f"{text}\n")
            self._process.stdin.flush()

    def answer(self, seconds: float | None = None) -> Any:
        """What the function returned for the oldest order that has not been answered.

        Raises:
            WorkerFailed: the function raised an error, or the process has ended.
            WorkerLate: it took longer than so many seconds.
        """
        assert self._process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, end) if seconds is not None else None
        if timer is not None:
            timer.start()
        try:
            line = self._process.stdout.readline()
        finally:
            if timer is not None:
                timer.cancel()
        if late.is_set():
            raise WorkerLate(f"another process did not answer within {seconds:g} seconds")
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


def answers(
    function: str, orders: Sequence[Mapping[str, Any]], jobs: int, *, fresh: bool = False, seconds: float | None = None
) -> Iterator[Any]:
    """What a function returns for each of many orders, worked out by several processes; in the order of the orders.

    Args:
        function: "module:function", of one argument.
        orders: the arguments, as plain data; put those that take longest first.
        jobs: how many processes.
        fresh: a new process for each order, for whatever leaves traces.
        seconds: how long a process may work at an order.

    Raises:
        WorkerFailed: instead of an answer; the other processes are ended.
    """
    workers: list[Worker] = []
    own = threading.local()  # each thread has a worker and waits for it
    stopped = threading.Event()

    def ask(order: Mapping[str, Any]) -> Any:
        if stopped.is_set():
            raise WorkerFailed("nobody waits for the answer any more")
        if fresh or not hasattr(own, "worker"):
            own.worker = Worker()
            workers.append(own.worker)
        own.worker.order(function, order)
        try:
            return own.worker.answer(seconds)
        finally:
            if fresh:
                own.worker.close()

    try:
        with ThreadPoolExecutor(max(1, min(jobs, len(orders)))) as pool:
            try:
                yield from pool.map(ask, orders)
            finally:
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                for worker in list(workers):
                    worker.close()
    finally:
        for worker in workers:  # one that was begun at the very end
            worker.close()


def useful_jobs(jobs: int | None, orders: int) -> int:
    """How many processes to use: as many as there are processors if not said, never more than there are orders."""
    return max(1, min(os.cpu_count() or 1 if jobs is None else jobs, orders))
