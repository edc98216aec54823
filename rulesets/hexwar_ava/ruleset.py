"""The ruleset: all parts put together, how a game begins, and what holds in every position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from hexwar.engine import Colours, Invariant, Lanes, RandomSource, Setup, TurnMark, View
from hexwar.mechanics import (
    DECLARED_COMBAT_ACTIONS,
    DECLARED_COMBAT_EVENTS,
    DECLARED_COMBAT_STEPS,
    HEX_EVENTS,
    Arrive,
    Arriving,
    Enter,
    Entering,
    HexRuleset,
    Layout,
    Move,
    Moving,
    Pursuing,
    Retreating,
    standard_invariants,
)
from hexwar.pieces import CHIT_ACTIONS, CHIT_EVENTS, Interrupt, Losing
from hexwar_ava import (
    INFO,
    activation,
    carrying_out,
    chits,
    controller,
    fortresses,
    imagining,
    master_cup,
    reinforcements,
    setting_up,
    supply,
    teams,
    turn,
)
from hexwar_ava.combat import FORTRESS
from hexwar_ava.content import DATA, load_ava
from hexwar_ava.counters import MARKERS, SET_UP, Counter, Nation
from hexwar_ava.state import AVA_EVENTS, At, AvaState
from hexwar_ava.team_state import DOWN, TEAM_EVENTS, AvaTeamState
from hexwar_ava.world import RULES, AvaWorld


class AVictoryAwaits(HexRuleset[AvaState, AvaWorld]):
    """The game on three maps."""

    info = INFO
    rules = RULES
    sequence = turn.SEQUENCE
    state_type = AvaState
    colours: ClassVar[Mapping[str, Colours]] = {
        "axis": Colours("#59636b", "#ffffff", "#262c31"),
        "soviet": Colours("#e8b08d", "#4a1204", "#9a3412"),
    }
    outlook = DATA / "outlook.toml"
    designated = True
    symbols: ClassVar[Mapping[str, str]] = {FORTRESS: "works", "motorized": "mechanised"}
    actions = (
        *CHIT_ACTIONS,
        chits.SelectRest,
        *DECLARED_COMBAT_ACTIONS,
        Move,
        Arrive,
        Enter,
        chits.AddChit,
        fortresses.Build,
        turn.CallZhukov,
        reinforcements.ChooseEntry,
        Interrupt,
        setting_up.Place,
        setting_up.PlaceRest,
        supply.StandDown,
        supply.Withdraw,
        controller.DrawNext,
        controller.Reveal,
        controller.Wait,
        master_cup.GiveChit,
        master_cup.DivideRest,
        carrying_out.Cancel,
    )
    steps = (
        *DECLARED_COMBAT_STEPS,
        Losing,
        Retreating,
        Pursuing,
        chits.Adding,
        reinforcements.ArmyEntering,
        Arriving,
        fortresses.Building,
        turn.CallingZhukov,
        reinforcements.ChoosingEntry,
        turn.EndingTurn,
        Entering,
        activation.Interrupting,
        Moving,
        carrying_out.Operating,
        activation.PlayingHeld,
        supply.Relinquishing,
        chits.AvaSelecting,
        setting_up.SettingUp,
        supply.StandingDown,
        supply.SupplyCheck,
        teams.Surprising,
        teams.TeamArriving,
        teams.TeamEntering,
        teams.Together,
        supply.Withdrawing,
        controller.Controlling,
        controller.Answering,
        master_cup.Dividing,
        master_cup.Revealing,
    )
    events = (
        *HEX_EVENTS,
        *CHIT_EVENTS,
        *DECLARED_COMBAT_EVENTS,
        *AVA_EVENTS,
        *TEAM_EVENTS,
        controller.ChitLaid,
        controller.SomeChitLaid,
        controller.ChitRevealed,
        controller.RowReturned,
        controller.ControllerWaits,
        master_cup.StaffCupsEmptied,
        master_cup.ChitGiven,
        master_cup.MasterCupFilled,
        master_cup.StaffChitDrawn,
        master_cup.StaffChitReturned,
        master_cup.DummyDrawn,
    )
    invariants = (
        *standard_invariants(stacking="3.1.1", sides_apart="3.1.2", zones="3.2.1", steps="2.2.8", control="3.4.2"),
        Invariant("9.1.4", "no Soviet unit stands beyond the start line", lambda at: _beyond_the_line(at)),
        Invariant("7.1.3", "every chit of the turn is in one place only", lambda at: _chits_are_wrong(at)),
        Invariant("8.1.1", "no unit is in two activations", lambda at: _active_twice(at)),
        Invariant("14.1.5", "a hex has at most one fortress", lambda at: _two_fortresses(at)),
    )

    def world(self, setup: Setup) -> AvaWorld:
        """Board, counters and charts."""
        return AvaWorld(setup, turn.SEQUENCE)

    def provenance(self) -> Mapping[str, Mapping[str, object]]:
        """What the content files say of themselves."""
        return load_ava().provenance

    def brings(self, world: AvaWorld, turn: int) -> tuple[TurnMark, ...]:
        """6.2, 12.2, 15.4: chits to be chosen, and units that may come."""

        def said(numbers: Mapping[Nation, Sequence[int]]) -> str:
            return ", ".join(f"{nation} {by[turn - 1]}" for nation, by in numbers.items() if by[turn - 1])

        track, marks = world.track, list[TurnMark]()
        if chits := said(track.chits):
            marks.append(TurnMark("rule", f"chits to be chosen: {chits}", "6.2.1"))
        if coming := said(track.reinforcements):
            marks.append(TurnMark("reinforcement", f"units may come: {coming}", "12.2.1"))
        if reserve := track.strategic_reserve[turn - 1]:
            marks.append(TurnMark("reinforcement", f"strategic reserve: {reserve}", "15.4.1", "soviet"))
        return tuple(marks)

    def imagine(self, view: View, at: At, chance: RandomSource) -> None:
        """The armies and divisions of others, then their chits."""
        imagining.imagine(view, at, chance)
        super().imagine(view, at, chance)

    def bare(self, world: AvaWorld) -> AvaState:
        """An empty map; units that begin in a box or on the turn track are there."""
        state = (AvaTeamState if world.teams.divided else AvaState)(
            turn=1,  # 4.0.18
            control=world.control_at_start(),
            stand_fast=tuple(filter(world.board.__contains__, world.printed.marked_at_start(world.entry.id, "stand-fast"))),
            layout=Layout(world.basis),
        )
        _put(world, state, [unit for unit in world.units.values() if unit.start in world.boxes and unit.start != SET_UP])
        return state

    def start(self, world: AvaWorld) -> AvaState:
        """4.0: what waits for its set-up, and everything else where it begins."""
        state = self.bare(world)
        _put(world, state, [unit for unit in world.units.values() if unit.id not in state.locations])
        return state


def _put(world: AvaWorld, state: AvaState, units: Iterable[Counter]) -> None:
    steps = dict(state.steps_left)
    for unit in units:
        if unit.start in world.board or unit.start in world.boxes:
            fresh = unit.start == MARKERS
            steps[unit.id] = (1 if fresh else world.fortresses.level) if unit.arm == FORTRESS else unit.steps  # 4.0.13, 4.0.16
            state.put(unit.id, unit.start)
    state.steps_left = steps


def _beyond_the_line(at: At) -> str | None:
    west = at.world.west
    found = [unit for unit, label in at.state.locations.items() if label in west and at.world.units[unit].side == "soviet"]
    return f"{', '.join(found)}" if found else None


def _chits_are_wrong(at: At) -> str | None:
    state = at.state
    held = [chit for chits in (*state.hand.values(), *state.selected.values()) for chit in chits]
    chits = [*state.cup, *state.drawn, *held]
    if isinstance(state, AvaTeamState):
        chits += [chit for of_side in state.staff.values() for _, chit in of_side]
        chits += [chit for chit, face, _ in state.queue if face == DOWN or chit not in state.drawn]
    twice = sorted({chit for chit in chits if chits.count(chit) > 1})
    if state.ready or state.phase == "selection":  # what was drawn last turn may be selected again
        return None
    return f"{', '.join(twice)} in two places" if twice else None


def _active_twice(at: At) -> str | None:
    if not isinstance(at.state, AvaTeamState):
        return None
    lanes = [lane for step in at.state.stack if isinstance(step, Lanes) for lane in step.lanes]
    active = [unit for lane in lanes for unit in dict(lane.kept).get("active", ())]
    in_hand = [unit for units in at.state.engaged.values() for unit in units]
    twice = sorted({unit for units in (active, in_hand) for unit in units if units.count(unit) > 1})
    return f"{', '.join(twice)}" if twice else None


def _two_fortresses(at: At) -> str | None:
    hexes = [
        label for unit, label in at.state.locations.items() if at.world.units[unit].arm == FORTRESS and label in at.world.board
    ]
    twice = sorted({label for label in hexes if hexes.count(label) > 1})
    return f"two in {', '.join(twice)}" if twice else None


RULESET = AVictoryAwaits()
