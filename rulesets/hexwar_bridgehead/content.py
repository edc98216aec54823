"""The turn track and the other numbers of the scenario, as its content file has them."""

from __future__ import annotations

from hexwar.pieces import Content


class BridgeheadScenario(Content):
    """The numbers of the scenario."""

    turns: int
    """How long the game lasts."""
    chits: dict[str, list[int]]
    """Side -> how many chits it selects in each turn."""
    home: dict[str, str]
    """Side -> the area of the board where its supply comes from and its reinforcements enter."""
    holds: dict[str, list[str]]
    """Side -> the places that it controls at the start."""
    eliminated: int
    """Points for each enemy unit eliminated."""
