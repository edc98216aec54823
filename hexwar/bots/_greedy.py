"""A bot for hex games that are built on the mechanics: it plans nothing, but does what looks best just now.

It goes for the enemy's places and units, keeps its supply, forms attacks, and rolls only where the table promises more
than it costs. That is enough for a game that looks like a war. It does not ask which ruleset it plays: what it knows
comes from the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from hexwar.bots._appraisal import Appraisal, Ways
from hexwar.engine import Action, RandomSource, View, World, pick
from hexwar.mechanics import Arrive, Attack, CallOff, Join, Move, Pursue, Resolve, Retreat, stack
from hexwar.pieces import LoseStep, Outcome, Select, face

A = TypeVar("A", bound=Action)

Chooser = Callable[[Appraisal, Sequence[Action], RandomSource], Action]

LEAST_GAIN = 0.15
"""A move must improve a unit's lot by this much: otherwise units would shuffle about."""
STEP = 1.0
"""What a lost step of the enemy is worth; a step of our own costs the same."""
GROUND = 0.5
"""What it is worth to drive the enemy from a hex, besides the place in it."""


class GreedyBot:
    """Does what looks best just now.

    Args:
        boldness: how much an attack may be expected to lose (in steps) and still be made by a side that holds nothing;
            the more it holds, the more careful it is.
    """

    def __init__(self, boldness: float = 0.3) -> None:
        self.boldness = boldness
        self._ways: WeakKeyDictionary[World, Ways] = WeakKeyDictionary()
        self._called_off: set[str] = set()
        """Targets of attacks that came to nothing since it last did something else: begun again, they would again."""
        self._decisions: dict[type[Action], Chooser] = {
            Select: self._select,
            Arrive: self._arrive,
            Move: self._move,
            Attack: self._attack,
            Join: self._assemble,
            Resolve: self._assemble,
            CallOff: self._assemble,
            LoseStep: self._lose,
            Retreat: self._retreat,
            Pursue: self._pursue,
        }

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`; a game without hexes or counters gets any action."""
        assert view.question is not None
        decide = self._decisions.get(type(view.question.example))
        actions = view.legal_actions()
        if decide not in (self._attack, self._assemble):
            self._called_off.clear()
        if decide not in (self._assemble, self._move) and len(actions) == 1:
            return actions[0]
        if decide is None:
            return self._appealing(view, actions, chance)
        return decide(Appraisal(view, self._ways.setdefault(view.position.world, {})), actions, chance)

    def _appealing(self, view: View, actions: Sequence[Action], chance: RandomSource) -> Action:
        """What a ruleset recommends to bots, by the method `appeal` of its actions; anything, where it recommends nothing."""
        rated = [action for action in actions if hasattr(action, "appeal")]
        if not rated:
            return view.sample(chance)
        return _best(rated, lambda action: float(action.appeal(view.position)), chance)

    # -- headquarters ---------------------------------------------------------------------------------------------------

    def _select(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """The headquarters that leads most near the front."""

        def worth(action: Action) -> float:
            chit = getattr(action, "chit", "")
            if chit not in here.mine:
                return 0.0
            led = [unit for unit in here.query.command(chit) if not here.world.unit(unit).is_headquarters]
            return sum(face(here.at, unit).attack / (1 + here.nearest_enemy(here.mine[unit])) for unit in led)

        return _best(actions, worth, chance)

    # -- moving -----------------------------------------------------------------------------------------------------------

    def _arrive(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """As near to the goals as possible, and always at once."""
        arrivals = [action for action in actions if isinstance(action, Arrive)]
        return _best(arrivals, lambda action: here.pull(here.world.unit(action.unit), action.to), chance)

    def _move(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """The units nearest to the enemy first, headquarters last; each goes where it is best off, if it is supplied there."""
        question = here.view.question
        assert question is not None

        def turn(unit: str) -> tuple[bool, int]:
            return here.world.unit(unit).is_headquarters, here.nearest_enemy(here.mine[unit])

        for unit in sorted(question.groups, key=turn):
            least = here.hex_worth(unit, here.mine[unit]) + LEAST_GAIN
            worth = {move: here.hex_worth(unit, move.to) for move in question.group(unit) if isinstance(move, Move)}
            for move in sorted((move for move in worth if worth[move] > least), key=lambda move: -worth[move])[:4]:
                if here.is_supplied(unit, move.to):
                    return move
        return question.plain[0]

    def _retreat(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """Where it is safest."""
        ways = [action for action in actions if isinstance(action, Retreat)]

        def safety(way: Retreat) -> float:
            return 0.1 * here.hex_worth(way.unit, way.path[-1]) - here.danger(way.unit, way.path[-1])

        return _best(ways, safety, chance)

    def _pursue(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """Into an enemy place, or where the unit stands better than before and does not lose its supply."""
        ways = [
            action
            for action in actions
            if isinstance(action, Pursue)
            and not here.world.unit(action.unit).is_headquarters
            and action.path[-1] != action.path[0]
        ]

        def gain(way: Pursue) -> float:
            end, start = way.path[-1], way.path[0]
            owner = here.at.state.control.get(end, here.side)
            if not here.is_supplied(way.unit, end):
                return -1.0
            return here.hex_worth(way.unit, end) - here.hex_worth(way.unit, start) + (5.0 if owner != here.side else 0.3)

        best = _best(ways, gain, chance) if ways else None
        return best if best is not None and gain(best) > 0 else actions[0]

    # -- fighting ---------------------------------------------------------------------------------------------------------

    def _attack(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """The hex where an attack by all who stand next to it promises most."""

        def promise(attack: Attack) -> float:
            near = [unit for unit, label in here.mine.items() if here.board.adjacent(label, attack.target)]
            return self._value(here, [unit for unit in near if face(here.at, unit).attack], attack.target)

        attacks = [action for action in actions if isinstance(action, Attack) and action.target not in self._called_off]
        best = _best(attacks, promise, chance) if attacks else None
        if best is None or promise(best) <= -self.boldness * here.urgency:
            self._called_off.clear()
            return actions[0]
        return best

    def _assemble(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """Add the unit that improves the attack most; then roll if it is worth it."""
        question = here.view.question
        assert question is not None
        joins = [action for action in actions if isinstance(action, Join)]
        target, joined = question.places[0], [unit for unit in question.pieces if unit not in question.groups]
        now = self._value(here, joined, target)
        if joins:
            best = _best(joins, lambda join: self._value(here, (*joined, join.unit), target), chance)
            # One more may not reach the next column where all of them do.
            if self._value(here, (*joined, *(join.unit for join in joins)), target) > now:
                return best
        may_call_off = CallOff() in actions
        if Resolve() in actions and (now > -self.boldness * here.urgency or not may_call_off):
            self._called_off.clear()
            return Resolve()
        if not may_call_off:  # what has to be attacked is not attacked as it stands
            return pick(actions, chance)
        self._called_off.add(target)
        return CallOff()

    def _value(self, here: Appraisal, attackers: Sequence[str], target: str) -> float:
        """The expected gain of an attack, in steps; very little if the table does not allow it."""
        if not attackers:
            return -100.0
        odds = here.query.odds(attackers, target)
        if odds.column is None:
            return -100.0 + len(attackers)
        defenders = stack(here.at, target)
        steps: int = sum(here.at.state.steps_left[unit] for unit in defenders)
        place = here.board.place(target)
        ground = GROUND + (0.4 * (1 + place.value) if place else 0.0)
        # A rare thing, but worth waiting for: defenders who cannot retreat are gone.
        trapped = not any(here.query.retreats(unit, 1) for unit in defenders)

        def worth(outcome: Outcome) -> float:
            cleared = outcome.retreat > 0 or outcome.defender >= steps
            lost = steps if cleared and trapped else min(outcome.defender, steps)
            return STEP * (lost - outcome.attacker) + ground * cleared

        return float(sum(map(worth, odds.results)) / len(odds.results))

    def _lose(self, here: Appraisal, actions: Sequence[Action], chance: RandomSource) -> Action:
        """Keep units alive, headquarters before all, and take the step that costs the least strength."""

        def keeps(action: Action) -> tuple[bool, bool, int]:
            unit = getattr(action, "unit", "")
            counter, steps = here.world.unit(unit), here.at.state.steps_left[unit]
            weaker = counter.faces[steps - 2] if steps > 1 else None
            lost = face(here.at, unit).attack - (weaker.attack if weaker else 0)
            return not counter.is_headquarters, steps > 1, -lost

        return _best(actions, keeps, chance)


def _best(actions: Iterable[A], worth: Callable[[A], Any], chance: RandomSource) -> A:
    """The action with the highest worth; chance decides between equals."""
    valued = [(worth(action), action) for action in actions]
    top = max(value for value, _ in valued)
    return pick([action for value, action in valued if value == top], chance)
