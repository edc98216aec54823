"""The files of A Victory Awaits: for the check that damages them, and what must not stand in them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any
from unittest.mock import patch

from pydantic import ValidationError

from hexwar import load_board
from hexwar.engine import RuleIndex
from hexwar.errors import HexwarError
from hexwar.mechanics import TerrainChart
from hexwar.pieces import CombatTable, Content
from hexwar.testing import ContentFile, Survey, files_in, in_owners_folder
from hexwar_ava import content, world
from hexwar_ava.counters import load_counters
from hexwar_ava.kit.rules import PRINTED
from hexwar_ava.turn import SEQUENCE

READERS: dict[str, Any] = {
    **content.MODELS,
    "rules.toml": RuleIndex.load,
    "combat.toml": CombatTable.load,
    "terrain.toml": TerrainChart.load,
    "units.toml": lambda path: load_counters(path, dict(PRINTED.numbers.classes)),
}


BOARDS = cache(load_board)
"""To read a map takes longer than to find out what does not fit it."""


def content_files() -> list[ContentFile]:
    """Each file alone, and the set-up with the files that it must agree with."""
    return [
        *files_in(content.DATA, READERS),
        in_owners_folder(content.DATA / "setup.toml", content.load_ava, content.load_ava.names),
    ]


def changed(value: Any, path: str, new: Any) -> Any:
    """A value in which something else stands at the end of a path of fields, keys and places in lists; False takes it away."""
    name, _, rest = path.partition(".")
    if isinstance(value, list | tuple):
        place = int(name)
        return [*value[:place], changed(value[place], rest, new) if rest else new, *value[place + 1 :]]
    if isinstance(value, Mapping):
        made = {**value, name: changed(value[name], rest, new) if rest else new}
        return {key: item for key, item in made.items() if key != name or item is not False}
    made = {name: changed(getattr(value, name), rest, new) if rest else new}
    return value.model_copy(update=made) if isinstance(value, Content) else replace(value, **made)


class ContentIsRefused(Survey):
    """Content that contradicts the rules, itself or its board, and tables at which nobody can play are refused in words."""

    id = "content-is-refused"
    once = True

    def run(self, seed: int) -> None:
        """Try what `refused.toml` has."""
        told = tomllib.loads((resources.files(__package__) / "refused.toml").read_text(encoding="utf-8"))
        for verdict in ("accepted", "refused"):
            for file, path, *values in told[verdict]:
                data = tomllib.loads((content.DATA / file).read_text(encoding="utf-8"))
                for value in values:
                    why = _why(lambda: READERS[file].model_validate(changed(data, path, value)))  # noqa: B023
                    if bool(why) == (verdict == "accepted"):
                        raise self.fail(f"{file}: {path} = {value!r} is not {verdict}{why and f': {why}'}")
        for path, new, words in told["contradictions"]:
            found = [": ".join(entry) for entry in content.contradictions(changed(PRINTED, path, new))]
            self._expect(words, f"{path} = {new!r}", "; ".join(found))
        for scenario, path, new, words in told["worlds"]:
            self._expect(words, f"{path} = {new!r}", self._table(scenario, printed=changed(PRINTED, path, new)))
        for row in told["tables"]:
            self._expect(row["says"], str(row), self._table("campaign", row["seats"], row["options"]))

    def _table(self, scenario: str, seats: Any = None, options: Any = (), printed: Any = PRINTED) -> str:
        """Why a scenario cannot be played with such seats, options and content; with seats, on any board."""
        first = self.subject.start(0).world
        setup = replace(first.setup, scenario=scenario, options={**first.setup.options, **dict(options)})
        setup = replace(setup, seats=seats, board=first.board) if seats else setup
        with patch.object(world, "load_ava", lambda: printed), patch.object(content, "load_board", BOARDS):
            return _why(lambda: world.AvaWorld(setup, SEQUENCE))

    def _expect(self, words: str, what: str, told: str) -> None:
        if words not in told or bool(words) != bool(told):
            raise self.fail(f"{what}: {told or 'it is not refused'}; what should be said against it is {words!r}")


def _why(make: Callable[[], object]) -> str:
    """What is said against something, "" if it can be made."""
    try:
        make()
    except (HexwarError, ValidationError) as error:
        return str(error)
    return ""
