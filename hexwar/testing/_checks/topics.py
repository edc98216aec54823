"""The check that the mechanics cite the clause that is meant: a wrong one with the right effect misleads every reader."""

from __future__ import annotations

import tomllib

from hexwar.files import TextSource
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.watch import Survey


class Topics(Capability):
    """A ruleset says in words what each topic of the mechanics cites, so that a wrong number shows.

    Args:
        file: topic -> some words of the clause's title.
    """

    def __init__(self, file: TextSource) -> None:
        self.words: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))


class TopicsFitClauses(Survey):
    """The clause that events and refusals of a topic cite is the one whose title has the words that the kit has for the topic."""

    needs = Topics
    once = True

    def run(self, seed: int) -> None:
        """Compare them, and see that no other clause of the section has these words."""
        known, rules = self.rule(Topics).words, self.subject.rules
        cite = self.subject.start(seed).world.cite
        for topic in {**cite, **known}:
            self.demand(topic in cite, f"the kit has words for {topic}, which the rules do not know")
            self.demand(topic in known, f"the kit has no words for {topic}, which cites {cite.get(topic)}")
            words, clause = known[topic].lower(), cite[topic]
            section = clause.rpartition(".")[0]
            meant = [name for name in rules if name.rpartition(".")[0] == section and words in rules[name].title.lower()]
            stands = f"{known[topic]!r} stands in {', '.join(meant) or 'no clause of its section'}"
            self.demand(meant == [clause], f"{topic} cites {clause} ({rules[clause].title}), but {stands}")
