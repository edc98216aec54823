"""Generic rule bugs: those of the engine's promises, which any ruleset can have, and those of `hexwar.mechanics`.

A bug is offered for a ruleset only if it can change something there: one without chits loses none. To plant them all:

    hexwar mutate bridgehead --planted tests/testing/planted_generic/all.py --planted tests/bridgehead/planted.py
"""

from __future__ import annotations

from collections.abc import Mapping

from hexwar.testing import Mutant, Subject
from tests.testing.planted_generic import combat, gate, ground, lines, offers, retreat, secrets, turns, values
from tests.testing.planted_generic.catalogue import Condition, Generic, Parts

__all__ = ["CATALOGUE", "MUTANTS", "Condition", "Generic", "Parts", "generic_mutants", "unused_mutants"]

CATALOGUE: dict[str, Generic] = {
    bug.id: bug for module in (combat, gate, ground, lines, offers, retreat, secrets, turns, values) for bug in module.BUGS
}
"""All of them by id, in the order in which they are planted."""
HARMLESS: Mapping[str, Mapping[str, str]] = {
    "ava": {
        "arrival-in-zones": "its railways end where enemy zones begin (12.1.4), so nobody is offered a hex in one",
        "supply-from-watched-sources": "its lines leave sources in enemy zones (3.3.3); watched-sources-are-shut forbids it",
    },
    "tow": {
        "arrival-in-zones": "railways and relocations leave hexes in enemy zones out beforehand (11.0.3, 2.3.7)",
        "supply-ignores-zones": "its lines do not even end in enemy zones (8.1.4), so it opens none; lines-through-zones does",
        "supply-from-watched-sources": "a source in an enemy zone is closed (8.1.4); watched-sources-are-open opens it",
        "retreat-stops-at-full-stacks": "its retreats go on hex by hex and know no number (10.4.6); full-hexes-kill stops them",
    },
}
"""Ruleset -> bugs that change nothing there, with the ruleset's own bugs that break the same rule."""


def generic_mutants(subject: Subject) -> list[Mutant]:
    """Those that can be planted below a ruleset."""
    parts = Parts(subject)
    unused = unused_mutants(subject)
    return [generic.mutant(parts) for generic in CATALOGUE.values() if generic.id not in unused]


def unused_mutants(subject: Subject) -> dict[str, str]:
    """Those that cannot matter to a ruleset -> why not."""
    parts = Parts(subject)
    said = HARMLESS.get(subject.info.id, {})
    return {name: why for name, generic in CATALOGUE.items() if (why := generic.why_not(parts) or said.get(name, ""))}


def MUTANTS(ruleset: str) -> list[Mutant]:  # noqa: N802
    """What `hexwar mutate --planted` asks for."""
    return generic_mutants(Subject.of(ruleset))
