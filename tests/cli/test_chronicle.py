"""Names in sentences: they stand where a field names something, and nowhere else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

import hexwar
from hexwar.engine import Action, PublicEvent, World, record
from hexwar.mechanics import HexState
from hexwar.pieces import Losing, Manner, UnitMoved
from hexwar.table.chronicle import Chronicle

ORDINALS = {"b1": "the first", "b2": "the second"}
NAMES = {"a": "Aster", "on": "Onyx Hill", "b1": "1st Foot"}


@pytest.fixture
def chronicle() -> Chronicle:
    """A game on areas that are called like English words."""
    units = {unit: SimpleNamespace(name=NAMES.get(unit, unit), side="blue") for unit in ("b1", "b2")}
    board = SimpleNamespace(names={label: NAMES[label] for label in ("a", "on")})
    return Chronicle(cast("World", SimpleNamespace(units=units, board=_Board(board.names))))


class _Board(SimpleNamespace):
    def __init__(self, names: dict[str, str]) -> None:
        super().__init__(names=names)

    def __contains__(self, place: object) -> bool:
        return place in self.names


@record
class Play(Action):
    kind = "play-card"
    says = "play a card on {area} for {unit}"
    area: str
    unit: str


@record
class Parade(PublicEvent[HexState]):
    kind = "parade"
    unit: str
    path: tuple[str, ...]

    def apply(self, state: HexState) -> None:
        """Nothing changes."""

    def __str__(self) -> str:
        return f"a parade of {self.unit} ({self.path[0]}) goes on to {self.path[-1]} by {len(self.path)} areas"


@record
class Roll(Action):
    kind = "roll-call"
    unit: str

    def __str__(self) -> str:
        return f"call {ORDINALS[self.unit]} as b1"


def test_an_article_is_no_area(chronicle: Chronicle) -> None:
    assert chronicle.sentence(Play("a", "b1")) == "play a card on Aster (a) for 1st Foot (b1)"
    assert chronicle.sentence(Play("on", "b2")) == "play a card on Onyx Hill (on) for b2"
    assert chronicle.named("Choose a card.") == "Choose a card."


def test_words_that_an_event_chooses_itself_are_filled_too(chronicle: Chronicle) -> None:
    assert (
        chronicle.sentence(Parade("b1", ("a", "on"), clause="1"))
        == "a parade of 1st Foot (b1) (a) goes on to Onyx Hill (on) by 2 areas"
    )
    assert chronicle.sentence(UnitMoved("b1", ("on", "a"), Manner.RETREATS, clause="1")) == (
        "1st Foot (b1) retreats from Onyx Hill (on) to Aster (a)"
    )


def test_a_sentence_that_looks_something_up_keeps_its_words(chronicle: Chronicle) -> None:
    assert chronicle.sentence(Roll("b1")) == "call the first as 1st Foot (b1)"


def test_an_id_alone_has_its_name_whatever_it_looks_like(chronicle: Chronicle) -> None:
    assert chronicle.named("a") == "Aster (a)"
    assert chronicle.named("b1 stays on") == "1st Foot (b1) stays on"


def test_a_prompt_is_filled_from_what_its_step_names() -> None:
    units = 'b1 = "0503"\nb2 = "0704"\nbA = "0102"\nrA = "0902"'
    stack = '[{ kind = "sequencing" }, { kind = "losing", seat = "blue", units = ["b1", "b2"], left = 1 }]'
    game = hexwar.position(f'ruleset = "bridgehead"\nstate = {{ turn = 1 }}\nstack = {stack}\n[units]\n{units}')
    assert isinstance(game.state.stack[-1], Losing)
    question: Any = game.question("blue")
    names = game.world.units
    assert Chronicle(game.world).asked(question) == (
        f"Lose 1 step among {names['b1'].name} (b1), {names['b2'].name} (b2). ({question.clause})"
    )
