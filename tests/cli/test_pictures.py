"""`show` and `replay`: boards and saved games as pictures, text and logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import run
from tests.render.helpers import hexes, parsed, texts


class TestShow:
    def test_a_board_by_its_id(self, own_folder: Path) -> None:
        assert run("show", "bridgehead/crossing", "-o", "board.svg").out == "Drawn: board.svg\n"
        assert len(hexes(parsed((own_folder / "board.svg").read_text(encoding="utf-8")))) == 63

    def test_a_map_file(self, own_folder: Path) -> None:
        from hexwar.plugins import plugins

        text = plugins().maps()["bridgehead/crossing"].read_text(encoding="utf-8")
        (own_folder / "mine.toml").write_text(text.replace("The Lenta crossing", "Mine"), encoding="utf-8")
        run("show", "mine.toml", "-o", "mine.svg", "--crop", "0504:1, 0101", "--no-labels", "--scale", "50")
        tree = parsed((own_folder / "mine.svg").read_text(encoding="utf-8"))
        assert len(hexes(tree)) == 8
        assert "Mine" in texts(tree)

    def test_a_png(self, own_folder: Path) -> None:
        run("show", "bridgehead/crossing", "-o", "board.png", "--crop", "0504", "--title", "One hex")
        assert (own_folder / "board.png").read_bytes().startswith(b"\x89PNG")

    def test_a_saved_game_now_before_and_as_a_side_sees_it(self, save: str, own_folder: Path) -> None:
        for words in ([], ["--to", "0"], ["--side", "red"]):
            assert run("show", save, "-o", "now.svg", *words).code == 0
            status = next(text for text in texts(parsed((own_folder / "now.svg").read_text(encoding="utf-8"))) if "Turn" in text)
            assert status.startswith("Turn 1") == (words == ["--to", "0"])

    def test_as_text_without_a_file(self, save: str) -> None:
        board, game, side = run("show", "bridgehead/crossing").out, run("show", save).out, run("show", save, "--side", "blue").out
        assert "Brod" in board
        assert "0504" in board
        assert any(unit in game for unit in ("b1", "b2", "r1"))
        assert side == game, "in this game positions are no secret"

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["no/such", "-o", "x.svg"], "no board or saved game is called"),
            (["no.toml", "-o", "x.svg"], "no board is called"),
            (["bridgehead/crossing", "-o", "x.bmp"], "no picture format is called 'bmp'"),
            (["bridgehead/crossing", "-o", "x"], "ends in"),
            (["bridgehead/crossing", "-o", "nowhere/x.svg"], "cannot be written"),
            (["bridgehead/crossing", "-o", "x.svg", "--crop", "9999"], "no hex is called '9999'"),
            (["bridgehead/crossing", "-o", "x.svg", "--crop", "0504:many"], "is no crop"),
            (["bridgehead/crossing", "-o", "x.svg", "--crop", " , "], "no hexes are named"),
            (["bridgehead/crossing", "-o", "x.svg", "--scale", "0"], "pixels of a hex"),
            (["bridgehead/crossing", "-o", "x.svg", "--scale", "big"], "is not a valid float"),
            (["bridgehead/crossing", "--side", "red"], "are for saved games"),
            (["mid.hexwar", "-o", "x.svg", "--side", "green"], "nobody sits at 'green'"),
            (["mid.hexwar", "-o", "x.svg", "--to", "1000"], "has 60 actions"),
            (["mid.hexwar", "-o", "x.svg", "--to", "-1"], "is not in the range"),
            (["broken.hexwar", "-o", "x.svg"], "is damaged"),
        ],
    )
    def test_bad_input_is_a_sentence(self, save: str, own_folder: Path, words: list[str], sentence: str) -> None:
        (own_folder / "broken.hexwar").write_text("{", encoding="utf-8")
        ran = run("show", *words)
        assert ran.code == 2
        assert sentence in ran.err
        assert not list(own_folder.glob("x*"))

    def test_a_game_is_titled_by_its_scenario(self, own_folder: Path) -> None:
        """The training scenario is played on a part of the map of Leningrad, and is not that scenario."""
        import hexwar

        hexwar.new_game("ava", "training", seed=5).save("riga.hexwar")
        for words, title in (([], "A Victory Awaits: The road to Riga"), (["--title", "Here"], "Here")):
            assert run("show", "riga.hexwar", "-o", "x.svg", *words).code == 0
            written = (own_folder / "x.svg").read_text(encoding="utf-8")
            assert written.partition("<title>")[2].startswith(f"{title}</title>")

    def test_a_game_without_hexes_is_a_sentence(self, toy: None, own_folder: Path) -> None:
        import hexwar

        hexwar.new_game("toy", seed=1).save("toy.hexwar")
        assert "is not played on a board" in run("show", "toy.hexwar", "-o", "x.svg").err


class TestReplay:
    def test_the_log_of_a_whole_game(self, save: str) -> None:
        ran = run("replay", save)
        assert ran.code == 0
        assert "60 of 60 actions" in ran.out
        assert "Turn 1" in ran.out
        assert "selects" not in ran.out, "what a side chose in secret is not open to all"
        assert ran.out.rstrip().endswith("to decide.")

    def test_what_could_not_be_verified_is_said(self, save: str) -> None:
        old = Path(__file__).parents[1] / "bridgehead" / "saves" / "bridgehead-1.0.hexwar"
        for words in (["replay", str(old), "--to", "1"], ["show", str(old)]):
            ran = run(*words)
            assert ran.code == 0
            assert "no position was compared with the saved one" in ran.err
        assert run("replay", save).err == ""

    def test_a_part_of_it_as_a_side_saw_it(self, save: str) -> None:
        out = run("replay", save, "--to", "3", "--side", "blue").out
        assert "3 of 60" in out
        assert "blue selects" in out
        assert "red selects" not in out

    def test_pictures_of_every_change(self, save: str, own_folder: Path) -> None:
        ran = run("replay", save, "--to", "12", "--svg", "frames/here", "--side", "red")
        drawn = sorted(file.name for file in (own_folder / "frames" / "here").iterdir())
        assert f"Drawn: {len(drawn)} pictures" in ran.out
        assert drawn[0] == "0000.svg"
        assert 1 < len(drawn) <= 13

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["none.hexwar"], "cannot be read"),
            (["mid.hexwar", "--to", "61"], "has 60 actions"),
            (["mid.hexwar", "--side", "green"], "nobody sits at 'green'"),
            (["mid.hexwar", "--svg", "mid.hexwar"], "cannot be made"),
        ],
    )
    def test_bad_input_is_a_sentence(self, save: str, words: list[str], sentence: str) -> None:
        ran = run("replay", *words)
        assert ran.code == 2
        assert sentence in ran.err
        assert not ran.out


def test_a_part_of_a_large_map_as_text() -> None:
    whole, part = run("show", "ava/leningrad"), run("show", "ava/leningrad", "--crop", "L1420:1")
    assert "A large map: --crop L" in whole.err
    assert "Riga" in part.out
    *drawn, legend = part.out.splitlines()
    assert max(map(len, drawn)) < 30
    assert legend == "# rail and road; + rail; : road; = major-river; ~ minor-river"
    assert not part.err
