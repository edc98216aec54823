"""Every save of a released version loads: some lie in `saves/` and are never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.released import replays

SAVES = sorted((Path(__file__).parent / "saves").glob("*.hexwar"))
DIGESTS = {
    "ava-1.0-kiev-format-3": "68aae4f8cfc2b78d4ab4be0f674035cd",
    "ava-1.0-training-format-3": "13e75a6e90a0d2a04afc7071337f6646",
    "ava-1.0-training-schema-3": "13e75a6e90a0d2a04afc7071337f6646",
}
"""Of the last position."""


def test_every_save_has_its_digest() -> None:
    assert {save.stem for save in SAVES} == set(DIGESTS)


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.stem)
def test_a_save_of_a_released_version_loads_and_replays(save: Path, tmp_path: Path) -> None:
    replays(save, DIGESTS[save.stem], tmp_path)
