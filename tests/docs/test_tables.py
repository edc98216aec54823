"""Pages with tables that are made from the code are up to date, and say what games do."""

from __future__ import annotations

import random

import pytest

import hexwar
from hexwar.facade import _POSITION_KEYS
from tests.docs import events_page, formats_page

RULESETS = events_page.RULESETS


@pytest.mark.parametrize("page", [events_page, formats_page], ids=["events", "formats"])
def test_the_tables_are_those_of_the_code(page: object) -> None:
    text = page.PAGE.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    again = page.written(text)  # type: ignore[attr-defined]
    assert text == again, f"out of date: run python -m {page.__name__}"  # type: ignore[attr-defined]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_game_cites_is_on_the_page(ruleset: str) -> None:
    """Some play of the smallest scenario: each of its events stands there under each of its clauses."""
    known = events_page.cited()[ruleset]
    code = events_page.in_code(ruleset)
    names = {event.kind: event.__name__ for event in [*events_page.engine(), *events_page.of_ruleset(ruleset)]}
    scenario = "training" if ruleset != "bridgehead" else None
    game, chance = hexwar.new_game(ruleset, scenario, seed=0), random.Random(0)
    while game.to_move and len(game.history) < 150:
        seat = game.to_move[0]
        game.apply(game.question(seat).sample(chance), seat)
    for event in game.events:
        if event.clause:
            assert event.clause in {*known.get(event.kind, ()), *code.get(names[event.kind], ())}, (
                f"{event.kind} under {event.clause}: run python -m tests.docs.events_page --play"
            )


def test_every_ruleset_that_comes_with_hexwar_and_is_no_draft_has_its_events_on_the_page() -> None:
    assert set(RULESETS) == {info.id for info in hexwar.rulesets().values() if info.maturity != "draft"}


def test_the_page_of_formats_has_every_key_of_a_position() -> None:
    text = formats_page.PAGE.read_text(encoding="utf-8")
    _, _, section = text.partition("## Position")
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(_POSITION_KEYS)
