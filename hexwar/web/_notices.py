"""Notices to players who are not looking: by mail, to a web address, or as plugins send them; no game waits for them."""

from __future__ import annotations

import json
import logging
import queue
import re
import smtplib
import threading
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from hexwar.errors import HexwarError
from hexwar.plugins import plugins

MOST_WAITING = 1000
"""Notices that wait while a plugin is slow; further ones are dropped."""

PATIENCE = 20.0
"""Seconds after which whoever takes a notice is too slow."""
_ADDRESS = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+")

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


Way = Callable[[Notice], None]
"""How a notice is sent."""


def mail(server: str, sender: str, password: str = "") -> Way:
    """Notices by e-mail, to those who have written an address.

    Args:
        server: smtp://machine, smtps://user@machine:port; the former goes on encrypted if the server can.
        sender: the address from which they come.
        password: of the user.

    Raises:
        HexwarError: this is no such address.
    """
    where = urlsplit(server)
    if where.scheme not in ("smtp", "smtps") or not where.hostname or "@" not in sender:
        raise HexwarError(f"mail goes through smtp://machine or smtps://user@machine, from an address with an @: not {server}")
    made = smtplib.SMTP_SSL if where.scheme == "smtps" else smtplib.SMTP
    port = where.port or (465 if where.scheme == "smtps" else 25)

    def send(notice: Notice) -> None:
        if not _ADDRESS.fullmatch(notice.contact):
            return
        message = EmailMessage()
        message["From"], message["To"] = sender, notice.contact
        message["Subject"] = f"{notice.title}: {notice.over or 'it is your turn'}"
        message.set_content(f"{notice.seat}: {notice.over or 'it is your turn'}\n{notice.link}\n")
        with made(where.hostname or "", port, timeout=PATIENCE) as smtp:
            if where.scheme == "smtp" and smtp.has_extn("starttls"):
                smtp.starttls()
            if where.username:
                smtp.login(where.username, password)
            smtp.send_message(message)

    return send


def webhook(address: str) -> Way:
    """Notices as JSON to a web address: game, title, seat, contact, over, link, and a `text` with all of it.

    Raises:
        HexwarError: this is no web address.
    """
    if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).hostname:
        raise HexwarError(f"a webhook is an address with http:// or https://, not {address}")

    def send(notice: Notice) -> None:
        words = f"{notice.title}, {notice.seat}: {notice.over or 'it is your turn'} {notice.link}"
        body = json.dumps({**notice._asdict(), "text": words}).encode()
        request = Request(address, body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=PATIENCE):
            pass

    return send


class Notices:
    """Sends notices one after the other.

    Args:
        ways: how, besides those of plugins.
    """

    def __init__(self, ways: Sequence[Way] = ()) -> None:
        self._ways = ways
        self._waiting: queue.Queue[Callable[[], Notice]] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None

    @property
    def are_sent(self) -> bool:
        """Whether there is any way of sending them."""
        return bool(self._ways or plugins().notices())

    def send(self, notice: Callable[[], Notice]) -> None:
        """Send a notice some time; it is made then."""
        if not self.are_sent:
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
            ways: dict[str, Callable[[], Way]] = {
                f"way {n} of the server": partial(_same, way) for n, way in enumerate(self._ways, 1)
            }
            named = plugins().notices()
            ways |= {name: partial(plugins().load, named, "way of notices", name) for name in named}
            for name, way in ways.items():
                try:
                    way()(made())
                except Exception:
                    log.exception("a notice was not sent: %s", name)


def _same(way: Way) -> Way:
    return way
