"""Saves: a round trip that goes on as the first game would, and damage of every kind told in a sentence."""

from __future__ import annotations

import functools
import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hexwar.engine import Game, TapedChance, World, settle_options
from hexwar.engine import _game as game_module
from hexwar.engine import _save as save_module
from hexwar.engine._save import read_save, replay, to_text
from hexwar.errors import HexwarError, SaveError
from tests.engine.toy import INFO, Bid, Peek, Toy, ToyRuleset, Wish, Wished, new_game, play_on, teams_game


def load(path: Path) -> Game[Toy, World]:
    """As a facade would: read, check what names the game, replay."""
    saved = read_save(path)
    try:
        INFO.scenario(saved.scenario)
        if (saved.ruleset, saved.version) != (INFO.id, INFO.version):
            raise SaveError(f"{path}: is of another game or version")
        if saved.position is not None or not {*saved.seats.values()} <= {*INFO.sides}:
            raise SaveError(f"{path}: no such position or side")
        options = settle_options(saved.options, INFO.options, saved.scenario)
        game = new_game(chance=saved.chance(), scenario=saved.scenario, options=options, seats=saved.seats)
    except SaveError:
        raise
    except HexwarError as error:
        raise SaveError(f"{path}: {error}") from None
    replay(saved, game, str(path))
    return game


def played(choices: Any = range(25), seed: int = 1) -> Game[Toy, World]:
    game = new_game(seed)
    play_on(game, choices)
    return game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all examples of a property; each writes its file anew."""
    return tmp_path_factory.mktemp("saves")


@functools.cache
def text() -> str:
    return to_text(played())


@given(st.booleans(), st.integers(0, 9), st.lists(st.integers(0, 1000), max_size=40))
def test_a_loaded_game_is_the_saved_one_and_goes_on_the_same_way(
    folder: Path, teams: bool, seed: int, choices: list[int]
) -> None:
    game = teams_game(seed) if teams else new_game(seed)
    play_on(game, choices)
    game.save(folder / "game.json")
    again = load(folder / "game.json")
    for _ in range(2):
        assert again.digest == game.digest
        assert (again.events, again.history, again.checkpoints) == (game.events, game.history, game.checkpoints)
        assert to_text(again) == to_text(game)
        assert again.can_undo == game.can_undo
        for each in (game, again):
            play_on(each, range(3, 60, 5))


@given(st.booleans(), st.lists(st.sampled_from(["play", "save", "undo", "copy"]), max_size=40))
def test_what_was_written_before_is_used_again_and_is_never_wrong(taped: bool, deeds: list[str]) -> None:
    game = new_game(chance=TapedChance(random.Random(4))) if taped else new_game(3)
    for number, deed in enumerate(deeds):
        if deed == "play":
            play_on(game, [number])
        elif deed == "undo" and game.can_undo:
            game.undo()
        elif deed == "copy":
            to_text(game)
            game = game.copy()
        else:
            fresh = game.copy()  # nothing was written of it yet
            assert to_text(game) == to_text(fresh)
    assert to_text(game) == to_text(game.copy())


def test_another_save_writes_only_what_came_since(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played()
    to_text(game)
    links: list[str] = []
    original = save_module._fingerprint

    def fingerprint(text: str) -> str:
        links.append(text)
        return original(text)

    monkeypatch.setattr(save_module, "_fingerprint", fingerprint)
    play_on(game, [1])
    to_text(game)
    assert len(links) == 3  # head, the last decision, seal


def test_a_game_with_its_own_dice_is_saved_with_their_tape(tmp_path: Path) -> None:
    game = new_game(chance=TapedChance(random.Random(4)))
    play_on(game, range(25))
    game.save(tmp_path / "a")
    one = load(tmp_path / "a")
    assert (one.digest, one.events) == (game.digest, game.events)
    play_on(one, range(10))
    one.save(tmp_path / "b")
    two = load(tmp_path / "b")
    for each in (one, two):
        play_on(each, range(100))
    assert one.digest == two.digest


@pytest.mark.parametrize("every", [3, 100])
def test_a_loaded_game_can_be_undone_as_far_as_the_saved_one(every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (game_module, save_module):
        monkeypatch.setattr(module, "CHECKPOINT_EVERY", every)
    depths = set()
    for seed in range(5):
        game = new_game(seed)
        for choice in range(20):
            play_on(game, [seed + choice])
            game.save(tmp_path / f"{seed}")
            again, twin = load(tmp_path / f"{seed}"), game.copy()
            assert (again.checkpoints, again.history, again.events) == (game.checkpoints, game.history, game.events)
            depth = 0
            while twin.can_undo:
                assert twin.undo() == again.undo()
                assert (twin.digest, twin.events, twin.to_move) == (again.digest, again.events, again.to_move)
                depth += 1
            assert not again.can_undo
            depths.add(depth)
    assert len(depths) > 2


def test_what_was_undone_is_not_in_the_save(tmp_path: Path) -> None:
    game = new_game()
    game.apply(Wish(1), "north")
    game.apply(Wish(2), "north")
    game.undo()
    game.save(tmp_path / "a")
    assert [made.action for made in load(tmp_path / "a").history] == [Wish(1)]


def test_a_save_is_text_with_a_line_for_each_action() -> None:
    game = new_game(7)
    game.apply(Wish(1), "north")
    game.apply(Peek(), "south")
    assert to_text(game) == (
        "{\n"
        '  "note": "This file holds the seed and all secrets of the game. Show it to nobody who still plays it.",\n'
        '  "format": 3,\n'
        '  "ruleset": "toy",\n'
        '  "version": "1.0",\n'
        '  "scenario": "short",\n'
        '  "options": {"steep": false, "flat": false, "pace": "slow"},\n'
        '  "seats": {"north": "north", "south": "south"},\n'
        '  "seed": 7,\n'
        '  "seed_is_secret": false,\n'
        '  "tape": [],\n'
        '  "position": null,\n'
        '  "content": "",\n'
        '  "board": "",\n'
        '  "digest_schema": 3,\n'
        '  "seal": "98030ad2664b996a",\n'
        '  "decisions": [\n'
        '    {"seat": "north", "action": {"kind": "wish", "amount": 1}, "link": "504a2f794420fcf4"},\n'
        '    {"seat": "south", "action": {"kind": "peek"}, "link": "9bf32f8044d102dd"}\n'
        "  ],\n"
        '  "checkpoints": [\n'
        f'    {{"after": 0, "digest": "{new_game().digest}"}},\n'
        f'    {{"after": 2, "digest": "{game.digest}"}}\n'
        "  ]\n"
        "}\n"
    )
    assert '"decisions": []' in to_text(new_game())


def test_a_save_of_format_1_loads_for_ever(tmp_path: Path) -> None:
    """Written once; if it no longer loads, every player's games are lost. Its digests are of another schema."""
    (tmp_path / "old").write_text(OLD)
    game = load(tmp_path / "old")
    assert len(game.history) == 8
    assert game.caveat.endswith("the rules accept every action, but no position was compared with the saved one")
    game.save(tmp_path / "new")
    again = load(tmp_path / "new")
    assert (again.digest, again.events, again.caveat) == (game.digest, game.events, "")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"amount": 2', '"amount": 9', r"action 3 of 8 \(south\) is refused: 1.1: a bid is at"),
        ('"seed": "old"', '"seed": "new"', r"action 5 of 8 \(south\) is refused: 2: Walk\(steps=6\) is not possible now"),
        ('"pace": "slow"', '"pace": "fast"', "does not match its seal: it was damaged or edited"),
        ('"after": 8', '"after": 7', "has no digest for its last action, 8: it was damaged or edited"),
        ('"seat": "south"', '"chair": "south"', "decisions.0.seat: field required"),
    ],
)
def test_a_damaged_save_of_format_1_is_found_as_far_as_it_can_be(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "old").write_text(OLD.replace(old, new))
    with pytest.raises(SaveError, match=f"old: {sentence}"):
        load(tmp_path / "old")


# -- other rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wishes", "since"), [((1,), "action 1"), ((1, 2, 1), "one of the actions 1 to 3")])
def test_rules_that_play_the_game_differently_are_reported_as_such(
    wishes: tuple[int, ...], since: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game()
    for amount in wishes:
        game.apply(Wish(amount), "north")
    game.save(tmp_path / "a")
    monkeypatch.setattr(Wished, "apply", lambda self, state: state.wish.update({self.side: 3}))
    with pytest.raises(SaveError) as caught:
        load(tmp_path / "a")
    assert str(caught.value) == f"{tmp_path / 'a'}: this version of the rules plays the game differently from {since} on"


def test_rules_that_set_the_game_up_differently_are_reported_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_game().save(tmp_path / "a")
    monkeypatch.setattr(ToyRuleset, "start", lambda self, world: Toy(round=2, track=dict.fromkeys(world.sides, 0)))
    with pytest.raises(SaveError, match="this version of the rules plays the game differently from its beginning on"):
        load(tmp_path / "a")


OLD = """{
  "format": 1,
  "ruleset": "toy",
  "version": "1.0",
  "scenario": "short",
  "options": {"steep": false, "flat": false, "pace": "slow"},
  "seats": {"north": "north", "south": "south"},
  "seed": "old",
  "tape": [],
  "position": null,
  "content": "",
  "seal": "2fd508a9164fb024bd55fe8fd5eaca90",
  "moves": [
    {"seat": "south", "action": {"kind": "wish", "amount": 0}},
    {"seat": "north", "action": {"kind": "bid"}},
    {"seat": "south", "action": {"kind": "wish", "amount": 2}},
    {"seat": "south", "action": {"kind": "bid"}},
    {"seat": "south", "action": {"kind": "walk", "steps": 6}},
    {"seat": "south", "action": {"kind": "wish", "amount": 3}},
    {"seat": "north", "action": {"kind": "wish", "amount": 0}},
    {"seat": "north", "action": {"kind": "wish", "amount": 2}}
  ],
  "checkpoints": [
    {"after": 0, "digest": "be29a37cd292eb30132969f4c906ee1e"},
    {"after": 8, "digest": "e6f6207f10a7d5178a25d9ce00e2ad05"}
  ]
}
"""


# -- damage -----------------------------------------------------------------------------------------------------------


def edited(change: Callable[[Any], object]) -> str:
    data = json.loads(text())
    change(data)
    return json.dumps(data)


def put(*keys: Any) -> Callable[[Any], object]:
    """A change of the save: all but the last are the path, the last is the new value."""

    def change(data: Any) -> None:
        *path, last, value = keys
        for key in path:
            data = data[key]
        data[last] = value

    return change


LAST = len(json.loads(text())["decisions"])
BIDS = [number for number, made in enumerate(json.loads(text())["decisions"]) if made["action"]["kind"] == "bid"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is damaged at line 1, column 1: Expecting value"),
        ("hello", "is damaged at line 1, column 1: Expecting value"),
        (text()[:400], r"is damaged at line \d+, column \d+: "),
        (text()[:-3], r"is damaged at line \d+, column \d+: Expecting ',' delimiter"),
        (text() + "x", r"is damaged at line \d+, column 1: Extra data"),
        (text() + '{"decisions": 1}', "seal: field required"),
        (text() + text(), "(note|format|ruleset|version|.*): extra inputs are not permitted"),
        (b"\xff" + text().encode(), "line 1: is not UTF-8 text"),
        (text().encode("utf-16"), "line 1: is not UTF-8 text"),
        ("[" * 200_000, "is damaged: it has a number of thousands of digits or is nested too deeply"),
        ('{"format": ' + "9" * 5000 + "}", "is damaged: it has a number of thousands of digits or is nested too deeply"),
        ("[]", "is not a saved game: it has no format number"),
        ("{}", "is not a saved game: it has no format number"),
        ("null", "is not a saved game: it has no format number"),
        (edited(put("format", 4)), "has save format 4; this hexwar reads the formats 1, 2, 3"),
        (edited(put("format", "2")), "has save format '2'; this hexwar reads"),
        (edited(put("format", True)), "format: input should be a valid integer"),
        (edited(lambda data: data.pop("seed")), "seed: field required"),
        (edited(put("cheat", 1)), "cheat: extra inputs are not permitted"),
        (edited(put("ruleset", 1)), "ruleset: input should be a valid string"),
        (edited(put("scenario", "shirt")), "no scenario of toy is called 'shirt'; did you mean short?"),
        (edited(put("seed", 1.5)), "seed.int: input should be a valid integer"),
        (edited(put("seed", True)), "seed.int: input should be a valid integer"),
        (edited(put("seed", "\ud800")), r"(action|after action) \d+ "),
        (edited(put("options", "steep", 1)), "options.steep.bool: input should be a valid boolean"),
        (edited(put("options", "steep", "x")), "option steep is a switch"),
        (edited(put("seats", ["north"])), "seats: input should be a valid dictionary"),
        (edited(put("seats", {"north": "south", "south": "north"})), "the seat 'north' has the name of a side"),
        (edited(put("tape", [1, "2"])), "tape.1: input should be a valid integer"),
        (edited(put("decisions", 3, "seat", 1)), "decisions.3.seat: input should be a valid string"),
        (edited(put("decisions", 3, "action", "bid")), "decisions.3.action: input should be a valid dictionary"),
        (edited(put("decisions", 3, "when", 1)), "decisions.3.when: extra inputs are not permitted"),
        (edited(put("decisions", 0, "seat", "east")), rf"action 1 of {LAST} \(east\) is refused: nobody sits at 'east'"),
        (
            edited(put("decisions", 0, "action", {"kind": "fly"})),
            rf"action 1 of {LAST} \(\w+\) is refused: not a valid action in this game",
        ),
        (
            edited(put("decisions", 0, "action", {"kind": "wish", "amount": 9})),
            rf"action 1 of {LAST} \(\w+\) is refused: 1.1: a bid is at",
        ),
        (
            edited(put("decisions", 0, "action", {"kind": "walk", "steps": 1})),
            rf"action 1 of {LAST} \(\w+\) is refused: 1: .* not possible",
        ),
        (
            edited(put("decisions", 0, "action", {"kind": "bid", "x": [[1]]})),
            rf"action 1 of {LAST} \(\w+\) is refused: not a valid action in this game",
        ),
        (
            edited(lambda data: data["decisions"].pop()),
            f"has no digest for its last action, {LAST - 1}: it was damaged or edited",
        ),
        (
            edited(lambda data: data["decisions"].append(data["decisions"][0])),
            f"has no digest for its last action, {LAST + 1}: it was",
        ),
        (edited(put("checkpoints", [])), f"has no digest for its last action, {LAST}: it was damaged or edited"),
        (
            edited(put("checkpoints", 0, "digest", "0" * 32)),
            "after action 0 the position is not the saved one, and the file does not match its seal: it was damaged or edited",
        ),
        (
            edited(put("checkpoints", -1, "digest", "0" * 32)),
            f"after action {LAST} the position is not the saved one, and the file",
        ),
        (edited(lambda data: data["checkpoints"].pop(0)), "does not match its seal: it was damaged or edited$"),
        (edited(put("checkpoints", 0, "after", -1)), "checkpoints.0.after: input should be greater than or equal to 0"),
        (edited(put("checkpoints", 0, "digest", None)), "checkpoints.0.digest: input should be a valid string"),
        (
            edited(lambda data: data.update(seed=None, tape=[9])),
            rf"action {BIDS[1] + 1} of {LAST} \(\w+\): draw 1 is 9, but it must be",
        ),
    ],
    ids=lambda value: repr(value)[-60:],
)
def test_damage_of_every_kind_is_a_save_error_that_says_what_and_where(
    tmp_path: Path, content: str | bytes, sentence: str
) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SaveError) as caught:
        load(path)
    assert re.match(re.escape(str(path)) + ": " + sentence, str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_action_nested_as_deeply_as_the_reader_allows_is_refused_too(tmp_path: Path) -> None:
    for depth in (100, 900, 980, 5000):
        made = '{"seat": "north", "action": {"kind": "wish", "amount": ' + "[" * depth + "]" * depth + "}}"
        (tmp_path / "deep").write_text(re.sub(r'"decisions": \[.*?\n  \]', f'"decisions": [{made}]', text(), flags=re.DOTALL))
        with pytest.raises(SaveError):
            load(tmp_path / "deep")


def test_an_edited_action_that_is_legal_is_found_by_the_digest(tmp_path: Path) -> None:
    game = new_game()
    game.apply(Wish(1), "north")
    (tmp_path / "a").write_text(to_text(game).replace('"amount": 1', '"amount": 2'))
    with pytest.raises(SaveError, match="after action 1 the position is not the saved one, and the file does not match its seal"):
        load(tmp_path / "a")


@pytest.mark.parametrize("change", [put("seed", 2), put("options", "steep", True)])
def test_an_edited_head_is_found_even_before_it_matters(change: Callable[[Any], object], tmp_path: Path) -> None:
    data = json.loads(to_text(new_game()))
    change(data)
    (tmp_path / "a").write_text(json.dumps(data))
    with pytest.raises(SaveError, match="a: does not match its seal: it was damaged or edited"):
        load(tmp_path / "a")


def test_a_save_is_for_the_content_it_was_played_with(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(edited(put("content", "another map")))
    with pytest.raises(
        SaveError, match="a: was played with another board, other counters or other tables than there is here; if a map was"
    ):
        load(tmp_path / "a")


def test_a_new_save_is_private_and_a_replaced_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    new_game().save(path)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    new_game().save(path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_another_seed_is_found_once_dice_have_fallen(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(edited(put("seed", 2)))
    with pytest.raises(SaveError):
        load(tmp_path / "a")


def test_what_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SaveError, match="nowhere: cannot be read: no such file or directory"):
        read_save(tmp_path / "nowhere")
    with pytest.raises(SaveError, match="cannot be read: is a directory"):
        read_save(tmp_path)
    monkeypatch.setattr(save_module, "MAX_BYTES", 10)
    (tmp_path / "large").write_text(text())
    with pytest.raises(SaveError, match="large: is larger than 10 bytes"):
        read_save(tmp_path / "large")


edits = st.lists(
    st.tuples(st.sampled_from(["flip", "cut", "insert", "repeat"]), st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=3
)


def mutated(content: bytes, changes: list[tuple[str, float, int]]) -> bytes:
    for how, where, byte in changes:
        at = int(where * max(len(content) - 1, 0))
        if how == "flip":
            content = content[:at] + bytes([byte]) + content[at + 1 :]
        elif how == "cut":
            content = content[:at] + content[at + 1 + byte // 8 :]
        elif how == "insert":
            content = content[:at] + bytes([byte]) + content[at:]
        else:
            content = content[: at + byte] + content[at:]
    return content


@given(edits)
@example([("flip", 0.0, 0)])
def test_a_mutated_save_fails_with_a_sentence_or_gives_exactly_the_saved_game(
    folder: Path, changes: list[tuple[str, float, int]]
) -> None:
    path = folder / "mutated.json"
    path.write_bytes(mutated(text().encode(), changes))
    try:
        outcome = load(path).digest
    except SaveError as error:
        outcome = str(error)
    assert outcome == played().digest or outcome.startswith(f"{path}: ")


# -- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["fsync", "replace", "write"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
def test_a_failure_in_the_middle_leaves_the_old_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, error: BaseException
) -> None:
    path = tmp_path / "game.json"
    game = new_game()
    game.save(path)
    old = path.read_bytes()
    game.apply(Bid(), "north")
    if where != "fsync":  # only a game that is written whole comes to that
        game = game.copy()

    def fail(*arguments: object, **more: object) -> Any:
        raise error

    with monkeypatch.context() as patch:
        if where == "fsync":
            patch.setattr(os, "fsync", fail)
        elif where == "replace":
            patch.setattr(Path, "replace", fail)
        else:
            real = os.fdopen

            def open_badly(handle: int, *arguments: Any, **more: Any) -> Any:
                file = real(handle, *arguments, **more)
                file.write(b"half a ga")
                patch.setattr(os, "fsync", fail)
                return file

            patch.setattr(os, "fdopen", open_badly)
        with pytest.raises(SaveError if isinstance(error, OSError) else type(error)):
            game.save(path)
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]
    game.save(path)
    assert load(path).digest == game.digest


@pytest.mark.parametrize("error", [None, OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_half_a_line_is_taken_away_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException | None) -> None:
    path = tmp_path / "game.json"
    game = new_game()
    game.save(path)
    old, real = path.read_bytes(), os.write
    game.apply(Bid(), "north")

    def half(handle: int, data: bytes) -> int:
        real(handle, data[:9])
        if error is not None:
            raise error
        return 9

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        if isinstance(error, KeyboardInterrupt):
            with pytest.raises(KeyboardInterrupt):
                game.save(path)
            assert path.read_bytes() == old
        else:
            game.save(path)  # whole, then
            assert path.read_text() == to_text(game)
    game.save(path)
    assert load(path).digest == game.digest


def journal(path: Path, choices: Any = range(25)) -> Game[Toy, World]:
    """A game that is saved after every action."""
    game = new_game(1)
    game.save(path)
    for choice in choices:
        play_on(game, [choice])
        game.save(path)
    return game


def test_a_game_that_is_saved_after_every_action_adds_a_line_each_time(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = journal(path)
    head, *lines = path.read_text().removeprefix(to_text(new_game(1))).split("\n")
    assert [len(json.loads(line)["decisions"]) for line in (head, *lines[:-1])] == [1] * len(game.history)
    again = load(path)
    assert (again.digest, again.events, again.history, again.checkpoints) == (
        game.digest,
        game.events,
        game.history,
        game.checkpoints,
    )
    assert not again.caveat
    again.save(path)
    assert path.read_text() == to_text(game)  # the first save of another game writes it whole


def test_two_decisions_since_and_none(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = journal(path, range(3))
    play_on(game, range(2))
    game.save(path)
    length = path.stat().st_size
    game.save(path)
    assert path.stat().st_size == length
    assert load(path).digest == game.digest


def test_a_line_that_was_not_finished_is_left_out_and_that_is_told(tmp_path: Path) -> None:
    """What a crash in the middle of a save leaves."""
    path = tmp_path / "game.json"
    before = journal(path, range(4))
    whole = path.stat().st_size
    after = journal(path, range(5))
    data = path.read_bytes()
    for end in range(whole, len(data) + 1):
        path.write_bytes(data[:end])
        game = load(path)
        is_there, is_torn = end >= len(data) - 1, whole < end < len(data) - 1
        assert game.digest == (after if is_there else before).digest
        assert ("its last line has no end" in game.caveat) == is_torn
        play_on(game, [1])
        game.save(path)
        assert not load(path).caveat


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"seal": "', '"seal": "0', "does not match its seal from action 5 on: it was damaged or edited"),
        ('"link": "', '"link": "0', "does not match its seal from action 5 on: it was damaged or edited"),
        ('"digest": "', '"digest": "0', "after action 5 the position is not the saved one, and the file does not match its seal"),
        ('"decisions"', '"decision"', "decision: extra inputs are not permitted"),
        ('"after": 5', '"after": 4', "has no digest for its last action, 5: it was damaged or edited"),
        ('"seat"', "seat", r"is damaged at line \d+, column 17: Expecting property name"),
    ],
)
def test_a_damaged_line_is_found(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    journal(path, range(5))
    *lines, last = path.read_text().splitlines()
    path.write_text("\n".join([*lines, last.replace(old, new), ""]))
    with pytest.raises(SaveError, match=f"game.json: {sentence}"):
        load(path)


def test_a_line_that_is_missing_in_the_middle_is_found(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    journal(path, range(5))
    *lines, _, last = path.read_text().splitlines()
    path.write_text("\n".join([*lines, last, ""]))
    with pytest.raises(SaveError):
        load(path)


@pytest.mark.parametrize("what", ["undo", "edit", "gone", "replaced", "elsewhere", "pipe", "read-only", "too long"])
def test_a_file_that_is_not_what_the_game_left_is_written_whole(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    game = new_game(1)
    game.apply(Wish(1), "north")
    game.save(path)
    old = path.read_bytes()
    if what == "undo":
        game.undo()
    elif what == "edit":
        path.write_bytes(old + b" ")
    elif what in ("gone", "pipe"):
        path.unlink()
    elif what == "replaced":
        game.copy().save(path)
    elif what == "elsewhere":
        path = tmp_path / "other.json"
    elif what == "read-only":
        path.chmod(0o400)
        monkeypatch.setattr(os, "open", _refusing(os.open, os.O_APPEND))
    else:
        monkeypatch.setattr(save_module, "MAX_BYTES", len(old) + 150)
    game.apply(Wish(2), "north")
    if what == "pipe":
        os.mkfifo(path)
        with pytest.raises(SaveError, match="it is no regular file"):
            game.save(path)
        return
    game.save(path)
    assert path.read_text() == to_text(game)


def _refusing(real: Callable[..., int], flag: int) -> Callable[..., int]:
    """Root may write what is read-only."""

    def opened(path: Any, flags: int, *more: Any, **others: Any) -> int:
        if flags & flag:
            raise PermissionError(13, "Permission denied")
        return real(path, flags, *more, **others)

    return opened


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="cannot be written: No such file or directory"):
        new_game().save(tmp_path / "no" / "folder")
    (tmp_path / "folder").mkdir()
    with pytest.raises(SaveError, match="folder: cannot be written: Is a directory"):
        new_game().save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
