"""The kit's conformance suite over the training scenario, which has all that the others have on a small map."""

from hexwar.testing import conformance_suite

TestTracesOfWar = conformance_suite("tow", scenarios=["training"])
