"""The parts of the pipeline that can be tried alone: projection, hexside graph, writer, data files."""

from __future__ import annotations

import builtins
import math
import struct
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString

from hexwar.cartography import _basemap
from hexwar.cartography._grid import Grid
from hexwar.cartography._hexsides import HexsideGraph, nearness
from hexwar.cartography._projection import Control, Projection, conic
from hexwar.cartography._recipe import read_recipe
from hexwar.cartography._sheets import chain_strings, runs, side_words, table
from hexwar.errors import HexwarError
from hexwar.files import toml_key
from hexwar.hexes import Hex, Hexside
from tests.cartography.country import found

PROJECT = conic((50.0, 58.0), (28.0, 54.0))


def test_the_projection_has_its_origin_at_the_origin_and_keeps_the_scale_there() -> None:
    assert PROJECT(28.0, 54.0) == pytest.approx((0, 0), abs=1e-9)
    _, north = PROJECT(28.0, 54.1)
    assert north == pytest.approx(6371 * math.radians(0.1), rel=0.01)


def test_parallels_have_their_true_length() -> None:
    for lat in (50.0, 58.0):
        (x, y), (x2, y2) = PROJECT(28.0, lat), PROJECT(28.01, lat)
        assert math.dist((x, y), (x2, y2)) == pytest.approx(6371 * math.radians(0.01) * math.cos(math.radians(lat)), rel=1e-6)


places = st.tuples(st.floats(20, 36), st.floats(47, 60))


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=4, max_size=8, unique=True),
    st.lists(st.floats(-0.6, 0.6), min_size=16, max_size=16),
)
def test_control_points_are_met_exactly(spots: list[tuple[int, int]], shifts: list[float]) -> None:
    corners = [(0, 0), (8, 0), (0, 8)]
    controls = [
        Control(
            f"{column} {row}", 20 + 2 * column, 60 - 1.5 * row, (6 * column + shifts[2 * k % 16], 8 * row + shifts[2 * k % 15])
        )
        for k, (column, row) in enumerate(dict.fromkeys([*corners, *spots]))
    ]
    projection = Projection(PROJECT, controls, 5.0)
    for control in controls:
        assert projection(control.lon, control.lat) == pytest.approx(control.target, abs=1e-5)


@given(places)
def test_results_are_rounded(place: tuple[float, float]) -> None:
    controls = [Control("a", 20, 50, (0, 0)), Control("b", 30, 50, (30, 0)), Control("c", 20, 58, (0, 40))]
    x, y = Projection(PROJECT, controls, 7.0)(*place)
    assert (round(x, 6), round(y, 6)) == (x, y)


@pytest.fixture
def graph(tmp_path: Path) -> HexsideGraph:
    return HexsideGraph(Grid(read_recipe(found(tmp_path))))


def test_a_line_is_laid_along_the_hexsides_next_to_it(graph: HexsideGraph) -> None:
    line = LineString([(1.0, 2.2), (8.0, 2.2)])
    near = graph.around(line, 1.35)
    ends = [graph.nearest((x, y), near) for x, y in line.coords]
    way = graph.lay(line, ends, lambda side, distance: nearness(distance))
    sides = graph.sides(way)
    assert len(sides) == len(way) - 1
    assert all(line.distance(LineString([graph.at[v] for v in side.vertices])) < 0.6 for side in sides)
    assert len(set(way)) == len(way)


def test_a_detour_to_a_stop_is_cut_off_again(graph: HexsideGraph) -> None:
    line = LineString([(1.0, 2.2), (8.0, 2.2)])
    near = graph.around(line, 1.35)
    first, last = (graph.nearest((x, y), near) for x, y in line.coords)
    aside = graph.nearest((4.5, 3.2), near)
    direct = graph.lay(line, [first, last], lambda side, distance: nearness(distance))
    assert graph.lay(line, [first, aside, last], lambda side, distance: nearness(distance))[0] == direct[0]
    assert aside not in direct
    assert graph.lay(line, [first, first], lambda side, distance: 1.0) == []


def test_the_way_does_not_depend_on_equal_costs(graph: HexsideGraph) -> None:
    line = LineString([(1.0, 1.0), (8.0, 5.0)])
    near = graph.around(line, 1.35)
    stops = [graph.nearest((x, y), near) for x, y in line.coords]
    assert graph.lay(line, stops, lambda side, distance: 1.0) == graph.lay(line, stops, lambda side, distance: 1.0)


LABELS = {Hex(0, 0): "0101", Hex(0, 1): "0102", Hex(1, 0): "0202"}


def test_sides_are_named_from_a_hex_of_the_sheet() -> None:
    sides = [Hexside.of(Hex(0, 0), 0), Hexside.of(Hex(0, 0), 3), Hexside.of(Hex(1, 0), 2), Hexside.of(Hex(0, 1), 4)]
    assert side_words(sides, LABELS, "flat") == ["0101/N", "0102/N/SW", "0202/SE"]


def test_chains_are_cut_at_the_edge_of_a_sheet_and_when_they_grow_long() -> None:
    off = Hex(5, 5)
    chain = [Hex(0, 0), Hex(0, 1), off, Hex(1, 0), off, Hex(0, 1), Hex(1, 0), Hex(0, 0)]
    assert chain_strings([chain], LABELS, most=2) == ['  "0101 0102",', '  "0102 0202",', '  "0202 0101",']


def test_long_lists_of_words_are_broken_into_lines() -> None:
    lines = runs([f"S{k:04}" for k in range(60)])
    assert len(lines) > 2
    assert max(map(len, lines)) <= 118
    assert runs([]) == []


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1),
        st.recursive(
            st.text(st.characters(codec="utf-8", exclude_characters="\x7f", exclude_categories=["Cs"]))
            | st.integers()
            | st.booleans(),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b-c", "d e"]), inner, max_size=3),
            max_leaves=6,
        ),
        max_size=4,
    )
)
def test_tables_are_toml(values: Mapping[str, object]) -> None:
    assert tomllib.loads("\n".join(table("t", values)))["t"] == values


def test_only_plain_words_are_bare_keys() -> None:
    assert toml_key("major-river") == "major-river"
    assert toml_key("hq axis 16A") == '"hq axis 16A"'


def test_coast_files_are_pairs_of_floats_with_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    square = [(20.0, 50.0), (22.0, 50.0), (22.0, 52.0), (20.0, 52.0), (20.0, 50.0)]
    lake = [(20.5, 51.0), (20.7, 51.0), (20.7, 51.2), (20.5, 51.2), (20.5, 51.0)]
    western = [(355.0, 50.0), (358.0, 50.0), (358.0, 52.0), (355.0, 52.0), (355.0, 50.0)]
    bowtie = [(21.0, 50.5), (21.4, 50.9), (21.4, 50.5), (21.0, 50.9), (21.0, 50.5)]
    rings = [(1, square), (2, lake), (1, western), (3, square), (1, square[:3]), (2, bowtie)]
    data, index = b"", ""
    for level, ring in rings:
        part = b"".join(struct.pack("<ff", *point) for point in ring)
        index += f"{level} 1.0 {len(ring)} 50.0 52.0 {len(data)} {len(part)} 0\n"
        data += part
    index += f"1 1.0 5 -60.0 -50.0 0 {len(data)} 0\n"
    (tmp_path / "gshhs_i.dat").write_bytes(data)
    (tmp_path / "gshhsmeta_i.dat").write_text(index, encoding="ascii")
    monkeypatch.setattr(_basemap, "_folder", lambda: tmp_path)
    land, lakes = _basemap.coast((19.0, 49.0, 21.5, 53.0))
    assert [shape.bounds for shape in land] == [(20.0, 50.0, 21.5, 52.0)]
    assert lakes[0].bounds == pytest.approx((20.5, 51.0, 20.7, 51.2), abs=1e-5)
    assert all(shape.is_valid for shape in lakes)
    far_west, _ = _basemap.coast((-6.0, 49.0, -1.0, 53.0))
    assert [shape.bounds for shape in far_west] == [(-5.0, 50.0, -2.0, 52.0)]


def test_the_picture_is_read_point_by_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = pytest.importorskip("PIL.Image")
    picture = image.new("RGB", (36, 18), (10, 0, 0))
    picture.paste((200, 0, 0), (18, 0, 36, 18))
    picture.save(tmp_path / "bmng.jpg", format="PNG")
    monkeypatch.setattr(_basemap, "_folder", lambda: tmp_path)
    points = list(_basemap.redness((-20.0, 0.0, 20.0, 20.0)))
    assert len(points) == 4 * 2
    assert points[0] == (-15.0, 15.0, 10)
    assert points[-1] == (15.0, 5.0, 200)


def test_without_the_extra_the_reader_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(_basemap, "files", missing)
    with pytest.raises(HexwarError, match=r"hexwar\[maps\]"):
        _basemap.coast((0, 0, 1, 1))
    imported = builtins.__import__

    def without_pillow(name: str, *rest: object) -> ModuleType:
        if name == "PIL":
            raise ModuleNotFoundError(name)
        return imported(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_pillow)
    with pytest.raises(HexwarError, match=r"hexwar\[maps\]"):
        list(_basemap.redness((0, 0, 1, 1)))
