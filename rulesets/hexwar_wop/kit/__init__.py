"""What the 1918-21 system tells the test kit about itself: chapter 14 a second time and literally."""

from __future__ import annotations

from hexwar.testing.kit import Kit
from hexwar_wop.kit.checks import CHECKS

KIT = Kit(checks=CHECKS, looks={"quick": 0.5})
