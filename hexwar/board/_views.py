"""The board as other tools want it: a networkx graph, a digest. Loaded only when asked for."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

    from hexwar.board._board import Board
    from hexwar.board._content import BoardContent


def graph(board: Board) -> nx.Graph[str]:
    """The board as a graph of primary labels, frozen because everybody shares it."""
    import networkx as nx

    made: nx.Graph[str] = nx.Graph(id=board.id, title=board.title)
    for label in board.labels:
        made.add_node(label, labels=board.aliases(label), terrain=board.terrain(label), place=board.place(label))
    for label in board.labels:
        for other in board.neighbours(label):
            if not made.has_edge(label, other):
                made.add_edge(label, other, side=board.side(label, other), links=board.links(label, other))
    nx.freeze(made)
    return made


def digest(content: BoardContent) -> str:
    """SHA-256 of the content in a form that no dict order, platform or hash seed can change.

    Id, title and provenance stay out: correcting a source note must not make saved games refuse their map.
    """
    form = {
        "orientation": content.orientation,
        "hexes": sorted([h.q, h.r, list(it.labels), it.terrain, dict(it.properties)] for h, it in content.hexes.items()),
        "sides": sorted([side.hex.q, side.hex.r, side.d, sorted(names)] for side, names in content.sides.items() if names),
        "links": sorted([side.hex.q, side.hex.r, side.d, sorted(names)] for side, names in content.links.items() if names),
        "places": [[place.name, place.kind, list(place.hexes), place.value, sorted(place.tags)] for place in content.places],
        "areas": {name: sorted(labels) for name, labels in content.areas.items()},
    }
    text = json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
