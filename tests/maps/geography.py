"""Helpers for the tests of the bundled maps: loading boards once, and asking what lies together."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from pathlib import Path

import networkx as nx

import hexwar
from hexwar.board import Board

GEOGRAPHY = Path(str(files("hexwar_maps"))) / "geography"


@cache
def board(name: str) -> Board:
    return hexwar.load_board(name)


def rows(file: str) -> list[dict[str, str]]:
    with (GEOGRAPHY / file).open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def net(on: Board, kind: str) -> nx.Graph[str]:
    """The hexes that a kind of link joins."""
    found: nx.Graph[str] = nx.Graph()
    found.add_edges_from((a, b) for a, b, data in on.graph.edges(data=True) if kind in data["links"])
    return found


def halves(on: Board) -> list[set[str]]:
    """The parts into which the start line cuts a board, the greatest first."""
    cut: nx.Graph[str] = nx.Graph()
    cut.add_nodes_from(on.labels)
    cut.add_edges_from((a, b) for a, b, data in on.graph.edges(data=True) if "start-line" not in data["side"])
    return sorted(nx.connected_components(cut), key=len, reverse=True)
