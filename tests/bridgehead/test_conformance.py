from hexwar.testing import conformance_suite

TestBridgehead = conformance_suite("bridgehead")
