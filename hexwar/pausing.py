"""Rest for Python's collector of garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: As many objects may be set aside by Python itself: 3.12 starts with some hundred.
_PYTHONS_OWN = 1000
_SELDOM = 50_000
"""How many more objects there must be before the collector looks at them, while games are played: play leaves few circles."""


@contextmanager
def uncollected(*, lasting: bool = False) -> Iterator[None]:
    """Nothing is collected meanwhile: for work that makes thousands of objects that stay, and would be looked at in vain.

    Args:
        lasting: all objects there are then count as old ones, which are looked at when a whole collection is due: for what stays,
            such as modules, worlds and loaded games. What leaves circles of references behind is better looked at soon.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if lasting and gc.get_freeze_count() < _PYTHONS_OWN:  # else somebody has set objects aside, and wants them to stay there
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()


@contextmanager
def set_aside() -> Iterator[None]:
    """The collector leaves alone meanwhile what there is now, such as modules and worlds, and looks at the rest seldom.

    It is for a stretch of play. Where objects have been set aside already, it stays at that.
    """
    is_mine, thresholds = gc.get_freeze_count() < _PYTHONS_OWN, gc.get_threshold()
    if is_mine:
        gc.freeze()
        gc.set_threshold(_SELDOM, *thresholds[1:])
    try:
        yield
    finally:
        if is_mine:
            gc.unfreeze()
            gc.set_threshold(*thresholds)
