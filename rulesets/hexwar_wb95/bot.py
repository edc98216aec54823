"""An officer for either side of WB-95, who knows the duty to attack when moving.

It plans the assaults of a movement phase together, fights where the combat table promises more than it costs, keeps all others
out of contact, digs in before the enemy and gives ground rather than units. It decides by its view alone, without any chance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from hexwar.bots import KeyedChance, attacking, different
from hexwar.engine import Action, Position, Question, RandomSource, View
from hexwar.mechanics import Arrive, Attack, Battle, Join, Move, Pursue, Resolve, Retreat, Widen
from hexwar.pieces import Done, LoseStep, face
from hexwar.search import Plan as SearchPlan
from hexwar_wb95.air import BOMBER, RAID, SUPPLY, SUPPORT, Assigning, Fly
from hexwar_wb95.bot_ground import USUAL, Picture, Plan, Posts, Wb95Posture
from hexwar_wb95.content import HQ, Half, halves
from hexwar_wb95.fire import Aim, Barraging, Bombard, Lay, Laying, Shoot
from hexwar_wb95.movement import BATTERY, StrategicMoving, Wb95Moving
from hexwar_wb95.results import Yield, Yielding, farthest
from hexwar_wb95.state import At
from hexwar_wb95.support import Back, Backing, Support, UseStars, Wb95Assembling, Wb95Attacking
from hexwar_wb95.works import Digging, DigIn
from hexwar_wb95.world import Wb95World

LEVEL, SHAKEN = 1.0, 0.5
"""What a step and a disorganised unit are worth."""
BETTER = 0.25
"""A move must improve a unit's lot by this much."""
STRONG = 4
"""Guns fire alone with this strength at least."""
TARGETS = 3
"""For how many enemy hexes search has a plan each that assaults them at lower odds."""
FAVOUR = 1.0
"""By how much lower these are."""
SPARE = 3
"""So many guns must be in range of a hex before two of them fire a barrage: the others support."""


class Officer:
    """A bot for WB-95, and a planner of its turns; in any other game it chooses by chance.

    Args:
        posture: how it weighs assaults.
    """

    def __init__(self, posture: Wb95Posture = USUAL) -> None:
        self.posture = posture
        self._phase: object = None
        self._plan: Plan | None = None
        self._stays: set[str] = set()
        self._orders: list[Action] = []

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        if not isinstance(view.position.world, Wb95World):
            return view.sample(chance)
        question, at = view.question, view.position
        assert question is not None, "a bot is asked when its seat is"
        decide: dict[str, Callable[[At, Question, str], Action]] = {
            Wb95Moving.kind: self._move,
            StrategicMoving.kind: self._move,
            Wb95Attacking.kind: self._attack,
            Wb95Assembling.kind: self._assemble,
            Backing.kind: _back,
            Yielding.kind: _yield,
            Digging.kind: _dig,
            Barraging.kind: _barrage,
            Laying.kind: _lay,
            Assigning.kind: _fly,
        }
        if question.kind in decide:
            return decide[question.kind](at, question, view.side)
        if question.asks == Arrive.kind:
            return _arrive(at, question, view.side)
        actions = list(view.legal_actions())
        worth: dict[str, Callable[[Any], Any]] = {
            LoseStep.kind: lambda it: -_price(at, it.unit),
            Retreat.kind: lambda it: _refuge(at, it, view.side),
            Pursue.kind: lambda it: _gain(at, it, view.side),
            UseStars.kind: lambda it: 1,
        }
        known = [action for action in actions if action.kind in worth]
        if not known:
            return Done() if Done() in actions else actions[0]
        best = max(known, key=worth[known[0].kind])
        return Done() if isinstance(best, Pursue) and worth[best.kind](best) <= 0 else best

    # -- plans for search ----------------------------------------------------------------------------------------------------

    def scope(self, view: View) -> Hashable | None:
        """The turn of a side, from its first move to its last attack."""
        question = view.question
        if question is None or question.kind not in (Wb95Moving.kind, Wb95Attacking.kind):
            return None
        return view.viewer.seat, view.state.turn

    def plans(self, view: View) -> Iterator[SearchPlan]:
        """The postures in which other assaults are planned, the usual one first; then one for each target."""
        question, at, side = view.question, view.position, view.side
        assert question is not None, "a bot is asked when its seat is"
        usual = self.posture
        picture = Picture(at, side, usual)
        worth = {label: picture.pull(label) + picture.goals.get(label, 0.0) for label in picture.foes}
        others = [
            usual,
            replace(usual, name="Assault at lower odds", bold=usual.bold - 0.75, wary=usual.wary - 1),
            replace(usual, name="Assault only where success is sure", bold=usual.bold + 1, wary=usual.wary + 1),
            replace(usual, name="Go forward", forward=True),
            replace(usual, name="Hold what is ours", forward=False),
            *attacking(usual),
        ]
        for label in sorted(worth, key=lambda label: (-worth[label], label))[:TARGETS]:
            others.append(replace(usual, name=f"Assault on {label}", favoured=((at.world.board.index(label), FAVOUR),)))

        def acts(posture: Wb95Posture) -> object:
            if question.kind == Wb95Moving.kind:
                supposed = Picture(at, side, posture)
                return tuple(sorted(Plan(supposed, question.groups).orders.items())), supposed.attacks
            return str(type(self)(posture).choose(view, KeyedChance(0)))

        for posture in different(others, acts):
            yield SearchPlan(posture.name, partial(type(self), posture))

    # -- movement -------------------------------------------------------------------------------------------------------------

    def _move(self, at: At, question: Question, side: str) -> Action:
        """What was planned, then whoever finds a better hex than its own."""
        phase = (at.state.turn, at.state.phase, question.seat)
        if phase != self._phase:
            self._phase, self._stays = phase, set()
            picture = Picture(at, side, self.posture)
            self._plan = Plan(picture, question.groups) if question.kind == Wb95Moving.kind else None
        posts = Posts(Picture(at, side, self.posture), self._plan)
        orders = self._plan.orders if self._plan else {}
        for unit in sorted(question.groups, key=lambda unit: (unit not in orders, -face(at, unit).attack)):
            if unit in self._stays:
                continue
            self._stays.add(unit)
            here = at.state.locations[unit]
            if unit in orders:
                order = Move(unit, orders[unit])
                if orders[unit] == here:
                    continue
                if question.offer.find(order) is not None:
                    return order
            if found := self._better(at, posts, unit, here):
                return found
        return Done()

    def _better(self, at: At, posts: Posts, unit: str, here: str) -> Action | None:
        counter, reaches = at.world.units[unit], at.world.reaches
        mode = BATTERY.name if counter.is_gun else ""
        judge = posts.gun if counter.is_gun else posts.staff if counter.arm == HQ else posts.worth
        if not at.world.movement.allowance(at, unit):
            return None
        ends = list(reaches.ends(at, unit, reaches.reach(at, unit, mode)))
        best = max(ends, key=lambda label: judge(unit, label), default=here)
        return Move(unit, best, mode) if best != here and judge(unit, best) > judge(unit, here) + BETTER else None

    # -- combat ---------------------------------------------------------------------------------------------------------------

    def _attack(self, at: At, question: Question, side: str) -> Action:
        """The best battle, then fire, then the end; a duty is met as well as it can be."""
        actions = list(question.offer)
        able = at.world.combat.targets(at, question.pieces, side)
        best, value = None, self.posture.least[side] if Done() in actions else -100.0
        for action in actions:
            if isinstance(action, Attack):
                battle, guns = _force(at, side, action.target, able, question)
                worth = expectation(at, battle, guns, self.posture)
                if worth > value:
                    best, value = (action, battle, guns), worth
        if best is not None:
            self._orders = [*map(Join, best[1].attackers), *map(Support, best[2])]
            return best[0]
        fire = [action for action in actions if isinstance(action, Bombard)]
        if fire and Done() in actions:
            target = max(fire, key=lambda action: (_shot(at, side, action.target), action.target))
            if _shot(at, side, target.target) >= STRONG:
                return target
        return Done() if Done() in actions else actions[0]

    def _assemble(self, at: At, question: Question, side: str) -> Action:
        """Who was meant to take part, then whatever makes the attack legal."""
        offered = list(question.offer)
        while self._orders:
            order = self._orders.pop(0)
            if order in offered:
                return order
        for kind in (Resolve, Widen, Join):
            for action in offered:
                if isinstance(action, kind):
                    return action
        return offered[0]


# -- battles ------------------------------------------------------------------------------------------------------------------


def _force(at: At, side: str, target: str, able: dict[str, list[str]], question: Question) -> tuple[Battle, list[str]]:
    """Everybody who can attack a hex, with two guns at most that are in range; guns next to it only support."""
    units, world = [unit for unit, hexes in able.items() if target in hexes], at.world
    front = [unit for unit in units if not world.units[unit].is_gun and world.units[unit].arm != HQ] or units
    narrow = [unit for unit in front if len(able[unit]) == 1] or front
    wide = Battle.on(side, target, tuple(front))
    battle = wide if expectation(at, wide, []) > expectation(at, Battle.on(side, target, tuple(narrow)), []) + BETTER else None
    battle = battle or Battle.on(side, target, tuple(narrow))
    ready = [unit for unit in world.on_board(at.state, side) if world.units[unit].is_gun and unit not in battle.attackers]
    ready = [unit for unit in ready if world.combat.why_not_fire(at, unit) is None and _in_range(at, unit, target)]
    return battle, sorted(ready, key=lambda unit: (-face(at, unit).attack, unit))[:2]


def _in_range(at: At, unit: str, target: str) -> bool:
    near: int = at.world.board.distance(at.state.locations[unit], target)
    return near <= int(at.world.printed.tables.guns.range)


def expectation(at: At, battle: Battle, guns: Sequence[str], posture: Wb95Posture = USUAL) -> float:
    """What an attack brings on average, with guns that support it."""
    supposed = at
    if guns:
        state = at.state.copy()
        state.supporting = dict.fromkeys(guns, battle.target)
        supposed = Position(at.world, state)
    odds = at.world.combat.odds(supposed, battle)
    results = odds.results
    if not results:
        return -100.0
    defenders, picture = len(at.world.combat.defenders(at, battle)), Picture(at, battle.side, posture)
    prize = posture.progress * picture.goals.get(battle.target, 0.0) + 0.1 * picture.pull(battle.target)
    prize += picture.favoured.get(battle.target, 0.0)
    total = 0.0
    for result in results:
        mine, theirs = halves(result.name)
        total += _burden(theirs, defenders, posture.retreat) + (prize if theirs.back else 0.0)
        total -= _burden(mine, len(battle.attackers))
    return total / len(results)


def _burden(half: Half, units: int, back: float = USUAL.retreat) -> float:
    """What a half of a result costs its side, if a hex of retreat costs so much."""
    shaken = SHAKEN * units * (1.0 if half.shaken else 1 / 3 if half.rolls else 0.0)
    return LEVEL * half.losses + (back + 0.3) * half.back + shaken


def _shot(at: At, side: str, target: str) -> float:
    """How strong fire at a hex would be, with everybody who may fire."""
    guns = [unit for unit in at.world.on_board(at.state, side) if at.world.units[unit].is_gun]
    ready = [unit for unit in guns if at.world.combat.why_not_fire(at, unit) is None and _in_range(at, unit, target)]
    near = [unit for unit in ready if at.world.board.distance(at.state.locations[unit], target) > 1]
    points: int = sum(face(at, unit).attack for unit in near) - 2 * at.world.bonus(target)
    return points


def _back(at: At, question: Question, side: str) -> Action:
    """A gun that takes a column from the attack."""
    [enemy] = at.world.enemies(side)
    battle = Battle(enemy, question.places, question.goals)
    now = at.world.combat.odds(at, battle).column or 0
    for action in question.offer:
        if isinstance(action, Back):
            state = at.state.copy()
            state.supporting = {**state.supporting, action.unit: battle.target}
            if (at.world.combat.odds(Position(at.world, state), battle).column or 0) < now:
                return action
    return Done()


# -- results ------------------------------------------------------------------------------------------------------------------


def _yield(at: At, question: Question, side: str) -> Action:
    """Ground or steps, whichever costs less."""
    units = question.pieces
    left = sum(at.state.steps_left[unit] for unit in units)
    picture = Picture(at, side)
    hold = max([picture.goals.get(at.state.locations[unit], 0.0) for unit in units], default=0.0)

    def cost(action: Any) -> float:
        back = action.hexes
        losses = question.cost(action) or 0
        price = LEVEL * losses + (2.0 if losses >= left else 0.0)
        if back:
            price += 0.25 * back + 0.4 * hold
            for unit in units:
                price += LEVEL * (back - farthest(at, unit, back)) + SHAKEN * min(3, back - 1) / 3
        return price

    return min((action for action in question.offer if isinstance(action, Yield)), key=cost)


def _price(at: At, unit: str) -> float:
    """What a unit loses with its next step; the last one costs the most."""
    faces, left = at.world.units[unit].faces, at.state.steps_left[unit]
    return faces[left - 1].attack - faces[left - 2].attack if left > 1 else faces[0].attack + 1.5


def _refuge(at: At, retreat: Retreat, side: str) -> float:
    """Where it is best off."""
    picture = Picture(at, side)
    label = retreat.path[-1]
    touching = (picture.board.around(label) & picture.hostile).bit_count()
    return 0.3 * picture.pull(label) + 0.5 * at.world.bonus(label) - touching


def _gain(at: At, pursuit: Pursue, side: str) -> float:
    """How much better the end of a pursuit is than its beginning."""
    picture = Picture(at, side)
    forward = picture.pull(pursuit.path[-1]) - picture.pull(pursuit.path[0])
    held = picture.goals.get(pursuit.path[0], 0.0)
    lone = picture.board.around(pursuit.path[-1]) & picture.hostile
    return forward - 0.5 * held - 0.2 * lone.bit_count() + 0.05


# -- the other phases ---------------------------------------------------------------------------------------------------------


def _dig(at: At, question: Question, side: str) -> Action:
    """Wherever the enemy is near."""
    picture = Picture(at, side)
    for action in question.offer:
        if isinstance(action, DigIn) and picture.board.near(action.hex, 3) & picture.hostile:
            return action
    return Done()


def _barrage(at: At, question: Question, side: str) -> Action:
    """At the strongest enemy, where guns are left over."""
    picture, ready = Picture(at, side), [unit for unit in at.world.on_board(at.state, side) if at.world.units[unit].is_gun]
    ready = [unit for unit in ready if unit not in at.state.silent and unit not in at.state.marching]
    for target in sorted(picture.foes, key=lambda label: (-picture.defence(label), label)):
        near = [unit for unit in ready if _in_range(at, unit, target)]
        if len(near) >= SPARE and Aim(target) in question.offer and not at.world.bonus(target):
            return Aim(target)
    return Done()


def _lay(at: At, question: Question, side: str) -> Action:
    """Two guns for a barrage, all for fire on their own."""
    guns = [action for action in question.offer if isinstance(action, Lay)]
    if guns and not (at.state.phase.endswith("-barrage") and len(question.pieces) - len(guns) >= 2):
        return max(guns, key=lambda action: (face(at, action.unit).attack, action.unit))
    return Shoot()


def _fly(at: At, question: Question, side: str) -> Action:
    """Bombers together at the strongest enemy in the open, ground attack over assaults or over those who are attacked."""
    picture = Picture(at, side)
    mine = {label for label in map(at.state.locations.get, picture.mine) if label}
    taken = [(flight.hex, flight.task) for flight in at.state.flights if at.world.units[flight.unit].side == side]

    def worth(fly: Fly) -> float:
        defence = picture.defence(fly.to) if fly.to in picture.foes else 0
        near = min([picture.board.distance(fly.to, label) for label in mine if label != fly.to], default=9)
        bomber = BOMBER in at.world.units[fly.unit].tags
        if fly.task == RAID:
            same = 2.0 * ((fly.to, RAID) in taken) if bomber else 0.0
            return (1.0 if bomber else -1.0) + same + 0.2 * defence - 1.5 * at.world.bonus(fly.to) - 0.2 * near
        if fly.task == SUPPORT:
            over = sum(flight.hex == fly.to for flight in at.state.flights)
            return 2.0 + 0.2 * picture.pull(fly.to) - 0.6 * near - 2.0 * ((fly.to, SUPPORT) in taken) + 0.5 * over
        short = max([at.state.shortage.get(unit, 0) for unit in picture.mine if at.state.locations[unit] == fly.to], default=0)
        return 1.0 * short - 0.5 if fly.task == SUPPLY else 0.0

    flights = [action for action in question.offer if isinstance(action, Fly)]
    best = max(flights, key=worth, default=None)
    return best if best is not None and worth(best) > 0 else Done()


def _arrive(at: At, question: Question, side: str) -> Action:
    """As near to the goals as possible."""
    picture = Picture(at, side)
    arrivals = [action for action in question.offer if isinstance(action, Arrive)]
    return max(arrivals, key=lambda action: picture.pull(action.to), default=question.example)
