"""Rule bugs in the turn: set-up (4), chits (5 to 7), supply (11), reinforcements (12, 15), fortresses (14) and victory (16)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hexwar.mechanics import Declaring
from hexwar.pieces import TurnBegan, lose_step, on_board, total
from hexwar.pieces._chits import ChitPlayed
from hexwar.testing import Mutant
from hexwar.testing.planting import answering, everywhere, setting, wrapping
from hexwar_ava import fortresses, reinforcements, supply
from hexwar_ava.activation import AvaCup, Interrupting
from hexwar_ava.combat import FORTRESS, SURPRISE, AvaCombat
from hexwar_ava.counters import MARKERS
from hexwar_ava.lines import AvaSupply
from hexwar_ava.setting_up import AvaDeployment
from hexwar_ava.state import UnitsActivated, UnitWithdrawn
from hexwar_ava.supply import StandingDown, Withdraw, Withdrawing
from hexwar_ava.turn import EndingTurn, surprise
from hexwar_ava.victory import AvaVictory, decide
from hexwar_ava.world import AvaWorld
from tests.ava.planted.planting import BOARDS, DRILLS, SET_UPS, chits, made, mutant, numbers, printed, scenarios, tracks, victory


def _only_the_marker(original: Any, self: Any, play: Any) -> None:
    play.pop()
    play.emit(TurnBegan(play.state.turn + 1, clause="5.0.7"))


def _fortress(**changes: int) -> Any:
    def planted(content: Any) -> Any:
        fortress = content.numbers.fortress.model_copy(update=changes)
        return replace(content, numbers=content.numbers.model_copy(update={"fortress": fortress}))

    return printed(planted)


def _all_in_range(play: Any) -> None:
    """Instead of `surprise`, with the names of its module."""
    units = tuple(
        dict.fromkeys(unit for leader in play.world.entry.surprise_attack for unit in play.world.command.led_by(play, leader))
    )
    play.emit(UnitsActivated(SURPRISE, units, clause="15.1.2"))
    play.push(Declaring(play.world.seat_for("axis"), units))


def _out_of_the_game(original: Any, self: Any, play: Any, seat: str, action: Any) -> None:
    if isinstance(action, Withdraw):
        play.emit(UnitWithdrawn(action.unit, "axis eliminated", clause="11.2.1"))
    else:
        original(self, play, seat, action)


def _setup(**changes: Any) -> Any:
    return printed(lambda content: replace(content, setup=content.setup.model_copy(update=changes)))


def _zones(**changes: Any) -> Any:
    def planted(content: Any) -> Any:
        made = [zone.model_copy(update=changes) for zone in content.setup.zone]
        return replace(content, setup=content.setup.model_copy(update={"zone": made}))

    return printed(planted)


def _markers(kind: str, change: Any) -> Any:
    def planted(content: Any) -> Any:
        made = [marker.model_copy(update=change(marker)) if marker.kind == kind else marker for marker in content.markers.marker]
        return replace(content, markers=content.markers.model_copy(update={"marker": made}))

    return printed(planted)


def _grave(side: str, mechanized: bool | None, topic: str, box: str) -> Any:
    """Some of the eliminated go to another box."""

    def bury(original: Any, self: Any, at: Any, unit: str, why: str) -> tuple[str, str]:
        to, rule = original(self, at, unit, why)
        counter = self.units[unit]
        hit = counter.side == side and (mechanized is None or counter.mechanized == mechanized) and counter.arm != FORTRESS
        return (box, rule) if hit and (why == "supply.check") == (topic == "supply.check") else (to, rule)

    return wrapping(AvaWorld, "grave", bury)


def _one_more(original: Any, self: Any, at: Any, side: str) -> dict[str, int]:
    return {nation: number + 1 for nation, number in original(self, at, side).items()}


def _without_hand(original: Any, self: Any, at: Any, side: str) -> dict[str, int]:
    left = original(self, at, side)
    for chit in at.state.hand.get(side, ()):
        left[str(self.world.chits[chit].nation)] += 1
    return dict(left)


def _a_turn_early(original: Any, self: Any, at: Any, side: str) -> tuple[str, ...]:
    mine = [chit for chit in self.world.chits.values() if chit.side == side]
    added = at.state.added.get(side, ())
    return tuple(chit.id for chit in mine if (chit.id in added if chit.choice else chit.turn <= at.state.turn + 1))


def _keeps_the_drawn(original: Any, self: Any, play: Any, seat: str, action: Any) -> None:
    if not hasattr(action, "chit"):
        original(self, play, seat, action)
        return
    play.pop()
    play.emit(ChitPlayed(play.world.seats[seat], action.chit, clause="7.3.3"))


def _stays_in_hand(original: Any, self: Any, state: Any) -> None:
    hand = dict(state.hand)
    original(self, state)
    state.hand = hand


def _axis_is_not_asked(original: Any, self: Any, at: Any, side: str) -> list[str]:
    return [] if side == "axis" else original(self, at, side)


def _axis_first(original: Any, play: Any, side: str) -> None:
    original(play, "axis" if side == "soviet" else "soviet")


def _fortresses_too(original: Any, play: Any, side: str) -> None:
    supplied = play.world.supply.supplied_units(play, side)
    for unit in on_board(play, side):
        if unit not in supplied:
            lose_step(play, unit, "supply.check")


def _headquarters_too_tough(original: Any, play: Any, side: str) -> None:
    supplied = play.world.supply.supplied_units(play, side)
    for unit in on_board(play, side):
        counter = play.world.units[unit]
        if unit not in supplied and counter.arm != FORTRESS and not counter.is_headquarters:
            lose_step(play, unit, "supply.check")


def _anybody(original: Any, self: Any, at: Any) -> list[str]:
    return [unit for unit in on_board(at, "axis") if at.world.teams.owns(self.seat, unit)]


def _along_watched_rails(original: Any, self: Any, at: Any, side: str, link: str) -> int:
    mask = 0
    for label in at.world.board.link_hexes(link):
        index = at.world.board.index(label)
        if not at.state.layout.held["axis" if side == "soviet" else "soviet"] >> index & 1:
            mask |= 1 << index
    return mask


def _past_friends(original: Any, self: Any, at: Any, side: str, link: str) -> int:
    held = at.state.layout.held[side]
    shut = at.state.layout.threatened
    kept = dict(shut)
    at.state.layout.threatened = {**shut, side: shut[side] & ~held}
    try:
        return int(original(self, at, side, link))
    finally:
        at.state.layout.threatened = kept


def _next_to_the_enemy(original: Any, at: Any, label: str, supplied: int) -> Any:
    refusal = original(at, label, supplied)
    return None if refusal is not None and refusal.clause == "14.1.3" else refusal


def _without_a_line(original: Any, at: Any, label: str, supplied: int) -> Any:
    return original(at, label, at.world.board.everywhere)


def _built_for_good(original: Any, at: Any) -> int:
    return 0


def _half_converted(original: Any, self: Any, at: Any, battle: Any, outcome: Any) -> Any:
    converted, rule = original(self, at, battle, outcome)
    return (replace(converted, defender=converted.defender - 1), rule) if rule and outcome.retreat == 2 else (converted, rule)


def _marker_returns(original: Any, self: Any, at: Any, unit: str, topic: str) -> tuple[str, str]:
    return (MARKERS, "14.3.2") if self.units[unit].arm == FORTRESS else original(self, at, unit, topic)


def _all_sources(original: Any, at: Any) -> tuple[str, ...]:
    return tuple(at.world.supply.sources["soviet"])


def _of_score(change: Any) -> Any:
    return wrapping(AvaVictory, "scores", lambda original, self, at: tuple(change(at, original(self, at))))


def _twice(at: Any, found: Any) -> Any:
    return [*found, *(score for score in found if score.clause == "16.3.1")]


def _reduced_count(at: Any, found: Any) -> Any:
    full = next((score for score in found if score.clause == "16.1.3"), None)
    mine = [unit for unit in on_board(at, "axis") if at.world.units[unit].mechanized and at.state.steps_left[unit] == 1]
    return [*found, *(replace(full, reason=unit) for unit in mine if full)]


def _reversed_verdict(original: Any, play: Any) -> None:
    points = total(play.world.victory.scores(play), "axis")
    needed, clause = play.world.victory.needed(play)["axis"]
    winner = "axis" if points > needed else "soviet"
    play.end(winner, f"the Axis has {points} points and needs {needed}", clause=clause, scores={"axis": points})


def _any_marker(original: Any, self: Any, at: Any) -> list[str]:
    return list(at.state.stand_fast)


def _all_of_them(original: Any, self: Any, play: Any, seat: str, action: Any) -> None:
    stack = list(play.state.stack)
    original(self, play, seat, action)
    if hasattr(action, "hex"):
        play.push(stack[-1])


MUTANTS: tuple[Mutant, ...] = (
    # 3.4, 4.0 set-up
    mutant(
        "all-cities-are-soviet",
        "3.4.1",
        "cities west of the start line begin as Soviet ones",
        wrapping(AvaWorld, "control_at_start", lambda original, self: dict.fromkeys(original(self), "soviet")),
        "set-up",
    ),
    mutant(
        "sources-are-nobodys",
        "16.3.1",
        "nobody takes a supply source",
        wrapping(
            AvaWorld,
            "control_at_start",
            lambda original, self: {
                label: side for label, side in original(self).items() if label not in self.supply.sources["soviet"]
            },
        ),
        "set-up",
    ),
    mutant("axis-sets-up-first", "4.0.2", "the Axis sets up first", _setup(first="axis"), SET_UPS),
    mutant("areas-may-stay-empty", "4.0.7", "hexes of a set-up area may stay empty", _zones(kind="range"), SET_UPS),
    mutant(
        "headquarters-set-up-anywhere",
        "4.0.3",
        "a headquarters sets up anywhere in its zone",
        answering(AvaDeployment, "symbol_of", ""),
        SET_UPS,
    ),
    mutant(
        "2pzg-stands-alone", "4.0.5", "nobody need be beside the headquarters of 2PzG", _zones(beside_headquarters=0), SET_UPS
    ),
    mutant(
        "three-in-a-set-up-hex",
        "4.0.1",
        "three units of a formation may share a hex of their zone",
        made(lambda world: setattr(world, "stacking", 3)),
        SET_UPS,
    ),
    mutant(
        "brest-is-strong",
        "4.0.16",
        "the fortress of Brest has two levels",
        _markers("fortress", lambda marker: {"level": 2}),
        SET_UPS,
    ),
    mutant(
        "kiev-need-not-stand-fast",
        "4.0.17",
        "a hex of Kiev has no Stand Fast marker",
        _markers("stand-fast", lambda marker: {"start": marker.start[:-1]}),
        SET_UPS,
    ),
    # 5.0 turn
    mutant("a-turn-too-few", "5.0.2", "the game ends a turn early", scenarios(lambda e: {"last_turn": e.last_turn - 1}), "score"),
    mutant(
        "units-stay-on-the-track",
        "5.0.8",
        "Axis units stay on the turn track",
        wrapping(EndingTurn, "resume", _only_the_marker),
        DRILLS,
    ),
    # 6.0, 7.0 chits
    mutant("one-chit-more", "6.2.1", "each nation selects one chit more", wrapping(AvaCup, "_left", _one_more), "chits"),
    mutant(
        "held-chits-are-free",
        "6.3.2",
        "held chits do not count against the number",
        wrapping(AvaCup, "_left", _without_hand),
        DRILLS,
    ),
    mutant("no-supply-check", "6.2.5", "the Supply Check is not in the cup", answering(AvaCup, "common", ()), "chits"),
    mutant("manstein-in-the-cup", "6.3.1", "interrupts go into the cup", answering(AvaCup, "keeping", "cup"), "chits"),
    mutant(
        "reinforcements-never-owed",
        "6.2.6",
        "with the option, the Reinforcements chit may still be left out",
        answering(AvaCup, "_owed", []),
        "chits",
        reinforcements_always=True,
    ),
    mutant(
        "chits-come-early", "15.2.1", "chits are available a turn early", wrapping(AvaCup, "available", _a_turn_early), "chits"
    ),
    mutant(
        "interrupted-chits-are-lost",
        "7.3.2",
        "an interrupted chit does not go back into the cup",
        wrapping(Interrupting, "perform", _keeps_the_drawn),
        "chits",
    ),
    mutant(
        "interrupts-twice",
        "7.3.4",
        "an interrupt stays in hand when it is played",
        wrapping(ChitPlayed, "apply", _stays_in_hand),
        "chits",
    ),
    mutant(
        "nobody-interrupts",
        "7.3.1",
        "the Axis is never asked for an interrupt",
        wrapping(AvaCup, "may_hold", _axis_is_not_asked),
        "chits",
    ),
    mutant(
        "guderian-leads-3pzg",
        "7.3.3",
        "Guderian activates 3PzG",
        chits(lambda c: c.id == "guderian", activates="ger-3pzg"),
        DRILLS,
    ),
    # 10.8 graves
    mutant(
        "rifles-are-gone",
        "10.8.1",
        "Soviet infantry lost in combat is out of the game",
        _grave("soviet", False, "losses", "soviet eliminated"),
        "combat",
        DRILLS,
    ),
    mutant(
        "tanks-come-back",
        "10.8.2",
        "Soviet mechanized units lost in combat come back",
        _grave("soviet", True, "losses", "soviet available"),
        DRILLS,
    ),
    mutant(
        "germans-come-back",
        "10.8.2",
        "Axis units lost in combat come back",
        _grave("axis", None, "losses", "axis available"),
        DRILLS,
    ),
    mutant(
        "the-starved-come-back",
        "10.8.3",
        "units lost in a supply check come back",
        _grave("soviet", None, "supply.check", "soviet available"),
        DRILLS,
    ),
    # 11.0 supply check
    mutant("axis-is-checked-first", "11.1.2", "the Axis checks its supply first", everywhere(supply.check, _axis_first), DRILLS),
    mutant(
        "axis-is-checked-late",
        "15.1.4",
        "the Axis is checked a turn later",
        lambda patch: patch.set(
            AvaSupply, "axis_checked_from", property(lambda self: (self.world.entry.axis_supply_from or 4) + 1)
        ),
        DRILLS,
    ),
    mutant(
        "axis-is-checked-early",
        "15.1.4",
        "the Axis is checked from turn 1",
        lambda patch: patch.set(AvaSupply, "axis_checked_from", 1),
        DRILLS,
    ),
    mutant(
        "headquarters-need-no-line",
        "11.1.1",
        "headquarters lose no step without a line",
        everywhere(supply.check, _headquarters_too_tough),
        DRILLS,
    ),
    mutant(
        "cut-off-units-are-taken-off",
        "11.2.2",
        "Axis units without a line may be taken off the map",
        wrapping(Withdrawing, "able", _anybody),
        DRILLS,
    ),
    # 12.0 reinforcements
    mutant(
        "one-unit-more",
        "12.2.1",
        "one unit of each nation more comes",
        tracks("reinforcements", lambda track: {nation: [n + 1 for n in turns] for nation, turns in track.items()}),
        DRILLS,
    ),
    mutant(
        "reinforcements-by-any-rail",
        "12.1.3",
        "reinforcements need no line along their railway",
        wrapping(AvaSupply, "rail_network", _along_watched_rails),
        BOARDS,
    ),
    mutant(
        "friends-open-the-railway",
        "12.1.4",
        "a friendly unit opens a railway in an enemy zone",
        wrapping(AvaSupply, "rail_network", _past_friends),
        BOARDS,
    ),
    mutant(
        "reinforcements-in-turn-3",
        "12.0.1",
        "reinforcements come from turn 3 on",
        chits(lambda c: c.kind == "reinforcements", turn=3),
        DRILLS,
    ),
    # 14.0 fortresses
    mutant(
        "built-next-to-the-enemy",
        "14.1.3",
        "a fortress is built next to an enemy",
        everywhere(fortresses.why_not_build, _next_to_the_enemy),
        DRILLS,
    ),
    mutant(
        "built-without-a-line",
        "14.1.2",
        "a fortress is built without a line",
        everywhere(fortresses.why_not_build, _without_a_line),
        DRILLS,
    ),
    mutant(
        "built-in-towns",
        "14.1.2",
        "fortresses are built in any city",
        lambda patch: patch.set(
            AvaWorld, "major_cities", property(lambda self: tuple(h for place in self.board.places for h in place.hexes))
        ),
        DRILLS,
    ),
    mutant(
        "any-number-of-fortresses",
        "14.0.1",
        "any number of hexes may have a fortress",
        everywhere(fortresses.built_hexes, _built_for_good),
        DRILLS,
    ),
    mutant("three-levels", "14.1.5", "a fortress has three levels", _fortress(levels=3), DRILLS),
    mutant("levels-defend-with-two", "14.2.1", "each fortress level defends with two", _fortress(defence=2), DRILLS),
    mutant(
        "a-level-more-a-check",
        "14.1.4",
        "one level more is built at each check",
        scenarios(
            lambda e: {"fortresses": e.fortresses.model_copy(update={"levels": e.fortresses.levels + 1})} if e.fortresses else {}
        ),
        DRILLS,
    ),
    mutant(
        "built-a-turn-early",
        "14.1.1",
        "fortresses are built a turn early",
        scenarios(
            lambda e: (
                {"fortresses": e.fortresses.model_copy(update={"from_turn": e.fortresses.from_turn - 1})} if e.fortresses else {}
            )
        ),
        DRILLS,
    ),
    mutant(
        "lost-fortresses-return",
        "14.3.2",
        "the marker of a lost fortress is used again",
        wrapping(AvaWorld, "grave", _marker_returns),
        DRILLS,
    ),
    mutant(
        "fortresses-starve",
        "14.2.4",
        "a fortress without a line loses a level in a supply check",
        everywhere(supply.check, _fortresses_too),
        DRILLS,
    ),
    mutant(
        "retreat-from-fortresses",
        "14.2.5",
        "a fortress changes no result",
        wrapping(AvaCombat, "convert", lambda original, self, at, battle, outcome: (outcome, "")),
        DRILLS,
    ),
    mutant(
        "rr-costs-one-step",
        "14.2.5",
        "against a fortress RR costs one step",
        wrapping(AvaCombat, "convert", _half_converted),
        DRILLS,
    ),
    # 15.0
    mutant(
        "everybody-surprises",
        "15.1.2",
        "all in range of a panzer group take part in the surprise attack",
        setting(surprise, "__code__", _all_in_range.__code__),
        DRILLS,
    ),
    mutant(
        "19a-comes-early",
        "15.3.1",
        "19A comes in turn 2",
        printed(
            lambda content: replace(
                content,
                track=content.track.model_copy(
                    update={
                        "arrival": [
                            it.model_copy(update={"turn": 2}) if it.formation == "19A" else it for it in content.track.arrival
                        ]
                    }
                ),
            )
        ),
        DRILLS,
    ),
    mutant(
        "19a-comes-anywhere",
        "15.3.2",
        "19A enters through any Soviet source",
        everywhere(reinforcements.entries, _all_sources),
        DRILLS,
    ),
    mutant(
        "19a-has-no-fixed-entry",
        "15.3.2",
        "each activation of 19A may enter elsewhere",
        wrapping(reinforcements.ChoosingEntry, "able", lambda original, self, at: reinforcements.entries(at)),
        DRILLS,
    ),
    mutant(
        "a-reserve-of-thirteen",
        "15.4.1",
        "one unit of the strategic reserve more comes",
        tracks("strategic_reserve", lambda turns: [n + (n > 0) for n in turns]),
        DRILLS,
    ),
    mutant(
        "reserve-in-turn-5",
        "15.4.1",
        "the strategic reserve comes a turn early",
        tracks("strategic_reserve", lambda turns: [*turns[1:], turns[-1]]),
        DRILLS,
    ),
    mutant(
        "reserve-from-anywhere",
        "15.4.2",
        "the strategic reserve comes through any Soviet source",
        lambda patch: patch.set(AvaWorld, "from_moscow", property(lambda self: self.supply.sources["soviet"])),
        DRILLS,
    ),
    # 16.0 victory
    mutant(
        "cities-without-a-line", "16.1.2", "a major city without a line scores 10 points", victory(major_city=(10, 10)), DRILLS
    ),
    mutant("wrecks-score", "16.1.3", "German mechanized units score with one step, too", _of_score(_reduced_count), DRILLS),
    mutant(
        "tanks-score-two",
        "16.1.4",
        "a Soviet mechanized unit out of the game scores two points",
        victory(eliminated_soviet_mechanized=2),
        DRILLS,
    ),
    mutant("stand-fast-scores-nothing", "16.2.1", "a Stand Fast marker scores nothing", victory(stand_fast=(0, 0)), DRILLS),
    mutant(
        "markers-go-early", "16.2.3", "Stand Fast markers are removed from turn 5 on", numbers(stand_fast_removal_from=5), DRILLS
    ),
    mutant(
        "markers-go-from-lost-cities",
        "16.2.3",
        "a Stand Fast marker is removed wherever it is",
        wrapping(StandingDown, "able", _any_marker),
        DRILLS,
    ),
    mutant(
        "all-markers-go-at-once",
        "16.2.3",
        "several Stand Fast markers are removed at a check",
        wrapping(StandingDown, "perform", _all_of_them),
        DRILLS,
    ),
    mutant("every-source-scores", "16.3.1", "the breakthrough to a source scores twice", _of_score(_twice), DRILLS),
    mutant(
        "moscow-scores-nothing", "16.3.2", "a source from Moscow scores no more than others", victory(from_moscow=(0, 0)), DRILLS
    ),
    mutant(
        "exactly-is-not-enough",
        "16.4.2",
        "the Axis needs more than the points of the scenario",
        everywhere(decide, _reversed_verdict),
        DRILLS,
    ),
    mutant(
        "played-out-to-the-end",
        "16.4.1",
        "the last turn goes on after its supply check",
        setting(supply, "decide", lambda play: None),
        "chits",
    ),
    mutant(
        "no-withdrawal-box",
        "11.2.3",
        "units that are taken off the map are out of the game",
        wrapping(Withdrawing, "perform", _out_of_the_game),
        DRILLS,
    ),
)
