"""The keys of a game: what each opens, and what is kept of them."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from hexwar.errors import HexwarError, UnknownName

SHORTEST_PASSWORD = 8
MOST_DAYS = 3650
Head = Mapping[str, Any]


class Keys(NamedTuple):
    """The keys of a new game, which the server does not keep."""

    seats: dict[str, str]
    """Seat -> the key that opens it and no other."""
    host: str
    """Opens all seats that people have."""
    watch: str
    """For spectators: opens no seat."""


def new_key() -> str:
    """A key that cannot be guessed."""
    return secrets.token_urlsafe(24)


def digest_of(key: str) -> str:
    """What is kept of a key: who reads the store cannot sit down."""
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


def key_of_password(password: str, salt: str) -> str:
    """The key that a password stands for: costly to work out, so that it is costly to guess."""
    made = hashlib.scrypt(password.encode(), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1, dklen=24)
    return base64.urlsafe_b64encode(made).decode()


def agreed(people: Iterable[str], passwords: Mapping[str, str], days: int | None = None) -> tuple[Keys, dict[str, Any]]:
    """New keys for the people of a game, and what its head keeps of keys and passwords.

    Args:
        people: the seats that no bot has.
        passwords: seat -> a password that opens it as well.
        days: how long all keys but the host's work; as long as the game if not given.
    """
    people = list(people)
    keys = Keys({seat: new_key() for seat in people}, new_key(), new_key())
    opens = {digest_of(key): [seat] for seat, key in keys.seats.items()}
    opens |= {digest_of(keys.host): people, digest_of(keys.watch): []}
    salts = {}
    for seat, password in passwords.items():
        if seat not in people:
            raise UnknownName("seat of a person", seat, people)
        if len(str(password)) < SHORTEST_PASSWORD:
            raise HexwarError(f"a password has at least {SHORTEST_PASSWORD} letters")
        salts[seat] = secrets.token_hex(16)
        opens[digest_of(key_of_password(str(password), salts[seat]))] = [seat]
    host = digest_of(keys.host)
    until = {digest: end for digest in opens if digest != host and (end := _end(days))}
    return keys, {"keys": opens, "host": host, "salts": salts, "until": until}


def renewed(head: Head, seats: Iterable[str], days: int | None = None) -> tuple[str, dict[str, Any]]:
    """A new key in place of all that open just these seats, passwords included, and the head with it.

    Args:
        head: what was agreed.
        seats: one seat; none for the key of spectators.
        days: how long it works; as long as the game if not given.
    """
    key, opens, end = new_key(), list(seats), _end(days)
    kept = {digest: its for digest, its in head["keys"].items() if its != opens or digest == head.get("host")}
    until = {digest: its for digest, its in head.get("until", {}).items() if digest in kept}
    digest = digest_of(key)
    return key, {**head, "keys": {**kept, digest: opens}, "until": until | ({digest: end} if end else {})}


def renewed_host(head: Head, people: Iterable[str]) -> tuple[str, dict[str, Any]]:
    """A new key of the game's host in place of the old one, and the head with it."""
    key = new_key()
    kept = {digest: its for digest, its in head["keys"].items() if digest != head.get("host")}
    return key, {**head, "keys": {**kept, digest_of(key): list(people)}, "host": digest_of(key)}


def _end(days: int | None) -> int | None:
    if days is None:
        return None
    if not 1 <= days <= MOST_DAYS:
        raise HexwarError(f"a key works for 1 to {MOST_DAYS} days")
    return int(time.time()) + days * 86_400


def opened(head: Head, digest: str) -> tuple[str, ...] | None:
    """The seats that a key opens by its digest, none for a spectator's; None if it opens nothing or works no longer."""
    seats = head.get("keys", {}).get(digest)
    if seats is None or head.get("until", {}).get(digest, float("inf")) <= time.time():
        return None
    return tuple(seats)
