"""Writing files so that a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


def write_whole(target: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all; one that is replaced keeps its mode."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    scratch = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        scratch.chmod(0o644)
        if target.exists():
            shutil.copymode(target, scratch)
        scratch.replace(target)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
