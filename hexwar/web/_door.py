"""Who may come in: keys, passwords, and how often anybody may try."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from hexwar.errors import HexwarError
from hexwar.web._keys import digest_of
from hexwar.web._limits import MOST_NAMES, Bucket, Limits, TooMany
from hexwar.web._table import NoSuchTable

MOST_WAITING = 20
"""How many passwords wait to be checked."""
OWN_PAGES = {"same-origin", "none"}
"""What browsers say of requests that no page of another origin causes."""


class Unfit(HexwarError):
    """A request that is malformed, or that comes from another origin."""


class TooLong(Unfit):
    """The body of a request is longer than the server reads."""


class WrongKey(NoSuchTable):
    """The key opens nothing of what was asked for."""


class Door:
    """Lets in who has a right key, whatever others at the same address do.

    Args:
        host_key: of the server's host.
        limits: how much anybody may ask for.
    """

    def __init__(self, host_key: str, limits: Limits) -> None:
        self._host_key = host_key.encode()
        self.server = digest_of(f"the server of {host_key}")[:16]
        """Tells a page whose links these are: of this server, or of another that had its address before."""
        self._uses = Bucket(limits.requests, limits.burst)
        self._misses = Bucket(1.0, limits.misses, "too many keys that open nothing came from this address")
        self._begun = Bucket(0.1, limits.games, "too many games were begun with this key")
        wrong = "too many wrong passwords"
        self._guesses = Bucket(1 / 60, limits.guesses, f"{wrong} for this seat")
        self._guesses_there = Bucket(1.0, 6 * limits.guesses, f"{wrong} from this address")
        self._guesses_at_all = Bucket(1 / 6, 10 * limits.guesses, f"{wrong} for this seat")
        self._entered: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        self._checking, self._waiting = asyncio.Semaphore(1), 0

    @staticmethod
    def check_page(request: Request) -> None:
        """Refuse what a page of another origin makes a browser ask.

        Raises:
            Unfit: such a page does.
        """
        origin = request.headers.get("origin")
        if origin and origin.partition("://")[2] != request.headers.get("host"):
            raise Unfit("this request comes from a page of another origin")
        if request.headers.get("sec-fetch-site", "none") not in OWN_PAGES:
            raise Unfit("this request comes from a page of another origin")

    def is_host(self, request: Request) -> bool:
        """Whether the caller has the key of the server's host."""
        return self.is_hosts(key_of(request))

    def is_hosts(self, key: str) -> bool:
        """Whether a key is that of the server's host."""
        return hmac.compare_digest(key.encode(errors="surrogatepass"), self._host_key)

    def require_host(self, request: Request) -> None:
        """Go on only for the server's host.

        Raises:
            WrongKey: the key opens nothing here.
        """
        if not self.is_host(request):
            raise WrongKey("the link that the server printed when it started begins games, and this is not it")

    def used(self, request: Request, digest: str = "") -> None:
        """Count a request with a right key, the one that it shows or one in its body.

        Raises:
            TooMany: there were too many.
        """
        self._uses.take((digest or digest_of(key_of(request)), address_of(request)))

    def missed(self, request: Request) -> TooMany | None:
        """Count a key that opens nothing; what to say if there were too many. Who shows no key guesses none."""
        try:
            if key_of(request):
                self.guessed(request)
        except TooMany as error:
            return error
        return None

    def guessed(self, request: Request) -> None:
        """Count keys that open nothing.

        Raises:
            TooMany: there were too many.
        """
        self._misses.take(address_of(request))

    def begins(self, request: Request) -> None:
        """Count a game that is begun.

        Raises:
            TooMany: there were too many.
        """
        self._begun.take(key_of(request))

    async def enter(self, request: Request, game: str, seat: str, check: Callable[[], str]) -> str:
        """What a password opens. To check one takes long, so one is checked at a time and few wait.

        Guessing is limited for an address and for a seat. An address from which the right one came before does not care how
        many guesses come from others; right passwords do not count.

        Raises:
            TooMany: too many were wrong, or too many wait.
        """
        if self._waiting >= MOST_WAITING:
            raise TooMany("too many passwords are being checked", 1)
        where = address_of(request)
        own = where, game, seat
        taken = [(self._guesses, own), (self._guesses_there, where)]
        if own not in self._entered:
            taken.append((self._guesses_at_all, (game, seat)))
        for bucket, name in taken:
            bucket.take(name)
        self._waiting += 1
        try:
            async with self._checking:
                key = await run_in_threadpool(check)
        finally:
            self._waiting -= 1
        for bucket, name in taken:
            bucket.give_back(name)
        self._entered[own] = None
        while len(self._entered) > MOST_NAMES:
            self._entered.popitem(last=False)
        return key


class Pages:
    """Which pages are open: how many streams there may be.

    Args:
        limits: how much anybody may ask for.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[object] = Counter()

    def open(self, game: str, key: str, address: str, watching: bool) -> Callable[[], None]:
        """Open one more page; call the answer when it is closed.

        Args:
            game: the game's name.
            key: with which it is opened.
            address: of who looks.
            watching: whether the key opens no seat: many share it.

        Raises:
            TooMany: too many are open.
        """
        limits = self._limits
        here, anywhere = (limits.watching / 2, limits.watching) if watching else (limits.streams, 4 * limits.streams)
        who = "this game has too many spectators" if watching else "this link has too many open pages: close one"
        bounds = {
            (game, key, address): (here, f"{who}, from this address" if watching else who),
            (game, key): (anywhere, who),
            "": (limits.all_streams, "the server has too many open pages"),
        }
        for name, (most, says) in bounds.items():
            if self._open[name] >= most:
                raise TooMany(says)
        self._open.update(bounds.keys())

        def closed() -> None:
            self._open.subtract(bounds.keys())
            for name in bounds:
                if not self._open[name]:
                    del self._open[name]

        return closed


def key_of(request: Request) -> str:
    """What the caller shows: a header, so that no other page can make a browser send it."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key if scheme == "Bearer" else ""


def address_of(request: Request) -> str:
    """Where the caller is; of an address of the newer kind the part that a household has."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
