"""Errors: sentences with hints, and a way through pickle."""

from __future__ import annotations

import pickle

import pytest

from hexwar.errors import (
    ContentError,
    HexwarError,
    PluginError,
    Refusal,
    RefusalCode,
    RuleBroken,
    RuleBrokenCode,
    SaveError,
    UnknownName,
)


@pytest.mark.parametrize(
    "error",
    [
        ContentError("units.toml", "unit b1", "the id is used twice"),
        UnknownName("ruleset", "avva", ["ava", "tow"]),
        Refusal(RefusalCode.AGAINST_RULE, "7.6", "the hex is occupied"),
        RuleBroken(RuleBrokenCode.DEAD_END, "nobody can go on"),
        SaveError("game.json: is damaged"),
        PluginError("broken"),
    ],
)
def test_errors_survive_pickling(error: HexwarError) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)


@pytest.mark.parametrize(
    ("known", "hint"),
    [
        (["ava", "tow"], "did you mean ava?"),
        (["avvb", "avvc"], "did you mean avvc or avvb?"),
        (["alpha", "beta"], "known: alpha, beta"),
        ([], "there is no ruleset at all"),
        ([f"r{number}" for number in range(20)], "there are 20, for example r0, r1, r2"),
    ],
)
def test_an_unknown_name_gets_a_hint(known: list[str], hint: str) -> None:
    assert str(UnknownName("ruleset", "avv", known)) == f"no ruleset is called 'avv'; {hint}"


def test_content_error_without_a_place() -> None:
    assert str(ContentError("map.toml", "", "is empty")) == "map.toml: is empty"


def test_refusals_are_values() -> None:
    refusal = Refusal(RefusalCode.AGAINST_RULE, "7.6", "no")
    assert refusal == Refusal(RefusalCode.AGAINST_RULE, "7.6", "no")
    assert len({refusal, Refusal(RefusalCode.AGAINST_RULE, "7.6", "no")}) == 1
    assert refusal != Refusal(RefusalCode.AGAINST_RULE, "7.7", "no")
    assert str(Refusal(RefusalCode.GAME_OVER, "", "it is over")) == "it is over"
