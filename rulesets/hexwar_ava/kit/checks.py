"""The checks of A Victory Awaits: each holds games to the literal rules on one subject."""

from __future__ import annotations

import random
from typing import ClassVar

import hexwar
from hexwar.engine import Action, Event, Game
from hexwar.testing.drills import Differs, Drilled
from hexwar.testing.watch import Check, Survey, Watch
from hexwar_ava.bot import Commander
from hexwar_ava.kit.boards import seeded_scene
from hexwar_ava.kit.comparing import same_in_everything
from hexwar_ava.kit.drills_scenarios import ALL_DRILLS
from hexwar_ava.kit.judges_field import Combat, Movement, Places, Retreats
from hexwar_ava.kit.judges_staff import Activation, Chits, Deciders, SetUp, TeamChits
from hexwar_ava.kit.judges_supply import Reinforcements, Score, Supply
from hexwar_ava.kit.witness import Judge, Witness

JUDGES: tuple[type[Judge], ...] = (
    Places,
    SetUp,
    Chits,
    Activation,
    Movement,
    Combat,
    Retreats,
    Supply,
    Reinforcements,
    Score,
    Deciders,
    TeamChits,
)
"""All of them."""


class Literal(Watch):
    """A check that asks one judge of the witness which all of them share."""

    judge: ClassVar[type[Judge]]

    @property
    def follows(self) -> bool:
        """It must see every decision, since its books go on from one to the next."""
        return True

    def begin(self, game: Game) -> None:
        """See `Watch.begin`."""
        # On large boards, where literal rules take long, the quick tier looks at one move in twelve and the nightly one at all.
        self._witness = Witness.of(game, max(1, 36 // self.budget.probes))
        self._witness.admit(self.judge)
        self._complain()

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """See `Watch.after`."""
        self._witness.follow(game, seat, action, events)
        self._complain()

    def _complain(self) -> None:
        objection = self._witness.against(self.judge.topic)
        if objection is not None:
            raise self.fail(str(objection))


def _check(kind: type[Judge], of: str, what: str) -> type[Literal]:
    name = f"Literal{kind.__name__}"
    values = {"id": f"literal-{of}", "sentence": what, "judge": kind, "__doc__": what, "__module__": __name__}
    return type(name, (Literal,), values)


class LiteralBoards(Survey):
    """Compares positions on random small boards, in which everything lies close together."""

    id: ClassVar[str] = "literal-boards"
    sentence: ClassVar[str] = "on random small boards every answer is that of the literal rules (3, 8 to 10, 12.1)"

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        for number in range(4 * self.budget.probes if self.is_first else 0):
            key = f"{seed}|{number}"
            try:
                same_in_everything(seeded_scene(key))
            except Differs as difference:
                raise self.fail(f"random board {key!r}: {difference}") from None


class Drills(Drilled):
    """Plays positions made by hand."""

    id: ClassVar[str] = "drills"
    sentence: ClassVar[str] = "positions made by hand become what the rulebook says (4 to 20)"
    drills = ALL_DRILLS


class LiteralGames(Survey):
    """Lets the game's own bot play, which attacks, breaks through and is cut off far more often than chance does."""

    id: ClassVar[str] = "literal-games"
    sentence: ClassVar[str] = "games of the bot obey the literal rules, in the ci tier in every scenario and among many players"

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        if not self.is_first:
            return
        for number in range(self.budget.probes):
            self._play(self.subject.start(f"{seed}|{number}"), number, limit=1_500)
        if self.budget.tier == "quick" or self.subject.scenario != self.subject.info.scenarios[0].id:
            return
        for scenario in self.subject.info.scenarios[1:]:
            options = {**self.subject.options, "auto-setup": True}
            game = hexwar.new_game(self.subject.info.id, scenario.id, f"{seed}|{scenario.id}", options)
            self._play(game, seed, limit=15 * self.budget.probes)
        for seats, variant in (("6-players", "controller"), ("6-teams", "master-cup")):
            options = {"many-players": variant, "auto-setup": True}
            game = hexwar.new_game(self.subject.info.id, "campaign", f"{seed}|{seats}", options, seats=seats)
            self._play(game, 3, limit=10 * self.budget.probes)

    def _play(self, game: Game, number: int, limit: int) -> None:
        """One game: of the bot against itself, against chance as either side, or of chance alone."""
        witness = Witness(game, JUDGES, max(1, 36 // self.budget.probes))
        led = (("axis", "soviet"), ("axis",), ("soviet",), ())[number % 4]
        bots = {seat: Commander() for seat, side in game.world.seats.items() if side in led}
        chance = random.Random(number)
        for _ in range(limit):
            if not game.to_move:
                return
            seat = game.to_move[0]
            bot = bots.get(seat)
            action = game.offered(seat).sample(chance) if bot is None else bot.choose(game.view(seat), chance)
            witness.follow(game, seat, action, game.apply(action, seat))
            for objection in witness.objections:
                where = f"{game.world.setup.scenario}, game {number}, decision {len(game.history)}, {action}"
                raise self.fail(f"{where}: {objection}")


CHECKS: tuple[type[Check], ...] = (
    _check(Places, "places", "stacks, steps, zones and control are what the literal rules make of the events (2, 3)"),
    _check(SetUp, "set-up", "every game begins with the printed counters, each formation in its zone (4)"),
    _check(Chits, "chits", "turns go on and chits are selected, drawn, returned and played as the literal rules say (5 to 7)"),
    _check(Activation, "activation", "a chit activates whom the literal rules name, and each acts once (8, 15.1)"),
    _check(Movement, "movement", "every move that is made or offered is one of the literal rules (9)"),
    _check(Combat, "combat", "odds, results, losses and graves are those of the literal rules (10, 14.2)"),
    _check(Retreats, "retreat", "every retreat and pursuit is one of the literal rules (10.6, 10.7)"),
    _check(Supply, "supply", "a supply check does what the literal rules say, in their order (11, 14.1, 16.2)"),
    _check(Reinforcements, "reinforcements", "who comes onto the map may, in that turn, in that hex and number (12, 15)"),
    _check(Score, "score", "points, end and verdict are those of the literal rules (16, 18)"),
    _check(Deciders, "deciders", "whoever commands a unit or a map decides for it (7.1.2, 19.2)"),
    LiteralBoards,
    Drills,
    LiteralGames,
)
"""In the order in which they are reported."""
