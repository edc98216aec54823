"""Other processes that do a part of the work.

A worker is a fresh Python that finds the same modules and plugins as this one. It is asked with plain data to call a function by
its name ("module:function") and answers with plain data, so that nothing depends on how this process was started: no main module
is imported again.

`Workers` makes an executor of the standard library of them, whose work survives a process that is killed. Whatever takes an
executor takes a cluster's as well: `cluster` has that of Dask.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import importlib.metadata
import json
import math
import os
import pickle
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, ParamSpec, TypeVar

from hexwar.errors import HexwarError
from hexwar.plugins import plugins
from hexwar.plugins._variants import load_object

T = TypeVar("T")
Q = TypeVar("Q")
P = ParamSpec("P")

_PROGRAM = """\
import json, sys
sys.path[:] = json.loads(sys.stdin.readline()) or sys.path
try:
    from hexwar.workers import serve
except ImportError as error:
    sys.exit(f"hexwar does not run there: {error}. Install it with 'pip install hexwar[testing]' for that Python.")
serve()
"""
_TOLD = 600
"""At most this many of the last characters that a dead worker printed are reported."""

ended: list[Callable[[], object]] = []
"""Called when a worker has ended, by those who count its processor time."""


class WorkerFailed(HexwarError):
    """A worker cannot be run or has ended, or the function that it called has raised an error."""


class WorkerLost(WorkerFailed):
    """A worker has ended without an answer."""


class WorkerLate(WorkerLost):
    """A worker was ended because it took too long."""


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
            raise WorkerLate(f"another process has not answered in {seconds:g} seconds")
        try:
            told = json.loads(line)
        except ValueError:
            raise WorkerLost(f"another process ended: {self._printed() or 'it said nothing'}") from None
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
        for call in ended:
            call()


def serve() -> None:
    """What a worker does: it reads orders line by line and answers each with a line, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes: the one that began this decides
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


class Workers(Executor):
    """Processes of this machine as an executor: one that is killed takes nothing with it but the work it had.

    That work begins again in a new process. Functions, arguments and results are pickled, so a function must be importable: one
    of a module, not of the program that was started. A `with` block that ends with an error ends the processes at once.

    Args:
        jobs: how many processes; they start when they are needed.
        retries: how often work begins again whose process has died; then its future raises `WorkerLost`.
    """

    def __init__(self, jobs: int, *, retries: int = 2) -> None:
        self._threads = ThreadPoolExecutor(jobs)
        self._idle: queue.SimpleQueue[Worker | None] = queue.SimpleQueue()
        for _ in range(jobs):
            self._idle.put(None)
        self._retries = retries
        self._running: set[Worker] = set()
        self._is_over = False

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """Have a function called in one of the processes."""
        return self._threads.submit(self._answer, _packed((function, arguments, named)))

    def _answer(self, order: str) -> Any:
        worker = self._idle.get()
        try:
            for retries in range(self._retries, -1, -1):
                try:
                    if worker is None:
                        worker = Worker()
                        self._running.add(worker)
                    worker.order(f"{__name__}:{_called.__name__}", order)
                    result, error = _unpacked(worker.answer())
                    break
                except WorkerLost:
                    if worker is not None:
                        self._running.discard(worker)
                        worker.close()
                        worker = None
                    if self._is_over or not retries:
                        raise
        finally:
            self._idle.put(worker)
        if error is not None:
            raise error
        return result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, after what was submitted unless it is to be cancelled."""
        if cancel_futures:
            self._end()
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        self._end()

    def _end(self) -> None:
        self._is_over = True
        while self._running:
            self._running.pop().close()

    def __exit__(self, kind: object, *error: object) -> None:
        self.shutdown(cancel_futures=kind is not None)


def _packed(value: object) -> str:
    return base64.b64encode(pickle.dumps(value)).decode("ascii")


def _unpacked(text: str) -> Any:
    return pickle.loads(base64.b64decode(text))


def _called(order: str) -> str:
    """What a function returns for its arguments, and the error that it raised, packed."""
    function, arguments, named = _unpacked(order)
    try:
        return _packed((function(*arguments, **named), None))
    except Exception as error:
        told = _packed((None, error))
        try:
            _unpacked(told)
        except TypeError:  # an error that is not made from its arguments
            told = _packed((None, HexwarError(str(error)) if isinstance(error, HexwarError) else WorkerFailed(repr(error))))
        return told


def completed(executor: Executor, function: Callable[[Q], T], orders: Iterable[Q], ahead: int) -> Iterator[tuple[Q, Future[T]]]:
    """Each order and its future, when it is done; the first to be done comes first.

    Args:
        executor: who works.
        function: what is called.
        orders: its arguments; they are taken when a process is free, so they may be endless.
        ahead: how many are submitted at a time.
    """
    waiting, rest = {}, iter(orders)
    while True:
        for order in rest:
            waiting[executor.submit(function, order)] = order
            if len(waiting) >= ahead:
                break
        if not waiting:
            return
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            yield waiting.pop(future), future


def answers(
    function: Callable[[Q], T], orders: Sequence[Q], jobs: int | None = None, executor: Executor | None = None
) -> Iterator[T]:
    """What a function returns for each of many orders, in their order; the processes end when the iterator is dropped.

    Args:
        function: what is called.
        orders: its arguments; put those that take longest first.
        jobs: how many processes of this machine work.
        executor: who works instead.
    """
    with contextlib.ExitStack() as running:
        workers = executor or running.enter_context(Workers(useful_jobs(jobs, len(orders))))
        yield from workers.map(function, orders)


@contextlib.contextmanager
def cluster(address: str | None) -> Iterator[Executor | None]:
    """The executor of a Dask cluster, which needs the same hexwar; work whose process dies there begins again elsewhere.

    Args:
        address: of its scheduler, such as "tcp://127.0.0.1:8786"; None for no cluster and no executor.

    Raises:
        HexwarError: there is no cluster, or it has another version.
    """
    if address is None:
        yield None
        return
    try:
        dask = importlib.import_module("distributed")
    except ImportError:
        raise HexwarError("a cluster needs Dask: pip install 'hexwar[dask]'") from None
    try:
        dask.comm.get_address_host_port(address)  # a client that got no address to begin with cannot be closed
        client = dask.Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise HexwarError(f"no scheduler of a Dask cluster answers at {address}: {error}") from None
    with client:
        there = set(client.run(_version).values())
        if not there:
            raise HexwarError(f"the cluster at {address} has no workers")
        if there != {_version()}:
            raise HexwarError(f"the cluster at {address} has hexwar {', '.join(sorted(there))}, and this is {_version()}")
        yield client.get_executor(retries=3, pure=False)


def _version() -> str:
    return importlib.metadata.version("hexwar")


def useful_jobs(jobs: int | None, orders: int) -> int:
    """How many processes to use: as many as there are processors if not said, never more than there are orders."""
    return max(1, min(os.cpu_count() or 1 if jobs is None else jobs, orders))
