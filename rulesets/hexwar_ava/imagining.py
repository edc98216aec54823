"""What players of A Victory Awaits may imagine besides the cup: added armies, and the cups of players."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hexwar.engine import RandomSource, View, pick, sample
from hexwar.grouping import grouped
from hexwar_ava.chits import Adding
from hexwar_ava.combat import SURPRISE
from hexwar_ava.master_cup import DUMMY, Dividing, is_dummy
from hexwar_ava.state import At
from hexwar_ava.teams import MASTER_CUP

TRIES = 20
"""How often a division among players is imagined anew that does not fit the dummies that were shown."""


def imagine(view: View, at: At, chance: RandomSource) -> None:
    """18.1.4, 20.2.1: what the cup depends on, of the sides whose secrets the viewer does not know."""
    for side in at.world.sides:
        if side != view.side:
            at.state.added = {of: chits for of, chits in at.state.added.items() if of != side}
            add_armies(view, at, side, chance)
            if at.world.teams.many == MASTER_CUP:
                divide(view, at, side, chance)


def add_armies(view: View, at: At, side: str, chance: RandomSource) -> None:
    """18.1.4: as many of each map as were added by now; those that were seen are among them."""
    extra = at.world.entry.extra_headquarters
    turns = at.state.turn - extra.from_turn + 1
    if side != "soviet" or turns <= 0 or at.state.phase in ("", "set-up", SURPRISE):
        return
    left = {step.sheet: step.left for step in view.steps if isinstance(step, Adding)}
    added: list[str] = []
    for sheet, number in extra.chits.items():
        armies = [chit.id for chit in at.world.chits.values() if chit.choice and chit.side == side and chit.sheet == sheet]
        known = [chit for chit in at.state.known_added if chit in armies]
        more = min(turns * number - left.get(sheet, 0), len(armies)) - len(known)
        rest = [chit for chit in armies if chit not in known]
        added += [*known, *sample(rest, max(0, min(more, len(rest))), chance)]
    if added:
        at.state.added = {**at.state.added, side: tuple(added)}


def divide(view: View, at: At, side: str, chance: RandomSource) -> None:
    """20.2.1, 20.2.2: a division of all headquarters chits; where one was shown, everybody knows whose the others are."""
    state: Any = at.state
    dividing = any(isinstance(step, Dividing) for step in view.steps)
    if state.phase in ("", "set-up") or (dividing and side not in state.ready):
        return
    chits = at.world.chits
    mine = [chit for chit in at.world.cup.available(at, side) if chits[chit].kind == "hq"]
    groups = grouped((chits[chit].activates, chit) for chit in mine)
    homes = at.world.seats_of(side)
    shown = {} if dividing else dict(state.shown_from)
    known = {chits[chit].activates: seat for chit, seat in shown.items() if chit in chits}
    dummies = {seat: [c for c, of in shown.items() if is_dummy(c) and of == seat] for seat in homes}
    for _ in range(TRIES):
        seats = {name: known.get(name) or pick(homes, chance) for name in groups}
        counts = Counter(seats[name] for name, group in groups.items() for _ in group)
        lacking = {seat: max(counts.values(), default=0) - counts[seat] for seat in homes}
        if all(len(dummies[seat]) <= lacking[seat] for seat in homes):
            break
    made = [(seats[name], chit) for name, group in groups.items() for chit in group]
    if side == "soviet" and not dividing:  # 20.2.12
        names = iter(range(1, 1 + sum(map(max, lacking.values(), map(len, dummies.values()))) + len(shown)))
        fresh = (name for name in (f"{DUMMY}-{number}" for number in names) if name not in shown)
        for seat in homes:
            made += [(seat, chit) for chit in dummies[seat]]
            made += [(seat, next(fresh)) for _ in range(lacking[seat] - len(dummies[seat]))]
    left = [(seat, chit) for seat, chit in made if dividing or chit not in state.drawn]
    if left:
        state.staff = {**state.staff, side: tuple(sorted(left))}
