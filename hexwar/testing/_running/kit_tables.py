"""The tables that lie in the folder of a kit, each the capability that reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from hexwar.testing._checks.corpus import Corpus
from hexwar.testing._checks.printed import Printed
from hexwar.testing._checks.questions import Questions
from hexwar.testing._checks.topics import Topics
from hexwar.testing._checks.totals import Totals
from hexwar.testing._running.kit import Capability


def tables_of(package: str, conditions: Mapping[str, Callable[[Any], Any]] | None = None) -> tuple[Capability, ...]:
    """Known games, topics and totals of a kit, the questions that are asked, and figures of the rulebook if there are any.

    Args:
        package: the kit.
        conditions: what the table of questions asks about a position.
    """
    folder = resources.files(package)
    figures, data = folder / "printed.toml", resources.files(package.rpartition(".")[0] or package) / "data"
    return (
        *([Printed(figures, data)] if figures.is_file() else []),
        Corpus(folder / "corpus.toml"),
        Questions(folder / "asked.toml", conditions),
        Topics(folder / "topics.toml"),
        Totals(folder / "totals.toml"),
    )
