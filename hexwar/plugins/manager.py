"""The plugin manager: finds plugins, survives broken ones, and has one typed method per discovery hook."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

from hexwar.engine import Invariant, Option, Ruleset, RulesetInfo, World
from hexwar.errors import PluginError, UnknownName
from hexwar.plugins.specs import DiscoverySpecs
from hexwar.plugins.variants import Variant, load_object, unmarked_hooks

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

GROUP = "hexwar"


@dataclass(frozen=True, slots=True)
class Found:
    """A plugin that was found, for `hexwar plugins`.

    Args:
        name: its id.
        origin: the distribution with its version, or the file.
        hooks: the hooks it implements.
        error: why it does not work, or "".
        details: the traceback behind the error.
    """

    name: str
    origin: str
    hooks: tuple[str, ...] = ()
    error: str = ""
    details: str = ""


class Plugins:
    """All plugins of a process.

    Args:
        allow: only these, if given.
        block: never these.
        strict: raise on the first broken plugin instead of reporting it.
        installed: look for installed plugins; off for tests that register their own.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] | None = None,
        block: Iterable[str] = (),
        strict: bool = False,
        installed: bool = True,
    ) -> None:
        self._allow = None if allow is None else frozenset(allow)
        self._block = frozenset(block)
        self._strict = strict
        self._installed = installed
        self._manager = pluggy.PluginManager("hexwar")
        self._manager.add_hookspecs(DiscoverySpecs)
        self._found: dict[str, Found] = {}
        self._rulesets: dict[str, Ruleset[Any, Any]] = {}
        self.worlds: dict[Any, World] = {}
        """Worlds that games of this manager's rulesets share; the facade keeps them here."""

    @classmethod
    def from_environment(cls) -> Plugins:
        """As the environment asks: HEXWAR_PLUGINS, HEXWAR_BLOCK_PLUGINS, HEXWAR_STRICT_PLUGINS, HEXWAR_PLUGIN_FILE."""
        allowed = os.environ.get("HEXWAR_PLUGINS")
        plugins = cls(
            allow=None if allowed is None else _names(allowed),
            block=_names(os.environ.get("HEXWAR_BLOCK_PLUGINS", "")),
            strict=os.environ.get("HEXWAR_STRICT_PLUGINS", "") not in ("", "0"),
        )
        for file in filter(None, os.environ.get("HEXWAR_PLUGIN_FILE", "").split(os.pathsep)):
            plugins.load_file(file)
        return plugins

    # -- finding ----------------------------------------------------------------------------------------------------

    def register(self, plugin: object, name: str, origin: str = "registered") -> None:
        """Add a plugin: a module or object with marked hook implementations.

        A plugin that is not allowed is passed over. One that does not fit is reported by `found` and otherwise ignored,
        unless the manager is strict.
        """
        self._add(name, origin, lambda: plugin)

    def load_file(self, path: str | os.PathLike[str]) -> None:
        """Add a single Python file as a plugin, for a ruleset or a house rule without packaging."""
        file = Path(path)
        if not file.is_file():
            raise PluginError(f"{file}: there is no such plugin file")

        def load() -> object:
            name = f"hexwar_plugin_file_{file.stem}"
            spec = importlib.util.spec_from_file_location(name, file)
            if spec is None or spec.loader is None:
                raise PluginError(f"{file}: a plugin file is a Python file, its name ends in .py")
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module  # so that "module:object" entries can name it
            spec.loader.exec_module(module)
            return module

        self._add(file.stem, str(file), load)

    def _ready(self) -> pluggy.PluginManager:
        """The manager, after the installed plugins were looked for; that happens on first use."""
        if self._installed:
            self._installed = False
            for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda entry: entry.name):
                origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?"
                self._add(entry.name, origin, entry.load)
        return self._manager

    def _add(self, name: str, origin: str, load: Callable[[], object]) -> None:
        if name in self._block or (self._allow is not None and name not in self._allow):
            return
        if name in self._found and not self._found[name].error:
            self._report(name, origin, PluginError(f"another plugin is called {name!r} already ({self._found[name].origin})"))
            return
        try:
            plugin = load()
            if forgotten := unmarked_hooks(plugin):
                raise PluginError(f"{forgotten[0]} lacks the marker @hookimpl")
            self._manager.register(plugin, name)
            self._manager.check_pending()
        except Exception as error:
            if self._manager.has_plugin(name):
                self._manager.unregister(name=name)
            self._report(name, origin, error)
            return
        callers = self._manager.get_hookcallers(plugin) or []
        self._found[name] = Found(name, origin, tuple(sorted(caller.name for caller in callers)))

    def _report(self, name: str, origin: str, error: Exception) -> None:
        sentence = " ".join(str(error).split()) or type(error).__name__
        if not isinstance(error, PluginError):
            sentence = f"{type(error).__name__}: {sentence}"
        if self._strict:
            raise PluginError(f"plugin {name} ({origin}) does not work: {sentence}") from error
        details = "".join(traceback.format_exception(error))
        key = name if name not in self._found or self._found[name].error else f"{name} ({origin})"
        self._found[key] = Found(name, origin, (), sentence, details)

    def found(self) -> list[Found]:
        """All plugins that were found, broken ones included."""
        self._ready()
        return list(self._found.values())

    def _each(self, hook: str, **arguments: Any) -> Iterator[Any]:
        """What each plugin answers, in order of registration. One that fails is reported and left out."""
        caller: pluggy.HookCaller = getattr(self._ready().hook, hook)
        for impl in caller.get_hookimpls():
            try:
                answer: Any = impl.function(*[arguments[name] for name in impl.argnames])
                # The answer may be a generator, whose errors show only when it is listed.
                answer = answer if isinstance(answer, Mapping) else list(answer or ())
            except Exception as error:
                self._report(impl.plugin_name, self._found[impl.plugin_name].origin, error)
            else:
                yield answer

    def _merged(self, hook: str) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for answer in self._each(hook):
            merged.update(answer)
        return merged

    # -- one method per hook ------------------------------------------------------------------------------------------

    def rulesets(self) -> dict[str, RulesetInfo]:
        """The rulesets by id; imports no rules."""
        return {info.id: info for infos in self._each("hexwar_rulesets") for info in infos}

    def variants(self, ruleset: str) -> dict[str, Variant]:
        """The variants of a ruleset by id."""
        every = (variant for variants in self._each("hexwar_variants") for variant in variants)
        return {variant.id: variant for variant in every if variant.ruleset == ruleset}

    def maps(self) -> dict[str, Traversable]:
        """Map files by board id."""
        return self._merged("hexwar_maps")

    def bots(self) -> dict[str, str]:
        """Bots by name."""
        return self._merged("hexwar_bots")

    def renderers(self) -> dict[str, str]:
        """Picture formats by file ending."""
        return self._merged("hexwar_renderers")

    def commands(self) -> dict[str, str]:
        """Commands by name."""
        return self._merged("hexwar_commands")

    def invariants(self, ruleset: str) -> list[Invariant]:
        """Further invariants of a ruleset."""
        return [invariant for invariants in self._each("hexwar_invariants", ruleset=ruleset) for invariant in invariants]

    # -- what follows from them -----------------------------------------------------------------------------------------

    def info(self, ruleset: str) -> RulesetInfo:
        """A ruleset's card."""
        known = self.rulesets()
        if ruleset not in known:
            raise UnknownName("ruleset", ruleset, known)
        return known[ruleset]

    def options(self, ruleset: str) -> list[Option]:
        """The options of a ruleset, those of installed variants included."""
        own = list(self.info(ruleset).options)
        known = {option.id for option in own}
        return own + [variant.option for variant in self.variants(ruleset).values() if variant.id not in known]

    def ruleset(self, ruleset: str) -> Ruleset[Any, Any]:
        """A ruleset with its rules, imported and checked on first use."""
        if ruleset not in self._rulesets:
            info = self.info(ruleset)
            try:
                loaded = load_object(info.entry)
            except (ImportError, AttributeError) as error:
                raise PluginError(f"ruleset {ruleset}: {info.entry} cannot be imported: {error}") from error
            if not isinstance(loaded, Ruleset):
                raise PluginError(f"ruleset {ruleset}: {info.entry} is a {type(loaded).__name__}, not a Ruleset")
            loaded.check()
            self._rulesets[ruleset] = loaded
        return self._rulesets[ruleset]

    def load(self, known: Mapping[str, str], kind: str, name: str) -> Any:
        """An object that a hook named by "module:object": a bot, a renderer, a command."""
        if name not in known:
            raise UnknownName(kind, name, known)
        try:
            return load_object(known[name])
        except (ImportError, AttributeError) as error:
            raise PluginError(f"{kind} {name}: {known[name]} cannot be imported: {error}") from error


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


_plugins: list[Plugins] = []


def plugins() -> Plugins:
    """The plugins of this process, found on first use."""
    if not _plugins:
        _plugins.append(Plugins.from_environment())
    return _plugins[0]


def use_plugins(manager: Plugins | None) -> None:
    """Put another manager in place, for tests and embedders; None looks again on next use."""
    _plugins[:] = [] if manager is None else [manager]
