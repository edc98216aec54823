"""How what was found gets smaller: decisions, positions, and games that Hypothesis steers."""
