"""Content files in general, and rosters."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pydantic
import pytest

from hexwar import cache
from hexwar.errors import ContentError
from hexwar.files import MAX_BYTES
from hexwar.pieces import Content, ContentFiles, Face, Field, Sourced, load_content, load_roster, model_validator, require_known
from hexwar.pieces import _content as content_module
from hexwar.pieces._checked import model_of
from hexwar.pieces._content import CombatFile, RosterFile
from tests.mechanics.samples import TextFile

GOOD = """
[[unit]]
id = "b1"
name = "First"
side = "blue"
arm = "foot"
full = [4, 3, 5]
reduced = [2, 1, 5]
start = "0101"
formation = "corps"
tags = ["guards"]

[[unit]]
id = "bQ"
name = "Staff"
side = "blue"
arm = "foot"
full = [0, 1, 6]
command = 3
"""


def test_a_roster() -> None:
    roster = load_roster(TextFile(GOOD))
    first, staff = roster["b1"], roster["bQ"]
    assert first.faces == (Face(2, 1, 5), Face(4, 3, 5)), "the weakest first"
    assert (first.steps, staff.steps) == (2, 1)
    assert (first.is_headquarters, staff.is_headquarters) == (False, True)
    assert (first.start, first.formation, first.tags) == ("0101", "corps", frozenset({"guards"}))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('id = "bQ"', 'id = "b1"', "unit b1: the id is used twice"),
        ("full = [4, 3, 5]", "full = [4, 3]", "unit.b1.full.2: field required"),
        ("full = [4, 3, 5]", 'full = [4, 3, "5"]', "unit.b1.full.2: input should be a valid integer"),
        ("full = [4, 3, 5]", "full = [4, -3, 5]", "unit.b1.full.1: input should be greater than or equal to 0"),
        ("command = 3", "command = true", "unit.bQ.command: input should be a valid integer"),
        ("command = 3", "comand = 3", "unit.bQ.comand: extra inputs are not permitted"),
        ('name = "Staff"', "", "unit.bQ.name: field required"),
        ('id = "bQ"', 'id = ""', "unit.1.id: string should have at least 1 character"),
    ],
)
def test_a_mistake_in_a_roster_is_named(old: str, new: str, sentence: str) -> None:
    with pytest.raises(ContentError) as caught:
        load_roster(TextFile(GOOD.replace(old, new, 1), "units.toml"))
    assert str(caught.value) == f"units.toml: {sentence}"


def test_sides_and_arms_must_be_known() -> None:
    roster = load_roster(TextFile(GOOD))
    require_known("units.toml", roster, "side", ("blue", "red"))
    with pytest.raises(ContentError, match=r"^units.toml: unit b1: arm 'foot' is not one of horse, guns$"):
        require_known("units.toml", roster, "arm", ("horse", "guns"))


class Broken:
    """A file that cannot be read as text."""

    name = "broken.toml"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def read_text(self, encoding: str | None = None) -> str:
        raise self.error


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (Path("/nowhere/at/all.toml"), "all.toml: cannot be read: no such file or directory"),
        (Broken(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")), "broken.toml: line 1: is not UTF-8 text"),
        (TextFile("x" * (MAX_BYTES + 1)), f"test.toml: is larger than {MAX_BYTES} bytes"),
        (TextFile("unit = ["), "test.toml: end of document: is not valid TOML"),
        (TextFile("unit = " + "9" * 5000), "test.toml: is not valid TOML"),
        (TextFile("unit = " + "[" * 5000), "test.toml: is not usable TOML"),
        (TextFile("unit = 3"), "test.toml: unit: input should be a valid list"),
        (TextFile("unit = [3]"), "test.toml: unit.0: input should be a valid dictionary or instance of UnitEntry"),
        (TextFile(""), "test.toml: unit: field required"),
    ],
)
def test_a_bad_file_is_a_sentence(file: object, sentence: str) -> None:
    with pytest.raises(ContentError) as caught:
        load_content(file, RosterFile)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


def test_rulesets_bring_their_own_models() -> None:
    class Weather(Content):
        mud: list[int]

    assert load_content(TextFile("mud = [3, 4]"), Weather).mud == [3, 4]
    with pytest.raises(ContentError, match=r"^test.toml: snow: extra inputs are not permitted$"):
        load_content(TextFile("mud = []\nsnow = 1"), Weather)


class Node(Content):
    """Content in which there is content of the same kind."""

    name: str
    inside: list[Node] = Field([], description="what it is made of")
    at_least: int = Field(0, alias="from")

    @model_validator(mode="before")
    @classmethod
    def _named(cls, data: dict[str, object]) -> dict[str, object]:
        return {"name": "nobody", **data}

    @model_validator(mode="after")
    def _small(self) -> Node:
        if len(self.inside) > 1:
            raise ValueError("one is enough")
        return self


def test_content_is_a_value_that_was_checked() -> None:
    node = load_content(TextFile('name = "a"\n[[inside]]\nfrom = 3'), Node)
    inner = node.inside[0]
    assert node == Node.model_validate({"name": "a", "inside": [{"from": 3}]}) == Node(name="a", inside=[{"from": 3}])
    assert (type(inner), dict(inner)) == (Node, {"name": "nobody", "inside": [], "at_least": 3})
    assert inner != node != dict(node)
    assert repr(inner) == "Node(name='nobody', inside=[], at_least=3)"
    assert node.model_dump(exclude={"name"}) == {"inside": [dict(inner)], "at_least": 0}
    assert inner.model_dump(exclude_defaults=True) == {"name": "nobody", "at_least": 3}
    assert node.model_dump_json() == model_of(Node).model_validate({"name": "a", "inside": [{"from": 3}]}).model_dump_json()
    assert copy.deepcopy(node) == pickle.loads(pickle.dumps(node)) == node
    with pytest.raises(AttributeError, match="Node does not change: name cannot be set"):
        node.name = "b"
    with pytest.raises(AttributeError, match="Node does not change: name cannot be deleted"):
        del node.name
    with pytest.raises(ContentError, match=r"^test.toml: one is enough$"):
        load_content(TextFile("[[inside]]\n[[inside]]"), Node)


class Colour(Content):
    """Content as somebody writes it who knows pydantic."""

    name: Annotated[str, pydantic.AfterValidator(str.lower)] = pydantic.Field(max_length=4)
    known: ClassVar[int] = 3


class Flag(Content):
    """The same with content inside."""

    colour: Colour | None
    sizes: dict[str, tuple[Colour, ...]] = pydantic.Field(default_factory=dict)


def test_what_is_written_for_pydantic_works_in_content() -> None:
    flag = load_content(TextFile("colour = {name = 'RED'}\nsizes = {big = [{name = 'blue'}]}"), Flag)
    assert flag.colour == flag.colour
    assert (flag.colour and flag.colour.name, flag.sizes["big"][0].name, Colour.known) == ("red", "blue", 3)
    with pytest.raises(ContentError, match=r"^test.toml: sizes.big.0.name: string should have at most 4 characters$"):
        load_content(TextFile("colour = {name = 'red'}\nsizes = {big = [{name = 'green'}]}"), Flag)


@pytest.mark.parametrize("ruleset", ["ava", "bridgehead", "tow", "wop"])
def test_a_process_that_finds_its_content_checked_does_without_pydantic(ruleset: str, tmp_path: Path) -> None:
    code = f"import sys, hexwar; print(hexwar.new_game({ruleset!r}, seed=1).digest, 'pydantic' in sys.modules)"
    said = {**os.environ, "HEXWAR_CACHE": str(tmp_path), "HEXWAR_PLUGINS": f"{ruleset},maps"}
    first, again, without = (
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, encoding="utf-8", check=True).stdout.split()
        for env in (said, said, {**said, "HEXWAR_CACHE": ""})
    )
    assert (first[0], first[0]) == (again[0], without[0])
    assert (first[1], again[1], without[1]) == ("True", "False", "True")


def bundled(data: Path) -> RosterFile:
    """A game's roster as a fresh process reads it."""
    models: dict[str, type[Sourced]] = {"units.toml": RosterFile}
    files = ContentFiles(
        lambda sources, read: read["units.toml"], data=data, models=models, variable="HEXWAR_NO_DATA", title="a game"
    )
    roster: RosterFile = files()
    return roster


def test_what_a_game_brings_is_kept_for_the_next_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXWAR_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "units.toml"
    file.write_text(GOOD)
    first = bundled(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(content_module, "read_toml", None)
        again = bundled(tmp_path)
    assert again == first
    assert again.model_dump() == first.model_dump() != {}
    assert again.unit[0].model_copy(update={"name": "Other"}).name == "Other"
    assert type(again.unit[0].full) is tuple
    (kept,) = (tmp_path / "cache").iterdir()
    data = kept.read_bytes()
    for spoilt in (b"", data[:-1], data.replace(b"First", b"Other"), b"x" + data):
        kept.write_bytes(spoilt)
        assert bundled(tmp_path) == first
        assert kept.read_bytes() == data
    values: tuple[Any, ...] = (None, 1, {}, (1, 2), ("os", "path", {}), ("nowhere", "Nothing", {}), ("pathlib", "Path", {}))
    for value in values:
        with monkeypatch.context() as patch:
            patch.setattr(cache, "recall", lambda name, key, value=value: value)
            assert bundled(tmp_path) == first
    file.write_text(GOOD.replace("First", "Second"))
    assert [unit.name for unit in bundled(tmp_path).unit] == ["Second", "Staff"]
    file.write_text(GOOD.replace("full = [4", "full = [-4"))
    with pytest.raises(ContentError, match=r"units.toml: unit.b1.full.0: input should be greater than or equal to 0"):
        bundled(tmp_path)


def test_the_models_have_a_schema_for_editors() -> None:
    assert set(CombatFile.model_json_schema()["required"]) == {"columns", "rows", "results"}
