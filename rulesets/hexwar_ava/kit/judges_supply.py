"""Judges of what the turn brings: supply checks (11, 14.1, 16.2.3, 18.2.5), reinforcements (12, 15.3, 15.4) and victory (16)."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from hexwar.engine import Event, Game, GameEnded, PhaseEntered
from hexwar.engine.events import StepPushed
from hexwar.mechanics import Arriving, CupFilled, Entering, StepLost, UnitEliminated, UnitPlaced
from hexwar.mechanics.arrival import Arrive
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.kit import reference as ref
from hexwar_ava.kit.witness import Judge
from hexwar_ava.state import FortressBuilt, StoodDown, UnitWithdrawn
from hexwar_ava.supply import StandDown, StandingDown, Withdraw, Withdrawing

Subjects = Mapping[type[Event], Callable[[Any], None]]
SUPPLY_LOSS = "11.1.1"
NEEDED = {
    "training": (12, "16.4.2"),
    "leningrad": (54, "18.1.15"),
    "smolensk": (85, "18.2.8"),
    "smolensk-short": (60, "18.2.7"),
    "kiev": (52, "18.3.6"),
    "campaign": (191, "16.4.2"),
}
"""Scenario -> the points with which the Axis wins, and the clause on that."""
LAST_TURN = {"training": 4, "smolensk-short": 6}
"""5.0.2, 18.2.7: the last turn where it is not the ninth."""
FORTRESSES = {"training": (2, 1, 1), "leningrad": (4, 3, 1), "kiev": (4, 3, 1), "campaign": (4, 6, 2)}
"""14.0.1, 14.1.1, 14.1.4, 18.1.5, 18.3.4: from which turn, in how many hexes, and how many levels a check."""
ORDER = ("Soviet losses", "Axis losses", "units that leave", "units into the box", "fortresses", "Stand Fast markers")
"""11.0.1."""


class Supply(Judge):
    """11.0: one thing after the other, and exactly what the rules say."""

    topic: ClassVar[str] = "supply"

    def begin(self, game: Game) -> None:
        """See `Judge.begin`."""
        self._stage = -1
        """Of `ORDER`; -1 outside a check."""
        self._unsupplied: set[str] = set()
        self._judged = -1
        """The last stage of losses for which it is known who has no line."""
        self._levels = 0
        self._stood_down = 0
        self._gone = 0
        """18.2.5: the attack points that have left."""

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {
            PhaseEntered: self._phase,
            GameEnded: self._ends,
            StepLost: self._lost,
            UnitEliminated: self._lost,
            UnitWithdrawn: self._withdrawn,
            FortressBuilt: self._built,
            StoodDown: self._stands_down,
        }

    def _phase(self, event: PhaseEntered) -> None:
        self._finish()
        if event.phase == "activation" and self.books.chit == "supply":
            self.books.seen["supply check"] += 1
            self._stage, self._judged, self._levels, self._stood_down, self._gone = 0, -1, 0, 0, 0
            self._judge(0)

    def _ends(self, event: GameEnded) -> None:
        self._finish()

    def _finish(self) -> None:
        """A check is over."""
        if self._stage < 0:
            return
        self._reach(5)
        self._owed()
        self._stage = -1

    def _owed(self) -> None:
        """18.2.5: the units that leave have left, before any goes into the box."""
        books = self.books
        if books.turn == 6 and books.scenario.startswith("smolensk"):  # 18.2.5
            left = [piece.id for piece in books.ground.field.on_map() if piece.side == "axis" and piece.is_mechanized]
            self.expect(self._gone >= 18 or not left, "18.2.5", f"units with {self._gone} attack points leave, not with 18")

    def _judge(self, stage: int) -> None:
        """11.1.1, 14.2.4, 15.1.4: who has no line, before anybody of the side loses a step."""
        books, side = self.books, ("soviet", "axis")[stage]
        self._judged = stage
        begins = books.entry.axis_supply_from or 4
        if side == "axis" and books.turn < begins:
            self._unsupplied = set()
            return
        line = books.lines(side)
        pieces = books.ground.field.on_map()
        self._unsupplied = {p.id for p in pieces if p.side == side and not p.is_fortress and p.at not in line}
        books.seen["unsupplied"] += len(self._unsupplied)

    def _reach(self, stage: int) -> None:
        """Go on to a stage: what the stages before it demand has happened."""
        self.expect(stage >= self._stage, "11.0.1", f"{ORDER[stage]} after {ORDER[self._stage]}")
        while self._judged < min(stage, 2):
            left = sorted(self._unsupplied)
            self.expect(not left, "11.1.1", f"{left[:3]} have no line and should have lost a step")
            self._unsupplied = set()
            if self._judged >= 1:
                self._judged = 2
                break
            self._judge(self._judged + 1)
            if self._judged == stage:
                break
        self._stage = max(stage, self._stage)

    def _lost(self, event: StepLost | UnitEliminated) -> None:
        if event.clause != SUPPLY_LOSS:
            return
        if not self.expect(self._stage >= 0, "11.1.1", f"{event} without a supply check"):
            return
        stage = 0 if self.books.side(event.unit) == "soviet" else 1
        self._reach(stage)
        right = event.unit in self._unsupplied
        self.expect(right, "11.1.1", f"{event.unit} loses a step, and it has a line, or need not check, or has lost one already")
        self._unsupplied.discard(event.unit)

    def _withdrawn(self, event: UnitWithdrawn) -> None:
        books = self.books
        side, piece = books.side(event.unit), books.ground.field.pieces[event.unit]
        if self._stage < 0:
            comes = piece.at == f"turn {books.turn}" and event.to == f"{side} available"
            allowed = side == "axis" or books.options.get("relocation")
            self.expect(comes and allowed and books.phase == "end", "5.0.8", f"{event} from {piece.at}")
            return
        if event.to == "axis available":
            self._reach(3)
            self._owed()
            self.expect(side == "axis" and books.on_map(event.unit), "11.2.1", f"{event} from {piece.at}")
            self.expect(piece.at in books.lines("axis"), "11.2.2", f"{event} without a line")
            return
        self._reach(2)
        due = books.scenario.startswith("smolensk") and books.turn == 6 and self._gone < 18
        right = due and side == "axis" and piece.is_mechanized and event.to == "axis eliminated" and books.on_map(event.unit)
        self.expect(right, "18.2.5", f"{event} when {self._gone} attack points have left")
        self._gone += piece.attack

    # -- 14.1 fortresses ---------------------------------------------------------------------------------------------------------

    def _may_build(self, label: str) -> bool:
        books, ground = self.books, self.books.ground
        begins, hexes, levels = FORTRESSES.get(books.scenario, (99, 0, 0))
        forts = {piece.at: piece for piece in ground.field.on_map() if piece.is_fortress}
        built = [at for at, piece in forts.items() if "set-up" not in books.world.units[piece.id].tags]
        waiting = [unit for unit in books.boxed("fortress markers") if books.world.units[unit].sheet == label[0]]
        return (
            books.turn >= begins
            and self._levels < levels
            and books.field.cities.get(label) == "major-city"
            and books.control[label] == "soviet"
            and not set(books.field.near[label]) & ground.held["axis"]
            and (forts[label].steps < 2 if label in forts else len(built) < hexes and bool(waiting))
            and label in books.lines("soviet")
        )

    def _built(self, event: FortressBuilt) -> None:
        books = self.books
        books.seen["fortress"] += 1
        if not self.expect(self._stage >= 0, "14.1.1", f"{event} without a supply check"):
            return
        self._reach(4)
        self.expect(self._may_build(event.hex), "14.1.2", f"a fortress level is built in {event.hex}, which is not allowed")
        there = books.at[event.marker] == event.hex
        level = books.steps[event.marker] + 1 if there else 1
        self.expect(event.level == level <= 2, "14.1.5", f"{event}, and it should have {level}")
        self.expect(books.world.units[event.marker].sheet == event.hex[0], "2.2.17", f"{event.marker} is used in {event.hex}")
        self._levels += 1

    # -- 16.2.3 Stand Fast -------------------------------------------------------------------------------------------------------

    def _may_stand_down(self, label: str) -> bool:
        books = self.books
        right = books.turn >= 6 and label in books.stand_fast and books.control[label] == "soviet" and not self._stood_down
        return right and label in books.lines("soviet")

    def _stands_down(self, event: StoodDown) -> None:
        self._reach(5)
        self.expect(self._may_stand_down(event.hex), "16.2.3", f"{event} in turn {self.books.turn}, which is not allowed")
        self._stood_down += 1

    def rest(self, game: Game) -> None:
        """What is offered in a check; the losses of both sides are over when anybody is asked."""
        if self._stage < 0:
            return
        if game.to_move:
            self._reach(max(2, self._stage))
        step = game.state.stack[-1] if game.state.stack else None
        books = self.books
        if isinstance(step, Withdrawing) and books.samples(f"withdrawing {len(game.history)}"):
            offered = {action.unit for action in game.legal_actions(step.seat) if isinstance(action, Withdraw)}
            line = books.lines("axis")
            may = {piece.id for piece in books.ground.field.on_map() if piece.side == "axis" and piece.at in line}
            wrong = sorted(offered ^ may)
            self.expect(not wrong, "11.2.2", f"{wrong[:3]}: whether they may be taken off the map")
        elif isinstance(step, Building):
            built = {action.hex for action in game.legal_actions(step.seat) if isinstance(action, Build)}
            expected = {label for label in books.field.cities if self._may_build(label)}
            self.expect(built == expected, "14.1.2", f"levels may be built in {sorted(expected)} and not in {sorted(built)}")
        elif isinstance(step, StandingDown):
            removed = {action.hex for action in game.legal_actions(step.seat) if isinstance(action, StandDown)}
            expected = {label for label in books.stand_fast if self._may_stand_down(label)}
            self.expect(removed == expected, "16.2.3", f"markers may go from {sorted(expected)} and not from {sorted(removed)}")


class Reinforcements(Judge):
    """5.0.8, 12.0, 15.3, 15.4, 18.1.8: who comes, when, where and how many."""

    topic: ClassVar[str] = "reinforcements"

    def begin(self, game: Game) -> None:
        """See `Judge.begin`."""
        self._come: Multiset[str] = Multiset()
        """How many have come with the chit: of each nation, and as the strategic reserve."""

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {PhaseEntered: self._phase, UnitPlaced: self._placed, CupFilled: self._filled, StepPushed: self._pushed}

    def _phase(self, event: PhaseEntered) -> None:
        self._come.clear()

    def _filled(self, event: CupFilled) -> None:
        """5.0.8: nobody of the Axis waits on a space that the marker has reached."""
        late = [u for n in range(1, self.books.turn + 1) for u in self.books.boxed(f"turn {n}") if self.books.side(u) == "axis"]
        self.expect(not late, "5.0.8", f"{late} still wait on the turn track")

    def number(self, nation: str) -> int:
        """12.2.1: how many units of a nation come this turn."""
        numbers: Mapping[str, list[int]] = ref.PRINTED.track.track[self.books.entry.track].reinforcements  # type: ignore[assignment]
        return numbers[nation][self.books.turn - 1]

    def _open_to(self, unit: str) -> set[str]:
        """12.1: where a unit may be placed."""
        ground, field = self.books.ground, self.books.field
        piece = ground.field.pieces[unit]
        return {
            label
            for label in ref.rail_lines(ground, piece.side)
            if ground.has_room(label) and any(not ref.is_closed(field, piece, near, label) for near in field.near[label])
        }

    def _entries(self) -> set[str]:
        """15.3.2: the Soviet sources on the east edge."""
        board, field = self.books.world.board, self.books.field

        def column(label: str) -> int:
            return int(label[-4:-2])

        eastern = {s for s in field.sources["soviet"] if not any(column(near) > column(s) for near in board.neighbours(s))}
        return eastern - self.books.ground.held["axis"]

    def _placed(self, event: UnitPlaced) -> None:
        books = self.books
        if books.phase == "set-up" or event.location not in books.field.terrain:
            return
        books.seen["arrival"] += 1
        side, here = books.side(event.unit), books.at[event.unit]
        chit = ref.PRINTED.chits.get(books.chit)
        if event.clause.startswith("15.3"):
            self.expect(here == "turn 3" and books.chit == "su-19a" and books.turn >= 3, "15.3.1", f"{event} from {here}")
            entries = {books.entry_hex} if books.entry_hex in self._entries() else self._entries()
            self.expect(event.location in entries, "15.3.2", f"{event}, and the army enters through {sorted(entries)}")
            return
        right = chit is not None and chit.kind == "reinforcements" and chit.side == side
        self.expect(right, "12.0.1", f"{event} with the chit {books.chit}")
        self.expect(here == f"{side} available", "12.2.1", f"{event} from {here}")
        if event.clause.startswith("15.4"):
            self._come["reserve"] += 1
            limit = {"campaign": 12, "smolensk": 6, "smolensk-short": 6}.get(books.scenario, 0) if books.turn >= 6 else 0
            self.expect(self._come["reserve"] <= limit, "15.4.1", f"{event} as number {self._come['reserve']} of the reserve")
            self.expect(event.location in books.field.moscow, "15.4.2", f"{event}, which is no hex from Moscow")
            return
        self.expect(event.location in self._open_to(event.unit), "12.1.3", f"{event}, where it may not be placed")
        begins = books.entry.reinforcements_from or 4
        self.expect(books.turn >= begins, "12.0.1", f"{event} in turn {books.turn}")
        if event.clause == "18.1.8":
            start = books.world.units[event.unit].start
            self.expect(start == "turn 7" and books.turn == 7, "18.1.8", f"{event} beyond the number")
        elif event.clause != "17.3.2":
            nation = books.world.units[event.unit].nation
            self._come[nation] += 1
            self.expect(
                self._come[nation] <= self.number(nation), "12.2.1", f"{event} as number {self._come[nation]} of its nation"
            )

    def _pushed(self, event: StepPushed) -> None:
        step, books = event.step, self.books
        if isinstance(step, Arriving) and step.about == "arrival" and step.units and not books.options.get("relocation"):
            nation = books.world.units[step.units[0]].nation
            waiting = books.boxed(f"{books.side(step.units[0])} available")
            expected = {unit for unit in waiting if books.world.units[unit].nation == nation}
            self.expect(set(step.units) == expected, "12.2.1", f"{sorted(set(step.units) ^ expected)[:3]}: whether they may come")
            self.expect(
                step.limit == self.number(nation), "12.2.1", f"{step.limit} {nation} units may come, not {self.number(nation)}"
            )
        elif isinstance(step, Entering) and step.about == "entering":
            hexes = set(books.field.moscow)
            self.expect(set(step.hexes) == hexes, "15.4.2", f"the reserve enters at {sorted(hexes)} and not at {step.hexes}")

    def rest(self, game: Game) -> None:
        """Where one of those that may come is offered to come."""
        step = game.state.stack[-1] if game.state.stack else None
        if isinstance(step, Arriving) and self.books.samples(f"arrivals {len(game.history)}"):
            waiting = step.waiting(game.position)
            unit = waiting[len(game.history) % len(waiting)] if waiting else ""
            if unit:
                offered = {action.to for action in step.choices(game.position, unit) if isinstance(action, Arrive)}
                expected = self._open_to(unit)
                wrong = sorted(offered ^ expected)
                self.expect(not wrong, "12.1.3", f"{unit}: whether it may be placed in {wrong[:1]}")


class Score(Judge):
    """16.0, 18: the points at any time, when the game ends, and who has won."""

    topic: ClassVar[str] = "score"
    teams: ClassVar[bool] = True

    def begin(self, game: Game) -> None:
        """See `Judge.begin`."""
        self._bid = 0

    def hear(self, event: Event) -> None:
        """17.1.1: a bid takes the place of the scenario's points."""
        if event.kind == "axis-taken":
            self._bid = event.points  # type: ignore[attr-defined]
        super().hear(event)

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {GameEnded: self._ended}

    def points(self) -> int:
        """What the Axis would score now."""
        books = self.books
        return ref.victory_points(books.ground, books.control, books.stand_fast, books.scenario, books.lines("axis"))

    def _ended(self, event: GameEnded) -> None:
        books = self.books
        books.seen["verdict"] += 1
        points, (needed, clause) = self.points(), NEEDED[books.scenario]
        needed = self._bid or needed
        self.expect(event.result.scores == {"axis": points}, "16.1.1", f"the Axis scores {event.result.scores} and not {points}")
        winner = "axis" if points >= needed else "soviet"
        self.expect(event.result.winner == winner, clause, f"{event.result.winner} wins with {points} of {needed} points")
        last = LAST_TURN.get(books.scenario, 9)
        self.expect(books.turn == last, "5.0.2", f"the game ends in turn {books.turn} and not in turn {last}")
        if not books.world.teams.divided:
            whole = books.options.get("full-turns")
            right = books.phase == "verdict" if whole else books.chit == "supply"
            self.expect(right, "16.4.1", f"the game ends in the phase {books.phase}, after {books.chit}")

    def rest(self, game: Game) -> None:
        """The score that a player is told."""
        if self.books.samples(f"score {len(game.history)}", 24 if self.books.is_large else 3):
            told = sum(score.points for score in game.query.score() if score.side == "axis")
            self.expect(told == self.points(), "16.1.2", f"the Axis is told that it has {told} points and not {self.points()}")
            self.expect(all(score.side == "axis" for score in game.query.score()), "16.1.1", "only the Axis scores")
