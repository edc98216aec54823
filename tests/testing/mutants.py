"""Faults to plant in rulesets and in the engine, each with the checks that must catch it: see `MUTANTS`."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import hexwar.engine._gate
import hexwar.engine._info
import hexwar.engine._save
import hexwar.facade
import hexwar.mechanics._moving
import hexwar.testing._running.subject
import hexwar_bridgehead.turn
import hexwar_bridgehead.world
from hexwar.engine import Action, Game, Listed, Option, Play, SeededChance, State, View
from hexwar.mechanics import HexState, Layout, Reaches, Stacking
from hexwar.pieces import StepLost
from hexwar.plugins import plugins
from tests.engine import toy
from tests.testing.misquoting import MISQUOTING
from tests.testing.rulesets import UNORDERED

Patch = pytest.MonkeyPatch
Planted = Any
"""The ruleset to check: an id or an object."""


@dataclass(frozen=True)
class Mutant:
    what: str
    plant: Callable[[Patch], Planted]
    caught_by: tuple[str, ...]


# -- Bridgehead -----------------------------------------------------------------------------------------------------------


def enemy_hexes_are_open(patch: Patch) -> Planted:
    patch.setattr(Layout, "closed_to", lambda self, side: 0)
    patch.setattr(hexwar.mechanics._why_not_move, "occupant", lambda at, label: None)
    return "bridgehead"


def stacking_is_ignored(patch: Patch) -> Planted:
    def everywhere(self: Any, at: Any, unit: str, found: Any) -> list[str]:
        return sorted(at.world.board.label(i) for i in found if i != found.start)

    patch.setattr(Reaches, "ends", everywhere)
    patch.setattr(hexwar.mechanics._moving, "has_room", lambda at, unit, label: True)
    patch.setattr(Stacking, "why_not", lambda self, at, unit, label: None)
    return "bridgehead"


def two_steps_are_lost(patch: Patch) -> Planted:
    def apply(self: StepLost, state: Any) -> None:
        state.steps_left[self.unit] -= 2

    patch.setattr(StepLost, "apply", apply)
    return "bridgehead"


def zones_stay_behind(patch: Patch) -> Planted:
    cover = Layout._cover
    patch.setattr(Layout, "_cover", lambda self, owner, less, more: cover(self, owner, 0, more))
    return "bridgehead"


def cup_is_open(patch: Patch) -> Planted:
    cup = next(part for part in hexwar_bridgehead.world.BridgeheadState._parts if part.name == "cup")
    patch.setattr(cup, "sight", lambda cup, viewer: cup)
    return "bridgehead"


def copies_share_units(patch: Patch) -> Planted:
    def put(self: Any, unit: str, location: str) -> None:
        before, self.layout = self.locations.get(unit), self.layout.own()
        if before is not None:
            self.layout.lift(unit, before)
        self.layout.place(unit, location)
        self.locations[unit] = location

    patch.setattr(HexState, "put", put)
    return "bridgehead"


def copies_share_zones(patch: Patch) -> Planted:
    patch.setattr(Layout, "own", lambda self: self)
    return "bridgehead"


def supply_check_fails(patch: Patch) -> Planted:
    def fail(play: Any) -> None:
        raise ZeroDivisionError("supply")

    patch.setattr(hexwar_bridgehead.turn, "check_supply", fail)
    return "bridgehead"


def verdict_cites_unknown_clause(patch: Patch) -> Planted:
    end = Play.end

    def misquote(self: Any, winner: Any, reason: str, *, clause: str, scores: Any = None) -> None:
        end(self, winner, reason, clause="14.9", scores=scores)

    patch.setattr(Play, "end", misquote)
    return "bridgehead"


def dice_can_be_taken_back(patch: Patch) -> Planted:
    patch.setattr(Game, "_is_barrier", lambda self, before, play: False)
    return "bridgehead"


# -- the toy: rules ---------------------------------------------------------------------------------------------------------


def wishing_three_fails(patch: Patch) -> Planted:
    perform = toy.Bidding.perform

    def fail(self: Any, play: Any, seat: str, action: Action) -> None:
        if action == toy.Wish(3):
            raise KeyError("three")
        perform(self, play, seat, action)

    patch.setattr(toy.Bidding, "perform", fail)
    return toy.RULESET


def explaining_fails(patch: Patch) -> Planted:
    def refuse(self: Any, at: Any, seat: str, action: Any) -> None:
        if isinstance(action, toy.Wish):
            raise IndexError(action.amount)

    patch.setattr(toy.Bidding, "why_not", refuse)
    return toy.RULESET


def automatic_step_fails(patch: Patch) -> Planted:
    def fail(self: Any, play: Any) -> None:
        raise ZeroDivisionError("no time")

    patch.setattr(toy.Walking, "resume", fail)
    return toy.RULESET


def looking_fails(patch: Patch) -> Planted:
    def fail(self: Any, viewer: Any) -> None:
        raise LookupError("fog")

    patch.setattr(Game, "view", fail)
    return toy.RULESET


def choosing_fails(patch: Patch) -> Planted:
    def fail(self: Any, chance: Any) -> None:
        raise ArithmeticError("too many")

    patch.setattr(Listed, "sample", fail)
    return toy.RULESET


def last_step_is_a_dead_end(patch: Patch) -> Planted:
    patch.setattr(toy.Walking, "actions", lambda self, at, seat: Listed(toy.Walk(n) for n in range(2, self.left + 1)))
    return toy.RULESET


def rounds_never_end(patch: Patch) -> Planted:
    def apply(self: Any, state: toy.Toy) -> None:
        state.bids, state.wish = {}, {}

    patch.setattr(toy.RoundEnded, "apply", apply)
    return toy.RULESET


def walking_back(patch: Patch) -> Planted:
    def apply(self: toy.Walked, state: toy.Toy) -> None:
        state.track[self.side] = state.track.get(self.side, 0) - self.steps
        state.rebuild()

    patch.setattr(toy.Walked, "apply", apply)
    return toy.RULESET


def unknown_clause_is_cited(patch: Patch) -> Planted:
    def perform(self: Any, play: Play, seat: str, action: Any) -> None:
        play.emit(toy.Walked(play.world.seats[seat], action.steps, clause="77"))
        play.replace(toy.Walking(seat, self.left - action.steps))

    patch.setattr(toy.Walking, "perform", perform)
    return toy.RULESET


def outline_cites_unknown_clause(patch: Patch) -> Planted:
    patch.setattr(toy.BidMade, "outline", lambda self: toy.SomebodyBid(self.side, clause="77"))
    return toy.RULESET


def prompt_cites_unknown_clause(patch: Patch) -> Planted:
    patch.setattr(toy.Walking, "rule", lambda self, at: "77")
    return toy.RULESET


def state_changes_without_event(patch: Patch) -> Planted:
    perform = toy.Walking.perform

    def secretly(self: Any, play: Play, seat: str, action: Action) -> None:
        play.state.table = (*play.state.table, 1)
        perform(self, play, seat, action)

    patch.setattr(toy.Walking, "perform", secretly)
    return toy.RULESET


def derived_is_forgotten(patch: Patch) -> Planted:
    def apply(self: toy.Walked, state: toy.Toy) -> None:
        state.track[self.side] = state.track.get(self.side, 0) + self.steps

    patch.setattr(toy.Walked, "apply", apply)
    return toy.RULESET


def rules_remember_outside_the_state(patch: Patch) -> Planted:
    walks = itertools.count()
    perform = toy.Walking.perform

    def tired(self: Any, play: Play, seat: str, action: Any) -> None:
        if next(walks) % 7 == 3:
            play.emit(toy.Walked(play.world.seats[seat], 1))
        perform(self, play, seat, action)

    patch.setattr(toy.Walking, "perform", tired)
    return toy.RULESET


def every_second_game_is_another(patch: Patch) -> Planted:
    begun = itertools.count()
    start, perform = type(toy.RULESET).start, toy.Walking.perform
    tired = [False]

    def begin(self: Any, world: Any) -> Any:
        tired[0] = next(begun) % 2 > 0
        return start(self, world)

    def walk(self: Any, play: Play, seat: str, action: Any) -> None:
        if tired[0]:
            play.emit(toy.Walked(play.world.seats[seat], 1))
        perform(self, play, seat, action)

    patch.setattr(type(toy.RULESET), "start", begin)
    patch.setattr(toy.Walking, "perform", walk)
    return toy.RULESET


def order_depends_on_the_moment(patch: Patch) -> Planted:
    asked = itertools.count()

    def actions(self: toy.Walking, at: Any, seat: str) -> Listed:
        walks = [toy.Walk(n) for n in range(1, self.left + 1)]
        return Listed(walks if next(asked) % 2 else walks[::-1])

    patch.setattr(toy.Walking, "actions", actions)
    return toy.RULESET


def bid_is_offered_twice(patch: Patch) -> Planted:
    patch.setattr(toy.Bidding, "actions", lambda self, at, seat: Listed([toy.Bid(), toy.Wish(1), toy.Bid()]))
    return toy.RULESET


def enemy_wish_limits_mine(patch: Patch) -> Planted:
    def actions(self: Any, at: Any, seat: str) -> Listed:
        other = next(name for name in at.world.seats if name != seat)
        return Listed([toy.Bid(), *(toy.Wish(n) for n in range(4) if n != at.state.wish.get(other))])

    patch.setattr(toy.Bidding, "actions", actions)
    return toy.RULESET


# -- the toy: forms -----------------------------------------------------------------------------------------------------------


def json_is_off_by_one(patch: Patch) -> Planted:
    patch.setattr(toy.Wish, "to_json", lambda self: {"kind": "wish", "amount": (self.amount + 1) % 4})
    return toy.RULESET


def repr_is_prose(patch: Patch) -> Planted:
    patch.setattr(toy.Wish, "__repr__", lambda self: f"wish for {self.amount}")
    return toy.RULESET


def json_forgets_the_wishes(patch: Patch) -> Planted:
    to_json = State.to_json

    def forget(self: Any) -> Any:
        data = to_json(self)
        data.pop("wish")
        return data

    patch.setattr(toy.Toy, "to_json", forget)
    return toy.RULESET


def scenario_without_bound(patch: Patch) -> Planted:
    scenarios = tuple(dataclasses.replace(scenario, bound=0) for scenario in toy.INFO.scenarios)
    patch.setattr(toy.RULESET, "info", dataclasses.replace(toy.INFO, scenarios=scenarios), raising=False)
    return toy.RULESET


def option_fails(patch: Patch) -> Planted:
    perform = toy.Walking.perform

    def steep(self: Any, play: Play, seat: str, action: Action) -> None:
        if play.world.options["steep"] and play.state.round == 2:
            raise ZeroDivisionError("too steep")
        perform(self, play, seat, action)

    patch.setattr(toy.Walking, "perform", steep)
    return toy.RULESET


def asking_is_slow(patch: Patch) -> Planted:
    def is_dull(number: int) -> bool:
        return number < 0

    deciders = toy.Bidding.deciders
    patch.setattr(toy.Bidding, "deciders", lambda self, at: any(map(is_dull, range(9_000))) or deciders(self, at))
    return toy.RULESET


# -- the engine -----------------------------------------------------------------------------------------------------------------


def gate_is_open(patch: Patch) -> Planted:
    find = Listed.find
    patch.setattr(Listed, "find", lambda self, action: find(self, action) or (action if isinstance(action, toy.Walk) else None))
    return toy.RULESET


def true_counts_as_one(patch: Patch) -> Planted:
    find = Listed.find
    patch.setattr(Listed, "find", lambda self, action: action if find(self, action) is not None else None)
    patch.setattr(hexwar.engine._gate, "has_shape", lambda value: True)
    return toy.RULESET


def preview_is_hopeful(patch: Patch) -> Planted:
    patch.setattr(Game, "why_not", lambda self, action, side=None: None)
    return toy.RULESET


def save_forgets_the_dice(patch: Patch) -> Planted:
    patch.setattr(hexwar.engine._save.SavedGame, "chance", lambda self: SeededChance(0))
    return toy.RULESET


def save_forgets_a_move(patch: Patch) -> Planted:
    written = hexwar.engine._save._written

    def forget(game: Game) -> Any:
        twin = game.copy()
        twin.history[:] = twin.history[:-1]
        return written(twin)

    patch.setattr(hexwar.engine._save, "_written", forget)
    return toy.RULESET


def views_are_blank_nowhere(patch: Patch) -> Planted:
    patch.setattr(toy.Toy, "seen_by", lambda self, viewer: self.copy())
    return toy.RULESET


def views_tell_the_draws(patch: Patch) -> Planted:
    to_json = View.to_json
    patch.setattr(View, "to_json", lambda self: {**to_json(self), "draws": 3})
    return toy.RULESET


def undo_forgets_the_log(patch: Patch) -> Planted:
    undo = Game.undo

    def careless(self: Game, side: str | None = None) -> Action:
        log = list(self.events)
        action = undo(self, side)
        self.events[:] = log
        return action

    patch.setattr(Game, "undo", careless)
    return toy.RULESET


def undo_crosses_reveals(patch: Patch) -> Planted:
    barrier = Game._is_barrier

    def blind(self: Game, before: Any, play: Play) -> bool:
        return play.state.draws != before.draws and barrier(self, before, play)

    patch.setattr(Game, "_is_barrier", blind)
    return toy.RULESET


def naming_an_option_turns_it_on(patch: Patch) -> Planted:
    from hexwar.engine import settle_options

    def careless(chosen: Any, known: list[Option], scenario: str) -> dict[str, bool | str]:
        return {**settle_options(chosen, known, scenario), **dict.fromkeys(chosen, True)}

    patch.setattr(hexwar.facade, "settle_options", careless)
    return "bridgehead"


def saves_are_trusted(patch: Patch) -> Planted:
    def trust(path: str | os.PathLike[str]) -> hexwar.engine._save.SavedGame:
        return hexwar.engine._save.SavedGame.model_validate_json(Path(path).read_bytes())

    patch.setattr(hexwar.testing._running.subject, "read_save", trust)
    return toy.RULESET


def variants_are_never_off(patch: Patch) -> Planted:
    resolve: Any = vars(hexwar.facade)["resolve_variants"]
    patch.setattr(hexwar.facade, "resolve_variants", lambda chosen: resolve(plugins().variants("bridgehead").values()))
    patch.setattr(plugins(), "worlds", {})  # those that were made before have the right rules
    return "bridgehead"


MUTANTS = (
    #      what is wrong                                    where it is planted              which checks catch it
    Mutant("a unit may move into an enemy hex", enemy_hexes_are_open, ("invariants-hold",)),
    Mutant("stacking is ignored by movement", stacking_is_ignored, ("invariants-hold",)),
    Mutant("a loss takes two steps", two_steps_are_lost, ("invariants-hold",)),
    Mutant("zones stay when a unit leaves", zones_stay_behind, ("derived-is-right", "invariants-hold")),
    Mutant("the view shows the cup", cup_is_open, ("views-hide", "secret-choices-stay-secret")),
    Mutant("copies share the units", copies_share_units, ("copies-are-independent",)),
    Mutant("copies share the zones", copies_share_zones, ("copies-are-independent",)),
    Mutant("undo crosses a die roll", dice_can_be_taken_back, ("undo-goes-back",)),
    Mutant("an offered action raises", wishing_three_fails, ("offered-actions-apply",)),
    Mutant("an automatic step raises", automatic_step_fails, ("offered-actions-apply",)),
    Mutant("the supply check raises", supply_check_fails, ("offered-actions-apply",)),
    Mutant("choosing from what is offered raises", choosing_fails, ("offered-actions-apply",)),
    Mutant("looking at the game raises", looking_fails, ("secret-choices-stay-secret", "views-hide")),
    Mutant("explaining a refusal raises", explaining_fails, ("others-are-refused", "why-not-agrees")),
    Mutant("a seat is asked and offered nothing", last_step_is_a_dead_end, ("no-dead-ends",)),
    Mutant("the game is endless", rounds_never_end, ("games-end",)),
    Mutant("a walk goes backwards", walking_back, ("invariants-hold",)),
    Mutant("an event cites an unknown clause", unknown_clause_is_cited, ("clauses-are-known",)),
    Mutant("the verdict cites an unknown clause", verdict_cites_unknown_clause, ("clauses-are-known",)),
    Mutant("an outline cites an unknown clause", outline_cites_unknown_clause, ("clauses-are-known",)),
    Mutant("a prompt cites an unknown clause", prompt_cites_unknown_clause, ("clauses-are-known",)),
    Mutant("the source cites unknown clauses", lambda patch: MISQUOTING, ("citations-exist",)),
    Mutant("a step changes the state directly", state_changes_without_event, ("events-tell-everything",)),
    Mutant("an event forgets what is derived", derived_is_forgotten, ("derived-is-right",)),
    Mutant("the rules remember outside the state", rules_remember_outside_the_state, ("replays-agree",)),
    Mutant("the order of actions changes", order_depends_on_the_moment, ("order-is-stable",)),
    Mutant("the order of actions is that of a set", lambda patch: UNORDERED, ("same-everywhere",)),
    Mutant("an action is offered twice", bid_is_offered_twice, ("offers-are-sets",)),
    Mutant(
        "the offer depends on a secret", enemy_wish_limits_mine, ("hidden-content-does-not-show", "secret-choices-stay-secret")
    ),
    Mutant("an action's JSON is off by one", json_is_off_by_one, ("json-is-exact",)),
    Mutant("an action's repr is prose", repr_is_prose, ("reprs-evaluate",)),
    Mutant("the state's JSON forgets a field", json_forgets_the_wishes, ("states-are-values",)),
    Mutant("asking is slow", asking_is_slow, ("actions-are-cheap",)),
    Mutant("a scenario has no bound", scenario_without_bound, ("content-is-sound",)),
    Mutant("an option raises in the second round", option_fails, ("offered-actions-apply",)),
    Mutant("naming an option turns it on", naming_an_option_turns_it_on, ("options-work",)),
    Mutant("a rule that is off is used", variants_are_never_off, ("off-is-absent",)),
    Mutant("a saved game is trusted", saves_are_trusted, ("loaders-say-why",)),
    Mutant("the gate lets every walk through", gate_is_open, ("others-are-refused",)),
    Mutant("the gate performs what it is given", true_counts_as_one, ("others-are-refused",)),
    Mutant("why_not knows no reasons", preview_is_hopeful, ("why-not-agrees",)),
    Mutant("a save forgets the dice", save_forgets_the_dice, ("saves-carry-everything",)),
    Mutant("a save forgets the last move", save_forgets_a_move, ("saves-carry-everything",)),
    Mutant("views hide nothing", views_are_blank_nowhere, ("views-hide",)),
    Mutant("views tell the draws", views_tell_the_draws, ("views-hide",)),
    Mutant("undo leaves the log", undo_forgets_the_log, ("undo-goes-back",)),
    Mutant("undo crosses a reveal", undo_crosses_reveals, ("undo-goes-back",)),
)
