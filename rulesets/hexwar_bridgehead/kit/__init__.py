"""What Bridgehead tells the test kit about itself: its rules once more and literally, and its own checks."""

from __future__ import annotations

from hexwar.testing.kit import Kit
from hexwar_bridgehead.kit.checks import CHECKS
from hexwar_bridgehead.kit.relations import CAPABILITIES as RELATIONS
from hexwar_bridgehead.kit.rules import CAPABILITIES

__all__ = ["KIT"]

KIT = Kit((*CAPABILITIES, *RELATIONS), CHECKS)
