"""Who decides, where several play (7.1, 19, 20)."""

from __future__ import annotations

from collections import Counter as Multiset
from typing import Any

from hexwar.engine import Action, Game
from hexwar.mechanics import (
    LoseStep,
    Retreat,
    TurnBegan,
    UnitsActivated,
)
from hexwar.testing.checks.following import Following
from hexwar.testing.oracles import Entry, Field
from hexwar_ava.fortresses import Build
from hexwar_ava.kit.rules import (
    PRINTED,
    SET_UP,
)
from hexwar_ava.setting_up import Place
from hexwar_ava.supply import StandDown, Withdraw
from hexwar_ava.team_state import DOWN


class DecidersAreRight(Following):
    """The player who commands a unit or a map decides for it (7.1.2, 19.2)."""

    many = True
    _called: frozenset[str] = frozenset()
    """Who has been activated this turn, perhaps by the headquarters of another player."""

    def judge(self, entry: Entry) -> None:
        """Who is activated."""
        if isinstance(entry.event, UnitsActivated):
            self._called |= {*entry.event.units}
        elif isinstance(entry.event, TurnBegan):
            self._called = frozenset()

    def commander(self, field: Field, unit: str) -> str:
        """19.2: by formation, by nation, or by the map on which a unit is at home."""
        counter: Any = field.world.units[unit]
        roles = [role for role in PRINTED.roles.role if role.seat in field.world.seats and role.side == counter.side]
        by_formation = [role for role in roles if counter.formation and counter.formation in role.formations]
        by_nation = [role for role in roles if counter.nation in role.nations]
        return (by_formation or by_nation or [role for role in roles if counter.sheet in role.sheets] or roles)[0].seat

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """Who did what."""
        unit, label, seats = getattr(action, "unit", ""), getattr(action, "hex", ""), field.world.seats
        if unit in field.world.units:
            self.demand(seats[seat] == field.world.units[unit].side, f"{seat} decides for {unit}: {action}", "7.1.2")
        if len(seats) == 2:
            return
        if isinstance(action, Place | Withdraw):
            self.demand(seat == self.commander(field, unit), f"{seat} decides for {unit}: {action}", "19.2.1")
        elif isinstance(action, LoseStep | Retreat):
            may = {self.commander(field, other) for other in (unit, *field.stacks.get(field.locations[unit], ()))}
            right = seat in may or unit in self._called or len(may) > 1
            self.demand(right, f"{seat} decides for {unit} of {may}: {action}", "19.2.1")
        elif isinstance(action, Build | StandDown):
            sheets = next(role.sheets for role in PRINTED.roles.role if role.seat == seat)
            self.demand(label[:1] in sheets, f"{seat} decides about {label}, which is not on his map", "19.2.6")


class TeamChitsAreKept(Following):
    """Where many play, every chit of a turn stays in a cup, in a hand, in a row or open (7.1.3, 19.4.2, 20.1)."""

    many = True
    _known = 0, Multiset[str]()

    def stands(self, game: Game, field: Field) -> None:
        """Count them."""
        state: Any = game.state
        if not game.world.teams.divided or state.phase in ("", SET_UP, "selection", "surprise") or not game.to_move:
            return
        held = [chit for hands in (state.hand.values()) for chit in hands]
        divided = [chit for of_side in state.staff.values() for _, chit in of_side]
        row = [chit for chit, face, _ in state.queue if face == DOWN or chit not in state.drawn]
        chits = Multiset([*state.cup, *state.drawn, *held, *divided, *row])
        turn, known = self._known
        self.demand(turn != state.turn or chits == known, f"{(chits - known) + (known - chits)}: too many or too few", "7.1.3")
        self._known = state.turn, chits
