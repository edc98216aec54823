"""The log as people read it: turns and phases as headings, and units and places by their names.

Events speak of units by id, because that is what players type; a reader who did not play wants the names as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import click

from hexwar.engine import Event, GameEnded, PhaseEntered, World
from hexwar.mechanics import HexWorld, TurnBegan, UnitMoved
from hexwar.mechanics.chits import ChitDrawn

_WORD = re.compile(r"(?<![\w(])[\w/.-]*\w")


class Chronicle:
    """Turns events into lines.

    Args:
        world: where names are looked up.
    """

    def __init__(self, world: World) -> None:
        self._names: dict[str, str] = {}
        if isinstance(world, HexWorld):
            self._names = {unit.id: f"{unit.name} ({unit.id})" for unit in world.units.values() if unit.name != unit.id}
            self._names |= {label: f"{place.name} ({label})" for place in world.board.places for label in place.hexes}
        self._heading = ""
        self._waiting = ""
        self._deep = False

    def named(self, text: str) -> str:
        """A sentence in which ids of units and places are followed or preceded by their names."""
        return _WORD.sub(lambda found: self._names.get(found[0], found[0]), text)

    def lines(self, events: Iterable[Event[Any]]) -> Iterator[str]:
        """The lines for some further events."""
        for event in events:
            if isinstance(event, TurnBegan):
                yield ""
                yield click.style(f"Turn {event.turn}", bold=True)
            elif isinstance(event, PhaseEntered):
                # Printed when something happens in it: many phases of many turns are empty.
                self._waiting = f"  {event.title} ({event.clause})"
                self._deep = False
            elif not isinstance(event, GameEnded):
                yield from self._phase()
                yield self._line(event)

    def _phase(self) -> Iterator[str]:
        if self._waiting and self._waiting != self._heading:
            yield click.style(self._waiting, dim=True)
        self._heading, self._waiting = self._waiting or self._heading, ""

    def _line(self, event: Event[Any]) -> str:
        text = self.named(str(event))
        if isinstance(event, ChitDrawn):
            self._deep = True
            return f"    {click.style(text.strip('- '), bold=True)}"
        clause = "" if isinstance(event, UnitMoved) or not event.clause or f"({event.clause})" in text else f" ({event.clause})"
        return f"{'      ' if self._deep else '    '}{text}{clause}"
