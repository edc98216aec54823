"""How games and positions come about: positions, games, dice, combinations of options, what is tried and what is damaged."""
