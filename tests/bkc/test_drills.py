"""Every drill, by its clause: positions made by hand, and what must become of them."""

from hexwar.testing.drills import drill_tests

test_drills = drill_tests("bkc")
