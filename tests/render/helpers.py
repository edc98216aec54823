"""Reading pictures back: SVG as a tree, PNG as pixels. Our own tiny PNG reader, so that no further library is needed."""

from __future__ import annotations

import struct
import zlib
from typing import Any
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
Tree = ElementTree.Element


def parsed(svg: str) -> Tree:
    return ElementTree.fromstring(svg)


def hexes(tree: Tree) -> list[str]:
    layer = next(group for group in tree.iter(f"{SVG}g") if group.get("class") == "hexes")
    return [used.attrib["data-hex"] for used in layer.iter(f"{SVG}use")]


def texts(tree: Tree) -> list[str]:
    return [text.text or "" for text in tree.iter(f"{SVG}text")]


def with_class(tree: Tree, name: str) -> list[Tree]:
    return [element for element in tree.iter() if element.get("class") == name]


def units(tree: Tree) -> list[str]:
    return [group.attrib["data-unit"] for group in tree.iter(f"{SVG}g") if "data-unit" in group.attrib]


def ids(tree: Tree) -> list[str]:
    return [element.attrib["id"] for element in tree.iter() if "id" in element.attrib]


def pixels(png: bytes) -> list[bytes]:
    """The rows of an 8-bit RGBA picture."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, width = 8, b"", 0
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, _, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 6)
        elif kind == b"IDAT":
            data += body
        at += 12 + size
    raw, stride = zlib.decompress(data), width * 4
    rows: list[bytes] = []
    before = bytes(stride)
    for start in range(0, len(raw), stride + 1):
        before = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), before)
        rows.append(before)
    return rows


def _unfiltered(kind: int, row: bytearray, above: Any) -> bytes:
    for i in range(len(row)):
        left = row[i - 4] if i >= 4 else 0
        up, corner = above[i], above[i - 4] if i >= 4 else 0
        guess = left + up - corner
        near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        row[i] = (row[i] + (0, left, up, (left + up) // 2, near)[kind]) & 255
    return bytes(row)
