"""combat.1: in random positions nobody is ever left without a way to finish a combat phase, and the gate is the literal rule.

`python -m tests.wb95.test_duty 10000` plays that many positions; the tests play a hundredth of them.
"""

from __future__ import annotations

import random
import sys
from itertools import chain, combinations

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Attack, AttackAnnounced, Join, Resolve
from hexwar.testing import CHECKS, CheckFailed, Subject, budget_of
from hexwar_wb95.kit.duty import DutiesAreLiteral, Front
from tests.wb95.table import UNITS, field, fighting, refused

RED = ("37g", "69", "44g", "15", "193", "354", "15gt", "16gt", "17gt", "1gmr", "14eng", "at65", "ga1", "ga2", "sp65", "hq65")
BLUE = (
    "g19",
    "g61",
    "g62",
    "g34",
    "g109",
    "g111",
    "g7",
    "g461",
    "g472",
    "g1076",
    "stg",
    "pak",
    "p25",
    "pg6",
    "a252",
    "flak",
    "hq27",
)
COLUMNS, ROWS = 9, 7


def random_front(seed: int, most: int = 16) -> Game:
    """Units of both sides thrown on a part of the field, with rivers, marsh, a road and fieldworks."""
    chance = random.Random(f"front {seed}")
    wide = chance.randint(2, 5)
    hexes = [f"{column:02}{row:02}" for column in range(2, 2 + wide) for row in range(2, 2 + wide)]
    chance.shuffle(hexes)
    cut = max(1, len(hexes) * 2 // 5)
    theirs, ours = hexes[:cut], hexes[cut:]
    red, blue = (
        chance.sample(RED, chance.randint(2, min(most, len(RED)))),
        chance.sample(BLUE, chance.randint(2, min(most, len(BLUE)))),
    )
    units = {unit: chance.choice(ours) for unit in red} | {unit: chance.choice(theirs) for unit in blue}
    units |= {unit: place for unit, place in (("hq65", "0901"), ("hq27", "0101")) if unit not in units}
    terrain = {label: chance.choice("smf") for label in hexes if chance.random() < 0.25}
    pairs = [(a, f"{int(a[:2]) + 1:02}{a[2:]}") for a in hexes] + [(a, f"{a[:2]}{int(a[2:]) + 1:02}") for a in hexes]
    sides = [f"{a}|{b}" for a, b in pairs if int(b[:2]) <= COLUMNS and int(b[2:]) <= ROWS and chance.random() < 0.15]
    road = [
        f"{a} {b}" for a, b in pairs if a in terrain and int(b[:2]) <= COLUMNS and int(b[2:]) <= ROWS and chance.random() < 0.3
    ]
    guns = [unit for unit in red if UNITS[unit].is_gun]
    return fighting(
        units,
        board=field(terrain, large=sides, road=road),
        dice=[chance.randint(1, 6) for _ in range(400)],
        scenario="narew",
        works=sorted(label for label in {units[unit] for unit in red} if chance.random() < 0.2),
        marching=[unit for unit in guns if chance.random() < 0.3],
    )


def play_out(seed: int) -> int:
    """Play the combat phase of a random position at random, compare every decision; how many there were.

    In the end every duty has been attacked, or fire has left nobody there.
    """
    game, chance, number = random_front(seed), random.Random(f"moves {seed}"), 0
    due: set[str] = set()
    check = DutiesAreLiteral(Subject.of("wb95", "narew"), budget_of("quick"))
    while game.to_move and game.state.phase == "soviet-combat" and game.state.stack[-1].kind != "digging":
        seat = game.to_move[0]
        if game.state.stack[-1].kind in ("attacking", "assembling"):
            check.compare(game)
            number += 1
            front = Front(game)
            due = due if front.battle or front.spent else front.duties
        game.apply(game.question(seat).sample(chance), seat)
    attacked = {target for event in game.events if isinstance(event, AttackAnnounced) for target in event.battle.targets}
    left = [unit for unit, here in game.state.locations.items() if here in due - attacked and UNITS[unit].side == "axis"]
    assert {*left} <= {*game.state.fled}, f"seed {seed}: {left} were not attacked"
    return number


@pytest.mark.parametrize("start", range(0, 100, 20))
def test_combat_1_nobody_is_left_without_a_way_and_the_gate_is_the_literal_one(start: int) -> None:
    assert sum(play_out(seed) for seed in range(start, start + 20)) > 20


@pytest.mark.clause("combat.4")
def test_combat_1_the_literal_rule_allows_exactly_what_lets_all_duties_be_met() -> None:
    """Every first battle of small positions, against every way to fight the rest of the phase."""
    seen = {True: 0, False: 0}
    for seed in range(60):
        game = random_front(1000 + seed, most=5)
        if not game.to_move or game.state.stack[-1].kind != "attacking":
            continue
        front = Front(game)
        for target in {*chain(*front.could.values())}:
            able = [unit for unit in front.fresh if target in front.could[unit]]
            for number in range(1, len(able) + 1):
                for force in combinations(able, number):
                    allowed = not front._left(force, (target,))
                    assert allowed == front.can_be_met(force, (target,)), f"seed {seed}: {force} against {target}"
                    seen[allowed] += 1
    assert min(seen.values()) > 20, seen


def test_combat_1_a_broken_gate_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from hexwar_wb95.combat import Wb95Duty

    monkeypatch.setattr(Wb95Duty, "why_not_fight", lambda self, *asked, **more: None)
    with pytest.raises(CheckFailed, match=r"combat\.1"):
        sum(play_out(seed) for seed in range(40))


@pytest.mark.clause("combat.2")
def test_combat_1_the_refusal_names_what_would_be_left() -> None:
    game = fighting({"37g": "0404", "g472": "0504", "g1076": "0405", "hq27": "0107"})
    for order in (Attack("0504"), Join("37g")):
        game.apply(order)
    refused(game, Resolve(), "combat.1", "0405 would be left unattacked")


def test_the_check_is_in_the_kit_and_not_among_the_universal_ones() -> None:
    assert DutiesAreLiteral in Subject.of("wb95").kit.checks
    assert DutiesAreLiteral.id not in CHECKS


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    counts = [play_out(seed) for seed in range(wanted)]
    print(f"{wanted} positions, {sum(counts)} decisions compared, {max(counts)} in the longest phase:")
    print("nobody stuck, no difference, no duty left")
