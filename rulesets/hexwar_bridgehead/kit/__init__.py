"""What Bridgehead tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.kit import Kit
from hexwar_bridgehead.kit.relations import CAPABILITIES

KIT = Kit(capabilities=CAPABILITIES)
