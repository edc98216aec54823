"""Checks of what plugins bring, so that a mistake becomes a sentence about the plugin, not a surprise somewhere else later."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import re
import signal
import threading
import time
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from hexwar.engine import Action, Event, Invariant, Part, RulesetInfo, SequenceOfPlay, Step
from hexwar.engine._actions import same_kind
from hexwar.errors import HexwarError, PluginError, Refusal
from hexwar.plugins._variants import Variant
from hexwar.plugins.specs import API, DiscoverySpecs, RuleSpecs


def _arguments(specs: type) -> dict[str, tuple[str, ...]]:
    hooks = {name: spec for name, spec in vars(specs).items() if name.startswith("hexwar_")}
    return {name: tuple(inspect.signature(spec).parameters)[1:] for name, spec in hooks.items()}


DISCOVERY_HOOKS = _arguments(DiscoverySpecs)
"""Discovery hook -> its arguments."""
RULE_HOOKS = _arguments(RuleSpecs)
"""Rule hook -> its arguments."""

MOST_SECONDS = 20.0
"""How much processor time a plugin may take to be imported or to answer a hook, where that can be measured."""
PATIENCE = 6
"""How many times as long it may take on the clock: a busy machine makes everybody wait."""
MOST_ITEMS = 10_000
"""A hook that answers more than these is taken for one that never ends."""
_ENTRY = re.compile(r"[\w.]+:[\w.]+")
_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


def shown(value: object) -> str:
    """A value as a message shows it."""
    text = f"the class {value.__name__}" if isinstance(value, type) else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def require(fits: object, sentence: str, value: object = None) -> None:
    """Fail unless something fits, with a sentence in which "…" stands for the value."""
    if not fits:
        raise PluginError(sentence.replace("…", shown(value)))


def in_words(error: BaseException) -> str:
    """What a plugin raised, in one line."""
    sentence = " ".join(str(error).split())
    return f"{type(error).__name__}: {sentence}" if sentence else type(error).__name__


# -- hooks ----------------------------------------------------------------------------------------------------------


def hooks_of(plugin: object) -> list[str]:
    """The hooks that a plugin implements, all of them as specified.

    Raises:
        PluginError: for a name that no hook has, a forgotten marker, a wrapper, an argument that the hook does not give,
            or a plugin for another version of the hooks.
    """
    api = getattr(plugin, "HEXWAR_API", API)
    require(api == API, f"it was written for version … of the plugin hooks; this hexwar has version {API}", api)
    found = []
    # A module may import what it lists only on demand; hooks are there.
    for name in sorted(vars(plugin)) if isinstance(plugin, ModuleType) else dir(plugin):
        function = getattr(plugin, name)
        marker = getattr(function, "hexwar_impl", None)
        if not isinstance(marker, dict):  # whatever else answers to that name, a mock object for one, is no marker
            marker = {}
        if marker or (name.startswith("hexwar_") and callable(function)):
            hook = marker.get("specname") or name
            _check_hook(hook, function, marker)
            found.append(hook)
    return found


def _check_hook(hook: str, function: Callable[..., Any], marker: dict[str, Any]) -> None:
    given = {**DISCOVERY_HOOKS, **RULE_HOOKS}
    if hook not in given:
        import difflib

        # Compared without what all of them begin with: otherwise each looks like any other.
        close = difflib.get_close_matches(hook.removeprefix("hexwar_"), [name.removeprefix("hexwar_") for name in given], n=1)
        hint = f"did you mean hexwar_{close[0]}?" if close else f"there are {', '.join(given)}"
        raise PluginError(f"no hook is called {hook!r}; {hint}")
    require(marker, f"{hook} lacks the marker @hookimpl")
    require(not (marker["wrapper"] or marker["hookwrapper"]), f"{hook} is a wrapper: no hook of hexwar can be one")
    what = ", ".join(given[hook]) or "no arguments"
    for argument in inspect.signature(function).parameters.values():
        if argument.default is not argument.empty or argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        taken = argument.name
        require(taken in given[hook], f"{hook} takes …, which the hook does not give; it gives {what}", taken)
        by_name = argument.kind is argument.KEYWORD_ONLY
        require(not by_name, f"{hook} takes … by its name only; hooks are called by position", taken)


# -- what discovery hooks answer --------------------------------------------------------------------------------------


def checked_answer(hook: str, answer: Any) -> Any:
    """What a discovery hook answered, as the list or dictionary that it should be; nothing is as good as an empty one.

    Raises:
        PluginError: saying what it should be.
    """
    if hook in _ITEMS:
        kind, check = _ITEMS[hook]
        listed = isinstance(answer, Iterable) and not isinstance(answer, str | Mapping)
        require(listed or answer is None, f"{hook} must return a list of {kind.__name__}, not …", answer)
        items = _few(hook, answer or ())  # it may be a generator, whose errors show only when it is listed
        for item in items:
            require(isinstance(item, kind), f"{hook} must return a list of {kind.__name__}, not …", item)
            check(item)
        return items
    require(answer is None or isinstance(answer, Mapping), f"{hook} must return a dictionary, not …", answer)
    pairs = _few(hook, (answer or {}).items())
    for name, value in pairs:
        require(isinstance(name, str) and name, f"{hook} must return a dictionary with strings for keys, not …", name)
        if hook != "hexwar_maps":
            _require_entry(f"{hook}, {name!r}", value)
        else:
            require(_is_file(value), f"{hook}, {name!r}: must be a file of pathlib or importlib.resources, not …", value)
    return dict(pairs)


def _is_file(value: object) -> bool:
    if isinstance(value, Path):
        return True
    from importlib.resources.abc import Traversable

    return isinstance(value, Traversable)


def _few(hook: str, answer: Iterable[Any]) -> list[Any]:
    """An answer as a list, unless it goes on for ever."""
    items = list(itertools.islice(answer, MOST_ITEMS + 1))
    require(len(items) <= MOST_ITEMS, f"{hook} returns more than {MOST_ITEMS} things")
    return items


@contextlib.contextmanager
def contained(what: str, prefix: str = "", kept: type[HexwarError] = PluginError) -> Iterator[None]:
    """Make one kind of error of all that a plugin may do wrong, and interrupt what takes too long, where that is possible.

    It is in the main thread of a system that has an alarm, and where nobody else waits for it.

    Args:
        what: the slow call.
        prefix: what a sentence about another error begins with.
        kept: errors that say themselves what is wrong.

    Raises:
        PluginError: it failed, or took longer.
    """
    work, clock = time.process_time(), time.monotonic()

    def late(*given: object) -> None:
        if time.process_time() - work >= MOST_SECONDS or time.monotonic() - clock >= PATIENCE * MOST_SECONDS:
            raise PluginError(
                f"{what} has not ended after {MOST_SECONDS:g} seconds of work or {PATIENCE} times as long on the clock"
            )

    main = threading.current_thread() is threading.main_thread()
    free = main and hasattr(signal, "SIGALRM") and not signal.getitimer(signal.ITIMER_REAL)[0]
    before = signal.signal(signal.SIGALRM, late) if free else None
    try:
        if free:
            signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS / 4, MOST_SECONDS / 4)
        yield
    except (KeyboardInterrupt, kept):
        raise
    except BaseException as error:  # a script without a guard ends the program when it is imported
        raise PluginError(f"{prefix}{in_words(error)}") from error
    finally:
        if free:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before or signal.SIG_DFL)


def _require_entry(where: str, value: object) -> None:
    fits = isinstance(value, str) and _ENTRY.fullmatch(value)
    require(fits, f'{where}: must be a string such as "module:object", not …', value)


def _require_fields(where: str, record: object) -> None:
    """Fail unless texts are texts, and tuples (or lists) hold what they should, each with a name of its own."""
    for name, hint in typing.get_type_hints(type(record)).items():
        value = getattr(record, name)
        if hint is str:
            require(isinstance(value, str), f"{where}: {name} must be a string, not …", value)
        elif typing.get_origin(hint) is tuple:
            kind = typing.get_args(hint)[0]
            # ("blue") is a string: a tuple of one has to be written ("blue",).
            fits = isinstance(value, tuple | list) and all(isinstance(each, kind) for each in value)
            require(fits, f"{where}: {name} must be a tuple of {'text' if kind is str else kind.__name__}, not …", value)
            names = [each if isinstance(each, str) else each.id for each in value]
            for each in names:
                require(names.count(each) == 1, f"{where}: {name} has … twice", each)


def _check_card(info: RulesetInfo) -> None:
    where = f"ruleset {info.id}"
    _require_fields(where, info)
    require(_ID.fullmatch(info.id), f"{where}: an id is made of small letters, digits, - and _")
    _require_entry(f"{where}: entry", info.entry)
    require(info.sides and info.scenarios, f"{where}: needs at least one side and one scenario")
    for side in info.sides:
        require(side == side.lower(), f"{where}: a side has a lower-case name, not …", side)
    for option in info.options:
        fits = option.default in (option.choices or (True, False))
        require(fits, f"{where}: option {option.id}: the default … is not one of its choices", option.default)


def require_rules_in_use(plugin: object, variants: list[Variant]) -> None:
    """Fail if a plugin holds rules itself and none of its variants says that these are its rules: none would be asked."""
    stray = [f"{hook} is a rule hook" for hook in hooks_of(plugin) if hook in RULE_HOOKS]
    stray += ["PARTS changes rules"] if hasattr(plugin, "PARTS") else []
    own = (plugin, getattr(plugin, "__name__", plugin))
    used = not stray or any(variant.rules in own for variant in variants)
    require(used, f"{''.join(stray[:1])}: it works only in the rules of a Variant, and none names this module")


BROUGHT: dict[str, type] = {"ACTIONS": Action, "STEPS": Step, "EVENTS": Event, "INVARIANTS": Invariant}
"""What the rules of a variant may bring besides hooks -> what that is a tuple of: classes, or the invariants themselves."""


def brought_by(rules: object) -> dict[str, tuple[Any, ...]]:
    """What the rules of a variant bring besides hooks, under the names that `Ruleset.extended` takes.

    Raises:
        PluginError: for something that no ruleset can use.
    """
    parts: dict[str, tuple[Any, ...]] = {}
    for name, kind in BROUGHT.items():
        values = getattr(rules, name, ())
        wanted = "Invariant" if kind is Invariant else f"classes of {kind.__name__}"
        require(isinstance(values, tuple | list), f"{name} must be a tuple of {wanted}, not …", values)
        for value in values:
            fits = isinstance(value, kind) if kind is Invariant else isinstance(value, type) and issubclass(value, kind)
            require(fits, f"{name} must be a tuple of {wanted}, not …", value)
        if values:
            parts[name.lower()] = tuple(values)
    return parts


def changes_of(rules: object) -> dict[str, type[Part]]:
    """The parts of the world that the rules of a variant change, each with the class that is put in front.

    Raises:
        PluginError: for something that is no part.
    """
    changes = getattr(rules, "PARTS", {})
    require(isinstance(changes, dict), "PARTS must be a dict of part -> class, not …", changes)
    for name, cls in changes.items():
        fits = isinstance(cls, type) and issubclass(cls, Part)
        require(fits, f"PARTS[{name!r}] must be a class of Part, not …", cls)
    return changes


def check_kinds(parts: Mapping[str, Mapping[str, tuple[Any, ...]]]) -> None:
    """Fail if two variants bring different classes of one kind.

    Args:
        parts: variant -> what it brings, as `brought_by` returns it.

    Raises:
        PluginError: naming both variants and both classes.
    """
    for what in ("actions", "steps", "events"):
        owners: dict[str, tuple[str, type]] = {}
        for variant, brought in parts.items():
            for cls in brought.get(what, ()):
                owner, known = owners.setdefault(cls.kind, (variant, cls))
                fits = known is cls or owner == variant
                require(fits, f"variants {owner} and {variant} do not go together: {same_kind(known, cls)}")


_ITEMS: dict[str, tuple[type, Callable[[Any], None]]] = {
    "hexwar_invariants": (Invariant, lambda it: _require_fields(f"invariant {it.title!r}", it)),
    "hexwar_rulesets": (RulesetInfo, _check_card),
    "hexwar_variants": (Variant, lambda it: _require_fields(f"variant {it.id}", it)),
}

# -- what rule hooks answer -------------------------------------------------------------------------------------------

RULE_ANSWERS: dict[str, type] = {"hexwar_sequence": SequenceOfPlay, "hexwar_veto": Refusal, "hexwar_on_event": type(None)}
"""Rule hook -> what it may return besides None."""
