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
    r"(?<![Tt]here )(?<![Tt]here that )\b(?:is|are) none\b": ("say what it is not: 'is not a hex'", 0),
    r"none of (?:ours|hexes)\b": ("'from elsewhere', 'without hexes'", 0),
    r"speaks? against\b": ("'refuses', 'for which why_not returns None'", 0),
    r"nothing is said\b": ("'by default', 'if not given'", 0),
    r"worked out\b": ("'computed'", 0),
    r"\bwhomever\b": ("name who it is", 0),
    r"\bis told of\b": ("'hears of', 'is notified of'", 0),
    r"\bby whoever\b": ("name who does it", 0),
    r"\bso many\b": ("give the number or the limit", 0),
    r"\bbelongs into\b": ("'belongs in'", 0),
    r"\bit has a length\b": ("'supports len()'", 0),
    r"\bis no action of the game\b": ("'is not a valid action in this game'", 0),
    r"\bdef (?:told|alike|sure|calm|way_back)\b": ("a name that says what it returns: 'sentence', 'size_key', 'is_confirmed'", 4),
    r"\b(?:told|alike|sure): Callable\b": ("'progress', 'size_key'", 0),
    r"(?<!\.)\bplay_?outs?\(": ("'play_at_random', 'play_to_end': a playout is `Game.playout()` alone", 1),
    r"\bshall\b": ("'must', 'will', 'is to'", 0),
    r"\b(?:he|she) (?:is|has|may|must|can|does|would|wants|knows|sees)\b": ("'they' for a player", 16),
    r"\bhis own\b": ("'their own' for a player", 14),
    r"\ba text\b(?! (?:file|index))": ("'a string'", 4),
    r"\b(?:before|under) the eyes\b": ("'observed by'", 0),
    r"\bwhen somebody (?:asks|looks|uses)\b": ("'on demand', 'on first use'", 0),
    r"\bif nobody (?:says|knows|has said)\b": ("'by default', 'if unknown'", 0),
    r"\b(?:[Nn]obody|[Ss]omebody)\b": ("name the unit, the seat, the process; a person only where one is meant", 400),
    r"\bDoing\b": ("'GamePlay'", 420),
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
