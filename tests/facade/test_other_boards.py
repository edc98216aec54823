"""Boards that are no hexes, and choices that cannot be listed: played, asked about, drawn, saved and loaded like all others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import hexwar
from hexwar.board import AnyBoard, AreaBoard, Board, PlaneBoard, load_map
from hexwar.bots import Bot, GreedyBot, KeyedChance, RandomBot, play_to_end
from hexwar.engine import Game
from hexwar.errors import ContentError, HexwarError, Refusal, RefusalCode
from hexwar.plugins import use_plugins
from hexwar.render import board_svg, game_svg
from hexwar.testing import check_ruleset
from tests.cli.helpers import run
from tests.facade import islands, skirmish
from tests.facade.islands import Sail, Stay
from tests.facade.skirmish import Drive, Park
from tests.facade.toys import toys


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both games, as a third party would bring them."""
    monkeypatch.chdir(tmp_path)
    use_plugins(toys(tmp_path))
    yield
    use_plugins(None)


NAMES = ("islands", "skirmish")
both = pytest.mark.parametrize("name", NAMES)


class TestLoading:
    def test_one_function_loads_every_kind(self) -> None:
        areas = hexwar.load_board("islands/five", kind=AreaBoard)
        assert areas.labels == ("cod", "elm", "fox", "gull", "heron")
        assert areas.neighbours("gull") == ("cod", "heron", "elm")
        assert areas.links("gull", "elm") == {"ferry"}
        assert not areas.links("cod", "fox")
        assert areas.names["cod"] == "Codfish Bank"
        assert "fox" not in areas.names
        plane = hexwar.load_board("table.toml", kind=PlaneBoard)
        assert (plane.width, plane.height, plane.unit) == (1200, 800, "mm")
        assert [place in plane for place in ((0, 0), (1200, 800), (1201, 0), (True, 3), (1.0, 2), "cod")] == [
            True,
            True,
            *[False] * 4,
        ]
        assert type(hexwar.load_board("table.toml", kind=AnyBoard)) is PlaneBoard

    def test_a_plane_says_more_of_hills_and_lines(self) -> None:
        """Given a hill with a crest, a wide road and ground that is shut, when the map is loaded, then it has them."""
        bare = load_map(skirmish.MAP, kind=PlaneBoard)
        assert (bare.zones[0].crest, bare.lines[0].name, bare.lines[0].width, bare.closed) == ([], "", 0, {})
        assert bare.digest == "e119296b9f83e33a2522cd98a29aa8c1", "what a file does not say changes no digest"
        hill = skirmish.MAP.replace("outline = [[300", "crest = [[350, 250], [600, 300]]\noutline = [[300")
        rich = hill + 'name = "Mill road"\nwidth = 40\n[closed]\nvehicles = [[[300, 200], [620, 150], [700, 420]]]\n'
        full = load_map(rich, kind=PlaneBoard)
        assert full.zones[0].crest == [(350, 250), (600, 300)]
        assert (full.lines[0].name, full.lines[0].width) == ("Mill road", 40)
        assert full.closed == {"vehicles": (((300, 200), (620, 150), (700, 420)),)}
        assert len({bare.digest, load_map(hill, kind=PlaneBoard).digest, full.digest}) == 3
        svg = board_svg(full)
        assert 'class="crest"' in svg
        assert "Mill road" in svg
        assert 'class="crest"' not in board_svg(bare)

    @pytest.mark.parametrize(
        ("more", "sentence"),
        [
            ("crest = [[1, 2]]", "zone #1 crest: has too few entries: 1, and at least 2 must be there"),
            ("[closed]\nfoot = [[[1, 2], [3, 4]]]", "closed foot #1: has too few entries: 2, and at least 3 must be there"),
        ],
    )
    def test_what_is_wrong_with_a_plane_is_said(self, more: str, sentence: str) -> None:
        text = skirmish.MAP.partition("[[line]]")[0] + more
        with pytest.raises(ContentError, match=re.escape(sentence)):
            load_map(text, kind=PlaneBoard)

    def test_who_wants_hexes_gets_hexes(self) -> None:
        with pytest.raises(ContentError, match="kind: is a board of areas, and one of hexes is wanted here"):
            hexwar.load_board("islands/five")
        with pytest.raises(ContentError, match="kind: is a board of areas, and one of points is wanted here"):
            hexwar.load_board("islands/five", kind=PlaneBoard)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (islands.MAP.replace('"areas"', '"cubes"'), "kind: no kind of board is called 'cubes'; known: hexes, areas, plane"),
            (islands.MAP.replace('label = "elm"', 'label = "cod"'), "two areas have the same label"),
            (islands.MAP.replace("cod elm fox", "cod elk fox"), "links sea: no area is called 'elk'"),
            (islands.MAP.replace("middle = [10, 10]", ""), "area #1 middle: this key is missing"),
            (skirmish.MAP.replace("width = 1200", "width = 0"), "width: expected at least 1, not 0"),
            (skirmish.MAP.replace('unit = "mm"', 'units = "mm"'), "units: no key is called 'units'"),
        ],
    )
    def test_mistakes_are_sentences(self, text: str, sentence: str) -> None:
        with pytest.raises(ContentError, match=sentence):
            load_map(text, kind=AnyBoard)

    def test_the_digest_covers_what_matters(self) -> None:
        one, other, renamed = (
            load_map(text, kind=AreaBoard).digest
            for text in (islands.MAP, islands.MAP.replace("cod elm fox", "cod elm"), islands.MAP.replace("Five islands", "5"))
        )
        assert one == renamed != other


class TestPlaying:
    @both
    @pytest.mark.parametrize("bot", [RandomBot(), GreedyBot()])
    def test_bots_play_saves_are_loaded_and_pictures_drawn(self, name: str, bot: Bot, tmp_path: Path) -> None:
        game = hexwar.new_game(name, seed=5)
        result = play_to_end(game, dict.fromkeys(game.world.sides, bot), KeyedChance(5))
        assert result.winner
        game.save(tmp_path / "game.hexwar")
        again = hexwar.load_game(tmp_path / "game.hexwar")
        assert (again.digest, again.result) == (game.digest, result)
        assert ElementTree.fromstring(game_svg(game)).tag.endswith("svg")

    def test_a_move_along_the_graph(self) -> None:
        game = hexwar.new_game("islands", seed=1)
        assert game.view("east").question is not None
        question = game.question("east")
        assert (question.groups, question.pieces, question.by) == (("e1", "e2"), ("e1", "e2"), "unit")
        assert set(question.group("e1").places()) == {"elm", "heron"}
        assert str(question.ending) == "End sailing: 2 units can still sail"
        game.apply(Sail("e1", "elm"))
        assert game.state.control["elm"] == "east"
        assert game.why_not(Sail("w1", "fox")) == Refusal(RefusalCode.AGAINST_RULE, "2", "no lane leads from cod to fox")
        assert str(game.why_not(Sail("e1", "fox"))) == "1: this is no fleet of yours"

    def test_a_position_on_another_board(self) -> None:
        head = 'ruleset = "islands"\nstate = { locations = { e1 = "a", e2 = "b", w1 = "c", w2 = "c" }, control = {} }\n'
        areas = "".join(f'[[area]]\nlabel = "{label}"\nmiddle = [{x}, 0]\n' for x, label in enumerate("abc"))
        board = f'format = 1\nkind = "areas"\nid = "islands/row"\n{areas}[links]\nsea = ["a b c"]\n'
        game = hexwar.position(f"{head}board = '''\n{board}'''\n")
        assert [str(action) for action in game.legal_actions()] == ["stay", "sail e1 to b", "sail e2 to a", "sail e2 to c"]
        with pytest.raises(ContentError, match="board"):
            hexwar.position(f"{head}board = 'bridgehead/crossing'\n")

    @both
    def test_the_kit_asks_the_set_and_not_the_list(self, name: str) -> None:
        """Given choices of which only a menu is listed, then what the set knows besides is no illegal action that was done."""
        gate = ["offered-actions-apply", "others-are-refused", "why-not-agrees", "offers-are-sets", "order-is-stable"]
        report = check_ruleset(name, only=[*gate, "views-hide", "loaders-say-why", "json-is-exact", "invariants-hold"])
        assert report.passed, "\n".join(report.lines())


class TestWhatCannotBeListed:
    def game(self) -> Game:
        return hexwar.new_game("skirmish", seed=1)

    def test_a_menu_is_listed_and_more_is_possible(self) -> None:
        game = self.game()
        offer, question = game.offered(), game.question()
        assert (offer.complete, question.complete) == (False, False)
        menu = game.legal_actions()
        assert menu[0] == Park()
        assert 4 <= len(menu) <= 17
        assert all(action in offer for action in menu)
        unlisted = Drive("blue-1", (137, 211))
        assert unlisted not in menu
        assert game.why_not(unlisted) is None
        game.apply(unlisted)
        assert game.state.locations["blue-1"] == (137, 211)

    def test_refusals_name_their_clause(self) -> None:
        game = self.game()
        assert str(game.why_not(Drive("blue-1", (500, 100)))) == "2: a car drives at most 200 mm"
        assert str(game.why_not(Drive("blue-1", (100, -5)))) == "2: (100, -5) is not on the table"

    @pytest.mark.parametrize("to", [(True, 100), (100.0, 110), [110, 110], (110,), (1, 2, 3), "here", None])
    def test_the_shape_of_an_action_is_checked_before_a_set_sees_it(self, to: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(skirmish.Drives, "why_not", lambda self, action: pytest.fail("a set saw it"))
        refusal = self.game().why_not(Drive("blue-1", to))
        assert refusal is not None
        assert refusal.code is RefusalCode.UNKNOWN_ACTION

    def test_samples_are_members_beyond_the_menu(self) -> None:
        game, chance = self.game(), KeyedChance(2)
        sampled = {game.offered().sample(chance) for _ in range(50)}
        assert all(action in game.offered() for action in sampled)
        assert not sampled <= set(game.legal_actions())

    def test_a_client_hears_that_it_is_a_menu(self) -> None:
        view = self.game().view("blue")
        data: Any = json.loads(json.dumps(view.to_json()))["question"]
        assert (data["complete"], data["by"], data["asks"]) == (False, "unit", "drive")
        assert [group["key"] for group in data["groups"]] == ["blue-1", "blue-2"]
        assert view.question is not None
        group: Any = view.question.group("blue-1").to_json()
        assert group["complete"] is False
        assert {"kind": "drive", "unit": "blue-1", "to": [298, 100]} in [choice["action"] for choice in group["choices"]]
        assert (298, 100) in view.question.group("blue-1").places()


class TestAtTheTable:
    def test_an_area_game(self, tmp_path: Path) -> None:
        typed = [
            "help",
            "status",
            "units",
            "units west",
            "map",
            "score",
            "map sea.svg",
            "sail e1 elm",
            "",
            "sail w1 gull",
            "quit",
        ]
        ran = run("play", "islands", "--seed", "1", typed="\n".join(typed) + "\n")
        assert ran.code == 0, ran.err
        parts = ran.out.split("\n> ")
        assert not any(word in parts[1] for word in ("odds", "zones", "hex HEX"))
        assert all(word in parts[1] for word in ("status", "map", "units", "score", "reach UNIT"))
        assert "Turn 1, East sails; east to decide\n  east: units on the map 2, places held 1" in parts[2]
        assert "Points: east 1, west 1" in parts[2]
        assert "e1     east   fox                Eagle" in parts[3]
        assert "e1" not in parts[4]
        assert "Codfish Bank (cod): w1; next to elm, gull" in parts[5]
        assert "east has 1 points" in parts[6]
        assert (tmp_path / "sea.svg").is_file()
        assert "Eagle (e1) sails from fox to Elm Isle (elm)" in ran.out
        assert "Wolf (w1) sails from Codfish Bank (cod) to Gull Rock (gull)" in ran.out
        assert "no lane leads from cod to fox" in run("play", "islands", "--bot", "east=random", typed="sail w1 fox\nquit\n").out

    def test_a_question_that_asks_sail_shows_its_reach(self) -> None:
        """Given a game that asks neither move nor attack, when a player asks how far a piece gets, then it is said."""
        game = hexwar.new_game("islands", seed=1)
        question = game.question("east")
        assert (question.asks, question.shows) == ("sail", ("reach", "attack"))
        assert game.view("east").to_json()["question"]["shows"] == ["reach", "attack"]  # type: ignore[index, call-overload]
        ran = run("play", "islands", "--seed", "1", typed="reach e1\nreach w2\nquit\n")
        assert "     1  Elm Isle (elm), Heron Marsh (heron)" in ran.out
        assert "     1  Codfish Bank (cod), Heron Marsh (heron)\n     2  Elm Isle (elm)" in ran.out, "the ferry"

    def test_without_a_query_the_choices_are_the_reach(self) -> None:
        assert hexwar.new_game("skirmish", seed=1).question("blue").shows == ("reach",)
        ran = run("play", "skirmish", "--seed", "1", typed="reach blue-1\nreach red-1\nquit\n")
        assert "(298, 100)" in ran.out
        assert "these are some of the places" in ran.out
        assert "red-1 cannot go anywhere now" in ran.out

    def test_a_plane_game(self, tmp_path: Path) -> None:
        typed = ["map", "units blue", "drive blue-1 137 211", "drive blue-2 to 150, 650", "drive red-1 0 0", "quit"]
        ran = run("play", "skirmish", "--seed", "1", "--save", "skirmish.hexwar", typed="\n".join(typed) + "\n")
        assert ran.code == 0, ran.err
        assert "Not everything can be listed: type what you want, such as" in ran.out
        assert "The table: 1200 x 800 mm\n100, 100: blue-1" in ran.out
        assert "  blue-1 blue   100, 100" in ran.out
        assert "2: a car drives at most 200 mm" in ran.out
        places: Any = hexwar.load_game("skirmish.hexwar").state.locations
        assert (places["blue-1"], places["blue-2"]) == ((137, 211), (150, 650))

    @both
    def test_boards_games_and_replays_are_shown(self, name: str, tmp_path: Path) -> None:
        game = hexwar.new_game(name, seed=1)
        for _ in range(6):
            game.apply(game.legal_actions()[-1])
        game.save("some.hexwar")
        board = hexwar.rulesets()[name].scenarios[0].board
        for words in (
            [board],
            [board, "-o", "b.svg"],
            ["some.hexwar"],
            ["some.hexwar", "-o", "g.svg", "--side", game.world.sides[0]],
        ):
            ran = run("show", *words)
            assert ran.code == 0, ran.err
            assert ran.out
        assert {file.name for file in tmp_path.glob("*.svg")} == {"b.svg", "g.svg"}
        assert run("replay", "some.hexwar", "--at-end", "--svg", "frames").code == 0
        assert "--crop names hexes, and this is a board of" in run("show", board, "--crop", "cod:1").err


class TestPictures:
    def units(self, svg: str) -> list[str]:
        return [element.attrib["data-unit"] for element in ElementTree.fromstring(svg).iter() if "data-unit" in element.attrib]

    @both
    def test_all_pieces_are_drawn(self, name: str) -> None:
        game = hexwar.new_game(name, seed=1)
        svg = game_svg(game.view(game.world.sides[0]), marked=["elm"])
        assert sorted(self.units(svg)) == sorted(game.state.locations)
        assert ('class="marked"' in svg) == (name == "islands")

    def test_areas_links_and_names(self) -> None:
        svg = board_svg(hexwar.load_board("islands/five", kind=AreaBoard))
        assert svg.count("data-area=") == 5
        assert "Codfish Bank (cod)" in svg
        assert 'data-kind="ferry"' in svg

    def test_a_part_of_no_hexes_is_a_sentence(self) -> None:
        with pytest.raises(HexwarError, match="only a board of hexes can be cropped"):
            board_svg(hexwar.load_board("islands/five", kind=AreaBoard), only=["cod"])


def test_a_hex_board_is_one_of_them() -> None:
    use_plugins(None)
    board = hexwar.load_board("bridgehead/crossing", kind=AnyBoard)
    assert isinstance(board, Board)
    assert (board.kind, board.names["0504"]) == ("hexes", "Brod")


def test_staying_ends_it() -> None:
    assert Stay.ends
    assert not Sail.ends
