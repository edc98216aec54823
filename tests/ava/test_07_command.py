"""7.0 Command: chits are drawn, interrupted and resolved."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Action, Event, Game
from hexwar.mechanics import Arrive, Arriving, Move, Moving
from hexwar.pieces import Done, Interrupt
from hexwar_ava.activation import Interrupting, PlayingHeld
from tests.ava.table import field, position, refused, seen

SMALL = field(size=(14, 12), rail=["0101 0201 0301"], areas={"supply axis": ["0101"], "supply soviet": ["1412"]})
UNITS = {"ger-4pzg": "0505", "ger-1pz": "0605", "ger-16a": "0303", "ger-2pzg": "0307", "su-8a": "1010", "su-10": "1110"}


def command(
    cup: str, *chance: int, scenario: str = "leningrad", held: str = "", units: dict[str, str] | None = None, **more: Any
) -> Game:
    """A cup from which a chit is drawn now; chance says the number of the chit in the order of the alphabet."""
    hand = {"axis": held.split()} if held else {}
    more = {"hand": hand, "turn": 1, **more}
    where = UNITS if units is None else units
    if scenario == "leningrad":
        where = {unit: label for unit, label in where.items() if unit != "ger-2pzg"}
    return position(where, path=(2, 1), board=SMALL, scenario=scenario, cup=sorted(cup.split()), chance=chance, **more)


def phases(events: list[Event]) -> list[str]:
    return [str(event.to_json()["phase"]) for event in events if event.kind == "phase-entered"]


def stop(game: Game) -> list[Event]:
    """Whoever is asked lets it be."""
    return game.apply(Done())


def told(events: list[Event], kind: str) -> list[Event]:
    return [event for event in events if event.kind == kind]


# -- 7.0, 7.1 drawing --------------------------------------------------------------------------------------------------


def test_7_0_1_nobody_acts_without_an_activation() -> None:
    game = command("su-8a supply", 1)
    for action in (Move("su-8a", "1011"), Move("ger-1pz", "0606"), Arrive("ger-93", "0101")):
        assert game.why_not(action, "axis") is not None
    stop(game)
    assert isinstance(game.state.stack[-1], Moving)
    refused(game, Move("ger-1pz", "0606"), "8.1.1", "not active", side="soviet")
    assert game.why_not(Arrive("su-19", "1412")) is not None


def test_7_0_1_reinforcements_come_only_with_their_chit() -> None:
    game = command("axis-reinforcements", 1, turn=4, units={"ger-93": "axis available", "ger-21": "0201"})
    assert game.why_not(Arrive("ger-93", "0101")) is not None, "not before the chit is resolved"
    stop(game)
    assert Arrive("ger-93", "0101") in game.legal_actions()


CUP = "ger-16a ger-4pzg su-8a supply"


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_7_1_1_any_chit_of_the_cup_may_come_and_only_one_comes(number: int) -> None:
    game = command(CUP, number)
    chits = sorted(CUP.split())
    assert game.state.drawn == (chits[number - 1],)
    assert sorted(game.state.cup) == [chit for chit in chits if chit != chits[number - 1]]
    drawn = told(game.log(), "chit-drawn")
    assert [event.clause for event in drawn] == ["7.1.1"]


@pytest.mark.parametrize(("number", "owner"), [(1, "axis"), (3, "soviet")])
def test_7_1_2_its_owner_becomes_the_active_player(number: int, owner: str) -> None:
    game = command(CUP, number)
    stop(game)
    assert game.to_move == (owner,)
    assert {game.world.units[unit].side for unit in game.state.active} == {owner}


def test_7_1_2_the_supply_check_has_no_active_player() -> None:
    game = command(CUP, 4, 1, turn=4)
    log = stop(game)
    assert game.state.active == ()
    assert not told(log, "units-activated")
    assert (game.to_move, game.state.phase) == (("axis",), "activation"), "the Axis is asked about withdrawals (11.2)"


def test_7_1_3_a_resolved_chit_lies_open_and_does_not_come_back() -> None:
    game = command("ger-16a su-8a", 1, 1)
    stop(game)
    stop(game)
    assert game.state.drawn == ("ger-16a", "su-8a")
    assert "ger-16a" not in game.state.cup
    view = game.view("soviet").to_json()["state"]
    assert isinstance(view, dict)
    assert view["drawn"] == ["ger-16a", "su-8a"]


# -- 7.2 what a chit does ----------------------------------------------------------------------------------------------


def test_7_2_1_a_headquarters_chit_activates_its_headquarters() -> None:
    game = command("ger-4pzg", 1)
    log = stop(game)
    assert phases(log) == ["activation", "movement"]
    assert game.state.active == ("ger-4pzg", "ger-1pz")


@pytest.mark.parametrize("chit", ["axis-reinforcements", "soviet-reinforcements", "supply"])
def test_7_2_1_no_segments_follow_reinforcements_or_the_supply_check(chit: str) -> None:
    game = command(chit, 1, turn=4)
    log = list(game.events)
    for _ in range(9):
        if game.state.phase == "selection" or game.state.turn > 4:
            break
        log += game.apply(game.legal_actions()[0])
    assert "activation" in phases(log)
    assert not {"movement", "combat"} & set(phases(log))
    assert not told(log, "units-activated")
    assert game.state.turn == 5


def test_7_2_1_each_side_brings_in_its_own() -> None:
    for chit, side in (("axis-reinforcements", "axis"), ("soviet-reinforcements", "soviet")):
        game = position(
            {"ger-93": "axis available", "ger-21": "0201", "su-8a": "1412"},
            path=(2, 1),
            board=field(
                size=(14, 12), rail=["0101 0201 0301", "1412 1312"], areas={"supply axis": ["0101"], "supply soviet": ["1412"]}
            ),
            scenario="leningrad",
            turn=4,
            cup=[chit],
            chance=[1],
        )
        stop(game)
        assert isinstance(game.state.stack[-1], Arriving)
        assert game.to_move == (side,)
        assert {game.world.units[a.unit].side for a in game.legal_actions() if isinstance(a, Arrive)} == {side}


def test_7_2_1_the_supply_check_checks_both_sides() -> None:
    game = command("supply", 1, turn=4, units={"ger-21": "0202", "su-10": "1010"})
    log = stop(game)
    assert {event.to_json()["unit"] for event in told(log, "step-lost")} == set(), "both have lines"
    cut = position(
        {"ger-21": "0707", "su-10": "1010"},
        path=(2, 1),
        board=field(size=(14, 12)),
        scenario="leningrad",
        turn=4,
        cup=["supply"],
        chance=[1],
    )
    lost = told(stop(cut), "step-lost")
    assert {event.to_json()["unit"] for event in lost} == {"ger-21", "su-10"}


# -- 7.3 interrupts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chit", ["su-8a", "ger-16a", "axis-reinforcements", "soviet-reinforcements", "supply"])
@pytest.mark.clause("7.3.2", "7.3.3")
def test_7_3_1_any_drawn_chit_can_be_interrupted(chit: str) -> None:
    game = command(chit, 1, turn=4, held="manstein")
    assert game.to_move == ("axis",)
    assert chit in game.prompt("axis")
    log = game.apply(Interrupt("manstein"))
    assert game.state.cup == (chit,)
    assert game.state.drawn == ("manstein",)
    assert [event.clause for event in told(log, "chit-returned")] == ["7.3.2"]
    assert [event.clause for event in told(log, "chit-played")] == ["7.3.3"]
    assert game.state.active == ("ger-4pzg", "ger-1pz")


def test_7_3_1_it_comes_before_the_chit_is_resolved() -> None:
    """Nothing of the drawn chit has happened when the Axis is asked."""
    game = command("su-8a", 1, held="manstein")
    assert isinstance(game.state.stack[-1], Interrupting)
    assert game.state.active == ()
    stop(game)
    assert game.state.active == ("su-8a", "su-10")
    assert game.state.hand == {"axis": ("manstein",)}
    assert game.why_not(Interrupt("manstein"), "axis") is not None, "too late"


def test_7_3_1_the_soviets_never_interrupt_without_zhukov() -> None:
    game = command("ger-16a su-8a", 1, 1, turn=4)
    stop(game)
    assert game.to_move == ("axis",)
    assert isinstance(game.state.stack[-1], Moving)


def test_7_3_2_the_cup_is_as_full_as_before_the_draw() -> None:
    before = sorted(CUP.split())
    game = command(CUP, 3, 3, held="manstein")
    assert len(game.state.cup) == 3
    game.apply(Interrupt("manstein"))
    assert sorted(game.state.cup) == before
    stop(game)
    assert game.state.drawn == ("manstein", "su-8a"), "the same chit can come again"
    assert game.to_move == ("soviet",), "and is resolved, since nothing more can be held"


@pytest.mark.parametrize(("chit", "headquarters"), [("manstein", "ger-4pzg"), ("guderian", "ger-2pzg")])
def test_7_3_3_manstein_activates_4pzg_and_guderian_2pzg(chit: str, headquarters: str) -> None:
    units = {"ger-4pzg": "0303", "ger-1pz": "0304", "ger-2pzg": "1003", "ger-3pz": "1004", "su-8a": "0811"}
    game = command("su-8a", 1, scenario="campaign", held="guderian manstein", units=units)
    log = game.apply(Interrupt(chit))
    assert game.state.active == (headquarters, {"manstein": "ger-1pz", "guderian": "ger-3pz"}[chit])
    assert phases(log)[0] == "activation"
    assert game.to_move == ("axis",)
    assert isinstance(game.state.stack[-1], Moving)


def test_7_3_4_one_interrupt_a_draw() -> None:
    game = command("su-8a supply", 1, 1, scenario="campaign", held="guderian manstein")
    game.apply(Interrupt("manstein"))
    assert isinstance(game.state.stack[-1], Moving), "nobody is asked about Manstein himself"
    assert game.why_not(Interrupt("guderian")) is not None
    stop(game)
    assert isinstance(game.state.stack[-1], Interrupting)
    assert [action for action in game.legal_actions() if isinstance(action, Interrupt)] == [Interrupt("guderian")]
    refused(game, Interrupt("manstein"), "6.3.3", "not held")
    game.apply(Interrupt("guderian"))
    assert game.state.drawn == ("manstein", "guderian")
    assert game.state.cup == ("su-8a", "supply")


def test_7_3_4_neither_is_used_twice_in_a_turn() -> None:
    game = command("ger-16a su-8a", 1, 1, 1, held="manstein")
    game.apply(Interrupt("manstein"))
    stop(game)
    while game.state.turn == 1 and game.state.phase != "selection":
        assert not any(isinstance(action, Interrupt) for action in game.legal_actions())
        stop(game)
    assert [event.to_json()["chit"] for event in told(game.events, "chit-played")] == ["manstein"]


def test_7_3_5_both_are_played_when_the_cup_is_empty() -> None:
    units = {"ger-4pzg": "0303", "ger-2pzg": "1003", "su-8a": "0811"}
    game = command("su-8a", 1, scenario="campaign", held="guderian manstein", units=units)
    stop(game)
    log = stop(game)
    assert phases(log)[-1] == "held"
    assert game.to_move == ("axis",)
    assert set(game.legal_actions()) == {Interrupt("guderian"), Interrupt("manstein")}
    log = game.apply(Interrupt("guderian"))
    assert game.state.active == ("ger-2pzg",)
    assert [event.clause for event in told(log, "chit-played")] == ["7.3.5"]
    log = stop(game)
    assert game.state.active == ("ger-4pzg",)
    log = stop(game)
    assert phases(log)[-2:] == ["end", "selection"]
    assert game.state.turn == 2
    assert game.state.hand == {}


def test_7_3_5_the_owner_chooses_the_order() -> None:
    units = {"ger-4pzg": "0303", "ger-2pzg": "1003", "su-8a": "0811"}
    game = command("su-8a", 1, scenario="campaign", held="guderian manstein", units=units)
    stop(game)
    stop(game)
    game.apply(Interrupt("manstein"))
    assert game.state.active == ("ger-4pzg",)
    stop(game)
    assert game.state.active == ("ger-2pzg",)


def test_7_3_5_the_only_one_is_played_without_asking() -> None:
    game = command("su-8a", 1, held="manstein")
    stop(game)
    stop(game)
    assert game.state.phase == "movement"
    assert game.state.active == ("ger-4pzg", "ger-1pz")
    assert game.state.drawn == ("su-8a", "manstein")


# -- secrets -----------------------------------------------------------------------------------------------------------

PROBES: tuple[Action, ...] = (Interrupt("manstein"), Interrupt("guderian"), Done(), Move("su-8a", "0812"))
HELD = ["", "manstein", "guderian", "guderian manstein"]


def known(game: Game, side: str) -> dict[str, Any]:
    """All that a side can find out."""
    return {**seen(game, side), "told": [game.why_not(probe, side) for probe in PROBES], "public": list(map(str, game.log()))}


@pytest.mark.parametrize("held", HELD[1:])
@pytest.mark.clause("6.1.3", "6.3.1")
def test_7_3_1_being_asked_does_not_tell_who_holds_what(held: str) -> None:
    """Draw after draw the Axis is asked, whatever it holds, and the Soviets see the same."""
    games = [command("ger-16a su-8a supply", 1, 1, 1, scenario="campaign", held=hand) for hand in ("", held)]
    asked = 0
    while games[0].state.phase not in ("held", "selection") and games[0].state.cup:
        assert known(games[0], "soviet") == known(games[1], "soviet")
        assert games[0].to_move == games[1].to_move
        asked += isinstance(games[0].state.stack[-1], Interrupting)
        for game in games:
            stop(game)
    assert known(games[0], "soviet") == known(games[1], "soviet"), "the last draw"
    assert isinstance(games[0].state.stack[-1], Interrupting)
    assert asked == 2


def test_7_3_1_after_one_interrupt_the_axis_is_asked_on_whether_it_holds_another_or_not() -> None:
    games = [command("ger-16a su-8a supply", 2, 2, scenario="campaign", held=held) for held in ("manstein", "guderian manstein")]
    for game in games:
        game.apply(Interrupt("manstein"))
    assert known(games[0], "soviet") == known(games[1], "soviet")
    for game in games:
        stop(game)
        assert isinstance(game.state.stack[-1], Interrupting)
    assert known(games[0], "soviet") == known(games[1], "soviet")


def test_7_3_1_nobody_is_asked_when_all_interrupts_lie_open() -> None:
    game = command("ger-16a su-8a", 1, 1, drawn=["manstein"])
    assert isinstance(game.state.stack[-1], Moving)
    assert game.to_move == ("axis",)


@pytest.mark.clause("6.1.3")
def test_7_3_5_the_first_held_chit_does_not_tell_whether_there_is_a_second() -> None:
    """The Axis is asked which comes first even if it has only one, as long as the other might be there."""
    games = [command("su-8a", 1, scenario="campaign", held=held) for held in ("manstein", "guderian manstein")]
    for game in games:
        stop(game)
        stop(game)
        assert isinstance(game.state.stack[-1], PlayingHeld)
        assert game.to_move == ("axis",)
    assert known(games[0], "soviet") == known(games[1], "soviet")
    assert games[0].legal_actions() == [Interrupt("manstein")]
    for game in games:
        game.apply(Interrupt("manstein"))
    assert known(games[0], "soviet") == known(games[1], "soviet"), "while the first acts"


# -- examples ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("7.3.1", "7.3.2", "7.3.3", "7.3.4", "7.1.3")
def test_n04_interrupting_the_supply_check() -> None:
    game = position(
        {"ger-4pzg": "0505", "ger-1pz": "0605", "su-8a": "1010"},
        path=(2, 1),
        board=field(size=(14, 12)),
        scenario="leningrad",
        turn=4,
        cup=["ger-16a", "su-8a", "supply"],
        hand={"axis": ["manstein"]},
        chance=[3, 3, 1, 1],
    )
    assert game.state.drawn == ("supply",)
    log = game.apply(Interrupt("manstein"))
    assert not told(log, "step-lost")
    assert not told(log, "unit-eliminated")
    assert game.state.cup == ("ger-16a", "su-8a", "supply")
    assert game.state.active == ("ger-4pzg", "ger-1pz")
    assert game.state.drawn == ("manstein",)
    assert game.state.hand == {}
    log = stop(game)
    assert game.state.drawn[:2] == ("manstein", "supply"), "drawn again, it must be resolved"
    lost = {event.to_json()["unit"] for event in log if event.kind in ("step-lost", "unit-eliminated")}
    assert lost == {"ger-4pzg", "ger-1pz", "su-8a"}, "nobody has a line on this field"


@pytest.mark.clause("13.0.2", "7.1.3")
def test_n05_a_the_chit_of_a_headquarters_in_the_box() -> None:
    units = {"su-11a": "soviet available", "su-5": "1010", "su-23": "1011", "ger-12": "1009"}
    game = command("su-11a supply", 1, 1, units=units)
    log = stop(game)
    assert phases(log) == ["activation", "command"], "no segment; the next chit is drawn"
    (activated,) = told(log, "units-activated")
    assert (activated.to_json()["units"], activated.clause) == ([], "13.0.2")
    assert game.state.drawn == ("su-11a", "supply")
    assert "su-11a" not in game.state.cup


@pytest.mark.clause("13.0.2", "13.0.4", "7.3.2", "7.1.3")
def test_n05_b_an_interrupt_for_a_headquarters_that_is_gone() -> None:
    units = {"ger-4pzg": "axis eliminated", "ger-1pz": "0605", "su-8a": "1010"}
    game = command("su-8a supply", 1, 1, held="manstein", units=units)
    log = game.apply(Interrupt("manstein"))
    assert [event.to_json()["chit"] for event in told(log, "chit-returned")] == ["su-8a"]
    activated = told(log, "units-activated")[0]
    assert (activated.to_json()["chit"], activated.to_json()["units"], activated.clause) == ("manstein", [], "13.0.2")
    assert phases(log)[:2] == ["activation", "command"]
    assert game.state.drawn == ("manstein", "su-8a"), "the drawn chit went back and came again"
    assert game.state.hand == {}
