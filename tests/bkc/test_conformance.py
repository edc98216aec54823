"""What must hold in every game of every ruleset holds here: the quick tier of the kit."""

from __future__ import annotations

from hexwar.testing import conformance_suite

TestBlitzkriegCommander = conformance_suite("bkc")
