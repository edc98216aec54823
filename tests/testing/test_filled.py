"""Actions with empty fields that the kit fills, so that what is rarely used goes through JSON as well."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from hexwar.engine import Action, Spot, record
from hexwar.testing._checks.values import filled


class Stance(StrEnum):
    OPEN = ""
    DUG_IN = "dug in"


@record
class Order(Action):
    kind = "order"
    unit: str = ""
    to: Spot = (0, 0)
    via: tuple[Spot, ...] = ()
    by: tuple[str, ...] = ()
    losses: tuple[int, ...] = ()
    pairs: tuple[tuple[str, int], ...] = ()
    gait: Literal["", "march", "dash"] = ""
    stance: Stance = Stance.OPEN
    friend: str | None = ""
    odd: tuple[frozenset[str], ...] = ()


def test_each_empty_field_gets_what_its_type_allows() -> None:
    points, pairs = ((0, 1), (1, 0), (0, 1)), (("x", 1), ("y", 0), ("x", 1))
    assert filled(Order(), 3) == Order("x", (0, 0), points, ("x", "y", "x"), (0, 1, 0), pairs, "dash", Stance.DUG_IN, "x")


def test_what_is_filled_comes_back_from_json() -> None:
    from hexwar.engine._records import parse

    data = dict(filled(Order()).to_json())
    del data["kind"]
    assert parse(Order, data) == filled(Order())


def test_what_is_there_stays() -> None:
    made = filled(Order("b1", by=("c1",)))
    assert isinstance(made, Order)
    assert (made.unit, made.by) == ("b1", ("c1",))
