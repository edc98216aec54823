"""From SVG text to files: the picture formats that come with hexwar, and the choice of one by a file's ending."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from hexwar.errors import HexwarError, UnknownName
from hexwar.files import write_file
from hexwar.plugins import plugins
from hexwar.render._svg import FAMILIES


def svg_bytes(svg: str) -> bytes:
    """The picture as it is."""
    return svg.encode("utf-8")


def png_bytes(svg: str) -> bytes:
    """The picture as PNG.

    Raises:
        HexwarError: the extra is not installed, or no font is found, without which all text would silently be missing.
    """
    family = _family()
    if family is None:
        raise HexwarError(
            "no font was found on this machine, so a PNG would have no text: install one (such as DejaVu Sans), or draw an SVG"
        )
    return _rasterised(svg, family)


def _rasterised(svg: str, family: str) -> bytes:
    try:
        import resvg_py
    except ImportError:
        raise HexwarError("PNG pictures need the extra png: pip install 'hexwar[png]'; SVG needs nothing") from None
    # It drops text whose generic family it does not know, so every generic family is named.
    png = resvg_py.svg_to_bytes(
        svg_string=svg, font_family=family, sans_serif_family=family, serif_family=family, monospace_family=family
    )
    return bytes(png)


@cache
def _family() -> str | None:
    """A font that really draws something here; found by trying, because nothing else works on every system."""

    def probe(text: str, family: str) -> bytes:
        return _rasterised(f'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">{text}</svg>', family)

    for family in FAMILIES:
        letter = f'<text x="2" y="20" font-size="18" font-family="{family}">H</text>'
        if probe(letter, family) != probe("", family):
            return family
    return None


def write_picture(svg: str, path: str | os.PathLike[str]) -> None:
    """Write a picture in the format that the file's ending names; a crash leaves the old file or the new one.

    Raises:
        HexwarError: no installed format has this ending, or the file cannot be written.
    """
    target = Path(path)
    formats = plugins().renderers()
    ending = target.suffix.lower().lstrip(".")
    if not ending:
        raise HexwarError(f"{target}: the name of a picture ends in {' or '.join(f'.{known}' for known in sorted(formats))}")
    if ending not in formats:
        raise UnknownName("picture format", ending, sorted(formats))
    write_file(target, plugins().load(formats, "picture format", ending)(svg))
