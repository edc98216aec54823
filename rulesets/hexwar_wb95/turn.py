"""The stage: each side goes through its phases, then whoever was at rest recovers."""

from __future__ import annotations

from functools import partial

from hexwar.engine import Loop, Phase, SequenceOfPlay
from hexwar.mechanics import Arriving
from hexwar.pieces import TurnBegan
from hexwar_wb95.air import air_phase
from hexwar_wb95.bridges import finish_bridges
from hexwar_wb95.fire import barrage_phase
from hexwar_wb95.movement import movement_phase, strategic_phase
from hexwar_wb95.state import At, Doing, FormationChanged, SideBegan, StageBegan
from hexwar_wb95.supply import recover, supply_and_land
from hexwar_wb95.support import combat_phase
from hexwar_wb95.victory import decide, end_at_once

ORDER = ("soviet", "axis")


def turns_remain(at: At) -> bool:
    """phase.1: the scenario has as many stages as it says."""
    return at.state.turn < at.world.scenario.turns


def begin_stage(play: Doing) -> None:
    """phase.1."""
    play.emit(TurnBegan(play.state.turn + 1, clause="phase.1"))
    play.emit(StageBegan(clause="disorg.3"))


def arrive_and_move(play: Doing, side: str) -> None:
    """phase.1: reinforcements lie on top of movement, so that they come first; their guns come in march formation."""
    play.emit(SideBegan(side, clause="phase.1"))
    finish_bridges(play, side)
    movement_phase(play, side)
    due = play.world.due(play, side)
    for unit in due:
        if play.world.units[unit].is_gun and unit not in play.state.marching:
            play.emit(FormationChanged(unit, True, clause="phase.1"))
    if due:
        play.push(Arriving(play.world.seat_for(side), due, play.world.entries(side)))


def end_stage(play: Doing) -> None:
    """disorg.3."""
    recover(play)
    end_at_once(play)


def _of(side: str) -> tuple[Phase, ...]:
    return (
        Phase(f"{side}-air", f"{side}: aircraft", "air.1", partial(air_phase, side=side)),
        Phase(f"{side}-barrage", f"{side}: barrage", "art.20", partial(barrage_phase, side=side)),
        Phase(f"{side}-movement", f"{side}: movement", "phase.1", partial(arrive_and_move, side=side)),
        Phase(f"{side}-combat", f"{side}: combat", "combat.1", partial(combat_phase, side=side)),
        Phase(f"{side}-strategic", f"{side}: strategic movement", "rs.1", partial(strategic_phase, side=side)),
        Phase(f"{side}-supply", f"{side}: supply", "supply.6", partial(supply_and_land, side=side)),
    )


STAGE = (
    Phase("stage", "A stage begins", "phase.1", begin_stage),
    *_of(ORDER[0]),
    *_of(ORDER[1]),
    Phase("end", "A stage ends", "disorg.3", end_stage),
)
SEQUENCE = SequenceOfPlay(Loop("Stage", "phase.1", turns_remain, STAGE), Phase("verdict", "Verdict", "phase.1", decide))
