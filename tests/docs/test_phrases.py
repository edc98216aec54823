"""Phrases that readers stumble over, each with the ordinary word: none may become more frequent than it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("hexwar", "rulesets", "maps", "docs", ".")
ENDINGS = {".py", ".md", ".js", ".html", ".toml", ".txt"}
SKIPPED = {"CHANGELOG.md", "test_phrases.py", "planted.md"}
"""The changelog is not rewritten; pages made from code repeat its words."""

PHRASES = {
    r"(?:is|are) none\b": ("say what it is not: 'is not a hex'", 74),
    r"none of (?:ours|hexes)\b": ("'from elsewhere', 'without hexes'", 0),
    r"speaks? against\b": ("'refuses', 'for which why_not returns None'", 3),
    r"nothing is said\b": ("'by default', 'if not given'", 9),
    r"worked out\b": ("'computed'", 51),
    r"\bwhomever\b": ("name who it is", 2),
    r"\bis told of\b": ("'hears of', 'is notified of'", 2),
    r"\bby whoever\b": ("name who does it", 0),
    r"\bso many\b": ("give the number or the limit", 19),
    r"\bbelongs into\b": ("'belongs in'", 3),
    r"\bit has a length\b": ("'supports len()'", 0),
    r"\bis no action of the game\b": ("'is not a valid action in this game'", 3),
    r"\bdef (?:told|alike|sure|calm|way_back)\b": ("a name that says what it returns: 'sentence', 'size_key', 'is_confirmed'", 6),
    r"\b(?:told|alike|sure): Callable\b": ("'progress', 'size_key'", 0),
    r"(?<!\.)\bplay_?outs?\(": ("'play_at_random', 'play_to_end': a playout is `Game.playout()` alone", 1),
}
"""Phrase -> what to write instead, and how often it may stand in the tree: lower the number when it becomes rarer."""


def found(phrase: str) -> list[str]:
    """Where a phrase stands, as file:line."""
    pattern, places = re.compile(phrase), []
    for folder in FOLDERS:
        walk = (ROOT / folder).glob("*.md") if folder == "." else (ROOT / folder).rglob("*")
        for file in sorted(walk):
            if file.suffix in ENDINGS and file.name not in SKIPPED and file.parent.name != "rules" and file.is_file():
                lines = file.read_text("utf-8").splitlines()
                places += [f"{file.relative_to(ROOT)}:{n}" for n, line in enumerate(lines, 1) for _ in pattern.findall(line)]
    return places


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_does_not_spread(phrase: str) -> None:
    instead, most = PHRASES[phrase]
    places = found(phrase)
    assert len(places) <= most, f"{phrase}: write {instead}; it stands in {', '.join(places)}"
