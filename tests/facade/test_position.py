"""Positions by hand: what they may say, and the sentence for each mistake, which names the file and the place."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar import ContentError
from hexwar.files import MAX_BYTES
from tests.facade.sample import POSITION, play

HEAD = 'ruleset = "bridgehead"\n'
SMALL_MAP = """
format = 1
id = "bridgehead/tiny"
grid = {layout = "columns", columns = 3, rows = 3, shifted = "even", shift = "up"}
[terrain]
legend = {"." = "clear"}
rows = '''
. . .
. . .
. . .
'''
[areas]
west = ["0101"]
east = ["0303"]
"""


# -- what a position may say ------------------------------------------------------------------------------------------


def test_units_stand_where_the_position_says_and_nowhere_else() -> None:
    state = hexwar.position(POSITION).state
    assert state.locations == {"b1": "0403", "b5": "0404", "r1": "0504", "rA": "0604"}
    assert state.steps_left["b5"] == 1
    assert state.steps_left["b1"] == 2
    assert state.turn == 2


def test_what_it_leaves_out_is_as_at_the_beginning() -> None:
    game = hexwar.position(HEAD)
    start = hexwar.new_game("bridgehead", seed=1)
    assert game.state.control == start.state.control
    assert game.state.locations == {}
    assert game.source == HEAD


def test_a_position_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "seed=7.toml"  # a name that looks like TOML
    file.write_text(POSITION, encoding="utf-8")
    assert hexwar.position(file).digest == hexwar.position(str(file)).digest == hexwar.position(POSITION).digest


def test_a_position_on_one_line() -> None:
    assert hexwar.position('ruleset = "bridgehead"').to_move
    long = f'ruleset = "bridgehead" # {"x" * 5000}'  # longer than any name of a file
    assert hexwar.position(long).to_move


def test_seed_and_chance() -> None:
    one, two = (play(hexwar.position(POSITION, seed=seed), 60) for seed in (1, 1))
    assert one.digest == two.digest
    assert hexwar.position(POSITION).chance.seed == 0  # type: ignore[attr-defined]

    class Ones:
        def randrange(self, stop: int, /) -> int:
            return 0

    play(hexwar.position(POSITION, chance=Ones()), 20)


def test_options_and_seats() -> None:
    game = hexwar.position(f'{HEAD}options = {{barrage = true}}\nseats = {{ann = "blue", bob = "red"}}\n')
    assert game.world.options["barrage"] is True
    assert game.to_move == ("ann", "bob")


def test_a_board_by_id_by_file_and_as_text(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(SMALL_MAP, encoding="utf-8")
    texts = [
        f"{HEAD}board = '''{chr(10)}{SMALL_MAP.replace(chr(39) * 3, chr(34) * 3)}'''\n",
        HEAD,
    ]
    for text, file in zip(texts, (None, tmp_path / "tiny.toml"), strict=True):
        game = hexwar.position(f"{text}units = {{b1 = '0101', r1 = '0303'}}", board=file)
        assert len(game.world.board.labels) == 9
        assert game.query.reach("b1").costs
    assert (
        hexwar.position(f"{HEAD}board = 'bridgehead/crossing'").world.board.labels
        == hexwar.load_board("bridgehead/crossing").labels
    )


def test_a_position_cannot_name_a_file_as_its_board(tmp_path: Path) -> None:
    """It may come from anywhere, and what it names would be opened."""
    (tmp_path / "tiny.toml").write_text(SMALL_MAP, encoding="utf-8")
    with pytest.raises(ContentError, match="position: board: no board is called"):
        hexwar.position(f"{HEAD}board = '{tmp_path / 'tiny.toml'}'\n")


def test_positions_on_the_scenarios_board_share_its_world() -> None:
    assert hexwar.position(HEAD).world is hexwar.position(POSITION).world


# -- mistakes ---------------------------------------------------------------------------------------------------------

MOVING = '{kind = "moving", seat = "blue", units = ["b1"]}'

MISTAKES = [
    ("ruleset = ]", "line 1, column 11: is not valid TOML: invalid value"),
    ("a = 1\na = 2\nb = 3", "line 2, column 6: is not valid TOML: cannot overwrite a value"),
    (f"a = {'9' * 5000}", "is not valid TOML: a number has too many digits"),
    (f"a = {'[' * 50_000}", "is not usable TOML: its values are nested too deeply"),
    ("turn = 3", "turn: no key of a position is called 'turn'; known: ruleset, scenario, options, "),
    ("rulset = 'bridgehead'", "rulset: no key of a position is called 'rulset'; did you mean ruleset?"),
    ("units = {}", "ruleset: is missing: write the id of a game"),
    ("ruleset = 3", "ruleset: must be a string, not 3"),
    (f"{HEAD}units = 'b1'", "units: must be a table, not 'b1'"),
    (f"{HEAD}stack = 'moving'", "stack: must be a list, not 'moving'"),
    (f"{HEAD}board = {{id = 'x'}}", "board: must be a string, not {'id': 'x'}"),
    ("ruleset = 'bridghead'", "no ruleset is called 'bridghead'; did you mean bridgehead?"),
    (f"{HEAD}scenario = 'crosing'", "no scenario of bridgehead is called 'crosing'; did you mean crossing?"),
    (f"{HEAD}options = {{barage = true}}", "no option is called 'barage'; did you mean barrage?"),
    (f"{HEAD}options = {{barrage = [1]}}", "option barrage is a switch: true or false, not [1]"),
    (f"{HEAD}seats = {{ann = 'blue'}}", "nobody plays red: every side needs a seat"),
    (f"{HEAD}seats = {{ann = ['blue']}}", "a name is a string, not ['blue']"),
    (f"{HEAD}board = 'bridgehead/crosing'", "board: no board is called 'bridgehead/crosing'; did you mean bridgehead/crossing"),
    (f"{HEAD}board = '''\nformat = 1\n'''", "board: map text: id: this key is missing"),
    (f"{HEAD}units = {{b9 = '0403'}}", "units: no unit is called 'b9'; there are 22, for example bA, bB, bC"),
    (f"{HEAD}units = {{b1 = '0499'}}", "units: "),
    (f"{HEAD}units = {{b1 = 403}}", "units: unit b1: at must be a place of the board, a point of it or a box, not 403"),
    (
        f"{HEAD}units = {{b1 = 1979-05-27}}",
        "units: unit b1: at must be a place of the board, a point of it or a box, not datetime.date",
    ),
    (f"{HEAD}units = {{b1 = {{at = '0403', steps = 3}}}}", "units: unit b1: steps must be from 1 to 2, not 3"),
    (f"{HEAD}units = {{b1 = {{at = '0403', steps = true}}}}", "units: unit b1: steps must be from 1 to 2, not True"),
    (f"{HEAD}units = {{b1 = {{hex = '0403'}}}}", "units: unit b1: "),
    (f"{HEAD}state = {{turns = 3}}", "state: turns: the state has no such field; it has "),
    (f"{HEAD}state = {{turn = 'three'}}", "state: turn: input should be a valid integer"),
    (f"{HEAD}state = {{turn = 1979-05-27}}", "state: turn: is no JSON data"),
    (f"{HEAD}state = {{layout = 3}}", "state: layout: the state has no such field"),
    (f"{HEAD}state = {{locations = {{b99 = '0403'}}}}", "state: "),
    (f"{HEAD}stack = ['moving']", "stack.0: unknown kind of step None; known: "),
    (f"{HEAD}stack = [{{kind = 'flying'}}]", "stack.0: unknown kind of step 'flying'; known: "),
    (f"{HEAD}stack = [{MOVING}, {{kind = 'moving', seat = 'blue'}}]", "stack.1: units: field required"),
    (f"{HEAD}stack = [{{kind = 'moving', seat = 'blue', units = [], mood = 3}}]", "stack.0: "),
    (f"{HEAD}units = {{b1 = '0403'}}\nstack = [{{kind = 'moving', seat = 'grey', units = ['b1']}}]", ""),
    (f"{HEAD}stack = [{{kind = 'attacking', seat = 'grey', units = ['b1']}}]", ""),
]


@pytest.mark.parametrize(("text", "sentence"), MISTAKES, ids=[str(number) for number in range(len(MISTAKES))])
def test_a_mistake_is_a_sentence_that_names_the_source(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ContentError) as caught:
        hexwar.position(f"{text}\n")
    assert str(caught.value).startswith(f"position: {sentence}")
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        hexwar.position(file)
    assert str(caught.value).startswith(f"{file}: {sentence}")
    assert caught.value.source == str(file)


def test_rules_that_stumble_over_a_position_are_not_heard_of_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruleset trusts its state, which somebody wrote here by hand."""
    from hexwar.plugins import plugins

    def stumble(*arguments: object) -> None:
        raise KeyError("grey")

    monkeypatch.setattr(type(plugins().ruleset("bridgehead")), "place", stumble)
    with pytest.raises(ContentError) as caught:
        hexwar.position(f"{HEAD}units = {{b1 = '0403'}}")
    assert str(caught.value) == "position: units: does not fit the game (KeyError: 'grey')"
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"gone\.toml: cannot be read: no such file or directory"):
        hexwar.position(tmp_path / "gone.toml")
    with pytest.raises(ContentError, match="cannot be read: "):
        hexwar.position("x" * 5000)
    with pytest.raises(ContentError, match="is no name of a file"):
        hexwar.position("mine\0.toml")
    (tmp_path / "picture.toml").write_bytes(b"\x89PNG\xff")
    with pytest.raises(ContentError, match=r"picture\.toml: line 1: is not UTF-8 text"):
        hexwar.position(tmp_path / "picture.toml")


def test_a_file_that_is_too_long(tmp_path: Path) -> None:
    text = f"{HEAD}#{'x' * MAX_BYTES}"
    (tmp_path / "long.toml").write_text(text, encoding="utf-8")
    for source in (text, tmp_path / "long.toml"):
        with pytest.raises(ContentError, match=f"is larger than {MAX_BYTES} bytes"):
            hexwar.position(source)
