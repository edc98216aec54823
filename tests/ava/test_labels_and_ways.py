"""What players name and what they need not be asked: other labels of a hex, ways of moves, questions without a choice."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar.errors import ContentError
from hexwar.mechanics import Declare, Move, Retreat
from hexwar.pieces import UnitMoved
from hexwar_ava.chits import Adding
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.supply import Relinquishing, Withdrawing
from tests.ava.helpers import BUNDLED
from tests.ava.table import declaring, field, moving, position, refused, told
from tests.handmade import by


def test_2_1_1_a_hex_in_the_overlap_goes_by_either_label() -> None:
    assert hexwar.load_board("ava/campaign").aliases("S4112") == ("S4112", "L4132")
    game = position({"ger-36m": "S4111"}, moving("ger-36m"), board="")
    game.apply(Move("ger-36m", "L4132"))
    assert game.state.locations["ger-36m"] == "S4112"
    fight = position({"ger-36m": "S4111", "su-179": "S4112"}, declaring("ger-36m"), board="")
    fight.apply({"kind": "declare", "unit": "ger-36m", "target": "L4132"})
    assert told(fight.events, "attack-planned")


@pytest.mark.clause("14.3.2")
def test_2_2_17_the_markers_of_one_map_are_not_used_where_another_map_covers_it() -> None:
    game = position({"su-8a": "S4112"}, Building("soviet", 2), board="", turn=4)
    refused(game, Build("S4112"), "14.3.2", "no fortress marker of this map is left")
    assert {str(action) for action in game.legal_actions() if action.kind == "build"} >= {"build a fortress level in L3602"}


def test_18_1_9_a_move_keeps_away_from_leningrad_where_it_can() -> None:
    game = position({"ger-36m": "L3406"}, moving("ger-36m"), board="", scenario="leningrad", turn=5)
    near = game.world.approaches
    game.apply(Move("ger-36m", "L3804"))
    moved = next(event for event in game.events if isinstance(event, UnitMoved))
    assert near.isdisjoint(moved.path)
    assert not game.state.city_reached
    beside = position({"ger-36m": "L3406"}, moving("ger-36m"), board="", scenario="leningrad", turn=5)
    target = next(label for label in sorted(near) if Move("ger-36m", label) in beside.offered("axis"))
    beside.apply(Move("ger-36m", target))
    assert beside.state.city_reached


def test_11_2_1_nobody_is_asked_where_no_unit_has_a_line() -> None:
    game = position({"ger-21": "0505"}, Withdrawing("axis"), board=field(size=(14, 12)), path=(2, 4), turn=2)
    assert not isinstance(game.state.stack[-1], Withdrawing)


def test_18_2_5_where_everything_has_to_go_nobody_is_asked() -> None:
    units = {"ger-3pz": "0505", "ger-10m": "0606"}
    game = position(units, Relinquishing("axis", 18), board=field(size=(14, 12)), path=(2, 4), scenario="smolensk")
    assert {game.state.locations[unit] for unit in units} == {"axis eliminated"}


def test_18_1_4_the_last_army_needs_no_choice() -> None:
    board = field(size=(14, 12))
    free = position({}, Adding("soviet", "L", 1), board=board, path=(2, 0), turn=4)
    known = [action.chit for action in free.legal_actions("soviet")]  # type: ignore[attr-defined]
    assert len(known) == 6
    left = position({}, Adding("soviet", "L", 1), board=board, path=(2, 0), turn=4, added={"soviet": known[1:]})
    assert left.state.added["soviet"][-1] == known[0]


def test_10_6_1_a_retreat_along_no_path_is_refused_in_words() -> None:
    game = position({"ger-21": "0505"}, moving("ger-21"), board=field(size=(14, 12)))
    assert game.why_not({"kind": "retreat", "unit": "ger-21", "path": []}) is not None
    assert str(Retreat("ger-21", ())) == "retreat ger-21 to  by "
    assert game.why_not(Declare("ger-21", "0506")) is not None


def test_3_4_2_a_hex_of_leningrad_can_be_taken_on_the_way() -> None:
    game = position({"ger-36m": "L3303"}, moving("ger-36m"), board="", scenario="leningrad", turn=5)
    way = by(game, "ger-36m", "L3804", "L3603")
    assert way in game.offered("axis")
    game.apply(way)
    assert (game.state.locations["ger-36m"], game.state.control["L3603"]) == ("L3804", "axis")


@pytest.mark.clause("10.3.12")
def test_10_2_1_the_last_declaration_can_be_taken_back() -> None:
    game = position({"ger-21": "0505", "su-179": "0506", "su-188": "0506"}, declaring("ger-21"), board=field(size=(14, 12)))
    game.apply(Declare("ger-21", "0506"))
    assert "Confirm" in game.prompt()
    assert game.undo("axis") == Declare("ger-21", "0506")


def test_4_0_7_a_zone_that_does_not_fit_its_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (BUNDLED / "units.toml").read_text(encoding="utf-8")
    lines = [
        line.replace('start = "set-up"', 'start = "soviet available"')
        if 'formation = "8A"' in line and 'arm = "hq"' not in line
        else line
        for line in text.split("\n")
    ]
    (tmp_path / "units.toml").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("HEXWAR_AVA_DATA", str(tmp_path))
    with pytest.raises(ContentError, match="zone soviet 8A: has 0 units besides headquarters"):
        hexwar.new_game("ava", "leningrad", seed=1)


def test_4_0_3_a_formation_has_one_headquarters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (BUNDLED / "units.toml").read_text(encoding="utf-8")
    second = next(line for line in text.split("\n") if 'id = "su-11a"' in line).replace('formation = "11A"', 'formation = "8A"')
    changed = "\n".join(second if 'id = "su-11a"' in line else line for line in text.split("\n"))
    (tmp_path / "units.toml").write_text(changed, encoding="utf-8")
    monkeypatch.setenv("HEXWAR_AVA_DATA", str(tmp_path))
    with pytest.raises(ContentError, match="8A has a headquarters already"):
        hexwar.new_game("ava", "leningrad", seed=1)
