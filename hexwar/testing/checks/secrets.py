"""Checks of hidden information: views are blank where they must be, and what nobody may know makes no difference to him."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator
from typing import Any

from hexwar.engine import Action, Event, Game, State
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget, Watch, lend_dice

FOLLOWED = 12
"""How many actions two games with different secrets are compared for."""
POOL = 12
"""How many values of each hidden field are remembered."""


def secret_fields(state: State) -> list[str]:
    """The fields of which somebody sees less than all; the engine's own stack and draws are in no view at all."""
    return [
        field.name
        for field in dataclasses.fields(state)
        if field.metadata.get("sight", "undeclared") is not None
        and not field.metadata.get("derived")
        and field.name not in ("stack", "draws")
    ]


def observation(game: Game[Any, Any], seat: str) -> str:
    """All that a seat can see of the present, as text."""
    view = game.view(seat)
    return json.dumps(view.to_json(), sort_keys=True)


class ViewsHide(Watch):
    """A view is blank where its viewer may not look."""

    id = "views-hide"
    sentence = "A view has no stack and no draws, the default where a field is hidden, and of owned fields the viewer's entries."
    rate = 0.25

    def after(self, game: Game[Any, Any], seat: str, action: Action, events: list[Event[Any]]) -> None:
        """Look at every view."""
        for name in game.world.seats:
            self._look(game, name)

    def _look(self, game: Game[Any, Any], seat: str) -> None:
        view, viewer = game.view(seat), game.world.viewer(seat)
        data = json.loads(json.dumps(view.to_json()))
        told = {*data, *data.get("state", {})} & {"stack", "draws", "seed", "tape"}
        if told or view.state.stack or view.state.draws:
            raise self.fail(f"the view of {seat} shows {', '.join(sorted(told)) or 'the stack or the draws'}")
        blank = type(game.state)()
        for field in dataclasses.fields(game.state):
            sight = field.metadata.get("sight", "undeclared")
            if sight is None or field.metadata.get("derived") or field.name in ("stack", "draws"):
                continue
            true, shown = getattr(game.state, field.name), getattr(view.state, field.name)
            allowed = [getattr(blank, field.name)]
            if sight != "undeclared":
                left = sight(true, viewer)
                # Nothing is left of a hidden field, so its default shows; a redaction may leave None as well.
                allowed = [*allowed, None] if left is None else [left]
            if shown not in allowed:
                raise self.fail(f"the view of {seat} shows {field.name} as {shown!r}; it may show {allowed[0]!r}")
            if isinstance(true, dict | list | set) and shown is true:
                raise self.fail(
                    f"the view of {seat} holds the very {field.name} of the game, so that it could be changed through it"
                )
        told_actions = data.get("actions", [])
        if told_actions and seat not in game.to_move:
            raise self.fail(f"the view of {seat} lists actions, although {seat} is not asked")


class HiddenContentDoesNotShow(Watch):
    """Whoever may not know something is not told by what he is offered either."""

    id = "hidden-content-does-not-show"
    sentence = (
        "If hidden content is exchanged for other content that looks the same to a side, its view, prompt and actions stay."
    )
    rate = 0.25

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._pool: dict[str, list[Any]] = {}

    def before(self, game: Game[Any, Any], seat: str, action: Action) -> None:
        """Exchange secrets and compare what each seat can see."""
        chance = self.random(seat, action)
        for name in secret_fields(game.state):
            value = getattr(game.state, name)
            if value and value not in self._pool.setdefault(name, []):
                self._pool[name] = [*self._pool[name][-POOL:], value.copy() if hasattr(value, "copy") else value]
        plain = self._with(game, {})
        for seen_from in game.world.seats:
            for name, other in self._exchanges(game, seen_from, chance):
                self._compare(plain, self._with(game, {name: other}), seen_from, name, other)

    def _with(self, game: Game[Any, Any], changes: dict[str, Any]) -> Game[Any, Any]:
        """The same position with other secrets; what is derived is made anew in either case."""
        twin = game.copy()
        for name, value in changes.items():
            setattr(twin.state, name, value)
        twin.state.rebuild()
        return twin

    def _exchanges(self, game: Game[Any, Any], seat: str, chance: random.Random) -> Iterator[tuple[str, Any]]:
        """Values of hidden fields that look the same to a seat as the true ones."""
        viewer = game.world.viewer(seat)
        shown = game.state.seen_by(viewer)
        for name in secret_fields(game.state):
            true = getattr(game.state, name)
            others = [other for other in self._alike(name, true, seat, viewer.side, chance) if other != true]
            for other in chance.sample(others, min(self.budget.probes, len(others))):
                state = game.state.copy()
                setattr(state, name, other)
                if getattr(state.seen_by(viewer), name) == getattr(shown, name):
                    yield name, other

    def _alike(self, name: str, true: Any, seat: str, side: str, chance: random.Random) -> Iterator[Any]:
        """Values of the same shape as the true one."""
        pool = [value for value in self._pool.get(name, ()) if type(value) is type(true)]
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

    def _compare(self, plain: Game[Any, Any], other: Game[Any, Any], seat: str, name: str, value: Any) -> None:
        try:
            asked = other.to_move
            there = observation(other, seat)
        except Exception:
            return  # a position that no game could come to; the rules need not cope with it
        if asked != plain.to_move:
            return
        here = observation(plain, seat)
        if here != there:
            raise self.fail(f"{seat} can tell whether the hidden {name} is {value!r}: {_first_difference(here, there)}")


def _shape(value: Any) -> Any:
    return (type(value), len(value)) if isinstance(value, tuple | str | list | dict) else type(value)


def _turned(value: Any) -> Any:
    return value[::-1] if isinstance(value, tuple) else value


def _first_difference(here: str, there: str) -> str:
    one, other = json.loads(here), json.loads(there)
    for key in one:
        if one[key] != other.get(key):
            if key == "state":
                return next(
                    f"{name} shows {one[key][name]} or {other[key][name]}"
                    for name in one[key]
                    if one[key][name] != other[key][name]
                )
            return f"{key} is {_short(one[key])} or {_short(other.get(key))}"
    return "?"


def _short(value: object, length: int = 200) -> str:
    text = repr(value)
    return text if len(text) <= length else f"{text[:length]}..."


class SecretChoicesStaySecret(Watch):
    """Two games that look the same to a side until now look the same to it now."""

    id = "secret-choices-stay-secret"
    sentence = "If two games differ only in a choice that another side's log does not tell, that side sees no difference."
    rate = 0.5

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._twin: Game[Any, Any] | None = None
        self._watching: dict[str, int] = {}
        self._since = 0
        self._followed = 0
        self._other: Action | None = None
        self._chosen: Action | None = None

    @property
    def follows(self) -> bool:
        """As long as somebody cannot tell the two games apart."""
        return self._twin is not None

    def before(self, game: Game[Any, Any], seat: str, action: Action) -> None:
        """Choose something else in a copy."""
        if self._twin is not None:
            return
        others = [other for other in game.legal_actions(seat) if other != action]
        side = game.world.seats[seat]
        # Friends may well share what enemies must not know.
        watching = {name: len(game.log(name)) for name, of in game.world.seats.items() if of != side}
        if not others or not watching:
            return
        self._since, self._followed, self._watching = len(game.history), 0, watching
        self._chosen, self._other = action, self.random(seat, action).choice(others)
        self._twin = game.copy()

    def after(self, game: Game[Any, Any], seat: str, action: Action, events: list[Event[Any]]) -> None:
        """Do the same in both games, and compare what the others see."""
        twin = self._twin
        if twin is None:
            return
        lend_dice(game, twin)
        try:
            assert self._other is not None
            twin.apply(self._other if len(game.history) == self._since + 1 else action, seat)
        except Exception:
            self._twin = None
            return
        self._followed += 1
        if self._followed >= FOLLOWED or twin.to_move != game.to_move:
            self._twin = None
            return
        for name, begun in list(self._watching.items()):
            if [event.to_json() for event in game.log(name)[begun:]] != [event.to_json() for event in twin.log(name)[begun:]]:
                del self._watching[name]
                continue
            here, there = observation(game, name), observation(twin, name)
            if here != there:
                told = f"{name}'s log does not tell whether {self._chosen!r} or {self._other!r} was chosen, but its view does"
                raise self.fail(f"{told}: {_first_difference(here, there)}", self._since)
        if not self._watching:
            self._twin = None
