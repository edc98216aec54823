"""Whether there is a compiled kernel: functions that do the same as those in Python beside them, sooner."""

from __future__ import annotations

import os

VERSION = 5
"""Of what the kernel offers: one that was compiled from other sources than these is not used."""

try:
    from hexwar.board import _kernel
except ImportError:  # there was no compiler
    BUILT = False
else:
    BUILT = getattr(_kernel, "VERSION", 1) == VERSION
"""Whether it was compiled when hexwar was installed."""
COMPILED = BUILT and not os.environ.get("HEXWAR_PURE")
"""Whether it is used."""
