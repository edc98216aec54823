"""A marshal for either side of Traces of War.

It decides by its view alone and by rules of thumb, without chance and without memory: whoever decided before, it answers from
the position as it is. The Soviets go for the cities with an order, whose fall decides the game, and for what scores. The Axis
holds these, has the orders lifted that it cannot keep, and stands in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hexwar.board import mask_of
from hexwar.bots import Posture, attacking, different
from hexwar.engine import Action, Question, RandomSource, View
from hexwar.mechanics import Arrive, Attack, CallOff, Join, Move, Pursue, Resolve, Retreat
from hexwar.pieces import Call, Done, Interrupt, LoseStep, Ready, Select, face, stands
from hexwar.search import Plan
from hexwar_tow.activation import ChooseMode, Include, Lead
from hexwar_tow.bot_battles import Battles
from hexwar_tow.bot_ground import AUTOMATIC, USUAL, Picture
from hexwar_tow.bot_plans import March, Post, Spots
from hexwar_tow.late_chits import PutIn
from hexwar_tow.luftwaffe import Commit
from hexwar_tow.negotiation import LiftOrder, Negotiating
from hexwar_tow.okh import HEADQUARTERS, NEGOTIATION, Use
from hexwar_tow.reinforcements import Dropping, Replace
from hexwar_tow.relocation import Relocate, Relocating
from hexwar_tow.setting_up import Garrisoning
from hexwar_tow.tables import Chit
from hexwar_tow.world import TowWorld

IN_DANGER = 30
"""How near the enemy comes before an order is worth lifting, in half points."""
AT_ONCE = 0.7
"""Which share of the attacks after a move those from where the units stand must promise to be made first."""

TARGETS = 3
"""For how many attacked hexes search has a plan each that gives them more weight."""
FAVOUR = 3.0
"""How much that is."""


class Marshal:
    """A bot for Traces of War, and a planner of its activations; in any other game it chooses by chance.

    Args:
        posture: how it weighs attacks.
    """

    def __init__(self, posture: Posture = USUAL) -> None:
        self.posture = posture

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        question = view.question
        assert question is not None, "a bot is asked when its seat is"
        if not isinstance(view.position.world, TowWorld):
            return view.sample(chance)
        decide = _DECISIONS.get(type(question.example))
        if decide is None:
            return _most_appealing(view)
        chosen = decide(Picture(view, self.posture), question)
        # A variant may forbid what the rules allow.
        return chosen if question.offer.find(chosen) is not None else question.example

    # -- plans for search

    def scope(self, view: View) -> Hashable | None:
        """The activation, from the choice of its mode on."""
        question, state = view.question, view.state
        if question is None or not isinstance(view.position.world, TowWorld):
            return None
        return (view.viewer.seat, state.turn, state.drawn) if isinstance(question.example, (ChooseMode, Move, Attack)) else None

    def plans(self, view: View) -> Iterator[Plan]:
        """The postures in which other attacks are made, the usual one first; then one for each target."""
        picture = Picture(view, self.posture)
        active = [unit for unit in view.state.active if stands(picture.at, unit)]

        def attacks(posture: Posture) -> object:
            return tuple(March(Picture(view, posture), active, active).blows())

        gains = {i: sum(map(picture.step_worth, picture.theirs[i])) + picture.places.get(i, 0.0) for i in _near(picture, active)}
        best = sorted(gains, key=lambda i: (-gains[i], i))[:TARGETS]
        targets = [replace(self.posture, name=f"Assault on {picture.board.label(i)}", favoured=((i, FAVOUR),)) for i in best]
        for posture in different([self.posture, *attacking(self.posture), *targets], attacks):
            yield Plan(posture.name, partial(type(self), posture))


def _near(picture: Picture, units: Iterable[str]) -> list[int]:
    """The enemy's hexes next to which some units can go."""
    reached = 0
    for unit in filter(picture.attack, picture.troops(units)):
        reached |= mask_of(picture.world.reaches.reach(picture.at, unit), picture.board.size)
    return [i for i in picture.theirs if reached & picture.ground.around[i]]


# -- 4.2 chits --------------------------------------------------------------------------------------------------------------


def _select(picture: Picture, question: Question) -> Action:
    """What leads most units where it matters; reinforcements, paratroopers and OKH always."""
    chits = picture.world.chits
    selects = [it for it in question.offer if isinstance(it, Select) and not it.hold]
    if not selects:
        return question.example
    chosen = {chit for of_side in picture.state.selected.values() for chit in of_side}
    return max(selects, key=lambda select: (_chit_worth(picture, chits[select.chit], chosen), select.chit))


def _chit_worth(picture: Picture, chit: Chit, chosen: set[str]) -> float:
    if chit.kind in ("reinforcements", "airborne"):
        return 200.0
    if chit.kind in ("okh", "stavka"):
        return 100.0
    again = any(picture.world.chits[other].activates == chit.activates for other in chosen)
    led = [_led_worth(picture, unit) for unit in chit.activates if stands(picture.at, unit)]
    return max(led, default=0.0) * (0.7 if again else 1.0)


def _led_worth(picture: Picture, headquarters: str) -> float:
    """What a headquarters leads, near the enemy above all."""
    led = [unit for unit in picture.world.command.led_by(picture.at, headquarters) if not picture.is_headquarters(unit)]
    return sum((1 + picture.attack(unit)) * max(0.1, 1 - picture.enemy_away[picture.where(unit)] / 40) for unit in led)


def _put_in(picture: Picture, question: Question) -> Action:
    """Whatever is held, at once."""
    return next((it for it in question.offer if isinstance(it, PutIn)), Done())


def _let_it_be(picture: Picture, question: Question) -> Action:
    """A chit in hand is better put into the cup: drawn from there, OKH may negotiate as well (4.2.2.5)."""
    return Done()


# -- 4.3 activation ---------------------------------------------------------------------------------------------------------


def _choose_mode(picture: Picture, question: Question) -> Action:
    """Fight first where the units stand well for it: those who win pursue, and all may move afterwards."""
    active = [unit for unit in picture.state.active if stands(picture.at, unit)]
    now = Battles(picture).promise(active)
    after = sum(blow.worth for blow in March(picture, active, active).blows())
    return ChooseMode("combat-move" if now and now >= AT_ONCE * after else "move-combat")


def _lead(picture: Picture, question: Question) -> Action:
    """The headquarters whose units promise most: in attacks now, and near the enemy."""
    battles, led_by = Battles(picture), picture.world.command.led_by

    def worth(action: Any) -> float:
        return battles.promise(led_by(picture.at, action.unit)) + 0.05 * _led_worth(picture, action.unit)

    return max((it for it in question.offer if isinstance(it, Lead)), key=worth)


def _call(picture: Picture, question: Question) -> Action:
    """The strongest units near the enemy."""
    calls = [it for it in question.offer if isinstance(it, Call) and not picture.is_headquarters(it.unit)]
    near = [it for it in calls if picture.enemy_away[picture.where(it.unit)] <= IN_DANGER]
    return max(near, key=lambda it: (picture.attack(it.unit), it.unit), default=Done())


# -- 9.0 movement -----------------------------------------------------------------------------------------------------------


def _move(picture: Picture, question: Question) -> Action:
    """One move after the other, as the position asks for it."""
    active = [unit for unit in picture.state.active if stands(picture.at, unit)]
    return March(picture, question.groups, active).next(fights=picture.state.mode != "combat-move") or Done()


# -- 10.0 combat ------------------------------------------------------------------------------------------------------------


def _attack(picture: Picture, question: Question) -> Action:
    """The attack that promises most."""
    battles = Battles(picture)
    open_to = {picture.board.index(it.target) for it in question.offer if isinstance(it, Attack)}
    standing = battles.standing(question.pieces)
    options = {i: units for i, units in standing.items() if i in open_to}
    blow = next(iter(battles.best_blows(options, battles.from_here, number=1)), None)
    return Attack(picture.board.label(blow.target)) if blow else Done()


def _assemble(picture: Picture, question: Question) -> Action:
    """Unit by unit, as the best attack with those that take part already wants it."""
    battles, able = Battles(picture), set(question.groups)
    joined = [(unit, picture.where(unit)) for unit in question.pieces if unit not in able]
    free = [unit for unit in able if not picture.is_headquarters(unit)]
    blow = battles.best_blow(picture.board.index(question.places[0]), free, battles.from_here, joined)
    if blow is None or blow.worth < picture.posture.least[picture.side]:
        return CallOff()
    return next((Join(unit) for unit, _ in blow.attackers if unit in able), Resolve())


def _lose(picture: Picture, question: Question) -> Action:
    """The step that is worth least."""

    def price(unit: str) -> tuple[float, int]:
        counter, left = picture.world.units[unit], picture.state.steps_left[unit]
        weaker = counter.faces[left - 2].attack if left > 1 else 0
        return picture.step_worth(unit) + (0.3 if left == 1 else 0.0), face(picture.at, unit).attack - weaker

    return min((it for it in question.offer if isinstance(it, LoseStep)), key=lambda it: (price(it.unit), it.unit))


def _retreat(picture: Picture, question: Question) -> Action:
    """To where the unit stands best."""
    spots = Spots(picture)
    ways = [it for it in question.offer if isinstance(it, Retreat)]
    return max(ways, key=lambda way: (spots.worth(way.unit, picture.board.index(way.path[-1])), way.path))


def _pursue(picture: Picture, question: Question) -> Action:
    """Into a place of the enemy, or to where the unit stands better; what must be held is not left."""
    spots, board = Spots(picture), picture.board
    posts = {i for i, wanted in picture.posts() if picture.load(i) <= wanted}

    def gain(way: Pursue) -> float:
        here, *passed = map(board.index, way.path)
        if picture.is_headquarters(way.unit):
            post = Post(picture, way.unit)
            return post.worth(passed[-1]) - post.worth(here)
        if here in posts and passed[-1] not in posts and not any(picture.prizes.get(i, 0) >= AUTOMATIC for i in passed):
            return -1.0
        worth = spots.worth(way.unit, passed[-1]) - spots.worth(way.unit, here)
        return worth + sum(picture.prizes.get(i, 0.0) for i in passed)

    ways = [it for it in question.offer if isinstance(it, Pursue)]
    best = max(ways, key=lambda way: (gain(way), way.path))
    return best if gain(best) > 0 else Done()


def _commit(picture: Picture, question: Question) -> Action:
    """Every marker where it is of use: they cannot be kept for the next turn; the second one where a place is at stake."""
    target = picture.board.index(question.places[0])
    spare = picture.state.committed_to[:1] == question.places[:1] and picture.places.get(target, 0) < 1
    return Done() if spare else question.example


# -- 4.2.2 OKH and 11.2 negotiation -----------------------------------------------------------------------------------------


def _use(picture: Picture, question: Question) -> Action:
    """Negotiation, which brings panzer divisions and has orders lifted; from the hand a headquarters."""
    return Use(NEGOTIATION) if question.offer.find(Use(NEGOTIATION)) is not None else Use(HEADQUARTERS)


def _negotiate(picture: Picture, question: Question) -> Action:
    """Have the order lifted of the city that is most in danger; then the strongest units that there are points for."""
    lifts = [it for it in question.plain if isinstance(it, LiftOrder)]
    away = {it: picture.enemy_away[picture.board.index(it.hex)] for it in lifts}
    nearest = min(lifts, key=lambda it: (away[it], it.hex), default=None)
    if nearest is not None and away[nearest] <= IN_DANGER:
        return nearest
    return _bring_in(picture, question)


# -- 2.3, 3.0, 11.0 units that are placed -----------------------------------------------------------------------------------


def _arrive(picture: Picture, question: Question) -> Action:
    """Where a unit is needed."""
    if question.kind == Negotiating.kind:
        return _negotiate(picture, question)
    arrivals = [it for it in question.group(question.groups[0]) if isinstance(it, Arrive)]
    index = picture.board.index
    if question.kind == Relocating.kind:
        post = Post(picture, question.groups[0])
        return max(arrivals, key=lambda it: (post.worth(index(it.to)), it.to))
    if question.kind == Garrisoning.kind:
        return max(arrivals, key=lambda it: (_needs_garrison(picture, index(it.to)), it.to))
    if question.kind == Dropping.kind:
        return max(arrivals, key=lambda it: (_landing_worth(picture, index(it.to)), it.to))
    return _bring_in(picture, question)


def _needs_garrison(picture: Picture, i: int) -> float:
    """How much a city wants a security division: with an order, near the enemy, empty."""
    return picture.places.get(i, 0.0) - 0.3 * picture.enemy_away[i] - 20 * picture.load(i)


def _landing_worth(picture: Picture, i: int) -> float:
    """Into a city that no unit holds; near crossing points that no unit holds; beyond the river."""
    ground, board = picture.ground, picture.board
    worth = picture.prizes.get(i, 0.0) - 0.02 * picture.field[i]
    for label in picture.world.crossing_hexes:
        there = board.index(label)
        if there in picture.prizes and ground.disk(there, picture.world.numbers.crossing_reach) >> i & 1:
            worth += 5.0 if picture.is_race else 0.0
    if picture.is_race and picture.world.west_bank >> i & 1:
        worth += 1.0
    return worth - 0.3 * (picture.their_zone >> i & 1)


def _bring_in(picture: Picture, question: Question) -> Action:
    """The strongest unit, where it stands best; but the weakest into a city with an order that would otherwise be empty."""
    waiting = [group.key for group in question]
    if not waiting:
        return Done()
    strengths = {unit: (face(picture.at, unit).attack + face(picture.at, unit).defence, unit) for unit in waiting}
    index = picture.board.index
    if picture.side == "axis" and picture.bare:
        weakest = min(waiting, key=lambda unit: strengths[unit])
        garrisons = [it for it in question.group(weakest) if isinstance(it, Arrive) and index(it.to) in picture.bare]
        if garrisons:
            return min(garrisons, key=lambda it: (picture.enemy_away[index(it.to)], it.to))
    unit = max(waiting, key=lambda unit: strengths[unit])
    worth = Post(picture, unit).worth if picture.is_headquarters(unit) else partial(Spots(picture).worth, unit)
    arrivals = [it for it in question.group(unit) if isinstance(it, Arrive)]
    return max(arrivals, key=lambda it: (worth(index(it.to)), it.to))


def _replace(picture: Picture, question: Question) -> Action:
    """The weakest unit of the kind goes, if the new one is stronger."""
    for group in question:
        swaps = [it for it in group if isinstance(it, Replace)]
        worst = min(swaps, key=lambda it: (face(picture.at, it.replaced).attack, it.replaced))
        if face(picture.at, worst.replaced).attack < face(picture.at, worst.unit).attack:
            return worst
    return Done()


# -- helpers ----------------------------------------------------------------------------------------------------------------


def _most_appealing(view: View) -> Action:
    """Of the actions of an optional rule, which may say themselves how good they look, the one that looks best."""
    return max(view.legal_actions(), key=lambda action: action.appeal(view.position) if hasattr(action, "appeal") else 0.0)


_DECISIONS: Mapping[type[Action], Callable[[Picture, Question], Action]] = {
    Move: _move,
    Relocate: _move,
    Attack: _attack,
    **dict.fromkeys((Join, Resolve, CallOff), _assemble),
    LoseStep: _lose,
    Retreat: _retreat,
    Pursue: _pursue,
    **dict.fromkeys((Select, Ready), _select),
    PutIn: _put_in,
    Interrupt: _let_it_be,
    ChooseMode: _choose_mode,
    Include: lambda picture, question: question.example,
    Lead: _lead,
    Call: _call,
    Use: _use,
    LiftOrder: _negotiate,
    Arrive: _arrive,
    Replace: _replace,
    Commit: _commit,
}
"""What is to be decided, by an action that is offered -> who decides it."""
