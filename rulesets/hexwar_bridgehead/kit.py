"""What Bridgehead tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.kit import Kit
from hexwar.testing.resampling import HiddenChits

KIT = Kit(capabilities=(HiddenChits(),))
