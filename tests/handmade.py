"""What hand-made positions of any ruleset need: chance that was agreed beforehand, and values as TOML."""

from __future__ import annotations

from collections.abc import Mapping


class Script:
    """Chance that was agreed beforehand: what each die shows, and the number of each lot that is drawn, from 1."""

    def __init__(self, *outcomes: int) -> None:
        self.outcomes = list(outcomes)

    def randrange(self, stop: int, /) -> int:
        assert self.outcomes, f"a draw of one in {stop} was not agreed"
        return self.outcomes.pop(0) - 1


def to_toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f'"{key}" = {to_toml(item)}' for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(to_toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
