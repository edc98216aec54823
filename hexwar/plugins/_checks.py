"""Checks of what plugins bring, so that a mistake becomes a sentence about the plugin, not a surprise somewhere else later."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import itertools
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any

from hexwar.engine import Action, Clause, Event, Invariant, Option, Part, RulesetInfo, Scenario, SequenceOfPlay, Step
from hexwar.engine._actions import same_kind
from hexwar.errors import PluginError, Refusal
from hexwar.plugins._variants import Variant
from hexwar.plugins.specs import API, DiscoverySpecs, RuleSpecs


def _arguments(specs: type) -> dict[str, tuple[str, ...]]:
    hooks = {name: spec for name, spec in vars(specs).items() if name.startswith("hexwar_")}
    return {name: tuple(inspect.signature(spec).parameters)[1:] for name, spec in hooks.items()}


DISCOVERY_HOOKS = _arguments(DiscoverySpecs)
"""Discovery hook -> its arguments."""
RULE_HOOKS = _arguments(RuleSpecs)
"""Rule hook -> its arguments."""

MOST_ITEMS = 10_000
"""A hook that answers more than these is taken for one that never ends."""
_ENTRY = re.compile(r"[\w.]+:[\w.]+")
_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


def shown(value: object) -> str:
    """A value as a message shows it."""
    text = f"the class {value.__name__}" if isinstance(value, type) else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def told(error: BaseException) -> str:
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
    if api != API:
        raise PluginError(f"it was written for version {api!r} of the plugin hooks; this hexwar has version {API}")
    found = []
    # A module may import what it lists only when somebody asks for it; hooks are there.
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
        # Compared without what all of them begin with: otherwise each looks like any other.
        close = difflib.get_close_matches(hook.removeprefix("hexwar_"), [name.removeprefix("hexwar_") for name in given], n=1)
        hint = f"did you mean hexwar_{close[0]}?" if close else f"there are {', '.join(given)}"
        raise PluginError(f"no hook is called {hook!r}; {hint}")
    if not marker:
        raise PluginError(f"{hook} lacks the marker @hookimpl")
    if marker["wrapper"] or marker["hookwrapper"]:
        raise PluginError(f"{hook} is a wrapper: no hook of hexwar can be one")
    for argument in inspect.signature(function).parameters.values():
        if argument.default is not argument.empty or argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        if argument.name not in given[hook]:
            what = ", ".join(given[hook]) or "no arguments"
            raise PluginError(f"{hook} takes {argument.name!r}, which the hook does not give; it gives {what}")
        if argument.kind is argument.KEYWORD_ONLY:
            raise PluginError(f"{hook} takes {argument.name!r} by its name only; hooks are called by position")


# -- what discovery hooks answer --------------------------------------------------------------------------------------


def checked_answer(hook: str, answer: Any) -> Any:
    """What a discovery hook answered, as the list or dictionary that it should be; nothing is as good as an empty one.

    Raises:
        PluginError: saying what it should be.
    """
    if hook in _ITEMS:
        kind, check = _ITEMS[hook]
        if answer is not None and (isinstance(answer, str | Mapping) or not isinstance(answer, Iterable)):
            raise PluginError(f"{hook} must return a list of {kind.__name__}, not {shown(answer)}")
        items = _few(hook, answer or ())  # it may be a generator, whose errors show only when it is listed
        for item in items:
            if not isinstance(item, kind):
                raise PluginError(f"{hook} must return a list of {kind.__name__}, and {shown(item)} is none")
            check(item)
        return items
    if answer is not None and not isinstance(answer, Mapping):
        raise PluginError(f"{hook} must return a dictionary, not {shown(answer)}")
    pairs = _few(hook, (answer or {}).items())
    for name, value in pairs:
        if not isinstance(name, str) or not name:
            raise PluginError(f"{hook} must return a dictionary with texts for keys, and {shown(name)} is none")
        if hook != "hexwar_maps":
            _require_entry(f"{hook}, {name!r}", value)
        elif not isinstance(value, Traversable):
            raise PluginError(f"{hook}, {name!r}: must be a file of pathlib or importlib.resources, not {shown(value)}")
    return dict(pairs)


def _few(hook: str, answer: Iterable[Any]) -> list[Any]:
    """An answer as a list, unless it goes on for ever."""
    items = list(itertools.islice(answer, MOST_ITEMS + 1))
    if len(items) > MOST_ITEMS:
        raise PluginError(f"{hook} returns more than {MOST_ITEMS} things")
    return items


@contextlib.contextmanager
def at_most(seconds: float, what: str) -> Iterator[None]:
    """Interrupt what takes too long, where the system can: in the main thread, and where nobody else waits for the alarm.

    Raises:
        PluginError: it took longer.
    """
    alarm = getattr(signal, "SIGALRM", None)  # Windows has none
    if alarm is None or threading.current_thread() is not threading.main_thread() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def late(*given: object) -> None:
        raise PluginError(f"{what} has not ended after {seconds:g} seconds")

    before = signal.signal(alarm, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(alarm, before or signal.SIG_DFL)


def _require_entry(where: str, value: object) -> None:
    if not isinstance(value, str) or not _ENTRY.fullmatch(value):
        raise PluginError(f'{where}: must be a text such as "module:object", not {shown(value)}')


def _require_texts(where: str, record: object, *names: str) -> None:
    for name in names:
        if not isinstance(getattr(record, name), str):
            raise PluginError(f"{where}: {name} must be a text, not {shown(getattr(record, name))}")


def _require_each(where: str, record: object, name: str, kind: type) -> list[str]:
    """Fail unless a field is a tuple or list of a kind of thing, each with a name of its own; their names."""
    values = getattr(record, name)
    # ("blue") is a text: a tuple of one has to be written ("blue",).
    if not isinstance(values, tuple | list) or not all(isinstance(value, kind) for value in values):
        what = "text" if kind is str else kind.__name__
        raise PluginError(f"{where}: {name} must be a tuple of {what}, not {shown(values)}")
    names = [value if isinstance(value, str) else value.id for value in values]
    for each in names:
        if names.count(each) > 1:
            raise PluginError(f"{where}: {name} has {each!r} twice")
    return names


def _check_card(info: RulesetInfo) -> None:
    where = f"ruleset {info.id}"
    _require_texts(where, info, "id", "title", "version", "entry", "maturity", "summary", "credits")
    if not _ID.fullmatch(info.id):
        raise PluginError(f"{where}: an id is made of small letters, digits, - and _")
    _require_entry(f"{where}: entry", info.entry)
    sides = _require_each(where, info, "sides", str)
    scenarios = _require_each(where, info, "scenarios", Scenario)
    _require_each(where, info, "options", Option)
    _require_each(where, info, "loads", str)
    if not sides or not scenarios:
        raise PluginError(f"{where}: needs at least one side and one scenario")
    for side in sides:
        if side != side.lower():
            raise PluginError(f"{where}: a side has a lower-case name, not {side!r}")
    for option in info.options:
        if option.default not in (option.choices or (True, False)):
            raise PluginError(f"{where}: option {option.id}: the default {option.default!r} is not one of its choices")


def _check_variant(variant: Variant) -> None:
    where = f"variant {variant.id}"
    _require_texts(where, variant, "id", "ruleset", "title", "clause")
    _require_each(where, variant, "clauses", Clause)
    _require_each(where, variant, "excludes", str)
    _require_each(where, variant, "scenarios", str)


def require_rules_in_use(plugin: object, variants: list[Variant]) -> None:
    """Fail if a plugin holds rules itself and none of its variants says that these are its rules: none would be asked."""
    stray = [f"{hook} is a rule hook" for hook in hooks_of(plugin) if hook in RULE_HOOKS]
    stray += ["PARTS changes rules"] if hasattr(plugin, "PARTS") else []
    own = (plugin, getattr(plugin, "__name__", plugin))
    if stray and not any(variant.rules in own for variant in variants):
        raise PluginError(f"{stray[0]}: it works only in the rules of a Variant, and none names this module")


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
        if not isinstance(values, tuple | list):
            raise PluginError(f"{name} must be a tuple of {wanted}, not {shown(values)}")
        for value in values:
            fits = isinstance(value, kind) if kind is Invariant else isinstance(value, type) and issubclass(value, kind)
            if not fits:
                raise PluginError(f"{name} must be a tuple of {wanted}, and {shown(value)} is none")
        if values:
            parts[name.lower()] = tuple(values)
    return parts


def changes_of(rules: object) -> dict[str, type[Part]]:
    """The parts of the world that the rules of a variant change, each with the class that is put in front.

    Raises:
        PluginError: for something that is no part.
    """
    changes = getattr(rules, "PARTS", {})
    if not isinstance(changes, dict):
        raise PluginError(f"PARTS must be a dict of part -> class, not {shown(changes)}")
    for name, cls in changes.items():
        if not (isinstance(cls, type) and issubclass(cls, Part)):
            raise PluginError(f"PARTS[{name!r}] must be a class of Part, and {shown(cls)} is none")
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
                if known is not cls and owner != variant:
                    raise PluginError(f"variants {owner} and {variant} do not go together: {same_kind(known, cls)}")


def _check_invariant(invariant: Invariant) -> None:
    _require_texts(f"invariant {invariant.title!r}", invariant, "clause", "title")


_ITEMS: dict[str, tuple[type, Callable[[Any], None]]] = {
    "hexwar_invariants": (Invariant, _check_invariant),
    "hexwar_rulesets": (RulesetInfo, _check_card),
    "hexwar_variants": (Variant, _check_variant),
}

# -- what rule hooks answer -------------------------------------------------------------------------------------------

RULE_ANSWERS: dict[str, type] = {"hexwar_sequence": SequenceOfPlay, "hexwar_veto": Refusal, "hexwar_on_event": type(None)}
"""Rule hook -> what it may return besides None."""
