"""What A Victory Awaits tells the test kit about itself."""

from __future__ import annotations

from hexwar.testing.kit import Kit

LARGE = ("leningrad", "smolensk-short", "smolensk", "kiev", "campaign")
TURNS = tuple(scenario for large in LARGE for scenario in ("training", "training", "training", large))
"""Games of the training scenario take a second, of the others ten: three of four are of the first, and none is left out."""

KIT = Kit(scenarios={"ci": TURNS, "nightly": TURNS})
