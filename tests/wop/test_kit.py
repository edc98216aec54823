"""The kit's own checks of combat: they agree with the rules, and a mistake in these does not pass."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from hexwar.engine import Action, DiceRolled, Event, Game
from hexwar.mechanics import Battle, Declare
from hexwar.pieces import Done, TurnBegan
from hexwar.testing import CHECKS, CheckFailed, Subject, budget_of, check_named, planted
from hexwar_wop import air, combat, missions, movement
from hexwar_wop.activation import Marching
from hexwar_wop.air import Answering, Patrolling, Supporting
from hexwar_wop.air_fights import FormationSpotted
from hexwar_wop.flights import AirLossChecked, AirUnitLeft, AirUnitsRested, Flight
from hexwar_wop.kit.air import AirLossesAreLiteral, FlightsAreLiteral
from hexwar_wop.losses import LosingLevels
from hexwar_wop.modifiers import MODIFIERS
from hexwar_wop.retreat import FallingBack, WopRetreat
from tests.wop.planted import MUTANTS
from tests.wop.test_14_attacks import begun, planning
from tests.wop.test_14_combat import SOCHOCIN

ATTACKS, LOSSES, RETREATS = (CHECKS[name] for name in ("attacks-are-right", "losses-are-right", "retreats-are-right"))
RETREAT: dict[str, Any] = {"49/18": "0907", "42/18": "0907", "HvyArt": "0907", "97/33": "0906", "98/33": "1008", "5A": "1508"}


def looked(check: type[Any], game: Game, action: Action | None = None) -> None:
    """The check looks at a decision."""
    check(Subject.of("wop"), budget_of("quick")).before(game, game.to_move[0], action or Done())


def test_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    game = planning({**SOCHOCIN, "ArtXV": "0911", "HvyArt": "0711"}, "soviet", [], no_supply=["98/33", "HvyArt"])
    looked(ATTACKS, game)
    game.apply(Declare("97/33", "0811"))
    looked(ATTACKS, game)
    for number in range(len(MODIFIERS)):
        if MODIFIERS[number].__name__ in ("odds", "edges", "commander", "supply", "stars"):
            monkeypatch.setattr(combat, "MODIFIERS", (*MODIFIERS[:number], *MODIFIERS[number + 1 :]))
            with pytest.raises(CheckFailed, match="added up by hand"):
                looked(ATTACKS, game)
            monkeypatch.undo()


def test_encirclement_and_towns_in_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    units = {"49/18": "0905", "97/33": "0904", "98/33": "1005", "99/33": "0805", "42/18": "0811", "10/4": "0812"}
    game = planning(units, "soviet", [])
    looked(ATTACKS, game)
    kept = tuple(rule for rule in MODIFIERS if rule.__name__ != "encirclement")
    monkeypatch.setattr(combat, "MODIFIERS", kept)
    with pytest.raises(CheckFailed):
        looked(ATTACKS, game)


def test_air_units_in_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    units = {**SOCHOCIN, "18DP": "0712", "33DS": "1009", "12esk": "airfields", "19esk": "airfields", "RAO15": "airfields"}
    flights = [
        Flight("12esk", "reconnaissance", "1009", formation="33DS"),
        Flight("19esk", "support", "0913", battle="0913"),
        Flight("RAO15", "delay", "0914"),
    ]
    game = planning(units, "soviet", [], flights=flights)
    looked(ATTACKS, game)
    for name in ("air_support", "reconnaissance", "encirclement"):
        monkeypatch.setattr(combat, "MODIFIERS", tuple(rule for rule in MODIFIERS if rule.__name__ != name))
        with pytest.raises(CheckFailed, match="added up by hand"):
            looked(ATTACKS, game)
        monkeypatch.undo()


def test_flights(monkeypatch: pytest.MonkeyPatch) -> None:
    air_units = {"12esk": "airfields", "19esk": "airfields", "RAO15": "airfields"}
    units = {**SOCHOCIN, **air_units, "33DS": "1009", "ArtXV": "0515", "18DP": "0712", "Riv1": "1722|1723"}
    battle = Battle.on("soviet", "0913", ("97/33", "98/33"))
    above = [Flight("RAO15", "support", "0912", battle="0913")]
    marching = begun(units, [Marching("soviet", ("97/33",))], [], active="soviet", flights=[Flight("12esk", "delay", "0912")])
    looked(FlightsAreLiteral, marching)
    for step, more, wrong in (
        (Patrolling("polish", ()), {}, "near_formations"),
        (Supporting("polish", (), battle), {}, "supported_hexes"),
        (Supporting("polish", (), Battle.on("polish", "0912", ("49/18", "Riv1"))), {}, "supported_hexes"),
        (Answering("polish", (), 1), {"flights": above, "launched": ["RAO15"], "flown": ["RAO15"]}, "why_no_fighter"),
    ):
        game = begun(units, [step], [], turn=1, **more)
        looked(FlightsAreLiteral, game)
        answers = {"near_formations": 1 << 100, "supported_hexes": ["0913", "0712"], "why_no_fighter": None}
        monkeypatch.setattr(missions if wrong == "why_no_fighter" else air, wrong, lambda *asked, answer=answers[wrong]: answer)
        with pytest.raises(CheckFailed, match=r"17\.2\.1"):
            looked(FlightsAreLiteral, begun(units, [step], [], turn=1, **more))
        monkeypatch.undo()
    monkeypatch.setattr(movement, "DELAYED", 4)
    other = [Flight("19esk", "delay", "0911")]
    with pytest.raises(CheckFailed, match=r"17\.9"):
        looked(FlightsAreLiteral, begun(units, [Marching("soviet", ("97/33",))], [], active="soviet", flights=other))


def rolled(face: int) -> DiceRolled:
    """A die that an air unit throws."""
    return DiceRolled("", (face,), clause="17.16")


@pytest.mark.parametrize(
    ("told", "clause"),
    [
        ([rolled(4), AirLossChecked("12esk", 1, clause="17.16")], ""),
        ([rolled(4), AirLossChecked("12esk", 2, clause="17.16")], "17.16"),
        ([rolled(7), AirLossChecked("12esk", 2, 3, clause="5.10")], ""),
        ([rolled(7), AirLossChecked("12esk", 2, 2, clause="5.10")], "17.16"),
        ([TurnBegan(2, clause="19.2"), rolled(7), AirLossChecked("12esk", 2, 4, clause="5.10")], ""),
        ([AirUnitsRested(("12esk",), clause="17.17"), rolled(4), AirLossChecked("12esk", 2, clause="17.15")], ""),
        ([rolled(5), FormationSpotted("12esk", "33DS", clause="17.7")], ""),
        ([rolled(6), FormationSpotted("12esk", "33DS", clause="17.7")], "17.6.a"),
        ([rolled(5), AirUnitLeft("12esk", clause="17.6.c")], "17.6.a"),
    ],
)  # fmt: skip
def test_air_losses(told: list[Event], clause: str) -> None:
    game = begun({**SOCHOCIN, "12esk": {"at": "airfields", "steps": 1}}, [], [], turn=1)
    check = AirLossesAreLiteral(Subject.of("wop"), budget_of("quick"))
    check.before(game, "polish", Done())
    if not clause:
        check.after(game, "polish", Done(), told)
        return
    with pytest.raises(CheckFailed, match=clause):
        check.after(game, "polish", Done(), told)


@pytest.mark.parametrize("used", [[], ["12esk", "12esk"]])
def test_air_units_are_used_once(used: list[str]) -> None:
    flights = [Flight("12esk", "delay", "0912")]
    game = begun({**SOCHOCIN, "12esk": "airfields"}, [], [], turn=1, flights=flights, flown=used)
    check = AirLossesAreLiteral(Subject.of("wop"), budget_of("quick"))
    check.before(game, "polish", Done())
    with pytest.raises(CheckFailed, match=r"17\.5\.a"):
        check.after(game, "polish", Done(), [])


def test_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    units: dict[str, Any] = {**RETREAT, "42/18": {"at": "0907", "steps": 1}}
    game = begun(units, [LosingLevels("polish", ("49/18", "42/18", "HvyArt"), 1)], [])
    looked(LOSSES, game)
    monkeypatch.setattr(LosingLevels, "able", lambda self, at: self.units)
    with pytest.raises(CheckFailed, match="may take losses"):
        looked(LOSSES, begun(units, [LosingLevels("polish", ("49/18", "42/18", "HvyArt"), 1)], []))


@pytest.mark.parametrize("hexes", [2, 3])
def test_retreats(monkeypatch: pytest.MonkeyPatch, hexes: int) -> None:
    step = FallingBack("polish", ("49/18", "42/18", "HvyArt"), "0907", hexes, ("0906",))
    looked(RETREATS, begun(RETREAT, [step], []))
    monkeypatch.setattr(WopRetreat, "choice", lambda self, at, unit, path, foes: 1)
    with pytest.raises(CheckFailed, match="the ways out"):
        looked(RETREATS, begun(RETREAT, [step], []))


def test_rule_bugs_break_clauses_of_all_chapters_and_can_be_pulled_out_again() -> None:
    subject = Subject.of("wop")
    before = subject.start(1).digest, subject.start(1).world.content
    for mutant in MUTANTS:
        assert mutant.clause in subject.rules
        assert all(check_named(check, subject) for check in mutant.likely)
        with planted(mutant):
            pass
    assert (subject.start(1).digest, subject.start(1).world.content) == before
    assert {mutant.clause.split(".")[0] for mutant in MUTANTS} >= {*map(str, (2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 19))}
    assert len({mutant.id for mutant in MUTANTS}) == len({mutant.what for mutant in MUTANTS}) == len(MUTANTS) > 50


def test_drills_catch_rule_bugs_alone() -> None:
    """Every fifth, in a process of its own; all of them: `hexwar mutate wop --planted tests/wop/planted.py`."""
    program = f"""
import json
from hexwar.testing import check_ruleset
from hexwar.testing import planted
from hexwar.testing._mutants.mutation import mutants_of
mutants, missed = mutants_of("wop", ["tests/wop/planted.py"]), []
for name in {[mutant.id for mutant in MUTANTS[::5]]!r}:
    with planted(mutants[name]):
        if not check_ruleset("wop", only=["drills"], first=True).failures:
            missed.append(name)
print(json.dumps(missed))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []
