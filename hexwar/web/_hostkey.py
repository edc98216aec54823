"""The file with the host's key: written whole or not at all, and read only if other users could not read or write it."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from pathlib import Path

from hexwar.errors import HexwarError
from hexwar.web._claims import give_name

SHORTEST = 16
"""Letters of a key that cannot be guessed."""
LONGEST = 1000
ANEW = "the server then makes a new key, and the host gets a new link"
_FIT = re.compile(rf"[!-~]{{{SHORTEST},}}")


def host_key(file: Path) -> str:
    """The key in a file; where there is no file, a new one that is there as a whole when anybody sees it.

    Raises:
        HexwarError: the file has no key, or others may know it.
        OSError: it cannot be read or written.
    """
    try:
        return _read(file)
    except FileNotFoundError:
        _write(file, secrets.token_urlsafe(24))
    return _read(file)  # another server may have been faster: then both use its key


def checked(key: str) -> str:
    """The key, if it is long enough.

    Raises:
        HexwarError: it is not.
    """
    if len(key) < SHORTEST:
        raise HexwarError(f"the host's key has {len(key)} letters: it needs at least {SHORTEST}, for who guesses it is the host")
    return key


def _read(file: Path) -> str:
    with file.open("rb") as opened:
        found = os.fstat(opened.fileno())  # of the file that is read, not of another that takes its name meanwhile
        if not stat.S_ISREG(found.st_mode):
            raise HexwarError(f"{file} is no file: say with --key where the host's key is kept")
        if not found.st_size:
            raise HexwarError(f"the key file {file} is empty. Delete it: {ANEW}")
        if hasattr(os, "geteuid"):  # elsewhere mode and owner say nothing
            _check_owner(file, found)
        data = opened.read(LONGEST + 1)
    text = data.decode("ascii", "replace").strip()
    if not _FIT.fullmatch(text) or len(data) > LONGEST:
        raise HexwarError(
            f"the key file {file} has no key: a key is one line of {SHORTEST} to {LONGEST} letters, digits and signs without"
            f" spaces. Delete the file: {ANEW}"
        )
    return text


def _check_owner(file: Path, found: os.stat_result) -> None:
    if found.st_uid != os.geteuid():
        raise HexwarError(
            f"the key file {file} belongs to another user (number {found.st_uid}), who would be host as well."
            f" Name a file of your own with --key, or delete it: {ANEW}"
        )
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        raise HexwarError(
            f"others on this computer can read or change the key file {file} (mode {mode:04o}), and who has the key is host."
            f" If nobody has read it: chmod 600 {file}. Otherwise delete it: {ANEW}"
        )


def _write(file: Path, key: str) -> None:
    """A file of another name is written first: a full disk or a crash leaves no part of a key under this one."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(f"{key}\n")
            opened.flush()
            os.fsync(opened.fileno())
        with contextlib.suppress(FileExistsError):
            give_name(draft, file)
    finally:
        draft.unlink(missing_ok=True)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
