"""Content: plain values whose classes say, as pydantic models do, what a file may hold.

A class of content is written like a model of pydantic. The model itself is made when a file has to be checked: a process in
which all content was checked before (see `hexwar.cache`) does without pydantic, whose import takes longer than to make a world.
"""

from __future__ import annotations

import functools
import json
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin

if TYPE_CHECKING:
    from typing import Self

    from pydantic import BaseModel


class _Late(NamedTuple):
    """Something of pydantic that is made together with the model in which it stands."""

    make: Callable[[Any], Any]
    """Makes it, given the module `pydantic`."""


def _made(value: Any) -> Any:
    """A value as pydantic knows it."""
    import pydantic

    return value.make(pydantic) if isinstance(value, _Late) else value


def Field(*default: Any, **how: Any) -> Any:  # noqa: N802
    """What pydantic's function of this name says of a field, without importing it."""
    return _Late(lambda pydantic: pydantic.Field(*default, **how))


def BeforeValidator(check: Callable[[Any], Any]) -> Any:  # noqa: N802
    """What pydantic's class of this name does, without importing it."""
    return _Late(lambda pydantic: pydantic.BeforeValidator(check))


def AfterValidator(check: Callable[[Any], Any]) -> Any:  # noqa: N802
    """What pydantic's class of this name does, without importing it."""
    return _Late(lambda pydantic: pydantic.AfterValidator(check))


def model_validator(*, mode: Literal["before", "after"]) -> Callable[[Any], Any]:
    """What pydantic's decorator of this name does, without importing it."""
    return lambda function: _Late(lambda pydantic: pydantic.model_validator(mode=mode)(function))


class Content:
    """Base of all content, also of rulesets' own: nothing unknown, nothing changed later.

    Pydantic's own `Field` and validators work as well; those of `hexwar.pieces` save the import of pydantic.
    """

    def __init__(self, **values: Any) -> None:
        vars(self).update(vars(self.model_validate(values)))

    @classmethod
    def model_validate(cls, data: object) -> Self:
        """Content from what a file says.

        Raises:
            pydantic.ValidationError: naming all mistakes.
        """
        return cast("Self", _plain(model_of(cls).model_validate(data)))

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        """The schema, for editors."""
        return model_of(cls).model_json_schema()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: Any) -> Any:
        return handler.generate_schema(model_of(cls))

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """The same with some other fields, which are not checked."""
        return restored(type(self), {**dict(self), **update})

    def model_dump(self, *, exclude: Collection[str] = (), exclude_defaults: bool = False) -> dict[str, Any]:
        """As plain values, without some of the fields."""
        usual = {name: field.default for name, field in model_of(type(self)).model_fields.items()} if exclude_defaults else {}
        return {
            name: _dumped(value) for name, value in self if name not in exclude and (name not in usual or value != usual[name])
        }

    def model_dump_json(self, *, exclude: Collection[str] = ()) -> str:
        """As JSON, without some of the fields."""
        return json.dumps(self.model_dump(exclude=exclude), ensure_ascii=False, separators=(",", ":"))

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        values = vars(self)
        return ((name, values[name]) for name in _fields(cast("Any", type(self))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Content) and type(other) is type(self) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash((type(self), tuple(value for _, value in self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} does not change: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} does not change: {name} cannot be deleted")


C = TypeVar("C", bound=Content)


def restored(cls: type[C], fields: dict[str, Any]) -> C:
    """Content whose fields are known to be right."""
    made = cls.__new__(cls)
    vars(made).update(fields)
    return made


@functools.cache
def _fields(cls: type) -> tuple[str, ...]:
    """The names of the fields, those of bases first."""
    said = {name: hint for base in reversed(cls.__mro__) for name, hint in vars(base).get("__annotations__", {}).items()}
    return tuple(name for name, hint in said.items() if not name.startswith("_") and "ClassVar" not in str(hint))


def each(change: Callable[[Any], Any], value: Any) -> Any:
    """A value with a change of everything inside it, if it is a table, a list or a tuple."""
    if isinstance(value, dict):
        return {name: change(item) for name, item in value.items()}
    return type(value)(map(change, value)) if isinstance(value, list | tuple) else value


def _dumped(value: Any) -> Any:
    return value.model_dump() if isinstance(value, Content) else each(_dumped, value)


# -- the model that checks a file -------------------------------------------------------------------------------------------


def _model(cls: type[Content]) -> type[BaseModel]:
    from pydantic import BaseModel, ConfigDict

    make: Any = type(BaseModel)
    if cls is Content:
        config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True)
        return cast("type[BaseModel]", make("Content", (BaseModel,), {"__module__": cls.__module__, "model_config": config}))
    hints = typing.get_type_hints(cls, include_extras=True)
    names: dict[str, Any] = {
        name: _made(value) for name, value in vars(cls).items() if not name.startswith("__") or name == "__doc__"
    }
    names["__module__"], names["__qualname__"] = cls.__module__, cls.__qualname__
    names["__annotations__"] = {name: _told(hints[name]) for name in vars(cls).get("__annotations__", ())}
    names["__content__"] = cls
    bases = tuple(model_of(base) if issubclass(base, Content) else base for base in cls.__bases__)
    return cast("type[BaseModel]", make(cls.__name__, bases, names))


model_of: Callable[[type[Content]], type[BaseModel]] = cast("Any", functools.cache(_model))
"""The model that checks what becomes content of a class."""


def _told(hint: Any) -> Any:
    """A type in which pydantic finds its own things."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        base, *said = inside
        return Annotated[(_told(base), *map(_made, said))]
    if origin in (None, Literal, ClassVar):
        return hint
    types = tuple(_told(it) for it in inside)
    return Union[types] if origin in (Union, UnionType) else origin[types]  # noqa: UP007


def _plain(value: Any) -> Any:
    """What a model found, as content."""
    cls = getattr(type(value), "__content__", None)
    return restored(cls, each(_plain, vars(value))) if cls else each(_plain, value)
