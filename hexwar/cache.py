"""What takes long to read and never changes, kept on disk for the next process.

Nothing depends on it. A file that is missing, damaged, or of another Python, another hexwar or another source is ignored and
written anew; a folder that cannot be written to is left alone. The files hold plain values in the form of Python's own compiled
modules (`marshal`), with a checksum: like those modules, they are only as safe as the folder, which belongs to the user.

The folder is that of `hexwar.folders.cache_folder`; HEXWAR_CACHE names another one, and switches the cache off if it is empty.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from pathlib import Path
from typing import Any, Final

from hexwar.folders import cache_folder
from hexwar.hashing import blake2b

MOST: Final = 50_000_000
"""No file is read that has more bytes."""
MOST_FILES: Final = 500
"""How many files are kept; then the oldest fifth of them goes."""


def fingerprint(*texts: str | bytes) -> str:
    """A digest of some texts."""
    found = blake2b(digest_size=16)
    for text in texts:
        data = text if isinstance(text, bytes) else text.encode()
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.hexdigest()


def code(*modules: Any) -> str:
    """What changes when the code of some packages does: names, sizes and times of their files."""
    files = [entry for module in modules for entry in os.scandir(Path(module.__file__).parent) if entry.name.endswith(".py")]
    return fingerprint(sys.version, *sorted(f"{entry.name} {(it := entry.stat()).st_size} {it.st_mtime_ns}" for entry in files))


def recall(name: str, key: str) -> Any:
    """What was kept under a name and a key; None if there is nothing that can be used.

    Args:
        name: says what it is; there is one file for it.
        key: says what it was made from and with.
    """
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
        if (file := _file(name)) is not None and file.stat().st_size <= MOST:
            seal, _, data = file.read_bytes().partition(b"\n")
            if seal.decode("latin-1") == fingerprint(key, data):
                return marshal.loads(data)
    return None


def keep(name: str, key: str, value: Any) -> None:
    """Keep plain values for the next process, if that is possible."""
    from hexwar.files import write_whole

    with contextlib.suppress(OSError, ValueError):
        if (file := _file(name)) is not None:
            data = marshal.dumps(value)
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(file, fingerprint(key, data).encode() + b"\n" + data, mode=0o600)
            _prune(file.parent)


def _prune(where: Path) -> None:
    """Remove the oldest files if there are too many: a source that has moved or gone leaves its own behind."""
    files = [*where.glob(f"*.{sys.implementation.cache_tag}")]  # whatever else lies there is not ours
    if len(files) > MOST_FILES:
        for file in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) - MOST_FILES * 4 // 5]:
            file.unlink(missing_ok=True)


def _file(name: str) -> Path | None:
    where = cache_folder()
    return None if where is None else where / f"{name}.{sys.implementation.cache_tag}"
