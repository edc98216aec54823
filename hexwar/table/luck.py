"""Luck so far: what the dice of the battles demanded, against what they demand on average.

Every battle that dice decided is compared with all the rolls that could have come in its place. A roll is better for the
attacker if the defender loses more steps beyond what the attacker loses, and among equals if he retreats farther. How good a
roll was is the share of rolls that are worse, with half of those that are as good: one half on average, whatever the odds. How
lucky a side was in all battles together is the share of all dice that would have served it worse, again with half of those that
are as good. All of it is exact: nothing is simulated or rounded.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from hexwar.engine import DiceRolled, Game, Position, StepPopped, Viewer
from hexwar.mechanics import AttackResolved, CombatWorld, Fighting, occupant
from hexwar.pieces import Outcome

Value = Callable[[Outcome], int]


@dataclass(frozen=True)
class Throw:
    """A battle that dice have decided.

    Args:
        side: who attacked.
        enemy: who defended.
        target: the attacked hex.
        odds: the column, or what the game has in its place.
        outcomes: what each roll would have brought, each as likely as any other.
        rolled: what came.
    """

    side: str
    enemy: str
    target: str
    odds: str
    outcomes: tuple[Outcome, ...]
    rolled: Outcome

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """For each of the outcomes twice the number of those that are worse for the attacker, and once the number of equals."""
        return tuple(map(self._rank, self.outcomes))

    @property
    def share(self) -> Fraction:
        """How good it was for the attacker, between 0 and 1."""
        return Fraction(self._rank(self.rolled), 2 * len(self.outcomes))

    def _rank(self, outcome: Outcome) -> int:
        mine, all_of_them = _worth(outcome), [_worth(other) for other in self.outcomes]
        return sum(other < mine for other in all_of_them) * 2 + all_of_them.count(mine)

    def mean(self, value: Value) -> Fraction:
        """What the rolls bring on average of something."""
        return Fraction(sum(map(value, self.outcomes)), len(self.outcomes))


def _worth(outcome: Outcome) -> tuple[int, int]:
    """To the attacker: steps before hexes."""
    return outcome.defender - outcome.attacker, outcome.retreat - outcome.repulse


@dataclass(frozen=True)
class Compared:
    """Something that was rolled for, and what it is on average."""

    rolled: int
    expected: Fraction


@dataclass(frozen=True)
class Luck:
    """The luck of one side in all battles that it fought.

    Args:
        side: whose.
        attacks: how many attacks it made.
        defences: how many attacks it met.
        inflicted: steps that the results demanded of its enemies.
        suffered: steps that they demanded of the side.
        driven: hexes that the enemies had to retreat.
        yielded: hexes that the side had to retreat.
        share: how many of all dice would have served it worse, between 0 and 1.
        sigma: how many standard deviations that is above the average, or below if negative.
    """

    side: str
    attacks: int
    defences: int
    inflicted: Compared
    suffered: Compared
    driven: Compared
    yielded: Compared
    share: Fraction
    sigma: float

    @classmethod
    def of(cls, side: str, throws: Sequence[Throw]) -> Luck:
        """From battles; those in which the side took no part do not count."""
        attacks, defences = ([it for it in throws if getattr(it, role) == side] for role in ("side", "enemy"))

        def compared(attacking: Value, defending: Value) -> Compared:
            parts = [(it, attacking) for it in attacks] + [(it, defending) for it in defences]
            rolled, means = [value(it.rolled) for it, value in parts], [it.mean(value) for it, value in parts]
            return Compared(sum(rolled), sum(means, Fraction()))

        whole = math.lcm(*(2 * len(it.outcomes) for it in (*attacks, *defences)))
        dice = [[rank * whole // (2 * len(it.outcomes)) for rank in it.ranks] for it in attacks]
        dice += [[whole - rank * whole // (2 * len(it.outcomes)) for rank in it.ranks] for it in defences]
        shares = [it.share for it in attacks] + [1 - it.share for it in defences]
        total = int(whole * sum(shares, Fraction()))
        return cls(
            side,
            len(attacks),
            len(defences),
            compared(lambda it: it.defender, lambda it: it.attacker),
            compared(lambda it: it.attacker, lambda it: it.defender),
            compared(lambda it: it.retreat, lambda it: it.repulse),
            compared(lambda it: it.repulse, lambda it: it.retreat),
            share_below(dice, total),
            deviation(dice, total),
        )


def share_below(dice: Iterable[Sequence[int]], total: int) -> Fraction:
    """The exact chance that the sum of some dice is less than a number, with half the chance that it is just that.

    Args:
        dice: the faces of each, whole numbers of any size, each face as likely as any other.
        total: the number.
    """
    rolled = tuple(sorted(tuple(sorted(die)) for die in dice))
    ways, lowest = _ways(rolled), sum(die[0] for die in rolled)
    below, there = sum(ways[: max(0, total - lowest)]), ways[total - lowest] if 0 <= total - lowest < len(ways) else 0
    return Fraction(2 * below + there, 2 * sum(ways))


@lru_cache(32)
def _ways(dice: tuple[tuple[int, ...], ...]) -> list[int]:
    """In how many ways dice give each sum, the least one first.

    Multiplies polynomials, each as one large number whose digits have room for all coefficients: quick for hundreds of dice.
    """
    digit = math.prod(map(len, dice)).bit_length() // 8 + 1
    product = 1
    for die, times in Counter(dice).items():
        faces = Counter(face - die[0] for face in die)
        product *= sum(count << 8 * digit * face for face, count in faces.items()) ** times
    digits = product.to_bytes(digit * (1 + sum(die[-1] - die[0] for die in dice)), "little")
    return [int.from_bytes(digits[at : at + digit], "little") for at in range(0, len(digits), digit)]


def deviation(dice: Iterable[Sequence[int]], total: int) -> float:
    """How many standard deviations a sum of dice is above the average; 0 if the dice can give one sum only."""
    exact = [[*map(Fraction, die)] for die in dice]
    mean, variance = (sum(map(figure, exact), Fraction()) for figure in (statistics.mean, statistics.pvariance))
    return float(total - mean) / math.sqrt(variance) if variance else 0.0


def throws(game: Game, viewer: Viewer) -> list[Throw]:
    """The battles of a game so far that dice have decided, as far as a viewer saw them."""
    return [throw for place, throw in fought(game) if game.events[place].seen_by(viewer) is not None]


def fought(game: Game) -> list[tuple[int, Throw]]:
    """Every battle with the place in `game.events` of the event that reported its result."""
    return list(_fought(game))


def _fought(game: Game) -> Iterator[tuple[int, Throw]]:
    """The state just before the dice says what could have come."""
    world, state, coming = game.world, game.first_state.copy(), None
    for place, event in enumerate(game.events) if isinstance(world, CombatWorld) else ():
        if isinstance(event, StepPopped) and isinstance(state.stack[-1], Fighting):
            at: Position = Position(world, state)
            battle, odds, _ = world.combat.weigh(at, state.stack[-1].battle)
            if odds is not None and odds.column is not None:
                results = world.combat.rolls(at, battle, odds)
                means = {outcome.name: world.combat.convert(at, battle, outcome)[0] for outcome in results}
                coming = (battle.side, occupant(at, battle.target) or "", battle.target, odds.name), results, means
        elif isinstance(event, AttackResolved) and coming is not None:
            who, results, means = coming
            if event.result in means:
                yield place, Throw(*who, tuple(means[outcome.name] for outcome in results), means[event.result])
            coming = None
        event.apply(state)


def luck_of(game: Game, fought: Sequence[Throw]) -> list[Luck]:
    """How lucky each side was that has fought."""
    return [Luck.of(side, fought) for side in game.world.sides if any(side in (it.side, it.enemy) for it in fought)]


def luck_words(game: Game, viewer: Viewer) -> list[str]:
    """The same as a player reads it."""
    fought, lines = throws(game, viewer), []
    for it in luck_of(game, fought):
        lines += [
            f"  {it.side}: luckier than {_percent(it.share)} of all dice in these battles ({it.sigma:+.1f} standard deviations)",
            f"    {_times(it.attacks, 'attack')} made, {it.defences} met",
            f"    steps that enemies lose: rolled {_against(it.inflicted)}; own: rolled {_against(it.suffered)}",
            f"    hexes that enemies retreat: rolled {_against(it.driven)}; own: rolled {_against(it.yielded)}",
        ]
    return [*lines, *(f"  {line}" for line in remarks(game, viewer, fought))]


def remarks(game: Game, viewer: Viewer, fought: Sequence[Throw]) -> list[str]:
    """The best and the worst roll, and how many rolls say nothing about luck."""
    others, lines = sum(isinstance(event, DiceRolled) and event.seen_by(viewer) is not None for event in game.events), []
    others -= len(fought)
    if not fought and AttackResolved in game.ruleset.events:
        lines.append("No battle has been rolled for yet.")
    elif not fought:
        lines.append("No battle of this game is decided by dice.")
    for words, throw in (("best", max(fought, key=_share)), ("worst", min(fought, key=_share))) if fought else ():
        means = f"{throw.rolled.name} at {throw.odds}, better than {_percent(throw.share)}"
        lines.append(f"The {words} roll of an attacker: {throw.side} on {throw.target}, {means}")
    return [*lines, *([f"Besides, {_times(others, 'roll')} decided no battle."] if others > 0 else [])]


def _share(throw: Throw) -> Fraction:
    return throw.share


def _against(it: Compared) -> str:
    return f"{it.rolled}, expected {float(it.expected):.1f}"


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.1f} %"


def _times(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
