"""Rule bugs of the 1918-21 system: `hexwar mutate wop --planted tests/wop/planted.py`."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import hexwar_wop.combat
import hexwar_wop.command
import hexwar_wop.reactions
import hexwar_wop.recreation
import hexwar_wop.reinforcements
import hexwar_wop.replacements
import hexwar_wop.zones
from hexwar.mechanics import Movement
from hexwar.testing import Mutant, planting
from hexwar.testing.planting import Plant, answering, everywhere, setting, wrapping
from hexwar_wop.activation import ActivationBegan
from hexwar_wop.combat import WopCombat
from hexwar_wop.command import is_under_command
from hexwar_wop.content import WopContent, load_wop
from hexwar_wop.homeward import away_from_command
from hexwar_wop.losses import LosingLevels
from hexwar_wop.modifiers import MODIFIERS
from hexwar_wop.movement import WopMovement
from hexwar_wop.pursuit import WopPursuit
from hexwar_wop.reactions import Reacted
from hexwar_wop.recreation import LevelGained
from hexwar_wop.replacements import why_no_refit
from hexwar_wop.retreat import WopRetreat
from hexwar_wop.transport import toll
from hexwar_wop.victory import WopVictory
from hexwar_wop.world import WopWorld
from hexwar_wop.zones import WopCommand, WopSupply, WopZones
from tests.wop.planted_slips import MUTANTS as SLIPS

DRILLS, SUMS, RESULTS, LOSSES = "drills", "attacks-are-right", "attacks-are-right", "losses-are-right"
RETREATS = "retreats-are-right"
printed = partial(planting.printed, load_wop)


def mutant(id: str, clause: str, what: str, plant: Plant, *likely: str) -> Mutant:
    """A mutant of this game; drills find it unless another check is named."""
    return Mutant(id, what, plant, clause, likely=likely or (DRILLS,))


# -- what is printed ------------------------------------------------------------------------------------------------------


def other(file: str, **changes: Any) -> Plant:
    """Other values in a file of tables."""

    def change(content: WopContent) -> WopContent:
        made = copy.copy(content)
        setattr(made, file, getattr(content, file).model_copy(update=changes))
        return made

    return printed(change)


def table(name: str, key: str, **changes: Any) -> Plant:
    """Another entry of a small table."""
    entries = getattr(load_wop().tables, name)
    return other("tables", **{name: {**entries, key: entries[key].model_copy(update=changes)}})


def zone_cost(kind: str, **changes: Any) -> Plant:
    """Other costs of enemy zones."""
    entries = load_wop().templates.zone_cost
    return other("templates", zone_cost={**entries, kind: entries[kind].model_copy(update=changes)})


def stacking(**changes: Any) -> Plant:
    return other("tables", stacking=load_wop().tables.stacking.model_copy(update=changes))


def ground(id: str, **changes: Any) -> Plant:
    """Another line of the terrain table."""
    entries = load_wop().terrain.hex
    return other("terrain", hex=[entry.model_copy(update=changes) if entry.id == id else entry for entry in entries])


def row(number: int, **changes: Any) -> Plant:
    """Another row of the combat table."""
    rows = load_wop().combat.row
    return other("combat", row=[*rows[:number], rows[number].model_copy(update=changes), *rows[number + 1 :]])


def without(name: str) -> Plant:
    """A modifier that nobody adds."""
    return setting(hexwar_wop.combat, "MODIFIERS", tuple(rule for rule in MODIFIERS if rule.__name__ != name))


# -- functions ------------------------------------------------------------------------------------------------------------


def silent(event: type) -> Plant:
    """An event that changes nothing."""
    return wrapping(event, "apply", lambda original, self, state: None)


def changed(owner: Any, name: str, change: Callable[[Any], Any]) -> Plant:
    """A function with another answer."""
    return wrapping(owner, name, lambda original, *given, **named: change(original(*given, **named)))


def _open_to_all(original: Any, self: Any, at: Any, side: str) -> int:
    [enemy] = self.world.enemies(side)
    return int(self.world.board.everywhere & ~self.troops(at, enemy))


def _without(clause: str) -> Any:
    """Who may attack, but for one reason against it."""

    def why_not(original: Any, self: Any, at: Any, unit: str, target: str) -> Any:
        found = original(self, at, unit, target)
        return None if found is not None and found.clause == clause else found

    return why_not


def _anybody(original: Any, at: Any, unit: str, side: str) -> Any:
    found = original(at, unit, side)
    return None if found is not None and "within the range" in str(found) else found


def _short(original: Any, self: Any, at: Any, headquarters: str) -> int:
    board = self.world.board
    return int(original(self, at, headquarters) & (board.around(at.state.locations[headquarters]) | 1))


MUTANTS: tuple[Mutant, ...] = (
    # 2, 3, 4
    mutant("always-polish", "2.1.b", "the Poles always have the initiative", answering(WopWorld, "initiative", "polish")),
    mutant("lines-through-zones", "3.8.2", "lines pass enemy zones", wrapping(WopSupply, "open_to", _open_to_all)),
    mutant("lines-of-one-hex", "3.7", "lines are one hex long", wrapping(WopCommand, "range_of", _short)),
    mutant(
        "sunny",
        "4.1",
        "it never rains",
        other("tables", weather={k: v.model_copy(update={"clear": (0, 9)}) for k, v in load_wop().tables.weather.items()}),
    ),
    mutant(
        "engines-need-nothing",
        "3.12.b",
        "what has engines is as fast without supply",
        wrapping(
            WopMovement,
            "allowance",
            lambda original, self, at, unit, mode="": self.world.units[unit].faces[at.state.steps_left[unit] - 1].move,
        ),
    ),
    # 5, 6
    mutant(
        "back-at-once",
        "14.47.a",
        "everybody returns by the die alone",
        everywhere(hexwar_wop.recreation.modifier, lambda original, *given: 0),
    ),
    mutant(
        "replacements-anywhere",
        "5.15.a",
        "units out of the range of their headquarters receive replacements",
        everywhere(why_no_refit, _anybody),
    ),
    mutant("no-level-gained", "5.18.a", "replacements bring nothing", silent(LevelGained)),
    mutant(
        "far-arrivals", "6.1.c", "reinforcements come up to nine hexes away", setting(hexwar_wop.reinforcements, "FARTHEST", 9)
    ),
    # 9
    mutant(
        "everybody-obeys",
        "9.2",
        "every headquarters is under command",
        everywhere(is_under_command, lambda original, *given: True),
    ),
    mutant("nobody-fails", "9.13", "every test of independence is passed", answering(hexwar_wop.command, "_passes", True)),
    mutant("orphans-may-test", "9.11", "units without a headquarters take the test", answering(WopCommand, "is_orphan", False)),
    mutant(
        "anywhere-without-command",
        "9.20.b",
        "units without command go where they like",
        everywhere(away_from_command, lambda original, *given: original(*given)._replace(steps=())),
    ),
    mutant(
        "attacks-without-command",
        "9.22.a",
        "units without command attack",
        wrapping(WopCombat, "why_not_attack", _without("9.22.a")),
    ),
    mutant(
        "cars-capture-rarely",
        "9.23.3",
        "armoured cars capture headquarters on 9 only",
        table("headquarters_approached", "armoured_car", eliminated_on=(9, 9)),
    ),
    mutant(
        "headquarters-flee-far",
        "9.23.1",
        "infantry drives headquarters off by three hexes",
        table("headquarters_approached", "infantry", displaced=3),
    ),
    # 10, 12, 13
    mutant("zones-over-rivers", "10.3.b", "zones extend everywhere", answering(WopZones, "extends", True)),
    mutant("weak-zones", "10.2.3.a", "every stack has a zone", setting(hexwar_wop.zones, "WEAK", 0)),
    mutant(
        "zones-are-free",
        "10.6.2.a",
        "leaving a zone costs nothing",
        wrapping(WopMovement, "_parts", lambda original, *given: original(*given)._replace(leaving=0)),
    ),
    mutant(
        "infantry-slips-through",
        "10.6.3.a",
        "infantry goes from zone to zone for half its points",
        zone_cost("infantry", zone_to_zone=0.5),
    ),
    mutant("horse-pays-half", "10.6.2.b", "cavalry leaves a zone for half its points", zone_cost("cavalry", exit=0.5)),
    mutant("stacks-of-four", "12.2.a", "four units stand together", stacking(limit=4.0)),
    mutant("leaders-weigh", "12.3", "headquarters take room", stacking(weight={**load_wop().tables.stacking.weight, "hq": 1.0})),
    mutant(
        "no-minimum-move",
        "13.5.a",
        "there is no minimum move",
        wrapping(WopMovement, "going", lambda original, *given: replace(original(*given), minimum=False, whole=False)),
    ),
    mutant(
        "headquarters-go-anywhere",
        "9.27.a",
        "headquarters enter enemy zones alone",
        answering(WopMovement, "_alone", 0),
    ),
    mutant("reactions-again", "13.14", "units react again and again", silent(Reacted)),
    mutant(
        "reacted-forever",
        "13.14",
        "REACTION markers stay in the next activation",
        wrapping(ActivationBegan, "apply", lambda original, self, state: setattr(state, "active", self.side)),
    ),
    mutant(
        "horse-before-horse",
        "13.9.d",
        "cavalry falls back before cavalry",
        table("reaction", "cavalry", to=["infantry", "artillery", "cavalry"]),
    ),
    mutant("three-hexes-back", "13.9.a", "cavalry falls back by three hexes at most", table("reaction", "cavalry", hexes=3)),
    mutant("guns-stand", "13.17.a", "nobody rides guns down", setting(hexwar_wop.reactions, "OVERRUNS", ())),
    mutant("guns-withdraw-far", "13.17.c", "guns withdraw by three hexes", setting(hexwar_wop.reactions, "WITHDRAWAL", 3)),
    mutant(
        "moves-at-once",
        "13.9.a",
        "nobody answers on the way",
        wrapping(WopMovement, "go", lambda original, self, play, unit, path, mode="": Movement.go(self, play, unit, path, mode)),
    ),
    # 14
    *(
        mutant(f"no-{name}", clause, f"nothing is added for {name}", without(name), SUMS)
        for name, clause in (
            ("odds", "14.13.j"),
            ("ground", "14.13.b"),
            ("edges", "14.13.c"),
            ("morale", "14.13.e"),
            ("commander", "14.13.f"),
            ("supply", "14.13.k"),
            ("stars", "14.13.n"),
            ("encirclement", "14.13.r"),
            ("neighbours", "14.13.u"),
        )
    ),
    mutant("dice-begin-with-one", "1.4.a", "the die of a fight shows 1 to 10", setting(WopCombat, "lowest", 1), RESULTS),
    mutant(
        "kind-table",
        "14.16",
        "a sum of 4 costs the attacker nothing",
        row(5, attacker=load_wop().combat.row[5].attacker.model_copy(update={"losses": 0})),
        RESULTS,
    ),
    mutant("garrisons-attack", "11.3", "garrisons attack", wrapping(WopCombat, "why_not_attack", _without("11.3"))),
    mutant("guns-without-range", "14.14.a", "guns have any range", wrapping(WopCombat, "why_not_attack", _without("14.14.a"))),
    mutant(
        "losses-anywhere",
        "14.42.b",
        "whoever likes takes the losses",
        wrapping(LosingLevels, "able", lambda original, self, at: self.units),
        LOSSES,
    ),
    mutant(
        "retreat-anywhere",
        "14.22.1",
        "retreats lead anywhere",
        wrapping(WopRetreat, "choice", lambda original, self, *given: 1),
        RETREATS,
    ),
    mutant(
        "no-printed-directions",
        "14.21.a",
        "there are no printed directions",
        answering(WopRetreat, "is_prescribed", True),
        RETREATS,
    ),
    mutant(
        "long-pursuit", "14.33.3", "everybody pursues with a point more", changed(WopPursuit, "points", lambda points: points + 1)
    ),
    mutant(
        "trains-pass-safely",
        "14.28.b",
        "trains run past enemies without danger",
        other("tables", passing=load_wop().tables.passing.model_copy(update={"train_eliminated": (9, 9)})),
    ),
    mutant("city-of-cards", "14.13.b", "a city protects nobody", ground("city", combat=0)),
    # 17, 18
    mutant(
        "weakened-eyes",
        "17.6.b",
        "a weakened air unit finds formations as easily",
        other("tables", air=load_wop().tables.air.model_copy(update={"reconnaissance_weakened": 0})),
    ),
    mutant("free-to-get-off", "18.13.b", "getting off costs nothing", everywhere(toll, lambda original, *given: 0)),
    # 19
    mutant("no-points-for-pieces", "19.3", "lost pieces give no points", answering(WopVictory, "worth", 0)),
    *SLIPS,
)
