"""Parts: a world has rules, each an object of one chapter, instead of being all of them.

A ruleset replaces a part by a subclass in the chapter that differs, and there the clause stands. A variant changes a part in
the same way: its class is put in front, so that `super()` is the rule as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import isfunction
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from hexwar.errors import PluginError, UnknownName

if TYPE_CHECKING:
    from hexwar.engine._steps import World

P = TypeVar("P", bound="Part", covariant=True)


class Part:
    """The rules of one chapter in one game. What never changes during a game may be kept in its attributes.

    Args:
        world: whose part it is; its other parts are there when they are asked, not before.
    """

    world: Any
    """Subclasses name the class of worlds that they are for."""

    def __init__(self, world: World) -> None:
        self.world = world


class part(Generic[P]):  # noqa: N801  # read as a word, like `property`
    """Declares a part of a world: `zones = part(Zones)`. It is made when it is first asked for.

    Args:
        kind: the class.
    """

    def __init__(self, kind: type[P]) -> None:
        self.kind = kind

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, world: None, owner: type) -> Self: ...

    @overload
    def __get__(self, world: World, owner: type) -> P: ...

    def __get__(self, world: World | None, owner: type) -> Self | P:
        if world is None:
            return self
        kind: type[P] = world.changed_parts.get(self.name, self.kind)
        made = kind(world)
        world.__dict__[self.name] = made  # from now on a plain attribute
        return made


def parts_of(world: type[World]) -> dict[str, type[Part]]:
    """The parts that a class of worlds has, each with its class."""
    return {name: value.kind for cls in reversed(world.__mro__) for name, value in vars(cls).items() if isinstance(value, part)}


def changed_parts(world: type[World], changes: Mapping[str, Mapping[str, type[Part]]]) -> dict[str, Any]:
    """The parts of a class of worlds that variants change, each with the changes in front of it, the last variant's first.

    Args:
        world: the class.
        changes: variant -> part -> the class that it puts in front.

    Raises:
        PluginError: for a change that does not fit, naming the variant.
    """
    kinds = parts_of(world)
    found: dict[str, Any] = {}
    for variant, classes in changes.items():
        for name, cls in classes.items():
            try:
                if name not in kinds:
                    raise UnknownName("part", name, kinds)
                _check_change(cls, kinds[name])
                found[name] = kinds[name] = type(cls.__name__, (cls, kinds[name]), _blamed(variant, cls))
            except (UnknownName, TypeError) as error:
                raise PluginError(f"variant {variant}: {' '.join(str(error).split())}") from None
    return found


def _check_change(cls: type[Part], kind: type[Part]) -> None:
    """Fail for what could not change the rule."""
    shared = set(cls.__mro__) & set(kind.__mro__) - set(Part.__mro__)
    if not shared or cls in shared:
        why = "it is that rule itself" if shared else "it derives from none of its classes"
        raise TypeError(f"{cls.__name__} cannot be put in front of {kind.__name__}: {why}")
    import difflib

    for name in set(vars(cls)) - set(dir(kind)):
        close = difflib.get_close_matches(name, dir(kind), n=1, cutoff=0.8)
        if close and not name.startswith("_"):  # a method that is misspelt must not be silently without effect
            raise TypeError(f"{kind.__name__} has no {name}; did you mean {close[0]}?")


def _blamed(variant: str, cls: type[Part]) -> dict[str, Any]:
    """The methods of a change, with a note of the variant on what they raise: a traceback alone does not name it."""

    def blamed(name: str) -> Callable[..., Any]:
        @wraps(getattr(cls, name))
        def call(*arguments: Any, **words: Any) -> Any:
            try:
                return getattr(cls, name)(*arguments, **words)
            except Exception as error:
                error.add_note(f"variant {variant}: {cls.__name__}.{name}")
                raise

        return call

    return {name: blamed(name) for name, value in vars(cls).items() if isfunction(value)}
