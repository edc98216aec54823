"""`hexwar map`: build, check, info and export, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexwar.cli.maps import bundled_recipes
from hexwar.errors import HexwarError
from hexwar.plugins import Plugins, hookimpl, use_plugins
from tests.board.samples import FORD
from tests.cartography.country import found, imagine
from tests.cli.helpers import run


@pytest.fixture
def country(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The recipe of an invented country, which builds at once."""
    imagine(monkeypatch)
    (own_folder / "land").mkdir()
    return found(own_folder / "land")


def install(root: Path) -> None:
    """Install a plugin, and nothing else, that brings whatever maps lie below a folder, as hexwar's own maps do."""

    class Maps:
        @hookimpl
        def hexwar_maps(self) -> dict[str, Path]:
            files = (path for path in root.glob("*/*.toml") if not path.name.endswith(".recipe.toml"))
            return {f"{path.parent.name}/{path.stem}": path for path in files}

    manager = Plugins(installed=False)
    manager.register(Maps(), "maps")
    use_plugins(manager)


@pytest.fixture
def bundled(country: Path) -> Path:
    """The invented country as a plugin: its maps, and its recipe in a folder beside them."""
    root = country.parents[1] / "plugin"
    run("map", "build", str(country), "-o", str(root))
    country.parent.rename(root / "geography")
    install(root)
    return root


@pytest.mark.parametrize("command", ["build", "check", "info", "export"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    ran = run("map", command, "--help")
    assert ran.code == 0
    assert f"hexwar map {command}" in ran.out.partition("Example")[2]
    assert command in run("map", "--help").out


class TestBuild:
    def test_files_appear_below_the_folder(self, country: Path) -> None:
        ran = run("map", "build", str(country), "-o", "maps")
        assert ran.code == 0
        assert [line.replace("\\", "/") for line in ran.out.splitlines()] == [
            "Written: maps/demo/upper.toml",
            "Written: maps/demo/lower.toml",
            "Written: maps/demo/both.toml",
        ]
        assert run("map", "check", "maps/demo/upper.toml").code == 0

    def test_without_a_folder_they_appear_here(self, country: Path, own_folder: Path) -> None:
        assert run("map", "build", str(country)).code == 0
        assert (own_folder / "demo" / "both.toml").is_file()

    def test_check_says_which_files_differ(self, country: Path, own_folder: Path) -> None:
        run("map", "build", str(country), "-o", "maps")
        same = run("map", "build", str(country), "-o", "maps", "--check")
        assert (same.code, same.out) == (0, "All maps are as their recipes build them.\n")
        lower = own_folder / "maps" / "demo" / "lower.toml"
        lower.write_text(lower.read_text("utf-8") + "# by hand\n", "utf-8")
        (own_folder / "maps" / "demo" / "both.toml").unlink()
        ran = run("map", "build", str(country), "-o", "maps", "--check")
        assert (ran.code, ran.out) == (1, "differs: demo/lower.toml\ndiffers: demo/both.toml\n")
        assert not (own_folder / "maps" / "demo" / "both.toml").exists()

    def test_bundled_recipes_are_known_by_name(self, bundled: Path) -> None:
        for words in ((), ("demo",), ("demo.recipe.toml",)):
            assert run("map", "build", *words, "--check").code == 0
        (bundled / "demo" / "upper.toml").write_text("format = 1\n", "utf-8")
        assert run("map", "build", "--check").out == "differs: demo/upper.toml\n"

    def test_the_recipes_that_come_with_hexwar(self) -> None:
        assert set(bundled_recipes()) >= {"ava", "tow"}

    def test_unknown_recipes(self) -> None:
        ran = run("map", "build", "avva")
        assert ran.code == 2
        assert ran.sentence == "hexwar: no recipe is called 'avva'; did you mean ava?"

    def test_no_recipes_at_all(self, own_folder: Path) -> None:
        install(own_folder)
        assert run("map", "build").sentence == "hexwar: no installed plugin brings recipes; name a file"

    def test_a_missing_extra_is_named(self, country: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing(box: object) -> None:
            raise HexwarError("building maps needs more packages: pip install 'hexwar[maps]'")

        monkeypatch.setattr("hexwar.cartography._terrain.coast", missing)
        ran = run("map", "build", str(country))
        assert ran.code == 2
        assert ran.err == "hexwar: building maps needs more packages: pip install 'hexwar[maps]'\n"

    def test_the_pipeline_itself_names_the_extra(self, monkeypatch: pytest.MonkeyPatch, own_folder: Path) -> None:
        def no_package(name: str) -> None:
            raise ModuleNotFoundError(name)

        monkeypatch.setattr("hexwar.cartography._basemap.files", no_package)
        ran = run("map", "build", str(found(own_folder)))
        assert ran.code == 2
        assert "hexwar[maps]" in ran.sentence


class TestCheck:
    def test_a_clean_board(self) -> None:
        ran = run("map", "check", "bridgehead/crossing", "wop/wkra")
        assert (ran.code, ran.out) == (0, "bridgehead/crossing: nothing found\nwop/wkra: nothing found\n")

    def test_an_error_fails_and_a_warning_does_not(self, own_folder: Path) -> None:
        (own_folder / "bad.toml").write_text(FORD.replace("river = [", 'bridge = ["0101/S"]\nriver = ['), "utf-8")
        ran = run("map", "check", "bad.toml")
        assert ran.code == 0  # the ford's river runs below that side, and a road
        (own_folder / "bad.toml").write_text(FORD.replace("river = [", 'bridge = ["0103/NE"]\nriver = ['), "utf-8")
        ran = run("map", "check", "bad.toml")
        assert ran.code == 1
        assert ran.out.splitlines()[:2] == [
            "bad.toml: 1 error, 1 warning",
            "  error: 0103 0203: a bridge without a river (bridge)",
        ]

    def test_for_programs(self, own_folder: Path) -> None:
        (own_folder / "bad.toml").write_text(FORD.replace("river = [", 'bridge = ["0103/NE"]\nriver = ['), "utf-8")
        ran = run("map", "check", "bad.toml", "bridgehead/crossing", "--json")
        assert ran.code == 1
        bad, good = json.loads(ran.out)["boards"]
        assert (bad["errors"], bad["warnings"]) == (1, 1)
        assert bad["findings"][0] == {
            "severity": "error",
            "check": "bridge",
            "hexes": ["0103", "0203"],
            "reason": "a bridge without a river",
        }
        assert good == {"board": "bridgehead/crossing", "errors": 0, "warnings": 0, "findings": []}

    def test_a_file_that_cannot_be_loaded_is_a_finding(self, own_folder: Path) -> None:
        (own_folder / "bad.toml").write_text(FORD.replace('hex = "0103"', 'hex = "0909"'), "utf-8")
        ran = run("map", "check", "bad.toml", "bridgehead/crossing")
        assert ran.code == 1
        assert "bad.toml: 1 error\n" in ran.out
        assert "0909" in ran.out
        assert "bridgehead/crossing: nothing found" in ran.out

    def test_all_installed_boards(self, own_folder: Path) -> None:
        (own_folder / "demo").mkdir()
        (own_folder / "demo" / "ford.toml").write_text(FORD, "utf-8")
        install(own_folder)
        assert run("map", "check", "--all").out == "demo/ford: nothing found\n"

    def test_a_board_of_sheets_with_corrections(self, bundled: Path) -> None:
        assert "(sheet)" not in run("map", "check", "demo/both").out
        Path("mine.toml").write_text('format = 1\nid = "demo/lower"\n[[hex]]\nhex = "B0401"\nterrain = "sea"\n', "utf-8")
        ran = run("map", "check", "demo/both", "--corrections", "mine.toml")
        assert "B0401: terrain clear on demo/upper but sea on demo/lower (sheet)" in ran.out

    def test_a_board_whose_sheets_are_missing(self, own_folder: Path) -> None:
        (own_folder / "both.toml").write_text('format = 1\nid = "x/both"\n[[sheet]]\nmap = "x/a"\n', "utf-8")
        ran = run("map", "check", "both.toml")
        assert ran.code == 1
        assert "sheet x/a: no map is called 'x/a'" in ran.out

    @pytest.mark.parametrize("words", [(), ("--all", "bridgehead/crossing")])
    def test_either_names_or_all(self, words: tuple[str, ...]) -> None:
        ran = run("map", "check", *words)
        assert ran.code == 2
        assert "name the boards to check, or say --all" in ran.err

    def test_unknown_boards(self) -> None:
        ran = run("map", "check", "bridgehead/crosing")
        assert ran.code == 2
        assert "did you mean bridgehead/crossing?" in ran.sentence


class TestInfo:
    def test_for_people(self) -> None:
        out = run("map", "info", "wop/wkra").out
        for line in (
            "The Wkra, August 1920 (wop/wkra)",
            "672 hexes with flat tops, 0101 to 2824",
            "Terrain: clear 616, forest 33, town 9, marsh 7, hill 4, city 2, fort 1",
            "Hexsides: brook 68, large-river 64, river 51, navigable 43, bridge 14",
            "Links: rail 34 in one net",
            "Places: fort 1: Modlin",
            "Areas: supply polish 2, supply soviet 3, course narew 25, course vistula 20",
        ):
            assert line in out.splitlines()
        assert "Provenance, map: a demonstration map" in out

    def test_for_programs(self) -> None:
        told = json.loads(run("map", "info", "wop/wkra", "--json").out)
        assert told["hexes"] == 672
        assert told["links"]["rail"] == {"links": 34, "nets": [34]}
        assert told["places"]["city"] == ["Ciechanow", "Pultusk"]
        assert told["sheets"] == []
        assert len(told["digest"]) == 64

    def test_a_board_of_sheets(self, bundled: Path) -> None:
        out = run("map", "info", "demo/both").out
        assert "Sheets: demo/upper, demo/lower" in out
        assert "Some have two labels: B0101 = A0105" in out
        assert "Provenance, sheets: hexwar map info demo/upper, …" in out
        told = json.loads(run("map", "info", "demo/both", "--json").out)
        assert set(told["provenance"]["sheets"]) == {"demo/upper", "demo/lower"}

    def test_a_map_without_a_title_and_with_nets_in_pieces(self, own_folder: Path) -> None:
        text = FORD.replace('title = "The ford"\n', "").replace('rail = ["0102 0103"]', 'rail = ["0102 0103", "0301 0401"]')
        (own_folder / "ford.toml").write_text(text, "utf-8")
        out = run("map", "info", "ford.toml").out
        assert "demo/ford (demo/ford)" in out
        assert "Links: rail 2 in 2 nets of 1, 1" in out

    def test_corrections(self) -> None:
        Path("mine.toml").write_text('format = 1\nid = "wop/wkra"\n[[hex]]\nhex = "0101"\nterrain = "hill"\n', "utf-8")
        assert "hill 5" in run("map", "info", "wop/wkra", "--corrections", "mine.toml").out


class TestExport:
    def test_a_board_with_geography(self, bundled: Path) -> None:
        ran = run("map", "export", "demo/upper", "-o", "upper.geojson")
        assert (ran.code, ran.out, ran.err) == (0, "Written: upper.geojson\n", "")
        data = Path("upper.geojson").read_bytes()
        assert b"\r" not in data
        west, south, east, north = json.loads(data)["bbox"]
        assert 26 < west < 27.5 < 29.2 < east < 31
        assert 53 < south < 54 < north < 56

    def test_a_recipe_of_one_s_own(self, country: Path) -> None:
        run("map", "build", str(country))
        ran = run("map", "export", "demo/upper.toml", "--recipe", str(country))
        assert json.loads(ran.out)["hexwar"]["board"] == "demo/upper"
        ran = run("map", "export", "wop/wkra", "--recipe", str(country))
        assert ran.code == 2
        assert ran.sentence.startswith("hexwar: wop/wkra is no map of this recipe")

    def test_a_board_without_geography_is_refused(self) -> None:
        ran = run("map", "export", "bridgehead/crossing", "-o", "crossing.geojson")
        assert ran.code == 2
        assert ran.sentence == (
            "hexwar: bridgehead/crossing was not built from geography, so it has no longitude and latitude; "
            "--plane exports it without"
        )
        assert not Path("crossing.geojson").exists()

    def test_on_its_own_plane_with_a_warning(self) -> None:
        ran = run("map", "export", "bridgehead/crossing", "--plane")
        assert ran.code == 0
        assert "not longitude and latitude" in ran.err
        assert "not longitude and latitude" in json.loads(ran.out)["hexwar"]["coordinates"]

    def test_a_folder_that_is_not_there(self) -> None:
        ran = run("map", "export", "bridgehead/crossing", "--plane", "-o", "nowhere/crossing.geojson")
        assert ran.code == 2
        assert ran.sentence == "hexwar: nowhere/crossing.geojson: cannot be written: no such file or directory"
