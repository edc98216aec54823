"""Metadata: options, scenarios, hooks."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Option, RulesetInfo, Scenario, Seating, settle_options
from hexwar.errors import HexwarError, UnknownName
from tests.engine.toy import INFO

DEFAULTS = {"steep": False, "flat": False, "pace": "slow"}
WINTER = Option("winter", "Winter", scenarios=("long", "longer"))
SNOW = Option("snow", "Snow", default=True)
THAW = Option("thaw", "Thaw", excludes=("snow",))
SLEDGE = Option("sledge", "Sledges", needs={"winter": True})
CUP = Option("cup", "One cup", ("off", "master"), "off", includes={"master": ("winter",)})
GAIT = Option("gait", "Gait", ("walk", "run"), "walk", excludes=("snow",))


def test_what_is_not_chosen_has_its_default() -> None:
    assert settle_options({}, INFO.options, "short") == DEFAULTS
    assert settle_options({"pace": "fast", "flat": True}, INFO.options, "short") == {**DEFAULTS, "pace": "fast", "flat": True}
    assert list(settle_options({"pace": "fast", "flat": True}, INFO.options, "short")) == list(DEFAULTS)


@pytest.mark.parametrize(
    ("chosen", "known", "sentence"),
    [
        ({"step": True}, INFO.options, "no option is called 'step'; did you mean steep?"),
        ({"steep": 1}, INFO.options, "option steep is a switch: true or false, not 1"),
        ({"steep": "yes"}, INFO.options, "option steep is a switch: true or false, not 'yes'"),
        ({"steep": None}, INFO.options, "option steep is a switch: true or false, not None"),
        ({"pace": "faster"}, INFO.options, "option pace must be one of slow, fast, not 'faster'"),
        ({"pace": True}, INFO.options, "option pace must be one of slow, fast, not True"),
        ({"pace": ["fast"]}, INFO.options, "option pace must be one of slow, fast, not ['fast']"),
        ({"steep": True, "flat": True}, INFO.options, "options flat and steep exclude each other"),
        ({"winter": True}, [WINTER], "option winter applies to long, longer only, not to short"),
        ({"thaw": True}, [SNOW, THAW], "options thaw and snow exclude each other"),
        ({"gait": "run"}, [SNOW, GAIT], "options gait and snow exclude each other"),
        ({"sledge": True}, [WINTER, SLEDGE], "option sledge needs winter=True"),
    ],
    ids=repr,
)
def test_each_wrong_choice_is_told(chosen: dict[str, Any], known: Any, sentence: str) -> None:
    with pytest.raises(HexwarError) as caught:
        settle_options(chosen, known, "short")
    assert str(caught.value) == sentence


def test_choices_that_go_together_do() -> None:
    assert settle_options({"winter": True}, [WINTER], "long") == {"winter": True}
    assert settle_options({"winter": False}, [WINTER], "short") == {"winter": False}
    assert settle_options({"thaw": True, "snow": False}, [SNOW, THAW], "short") == {"snow": False, "thaw": True}
    assert settle_options({"gait": "walk"}, [SNOW, GAIT], "short") == {"snow": True, "gait": "walk"}


def test_a_value_may_include_another_option_whatever_was_chosen() -> None:
    assert settle_options({"cup": "master"}, [WINTER, CUP], "long") == {"winter": True, "cup": "master"}
    assert settle_options({"cup": "master", "winter": False}, [WINTER, CUP], "long") == {"winter": True, "cup": "master"}
    assert settle_options({"cup": "off"}, [WINTER, CUP], "long") == {"winter": False, "cup": "off"}
    with pytest.raises(UnknownName, match="no option is called 'winter'"):
        settle_options({"cup": "master"}, [CUP], "long")


def test_off_is_a_word_where_an_option_has_it_among_its_choices() -> None:
    lamps = Option("lamps", "Lamps", ("off", "dim", "bright"), "dim")
    assert (
        settle_options({"lamps": False}, [lamps], "short")
        == settle_options({"lamps": "off"}, [lamps], "short")
        == {"lamps": "off"}
    )


def test_a_scenario_is_found_by_its_id_and_the_first_is_the_default() -> None:
    assert INFO.scenario("teams").title == "Teams"
    assert INFO.scenario(None).id == "short"
    with pytest.raises(UnknownName, match=r"no scenario of toy is called 'shorter'; did you mean short\?"):
        INFO.scenario("shorter")
    with pytest.raises(UnknownName, match="there is no scenario of bare at all"):
        RulesetInfo("bare", "Bare", "1", (), (), "x:y").scenario(None)


def test_what_an_option_needs_may_be_chosen_with_it() -> None:
    assert settle_options({"sledge": True, "winter": True}, [WINTER, SLEDGE], "long") == {"winter": True, "sledge": True}


def test_a_seating_is_found_by_its_name_where_it_applies() -> None:
    pairs = Seating("pairs", "Two and two", {"n1": "north", "n2": "north", "s1": "south", "s2": "south"}, ("long",))
    scenarios = (Scenario("short", "Short"), Scenario("long", "Long"))
    card = RulesetInfo("toy", "Toy", "1", ("north", "south"), scenarios, "toy:RULESET", seatings=(pairs,))
    assert card.seating("pairs", "long") is pairs
    with pytest.raises(HexwarError, match="the seating pairs is for long only, not for short"):
        card.seating("pairs", "short")
    with pytest.raises(UnknownName, match="no seating of toy is called 'pair'; did you mean pairs"):
        card.seating("pair", "long")


def test_a_scenario_that_lacks_rules_is_known_and_not_playable() -> None:
    info = RulesetInfo("x", "X", "1", ("a", "b"), (Scenario("whole", "Whole", lacks="combat"), Scenario("part", "Part")), "x:X")
    assert [scenario.id for scenario in info.playable] == ["part"]
    assert info.scenario(None).id == "whole"
