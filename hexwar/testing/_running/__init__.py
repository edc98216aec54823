"""How checks run: the ruleset under test, its kit, the watches, the suite, and what several checks share."""
