"""Bugs of what a game is worth: events, copies, JSON, saves, undo and dice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import hexwar.engine.save
from hexwar.engine import Action, Event, Game, LotDrawn, PhaseEntered, Play, Record, SeededChance, State
from hexwar.engine.state import Result
from hexwar.mechanics import HexState, Layout, StepLost, TurnBegan, UnitMoved
from hexwar.mechanics.pieces import lose_step
from hexwar.testing.mutants.catalogue import GONE, HEXES, Parts, bug
from hexwar.testing.mutation import Patch

# -- events ----------------------------------------------------------------------------------------------------------------


@bug("verdict-without-event", "The verdict is written into the state, and no event tells it.", likely="events-tell-everything")
def _(patch: Patch, parts: Parts) -> None:
    def end(original: Any, self: Play, winner: Any, reason: str, *, clause: str, scores: Any = None) -> None:
        self.state.result = Result(winner, reason, clause, dict(scores or {}))

    patch.wrap(Play, "end", end)


@bug("loss-without-event", "A step that a unit loses is taken off the state, and no event tells it.", HEXES,
     likely="events-tell-everything")  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def lose(original: Any, play: Play, unit: str, topic: str) -> None:
        if play.state.steps[unit] > 1:
            play.state.steps = {**play.state.steps, unit: play.state.steps[unit] - 1}
        else:
            original(play, unit, topic)

    patch.everywhere(lose_step, lose)


@bug("event-lost", "The event that a phase begins is applied, but not kept.", likely="events-tell-everything")
def _(patch: Patch, parts: Parts) -> None:
    def note(original: Any, self: Play, event: Event) -> None:
        original(self, event)
        if isinstance(event, PhaseEntered):
            self.events.remove(event)

    patch.wrap(Play, "note", note)


@bug("event-told-twice", "A move stands twice in the log.", HEXES, likely="pieces-are-conserved")
def _(patch: Patch, parts: Parts) -> None:
    def note(original: Any, self: Play, event: Event) -> None:
        original(self, event)
        if isinstance(event, UnitMoved):
            self.events.append(event)

    patch.wrap(Play, "note", note)


@bug(
    "verdict-misquotes", "The verdict cites a clause that does not exist.", likely=("clauses-are-known", "offered-actions-apply")
)
def _(patch: Patch, parts: Parts) -> None:
    def end(original: Any, self: Play, winner: Any, reason: str, *, clause: str, scores: Any = None) -> None:
        original(self, winner, reason, clause="0.0.0", scores=scores)

    patch.wrap(Play, "end", end)


@bug("turn-skipped", "The turn marker goes two spaces at a time, whatever its event says.", HEXES, likely="pieces-are-conserved")
def _(patch: Patch, parts: Parts) -> None:
    def turn(original: Any, self: TurnBegan, state: HexState) -> None:
        state.turn = self.turn + 1

    patch.wrap(TurnBegan, "apply", turn)


@bug(
    "comrade-lost",
    "With a unit that is eliminated another one of its hex disappears.",
    HEXES,
    GONE,
    likely="pieces-are-conserved",
)
def _(patch: Patch, parts: Parts) -> None:
    def remove(original: Any, self: HexState, unit: str) -> None:
        there = [other for other in self.layout.stacks[self.at[unit]] if other != unit]
        for gone in (unit, *there[:1]):
            original(self, gone)

    patch.wrap(HexState, "remove", remove)


@bug("moving-heals", "A unit that is put somewhere has all its steps again.", HEXES, likely="pieces-are-conserved")
def _(patch: Patch, parts: Parts) -> None:
    def put(original: Any, self: HexState, unit: str, location: str) -> None:
        original(self, unit, location)
        self.steps = {**self.steps, unit: self.layout.ground.units[unit].steps}

    patch.wrap(HexState, "put", put)


@bug("step-loss-counts-twice", "The event of one lost step takes two.", HEXES, likely=("pieces-are-conserved", "invariants-hold"))
def _(patch: Patch, parts: Parts) -> None:
    def reduce(original: Any, self: StepLost, state: HexState) -> None:
        state.steps = {**state.steps, self.unit: state.steps[self.unit] - 2}

    patch.wrap(StepLost, "apply", reduce)


# -- copies, JSON, saves ---------------------------------------------------------------------------------------------------


@bug("copies-share", "A copy of a state shares what can be changed in it.", likely=("copies-are-independent", "undo-goes-back"))
def _(patch: Patch, parts: Parts) -> None:
    def copy(original: Any, self: State) -> State:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    patch.wrap(State, "copy", copy)


@bug("copies-share-layout", "A unit that moves in a copy moves in the layout of the original.", HEXES,
     likely=("copies-are-independent", "derived-is-right"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Layout, "own", lambda original, self: self)


@bug("copies-share-log", "A copy of a game writes into the log of the original.", likely="copies-are-independent")
def _(patch: Patch, parts: Parts) -> None:
    def copy(original: Any, self: Game) -> Game:
        twin: Game = original(self)
        twin._log = self._log
        return twin

    patch.wrap(Game, "copy", copy)


@bug("json-drops-a-field", "The JSON form of a state does not say which phase it is.", likely="states-are-values")
def _(patch: Patch, parts: Parts) -> None:
    def to_json(original: Any, self: State) -> Any:
        return {name: value for name, value in original(self).items() if name != "phase"}

    patch.wrap(State, "to_json", to_json)


@bug(
    "json-shortens-records",
    "The JSON form of actions and steps lacks their last field.",
    likely=("json-is-exact", "reprs-evaluate"),
)
def _(patch: Patch, parts: Parts) -> None:
    def to_json(original: Any, self: Record) -> Any:
        data = original(self)
        return dict(list(data.items())[:-1]) if len(data) > 2 else data

    patch.wrap(Record, "to_json", to_json)


@bug("save-loses-a-move", "A saved game lacks its last action.", likely="saves-carry-everything")
def _(patch: Patch, parts: Parts) -> None:
    def write(original: Any, game: Game, path: Any) -> None:
        twin = game.copy()
        if twin.history:
            twin.history.pop()
        original(twin, path)

    patch.wrap(hexwar.engine.save, "write_save", write)


# -- undo ------------------------------------------------------------------------------------------------------------------


@bug("undo-crosses-dice", "A roll can be taken back.", likely="undo-goes-back")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Game, "_is_barrier", lambda original, self, before, play: False)


@bug("undo-keeps-the-log", "What was taken back stays in the log.", likely="undo-goes-back")
def _(patch: Patch, parts: Parts) -> None:
    def undo(original: Any, self: Game, side: str | None = None) -> Action:
        log = list(self._log)
        taken: Action = original(self, side)
        self._log[:] = log
        return taken

    patch.wrap(Game, "undo", undo)


@bug("undo-by-anybody", "A side can take back what another one did.", likely="undo-goes-back")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Game, "undo", lambda original, self, side=None: original(self, None))


@bug("undo-keeps-the-state", "Undo forgets the action, but not what it did.", likely="undo-goes-back")
def _(patch: Patch, parts: Parts) -> None:
    def undo(original: Any, self: Game, side: str | None = None) -> Action:
        state = self.state
        taken: Action = original(self, side)
        self.state = state
        return taken

    patch.wrap(Game, "undo", undo)


# -- dice ------------------------------------------------------------------------------------------------------------------


@bug("dice-are-loaded", "The lowest outcome often becomes the highest.", likely="dice-are-fair")
def _(patch: Patch, parts: Parts) -> None:
    def draw(original: Any, self: SeededChance, counter: int, size: int) -> int:
        outcome: int = original(self, counter, size)
        return size - 1 if outcome == 0 and counter % 3 == 0 else outcome

    patch.wrap(SeededChance, "draw", draw)


@bug("dice-come-in-pairs", "Every outcome comes twice in a row.", likely="dice-are-fair")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(SeededChance, "draw", lambda original, self, counter, size: original(self, counter // 2, size))


@bug("dice-from-nowhere", "Dice come from Python's own generator, and not from the seed.", likely="replays-agree")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(SeededChance, "draw", lambda original, self, counter, size: random.randrange(size))


@bug("dice-by-hash", "Dice come from the hash of a text, which is another in each process.", likely="same-everywhere")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(SeededChance, "draw", lambda original, self, counter, size: hash(f"{self.seed}|{counter}") % size)


@bug("draws-are-not-counted", "A blind draw is not counted, so that the next one is the same.", likely="dice-are-fair")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(LotDrawn, "apply", lambda original, self, state: None)


@bug("first-lot-is-drawn", "Whatever lot is drawn, the first one is given.", likely=("dice-are-fair", "chits-are-kept"))
def _(patch: Patch, parts: Parts) -> None:
    def draw(original: Any, self: Play, purpose: str, lots: Sequence[Any], *, clause: str) -> Any:
        original(self, purpose, lots, clause=clause)
        return lots[0]

    patch.wrap(Play, "draw", draw)
