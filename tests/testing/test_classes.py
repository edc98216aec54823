"""Every class of bugs that went through the checks once has a check that names it; these bugs were made after the checks.

docs/checks.md has the table of classes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterator
from threading import RLock
from typing import Any

import click
import pytest

import hexwar.engine._chance as chances
import hexwar.engine._gate as gate
import hexwar.engine._save as saves
import hexwar_ava.turn as ava_turn
import hexwar_ava.world as ava_world
import hexwar_tow.activation as tow_activation
import hexwar_tow.world as tow_world
from hexwar.board import CLOSED
from hexwar.bots import GreedyBot
from hexwar.engine import Game, Listed, Play, TapedChance, View
from hexwar.mechanics import Command, Layout, Movement, Reaches, occupant
from hexwar.mechanics._arrival import Entering, entry_price
from hexwar.pieces import Bidding, CupFilled, Done, Selecting, on_board
from hexwar.pieces._bidding import BidMade, BidSealed
from hexwar.pieces._chits import ChitSelected
from hexwar.table.session import Session
from hexwar.testing import BUDGETS, Mutant, Patch, SeatAction, Subject, check_ruleset, observe, planted
from hexwar.testing._checks import totals
from hexwar.testing._checks.flow import HeirsGetWhatIsLeft
from hexwar.testing._mutants.mutation import PLANTED
from hexwar_ava.activation import AvaCup
from hexwar_ava.chits import AvaSelection
from hexwar_ava.controller import ChitLaid
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.kit.boards import STAGING
from hexwar_ava.movement import AvaMovement
from hexwar_ava.reinforcements import ArmyEntering, AvaArrivals, entries
from hexwar_ava.supply import Relinquishing, Withdrawing
from hexwar_ava.teams import AvaTeams, pass_on
from hexwar_ava.victory import AvaVictory
from hexwar_bridgehead.ruleset import Bridgehead
from hexwar_bridgehead.staff import BridgeheadVictory
from hexwar_tow.bot import Marshal
from hexwar_tow.chits import TowSelection
from hexwar_tow.late_chits import SomeChitPutIn
from hexwar_tow.reinforcements import TowArrivals
from hexwar_tow.state import MarkerDrawn, SomeMarkerDrawn, TowState
from hexwar_tow.tables import Numbers
from hexwar_tow.victory import TowVictory
from hexwar_tow.world import TowWorld
from tests.engine import toy
from tests.plants import instead

CLASSES: list[tuple[str, str, str, Mutant]] = []
"""The class, the ruleset, the check that finds it, the bug."""


def bug(of: str, ruleset: str, check: str, what: str) -> Callable[[Callable[[Patch], Any]], Callable[[Patch], Any]]:
    def enter(plant: Callable[[Patch], Any]) -> Callable[[Patch], Any]:
        CLASSES.append((of, ruleset, check, Mutant(what.replace(" ", "-"), what, plant)))
        return plant

    return enter


# -- secrets ----------------------------------------------------------------------------------------------------------------


@bug("secret in one place", "toy", "undo-goes-back", "undo goes behind what was shown")
def _(patch: Patch) -> None:
    patch.wrap(Game, "_is_barrier", lambda original, self, before, play: play.state.draws != before.draws)


@bug("undo across a reveal", "bridgehead", "undo-goes-back", "a die that was rolled can be taken back")
def _(patch: Patch) -> None:
    patch.wrap(Game, "_is_barrier", lambda original, self, before, play: any(event.reveals for event in play.events))


@bug("secret in one place", "bridgehead", "hidden-content-does-not-show", "the picture notes the chits that wait in the cup")
def _(patch: Patch) -> None:
    """The view of a player is drawn from the true position."""
    true: list[Any] = []

    def view(original: Any, self: Any, side: str) -> View:
        true[:] = [self.state]
        return original(self, side)  # type: ignore[no-any-return]

    def picture(original: Any, self: Any, at: Any) -> Any:
        shown = original(self, at)
        return dataclasses.replace(shown, notes=(*shown.notes, f"next: {sorted(true[0].cup)[:1]}" if true else ""))

    patch.wrap(Game, "view", view)
    patch.wrap(Bridgehead, "picture", picture)


@bug("secret in the log", "tow", "secret-draws-stay-secret", "the Soviets hear which Luftwaffe marker was drawn")
def _(patch: Patch) -> None:
    def told(original: Any, self: Any) -> Any:
        return SomeMarkerDrawn(f"{self.side} ({self.marker})", clause=self.clause)

    patch.wrap(MarkerDrawn, "outline", told)


@bug("secret in the log", "bridgehead", "known-games-agree", "a side hears of each chit that the other selects")
def _(patch: Patch) -> None:
    patch.wrap(ChitSelected, "outline", lambda original, self: SomeChitPutIn(self.side, clause=self.clause))


@bug("secret in the log", "bridgehead", "secret-choices-stay-secret", "the public log has what any seat may know")
def _(patch: Patch) -> None:
    def log(original: Any, self: Any, side: str | None = None, since: int = 0) -> list[Any]:
        return original(self, side, since) if side else list(self.events[since:])

    patch.wrap(Game, "log", log)


@bug("a view forgets", "bridgehead", "views-remember", "a side forgets its own chits once they are in the cup")
def _(patch: Patch) -> None:
    def apply(original: Any, self: Any, state: Any) -> None:
        original(self, state)
        state.put_in = {}

    patch.wrap(CupFilled, "apply", apply)


@bug("a view forgets", "tow", "views-remember", "the Axis forgets which Luftwaffe markers it has drawn")
def _(patch: Patch) -> None:
    [markers] = [part for part in TowState._parts if part.name == "luftwaffe"]
    patch.set(markers, "sight", lambda value, viewer: {})


@bug("something is imagined that cannot be", "ava", "imagined-positions-fit", "a drawn chit is imagined in the cup once more")
def _(patch: Patch) -> None:
    patch.wrap(AvaCup, "lies_open", lambda original, self, at, viewer: ())


@bug("something is imagined that cannot be", "tow", "imagined-positions-fit", "the Axis is imagined without chits in hand")
def _(patch: Patch) -> None:
    patch.wrap(TowSelection, "held", lambda original, self, view, at, side, chance: ())


@bug("a bot knows a secret", "tow", "bots-ignore-secrets", "the bot of the game chooses by the chits in the cup")
@bug("a bot knows a secret", "bridgehead", "bots-ignore-secrets", "the greedy bot chooses by the chits in the cup")
def _(patch: Patch) -> None:
    """A view leads it to the true position."""
    true: list[Any] = []

    def view(original: Any, self: Any, side: str) -> View:
        true[:] = [self._state]
        return original(self, side)  # type: ignore[no-any-return]

    def choose(original: Any, self: Any, view: Any, chance: Any) -> Any:
        offered = view.legal_actions()
        return offered[sum(map(ord, "".join(true[0].cup))) % len(offered)] if true[0].cup else original(self, view, chance)

    patch.wrap(gate.Gate, "view", view)
    for bot in (GreedyBot, Marshal):
        patch.wrap(bot, "choose", choose)


@bug("a bid is seen", "ava", "secret-choices-stay-secret", "what the other side hears of a bid has the points")
def _(patch: Patch) -> None:
    patch.wrap(BidMade, "outline", lambda original, self: BidSealed(f"{self.side} ({self.points})", clause=self.clause))


@bug("a bid is seen", "tow", "hidden-content-does-not-show", "the second bid must be higher than the first")
def _(patch: Patch) -> None:
    def actions(original: Any, self: Any, at: Any, seat: str) -> Any:
        made = [int(points) for (points,) in at.state.sealed.values()]
        return Listed([bid for bid in original(self, at, seat) if bid.points > max(made, default=0)])

    patch.wrap(Bidding, "actions", actions)


@bug("the number of held chits", "ava", "chits-are-kept", "all hear how many chits were selected, not how many are in the cup")
def _(patch: Patch) -> None:
    def resume(original: Any, self: Any, play: Any) -> None:
        play.pop()
        count = 1 + sum(len(chits) for chosen in (play.state.selected, play.state.hand) for chits in chosen.values())
        play.emit(CupFilled(play.world.cup.common(play), count, clause=self.rule(play)))

    patch.wrap(Selecting, "resume", resume)


@bug("the number of held chits", "ava", "drills", "a side is asked whether it interrupts only if it holds a chit")
def _(patch: Patch) -> None:
    def may_hold(original: Any, self: Any, at: Any, side: str) -> list[str]:
        return [chit for chit in original(self, at, side) if chit in at.state.hand.get(side, ())]

    patch.wrap(AvaSelection, "may_hold", may_hold)


# -- options, many players ----------------------------------------------------------------------------------------------


@bug("options and many players", "ava", "known-games-agree", "the first player of a team decides for all of its units")
def _(patch: Patch) -> None:
    patch.wrap(AvaTeams, "_owner_of", lambda original, self, counter: self.world.seats_of(counter.side)[0])


@bug("options and many players", "ava", "known-games-agree", "a controller lays the chits face up")
def _(patch: Patch) -> None:
    patch.wrap(ChitLaid, "outline", lambda original, self: self)


@bug("options and many players", "ava", "team-chits-are-kept", "a chit in the row is in the cup as well")
def _(patch: Patch) -> None:
    def lay(original: Any, self: Any, state: Any) -> None:
        original(self, state)
        state.cup = (*state.cup, self.chit)

    patch.wrap(ChitLaid, "apply", lay)


# -- scenarios ----------------------------------------------------------------------------------------------------------------


@bug("scenario rules", "ava", "drills", "nobody asks for Zhukov")
def _(patch: Patch) -> None:
    def end(play: Any) -> None:
        end_activation(play)  # type: ignore[name-defined]  # noqa: F821
        play.push(EndingTurn())  # type: ignore[name-defined]  # noqa: F821

    instead(ava_turn.end_turn, end)(patch)


@bug("a question too late", "ava", "drills", "Zhukov is asked for when the next turn has begun")
def _(patch: Patch) -> None:
    def end(play: Any) -> None:
        end_activation(play)  # type: ignore[name-defined]  # noqa: F821
        if any(play.world.cup.may_hold(play, side) for side in play.world.sides):
            play.emit(HandsShown(clause="7.3.5"))  # type: ignore[name-defined]  # noqa: F821
        if play.state.city_reached and not play.state.zhukov:
            play.push(CallingZhukov(play.world.seat_for("soviet")))  # type: ignore[name-defined]  # noqa: F821
        play.push(EndingTurn())  # type: ignore[name-defined]  # noqa: F821

    instead(ava_turn.end_turn, end)(patch)


@bug("a question too late", "ava", "drills", "Zhukov is asked for again when he has taken command")
def _(patch: Patch) -> None:
    def end(play: Any) -> None:
        end_activation(play)  # type: ignore[name-defined]  # noqa: F821
        if any(play.world.cup.may_hold(play, side) for side in play.world.sides):
            play.emit(HandsShown(clause="7.3.5"))  # type: ignore[name-defined]  # noqa: F821
        play.push(EndingTurn())  # type: ignore[name-defined]  # noqa: F821
        if play.state.city_reached:
            play.push(CallingZhukov(play.world.seat_for("soviet")))  # type: ignore[name-defined]  # noqa: F821

    instead(ava_turn.end_turn, end)(patch)


@bug("scenario rules", "ava", "drills", "the transfer of turn 7 never comes")
def _(patch: Patch) -> None:
    def groups(original: Any, self: Any, at: Any, chit: Any) -> Any:
        return tuple(group for group in original(self, at, chit) if group.about != "arrival.transfer")

    patch.wrap(AvaArrivals, "groups", groups)


@bug("the Kremenchuk exception", "tow", "drills", "the town does not matter where two crossing points fall together")
def _(patch: Patch) -> None:
    def together(self: TowWorld) -> tuple[frozenset[str], int]:
        points = self.printed.markers.crossing_together.points
        return frozenset(points), self.board.mask([label for label in points if label in self.board])

    patch.set(TowWorld, "crossings_together", property(together))


@bug("the Kremenchuk exception", "tow", "drills", "crossing points near an empty town fall one by one")
def _(patch: Patch) -> None:
    patch.set(TowWorld, "crossings_together", property(lambda self: (frozenset(), 0)))


@bug("thresholds", "ava", "drills", "the points that a side needs are not enough")
def _(patch: Patch) -> None:
    def needed(original: Any, self: Any, at: Any) -> Any:
        return {side: (points + 1, clause) for side, (points, clause) in original(self, at).items()}

    patch.wrap(AvaVictory, "needed", needed)


@bug("thresholds", "tow", "drills", "a row of the track of crossing points is reached a point too late")
def _(patch: Patch) -> None:
    patch.wrap(Numbers, "given_by", lambda original, self, crossings: original(self, max(0, crossings - 1)))


@bug("what a withdrawal may give up", "ava", "drills", "a unit without a line goes into the box")
def _(patch: Patch) -> None:
    patch.set(
        Withdrawing, "able", lambda self, at: [unit for unit in on_board(at, "axis") if at.world.teams.owns(self.seat, unit)]
    )


@bug("what a withdrawal may give up", "ava", "drills", "infantry may be given up in place of mechanized units")
def _(patch: Patch) -> None:
    patch.set(Relinquishing, "able", lambda self, at: [*on_board(at, "axis")] if self.attack > 0 else [])


@bug("armies that enter", "ava", "drills", "an army enters through any source of its side")
def _(patch: Patch) -> None:
    def anywhere(original: Any, at: Any) -> Any:
        return tuple(label for label in at.world.supply.sources["soviet"] if occupant(at, label) != "axis")

    patch.everywhere(entries, anywhere)


@bug("armies that enter", "ava", "known-games-agree", "an army may leave units on the turn track")
def _(patch: Patch) -> None:
    patch.set(ArmyEntering, "stopping", Entering.stopping)
    patch.set(ArmyEntering, "may_stop", True)


@bug("a step skipped when a list is empty", "tow", "staged-games-agree", "where somebody is replaced, nobody else comes")
def _(patch: Patch) -> None:
    def groups(original: Any, self: Any, at: Any) -> Any:
        return () if any(self.world.units[unit].replacement for unit in self.called(at)) else original(self, at)

    patch.wrap(TowArrivals, "groups", groups)


@bug("a step skipped when a list is empty", "tow", "questions-are-asked", "nobody reacts when he holds nothing else")
def _(patch: Patch) -> None:
    def may_react(original: Any, at: Any) -> bool:
        return bool(original(at) and len(at.state.hand["axis"]) > 1)

    patch.everywhere(tow_activation.may_react, may_react)


@bug("a wrong clause with the right effect", "ava", "topics-fit-clauses", "a retreat into a zone cites the next clause")
def _(patch: Patch) -> None:
    patch.set(ava_world, "CLAUSES", {**ava_world.CLAUSES, "retreat.zone": "10.6.10"})


@bug("a wrong clause with the right effect", "tow", "topics-fit-clauses", "a hex that is attacked twice cites the rule of units")
def _(patch: Patch) -> None:
    patch.set(tow_world, "CLAUSES", {**tow_world.CLAUSES, "combat.once.hex": "10.0.3"})


@bug("what an heir gets", "ava", "drills", "the last level is not left to the next player")
def _(patch: Patch) -> None:
    def resume(original: Any, self: Any, play: Any) -> None:
        play.pop() if self.levels == 1 else original(self, play)

    patch.wrap(Building, "resume", resume)


# -- scores -----------------------------------------------------------------------------------------------------------------


@bug("a question not asked", "bridgehead", "questions-are-asked", "nobody selects chits in turn 2")
def _(patch: Patch) -> None:
    def push(original: Any, self: Play, step: Any) -> None:
        if not (isinstance(step, Selecting) and self.state.turn == 2):
            original(self, step)

    patch.wrap(Play, "push", push)


@bug("scores", "bridgehead", "known-games-agree", "points are rounded to even numbers")
def _(patch: Patch) -> None:
    def scores(original: Any, self: Any, at: Any) -> Any:
        return tuple(dataclasses.replace(score, points=score.points // 2 * 2) for score in original(self, at))

    patch.wrap(BridgeheadVictory, "scores", scores)


@bug("scores", "tow", "known-games-agree", "the first city that was taken counts for nothing")
def _(patch: Patch) -> None:
    patch.wrap(TowVictory, "campaign_points", lambda original, self, at: original(self, at)[1:])


@bug("scores of one arm", "ava", "points-are-right", "of the eliminated mechanized units only armour scores")
def _(patch: Patch) -> None:
    def scores(original: Any, self: Any, at: Any) -> Any:
        units, found = self.world.units, original(self, at)
        return tuple(it for it in found if it.clause != "16.1.4" or units[it.reason.split()[0]].arm == "armour")

    patch.wrap(AvaVictory, "scores", scores)


@bug("scores of one arm", "bridgehead", "drills", "eliminated armour is worth nothing")
def _(patch: Patch) -> None:
    def scores(original: Any, self: Any, at: Any) -> Any:
        gone = {f"eliminated {unit}" for unit, counter in self.world.units.items() if counter.arm == "armour"}
        return tuple(it for it in original(self, at) if it.reason not in gone)

    patch.wrap(BridgeheadVictory, "scores", scores)


# -- entry movement -----------------------------------------------------------------------------------------------------------


@bug("entry movement", "ava", "drills", "a unit that has come in may still take a step with its whole allowance")
def _(patch: Patch) -> None:
    def reach(original: Any, self: Any, *arguments: Any, **named: Any) -> Any:
        return original(self, *arguments, **{**named, "fresh": True})

    patch.wrap(Reaches, "reach_from", reach)


@bug("entry movement", "ava", "known-games-agree", "a step that takes the whole allowance is open after others")
def _(patch: Patch) -> None:
    patch.wrap(AvaMovement, "zone_terms", lambda original, *given: original(*given)._replace(whole=""))


@bug("free zones at the entry", "ava", "drills", "a mechanized unit pays nothing for a zone in its entry hex")
def _(patch: Patch) -> None:
    def price(original: Any, at: Any, unit: str, source: str, mode: str = "") -> int:
        counter, index, found = at.world.units[unit], at.world.board.index(source), original(at, unit, source, mode)
        surcharge = at.world.reaches.prices(at, unit).enter[index] if counter.mechanized and found != CLOSED else 0
        return int(found - surcharge)

    patch.everywhere(entry_price, price)


@bug("free zones at the entry", "ava", "staged-games-agree", "a unit that has come in leaves the zone of its entry hex free")
def _(patch: Patch) -> None:
    def search(original: Any, self: Any, at: Any, prices: Any, start: int, budget: int, *, fresh: bool = False) -> Any:
        return original(self, at, prices, start, budget + (0 if fresh else prices.leave[start]), fresh=fresh)

    patch.wrap(Reaches, "search", search)


# -- order from a set, memos, copies, saves ---------------------------------------------------------------------------------


@bug("order taken from a set", "bridgehead", "same-everywhere", "hexes are offered as a set has them")
def _(patch: Patch) -> None:
    patch.wrap(Reaches, "ends", lambda original, self, at, unit, found: list({*original(self, at, unit, found)}))


@bug("order taken from a set", "ava", "same-everywhere", "units are activated as a set has them")
def _(patch: Patch) -> None:
    patch.wrap(Command, "led_by", lambda original, self, at, unit: tuple({*original(self, at, unit)}))


@bug("stale memos and checkpoints", "bridgehead", "states-are-values", "a layout remembers what was before")
def _(patch: Patch) -> None:
    def own(original: Any, self: Any) -> Any:
        kept = self.memo
        made = original(self)
        made.memo = kept
        return made

    patch.wrap(Layout, "own", own)


@bug("stale memos and checkpoints", "bridgehead", "undo-goes-back", "an undone action leaves its offers")
def _(patch: Patch) -> None:
    def undo(original: Any, self: Any, side: Any = None) -> Any:
        kept = dict(self._offers)
        taken = original(self, side)
        self._put(kept)
        return taken

    patch.wrap(Game, "undo", undo)


@bug("copies share", "bridgehead", "copies-are-independent", "a copy writes on the same tape")
def _(patch: Patch) -> None:
    patch.wrap(TapedChance, "fork", lambda original, self: self)


@bug("copies share", "bridgehead", "copies-are-independent", "a copy has the same history")
def _(patch: Patch) -> None:
    def twin(original: Any, self: Any) -> Any:
        made = original(self)
        made.history = self.history
        return made

    patch.wrap(Game, "copy", twin)


def read_on(original: Any, saved: Any, game: Any, source: str) -> None:
    """Decisions are done, and nothing is compared."""
    for made in saved.decisions:
        game.apply(made.action, made.seat)


@bug("a save cut short", "bridgehead", "loaders-say-why", "a decision that was changed is done")
def _(patch: Patch) -> None:
    patch.everywhere(saves.replay, read_on)


@bug("a save cut short", "bridgehead", "loaders-say-why", "a save that ends too early is read as far as it goes")
def _(patch: Patch) -> None:
    patch.everywhere(saves.replay, read_on)

    class Lenient:
        def __getattr__(self, name: str) -> Any:
            return getattr(json, name)

        def loads(self, text: str, **more: Any) -> Any:
            try:
                return json.loads(text, **more)
            except ValueError:
                whole = text[: text.rfind("},") + 1]
                return json.loads(whole + '], "checkpoints": []}', **more)

    patch.set(saves, "json", Lenient())


@bug("what a save keeps", "bridgehead", "saves-carry-everything", "a loaded game tells its secret seed")
def _(patch: Patch) -> None:
    patch.wrap(saves.SavedGame, "chance", lambda original, self: chances.SeededChance(self.seed) if self.seed else original(self))


@bug("what a save keeps", "bridgehead", "saves-carry-everything", "a game from a position is saved as one of the scenario")
def _(patch: Patch) -> None:
    def written(original: Any, game: Any) -> Any:
        game = game.copy()
        game.source = None
        return original(game)

    patch.wrap(saves, "_written", written)


@bug("what a save keeps", "bridgehead", "saves-carry-everything", "half a line at the end of a save is nothing to speak of")
def _(patch: Patch) -> None:
    patch.wrap(saves, "_parsed", lambda original, text: (original(text)[0], False))


@bug("what a save keeps", "bridgehead", "saves-carry-everything", "a file is added to although a decision was taken back")
def _(patch: Patch) -> None:
    def follow(original: Any, self: Any, history: Any, start: str) -> None:
        file = self.file
        original(self, history, start)
        self.file = self.file or file

    patch.wrap(saves._Written, "follow", follow)


# -- round the gate ---------------------------------------------------------------------------------------------------------


@bug("round the gate", "bridgehead", "attacks-fail", "dice may give what they like")
def _(patch: Patch) -> None:
    patch.wrap(chances, "_whole", lambda original, outcome: int(outcome or 0))


@bug("round the gate", "toy", "attacks-fail", "a second change is made while another is")
def _(patch: Patch) -> None:
    patch.set(gate, "Lock", RLock)


@bug("round the gate", "bridgehead", "attacks-fail", "a line of orders goes on behind the curtain")
def _(patch: Patch) -> None:
    def curtain(original: Any, self: Any, seat: str) -> None:
        typed = [*self._typed]
        with contextlib.suppress(click.Abort):
            original(self, seat)
        self._typed = typed

    patch.wrap(Session, "_curtain", curtain)


# -- data -------------------------------------------------------------------------------------------------------------------


@bug("a table typo", "bridgehead", "files-add-up", "a terrain costs a point more")
def _(patch: Patch) -> None:
    def text(original: Any, file: str) -> Any:
        return original(file.replace("woods = 2", "woods = 3"))

    patch.wrap(totals, "totals", text)


@bug("a table typo", "ava", "known-games-agree", "an armoured division at full strength is worth a point more")
def _(patch: Patch) -> None:
    def scores(original: Any, self: Any, at: Any) -> Any:
        return tuple(dataclasses.replace(score, points=score.points + (score.clause == "16.1.3")) for score in original(self, at))

    patch.wrap(AvaVictory, "scores", scores)


@bug("a table typo", "ava", "known-games-agree", "a unit has a movement point more")
def _(patch: Patch) -> None:
    patch.wrap(Movement, "allowance", lambda original, self, at, unit, *more: original(self, at, unit, *more) + (unit[-1] == "1"))


MUTANTS = [mutant for _, _, _, mutant in CLASSES]


@pytest.mark.parametrize(("of", "ruleset", "check", "mutant"), CLASSES, ids=lambda value: getattr(value, "id", str(value)))
def test_a_bug_of_each_class_is_caught(
    of: str, ruleset: str, check: str, mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Processes that a check starts have the bug too; otherwise any bug would make them play another game.
    monkeypatch.setenv(PLANTED, json.dumps([ruleset, mutant.id, [__file__]]))
    with planted(mutant):
        report = check_ruleset(toy.RULESET if ruleset == "toy" else ruleset, only=[check], first=True)
    assert [failure.check for failure in report.failures] == [check], f"{of}: {mutant.what}"


def test_19_2_3_an_heir_who_gets_more_than_was_left_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject.of("ava")

    def some(game: Game) -> Iterator[SeatAction]:
        """The first player builds one level of two."""
        for wanted in (Build, Done):
            seat = game.to_move[0]
            yield seat, next(action for action in game.legal_actions(seat) if isinstance(action, wanted))

    def found() -> list[str]:
        watch = HeirsGetWhatIsLeft(subject, BUDGETS["quick"])
        game = STAGING.team(subject, "2")
        return [fault.error.message for fault in observe(game, [watch], some(game))]

    assert found() == []
    resume = Building.resume

    def generous(self: Building, play: Any) -> None:
        pass_on(play, Building(self.seat, 2)) if self.levels else resume(self, play)

    monkeypatch.setattr(Building, "resume", generous)
    [told] = found()
    assert "left levels = 1 to soviet" in told
    assert "who has 2" in told
