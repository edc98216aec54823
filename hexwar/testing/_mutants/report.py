"""What became of automatic mutants, by clause and by line: for a terminal, for a program and as a page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import Literal

from hexwar.engine._records import Json
from hexwar.errors import ContentError
from hexwar.files import write_whole
from hexwar.testing._mutants.edits import AutoMutant
from hexwar.testing._staging.random_play import shortened

Verdict = Literal["caught", "alike", "unnoticed", "unreached"]
WORDS: dict[Verdict, str] = {
    "unnoticed": "nobody notices",
    "unreached": "no check runs this line",
    "alike": "perhaps equivalent: all games that run it end alike",
}


@dataclass(frozen=True, slots=True)
class Witness:
    """What a search for a position found in which a mistake shows.

    Args:
        draft: a drill that holds as the rules are, as TOML; "" if there is none.
        says: what becomes of it with the mistake.
        shown: in what both differ, if that makes no drill.
        decisions: how many were tried.
        compared: how many of them came to the line, and were the same with the mistake.
        cpu: seconds of processor time.
    """

    draft: str = ""
    says: str = ""
    shown: str = ""
    decisions: int = 0
    compared: int = 0
    cpu: float = 0.0

    @property
    def words(self) -> str:
        """What came of it, in a line."""
        if self.draft:
            return f"a position shows it (decision {self.decisions}): {self.says}"
        if self.shown:
            return f"{self.shown} differ, but no drill says how"
        if self.compared:
            return f"the same in all {self.compared} positions that come to the line: perhaps it is no mistake"
        return f"none of {self.decisions} decisions comes to the line"


@dataclass(frozen=True, slots=True)
class AutoTrial:
    """What became of a mutant.

    Args:
        mutant: the mistake.
        kit: the check that caught it, "" if none did.
        by: the check or test that caught it, "" if none did.
        message: what that one says.
        verdict: what the games of the kit show of one that it does not catch.
        cpu: seconds of processor time.
        witness: what a search for a position found, if there was one.
    """

    mutant: AutoMutant
    kit: str
    by: str
    message: str
    verdict: Verdict
    cpu: float
    witness: Witness | None = None

    def line(self) -> str:
        """For a terminal."""
        if self.witness is not None:
            return f"{self.mutant.id}  {self.witness.words} ({self.witness.cpu:.1f} s)"
        verdict = f"caught by {self.by}" if self.by else f"SURVIVES, {WORDS[self.verdict]}"
        return f"{self.mutant.id}  {verdict} ({self.cpu:.1f} s): {self.mutant.what}"


@dataclass(frozen=True)
class AutoReport:
    """What became of all of them.

    Args:
        ruleset: its id.
        known: how many mistakes there are to draw from.
        trials: those that were drawn.
        tests: whether tests were asked as well.
        files: name -> file, for the page.
        broken: check -> what it says without a mistake; where it does, it judges no mutant.
    """

    ruleset: str
    known: int
    trials: tuple[AutoTrial, ...]
    tests: bool = False
    files: Mapping[str, Path] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)

    @property
    def warnings(self) -> list[str]:
        """What the score does not say: checks that fail without a mistake, and so notice none where they do."""
        return [
            f"{check} fails without a mistake and judges nothing where it does: {shortened(message)}"
            for check, message in self.broken.items()
        ]

    @property
    def survivors(self) -> list[AutoTrial]:
        """Those that were not caught, by clause, file and line."""
        left = [trial for trial in self.trials if not trial.by]
        return sorted(
            left, key=lambda trial: (not trial.mutant.clauses, trial.mutant.clauses, trial.mutant.file, trial.mutant.edit.line)
        )

    @property
    def percent(self) -> float:
        """How many of them are caught."""
        return _percent(len(self.trials) - len(self.survivors), len(self.trials))

    def summary(self) -> list[str]:
        """The score."""
        kit, every = sum(bool(trial.kit) for trial in self.trials), len(self.trials)
        lines = [*self.warnings, f"{self.ruleset}: {kit} of {every} mutants are caught by the kit ({_percent(kit, every):.1f} %)"]
        if self.tests:
            both = every - len(self.survivors)
            lines.append(f"{self.ruleset}: {both} of {every} mutants are caught by kit and tests ({self.percent:.1f} %)")
        told = Counter(trial.verdict for trial in self.survivors)
        for verdict, words in WORDS.items():
            if told[verdict]:
                lines.append(f"{told[verdict]:4} survive: {words}")
        cpu = sum(trial.cpu for trial in self.trials)
        return [*lines, f"{every} of {self.known} possible mistakes were made; {cpu:.0f} s of processor time"]

    def lines(self) -> list[str]:
        """For a terminal: survivors by clause and line, who caught how many, and the score."""
        found: list[str] = []
        title = ""
        for trial in self.survivors:
            mutant = trial.mutant
            if mutant.title != title:
                title = mutant.title
                found.append(f"{title}:")
            found.append(f"  {mutant.file}:{mutant.edit.line} {mutant.edit.what} [{mutant.id}] {WORDS[trial.verdict]}")
            found += [f"    - {mutant.before}", f"    + {mutant.after}"]
            found += [f"    {trial.witness.words}"] if trial.witness is not None else []
        if found:
            found.insert(0, "These lines could be wrong, and nobody would notice:")
        catches = Counter("tests" if "::" in trial.by else trial.by for trial in self.trials if trial.by)
        return [*found, *(f"{count:4} caught by {name}" for name, count in catches.most_common()), *self.summary()]

    def to_json(self) -> dict[str, Json]:
        """For a program."""
        trials: list[Json] = [
            {
                "mutant": trial.mutant.id,
                "file": trial.mutant.file,
                "line": trial.mutant.edit.line,
                "name": trial.mutant.name,
                "clauses": list(trial.mutant.clauses),
                "what": trial.mutant.edit.what,
                "before": trial.mutant.before,
                "after": trial.mutant.after,
                "kit": trial.kit,
                "by": trial.by,
                "message": trial.message,
                "verdict": "caught" if trial.by else trial.verdict,
                "cpu": trial.cpu,
                "witness": None if trial.witness is None else asdict(trial.witness),
            }
            for trial in self.trials
        ]
        left = len(self.survivors)
        return {
            "ruleset": self.ruleset,
            "possible": self.known,
            "caught": len(self.trials) - left,
            "survive": left,
            "percent": round(self.percent, 1),
            "broken": dict(self.broken),
            "mutants": trials,
        }

    def write_drafts(self, folder: Path) -> Path | None:
        """Write the positions that were found as drafts of drills into a folder, for their author to confirm or to deny."""
        found = [(trial, trial.witness) for trial in self.survivors if trial.witness is not None and trial.witness.draft]
        if not found:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{self.ruleset}-drafts.toml"
        parts = [DRAFTS.format(ruleset=self.ruleset)]
        for trial, witness in found:
            mutant = trial.mutant
            told = [f"{mutant.id}, {mutant.file}:{mutant.edit.line}, {mutant.edit.what}", f"  - {mutant.before}"]
            told += [f"  + {mutant.after}", f"With the second line: {shortened(witness.says, 300)}"]
            parts.append("".join(f"# {line}\n" for line in told) + witness.draft)
        write_whole(file, "\n".join(parts).encode())
        return file

    def write_page(self, folder: Path) -> Path:
        """Write the page into a folder, which is made if it is not there; return the file."""
        file = folder / f"{self.ruleset}-mutants.html"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(self.page(), encoding="utf-8")
        except OSError as error:
            raise ContentError(str(file), "", f"cannot be written: {error.strerror}") from None
        return file

    def page(self) -> str:
        """As a page: the score, the clauses whose rules could be wrong, and the sources with marks at the lines."""
        title = f"Mutants of {escape(self.ruleset)}"
        by_line: defaultdict[str, defaultdict[int, list[AutoTrial]]] = defaultdict(lambda: defaultdict(list))
        clauses: defaultdict[str, list[AutoTrial]] = defaultdict(list)
        for trial in self.trials:
            by_line[trial.mutant.file][trial.mutant.edit.line].append(trial)
        for trial in self.survivors:
            clauses[trial.mutant.title].append(trial)
        rows = "".join(
            f"<tr><th>{escape(clause)}</th><td>{'<br>'.join(_link(trial.mutant) for trial in left)}</td></tr>"
            for clause, left in clauses.items()
        )
        listings = "".join(
            f"<h2>{escape(file)}</h2><pre>{_listing(file, path.read_text(encoding='utf-8'), by_line[file])}</pre>"
            for file, path in self.files.items()
            if any(not trial.by for trials in by_line[file].values() for trial in trials)
        )
        score = "".join(f"<li>{escape(line)}</li>" for line in self.summary())
        return f"""\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>
<body>
<h1>{title}</h1>
<ul>{score}</ul>
<h2>These lines of your rules could be wrong, and nobody would notice</h2>
<table>{rows}</table>
{listings}
</body>
</html>
"""


_STYLE = """
body { font: 16px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
table { border-collapse: collapse }
th, td { border-top: 1px solid #ccc; padding: .3rem .8rem; text-align: left; vertical-align: top }
pre { background: #f6f6f6; overflow-x: auto; padding: .6rem } .left { background: #fbd5d5 } .caught { background: #dff2df }
.note { color: #a00; font-style: italic }
"""


DRAFTS = """\
# Drafts of drills for {ruleset}: in each position one line of the rules matters that no check or test looks at so far.
# What it expects is what the rules do as they are. Look into the rulebook: if it agrees, say in "what" which rule is shown,
# and move the drill into your kit; if it does not, the line is wrong.
"""


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def _place(mutant: AutoMutant) -> str:
    return escape(f"{mutant.file}-{mutant.edit.line}", quote=True)


def _link(mutant: AutoMutant) -> str:
    return f'<a href="#{_place(mutant)}">{escape(mutant.file)}:{mutant.edit.line}</a> {escape(mutant.edit.what)}'


def _listing(file: str, text: str, trials: Mapping[int, list[AutoTrial]]) -> str:
    """A file; under a line with survivors stands what it could be instead."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        here = trials.get(number, [])
        left = [trial for trial in here if not trial.by]
        mark = f' class="{"left" if left else "caught"}" id="{escape(file)}-{number}"' if here else ""
        rows.append(f"<span{mark}>{number:5} {escape(line)}</span>")
        rows += [
            f'<span class="note">      {escape(trial.mutant.after)}   # {escape(trial.mutant.id)}: {WORDS[trial.verdict]}</span>'
            for trial in left
        ]
    return "\n".join(rows)
