"""Parts of a world, and what variants put in front of them."""

from dataclasses import replace

import pytest

from hexwar.engine import Part, RuleIndex, SequenceOfPlay, Setup, World, part
from hexwar.engine.parts import part_names
from hexwar.errors import UnknownName


class Weather(Part):
    def mud(self, turn: int) -> bool:
        return turn > 3


class Rain(Weather):
    def mud(self, turn: int) -> bool:
        return super().mud(turn) or turn == 1


class Frost(Weather):
    def mud(self, turn: int) -> bool:
        return turn < 5 and super().mud(turn)


class Country(World):
    weather = part(Weather)


class LateAutumn(Weather):
    def mud(self, turn: int) -> bool:
        return turn > 2


class Steppe(Country):
    weather = part(LateAutumn)


SETUP = Setup("toy", "1", "s", {}, {"a": "a", "b": "b"}, RuleIndex([]))


def turns(world: Country) -> list[int]:
    return [turn for turn in range(1, 7) if world.weather.mud(turn)]


def test_a_part_is_made_once_and_knows_its_world() -> None:
    world = Country(SETUP, SequenceOfPlay())
    assert world.weather is world.weather
    assert world.weather.world is world
    assert turns(world) == [4, 5, 6]
    assert part_names(Steppe) == ("weather",)


def test_a_ruleset_replaces_a_part_by_a_subclass() -> None:
    assert turns(Steppe(SETUP, SequenceOfPlay())) == [3, 4, 5, 6]


def test_variants_come_in_front_of_the_rulesets_own_part_the_last_one_first() -> None:
    rainy = replace(SETUP, parts={"weather": (Rain,)})
    assert turns(Country(rainy, SequenceOfPlay())) == [1, 4, 5, 6]
    assert turns(Steppe(rainy, SequenceOfPlay())) == [1, 3, 4, 5, 6]
    both = replace(SETUP, parts={"weather": (Rain, Frost)})
    assert turns(Country(both, SequenceOfPlay())) == [1, 4]


def test_a_change_of_a_part_that_the_world_does_not_have_is_named() -> None:
    with pytest.raises(UnknownName, match="no part is called 'wether'; did you mean weather"):
        Country(replace(SETUP, parts={"wether": (Rain,)}), SequenceOfPlay())
