"""Which clauses were cited by games and by tests, and the pages about it."""
