"""Loading: what was saved comes back and goes on as before, and whatever is wrong with a file is a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar import ContentError, SaveError
from hexwar.pieces import Done
from tests.facade.sample import POSITION, play, text_of
from tests.plugins.sample import ThickWoods, game_plugins, house_rule, playing_with, using


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The content of a save of 120 actions."""
    text = text_of(play(hexwar.new_game("bridgehead", seed=11), 120), tmp_path_factory.mktemp("saved"))
    content: dict[str, Any] = json.loads(text)
    return content


def loaded(content: object, folder: Path) -> hexwar.Game:
    (folder / "game.json").write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return hexwar.load_game(folder / "game.json")


def refused(content: object, folder: Path) -> str:
    """The sentence about a file, without its name."""
    with pytest.raises(SaveError) as caught:
        loaded(content, folder)
    name = f"{folder / 'game.json'}: "
    assert str(caught.value).startswith(name)
    assert str(caught.value).count(name) == 1
    return str(caught.value).removeprefix(name)


# -- what comes back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", [0, 1, 99, 100, 101, 10_000])
def test_a_save_is_stable_byte_for_byte(actions: int, tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead", seed=2, options={"barrage": True}), actions)
    first = text_of(game, tmp_path)
    again = hexwar.load_game(tmp_path / "game.json")
    assert text_of(again, tmp_path) == first
    assert (again.digest, again.history, again.result) == (game.digest, game.history, game.result)
    assert again.events == game.events


def test_a_loaded_game_goes_on_as_if_it_had_never_been_saved(tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead", seed=3), 50)
    text_of(game, tmp_path)
    again = hexwar.load_game(tmp_path / "game.json")
    assert again.can_undo == game.can_undo
    assert text_of(play(again, 10_000, seed=9), tmp_path) == text_of(play(game, 10_000, seed=9), tmp_path)


def test_a_game_from_a_position_is_saved_and_loaded(tmp_path: Path) -> None:
    game = play(hexwar.position(POSITION, seed=4), 15)
    first = text_of(game, tmp_path)
    again = hexwar.load_game(tmp_path / "game.json")
    assert again.source == POSITION
    assert text_of(again, tmp_path) == first
    assert play(again, 30, seed=2).digest == play(game, 30, seed=2).digest


def test_a_game_with_a_house_rule_is_saved_and_loaded(tmp_path: Path) -> None:
    with playing_with(PARTS={"movement": ThickWoods}):
        game = play(hexwar.new_game("bridgehead", seed=4, options={"house": True}), 80)
        text_of(game, tmp_path)
        assert hexwar.load_game(tmp_path / "game.json").digest == game.digest


# -- what is not installed --------------------------------------------------------------------------------------------


def test_another_version_of_the_ruleset(saved: dict[str, Any], tmp_path: Path) -> None:
    sentence = refused({**saved, "version": "0.7"}, tmp_path)
    assert sentence == "was written by version 0.7 of bridgehead; version 1.0 is installed, which loads saves of 1.0"


def test_an_older_version_that_the_ruleset_still_loads(
    saved: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    import hexwar_bridgehead

    card = replace(hexwar_bridgehead.INFO, version="1.1", loads=("1.0", "0.9"))
    monkeypatch.setattr(hexwar_bridgehead, "INFO", card)
    with using(game_plugins()):
        assert loaded(saved, tmp_path).digest == saved["checkpoints"][-1]["digest"]
        assert refused({**saved, "version": "0.8"}, tmp_path).endswith("which loads saves of 1.1, 1.0, 0.9")


def test_a_ruleset_that_is_missing(saved: dict[str, Any], tmp_path: Path) -> None:
    with using(game_plugins()):
        assert refused({**saved, "ruleset": "bridge"}, tmp_path) == (
            "needs what is not installed: no ruleset is called 'bridge'; did you mean bridgehead?"
        )


def test_a_variant_that_is_missing(saved: dict[str, Any], tmp_path: Path) -> None:
    with using(game_plugins()):
        assert refused({**saved, "options": {"thick-woods": True}}, tmp_path) == (
            "needs what is not installed: no option is called 'thick-woods'; known: barrage"
        )


def test_a_variant_that_does_not_load(saved: dict[str, Any], tmp_path: Path) -> None:
    manager = game_plugins()
    manager.register(house_rule(hexwar_veto=lambda hunger: None), "house")
    with using(manager):
        assert refused({**saved, "options": {"house": True}}, tmp_path) == (
            "variant house: hexwar_veto takes 'hunger', which the hook does not give; it gives at, seat, action"
        )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"scenario": "winter"}, "needs what is not installed: no scenario of bridgehead is called 'winter'; known: crossing"),
        ({"options": {"barrage": "loud"}}, "option barrage is a switch: true or false, not 'loud'"),
        ({"seats": {"blue": "blue"}}, "nobody plays red: every side needs a seat"),
        (
            {"seats": {"blue": "blue", "red": "green"}},
            "needs what is not installed: no side of bridgehead (for seat 'red') is called 'green'; known: blue, red",
        ),
        ({"format": 4}, "has save format 4; this hexwar reads the formats 1, 2, 3"),
        ({"speed": 3}, "speed: extra inputs are not permitted"),
        ({"decisions": None}, "decisions: input should be a valid list"),
    ],
)
def test_what_the_head_may_have_wrong(change: dict[str, Any], sentence: str, saved: dict[str, Any], tmp_path: Path) -> None:
    assert refused({**saved, **change}, tmp_path) == sentence


# -- what was edited --------------------------------------------------------------------------------------------------


def edited(content: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(content))
    change(copy)
    return copy


def test_an_edited_action_is_named(saved: dict[str, Any], tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["decisions"][0]["action"] = {"kind": "select", "chit": "rA"}
        content["decisions"][0]["seat"] = "blue"

    assert refused(edited(saved, change), tmp_path).startswith("action 1 of 120 (blue) is refused: ")


def test_an_action_that_none_is(saved: dict[str, Any], tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["decisions"][4]["action"] = {"kind": "fly"}

    assert "action 5 of 120 " in refused(edited(saved, change), tmp_path)
    assert "no action is of kind 'fly'" in refused(edited(saved, change), tmp_path)


def test_a_seat_that_none_is(saved: dict[str, Any], tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["decisions"][2]["seat"] = "green"

    assert refused(edited(saved, change), tmp_path) == (
        "action 3 of 120 (green) is refused: nobody sits at 'green'; the seats are blue, red"
    )


@pytest.mark.parametrize(("number", "after"), [(0, 0), (1, 100), (2, 120)])
def test_an_edited_digest_is_named(number: int, after: int, saved: dict[str, Any], tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["checkpoints"][number]["digest"] = "0" * 32

    assert refused(edited(saved, change), tmp_path) == (
        f"after action {after} the position is not the saved one, and the file does not match its seal: it was damaged or edited"
    )


def test_another_seed_is_noticed(saved: dict[str, Any], tmp_path: Path) -> None:
    refused({**saved, "seed": 12}, tmp_path)


def test_a_tape_with_an_impossible_die(tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead", chance=__import__("random").Random(1)), 40)
    content = json.loads(text_of(game, tmp_path))
    content["tape"][0] = 99
    assert "draw 1 is 99, but it must be from 0 to " in refused(content, tmp_path)


def test_a_file_that_was_cut_short(saved: dict[str, Any], tmp_path: Path) -> None:
    text = json.dumps(saved, indent=1)
    assert refused(text[: len(text) // 2], tmp_path).startswith("is damaged at line ")
    assert refused({**saved, "decisions": saved["decisions"][:-1]}, tmp_path) == (
        "has no digest for its last action, 119: it was damaged or edited"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is damaged at line 1, column 1: Expecting value"),
        ("[]", "is not a saved game: it has no format number"),
        ("{}", "is not a saved game: it has no format number"),
        ("Dear diary", "is damaged at line 1, column 1: Expecting value"),
    ],
)
def test_a_file_that_is_no_save(text: str, sentence: str, tmp_path: Path) -> None:
    assert refused(text, tmp_path) == sentence


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=r"gone\.json: cannot be read: no such file or directory"):
        hexwar.load_game(tmp_path / "gone.json")
    (tmp_path / "picture.json").write_bytes(b"\x89PNG\xff")
    with pytest.raises(SaveError, match=r"picture\.json: line 1: is not UTF-8 text"):
        hexwar.load_game(tmp_path / "picture.json")


# -- saves of positions -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def position_save(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(text_of(play(hexwar.position(POSITION), 4), tmp_path_factory.mktemp("position")))
    return content


@pytest.mark.parametrize(
    "change",
    [{"scenario": "other"}, {"options": {"barrage": True}}, {"seats": {"a": "blue", "b": "red"}}],
)
def test_head_and_position_must_be_of_one_game(change: dict[str, Any], position_save: dict[str, Any], tmp_path: Path) -> None:
    sentence = "its head and its position are of different games: it was damaged or edited"
    assert refused({**position_save, **change}, tmp_path) == sentence


def test_a_wrong_position_in_a_save(position_save: dict[str, Any], tmp_path: Path) -> None:
    text = position_save["position"].replace('b1 = "0403"', 'bX = "0403"')
    assert refused({**position_save, "position": text}, tmp_path).startswith("its position: units: no unit is called 'bX'")


def test_a_position_whose_deeper_steps_cannot_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are looked up, and looking at all steps finds what they do not show; what both overlook is a sentence later, too."""
    text = POSITION.replace(
        'seat = "blue", units = ["b1", "b5"]},\n    {kind = "moving"', 'seat = "grey", units = []},\n    {kind = "moving"'
    )
    assert text != POSITION
    with pytest.raises(ContentError, match=r"stack\.1\.seat: no seat is called 'grey'"):
        hexwar.position(text)
    monkeypatch.setattr("hexwar.facade.misnamed", lambda at: ())
    with pytest.raises(ContentError, match=r"does not fit the game \(KeyError: 'grey'\)"):
        hexwar.position(text)
    monkeypatch.setattr("hexwar.facade._look_at", lambda game: None)
    content = json.loads(text_of(hexwar.position(text), tmp_path))
    content["decisions"] = [{"seat": "blue", "action": Done().to_json()}]
    content["checkpoints"].append({"after": 1, "digest": "?"})
    assert refused(content, tmp_path).startswith("its position cannot be played: ")
