"""The check of bots: one that needs what it remembers, or fails out of the blue, is found."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.bots import RandomBot
from hexwar.engine import Action, RandomSource, View
from hexwar.testing import check_ruleset
from hexwar.testing._checks import gate as module

CHECK = "bots-answer-what-is-offered"


class Stubborn(RandomBot):
    """It does what was offered to it first, whatever is offered now."""

    first: Action | None = None

    def choose(self, view: View, chance: RandomSource) -> Action:
        Stubborn.first = Stubborn.first or super().choose(view, chance)
        return Stubborn.first


class Lost(RandomBot):
    """It needs a plan."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        raise KeyError("plan")


@pytest.mark.parametrize(("bot", "words"), [(Stubborn, "asked in place of"), (Lost, "fails: KeyError: 'plan'"), (RandomBot, "")])
def test_asked_out_of_the_blue(bot: Any, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUICKLY", 0.05)
    monkeypatch.setattr(module, "load_bot", lambda name: bot())
    report = check_ruleset("bridgehead", only=[CHECK], first=True)
    assert report.passed == (not words)
    assert all(words in failure.message for failure in report.failures)
