"""How games and positions come about: positions, playouts, dice, combinations of options, what is tried and what is damaged."""
