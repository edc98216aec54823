"""Variants of A Victory Awaits change the parts of its staff: chits, ways of moving, lines, reinforcements and the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import hexwar
from hexwar import Variant
from hexwar.engine import Game, Part, Position
from hexwar.mechanics import Arrive, LineTerms, Mode, Move, Movement, Reinforcements, Supply
from hexwar.pieces import Victory
from hexwar.plugins import Plugins
from hexwar_ava.activation import AvaCup
from hexwar_ava.combat import AvaCombat
from hexwar_ava.reinforcements import AvaArrivals
from tests.plugins.sample import CLAUSE, plugin, using


@contextmanager
def at_war(**changes: type[Part]) -> Iterator[Plugins]:
    """A Victory Awaits with a house rule, which the option `house` switches on."""
    rules = plugin(PARTS=changes)
    manager = Plugins(allow=["ava", "maps", "house"])
    manager.register(plugin(hexwar_variants=lambda: [Variant("house", "ava", "House rule", rules, (CLAUSE,))]), "house")
    with using(manager):
        yield manager


def training(path: tuple[int, ...], *, on: bool = True, **parts: str) -> Any:
    """A hand-made position of the training scenario that goes on at a place of the sequence of play."""
    state = ", ".join(f"{name} = {value}" for name, value in parts.items() if name != "units")
    lines = [
        'ruleset = "ava"',
        'scenario = "training"',
        f"options = {{house = {str(on).lower()}}}",
        f"units = {{{parts.get('units', '')}}}",
        f"state = {{turn = 2, phase = 'command'{', ' if state else ''}{state}}}",
        f'stack = [{{kind = "sequencing", path = {list(path)}}}]',
    ]
    return hexwar.position("\n".join(lines))


class OtherChits(AvaCup):
    """One chit more and one less."""

    def printed(self) -> dict[str, Any]:
        chits = super().printed()
        rest = {name: chit for name, chit in chits.items() if name != "manstein"}
        return {**rest, "ger-18a-2": chits["ger-18a"].model_copy(update={"id": "ger-18a-2"})}


def test_a_cup_with_other_chits() -> None:
    with at_war(cup=OtherChits):
        games: list[Game] = [hexwar.new_game("ava", "training", seed=1, options={"house": on}) for on in (True, False)]
        on, off = games
        assert set(off.world.chits) - set(on.world.chits) == {"manstein"}
        assert set(on.world.chits) - set(off.world.chits) == {"ger-18a-2"}
        assert "ger-18a-2" in on.world.cup.available(on.position, "axis")
        assert on.world.content != off.world.content, "a save knows what it was played with"


class NoSupplyCheck(AvaCup):
    """A roll in place of the Supply Check."""

    def resolve(self, play: Any, chit: str) -> None:
        if chit == "supply":
            play.roll("instead", clause="house.1")
        else:
            super().resolve(play, chit)


def test_a_chit_is_resolved_in_its_own_way() -> None:
    parts = {"units": "su-8a = 'L0927', ger-4pzg = 'L0530'", "drawn": "['supply']", "cup": "['ger-4pzg']"}
    with at_war(cup=NoSupplyCheck):
        on, off = (training((2, 1, 1), on=on, **parts) for on in (True, False))
        assert [event.purpose for event in on.events if event.kind == "dice-rolled"] == ["instead"]
        assert on.state.drawn == ("supply", "ger-4pzg"), "the next chit is drawn"
        assert off.state.drawn == ("supply",)
        assert "off the map" in off.prompt()


def test_a_part_closes_a_way_of_moving() -> None:
    class OnFoot(Movement):
        def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
            return super().modes_of(at, unit)[:1]

    with at_war(movement=OnFoot):
        units = "ger-4pzg = 'L0530', ger-1pz = 'L0529'"
        for on in (False, True):
            game = training((2, 1, 1), on=on, units=units, drawn="['ger-4pzg']")
            modes = {move.mode for move in game.legal_actions() if isinstance(move, Move)}
            assert modes == ({""} if on else {"", "strategic"})


def test_the_part_combat_says_who_may_attack() -> None:
    class Resting(AvaCombat):
        def attackers(self, at: Position, units: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(unit for unit in super().attackers(at, units) if unit != "ger-1pz")

    units = "ger-4pzg = 'L0530', ger-1pz = 'L0529', ger-6pz = 'L0529', su-90 = 'L0528'"
    with at_war(combat=Resting):
        for on, able in ((False, {"ger-1pz", "ger-6pz"}), (True, {"ger-6pz"})):
            game = training((2, 1, 3), on=on, units=units, drawn="['ger-4pzg']", active="['ger-1pz', 'ger-6pz']")
            assert {action.unit for action in game.legal_actions() if hasattr(action, "unit")} == able


class ByRoad(Supply):
    """Soviet lines along roads."""

    def terms(self, side: str) -> LineTerms:
        return super().terms(side)._replace(along={"road": 0}) if side == "soviet" else super().terms(side)


def test_lines_follow_a_road() -> None:
    units = "su-90 = 'L1319', su-8a = 'L0927', ger-4pzg = 'L0530'"
    with at_war(supply=ByRoad):
        on, off = (training((2, 0), on=on, units=units) for on in (True, False))
        assert off.query.supply("su-90").supplied
        board = on.world.board
        for unit in ("su-90", "su-8a"):
            line = on.query.supply(unit).line
            assert all("road" in board.links(here, there) for here, there in pairwise(line))
        trackless = [hex for hex in board.labels if not board.has_link(hex, "road")]
        assert any(off.query.supply(hex, "soviet").supplied for hex in trackless)
        assert not any(on.query.supply(hex, "soviet").supplied for hex in trackless)


class OneMore(AvaArrivals):
    """One unit more of each nation."""

    def groups(self, at: Position, chit: Any) -> tuple[Reinforcements, ...]:
        return tuple(group._replace(number=group.number + 1) for group in super().groups(at, chit))


def test_reinforcements_come_in_other_numbers() -> None:
    units = "ger-207sec = 'axis available', ger-21 = 'axis available', ger-1 = 'axis available', su-8a = 'L1619'"
    with at_war(arrivals=OneMore):
        came = {}
        for on in (False, True):
            game = training((2, 1, 1), on=on, units=units, drawn="['axis-reinforcements']")
            came[on] = 0
            while arrivals := [action for action in game.legal_actions("axis") if isinstance(action, Arrive)]:
                game.apply(arrivals[0])
                came[on] += 1
        assert came[True] == came[False] + 1


class Half(Victory):
    """Half the points will do."""

    def needed(self, at: Position) -> dict[str, tuple[int, str]]:
        return {side: (points // 2, "house.1") for side, (points, _) in super().needed(at).items()}


def test_other_points_decide_the_game() -> None:
    with at_war(victory=Half):
        on, off = (hexwar.new_game("ava", "training", seed=1, options={"house": on}) for on in (True, False))
        assert (on.query.points_needed(), off.query.points_needed()) == ({"axis": (6, "house.1")}, {"axis": (12, "16.4.2")})
