"""14 Combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexwar_wop.world import Doing


def attack_segment(play: Doing, seat: str) -> None:
    """7.3, 8.2: the attacks of an activation. Absent: nobody attacks yet."""
