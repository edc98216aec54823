"""Every save of a released version loads: one of each lies in `saves/` and is never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar

DIGESTS = {"bridgehead-1.0": "280a01183701f82b09fa19687fb3ea8b"}
SAVES = sorted((Path(__file__).parent / "saves").glob("*.hexwar"))


def test_every_save_has_its_digest() -> None:
    assert {save.stem for save in SAVES} == set(DIGESTS)


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.stem)
def test_a_save_of_a_released_version_loads(save: Path) -> None:
    game = hexwar.load_game(save)
    assert game.digest == DIGESTS[save.stem]
    assert game.result is not None
