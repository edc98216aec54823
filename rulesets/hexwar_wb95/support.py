"""Putting an attack together with guns; the defender's guns, and the stars of both sides."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from hexwar.engine import Action, ActionSet, Choices, Concern, Listed, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics import Assembling, Attack, Attacking, Battle, Join, Resolve, Widen, in_enemy_zone
from hexwar.pieces import Choosing, Done, TopicStep, UnitAction, against, stands
from hexwar_wb95.air import end_support
from hexwar_wb95.content import HQ
from hexwar_wb95.fire import Bombard, Laying, in_range
from hexwar_wb95.state import BattleBegan, CombatBegan, CombatEnded, GunSupports, StarsDeclined

if TYPE_CHECKING:
    from hexwar_wb95.state import At, Doing


@record
class Support(UnitAction):
    """Let a gun support the attack."""

    kind = "support"
    says = "{unit} supports the attack"


@record
class Back(UnitAction):
    """Let a gun support the defence."""

    kind = "back"
    says = "{unit} supports the defence"


@record
class UseStars(Action):
    """Use the stars of one's units in the battle."""

    kind = "use-stars"
    says = "use the stars"


@record
class LeaveStars(Action):
    """Do not use the stars, so that no star unit has to lose a step."""

    kind = "leave-stars"
    says = "do not use the stars"


# -- the attacker ---------------------------------------------------------------------------------------------------------


@record
class Wb95Attacking(Attacking):
    """combat: the combat phase of a side."""

    kind = "attacking"

    def able(self, at: Position) -> list[str]:
        """hq.5: headquarters attack nothing alone."""
        units = at.world.units
        return [label for label in Attacking.able(self, at) if any(units[unit].arm != HQ for unit in self._able(at, label))]

    def bombarded(self, at: Position) -> list[str]:
        """art.16: the hexes at which guns may fire alone."""
        key = ("bombarded", self.seat)
        found: list[str] | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = in_range(at, at.world.seats[self.seat], barrage=False)
        return found

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The side, if it can attack or fire."""
        return (self.seat,) if self.able(at) or self.bombarded(at) else ()

    def actions(self, at: Position, seat: str) -> ActionSet:
        """An attack, fire, or the end of both, unless something has to be attacked."""
        return Choices([Done(), *map(Attack, self.able(at)), *map(Bombard, self.bombarded(at))], partial(self.why_not, at))

    def why_not(self, at: Position, action: Action) -> Refusal | None:
        """hq.5, art.16."""
        if isinstance(action, Bombard):
            told = f"no gun may fire at {action.target}"
            return None if action.target in self.bombarded(at) else against(at, "fire", told)
        reason = Attacking.why_not(self, at, action)
        if reason or not isinstance(action, Attack):
            return reason
        able = self._able(at, action.target)
        if all(at.world.units[unit].arm == HQ for unit in able):
            return against(at, "combat.alone", f"only headquarters could attack {action.target}, and they do not attack alone")
        return None

    def chosen(self, play: Play, action: Any) -> None:
        """Begin the attack, without support so far; or lay guns."""
        if isinstance(action, Bombard):
            play.push(Laying(self.seat, action.target, (), False))
            return
        play.emit(BattleBegan(play.world.seats[self.seat], clause="proc.1"))
        Attacking.chosen(self, play, action)

    def _begun(self, at: Position, target: str, able: tuple[str, ...]) -> Assembling:
        found = Attacking._begun(self, at, target, able)
        return Wb95Assembling(found.seat, found.battle, found.able, found.others, found.done, found.duties)


@record
class Wb95Assembling(Assembling):
    """proc.1: units, hexes and guns of an attack. What has been named is attacked: no clause lets it be called off."""

    kind = "assembling"

    def actions(self, at: Position, seat: str) -> ActionSet:
        """With the guns that could support it."""
        units, hexes = map(Join, self.able), map(Widen, self.further(at))
        guns = [Support(unit) for unit in self.may_still_attack(at) if self._why_not_support(at, unit) is None]
        return Choices([Resolve(), *units, *hexes, *guns], partial(self.why_not, at))

    def why_not(self, at: Position, action: Action) -> Refusal | None:
        """art.7, art.12: why a gun may not support the attack; hq.5: a headquarters joins others."""
        if isinstance(action, Support):
            return self._why_not_support(at, action.unit)
        reason = Assembling.why_not(self, at, action)
        if reason or not isinstance(action, Join):
            return reason
        units = at.world.units
        if units[action.unit].arm == HQ and all(units[other].arm == HQ for other in self.battle.attackers):
            return against(at, "combat.alone", f"{action.unit} is a headquarters, which does not attack alone")
        tired: Refusal | None = at.world.combat.why_not_fire(at, action.unit)
        return tired

    def _why_not_support(self, at: At, unit: str) -> Refusal | None:
        world, side = at.world, self.battle.side
        counter = world.units.get(unit)
        if counter is None or counter.side != side or not counter.is_gun or not stands(at, unit):
            return against(at, "combat.support", f"{side} has no gun {unit} on the map")
        if not self.battle.attackers:
            return against(at, "combat.support", f"{unit} supports others, and nobody attacks {self.battle.where} yet")
        if unit in self.battle.attackers:
            return against(at, "combat.once", f"{unit} takes part already")
        return world.combat.why_not_fire(at, unit) or why_out_of_range(at, unit, self.battle)

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """art.11: or let a gun support it."""
        if not isinstance(action, Support):
            Assembling.perform(self, play, seat, action)
            return
        play.emit(GunSupports(action.unit, self.battle.target, clause="art.11"))
        able, others = ([unit for unit in units if unit != action.unit] for units in (self.able, self.others))
        play.replace(replace(self, able=tuple(able), others=tuple(others)))


def why_out_of_range(at: At, unit: str, battle: Battle) -> Refusal | None:
    """art.1, art.12, art.15: at least one of the attacked hexes must be in range."""
    board, reach = at.world.board, at.world.printed.tables.guns.range
    if min(board.distance(at.state.locations[unit], target) for target in battle.targets) <= reach:
        return None
    return against(at, "combat.support.range", f"{battle.where} is out of range of {unit}: {reach} hexes")


# -- the announcement ---------------------------------------------------------------------------------------------------


def begin_support(play: Doing, battle: Battle) -> None:
    """star.4, proc.2: the attacker's stars, the defender's guns, the defender's stars; the first lies on top."""
    seat, enemy = play.world.seat_for, play.world.enemies(battle.side)[0]
    play.push(Starring(seat(enemy), battle, enemy))
    play.push(Backing(seat(enemy), battle))
    play.push(Starring(seat(battle.side), battle, battle.side))


@record
class Backing(Choosing):
    """proc.2: the defender may support with guns."""

    kind = "backing"
    shows = ("attack",)
    says = "Support the defence with guns? {able} can."
    topic = "combat.back"
    ending = "No more support"
    choice = Back
    battle: Battle

    def able(self, at: Position) -> list[str]:
        """art.14, art.15: the guns in range; those in an enemy zone support only who stands with them."""
        enemy = at.world.enemies(self.battle.side)[0]
        return [unit for unit in at.world.on_board(at.state, enemy) if self._why_not_back(at, unit) is None]

    def concern(self, at: Position, seat: str) -> Concern:
        """The attack."""
        return Concern(self.battle.attackers, self.battle.targets, self.battle.pairs)

    def _why_not_back(self, at: At, unit: str) -> Refusal | None:
        world, enemy, here = at.world, at.world.enemies(self.battle.side)[0], at.state.locations.get(unit, "")
        counter = world.units.get(unit)
        if counter is None or counter.side != enemy or not counter.is_gun or here not in world.board:
            return against(at, "combat.back", f"{enemy} has no gun {unit} on the map")
        if here in self.battle.targets:
            return against(at, "combat.once", f"{unit} takes part already")
        if in_enemy_zone(at, enemy, here):
            return against(at, "combat.back.zone", f"{unit} is in an enemy zone and supports no unit outside {here}")
        return world.combat.why_not_fire(at, unit) or why_out_of_range(at, unit, self.battle)

    def why_not(self, at: Position, action: Any) -> Refusal | None:
        """Why another gun may not."""
        return self._why_not_back(at, action.unit) if isinstance(action, Back) else None

    def chosen(self, play: Play, action: Back) -> None:
        """art.13."""
        play.emit(GunSupports(action.unit, self.battle.target, clause="art.13"))


@record
class Starring(TopicStep):
    """star.4: a side may leave its stars unused, where they change the column."""

    kind = "starring"
    says = "Use the stars of your units?"
    clause = "star.4"
    seat: str
    battle: Battle
    side: str

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The side, if its stars make a difference."""
        return (self.seat,) if self._matters(at) else ()

    def concern(self, at: Position, seat: str) -> Concern:
        """The attack."""
        return Concern(self.battle.attackers, self.battle.targets, self.battle.pairs)

    def _matters(self, at: At) -> bool:
        fighting = self.battle.attackers if self.side == self.battle.side else at.world.combat.standing_defenders(at, self.battle)
        if not any(at.world.units[unit].star for unit in fighting):
            return False
        other = at.state.copy()
        other.starless = (*other.starless, self.side)
        without = Position(at.world, other)
        return at.world.combat.odds(at, self.battle).column != at.world.combat.odds(without, self.battle).column

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Yes or no."""
        return Listed((UseStars(), LeaveStars()))

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Note it."""
        play.pop()
        if isinstance(action, LeaveStars):
            play.emit(StarsDeclined(self.side, clause="star.4"))

    def resume(self, play: Play) -> None:
        """It makes no difference."""
        play.pop()


def combat_phase(play: Doing, side: str) -> None:
    """combat.1, phase.1: attacks, then fieldworks."""
    from hexwar_wb95.works import Digging

    play.emit(CombatBegan(clause="combat.3"))
    seat = play.world.seat_for(side)
    play.push(CombatEnding())
    play.push(Digging(seat))
    play.push(Wb95Attacking(seat, play.world.on_board(play.state, side)))


@record
class CombatEnding(TopicStep):
    """art.21: guns that fired a barrage are free again."""

    kind = "combat-ending"
    clause = "art.21"

    def resume(self, play: Play) -> None:
        """Say so."""
        play.pop()
        play.emit(CombatEnded(clause="art.21"))
        end_support(play)
