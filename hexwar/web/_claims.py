"""Files that one process has for itself, and readable by their owner alone."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from weakref import WeakValueDictionary

from hexwar.errors import HexwarError

OTHERS = 0o077
"""What the group and everybody else may do."""
LOCKED = 1 << 20
"""Which byte of a lock file is locked on Windows, where a locked byte cannot be read: far behind the number of the process."""


class Claim:
    """The right to a file, which no other process has at the same time: `claim` gives it.

    It is a lock on a file beside it, which the system takes away from a process that ends, however it ends. The lock file stays.

    Args:
        path: of the file.
    """

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(f"{path}.lock", flags, 0o600)
        try:
            _lock(handle)
        except (BlockingIOError, PermissionError):
            owner = os.read(handle, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(handle)
            raise HexwarError(
                f"{path}: another server has these games (process {owner}): stop it, or keep yours in another file (--games)"
            ) from None
        except OSError:
            os.close(handle)
            raise
        self._handle = handle
        with contextlib.suppress(OSError):  # a full disk: then the number of the process is not reported
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())

    def __del__(self) -> None:
        if getattr(self, "_handle", -1) >= 0:
            os.close(self._handle)


_claims: WeakValueDictionary[str, Claim] = WeakValueDictionary()


def claim(path: Path) -> Claim:
    """The claim of this process to a file; it ends when nothing refers to it any more.

    Raises:
        HexwarError: another process has it.
        OSError: no lock file can be written there.
    """
    found = _claims.get(str(path))
    if found is None:
        found = _claims[str(path)] = Claim(path)
    return found


def create_private(path: Path) -> bool:
    """Create a file that only its owner may read; false if there is one."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def give_name(draft: Path, file: Path) -> None:
    """Give a draft its name.

    Raises:
        FileExistsError: there is such a file, which stays as it is.
    """
    try:
        os.link(draft, file)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        if file.exists():
            raise FileExistsError from None
        draft.rename(file)


def make_private(*paths: Path) -> None:
    """Take away from others what they may do with files, those of them that there are."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & OTHERS and os.name == "posix":
                path.chmod(mode & ~OTHERS)


def _lock(handle: int) -> None:
    """Lock a file for this process, or raise OSError at once."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, LOCKED, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
