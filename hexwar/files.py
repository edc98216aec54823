"""Reading files that anybody may have written (saves, positions, maps, content, corrections, indexes, recipes), and writing ours.

All of them come through here. Only regular files are read (a pipe or a device may never end), only as much as the limit allows,
and TOML only after a look at what would cost its parser far more memory than the file is long. What is written appears whole or
not at all.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from hexwar.errors import ContentError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class TextSource(Protocol):
    """A file or a package resource."""

    @property
    def name(self) -> str:
        """Its name without folders."""
        ...  # pragma: no cover

    def read_text(self, encoding: str | None = None) -> str:
        """Its content."""
        ...  # pragma: no cover


Source: TypeAlias = str | os.PathLike[str] | TextSource
"""A path, a package resource or whatever can be read as text."""

MAX_BYTES: Final = 1_000_000
"""The largest TOML file that is read: about ten times our largest."""
MAX_VALUES: Final = 60_000
"""A TOML file has about this many values at most; each costs many times its length once it is parsed and checked."""
MAX_PARTS: Final = 16
"""A dotted key has at most this many parts; the parser's memory grows with their square."""

LONG_LIST: Final = 98
"""A list whose items have more letters than these is written item by item."""
STALE: Final = 60.0
"""Seconds after which a half-written file is one that a crash left behind."""

_QUIET: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?""""{0,2}''' r"""|'''.*?''''{0,2}""" r"""|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+'|#[^\n]*+""",
    re.DOTALL,
)
"""Texts and comments, in which dots and commas mean nothing."""
_LONG_KEY: Final = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_PARTS}}}")
_POSITION: Final = re.compile(r"^(?P<mistake>.*?) \((?:at )?(?P<where>line \d+, column \d+|end of document)\)$", re.DOTALL)


def read_text(source: Source, most: int = MAX_BYTES, name: str = "") -> str:
    """The text of a file.

    Args:
        source: the file.
        most: the largest number of bytes that it may have.
        name: what to call it in a message; as it is given by default.

    Raises:
        ContentError: it cannot be read, is no regular file, is too large or is not UTF-8 text.
    """
    name = name or str(source)
    data: bytes | str
    try:
        if isinstance(source, str | os.PathLike):
            data = _regular(Path(source), most)
        elif (opened := getattr(source, "open", None)) is not None:
            with opened("rb") as file:
                data = file.read(most + 1)
        else:
            data = source.read_text(encoding="utf-8")
        if len(data) > most:
            raise ContentError(name, "", f"is larger than {most} bytes")
        return data if isinstance(data, str) else data.decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ContentError(name, f"line {line}", "is not UTF-8 text") from None
    except OSError as error:
        raise ContentError(name, "", f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise ContentError(name, "", "is no name of a file") from None


def _regular(path: Path, most: int) -> bytes:
    """The content of a regular file; a pipe without a writer would block for ever when it is opened plainly."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("it is no regular file")
        return file.read(most + 1)


def package_folder(package: str) -> Traversable:
    """The folder of a package that was imported, where its data lie: a path, unless it was packed into a file.

    It is what `importlib.resources.files` gives, without the import of it, which takes 5 ms.
    """
    file = getattr(sys.modules[package], "__file__", None)
    if file and (folder := Path(file).parent).is_dir():
        return folder
    from importlib.resources import files

    return files(package)


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The keys of a TOML text.

    Raises:
        ContentError: it is not valid, or needs far more memory than its length suggests.
    """
    if len(text) > MAX_BYTES:
        raise ContentError(name, "", f"is larger than {MAX_BYTES} bytes")
    from hexwar._toml import quick_toml  # its patterns take 3 ms, and all content may be in the cache

    if sum(map(text.count, ",=[")) <= MAX_VALUES and (keys := quick_toml(text)) is not None:
        return keys

    import tomllib

    bare = _QUIET.sub("s", text)
    if sum(map(bare.count, ",=[")) > MAX_VALUES:
        raise ContentError(name, "", f"has more than {MAX_VALUES} values")
    if long := _LONG_KEY.search(bare):
        line = bare.count("\n", 0, long.start()) + 1  # of a text without its texts, so about
        raise ContentError(name, f"line {line}", f"a key has more than {MAX_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ContentError(name, "", "is not usable TOML: its values are nested too deeply") from None
    except ValueError as error:
        found = _POSITION.match(str(error))
        # Without a position it comes from int(), which refuses to spend its time on thousands of digits.
        where, mistake = (found["where"], found["mistake"]) if found else ("", "a number has too many digits")
        raise ContentError(name, where, f"is not valid TOML: {mistake[:1].lower()}{mistake[1:]}") from None


def read_toml(source: Source, name: str = "") -> dict[str, Any]:
    """The keys of a TOML file; see `read_text` and `parse_toml`."""
    return parse_toml(read_text(source, name=name), name or str(source))


def toml_key(name: str) -> str:
    """A key in TOML form."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)


def toml_value(value: Any) -> str:
    """A value in TOML form; a long list goes over several lines."""
    import json

    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(str(key))} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        long = sum(len(str(item)) for item in value) > LONG_LIST
        return (
            "[\n" + "".join(f"  {toml_value(item)},\n" for item in value) + "]"
            if long
            else f"[{', '.join(map(toml_value, value))}]"
        )
    if value is None:
        raise ValueError("a field of TOML cannot be None: leave it out")
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_file(target: Path, content: str | bytes, *, folders: bool = False) -> None:
    """Write a file that appears whole or not at all, if need be with the folders that it lies in.

    Raises:
        ContentError: it cannot be written.
    """
    try:
        if folders:
            target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise ContentError(str(target), "", f"cannot be written: {(error.strerror or str(error)).lower()}") from None


Mark: TypeAlias = tuple[int, int, int, int]
"""Tells a file from another one, and from its earlier content."""


def _mark(handle: int) -> Mark:
    found = os.fstat(handle)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def write_on(target: Path, content: bytes, mark: Mark) -> Mark | None:
    """Add to the end of a file that is still as it was left, and wait until it is on the disk.

    A crash in the middle leaves the file with a part of the content, without its end; a failure leaves it as it was.

    Returns:
        Its new mark; None if the file is another one now or cannot be added to.
    """
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(target, flags)
    except OSError:
        return None
    try:
        if _mark(handle) != mark:
            return None
        if os.write(handle, content) == len(content):
            os.fsync(handle)
            return _mark(handle)
        os.ftruncate(handle, mark[2])
    except BaseException as error:
        os.ftruncate(handle, mark[2])
        if not isinstance(error, OSError):
            raise
    finally:
        os.close(handle)
    return None


def write_whole(target: Path, content: bytes, mode: int = 0o644) -> Mark:
    """Write a file that appears whole or not at all; `mode` is that of a new one, and one that is replaced keeps its own.

    What a crash in the middle of an earlier writing of the same file left behind is removed.
    """
    import glob
    import shutil
    import tempfile
    import time

    for left in target.parent.glob(f".{glob.escape(target.name)}.*.part"):
        with contextlib.suppress(OSError):  # another process may be as tidy
            if time.time() - left.stat().st_mtime > STALE:
                left.unlink()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    scratch = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            mark = _mark(handle)
        scratch.chmod(mode)
        if target.exists():
            shutil.copymode(target, scratch)
        scratch.replace(target)
        return mark
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
