"""Parts: a world has rules, each an object of one chapter, instead of being all of them.

A ruleset replaces a part by a subclass in the chapter that differs, and there the clause stands. A variant changes a part in
the same way: its class is put in front, so that `super()` is the rule as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

if TYPE_CHECKING:
    from hexwar.engine.steps import World

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
        kind: the class, or anything that makes a part of a world.
    """

    def __init__(self, kind: Callable[[Any], P]) -> None:
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
        made = changed(self.kind, world.part_changes(self.name))(world)
        world.__dict__[self.name] = made  # from now on a plain attribute
        return made


def changed(kind: Callable[[Any], P], changes: tuple[type[Part], ...]) -> Callable[[Any], P]:
    """A class of parts with the changes of variants in front of it, the last variant's first."""
    if not changes:
        return kind
    name = getattr(kind, "__name__", "part")
    bases: Any = (*reversed(changes), kind)
    return type(name, bases, {})


def part_names(world: type[World]) -> tuple[str, ...]:
    """The names of the parts that a class of worlds has."""
    return tuple(sorted({name for cls in world.__mro__ for name, value in vars(cls).items() if isinstance(value, part)}))
