"""A small invented country with a coast, a lake, a river, a border and two railways, as recipe and inputs in a folder.

The three control points are exact, a column is about 17 km wide and a row 20 km high; 0303 lies at 27.5 E 54.4 N.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely
from shapely import Polygon

RECIPE = """
format = 1

[grid]
layout = "columns"
columns = 12
shifted = "even"
shift = "up"

[projection]
parallels = [50.0, 58.0]
origin = [28.0, 54.0]
warp_length = 5.0

[[control]]
place = "Norwest"
hexes = ["A0303"]
source = "fact 1.1"

[[control]]
place = "Noreast"
hexes = ["A0903"]
source = "fact 1.1"

[[control]]
place = "Sud"
hexes = ["B0604"]
source = "fact 1.2"

[[control]]
place = "Middle"
hexes = ["A0605", "A0604"]
fitted = false
source = "reconstructed"

[[sheet]]
id = "demo/upper"
title = "Upper"
prefix = "A"
rows = 6

[[sheet]]
id = "demo/lower"
title = "Lower"
prefix = "B"
rows = 6
offset = 4

[board]
id = "demo/both"
title = "Both"

[inputs]
towns = ["towns.csv"]
rivers = ["rivers.csv"]
banks = ["banks.csv"]
railways = ["rail.csv"]
roads = ["road.csv"]
terrain = ["terrain.geojson"]
border = ["border.csv"]
border_towns = ["border_towns.csv"]
starts = ["starts.csv"]

[water]
box = [26.0, 53.0, 31.0, 55.5]
share = 0.6
side_share = 0.75
lake_least = 0.01
reservoirs = [[28.0, 54.3]]
sea = "sea"
lake = "lake"

[rivers]
major = "major-river"
minor = "minor-river"
water_side = "water"
bridge = "bridge"
never = { "A0303|A0304" = "fact 3.1" }

[[rivers.always]]
river = "Long"
major = true
sides = ["A0703|A0603"]
source = "reconstructed"

[links]
exits = { "Noreast to Faraway" = "A1203" }
via = { "Norwest to Noreast" = "A0602" }

[border]
feature = "border"
rivers = ["Long"]
grounds = { west = "western ground" }

[terrain]
legend = { "." = "clear", f = "forest", m = "marsh", o = "lake", "~" = "sea" }
layers = [{ shape = "marsh", terrain = "marsh", share = 0.5, spared = 0.4 }]
quotas = [{ terrain = "forest", share = 0.2 }]
forest_shapes = { wood = 0.5 }

[places]
kinds = { major_city = "major-city", city = "city", town = "town" }
linked = true
names = { Sud = "South" }
tags = { port = ["Norwest"] }
promoted = { Sud = "city" }
forced = { Westham = ["A0403"] }

[[override]]
hex = "A0502"
terrain = "marsh"
source = "fact 3.2"

[[mask]]
name = "the corner"
polygon = [[28.9, 53.0], [31.0, 53.0], [31.0, 53.45], [28.9, 53.45]]
source = "reconstructed"

[[mask]]
name = "the fog"
polygon = [[26.0, 54.75], [27.0, 54.75], [27.0, 55.5], [26.0, 55.5]]
becomes = "sea"
source = "reconstructed"

[[frame]]
area = "frame upper"
sheet = "demo/upper"
line = [[26.0, 54.2], [31.0, 54.2]]
keep = "north"
source = "reconstructed"

[[frame]]
area = "frame lower"
sheet = "demo/lower"
line = [[26.0, 54.2], [31.0, 54.2]]
keep = "south"
source = "reconstructed"

[[frame]]
area = "all of it"
sheet = "demo/lower"
source = "reconstructed"

[[area]]
name = "supply"
hexes = ["A1203"]
source = "fact 4.1"

[[bank]]
name = "beyond the Long"
river = "Long"
hex = "A0903"
source = "fitted"

[provenance]
fact = ["the rules of this game"]
by = "nobody"
"""

FILES = {
    "towns.csv": """name,lat,lon,kind,modern
Norwest,54.4,27.5,city,Nordwest
Noreast,54.4,29.2,city,Nordost
Sud,53.6,28.3,town,South
Middle,54.12,28.3,major_city,Mitte
Westham,54.4,27.78,town,Westham
Hamlet,54.41,27.51,town,Hamlet
Lakeside,53.75,29.05,town,Lakeside
Faraway,54.4,33.0,town,Faraway
Farther,55.5,34.0,town,Farther
Island,54.2,25.0,town,Island
""",
    "rivers.csv": """river,seq,lat,lon,cls
Long,1,55.2,28.6,minor
Long,2,54.6,28.5,major
Long,3,54.12,28.45,major
Long,4,53.2,28.5,major
Short,1,54.3,27.6,minor
Short,2,54.3,28.47,minor
Brook,1,54.0,29.5,minor
Brook,2,54.0,29.52,minor
""",
    "banks.csv": "town,river,side\nMiddle,Long,W\nSud,Long,W\n",
    "rail.csv": """line,seq,town
Main,1,Island
Main,2,Norwest
Main,3,Noreast
Main,4,Faraway
Main,5,Farther
South,1,Norwest
South,2,Middle
South,3,Sud
""",
    "road.csv": "line,seq,town\nHigh,1,Norwest\nHigh,2,Middle\nHigh,3,Noreast\nLow,1,Norwest\nLow,2,Hamlet\nLow,3,Lakeside\n",
    "terrain.geojson": """{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"kind": "marsh", "name": "Mire"}, "geometry": {"type": "Polygon",
 "coordinates": [[[28.8, 54.7], [29.9, 54.7], [29.9, 54.05], [28.8, 54.05], [28.8, 54.7]]]}},
{"type": "Feature", "properties": {"kind": "wood", "name": "Weald"}, "geometry": {"type": "Polygon",
 "coordinates": [[[27.4, 54.1], [28.0, 54.1], [28.0, 53.7], [27.4, 53.7], [27.4, 54.1]]]}}
]}""",
    "border.csv": "seq,lat,lon,note\n1,55.4,28.7,\n2,54.12,28.6,\n3,52.9,28.6,\n",
    "border_towns.csv": "town,side\nNorwest,west\nMiddle,west\nNoreast,east\n",
    "starts.csv": """side,formation,sheet,kind,units,headquarters,hexes
west,1A,A,area,3,A0304,A0304 A0303
west,2A,A,range,3,A0502,A0502 A0503 A0501
east,3A,A,area,2,A0903,A0903
""",
}

LAND = Polygon([(27.0, 52.0), (31.0, 52.0), (31.0, 56.0), (27.0, 56.0)])
LAKES = [
    Polygon([(28.95, 53.6), (29.25, 53.6), (29.25, 53.85), (28.95, 53.85)]),
    Polygon([(27.9, 54.25), (28.1, 54.25), (28.1, 54.35), (27.9, 54.35)]),
    Polygon([(29.5, 54.5), (29.52, 54.5), (29.52, 54.52), (29.5, 54.52)]),
]


def found(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """Write the country into a folder, with changes of (file, old text, new text); give its recipe."""
    texts = {"demo.recipe.toml": RECIPE, **FILES}
    for file, old, new in changes:
        assert old in texts[file], (file, old)
        texts[file] = texts[file].replace(old, new, 1)
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder / "demo.recipe.toml"


def picture(box: tuple[float, float, float, float]) -> Iterator[tuple[float, float, int]]:
    """A picture in which the country is darker the farther south and west one goes."""
    west, south, east, north = box
    for row in range(int((north - south) * 20)):
        for column in range(int((east - west) * 20)):
            yield west + column / 20, south + row / 20, 20 + row + column // 4


def imagine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pipeline find the invented coast and picture instead of the real ones."""
    frame = shapely.box(20, 50, 35, 58)
    monkeypatch.setattr("hexwar.cartography._terrain.coast", lambda box: ([LAND.intersection(frame)], LAKES))
    monkeypatch.setattr("hexwar.cartography._terrain.redness", picture)
