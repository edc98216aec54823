"""What Blitzkrieg Commander tells the test kit about itself."""

from __future__ import annotations

from importlib import resources
from typing import Any

from hexwar.engine import Game, World
from hexwar.testing import Kit
from hexwar.testing.drills import DrillBook
from hexwar.testing.oracles import OnAPlane, TableTurn

FILES = resources.files(__package__) / "drills"
DRILLS = DrillBook(*(FILES / f"{name}.toml" for name in ("fire", "orders")))
EDGES = ("north", "east", "south", "west")


class Table(OnAPlane):
    """Marches are those of `hexwar.tabletop`; the table file says besides whose edge is where, and where sides deploy."""

    def scenario(self, keys: dict[str, Any], turn: TableTurn) -> dict[str, Any]:
        """Edges and deployment, turned."""

        def edge(name: str) -> str:
            number = EDGES.index(name)
            return EDGES[((-number if turn.mirrored else number) + turn.quarters) % 4]

        return {
            **keys,
            "edges": {side: edge(name) for side, name in keys["edges"].items()},
            "deploy": {side: [turn.spot((x, y)) for x, y in ring] for side, ring in keys["deploy"].items()},
        }

    def turns(self, world: World) -> tuple[TableTurn, ...]:
        """A mirror swaps left and right, by which ties are settled, such as where a unit dismounts."""
        return tuple([turn for turn in super().turns(world) if not turn.mirrored])

    def may_overlap(self, game: Game, one: str, other: str) -> bool:
        """What is carried stands where its carrier does."""
        aboard = game.state.aboard
        return bool(aboard.get(one) == other or aboard.get(other) == one)


KIT = Kit(capabilities=(DRILLS, Table()), secret=("missions",))
