"""What texts and numbers stand for in games on hexes; see `hexwar.engine.Names` and `HexWorld.knows`."""

from __future__ import annotations

from typing import Annotated

from hexwar.engine import Names

UnitName = Annotated[str, Names("unit")]
"""Any counter of the game, wherever it is."""
Standing = Annotated[str, Names("unit in play")]
"""One that stands somewhere."""
HexName = Annotated[str, Names("hex")]
"""The label of a hex."""
Location = Annotated[str, Names("place")]
"""A hex or a box."""
ChitName = Annotated[str, Names("chit")]
"""The id of a chit."""
Turn = Annotated[int, Names("turn")]
"""The number of a turn."""
