"""A whole map from a recipe: a small invented country, in which every stage leaves something to see."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from hexwar.board import Board, load_map
from hexwar.cartography import Built, build, read_recipe
from hexwar.errors import ContentError
from hexwar.hexes import Vertex
from tests.cartography.country import found, imagine


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    imagine(monkeypatch)
    return build(found(tmp_path))


@pytest.fixture
def both(built: Built) -> Board:
    return load_map(built.files["demo/both"], built.files.__getitem__)


def test_control_points_lie_in_their_hexes_and_other_towns_where_they_fall(both: Board) -> None:
    assert both.find("Norwest").hexes == ("A0303",)
    assert both.find("Noreast").hexes == ("A0903",)
    assert both.find("South").hexes == ("B0604",)
    assert set(both.find("Middle").hexes) == {"B0601", "A0604"}
    assert both.find("South").kind == "city"
    assert both.find("Norwest").tags == {"port"}


def test_a_hex_is_named_after_its_greatest_town(both: Board) -> None:
    names = {place.name for place in both.places}
    assert "Hamlet" not in names
    assert "Lakeside" not in names
    assert "Faraway" not in names


def test_coast_and_lakes(both: Board) -> None:
    assert both.terrain("A0103") == "sea"
    assert both.terrain("B0903") == "lake"
    assert both.terrain("A0503") != "lake"
    assert "water" in both.side("B0803", "B0902")


def test_masked_ground_has_no_hexes_and_other_masks_become_what_they_say(both: Board) -> None:
    assert "B1206" not in both
    assert "B1206" not in both.labels
    assert both.terrain("A0101") == "sea"


def test_terrain_from_shapes_rules_and_the_picture(both: Board) -> None:
    assert both.terrain("A0502") == "marsh"
    assert both.terrain("A1004") == "marsh"
    dry = [label for label in both.labels if both.terrain(label) not in ("sea", "lake")]
    forest = [label for label in dry if both.terrain(label) == "forest"]
    assert len(forest) == int(len(dry) * 0.2)
    assert all(label.startswith("B") or label == "A0306" for label in forest)


def test_rivers_run_between_hexes_with_towns_on_their_banks(both: Board, built: Built) -> None:
    assert built.banks == {"Middle on Long": True, "Sud on Long": True}
    assert "major-river" in both.side("A0604", "A0704")
    assert "minor-river" in both.side("A0601", "A0701")
    assert both.side("A0303", "A0304") == set()
    assert "minor-river" in both.side("A0404", "A0403")


def waters(tmp_path: Path, rivers: str) -> nx.Graph[Vertex]:
    """The rivers of the country, with more of them, as one graph."""
    built = build(found(tmp_path, ("rivers.csv", "Brook,1", f"{rivers}Brook,1")))
    assert built.lost == ()
    content = load_map(built.files["demo/both"], built.files.__getitem__).content
    return nx.Graph(side.vertices for side, names in content.sides.items() if names & {"major-river", "minor-river"})


def test_a_tributary_ends_where_it_meets_its_river(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imagine(monkeypatch)
    before = waters(tmp_path, "")
    after = waters(tmp_path, "Over,1,53.9,27.6,minor\nOver,2,53.9,28.35,minor\nOver,3,53.7,28.65,minor\n")
    assert set(before.edges) < set(after.edges)
    assert nx.is_tree(after)
    new = after.edge_subgraph(edge for edge in after.edges if not before.has_edge(*edge))
    assert len([v for v in new if v in before]) == 1


def test_two_rivers_rise_apart_although_their_sources_are_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imagine(monkeypatch)
    graph = waters(tmp_path, "Twin,1,54.26,27.62,minor\nTwin,2,53.2,27.7,minor\n")
    assert nx.is_forest(graph)
    assert nx.number_connected_components(graph) == 2


def test_a_river_that_springs_from_another_one_begins_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imagine(monkeypatch)
    graph = waters(tmp_path, "Arm,1,53.9,28.46,minor\nArm,2,53.9,27.8,minor\nArm,3,53.2,27.7,minor\n")
    assert nx.is_tree(graph)


def test_the_river_that_goes_on_is_laid_before_a_longer_tributary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imagine(monkeypatch)
    stem = "Stem,1,53.7,27.9,minor\nStem,2,53.2,27.9,minor\n"
    graph = waters(tmp_path, f"{stem}Feeder,1,54.1,27.4,minor\nFeeder,2,53.8,27.4,minor\nFeeder,3,53.5,27.9,minor\n")
    assert nx.is_forest(graph)
    assert nx.number_connected_components(graph) == 2


def test_a_hexside_is_dry_if_the_recipe_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imagine(monkeypatch)
    dry = 'dry = { "B0803|B0902" = "reconstructed: a causeway" }'
    built = build(found(tmp_path, ("demo.recipe.toml", 'lake = "lake"', f'lake = "lake"\n{dry}')))
    both = load_map(built.files["demo/both"], built.files.__getitem__)
    assert "water" not in both.side("B0803", "B0902")
    assert any("no water on B0803|B0902" in text for text in both.provenance["sheets"]["demo/lower"]["reconstructed"])


def test_lines_run_from_town_to_town_and_leave_the_map_where_they_must(both: Board) -> None:
    assert both.has_link("A0602", "rail")
    assert both.has_link("A1203", "rail")
    assert both.links("B0601", "A0604") == {"rail", "road"}
    assert both.links("B0603", "B0604") == {"rail"}
    assert [near for near in both.neighbours("A1203") if "rail" in both.links("A1203", near)] == [
        "A1103"
    ]  # and goes on off the map
    assert {"bridge", "major-river"} <= both.side("A0604", "A0703")


def test_the_border_divides_the_country(both: Board) -> None:
    west = set(both.areas["western ground"])
    assert {"A0303", "B0604"} <= west
    assert "A0903" not in west
    assert "border" in both.side("B0602", "B0702")


def test_areas(both: Board, built: Built) -> None:
    assert both.areas["supply"] == ("A1203",)
    assert both.areas["hq west 1A"] == ("A0304",)
    assert set(both.areas["range west 2A"]) == {"A0501", "A0502", "A0503"}
    assert "A0902" in both.areas["beyond the Long"]
    assert "A0303" not in both.areas["beyond the Long"]
    upper, lower = (load_map(built.files[f"demo/{name}"]) for name in ("upper", "lower"))
    assert "A0303" in upper.areas["frame upper"]
    assert "A0305" not in upper.areas["frame upper"]
    assert "frame lower" not in upper.areas
    assert "B0303" in lower.areas["frame lower"]
    assert set(lower.areas["all of it"]) == set(lower.labels)


def test_provenance_is_sorted_by_what_it_rests_on(both: Board) -> None:
    upper = both.provenance["sheets"]["demo/upper"]
    assert upper["by"] == "nobody"
    assert upper["fact"][0] == "the rules of this game"
    assert "Norwest in A0303, Noreast in A0903: 1.1" in upper["fact"]
    assert any(text.startswith("Middle in A0605 A0604") for text in upper["reconstructed"])


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, built: Built) -> None:
    again = build(tmp_path / "demo.recipe.toml")
    assert again.files == built.files


def test_files_are_saved_under_their_ids(tmp_path: Path, built: Built) -> None:
    target = tmp_path / "maps"
    written = built.save(target)
    assert [path.relative_to(target).as_posix() for path in written] == ["demo/upper.toml", "demo/lower.toml", "demo/both.toml"]
    assert (target / "demo" / "upper.toml").read_bytes() == built.files["demo/upper"].encode()
    assert sorted(path.name for path in (target / "demo").iterdir()) == ["both.toml", "lower.toml", "upper.toml"]


def test_a_failed_save_leaves_nothing_behind(tmp_path: Path, built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Path, target: Path) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(ContentError, match=r"upper\.toml: cannot be written: disk full"):
        built.save(tmp_path / "maps")
    assert list((tmp_path / "maps" / "demo").iterdir()) == []


RECIPE = "demo.recipe.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (RECIPE, "format = 1", "format = ", "is not valid TOML"),
        (RECIPE, "format = 1", "format = 2", "format: input should be 1"),
        (RECIPE, "warp_length = 5.0", "warp_lenght = 5.0", "projection.warp_length: field required"),
        (RECIPE, 'source = "fact 1.1"', 'source = "I think"', "control.0.source: string should match pattern"),
        (RECIPE, 'place = "Norwest"', 'place = "Nowhere"', "control Nowhere: is in no file of towns"),
        (RECIPE, 'hexes = ["A0303"]', 'hexes = ["A9903"]', "hex A9903: lies on no sheet"),
        (RECIPE, '"A0303|A0304"', '"A0303|A0305"', "hexside A0303|A0305: its two hexes are not adjacent"),
        (RECIPE, "promoted = { Sud", "promoted = { Nord", "places: Nord is not in the towns file"),
        (RECIPE, ', town = "town" }', " }", "places kinds: does not say what a town becomes"),
        (RECIPE, 'm = "marsh", ', "", "terrain legend: has no symbol for marsh"),
        ("towns.csv", "Hamlet,54.41,27.51", "Hamlet,54.41,east", "towns.csv: line 7: 'east' and '54.41' are no longitude"),
        ("towns.csv", "Hamlet,", "Sud,", "towns.csv: line 7: Sud stands here twice"),
        ("towns.csv", "Hamlet,54.41,27.51,town,Hamlet", "Hamlet,54.41", "towns.csv: line 7: needs 5 values"),
        ("rail.csv", "Main,2,Norwest", "Main,2,Nowhere", "rail.csv: line 3: Nowhere is in no file of towns"),
        ("rivers.csv", "Brook,2,54.0,29.52,minor\n", "", "river Brook: needs at least two points"),
        ("terrain.geojson", "[29.9, 54.7], [29.9, 54.05]", "[29.9, 54.05], [29.9, 54.7]", "terrain.geojson: Mire: is no proper"),
        ("border_towns.csv", "Norwest,west", "Norwest,east", "border town"),
        ("border.csv", "3,52.9,28.6,\n", "", "border town"),
        ("starts.csv", "1A,A,area", "1A,A,field", "starts.csv: line 2: the kind is area or range, not 'field'"),
        ("starts.csv", "area,3,A0304", "area,3,A0305", "start of west 1A: its headquarters stands outside"),
        ("starts.csv", "A0304 A0303", "A0304 A0103", "start of west 1A: nothing can stand in A0103"),
        ("starts.csv", "A0304 A0303", "A0304 A0903", "start of west 1A: A0903 is east ground"),
        ("starts.csv", "A0304 A0303", "A0304 A0305 A0306 A0303", "start of west 1A: 3 units cannot occupy all of 4 hexes"),
        ("starts.csv", "1A,A,area,3", "1A,A,area,5", "start of west 1A: 5 units do not fit into 2 hexes"),
        ("starts.csv", "A0304 A0303", "A0304 A0306", "start of west 1A: its hexes do not hang together"),
        ("starts.csv", "A0304 A0303", "A0304 A0404 A0503", "start of west 2A: A0503 already belongs to 1A"),
    ],
)
def test_mistakes_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str, sentence: str
) -> None:
    imagine(monkeypatch)
    with pytest.raises(ContentError) as caught:
        build(found(tmp_path, (file, old, new)))
    assert sentence in str(caught.value)


def test_a_missing_input_is_named(tmp_path: Path) -> None:
    recipe = found(tmp_path)
    (tmp_path / "rivers.csv").unlink()
    with pytest.raises(ContentError, match=r"rivers\.csv: cannot be read: no such file"):
        build(recipe)


def test_control_points_in_one_line_decide_nothing(tmp_path: Path) -> None:
    recipe = found(tmp_path, ("towns.csv", "Noreast,54.4,29.2", "Noreast,54.4,27.5"))
    with pytest.raises(ContentError, match="the control points do not decide the map"):
        build(recipe)


def test_rows_of_a_pointy_map_cannot_be_moved_by_an_odd_number(tmp_path: Path) -> None:
    pointy = ('layout = "columns"', 'layout = "rows"'), ('shift = "up"', 'shift = "east"'), ("offset = 4", "offset = 3")
    recipe = found(tmp_path, *((RECIPE, old, new) for old, new in pointy))
    with pytest.raises(ContentError, match="an odd offset would shift the wrong rows"):
        build(recipe)


def test_a_country_without_border_and_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imagine(monkeypatch)
    text = found(tmp_path).read_text(encoding="utf-8")
    start, end = text.index("[border]"), text.index("[terrain]")
    text = text[:start] + text[end:]
    for old, new in (
        ('[board]\nid = "demo/both"\ntitle = "Both"\n', ""),
        ('border = ["border.csv"]\nborder_towns = ["border_towns.csv"]\nstarts = ["starts.csv"]\n', ""),
        ("linked = true", "linked = false\nmodern = true"),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / RECIPE).write_text(text, encoding="utf-8")
    built = build(tmp_path / RECIPE)
    assert built.files.keys() == {"demo/upper", "demo/lower"}
    upper = load_map(built.files["demo/upper"])
    assert upper.find("Mitte").kind == "major-city"
    assert not upper.links("A0604", "A0605")


def test_a_recipe_can_be_read_on_its_own(tmp_path: Path) -> None:
    assert [sheet.id for sheet in read_recipe(found(tmp_path)).sheet] == ["demo/upper", "demo/lower"]
