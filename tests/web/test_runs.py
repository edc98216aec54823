"""The runs that measure the server, in small; `tests.web.load`, `kill`, `forge`, `junk` and `loris` say how to run them whole."""

from __future__ import annotations

from hexwar.web._app import DONE, SEEN
from tests.web import forge, junk, kill, load, loris


def test_many_games_at_once() -> None:
    found = load.measure(games=6, rate=10, seconds=3, look=True)
    assert not found.errors
    assert (found.actions, len(found.answered)) == (30, 30)
    assert 30 <= len(found.told) == len(found.looked) <= 60, "what one chooses in secret, the other is not told"


def test_right_keys_are_answered_while_wrong_ones_come() -> None:
    found = load.measure(games=4, rate=10, seconds=3, look=True, wrong=50)
    assert not found.errors
    assert found.actions == len(found.answered) == 30
    assert found.wrong[404] > 0


def test_a_killed_server_loses_nothing_that_it_confirmed() -> None:
    found = kill.run(5, length=100)
    assert (found.kills, found.copies) == (5, 2)
    assert found.confirmed >= 25


def test_forged_requests_change_nothing_and_tell_nothing() -> None:
    answers = forge.in_process(2000)
    assert {sort for sort, _ in answers} == set(forge.SORTS)
    assert answers.total() == 2000


def test_forged_requests_through_connections() -> None:
    answers = forge.through_sockets(150)
    assert answers.total() >= 140


def test_junk_is_answered_with_a_sentence() -> None:
    answers = junk.ask(4000)
    assert answers.total() == 4000
    assert {path for path, _ in answers} >= {f"/api/games/{{game}}/{what}" for what in (*SEEN, *DONE, "view", "save", "enter")}


def test_who_waits_keeps_nobody_out() -> None:
    found = loris.measure(heads=100, bodies=30, idle=30, seconds=2)
    assert not found.errors
    assert len(found.acted) == len(found.asked) > 0
    assert found.opened >= 160
    assert found.said == 0
