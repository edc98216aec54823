"""The rule bugs of the field: each breaks a clause that exists, names checks that exist, and can be planted and pulled out again.

That they are caught is for `hexwar check tow --mutate`.
"""

from __future__ import annotations

import pytest

from hexwar.testing.checks import check_named
from hexwar.testing.mutation import Mutant, planted
from hexwar.testing.subject import Subject
from hexwar_tow.kit.field_boards import random_scene
from tests.tow.planted.field import MUTANTS


def fingerprint() -> tuple[object, ...]:
    """Something of everything that the bugs break."""
    game = random_scene("a")
    return game.world.content, game.digest, game.legal_actions(game.to_move[0]), repr(game.query.score())


BEFORE = fingerprint()


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.id for mutant in MUTANTS])
def test_a_rule_bug_breaks_a_clause_and_can_be_pulled_out(mutant: Mutant) -> None:
    subject = Subject.of("tow")
    assert mutant.clause in subject.rules
    assert all(check_named(check, subject) for check in mutant.likely)
    with planted(mutant):
        pass
    assert fingerprint() == BEFORE


def test_no_two_are_alike() -> None:
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS) > 100
    assert len({mutant.what for mutant in MUTANTS}) == len(MUTANTS)


def test_random_positions_depend_on_their_key_alone() -> None:
    assert random_scene("a").digest == random_scene("a").digest != random_scene("b").digest
