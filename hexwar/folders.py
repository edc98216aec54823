"""Our folders: what can be made anew lies where the system keeps caches, what a user would miss where it keeps data.

HEXWAR_CACHE names another folder for the cache.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


def cache_folder() -> Path | None:
    """The folder of the cache; None if there is none, or if HEXWAR_CACHE is empty."""
    named = os.environ.get("HEXWAR_CACHE")
    if named is not None:
        return Path(named) if named else None
    return _folder("XDG_CACHE_HOME", {"win32": "~/AppData/Local", "darwin": "~/Library/Caches"}.get(sys.platform, "~/.cache"))


def data_folder() -> Path | None:
    """The folder of games and keys; None if there is none, as for a user without a home."""
    usual = {"win32": "~/AppData/Local", "darwin": "~/Library/Application Support"}.get(sys.platform, "~/.local/share")
    found = _folder("XDG_DATA_HOME", usual)
    return found / "data" if found is not None and sys.platform == "win32" else found  # the cache lies beside it there


def private_folder(*names: str) -> Path:
    """A folder in the data folder that only the user can read; it is made if need be.

    Raises:
        OSError: it cannot be made, or there is no data folder.
    """
    data = data_folder()
    if data is None:
        raise FileNotFoundError(None, "there is no home folder")
    for folder in (data, data.joinpath(*names)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    return folder


def _folder(variable: str, usual: str) -> Path | None:
    base = Path(os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else variable) or usual)
    with contextlib.suppress(RuntimeError):  # a user without a home
        base = base.expanduser()
    return base / "hexwar" if base.is_absolute() else None
