"""The check that views remember: what a seat has chosen or was shown is not forgotten while it is hidden from others."""

from __future__ import annotations

import itertools

from hexwar.engine import Action, Event, Game, LotDrawn, News, SeededChance, Viewer
from hexwar.engine._events import OwnEvent
from hexwar.testing._checks.secrets import OPENING
from hexwar.testing._running.secrecy import secret_fields
from hexwar.testing._running.watch import Watch, lend_dice

FOLLOWED = 40
"""How many actions two games are compared for: chits that were selected first wait until all have been."""
UNFELT = (News, OwnEvent, LotDrawn)
"""Events that change nothing of which a view could remember anything."""


class ViewsRemember(Watch):
    """Two games that differ only in what a seat chose or was shown look different to it as long as they are different.

    Something else is chosen in a copy, or the dice fall otherwise; then the same is done in both. A view that looks the same in
    both although the positions are different has forgotten which of them it is in, and a bot that gets the view cannot know.
    """

    rate = 0.35

    _twin: Game | None = None
    _remembering: list[str]
    """The seats that have seen in full all that is different."""
    _since = 0
    _other: Action | None = None
    _chosen: Action | None = None

    def looks_at(self, number: int) -> bool:
        """At the opening too: bids are made there and nowhere else."""
        return number < OPENING or super().looks_at(number)

    @property
    def follows(self) -> bool:
        """As long as there is another game to compare with."""
        return self._twin is not None

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Choose something else in a copy."""
        if self._twin is not None or not secret_fields(game._state):
            return
        chance = self.random(seat, action)
        others = [other for other in game.legal_actions(seat) if other != action]
        self._chosen, self._other, self._twin = action, action, game.copy()
        if others and chance.random() < 0.8:
            self._other = chance.choice(others)
        else:
            self._twin._chance = SeededChance(f"{self.id}|{game._state.draws}")
        self._since, self._remembering = len(game.history), list(game.world.seats)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Do the same in both games, and compare what each seat sees that knows all that is different."""
        twin = self._twin
        if twin is None or self._other is None:
            return
        first = len(game.history) == self._since + 1
        lend_dice(game, twin)
        try:
            others = twin.apply(self._other if first else self._decide(twin, seat, action), seat)
        except Exception:
            self._twin = None
            return
        twin._chance = game.chance.fork()
        viewers = {name: game.world.viewer(name) for name in self._remembering}
        self._remembering = [name for name, viewer in viewers.items() if _saw_all(events, others, viewer)]
        done = len(game.history) - self._since >= FOLLOWED or twin.to_move != game.to_move
        if done or not self._remembering or game._state.keeps_secrets_of(twin._state):
            self._twin = None
        for name in self._remembering:
            viewer = viewers[name]
            if game._state.differs_unseen(twin._state, viewer) and game._state.looks_like(twin._state, viewer):
                either = f"whether {self._chosen!r} or {self._other!r} was chosen"
                what = either if self._chosen != self._other else f"what was drawn for {self._chosen!r}"
                raise self.fail(f"the view of {name} has forgotten {what}, which {name} has seen", self._since)

    def _decide(self, twin: Game, seat: str, action: Action) -> Action:
        """What is done in the other game: the same, or something of its kind where that is not offered, such as another chit."""
        alike = [] if twin.offered(seat).find(action) else [o for o in twin.legal_actions(seat) if type(o) is type(action)]
        return self.random(seat, action).choice(alike) if alike else action


def _saw_all(events: list[Event], others: list[Event], viewer: Viewer) -> bool:
    """Whether a viewer sees in full whatever happened in one of two games only."""
    different = [event for pair in itertools.zip_longest(events, others) if pair[0] != pair[1] for event in pair if event]
    return all(isinstance(event, UNFELT) or event.seen_by(viewer) is event for event in different)
