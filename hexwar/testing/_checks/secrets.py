"""Checks of hidden information: views are blank where they must be, and what a seat may not know makes no difference to it."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterable, MutableMapping

from hexwar.engine import Action, Event, Game, Playout, Sight
from hexwar.testing._checks.following import Counting
from hexwar.testing._running.secrecy import (
    CHANNELS,
    PRESENT,
    UNPRINTED,
    Observer,
    Pool,
    difference,
    imagined,
    imagines,
    some_questions,
    with_state,
)
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Budget, Watch, in_words, lend_dice
from hexwar.testing._staging.attempts import Attempt, attempts

SEATS = 4
"""How many seats look at a position in which secrets are exchanged; others in the next."""
OPENING = 2
"""How many decisions are looked at in every game, whatever the rate."""
FOLLOWED = 12
"""How many actions two games with different secrets are compared for."""


class ViewsHide(Watch):
    """A view has no stack and no draws, the default where a field is hidden, and of owned fields the viewer's entries."""

    rate = 0.25

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Look at every view."""
        for name in game.world.seats:
            self._look(game, name)

    def _look(self, game: Game, seat: str) -> None:
        view, viewer = game.view(seat), game.world.viewer(seat)
        data = json.loads(json.dumps(view.to_json()))
        told = {*data, *data.get("state", {})} & {"stack", "draws", "seed", "tape"}
        hidden = not (told or view.state.stack or view.state.draws)
        self.demand(hidden, f"the view of {seat} shows {', '.join(sorted(told)) or 'the stack or the draws'}")
        blank = type(game._state)()
        for field in dataclasses.fields(game._state):
            sight = field.metadata.get("sight", "undeclared")
            if sight is None or field.metadata.get("derived") or field.name in ("stack", "draws"):
                continue
            true, shown = getattr(game._state, field.name), getattr(view.state, field.name)
            allowed = [getattr(blank, field.name)]
            if sight != "undeclared":
                left = sight(true, viewer)
                # Nothing is left of a hidden field, so its default shows; a redaction may leave None as well.
                allowed = [*allowed, None] if left is None else [left]
            if shown not in allowed:
                raise self.fail(f"the view of {seat} shows {field.name} as {shown!r}; it may show {allowed[0]!r}")
            shared = isinstance(true, MutableMapping | list | set) and shown is true
            self.demand(not shared, f"the view of {seat} holds the very {field.name} of the game: it could be changed through it")
        listed = data.get("actions") and seat not in game.to_move
        self.demand(not listed, f"the view of {seat} lists actions, although {seat} is not asked")


class SecretDrawsStaySecret(Watch):
    """What chance gives to a side in secret makes no difference to what the others hear of it."""

    _luckier: Playout

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Make a twin that has other dice."""
        self._luckier = game.playout(seed=f"{self.id}|{game._state.draws}", log=True)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Do the same there: until something public is different, the logs tell the same."""
        if game._state.draws == self._luckier._state.draws or all(event.sight is Sight.PUBLIC for event in events):
            return
        try:
            others = self._luckier.apply(action, seat)
        except Exception:  # a crash is found where the dice of a game fall so
            return
        for name in game.world.seats:
            viewer = game.world.viewer(name)
            for mine, other in zip(events, others, strict=False):
                heard = mine.seen_by(viewer), other.seen_by(viewer)
                if heard[0] != heard[1]:
                    if type(mine) is type(other) and heard[0] is not mine:
                        raise self.fail(f"{name} can tell what another side has drawn: {heard[0]!r} or {heard[1]!r}")
                    break


class _Secrecy(Counting, Watch, abstract=True):
    """What the checks of non-interference share: what a seat tries and asks, and how two games are compared for it."""

    worlds = 0
    """How many other games it has compared with; what it counts are the channels through which it has compared them."""

    def _compare(self, one: Observer, other: Observer, channels: Iterable[str]) -> str:
        """How a seat could tell two games apart, in words; "" if it cannot."""
        found = difference(one, other, channels, self.tally)
        self.failing = found.partition(":")[0]
        return found

    def _tries(self, game: Game, seat: str, chance: random.Random) -> list[Attempt]:
        """What a seat might try, as well as all others: what others are offered, this seat is not."""
        wanted = list(attempts(game, chance, (move.action for move in game.history[-5:]), 2, TELLING))
        picked = chance.sample(wanted, min(2 * self.budget.probes, len(wanted)))
        return [dataclasses.replace(attempt, side=seat) for attempt in picked]


TELLING = ("stale", "another seat's", "similar", "off the map")
"""The sorts of attempts that get as far as the rules, which have the words for them."""


class HiddenContentDoesNotShow(_Secrecy):
    """If all that a seat may not know is exchanged, all that it can observe stays; after the next action its log and undo too."""

    rate = 0.2

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._pool = Pool()
        self._others: list[tuple[str, Game, int, str]] = []
        """Games in which a seat has seen no difference so far: the seat, the game, the events so far, what is different."""

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Exchange secrets and compare what each seat can observe."""
        self._others.clear()
        chance = self.random(seat, action)
        self._pool.note(game._state)
        for name in chance.sample([*game.world.seats], min(SEATS, len(game.world.seats))):
            if imagines(game):
                self._imagine(game, name, chance)
            else:
                self._exchange(game, name, chance)

    def _imagine(self, game: Game, seat: str, chance: random.Random) -> None:
        """As the ruleset says: nothing may differ."""
        here: Observer | None = None
        for number in range(2 + self.budget.probes // 20):
            other = imagined(game, seat, chance)
            if other is None:
                return
            if here is None:
                tries, asks = self._tries(game, seat, chance), some_questions(game.view(seat), chance, 3)
                here = Observer(with_state(game, game._position), seat, tries, asks)
            self.worlds += 1
            said = _what_differs(game, other)
            try:
                found = self._compare(here, Observer(other, seat, tries, asks), UNPRINTED if number else PRESENT)
            except Exception as error:
                raise self.fail(f"with another {said} that is possible, the rules fail for {seat}: {in_words(error)}") from error
            self.demand(not found, f"{seat} can tell whether there is another {said}, by its {found}")
            self._others.append((seat, other, len(game.events), said))

    def _exchange(self, game: Game, seat: str, chance: random.Random) -> None:
        """By similar values: no game may ever come to such a position, so only what a player is shown is compared."""
        here: Observer | None = None
        for name, at in self._pool.positions(game._position, seat, chance, self.budget.probes):
            other = with_state(game, at)
            here = here or Observer(with_state(game, game._position), seat)
            there = Observer(other, seat)
            try:
                if other.to_move != game.to_move:
                    continue
                [there.sees(channel) for channel in SHOWN]
            except Exception:
                continue  # the rules need not cope with it
            self.worlds += 1
            found = self._compare(here, there, SHOWN)
            self.demand(not found, f"{seat} can tell whether the hidden {name} is another, by its {found}")

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Do the same in the other games: that must not show either, unless something was drawn or revealed for good."""
        seen: dict[str, Observer] = {}
        for name, other, since, said in self._others:
            drawn = other._state.draws
            lend_dice(game, other)
            before = other._state
            try:
                happened = other.apply(action, seat)
            except Exception:
                continue  # the offers to a seat's own side may depend on its secrets
            viewer = game.world.viewer(name)
            told = other._state.draws != drawn or any(event.reveals for event in (*events, *happened))
            told = told or game._state.draws != drawn or other._state.discloses(before, viewer)
            if told and not (game.can_undo or other.can_undo):
                continue
            here = seen.setdefault(name, Observer(game, name, since=since))
            found = self._compare(here, Observer(other, name, since=since), ("log", "view") if told else AFTERWARDS)
            if found:
                what = f"there was another {said}, by its {found}"
                what += "\nYet that can be taken back" if told else ""
                raise self.fail(f"after {action!r} by {seat}, {name} can tell whether {what}")


AFTERWARDS = ("log", "to-move", "view", "prompt", "actions", "picture", "undo", "table")
"""What is compared once something has been done."""
SHOWN = ("view", "prompt", "actions", "picture", "table", "head")
"""What a player is shown in any position, even in one that no game comes to."""


def _what_differs(game: Game, other: Game) -> str:
    """The fields of the state that are different, with what is in them in the other game."""
    mine, others = vars(game._state), vars(other._state)
    fields = [field.name for field in dataclasses.fields(game._state) if not field.metadata.get("derived")]
    return ", ".join(f"{name} {others[name]!r}" for name in fields if mine[name] != others[name])


class SecretChoicesStaySecret(_Secrecy):
    """Games that differ only in choices that a side's log does not tell look the same to it; no log tells what its view hides."""

    rate = 0.35

    _twin: Game | None = None
    _watching: list[str]
    _since = _begun = 0
    _side = ""
    _other: Action | None = None
    _chosen: Action | None = None

    def looks_at(self, number: int) -> bool:
        """At the opening too: bids are made there and nowhere else."""
        return number < OPENING or super().looks_at(number)

    @property
    def follows(self) -> bool:
        """As long as a seat cannot tell the two games apart."""
        return self._twin is not None

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Choose something else in a copy."""
        if self._twin is not None:
            return
        others = [other for other in game.legal_actions(seat) if other != action]
        side = game.world.seats[seat]
        # Friends may share what enemies must not know.
        watching = [name for name, of in game.world.seats.items() if of != side]
        if not others or not watching:
            return
        self._since, self._begun, self._side, self._watching = len(game.history), len(game.events), side, watching
        self._chosen, self._other = action, self.random(seat, action).choice(others)
        self._twin = game.copy()

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Do the same in both games, or what is as secret, and compare what the others see."""
        twin = self._twin
        if twin is None:
            return
        lend_dice(game, twin)
        first = len(game.history) == self._since + 1
        try:
            other = self._other if first else self._decide(game, twin, seat, action)
            twin.apply(other, seat)  # type: ignore[arg-type]
        except Exception:
            self._twin = None
            return
        if len(game.history) - self._since >= FOLLOWED or twin.to_move != game.to_move:
            self._twin = None
            return
        begun = self._begun
        for name in list(self._watching):
            if game.log(name, begun) != twin.log(name, begun):
                self._watching.remove(name)
                if first and type(self._other) is type(self._chosen) and self._is_secret(game, twin, name):
                    told = self._compare(Observer(game, name, since=begun), Observer(twin, name, since=begun), ("log",))
                    raise self.fail(f"{self._both} is hidden from the view of {name}, but told by its {told}", self._since)
                continue
            chance = self.random(seat, action)
            tries, asks = self._tries(game, name, chance), some_questions(game.view(name), chance, 2)
            here, there = Observer(game, name, tries, asks, begun), Observer(twin, name, tries, asks, begun)
            self.worlds += 1
            # What is being done may be seen before a log tells it; what a field of the state hides, no step may tell either.
            channels = [it for it in CHANNELS if it != "steps" or self._is_secret(game, twin, name)]
            found = self._compare(here, there, channels)
            if found:
                raise self.fail(f"{name}'s log does not tell {self._both}, but it can tell by its {found}", self._since)
        if not self._watching:
            self._twin = None

    @property
    def _both(self) -> str:
        return f"whether {self._chosen!r} or {self._other!r} was chosen"

    def _decide(self, game: Game, twin: Game, seat: str, action: Action) -> Action:
        """What is done in the other game: the same, or something of the same kind where the same side is not offered it there."""
        if game.world.seats[seat] != self._side or twin.offered(seat).find(action) is not None:
            return action
        alike = [other for other in twin.legal_actions(seat) if type(other) is type(action)]
        return self.random(seat, action).choice(alike) if alike else action

    def _is_secret(self, game: Game, twin: Game, seat: str) -> bool:
        """Whether two states differ in something that a seat cannot see, and in nothing that it can."""
        viewer = game.world.viewer(seat)
        return bool(game._state.differs_unseen(twin._state, viewer) and game._state.looks_like(twin._state, viewer))
