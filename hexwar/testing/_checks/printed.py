"""Figures that were typed a second time from the rulebook.

The rules that a kit has a second time read the same files as the game, so that a slip in a table is the same in both. Whoever
types a table again, from the text and not from the file, finds it.

```toml
[[printed]]
clause = "4.2"
file = "combat.toml"
at = "rows.1"                                # names of tables and keys; several places may share their figures
is = ["A1", "A1", "X", "X"]                  # of a table, the keys that are named
```
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from hexwar.files import TextSource
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.watch import Survey


class Printed(Capability):
    """A kit has figures of the rulebook.

    Args:
        file: where they were typed: clause, file, place and figures.
        folder: where the files are that the rules read.
    """

    def __init__(self, file: TextSource, folder: Traversable) -> None:
        self.tables: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["printed"]
        names = {table["file"] for table in self.tables}
        self.files = {name: tomllib.loads((folder / name).read_text(encoding="utf-8")) for name in names}


class TablesAreAsPrinted(Survey):
    """The tables of the ruleset's files have the figures that somebody typed a second time from the rulebook."""

    needs = Printed
    once = True

    def run(self, seed: int) -> None:
        """Compare them."""
        printed = self.rule(Printed)
        for table in printed.tables:
            self.subject.rules.require({f"printed.toml, {table['at']}": table["clause"]})
            for at in [table["at"]] if isinstance(table["at"], str) else table["at"]:
                told: Any = printed.files[table["file"]]
                for key in at.split("."):
                    told = told.get(key) if isinstance(told, Mapping) else None
                for place, value, due in _wrong(told, table["is"], at):
                    self.demand(False, f"{table['file']}: {place} is {value}; as printed it is {due}", table["clause"])


def _wrong(told: Any, due: Any, at: str) -> Iterator[tuple[str, Any, Any]]:
    """Where something else stands than is due."""
    if isinstance(due, Mapping) and isinstance(told, Mapping):
        for key, value in due.items():
            yield from _wrong(told.get(key), value, f"{at}.{key}")
    elif told != due:
        yield at, told, due
