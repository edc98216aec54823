"""What a player may do now, put so that it can be read: a numbered list, or, where there are hundreds, unit by unit."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

from hexwar.engine import Action, Question
from hexwar.errors import Refusal, RefusalCode
from hexwar.table.chronicle import Chronicle, brief, folded
from hexwar.table.words import begins, matching

MOST_NUMBERED = 24
"""How many possibilities are listed with numbers before they are listed unit by unit."""
MOST_WITHOUT_UNITS = 48
"""The same where no units are offered something, such as when chits are selected."""
MOST_TRANSLATED = 5000
"""Up to how many possibilities are listed and numbered, and those sought whose names, rather than ids, were typed."""
MOST_NAMED = 40
"""For how many units the ids are listed."""
MOST_IN_FULL = 200
"""How many possibilities are listed hex by hex by default."""
TARGETS = ("to", "target", "hex")
"""The fields of an action that say where; possibilities that differ only there share a line."""


class Offer:
    """What a seat is asked, as it is read and typed. Of a decision of thousands only what is looked at is computed.

    Args:
        question: what is asked.
        chronicle: how names are written.
    """

    def __init__(self, question: Question, chronicle: Chronicle) -> None:
        self._question = question
        self._chronicle = chronicle
        self.complete = question.complete
        """Whether everything that is possible can be listed."""
        self._units = [key for key in question.groups if key in question.pieces]
        self._few = list(islice(question.offer, MOST_TRANSLATED + 1))
        """All of them, unless they are too many to be listed."""

    @cached_property
    def actions(self) -> Sequence[Action]:
        """Everything, in its order, which gives it its numbers."""
        return self._few if len(self._few) <= MOST_TRANSLATED else list(self._question.offer)

    def left_by(self, action: object) -> str:
        """What an action ends although something is left to do, in a sentence; "" if nothing is, or if it ends nothing."""
        ending = self._question.ending
        if ending is None or ending.action != action:
            return ""
        left = [key for key in ending.left if key in self._question.pieces or key in self._question.places]
        return f"{ending.title}? {ending.still}: {brief(', '.join(left))}." if left else ""

    # -- reading it --------------------------------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """What stands below the question: everything if that is little, otherwise who can do something."""
        few, example = self._few, self._question.example
        if len(few) <= (MOST_NUMBERED if self._units else MOST_WITHOUT_UNITS):
            yield from self._numbered(few)
        else:
            yield from self._overview(example)
        if not self.complete:
            yield folded(f'Not everything can be listed: type what you want, such as "{example}"', "  ")

    def _overview(self, example: Action) -> Iterator[str]:
        if not self._units:
            many = len(self._few) if len(self._few) <= MOST_TRANSLATED else f"more than {MOST_TRANSLATED}"
            yield f'  {many} possibilities: type what you want, such as "{example}", or "list"'
            return
        if len(self._question.plain) <= MOST_NUMBERED:
            yield from self._numbered(self._question.plain)
        ids, how_many = self._units, "something"
        if len(self._few) <= MOST_TRANSLATED:
            counts = Counter(action.key for action in self._few)
            ids = [unit for unit in ids if counts[unit]]
            numbers = {counts[unit] for unit in ids}
            how_many = f"{numbers.pop()} for each" if len(numbers) == 1 else f"{sum(counts[unit] for unit in ids)} possibilities"
            ids = [f"{unit} ({counts[unit]})" for unit in ids] if numbers else ids
        more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
        yield folded(f"{how_many} of {len(ids)} units: {', '.join(ids[:MOST_NAMED])}{more}", "  ", "    ")
        yield folded(f'Type what you want, such as "{example}"; "list {self._units[0]}" shows more', "  ")

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
        elif not words and len(found) > MOST_IN_FULL and self._units:
            yield from self._numbered(self._question.plain)
            for unit in self._units:
                can = list(self._question.group(unit))
                if can:
                    yield f'  {self._chronicle.named(unit)}: {len(can)}, such as "{can[-1]}"'
            yield '  "list UNIT" or "list HEX" shows more, "list all" everything'
        else:
            yield from self._by_pattern(found)

    def _numbered(self, actions: Sequence[Action]) -> Iterator[str]:
        """Possibilities with their numbers; those that are too far behind to have one are typed."""
        wanted = dict.fromkeys(actions)
        found = ((number, action) for number, action in enumerate(self._few, 1) if action in wanted)
        for number, action in islice(found, len(wanted)):  # behind the last of them nobody need look
            del wanted[action]
            yield f"  {number:3}  {self._chronicle.sentence(action)}"
        for action in wanted:
            yield f"    -  {self._chronicle.sentence(action)}"

    def _by_pattern(self, actions: Sequence[Action]) -> Iterator[str]:
        """Possibilities that differ in a hex only, in one paragraph."""
        paragraphs: dict[str, list[str]] = defaultdict(list)
        for action in actions:
            where, sentence = self._chronicle.named(_target(action)), f" {self._chronicle.sentence(action)} "
            pattern = sentence.replace(f" {where} ", " … ", 1) if where else sentence
            paragraphs[pattern.strip()] += [where] if pattern != sentence else []
        for pattern, places in paragraphs.items():
            yield folded(f"{pattern}: {', '.join(places)}" if places else pattern, "  ", "      ")

    def explained(self, refusal: Refusal) -> Refusal:
        """Why something is refused. If only the moment forbids it, what is asked instead, and no clause as if it forbade it."""
        if refusal.code != RefusalCode.NOT_OFFERED:
            return refusal
        asked = re.split(r"[:.?] ", f"{self._question.prompt} ")[0].strip(" .:?")
        clause = f" ({self._question.clause})" if self._question.clause else ""
        ending = self._question.ending
        way = f'; "{ending.action}" ends that' if ending is not None else ""
        message = f'{self._chronicle.named(refusal.message)}: what is asked is "{asked}"{clause}{way}'
        return Refusal(refusal.code, "", message)

    # -- understanding what is typed --------------------------------------------------------------------------------------

    def completions(self, before: Sequence[str]) -> Iterator[str]:
        """The words that may come next.

        Args:
            before: those that were typed.
        """
        many = len(self._few) > MOST_TRANSLATED
        units = [unit for unit in self._units if any(begins(word.lower(), unit.lower()) for word in before)] if many else []
        listed = [action for unit in units for action in self._question.group(unit)] if units else self._few
        for action in listed:
            words = str(action).split()
            if len(words) > len(before) and all(map(begins, map(str.lower, before), map(str.lower, words))):
                yield words[len(before)].strip(",")
        if many:
            yield from self._units

    def number(self, typed: str, labels: Any = ()) -> Action | None:
        """The action with a typed number, unless that is rather a hex of the board."""
        if not typed.isdecimal() or len(typed) > 6 or (len(typed) > 3 and (typed in labels or typed.startswith("0"))):
            return None
        return self._few[int(typed) - 1] if 1 <= int(typed) <= len(self._few) else None

    def meant(self, typed: str) -> list[Action]:
        """The actions that typed words can mean; one alone if they name it exactly. Names of units and places will do.

        Raises:
            Refusal: a rule closes the way that was typed, or forbids an order that the step understands.
        """
        found = self._question.understood(typed.split()) or self._by_way(typed) or self._fitting(typed)
        if not found and len(self._few) <= MOST_TRANSLATED:
            found = matching(typed, self._few, self._chronicle.sentence)
        return found

    def _fitting(self, typed: str) -> list[Action]:
        # Among a hundred thousand possibilities only those of the units that were named are looked at.
        first = [action for unit in self._named_in(typed) for action in self._question.group(unit)]
        return matching(typed, first) or matching(typed, self.actions)

    def _named_in(self, typed: str) -> list[str]:
        words = typed.lower().split()
        return [unit for unit in self._units if any(unit.lower() in (word, word.strip(",.")) for word in words)]

    def _by_way(self, typed: str) -> list[Action]:
        """What is meant if the words end with the places through which the way is to lead: "... by 0406, 0607"."""
        before, word, after = f" {typed} ".partition(" by ")
        if not word or not self._question.way:
            return []
        board, words = getattr(self._question.at.world, "board", ()), after.replace(",", " ").split()
        places = [*takewhile(board.__contains__, words)]
        groups = [self._question.group(unit) for unit in self._named_in(before)] if places else []
        led = {without_way(action): action for group in groups for action in group.through(places)}
        found = matching(" ".join([before, *words[len(places) :]]), [*led])
        for end in () if found else filter(board.__contains__, before.split()):
            for group in groups:
                group.through([*places, end])  # which is refused with the reason
        return [led[action] for action in found]


def without_way(action: Action) -> Action:
    """The same action with the way left to the rules."""
    return replace(action, **{action.way: ()}) if action.way else action  # type: ignore[type-var]  # every record is a dataclass


def _target(action: Action) -> str:
    return next((value for name in TARGETS if isinstance(value := getattr(action, name, None), str) and value), "")
