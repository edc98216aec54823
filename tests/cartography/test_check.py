"""Mistakes planted in maps, and found again; and what is no mistake, although it looks like one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import hexwar
from hexwar.board import AnyBoard, Board, BoardContent, HexContent, Place, load_map
from hexwar.cartography import Finding, Words, check_board
from hexwar.cartography._check import misprints
from hexwar.hexes import Hex, LabelCodec, Vertex, vertex_point
from hexwar.plugins import plugins
from tests.board.samples import FORD
from tests.board.strategies import boards
from tests.maps.geography import board as bundled

PLAIN = "\n".join([". " * 7] * 7)


def country(rows: str = PLAIN, sections: str = "") -> Board:
    """A country of seven columns and rows, columns 02, 04, 06 half a hex higher."""
    return load_map(
        'format = 1\nid = "demo/country"\n[grid]\nlayout = "columns"\ncolumns = 7\nrows = 7\nshifted = "even"\nshift = "up"\n'
        f'[terrain]\nlegend = {{ "." = "clear", "~" = "sea" }}\nrows = """\n{rows}\n"""\n{sections}'
    )


def found(board: Board, check: str = "", sheets: Iterable[BoardContent] = ()) -> list[Finding]:
    return [finding for finding in check_board(board, sheets=sheets) if check in ("", finding.check)]


def the(board: Board, check: str = "", sheets: Iterable[BoardContent] = ()) -> Finding:
    """The only finding."""
    (finding,) = found(board, check, sheets)
    return finding


def test_a_plain_country_has_no_mistakes() -> None:
    assert found(country()) == []


@pytest.mark.parametrize("name", sorted(plugins().maps()))
def test_bundled_boards_have_no_errors(name: str) -> None:
    if isinstance(hexwar.load_board(name, kind=AnyBoard), Board):
        assert [str(finding) for finding in found(bundled(name)) if finding.severity == "error"] == []


def test_a_finding_reads_as_a_sentence_with_its_hexes() -> None:
    assert str(Finding("error", "river", ("0101", "0102"), "dries up")) == "error: 0101 0102: dries up (river)"
    assert str(Finding("warning", "area", (), "is empty")) == "warning: is empty (area)"
    assert "0101 0102 0103 0104 …:" in str(Finding("error", "link", ("0101", "0102", "0103", "0104", "0105"), "breaks"))


def test_errors_come_before_warnings() -> None:
    board = country(sections='[sides]\nbridge = ["0303/N"]\n[links]\nroad = ["0202 0302", "0506 0606 0607"]')
    severities = [finding.severity for finding in found(board)]
    assert severities == sorted(severities)
    assert set(severities) == {"error", "warning"}


class TestLabels:
    def test_a_label_in_the_wrong_hex(self) -> None:
        content = country().content
        h = next(h for h, printed in content.hexes.items() if printed.labels == ("0304",))
        wrong = Board(replace(content, hexes={**content.hexes, h: HexContent(("0999",), "clear")}))
        assert the(wrong) == Finding("error", "label", ("0999",), "stands where 0304 belongs")

    def test_a_sheet_that_is_joined_a_row_too_low(self) -> None:
        def sheet(name: str, columns: int, first: int) -> str:
            rows = "\n".join([". " * columns] * 5)
            return (
                f'format = 1\nid = "demo/{name}"\n[grid]\nlayout = "columns"\ncolumns = {columns}\nrows = 5\nshifted = "even"\n'
                f'shift = "up"\nfirst_column = {first}\n[terrain]\nlegend = {{ "." = "clear" }}\nrows = """\n{rows}\n"""\n'
            )

        texts = {"demo/west": sheet("west", 7, 1), "demo/east": sheet("east", 2, 8)}
        seam = (
            'format = 1\nid = "demo/both"\n[[sheet]]\nmap = "demo/west"\n[[sheet]]\nmap = "demo/east"\njoin = ["0801 {} of 0701"]'
        )
        assert found(load_map(seam.format("NE"), resolve=texts.__getitem__)) == []
        wrong = found(load_map(seam.format("SE"), resolve=texts.__getitem__))
        assert Finding("error", "label", ("0801",), "stands where 0802 belongs") in wrong
        assert len(wrong) == 10

    def test_a_place_for_which_the_series_has_no_number(self) -> None:
        column = {f"A00{row:02}": Hex(0, row) for row in range(8)}
        assert list(misprints({**column, "A0500": Hex(-1, 2)}, "flat")) == [("A0500", "no such number")]

    def test_hexes_that_are_not_numbered_by_their_place(self) -> None:
        names = {"Alpha": Hex(0, 0), "Beta": Hex(0, 1), "123": Hex(1, 0)}
        scattered = {"01": Hex(0, 0), "77": Hex(0, 1), "35": Hex(1, 0), "98": Hex(2, 2), "11": Hex(5, 0)}
        assert list(misprints(names | scattered, "flat")) == []

    @given(boards(), st.data())
    def test_two_labels_that_changed_places_are_found(self, board: Board, data: st.DataObject) -> None:
        assume(len(board) > 12)
        a, b = (
            board.hex(label) for label in data.draw(st.lists(st.sampled_from(board.labels), min_size=2, max_size=2, unique=True))
        )
        hexes = dict(board.content.hexes)
        assert found(board, "label") == []
        hexes[a], hexes[b] = hexes[b], hexes[a]
        wrong = found(Board(replace(board.content, hexes=hexes)), "label")
        assert {finding.hexes[0] for finding in wrong} == {board.at(a), board.at(b)}

    @given(
        st.sampled_from(["columns", "rows"]),
        st.sampled_from(["odd", "even"]),
        st.booleans(),
        st.sampled_from(["columns-first", "rows-first"]),
        st.sampled_from(["north", "south"]),
        st.integers(0, 9),
    )
    def test_every_way_of_numbering_is_understood(
        self, layout: str, shifted: str, forth: bool, order: str, rows_from: str, first: int
    ) -> None:
        shift = {"columns": ("up", "down"), "rows": ("west", "east")}[layout][forth]
        codec = LabelCodec(
            layout=layout,  # type: ignore[arg-type]
            shifted=shifted,  # type: ignore[arg-type]
            shift=shift,  # type: ignore[arg-type]
            order=order,  # type: ignore[arg-type]
            rows_from=rows_from,  # type: ignore[arg-type]
            first_column=first,
            first_row=first,
            digits=3,
            prefix="Q",
        )
        hexes = {codec.at(first + column, first + row): (column, row) for column in range(5) for row in range(4)}
        assert list(misprints({codec.label(h): h for h in hexes}, codec.orientation)) == []


class TestPlaces:
    def test_a_city_in_two_parts_and_a_town_in_the_sea(self) -> None:
        rows = "~ . . . . . .\n" + "\n".join([". " * 7] * 6)
        places = (Place("Zwei", "city", ("0303", "0505")), Place("Vineta", "town", ("0101",)))
        assert found(Board(replace(country(rows).content, places=places))) == [
            Finding("warning", "place", ("0303", "0505"), "the hexes of Zwei do not touch"),
            Finding("warning", "place", ("0101",), "Vineta lies in the water"),
        ]

    def test_a_city_of_several_hexes_that_touch(self) -> None:
        assert found(Board(replace(country().content, places=(Place("Eins", "city", ("0303", "0304")),)))) == []


class TestLand:
    def test_a_hex_on_its_own(self) -> None:
        rows = "\n".join([". . . . - - .", ". . . . - - -", *[". . . . - - -"] * 5])
        assert the(country(rows)) == Finding("error", "isolated", ("0701",), "has no neighbour on the map")

    def test_a_map_of_one_hex_is_not_isolated(self) -> None:
        assert found(country().crop(["0303"])) == []

    def test_a_map_in_two_pieces(self) -> None:
        rows = "\n".join([". . . . - - .", *[". . . . - . ."] * 6])
        finding = the(country(rows))
        assert (finding.severity, finding.check) == ("error", "unreachable")
        assert finding.reason == "13 hexes of land that nothing joins to the rest"

    def test_an_island_is_only_a_warning(self) -> None:
        rows = "\n".join([". . . ~ ~ ~ ~", ". . . ~ ~ . ~", ". . . ~ ~ ~ ~", *[". . . . . . ."] * 4])
        assert the(country(rows)) == Finding("warning", "unreachable", ("0602",), "1 hex of land behind water")

    def test_hexsides_closed_by_water_cut_land_off_unless_a_link_crosses(self) -> None:
        closed = '[sides]\nwater = ["0101/S/SE/NE"]'
        assert the(country(sections=closed), "unreachable").hexes == ("0101",)
        assert found(country(sections=f'{closed}\n[links]\nroad = ["0101 0102"]')) == []


class TestLinks:
    LINE = "0204 0304 0404 0504 0604"

    def test_a_line_in_one_piece(self) -> None:
        assert found(country(sections=f'[links]\nrail = ["{self.LINE}"]')) == []

    def test_a_missing_link_breaks_it(self) -> None:
        finding = the(country(sections='[links]\nrail = ["0204 0304", "0404 0504 0604"]'))
        assert finding == Finding("error", "link", ("0304", "0404"), "a rail net of 2 hexes ends one step from a net of 3")

    def test_kinds_of_link_are_nets_of_their_own(self) -> None:
        assert found(country(sections='[links]\nrail = ["0204 0304"]\nroad = ["0304 0404"]')) == []

    def test_nets_far_apart_are_a_warning(self) -> None:
        finding = the(country(sections='[links]\nroad = ["0202 0302", "0506 0606 0607"]'))
        assert finding == Finding("warning", "link", ("0202", "0302"), "a road net of 2 hexes is joined to no other")

    def test_nets_that_may_meet_beyond_the_edge_are_a_warning(self) -> None:
        finding = the(country(sections='[links]\nroad = ["0101 0102", "0103 0203 0303"]'))
        assert (finding.severity, finding.hexes) == ("warning", ("0101", "0102"))

    def test_nets_on_two_shores_are_a_warning(self) -> None:
        finding = the(country(sections='[sides]\nwater = ["0304|0404"]\n[links]\nrail = ["0204 0304", "0404 0504 0604"]'))
        assert finding.severity == "warning"

    def test_a_line_through_the_sea(self) -> None:
        rows = "\n".join([*[". " * 7] * 3, ". . . . ~ . .", *[". " * 7] * 3])
        assert the(country(rows, f'[links]\nrail = ["{self.LINE}"]')) == Finding(
            "warning", "link", ("0504",), "rail runs through water"
        )

    @given(st.integers(0, 40), st.data())
    def test_a_link_taken_out_of_a_random_line_is_found(self, turns: int, data: st.DataObject) -> None:
        # A line that only goes east, and up or down in between: it never comes near itself again.
        board, way = country("\n".join([". " * 7] * 7)), ["0204"]
        for k in range(4):
            way.append(board.neighbours(way[-1])[1 if turns >> k & 1 else 2])
        middle = data.draw(st.integers(1, 2))
        whole = country(sections=f'[links]\nrail = ["{" ".join(way)}"]')
        assert found(whole) == []
        cut = f'"{" ".join(way[: middle + 1])}", "{" ".join(way[middle + 1 :])}"'
        finding = the(country(sections=f"[links]\nrail = [{cut}]"))
        assert set(finding.hexes) == {way[middle], way[middle + 1]}
        assert finding.severity == "error"


class TestRivers:
    # From a source inside to the southern edge, between the columns 03 and 04.
    SIDES = ("0403/SW", "0404/NW", "0404/SW", "0405/NW", "0405/SW", "0406/NW", "0406/SW", "0407/NW", "0407/SW", "0307/SE")

    def river(self, *without: int, more: str = "", name: str = "river") -> Board:
        sides = [side for k, side in enumerate(self.SIDES) if k not in without]
        return country(sections=f'[sides]\n{name} = ["{" ".join(sides)} {more}"]')

    def test_a_source_and_a_mouth_at_the_edge(self) -> None:
        assert found(self.river()) == []

    def test_a_river_without_a_mouth(self) -> None:
        finding = the(self.river(6, 7, 8, 9))
        assert (finding.severity, finding.reason) == ("error", "a river of 6 hexsides has no mouth")
        assert {"0303", "0403", "0404", "0405", "0406"} & set(finding.hexes)

    @pytest.mark.parametrize("cut", range(1, 7))
    def test_a_river_cut_in_two(self, cut: int) -> None:
        finding = the(self.river(cut))
        assert (finding.severity, finding.check) == ("error", "river")

    def test_other_words_for_a_river(self) -> None:
        for name in ("major-river", "brook", "canal", "mountain_stream"):
            assert the(self.river(6, 7, 8, 9, name=name)).check == "river"
        assert found(self.river(6, 7, 8, 9, name="cliff")) == []
        words = Words(river=frozenset({"cliff"}))
        assert check_board(self.river(6, 7, 8, 9, name="cliff"), words)[0].check == "river"

    def test_a_river_that_ends_in_a_lake_or_at_a_closed_hexside(self) -> None:
        lake = "\n".join([*[". " * 7] * 5, ". . . ~ . . .", ". . . . . . ."])
        assert found(country(lake, f'[sides]\nriver = ["{" ".join(self.SIDES[:5])}"]')) == []
        sides = " ".join(self.SIDES[:4])
        assert found(country(sections=f'[sides]\nriver = ["{sides}"]\nwater = ["0305/N"]')) == []
        assert the(country(sections=f'[sides]\nriver = ["{sides}"]')).severity == "error"

    def test_a_tributary_ends_on_the_river(self) -> None:
        assert found(self.river(more="0404/S 0504/SW")) == []
        assert the(self.river(more="0504/SW")).reason == "a river of 1 hexside has no mouth"

    def test_two_rivers_from_two_edges_with_a_gap_of_one_hexside(self) -> None:
        north = " ".join(("0401/NW", "0401/SW", "0402/NW", "0402/SW", "0403/NW"))
        whole = country(sections=f'[sides]\nriver = ["{north} {" ".join(self.SIDES)}"]')
        assert found(whole) == []
        finding = the(country(sections=f'[sides]\nriver = ["{north} {" ".join(self.SIDES[1:])}"]'))
        assert (finding.severity, finding.reason) == ("warning", "a river ends one hexside from the end of another")

    def test_a_brook_that_stops_short_of_a_river(self) -> None:
        # From the eastern edge along the row to one hexside before the river.
        brook = "0704/S 0704/SW 0604/S 0504/SE 0504/S 0504/SW"
        finding = the(self.river(more=brook))
        assert (finding.severity, finding.reason) == ("warning", "a river ends one hexside short of another")

    @given(st.integers(0, 2**12 - 1), st.data())
    def test_a_hexside_taken_out_of_a_random_river_is_found(self, turns: int, data: st.DataObject) -> None:
        board = country()
        way = [Vertex.of(board.hex("0402"), 0)]
        while all(h in board.content.hexes for h in way[-1].hexes):
            # Down, or level and then down: it never meets itself, and leaves the map at last.
            heights = {v: vertex_point(v, "flat")[1] - vertex_point(way[-1], "flat")[1] for v in way[-1].neighbours}
            (down,) = (v for v in heights if heights[v] > 0.1)
            (level,) = (v for v in heights if abs(heights[v]) < 0.1)
            way.append(level if turns >> len(way) & 1 and level not in way else down)
        sides = [next(side for side in a.hexsides if b in side.vertices) for a, b in pairwise(way)]
        river = replace(board.content, sides=dict.fromkeys(sides, frozenset({"river"})))
        assert found(Board(river)) == []
        missing = data.draw(st.sampled_from(sides[1:]))
        finding = the(Board(replace(river, sides={side: names for side, names in river.sides.items() if side != missing})))
        assert (finding.severity, finding.reason.endswith("has no mouth")) == ("error", True)
        assert {board.at(h) for h in missing.hexes} & set(finding.hexes)

    def test_a_hex_with_rivers_all_around(self) -> None:
        finding = next(it for it in found(self.river(more="0404/N/NE/SE/S")) if "around" in it.reason)
        assert finding == Finding("warning", "river", ("0404",), "1 hex with rivers all around")

    def test_every_hex_with_rivers_on_all_six_sides_is_told(self) -> None:
        board = self.river(more="0404/N/NE/SE/S 0504/N/NE/SE/S/SW 0304/N/NW/SW/S 0304/SE")
        around = [it.hexes for it in found(board) if "around" in it.reason]
        assert sorted(around) == [("0304",), ("0404",), ("0504",)]

    def test_hexes_between_two_rivers_that_meet_twice(self) -> None:
        around = "0404/N/NE/NW/SW 0504/N/NE/SE 0405/NW/SW/S 0505/NE/SE/S/SW"
        finding = next(it for it in found(self.river(more=around)) if "around" in it.reason)
        assert (finding.severity, set(finding.hexes)) == ("warning", {"0404", "0405", "0504", "0505"})
        assert finding.reason == "4 hexes with rivers all around"

    def test_a_river_in_the_sea(self) -> None:
        sea = "\n".join([*[". " * 7] * 5, *["~ " * 7] * 2])
        assert [finding.reason for finding in found(country(sea, '[sides]\nriver = ["0307/N"]'))] == [
            "a river runs between two hexes of water"
        ]


class TestBridges:
    RIVER = 'river = ["0307/SE 0407/SW 0407/NW"]'

    def test_a_bridge_with_river_and_road(self) -> None:
        assert found(country(sections=f'[sides]\n{self.RIVER}\nbridge = ["0407/SW"]\n[links]\nroad = ["0307 0407"]')) == []

    def test_a_bridge_without_a_river(self) -> None:
        board = country(sections=f'[sides]\n{self.RIVER}\nbridge = ["0303/N"]\n[links]\nroad = ["0303 0302"]')
        assert the(board) == Finding("error", "bridge", ("0303", "0302"), "a bridge without a river")

    def test_a_bridge_over_an_arm_of_the_sea(self) -> None:
        assert found(country(sections='[sides]\nwater = ["0303/N"]\nbridge = ["0303/N"]\n[links]\nroad = ["0303 0302"]')) == []

    def test_a_bridge_that_no_road_crosses(self) -> None:
        board = country(sections=f'[sides]\n{self.RIVER}\nbridge = ["0407/SW"]')
        assert (the(board).severity, the(board).reason) == ("warning", "a bridge that no link crosses")

    def test_a_bridge_at_the_edge_leads_to_another_sheet(self) -> None:
        assert found(country(sections='[sides]\nriver = ["0307/S"]\nbridge = ["0307/S"]')) == []


class TestAreas:
    def test_an_area_without_hexes(self) -> None:
        assert the(country(sections="[areas]\nvoid = []")) == Finding("warning", "area", (), "the area void has no hexes")

    def test_an_area_in_two_pieces(self) -> None:
        board = country(sections='[areas]\nmarch = ["0101..0103 0501 0502"]')
        assert the(board) == Finding("warning", "area", ("0501", "0502"), "the area march is in pieces of 3, 2")

    def test_a_list_of_hexes_is_no_ground(self) -> None:
        assert found(country(sections='[areas]\nsupply = ["0101 0107 0701 0303 0304"]')) == []

    def test_ground_in_one_piece(self) -> None:
        assert found(country(sections='[areas]\nmarch = ["0101..0107"]')) == []


class TestSheets:
    def test_sheets_that_agree(self) -> None:
        board = country(sections='[sides]\nriver = ["0407/SW 0307/SE"]\n[links]\nroad = ["0101 0102"]')
        assert found(board, sheets=[board.content, board.content]) == []

    def test_sheets_that_differ_where_they_overlap(self) -> None:
        upper = country("\n".join(["~ . . . . . .", *[". " * 7] * 6]), '[sides]\nriver = ["0407/SW 0307/SE"]\n')
        lower = replace(country(sections='[sides]\nriver = ["0407/SW"]\n[links]\nroad = ["0101 0102"]').content, id="demo/old")
        assert [str(finding) for finding in found(upper, "sheet", [lower, upper.content])] == [
            "warning: 0307: hexside nothing on demo/old but river on demo/country (sheet)",
            "warning: 0102 0101: link road on demo/old but nothing on demo/country (sheet)",
            "warning: 0101: terrain clear on demo/old but sea on demo/country (sheet)",
        ]

    def test_a_river_along_the_seam_that_one_sheet_leaves_out(self) -> None:
        whole = country(sections='[sides]\nriver = ["0103/S"]')
        north = whole.crop([label for label in whole.labels if label[2:] <= "03"]).content
        south = country().crop([label for label in whole.labels if label[2:] > "03"]).content
        finding = the(whole, "sheet", [north, replace(south, id="demo/south")])
        assert finding.hexes == ("0104", "0103")
        assert finding.reason == "hexside river on demo/country but nothing on demo/south"

    @given(boards(), st.data())
    def test_a_hexside_that_one_sheet_lost_is_found(self, board: Board, data: st.DataObject) -> None:
        assume(board.content.sides)
        lost = data.draw(st.sampled_from(sorted(board.content.sides)))
        sides = {side: names for side, names in board.content.sides.items() if side != lost}
        assert found(board, "sheet", [board.content, board.content]) == []
        finding = the(board, "sheet", [replace(board.content, sides=sides), board.content])
        assert set(finding.hexes) == {board.at(h) for h in lost.hexes} - {None}

    def test_a_sheet_that_is_not_on_the_board(self) -> None:
        assert found(country().crop(["0101", "0102"]), "sheet", [country().crop(["0707"]).content]) == []

    def test_the_sheets_of_the_campaign_agree(self) -> None:
        sheets = [bundled(f"ava/{name}").content for name in ("leningrad", "smolensk", "kiev")]
        assert found(bundled("ava/campaign"), "sheet", sheets) == []


@given(boards())
def test_any_board_can_be_checked(board: Board) -> None:
    for finding in check_board(board):
        assert finding.reason
        assert all(label in board for label in finding.hexes)


def test_the_sample_of_the_format_has_no_mistakes() -> None:
    assert found(load_map(FORD)) == []
