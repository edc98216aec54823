"""Disks that are full for a while: a small file system of its own where one can be mounted, and a limit on the size of files."""

from __future__ import annotations

import contextlib
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import pytest

resource = pytest.importorskip("resource", reason="needs limits as Unix has them")

SIZE = 2_000_000
KINDS = ("small", "limited")


class Disk(ABC):
    """A folder in which there may be no room.

    Args:
        folder: where to write.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def fill(self, process: int) -> None:
        """There is no more room for a process."""

    @abstractmethod
    def free(self, process: int) -> None:
        """There is room again."""


class SmallDisk(Disk):
    """A file system of its own, full of something else."""

    def fill(self, process: int) -> None:
        """Write until there is no room."""
        size = 1 << 20
        with (self.folder / "ballast").open("wb", buffering=0) as file:
            while size:
                try:
                    file.write(b"x" * size)
                except OSError:
                    size //= 2

    def free(self, process: int) -> None:
        """Remove what was written."""
        (self.folder / "ballast").unlink()


class LimitedDisk(Disk):
    """A limit on the size of the files that a process writes."""

    def fill(self, process: int) -> None:
        """No file grows."""
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))

    def free(self, process: int) -> None:
        """Take the limit away."""
        resource.prlimit(process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextlib.contextmanager
def disk(kind: str, folder: Path) -> Iterator[Disk]:
    """One of `KINDS`; skips the test where nobody may mount anything."""
    if kind == "limited":
        if not hasattr(resource, "prlimit"):
            pytest.skip("limits of other processes are Linux's own")
        yield LimitedDisk(folder)
        return
    place = folder / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", place], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("nobody but root mounts a disk")
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "-l", place], check=True)
