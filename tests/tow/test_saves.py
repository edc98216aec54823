"""Every save of a released version loads: some lie in `saves/` and are never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.released import replays

SAVES = sorted((Path(__file__).parent / "saves").glob("*.hexwar"))
DIGESTS = {
    "tow-1.0-race-format-3": "c01323242c38b8acb110407bcf57afdf",
    "tow-1.0-training-format-3": "9055f95f8ca175143cb8dfa15aaad2bf",
    "tow-1.0-training-schema-3": "9055f95f8ca175143cb8dfa15aaad2bf",
}
"""Of the last position."""


def test_every_save_has_its_digest() -> None:
    assert {save.stem for save in SAVES} == set(DIGESTS)


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.stem)
def test_a_save_of_a_released_version_loads_and_replays(save: Path, tmp_path: Path) -> None:
    replays(save, DIGESTS[save.stem], tmp_path)
