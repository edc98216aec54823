"""The plugin manager: finds plugins, survives broken ones, and has one typed method per discovery hook."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from hexwar.engine import Invariant, Option, RuleIndex, Ruleset, RulesetInfo, World, record
from hexwar.errors import HexwarError, PluginError, UnknownName
from hexwar.plugins import _installed
from hexwar.plugins._checks import DISCOVERY_HOOKS, checked_answer, contained, hooks_of, require, require_rules_in_use
from hexwar.plugins._variants import Variant, instance, load_object
from hexwar.plugins.specs import DiscoverySpecs

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

GROUP = "hexwar"


@record
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


class _Manager(pluggy.PluginManager):
    """Passes over the names that a package lists and imports only on demand."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        late = isinstance(plugin, ModuleType) and name not in vars(plugin)
        return None if late else super().parse_hookimpl_opts(plugin, name)


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
        self._allow = None if allow is None else tuple(dict.fromkeys(allow))
        self._block = frozenset(block)
        self._strict = strict
        self._look = installed
        self._waiting: list[_installed.Entry] = []
        self._manager = _Manager("hexwar")
        self._manager.add_hookspecs(DiscoverySpecs)
        self._found: dict[str, Found] = {}
        self._answers: dict[tuple[str, ...], list[tuple[str, Any]]] = {}
        self._rulesets: dict[str, Ruleset] = {}
        # A server's first two requests may come at the same time; the second must not see half of the plugins.
        self._lock = threading.RLock()
        self.files: list[str] = []
        """Plugin files and folders that were loaded, so that another process can load them as well."""
        self.portable = False
        """Whether another process with the same environment and these files finds the same plugins."""
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
        plugins.portable = True
        return plugins

    # -- finding ----------------------------------------------------------------------------------------------------

    def register(self, plugin: object, name: str, origin: str = "registered") -> None:
        """Add a plugin: a module or object with marked hook implementations.

        A plugin that is not allowed is skipped. One that does not fit is reported by `found` and otherwise ignored,
        unless the manager is strict.
        """
        self.portable = False
        self._add_later(name, origin, lambda: plugin)

    def load_file(self, path: str | os.PathLike[str]) -> None:
        """Add a Python file or a package's folder as a plugin, for a ruleset or a house rule that is not installed.

        A folder is imported by its own name, and its parent is put on `sys.path` so that its modules find each other.
        Its name is the file's without ".py". Inside, "module:object" entries are best written with `__name__`, as in
        `entry=f"{__name__}:RULESET"`; from outside, the module of `my-duel.py` is called `hexwar_plugin_file_my_duel`.

        Raises:
            PluginError: if there is no such file. What is wrong in it, `found` reports.
        """
        file, whole = Path(path), Path(path).resolve()
        require(file.is_dir() or file.is_file(), f"{file}: there is no such plugin file")
        self.files.append(str(whole))
        name, load = (whole.name, _import_package) if file.is_dir() else (file.stem, _import_file)
        self._add_later(name, str(file), lambda: load(whole))

    def _add_later(self, name: str, origin: str, load: Callable[[], object]) -> None:
        """Add a plugin behind those that are installed: these have their names already."""
        with self._lock:
            self._ready()
            self._add(name, origin, load)

    def _ready(self) -> pluggy.PluginManager:
        """The manager, after the installed plugins were looked for; that happens on first use."""
        if self._look:
            self._look = False
            # Our own come first, so that nobody else takes their names.
            self._waiting = sorted(_installed.entry_points(GROUP), key=lambda entry: (entry.dist != GROUP, entry.name))
        while self._waiting:
            entry = self._waiting.pop(0)
            try:
                self._add(entry.name, entry.origin, entry.load)
            except BaseException:
                self._waiting.insert(0, entry)  # a caller that asks again gets the error again
                raise
        return self._manager

    def _add(self, name: str, origin: str, load: Callable[[], object]) -> None:
        if name in self._block or (self._allow is not None and name not in self._allow):
            return
        with self._lock:
            self._answers.clear()
            self._rulesets.clear()
            self.worlds.clear()
            taken = self._manager.has_plugin(name)
            try:
                with contained("its import"):
                    require(not taken, f"another plugin is called {name!r} already ({taken and self._found[name].origin})")
                    plugin = instance(load())
                    hooks = hooks_of(plugin)
                    if "hexwar_variants" not in hooks:
                        require_rules_in_use(plugin, [])
                    self._manager.register(plugin, name)
            except PluginError as error:
                self._report(f"{name} ({origin})" if taken else name, Found(name, origin), error)
                return
            self._found[name] = Found(name, origin, tuple(sorted(hooks)))

    def _report(self, key: str, found: Found, error: PluginError) -> None:
        import traceback

        sentence = " ".join(str(error).split())
        if self._strict:
            raise PluginError(f"plugin {found.name} ({found.origin}) does not work: {sentence}") from error
        self._found[key] = replace(found, error=sentence, details="".join(traceback.format_exception(error)))

    def found(self) -> list[Found]:
        """All plugins that were found, broken ones included: every hook is asked, so that what is wrong shows."""
        known = self.rulesets()
        for plugin, variants in self._each("hexwar_variants"):
            for variant in variants:
                if variant.ruleset not in known:
                    unknown = UnknownName("ruleset", variant.ruleset, known)
                    self._blame(plugin, PluginError(f"variant {variant.id} is of no ruleset that is installed: {unknown}"))
        for ruleset in known:
            self.variants(ruleset)
            self.invariants(ruleset)
        for ask in (self.maps, self.bots, self.renderers, self.commands, self.notices):
            ask()
        names = [found.name for found in self._found.values()]
        missing = [name for name in self._allow or () if name not in names and name not in self._block]
        absent = [Found(name, "?", error=f"it is allowed, but {UnknownName('plugin', name, names)}") for name in missing]
        return [*self._found.values(), *absent]

    # -- asking -----------------------------------------------------------------------------------------------------

    def _each(self, hook: str, *arguments: str) -> list[tuple[str, Any]]:
        """Each plugin with its answer, in order of registration. One that fails is reported and left out."""
        with self._lock:
            caller: pluggy.HookCaller = getattr(self._ready().hook, hook)
            if (hook, *arguments) not in self._answers:
                given = dict(zip(DISCOVERY_HOOKS[hook], arguments, strict=True))
                answers = []
                # Whoever came first has the names, whatever the markers say about the order of calls.
                order = list(self._found)
                for impl in sorted(caller.get_hookimpls(), key=lambda impl: order.index(impl.plugin_name)):
                    try:
                        with contained(hook, f"{hook} failed: "):
                            answer = checked_answer(hook, impl.function(*[given[name] for name in impl.argnames]))
                            if hook == "hexwar_variants":
                                require_rules_in_use(impl.plugin, answer)
                    except PluginError as error:
                        self._blame(impl.plugin_name, error)
                    else:
                        answers.append((impl.plugin_name, answer))
                self._answers[hook, *arguments] = answers
            return self._answers[hook, *arguments]

    def _blame(self, plugin: str, error: PluginError) -> None:
        """Report what a plugin that was registered does wrong; the first mistake is kept."""
        if not self._found[plugin].error:
            self._report(plugin, self._found[plugin], error)

    def _by_name(self, hook: str, what: str, pairs: Callable[[Any], Iterable[tuple[str, Any]]]) -> dict[str, tuple[str, Any]]:
        """Name -> the plugin that brings it and what it brings; the first plugin that brings a name wins."""
        merged: dict[str, tuple[str, Any]] = {}
        for plugin, answer in self._each(hook):
            for name, value in pairs(answer):
                if name in merged:
                    self._blame(plugin, PluginError(f"there is a {what} {name!r} already, of the plugin {merged[name][0]}"))
                else:
                    merged[name] = (plugin, value)
        return merged

    def _merged(self, hook: str, what: str) -> dict[str, Any]:
        return {name: value for name, (_, value) in self._by_name(hook, what, dict.items).items()}

    # -- one method per hook ------------------------------------------------------------------------------------------

    def rulesets(self) -> dict[str, RulesetInfo]:
        """The rulesets by id; imports no rules."""
        return {name: info for name, (_, info) in self._cards().items()}

    def _cards(self) -> dict[str, tuple[str, RulesetInfo]]:
        return self._by_name("hexwar_rulesets", "ruleset", lambda infos: ((info.id, info) for info in infos))

    def variants(self, ruleset: str) -> dict[str, Variant]:
        """The variants of a ruleset by id."""
        home, info = self._cards().get(ruleset, ("", None))
        own = [option.id for option in info.options] if info else []

        def of_ruleset(variants: list[Variant]) -> Iterator[tuple[str, Variant]]:
            return ((variant.id, variant) for variant in variants if variant.ruleset == ruleset)

        kept = {}
        for name, (plugin, variant) in self._by_name("hexwar_variants", f"variant of {ruleset}", of_ruleset).items():
            if name in own and plugin != home:
                self._blame(
                    plugin, PluginError(f"variant {name}: {ruleset} has an option of this name, which is not the plugin's")
                )
            else:
                kept[name] = variant
        return kept

    def foreign_plugins(self, ruleset: str) -> tuple[str, ...]:
        """The plugins that bring variants of a ruleset, other than the one that brings the ruleset."""
        home = self._cards().get(ruleset, ("", None))[0]
        bringing = (plugin for plugin, answer in self._each("hexwar_variants") if any(v.ruleset == ruleset for v in answer))
        return tuple(dict.fromkeys(plugin for plugin in bringing if plugin != home))

    def maps(self) -> dict[str, Traversable]:
        """Map files by board id."""
        return self._merged("hexwar_maps", "map")

    def bots(self) -> dict[str, str]:
        """Bots by name."""
        return self._merged("hexwar_bots", "bot")

    def renderers(self) -> dict[str, str]:
        """Picture formats by file ending."""
        return self._merged("hexwar_renderers", "picture format")

    def commands(self) -> dict[str, str]:
        """Commands by name."""
        return self._merged("hexwar_commands", "command")

    def notices(self) -> dict[str, str]:
        """Ways of notices by name."""
        return self._merged("hexwar_notices", "way of notices")

    def invariants(self, ruleset: str) -> list[Invariant]:
        """Further invariants of a ruleset."""
        return [invariant for _, invariants in self._each("hexwar_invariants", ruleset) for invariant in invariants]

    # -- what follows from them -----------------------------------------------------------------------------------------

    def info(self, ruleset: str) -> RulesetInfo:
        """A ruleset's card."""
        known = self.rulesets()
        if ruleset not in known:
            raise self.explained(UnknownName("ruleset", ruleset, known))
        return known[ruleset]

    def explained(self, unknown: UnknownName) -> UnknownName:
        """The error with what is wrong in plugins that do not work: what somebody asked for may be in one of them."""
        broken = [f"{found.name} ({found.error})" for found in self._found.values() if found.error]
        if broken:
            unknown.args = (f"{unknown}; some plugins do not work: {', '.join(broken)}",)
        return unknown

    def options(self, ruleset: str) -> list[Option]:
        """The options of a ruleset, those of installed variants included."""
        own = list(self.info(ruleset).options)
        known = {option.id for option in own}
        return own + [variant.option for variant in self.variants(ruleset).values() if variant.id not in known]

    def ruleset(self, ruleset: str) -> Ruleset:
        """A ruleset with its rules, imported and checked on first use."""
        if ruleset not in self._rulesets:
            entry = self.info(ruleset).entry
            loaded = _load(f"ruleset {ruleset}", entry)
            require(isinstance(loaded, Ruleset), f"ruleset {ruleset}: {entry} is …, not a Ruleset object", loaded)
            require(loaded.info.id == ruleset, f"ruleset {ruleset}: {entry} holds the rules of {loaded.info.id}")
            with contained(f"the check of {ruleset}", f"ruleset {ruleset}: {entry} is wrong: ", HexwarError):
                loaded.check()
            self._rulesets[ruleset] = loaded
        return self._rulesets[ruleset]

    def rule_index(self, ruleset: str) -> RuleIndex:
        """The rule index of a ruleset, with what its variants add."""
        index = self.ruleset(ruleset).rules
        added = (clause for variant in self.variants(ruleset).values() for clause in variant.clauses)
        return index.extended(clause for clause in added if clause.id not in index)

    def load(self, known: Mapping[str, str], kind: str, name: str) -> Any:
        """An object that a hook named by "module:object": a bot, a renderer, a command."""
        if name not in known:
            raise self.explained(UnknownName(kind, name, known))
        return _load(f"{kind} {name}", known[name])


def _load(what: str, entry: str) -> Any:
    with contained(entry, f"{what}: {entry} cannot be imported: "):
        return load_object(entry)


def _import_file(file: Path) -> object:
    name = f"hexwar_plugin_file_{re.sub(r'[^0-9A-Za-z_]', '_', file.stem)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PluginError("a plugin file is a Python file, its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that "module:object" entries can name it
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _import_package(folder: Path) -> object:
    require((folder / "__init__.py").is_file(), "the folder is no package: it has no __init__.py")
    fits = folder.name.isidentifier()
    require(fits, "a package's folder has a Python name, letters, digits and underscores, not …", folder.name)
    if str(folder.parent) not in sys.path:
        sys.path.append(str(folder.parent))
    return importlib.import_module(folder.name)


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
