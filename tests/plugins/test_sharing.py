"""What the mechanics share is shared: see `tests.plugins.sharing`."""

from __future__ import annotations

from tests.plugins import sharing

MOST_METHODS, MOST_NAMES = 25, 15
"""How much may be there for one game alone; lower these when there is less."""


def test_few_methods_and_names_are_there_for_one_game_alone() -> None:
    methods, names = sharing.lone_methods(), sharing.lone_names()
    assert len(methods) <= MOST_METHODS, f"a question that one rulebook asks belongs into its game: {methods}"
    assert len(names) <= MOST_NAMES, f"what one game imports belongs into that game: {names}"


def test_overrides_are_counted_by_game() -> None:
    found = {f"{part.__name__}.{name}": games for (part, name), games in sharing.overridable().items()}
    assert found["Movement.allowance"] == {"hexwar_tow", "hexwar_wb95", "hexwar_wop"}
    assert found["Stacking.fits"] >= {"hexwar_ava", "hexwar_wop"}
    assert "Movement.reach" not in sharing.lone_methods(), "nobody overrides it"


def test_an_optional_package_counts_with_its_game() -> None:
    assert sharing.games()["hexwar_ava"] == ("hexwar_ava", "hexwar_ava_optional")
    assert sharing.imported()["Movement"] == {"hexwar_ava", "hexwar_tow", "hexwar_wb95", "hexwar_wop"}
    assert sharing.imported("hexwar.pieces")["OneByOne"] >= {"hexwar_ava", "hexwar_tow"}
