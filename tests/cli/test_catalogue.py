"""What there is: list, info, rules, plugins and schema, for people and for programs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import click
import pytest

import hexwar_bridgehead
from hexwar.cli.root import root
from hexwar.cli.sections import REST, Sectioned
from hexwar.engine import Scenario
from hexwar.plugins import use_plugins
from tests.cli.helpers import run

COMMANDS = (
    "play", "serve", "backup", "replay", "review", "show", "list", "info", "rules", "plugins", "new", "map", "schema", "check",
    "fuzz", "mutate", "simulate", "arena", "bench",
)  # fmt: skip


class TestHelp:
    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_has_help_with_an_example(self, command: str) -> None:
        ran = run(command, "--help")
        assert ran.code == 0
        assert "Example" in ran.out
        assert f"hexwar {command}" in ran.out

    @pytest.mark.parametrize("word", ["--help", "-h"])
    def test_the_root_lists_all_commands(self, word: str) -> None:
        ran = run(word)
        assert ran.code == 0
        listed = ran.out.partition("\nPlay:\n")[2]
        assert tuple(re.findall(r"^  (\w+)  ", listed, re.MULTILINE)) == COMMANDS
        assert "..." not in listed, "a line says all that it wants to say"

    @pytest.mark.parametrize("command", COMMANDS)
    def test_each_option_has_a_heading(self, command: str) -> None:
        """Given a command whose help has headings, then all options but --help stand below one."""
        found = root.get_command(click.Context(root), command)
        if isinstance(found, Sectioned):
            assert run(command, "--help").out.partition(f"\n{REST}:\n")[2].split()[:2] == ["-h,", "--help"]
        elif found is not None:
            assert len(found.params) <= 10, "so many options need headings"

    def test_nothing_at_all_is_answered_by_help(self) -> None:
        ran = run()
        assert ran.code == 2
        assert "Usage" in ran.out + ran.err

    def test_the_version(self) -> None:
        import hexwar
        from hexwar.board import COMPILED

        kernel = "compiled kernel" if COMPILED else "pure Python"
        assert run("--version").out == f"hexwar {hexwar.__version__}, {kernel}\n"

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["lst"], "did you mean list"),
            (["--nonsense"], "No such option"),
            (["list", "--nonsense"], "No such option"),
            (["info"], "Missing argument"),
            (["--plugin", "no-such-file.py", "list"], "no such plugin file"),
        ],
    )
    def test_bad_words_are_answered_by_a_sentence(self, words: list[str], sentence: str) -> None:
        ran = run(*words)
        assert ran.code == 2
        assert sentence in ran.err
        assert not ran.out


class TestList:
    def test_people_see_rulesets_and_scenarios(self) -> None:
        out = run("list").out
        assert "bridgehead  Bridgehead" in out
        assert "--scenario crossing" in out

    def test_programs_get_json(self) -> None:
        data = json.loads(run("list", "--json").out)
        card = next(card for card in data["rulesets"] if card["id"] == "bridgehead")
        assert card["sides"] == ["blue", "red"]
        assert card["scenarios"][0]["id"] == "crossing"

    def test_a_broken_plugin_is_mentioned_and_hides_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "broken.py").write_text("import no_such_module_at_all\n", encoding="utf-8")
        ran = run("--plugin", "broken.py", "list")
        assert ran.code == 0
        assert "bridgehead" in ran.out
        assert "The plugin broken (broken.py) does not work: ModuleNotFoundError: No module named" in ran.err

    def test_a_command_of_a_broken_plugin(self, tmp_path: Path) -> None:
        (tmp_path / "broken.py").write_text("import no_such_module_at_all\n", encoding="utf-8")
        ran = run("--plugin", "broken.py", "survey")
        assert ran.code == 2
        assert "no command is called 'survey'" in ran.err
        assert "broken (ModuleNotFoundError: No module named 'no_such_module_at_all')" in ran.err

    def test_a_command_in_a_plugin_file(self, tmp_path: Path) -> None:
        text = "import click\nfrom hexwar import hookimpl\n\n@click.command()\ndef survey():\n    click.echo('surveyed')\n\n"
        text += "@hookimpl\ndef hexwar_commands():\n    return {'survey': f'{__name__}:survey'}\n"
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
        assert run("--plugin", "mine.py", "survey").out == "surveyed\n"

    def test_no_rulesets_at_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from hexwar.plugins import use_plugins

        monkeypatch.setenv("HEXWAR_PLUGINS", "")
        use_plugins(None)
        assert "No ruleset is installed" in run("list").out


class TestInfo:
    def test_people_read_everything(self) -> None:
        out = run("info", "bridgehead").out
        for expected in ("complete", "Sides: blue, red", "--option barrage", "Operations [5.3]"):
            assert expected in out

    def test_programs_get_json(self) -> None:
        data = json.loads(run("info", "bridgehead", "--json").out)
        assert data["options"][0] == {
            "id": "barrage",
            "title": data["options"][0]["title"],
            "choices": [],
            "default": False,
            "excludes": [],
            "clause": "15.1",
            "scenarios": [],
            "variant": True,
        }
        assert data["clauses"]["implemented"] > 30
        assert data["provenance"]["bridgehead/crossing"]

    def test_provenance_is_listed_file_by_file(self) -> None:
        assert "hexwar info bridgehead --provenance" in run("info", "bridgehead").out
        assert run("info", "bridgehead", "--provenance").out == "bridgehead/crossing\n  map: invented for this game\n"
        of_ava = run("info", "ava", "--provenance").out
        assert "ava/campaign\n" in of_ava
        assert "  fact: Kiev row 01 lies south of Smolensk row 30: 2.1.10, 18.2.10\n" in of_ava
        assert "  reconstructed: " in of_ava
        assert "units.toml\n" in of_ava

    def test_options_with_choices_and_exclusions(self, toy: None) -> None:
        out = run("info", "toy").out
        assert "--option pace=slow|fast" in out
        assert "otherwise slow" in out
        assert "not with steep" in out

    def test_an_unknown_ruleset_is_a_sentence(self) -> None:
        ran = run("info", "bridgehad")
        assert ran.code == 2
        assert ran.sentence == "hexwar: no ruleset is called 'bridgehad'; did you mean bridgehead?"


class TestSeatings:
    def test_info_lists_them(self) -> None:
        out = run("info", "ava").out
        assert "Seatings for several players (--seats)" in out
        assert "  4-players: three Axis players against one; for campaign" in out
        assert "    north (axis), centre (axis), south (axis), soviet\n" in out
        assert "Seatings" not in run("info", "bridgehead").out
        data = json.loads(run("info", "ava", "--json").out)
        assert data["seatings"][0]["seats"] == {"north": "axis", "centre": "axis", "south": "axis", "soviet": "soviet"}

    def test_a_game_takes_one_by_its_name(self) -> None:
        assert "no seating of ava is called" in run("play", "ava", "--scenario", "campaign", "--seats", "6").sentence
        sentence = run("simulate", "ava", "--seats", "6-players", "--games", "1").sentence
        assert "the seating 6-players is for campaign only, not for training" in sentence


class TestRules:
    def test_the_json_has_the_promised_shape(self) -> None:
        clauses = json.loads(run("rules", "bridgehead", "--json").out)["clauses"]
        assert {"id", "title", "status", "ruling"} <= set(clauses[0])
        assert clauses[0]["id"] == "1.1"

    def test_a_clause_a_chapter_and_a_word(self) -> None:
        one = run("rules", "bridgehead", "8.3").out
        said, *places = one.splitlines()
        assert "halved" in said
        assert places
        assert all(re.search(r"Implemented: \S+\.(py|toml):\d+", place) for place in places)
        chapter = run("rules", "bridgehead", "8").out
        assert "8.1" in chapter
        assert "8.6" in chapter
        assert "18" not in chapter
        assert "Ruling:" in run("rules", "bridgehead", "7.2").out
        assert "15.1" in run("rules", "bridgehead", "--search", "OPTIONAL").out

    def test_filtering_by_status(self) -> None:
        assert run("rules", "bridgehead", "--status", "absent").out == "No clause fits.\n"
        assert json.loads(run("rules", "bridgehead", "--status", "absent", "--json").out) == {"clauses": []}

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["bridgehead", "99"], "no clause is called '99'"),
            (["bridgehead", "--status", "odd"], "is not one of"),
            (["zzz"], "no ruleset"),
        ],
    )
    def test_bad_input_is_a_sentence(self, words: list[str], sentence: str) -> None:
        ran = run("rules", *words)
        assert ran.code == 2
        assert sentence in ran.err


class TestPlugins:
    def test_people_and_programs(self) -> None:
        assert "hexwar_rulesets" in run("plugins").out
        data = json.loads(run("plugins", "--json").out)
        assert {"bots", "bridgehead", "maps", "render"} <= {plugin["name"] for plugin in data["plugins"]}

    def test_a_broken_one_is_shown_with_its_reason(self, tmp_path: Path) -> None:
        (tmp_path / "broken.py").write_text("1 / 0\n", encoding="utf-8")
        ran = run("--plugin", "broken.py", "plugins", "--details")
        assert "does not work: ZeroDivisionError" in ran.out
        assert "1 / 0" in ran.out

    def test_a_plugin_that_brings_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "idle.py").write_text("", encoding="utf-8")
        assert "no hooks" in run("--plugin", "idle.py", "plugins").out


class TestForeignCommands:
    def test_they_work_like_our_own(self, toy: None) -> None:
        assert run("greet", "you").out == "Hello you\n"
        assert "Greet somebody." in run("greet", "--help").out

    def test_they_cannot_take_our_names(self, toy: None) -> None:
        assert "toy" in run("list").out

    def test_what_is_no_command_is_a_sentence(self, toy: None) -> None:
        ran = run("stone")
        assert ran.code != 0
        assert "not a click command" in ran.err

    @pytest.mark.parametrize("entry", ["no_such_module:command", "tests.cli.leaving:command", "builtins:object"])
    def test_one_that_does_not_work_is_listed_with_the_others(self, own_folder: Path, entry: str) -> None:
        text = f"from hexwar import hookimpl\n@hookimpl\ndef hexwar_commands():\n    return {{'odd': {entry!r}}}\n"
        (own_folder / "odd.py").write_text(text, encoding="utf-8")
        helped = run("--plugin", "odd.py", "--help")
        assert helped.code == 0
        assert re.search(r"\n  odd +Does not work: ", helped.out)
        assert "simulate" in helped.out
        used = run("--plugin", "odd.py", "odd", "--any", "words")
        assert used.code == 1
        assert entry in used.err or "not a click command" in used.err

    def test_a_defect_is_a_sentence_with_a_hint(self, toy: None) -> None:
        ran = run("greet", "nobody")
        assert ran.code == 1
        assert ran.sentence == "hexwar: a defect: RuntimeError: there is nobody here (hexwar --traceback … shows where)"

    def test_a_developer_gets_the_traceback(self, toy: None) -> None:
        with pytest.raises(RuntimeError):
            run("--traceback", "greet", "nobody")
        from hexwar.errors import HexwarError

        with pytest.raises(HexwarError):
            run("--traceback", "info", "zzz")


@pytest.mark.parametrize("kind", ["map", "roster", "terrain", "combat", "save"])
def test_every_schema_is_json_schema(kind: str) -> None:
    schema = json.loads(run("schema", kind).out)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert schema["title"] == f"hexwar {kind} file"
    assert "properties" in schema or "anyOf" in schema or "$ref" in schema


def test_an_unknown_schema_is_a_sentence() -> None:
    assert run("schema", "poem").code == 2


class TestAStub:
    """A ruleset with a scenario that cannot be played yet."""

    @pytest.fixture(autouse=True)
    def stub(self, monkeypatch: pytest.MonkeyPatch) -> None:
        card = hexwar_bridgehead.INFO
        lacking = Scenario("whole", "The whole war", lacks="air missions and combat")
        monkeypatch.setattr(hexwar_bridgehead, "INFO", replace(card, scenarios=(lacking, *card.scenarios)))
        use_plugins(None)

    def test_its_scenario_is_listed_with_what_it_lacks(self) -> None:
        assert "--scenario whole  The whole war (cannot be played yet)" in run("list").out
        assert "cannot be played yet: it lacks air missions" in run("info", "bridgehead").out
        found = json.loads(run("info", "bridgehead", "--json").out)
        assert [bool(scenario["lacks"]) for scenario in found["scenarios"]] == [True, False]

    def test_playing_it_is_refused_in_a_sentence(self) -> None:
        ran = run("play", "bridgehead", "--bots")
        assert ran.code != 0
        assert "whole of bridgehead cannot be played yet: it lacks" in ran.err
        assert "there is crossing" in ran.err
