"""What may be hidden in A Victory Awaits: selections, the cup, held chits, bids, the row of a controller, the cups of players."""

from __future__ import annotations

import random
from typing import Any

from hexwar.grouping import grouped
from hexwar.testing import HiddenChits
from hexwar_ava.master_cup import Dividing, is_dummy
from hexwar_ava.state import At
from hexwar_ava.team_state import DOWN, AvaTeamState
from hexwar_ava.teams import MASTER_CUP


class AvaSecrets(HiddenChits):
    """6.1.1, 6.3.1: what the other side selected and holds; 17.1.1, 18.1.4, 19.4.2, 20.1.2: and what else is its secret."""

    def owner(self, at: At, chit: str) -> str:
        """The side of a chit; Supply Check and Master chits are nobody's."""
        known = at.world.chits.get(chit)
        return "" if known is None else str(known.side or "")

    def lies_open(self, at: At, seat: str) -> tuple[str, ...]:
        """19.4.2: also what lies face up in the row, or face down before the controller himself."""
        row = [chit for chit, face, keeper in _row(at) if face != DOWN or keeper == seat]
        return tuple(dict.fromkeys((*at.state.drawn, *row)))

    def known_in_cup(self, at: At, seat: str) -> tuple[str, ...]:
        """19.5.2: also what a controller saw face down before it went back."""
        return (*super().known_in_cup(at, seat), *getattr(at.state, "looked_at", {}).get(seat, ()))

    def is_possible(self, at: At, was: At, seat: str) -> bool:
        """7.3.5: when held chits are played at the end of the turn, everybody knows who still has some."""
        if was.state.phase != "held":
            return True
        return all(bool(at.state.hand.get(side)) == bool(was.state.hand.get(side)) for side in at.world.sides)

    def change(self, at: At, side: str, seat: str, chance: random.Random) -> None:
        """Exchange the secrets of a side."""
        if side in at.state.sealed:  # 17.1.1: up to twice the points of the scenario
            at.state.sealed = {**at.state.sealed, side: (str(chance.randint(1, 2 * at.world.entry.victory_points)),)}
        self._choose_armies(at, side, seat, chance)
        if at.world.teams.many == MASTER_CUP:
            self._divide(at, side, chance)
            return
        # 19.4.2: nobody knows which chits of the cup lie in the row, face down before somebody else.
        places = [number for number, (_, face, keeper) in enumerate(_row(at)) if face == DOWN and keeper != seat]
        queue = list(_row(at))
        at.state.cup = tuple(sorted((*at.state.cup, *(queue[number][0] for number in places))))
        super().change(at, side, seat, chance)
        if places:
            cup = list(at.state.cup)
            for number in places:
                queue[number] = (cup.pop(chance.randrange(len(cup))), *queue[number][1:])
            assert isinstance(at.state, AvaTeamState)
            at.state.cup, at.state.queue = tuple(cup), tuple(queue)

    def _choose_armies(self, at: At, side: str, seat: str, chance: random.Random) -> None:
        """18.1.4: other armies made available, as many of each map; not those that were seen or divided."""
        added = at.state.added.get(side, ())
        known = {*self.lies_open(at, seat), *at.state.known_added, *(chit for _, chit in _staff(at, side))}
        made: list[str] = []
        for chit in added:
            sheet = at.world.chits[chit].sheet
            others = [
                other.id
                for other in at.world.chits.values()
                if other.choice and other.side == side and other.sheet == sheet and other.id not in (*added, *made)
            ]
            made.append(chance.choice([chit, *others]) if chit not in known and chit not in made else chit)
        if made:
            at.state.added = {**at.state.added, side: tuple(made)}

    def _divide(self, at: At, side: str, chance: random.Random) -> None:
        """20.2.1: another division among the players of a team."""
        dividing = next((step for step in at.state.stack if isinstance(step, Dividing)), None)
        if dividing is not None:
            _set_staff(at, side, [])
            left = dividing.left(at, side)
            for chit in chance.sample(left, len(left)):
                if side in at.state.ready or chance.random() < 0.7:
                    home = chance.choice(dividing.homes(at, chit))
                    _set_staff(at, side, [*_staff(at, side), (home, chit)])
            return
        # 20.2.2: chits of one headquarters stay together; where one of them was drawn, everybody knows whose the others are.
        staff = _staff(at, side)
        groups = grouped((it[1] if is_dummy(it[1]) else at.world.chits[it[1]].activates, it) for it in staff)
        shown = (*at.state.drawn, *at.state.shown_from) if isinstance(at.state, AvaTeamState) else at.state.drawn
        known = {at.world.chits[chit].activates for chit in shown if chit in at.world.chits}
        made = [entry for name, group in groups.items() if name in known for entry in group]
        for size in {len(group) for group in groups.values()}:
            alike = [group for name, group in groups.items() if len(group) == size and name not in known]
            seats = [group[0][0] for group in alike]
            for group, home in zip(alike, chance.sample(seats, len(seats)), strict=True):
                made += [(home, chit) for _, chit in group]
        if made:
            _set_staff(at, side, made)


def _row(at: At) -> tuple[Any, ...]:
    """The row of drawn chits; a game of two players has none."""
    return getattr(at.state, "queue", ())


def _staff(at: At, side: str) -> tuple[tuple[str, str], ...]:
    """Seat and chit of all that lies in the cups of a team's players."""
    staff: tuple[tuple[str, str], ...] = getattr(at.state, "staff", {}).get(side, ())
    return staff


def _set_staff(at: At, side: str, entries: list[tuple[str, str]]) -> None:
    assert isinstance(at.state, AvaTeamState)
    at.state.staff = {**at.state.staff, side: tuple(sorted(entries))}
