from hexwar.testing import conformance_suite

TestWb95 = conformance_suite("wb95")
