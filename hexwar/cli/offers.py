"""What a player may do now, put so that it can be read: a numbered list, or, where there are hundreds, unit by unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hexwar.cli.chronicle import Chronicle, brief, folded
from hexwar.cli.words import matching
from hexwar.engine import Action

MOST_NUMBERED = 24
"""How many possibilities are listed with numbers before they are told unit by unit."""
MOST_WITHOUT_UNITS = 48
"""The same where no units are offered something, such as when chits are selected."""
MOST_TRANSLATED = 5000
"""Among how many possibilities those are sought whose names, rather than ids, were typed."""
MOST_NAMED = 40
"""Of how many units the ids are told."""
MOST_IN_FULL = 200
"""How many possibilities are told hex by hex unless somebody asks for all."""
TARGETS = ("to", "target", "hex")
"""The fields of an action that say where; possibilities that differ only there share a line."""


class Offer:
    """The actions that a seat is offered.

    Args:
        actions: in their order, which gives them their numbers.
        chronicle: how names are written.
    """

    def __init__(self, actions: Sequence[Action], chronicle: Chronicle) -> None:
        self.actions = actions
        self._chronicle = chronicle
        self._plain: list[Action] = []
        self._of: dict[str, list[Action]] = {}
        for action in actions:
            unit = getattr(action, "unit", None)
            if isinstance(unit, str):
                self._of.setdefault(unit, []).append(action)
            else:
                self._plain.append(action)

    # -- reading it --------------------------------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """What stands below the question: everything if that is little, otherwise who can do something."""
        if len(self.actions) <= (MOST_NUMBERED if self._of else MOST_WITHOUT_UNITS):
            yield from self._numbered(self.actions)
            return
        if len(self._plain) <= MOST_NUMBERED:
            yield from self._numbered(self._plain)
        if self._of:
            numbers = {len(can) for can in self._of.values()}
            ids = [unit if len(numbers) == 1 else f"{unit} ({len(can)})" for unit, can in self._of.items()]
            more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
            total = len(self.actions) - len(self._plain)
            how_many = f"{numbers.pop()} for each" if len(numbers) == 1 else f"{total} possibilities"
            yield folded(f"{how_many} of {len(ids)} units: {', '.join(ids[:MOST_NAMED])}{more}", "  ", "    ")
            yield folded(f'Type what you want, such as "{self.actions[-1]}"; "list {next(iter(self._of))}" shows more', "  ")
        else:
            yield f'  {len(self.actions)} possibilities: type what you want, such as "{self.actions[-1]}", or "list"'

    def listing(self, words: str) -> Iterator[str]:
        """What `list` prints.

        Args:
            words: "" for an overview, "all" for everything, or what a possibility must say: a unit, a hex.
        """
        found = self.actions if words in ("", "all") else self.meant(words)
        if not found:
            yield f'  nothing that is possible now fits "{words}"'
        elif len(found) <= MOST_NUMBERED:
            yield from self._numbered(found)
        elif not words and len(found) > MOST_IN_FULL and self._of:
            yield from self._numbered(self._plain)
            for unit, can in self._of.items():
                yield f'  {self._chronicle.named(unit)}: {len(can)}, such as "{can[-1]}"'
            yield '  "list UNIT" or "list HEX" shows more, "list all" everything'
        else:
            yield from self._by_pattern(found)

    def _numbered(self, actions: Sequence[Action]) -> Iterator[str]:
        if actions is self.actions:
            places = list(range(1, len(actions) + 1))
        else:
            wanted = {id(action) for action in actions}
            places = [number for number, action in enumerate(self.actions, 1) if id(action) in wanted]
        for place in places:
            yield f"  {place:3}  {self._chronicle.named(brief(str(self.actions[place - 1])))}"

    def _by_pattern(self, actions: Sequence[Action]) -> Iterator[str]:
        """Possibilities that differ in a hex only, in one paragraph."""
        paragraphs: dict[str, list[str]] = {}
        for action in actions:
            where = _target(action)
            sentence = f" {action} "
            if where and f" {where} " in sentence:
                paragraphs.setdefault(sentence.replace(f" {where} ", " … ", 1).strip(), []).append(where)
            else:
                paragraphs.setdefault(str(action), [])
        for pattern, hexes in paragraphs.items():
            named = self._chronicle.named(pattern)
            told = f"{named}: {', '.join(map(self._chronicle.named, hexes))}" if hexes else named
            yield folded(told, "  ", "      ")

    # -- understanding what was typed --------------------------------------------------------------------------------------

    def number(self, typed: str, labels: Any = ()) -> Action | None:
        """The action with a typed number, unless that is rather a hex of the board."""
        if not typed.isdecimal() or len(typed) > 6 or (len(typed) > 3 and (typed in labels or typed.startswith("0"))):
            return None
        return self.actions[int(typed) - 1] if 1 <= int(typed) <= len(self.actions) else None

    def meant(self, typed: str) -> list[Action]:
        """The actions that typed words can mean; one alone if they name it exactly. Names of units and places will do."""
        found = self._fitting(typed)
        if not found and len(self.actions) <= MOST_TRANSLATED:
            found = matching(typed, self.actions, lambda action: self._chronicle.named(str(action)))
        return found

    def _fitting(self, typed: str) -> list[Action]:
        words = typed.lower().split()
        units = [unit for unit in self._of if any(unit.lower() in (word, word.strip(",.")) for word in words)]
        if not units:
            return matching(typed, self.actions)
        # Among a hundred thousand possibilities only those of the units that were named are looked at.
        return matching(typed, [action for unit in units for action in self._of[unit]]) or matching(typed, self.actions)


def _target(action: Action) -> str:
    return next((value for name in TARGETS if isinstance(value := getattr(action, name, None), str) and value), "")
