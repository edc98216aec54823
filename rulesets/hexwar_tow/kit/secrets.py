"""What may be hidden in Traces of War: selections, the cup, held chits, Luftwaffe markers, bids."""

from __future__ import annotations

import random

from hexwar.pieces import Selecting
from hexwar.testing import At, HiddenChits, exchange
from hexwar_tow.kit.rules import TowField
from hexwar_tow.kit.staff import CHITS, NEEDED, side_of


class TowSecrets(HiddenChits):
    """4.2.0.8, 7.0.4, 14.1.1: what the other side selected and holds, the markers of the Luftwaffe, and bids."""

    def owner(self, at: At, chit: str) -> str:
        """The side of a chit; Supply is nobody's."""
        return side_of(chit)

    def change(self, at: At, side: str, seat: str, chance: random.Random) -> None:
        """Exchange the secrets of a side; the turn track and the cup show how many chits are where (4.2.2.2)."""
        state, field = at.state, TowField.of(at.world, at.state)
        if side in state.sealed:
            state.sealed = {**state.sealed, side: (str(chance.randint(1, 2 * NEEDED[at.world.setup.scenario])),)}
        if side in state.luftwaffe:
            markers = chance.sample(["off", "off", "def", "def"], state.sorties)
            state.luftwaffe = {**state.luftwaffe, side: tuple(sorted(markers))}
        choosing = any(isinstance(step, Selecting) for step in state.stack)
        open_now = () if choosing else tuple(chit for chit in state.drawn if side_of(chit) == side)
        thrown = tuple(chit for chit in state.cup if side_of(chit) == side)
        chosen, held = state.selected.get(side, ()), state.hand.get(side, ())
        hidden = (*thrown, *chosen, *held)
        made = chance.sample(sorted(({*hidden} | CHITS.available(field, side)) - {*open_now}), len(hidden))
        done = side in state.ready or not choosing
        if not hidden or (side == "soviet" and done and not CHITS.is_legal(field, (*open_now, *made))):
            return
        others = [chit for chit in state.cup if side_of(chit) != side]
        state.cup = tuple(sorted([*others, *made[: len(thrown)]]))
        exchange(at, side, thrown, made[: len(thrown)])
        made = made[len(thrown) :]
        for name, now in (("selected", made[: len(chosen)]), ("hand", made[len(chosen) :])):
            if now:
                setattr(state, name, {**getattr(state, name), side: tuple(now)})
