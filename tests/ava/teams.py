"""Positions of many players (19, 20): a field with one headquarters and one division each for some armies, far apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import hexwar
from hexwar.engine import Game
from hexwar.pieces import Done
from tests.ava.table import position

CORNERS = {
    "ger-4pzg": "0205",
    "ger-1pz": "0305",
    "ger-18a": "0210",
    "ger-16a": "0215",
    "ger-9a": "0220",
    "ger-3pzg": "0225",
    "ger-2pzg": "0904",
    "ger-3pz": "0905",
    "ger-4a": "0910",
    "ger-1pzg": "0920",
    "ger-17a": "0925",
    "ger-6a": "0929",
    "su-8a": "3805",
    "su-11a": "3810",
    "su-4a": "3815",
    "su-10a": "3820",
    "su-26a": "3825",
    "su-5a": "3829",
}
PLAYED = ["guderian", "manstein"]
"""Interrupts that lie open already, so that nobody is asked about them."""


def armies(*names: str) -> dict[str, str]:
    """Some of the units, where they stand."""
    return {unit: CORNERS[unit] for unit in names}


def controlled(
    cup: str,
    *chance: int,
    seats: str = "4-players",
    controller: str = "automatic",
    units: dict[str, str] | None = None,
    held: str = "",
    board: str | None = None,
    rules: Mapping[str, bool] | None = None,
    **state: Any,
) -> Game:
    """A turn with a controller whose cup holds some chits. They are drawn in this order, if chance does not say otherwise."""
    chits = cup.split()
    chance = chance or (1,) * len(chits)
    state.setdefault("drawn", [chit for chit in PLAYED if chit not in held.split()])
    hand = {"axis": held.split()} if held else {}
    return position(
        CORNERS if units is None else units,
        options={"many-players": "controller", "controller": controller, **(rules or {})},
        seats=seats,
        path=(3, 1),
        board=board,
        cup=chits,
        hand=hand,
        chance=chance,
        **state,
    )


def mastered(
    cup: str,
    staff: dict[str, str],
    *chance: int,
    seats: str = "6-teams",
    units: dict[str, str] | None = None,
    held: str = "",
    rules: Mapping[str, bool] | None = None,
    **state: Any,
) -> Game:
    """A turn with a master cup; `staff` says what lies in the cups of the players, `rules` which optional rules are on."""
    roles = hexwar.rulesets()["ava"].seating(seats, "campaign").seats
    cups: dict[str, list[tuple[str, str]]] = {}
    for seat, chits in staff.items():
        cups.setdefault(roles[seat], []).extend((seat, chit) for chit in chits.split())
    hand = {"axis": held.split()} if held else {}
    return position(
        CORNERS if units is None else units,
        options={"many-players": "master-cup", **(rules or {})},
        seats=seats,
        path=(4, 2),
        cup=cup.split(),
        staff={side: sorted(entries) for side, entries in cups.items()},
        hand=hand,
        drawn=[chit for chit in PLAYED if chit not in hand.get("axis", ())],
        chance=chance or [1] * 12,
        **state,
    )


def row(game: Game, seat: str | None = None) -> str:
    """The row of drawn chits as a seat sees it, such as "ger-4pzg in play, ? face down"."""
    state = game.state if seat is None else game.view(seat).state
    return ", ".join(f"{chit} {face}" for chit, face, _ in state.queue)


def finish(game: Game, seat: str) -> None:
    """A seat does nothing more in what it carries out."""
    running = set(game.state.engaged)
    while set(game.state.engaged) >= running and seat in game.to_move:
        game.apply(Done(), seat)


@cache
def set_up() -> dict[str, str]:
    """Where the units of the campaign stand when they are set up automatically."""
    game = hexwar.new_game("ava", "campaign", seed=1, options={"auto-setup": True})
    return {unit: label for unit, label in game.state.locations.items() if label in game.world.board}


def asked(game: Game) -> tuple[str, ...]:
    """Who must decide."""
    return game.to_move


def broken(game: Game) -> dict[str, str]:
    """The invariants that do not hold, by clause, with what is wrong."""
    found = {invariant.clause: invariant.broken(game.position) for invariant in game.ruleset.invariants}
    return {clause: why for clause, why in found.items() if why}
