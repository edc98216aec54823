"""State: a whole position as a value, whose fields declare who may see them.

A ruleset subclasses `State` with the `@state` decorator and one field specifier per field::

    @state
    class MyState(State):
        turn: int = public(default=1)
        at: dict[str, str] = public(factory=dict)             # unit -> location, whatever a location is
        hand: dict[str, tuple[str, ...]] = owned(factory=dict)  # side -> what only that side sees
        cup: tuple[str, ...] = hidden(default=())

What is not declared is hidden. Containers are flat (dicts of small immutable values), so a copy takes
microseconds; only events change a state. A large mapping of which an action changes little is better declared as a `Mapping`,
which events replace and never change in place: copies share it.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import operator
import types
import typing
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

from hexwar.engine._records import Json, essence, parse, plain, quick_text, record
from hexwar.hashing import blake2b

T = TypeVar("T")

SCHEMA = 3
"""What `State.digest` covers and how; a save says by which its digests were made.

Schema 1 had every field; schema 2 had battles on one hex, and not pairs of unit and target.
"""


class Viewer(NamedTuple):
    """Who looks: a seat and the side it belongs to."""

    seat: str
    side: str


NOBODY = Viewer("(nobody)", "(nobody)")
"""Who has no seat and owns nothing, such as a spectator."""
Redaction = Callable[[Any, Viewer], Any]
"""What is left of a field's value for a viewer; it must have the field's type."""

_BLANK: Redaction = lambda value, viewer: None  # noqa: E731 - a marker that is compared by identity


_MUTABLE = (dict, list, set, bytearray)
_IMMUTABLE = frozenset({int, str, bool, type(None), tuple, frozenset})


def _copied(value: Any) -> Any:
    is_mutable = type(value) not in _IMMUTABLE and isinstance(value, (*_MUTABLE, MutableMapping))
    return value.copy() if is_mutable else value


_COPY = operator.methodcaller("copy")


def _field(sight: Redaction | None, default: Any, factory: Callable[[], Any] | None, **more: Any) -> Any:
    field: Any = dataclasses.field
    return field(default=default, default_factory=factory or dataclasses.MISSING, metadata={"sight": sight, **more})


def public(*, default: Any = dataclasses.MISSING, factory: Callable[[], Any] | None = None, in_digest: bool = True) -> Any:
    """A field that everybody sees.

    Args:
        default: the value that it has at first.
        factory: makes that value, where it can be changed.
        in_digest: False where the field only remembers what seats know, so that a view can show more without making the
            digests of saved games differ. No rule may depend on it.
    """
    return _field(None, default, factory, in_digest=in_digest)


def hidden(*, default: Any = dataclasses.MISSING, factory: Callable[[], Any] | None = None) -> Any:
    """A field that nobody sees; a view shows its default."""
    return _field(_BLANK, default, factory)


def owned(*, factory: Callable[[], Any], in_digest: bool = True) -> Any:
    """A mapping from side or seat to what only that side or seat sees; for `in_digest` see `public`."""
    return _field(_own_entries, dataclasses.MISSING, factory, in_digest=in_digest)


def redacted(redaction: Redaction, *, default: Any = dataclasses.MISSING, factory: Callable[[], Any] | None = None) -> Any:
    """A field of which each viewer sees what `redaction(value, viewer)` leaves."""
    return _field(redaction, default, factory)


def derived(
    *, factory: Callable[[], Any], copy: Callable[[Any], Any] | None = None, apart: Callable[[Any], Any] | None = None
) -> Any:
    """A field computed from others (zones, stacks): copied, but not part of the value, the JSON form or a view.

    Events keep it up to date; `State.rebuild`, which the state must define, rebuilds it.

    Args:
        factory: the empty value.
        copy: how to copy it, where copying the outermost container is not enough.
        apart: how to copy it for somebody who may change the copy, where copies share what can be changed.
    """
    return _field(_BLANK, dataclasses.MISSING, factory, derived=True, copy=copy, apart=apart)


def _own_entries(value: Mapping[str, T], viewer: Viewer) -> dict[str, T]:
    return {key: value[key] for key in value if key in viewer}


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(public, hidden, owned, redacted, derived))
def state(cls: type[T]) -> type[T]:
    """Make a class of `State`. It has no slots, so that a ruleset can put its state together from several bases."""
    made: Any = dataclasses.dataclass(eq=False, kw_only=True)(cls)
    made._parts = tuple(_Part(field) for field in dataclasses.fields(made))
    secrets = (part for part in made._parts if part.sight is not None and not part.derived)
    made._secrets = tuple(part for part in secrets if part.name not in ("stack", "draws"))
    made._secret_names = tuple(part.name for part in made._secrets)
    if any(part.derived for part in made._parts) and made.rebuild is State.rebuild:
        raise TypeError(f"{made.__name__} has derived fields, so it needs `rebuild`: a view would show them as they are")
    return made  # type: ignore[no-any-return]


class _Part:
    """What the machinery needs to know of one field, looked up once."""

    __slots__ = ("apart", "blank", "copy", "derived", "in_digest", "name", "sight")

    def __init__(self, field: dataclasses.Field[Any]) -> None:
        self.name = field.name
        self.sight: Redaction | None = field.metadata.get("sight", _BLANK)
        self.derived: bool = field.metadata.get("derived", False)
        self.in_digest: bool = not self.derived and field.metadata.get("in_digest", True)
        self.copy: Callable[[Any], Any] = field.metadata.get("copy") or _copied
        self.apart: Callable[[Any], Any] = field.metadata.get("apart") or self.copy
        if field.default_factory is not dataclasses.MISSING:
            self.blank: Callable[[], Any] = field.default_factory
        elif field.default is not dataclasses.MISSING:
            self.blank = functools.partial(_same, field.default)
        else:
            raise TypeError(f"the state field {field.name!r} needs a default: a view shows it where the value is hidden")

    def seen(self, value: Any, viewer: Viewer) -> Any:
        """The part of the value that a viewer may know."""
        if self.sight is None:
            return value
        return self.blank() if self.sight is _BLANK else self.sight(value, viewer)


def _same(value: T) -> T:
    return value


@record
class Result:
    """How a game ended. `winner` is a side, or None for a draw."""

    winner: str | None
    reason: str
    clause: str
    scores: Mapping[str, int] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        # A view shows the very result of the game, so it is read-only.
        object.__setattr__(self, "scores", types.MappingProxyType(dict(self.scores)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Result, (self.winner, self.reason, self.clause, dict(self.scores))

    def __str__(self) -> str:
        verdict = f"{self.winner} wins" if self.winner else "a draw"
        tally = "".join(f"; {side} {score}" for side, score in self.scores.items())
        return f"{verdict}: {self.reason}{tally} ({self.clause})"


@state
class State:
    """What every game's state has; rulesets add their own fields."""

    _parts: ClassVar[tuple[_Part, ...]] = ()
    _secrets: ClassVar[tuple[_Part, ...]] = ()
    """Those of which a viewer does not see everything, steps and draws apart."""
    _secret_names: ClassVar[tuple[str, ...]] = ()

    stack: list[Any] = hidden(factory=list)
    """The steps that wait, the current one last."""
    draws: int = hidden(default=0)
    """How many random numbers have been drawn."""
    phase: str = public(default="")
    """The phase of the sequence of play that was entered last."""
    result: Result | None = public(default=None)

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__ = its = self.__dict__.copy()
        for name, copied in _changeable(type(self)):  # type: ignore[arg-type]  # see `State.with_json`
            its[name] = copied(its[name])
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def rebuild(self) -> None:
        """Rebuild the derived fields from the others; a state that has some overrides this."""

    def seen_by(self, viewer: Viewer) -> Self:
        """The same state with everything blank that the viewer may not know; what is derived is made from the rest."""
        twin = object.__new__(type(self))
        for part in self._parts:
            value = getattr(self, part.name)
            # A derived field may hold what it is made with (the ground); `rebuild` makes its content from what is seen.
            setattr(twin, part.name, part.copy(value if part.derived else part.seen(value, viewer)))
        if self.keeps_secrets_of(twin):  # nothing is hidden from this viewer, so that what is derived is as it was
            return twin
        twin.rebuild()
        return twin

    def shows(self, known: State, viewer: Viewer) -> bool:
        """Whether this is what a viewer sees of the state: quicker than to make it and to compare."""
        its, others = self.__dict__, known.__dict__
        for part in self._parts:
            if not part.derived:
                mine, theirs = part.seen(its[part.name], viewer), others[part.name]
                if mine is not theirs and mine != theirs:
                    return False
        return True

    def keeps_secrets_of(self, other: State) -> bool:
        """Whether all that a viewer may not see is the same in two states, steps and draws apart."""
        its, others = self.__dict__, other.__dict__
        return not [name for name in self._secret_names if its[name] is not others[name] and its[name] != others[name]]

    def differs_unseen(self, other: State, viewer: Viewer) -> bool:
        """Whether something changed between two states that the viewer cannot see."""
        for part, mine, theirs in self._changed(self._secrets, other):
            if mine != theirs and part.seen(mine, viewer) == part.seen(theirs, viewer):
                return True
        return False

    def _changed(self, parts: tuple[_Part, ...], other: State) -> list[tuple[_Part, Any, Any]]:
        """Those of some fields that hold another thing than in another state, with both; it may be equal."""
        its, others = self.__dict__, other.__dict__
        return [(part, its[part.name], others[part.name]) for part in parts if its[part.name] is not others[part.name]]

    def looks_like(self, other: State, viewer: Viewer) -> bool:
        """Whether the viewer sees the same in two states."""
        for part, mine, theirs in self._changed(self._parts, other):
            if not part.derived and part.seen(mine, viewer) != part.seen(theirs, viewer):
                return False
        return True

    def discloses(self, before: State, viewer: Viewer) -> bool:
        """Whether the viewer now sees something in a field of which only a part was known before."""
        for part, now, true in self._changed(self._secrets, before):
            if part.sight is _BLANK or true == now:
                continue
            known, seen = part.seen(true, viewer), part.seen(now, viewer)
            if known in (seen, true):
                continue
            if not (isinstance(known, Mapping) and isinstance(seen, Mapping)):
                return True
            # Entry by entry: a player who moves their own piece learns nothing about the others in the same field.
            missing = object()
            for key in {**known, **seen}:
                was = known.get(key, missing)
                if was != seen.get(key, missing) and was != true.get(key, missing):
                    return True
        return False

    def to_json(self) -> dict[str, Json]:
        """The whole state as plain JSON data, without what is derived."""
        data = {part.name: plain(getattr(self, part.name)) for part in self._parts if not part.derived and part.name != "stack"}
        data["stack"] = [step.to_json() for step in self.stack]
        return data

    def with_json(self, data: Mapping[str, object], steps: Mapping[str, type[Any]]) -> Self:
        """A copy of this state in which the fields that `data` names have its values, as `to_json` writes them.

        Args:
            data: untrusted JSON data.
            steps: the step types by kind.

        Raises:
            ValueError: with a sentence that names the field.
        """
        hints: dict[str, Any] = _hints(type(self))  # type: ignore[arg-type]  # a class is hashable although its objects are not
        made = self.copy()
        for name, value in data.items():
            if name == "stack":
                made.stack = _parse_stack(value, steps, hints)
            elif name in hints:
                try:
                    setattr(made, name, parse(hints[name], value))
                except ValueError as error:
                    raise ValueError(f"{name}: {error}") from None
            else:
                raise ValueError(f"{name}: the state has no such field; it has {', '.join(sorted(hints))}")
        made.rebuild()
        return made

    @property
    def digest(self) -> str:
        """A stable fingerprint of the value: equal states have equal digests everywhere.

        It covers kinds and fields, not the names of classes, and leaves out what is at its default (see `essence`) and fields
        that only remember what seats know.
        """
        values = {
            part.name: value for part in self._parts if part.in_digest and (value := getattr(self, part.name)) != part.blank()
        }
        texts: list[str] = []
        rest: dict[str, Any] = {}
        for name in sorted(values):  # as they follow each other in the text of the whole
            if (text := quick_text(values[name])) is None:
                rest[name] = values[name]
            else:
                texts += [_inside(rest), f'"{name}":{text}']
                rest.clear()
        whole = ",".join(filter(None, (*texts, _inside(rest))))
        return blake2b(f"{{{whole}}}".encode(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, part.name) == getattr(other, part.name) for part in self._parts if not part.derived)

    __hash__ = None  # type: ignore[assignment]  # a state changes; its digest is what can be stored


def _inside(values: dict[str, Any]) -> str:
    """What a digest covers of some fields, as the inside of a JSON object."""
    return json.dumps(essence(values), sort_keys=True, separators=(",", ":"), ensure_ascii=True)[1:-1] if values else ""


@functools.cache
def _changeable(cls: Any) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """The fields whose values can be changed in place, each with the way to copy it; copies share all others."""
    hints = _hints(cls)
    parts = []
    for part in cls._parts:
        if part.derived or _holds_changeable(hints[part.name]):
            always = not part.derived and (typing.get_origin(hints[part.name]) or hints[part.name]) in _MUTABLE
            parts.append((part.name, _COPY if always and isinstance(part.blank(), _MUTABLE) else part.copy))
    return tuple(parts)


def is_changeable(cls: type[State], name: str) -> bool:
    """Whether the value of a field may be changed in place."""
    return any(name == changeable for changeable, _ in _changeable(cls))  # type: ignore[arg-type]  # see `State.with_json`


def _holds_changeable(hint: Any) -> bool:
    origin = typing.get_origin(hint) or hint
    if origin in (typing.Union, types.UnionType):
        return any(_holds_changeable(argument) for argument in typing.get_args(hint))
    if origin is Mapping:  # read-only by its type: to change it, put another in its place
        return False
    return not isinstance(origin, type) or not issubclass(origin, (int, str, float, tuple, frozenset, type(None), Result))


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {part.name: hints[part.name] for part in cls._parts if not part.derived}


def check_flat(cls: type[State]) -> None:
    """Fail if a field of a state holds a changeable thing inside another: a copy would share it.

    Raises:
        TypeError: naming the field.
    """
    for name, hint in _hints(cls).items():  # type: ignore[arg-type]  # see `State.with_json`
        pending = [(hint, False)]
        while pending:
            kind, inside = pending.pop()
            origin = typing.get_origin(kind) or kind
            if inside and isinstance(origin, type) and issubclass(origin, _MUTABLE):
                raise TypeError(f"the state field {name!r} holds a {kind} inside another container: copies would share it")
            inside = inside or origin not in (typing.Union, types.UnionType)
            pending += [(argument, inside) for argument in typing.get_args(kind)]


def sight_of(cls: Any, name: str) -> Redaction | None:
    """Who sees a field of a state; None if everybody does."""
    sight: Redaction | None = next(part.sight for part in cls._parts if part.name == name)
    return sight


def _parse_stack(value: object, steps: Mapping[str, type[Any]], hints: Mapping[str, Any]) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("stack: expected a list of steps")
    parsed = []
    for number, item in enumerate(value):
        kind = item.get("kind") if isinstance(item, dict) else None
        if not isinstance(kind, str) or kind not in steps:
            raise ValueError(f"stack.{number}: unknown kind of step {kind!r}; known: {', '.join(sorted(steps))}")
        data = {key: item[key] for key in item if key != "kind"}
        own = getattr(steps[kind], "from_json", None)  # a step that holds steps
        try:
            parsed.append(own(data, steps, hints, _parse_stack) if own else parse(steps[kind], data))
        except ValueError as error:
            raise ValueError(f"stack.{number}: {error}") from None
    return parsed
