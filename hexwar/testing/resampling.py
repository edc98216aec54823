"""Other contents for what is hidden: any that look alike, for a ruleset that says nothing; and those of games with chits."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import Any, ClassVar

from hexwar.engine import Position, State
from hexwar.mechanics import Selecting
from hexwar.mechanics._chits import chosen_chits
from hexwar.testing.kit import At
from hexwar.testing.secrecy import HiddenInformation

POOL = 12
"""How many values of each hidden field are remembered."""
TRIES = 8
"""How often a selection is repeated before it stays as it is."""


def secret_fields(state: State) -> list[str]:
    """The fields of which somebody sees less than all; the engine's own stack and draws are in no view at all."""
    return [
        field.name
        for field in dataclasses.fields(state)
        if field.metadata.get("sight", "undeclared") is not None
        and not field.metadata.get("derived")
        and field.name not in ("stack", "draws")
    ]


class Pool:
    """The fallback for rulesets without `HiddenInformation`: values that were there before, turned or mixed.

    Nobody knows whether a game could come to such a position, so its users must tolerate rules that fail.
    """

    def __init__(self) -> None:
        self._kept: dict[str, list[Any]] = {}

    def note(self, state: State) -> None:
        """Remember what is hidden now."""
        for name in secret_fields(state):
            value = getattr(state, name)
            if value and value not in self._kept.setdefault(name, []):
                self._kept[name] = [*self._kept[name][-POOL:], value.copy() if hasattr(value, "copy") else value]

    def positions(self, at: At, seat: str, chance: random.Random, number: int) -> Iterator[tuple[str, At]]:
        """Positions that look the same to a seat, each with the names of what was exchanged: all first, then one by one."""
        viewer = at.world.viewer(seat)
        shown = at.state.seen_by(viewer)
        found: dict[str, list[Any]] = {}
        for name in secret_fields(at.state):
            true = getattr(at.state, name)
            others = [other for other in self._alike(name, true, seat, viewer.side, chance) if other != true]
            for other in chance.sample(others, min(number, len(others))):
                state = at.state.copy()
                setattr(state, name, other)
                if getattr(state.seen_by(viewer), name) == getattr(shown, name):
                    found.setdefault(name, []).append(other)
        if len(found) > 1:
            yield ", ".join(found), _changed(at, {name: others[0] for name, others in found.items()})
        for name, others in found.items():
            yield from ((name, _changed(at, {name: other})) for other in others)

    def _alike(self, name: str, true: Any, seat: str, side: str, chance: random.Random) -> Iterator[Any]:
        """Values of the same shape as the true one."""
        pool = [value for value in self._kept.get(name, ()) if type(value) is type(true)]
        if isinstance(true, dict):
            for key in true:
                if key in (seat, side):
                    continue
                known = [entry for value in pool for entry in value.values() if _shape(entry) == _shape(true[key])]
                known += [_turned(true[key])]
                yield {**true, key: chance.choice(known)}
        elif isinstance(true, tuple) and true:
            yield _turned(true)
            items = sorted({item for value in pool for item in value}, key=repr)
            yield tuple(chance.choice(items or list(true)) for _ in true)
            yield from (value for value in pool if len(value) == len(true))
        else:
            yield from pool


def _changed(at: At, changes: dict[str, Any]) -> At:
    state = at.state.copy()
    for name, value in changes.items():
        setattr(state, name, value)
    return Position(at.world, state)


def _shape(value: Any) -> Any:
    return (type(value), len(value)) if isinstance(value, tuple | str | list | dict) else type(value)


def _turned(value: Any) -> Any:
    return value[::-1] if isinstance(value, tuple) else value


# -- chits ------------------------------------------------------------------------------------------------------------------


class HiddenChits(HiddenInformation):
    """The secrets of a game whose chits are selected in secret, held in hand and drawn from a cup (`hexwar.mechanics._chits`).

    A selection is repeated by the ruleset's own rules of selection. What is public stays, and so does the number in the cup.
    """

    name: ClassVar[str] = "hidden information"

    def owner(self, at: At, chit: str) -> str:
        """The side whose chit it is, "" for one that is nobody's; that of the unit of the same name if nothing else is said."""
        unit = at.world.units.get(chit)
        return "" if unit is None else unit.side

    def lies_open(self, at: At, seat: str) -> tuple[str, ...]:
        """The chits that a seat knows to be out of the cup."""
        drawn: tuple[str, ...] = at.state.drawn
        return drawn

    def is_possible(self, at: At, was: At, seat: str) -> bool:
        """Whether a seat cannot rule it out by the rules; whatever else a ruleset makes known."""
        return True

    def resample(self, at: At, seat: str, chance: random.Random) -> At | None:
        """See `HiddenInformation.resample`."""
        for _ in range(TRIES):
            made = Position(at.world, at.state.copy())
            for side in at.world.sides:
                if side != at.world.seats[seat]:
                    self.change(made, side, seat, chance)
            if self.is_possible(made, at, seat):
                return made if made.state != at.state else None
        return None

    def change(self, at: At, side: str, seat: str, chance: random.Random) -> None:
        """Exchange the secrets of a side, in a position that is there to be changed."""
        if any(isinstance(step, Selecting) for step in at.state.stack):
            self._select(at, side, chance)
        elif at.state.cup or at.state.hand.get(side):
            self._refill(at, side, seat, chance)

    def _select(self, at: At, side: str, chance: random.Random) -> None:
        """While chits are selected: any that the side could have selected by now."""
        before = dict(at.state.selected), dict(at.state.hand)
        done = side in at.state.ready
        for _ in range(TRIES):
            _put(at, side, (), ())
            while (open_to := at.world.cup.selectable(at, side)) and not (
                chance.random() < 0.2 and (not done or at.world.cup.why_not_ready(at, side) is None)
            ):
                self._add(at, side, chance.choice(open_to), chance)
            if not done or at.world.cup.why_not_ready(at, side) is None:
                return
        at.state.selected, at.state.hand = before

    def _add(self, at: At, side: str, chit: str, chance: random.Random) -> None:
        keeping = at.world.cup.keeping(at, side, chit)
        held = keeping == "hand" or (keeping == "either" and chance.random() < 0.5)
        selected, hand = at.state.selected.get(side, ()), at.state.hand.get(side, ())
        _put(at, side, selected if held else (*selected, chit), (*hand, chit) if held else hand)

    def _refill(self, at: At, side: str, seat: str, chance: random.Random) -> None:
        """When the cup is filled: others in it and in the hand of the side, as many in the cup as there are."""
        mine = [chit for chit in at.state.cup if self.owner(at, chit) == side]
        shown = tuple(chit for chit in self.lies_open(at, seat) if self.owner(at, chit) == side)
        kept = at.state.selected
        goal = len(shown) + len(mine)
        _put(at, side, shown, ())
        while len(at.state.selected.get(side, ())) < goal:
            # What was there is possible in any case, also where the rules of selection would not allow it any more.
            open_to = at.world.cup.selectable(at, side) or [chit for chit in mine if chit not in chosen_chits(at, side)]
            if not open_to:
                break
            self._add(at, side, chance.choice(open_to), chance)
        hand = [chit for chit in at.world.cup.selectable(at, side) if at.world.cup.keeping(at, side, chit) == "hand"]
        if hand and chance.random() < 0.5:
            self._add(at, side, chance.choice(hand), chance)
        new = at.state.selected.get(side, ())[len(shown) :]
        rest = [chit for chit in at.state.cup if self.owner(at, chit) != side]
        at.state.selected = kept
        at.state.cup = tuple(sorted((*rest, *(new if len(new) == len(mine) else mine))))


def _put(at: At, side: str, selected: tuple[str, ...], hand: tuple[str, ...]) -> None:
    """Set what a side has chosen; who has chosen nothing has no entry."""
    for name, chits in (("selected", selected), ("hand", hand)):
        others = {key: value for key, value in getattr(at.state, name).items() if key != side}
        setattr(at.state, name, {**others, side: chits} if chits else others)
