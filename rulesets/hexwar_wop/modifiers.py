"""14.10 to 14.14: who takes part in a fight, what each unit counts, and everything that is added to the die."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, TypeAlias

from hexwar.board import CLOSED
from hexwar.engine import Position
from hexwar.mechanics import Battle, in_enemy_zone, stack
from hexwar.pieces import Shift, Strength, face, on_board, standing
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER, TRAIN
from hexwar_wop.flights import SUPPORT, is_delayed, stars_of, tracked
from hexwar_wop.river import boats
from hexwar_wop.transport import carrier, kind_of

if TYPE_CHECKING:
    from hexwar_wop.content import CombatModifier
    from hexwar_wop.fighting import FightingState
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]

ARTILLERY, INFANTRY, CAVALRY = "artillery", "infantry", "cavalry"
ARMOUR = ("tank", "armoured_car")
VEHICLES = (*ARMOUR, TRAIN, RIVER)
"""3.12.c: without supply these count half; 14.13.w: alone they draw no advantage from ground."""
EDGES = (("brook", "river", "large-river"), ("forest-edge",), ("marsh-edge",))
"""14.13.c: watercourses, and edges of forests and marshes; each sort counts by itself (14.13.d)."""
FORMATION = "formation"
"""1.7.a: the level of the headquarters of divisions and brigades."""
ODDS_LIMIT = 10
"""14.11.b."""


def half_up(value: Fraction) -> int:
    """1.6: the nearest whole number; exact halves go up."""
    return floor(value + Fraction(1, 2))


def odds_value(attack: int, defence: int) -> int:
    """14.11.a, 14.11.b: how many times stronger one side is; the attacker's advantage is positive, the defender's negative."""
    if attack == defence:
        return 0
    weaker, stronger = sorted((attack, defence))
    value = ODDS_LIMIT if not weaker else min(half_up(Fraction(stronger, weaker)), ODDS_LIMIT)
    return value if attack > defence else -value


def troops(at: Position, label: str) -> tuple[str, ...]:
    """1.8: the units in a hex that fight there: headquarters and air units do not."""
    units = at.world.units
    return tuple([unit for unit in stack(at, label) if units[unit].arm not in (HEADQUARTERS, AIR)])


def is_open(at: Position, unit: str, origin: str, target: str) -> bool:
    """14.6, 14.23: whether ground and hexside let a unit go from a hex into the next, no matter who stands there or near."""
    world, board, counter = at.world, at.world.board, at.world.units[unit]
    return bool(
        world.reaches.costs(counter.arm, "", counter.side)[board.direction(origin, target)][board.index(origin)] != CLOSED
    )


@dataclass(frozen=True, slots=True)
class Forces:
    """Who takes part in a fight.

    Args:
        battle: the attack.
        attackers: those that attack from hexes next to the target, and the artillery with them (14.14.c).
        guns: the attacker's other artillery, which supports them (14.14.a), perhaps from a hex of its own next to the target.
        defenders: the units in the target that count: not those that were beaten before in this activation (14.3.c).
        support: the defender's artillery elsewhere that has the target in range.
        boats: the attacker's river units (16.4).
        flotilla: the defender's.
    """

    battle: Battle
    attackers: tuple[str, ...]
    guns: tuple[str, ...]
    defenders: tuple[str, ...]
    support: tuple[str, ...]
    boats: tuple[str, ...] = ()
    flotilla: tuple[str, ...] = ()

    @property
    def attacking(self) -> tuple[str, ...]:
        """Who attacks and may lose or lead (14.12.a): not artillery elsewhere."""
        return (*self.attackers, *self.boats)

    @property
    def defending(self) -> tuple[str, ...]:
        """Who defends and may lose or lead."""
        return (*self.defenders, *self.flotilla)

    @classmethod
    def of(cls, at: At, battle: Battle) -> Forces:
        """The forces of an attack as it stands."""
        found: Forces | None = at.memo.get(battle)
        if found is None:
            found = at.memo[battle] = cls._find(at, battle)
        return found

    @classmethod
    def _find(cls, at: At, battle: Battle) -> Forces:
        afloat = tuple(unit for unit in battle.attackers if at.world.units[unit].arm == RIVER)
        front = attacking_ashore(at, battle)
        guns = tuple(unit for unit in battle.attackers if unit not in (*afloat, *front))
        flotilla = tuple(unit for unit, _ in joining(at, battle, front))
        return cls(battle, front, guns, counting(at, battle.target), _support(at, battle), afloat, flotilla)


def attacking_ashore(at: At, battle: Battle) -> tuple[str, ...]:
    """14.12.c, 14.14.c, 14.14.d: who attacks on land and is left next to the target; other artillery only supports it.

    Artillery attacks in the hex of an attacker of another arm, even if that has been lost in this fight.
    """
    board, units, places, lost = at.world.board, at.world.units, at.state.locations, at.state.lost
    others = [unit for unit in battle.attackers if units[unit].arm not in (ARTILLERY, RIVER)]
    hexes = {lost.get(unit) or places[unit] for unit in others} & {*board.neighbours(battle.target)}
    return tuple(unit for unit in standing(at, battle.attackers) if places[unit] in hexes)


def joining(at: At, battle: Battle, front: Iterable[str]) -> list[tuple[str, str]]:
    """16.4.1, 16.4.2: the defender's river units that take part, and by which clause; each defends one hex (14.3.b)."""
    [enemy] = at.world.enemies(battle.side)
    mine = boats(at, enemy)
    if not mine:
        return []
    busy, origins = dict(at.state.engaged), [at.state.locations[unit] for unit in front]
    free = [unit for unit in mine if busy.get(unit, battle.target) == battle.target]
    found = [(unit, at.world.river.defends(at, unit, battle.target, origins)) for unit in free]
    return [(unit, clause) for unit, clause in found if clause]


def counting(at: Position, label: str) -> tuple[str, ...]:
    """14.3.a, 14.3.c: the units that defend a hex with their strength."""
    state: FightingState = at.state
    return tuple(unit for unit in troops(at, label) if unit not in state.beaten)


def _support(at: At, battle: Battle) -> tuple[str, ...]:
    """14.14.a: all of the defender's artillery elsewhere within range. It costs nothing, so that it always fires.

    18.9.c: but not from a transport.
    """
    units, places, board, target = at.world.units, at.state.locations, at.world.board, battle.target
    [enemy] = at.world.enemies(battle.side)
    guns = [
        unit for unit in on_board(at, enemy) if units[unit].arm == ARTILLERY and places[unit] != target and not carrier(at, unit)
    ]
    return tuple(unit for unit in guns if board.distance(places[unit], target) <= units[unit].reach)


# -- 14.10 strength ---------------------------------------------------------------------------------------------------------


def strength(at: At, unit: str, *, attacks: bool) -> Strength:
    """3.12.c, 3.12.e, 14.10.b, 14.10.c: what a unit counts: in brackets nothing in an attack, without supply perhaps half.

    1.3.d: the guns of infantry and cavalry are in what is printed on them.
    """
    up, arm = face(at, unit), at.world.units[unit].arm
    printed = up.attack if attacks else up.defence
    found = Strength(unit, printed, Fraction(printed))
    if attacks and not printed and up.defence:
        return found.changed(Fraction(), "in brackets: only in defence", "14.10.b")
    if carrier(at, unit):
        found = found.changed(Fraction(ceil(found.counted / 2)), "half on transport", "18.9.a")
    if unit not in at.state.no_supply or arm not in (*VEHICLES, ARTILLERY):
        return found
    return found.changed(Fraction(ceil(found.counted / 2)), "half without supply", "3.12.e" if arm == ARTILLERY else "3.12.c")


# -- 14.13 what is added to the die -----------------------------------------------------------------------------------------

Modifiers = Callable[["At", Forces, Sequence[Strength]], Iterable[Shift]]
"""What a rule adds to the die in a fight."""


def _printed(at: At, name: str) -> CombatModifier:
    return next(modifier for modifier in at.world.printed.combat.modifier if modifier.id == name)


def _value(at: At, name: str) -> int:
    return _printed(at, name).value or 0


def _compared(at: At, name: str, attacker: int, defender: int) -> int:
    """A modifier for the side that has more."""
    printed = _printed(at, name)
    better = printed.attacker_higher if attacker > defender else printed.defender_higher
    return (better or 0) if attacker != defender else 0


def odds(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.j: the value of 14.11, even if it is nothing."""
    attacking = {*forces.attacking, *forces.guns}
    attack = sum(int(found.counted) for found in strengths if found.unit in attacking)
    defence = sum(int(found.counted) for found in strengths if found.unit not in attacking)
    yield Shift(odds_value(attack, defence), f"{attack} against {defence}", "14.13.j")


def ground(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.b: the ground of the attacked hex; 14.13.w: it does not help vehicles that are alone in a town, fort or forest."""
    terrain = at.world.terrain[at.world.board.terrain(forces.battle.target)]
    alone = all(at.world.units[unit].arm in VEHICLES for unit in forces.defenders)
    if terrain.combat and not (alone and terrain.no_combat_mod_for_vehicles_only):
        yield Shift(terrain.combat, terrain.id, "14.13.b")


def edges(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.c, 14.13.d: what every attacker attacks across, sort by sort; of several of a sort the easiest counts."""
    board, target, sides = at.world.board, forces.battle.target, at.world.hexsides
    crossed = [board.side(label, target) for label in {at.state.locations[unit] for unit in forces.attackers}]
    for sort in EDGES:
        values = [[(sides[name].combat, name) for name in features if name in sort] for features in crossed]
        if all(values):
            combat, name = max(min(worst) for worst in values)
            yield Shift(combat, f"all across {name.replace('-', ' ')}", "14.13.c")


def morale(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.e: the morale of the units that lead; as long as nobody is named, the best of each side."""
    ours, theirs = (leading_morale(at, forces.battle.target, units) for units in (forces.attacking, forces.defending))
    if value := _compared(at, "morale", ours, theirs):
        yield Shift(value, f"morale {ours} against {theirs}", "14.13.e")


def leading_morale(at: At, target: str, units: Sequence[str]) -> int:
    """14.12.a, 14.14.d: that of the unit of a side that was named for the fight for a hex, or the best."""
    named = [unit for label, unit in at.state.leading if label == target and unit in units]
    return max((morale_of(at, unit) for unit in named or units), default=0)


def morale_of(at: At, unit: str) -> int:
    """18.9.b: the morale of a unit in a fight: on transport no more than is printed on that."""
    by, own = carrier(at, unit), at.world.units[unit].morale
    return min(own, kind_of(at, by).morale) if by else own


def commander(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.f to 14.13.i: the better of the headquarters; 9.22.c: none if some defenders are under command and some not."""
    defenders = [_is_led(at, unit) for unit in forces.defenders]
    if any(defenders) and not all(defenders):
        return
    ours = max((_rating(at, unit) for unit in forces.attackers), default=0)
    if any(unit in at.state.unled for unit in forces.attackers):  # 14.13.h
        ours = 0
    theirs = max((_rating(at, unit) for unit in forces.defenders), default=0) if all(defenders) else 0  # 9.22.b
    if value := _compared(at, "commander", ours, theirs):
        yield Shift(value, f"commander {ours} against {theirs}", "14.13.f")


def _is_led(at: At, unit: str) -> bool:
    """14.9: whether a line leads to a unit at this moment, from its formation or, independent, from any (9.4)."""
    formation = at.world.units[unit].formation
    side = on_board(at, at.world.units[unit].side)
    leaders = [hq for hq in side if hq == formation or (not formation and at.world.units[hq].level)]
    return any(at.world.command.leads(at, hq, unit) for hq in leaders)


def _rating(at: At, unit: str) -> int:
    """14.13.i: the rating of the commander of a unit's formation on the map, with or without a line.

    An independent unit fights under the best of the formations from which a line leads to it, armies and groups apart (1.7.a).
    """
    units, formation = at.world.units, at.world.units[unit].formation
    side = on_board(at, units[unit].side)
    if formation:
        return units[formation].rating if formation in side else 0
    leaders = [hq for hq in side if units[hq].level == FORMATION and at.world.command.leads(at, hq, unit)]
    return max((units[hq].rating for hq in leaders), default=0)


def supply(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """3.12.a, 14.13.k to 14.13.m: infantry or cavalry without supply on either side; one unit is enough, unless 3.13 is on."""
    for name, units, clause in (
        ("no-supply-attacker", forces.attackers, "14.13.k"),
        ("no-supply-defender", forces.defenders, "14.13.l"),
    ):
        hungry = [u for u in units if u in at.state.no_supply and at.world.units[u].arm in (INFANTRY, CAVALRY)]
        by_majority = at.world.options["supply-by-majority"]
        if hungry and (not by_majority or _most_lack_supply(at, units)):
            yield Shift(_value(at, name), f"{', '.join(hungry)} without supply", "3.13" if by_majority else clause)


def _most_lack_supply(at: At, units: Sequence[str]) -> bool:
    """3.13: whether more than half of the levels that a side commits are without supply."""
    levels = at.state.steps_left
    return 2 * sum(levels[unit] for unit in units if unit in at.state.no_supply) > sum(levels[unit] for unit in units)


def stars(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.n, 14.13.o, 14.13.q: the stars of vehicles and those of trains and boats, up to the table's limit."""
    for name, arms, clause in (("armour", ARMOUR, "14.13.n"), ("train-or-river", (TRAIN, RIVER), "14.13.o")):
        for sign, units in ((1, forces.attacking), (-1, forces.defending)):
            shown = sum(at.world.units[unit].stars for unit in units if at.world.units[unit].arm in arms)
            if counted := min(shown, _printed(at, name).cap_per_side or 0):
                yield Shift(sign * counted, f"{'attacking' if sign > 0 else 'defending'} {name.partition('-')[0]}", clause)


def encirclement(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.r to 14.13.t."""
    target = forces.battle.target
    if not at.world.terrain[at.world.board.terrain(target)].blocks_encirclement and is_encircled(at, forces.defenders, target):
        yield Shift(_value(at, "encirclement"), "encircled", "14.13.r")


def is_encircled(at: At, units: Sequence[str], label: str) -> bool:
    """10.4.a, 10.13, 14.13.r, 14.13.s: no hex around is free of the enemy, among those that ground lets one of the units enter.

    Enemy units, zones and air units on a delay mission bar a hex; where a unit of the own side stands, a zone does not.
    """
    side = at.world.units[units[0]].side
    near = [hex for hex in at.world.board.neighbours(label) if any(is_open(at, unit, label, hex) for unit in units)]
    held = {hex: {at.world.units[unit].side for unit in troops(at, hex)} for hex in near}
    barred = {hex for hex in near if in_enemy_zone(at, side, hex) or is_delayed(at, side, hex)}
    free = [hex for hex in near if held[hex] == {side} or (not held[hex] and hex not in barred)]
    return bool(near) and not free


def neighbours(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.u: each hex next to an attacker with enemy units that are not attacked, there or before they fell back to it."""
    attacked = {forces.battle.target, *(target for _, target in at.state.planned)}
    touched = {hex for unit in forces.attackers for hex in at.world.board.neighbours(at.state.locations[unit])}
    [enemy] = at.world.enemies(forces.battle.side)
    for label in sorted(touched - attacked):
        if any(at.world.units[unit].side == enemy for unit in counting(at, label)):
            yield Shift(_value(at, "unattacked-neighbour"), f"{label} is not attacked", "14.13.u")


def air_support(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.p, 17.11: the stars of the air units that support either side in this fight, no more than the table allows."""
    flying = [flight.unit for flight in at.state.flights if flight.mission == SUPPORT and flight.battle == forces.battle.target]
    for sign in (1, -1) if flying else ():
        units = [unit for unit in flying if (at.world.units[unit].side == forces.battle.side) == (sign > 0)]
        if counted := min(sum(stars_of(at, unit) for unit in units), _printed(at, "air").cap_per_side or 0):
            yield Shift(sign * counted, f"{', '.join(units)} in the air", "14.13.p")


def reconnaissance(at: At, forces: Forces, strengths: Sequence[Strength]) -> Iterator[Shift]:
    """14.13.v, 17.7: units of formations that the enemy tracks from the air; one on either side is enough."""
    [enemy] = at.world.enemies(forces.battle.side)
    for name, side, units in (
        ("reconnoitred-attacker", forces.battle.side, forces.attackers),
        ("reconnoitred-defender", enemy, forces.defenders),
    ):
        known = tracked(at, side).intersection(at.world.units[unit].formation for unit in units) if at.state.flights else ()
        if known:
            yield Shift(_value(at, name), f"{', '.join(sorted(known))} reconnoitred", "14.13.v")


MODIFIERS: tuple[Modifiers, ...] = (
    odds,
    ground,
    edges,
    morale,
    commander,
    supply,
    stars,
    air_support,
    encirclement,
    neighbours,
    reconnaissance,
)
"""14.13.a: all of them."""
