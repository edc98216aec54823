"""Generic rule bugs: those of the engine's promises, which any ruleset can have, and those of `hexwar.mechanics`.

A bug is offered for a ruleset only if it can change something there: one without chits loses none.
"""

from __future__ import annotations

from hexwar.errors import UnknownName
from hexwar.testing.mutants import combat, gate, ground, lines, offers, retreat, secrets, turns, values
from hexwar.testing.mutants.catalogue import Condition, Generic, Parts
from hexwar.testing.mutation import Mutant
from hexwar.testing.subject import Subject

__all__ = ["CATALOGUE", "Condition", "Generic", "Parts", "generic_mutants", "unused_mutants"]

CATALOGUE: dict[str, Generic] = {
    bug.id: bug for module in (combat, gate, ground, lines, offers, retreat, secrets, turns, values) for bug in module.BUGS
}
"""All of them by id, in the order in which they are planted."""


def generic_mutants(subject: Subject) -> list[Mutant]:
    """Those that can be planted below a ruleset."""
    parts = Parts(subject)
    unused = unused_mutants(subject)
    return [generic.mutant(parts) for generic in CATALOGUE.values() if generic.id not in unused]


def unused_mutants(subject: Subject) -> dict[str, str]:
    """Those that cannot matter to a ruleset -> why not."""
    parts = Parts(subject)
    said = subject.kit.harmless
    for name in said:
        if name not in CATALOGUE:
            raise UnknownName("generic mutant", name, CATALOGUE)
    return {name: why for name, generic in CATALOGUE.items() if (why := generic.why_not(parts) or said.get(name, ""))}
