"""A baseline that learns: a small network imitates a rule bot token by token, and asks it again where its own play leads.

It scores each possible token from features of the observation, and needs NumPy only. First it learns from games between two
teachers. In the rounds after that it plays, and the teacher says at each of its decisions what it would have done (DAgger): so it
also learns the positions to which only its own mistakes lead.

    python -m hexwar.rl.baseline --games 40 --rounds 4 --measure 50

trains on Bridgehead and prints after each round how often it agrees with its teacher and how often it wins.
`hexwar.rl.selfplay` goes on from there without a teacher.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from os import PathLike
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from hexwar.bots import Bot, KeyedChance, load_bot, move_once
from hexwar.engine import Action, RandomSource, View
from hexwar.errors import HexwarError
from hexwar.facade import new_game
from hexwar.rl._observation import Encoder, Floats
from hexwar.rl._token_bot import TokenBot
from hexwar.rl._tokens import Mask, Tokens, Walk
from hexwar.studies import interval

__all__ = ["Course", "Features", "Lessons", "Network", "Pupil", "train"]

HIDDEN = 48
"""How many hidden values the network has."""
CANDIDATES = 24
"""From how many tokens of a stage it learns: the one that the teacher took, and some of the others."""
REACHES = (0.7, 2.5)
"""How many hexes away forces and towns are felt, in the two maps of influence."""
FINE = 1 << 30

Numbers = NDArray[np.int64]


class Features:
    """What the network knows of a token: numbers from an observation, for any ruleset with units on places with labels.

    Args:
        encoder: what makes the observations.
    """

    def __init__(self, encoder: Encoder) -> None:
        if not {"hexes", "units"} <= set(encoder.shapes):
            raise HexwarError("the baseline needs units on hexes or areas; other games need features of their own")
        self._tokens = encoder.tokens
        hexes = {name: number for number, name in enumerate(encoder.hex_columns)}
        self._terrain = [number for name, number in hexes.items() if name.startswith("terrain")]
        parties = ["mine"], [name.removeprefix("control ") for name in hexes if name.startswith("control enemy")]
        self._control = [[hexes[f"control {who}"] for who in party] for party in parties]
        values = ("pieces", "value 1", "value 2")
        self._force = [[hexes[f"{what} {who}"] for who in party] for party in parties for what in values]
        self._worth = [hexes["town"], hexes["town's value"]]
        units = {name: number for number, name in enumerate(encoder.unit_columns)}
        self._place, self._attack = units["row of its place"], units["value 1"]
        self._told = [number for name, number in units.items() if name not in ("row of its place", "x", "y")]
        middles = encoder.ground[:, :2]
        apart = np.sqrt(((middles[:, None] - middles[None]) ** 2).sum(axis=2))
        self._apart: Floats = apart / apart[apart > 0].min()
        self._felt = [np.exp(-self._apart / reach).astype(np.float32) for reach in REACHES]

    def __call__(self, seen: Mapping[str, Floats], legal: Numbers) -> Floats:
        """A row for each token that is possible: about the token, and the same about the decision in all rows."""
        tokens, units, ground = self._tokens, seen["units"], self._ground(seen["hexes"])
        where = units[:, self._place].astype(np.int64)
        taken, concerned = np.flatnonzero(units[:, -1]), np.flatnonzero(seen["hexes"][:, -3])
        target = int(concerned[0]) if concerned.size else -1
        origin = int(where[taken[0]]) if taken.size else target
        is_place = (legal >= tokens.first_place) & (legal < tokens.first_number)
        is_unit = (legal >= tokens.first_unit) & (legal < tokens.first_place)
        at = np.full(legal.shape, -1)
        at[is_place] = legal[is_place] - tokens.first_place
        at[is_unit] = where[legal[is_unit] - tokens.first_unit]
        on_board = at >= 0
        lies = np.zeros((legal.size, 2 * ground.shape[1] + 2), np.float32)
        lies[:, -1] = is_place
        lies[on_board, : ground.shape[1]] = ground[at[on_board]]
        if origin >= 0:  # what would change for the unit that moves, or between a unit and the hex that it may attack
            lies[on_board, ground.shape[1] : -2] = ground[at[on_board]] - ground[origin]
            lies[on_board, -2] = self._apart[origin, at[on_board]]
        of_units = np.zeros((legal.size, len(self._told)), np.float32)
        of_units[is_unit] = units[legal[is_unit] - tokens.first_unit][:, self._told]
        kinds = np.zeros((legal.size, len(tokens.kinds)), np.float32)
        is_kind = np.flatnonzero((legal >= tokens.first_kind) & (legal < tokens.first_unit))
        kinds[is_kind, legal[is_kind] - tokens.first_kind] = 1
        around = np.concatenate([seen["globals"], self._battle(seen, target), [np.log(legal.size)]]).astype(np.float32)
        return np.concatenate([lies, of_units, kinds, np.broadcast_to(around, (legal.size, around.size))], axis=1)

    def _ground(self, hexes: Floats) -> Floats:
        """Of each place: terrain, town, who holds it, what stands there, and which forces and towns are felt."""
        control, worth, force = _summed(hexes, self._control), hexes[:, self._worth], _summed(hexes, self._force)
        towns = control * worth.sum(axis=1, keepdims=True)
        felt = [near @ np.concatenate([force, towns], axis=1) for near in self._felt]
        return np.concatenate([hexes[:, self._terrain], worth, control, force, *felt], axis=1)

    def _battle(self, seen: Mapping[str, Floats], target: int) -> Floats:
        """The attack that is being put together: the strength of those who joined, of the defenders, and their ratio."""
        units = seen["units"]
        joined = (units[:, 0] > 0) & (units[:, -3] > 0) & (units[:, -2] == 0)
        attack = float(units[joined, self._attack].sum())
        defence = float(seen["hexes"][target, self._force[-1]].sum()) if target >= 0 else 0.0
        return np.array([attack, defence, min(attack / defence, 8.0) if defence else 0.0], np.float32)


def _summed(hexes: Floats, columns: Sequence[Sequence[int]]) -> Floats:
    """Columns that are sums of others, such as those of all enemies."""
    return np.stack([hexes[:, some].sum(axis=1) for some in columns], axis=1)


@dataclass
class Lessons:
    """What a teacher did: for each stage the features of some tokens, and which of them it took, padded to one width."""

    rows: list[Floats]
    chosen: list[int]

    def arrays(self) -> tuple[Floats, NDArray[np.bool_], Numbers]:
        """Features (stage, candidate, feature), which candidates there are, and the chosen ones."""
        rows = np.zeros((len(self.rows), CANDIDATES, self.rows[0].shape[1]), np.float32)
        there = np.zeros(rows.shape[:2], np.bool_)
        for number, some in enumerate(self.rows):
            rows[number, : len(some)] = some
            there[number, : len(some)] = True
        return rows, there, np.array(self.chosen)


class Network:
    """Scores rows of features: one hidden layer. The most likely token has the highest score.

    Args:
        rows: features to take the scale from.
        seed: of the first weights.
    """

    def __init__(self, rows: Floats, seed: int = 0) -> None:
        chance = np.random.default_rng(seed)
        flat = rows.reshape(-1, rows.shape[-1])
        self.weights: dict[str, Floats] = {
            "mean": flat.mean(axis=0),
            "scale": 1 / (flat.std(axis=0) + 0.1),
            "into": (chance.standard_normal((flat.shape[1], HIDDEN)) / sqrt(flat.shape[1])).astype(np.float32),
            "bias": np.zeros(HIDDEN, np.float32),
            "out": (chance.standard_normal(HIDDEN) / sqrt(HIDDEN)).astype(np.float32),
        }

    def scores(self, rows: Floats) -> Floats:
        """The score of each row."""
        scores: Floats = self._hidden(self._scaled(rows)) @ self.weights["out"]
        return scores

    def _scaled(self, rows: Floats) -> Floats:
        scaled: Floats = np.clip((rows - self.weights["mean"]) * self.weights["scale"], -5, 5)
        return scaled

    def _hidden(self, scaled: Floats) -> Floats:
        hidden: Floats = np.maximum(scaled @ self.weights["into"] + self.weights["bias"], 0)
        return hidden

    def learn(
        self,
        lessons: Lessons,
        epochs: int,
        seed: int = 0,
        rate: float = 2e-3,
        batch: int = 128,
        worth: Floats | None = None,
        temperature: float = 1.0,
    ) -> float:
        """Make what the teacher did more likely, by Adam; the mean loss (nats a stage) of the last epoch.

        Args:
            lessons: what was done.
            epochs: how often each stage is looked at.
            seed: of the order in which they come.
            rate: how far a step goes.
            batch: how many stages a step looks at.
            worth: how good each choice was; one below 0 becomes less likely. All are worth 1 if not given.
            temperature: at which the choices were made, as for `Pupil`.
        """
        chance = np.random.default_rng(seed)
        rows, there, chosen = lessons.arrays()
        learnt = ("into", "bias", "out")
        first = {name: np.zeros_like(self.weights[name]) for name in learnt}
        second = {name: np.zeros_like(self.weights[name]) for name in learnt}
        loss, step = 0.0, 0
        for _ in range(epochs):
            order, loss = chance.permutation(len(chosen)), 0.0
            for begin in range(0, len(order), batch):
                some = order[begin : begin + batch]
                scaled = self._scaled(rows[some])
                hidden = self._hidden(scaled)
                likely = _softmax(hidden @ self.weights["out"] / temperature, there[some])
                loss -= float(np.log(likely[np.arange(len(some)), chosen[some]] + 1e-9).sum())
                off = likely
                off[np.arange(len(some)), chosen[some]] -= 1
                off /= len(some) * temperature
                if worth is not None:
                    off *= worth[some, None]
                inner = off[..., None] * self.weights["out"] * (hidden > 0)
                flat = scaled.reshape(-1, scaled.shape[-1])
                slopes = {
                    "into": flat.T @ inner.reshape(-1, HIDDEN),
                    "bias": inner.sum(axis=(0, 1)),
                    "out": np.einsum("bc,bch->h", off, hidden),
                }
                step += 1
                for name in learnt:
                    first[name] = 0.9 * first[name] + 0.1 * slopes[name]
                    second[name] = 0.999 * second[name] + 0.001 * slopes[name] ** 2
                    pace = rate * sqrt(1 - 0.999**step) / (1 - 0.9**step)
                    self.weights[name] -= (pace * first[name] / (np.sqrt(second[name]) + 1e-8)).astype(np.float32)
            loss /= len(chosen)
        return loss

    def agreement(self, lessons: Lessons) -> float:
        """How often its first choice is what the teacher did."""
        rows, there, chosen = lessons.arrays()
        best = np.where(there, self.scores(rows), -np.inf).argmax(axis=1)
        return float((best == chosen).mean())

    def save(self, path: str | PathLike[str]) -> None:
        """Write the weights to a file."""
        np.savez_compressed(path, **self.weights)  # type: ignore[arg-type]  # the stub wants other keywords

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Network:
        """Read the weights from a file; nothing in it is carried out."""
        network = cls.__new__(cls)
        with np.load(path, allow_pickle=False) as kept:
            network.weights = {name: kept[name] for name in kept.files}
        return network


def _softmax(scores: Floats, there: NDArray[np.bool_]) -> Floats:
    raised = np.exp(np.where(there, scores - np.where(there, scores, -np.inf).max(axis=-1, keepdims=True), -np.inf))
    likely: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return likely


class Pupil(TokenBot):
    """A bot that plays what a network says.

    Args:
        network: what it learnt.
        temperature: how much it leaves to chance. With none it could attack and call off for ever.
    """

    def __init__(self, network: Network, temperature: float = 0.5) -> None:
        super().__init__(self._take)
        self.network = network
        self.temperature = temperature
        self._known: WeakKeyDictionary[Encoder, Features] = WeakKeyDictionary()
        self._features: Features | None = None

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `hexwar.bots.Bot.choose`."""
        encoder = self.encoder(view)
        if encoder not in self._known:
            self._known[encoder] = Features(encoder)
        self._features = self._known[encoder]
        return super().choose(view, chance)

    def _take(self, seen: Mapping[str, Floats], mask: Mask, chance: RandomSource) -> int:
        legal = np.flatnonzero(mask)
        if legal.size == 1:
            return int(legal[0])
        assert self._features is not None
        return int(legal[self._pick(self._features(seen, legal), chance)])

    def _pick(self, rows: Floats, chance: RandomSource) -> int:
        """Which of the tokens with these features."""
        scores = self.network.scores(rows) / self.temperature
        likely = np.cumsum(np.exp(scores - scores.max()))
        drawn = chance.randrange(FINE) / FINE * likely[-1]
        return min(int(np.searchsorted(likely, drawn, side="right")), len(rows) - 1)


@dataclass(frozen=True)
class Course:
    """What is learnt, and from whom.

    Args:
        ruleset: its id.
        scenario: its id.
        teacher: the bot that is imitated.
    """

    ruleset: str = "bridgehead"
    scenario: str | None = None
    teacher: str = "greedy"

    def lessons(self, seeds: Iterable[int], pupil: Pupil | None = None) -> Lessons:
        """Play games and note what the teacher would do at each decision.

        Args:
            seeds: of the games.
            pupil: plays one side, by turns, against the teacher; without a pupil the teacher plays both.
        """
        noted = Lessons([], [])
        game = new_game(self.ruleset, self.scenario, 0)
        encoder = Encoder(game.ruleset, game.world, game.state, Tokens(game.ruleset, game.world))
        features, sides = Features(encoder), game.world.sides
        for seed in seeds:
            game, chance, pick = new_game(self.ruleset, self.scenario, seed), KeyedChance(f"lesson {seed}"), random.Random(seed)
            teachers = {seat: load_bot(self.teacher) for seat in game.world.seats}
            learner = None if pupil is None else sides[seed % len(sides)]
            bound = game.ruleset.info.scenario(game.world.setup.scenario).bound
            while game.to_move and len(game.history) < bound:
                seat = game.to_move[0]
                view = game.view(seat)
                wanted = teachers[seat].choose(view, chance)
                mine = learner is None or game.world.seats[seat] == learner
                if mine:
                    _note(noted, encoder, features, view, wanted, pick)
                game.apply(pupil.choose(view, chance) if pupil is not None and mine else wanted, seat)
        return noted

    def wins(self, network: Network, bot: str, side: str, games: int) -> int:
        """How many games a network wins on one side against a bot on the others; one that does not end is not won."""
        won, pupil = 0, Pupil(network)
        for seed in range(games):
            game = new_game(self.ruleset, self.scenario, seed)
            players: dict[str, Bot] = {other: load_bot(bot) for other in game.world.sides} | {side: pupil}
            chance = KeyedChance(seed)
            for _ in range(game.ruleset.info.scenario(game.world.setup.scenario).bound):
                if game.result is not None:
                    break
                move_once(game, players, chance)
            won += game.result is not None and game.result.winner == side
        return won


def _note(noted: Lessons, encoder: Encoder, features: Features, view: View, wanted: Action, pick: random.Random) -> None:
    """Write down the stages on the way to what the teacher wants; nothing if it is no action of the menu."""
    assert view.question is not None
    seen, walk, decided = encoder.look(view), Walk(encoder.tokens, view.question), None
    while decided is None:
        token = walk.leads_to(wanted)
        if token is None:
            return
        legal = np.flatnonzero(walk.mask)
        if legal.size > 1:
            others = [other for other in legal if other != token]
            some = np.array([token, *pick.sample(others, min(len(others), CANDIDATES - 1))])
            place = pick.randrange(len(some))
            some[[0, place]] = some[[place, 0]]
            # Influence and the number of tokens are those of the whole stage.
            rows = features(encoder.with_walk(seen, walk), legal)
            noted.rows.append(rows[np.searchsorted(legal, some)])
            noted.chosen.append(place)
        decided = walk.take(token)


def train(
    course: Course, games: int = 40, rounds: int = 4, epochs: int = 6, first_seed: int = 10_000
) -> Iterator[tuple[int, Network, float]]:
    """Learn in rounds: first from the teacher's games, then from its own with the teacher's advice.

    Yields:
        The round, the network, and the share of new decisions, which it has not learnt from, where it agrees with its teacher.
    """
    known = course.lessons(range(first_seed, first_seed + games))
    network = Network(known.arrays()[0])
    network.learn(known, epochs)
    for number in range(rounds + 1):
        first = first_seed + 1000 * (number + 1)
        seeds = range(first, first + max(games // 2, 1))
        new = course.lessons(seeds, Pupil(network))
        yield number, network, network.agreement(new)
        if number == rounds:  # what was measured last is what is kept
            return
        known = Lessons(known.rows + new.rows, known.chosen + new.chosen)
        network.learn(known, epochs, seed=number + 1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and print the curve."""
    parser = argparse.ArgumentParser(prog="python -m hexwar.rl.baseline", description="Learn a ruleset from a rule bot.")
    parser.add_argument("ruleset", nargs="?", default="bridgehead")
    parser.add_argument("--scenario")
    parser.add_argument("--teacher", default="greedy", help="the bot that is imitated")
    parser.add_argument("--games", type=int, default=40, help="games of the first lessons; half as many in each round")
    parser.add_argument("--rounds", type=int, default=4, help="rounds of own play with advice")
    parser.add_argument("--measure", type=int, default=50, help="games on each side against each bot after each round")
    parser.add_argument("--save", help="a file for the weights")
    asked = parser.parse_args(arguments)
    course = Course(asked.ruleset, asked.scenario, asked.teacher)
    sides = new_game(asked.ruleset, asked.scenario, 0).world.sides
    begun, measuring, network = time.process_time(), 0.0, None
    for number, network, agrees in train(course, asked.games, asked.rounds):
        spent = time.process_time() - begun - measuring
        print(
            f"round {number}: {spent:.0f} processor seconds of learning, agrees in {agrees:.1%} of its own decisions", flush=True
        )
        before = time.process_time()
        for bot in ("random", asked.teacher) if asked.measure else ():
            for side in sides:
                won = course.wins(network, bot, side, asked.measure)
                low, high = interval(won, asked.measure)
                print(f"  {side} against {bot}: {won} of {asked.measure} games, {low:.0%} to {high:.0%}", flush=True)
        measuring += time.process_time() - before
    if asked.save and network is not None:
        network.save(asked.save)


if __name__ == "__main__":
    main()
