"""14.12 to 14.14: who counts in a fight, and as what: neighbours left alone, guns, commanders."""

from __future__ import annotations

import pytest

from tests.wop.test_14_combat import fight

# -- 14.13.u neighbours that are left alone -----------------------------------------------------------------------------------

BESIDE = {"97/33": "0912", "49/18": "0913", "42/18": "0811"}


@pytest.mark.clause("14.3.b")
def test_14_13_u_who_was_attacked_and_beaten_is_not_left_alone() -> None:
    assert fight(BESIDE, ["97/33"], "0913")["14.13.u"] == -2
    assert "14.13.u" not in fight(BESIDE, ["97/33"], "0913", beaten=["42/18"])


def test_14_13_u_a_hex_with_anybody_who_was_not_attacked_still_costs() -> None:
    units = {**BESIDE, "144/18": "0811"}
    assert fight(units, ["97/33"], "0913", beaten=["42/18"])["14.13.u"] == -2
    assert "14.13.u" not in fight(units, ["97/33"], "0913", beaten=["42/18", "144/18"])
