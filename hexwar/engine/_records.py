"""Records: the small immutable values that actions, events and steps are made of, and their JSON form.

One decorator makes all of them, so that speed, naming and the JSON form are decided in one place.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import re
import string
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar, dataclass_transform

from hexwar.errors import HexwarError

T = TypeVar("T")

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""Plain JSON data."""


class Record:
    """Base of actions, events and steps: a value with a name (`kind`) that its JSON form carries."""

    __slots__ = ()
    kind: ClassVar[str] = ""
    """What saves and logs call it, whatever the class is called: written in each class, never changed once it is released."""
    says: ClassVar[str] = ""
    """Its sentence, with names of its fields in braces: "{unit} loses a step". One that chooses its words has a `__str__`."""
    lists: ClassVar[tuple[str, ...]] = ()
    """What else the sentence of a step, its question, may name: methods that list something in the position."""
    # Read by pydantic where untrusted JSON becomes a record: exact types, no unknown keys.
    __pydantic_config__: ClassVar[dict[str, Any]] = {"strict": True, "extra": "forbid"}

    def to_json(self) -> dict[str, Json]:
        """The record as plain JSON data, its kind included."""
        return {"kind": kind_of(type(self)), **_fields(self)}

    def sentence(self, **more: object) -> str:
        """What `says` means for this one; a tuple is a list with commas. What it names besides the fields is given."""
        values = self.sentence_values(*more) | more
        return self.says.format(**{name: ", ".join(map(str, it)) if isinstance(it, tuple) else it for name, it in values.items()})

    def sentence_values(self, *given: str) -> dict[str, Any]:
        """The fields that `says` names, with their values, but for those that are given."""
        fields = {name for _, name, _, _ in string.Formatter().parse(self.says) if name}
        return {name: getattr(self, name) for name in fields.difference(given) if hasattr(self, name)}


def kind_of(cls: type[Record]) -> str:
    """The kind that a class of records itself has; none is inherited, because a save must tell parent and child apart.

    Raises:
        ValueError: it has none.
    """
    kind = cls.__dict__.get("kind")
    if not kind:
        raise ValueError(f"{cls.__name__} ({cls.__module__}) has no kind of its own: {_advice(cls)}")
    return str(kind)


def _advice(cls: type) -> str:
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
    return f'write `kind = "{name}"`, the name that saves will have for it'


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def record(cls: type[T]) -> type[T]:
    """Make a class of `Record` into an immutable, slotted value whose `repr` is valid Python.

    Each class of `Record` says what its kind is (`kind = "lose-step"`), so that it can be renamed; a base of which nothing is
    ever made says `kind = ""`.
    """
    own = {name for name, value in cls.__dict__.items() if value is not None}  # Python puts None where there is no hash
    for name in _COMMON.keys() - own:
        setattr(cls, name, _COMMON[name])
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    if "__init__" in own or not all(field.init for field in dataclasses.fields(made)):
        raise TypeError(f"{made.__name__} is made of all its fields: it has no __init__ of its own, and none of them init=False")
    made.__init__ = _InitLater(made)
    for name in {"__eq__", "__hash__"} - own:
        setattr(made, name, _written_later(made, name))
    if not issubclass(made, Record):
        made.__pydantic_config__ = Record.__pydantic_config__
    elif any(field.name == "kind" for field in dataclasses.fields(made)):
        raise TypeError(f"{made.__name__} may not have a field `kind`: that is the record's own name in its JSON form")
    elif "kind" not in made.__dict__:
        raise TypeError(f'{made.__name__} does not say what its kind is: {_advice(made)} (`kind = ""` if it is only a base)')
    elif unknown := {name for _, name, _, _ in string.Formatter().parse(made.says) if name} - {*made.__match_args__, *made.lists}:
        raise TypeError(f"{made.__name__} says something about {min(unknown)!r}, which is not one of its fields")
    return made  # type: ignore[no-any-return]


# A dataclass writes and compiles six functions for every class: a fifth of the time in which a large game starts. Here three are
# written when they are first needed, and the others are the same for all classes.


class _InitLater:
    """Stands for the `__init__` of a class until it is used: the call that makes a record, or `inspect`."""

    def __init__(self, cls: Any) -> None:
        self._cls = cls

    def __get__(self, instance: object, owner: type) -> Any:
        self._cls.__init__ = init = _init_of(self._cls)
        return init.__get__(instance, owner)


def _init_of(cls: Any) -> Any:
    """The `__init__` that a dataclass would have, that sets each slot directly: a game makes a dozen records for every action.

    A frozen dataclass looks `object.__setattr__` up for every field, which takes more than twice as long.
    """
    fields = dataclasses.fields(cls)
    known: dict[str, Any] = {"__missing": dataclasses.MISSING}  # no field can have two underscores: Python mangles its name
    taken, body = {False: ["self"], True: ["*"]}, []
    for number, field in enumerate(fields):
        known[f"__set_{number}"] = getattr(cls, field.name).__set__
        known[f"__new_{number}"] = field.default_factory
        known[f"__default_{number}"] = field.default
        is_made = field.default_factory is not dataclasses.MISSING
        made = f"__new_{number}() if {field.name} is __missing else {field.name}" if is_made else field.name
        body.append(f"__set_{number}(self, {made})")
        has_default = is_made or field.default is not dataclasses.MISSING
        taken[field.kw_only is True].append(f"{field.name}=__default_{number}" if has_default else field.name)
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    signature = ", ".join([*taken[False], *(taken[True] if len(taken[True]) > 1 else ())])
    space: dict[str, Any] = {"__name__": cls.__module__}
    exec(f"def make({', '.join(known)}):\n def __init__({signature}):\n  {'; '.join(body) or 'pass'}\n return __init__", space)
    init = space["make"](**known)
    init.__annotations__ = {**{field.name: field.type for field in fields}, "return": None}
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _written_later(cls: Any, name: str) -> Any:
    """A method of a class that is written when it is first called."""

    def written(self: Any, *other: Any) -> Any:
        fields = [field.name for field in dataclasses.fields(cls) if field.compare]
        mine, theirs = (f"({''.join(f'{record}.{field}, ' for field in fields)})" for record in ("self", "other"))
        same = f"{mine} == {theirs} if other.__class__ is self.__class__ else NotImplemented"
        setattr(cls, name, eval(f"lambda self, other: {same}" if other else f"lambda self: hash({mine})"))
        return getattr(cls, name)(self, *other)

    return written


def _repr(self: Any) -> str:
    fields = ", ".join(f"{field.name}={_literal(getattr(self, field.name))}" for field in dataclasses.fields(self))
    return f"{type(self).__qualname__}({fields})"


def _frozen(self: Any, name: str, *_: object) -> None:
    raise dataclasses.FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed: a record is a value")


def _values(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, values: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), values, strict=True):
        object.__setattr__(self, field.name, value)


_COMMON: dict[str, Any] = {
    "__repr__": _repr,
    "__setattr__": _frozen,
    "__delattr__": _frozen,
    "__getstate__": _values,
    "__setstate__": _restore,
}


_PLAIN = frozenset({str, int, bool, type(None)})
"""Types that are JSON data as they are."""
_KEYS = frozenset({str, int})
MAX_WRITTEN = 200_000
"""The longest JSON text of a record or of a field of a state."""
MAX_QUICK = 2_000
MOST = 2**63
"""The largest number that an action holds; texts of numbers of thousands of digits cannot be made."""


_WRITTEN = 10**1000
"""Greater numbers are written as hexadecimal ones, which Python reads as well."""


def _literal(value: object) -> str:
    """The value as Python would write it, the same under every hash seed."""
    if isinstance(value, enum.Enum):
        return str(f"{type(value).__name__}.{value.name}")
    if type(value) is frozenset and value:
        return f"frozenset({{{', '.join(sorted(map(_literal, value)))}}})"
    if type(value) is tuple:
        return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, types.MappingProxyType):
        return repr(dict(value))
    if isinstance(value, int) and abs(value) > _WRITTEN:  # Python does not write the decimals of a giant
        return hex(value)
    return repr(value)


def plain(value: object, fields: Callable[[Any], dict[str, Json]] | None = None) -> Json:
    """Any value that a state or a record may hold, as JSON data; sets become sorted lists.

    Args:
        value: the value.
        fields: how a record inside it is written; with all its fields if not given.
    """
    if type(value) in _PLAIN:
        return value  # type: ignore[return-value]
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, tuple | list):
        return [plain(item, fields) for item in value]
    if isinstance(value, Mapping):
        if not set(map(type, value)) <= _KEYS and not all(isinstance(key, str | int) for key in value):
            raise TypeError(f"a mapping in a state or record has text or whole numbers for keys, not {next(iter(value))!r}")
        return {str(key): item if type(item := value[key]) in _PLAIN else plain(item, fields) for key in sorted(value)}
    if isinstance(value, frozenset | set):
        return [plain(item, fields) for item in sorted(value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (fields or _fields)(value)
    raise TypeError(f"a state or record may not hold a {type(value).__name__}: {value!r}")


def _fields(value: Any) -> dict[str, Json]:
    """The fields of a record; before them its kind, where it is inside another and of a class that is told apart by it."""
    kind = type(value).__dict__.get("kind")
    named: dict[str, Json] = {"kind": kind} if isinstance(kind, str) and not isinstance(value, Record) else {}
    return named | {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


def essence(value: object) -> Json:
    """What a fingerprint covers of a value: what `plain` gives, with kinds, but without the fields that are at their defaults.

    So a class may be renamed, and may gain a field with a default, and the fingerprints of old values stay as they were.
    """
    return plain(value, _essentials)


def quick_text(value: object) -> str | None:
    """The JSON text of the essence of a large table of plain texts or whole numbers, sooner; None of anything else.

    A state is mostly such tables: where all units are, and how many steps they have left.
    """
    if not isinstance(value, Mapping) or len(value) < _LARGE:
        return None
    if type(value) is not dict:
        value = dict(value.items())
    if {*map(type, value)} != _TEXT:
        return None
    kinds = {*map(type, value.values())}
    if kinds == _TEXT:
        text = ",".join([f'"{key}":"{value[key]}"' for key in sorted(value)])
    elif kinds == _NUMBER:
        text = ",".join([f'"{key}":{value[key]}' for key in sorted(value)])
    else:
        return None
    quotes = len(value) * (4 if kinds == _TEXT else 2)
    # Whatever JSON writes in another way than Python is left to it.
    return f"{{{text}}}" if text.isascii() and len(text) == len(text.encode().translate(None, _ESCAPED)) + quotes else None


_ESCAPED = bytes((*range(32), 127)) + b'"\\'
_LARGE = 50
_TEXT: set[type] = {str}
_NUMBER: set[type] = {int}


def _essentials(value: Any) -> dict[str, Json]:
    told: dict[str, Json] = {"kind": kind_of(type(value))} if isinstance(value, Record) else {}
    for name, default in _defaults(type(value)):  # type: ignore[arg-type]  # a class is hashable
        item = getattr(value, name)
        if item is not default and item != default:
            told[name] = item if type(item) in _PLAIN else plain(item, _essentials)
    return told


@functools.cache
def _defaults(cls: Any) -> tuple[tuple[str, Any], ...]:
    """The fields of a class with their defaults, MISSING where there is none, which equals no value."""
    made = dataclasses.MISSING
    return tuple(
        (field.name, field.default if field.default_factory is made else field.default_factory())
        for field in dataclasses.fields(cls)
    )


def has_shape(value: Record) -> bool:
    """Whether every field of a record has exactly the type that it declares: True is no 1, and a list is no tuple.

    Nor is a subclass of a string one: its equality may lie. A number beyond `MOST` does not fit. Of a type that cannot be judged
    quickly (a set) no value passes.
    """
    for name, plain_type, check in _shape(type(value)):  # type: ignore[arg-type]  # a class is hashable
        item = getattr(value, name)
        if type(item) is not plain_type and (check is None or not check(item)):
            return False
    return True


@functools.cache
def is_quick(cls: Any) -> bool:
    """Whether `has_shape` can judge all fields of a class."""
    return all(plain_type or check for _, plain_type, check in _shape(cls))


def plain_text(name: object) -> str:
    """A name that was passed, as a plain string: a subclass may claim to equal anything.

    Raises:
        HexwarError: it is no text.
    """
    if not isinstance(name, str):
        raise HexwarError(f"a name is a string, not {name!r}")
    return str.__str__(name)


@functools.cache
def _shape(cls: Any) -> tuple[tuple[str, Any, Callable[[Any], bool] | None], ...]:
    """Field, its type if that says it all, and otherwise what looks at the value."""
    hints = typing.get_type_hints(cls)
    plainly = {name: hint for name, hint in hints.items() if hint in _PLAIN and hint is not int}
    names = [field.name for field in dataclasses.fields(cls)]
    return tuple((name, plainly.get(name), None if name in plainly else _check(hints[name])) for name in names)


def _check(hint: Any) -> Callable[[Any], bool] | None:
    """A test of whether a value is of a type; None where there is no quick one."""
    inner: list[Any] = [_check(argument) for argument in typing.get_args(hint) if argument is not ...]
    if None in inner:
        return None
    if hint is int:
        return lambda value: type(value) is int and abs(value) <= MOST
    if hint in _PLAIN:
        return lambda value: type(value) is hint
    if typing.get_origin(hint) is tuple and ... in typing.get_args(hint):
        return lambda value: type(value) is tuple and all(map(inner[0], value))
    if typing.get_origin(hint) is tuple:
        return lambda value: (
            type(value) is tuple
            and len(value) == len(inner)
            and all(check(item) for check, item in zip(inner, value, strict=True))
        )
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return lambda value: any(check(value) for check in inner)
    return None


def parse(cls: type[T], data: object) -> T:
    """Turn untrusted JSON data into a value of a record or field type, strictly.

    Raises:
        ValueError: with one sentence that says where and what was expected.
    """
    if (made := _made_quickly(cls, data)) is not None:
        return made  # type: ignore[no-any-return]

    import json

    import pydantic

    adapter = _ADAPTERS.get(cls)
    if adapter is None:
        adapter = _ADAPTERS[cls] = pydantic.TypeAdapter(cls)
    try:
        # Through text, because only pydantic's JSON mode takes a list for a tuple and still refuses "1" for 1.
        written = json.dumps(data)
        if len(written) > MAX_WRITTEN:  # each value in it may become an error, and each of those takes a thousand bytes
            raise ValueError(f"is longer than {MAX_WRITTEN} characters")
        return adapter.validate_json(written, strict=True)  # type: ignore[no-any-return]
    except (TypeError, RecursionError) as error:
        raise ValueError(f"is no JSON data: {error}") from None
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        sentence = first["msg"][0].lower() + first["msg"][1:]
        raise ValueError(f"{where}: {sentence}" if where else sentence) from None


_ADAPTERS: dict[Any, Any] = {}


def _made_quickly(cls: Any, data: object) -> Any:
    """A record from short data of exactly the types that it should have; None if a closer look is needed."""
    if not (isinstance(data, dict) and isinstance(cls, type) and issubclass(cls, Record) and is_quick(cls)):  # type: ignore[arg-type]
        return None
    try:
        made = cls(**{name: tuple(value) if type(value) is list else value for name, value in data.items()})
        return made if has_shape(made) and _is_short(data) else None
    except (TypeError, ValueError):
        return None


def _is_short(data: dict[str, Any]) -> bool:
    """Whether its values are few and short enough to be looked at one by one."""
    return sum(len(value if type(value) is str else str(value)) for value in data.values()) <= MAX_QUICK
