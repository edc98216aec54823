"""Pictures of positions: units, stacks, control, what waits beside the map, and only what a side may know."""

from __future__ import annotations

from dataclasses import replace

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, play_to_end
from hexwar.engine import Colours, Game, Piece
from hexwar.errors import HexwarError
from hexwar.plugins import plugins
from hexwar.render import SYMBOLS, game_svg
from hexwar.render._counters import colours_of, counter
from tests.engine import toy
from tests.render.helpers import SVG, hexes, ids, parsed, texts, units, with_class

POSITION = """
ruleset = "bridgehead"
state = { turn = 4, phase = "operations" }
stack = [{ kind = "sequencing" }, { kind = "moving", seat = "blue", units = ["b1"] }]
[units]
bA = "0304"
b1 = "0504"
b2 = { at = "0504", steps = 1 }
r1 = "0604"
rA = "0706"
r7 = "turn 5"
"""


@pytest.fixture
def game() -> hexwar.Game:
    return hexwar.position(POSITION)


def test_a_position_shows_all_units_and_the_state_of_affairs(game: Game) -> None:
    tree = parsed(game_svg(game.view("blue")))
    assert len(hexes(tree)) == 63
    on_map = [unit for stack in with_class(tree, "stack") for unit in units(stack)]
    assert sorted(on_map) == ["b1", "b2", "bA", "r1", "rA"]
    status = next(text for text in texts(tree) if text.startswith("Turn"))
    assert status == "Turn 4 · Operations · blue to decide · places held: blue 2, red 15"
    assert {"turn 5", "eliminated"} <= set(texts(tree))


def test_values_and_the_reduced_side_are_shown(game: Game) -> None:
    tree = parsed(game_svg(game))
    titles = [title.text or "" for title in tree.iter(f"{SVG}title")]
    assert any(title.startswith("2nd rifles, blue, infantry") and title.endswith("reduced") for title in titles)
    assert any(title.startswith("1st rifles") and not title.endswith("reduced") for title in titles)


def test_control_is_flagged(game: Game) -> None:
    flags = with_class(parsed(game_svg(game)), "control")[0]
    assert len(flags) == 2 * len(game.state.control)


def test_a_crop_shows_only_its_units(game: Game) -> None:
    tree = parsed(game_svg(game, only=["0504", "0404"]))
    assert sorted(units(tree)) == ["b1", "b2", "id"], "the last one explains the counters in the legend"
    assert "eliminated" not in texts(tree)


def test_ids_stay_unique(game: Game) -> None:
    tree = parsed(game_svg(game))
    assert len(ids(tree)) == len(set(ids(tree)))


def test_a_finished_game_tells_its_result() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    result = play_to_end(game, {"blue": RandomBot(), "red": RandomBot()}, KeyedChance(1))
    assert any(str(result) in text for text in texts(parsed(game_svg(game))))


def test_a_view_draws_only_what_its_side_knows(game: Game) -> None:
    view = game.view("red")
    del view.state.locations["b1"]  # as a game with hidden units would
    del view.state.steps_left["b1"]
    view.state.rebuild()
    drawn = parsed(game_svg(view))
    assert "b1" not in [unit for stack in with_class(drawn, "stack") for unit in units(stack)]


def test_a_game_without_hexes_is_a_sentence() -> None:
    with pytest.raises(HexwarError, match="has no board that can be drawn"):
        game_svg(toy.new_game().view("north"))


@pytest.mark.parametrize("symbol", [*(symbol for symbol in SYMBOLS if symbol != "works"), "dragon"])
def test_every_symbol_is_drawn_and_an_unknown_one_has_its_first_letters(symbol: str) -> None:
    piece = Piece("u", "0101", "blue", "Unit & co", symbol, symbol=symbol, values="12–12–12")
    drawn = parsed(f'<svg xmlns="http://www.w3.org/2000/svg">{counter(piece, colours_of(["blue"], {})["blue"], 0, 0)}</svg>')
    assert "12–12–12" in texts(drawn)
    assert ("dra" in texts(drawn)) == (symbol == "dragon")


def test_many_in_a_hex_are_counted(game: Game) -> None:
    crowd = game
    for unit in ("b3", "b4", "b5", "b6", "b7"):
        crowd._state.steps_left[unit] = 1
        crowd._state.put(unit, "0504")
    tree = parsed(game_svg(crowd))
    assert "7" in texts(tree)
    assert len([stack for stack in with_class(tree, "stack") if len(units(stack)) == 5]) == 1


def test_a_fortress_is_a_wall_around_its_hex_with_its_level() -> None:
    """Given a fortress of two levels with a garrison, then it is no counter with values, and nothing of it is called reduced."""
    game = hexwar.position(
        'ruleset = "ava"\nscenario = "training"\n[units]\nsu-181 = "L1420"\nfort-l1 = { at = "L1420", steps = 2 }\n'
    )
    tree = parsed(game_svg(game, only=["L1420"]))
    (hex_stack,) = with_class(tree, "stack")
    assert units(hex_stack) == ["fort-l1", "su-181"], "it lies below"
    titles = [title.text for title in hex_stack.iter(f"{SVG}title")]
    assert titles[0] == "Fortress L1, soviet, 2 levels"
    assert texts(hex_stack)[0] == "2"


class TestSides:
    def test_a_rulesets_colours_are_kept_and_others_get_free_ones(self) -> None:
        given = Colours("#1f5a9e", "#ffffff", "#0e2f57")
        found = colours_of(("blue", "ants", "bees", "wasps", "moths", "flies"), {"blue": given})
        assert found["blue"] == given
        assert len({colours.fill for colours in list(found.values())[:4]}) == 4

    @pytest.mark.parametrize("ruleset", ["bridgehead", "ava", "tow", "wop", ""])
    def test_opponents_differ_in_grey(self, ruleset: str) -> None:
        def lightness(colour: str) -> float:
            red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
            return 0.3 * red + 0.59 * green + 0.11 * blue

        given = plugins().ruleset(ruleset).colours if ruleset else {}  # type: ignore[attr-defined]
        one, other = colours_of(given or ("north", "south"), given).values()
        assert abs(lightness(one.fill) - lightness(other.fill)) > 40
        assert abs(lightness(one.fill) - lightness(one.ink)) > 100
        assert abs(lightness(other.fill) - lightness(other.ink)) > 100


def test_a_counter_says_what_it_is_by_label_stripe_state_marks_and_front() -> None:
    """Whatever a piece does not say is drawn as if there were no such thing."""
    grey = Colours("#59636b", "#ffffff", "#262c31")
    plain = Piece("b12", None, "blue", "12th rifles", symbol="infantry", values="4–3–5")
    rich = replace(plain, label="12 Pz", stripe="#e0b73a", state=("spent", "cut"), marks=("dug in",), heading=90)
    told, drawn = counter(plain, grey, 0, 0), counter(rich, grey, 0, 0)
    assert ">b12</text>" in told
    assert 'opacity="0.55"' not in told
    for shown in (">12 Pz</text>", 'fill="#e0b73a"', 'opacity="0.55"', "stroke-dasharray", "dug in", "rotate(90)"):
        assert shown in drawn
        assert shown not in told
    with pytest.raises(ValueError, match="state 'asleep'"):
        replace(plain, state=("asleep",))  # type: ignore[arg-type]  # it is wrong on purpose
    with pytest.raises(ValueError, match="no colour such as"):
        replace(plain, stripe="yellow")
