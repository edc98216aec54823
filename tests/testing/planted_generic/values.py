"""Bugs of what a game is worth: events, copies, JSON, saves, undo and dice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import hexwar.engine._save
from hexwar.engine import Action, Event, Game, LotDrawn, PhaseEntered, Play, Record, SeededChance, State
from hexwar.engine._state import Result
from hexwar.mechanics import HexState, Layout
from hexwar.pieces import StepLost, TurnBegan, UnitMoved
from hexwar.pieces._pieces import lose_step
from tests.testing.planted_generic.catalogue import GONE, HEXES, bug, everywhere, wrapping


def _verdict_without_event(original: Any, self: Play, winner: Any, reason: str, *, clause: str, scores: Any = None) -> None:
    self.state.result = Result(winner, reason, clause, dict(scores or {}))


def _loss_without_event(original: Any, play: Play, unit: str, topic: str) -> None:
    if play.state.steps_left[unit] > 1:
        play.state.steps_left = {**play.state.steps_left, unit: play.state.steps_left[unit] - 1}
    else:
        original(play, unit, topic)


def _event_lost(original: Any, self: Play, event: Event) -> None:
    original(self, event)
    if isinstance(event, PhaseEntered):
        self.events.remove(event)


def _event_told_twice(original: Any, self: Play, event: Event) -> None:
    original(self, event)
    if isinstance(event, UnitMoved):
        self.events.append(event)


def _verdict_misquotes(original: Any, self: Play, winner: Any, reason: str, *, clause: str, scores: Any = None) -> None:
    original(self, winner, reason, clause="0.0.0", scores=scores)


def _turn_skipped(original: Any, self: TurnBegan, state: HexState) -> None:
    state.turn = self.turn + 1


def _comrade_lost(original: Any, self: HexState, unit: str) -> None:
    there = [other for other in self.layout.stacks[self.locations[unit]] if other != unit]
    for gone in (unit, *there[:1]):
        original(self, gone)


def _moving_heals(original: Any, self: HexState, unit: str, location: str) -> None:
    original(self, unit, location)
    self.steps_left = {**self.steps_left, unit: self.layout.basis.units[unit].steps}


def _step_loss_counts_twice(original: Any, self: StepLost, state: HexState) -> None:
    state.steps_left = {**state.steps_left, self.unit: state.steps_left[self.unit] - 2}


def _copies_share(original: Any, self: State) -> State:
    twin = object.__new__(type(self))
    twin.__dict__.update(self.__dict__)
    return twin


def _copies_share_log(original: Any, self: Game) -> Game:
    twin: Game = original(self)
    twin.events = self.events
    return twin


def _json_drops_a_field(original: Any, self: State) -> Any:
    return {name: value for name, value in original(self).items() if name != "phase"}


def _json_shortens_records(original: Any, self: Record) -> Any:
    data = original(self)
    return dict(list(data.items())[:-1]) if len(data) > 2 else data


def _save_loses_a_move(original: Any, game: Game, path: Any) -> None:
    twin = game.copy()
    if twin.history:
        twin.history.pop()
    original(twin, path)


def _undo_keeps_the_log(original: Any, self: Game, side: str | None = None) -> Action:
    log = list(self.events)
    taken: Action = original(self, side)
    self.events[:] = log
    return taken


def _undo_keeps_the_state(original: Any, self: Game, side: str | None = None) -> Action:
    state = self._state
    taken: Action = original(self, side)
    self._state = state
    return taken


def _dice_are_loaded(original: Any, self: SeededChance, counter: int, size: int) -> int:
    outcome: int = original(self, counter, size)
    return size - 1 if outcome == 0 and counter % 3 == 0 else outcome


def _first_lot_is_drawn(original: Any, self: Play, purpose: str, lots: Sequence[Any], *, clause: str) -> Any:
    original(self, purpose, lots, clause=clause)
    return lots[0]


BUGS = (
    # -- events
    bug(
        "verdict-without-event",
        "The verdict is written into the state, and no event tells it.",
        wrapping(Play, "end", _verdict_without_event),
        likely="events-tell-everything",
    ),
    bug(
        "loss-without-event",
        "A step that a unit loses is taken off the state, and no event tells it.",
        everywhere(lose_step, _loss_without_event),
        HEXES,
        likely="events-tell-everything",
    ),
    bug(
        "event-lost",
        "The event that a phase begins is applied, but not kept.",
        wrapping(Play, "emit", _event_lost),
        likely="events-tell-everything",
    ),
    bug(
        "event-told-twice",
        "A move stands twice in the log.",
        wrapping(Play, "emit", _event_told_twice),
        HEXES,
        likely="pieces-are-conserved",
    ),
    bug(
        "verdict-misquotes",
        "The verdict cites a clause that does not exist.",
        wrapping(Play, "end", _verdict_misquotes),
        likely=("clauses-are-known", "offered-actions-apply"),
    ),
    bug(
        "turn-skipped",
        "The turn marker goes two spaces at a time, whatever its event says.",
        wrapping(TurnBegan, "apply", _turn_skipped),
        HEXES,
        likely="pieces-are-conserved",
    ),
    bug(
        "comrade-lost",
        "With a unit that is eliminated another one of its hex disappears.",
        wrapping(HexState, "remove", _comrade_lost),
        HEXES,
        GONE,
        likely="pieces-are-conserved",
    ),
    bug(
        "moving-heals",
        "A unit that is put somewhere has all its steps again.",
        wrapping(HexState, "put", _moving_heals),
        HEXES,
        likely="pieces-are-conserved",
    ),
    bug(
        "step-loss-counts-twice",
        "The event of one lost step takes two.",
        wrapping(StepLost, "apply", _step_loss_counts_twice),
        HEXES,
        likely=("pieces-are-conserved", "invariants-hold"),
    ),
    # -- copies, JSON, saves
    bug(
        "copies-share",
        "A copy of a state shares what can be changed in it.",
        wrapping(State, "copy", _copies_share),
        likely=("copies-are-independent", "undo-goes-back"),
    ),
    bug(
        "copies-share-layout",
        "A unit that moves in a copy moves in the layout of the original.",
        wrapping(Layout, "own", lambda original, self: self),
        HEXES,
        likely=("copies-are-independent", "derived-is-right"),
    ),
    bug(
        "copies-share-log",
        "A copy of a game writes into the log of the original.",
        wrapping(Game, "copy", _copies_share_log),
        likely="copies-are-independent",
    ),
    bug(
        "json-drops-a-field",
        "The JSON form of a state does not say which phase it is.",
        wrapping(State, "to_json", _json_drops_a_field),
        likely="states-are-values",
    ),
    bug(
        "json-shortens-records",
        "The JSON form of actions and steps lacks their last field.",
        wrapping(Record, "to_json", _json_shortens_records),
        likely=("json-is-exact", "reprs-evaluate"),
    ),
    bug(
        "save-loses-a-move",
        "A saved game lacks its last action.",
        wrapping(hexwar.engine._save, "write_save", _save_loses_a_move),
        likely="saves-carry-everything",
    ),
    # -- undo
    bug(
        "undo-crosses-dice",
        "A roll can be taken back.",
        wrapping(Game, "_is_barrier", lambda original, self, before, play: False),
        likely="undo-goes-back",
    ),
    bug(
        "undo-keeps-the-log",
        "What was taken back stays in the log.",
        wrapping(Game, "undo", _undo_keeps_the_log),
        likely="undo-goes-back",
    ),
    bug(
        "undo-by-anybody",
        "A side can take back what another one did.",
        wrapping(Game, "undo", lambda original, self, side=None: original(self, None)),
        likely="undo-goes-back",
    ),
    bug(
        "undo-keeps-the-state",
        "Undo forgets the action, but not what it did.",
        wrapping(Game, "undo", _undo_keeps_the_state),
        likely="undo-goes-back",
    ),
    # -- dice
    bug(
        "dice-are-loaded",
        "The lowest outcome often becomes the highest.",
        wrapping(SeededChance, "draw", _dice_are_loaded),
        likely="dice-are-fair",
    ),
    bug(
        "dice-come-in-pairs",
        "Every outcome comes twice in a row.",
        wrapping(SeededChance, "draw", lambda original, self, counter, size: original(self, counter // 2, size)),
        likely="dice-are-fair",
    ),
    bug(
        "dice-from-nowhere",
        "Dice come from Python's own generator, and not from the seed.",
        wrapping(SeededChance, "draw", lambda original, self, counter, size: random.randrange(size)),
        likely="replays-agree",
    ),
    bug(
        "dice-by-hash",
        "Dice come from the hash of a text, which is another in each process.",
        wrapping(SeededChance, "draw", lambda original, self, counter, size: hash(f"{self.seed}|{counter}") % size),
        likely="same-everywhere",
    ),
    bug(
        "draws-are-not-counted",
        "A blind draw is not counted, so that the next one is the same.",
        wrapping(LotDrawn, "apply", lambda original, self, state: None),
        likely="dice-are-fair",
    ),
    bug(
        "first-lot-is-drawn",
        "Whatever lot is drawn, the first one is given.",
        wrapping(Play, "draw", _first_lot_is_drawn),
        likely=("dice-are-fair", "chits-are-kept"),
    ),
)
