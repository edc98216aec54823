"""Notices to players who are not looking: plugins send them, in a thread that no game waits for."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import NamedTuple

from hexwar.plugins import plugins

MOST_WAITING = 1000
"""Notices that wait while a plugin is slow; further ones are dropped."""

log = logging.getLogger("hexwar.web")


class Notice(NamedTuple):
    """What a plugin is asked to send."""

    game: str
    """The game's name on this server."""
    title: str
    """What is played."""
    seat: str
    """Who should know."""
    contact: str
    """Where the player wants it, as typed and not verified; "" if nothing was typed."""
    over: str | None
    """How the game ended; None if the player is asked to decide something."""
    link: str
    """The page of the game; it does not have the key, which the server does not keep."""


class Notices:
    """Sends notices one after the other."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Callable[[], Notice]] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None

    def send(self, notice: Callable[[], Notice]) -> None:
        """Send a notice some time; it is made then."""
        if not plugins().notices():
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="notices", daemon=True)
            self._thread.start()
        try:
            self._waiting.put_nowait(notice)
        except queue.Full:
            log.warning("a notice was dropped: %d others wait", MOST_WAITING)

    def _work(self) -> None:
        while True:
            made = self._waiting.get()
            for way in plugins().notices():
                try:
                    plugins().load(plugins().notices(), "way of notices", way)(made())
                except Exception:
                    log.exception("a notice was not sent: %s", way)
