from hexwar.testing import conformance_suite

TestIndependence = conformance_suite("wop")
