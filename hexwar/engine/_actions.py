"""Actions, and the sets of them that a step offers: the one source of legality.

The same set feeds the prompt, the validator, bots, the fuzzer and any user interface. A set always knows membership and
sampling. Where it cannot be listed (`complete` is False, as with moves on a plane) iteration gives a menu: some of its actions.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, ClassVar, Protocol, TypeVar, overload, runtime_checkable

from hexwar.engine._once import once
from hexwar.engine._records import Record, kind_of, record
from hexwar.errors import Refusal

T = TypeVar("T")

SHOWN = 5
"""How many actions the repr of a sequence of offers shows."""


@runtime_checkable
class RandomSource(Protocol):
    """What the engine needs of a source of chance: `random.Random` has it, and so do scripted dice."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 up to but not including `stop`."""
        ...  # pragma: no cover


class Action(Record):
    """One decision of a player. `repr` is valid Python, `str` is a player's sentence."""

    __slots__ = ()
    ends: ClassVar[bool] = False
    """Whether it ends the decision, such as "done", rather than being one more part of it."""
    way: ClassVar[str] = ""
    """The field with every place of its way, from the first to the last, where its player may choose one; "" for others."""
    can: ClassVar[str] = ""
    """What its piece or place can do, or have done to it, while it is offered: "be activated"; its kind if not given."""

    @property
    def key(self) -> str:
        """What it is about, by which choices are grouped: the text in its first field, such as a unit; "" if there is none."""
        names = self.__match_args__  # type: ignore[attr-defined]  # every record is a dataclass
        value = getattr(self, names[0]) if names else ""
        return value if isinstance(value, str) else ""

    def __str__(self) -> str:
        return self.sentence() if self.says else repr(self)


@record
class Freedom:
    """How an action is put together that no list has, such as a march to any point: for clients that let a player drag a piece.

    Args:
        action: one to begin with.
        point: its field with the point to which it leads.
        turn: its field with the direction in which the piece looks then; "" if it does not turn.
        way: its field with the points through which it leads; "" if it goes straight.
        allowance: how long its way is at most, in units of the board; 0 if that is not how it is judged.
        legs: how many straight parts its way has at most.
        region: corners of the ground that it can reach without turning aside; empty if not computed.
        snaps: points at which a drag holds on, each an action with its name ("at Churchyard wall").
    """

    action: Action
    point: str
    turn: str = ""
    way: str = ""
    allowance: int = 0
    legs: int = 1
    region: tuple[tuple[int, int], ...] = ()
    snaps: tuple[tuple[str, Action], ...] = ()


class ActionSet:
    """A set of offered actions. Its class is no `ABC`: the core asks of several things in every action whether they are one."""

    _handed_out: Action | None = None
    """What the set has made last, if it remembers that."""

    @property
    def complete(self) -> bool:
        """Whether iteration gives every action; otherwise it gives a menu, and `find` knows more than the menu."""
        return True

    @abstractmethod
    def find(self, action: Action) -> Action | None:
        """The offered action that equals `action`, or None.

        The core performs what this returns, never what the caller passed, so that nothing that merely compares
        equal (True for 1) reaches a ruleset.
        """
        raise NotImplementedError

    @abstractmethod
    def __iter__(self) -> Iterator[Action]:
        """The actions in their stable order, the dullest (pass, done) first."""
        raise NotImplementedError

    @abstractmethod
    def sample(self, chance: RandomSource) -> Action:
        """One offered action; each has some probability, not necessarily the same.

        Raises:
            LookupError: if nothing is offered.
        """
        raise NotImplementedError

    @abstractmethod
    def __bool__(self) -> bool:
        """Whether anything is offered at all."""
        raise NotImplementedError

    def is_handed_out(self, action: object) -> bool:
        """Whether the set has just handed out this very object, so that it need not be judged again."""
        return action is self._handed_out and action is not None

    def why_not(self, action: Action) -> Refusal | None:
        """The rule that keeps an action out of the set; None if it is offered, or if the set cannot tell.

        The core asks a set that was made from what the seat may know, so that no refusal reveals a secret.
        """
        return None

    def freedom(self) -> Freedom | None:
        """How an action is put together that no list has; None if everything is listed, or if the set does not declare it."""
        return None

    def trimmed(self, action: Action) -> Action | None:
        """The most of an action that is possible, such as the longest beginning of a way; None if nothing of it is.

        An action that is offered comes back as it is.
        """
        return self.find(action)

    def through(self, places: Sequence[Any]) -> ActionSet:
        """The actions that lead through some places in this order, and by the cheapest way between them.

        A set whose actions have a way (`Action.way`) overrides it; of any other nothing is left.

        Raises:
            Refusal: the rule that keeps all of them from these places.
        """
        return Listed(())

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.find(action) is not None

    def __init_subclass__(cls) -> None:
        """A set that lists its actions in a way of its own counts them by that list, unless it says how."""
        super().__init_subclass__()
        if "__iter__" in vars(cls):
            for name in {"count", "nth", "lists"} - {*vars(cls)}:
                setattr(cls, name, getattr(ActionSet, name))

    # What follows is about the listed actions: all of a complete set, otherwise the menu. A set that knows more than its
    # iterator, such as how many there are, says so by overriding; none is called `__len__`, which a list asks while it is made.

    @once
    def _listed(self) -> tuple[Action, ...]:
        return tuple(self)

    def count(self) -> int:
        """How many actions iteration gives."""
        return len(self._listed)

    def nth(self, index: int) -> Action:
        """The action that iteration gives after `index` others."""
        return self._listed[index]

    def lists(self, action: Action) -> bool:
        """Whether iteration gives an action."""
        return self.find(action) is not None if self.complete else action in self._listed

    def example(self) -> Action:
        """One offered action that shows what the set is about, found without listing all of them.

        Raises:
            LookupError: if nothing is offered.
        """
        for action in self:
            return action
        raise LookupError("nothing is offered")

    def grouped(self) -> Grouped:
        """The same set by what its actions are about: see `Action.key`."""
        groups: dict[str, list[Action]] = {}
        for action in self:
            groups.setdefault("" if action.ends else action.key, []).append(action)
        plain = groups.pop("", ())
        return Grouped(plain, tuple(groups), groups.__getitem__, lambda action: action.key)


class Listed(ActionSet):
    """A set given by its list."""

    __slots__ = ("_found", "_list")

    def __init__(self, actions: Iterable[Action]) -> None:
        self._list = tuple(actions)
        self._found: dict[Action, Action] | None = None

    def is_handed_out(self, action: object) -> bool:
        """See `ActionSet.is_handed_out`; all of them are."""
        return id(action) in map(id, self._list)

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        if self.is_handed_out(action):  # bots and tests give back what was offered, and then nothing need be hashed
            return action
        try:
            if self._found is None:
                self._found = {offered: offered for offered in self._list}
            return self._found.get(action)
        except TypeError:  # something unhashable (a dict, a list) inside one of them
            return next((offered for offered in self._list if offered == action), None)

    def __iter__(self) -> Iterator[Action]:
        return iter(self._list)

    def __bool__(self) -> bool:
        return bool(self._list)

    def count(self) -> int:
        """See `ActionSet.count`."""
        return len(self._list)

    def nth(self, index: int) -> Action:
        """See `ActionSet.nth`."""
        return self._list[index]

    def sample(self, chance: RandomSource) -> Action:
        """Uniform over the list."""
        return pick(self._list, chance)

    def example(self) -> Action:
        """The last: the dullest come first."""
        if not self._list:
            raise LookupError("nothing is offered")
        return self._list[-1]


class Explained(Listed):
    """A list, and the reason why anything else is not in it.

    Args:
        actions: the allowed ones, in order.
        why_not: the reason against any other.
        of: the kind of action that it can judge.
    """

    __slots__ = ("_of", "_why_not")

    def __init__(self, actions: Iterable[Action], why_not: Callable[[Any], Refusal | None], of: type[Action] = Action) -> None:
        super().__init__(actions)
        self._why_not = why_not
        self._of = of

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        return self._why_not(action) if isinstance(action, self._of) and self.find(action) is None else None


class Choices(Explained):
    """A set given by its rule: those candidates that nothing forbids.

    Args:
        candidates: what could be done, in order.
        why_not: the reason against an action, one of the candidates or not; None if there is none.
    """

    __slots__ = ()

    def __init__(self, candidates: Iterable[Action], why_not: Callable[[Any], Refusal | None]) -> None:
        super().__init__([action for action in candidates if why_not(action) is None], why_not)


class Grouped(ActionSet):
    """A few plain actions and, for each key, a group that is computed on demand.

    A movement step offers the moves of twenty units; checking or sampling one move must not list all of them.

    Args:
        plain: actions outside the groups, first in the order; a set says why others are not among them.
        keys: the groups' keys in order.
        group: the actions of a key, listed or as a set of their own; may be empty.
        key_of: the key of an action, or None if it belongs to no group.
        missing: why there is no group for an action.
        size_key: what the size of a group depends on: of groups for which this is the same, one is counted for all.
    """

    __slots__ = ("_group", "_groups", "_key_of", "_latest", "_missing", "_plain", "_size_key", "keys")

    def __init__(
        self,
        plain: ActionSet | Iterable[Action],
        keys: Sequence[str],
        group: Callable[[str], ActionSet | Iterable[Action]],
        key_of: Callable[[Action], object],
        missing: Callable[[Any], Refusal | None] = lambda action: None,
        size_key: Callable[[str], Hashable] = str,
    ) -> None:
        self._plain = plain if isinstance(plain, ActionSet) else Listed(plain)
        self._missing = missing
        self.keys = tuple(keys)
        """The groups' keys; a group may turn out to be empty."""
        self._group = group
        self._key_of = key_of
        self._size_key = size_key
        self._groups: dict[str, ActionSet] = {}
        self._latest: ActionSet = self._plain
        """The group that was asked for last."""

    def is_handed_out(self, action: object) -> bool:
        """See `ActionSet.is_handed_out`."""
        return self._latest.is_handed_out(action) or self._plain.is_handed_out(action)

    @property
    def complete(self) -> bool:
        """Whether all groups can be listed."""
        return all(self.group(key).complete for key in self.keys)

    @property
    def plain(self) -> tuple[Action, ...]:
        """The actions outside the groups."""
        return tuple(self._plain)

    def group(self, key: str) -> ActionSet:
        """The actions of a key."""
        group = self._groups.get(key)
        if group is None:
            made = self._group(key)
            group = self._groups[key] = made if isinstance(made, ActionSet) else Listed(made)
        self._latest = group
        return group

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        key = self._key_of(action)
        return self.group(key).find(action) if isinstance(key, str) and key in self.keys else self._plain.find(action)

    def why_not(self, action: Action) -> Refusal | None:
        """What its group has against it, or why there is no such group."""
        key = self._key_of(action)
        if not isinstance(key, str):
            return self._plain.why_not(action)
        return self.group(key).why_not(action) if key in self.keys else self._missing(action)

    def trimmed(self, action: Action) -> Action | None:
        """What its group makes of it."""
        key = self._key_of(action)
        return (self.group(key) if isinstance(key, str) and key in self.keys else self._plain).trimmed(action)

    def __iter__(self) -> Iterator[Action]:
        yield from self._plain
        for key in self.keys:
            yield from self.group(key)

    @once
    def _starts(self) -> list[int]:
        """How many actions come before each part, and how many there are: first the plain ones, then the groups."""
        sorts = [*map(self._size_key, self.keys)]
        counts = {sort: self.group(key).count() for sort, key in dict(zip(sorts, self.keys, strict=True)).items()}
        return [0, *accumulate(map(counts.__getitem__, sorts), initial=self._plain.count())]

    def count(self) -> int:
        """See `ActionSet.count`."""
        return self._starts[-1]

    def nth(self, index: int) -> Action:
        """See `ActionSet.nth`."""
        part = bisect_right(self._starts, index) - 1
        return (self.group(self.keys[part - 1]) if part else self._plain).nth(index - self._starts[part])

    def lists(self, action: Action) -> bool:
        """See `ActionSet.lists`."""
        key = self._key_of(action)
        return (self.group(key) if isinstance(key, str) and key in self.keys else self._plain).lists(action)

    def __bool__(self) -> bool:
        return bool(self._plain) or any(self.group(key) for key in self.keys)

    def sample(self, chance: RandomSource) -> Action:
        """First uniform over the plain actions and the groups, then uniform inside the group."""
        plain, keys = self._plain.count(), self.keys
        while plain or keys:
            slot = chance.randrange(plain + len(keys)) - plain
            if slot < 0:
                return self._plain.nth(slot + plain)
            try:
                return self.group(keys[slot]).sample(chance)
            except LookupError:  # an empty group
                keys = (*keys[:slot], *keys[slot + 1 :])
        raise LookupError("nothing is offered")

    def example(self) -> Action:
        """One of the last group that has any."""
        for key in reversed(self.keys):
            group = self.group(key)
            if group:
                return group.example()
        return self._plain.example()

    def grouped(self) -> Grouped:
        """As it is, unless it has a nameless group that was made only to be computed late."""
        return super().grouped() if "" in self.keys else self


class AnyOf(ActionSet):
    """Several sets as one: what a piece may do that can both march and fire, although its marches cannot be listed.

    Args:
        sets: in order, the dullest first. No action is in two of them.
    """

    __slots__ = ("sets",)

    def __init__(self, *sets: ActionSet | Iterable[Action]) -> None:
        self.sets = tuple([each if isinstance(each, ActionSet) else Listed(each) for each in sets])
        """They."""

    @property
    def complete(self) -> bool:
        """Whether all of them can be listed."""
        return all(each.complete for each in self.sets)

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        return next(filter(None, (each.find(action) for each in self.sets)), None)

    def why_not(self, action: Action) -> Refusal | None:
        """The first reason that one of them gives; None if one of them offers the action, or if none of them can tell."""
        if any(each.find(action) is not None for each in self.sets):
            return None
        return next(filter(None, (each.why_not(action) for each in self.sets)), None)

    def freedom(self) -> Freedom | None:
        """That of the first of them that offers anything and says one."""
        return next(filter(None, (each.freedom() for each in self.sets if not each.complete and each)), None)

    def trimmed(self, action: Action) -> Action | None:
        """What the first of them makes of it that can."""
        return next(filter(None, (each.trimmed(action) for each in self.sets)), None)

    def __iter__(self) -> Iterator[Action]:
        return chain.from_iterable(self.sets)

    @once
    def _starts(self) -> list[int]:
        return [*accumulate((each.count() for each in self.sets), initial=0)]

    def count(self) -> int:
        """See `ActionSet.count`."""
        return self._starts[-1]

    def nth(self, index: int) -> Action:
        """See `ActionSet.nth`."""
        part = bisect_right(self._starts, index, hi=len(self.sets)) - 1
        return self.sets[part].nth(index - self._starts[part])

    def lists(self, action: Action) -> bool:
        """See `ActionSet.lists`."""
        return any(each.lists(action) for each in self.sets)

    def __bool__(self) -> bool:
        return any(self.sets)

    def sample(self, chance: RandomSource) -> Action:
        """First uniform over the sets that offer anything, then as that set does."""
        return pick([each for each in self.sets if each], chance).sample(chance)

    def example(self) -> Action:
        """One of the last set that offers anything."""
        for each in reversed(self.sets):
            if each:
                return each.example()
        raise LookupError("nothing is offered")


class Filtered(ActionSet):
    """A set less what a veto refuses."""

    __slots__ = ("_base", "_refused")

    def __init__(self, base: ActionSet, refused: Callable[[Action], Refusal | None]) -> None:
        self._base = base
        self._refused = refused

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        offered = self._base.find(action)
        return None if offered is None or self._refused(offered) else offered

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        return self._refused(action) if self._base.find(action) is not None else self._base.why_not(action)

    def __iter__(self) -> Iterator[Action]:
        return (action for action in self._base if not self._refused(action))

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def sample(self, chance: RandomSource) -> Action:
        """A few tries at the base set, then uniform over what is left."""
        for _ in range(8):
            action = self._base.sample(chance)
            if not self._refused(action):
                return action
        return pick(tuple(self), chance)

    @property
    def complete(self) -> bool:
        """As the base set."""
        return self._base.complete

    def freedom(self) -> Freedom | None:
        """That of the base set."""
        return self._base.freedom()

    def trimmed(self, action: Action) -> Action | None:
        """What the base set makes of it, unless that is refused."""
        found = self._base.trimmed(action)
        return None if found is None or self._refused(found) else found

    def through(self, places: Sequence[Any]) -> ActionSet:
        """Those of the base set less what is refused."""
        return Filtered(self._base.through(places), self._refused)

    def grouped(self) -> Grouped:
        """The groups of the base set less what is refused."""
        base = self._base.grouped()
        plain = [action for action in base.plain if not self._refused(action)]
        return Grouped(plain, base.keys, lambda key: Filtered(base.group(key), self._refused), lambda action: action.key)


class Offers(Sequence[Action]):
    """What a side may do, as a list that costs nothing until it is read: an action is made when it is taken.

    It equals the list of the same actions. It belongs to the position that it was asked of, and stays what it is when the
    game goes on.

    Args:
        offered: the set.
    """

    __slots__ = ("offer",)

    def __init__(self, offered: ActionSet) -> None:
        self.offer = offered
        """The set: membership of what is not listed, and reasons."""

    def sample(self, chance: RandomSource) -> Action:
        """See `ActionSet.sample`: nothing is listed."""
        return self.offer.sample(chance)

    def __len__(self) -> int:
        return self.offer.count()

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> list[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | list[Action]:
        if isinstance(index, slice):
            return [self.offer.nth(i) for i in range(*index.indices(len(self)))]
        return self.offer.nth(range(self.offer.count())[index])

    def __iter__(self) -> Iterator[Action]:
        return iter(self.offer)

    def __bool__(self) -> bool:
        return bool(self.offer)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.offer.lists(action)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | tuple | Offers):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # lists have none

    def __repr__(self) -> str:
        some = [*map(repr, self[:SHOWN]), *(["..."] if len(self) > SHOWN else [])]
        return f"<{len(self)} actions: {', '.join(some)}>"


def pick(items: Sequence[T], chance: RandomSource) -> T:
    """One item, uniformly."""
    if not items:
        raise LookupError("nothing is offered")
    return items[chance.randrange(len(items))]


def sample(items: Sequence[T], number: int, chance: RandomSource) -> list[T]:
    """Several different items in a random order, the same ones on every Python.

    Raises:
        ValueError: there are fewer.
    """
    if not 0 <= number <= len(items):
        raise ValueError(f"{number} of {len(items)} items cannot be taken")
    rest = list(items)
    return [rest.pop(chance.randrange(len(rest))) for _ in range(number)]


def shuffled(items: Sequence[T], chance: RandomSource) -> list[T]:
    """All items in a random order, the same one on every Python."""
    return sample(items, len(items), chance)


def by_kind(types: Iterable[type[Record]]) -> Mapping[str, type[Record]]:
    """The record types by their kind; two of one kind, or one of none, are an author's mistake."""
    known: dict[str, type[Record]] = {}
    for cls in types:
        if known.setdefault(kind_of(cls), cls) is not cls:
            raise ValueError(same_kind(cls, known[cls.kind]))
    return known


def same_kind(one: type[Record], other: type[Record]) -> str:
    """Say that two record types have one kind, with their modules: they may have the same name, too."""
    names = [f"{cls.__name__} ({cls.__module__})" for cls in (one, other)]
    return f"{' and '.join(names)} have the same kind {one.kind!r}"
