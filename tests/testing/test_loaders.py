"""Damaged files: whatever is in them, loaders say why, and the check finds those that do not."""

from __future__ import annotations

import itertools
import json
import os
import random
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import hexwar
import hexwar.facade
import hexwar_bridgehead.turn
from hexwar.engine import RuleIndex
from hexwar.errors import LONG, ContentError, HexwarError, SaveError, UnknownName, shortened
from hexwar.files import MAX_BYTES
from hexwar.pieces import load_roster
from hexwar.testing import BUDGETS, CheckFailed, ContentFile, Subject, check_ruleset, to_toml
from hexwar.testing._checks import loaders
from hexwar.testing._checks.loaders import LoadersSayWhy, TooSlow, position_of, time_limit
from hexwar.testing._running.watch import Crash, NotJudged
from hexwar.testing._staging.damage import damages
from tests.engine import toy

QUICK = BUDGETS["quick"]


def test_bridgehead_passes() -> None:
    assert check_ruleset("bridgehead", only=["loaders-say-why"]).passed


def test_every_file_is_there() -> None:
    check = LoadersSayWhy(Subject.of("bridgehead"), QUICK)
    names = [file.name for file in check.files(0)]
    assert names[:3] == ["bridgehead-crossing.toml", "position.toml", "game.json"]
    assert sorted(names[3:]) == ["combat.toml", "rules.toml", "scenario.toml", "terrain.toml", "units.toml"]
    names = [file.name for file in LoadersSayWhy(Subject.of("ava", "campaign"), BUDGETS["ci"]).files(0)]
    assert names[0] == "ava-campaign.toml"
    assert "ava-leningrad.toml" not in names, "an earlier scenario has tried it"
    assert "ava-leningrad.toml" in [file.name for file in LoadersSayWhy(Subject.of("ava", "campaign"), QUICK).files(0)]
    assert "units.toml" not in names  # the first scenario of the tier has tried it
    for subject, budget in (
        (Subject.of("ava"), QUICK),
        (Subject.of("ava"), BUDGETS["ci"]),  # which names its first scenario more than once
        (Subject.of("ava", "campaign"), QUICK),  # somebody asks for one that the tier does not play
    ):
        names = [file.name for file in LoadersSayWhy(subject, budget).files(0)]
        assert {"units.toml", "rules.toml", "setup.toml"} <= set(names)
    assert [file.name for file in LoadersSayWhy(Subject.of(toy.RULESET), QUICK).files(0)] == ["game.json"]


def test_a_game_as_a_position() -> None:
    game = hexwar.new_game("bridgehead", seed=3)
    game.apply(game.legal_actions("blue")[0], "blue")
    assert hexwar.position(position_of(game)).digest == game.digest


# -- damage --------------------------------------------------------------------------------------------------------------------


def test_damage_is_the_same_for_the_same_chance_and_says_what_it_is() -> None:
    text = 'format = 1\nname = "x"\n[table]\nvalues = [1, 2, 3]\n'
    one, other = (list(damages(text, "toml", random.Random(4), 60)) for _ in range(2))
    assert one == other
    assert len({damage.data for damage in one}) > 50
    assert all(damage.what for damage in one)
    valid = 0
    for damage in one:
        try:
            tomllib.loads(damage.data.decode())
        except (ValueError, RecursionError):
            continue
        valid += 1
    assert valid > 10  # what is no TOML at all never comes to the loader


def test_damage_of_json_is_often_json() -> None:
    found = list(damages(json.dumps({"a": [1, {"b": None}], "c": {}}), "json", random.Random(1), 40))
    parsed = 0
    for damage in found:
        try:
            json.loads(damage.data)
        except (ValueError, RecursionError):
            continue
        parsed += 1
    assert parsed > 10


def test_toml_is_written() -> None:
    tree = {"a b": 1, "none": None, "list": ["x", {"y": [True, None]}], "f": 1.5, "é": "\x7f"}
    assert tomllib.loads(to_toml(tree)) == {"a b": 1, "list": ["x", {"y": [True]}], "f": 1.5, "é": "\x7f"}


# -- faults that the check finds ------------------------------------------------------------------------------------------------

TEXT = 'name = "x"\nturns = 3\n[table]\nvalues = [1, 2]\n'


def beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(1000).decode()


def table(path: Path) -> dict[str, Any]:
    """A careful loader, which the others break."""
    try:
        data = tomllib.loads(beginning(path))
    except (ValueError, RecursionError) as error:
        raise ContentError(path.name, "", f"is not valid TOML: {error}") from None
    if not isinstance(data.get("turns"), int):
        raise ContentError(path.name, "turns", "must be a number")
    return data


def trusting(path: Path) -> object:
    data = tomllib.loads(beginning(path))
    return data["turns"] + 1


def nameless(path: Path) -> object:
    try:
        return table(path)
    except HexwarError:
        raise HexwarError("something is wrong") from None


def chatty(path: Path) -> object:
    try:
        return table(path)
    except HexwarError as error:
        raise HexwarError(f"{path.name}: {error} {'x' * 5000}") from None


def meddling(path: Path) -> object:
    data = table(path)
    if data["turns"] != 3:
        os.environ["HEXWAR_TURNS"] = "other"
    return data


def greedy(path: Path) -> object:
    data = path.read_bytes()
    if len(data) > 1_000_000:
        raise ContentError(path.name, "", "is too large")
    return table(path)


def slow(path: Path) -> object:
    data = table(path)
    while data["turns"] != 3:
        pass
    return data


SEEN: list[Path] = []


def resentful(path: Path) -> object:
    """Does not forgive a damaged file."""
    SEEN.append(path)
    if len(SEEN) > 60:
        raise ContentError(path.name, "", "no more")
    return table(path)


def found(load: Callable[[Path], object], patch: pytest.MonkeyPatch, text: str = TEXT) -> str:
    files: Sequence[ContentFile] = [ContentFile("table.toml", text, load)]
    patch.setattr(LoadersSayWhy, "files", lambda self, seed: iter(files))
    patch.setattr(loaders, "SECONDS", 0.3)
    try:
        LoadersSayWhy(Subject.of(toy.RULESET), QUICK).run(0)
    except CheckFailed as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (trusting, "table.toml is neither read nor refused: "),
        (nameless, "the sentence does not name it: something is wrong"),
        (chatty, "with no sentence for people"),
        (meddling, "reading table.toml changed the environment"),
        (greedy, "is read into memory before it is refused"),
        (slow, "takes more than 0 seconds to read"),
        (resentful, "after damaged files, table.toml as it is no longer loads"),
    ],
)
def test_a_bad_loader_is_found(load: Callable[[Path], object], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXWAR_TURNS", "")
    SEEN.clear()
    assert found(table, monkeypatch) == ""
    assert words in found(load, monkeypatch)


def test_a_file_that_does_not_load_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "table.toml as it is does not load: ContentError" in found(table, monkeypatch, 'turns = "three"\n')


def test_a_loader_of_saves_that_trusts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def trust(path: Path) -> object:
        return json.loads(path.read_text(encoding="utf-8"))["decisions"]

    monkeypatch.setattr(hexwar.facade, "load_game", trust)
    with pytest.raises(CheckFailed, match=r"game\.json is neither read nor refused: JSONDecodeError"):
        LoadersSayWhy(Subject.of("bridgehead"), QUICK).run(0)


def test_a_bug_of_the_rules_is_not_the_loader_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other dice lead a damaged save to where the rules crash."""
    monkeypatch.setattr(hexwar_bridgehead.turn, "check_supply", lambda play: 1 // 0)
    subject = Subject.of("bridgehead")
    crashes: list[CheckFailed] = []
    for seed in (17, 19):
        try:
            LoadersSayWhy(subject, QUICK).run(seed)
        except NotJudged as error:
            crashes.append(error.crash)
        except Crash:  # in its own short game
            continue
    assert {crash.check for crash in crashes} == {"offered-actions-apply"}
    assert all("make the rules fail: ZeroDivisionError" in crash.message for crash in crashes)


def test_a_time_limit() -> None:
    with pytest.raises(TooSlow), time_limit(0.05):
        sum(1 for _ in itertools.count())
    with time_limit(5):
        assert sum(range(100)) == 4950


# -- what it found -------------------------------------------------------------------------------------------------------------


def test_giants_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "big.toml"
    for load in (load_roster, RuleIndex.load):
        for text in ("#" * (MAX_BYTES + 1), "é" * MAX_BYTES):
            file.write_text(text, encoding="utf-8")
            with pytest.raises(ContentError, match=r"big\.toml: is larger than"):
                load(file)


def test_messages_do_not_quote_whole_files(tmp_path: Path) -> None:
    position = tmp_path / "p.toml"
    position.write_text(f'ruleset = "{"x" * 100_000}"\n', encoding="utf-8")
    with pytest.raises(ContentError) as refused:
        hexwar.position(position)
    assert len(str(refused.value)) < 2 * LONG
    assert str(refused.value).startswith(f"{position}: no ruleset is called 'xxx")
    assert "[...]" in str(refused.value)
    assert len(str(SaveError("x" * 100_000))) < 2 * LONG
    assert len(str(UnknownName("unit", "x" * 100_000, ["b1"]))) < LONG
    assert shortened("short") == "short"
    assert str(ContentError("f", "w", "m")) == "f: w: m"
