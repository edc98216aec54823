"""Maps as GeoJSON: what the standard asks for, and hexes that lie where the ground is."""

from __future__ import annotations

import json
import math
import statistics
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon, shape

from hexwar.board import Board, load_map
from hexwar.cartography import Georeference, build, export_geojson
from hexwar.errors import ContentError, HexwarError
from hexwar.hexes import centre
from tests.board.samples import FORD
from tests.board.strategies import boards
from tests.cartography.country import found, imagine
from tests.maps.geography import GEOGRAPHY, board, rows


@cache
def ground(recipe: str) -> Georeference:
    return Georeference(GEOGRAPHY / f"{recipe}.recipe.toml")


@cache
def dnieper() -> dict[str, Any]:
    exported: dict[str, Any] = json.loads(export_geojson(board("tow/dnieper"), ground("tow")))
    return exported


def layer(collection: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [feature for feature in collection["features"] if feature["properties"]["layer"] == name]


@pytest.mark.parametrize(("recipe", "name"), [("ava", "ava/campaign"), ("tow", "tow/dnieper")])
def test_the_projection_taken_backwards_and_forwards_again(recipe: str, name: str) -> None:
    """On the bundled maps: 0.0000006 hexes on average and never more than 0.000002, which is four centimetres."""
    there, on = ground(recipe), board(name)
    errors = []
    for label in on.labels[::5]:
        point = centre(there.grid.at(label), on.orientation)
        errors.append(math.dist(there.project(*there.ground(point)), point))
    assert statistics.mean(errors) < 1e-6
    assert max(errors) <= 2e-6


def test_rounding_to_five_decimals_costs_less_than_a_ten_thousandth_of_a_hex() -> None:
    there = ground("tow")
    for feature in layer(dnieper(), "hex")[::7]:
        x, y = centre(there.grid.at(feature["properties"]["label"]), "pointy")
        lon, lat = (round(value, 5) for value in there.ground((x, y)))
        assert math.dist(there.project(lon, lat), (x, y)) < 1e-4


def test_towns_come_back_to_their_own_longitude_and_latitude() -> None:
    there = ground("ava")
    for town in rows("towns.csv")[::9]:
        lon, lat = float(town["lon"]), float(town["lat"])
        assert there.ground(there.project(lon, lat)) == pytest.approx((lon, lat), abs=1e-5), town["name"]


def test_a_control_point_lies_in_the_middle_of_its_hex() -> None:
    odesa = next(it for it in layer(dnieper(), "place") if it["properties"]["name"] == "Odesa")
    town = next(it for it in rows("towns.csv") if it["name"] == "Odessa")
    assert odesa["geometry"]["coordinates"] == pytest.approx([float(town["lon"]), float(town["lat"])], abs=2e-5)


def test_a_sheet_and_its_board_agree_where_a_hex_lies() -> None:
    there = ground("ava")
    sheet = json.loads(export_geojson(board("ava/kiev").crop(["K3507", "K3607"]), there))
    joined = json.loads(export_geojson(board("ava/campaign").crop(["K3507", "S0101"]), there))
    (a,), (b,) = ([it for it in layer(part, "hex") if it["properties"]["label"] == "K3507"] for part in (sheet, joined))
    assert a["geometry"] == b["geometry"]
    (corner,) = (it for it in layer(joined, "hex") if it["properties"]["label"] == "S0101")
    assert corner["properties"]["aliases"] == ["L0121"]


class TestStandard:
    def test_the_collection(self) -> None:
        assert dnieper()["type"] == "FeatureCollection"
        assert dnieper()["hexwar"]["board"] == "tow/dnieper"
        assert "coordinates" not in dnieper()["hexwar"]
        west, south, east, north = dnieper()["bbox"]
        assert (23 < west < 24, 46 < south < 47, 39 < east < 40, 51 < north < 52) == (True, True, True, True)

    def test_every_id_is_given_once(self) -> None:
        ids = [feature["id"] for feature in dnieper()["features"]]
        assert len(set(ids)) == len(ids)

    def test_cells_are_closed_rings_that_run_counterclockwise(self) -> None:
        for feature in layer(dnieper(), "hex"):
            (ring,) = feature["geometry"]["coordinates"]
            assert len(ring) == 7
            assert ring[0] == ring[-1]
            cell = Polygon(ring)
            assert cell.is_valid
            assert cell.exterior.is_ccw

    def test_neighbours_share_their_corners(self) -> None:
        cells = {
            it["properties"]["label"]: {tuple(at) for at in it["geometry"]["coordinates"][0]} for it in layer(dnieper(), "hex")
        }
        assert len(cells["2918"] & cells["2919"]) == 2

    def test_coordinates_have_at_most_five_decimals(self) -> None:
        text = export_geojson(board("tow/dnieper").crop(["2918", "2919"]), ground("tow"))
        assert json.loads(text, parse_float=lambda number: len(number.partition(".")[2]) <= 5)["bbox"] == [True] * 4
        assert "-0.0," not in text

    def test_the_same_board_gives_the_same_bytes(self) -> None:
        part = board("tow/dnieper").crop(board("tow/dnieper").disk("2918", 3))
        assert export_geojson(part, ground("tow")) == export_geojson(part, Georeference(GEOGRAPHY / "tow.recipe.toml"))


class TestLayers:
    def test_everything_on_the_board_is_there(self) -> None:
        on = board("tow/dnieper")
        assert len(layer(dnieper(), "hex")) == len(on)
        assert len(layer(dnieper(), "hexside")) == sum(map(len, on.content.sides.values()))
        assert len(layer(dnieper(), "link")) == sum(map(len, on.content.links.values()))
        assert [it["properties"]["name"] for it in layer(dnieper(), "place")] == [place.name for place in on.places]

    def test_hexes(self) -> None:
        (kyiv,) = (it for it in layer(dnieper(), "hex") if it["properties"]["label"] == "2918")
        assert kyiv["id"] == "hex 2918"
        assert kyiv["properties"]["terrain"] == board("tow/dnieper").terrain("2918")
        assert kyiv["properties"]["place"] == "Kyiv"
        assert kyiv["properties"]["areas"] == ["west of the dnieper"]

    def test_a_river_runs_between_its_hexes_and_a_railway_from_middle_to_middle(self) -> None:
        cells = {it["properties"]["label"]: Polygon(it["geometry"]["coordinates"][0]) for it in layer(dnieper(), "hex")}
        for feature in layer(dnieper(), "hexside")[::25]:
            line = shape(feature["geometry"])
            for label in feature["properties"]["hexes"]:
                assert cells[label].exterior.distance(line.interpolate(0.5, normalized=True)) < 1e-4
        for feature in layer(dnieper(), "link")[::25]:
            a, b = feature["properties"]["hexes"]
            start, *_, end = feature["geometry"]["coordinates"]
            assert cells[a].centroid.distance(shape({"type": "Point", "coordinates": start})) < 0.01
            assert cells[b].centroid.distance(shape({"type": "Point", "coordinates": end})) < 0.01

    def test_a_hexside_at_the_edge_names_its_one_hex(self) -> None:
        exported = json.loads(export_geojson(load_map(FORD), None))
        (edge,) = (it for it in layer(exported, "hexside") if it["id"] == "cliff 0401/0")
        assert edge["properties"] == {"layer": "hexside", "feature": "cliff", "hexes": ["0401"]}

    def test_places_and_the_ruleset_s_own_properties(self) -> None:
        exported = json.loads(export_geojson(load_map(FORD), None))
        assert layer(exported, "place")[0]["properties"] == {
            "layer": "place",
            "name": "Lower Mill",
            "kind": "town",
            "hexes": ["0103"],
            "value": 2,
            "tags": ["port", "supply"],
        }
        (hill,) = (it for it in layer(exported, "hex") if it["properties"]["label"] == "0303")
        assert hill["properties"]["properties"] == {"height": 3, "name": "Hill 3"}


class TestPlane:
    def test_a_board_that_lies_nowhere_says_so(self) -> None:
        exported = json.loads(export_geojson(load_map(FORD), None))
        assert exported["hexwar"]["coordinates"].endswith("not longitude and latitude")
        (first, *_) = layer(exported, "hex")
        assert shape(first["geometry"]).centroid.coords[0] == pytest.approx((0, 0), abs=1e-5)

    @given(boards())
    def test_any_board_can_be_drawn_on_its_plane(self, on: Board) -> None:
        exported = json.loads(export_geojson(on, None))
        cells = [Polygon(it["geometry"]["coordinates"][0]) for it in layer(exported, "hex")]
        assert len(cells) == len(on)
        assert all(cell.exterior.is_ccw and cell.area == pytest.approx(math.sqrt(3) / 2, abs=1e-4) for cell in cells)
        assert len({it["id"] for it in exported["features"]}) == len(exported["features"])


class TestCountry:
    """A small invented country, of which all is known."""

    @pytest.fixture
    def there(self, tmp_path: Path) -> Georeference:
        return Georeference(found(tmp_path))

    def test_its_maps(self, there: Georeference, tmp_path: Path) -> None:
        assert there.maps == {"demo/upper", "demo/lower", "demo/both"}
        recipe = tmp_path / "demo.recipe.toml"
        board = '[board]\nid = "demo/both"\ntitle = "Both"\n'
        recipe.write_text(recipe.read_text("utf-8").replace(board, ""), "utf-8")
        assert Georeference(recipe).maps == {"demo/upper", "demo/lower"}

    def test_the_build_and_the_export_see_the_same_projection(
        self, there: Georeference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        imagine(monkeypatch)
        built = build(tmp_path / "demo.recipe.toml")
        assert there.project.residuals == built.residuals
        lower = json.loads(export_geojson(load_map(built.files["demo/lower"]), there))
        (sud,) = (it for it in layer(lower, "place") if it["properties"]["name"] == "South")
        assert sud["geometry"]["coordinates"] == pytest.approx([28.3, 53.6], abs=2e-5)

    @given(x=st.floats(-40, 40), y=st.floats(-40, 40))
    def test_every_point_for_miles_around_lies_somewhere(self, x: float, y: float) -> None:
        there = ground("ava")
        lon, lat = there.ground((20 + x, 10 + y))
        assert there.project(lon, lat) == pytest.approx((20 + x, 10 + y), abs=1e-5)

    def test_a_board_of_another_recipe(self, there: Georeference) -> None:
        with pytest.raises(HexwarError, match="demo/ford is no map of this recipe; it builds demo/both, demo/lower, demo/upper"):
            export_geojson(load_map(FORD), there)

    def test_points_off_the_world(self, there: Georeference) -> None:
        with pytest.raises(HexwarError, match="lies nowhere on the ground"):
            there.ground((0.0, 1e9))

    @pytest.mark.parametrize(
        ("old", "new", "sentence"),
        [
            ('place = "Sud"', 'place = "Nowhere"', "control Nowhere: is in no file of towns"),
            ('hexes = ["B0604"]', 'hexes = ["C0604"]', "hex C0604: lies on no sheet"),
        ],
    )
    def test_recipes_that_are_wrong(self, tmp_path: Path, old: str, new: str, sentence: str) -> None:
        with pytest.raises(ContentError, match=sentence):
            Georeference(found(tmp_path, ("demo.recipe.toml", old, new)))

    def test_control_points_in_one_place(self, tmp_path: Path) -> None:
        recipe = found(
            tmp_path, ("towns.csv", "Noreast,54.4,29.2", "Noreast,54.4,27.5"), ("towns.csv", "Sud,53.6,28.3", "Sud,54.4,27.5")
        )
        with pytest.raises(ContentError, match="the control points do not decide the map"):
            Georeference(recipe)
