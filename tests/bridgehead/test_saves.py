"""Every save of a released version loads: one of each lies in `saves/` and is never changed."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.engine import public, record, state
from hexwar.engine._state import SCHEMA
from hexwar.mechanics import Moving
from hexwar.plugins import plugins
from hexwar.testing import play_at_random
from hexwar_bridgehead.world import BridgeheadState

SCHEMAS = {"bridgehead-1.0": 1, "bridgehead-1.0-format-2": 2, "bridgehead-1.0-format-3": 2, "bridgehead-1.0-schema-3": SCHEMA}
"""Save -> the schema of its digests; the first three are of formats 1, 2 and 3."""
SAVES = sorted((Path(__file__).parent / "saves").glob("*.hexwar"))
DIGEST = "e8e5f1ec8f67af74fcbe0ce66ca52911"
"""Of the last position: all are of the same game."""


def loaded(save: Path) -> hexwar.Game:
    """The game of a save; digests of the present schema are compared on the way."""
    game, schema = hexwar.load_game(save), SCHEMAS[save.stem]
    assert (f"digests of schema {schema}" in game.caveat) == (schema != SCHEMA)
    return game


def test_every_save_has_its_schema() -> None:
    assert {save.stem for save in SAVES} == set(SCHEMAS)


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.stem)
def test_a_save_of_a_released_version_loads(save: Path) -> None:
    game = loaded(save)
    assert game.digest == DIGEST
    assert game.result is not None


def in_movement() -> hexwar.Game:
    """A game that stops while somebody moves."""
    game = hexwar.new_game("bridgehead", seed=5)
    chance = random.Random(5)
    while len(game.history) < 150 or not isinstance(game.state.stack[-1], Moving):
        play_at_random(game, chance, stop_after=1)
    return game


def put_in_place(patch: pytest.MonkeyPatch, old: type, new: type) -> None:
    """Everybody who knows a class by its name knows another by it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("hexwar"):
            for word, value in list(vars(module).items()):
                if value is old:
                    patch.setattr(module, word, new)


@record
class Marching(Moving):
    """The step under another name, with one more field."""

    kind = "moving"
    pace: str = "steady"


@state
class LaterState(BridgeheadState):
    """The state under another name, with more fields."""

    weather: str = public(default="dry")
    bridges: dict[str, int] = public(factory=dict)


def test_saves_load_after_a_step_and_the_state_are_renamed_and_have_gained_fields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = in_movement()
    game.save(tmp_path / "fresh.hexwar")
    rules: Any = plugins().ruleset("bridgehead")
    monkeypatch.setattr(rules, "steps", tuple(Marching if step is Moving else step for step in rules.steps), raising=False)
    monkeypatch.setattr(rules, "state_type", LaterState, raising=False)
    monkeypatch.setattr(rules, "step_types", {**rules.step_types, "moving": Marching}, raising=False)
    put_in_place(monkeypatch, Moving, Marching)
    put_in_place(monkeypatch, BridgeheadState, LaterState)

    again = hexwar.load_game(tmp_path / "fresh.hexwar")
    assert (again.digest, again.caveat) == (game.digest, "")
    assert isinstance(again.state, LaterState)
    assert type(again.state.stack[-1]) is Marching
    for save in SAVES:
        old = loaded(save)
        assert old.digest == DIGEST
        assert isinstance(old.state, LaterState)
