"""A commander for either side of A Victory Awaits.

It plans an activation when its first unit is to move, then answers move by move from the plan. The Axis goes for the cities that
score, along roads and railways; the Soviets hold what must be held and give up what cannot be. It decides by its view alone and
by rules of thumb, without any chance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any

from hexwar.board import CLOSED
from hexwar.bots import different
from hexwar.engine import Action, Question, RandomSource, View
from hexwar.mechanics import Arrive, Declare, Enter, Fight, Move, Pursue, Retreat, entry_reach, has_room, stack, why_not_move
from hexwar.pieces import Done, Interrupt, LoseStep, Ready, Select, stands
from hexwar.search import Plan
from hexwar_ava.bot_battles import declared_blows
from hexwar_ava.bot_ground import Picture
from hexwar_ava.bot_plans import STRATEGIC, MovePlan, Spots
from hexwar_ava.bot_postures import POSTURES, USUAL, AvaPosture, other_postures
from hexwar_ava.carrying_out import Cancel
from hexwar_ava.chits import AddChit, SelectRest
from hexwar_ava.controller import DrawNext, Reveal, Wait
from hexwar_ava.fortresses import Build
from hexwar_ava.master_cup import DivideRest, GiveChit
from hexwar_ava.reinforcements import ChooseEntry
from hexwar_ava.setting_up import Place, PlaceRest
from hexwar_ava.supply import StandDown, Withdraw
from hexwar_ava.tables import Chit
from hexwar_ava.team_state import DOWN
from hexwar_ava.turn import CallZhukov
from hexwar_ava.world import AvaWorld

TOWARDS = 0.1
"""What half a point of the way to a place in need counts for units that enter the map."""
STRIKE = 4
"""How many hexes from spearheads an enemy army must be for them to strike first."""
FORESTALL = 2.5
"""What blows against it must promise together."""


class Commander:
    """A bot for A Victory Awaits, and a planner of its activations; in any other game it chooses by chance.

    Args:
        posture: how it weighs things.
    """

    def __init__(self, posture: AvaPosture = USUAL) -> None:
        self.posture = posture
        self._activation: object = None
        self._moves: list[Move] = []
        self._waiting: set[str] = set()
        self._segment: object = None
        self._declares: list[Declare] = []
        self._decisions: dict[type[Action], Callable[[View, Any], Action]] = {
            Move: self._move,
            Declare: self._declare,
            Fight: lambda view, offered: view.legal_actions()[0],  # in the order of declaration: the most promising first
            LoseStep: self._lose,
            Retreat: self._retreat,
            Pursue: self._pursue,
            Select: self._select,
            SelectRest: self._select,
            Ready: self._select,
            AddChit: self._add,
            Interrupt: self._interrupt,
            Arrive: self._arrive,
            Enter: self._enter,
            ChooseEntry: self._choose_entry,
            Withdraw: self._withdraw,
            Build: self._build,
            StandDown: self._stand_down,
            CallZhukov: lambda view, offered: offered,
            Place: lambda view, offered: PlaceRest(),
            Cancel: _interrupt_team,
            GiveChit: lambda view, offered: DivideRest(),  # every chit to the commander of its headquarters
            **dict.fromkeys((DrawNext, Reveal, Wait), _control),
        }

    def __reduce__(self) -> tuple[type[Commander], tuple[AvaPosture]]:
        return type(self), (self.posture,)  # in another process it begins without plans

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        if not isinstance(view.position.world, AvaWorld):
            return view.sample(chance)
        offered = _question(view).example
        decide = self._decisions.get(type(offered))
        if decide is None:
            return _most_appealing(view, offered)
        if not isinstance(offered, Declare):
            self._segment = None
        chosen = decide(view, offered)
        if view.position.world.vetoes:  # a variant may forbid what the rules allow
            actions = view.legal_actions()
            return chosen if chosen in actions else actions[0]
        return chosen

    # -- plans for search -------------------------------------------------------------------------------------------------------

    def scope(self, view: View) -> Hashable | None:
        """The activation, once units move or attack in it."""
        question, state = view.question, view.state
        if question is None or not isinstance(view.position.world, AvaWorld):
            return None
        return (view.viewer.seat, state.turn, state.drawn) if isinstance(question.example, (Move, Declare)) else None

    def plans(self, view: View) -> Iterator[Plan]:
        """The postures that do different things in an activation, the usual one first."""
        question = _question(view)
        if isinstance(question.example, Declare):
            declares = [action for action in view.legal_actions() if isinstance(action, Declare)]
            postures = different([self.posture, *POSTURES], lambda it: tuple(declared_blows(Picture(view, it), declares)))
        else:
            waiting = list(question.groups)
            usual = MovePlan(Picture(view, self.posture), waiting)
            usual.moves()
            others = other_postures(usual)
            postures = different([self.posture, *others], lambda it: tuple(MovePlan(Picture(view, it), waiting).moves()))
        for posture in postures:
            yield Plan(posture.name, partial(type(self), posture))

    # -- 6.0 and 7.0 chits ------------------------------------------------------------------------------------------------------

    def _select(self, view: View, offered: Action) -> Action:
        """All that may be selected; if not all, reinforcements and the armies that stand where it matters."""
        actions = view.legal_actions()
        if SelectRest() in actions and view.side == "axis":
            return SelectRest()
        picture = Picture(view, self.posture)
        # 18.1.10: what may be held is held, and comes before any draw that its owner likes.
        selects = [it for it in actions if isinstance(it, Select) and (it.hold or Select(it.chit, hold=True) not in actions)]
        worth = {select: self._chit_worth(picture, picture.world.chits[select.chit]) for select in selects}
        best = max(selects, key=lambda select: worth[select], default=None)
        return best if best and (worth[best] > 0.2 or Ready() not in actions) else actions[0]

    def _chit_worth(self, picture: Picture, chit: Chit) -> float:
        world, at = picture.world, picture.at
        if chit.kind == "reinforcements":
            return 100.0
        if chit.kind == "direct":
            return 3.0
        if not stands(at, chit.activates):
            coming = [a for a in world.printed.track.arrival if a.with_chit == chit.id and a.turn <= picture.turn]
            return float(sum(len(stack(at, f"turn {a.turn}")) for a in coming))
        away = picture.enemy_away
        led = [picture.where(unit) for unit in world.command.led_by(at, chit.activates) if not picture.is_headquarters(unit)]
        return 0.3 + sum(max(0.15, 1.2 - away[i] / 40) for i in led)

    def _add(self, view: View, offered: AddChit) -> Action:
        """An army whose headquarters is on the map and leads many units; else one that can come."""
        picture = Picture(view, self.posture)

        def worth(action: Any) -> float:
            chit = picture.world.chits[action.chit]
            waits: bool = picture.state.locations.get(chit.activates) == "soviet available"
            return self._chit_worth(picture, chit) + 0.1 * waits

        return max(view.legal_actions(), key=worth)

    def _interrupt(self, view: View, offered: Interrupt) -> Action:
        """The supply check where waiting would hurt, an enemy army that is about to escape a blow; Zhukov waits for nobody."""
        actions = view.legal_actions()
        if Done() not in actions:
            return actions[0]
        picture = Picture(view, self.posture)
        drawn = picture.world.chits[picture.state.drawn[-1]]
        interrupts = [action for action in actions if isinstance(action, Interrupt)]
        if picture.side == "soviet":
            # 18.1.11: reinforcements come before the enemy moves and before supply is checked.
            return interrupts[0] if interrupts and drawn.side != picture.side else Done()
        if drawn.kind == "supply":
            return next((action for action in interrupts if picture.delays_check(action.chit)), Done())
        if drawn.side == picture.side or drawn.kind != "hq":
            return Done()
        return next(
            (action for action in interrupts if self._forestalls(Picture(view, self.posture), action.chit, drawn)), Done()
        )

    def _forestalls(self, picture: Picture, chit: str, drawn: Chit) -> bool:
        """Whether a held chit should be played before an enemy army moves: if blows against its units promise enough."""
        world, at = picture.world, picture.at
        prey = {picture.where(unit) for unit in world.command.led_by(at, drawn.activates)}
        led = list(world.command.led_by(at, world.chits[chit].activates))
        spearheads = [picture.where(unit) for unit in led if picture.is_mechanized(unit)]
        if not any(picture.ground.apart(here, i) <= STRIKE for here in spearheads for i in prey):
            return False
        blows = MovePlan(picture, led).attack()
        return sum(blow.worth for blow in blows if blow.target in prey) >= FORESTALL

    # -- 9.0 movement -----------------------------------------------------------------------------------------------------------

    def _move(self, view: View, offered: Move) -> Action:
        """The next move of the plan that can be made now."""
        at, state, waiting = view.position, view.state, _question(view).groups
        activation = (view.viewer, at.world.entry.id, state.turn, state.drawn, state.active)
        if activation != self._activation or set(waiting) != self._waiting:
            # A new activation, another game, or a question without a plan.
            self._activation = activation
            self._moves = MovePlan(Picture(view, self.posture), list(waiting)).moves()
        for move in self._moves:
            if stands(at, move.unit) and why_not_move(at, move.unit, move.to, move.mode, move.path) is None:
                self._moves.remove(move)
                self._waiting = set(waiting) - {move.unit}
                return move
        self._activation = None
        return Done()

    # -- 10.0 combat ------------------------------------------------------------------------------------------------------------

    def _declare(self, view: View, offered: Declare) -> Action:
        """The next attack of those that promise most together."""
        state = view.state
        segment = (view.viewer, state.turn, state.drawn, state.active, state.phase)
        actions = view.legal_actions()
        if segment != self._segment:
            self._segment = segment
            picture = Picture(view, self.posture)
            blows = declared_blows(picture, [action for action in actions if isinstance(action, Declare)])
            label = picture.board.label
            self._declares = [Declare(unit, label(blow.target)) for blow in blows for unit, _ in blow.attackers]
        while self._declares:
            declare = self._declares.pop(0)
            if declare in actions:
                return declare
        return actions[0]

    def _lose(self, view: View, offered: LoseStep) -> Action:
        """The step that is worth least."""
        picture = Picture(view, self.posture)
        return min(view.legal_actions(), key=lambda action: picture.step_worth(_unit(action)))

    def _retreat(self, view: View, offered: Retreat) -> Action:
        """To where the unit stands best."""
        picture = Picture(view, self.posture)
        spots = Spots(picture)

        def worth(action: Any) -> float:
            i = picture.board.index(action.path[-1])
            return spots.worth(action.unit, i, len(picture.mine.get(i, ())))

        return max(view.legal_actions(), key=worth)

    def _pursue(self, view: View, offered: Pursue) -> Action:
        """Into a place of the enemy, or to where the unit stands better than before; a city in danger is not left."""
        picture = Picture(view, self.posture)
        spots, ground = Spots(picture), picture.ground

        def gain(action: Pursue) -> float:
            here, end = picture.board.index(action.path[0]), picture.board.index(action.path[-1])
            passed = {picture.board.index(label) for label in action.path[1:]}
            worth = sum(picture.prizes.get(i, 0.0) for i in passed)
            load = len(picture.mine.get(end, ()))
            worth += spots.worth(action.unit, end, load) - spots.worth(action.unit, here, len(picture.mine[here]) - 1)
            # Standing between enemies and their way home is worth a risk.
            cut = ground.around[end] & ~picture.our_zone
            worth += 0.15 * sum(cut >> n & 1 for i in ground.near[end] if i in picture.theirs for n in ground.near[i])
            if here in ground.major and len(picture.mine[here]) == 1 and picture.enemy_away[here] < 16:
                worth -= 5.0
            if picture.is_headquarters(action.unit):
                worth -= 2.0
            return worth

        ways = [action for action in view.legal_actions() if isinstance(action, Pursue)]
        best = max(ways, key=gain)
        return best if gain(best) > 0 else Done()

    # -- 11.0 supply check ------------------------------------------------------------------------------------------------------

    def _withdraw(self, view: View, offered: Withdraw) -> Action:
        """No unit, unless some must go: then reduced units, which score nothing, and after them as few as possible."""
        if Done() in _question(view).plain:
            return Done()
        picture = Picture(view, self.posture)
        units = picture.world.units

        def keeps(action: Action) -> tuple[bool, int]:
            unit = _unit(action)
            return picture.state.steps_left[unit] == units[unit].steps, -picture.attack(unit)

        return min(view.legal_actions(), key=keeps)

    def _build(self, view: View, offered: Build) -> Action:
        """In the city nearest to the enemy, if he is near."""
        picture = Picture(view, self.posture)
        away = {
            action: picture.enemy_away[picture.board.index(action.hex)]
            for action in view.legal_actions()
            if isinstance(action, Build)
        }
        best = min(away, key=lambda action: away[action])
        return best if away[best] <= 80 else Done()

    def _stand_down(self, view: View, offered: StandDown) -> Action:
        """Where the city is most in danger."""
        picture = Picture(view, self.posture)
        open_to = [action for action in view.legal_actions() if isinstance(action, StandDown)]
        return min(open_to, key=lambda action: picture.enemy_away[picture.board.index(action.hex)])

    # -- 12.0 reinforcements ----------------------------------------------------------------------------------------------------

    def _arrive(self, view: View, offered: Arrive) -> Action:
        """Headquarters that can be activated, then the strongest, each where it is needed."""
        picture = Picture(view, self.posture)
        world, at, board = picture.world, picture.at, picture.board
        question = _question(view)
        unit = max((group.key for group in question), key=lambda unit: self._call(picture, unit))
        rail = world.supply.rail_network(at, picture.side, "rail") & ~picture.their_zone & ~at.state.layout.held[picture.enemy]
        spots, costs = Spots(picture), world.reaches.costs_of(at, unit)
        spots.watch(picture.mine)
        behind = self._behind_the_front(picture, unit)
        near = {*map(board.index, board.unmask(rail & spots.useful or rail)), *behind}
        free = [i for i in near if len(picture.mine.get(i, ())) <= 2 and has_room(at, unit, board.label(i))]
        entered = [i for i in free if any(costs[d][i - delta] != CLOSED for d, delta in enumerate(board.deltas))]
        if not entered:
            return question.group(unit).offer.example()

        def worth(i: int) -> tuple[float, int]:
            return max(self._arrival_worth(picture, spots, unit, i), behind.get(i, -99.0)), -i

        return Arrive(unit, board.label(max(entered, key=worth)))

    def _behind_the_front(self, picture: Picture, unit: str) -> dict[int, float]:
        """Where reinforcements may appear behind the enemy, in his cities or on his lines, and what it is worth.

        Rifles that are lost there come back (12.3.1); mechanized units would score.
        """
        if picture.side != "soviet" or picture.is_mechanized(unit) or picture.is_headquarters(unit):
            return {}
        found = dict(picture.cuts)
        for i in picture.open_places:
            found[i] = found.get(i, 0.0) + picture.place_worth(i)
        return found

    def _call(self, picture: Picture, unit: str) -> tuple[float, int]:
        counter = picture.world.units[unit]
        if counter.is_headquarters:
            known = {picture.world.chits[chit].activates for chit in picture.world.cup.available(picture.at, picture.side)}
            return (50.0 if unit in known else -1.0), 0
        return float(picture.attack(unit)), -picture.world.basis.rank[unit]

    def _arrival_worth(self, picture: Picture, spots: Spots, unit: str, i: int) -> float:
        load = len(picture.troops(picture.mine.get(i, ())))
        away = picture.enemy_away[i]
        if picture.is_headquarters(unit):
            led = sum(len(picture.mine.get(n, ())) for n in picture.ground.disk(i, picture.world.units[unit].command))
            return led - 0.2 * max(0, 14 - away)
        worth = spots.worth(unit, i, load)
        if picture.side == "soviet" and i in picture.ground.scoring and away <= 60 and (not load or i in picture.ground.major):
            worth += (4.0 if load == 0 else 2.0) * (1 - away / 120)
        return worth

    def _enter(self, view: View, offered: Enter) -> Action:
        """As far as is good, towards the place that needs help most; those of one army within reach of its headquarters."""
        picture = Picture(view, self.posture)
        board, world, active = picture.board, picture.world, picture.state.active
        leaders = [unit for unit in active if picture.is_headquarters(unit) and stands(picture.at, unit)]
        leash = sum(picture.ground.disk_mask(picture.where(unit), world.units[unit].command) for unit in leaders[:1])
        spots = Spots(picture, leash)
        spots.watch(picture.mine)
        sources = world.from_moscow if offered.source in world.from_moscow and not active else (offered.source,)
        goal = picture.most_in_need([board.index(source) for source in sources], active)
        way = picture.ground.way_to(picture.side, goal) if goal >= 0 else b""

        def worth(i: int) -> float:
            pull = -TOWARDS * way[i] if way else 0.0
            if picture.is_headquarters(offered.unit):
                return pull - 0.1 * max(0, 20 - picture.enemy_away[i]) - (0.0 if picture.supplied >> i & 1 else 4.0)
            return spots.worth(offered.unit, i, len(picture.mine.get(i, ()))) + pull

        ends = [
            (worth(i), Enter(offered.unit, board.label(i), source, mode))
            for mode in ("", STRATEGIC)
            for source in sources
            for i in entry_reach(picture.at, offered.unit, source, mode) or ()
            if has_room(picture.at, offered.unit, board.label(i))
        ]
        return max(ends, key=lambda end: end[0], default=(0.0, offered))[1]

    def _choose_entry(self, view: View, offered: ChooseEntry) -> Action:
        """The one from which the army is soonest where it is needed."""
        picture = Picture(view, self.posture)
        entries = {picture.board.index(action.hex): action for action in view.legal_actions() if isinstance(action, ChooseEntry)}
        goal = picture.most_in_need(list(entries))
        if goal < 0:
            return offered
        way = picture.ground.way_to(picture.side, goal)
        return entries[min(entries, key=lambda i: (way[i], i))]


# -- 19 and 20: where many play -------------------------------------------------------------------------------------------------


def _control(view: View, offered: Action) -> Action:
    """Reveal what may be revealed, in order; keep drawing while at most two chits wait face down."""
    actions = view.legal_actions()
    reveals = [action for action in actions if isinstance(action, Reveal)]
    if reveals:
        return reveals[0]
    hidden = [entry for entry in view.state.queue if entry[1] == DOWN]
    return DrawNext() if DrawNext() in actions and len(hidden) < 2 else Wait()


def _interrupt_team(view: View, offered: Action) -> Action:
    """The supply check: before the last one, or if it would hurt those who could still move; otherwise wait."""
    picture = Picture(view)
    chits = picture.world.chits
    checks = [a for a in view.legal_actions() if isinstance(a, Cancel) and chits[a.revealed].kind == "supply"]
    return next((action for action in checks if picture.delays_check(action.chit)), Done())


# -- helpers --------------------------------------------------------------------------------------------------------------------


def _most_appealing(view: View, offered: Action) -> Action:
    """Of the actions of an optional rule, which may say themselves how good they look, the one that looks best."""
    if not hasattr(offered, "appeal"):
        return offered
    return max(view.legal_actions(), key=lambda action: action.appeal(view.position) if hasattr(action, "appeal") else 0.0)


def _question(view: View) -> Question:
    """What is asked; a bot is only called when it is asked."""
    assert view.question is not None
    return view.question


def _unit(action: Action) -> str:
    """The unit that an action is about."""
    unit: str = getattr(action, "unit", "")
    return unit
