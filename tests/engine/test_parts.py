"""Parts of a world, and what variants put in front of them."""

from dataclasses import replace

import pytest

from hexwar.engine import Part, RuleIndex, SequenceOfPlay, Setup, World, part
from hexwar.engine._parts import parts_of
from hexwar.errors import PluginError


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
    assert parts_of(Steppe) == {"weather": LateAutumn}


def test_a_ruleset_replaces_a_part_by_a_subclass() -> None:
    assert turns(Steppe(SETUP, SequenceOfPlay())) == [3, 4, 5, 6]


def test_variants_come_in_front_of_the_rulesets_own_part_the_last_one_first() -> None:
    rainy = replace(SETUP, parts={"rain": {"weather": Rain}})
    assert turns(Country(rainy, SequenceOfPlay())) == [1, 4, 5, 6]
    assert turns(Steppe(rainy, SequenceOfPlay())) == [1, 3, 4, 5, 6]
    both = replace(SETUP, parts={"rain": {"weather": Rain}, "frost": {"weather": Frost}})
    assert turns(Country(both, SequenceOfPlay())) == [1, 4]


class Tides(Part):
    """No weather."""


class Misspelt(Weather):
    def muds(self, turn: int) -> bool:
        return False


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"wether": Rain}, "no part is called 'wether'; did you mean weather?"),
        ({"weather": Tides}, "Tides cannot be put in front of LateAutumn: it derives from none of its classes"),
        ({"weather": Weather}, "Weather cannot be put in front of LateAutumn: it is that rule itself"),
        ({"weather": Misspelt}, "LateAutumn has no muds; did you mean mud?"),
    ],
)
def test_a_change_that_does_not_fit_is_refused_with_the_variant(changes: dict[str, type[Part]], sentence: str) -> None:
    with pytest.raises(PluginError) as caught:
        Steppe(replace(SETUP, parts={"house": changes}), SequenceOfPlay())
    assert str(caught.value) == f"variant house: {sentence}"


def test_what_the_method_of_a_variant_raises_has_a_note_of_it() -> None:
    class Broken(Weather):
        def mud(self, turn: int) -> bool:
            return super().mud(turn) or bool(vars(self)["snow"])

    world = Country(replace(SETUP, parts={"house": {"weather": Broken}}), SequenceOfPlay())
    assert world.weather.mud(4)
    with pytest.raises(KeyError) as caught:
        world.weather.mud(1)
    assert caught.value.__notes__ == ["variant house: Broken.mud"]
