"""The rulebook once more, literally: only numbers that it prints, and what differs from the usual.

Nothing here asks the ruleset's own functions.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

from hexwar.engine import Event
from hexwar.mechanics import HexWorld
from hexwar.pieces import ChitDrawn
from hexwar.testing import Capability
from hexwar.testing.drills import DrillBook
from hexwar.testing.oracles import (
    Arrivals,
    Books,
    ChitCommand,
    Chits,
    Combat,
    Field,
    Fight,
    Movement,
    Path,
    Piece,
    Points,
    Pursuits,
    Retreats,
    Stacking,
    Staging,
    Supply,
    Thrown,
    Zones,
)

DATA = files("hexwar_bridgehead") / "data"
HOME = {"blue": "west", "red": "east"}
SELECTED = {"blue": (2, 2, 2, 2, 2, 2), "red": (1, 2, 2, 2, 2, 2)}


class BridgeheadSupply(Supply):
    """12: lines."""

    def judged_by(self, event: Event, field: Field) -> tuple[str, ...]:
        """12.4: when the supply chit is drawn, Red's first."""
        return ("red", "blue") if isinstance(event, ChitDrawn) and event.chit == "supply" else ()


class BridgeheadCombat(Combat):
    """8: combat, with supply and the barrage."""

    def attack(self, field: Field, piece: Piece, fight: Fight) -> Fraction:
        """12.3: half without supply."""
        counted = super().attack(field, piece, fight)
        return counted if SUPPLY.has_line(field, piece) else counted / 2

    def defence(self, field: Field, piece: Piece) -> Fraction:
        """12.3: half without supply."""
        counted = super().defence(field, piece)
        return counted if SUPPLY.has_line(field, piece) else counted / 2

    def shift(self, field: Field, fight: Fight) -> int:
        """15.1: one to the right with the active headquarters of the attacker near."""
        shift, side = super().shift(field, fight), field.pieces[fight.attackers[0]].side
        leader = field.pieces.get(field.drawn[-1]) if field.drawn else None
        near = leader is not None and leader.side == side and field.sheet.distance(leader.at, fight.targets[0]) <= 2
        return shift + 1 if near and field.is_option_on("barrage") else shift


class BridgeheadRetreats(Retreats):
    """10: retreat."""

    def goes_on(self, field: Field, piece: Piece, path: Path, label: str) -> bool:
        """10.1: every hex leads farther from the first."""
        leads_away = field.sheet.distance(path[0], label) == len(path)
        return leads_away and super().goes_on(field, piece, path, label)

    def hurts(self, field: Field, piece: Piece, label: str) -> bool:
        """10.3: not where a friend stands."""
        return super().hurts(field, piece, label) and label not in field.stacks

    def rank(self, field: Field, piece: Piece, path: Path, hexes: int) -> tuple[int, ...]:
        """10.4: then the way that ends nearest to a source of supply."""
        far = min(field.sheet.distance(path[-1], source) for source in SUPPLY.sources(field, piece.side))
        return (*super().rank(field, piece, path, hexes), far)


class BridgeheadPursuits(Pursuits):
    """11: pursuit."""

    def stops(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """11.2: a river that was crossed, a town, anything but clear ground."""
        river = "river" in field.sheet.sides[origin, target]
        return river or target in field.sheet.kinds or field.sheet.terrain[target] != "clear"


class BridgeheadChits(Chits):
    """5.2: selection."""

    def number(self, field: Field, side: str) -> int:
        """As the turn track says."""
        return SELECTED[side][field.turn - 1]


class BridgeheadPoints(Points):
    """14: victory."""

    def scores(self, field: Field) -> dict[str, int]:
        """14.2: towns, and a point for each enemy unit that is gone."""
        gone = [counter.side for unit, counter in field.world.units.items() if unit not in field.locations]
        towns = {
            side: [field.sheet.values[field.sheet.names[label]] for label, owner in field.control.items() if owner == side]
            for side in HOME
        }
        return {side: sum(towns[side]) + len(gone) - gone.count(side) for side in HOME}

    def winner(self, field: Field, scores: Mapping[str, int]) -> str:
        """14.3: Red wins a tie."""
        return "blue" if scores["blue"] > scores["red"] else "red"


class BridgeheadStaging(Staging):
    """Positions in the middle of an operation, with the supply chit still in the cup."""

    def state(self, world: HexWorld, side: str, places: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
        """Some turn, towns in anybody's hands, and a headquarters whose chit is in play."""
        mine = [unit for unit, entry in places.items() if entry["at"] in world.board and world.units[unit].side == side]
        leaders = [unit for unit in mine if world.units[unit].command]
        towns = [label for place in world.board.places for label in place.hexes]
        return {
            "turn": chance.randint(1, 5),
            "control": {label: chance.choice(("blue", "red")) for label in towns},
            "cup": ["supply"],
            "drawn": [chance.choice(leaders)] if leaders else [],
        }


ZONES = Zones(closed_terrain=["lake"])  # 4
STACKING = Stacking(2)  # 3.1
MOVEMENT = Movement(DATA / "terrain.toml", ZONES, STACKING, enter_zone=1, leave_zone=1)  # 7
SUPPLY = BridgeheadSupply(ZONES, HOME, closed_terrain=["lake"])

CAPABILITIES: tuple[Capability, ...] = (
    DrillBook(files(__package__) / "drills.toml"),
    Books(),
    STACKING,
    ZONES,
    MOVEMENT,
    BridgeheadCombat(DATA / "combat.toml", MOVEMENT),
    BridgeheadRetreats(MOVEMENT, overflow=2),  # 10.2
    BridgeheadPursuits(MOVEMENT, {"infantry": 1, "hq": 1, "armour": 2}),
    SUPPLY,
    ChitCommand(closed_terrain=["lake"]),  # 6.2
    BridgeheadChits(common=["supply"]),
    Arrivals(MOVEMENT, HOME),  # 13
    BridgeheadPoints(),
    BridgeheadStaging(MOVEMENT, (0, 2, 1), centres=("0404", "0103", "0904"), boxes=("turn 2", "turn 3")),
    Thrown(MOVEMENT),
)
