"""The tables of planted bugs, made from the lists that the tests plant them from.

`python -m tests.docs.planted RULESET` plants the rule bugs of a ruleset again and keeps, in tests/docs/results, who caught each.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from hexwar.files import write_file
from hexwar.plugins import plugins
from hexwar.testing import Mutant, Subject
from hexwar.testing._mutants.mutation import Trial, mutate
from tests.ava.planted.all import MUTANTS as AVA
from tests.bridgehead.planted import MUTANTS as BRIDGEHEAD
from tests.testing.mutants import MUTANTS as FAULTS
from tests.testing.planted import BUGS as DUEL
from tests.testing.planted_generic.all import CATALOGUE, HARMLESS
from tests.testing.test_classes import CLASSES
from tests.testing.test_exact import FAULTS as CHANCES
from tests.testing.test_metamorphic import FAULTS as RELATIONS
from tests.tow.planted.all import MUTANTS as TOW
from tests.wop.planted import MUTANTS as WOP

RULES: dict[str, Sequence[Mutant]] = {"ava": AVA, "tow": TOW, "wop": WOP, "bridgehead": BRIDGEHEAD}
"""Ruleset -> the bugs that break its rules."""
FILES = {
    "ava": "tests/ava/planted/all.py",
    "tow": "tests/tow/planted/all.py",
    "wop": "tests/wop/planted.py",
    "bridgehead": "tests/bridgehead/planted.py",
}
RESULTS = Path(__file__).with_name("results")


def plain(text: str) -> str:
    """A text in which nothing is Markdown, but for what is code."""
    return re.sub(r"([*_\[\]<>|])", r"\\\1", text)


def tables() -> str:
    """All of them."""
    parts = [overview()]
    for ruleset in RULES:
        parts += [f"## {plugins().info(ruleset).title} {{ #{ruleset} }}", of_ruleset(ruleset)]
    parts += ["## The mechanics and the engine { #generic }", generic()]
    parts += ["## Classes of bugs { #classes }", classes()]
    parts += ["## Faults for single checks { #faults }", faults()]
    parts += ["## Mistakes that are none { #harmless }", harmless()]
    return "\n\n".join(parts) + "\n"


def overview() -> str:
    """How many there are."""
    rows = [[f"[{plugins().info(id).title}](#{id})", len(bugs), _told(id)] for id, bugs in RULES.items()]
    rows.append(
        ["[the mechanics and the engine](#generic)", len(CATALOGUE), "planted below each ruleset that they can matter to"]
    )
    rows.append(["[classes of bugs](#classes)", len(CLASSES), "each is planted and caught in the tests"])
    rows.append(
        [
            "[faults for single checks](#faults)",
            len([*FAULTS, *RELATIONS, *CHANCES, *DUEL]),
            "each is planted and caught in the tests",
        ]
    )
    return table(["list", "bugs", "caught"], rows)


def _told(ruleset: str) -> str:
    kept = results(ruleset)
    if kept is None:
        return f"no run is recorded: `hexwar mutate {ruleset} --planted {FILES[ruleset]}`"
    left = len(RULES[ruleset]) - len(kept.caught)
    return f"{sum(map(bool, kept.caught.values()))} of {len(kept.caught)} in the tier {kept.tier}, {kept.date}" + (
        f"; {left} not asked yet" if left else ""
    )


def of_ruleset(ruleset: str) -> str:
    """The bugs that break the rules of a ruleset, by clause."""
    order, kept = list(plugins().rule_index(ruleset)), results(ruleset)
    rows = []
    for mutant in sorted(RULES[ruleset], key=lambda mutant: order.index(mutant.clause)):
        clause = f"[{mutant.clause}](rules/{ruleset}.md#{mutant.clause})"
        row = [clause, plain(mutant.what), f"`{mutant.id}`", _codes(mutant.likely)]
        if kept is not None:
            caught = kept.caught.get(mutant.id)
            row.append("not asked yet" if caught is None else f"`{caught}`" if caught else "**nobody**")
        rows.append(row)
    return table(["clause", "what is wrong", "id", "asked first", *(["caught by"] if kept else [])], rows)


def generic() -> str:
    """Bugs that many rulesets could have."""
    rows = []
    for bug in CATALOGUE.values():
        needs = "; ".join(condition.words for condition in bug.conditions)
        none = [f"in `{ruleset}`: {plain(why[bug.id])}" for ruleset, why in HARMLESS.items() if bug.id in why]
        rows.append([plain(bug.what), f"`{bug.id}`", _codes(bug.likely), "; ".join([needs, *none] if needs else none)])
    return table(["what is wrong", "id", "asked first", "cannot matter if"], rows)


def classes() -> str:
    """Bugs of the classes that once went through all checks."""
    found = sorted(CLASSES, key=lambda entry: [each[0] for each in CLASSES].index(entry[0]))
    rows = [
        [name, "<br>".join(f"{plain(bug.what)} ({ruleset}): `{check}`" for _, ruleset, check, bug in entries)]
        for name, entries in groupby(found, lambda entry: entry[0])
    ]
    return table(["class", "bugs, where each is planted, and the check that catches it"], rows)


def faults() -> str:
    """Faults of the engine, of Bridgehead and of small games of the tests, each with the checks that must catch it."""
    rows = [["engine, Bridgehead, toys", plain(fault.what), _codes(fault.caught_by)] for fault in FAULTS]
    rows += [
        ["Bridgehead", plant.__name__.strip("_").replace("_", " "), _codes([check])] for plant, check, _ in RELATIONS + CHANCES
    ]
    rows += [["the duel of `tests/plugin_project`", plain(bug.what), _codes([bug.caught_by])] for bug in DUEL]
    return table(["where", "what is wrong", "caught by each of"], rows)


def harmless() -> str:
    """Automatic mistakes that are none, by the kits' word."""
    rows = [
        [ruleset, f"`{mistake}`", plain(why)] for ruleset in RULES for mistake, why in Subject.of(ruleset).kit.harmless.items()
    ]
    return table(["ruleset", "id", "why it is no mistake"], rows)


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _codes(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# -- who caught them ------------------------------------------------------------------------------------------------------


class Kept(NamedTuple):
    """What is kept of a run.

    Args:
        ruleset: where the bugs were planted.
        tier: how thoroughly the checks looked.
        date: when.
        caught: bug -> the check that caught it, "" if none did.
    """

    ruleset: str
    tier: str
    date: str
    caught: Mapping[str, str]


def results(ruleset: str) -> Kept | None:
    """What is kept of the last run, if one was recorded."""
    file = RESULTS / f"planted-{ruleset}.json"
    return Kept(**json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def record(ruleset: str, tier: str, jobs: int | None, again: bool) -> None:
    """Plant the rule bugs of a ruleset and keep who caught them, each as soon as it is known.

    Args:
        ruleset: the ruleset.
        tier: how thoroughly the checks look.
        jobs: how many at a time.
        again: whether those are planted, too, of which a result is kept.
    """
    before, bugs = results(ruleset), [bug.id for bug in RULES[ruleset]]
    kept = before.caught if before and before.tier == tier and not again else {}
    caught = {bug: kept[bug] for bug in bugs if bug in kept}

    def keep(trial: Trial) -> None:
        print(trial.line(), flush=True)
        caught[trial.mutant] = trial.caught_by
        found = Kept(ruleset, tier, f"{date.today():%d %B %Y}", {bug: caught[bug] for bug in bugs if bug in caught})
        RESULTS.mkdir(exist_ok=True)
        write_file(RESULTS / f"planted-{ruleset}.json", json.dumps(found._asdict(), indent=1) + "\n")

    mutate(ruleset, tier=tier, files=[FILES[ruleset]], only=[bug for bug in bugs if bug not in caught], jobs=jobs, progress=keep)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", choices=RULES)
    parser.add_argument("--tier", default="quick")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--again", action="store_true", help="plant those, too, of which a result is kept")
    asked = parser.parse_args()
    record(asked.ruleset, asked.tier, asked.jobs, asked.again)
