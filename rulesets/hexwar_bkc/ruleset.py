"""The ruleset: everything put together, the way a game begins, and what holds in every position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from hexwar.engine import Chart, Colours, Invariant, Objective, Picture, Piece, Position, Setup
from hexwar.pieces import Done, PieceRuleset, TurnBegan
from hexwar.plane import TOUCH, overlap
from hexwar_bkc import INFO
from hexwar_bkc.acting import Acting, ActingAgain, Reacting
from hexwar_bkc.aftermath import (
    BreakingOff,
    BreakOff,
    Face,
    FleeFrom,
    Fleeing,
    GoAfter,
    Hold,
    Pursue,
    Pursuing,
    Retire,
    Turning,
    Winning,
)
from hexwar_bkc.charging import Charge, Countering, Support
from hexwar_bkc.charts import charts_of, objectives_of
from hexwar_bkc.combat import Combats, Fight
from hexwar_bkc.command import Begin, Carry, Commanding, CommandMoving, Executing, Issue, Keep, Ordering
from hexwar_bkc.effects import Clear, Join, Joining, passengers
from hexwar_bkc.ending import points, rank
from hexwar_bkc.evading import Evade
from hexwar_bkc.fire import Fire
from hexwar_bkc.movement import March
from hexwar_bkc.observers import Call, Calling, Postpone, Schedule, Scheduling, StopCalling
from hexwar_bkc.queries import BkcQuery
from hexwar_bkc.state import BKC_EVENTS, BkcState
from hexwar_bkc.transport import Bailing, Dismount, Mount
from hexwar_bkc.turn import SEQUENCE
from hexwar_bkc.world import RULES, At, BkcWorld, is_within, placed, terrain_of, ways_of

SYMBOLS: Mapping[str, str] = {
    "infantry": "infantry",
    "engineer": "engineer",
    "cavalry": "cavalry",
    "mg": "infantry",
    "mortar": "artillery",
    "gun": "artillery",
    "armour": "armour",
    "command": "headquarters",
}


class Bkc(PieceRuleset[BkcState, BkcWorld, BkcQuery]):
    """The game."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = BkcState
    actions = (
        *(Done, March, Fire, Evade, Charge, Support, Mount, Dismount, Clear, Begin, Issue, Keep, Carry, Join),
        *(Schedule, Call, Postpone, StopCalling),
        *(Fight, FleeFrom, Hold, Retire, GoAfter, Face, BreakOff, Pursue),
    )
    steps = (
        *(
            Acting,
            ActingAgain,
            Reacting,
            Countering,
            Commanding,
            Ordering,
            Executing,
            CommandMoving,
            Joining,
            Bailing,
            Scheduling,
            Calling,
        ),
        *(Combats, Fleeing, Winning, Turning, BreakingOff, Pursuing),
    )
    events = (TurnBegan, *BKC_EVENTS)
    colours: ClassVar[Mapping[str, Colours]] = {
        "poland": Colours("#8e2f3c", "#ffffff", "#4c121b"),
        "germany": Colours("#b7bcae", "#20241c", "#5b6152"),
    }
    invariants = (
        Invariant("move.7", "no two bases overlap", lambda at: _overlapping(at)),
        Invariant("move.10", "no unit stands in ground that is shut to it", lambda at: _in_shut_ground(at)),
        Invariant("move.3", "every unit stands on the table", lambda at: _off_the_table(at)),
        Invariant("ko.3", "who is carried has something on the table that carries it", lambda at: _adrift(at)),
        Invariant("charge.1", "whoever is in contact stands on the table", lambda at: _out_of_touch(at)),
        Invariant("ko.1", "no unit has more hits than it can take", lambda at: _too_many_hits(at)),
    )

    def world(self, setup: Setup) -> BkcWorld:
        """Table, units and army lists."""
        return BkcWorld(setup, SEQUENCE)

    def bare(self, world: BkcWorld) -> BkcState:
        """An empty table."""
        return BkcState()

    def start(self, world: BkcWorld) -> BkcState:
        """Everybody in rows before their own edge."""
        state = self.bare(world)
        found = world.start()
        state.spots = {unit: spot for unit, (spot, _) in found.items()}
        state.headings = {unit: heading for unit, (_, heading) in found.items()}
        state.steps_left = dict.fromkeys(found, 1)
        state.dug_in = world.dug_in()
        return state

    def query(self, at: Position[BkcState, BkcWorld]) -> BkcQuery:
        """Distances, sight, and what a march would do."""
        return BkcQuery(at)

    def picture(self, at: Position[BkcState, BkcWorld]) -> Picture:
        """The table with its units."""
        pieces = []
        for unit, spot in at.state.spots.items():
            model = at.world.units[unit]
            hits = at.state.hits.get(unit, 0)
            values = f"{model.dice}/{model.range // 100}" if model.dice else f"{model.value}"
            words = ["suppressed"] if unit in at.state.suppressed else []
            words += [f"{hits} hits"] if hits else []
            words += [f"carries {at.world.units[one].name}" for one in passengers(at, unit)]
            name = f"{model.name} ({', '.join(words)})" if words else model.name
            pieces.append(
                Piece(
                    unit,
                    spot,
                    model.side,
                    name,
                    model.type,
                    symbol=SYMBOLS.get(model.type, ""),
                    values=values,
                    reduced=bool(words),
                    heading=at.state.headings[unit],
                    base=model.base,
                    arc=model.view % 360,
                )
            )
        return Picture(at.world.board, tuple(pieces), colours=self.colours, values="attack/range, or command value")

    def charts(self, world: BkcWorld) -> tuple[Chart, ...]:
        """Fire, close combat, orders, units."""
        return charts_of(world)

    def objectives(self, at: Position[BkcState, BkcWorld]) -> tuple[Objective, ...]:
        """What the table file names."""
        return objectives_of(at)

    def lead(self, at: Position[BkcState, BkcWorld], side: str) -> float:
        """victory.4, with a hundred points for each step that the objectives are worth."""
        [enemy] = at.world.enemies(side)
        return float(points(at, side) - points(at, enemy) + 100 * (rank(at, side) - rank(at, enemy)))

    def provenance(self) -> Mapping[str, Mapping[str, Any]]:
        """Army lists are a reconstruction."""
        return {"armies.toml": {"all": "reconstructed: the text names the columns and has no list"}}


def _overlapping(at: At) -> str | None:
    there = [(unit, placed(at, unit)) for unit in at.state.spots]
    for number, (unit, one) in enumerate(there):
        for other, it in there[:number]:
            room = one.base.width + one.base.depth + it.base.width + it.base.depth
            if abs(one.x - it.x) < room and abs(one.y - it.y) < room and overlap(one.corners, it.corners):
                return f"{unit} stands on {other}"
    return None


def _in_shut_ground(at: At) -> str | None:
    for unit, spot in at.state.spots.items():
        if title := ways_of(at).is_shut(at.world.units[unit].arm, spot):
            return f"{unit} stands in {title}"
    return None


def _off_the_table(at: At) -> str | None:
    off = [unit for unit, spot in at.state.spots.items() if spot not in terrain_of(at)]
    return f"{', '.join(off)} off the table" if off else None


def _adrift(at: At) -> str | None:
    lost = [unit for unit, carrier in at.state.aboard.items() if carrier not in at.state.spots or unit in at.state.spots]
    return f"{', '.join(lost)} are carried by nothing" if lost else None


def _out_of_touch(at: At) -> str | None:
    state = at.state
    pairs = [(one, other) for one, (other, _) in (*state.contacts.items(), *state.supports.items())]
    gone = [f"{one} and {other}" for one, other in pairs if one not in state.spots or other not in state.spots]
    far = [f"{one} and {other}" for one, other in pairs if not gone and not is_within(at, one, other, TOUCH)]
    return f"{', '.join(gone or far)} do not touch" if gone or far else None


def _too_many_hits(at: At) -> str | None:
    over = [unit for unit, hits in at.state.hits.items() if hits >= at.world.units[unit].hits]
    return f"{', '.join(over)} should be out of the game" if over else None


RULESET = Bkc()
