"""Illegal attempts sort by sort, and the long run: what is planted is found, counted under its sort, and reported."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.engine import Action, Game, Listed
from hexwar.errors import HexwarError, Refusal, RefusalCode
from hexwar.mechanics import Move
from hexwar.testing import CHECKS, SORTS, Subject, attempts, fuzz_ruleset
from hexwar.testing._checks.attacks import ATTACKS
from hexwar.testing._staging.attempts import Attempt, Liar, Namesake, odd_texts, off_the_map, other_sheets, wrong_types
from hexwar.testing._staging.combinations import settings
from tests.engine import toy
from tests.testing.rulesets import HomelessRuleset

Patch = pytest.MonkeyPatch


def at_contact(seed: int = 3) -> Game:
    """A game of Bridgehead in which somebody may move units."""
    game, chance = hexwar.new_game("bridgehead", seed=seed), random.Random(seed)
    while not any(isinstance(action, Move) for action in game.legal_actions(game.to_move[0])):
        game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])
    return game


def by_sort(game: Game, stale: list[Action], probes: int = 6) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts(game, random.Random(1), stale, probes):
        found.setdefault(attempt.sort, []).append(attempt)
    return found


# -- sorts ------------------------------------------------------------------------------------------------------------------


def test_every_sort_is_tried_and_refused_with_a_code_and_a_sentence() -> None:
    game = at_contact()
    old = hexwar.new_game("bridgehead", seed=3).legal_actions("blue")
    found = by_sort(game, list(old))
    assert set(found) == set(SORTS) - {"after the end"}
    before = game.digest, game.state, len(game.events), len(game.history), game.state.draws
    for attempt in (attempt for sort in found.values() for attempt in sort):
        with pytest.raises(Refusal) as refusal:
            game.apply(attempt.action, attempt.side)
        assert refusal.value.code in RefusalCode
        assert refusal.value.message
    assert (game.digest, game.state, len(game.events), len(game.history), game.state.draws) == before


def test_when_the_game_is_over_everything_is_of_one_sort() -> None:
    game, chance = toy.new_game(), random.Random(1)
    while game.to_move:
        game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])
    found = by_sort(game, [toy.Bid(), toy.Walk(1)])
    assert set(found) == {"after the end"}
    codes = {reason.code for a in found["after the end"] if (reason := game.why_not(a.action, a.side)) is not None}
    assert {RefusalCode.GAME_OVER, RefusalCode.UNKNOWN_ACTION, RefusalCode.UNKNOWN_SEAT} <= codes


def test_similar_actions_are_well_formed_and_not_offered() -> None:
    game = at_contact()
    seat = game.to_move[0]
    similar = [attempt.action for attempt in by_sort(game, [])["similar"]]
    offered = set(game.legal_actions(seat))
    assert len(similar) > 5
    for action in similar:
        assert game.ruleset.parse_action(action.to_json()) == action
        assert action not in offered
    own = {getattr(action, "unit", "") for action in offered}
    assert any(getattr(action, "unit", "") not in own for action in similar), "another unit's move"
    ends = {(action.unit, action.to) for action in offered if isinstance(action, Move)}
    beyond = [action for action in similar if isinstance(action, Move) and action.unit in own]
    assert any((action.unit, action.to) not in ends for action in beyond), "a move beyond reach"


def test_only_some_sorts_can_be_asked_for() -> None:
    wanted = ("stale", "similar")
    assert {a.sort for a in attempts(at_contact(), random.Random(1), [toy.Bid()], 3, wanted)} == set(wanted)


def test_labels_that_no_map_has_and_those_of_other_sheets() -> None:
    board = hexwar.load_board("ava/campaign")
    label = board.labels[100]
    assert label[0].isalpha()
    assert not [other for other in off_the_map(label, board) if other in board]
    sheets = other_sheets(label, board)
    assert label[1:] in sheets
    assert not [other for other in sheets if other in board]
    assert off_the_map("unit", board) == other_sheets("unit", board) == []


def test_odd_texts_look_alike_and_are_not_equal() -> None:
    odd = odd_texts("pz4")
    assert "\uff50\uff5a\uff14" in odd
    assert "pz4\u200b" in odd
    assert "pz4" not in odd
    assert any("\ud800" in text for text in odd)


def test_forgers_and_their_texts() -> None:
    """Objects that pass for others, as far as Python lets them."""
    liar: Any = Liar(toy.Wish, {"amount": 1})
    assert isinstance(liar, toy.Wish)
    with pytest.raises(TypeError, match="stays a liar"):
        setattr(liar, "__class__", toy.Bid)  # noqa: B010 - nobody can assign to it otherwise
    text, number = wrong_types("a")[-1], wrong_types(1)[-1]
    assert text != "a"
    assert hash(text) == hash("a")
    assert number == 99
    assert hash(number) == 1
    assert len(str(Attempt("huge", 10**5000, "north"))) < 100
    assert "(similar)" in str(Attempt("similar", toy.Bid()))


@pytest.mark.parametrize("kind", [["wish"], {}, None])
def test_an_action_whose_kind_is_no_word_is_refused(kind: Any) -> None:
    """It made the gate fail once: a kind that cannot be looked up."""
    refusal = toy.new_game().why_not(Namesake.called(kind), "north")
    assert refusal is not None
    assert refusal.code is RefusalCode.UNKNOWN_ACTION


# -- the long run -----------------------------------------------------------------------------------------------------------


def test_a_sound_game_passes_and_everything_is_counted(tmp_path: Path) -> None:
    report = fuzz_ruleset(toy.RULESET, attempts=4_000, seed=5, report_dir=tmp_path)
    assert report.passed, "\n".join(report.lines())
    done = report.outcome
    assert done.attempts.total() >= 4_000
    assert done.compared.total() >= 4_000
    assert set(done.attempts) == {*SORTS, *ATTACKS} - {"off the map", "another sheet", "odd text"}, "no map, no words"
    assert not done.accepted
    assert not done.leaks
    assert {course.partition(" ")[0] for course in done.games} == {"short", "teams"}
    assert not list(tmp_path.iterdir())
    lines = report.lines()
    assert lines[-1] == "passed"
    assert any(line.split() == ["stale", f"{done.attempts['stale']:,}", "0"] for line in lines)
    data: Any = report.to_json()
    assert data["attempts"]["similar"] == done.attempts["similar"]
    assert data["leaks"] == dict.fromkeys(data["compared"], 0)


def gate_is_open(patch: Patch) -> None:
    find = Listed.find
    patch.setattr(Listed, "find", lambda self, action: find(self, action) or (action if isinstance(action, toy.Walk) else None))


def refusing_draws_a_number(patch: Patch) -> None:
    def why_not(self: Any, action: Any) -> None:
        if isinstance(RUNNING[-1].state.stack[-1], toy.Walking):
            RUNNING[-1]._state.draws += 1

    start = Game.__init__

    def note(self: Any, *arguments: Any, **named: Any) -> None:
        start(self, *arguments, **named)
        RUNNING.append(self)

    patch.setattr(Game, "__init__", note)
    patch.setattr(Listed, "why_not", why_not)


RUNNING: list[Any] = []


def enemy_wish_limits_mine(patch: Patch) -> None:
    def actions(self: Any, at: Any, seat: str) -> Listed:
        other = next(name for name in at.world.seats if name != seat)
        return Listed([toy.Bid(), *(toy.Wish(n) for n in range(4) if n != at.state.wish.get(other))])

    patch.setattr(toy.Bidding, "actions", actions)


def walking_fails(patch: Patch) -> None:
    def perform(self: Any, play: Any, seat: str, action: Any) -> None:
        raise ZeroDivisionError("no time")

    patch.setattr(toy.Walking, "perform", perform)


@pytest.mark.parametrize(
    ("plant", "check", "words"),
    [
        (gate_is_open, "others-are-refused", "walk"),
        (refusing_draws_a_number, "others-are-refused", "the number of draws changed"),
        (enemy_wish_limits_mine, "secret-choices-stay-secret", "by its actions"),
        (walking_fails, "offered-actions-apply", "no time"),
    ],
)
def test_what_is_planted_is_found_and_stops_the_run(
    plant: Callable[[Patch], None], check: str, words: str, monkeypatch: Patch, tmp_path: Path
) -> None:
    plant(monkeypatch)
    report = fuzz_ruleset(toy.RULESET, attempts=50_000, scenarios=["short"], report_dir=tmp_path)
    assert not report.passed
    text = "\n".join(report.lines())
    assert check in text
    assert words in text.lower()
    assert report.lines()[-1].startswith("failed")
    folders = [folder for folder in tmp_path.iterdir() if folder.name.startswith(check)]
    assert folders
    assert (folders[0] / "minimal.json").exists()
    assert report.outcome.attempts.total() < 50_000, "it stops"
    if check == "others-are-refused":
        assert report.outcome.accepted.total() > 0
    if check == "hidden-content-does-not-show":
        assert report.outcome.leaks["actions"] > 0


def test_a_game_that_hides_nothing_comes_to_an_end_too(monkeypatch: Patch) -> None:
    """What is imagined is the position itself."""
    monkeypatch.setattr("hexwar.testing._checks.secrets.SecretChoicesStaySecret.before", lambda self, *arguments: None)
    monkeypatch.setattr("hexwar.testing._checks.secrets.imagines", lambda game: True)
    monkeypatch.setattr("hexwar.testing._checks.secrets.imagined", lambda *arguments: None)
    report = fuzz_ruleset(toy.RULESET, attempts=300, scenarios=["short"])
    assert report.passed
    assert report.outcome.attempts.total() >= 300
    assert not report.outcome.compared


def test_a_ruleset_that_cannot_be_played_is_refused(monkeypatch: Patch) -> None:
    monkeypatch.setattr(type(toy.INFO), "playable", ())
    with pytest.raises(HexwarError, match="no scenario that can be played"):
        fuzz_ruleset(toy.RULESET, attempts=10)


def test_the_time_can_be_limited() -> None:
    report = fuzz_ruleset(toy.RULESET, attempts=None, minutes=0.02)
    assert report.passed
    assert report.outcome.games
    with pytest.raises(HexwarError, match="how many attempts"):
        fuzz_ruleset(toy.RULESET, attempts=None)


def test_several_processes_share_the_work() -> None:
    report = fuzz_ruleset("bridgehead", attempts=600, jobs=2)
    assert report.passed
    assert report.outcome.attempts.total() >= 600
    with pytest.raises(HexwarError, match="in no module"):
        fuzz_ruleset(HomelessRuleset(), attempts=10, jobs=2)


# -- settings ---------------------------------------------------------------------------------------------------------------


def test_a_victory_awaits_is_played_with_a_controller_with_a_master_cup_and_with_every_seating() -> None:
    subject = Subject.of("ava", options={"reserves": False})
    played = list(map(str, islice(settings(subject, repeat("campaign"), 0), 40)))
    assert played[0] == "campaign reserves=off", "the first as it is printed, but for what is given"
    assert all(" reserves=off" in setting for setting in played), "what is given holds in every game"
    for word in ("bidding", "many-players=controller", "controller=seat", "controller=player", "many-players=master-cup"):
        assert any(word in setting for setting in played), word
    for seating in subject.info.seatings:
        assert any(setting.endswith(seating.id) for setting in played), seating.id


def test_options_that_do_not_fit_are_refused() -> None:
    with pytest.raises(HexwarError, match="cup"):
        fuzz_ruleset("ava", attempts=10, scenarios=["campaign"], options={"many-players": "cup"})


def test_the_checks_that_it_runs_are_those_of_the_suite() -> None:
    from hexwar.testing._running.fuzzing import LOOKS

    assert {kind.id for kind in LOOKS} <= set(CHECKS)
    assert len(LOOKS) == 5
