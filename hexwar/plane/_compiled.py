"""Whether the kernel of the plane was compiled: a function that does the same as the one in Python beside it, sooner."""

from __future__ import annotations

import os

VERSION = 1
"""Of what the kernel offers: one that was compiled from other sources than these is not used."""

try:
    from hexwar.plane import _kernel
except ImportError:  # there was no compiler
    BUILT = False
else:
    BUILT = getattr(_kernel, "VERSION", 0) == VERSION
"""Whether it was compiled when hexwar was installed."""
COMPILED = BUILT and not os.environ.get("HEXWAR_PURE")
"""Whether it is used."""
