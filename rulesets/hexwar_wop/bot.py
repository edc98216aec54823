"""A staff officer for either side of the 1918-21 system.

It attacks where the exact chances of the combat table promise more than they cost, moves towards the towns that give points and
holds its own, and keeps headquarters near their troops and on their roads. It decides by its view alone, without any chance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import Any

from hexwar.bots import Posture, attacking, different
from hexwar.engine import Action, Position, Question, RandomSource, View
from hexwar.mechanics import Arrive, Battle, Declare, Declaring, Fight, Move, Pursue, Retreat, has_room
from hexwar.pieces import Done, LoseStep, Outcome, face, on_board
from hexwar.search import Plan
from hexwar_wop.activation import Marching
from hexwar_wop.air import Answering, Patrolling, Supporting
from hexwar_wop.bot_air import fly
from hexwar_wop.combat import SUPPORTING
from hexwar_wop.content import HEADQUARTERS, RIVER, ROUTES
from hexwar_wop.losses import Lead
from hexwar_wop.modifiers import ARTILLERY, troops
from hexwar_wop.reactions import Advancing, React, Reacting
from hexwar_wop.replacements import Refit
from hexwar_wop.river import Cruising, Sail, boats, is_afloat
from hexwar_wop.transport import Transporting, Unload, can_unload, carrier
from hexwar_wop.world import WopWorld

LEVEL, THROWN_BACK = 1.0, 0.35
"""What a level and a hex of the attacker's retreat are worth."""
USUAL = Posture(retreat=0.5, effort=0.0, progress=0.5, least={"polish": 0.1, "soviet": 0.1})
"""How an officer weighs attacks."""


class Officer:
    """A bot for the 1918-21 system, and a planner of its attacks; in any other game it chooses by chance.

    Args:
        posture: how it weighs attacks.
    """

    def __init__(self, posture: Posture = USUAL) -> None:
        self.posture = posture
        self._segment: object = None
        self._stays: set[str] = set()
        self._plan: list[Declare] | None = None

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        if not isinstance(view.position.world, WopWorld):
            return view.sample(chance)
        question, at = view.question, view.position
        assert question is not None, "a bot is asked when its seat is"
        if question.kind == Declaring.kind:
            return self._declare(at, question, view.side)
        self._plan = None
        if question.asks == Move.kind or question.kind == Marching.kind:
            return self._move(at, question, view.side)
        if question.asks in (Arrive.kind, Refit.kind):  # whoever can come back does, and whoever can be refitted is
            return question.example
        if question.kind in (Patrolling.kind, Supporting.kind, Answering.kind):
            return fly(at, question, view.side, expectation)
        actions = list(view.legal_actions())
        if question.kind == Transporting.kind:  # it loads nobody, and who is loaded gets off as soon as that is possible
            return next((action for action in actions if isinstance(action, Unload)), Done())
        if question.kind == Reacting.kind:
            return _reaction(at, question, actions)
        worth: dict[str, Callable[[Any], Any]] = {
            Fight.kind: lambda it: self._hopes(at, it.target),
            Lead.kind: lambda it: _leads(at, it.unit),
            LoseStep.kind: lambda it: -_price(at, it.unit),
            Retreat.kind: lambda it: _refuge(at, it, view.side),
            Pursue.kind: lambda it: _gain(at, it),
            Sail.kind: lambda it: -at.world.river.foes(at, it.to, view.side),
        }
        if question.kind == Cruising.kind:
            return Done()
        known = [action for action in actions if action.kind in worth]
        if not known:
            return actions[0]
        best = max(known, key=worth[known[0].kind])
        return Done() if isinstance(best, Pursue) and Done() in actions and _gain(at, best) <= 0 else best

    # -- plans for search ---------------------------------------------------------------------------------------------------

    def scope(self, view: View) -> Hashable | None:
        """The declaration of attacks."""
        question, state = view.question, view.state
        if question is None or question.kind != Declaring.kind or not isinstance(view.position.world, WopWorld):
            return None
        return view.viewer.seat, state.turn, state.phase, state.active

    def plans(self, view: View) -> Iterator[Plan]:
        """The postures that declare other attacks, the usual one first."""
        postures = [self.posture, *attacking(self.posture)]
        for posture in different(postures, lambda it: tuple(plan(view.position, view.side, it))):
            yield Plan(posture.name, partial(type(self), posture))

    # -- 14 attacks ---------------------------------------------------------------------------------------------------------

    def _declare(self, at: Position, question: Question, side: str) -> Action:
        """What was planned, one after the other."""
        if self._plan is None:
            self._plan = plan(at, side, self.posture)
        while self._plan:
            order = self._plan.pop(0)
            if (order.unit, order.target) not in at.state.planned and question.offer.find(order) is not None:
                return order
        self._plan = None
        return Done()

    def _hopes(self, at: Position, target: str) -> float:
        attackers = tuple(unit for unit, label in at.state.planned if label == target)
        battle = Battle.on(at.world.units[attackers[0]].side, target, attackers)
        battle, odds, _ = at.world.combat.weigh(at, battle)
        return expectation(at, battle) if odds is not None else -100.0

    # -- 13 movement --------------------------------------------------------------------------------------------------------

    def _move(self, at: Position, question: Question, side: str) -> Action:
        """The first unit that finds a better hex than its own goes there."""
        segment = (at.state.turn, side, question.kind, at.state.active)
        if segment != self._segment:
            self._segment, self._stays = segment, set()
        picture = Picture(at, side)
        for unit in question.groups:
            if unit in self._stays:
                continue
            here = at.state.locations[unit]
            if at.world.units[unit].arm == RIVER:
                self._stays.add(unit)
                best = max([here, *at.world.river.sails(at, unit)], key=lambda place: picture.boat(place))
                if best != here:
                    return Sail(unit, best)
                continue
            ends = self._ends(at, question, unit)
            judge = picture.headquarters if at.world.units[unit].arm == HEADQUARTERS else picture.unit
            best = max(ends, key=lambda label: judge(unit, label), default=here)  # it is used at once
            if best != here and judge(unit, best) > judge(unit, here) + 0.3:
                return Move(unit, best)
            self._stays.add(unit)
        return Done() if Done() in question.plain else question.example

    def _ends(self, at: Position, question: Question, unit: str) -> Sequence[str]:
        """Where a unit can go; one that was stopped on its way has only some of its points left."""
        if question.kind == Advancing.kind:
            return [move.to for move in question.group(unit) if isinstance(move, Move) and has_room(at, unit, move.to)]
        reach = at.world.reaches.reach(at, unit)
        ends = [label for label in at.world.reaches.ends(at, unit, reach) if has_room(at, unit, label)] if len(reach) > 1 else []
        return [label for label in ends if can_unload(at, unit, label)] if carrier(at, unit) else ends


class Picture:
    """What hexes are worth to a side as things stand."""

    def __init__(self, at: Position, side: str) -> None:
        self.at, self.side = at, side
        self.world: WopWorld = at.world
        [enemy] = self.world.enemies(side)
        self.foes, self.friends = _strengths(at, enemy), _strengths(at, side)
        self.goals = {entry.hex: entry.value for entry in self.world.scenario.victory.hexes}
        self.network = self.world.supply.network(at, side, *ROUTES)
        self.board = self.world.board
        self.hostile = self.board.mask(self.foes)
        self._led: dict[str, list[str]] = {}

    def unit(self, unit: str, label: str) -> float:
        """What it is worth to have a unit in a hex."""
        at, board, counter = self.at, self.board, self.world.units[unit]
        here, mine = at.state.locations[unit], face(at, unit)
        value = 0.0
        for goal, points in self.goals.items():
            far = board.distance(label, goal)
            if at.state.control.get(goal) != self.side:
                value += 1.5 * points / (1 + far)
            elif label == goal and board.near(goal, 4) & self.hostile:
                value += 0.6 * points if not self.friends.get(goal) or here == goal else 0.0
        touching = board.around(label) & self.hostile
        for near in board.neighbours(label) if touching else ():
            foe = self.foes.get(near)
            if foe is None:
                continue
            around = sum(self.friends.get(hex, 0) for hex in board.neighbours(near) if hex != here)
            ratio = (around + mine.attack) / max(foe, 1)
            value += 0.8 * min(ratio, 2.5) if ratio >= 1.4 else -0.6
        if counter.arm == ARTILLERY:
            targets = (board.near(label, counter.reach) & self.hostile).bit_count()
            alone = not self.friends.get(label, 0) or (label == here and self.friends[label] == mine.defence)
            value += min(targets, 3) - (3.0 if touching and alone else 0.0)
        if board.near(label, 2) & self.hostile:
            value -= 0.3 * self.world.terrain[board.terrain(label)].combat
        if counter.formation in at.state.locations and at.state.locations[counter.formation] in board:
            far = board.distance(label, at.state.locations[counter.formation])
            value -= 0.8 * max(0, far - self.world.units[counter.formation].command + 1)
        return value

    def boat(self, place: str) -> float:
        """What it is worth to have a river unit on a hexside: near fights on the banks, and not between enemies."""
        river, board = self.world.river, self.board
        near = {*river.banks(place), *(hex for bank in river.banks(place) for hex in board.neighbours(bank))}
        fights = [hex for hex in near if hex in self.foes and any(other in self.friends for other in board.neighbours(hex))]
        held = [bank for bank in river.banks(place) if bank in self.friends]
        return 0.8 * len(fights) + 0.5 * len(held) - 1.5 * sum(bank in self.foes for bank in river.banks(place))

    def headquarters(self, unit: str, label: str) -> float:
        """What it is worth to have a headquarters in a hex."""
        board, counter, places, units = self.board, self.world.units[unit], self.at.state.locations, self.world.units
        led = self._led.get(unit)
        if led is None:
            mine = [other for other, of in units.items() if unit in (of.formation, of.army)]
            led = self._led[unit] = [places[other] for other in mine if places.get(other) in board]
        value: float = -0.25 * sum(max(0, board.distance(label, place) - counter.command // 2) for place in led)
        nearest = next((far for far in range(3) if board.near(label, far) & self.hostile), 9)
        guarded = bool(self.friends.get(label))
        value -= {0: 9.0, 1: 2.0 if guarded else 8.0, 2: 0.0 if guarded else 2.0}.get(nearest, 0.0)
        around = board.around(label) | 1 << board.index(label)
        value += 2.0 if around & self.network else -2.0
        if counter.army in places and places[counter.army] in board:
            far = board.distance(label, places[counter.army])
            value -= 0.5 * max(0, far - units[counter.army].command + 2)
        return value


def _strengths(at: Position, side: str) -> dict[str, int]:
    """Hex -> what a side has in it."""
    found: dict[str, int] = {}
    for unit in on_board(at, side):
        if at.world.units[unit].arm != HEADQUARTERS:
            label = at.state.locations[unit]
            found[label] = found.get(label, 0) + face(at, unit).defence
    return found


def plan(at: Position, side: str, posture: Posture = USUAL) -> list[Declare]:
    """The attacks that are worth while together: hexes that are attacked do not disturb the attacks on others."""
    combat = at.world.combat
    able = combat.targets(at, (*on_board(at, side), *boats(at, side)), side)
    pairs = {(unit, target) for unit, hexes in able.items() for target in hexes}
    while True:
        fronts = {target for unit, target in pairs if at.world.units[unit].arm not in SUPPORTING}
        pairs = {(unit, target) for unit, target in pairs if target in fronts}
        state = at.state.copy()
        state.planned = tuple(sorted(pairs))
        supposed = Position(at.world, state)
        worth = {}
        for target in sorted(fronts):
            attackers = tuple(sorted(unit for unit, label in pairs if label == target))
            worth[target] = expectation(supposed, Battle.on(side, target, attackers), posture)
        if not worth:
            return []
        worst = min(worth, key=lambda target: worth[target])
        if worth[worst] >= posture.least[side]:
            break
        pairs = {pair for pair in pairs if pair[1] != worst}
    guns = [pair for pair in pairs if at.world.units[pair[0]].arm in SUPPORTING]
    order = sorted(pairs.difference(guns), key=lambda pair: (-worth[pair[1]], pair)) + sorted(guns)
    return [Declare(unit, target) for unit, target in order]


def expectation(at: Position, battle: Battle, posture: Posture = USUAL) -> float:
    """What an attack brings on average."""
    combat = at.world.combat
    odds = combat.odds(at, battle)
    results = odds.results
    if not results:
        return -100.0
    prize = {entry.hex: entry.value for entry in at.world.scenario.victory.hexes}.get(battle.target, 0)
    return sum(_worth(result, prize, posture) for result in results) / len(results)


def _worth(result: Outcome, prize: int, posture: Posture) -> float:
    gain = LEVEL * result.defender + posture.retreat * result.retreat + (posture.progress * prize if result.retreat else 0.0)
    return gain - LEVEL * result.attacker - THROWN_BACK * result.repulse


def _price(at: Position, unit: str) -> float:
    """What a unit loses with its next level."""
    world: WopWorld = at.world
    left: int = at.state.steps_left[unit]
    strengths = [-2, *(up.defence for up in world.units[unit].faces)]  # the last level costs the most
    return strengths[left] - strengths[left - 1]


def _leads(at: Position, unit: str) -> tuple[bool, int, int]:
    """The leader takes the first loss (14.12.b): never a unit that this would eliminate, then whoever has the best morale."""
    left: int = at.state.steps_left[unit]
    return left > 1, at.world.units[unit].morale, left


def _reaction(at: Position, question: Question, actions: list[Action]) -> Action:
    """Two hexes back before a stronger enemy, or as far as it goes."""
    [enemy] = at.world.enemies(at.world.seats[question.seat])
    if is_afloat(at, question.pieces[0]):  # who comes to a bank does a boat no harm
        return Done()
    near = at.world.board.neighbours(question.places[0])
    foes = sum(points for label, points in _strengths(at, enemy).items() if label in near)
    own = sum(face(at, unit).defence for unit in question.pieces)
    ways = [action for action in actions if isinstance(action, React)]
    return min(ways, key=lambda way: abs(way.hexes - 2)) if ways and foes > own else Done()


def _refuge(at: Position, retreat: Retreat, seat_side: str) -> tuple[float, ...]:
    """Few zones on the way, good ground, many friends; an enemy headquarters may go anywhere."""
    if at.world.units[retreat.unit].side != seat_side:
        return (0.0,)
    side, end = at.world.units[retreat.unit].side, retreat.path[-1]
    zones = sum(bool(at.state.layout.threatened[side] >> at.world.board.index(label) & 1) for label in retreat.path[1:])
    goal = any(entry.hex == end for entry in at.world.scenario.victory.hexes)
    return -zones, goal, len(troops(at, end)), -at.world.terrain[at.world.board.terrain(end)].combat


def _gain(at: Position, pursuit: Pursue) -> float:
    """How much better the end of a pursuit is than its beginning."""
    picture = Picture(at, at.world.units[pursuit.unit].side)
    judge = picture.headquarters if at.world.units[pursuit.unit].arm == HEADQUARTERS else picture.unit
    return judge(pursuit.unit, pursuit.path[-1]) - judge(pursuit.unit, pursuit.path[0])
