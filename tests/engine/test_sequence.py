"""The sequence of play: loops, branches and phases as data."""

from __future__ import annotations

import functools
from typing import Any

from hexwar.engine import Branch, Loop, Phase, PhaseEntered, Play, Position, SequenceOfPlay, Sequencing, phase_title
from tests.engine.toy import SEQUENCE, Do, Doing, change, deeds_game, new_game


def never(at: Position) -> bool:
    return False


def _it_snows(at: Position) -> bool:
    return True


def idle(play: Play) -> None:
    pass


def count(play: Play) -> None:
    change(play, round=play.state.round + 1)


def stop(play: Play) -> None:
    play.end(None, "enough", clause="9")


def before(limit: int, at: Position) -> bool:
    return bool(at.state.round < limit)


def phases(*nodes: Any) -> list[str]:
    return [event.phase for event in deeds_game({}, *nodes).events if isinstance(event, PhaseEntered)]


END = Phase("end", "End", "9", stop)


def test_phases_come_in_order_and_the_state_keeps_the_last() -> None:
    game = deeds_game({}, Phase("a", "A", "1", idle), Phase("b", "B", "2", idle), END)
    assert [event.phase for event in game.events if isinstance(event, PhaseEntered)] == ["a", "b", "end"]
    assert game.state.phase == "end"
    assert game.to_move == ()


def test_a_phase_whose_condition_fails_is_skipped() -> None:
    assert phases(Phase("a", "A", "1", idle, when=never), Phase("b", "B", "1", idle, when=_it_snows), END) == ["b", "end"]


def test_a_loop_asks_before_each_round() -> None:
    body = (Phase("a", "A", "1", count), Phase("b", "B", "1", idle))
    assert phases(Loop("L", "1", functools.partial(before, 3), body), END) == ["a", "b", "a", "b", "end"]
    assert phases(Loop("L", "1", never, body), END) == ["end"]


def test_a_branch_is_gone_through_once() -> None:
    body = (Phase("a", "A", "1", idle), Phase("b", "B", "1", idle))
    assert phases(Branch("B", "1", _it_snows, body), END) == ["a", "b", "end"]
    assert phases(Branch("B", "1", never, body), END) == ["end"]


def test_loops_and_branches_nest() -> None:
    inner = Branch("B", "1", functools.partial(before, 2), (Phase("b", "B", "1", idle),))
    outer = Loop("L", "1", functools.partial(before, 3), (inner, Phase("a", "A", "1", count)))
    assert phases(outer, END) == ["b", "a", "a", "end"]


def test_the_place_in_the_sequence_is_part_of_the_state() -> None:
    assert new_game().state.stack[0] == Sequencing((0, 1))


def test_a_phase_waits_for_the_steps_that_it_pushed() -> None:
    from tests.engine.toy import Doing

    game = deeds_game({"go": lambda play: play.pop()}, Phase("a", "A", "1", lambda play: play.push(Doing())), END)
    assert game.state.phase == "a"
    game.apply(Do("go"))
    assert game.state.phase == "end"


def test_the_outline_prints_like_a_rulebook() -> None:
    sequence = SequenceOfPlay(
        Loop(
            "Game turn",
            "4",
            _it_snows,
            (Branch("Winter", "4.1", _it_snows, (Phase("f", "Frost", "4.2", idle, never),)), Phase("m", "Move", "4.3", idle)),
        ),
        Branch("Late", "5", functools.partial(before, 2), ()),
    )
    assert sequence.outline() == [
        "Game turn [4], repeated while it snows",
        "  Winter [4.1], if it snows",
        "    Frost [4.2], if never",
        "  Move [4.3]",
        "Late [5], if its condition holds",
    ]
    assert SEQUENCE.outline()[0] == "Round [4], repeated while rounds remain"


def test_a_node_is_found_by_its_path() -> None:
    assert SEQUENCE.node((0, 1)) == SEQUENCE.nodes[0].body[1]  # type: ignore[union-attr]
    for nowhere in [(2,), (0, 2), (1, 0), (7, 0), ()]:
        assert SEQUENCE.node(nowhere) is None


def test_a_path_never_counts_from_the_end() -> None:
    assert SEQUENCE.node((-1,)) is None


def test_the_title_of_a_phase_is_that_of_the_part_that_is_gone_through() -> None:
    """Several may share a name, such as those of variants of a turn."""

    def ask(play: Play) -> None:
        play.push(Doing())

    first, second = Phase("a", "First", "1", ask), Phase("a", "Second", "1", ask)
    deeds = {"rename": lambda play: change(play, phase="end")}
    assert phase_title(deeds_game(deeds, first, second, END).position) == "First"
    skipped = Branch("B", "1", never, (first,)), Branch("C", "1", _it_snows, (second,))
    game = deeds_game(deeds, *skipped, END)
    assert phase_title(game.position) == phase_title(game.view("north").position) == "Second"
    game.apply(Do("rename"))
    assert phase_title(game.position) == "End", "there is only one"
