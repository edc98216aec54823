"""Map files: where they may come from, and the sentence for every mistake in them."""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable
from pathlib import Path

import pytest

from hexwar.board import load_map, map_schema
from hexwar.errors import ContentError
from tests.board.samples import CAMPAIGN, FORD, STEPPE, sheet

SHEETS = {"demo/l": sheet("L", 25), "demo/s": sheet("S", 30), "demo/k": sheet("K", 30)}


def refused(text: str, resolve: Callable[[str], str] | None = None) -> str:
    with pytest.raises(ContentError) as caught:
        load_map(text, resolve)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("map text: ")
    return message.removeprefix("map text: ")


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        # terrain
        (". . ~ f", ". x ~ f", "hex 0202: the terrain symbol 'x' is not in the legend, which has . f ~ (and - for no hex)"),
        (". . ~ f", ". . ~ f f", "terrain row 2: is too long: it has 5 hexes, but grid columns is 4"),
        (". . ~ f", ". . ~", "terrain row 2: is too short: it has 3 hexes, but grid columns is 4"),
        (". . ~ f\n", "", "terrain rows: there are 2 rows of terrain, but grid rows is 3"),
        (
            '{ "." = "clear"',
            '{ "." = "clear", "." = "mud"',
            "is not valid TOML: duplicate inline table key '.'",
        ),
        ('"." = "clear"', '"." = "Clear"', "terrain legend .: 'Clear' does not fit; a name here is made of small letters"),
        (
            '"." = "clear"',
            '"-" = "clear"',
            "terrain legend -: '-' does not fit; a symbol is one character, neither a blank nor '-'",
        ),
        ('"." = "clear"', '".." = "clear"', "terrain legend ..: '..' does not fit; a symbol is one character"),
        (
            '{ "." = "clear", f = "forest", "~" = "lake" }',
            "{}",
            "terrain legend: has too few entries: 0, and at least 1 must be there",
        ),
        # single hexes
        (
            'terrain = "forest"',
            'terrain = "forrest"',
            "hex 0303: no terrain is called 'forrest'; did you mean forest?",
        ),
        (
            "[provenance]",
            '[[hex]]\nhex = "0303"\n[provenance]',
            "hex 0303: has two [[hex]] entries; put them together into one",
        ),
        (
            "height = 3",
            "height = { a = 1 }",
            "hex #1 properties height: expected a string, a number, true or false, or a list of strings",
        ),
        (
            "height = 3",
            "height = 1941-06-22",
            "properties height: expected a string, a number, true or false, or a list of strings, not a",
        ),
        ("height = 3", "Height = 3", "hex #1 properties Height: 'Height' does not fit; a name here is made of small letters"),
        ('hex = "0303"', 'hex = "0305"', "hex: hex 0305 is off the map, which runs from 0101 to 0403"),
        # hexsides
        ("0301|0302", "0301|0303", "sides river: the hexes 0301 and 0303 are not adjacent"),
        ("0301|0302", "0301", "sides river: '0301' is no hexside; write 0301/N, or two hexes with | between them"),
        ("0102/N/NE", "0102/N/E", "sides river: in '0102/N/E', 'E' is no direction here; use N NE SE S SW NW"),
        ("0102/N/NE", "0109/N", "sides river: hex 0109 is off the map, which runs from 0101 to 0403"),
        # links
        ('"0102 0203"', '"0102 0202 0401"', "links road: the hexes 0202 and 0401 are not adjacent"),
        ('"0102 0203"', '"0102"', "links road: the chain '0102' needs at least two hexes"),
        ('"0102 0203"', '"0102 203"', "links road: '203' is no hex label here; one looks like 0101"),
        ('"0102 0203"', '"0102 0002"', "links road: '0002' lies before the first hex, 0101"),
        ('["0102 0103"]', '"0102 0103"', "links rail: expected a list, not '0102 0103'"),
        ('["0102 0103"]', "[3]", "links rail #1: expected a string in quotes, not 3"),
        ('["0102 0103"]', "[true]", "links rail #1: expected a string in quotes, not true"),
        # places
        ('hex = "0103"', 'hex = "0903"', "place Lower Mill: hex 0903 is off the map, which runs from 0101 to 0403"),
        ('hex = "0103"', 'hex = "0403"', "place Lower Mill: hex 0403 is off the map: the terrain block leaves it out with -"),
        ('hex = "0103"', 'hex = " "', "place Lower Mill: hex names no hex; a label belongs there"),
        ('hex = "0103"', 'hex = "0301"', "place Twin Oaks: hex 0301 already holds Lower Mill; a hex holds one place"),
        ("Twin Oaks", "Lower Mill", "place Lower Mill: two places have this name; give one of them another"),
        ('kind = "town"\n', "", "place #1 kind: this key is missing"),
        ("value = 2", 'value = "two"', "place #1 value: expected a whole number, not 'two'"),
        (
            "value = 2",
            f'value = "{"two" * 20}"',
            "place #1 value: expected a whole number, not 'twotwotwotwotwotwotwotwotwotwotwotwo...",
        ),
        ("value = 2", "worth = 2", "place #1 worth: no key is called 'worth'; known: name, kind, hex, value, tags"),
        ('"Twin Oaks"', '""', "place #2 name: is empty"),
        # areas
        ("0101..0103", "0103..0101", "areas west bank: 0103..0101 does not run forwards within one column or one row"),
        ("0101..0103", "0101..0202", "areas west bank: 0101..0202 does not run forwards within one column or one row"),
        ("0101..0401", "0101..0501", "areas north edge: hex 0501 is off the map, which runs from 0101 to 0403"),
        ("0101..0103", "0103..0403", "areas west bank: hex 0403 is off the map: the terrain block leaves it out with -"),
        # grid
        ('layout = "columns"', 'layout = "column"', "grid layout: expected 'columns' or 'rows', not 'column'"),
        ("columns = 4", "columns = 0", "grid columns: expected at least 1, not 0"),
        ("columns = 4", "columns = 501", "grid columns: expected at most 500, not 501"),
        ("columns = 4", "columns = 4.0", "grid columns: expected a whole number, not 4.0"),
        ("columns = 4", "columns = true", "grid columns: expected a whole number, not true"),
        ("columns = 4", "columns = 0\nfoo = 1", "grid columns: expected at least 1, not 0 (and 1 more)"),
        ('shift = "up"', 'shift = "east"', "grid: columns are shifted 'up' or 'down', not 'east'"),
        ("rows = 3", "rows = 3\ndigits = 1\nfirst_column = 7", "grid: column 10 has no label; they run from 7 to 9"),
        (
            "rows = 3",
            'rows = 3\nprefix = "A1"',
            "grid prefix: 'A1' does not fit; a prefix is made of at most 8 letters A-Z and a-z",
        ),
        ("rows = 3\n", "rows = 3\nrow = 3\n", "grid row: no key is called 'row'; did you mean rows"),
        # the file
        ("format = 1", "format = 2", "format: the version of the format is 2; this hexwar reads format = 1"),
        ("format = 1", 'format = "1"', "format: the version of the format is '1'; this hexwar reads format = 1"),
        ("format = 1", "format = true", "format: the version of the format is True; this hexwar reads format = 1"),
        ("format = 1", "", "format: the version of the format is missing; this hexwar reads format = 1"),
        ("title =", "titel =", "titel: no key is called 'titel'; did you mean title?"),
        ("The ford", "x" * 201, "title: is too long: at most 200 characters are allowed"),
        (
            "demo/ford",
            "Demo Ford",
            "id: 'Demo Ford' does not fit; an id is made of small letters, digits, - and _, with / between",
        ),
        ("[areas]", "[areas", "line 41, column 7: is not valid TOML: expected ']' at the end of a table declaration"),
        (
            "[grid]",
            '[[sheet]]\nmap = "x"\n[grid]',
            "sheet: a file has either a [grid] (one sheet) or [[sheet]] entries (a board), not both",
        ),
    ],
)
def test_a_mistake_in_a_map_gives_a_sentence(old: str, new: str, sentence: str) -> None:
    assert sentence in refused(changed(FORD, old, new))


def test_a_map_without_hexes_is_refused() -> None:
    text = STEPPE.replace("  w . .", "---").replace(" . . .", "---").replace("  . . -", "---")
    assert refused(text) == "terrain rows: there is no hex at all; every symbol is -"


def test_rows_are_named_by_their_printed_number() -> None:
    assert refused(changed(STEPPE, "  w . .", "w .")).startswith("terrain row 3: is too short")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("format = 1\nx = " + "[" * 20_000, "is not usable TOML: its values are nested too deeply"),
        ("format = 1\nx = " + "9" * 5_000, "is not valid TOML: a number has too many digits"),
        ('format = 1\nx = "', "end of document: is not valid TOML: unterminated string"),
        ("format = 1\n" + "#" * 1_000_000, "is larger than 1000000 bytes"),
        ('format = 1\nid = "x"\ngrid = 3', "grid: expected a table, not 3 (and 1 more)"),
        ('format = 1\nid = "x"\nsheet = []', "sheet: has too few entries: 0, and at least 1 must be there"),
        ('format = 1\nid = "x"\n' + '[[sheet]]\nmap = "x"\n' * 17, "sheet: has 17 entries; at most 16 are allowed"),
    ],
)
def test_what_is_no_map_at_all_is_refused(text: str, sentence: str) -> None:
    assert refused(text) == sentence


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            '"S5501 on L5521"',
            '"S5501 on L5522"',
            "sheet #2: the seams 'S0101 on L0121' and 'S5501 on L5522' contradict each other",
        ),
        ("S0101 on", "S0199 on", "sheet #2: in the seam 'S0199 on L0121', no hex of demo/s is called 'S0199'; did you mean"),
        (
            "on L0121",
            "on L0199",
            "sheet #2: in the seam 'S0101 on L0199', no hex of the sheets before it is called 'L0199'; did you",
        ),
        ("S of", "E of", "sheet #3: in the seam 'K0101 E of S0130', 'E' is no direction here; use N NE SE S SW NW"),
        ("S of", "below", "sheet #3: 'K0101 below S0130' is no seam; write 'S0101 on L0121' or 'K0101 S of S0130'"),
        ('join = ["K0101 S of S0130"]', "", "sheet #3: join is missing: say where this sheet lies, such as 'S0101 on L0121'"),
        (
            '"demo/l"',
            '"demo/l"\njoin = ["L0101 on S0101"]',
            "sheet #1: the first sheet has nothing to be joined to; give the join to",
        ),
        ("S2730 K2701", "S2730 K2703", "links rail: the hexes S2730 and K2703 are not adjacent"),
        ("S2730 K2701", "S2730 X2703", "links rail: no hex is called 'X2703'; did you mean"),
        (
            "[links]",
            '[areas]\na = ["S0101..S0103"]\n[links]',
            "areas a: S0101..S0103 cannot be used here; name each hex",
        ),
        (
            "[links]",
            '[[hex]]\nhex = "S0101"\nterrain = "lava"\n[links]',
            "hex S0101: no terrain is called 'lava'; known: clear, forest",
        ),
        ("demo/k", "../k", "sheet #3 map: '../k' does not fit; an id is made of small letters, digits, - and _, with / between"),
        ("join = [", "jion = [", "sheet #2 jion: no key is called 'jion'; did you mean join?"),
        ("demo/k", "demo/other", "sheet demo/other: the map found for it calls itself demo/k"),
        ("demo/k", "demo/campaign", "sheet demo/campaign: is itself a board of several sheets; name those sheets here instead"),
        ("demo/k", "demo/steppe", "sheet #3: the hexes of demo/steppe are pointy, those before it flat"),
        (
            'map = "demo/k"\njoin = ["K0101',
            'map = "demo/again"\njoin = ["S0101',
            "sheet #3: the label S0101 of demo/again is already taken; give the sheets different prefixes",
        ),
    ],
)
def test_a_mistake_in_a_board_of_sheets_gives_a_sentence(old: str, new: str, sentence: str) -> None:
    others = {
        "demo/other": SHEETS["demo/k"],
        "demo/campaign": CAMPAIGN,
        "demo/steppe": STEPPE,
        "demo/again": SHEETS["demo/s"].replace("demo/s", "demo/again"),
    }
    assert refused(changed(CAMPAIGN, old, new), {**SHEETS, **others}.__getitem__).startswith(sentence)


@pytest.mark.parametrize(
    ("north", "south", "sentence"),
    [
        (("X", "town", "L0101"), ("Y", "town", "S0101"), "place X: hex S0101 already holds Y; a hex holds one place"),
        (("X", "town", "L0101"), ("X", "city", "S0102"), "place X: is a city on one sheet and a town on another"),
    ],
)
def test_places_of_sheets_and_board_must_agree(north: tuple[str, ...], south: tuple[str, ...], sentence: str) -> None:
    def place(name: str, kind: str, label: str) -> str:
        return f'[[place]]\nname = "{name}"\nkind = "{kind}"\nhex = "{label}"\n'

    sheets = {"demo/l": sheet("L", 2, columns=2), "demo/s": sheet("S", 2, columns=2, extra=place(*south))}
    text = 'format = 1\nid = "x"\n[[sheet]]\nmap = "demo/l"\n[[sheet]]\nmap = "demo/s"\njoin = ["S0101 on L0101"]\n'
    assert refused(text + place(*north), sheets.__getitem__) == sentence


def test_sheets_need_something_to_find_them_with() -> None:
    assert refused(CAMPAIGN) == "sheet demo/l: this board joins other maps, and nothing was given to find them with"


def test_a_mistake_in_a_sheet_names_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "north.toml"
    path.write_text(changed(SHEETS["demo/l"], "columns = 55", "columns = 54"))
    with pytest.raises(ContentError, match=r"north\.toml: terrain row 1: is too long"):
        load_map(CAMPAIGN, lambda map_id: path if map_id == "demo/l" else SHEETS[map_id])


def test_sheets_strung_out_too_far_are_refused() -> None:
    size = 500
    block = "\n".join(["-" * (size - 1) + ".", *["-" * size] * (size - 2), "." + "-" * (size - 1)])
    one = f'layout = "columns"\ncolumns = {size}\nrows = {size}\nshifted = "odd"\nshift = "down"\ndigits = 3\n'

    def corner_sheet(map_id: str) -> str:
        return f"""
format = 1
id = "{map_id}"
[grid]
{one}prefix = "{map_id.upper()}"
[terrain]
legend = {{ "." = "clear" }}
rows = \"\"\"
{block}
\"\"\"
"""

    text = 'format = 1\nid = "far"\n[[sheet]]\nmap = "a"\n[[sheet]]\nmap = "b"\njoin = ["B500001 on A001500"]\n'
    assert refused(text, corner_sheet).startswith("the hexes lie too far apart: ")


def test_a_map_is_read_from_a_path_a_string_path_or_a_resource(tmp_path: Path) -> None:
    path = tmp_path / "ford.toml"
    path.write_text(FORD)
    assert load_map(path).digest == load_map(str(path)).digest == load_map(FORD).digest
    (tmp_path / "mapbox").mkdir()
    (tmp_path / "mapbox" / "__init__.py").touch()
    (tmp_path / "mapbox" / "ford.toml").write_text(FORD)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        assert len(load_map(importlib.resources.files("mapbox") / "ford.toml")) == 11


def test_files_that_cannot_be_read_are_content_errors(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"missing\.toml: cannot be read: no such file or directory"):
        load_map(tmp_path / "missing.toml")
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"format = 1\n# caf\xe9\n")
    with pytest.raises(ContentError, match=r"latin\.toml: line 2: is not UTF-8 text"):
        load_map(latin)
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"#" * 4_000_001)
    with pytest.raises(ContentError, match=r"huge\.toml: is larger than 1000000 bytes"):
        load_map(huge)


def test_the_schema_knows_both_kinds_of_file_and_every_key() -> None:
    schema = map_schema()
    assert schema["title"] == "hexwar map file"
    assert {"MapFile", "BoardFile", "GridPart", "PlacePart"} <= set(schema["$defs"])
    assert set(schema["$defs"]["MapFile"]["required"]) == {"format", "id", "grid", "terrain"}
    assert schema["$defs"]["GridPart"]["additionalProperties"] is False


def test_every_key_of_the_schema_is_explained() -> None:
    for part in ("GridPart", "TerrainPart"):
        assert all("description" in key for key in map_schema()["$defs"][part]["properties"].values())
