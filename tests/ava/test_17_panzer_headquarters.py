"""17.6 The second activation of a panzer group in a turn needs a line, over a railway that no other group uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.pieces import Done
from hexwar_ava_optional.panzer_headquarters import ACTIVATED, RAILWAY
from tests.ava.table import field, of_kind, position, told

ON = {"panzer-headquarters": True}
FIRST = {ACTIVATED: ["ger-3pzg", "ger-1pzg", "ger-2pzg"]}
"""All have been activated once."""


def row(first: int, last: int, number: int) -> str:
    return " ".join(f"{column:02}{number:02}" for column in range(first, last + 1))


ONE_RAILWAY = field(size=(20, 12), rail=[row(1, 10, 5)], areas={"supply axis": ["0105"], "supply soviet": ["2012"]})
TWO_RAILWAYS = field(
    size=(20, 12), rail=[row(1, 10, 5), row(1, 10, 8)], areas={"supply axis": ["0105", "0108"], "supply soviet": ["2012"]}
)
A_FORK = field(
    size=(20, 12),
    rail=[row(1, 10, 5), "0105 0106 0107 0208 0308 0408 0508 0608 0708 0808"],
    areas={"supply axis": ["0105"], "supply soviet": ["2012"]},
)
UNITS = {"ger-3pzg": "0905", "ger-7pz": "1005", "ger-1pzg": "0806", "ger-9pz": "0807", "su-10": "2010"}


def drawn(chit: str, board: str, units: Mapping[str, str] = UNITS, notes: Mapping[str, Any] = FIRST, **more: Any) -> Game:
    more = {"options": ON, **more}
    return position(units, board=board, path=(2, 1, 1), drawn=[chit], notes=notes, cup=["su-8a"], chance=(1,), turn=2, **more)


def used(game: Game, headquarters: str) -> tuple[str, ...]:
    hexes: tuple[str, ...] = game.state.notes.get(RAILWAY + headquarters, ())
    return hexes


def test_17_6_1_the_first_activation_needs_no_line() -> None:
    game = drawn("ger-3pzg-1", field(size=(20, 12)), notes={})
    assert "ger-3pzg" in game.state.active
    assert game.state.notes == {ACTIVATED: ("ger-3pzg",)}


@pytest.mark.parametrize(("chit", "leader"), [("ger-3pzg-2", "ger-3pzg"), ("ger-1pzg-1", "ger-1pzg"), ("guderian", "ger-2pzg")])
def test_17_6_1_the_second_without_a_line_has_no_effect(chit: str, leader: str) -> None:
    game = drawn(chit, field(size=(20, 12)), {**UNITS, "ger-2pzg": "1206"})
    [event] = of_kind(game.events, "units-activated")
    assert (event.chit, event.units, event.clause) == (chit, (), "17.6.1")
    assert game.state.drawn == (chit, "su-8a"), "the chit is spent"
    assert leader not in game.state.active


def test_17_6_1_the_second_with_a_line_takes_place_and_its_railway_is_noted() -> None:
    game = drawn("ger-3pzg-2", ONE_RAILWAY)
    assert {"ger-3pzg", "ger-7pz"} <= set(game.state.active)
    assert used(game, "ger-3pzg") == tuple(row(2, 9, 5).split())
    assert told(game.events, "railway-used") == [f"the line of ger-3pzg uses the railway {row(2, 9, 5)} (17.6.1)"]


def test_17_6_1_two_activations_one_after_the_other() -> None:
    """Both chits are drawn in one turn; an enemy on the railway between them."""
    game = drawn(
        "ger-3pzg-1",
        ONE_RAILWAY,
        {**UNITS, "su-90": "0305", "su-125": "0308", "su-23": "0302"},
        {},
    )
    assert "ger-3pzg" in game.state.active
    again = position(
        UNITS | {"su-90": "0305", "su-125": "0308", "su-23": "0302", "su-11": "0311"},
        board=ONE_RAILWAY,
        path=(2, 1, 1),
        drawn=["ger-3pzg-1", "ger-3pzg-2"],
        notes=dict(game.state.notes),
        options=ON,
        cup=["su-8a"],
        chance=(1,),
    )
    assert of_kind(again.events, "units-activated")[0].clause == "17.6.1"


def test_17_6_1_other_headquarters_are_free_of_it() -> None:
    notes = {ACTIVATED: ["ger-18a"]}
    game = drawn("ger-18a", field(size=(20, 12)), {"ger-18a": "0505", "su-10": "2010"}, notes)
    assert game.state.active == ("ger-18a",)


def test_17_6_1_the_next_turn_begins_anew() -> None:
    notes = {**FIRST, RAILWAY + "ger-3pzg": ["0205"]}
    game = position(UNITS, board=ONE_RAILWAY, path=(2, 4), notes=notes, options=ON, turn=2, phase="command")
    assert game.state.turn == 3
    assert game.state.notes == {}
    assert told(game.events, "notes-struck") == ["the panzer groups may use any railway again (17.6.1)"]


def test_17_6_1_without_the_option_no_line_is_needed() -> None:
    game = drawn("ger-3pzg-2", field(size=(20, 12)), notes={}, options={})
    assert "ger-3pzg" in game.state.active


def test_17_6_2_a_railway_that_another_group_has_used_will_not_do() -> None:
    notes = {**FIRST, RAILWAY + "ger-3pzg": row(2, 9, 5).split()}
    game = drawn("ger-1pzg-2", ONE_RAILWAY, notes=notes)
    [event] = of_kind(game.events, "units-activated")
    assert (event.units, event.clause) == ((), "17.6.2")
    alone = drawn("ger-1pzg-2", ONE_RAILWAY)
    assert "ger-1pzg" in alone.state.active


def test_17_6_2_its_own_railway_will() -> None:
    notes = {**FIRST, RAILWAY + "ger-1pzg": row(2, 9, 5).split()}
    game = drawn("ger-1pzg-2", ONE_RAILWAY, notes=notes)
    assert "ger-1pzg" in game.state.active


@pytest.mark.parametrize("board", [TWO_RAILWAYS, A_FORK])
def test_17_6_2_another_railway_will(board: str) -> None:
    """A second line from a source of its own, or from the same one: sources belong to no one railway."""
    notes = {**FIRST, RAILWAY + "ger-3pzg": row(2, 9, 5).split()}
    game = drawn("ger-1pzg-2", board, notes=notes)
    assert "ger-1pzg" in game.state.active
    assert used(game, "ger-1pzg")
    assert not set(used(game, "ger-1pzg")) & set(row(2, 9, 5).split())
    assert of_kind(game.events, "railway-used")[0].clause == "17.6.2"


def test_17_6_2_a_line_may_cross_the_railway_of_another() -> None:
    """The group stands north of the used railway, its own runs in the south: it crosses, off the rails."""
    notes = {**FIRST, RAILWAY + "ger-3pzg": row(2, 9, 5).split()}
    game = drawn("ger-1pzg-2", TWO_RAILWAYS, {**UNITS, "ger-1pzg": "0804"}, notes)
    assert "ger-1pzg" in game.state.active


def test_17_6_2_near_a_source_the_last_hexes_of_a_line_need_no_railway() -> None:
    """Six hexes may be off the rails; where these lie beside or on the railway of another group, it is not used."""
    notes = {**FIRST, RAILWAY + "ger-3pzg": row(2, 9, 5).split()}
    areas = {"supply axis": ["0105"], "supply soviet": ["2012"]}
    causeway = field(size=(20, 12), land=[*row(1, 10, 5).split(), "2012"], rail=[row(1, 10, 5)], areas=areas)
    for place, takes_place in (("0705", True), ("0805", False)):
        game = drawn("ger-1pzg-2", causeway, {"ger-3pzg": "0905", "ger-1pzg": place, "su-10": "2012"}, notes)
        assert ("ger-1pzg" in game.state.active) is takes_place
        assert used(game, "ger-1pzg") == ()
        assert [invariant.broken(game.position) for invariant in game.ruleset.invariants if invariant.clause == "17.6.2"] == [
            None
        ]


def test_17_6_2_the_notes_are_open_to_both() -> None:
    game = drawn("ger-3pzg-2", ONE_RAILWAY)
    assert game.view("soviet").state.notes == game.state.notes
    game.apply(Done())
