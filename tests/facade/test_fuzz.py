"""Whatever somebody does to the text of a position or a save: what comes out is a game, or a sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hexwar
from hexwar import HexwarError, SaveError
from tests.facade.sample import POSITION, play

TEXTS = """b1 b5 r1 zz 0403 0504 9999 blue red grey 0 -1 3 true '' [] {} = [ ] { } \0 é \ud800
moving attacking selecting arriving losing retreating pursuing assembling sequencing aftermath
kind seat units state stack steps at turn control cup drawn result draws phase selected"""
WORDS = (*TEXTS.split(), '"', "\n")


@st.composite
def mutations(draw: st.DrawFn, text: str) -> str:
    """The text with a few pieces cut out, doubled, or replaced by a word."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.one_of(st.sampled_from(WORDS), st.just(text[start:end] * 2), st.text(max_size=4)))
        text = text[:start] + piece + text[end:]
    return text


def harmless(text: str) -> None:
    try:
        game = hexwar.position(text)
    except HexwarError:
        return
    assert (game.result is None) == bool(game.to_move)


@given(mutations(f"{POSITION}\n"))
def test_mutated_positions(text: str) -> None:
    harmless(text if "\n" in text else f"{text}\n")


SCALARS = st.one_of(
    st.sampled_from(["b1", "b5", "r1", "bA", "0403", "0504", "blue", "red", "zz", ""]),
    st.integers(-3, 9),
    st.booleans(),
    st.none(),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["b1", "unit", "at"]), inner)
)
STEPS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["moving", "attacking", "assembling", "losing", "retreating", "pursuing", "arriving", "selecting",
                              "sequencing", "aftermath"])},
    optional={
        "seat": st.sampled_from(["blue", "red", "grey"]),
        "side": st.sampled_from(["blue", "red", "grey"]),
        "units": st.lists(st.sampled_from(["b1", "b5", "r1", "zz"]), max_size=2),
        "able": st.lists(st.sampled_from(["b1", "b5", "r1", "zz"]), max_size=2),
        "hexes": st.one_of(st.integers(-1, 3), st.lists(st.sampled_from(["0403", "9999"]), max_size=2)),
        "target": st.sampled_from(["0504", "0403", "9999", ""]),
        "origin": st.sampled_from(["0504", "0403", "9999", ""]),
        "left": st.integers(-1, 3),
        "stage": st.integers(-1, 5),
        "path": st.lists(st.integers(-2, 4), max_size=3),
        "battle": st.fixed_dictionaries({"side": st.just("blue"), "target": st.sampled_from(["0504", "9999"])}),
        "outcome": st.fixed_dictionaries({"name": st.just("X")}, optional={"retreat": st.integers(0, 3)}),
    },
)  # fmt: skip


def toml(value: Any) -> str:
    """JSON is nearly TOML."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {toml(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps("" if value is None else value)


@given(
    st.lists(STEPS, max_size=3),
    st.dictionaries(st.sampled_from(["turn", "locations", "steps_left", "control", "cup", "drawn"]), VALUES),
)
def test_positions_of_nonsense(steps: list[dict[str, Any]], fields: dict[str, Any]) -> None:
    units = "units = {b1 = '0403', b5 = '0404', r1 = '0504'}"
    harmless(f'ruleset = "bridgehead"\n{units}\nstack = {toml(steps)}\nstate = {toml(fields)}\n')


def _saves() -> list[str]:
    from hexwar.engine._save import to_text

    class Ones:
        def randrange(self, stop: int, /) -> int:
            return 0

    return [
        to_text(play(hexwar.new_game("bridgehead", seed=1), 12)),
        to_text(play(hexwar.new_game("bridgehead", chance=Ones()), 30)),
        to_text(play(hexwar.position(POSITION), 6)),
    ]


SAVES = _saves()


def loads_or_says_why(text: str, folder: Path) -> None:
    file = folder / "game.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(SaveError):
        hexwar.load_game(file)


@given(text=st.sampled_from(SAVES).flatmap(mutations))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mutated_saves(text: str, tmp_path: Path) -> None:
    loads_or_says_why(text, tmp_path)


@given(st.sampled_from(SAVES), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_saves_with_a_value_exchanged(tmp_path: Path, text: str, data: st.DataObject) -> None:
    content = json.loads(text)
    where: Any = content
    while True:
        key = data.draw(st.sampled_from(sorted(where) if isinstance(where, dict) else range(len(where))))
        if not (isinstance(where[key], dict | list) and where[key]) or data.draw(st.booleans()):
            break
        where = where[key]
    where[key] = data.draw(VALUES)
    loads_or_says_why(json.dumps(content), tmp_path)
