"""What Traces of War tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.kit import Kit

KIT = Kit(scenarios={"quick": ("training",), "ci": ("training", "race")})
"""The training scenario has all rules on a small map; whole games on the large one are for the larger tiers."""
