"""Looks for a position in which a mistake shows: the rules as they are and those with the mistake, side by side.

Two processes have one version each. The first plays on from positions of the kit (drills, staged games, the beginnings of games
with options in pairs), steering to where the line of the mistake runs; wherever it ran, both look at the same position and do the
same. What they tell is compared: offers, refusals, events, the state, views and answers. The first position in which that
differs is cut down and written as a draft of a drill, with the answer of the rules as they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hexwar.engine import Chance, Game, TapedChance, plain
from hexwar.errors import HexwarError
from hexwar.plugins import use_plugins
from hexwar.testing._checks.corpus import near
from hexwar.testing._mutants.drafts import AFTER, BEFORE, Told, drill_text, moments
from hexwar.testing._mutants.lines_run import Lines, end_with
from hexwar.testing._running.secrecy import questions
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import in_words
from hexwar.testing._shrinking.smallest import Document, Reduction, documents
from hexwar.testing._staging.combinations import settings
from hexwar.testing._staging.dice import Dice, RecordedDice
from hexwar.testing._staging.random_play import SeatAction, choose, is_offered
from hexwar.testing.drills import DrillBook, Table, begun, decided, listed, merged, played
from hexwar.testing.oracles import Staging

ANSWERS = 6
"""Questions that are asked at each look."""
NEAR = 3
"""Offers whose neighbours are tried at each look."""
SEATS = 2
TRIES = 3
"""Decisions of which the one that runs the line is taken."""
STAGED, OPENINGS, LONG = 40, 2, 40
"""Staged positions; games of each scenario; the decisions of each of them."""
TAIL = 6
"""Decisions after a position in which the line ran."""
KEPT = 60
"""Positions from which other games are begun."""
REDUCED = 250
"""Positions that are tried in cutting one down."""
WHAT = "to be confirmed: so the rules have it"
PATIENCE = 20.0
"""Seconds of the clock after which the rules with the mistake have made something endless."""


# -- what both tell ----------------------------------------------------------------------------------------------------


class Room:
    """Where positions are set up and looked at; both processes have one.

    Args:
        subject: the ruleset.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.book = subject.kit.capability(DrillBook) or DrillBook()
        self.known: dict[str, Game] = {}

    def begun(self, table: Table, chance: Chance) -> Game:
        """A game that stands in a position."""
        return begun(self.subject, self.book, table, self.known, chance)

    def observed(self, game: Game, number: int, decision: Sequence[Any] | None) -> Told:
        """What can be learned of a position, and of what is decided in it; the game is played on."""
        seats, asked = list(game.world.seats), list(game.to_move)[:SEATS]
        offers = {seat: game.legal_actions(seat) for seat in asked}
        told: dict[str, Any] = {"offers": {seat: [action.to_json() for action in offers[seat]] for seat in asked}}
        some = {seat: offers[seat][:: -(-len(offers[seat]) // NEAR) or 1] for seat in asked}
        tries = [(seat, other) for seat in asked for one in some[seat] for other in near(game, one)]
        reasons = [(seat, action.to_json(), game.why_not(action, seat)) for seat, action in tries]
        told["refusals"] = [[*what, reason and [str(reason.code), reason.clause]] for *what, reason in reasons]
        if decision is not None:
            since = len(game.events)
            game.apply(game.ruleset.parse_action(decision[1]), decision[0])
            told["state"] = _state(game)
            told["events"] = [event.to_json() for event in game.events[since:]]
            told["heard"] = {seat: [event.kind for event in game.log(seat, since)] for seat in seats}
            told["undo"] = {seat: game.may_undo(seat) for seat in seats}
        told["answers"] = _answers(game, number)
        told["views"] = {seat: game.view(seat).state.to_json() for seat in seats[:SEATS]}
        return told


def _state(game: Game) -> dict[str, Any]:
    data = game.state.to_json()
    return {**{name: value for name, value in data.items() if name != "draws"}, "asked": list(game.to_move)}


def _answers(game: Game, number: int) -> list[Any]:
    """Some questions to the query, others at the next look."""
    found = []
    asked = sorted(questions(game.view(next(iter(game.world.seats))), random.Random(number)))
    for name, arguments in (asked * 2)[number * ANSWERS % max(1, len(asked)) :][:ANSWERS]:
        try:
            answer = getattr(game.query, name)(*arguments)
            found.append([name, arguments, plain(answer)])
        except HexwarError as error:
            found.append([name, arguments, type(error).__name__])
        except TypeError:  # no value that could be written down
            found.append([name, arguments, repr(answer)])
    return found


def _hash(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()


def _hashes(told: Told) -> dict[str, str]:
    return {channel: _hash(value) for channel, value in told.items()}


# -- the rules with the mistake ----------------------------------------------------------------------------------------


class Twin:
    """The other process, which has the mistake.

    Args:
        order: what `searched` got.
    """

    def __init__(self, order: Mapping[str, Any]) -> None:
        ours, theirs = socket.socketpair()
        self._child = os.fork()
        if not self._child:
            ours.close()
            try:
                with theirs.makefile("rw", encoding="utf-8") as pipe:
                    _serve(order, pipe)
            finally:
                os._exit(0)
        theirs.close()
        self._socket = ours
        self._pipe = ours.makefile("rw", encoding="utf-8")

    def ask(self, what: str, *arguments: Any) -> Any:
        """What it says; `{"error": ...}` if the rules fail there or do not end."""
        try:
            print(json.dumps([what, *arguments]), file=self._pipe, flush=True)
            ready = select.select([self._socket], [], [], PATIENCE)[0]
            line = self._pipe.readline() if ready else ""
        except OSError:
            line = ""
        return json.loads(line) if line else {"error": "it does not end"}

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            os.kill(self._child, 9)
        os.waitpid(self._child, 0)
        self._socket.close()


def _serve(order: Mapping[str, Any], pipe: Any) -> None:
    end_with(os.getppid())
    room: Room | None = None
    for line in pipe:
        what, *arguments = json.loads(line)
        try:
            room = room or Room(Subject.of(order["ruleset"]))
            answer = _answer(room, what, arguments)
        except Exception as error:
            answer = {"error": in_words(error)[:400]}
        print(json.dumps(answer, default=str), file=pipe, flush=True)


def _answer(room: Room, what: str, arguments: Sequence[Any]) -> Any:
    if what == "drill":
        return played(room.subject, room.book, arguments[0], room.known)
    table, tape, number, decision, hashes = arguments
    told = room.observed(room.begun(table, TapedChance(RecordedDice(tape))), number, decision)
    return {channel: value for channel, value in told.items() if _hash(value) != hashes.get(channel)}


# -- the rules as they are ---------------------------------------------------------------------------------------------


def searched(order: Mapping[str, Any]) -> dict[str, Any]:
    """Look for a position in which a mistake shows.

    Args:
        order: `ruleset`, `mistake` (file and span), `clauses`, `seed`, `effort` (how many decisions are made), and where all is.
    """
    begun_at = time.process_time()
    twin = Twin(order)
    try:
        sys.path.remove(order["overlay"])
        os.environ["HEXWAR_PLUGIN_FILE"] = os.pathsep.join(order["originals"])
        use_plugins(None)
        lines = [Lines(root, order["mistake"]["file"]) for root in order["roots"]]
        search = _Search(order, twin, lambda: [each.run_lines() for each in lines], lambda: [each.begin() for each in lines])
        found = search.run()
    finally:
        twin.close()
    return {**found, "cpu": round(time.process_time() - begun_at, 1)}


class _Found(Exception):
    """A position shows the mistake."""


class _Search:
    """One search; nothing in it depends on time.

    Args:
        order: see `searched`.
        twin: the rules with the mistake.
        lines: what was run since it was forgotten.
        forget: forget it.
    """

    def __init__(
        self, order: Mapping[str, Any], twin: Twin, lines: Callable[[], Sequence[Any]], forget: Callable[[], object]
    ) -> None:
        self._order, self._twin, self._lines, self._forget = order, twin, lines, forget
        self._span = range(order["mistake"]["span"][0], order["mistake"]["span"][1] + 1)
        self._forget()
        self._room = Room(Subject.of(order["ruleset"]))
        self._everywhere = not order["mistake"]["file"].endswith(".py") or self._ran()
        """Whether the line is run once and for all, so that what it does may show anywhere."""
        self._left: int = order["effort"]
        self._pool: list[Table] = []
        self._compared = 0
        self._draft: tuple[Table, str] | None = None
        self._shown = ""

    def run(self) -> dict[str, Any]:
        """`draft` (TOML), what the rules with the mistake say to it, and how often both were compared."""
        with contextlib.suppress(_Found):
            for play in (self._drills, self._staged, self._openings, self._again):
                play()
        told: dict[str, Any] = {"draft": "", "says": "", "shown": self._shown, "compared": self._compared}
        told["decisions"] = self._order["effort"] - self._left
        if self._draft is not None:
            drill, says = self._draft
            told |= {"draft": drill_text(drill, ()), "says": says}
        return told

    def _ran(self) -> bool:
        file = self._order["mistake"]["file"]
        return any(line in self._span for told in self._lines() for line in told.get(file, ()))

    # -- playing --------------------------------------------------------------------------------------------------------------

    def _drills(self) -> None:
        """The positions that the author made, those of the clause first."""
        own = set(self._order["clauses"])
        for drill in sorted(self._room.book.drills, key=lambda drill: drill["clause"] not in own):
            for number, case in enumerate(drill.get("case", [{}])):
                table = merged(drill, case)
                with contextlib.suppress(HexwarError):
                    self._play(table, f"{drill['what']}|{number}", TAIL, script=True)

    def _staged(self) -> None:
        """Staged positions, with options in pairs."""
        subject = self._room.subject
        staging = subject.kit.capability(Staging)
        scenarios = [subject.scenario] * (STAGED if staging else 0)
        for number, setting in enumerate(settings(subject, scenarios, self._order["seed"])):
            key = f"{self._order['seed']}|witness|{number}"
            with contextlib.suppress(HexwarError):
                assert staging is not None
                game = staging.stage(replace(setting, seats=subject.seats), key)
                self._play(self._place(game), key, LONG)

    def _openings(self) -> None:
        """The beginnings of games with options in pairs."""
        subject = self._room.subject
        scenarios = [scenario.id for scenario in subject.info.playable for _ in range(OPENINGS)]
        for number, setting in enumerate(settings(subject, scenarios, self._order["seed"])):
            table = {"scenario": setting.scenario, "options": dict(setting.options), "new": True}
            table |= {"seats": setting.seats} if setting.seats else {}
            with contextlib.suppress(HexwarError):
                self._play(table, f"opening|{number}", LONG)

    def _again(self) -> None:
        """Other games from where the line ran."""
        number = 0
        while self._pool and self._left > 0:
            number += 1
            self._play(self._pool[number % len(self._pool)], f"again|{number}", TAIL)

    def _place(self, game: Game) -> Table:
        """The world of a game whose seats are its sides, and the position."""
        setup = game.world.setup
        place = {"scenario": setup.scenario, "options": {name: value for name, value in setup.options.items() if value}}
        return {**place, **_whole(game)}

    def _play(self, table: Table, key: str, length: int, *, script: bool = False) -> None:
        """Play on from a position; as long as the line does not run, not for long."""
        place = {name: table[name] for name in ("scenario", "options", "seats", "board") if name in table}
        chance, ran = random.Random(f"{self._order['seed']}|{key}"), False
        if table.get("new"):
            setting = Subject.of(self._room.subject.ruleset, table.get("scenario"), table.get("options"), table.get("seats"))
            game = setting.start(f"{self._order['seed']}|{key}")
        else:
            game = begun(self._room.subject, self._room.book, {**table, "dice": None}, self._room.known)
        scripted = list(_script(table)) if script else []
        for number in range(len(scripted) + length):
            if not game.to_move or self._left <= 0 or (script and number > len(scripted) and not ran):
                return
            decision = self._decision(game, scripted[number] if number < len(scripted) else None, chance)
            if decision is None:
                return
            position = {**place, **_whole(game)}
            game, here = self._step(position, decision, chance, number)
            if here and not ran and len(self._pool) < KEPT:
                self._pool.append(position)
            ran |= here

    def _decision(self, game: Game, scripted: Any, chance: random.Random) -> SeatAction | None:
        if scripted is not None:
            what, by = scripted
            action = decided(game, what, by)
            seat = by or game.to_move[0]
            return (seat, action) if is_offered(game, seat, action) else None
        tried = [choose(game, chance) for _ in range(1 if self._everywhere else TRIES)]
        for seat, action in tried[1:]:
            self._forget()
            with contextlib.suppress(HexwarError):
                game.copy().apply(action, seat)
            if self._ran():
                return seat, action
        return tried[0]

    def _step(self, table: Table, decision: SeatAction, chance: random.Random, number: int) -> tuple[Game, bool]:
        """Decide something in a position; both are compared if the line ran."""
        self._left -= 1
        self._forget()
        dice = Dice(chance)
        game = self._room.begun(table, TapedChance(dice))
        data = decision[0], decision[1].to_json()
        told = self._room.observed(game, number, data)
        ran = self._everywhere or self._ran()
        if ran:
            self._compared += 1
            if self._twin.ask("look", table, dice.rolled, number, data, _hashes(told)):
                self._settle(table, list(dice.rolled), number, data)
        return game, ran

    # -- a difference ---------------------------------------------------------------------------------------------------------

    def begun(self, table: Table, tape: Sequence[int]) -> Game:
        """A game with the rules as they are."""
        return self._room.begun(table, TapedChance(RecordedDice(tape)))

    def differ(self, table: Table, tape: Sequence[int], number: int, decision: Any) -> tuple[Told, Told]:
        """What the rules tell of a position as they are, and with the mistake where that is another."""
        told = self._room.observed(self.begun(table, tape), number, decision)
        return told, self._twin.ask("look", table, tape, number, decision, _hashes(told))

    def _settle(self, table: Table, tape: list[int], number: int, decision: Any) -> None:
        """Cut a position down, and write the draft of a drill."""
        game = self.begun(table, tape)
        place = {name: value for name, value in table.items() if name not in ("units", "state", "stack")}
        for what in (None, decision):
            for form in documents(game.ruleset, game.world, game.first_state):
                _, other = self.differ({**place, **form}, tape, number, what)
                if not other:
                    continue
                self._shown = self._shown or ", ".join(sorted(other))
                small = _Smaller(self, place, game, (tape, number, what), set(other))
                small.reduce(form)
                for document in (small.best, form):
                    self._drafted({**place, **document}, tape, what, *self.differ({**place, **document}, tape, number, what))
                break

    def _drafted(self, table: Table, tape: Sequence[int], decision: Any, told: Told, other: Told) -> None:
        """Write a draft that holds as the rules are and not with the mistake.

        Raises:
            _Found: it is written.
        """
        cited = [event.get("clause") for event in told.get("events", ())]
        clause = next(filter(None, (*self._order["clauses"], *cited)), "")
        for moment in moments(told, other, decision):
            drill = {"clause": clause, "what": WHAT, **{name: value for name, value in table.items() if value}, **moment}
            drill |= {"dice": [f"lot {outcome}" for outcome in tape]} if tape and "do" in moment else {}
            if played(self._room.subject, self._room.book, drill, self._room.known):
                continue
            says = self._twin.ask("drill", drill)
            if says:
                self._draft = drill, says if isinstance(says, str) else says["error"]
                raise _Found


class _Smaller(Reduction):
    """Cuts a position down in which two versions of the rules differ."""

    def __init__(self, search: _Search, place: Table, game: Game, looked: Sequence[Any], channels: set[str]) -> None:
        super().__init__(game.ruleset, game.world, ())
        self._search, self._place, self._looked = search, place, looked
        self._channels = {next(channel for channel in (*BEFORE, *AFTER, "error") if channel in channels)}
        self._broken = self.invariants(game)
        self._left = REDUCED

    def has_time(self) -> bool:
        """See `Reduction.has_time`: a number of trials, so that it is the same everywhere."""
        return self._left > 0

    def shows(self, document: Document) -> bool:
        """See `Reduction.shows`."""
        self._left -= 1
        table = {**self._place, **document}
        try:
            if not self.is_sane(self._search.begun(table, self._looked[0]), document):
                return False
            return bool(self._channels & self._search.differ(table, *self._looked)[1].keys())
        except Exception:
            return False  # no position of the game


def _whole(game: Game) -> Document:
    *_, whole = documents(game.ruleset, game.world, game.state)
    return whole


def _script(table: Table) -> Iterator[tuple[Any, str]]:
    """What is decided in a drill, and by whom."""
    for moment in (table, *table.get("play", ())):
        for what in listed(moment.get("do", ())):
            yield what, moment.get("by", "")
