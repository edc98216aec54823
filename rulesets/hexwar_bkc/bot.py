"""An officer for either side of Blitzkrieg Commander.

For every unit it weighs shots, charges and marches in points of the army lists: what they cost the enemy, what the enemy's fire
costs in return, and how much nearer the objective comes. An order names those units for which chance of success and worth
together are the highest. It decides by its view alone, without any chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from hexwar.bots import different
from hexwar.engine import Action, Question, RandomSource, View
from hexwar.pieces import Done, UnitAction
from hexwar.plane import CM, Placed, Spot, contains, flank, shifted, towards
from hexwar.search import Plan
from hexwar_bkc.acting import Acting, ActingAgain, Reacting
from hexwar_bkc.aftermath import BreakingOff, Face, GoAfter, Hold, Pursue, Pursuing, Turning, Winning
from hexwar_bkc.bot_ground import AFAR, Picture, Routes, Shot, cover_nodes, goal_of, seen_from
from hexwar_bkc.charging import WEAPONS, Charge, Countering, Support
from hexwar_bkc.combat import DICE
from hexwar_bkc.command import (
    Begin,
    Carry,
    Commanding,
    CommandMoving,
    Executing,
    Issue,
    Keep,
    Ordering,
    is_observer,
    modifiers,
    plan_of,
)
from hexwar_bkc.fire import Fire, why_not_fire
from hexwar_bkc.movement import March, Marches
from hexwar_bkc.observers import Call, Calling, Schedule, Scheduling, StopCalling, call_modifiers
from hexwar_bkc.transport import Bailing
from hexwar_bkc.world import At, BkcWorld, in_contact, placed, visible

LEAST = 1.0
"""What something must be worth to be done."""
GOING = 0.6
"""The share of a shot that is worth having in prospect, against one that is fired now."""
NEAR = {"infantry": 0, "engineer": 0, "flamethrower": 0, "cavalry": 0, "armour": 10 * CM, "transport": 45 * CM}
"""How near to the objective units of a type go; the others go as near as half their range."""


@dataclass(frozen=True, kw_only=True)
class BkcPosture:
    """How an officer weighs marches and charges.

    Args:
        name: what is done, as the beginning of a sentence.
        drawn: what a centimetre nearer to the objective is worth, for each point that a unit costs.
        caution: how much the enemy's fire counts.
        charges: what a charge is worth besides what it brings, in points.
    """

    name: str = "As usual"
    drawn: float = 0.02
    caution: float = 1.0
    charges: float = 0.0


USUAL = BkcPosture()
POSTURES = (
    BkcPosture(name="Go for the objective", drawn=0.06, caution=0.5),
    BkcPosture(name="Keep out of fire", drawn=0.01, caution=2.0),
    BkcPosture(name="Shoot from where the units stand", drawn=0.0),
    BkcPosture(name="Charge wherever possible", charges=30.0),
    BkcPosture(name="Charge nobody", charges=-1000.0),
)
"""The other postures that an officer may take."""


class Idea(NamedTuple):
    """Something that a unit could do.

    Args:
        worth: in points.
        action: what.
        target: the enemy that it fires at; "" if it does not.
        shot: its dice.
    """

    worth: float
    action: UnitAction
    target: str = ""
    shot: Shot | None = None


class Asked(NamedTuple):
    """What the bot is asked.

    Args:
        at: what it knows.
        question: what may be done.
        side: for whom it plays.
        step: the step that waits.
    """

    at: At
    question: Question
    side: str
    step: Any


_ROUTES: WeakKeyDictionary[BkcWorld, dict[tuple[str, str, str], Routes]] = WeakKeyDictionary()
"""What officers find out about a table once."""


class Officer:
    """A bot for Blitzkrieg Commander, and a planner of its turns; in any other game it chooses by chance.

    Args:
        posture: how it weighs marches and charges.
    """

    def __init__(self, posture: BkcPosture = USUAL) -> None:
        self.posture = posture
        self._cover: dict[tuple[str, str], list[Spot]] = {}
        self._planned: tuple[object, Mapping[str, UnitAction]] = (None, {})
        self._thought: tuple[object, dict[str, list[Idea]]] = (None, {})

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        if not isinstance(view.position.world, BkcWorld):
            return view.sample(chance)
        assert view.question is not None, "a bot is asked when its seat is"
        asked = Asked(view.position, view.question, view.side, view.steps[-1])
        decide: dict[str, Callable[[Asked], Action]] = {
            Acting.kind: self._act,
            ActingAgain.kind: self._act,
            Reacting.kind: _react,
            Countering.kind: _react,
            Commanding.kind: _command,
            Ordering.kind: self._order,
            Executing.kind: _carry_out,
            CommandMoving.kind: self._lead,
            Scheduling.kind: _schedule,
            Calling.kind: _call,
            Winning.kind: _win,
            Turning.kind: _turn,
            BreakingOff.kind: _break_off,
            Pursuing.kind: _pursue,
            Bailing.kind: lambda asked: Done(),
        }
        if asked.question.kind in decide:
            return decide[asked.question.kind](asked)
        return next(iter(asked.question.offer))

    def __reduce__(self) -> tuple[type[Officer], tuple[BkcPosture]]:
        return type(self), (self.posture,)  # in another process it begins without plans

    # -- plans for search ------------------------------------------------------------------------------------------------------

    def scope(self, view: View) -> Hashable | None:
        """The turn of a side, while its units act or get orders."""
        question = view.question
        if question is None or question.kind not in (Acting.kind, Commanding.kind, Ordering.kind, CommandMoving.kind):
            return None
        return view.viewer.seat, view.state.turn

    def plans(self, view: View) -> Iterator[Plan]:
        """The postures in which units would do different things, the usual one first."""
        at, side = view.position, view.side
        units = [unit for unit in at.state.spots if at.world.units[unit].side == side]

        def acts(posture: BkcPosture) -> object:
            officer = type(self)(posture)
            return tuple(str(idea.action) for unit in units for idea in officer._ideas(at, unit, side)[:1])

        for posture in different([self.posture, *POSTURES], acts):
            yield Plan(posture.name, partial(type(self), posture))

    # -- what units could do ---------------------------------------------------------------------------------------------------

    def _ideas(self, at: At, unit: str, side: str, *, again: bool = False, command: str = "") -> list[Idea]:
        """What a unit could do, the best first; kept for the position."""
        state = at.state
        key = (side, again, state.turn, state.spots, state.headings, state.hits, state.suppressed, state.dug_in, state.smoke)
        if self._thought[0] != key:
            self._thought = key, {}
        found = self._thought[1].get(unit)
        if found is None:
            picture = Picture(at, side)
            ideas = [*_shots(picture, unit, command), *self._charges(picture, unit), *self._marches(picture, unit, again)]
            found = self._thought[1][unit] = sorted(ideas, key=lambda idea: -idea.worth)
        return found

    def _charges(self, picture: Picture, unit: str) -> Iterable[Idea]:
        at, model = picture.at, picture.units[unit]
        if model.type in WEAPONS or unit not in at.state.spots or in_contact(at, unit):
            return
        for foe in visible(at, unit):
            if math.dist(at.state.spots[unit], at.state.spots[foe]) < model.move + 4 * CM:
                worth = assault(picture, unit, foe) + self.posture.charges
                if worth > LEAST:
                    yield Idea(worth, Charge(unit, foe))

    def _marches(self, picture: Picture, unit: str, again: bool) -> Iterable[Idea]:
        at, model = picture.at, picture.units[unit]
        if in_contact(at, unit) or unit in at.state.aboard or not model.move:
            return
        marches, me = Marches(at, unit, again), placed(at, unit)
        shot, danger = picture.prospects(unit, me, moves=False)
        caution = self.posture.caution
        here = GOING * shot - caution * danger - self._far(picture, unit, me.centre)
        for spot in self._ends(picture, unit, marches):
            foe = min(picture.foes, key=lambda foe: math.dist(spot[-1], at.state.spots[foe]), default="")
            heading = towards(spot[-1], at.state.spots[foe]) if foe else -1
            march = marches.trimmed(March(unit, spot[-1], heading, tuple(spot[:-1])))
            if march is None:
                continue
            there = marches.end(march)
            if there.centre == me.centre and there.heading == me.heading:
                continue
            shot, danger = picture.prospects(unit, there, moves=there.centre != me.centre)
            worth = GOING * shot - caution * danger - self._far(picture, unit, there.centre) - here
            if worth > LEAST and marches.find(march) is not None:
                yield Idea(worth, march)

    def _ends(self, picture: Picture, unit: str, marches: Marches) -> list[tuple[Spot, ...]]:
        """Ways that are worth a look: towards the objective, into cover, back, and no way at all."""
        at, me, far = picture.at, marches.me.centre, marches.allowance
        found: list[tuple[Spot, ...]] = [(me,)]
        routes = self._routes_of(picture, unit)
        if routes is not None:
            way = routes.way(me, far)
            if way:
                found.append(way)
                found.append((_between(me, way[0], 0.5 * far),))
        name = (at.world.board.id, picture.units[unit].arm)
        if name not in self._cover:
            self._cover[name] = cover_nodes(at, routes.nodes if routes is not None else ())
        cover = [spot for spot in self._cover[name] if 0 < math.dist(spot, me) <= far]
        if routes is not None:
            cover.sort(key=routes.distance)
        found += [(spot,) for spot in cover[:3]]
        if picture.foes:
            foe = at.state.spots[min(picture.foes, key=lambda foe: math.dist(me, at.state.spots[foe]))]
            found += [(_between(me, foe, far - 1),), (_between(me, foe, 1 - far),)]
        edge_x, edge_y = at.world.terrain.width, at.world.terrain.height
        return [tuple([(min(max(x, 0), edge_x), min(max(y, 0), edge_y)) for x, y in way]) for way in found]

    def _routes_of(self, picture: Picture, unit: str) -> Routes | None:
        goal, _ = goal_of(picture.at, picture.side)
        if goal is None:
            return None
        arm = picture.units[unit].arm
        key = (picture.world.board.digest, arm, goal.name)
        known = _ROUTES.setdefault(picture.world, {})
        if key not in known:
            known[key] = Routes(picture.world.bare_ways, arm, goal.ring)
        return known[key]

    def _far(self, picture: Picture, unit: str, spot: Spot) -> float:
        """What it costs to be far from the objective."""
        routes, model, world = self._routes_of(picture, unit), picture.units[unit], picture.world
        goal, keeps = goal_of(picture.at, picture.side)
        if routes is None or goal is None:
            return 0.0
        near = NEAR.get(model.type, model.range // 2)
        if keeps:
            near += 15 * CM
        away = max(0, min(routes.distance(spot), AFAR // 100) - near) / CM
        drawn = self.posture.drawn * model.cost * (1 + picture.at.state.turn / world.last_turn)
        inside = 0.4 * model.cost if contains(goal.ring, spot) and not NEAR.get(model.type, 1) else 0.0
        return drawn * away - inside

    # -- acting and orders ---------------------------------------------------------------------------------------------------

    def _act(self, asked: Asked) -> Action:
        """The best that any unit can do; shots come before marches."""
        at, question, side, _step = asked
        again = question.kind == ActingAgain.kind
        ideas = [
            idea for unit in question.groups if unit in at.world.units for idea in self._ideas(at, unit, side, again=again)[:3]
        ]
        for idea in sorted(ideas, key=lambda idea: (not isinstance(idea.action, Fire), -idea.worth)):
            if idea.worth >= LEAST and question.offer.find(idea.action) is not None:
                return idea.action
        return Done()

    def _order(self, asked: Asked) -> Action:
        """The plans that are worth most together, one by one, and then the test."""
        at, question, side, step = asked
        state, command = at.state, step.command
        key = (state.turn, side, command, state.orders, state.finished, state.closed, state.spots, state.hits)
        if self._planned[0] != key:
            self._planned = key, self._best_order(at, command, question, side)
        planned = {plan.unit for plan in step.plans}
        for unit, action in self._planned[1].items():
            if unit not in planned and question.offer.find(action) is not None:
                return action
        return Issue() if step.plans else Keep()

    def _best_order(self, at: At, command: str, question: Question, side: str) -> Mapping[str, UnitAction]:
        rows = []
        for unit in question.groups:
            if unit not in at.world.units or _chief_of(at, unit, side) != command:
                continue
            ideas = self._ideas(at, unit, side, command=command)
            rows += [(idea, _price(at, command, idea.action)) for idea in ideas[:4] if idea.worth >= LEAST]
        rows.sort(key=lambda row: -row[0].worth)
        value = at.world.units[command].value
        best, most = {}, LEAST
        for orders in range(4):
            for steps in range(4):
                for ground in (0, 1, 2):
                    allowed = [idea for idea, price in rows if price[0] <= orders and price[1] <= steps and price[2] <= ground]
                    chosen, worth = _together(Picture(at, side), allowed)
                    worth *= succeeds(value - orders - steps - ground)
                    if worth > most * 1.001:
                        best, most = chosen, worth
        return best

    def _lead(self, asked: Asked) -> Action:
        """Command units keep behind the middle of their units, observers where they see most."""
        at, question, side, _step = asked
        units = at.world.units
        picture = Picture(at, side)
        for chief in question.groups:
            if chief not in units:
                continue
            marches = Marches(at, chief)
            here = _staff(picture, chief, placed(at, chief))
            best, most = None, here + 5.0
            for spot in _posts(picture, chief, marches):
                march = marches.trimmed(March(chief, spot))
                if march is None:
                    continue
                worth = _staff(picture, chief, marches.end(march))
                if worth > most and question.offer.find(march) is not None:
                    best, most = march, worth
            if best is not None:
                return best
        return Done()


# -- shots and charges --------------------------------------------------------------------------------------------------------


def _shots(picture: Picture, unit: str, command: str) -> Iterable[Idea]:
    at, model = picture.at, picture.units[unit]
    if not model.dice or unit not in at.state.spots or in_contact(at, unit):
        return
    seen = picture.foes if model.indirect else visible(at, unit)
    for foe in seen:
        shot = picture.shot(unit, at.state.spots[unit], foe, at.state.spots[foe], picture.covered(foe))
        if shot is None or why_not_fire(at, unit, foe, command) is not None:
            continue
        if flank(placed(at, foe), at.state.spots[unit]) != "front":
            shot = shot._replace(dice=shot.dice + 1, save=min(shot.save + 1, 6) if shot.save else 0)
        yield Idea(picture.worth(shot, foe), Fire(unit, foe), foe, shot)


def assault(picture: Picture, unit: str, foe: str) -> float:
    """What a charge is worth: the chance to win the combat, less the fire that answers it."""
    at, units = picture.at, picture.units
    model, enemy = units[unit], units[foe]
    is_down = foe in at.state.suppressed
    mine = (DICE.get(model.type, 2) + 1) * (2 / 6 if picture.covered(foe) else 3 / 6) * _open(enemy.save)
    theirs = max(DICE.get(enemy.type, 2) - is_down, 0) * 3 / 6 * _open(model.save)
    near = [other for other in picture.foes if math.dist(at.state.spots[other], at.state.spots[foe]) < 8 * CM]
    fire = sum(units[other].dice + 1 for other in near if other not in at.state.suppressed) * 3 / 6 * _open(model.save)
    behind = 2.0 * (flank(placed(at, foe), at.state.spots[unit]) != "front")
    left, risk = picture.left(foe), (theirs + fire) / max(picture.left(unit), 1)
    wins = 1 / (1 + math.exp(-(mine + at.state.hits.get(foe, 0) + behind - theirs - fire) / 1.2))
    goal, _ = goal_of(at, picture.side)
    prize = 1.5 if goal is not None and contains(goal.ring, at.state.spots[foe]) else 1.0
    return prize * wins * enemy.cost * min(0.5 + mine / left, 1.0) - model.cost * ((1 - wins) * 0.7 + 0.3 * min(risk, 1.0))


def _open(save: int) -> float:
    return (save - 1) / 6 if save else 1.0


def _react(asked: Asked) -> Action:
    """Fire costs nothing; a charge or a way out must be worth it."""
    at, question, side, _step = asked
    picture, best, most = Picture(at, side), None, LEAST / 2
    for unit in question.groups:
        if unit not in at.world.units:
            continue
        for action in question.group(unit):
            worth = _reaction(picture, unit, action, question.kind == Countering.kind)
            if worth > most:
                best, most = action, worth
    return best if best is not None else Done()


def _reaction(picture: Picture, unit: str, action: Action, answers: bool) -> float:
    at = picture.at
    if isinstance(action, Fire):
        shot = picture.shot(unit, _place(at, unit), action.target, at.state.spots[action.target], picture.covered(action.target))
        return picture.worth(shot, action.target) if shot else 0.1
    if isinstance(action, Charge):
        return assault(picture, unit, action.target)
    if isinstance(action, Support):
        return 0.3 * picture.units[unit].cost
    return 0.0


def _place(at: At, unit: str) -> Spot:
    return placed(at, unit).centre


# -- orders -----------------------------------------------------------------------------------------------------------------


def succeeds(value: int) -> float:
    """command.3: how likely two dice get an order through."""
    return sum((one + two <= value or one + two == 2) and one + two != 12 for one in range(1, 7) for two in range(1, 7)) / 36


def _price(at: At, command: str, action: UnitAction) -> tuple[int, int, int]:
    """What an action takes from the value of the order: for earlier orders, distance, and ground or enemies."""
    found = {clause: -number for number, _, clause in modifiers(at, command, [plan_of(action)])}
    before = found.get("command.12", 0) + found.get("command.13", 0)
    return before, found.get("command.14", 0), found.get("command.17", 0) + found.get("command.18", 0)


def _together(picture: Picture, ideas: Sequence[Idea]) -> tuple[dict[str, UnitAction], float]:
    """One idea for each unit, the best first; what is shot at twice has been hit already."""
    chosen: dict[str, UnitAction] = {}
    total = 0.0
    hits: dict[str, float] = {}
    for idea in ideas:
        if idea.action.unit in chosen:
            continue
        worth = idea.worth
        if idea.shot is not None and idea.target in hits:
            worth = picture.worth(idea.shot, idea.target, hits[idea.target])
        chosen[idea.action.unit] = idea.action
        total += worth
        if idea.shot is not None:
            hits[idea.target] = hits.get(idea.target, 0.0) + idea.shot.hits
    return chosen, total


def _chief_of(at: At, unit: str, side: str) -> str:
    """Who is to order a unit: who has done so this turn, or the nearest who still can."""
    state, units = at.state, at.world.units
    if unit in state.leaders:
        return state.leaders[unit]
    able = [
        chief
        for chief in state.spots
        if units[chief].side == side
        and units[chief].commands
        and not is_observer(at, chief)
        and chief not in state.finished
        and chief not in state.suppressed
    ]
    return min(able, key=lambda chief: math.dist(state.spots[chief], _place(at, unit)), default="")


def _command(asked: Asked) -> Action:
    """Observers first, the commanding officer last: when that fails, all is over; who has begun goes on."""
    at, question, _side, _step = asked
    units = at.world.units
    chiefs = [action for action in question.offer if isinstance(action, Begin)]
    begun = {*at.state.leaders.values()}
    order = {"fao": 0, "hq": 1, "co": 2}
    for action in sorted(chiefs, key=lambda action: (action.unit not in begun, order.get(units[action.unit].formation, 1))):
        return action
    return Done()


def _carry_out(asked: Asked) -> Action:
    """Shots, then charges, then marches, the foremost unit first."""
    at, question, side, step = asked
    kinds = {plan.unit: plan.does for plan in step.plans}
    order = {"fire": 0, "charge": 1, "support": 2}
    foes = Picture(at, side).foes

    def key(action: Any) -> tuple[int, float]:
        near = min([math.dist(_place(at, action.unit), at.state.spots[foe]) for foe in foes], default=0.0)
        return order.get(kinds[action.unit], 3), near

    return min((action for action in question.offer if isinstance(action, Carry)), key=key)


# -- command units ----------------------------------------------------------------------------------------------------------


def _led(picture: Picture, chief: str) -> list[Spot]:
    """Where the units are that a command unit leads: the nearest for a headquarters, all for the commanding officer."""
    at, units = picture.at, picture.units
    mine = [at.state.spots[one] for one in at.state.spots if units[one].side == picture.side and not units[one].commands]
    if units[chief].formation == "co":
        return mine
    chiefs = [one for one in at.state.spots if units[one].side == picture.side and units[one].formation == "hq"]
    number, share = chiefs.index(chief) if chief in chiefs else 0, -(-len(mine) // max(len(chiefs), 1))
    across = 0 if at.world.keys.edges[picture.side] in ("north", "south") else 1
    return sorted(mine, key=lambda spot: spot[across])[number * share : (number + 1) * share]


def _posts(picture: Picture, chief: str, marches: Marches) -> list[Spot]:
    at, me = picture.at, marches.me.centre
    led = _led(picture, chief)
    found = [
        shifted(me, heading, far) for heading in range(0, 360, 45) for far in (marches.allowance // 3, marches.allowance - 1)
    ]
    if led:
        middle = sum(x for x, _ in led) // len(led), sum(y for _, y in led) // len(led)
        found += [middle, *[shifted(middle, heading, 6 * CM) for heading in range(0, 360, 60)]]
    terrain = at.world.terrain
    return [spot for spot in found if spot in terrain]


def _staff(picture: Picture, chief: str, there: Placed) -> float:
    """What a place is worth to a command unit: near to its units, far from the enemy."""
    at = picture.at
    near = min([math.dist(there.centre, at.state.spots[foe]) for foe in picture.foes], default=AFAR)
    danger = max(0.0, 25 * CM - near) / CM * 2.0
    if is_observer(at, chief):
        return sum(picture.units[foe].cost for foe in seen_from(picture, chief, there)) * 0.3 - danger
    led = _led(picture, chief)
    far = sum(max(0.0, math.dist(there.centre, spot) - 15 * CM) for spot in led) / CM / max(len(led), 1)
    return -2.0 * far - danger


# -- artillery --------------------------------------------------------------------------------------------------------------


def _under(picture: Picture, centre: Spot, zone: int, dice: int) -> float:
    """What shells on a square are worth."""
    at, total = picture.at, 0.0
    for unit, (x, y) in at.state.spots.items():
        model = picture.units[unit]
        if abs(x - centre[0]) > zone // 2 or abs(y - centre[1]) > zone // 2 or (model.commands and model.side != picture.side):
            continue
        covered = picture.covered(unit)
        heavy = model.heavy and not model.open
        shot = Shot(dice, 6 if heavy else 5 if covered else 4, model.save, not heavy)
        total += picture.worth(shot, unit) * (1 if model.side != picture.side else -1)
    return total


def _schedule(asked: Asked) -> Action:
    """On the enemy where he stands most closely, in the first turn, before he has moved if this side begins."""
    at, question, side, _step = asked
    picture, best, most = Picture(at, side), None, 0.0
    units = at.world.units
    for gun in dict.fromkeys(action.gun for action in question.offer if isinstance(action, Schedule)):
        for foe in picture.foes:
            action = Schedule(gun, 1, at.state.spots[foe])
            worth = _under(picture, action.to, units[gun].zone, units[gun].dice)
            if worth > most and question.offer.find(action) is not None:
                best, most = action, worth
    return best if best is not None else Done()


def _call(asked: Asked) -> Action:
    """On the enemy where shells are worth most; a deviation spares a part of them."""
    at, question, side, step = asked
    picture, best, most, units = Picture(at, side), None, LEAST, at.world.units
    value = units[step.observer].value
    for action in question.offer:
        if isinstance(action, Call) and not action.smoke and not action.barrage:
            guns = [units[gun] for gun in action.guns]
            chance = succeeds(value + sum(number for number, *_ in call_modifiers(at, action)))
            worth = chance * 0.5 * sum(_under(picture, at.state.spots[action.target], gun.zone, gun.dice) for gun in guns)
            if worth > most:
                best, most = action, worth
    return best if best is not None else StopCalling()


# -- after a combat -----------------------------------------------------------------------------------------------------------


def _win(asked: Asked) -> Action:
    """Pursue while the enemy has fewer hits left."""
    at, question, side, step = asked
    picture = Picture(at, side)
    mine = sum(picture.left(unit) for unit in step.units if unit in at.state.spots)
    theirs = sum(picture.left(unit) for unit in step.losers if unit in at.state.spots)
    return GoAfter() if mine >= theirs and question.offer.find(GoAfter()) is not None else Hold()


def _turn(asked: Asked) -> Action:
    """Towards the nearest enemy."""
    at, question, side, _step = asked
    picture = Picture(at, side)
    for unit in question.groups:
        if unit not in at.state.spots or not picture.foes:
            continue
        here = at.state.spots[unit]
        foe = min(picture.foes, key=lambda foe: math.dist(here, at.state.spots[foe]))
        face = Face(unit, towards(here, at.state.spots[foe]))
        if question.offer.find(face) is not None:
            return face
    return Done()


def _break_off(asked: Asked) -> Action:
    """Where the enemy's fire costs least."""
    at, question, side, _step = asked
    picture = Picture(at, side)
    actions: list[Any] = [action for unit in question.groups for action in question.group(unit) if unit in at.state.spots]

    def worth(action: Any) -> float:
        shot, danger = picture.prospects(action.unit, placed(at, action.unit).moved(action.to), moves=True)
        return GOING * shot - danger

    return max(actions, key=worth) if actions else next(iter(question.offer))


def _pursue(asked: Asked) -> Action:
    """Into the flank, and after what costs most."""
    at, question, _side, _step = asked
    found = [action for action in question.offer if isinstance(action, Pursue)]
    return max(found, key=lambda it: (it.edge != "front", at.world.units[it.target].cost), default=Done())


def _between(here: Spot, there: Spot, far: float) -> Spot:
    """A point so far from one in the direction of another; behind it if the distance is negative."""
    whole = math.dist(here, there) or 1.0
    return here[0] + int((there[0] - here[0]) * far / whole), here[1] + int((there[1] - here[1]) * far / whole)
