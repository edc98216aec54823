"""What Bridgehead tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.kit import Kit

KIT = Kit()
