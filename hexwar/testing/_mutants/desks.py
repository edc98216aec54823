"""Where mutants are judged: a copy of the rules and a process that has not imported them, kept from one mutant to the next.

Whatever executor has the work, a thread of this process or a worker of a cluster, `judged` is what it calls. So the rules that
the executor's own process may have imported do not matter, and a mutant can spoil nothing but a process of its own.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hexwar.errors import HexwarError
from hexwar.testing._mutants.judging import FORKS, answer
from hexwar.testing._mutants.target import Overlay, digest_of, root_here
from hexwar.workers import Worker, WorkerFailed, WorkerLate, WorkerLost

RETRIES = 2
"""How often a mutant is judged again whose process was killed from outside; then it has made something endless."""
IDLE = 60.0
"""Seconds after which an unused desk is cleared: nobody tells a cluster that a run is over."""
HOME = Path(__file__).parents[2]
"""Of hexwar, which must be the same everywhere."""


class Desk:
    """A copy of the rules, and a process that judges mistakes in it.

    Args:
        run: what all mutants of a run have in common.

    Raises:
        HexwarError: other files than those of the one who asks are here.
    """

    def __init__(self, run: Mapping[str, Any]) -> None:
        roots = [root_here(Path(root)) for root in run["roots"]]
        if digest_of(roots) != run["digest"] or digest_of([HOME]) != run["home"]:
            raise HexwarError(f"where a mutant of {run['ruleset']} is judged, its files or those of hexwar are not the same")
        if run["has_tests"] and not Path(run["cwd"]).is_dir():
            raise HexwarError(f"tests are run in {run['cwd']}, and there is no such folder where a mutant is judged")
        # The client clears its folder whatever happens here, if it is one of this machine.
        place = Path(run["place"]) if Path(run["place"]).is_dir() else None
        self._folder = Path(tempfile.mkdtemp(prefix="hexwar-", dir=place)).resolve()
        self._overlay = Overlay(roots, self._folder / "rules", run["plugin_files"])
        self._packages = [root.name for root in roots if root.is_dir()]
        self._run = run
        self._alone = threading.Lock()
        self._idle: threading.Timer | None = None
        self._is_closed = False
        self.worker = Worker()

    def ask(self, order: Mapping[str, Any], seconds: float, mistake: tuple[str, bytes] | None) -> Any:
        """What the process says.

        Raises:
            WorkerFailed: it has ended, or was ended after these seconds.
        """
        with self._alone:
            if self._idle is not None:
                self._idle.cancel()
            if self._is_closed:
                raise WorkerLost("the desk was cleared")
            if mistake is not None:
                self._overlay.put(*mistake)
            place = {
                "overlay": str(self._overlay.folder),
                "plugin_files": self._overlay.plugin_files,
                "packages": self._packages,
                "cwd": self._run["cwd"],
            }
            try:
                self.worker.order(f"{answer.__module__}:{answer.__name__}", {**self._run["common"], **place, **order})
                return self.worker.answer(seconds)
            except WorkerFailed:
                self._renew()
                raise
            finally:
                if not FORKS:  # what it has imported stays
                    self._renew()
                if mistake is not None:
                    self._overlay.restore(mistake[0])

    def _renew(self) -> None:
        self.worker.close()
        if not self._is_closed:
            self.worker = Worker()

    def rest(self) -> None:
        """Clear it after a while without use."""
        self._idle = threading.Timer(IDLE, _clear, [self])
        self._idle.daemon = True
        self._idle.start()

    def close(self) -> None:
        """End the process and remove the copy."""
        if self._idle is not None:
            self._idle.cancel()
        self._is_closed = True
        self.worker.close()  # so that who waits for its answer waits no longer
        with self._alone:
            self.worker.close()
            shutil.rmtree(self._folder, ignore_errors=True)


_desks: dict[tuple[str, int], Desk] = {}
"""Run and thread -> the desk at which that thread judges."""
_ended: set[str] = set()
"""Runs that this process has ended: nobody sits down for them any more."""


def judged(run: Mapping[str, Any], order: Mapping[str, Any], seconds: float, mistake: tuple[str, bytes] | None = None) -> Any:
    """What `judging.answer` says at a desk of this process; `{"ended": ...}` if that takes too long.

    Args:
        run: what all orders have in common.
        order: what is asked.
        seconds: how long it may take by the clock.
        mistake: a file and what stands in it instead.
    """
    at = run["token"], threading.get_ident()
    told: dict[str, Any] = {}
    for _ in range(RETRIES + 1):
        if run["token"] in _ended:
            raise WorkerLost("the run is over")
        desk = _desks.get(at) or _desks.setdefault(at, Desk(run))
        try:
            told = desk.ask(order, seconds, mistake)
        except WorkerLate as error:
            told = {"ended": str(error)}
        except WorkerLost as error:
            told = {"lost": str(error)}
        except WorkerFailed as error:
            if FORKS:  # then nothing of a mutant runs in that process
                raise
            told = {"ended": str(error)}
        desk.rest()
        if "lost" not in told:
            return told
    return {"ended": told["lost"]}


def end(token: str) -> None:
    """Close the desks of a run in this process, which are no longer used."""
    _ended.add(token)
    for (run, _), desk in list(_desks.items()):
        if run == token:
            _clear(desk)


def _clear(desk: Desk) -> None:
    for at, other in list(_desks.items()):
        if other is desk:
            _desks.pop(at, None)
    desk.close()


@atexit.register
def _clear_all() -> None:
    for desk in list(_desks.values()):
        _clear(desk)
