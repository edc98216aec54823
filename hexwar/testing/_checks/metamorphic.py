"""Metamorphic checks: no oracle knows what the rules should say, but on a turned board they must say the same.

Each needs a capability of `hexwar.testing`, with which a ruleset promises that what is changed does not matter.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hexwar.engine import Action, Event, Game, Ruleset, World
from hexwar.testing._running.kit import with_piece
from hexwar.testing._running.relations import (
    Answers,
    Image,
    Interchange,
    Locality,
    Relation,
    Renaming,
    Symmetry,
    Turn,
    difference,
    json_difference,
    translated,
    unordered,
)
from hexwar.testing._running.watch import Watch, in_words, lend_dice, try_offered

UNITS = 4
"""At most this many units are asked about at each look."""
LARGE, FEW = 200, 3
"""A board with more hexes is large, and turned in only this many ways."""
KEPT = 64
"""At most this many worlds of images are kept."""


class _Comparing(Watch, abstract=True):
    """What they share: questions about a game and about its image."""

    rate = 0.06

    def asked(self, relation: Relation, game: Game, seat: str, action: Action) -> list[str]:
        """The units that are asked about."""
        units = sorted(relation.units(game))
        return self.random(seat, action).sample(units, min(len(units), UNITS))

    def compare(self, relation: Relation, game: Game, image: Image, units: list[str], answers: Answers) -> Game:
        """Put the same questions to the image; it is returned."""
        try:
            there = image.of(game)
            answered = relation.answers(there, translated(units, image.names))
        except Exception as error:
            raise self.fail(f"when {image.what}, the rules fail: {in_words(error)}") from error
        found = difference(translated(answers, image.names), answered)
        self.demand(not found, f"when {image.what}, the rules answer otherwise. {found}")
        return there

    def do(self, there: Game, image: Image, game: Game, seat: str, action: Action) -> None:
        """Do in the image what is done in the game."""
        try:
            there.apply(image.action(game, action), image.seat(seat))
        except Exception as error:
            raise self.fail(f"when {image.what}, {image.action(game, action)!r} fails: {in_words(error)}") from error

    def agree(self, image: Image, after: Game, there: Game, action: Action, *, in_order: bool = True) -> None:
        """The states must be images of each other."""
        here, other = translated(after.state.to_json(), image.names), there.state.to_json()
        found = json_difference(here, other) if in_order else json_difference(unordered(here), unordered(other))
        self.demand(not found, f"when {image.what}, {action!r} leads elsewhere. {found}")


class BoardCanTurn(_Comparing):
    """On a board that is mirrored or turned the rules offer and answer the same, and actions lead to the same state."""

    needs = Symmetry

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Ask about a few turned boards, and do there what is done here."""
        symmetry = self.rule(Symmetry)
        units = self.asked(symmetry, game, seat, action)
        answers = symmetry.answers(game, units)
        after = game.copy()
        try_offered(after, seat, action)
        changes = self._changes(symmetry, game)
        for turn, labels in self.random(seat, action).sample(changes, min(len(changes), 1 + self.budget.probes // 8)):
            image = _image(symmetry, game.ruleset, game.world, turn, labels)
            there = self.compare(symmetry, game, image, units, answers)
            if symmetry.settles(game, action):
                lend_dice(after, there)
                self.do(there, image, game, seat, action)
                self.agree(image, after, there, action)

    def _changes(self, symmetry: Symmetry, game: Game) -> Sequence[tuple[Turn, bool]]:
        """The changes that are tried; on a large board, which takes long to turn, the same few in all games of a scenario."""
        if len(game.world.board) <= LARGE or self.budget.tier == "nightly":
            return symmetry.changes
        return random.Random(f"{self.id}|{self.subject.scenario}").sample(symmetry.changes, min(len(symmetry.changes), FEW))


class SidesCanSwap(_Comparing):
    """If the two sides are exchanged, the rules give to each the answers that they gave to the other."""

    needs = Interchange

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Ask with exchanged sides."""
        interchange = self.rule(Interchange)
        units = self.asked(interchange, game, seat, action)
        image = _image(interchange, game.ruleset, game.world)
        self.compare(interchange, game, image, units, interchange.answers(game, units))


class NamesDoNotMatter(_Comparing):
    """Under other names of the units the whole game goes the same way, and names that sort otherwise change no answer."""

    needs = Renaming
    share = 0.04

    _there: Game | None = None

    follows = True
    """It plays the same game under other names."""

    def before(self, game: Game, seat: str, action: Action) -> None:
        """The other game begins where this one stands; sometimes, ask and try with names in another order."""
        if self._there is None:
            self._there = self._image(game).of(game)
        if self.random(seat, action).random() >= self.share:
            return
        renaming = self.rule(Renaming)
        units = self.asked(renaming, game, seat, action)
        image = _image(renaming, game.ruleset, game.world, 1)
        there = self.compare(renaming, game, image, units, renaming.answers(game, units))
        after = game.copy()
        try_offered(after, seat, action)
        if after.state.draws == game.state.draws:  # what lies in a cup lies there in the order of the names
            self.do(there, image, game, seat, action)
            self.agree(image, after, there, action, in_order=False)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """The other game continues with the same dice."""
        assert self._there is not None
        image = self._image(game)
        lend_dice(game, self._there)
        self.do(self._there, image, game, seat, action)
        self.agree(image, game, self._there, action)

    def _image(self, game: Game) -> Image:
        return _image(self.rule(Renaming), game.ruleset, game.world, None)


class FarUnitsDoNotMatter(_Comparing):
    """A unit that is put far beyond another's reach changes neither its moves nor its odds nor its ways of retreat."""

    needs = Locality

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Put a unit somewhere, and ask those for whom that is far away."""
        locality, chance = self.rule(Locality), self.random(seat, action)
        strangers = locality.strangers(game)
        if not strangers:
            return
        stranger = chance.choice(strangers)
        hexes = locality.hexes(game, stranger)
        board = game.world.board
        units = self.asked(locality, game, seat, action)
        concerned = {unit: locality.concerned(game, unit) for unit in units}
        for label in chance.sample(hexes, min(len(hexes), (self.budget.probes + 1) // 2)):
            near = set(board.disk(label, locality.far - 1))
            apart = [unit for unit in units if near.isdisjoint(concerned[unit])]
            if apart:
                self._put(locality, game, stranger, label, apart)

    def _put(self, locality: Locality, game: Game, stranger: str, label: str, apart: list[str]) -> None:
        there = Game(game.ruleset, game.world, with_piece(game._position, stranger, label).state, game.chance.fork())
        if there.events:  # what was to be decided is so no longer, and the game went on
            return
        over_distance = Relation(locality.depends)
        changed = [unit for unit in apart if over_distance.answers(game, [unit]) != over_distance.answers(there, [unit])]
        asked = [unit for unit in apart if unit not in changed]
        # The odds of a unit count those who attack with it, and among them may be one that is not far away.
        here, answered = (_about(locality.answers(which, asked), asked, game) for which in (game, there))
        found = difference(here, answered)
        self.demand(not found, f"with {stranger} in {label}, far away, the rules answer otherwise. {found}")


def _about(answers: Answers, units: list[str], game: Game) -> Answers:
    """The answers that name no other units than these; of sets of actions, those that name some of them."""
    others = set(game.world.units).difference(units)
    found: Answers = {}
    for question, answer in answers.items():
        if question[0] == "actions":
            kept = frozenset(action for action in answer if not others & (named := _names_in(action)) and named & set(units))
            found |= {question: kept} if kept else {}
        elif question[0] != "asked" and not others & _names_in(question):  # somebody else may be asked about the newcomer
            found[question] = answer
    return found


def _names_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    return {name for item in value for name in _names_in(item)} if isinstance(value, tuple | frozenset) else set()


# -- images that are kept ---------------------------------------------------------------------------------------------------


@lru_cache(KEPT)
def _image(relation: Any, rules: Ruleset, world: World, *how: Any) -> Image:
    image: Image = relation.image(rules, world, *how)
    return image
