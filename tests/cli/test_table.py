"""A large game at the terminal: hundreds of possibilities stay readable, questions are answered, typed words are understood."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, move_once
from hexwar.engine import Action, Game, Listed, Question, Step, phase_title
from hexwar.mechanics import Attack, Declare, Move
from hexwar.pieces import Done
from hexwar.plugins import plugins
from hexwar.render import game_svg
from hexwar.table.chronicle import Chronicle, brief, folded
from hexwar.table.offers import Offer
from hexwar.table.words import attempts, matching, spelt_line
from tests.cli.helpers import run

TRAINING = ["play", "ava", "--scenario", "training", "--seed", "2"]
SURPRISE = "1pz attacks l0528; 6pz attacks taurage; 36m attacks taurage; done"
TO_THE_MOVES = [
    "",
    "curtain",
    SURPRISE,
    "resolve taurage",
    "6pz pursues l0728; 36m pursues taurage",
    "1",
    "1pz pursues l0628",
    "select all; made",
    "select all; made",
    "done",
]
"""Both players of the training scenario, from the surprise attack to the movement of the first chit."""


def play(*typed: str, scenario: str = "training") -> str:
    """What the terminal printed after the first question."""
    ran = run("play", "ava", "--scenario", scenario, "--seed", "2", typed="\n".join(["", *typed]) + "\n")
    assert ran.code == 0, ran.err
    return ran.out


def answer(*typed: str) -> str:
    """What the terminal answered to the last thing that was typed when units of the training scenario are to move."""
    ran = run(*TRAINING, typed="\n".join([*TO_THE_MOVES, *typed]) + "\n")
    return ran.out.split("\n> ")[-2]


class TestPrompts:
    def test_a_set_up_of_forty_units_fits_a_screen(self) -> None:
        out = play(scenario="leningrad")
        asked = out[out.index("soviet: Set up") : out.index("\n> ")]
        assert len(asked.splitlines()) < 12
        assert "449 possibilities of 42 units: su-8a (1), su-10 (7)," in asked
        assert 'such as "place su-198m in L3501"; "list su-8a" shows more' in asked
        assert "1  set up the rest automatically" in asked

    def test_the_list_of_a_unit_the_overview_and_everything(self) -> None:
        out = play("list 10", "list", "list all", "list su-16", "list zz", scenario="leningrad")
        of_unit, overview, everything, many, none = out.split("\n> ")[1:6]
        assert len(of_unit.splitlines()) == 7
        assert "5  place 10th Rifle Division (su-10) in Taurage (L0629)" in of_unit
        assert '10th Rifle Division (su-10): 7, such as "place su-10 in L0627"' in overview
        assert len(overview.splitlines()) == 44
        paragraph = "place 10th Rifle Division (su-10) in …: L0628, L0528, Taurage (L0629), L0729, L0728, L0527, L0627"
        assert paragraph in everything
        assert many.count("16th Rifle Division (su-16)") == 19
        assert 'nothing that is possible now fits "zz"' in none

    def test_an_army_that_is_set_up_at_one_stroke_is_told_in_a_few_lines(self) -> None:
        out = play("set up the rest", "", "set up the rest", scenario="leningrad")
        assert out.count(" is set up in ") == 10
        assert "    and 37 more units" in out
        full = hexwar.new_game("ava", "leningrad", 2, {"auto-setup": True})
        assert len([line for line in Chronicle(full.world).lines(full.log()) if " is set up in " in line]) == 71

    def test_long_lists_of_names_are_cut_in_questions_and_news(self) -> None:
        names = ", ".join(f"u-{number}" for number in range(12))
        assert brief(f"Move units: {names}.") == "Move units: u-0, u-1, u-2, u-3, u-4 and 7 more."
        assert brief("Move units: a, b, c.") == "Move units: a, b, c."

    def test_long_lines_are_folded_and_brackets_stay_with_their_word(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "40")
        lines = folded("one (1), " * 12, "  ", "    ").splitlines()
        assert max(map(len, lines)) <= 40
        assert all("one (1)" in line for line in lines)
        assert [line[:5] for line in lines[:2]] == ["  one", "    o"]

    def test_the_scenario_is_introduced_to_people(self) -> None:
        assert "the Axis needs 12 points" in play().splitlines()[2]
        assert "needs 12 points" not in run(*TRAINING, "--bots", "--quiet").out.splitlines()[0][:20]

    def test_whoever_goes_on_with_a_game_is_told_the_latest_only(self) -> None:
        game = hexwar.new_game("bridgehead", seed=3)
        bots, chance = {"blue": RandomBot(), "red": RandomBot()}, KeyedChance(3)
        for _ in range(100):
            move_once(game, bots, chance)
        game.save("long.hexwar")
        out = run("play", "--load", "long.hexwar", "--bot", "red=random", typed="quit\n").out
        assert len(game.log("blue")) > 60
        assert len(out.split("\nblue: ")[0].splitlines()) < 40


class TestWords:
    def test_a_whole_surprise_attack_in_short_words(self) -> None:
        out = run(*TRAINING, "--save", "a.hexwar", typed="\n".join(TO_THE_MOVES) + "\n").out
        assert "6th Panzer Division (ger-6pz) pursues from L0529 to L0728 by Taurage (L0629)" in out
        assert "axis: Move units: 4th Panzer Group (ger-4pzg), " in out
        assert "That may mean" not in out
        said = [str(move.action) for move in hexwar.load_game("a.hexwar").history[:5]]
        assert said == [
            "ger-1pz attacks L0528",
            "ger-6pz attacks L0629",
            "ger-36m attacks L0629",
            "done",
            "resolve the attack on L0629",
        ]

    def test_the_end_of_an_id_will_do(self) -> None:
        offered = [Move("ger-1", "L0528"), Move("ger-11", "L0528"), Move("su-1", "L0528")]
        assert matching("m ger-1 l0528", offered) == [offered[0]]
        assert matching("m 11 l0528", offered) == [offered[1]]
        assert matching("m 1 l0528", offered) == [offered[0], offered[2]]

    def test_the_plain_way_is_meant_unless_another_is_named(self) -> None:
        offered = [
            Move("u1", "L1"),
            Move("u1", "L1", mode="strategic"),
            Move("u1", "L1", path=("L0", "L2", "L1")),
            Move("u1", "L2"),
        ]
        assert matching("move u1 L1", offered) == [offered[0]]
        assert matching("m u1 L1", offered[1:]) == offered[1:3]
        assert matching("m u1 L1 strat", offered) == [offered[1]]

    def test_what_is_tried_in_vain_is_refused_with_its_rule(self) -> None:
        out = play("36m attacks riga", "6pz attacks kelme", "1pz attacks l9999", "fly 1pz l0629")
        assert "> 10.1.1: ger-36m does not stand next to L1420" in out
        assert "> 10.1.1: ger-6pz does not stand next to L0927" in out
        assert out.count("Nothing that is possible now fits") == 2

    def test_a_word_too_many_does_not_hide_the_reason(self) -> None:
        assert "L0927 is occupied by soviet" in answer("move 1pz kelme strategic")

    def test_what_comes_later_is_no_breach_of_the_rule_that_asks_now(self) -> None:
        """While units move, an attack is not forbidden by the rule on moves; its verb may come first or second."""
        for line, named in (
            ("attack kelme", "resolve the attack on Kelme (L0927)"),
            ("attack 1pz kelme", "1st Panzer Division (ger-1pz) attacks Kelme (L0927)"),
            ("1pz attacks kelme", "1st Panzer Division (ger-1pz) attacks Kelme (L0927)"),
        ):
            said = " ".join(answer(line).split())
            assert said == f'{named} is not possible now: what is asked is "Move units" (9.1.2); "done" ends that'

    def test_attempts_take_no_verb_for_a_unit(self) -> None:
        known = {"unit": {"b1"}, "target": {"0504"}, "to": {"0504"}}
        tried = list(
            attempts("b1 attacks 0504", plugins().ruleset("ava"), lambda field, value: value in known.get(field, {value}))
        )
        assert tried == [Declare("b1", "0504")]

    def test_several_things_in_one_line(self) -> None:
        out = play("curtain", SURPRISE)
        assert out.count("is to attack") == 3
        assert out.count("axis: Declare attacks") == 1, "nobody is asked in between"

    def test_the_rest_of_a_line_is_dropped_where_something_goes_wrong(self) -> None:
        out = play("curtain", "1pz attacks l0528; 6pz attacks riga; 36m attacks l0629")
        assert out.count("is to attack") == 1
        assert out.count("axis: Declare attacks") == 2, "the question is asked again"

    def test_numbers_behind_a_semicolon_would_mean_something_else_by_then(self) -> None:
        out = play("2; 3")
        assert "numbers are not taken" in out
        assert out.count("is to attack") == 1

    def test_a_line_ends_where_another_player_decides(self, own_folder: Path) -> None:
        """Given a line that goes on behind the last order of its player, then it neither chooses nor looks for the other."""
        line = "select all; made; select all; made; map peek.svg l0529 2; log 5"
        passing = [*TO_THE_MOVES[2:5], "", "1", "", "1pz pursues l0628"]
        typed = ["", *passing, line, "", "status", "quit"]
        out = run(*TRAINING, "--save", "a.hexwar", typed="\n".join(typed) + "\n").out
        assert "A line of orders ends where another player decides: the rest of it is dropped." in out
        assert not (own_folder / "peek.svg").exists()
        assert [move.seat for move in hexwar.load_game("a.hexwar").history[-3:]] == ["axis"] * 3
        assert "Selection; soviet to decide" in out

    def test_a_line_ends_there_without_a_curtain_too(self) -> None:
        out = run(*TRAINING, typed="\n".join([*TO_THE_MOVES[:7], "select all; made; select all; made; done"]) + "\n").out
        assert "the rest of it is dropped" in out
        assert "axis: Move units" not in out

    def test_letters_that_are_none(self) -> None:
        out = play("save a\0b", "map x\0.svg", "a\x1b[2Jb", "status")
        assert out.count("A line is made of printable letters") == 3
        assert "axis to decide" in out

    def test_thirty_chits_are_still_a_list(self) -> None:
        offer = asked(hexwar.new_game("bridgehead", seed=1), [Attack(f"{number:04}") for number in range(30)])
        assert len(list(offer.lines())) == 30

    def test_numbers_that_tell_nothing_are_left_out(self) -> None:
        """Given thirty units that can each do the same few things, then the numbers are not repeated thirty times."""
        game = hexwar.new_game("bridgehead", seed=1)
        units = list(game.world.units)
        moves = [Move(unit, f"{to:04}") for unit in units for to in range(2)]
        lines = list(asked(game, [Done(), *moves]).lines())
        assert lines[0] == "    1  done"
        assert lines[1].startswith(f"  2 for each of {len(units)} units: {units[0]}, {units[1]}, ")

    def test_names_will_do_and_several_hexes_of_a_city_are_asked_back(self) -> None:
        game = hexwar.new_game("ava", "kiev", 1, {"auto-setup": True})
        offered: list[Action] = [Done(), *(Attack(label) for label in ("K3507", "K3607", "K3608", "K3630"))]
        offer = asked(game, offered)
        assert offer.meant("attack kiev") == offered[1:4]
        assert offer.meant("attack odessa") == offered[4:]

    def test_a_hex_may_be_called_by_the_label_of_the_other_map(self) -> None:
        game = hexwar.new_game("ava", "campaign", 1, {"auto-setup": True})
        assert spelt_line("attack l0629", game.world) == "attack S0609"

    def test_a_hex_is_no_number(self) -> None:
        game = hexwar.new_game("bridgehead", seed=1)
        actions: list[Action] = [Done(), *(Attack(f"{number:04}") for number in range(2000))]
        offer = asked(game, actions)
        assert offer.number("3") == actions[2]
        assert offer.number("1500") == actions[1499]
        assert offer.number("1500", ["1500"]) is None
        assert offer.number("0504") is None
        assert offer.number("9999") is None
        assert offer.number("0") is None

    def test_many_possibilities_without_units_are_counted(self) -> None:
        offer = asked(hexwar.new_game("bridgehead", seed=1), [Attack(f"{number:04}") for number in range(60)])
        assert list(offer.lines()) == ['  60 possibilities: type what you want, such as "attack 0059", or "list"']
        assert next(iter(offer.listing(""))).startswith("  attack …: 0000, 0001,")

    def test_of_thousands_those_behind_the_numbers_are_listed_too(self) -> None:
        offer = asked(hexwar.new_game("bridgehead", seed=1), [Attack(f"{number:04}") for number in range(6000)])
        assert list(offer.listing("attack 0007")) == ["    8  attack 0007"]
        assert list(offer.listing("attack 5990")) == ["    -  attack 5990"]


def asked(game: Game, actions: Iterable[Action]) -> Offer:
    """What a player reads who is offered some actions."""
    side = game.world.sides[0]
    return Offer(Question(Step(), lambda: game.position, side, (side,), Listed(actions)), Chronicle(game.world))


class TestQuestions:
    """Asked in the middle of the first activation."""

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("status", "Turn 1 of 4, Movement segment; axis to decide\n  axis: units on the map 7, reduced 0, places held 1"),
            ("status", "soviet: units on the map 6, reduced 1, places held 4\n  Points: axis 3"),
            ("score", "axis +3 (3 times 1): 1st Panzer Division (ger-1pz) at full strength"),
            ("score", "axis has 3 points"),
            ("reach 1pz", "     1  L0528, Taurage (L0629), L0727, L0728\n     2  L0428,"),
            ("reach 1pz", "not L0526, Kelme (L0927), Siauliai (L1125): 3.1.2: it is occupied by soviet"),
            ("reach 1pz", 'Other ways of moving: "reach ger-1pz strategic"'),
            ("moves GER-1PZ strategic", "nowhere\n  not L0527, L0528, L0627, Taurage (L0629), L0727, L0728: 9.3.2: "),
            ("moves 36m strategic", "   0.5  L0529, L0728\n"),
            ("reach 1pz rocket", "no way of moving is called 'rocket'; known: strategic, map"),
            ("reach 1pz map", "[1]"),
            ("reach 207sec", "is not on the board"),
            ("command 4pzg", "commands 4th Panzer Group (ger-4pzg), 1st Panzer Division (ger-1pz), 6th Panzer"),
            ("command", "18th Army (ger-18a) commands ger-1pz, ger-6pz, ger-36m, ger-18a, ger-1, ger-21"),
            ("command 1pz", "ger-1pz is not a headquarters"),
            ("zones", "soviet: "),
            ("zones axis", "axis: L"),
            ("zones green", "no side is called 'green'"),
            ("retreats su-28t 2", "L1"),
            ("retreats", "say of which unit"),
            ("retreats 1pz many", "say by how many hexes"),
            ("retreats 1pz 99", "a retreat is 1 to 9 hexes long"),
            ("odds kelme", "no unit of axis can attack L0927"),
            ("odds 1pz l0526", "ger-1pz does not stand next to L0526"),
            ("supply 1pz", "in supply by L0431 L0430 L0529 L0629 L0628 (3.3.1)"),
            ("supply riga", "no supply"),
            ("hex taurage", "L0629: clear, Taurage (town)\n"),
            ("hex taurage", "to L0529: rail, road, start-line"),
            ("hex riga", "controlled by soviet"),
            ("hex 1pz", "in zones of control of axis"),
            ("hex", "say which hex"),
            ("hex nowhere", "no hex is called 'nowhere'"),
            ("units soviet armour", "su-28t     soviet armour     4-2-6   Siauliai (L1125)   28th Tank Division"),
            ("units kelme", "8th Army"),
            ("units panzer", "6th Panzer Division"),
            ("units zzz", "no unit fits 'zzz': say a side (axis, soviet)"),
            ("map kelme 1", "/su-8a+1 #______/\n /L0828 \\  4-3   /"),
            ("map kelme 1", "# rail and road; + rail; : road; @ Kelme (L0927); numbers: values of a counter"),
            ("map kelme far", "reaches 0 to 12 hexes, not 'far'"),
            ("map 207sec", "is not on the board"),
            ("map x.svg kelme 1", "Drawn: x.svg"),
            ("rule 10.7", "10.7.2  "),
            ("rule 10.77", "no clause is called '10.77'"),
        ],
    )
    def test_answers(self, typed: str, expected: str) -> None:
        assert expected in answer(typed).replace(" \n", "\n")

    def test_the_phase_is_called_as_in_the_sequence_of_the_game_that_is_played(self) -> None:
        game = hexwar.position('ruleset = "ava"\nscenario = "training"\n[[stack]]\nkind = "sequencing"\npath = [2, 0]\n')
        assert game.state.phase == "selection"
        game.save("selection.hexwar")
        told = run("play", "--load", "selection.hexwar", typed="\nstatus\n").out
        assert "  Turn 1 of 4, Selection; axis and soviet to decide" in told
        picture = game_svg(game.view("axis"))
        assert "Selection" in picture
        assert "Division of the chits" not in picture
        many = hexwar.position(
            'ruleset = "ava"\nscenario = "campaign"\noptions = { many-players = "master-cup" }\n'
            '[[stack]]\nkind = "sequencing"\npath = [4, 0]\n'
        )
        assert phase_title(many.view("north").position) == "Division of the chits"

    def test_odds_of_all_that_stand_there_or_of_those_named(self) -> None:
        out = play("odds taurage", "odds ger-36m,ger-6pz L0629", "odds L0629 36m")
        everybody, two, one = out.split("\n> ")[1:4]
        assert "21 to 2\n  column 10:1" in everybody
        assert "  2RR     33.3 %  ########      2 steps, retreat of 2" in everybody
        assert "13 to 2\n  column 6:1" in two
        assert "5 to 2\n  column 2:1" in one

    def test_the_results_against_a_fortress_are_those_that_apply(self) -> None:
        game = hexwar.position(
            'ruleset = "ava"\nscenario = "training"\n[state]\nphase = "combat"\n'
            '[units]\nger-1pz = "L1421"\nger-6pz = "L1421"\nsu-181 = "L1420"\n'
            'fort-l1 = { at = "L1420", steps = 1 }\n'
            '[[stack]]\nkind = "declaring"\nseat = "axis"\nunits = ["ger-1pz", "ger-6pz"]\n'
        )
        game.save("fort.hexwar")
        out = run("play", "--load", "fort.hexwar", typed="\nodds riga\n").out
        assert "1 step, no retreat" in out
        assert "retreat of" not in out

    def test_large_maps_are_shown_in_parts(self) -> None:
        out = play("map", "map su-10", "set up the rest", "", "set up the rest", "", "map ger-4pzg 2", scenario="leningrad")
        assert max(map(len, out.split("\n> ")[1].splitlines())) <= 110
        assert "* start-line" in out
        assert "su-10 is not on the board" in out
        assert "/ger-4pzg===" in out

    def test_many_units_are_counted_first(self) -> None:
        out = play("units", "units 8A", scenario="leningrad")
        assert "soviet, set-up: 42" in out
        assert "su-202m    soviet motorized  3-2-6   set-up" in out

    def test_a_crowd_keeps_its_number_on_the_map(self) -> None:
        assert "ger-1p+1" in play("map l0529 1")

    def test_a_game_without_hexes_answers_none_of_it(self, toy: None) -> None:
        words = ["score", "hex x", "zones", "command", "retreats x 1", "moves x"]
        out = run("play", "toy", "--bot", "south=random", typed="\n".join(["status", *words, "help"]) + "\nquit\n").out
        assert "  Bidding; north to decide" in out
        assert out.count("This game has no ") == len(words)
        told = out[out.index("To decide:") :]
        assert "status" in told
        assert not any(word in told for word in ("Where a unit", "odds", "zones", "supply", "map FILE", "What could be"))

    def test_help_lists_what_the_game_has(self) -> None:
        games = (["bridgehead"], ["tow"], ["wop"])
        told = {words[0]: run("play", *words, typed="\nhelp\nquit\n").out for words in games}
        assert all("hex HEX" in out and "supply UNIT" in out for out in told.values())
        assert all("score  " in out for out in told.values())
        assert all("odds HEX" in out for out in told.values())


class TestWithoutACurtain:
    def test_nobody_passes_the_device_and_nothing_is_told_twice(self) -> None:
        out = run(*TRAINING, typed="\n".join(TO_THE_MOVES) + "\n").out
        assert out.count("Pass the device") == 1
        assert out.count("results in 2RR") == 1

    def test_it_comes_back(self) -> None:
        assert "The device is passed with a curtain." in play("curtain", "curtain")


def test_a_whole_game_in_words(own_folder: Path) -> None:
    """Given all decisions of a training game, when two people type them, then the terminal comes to the same end."""
    game: hexwar.Game = hexwar.new_game("ava", "training", seed=11)
    bots, chance = {"axis": RandomBot(), "soviet": RandomBot()}, KeyedChance(11)
    lines, last = [], ""
    while game.to_move:
        seat = last if last in game.to_move else game.to_move[0]
        lines += [] if seat == last else [""]  # the curtain
        last = seat
        move_once(game, {seat: bots[seat]}, chance)
        lines.append(str(game.history[-1].action))
    ran = run("play", "ava", "--seed", "11", "--save", "end.hexwar", typed="\n".join(lines) + "\n")
    assert ran.code == 0, ran.out[-500:]
    assert str(game.result.reason) in ran.out  # type: ignore[union-attr]
    assert hexwar.load_game(own_folder / "end.hexwar").digest == game.digest


class TestWays:
    """A way through several places is typed, in the middle of the first activation."""

    @pytest.mark.clause("9.1.2")
    def test_a_unit_goes_by_the_places_that_are_named(self) -> None:
        moved = "(ger-1pz) moves from L0628 to L0527 by Taurage (L0629), L0528"
        assert moved in answer("move 1pz to l0527 by taurage, l0528", "log 1")
        assert moved in answer("move ger-1pz to L0527 by L0629, L0528", "log 1"), "as the log has it"

    @pytest.mark.parametrize(
        ("typed", "why"),
        [
            ("move 1pz to l0527 by l0526", "3.1.2: L0526 is occupied by soviet"),
            ("move 1pz to l1325 by l0527", "ger-1pz does not get from L0527 to L1325 with the"),
            ("move 1pz to l0527 by l0629, nowhere", "Nothing that is possible now fits"),
        ],
    )
    def test_a_way_that_is_closed_is_refused_with_its_rule(self, typed: str, why: str) -> None:
        assert why in answer(typed).replace("\n", " ")
