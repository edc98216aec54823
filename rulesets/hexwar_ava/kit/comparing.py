"""A position by the ruleset and by the literal rules: zones, moves, lines, odds, retreats and pursuits must be the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from hexwar.engine import Game
from hexwar.mechanics import Move, Moving
from hexwar.testing.drills import same
from hexwar_ava.kit import reference as ref


def on_map(game: Game) -> list[str]:
    """The units that stand on the board."""
    return [unit for unit, label in game.state.at.items() if label in game.world.board]


def same_zones(game: Game, ground: ref.Ground) -> None:
    """3.2."""
    board = game.world.board
    for side in ("axis", "soviet"):
        same("3.2.1", f"zones against {side}", set(board.unmask(game.state.layout.threatened[side])), ground.watched[side])
        same("3.2.1", f"zones of {side}", set(game.query.zones(side)), ref.zones(ground.field, side))


def same_reach(game: Game, ground: ref.Ground, unit: str) -> None:
    """9.2, 9.3: costs by both ways of moving, and the ways that the engine would take."""
    at, movement = game.position, game.world.movement
    if ground.field.pieces[unit].is_fortress:
        same("14.3.1", f"moves of {unit}", game.query.reach(unit).costs, {})
        return
    for mode, reached in (("", ref.reach(ground, unit)), ("strategic", ref.strategic_reach(ground, unit))):
        expected = ref.ends(ground, unit, reached)
        told = {label: round(cost * ref.HALF) for label, cost in game.query.reach(unit, mode).costs.items()}
        clause, where = "9.3.1" if mode else "9.2.1", f"{unit} from {game.state.at[unit]} {mode}".rstrip()
        same(clause, where, told, expected)
        same(clause, f"offers to {where}", movement.ends(at, unit, movement.reach(at, unit, mode)), sorted(expected))
        for label, cost in expected.items():
            path = movement.way(at, unit, label, mode)
            same(clause, f"the way of {where} by {path}", ref.path_cost(ground, unit, path, strategic=bool(mode)), cost)


def detours(game: Game, ground: ref.Ground, unit: str) -> Iterator[tuple[str, str]]:
    """9.1.2: places that a unit could take on a normal move and where it could end then, by the literal rules."""
    piece = ground.field.pieces[unit]
    reached = ref.reach(ground, unit)
    for via, owner in game.state.control.items():
        if owner != piece.side and via in reached and via != piece.at:
            onward = ref.reach(ground, unit, via, piece.move * ref.HALF - reached[via], fresh=False)
            for to in onward:
                if to != via and (to == piece.at or ground.has_room(to)):
                    yield via, to


def same_detours(game: Game, ground: ref.Ground, unit: str) -> None:
    """9.1.2: whatever place can be taken on the way to whatever end: by a detour, or because the cheapest way passes it."""
    at, piece = game.position, ground.field.pieces[unit]
    if piece.is_fortress:
        return
    ways = [move.path for move in Moving("", (unit,)).choices(at, unit) if isinstance(move, Move) and move.path]
    possible = set(detours(game, ground, unit))
    for via, to in possible:
        passed = any(path[-1] == to and via in path for path in ways)
        if not passed and to != piece.at:
            passed = via in at.world.movement.way(at, unit, to)
        same("9.1.2", f"whether {unit} may go by {via} to {to}", passed, True)
    for path in ways:
        cost = ref.path_cost(ground, unit, list(path))
        same("9.1.2", f"{unit} along {path}", cost is not None and cost <= piece.move * ref.HALF, True)
        same("9.1.2", f"what {unit} takes along {path}", any((via, path[-1]) in possible for via in path), True)


def same_command(game: Game, ground: ref.Ground) -> None:
    """8.1, 8.2, 8.3: whom each headquarters would activate."""
    for unit in on_map(game):
        if ground.field.pieces[unit].is_headquarters:
            same(
                "8.1.1", f"led by {unit}", set(game.world.command.led_by(game.position, unit)), ref.commanded(ground.field, unit)
            )


def same_lines(game: Game, ground: ref.Ground, hexes: Iterable[str]) -> None:
    """3.3: which hexes have a line, how long the shortest is, and that the one which is shown is one."""
    at, board, rules = game.position, game.world.board, game.world.supply
    wanted = list(hexes)
    for side in ("axis", "soviet"):
        expected = ref.lines(ground, side)
        same("3.3.1", f"hexes with a line of {side}", set(board.unmask(rules.supplied(at, side))), set(expected))
        lengths = {label: expected[label] for label in wanted if label in expected}
        same("3.3.1", f"lengths of lines of {side}", dict(rules.lengths(at, side, wanted)), lengths)
        supplied = {piece.id for piece in ground.field.on_map() if piece.side == side and piece.at in expected}
        same("3.3.1", f"units of {side} with a line", set(rules.supplied_units(at, side)), supplied)
        for label in wanted:
            line = rules.line(at, side, label)
            same("3.3.1", f"a line of {side} to {label}", line is not None, label in expected)
            if line is not None:
                ends = len(line) - 1 == expected[label] and line[-1] == label and line[0] in rules.sources[side]
                joined = all(b in ground.field.near[a] for a, b in pairwise(line))
                free = not ground.held[ref.other(side)] & set(line)
                same("3.3.1", f"the line {line} of {side}", ends and joined and free, True)


def same_rail_lines(game: Game, ground: ref.Ground) -> None:
    """12.1.3, 12.1.4."""
    for side in ("axis", "soviet"):
        told = set(game.world.board.unmask(game.world.supply.rail_network(game.position, side, "rail")))
        same("12.1.4", f"railways of {side}", told, ref.rail_lines(ground, side))


def same_odds(game: Game, ground: ref.Ground) -> int:
    """10.3: every attack of all units of a side that stand next to an enemy; how many there were."""
    made, count = ground.field, 0
    surprise = game.state.phase == "surprise"
    for target in sorted(ground.held["axis"] | ground.held["soviet"]):
        side = "soviet" if target in ground.held["axis"] else "axis"
        attackers = [p.id for p in made.on_map() if p.side == side and not p.is_fortress and target in made.near[p.at]]
        if not attackers:
            continue
        for group in (attackers, attackers[:1]):
            told = game.query.odds(group, target)
            expected = ref.odds(made, group, target, game.state.retreated, surprise=surprise)
            same("10.3.6", f"{group} against {target}", (told.attack, told.defence, told.column), expected)
            count += 1
    return count


def same_retreats(game: Game, ground: ref.Ground, unit: str) -> None:
    """10.6: the best ways of one and two hexes.

    Of ways that go on over full stacks the engine need not offer those that differ only in the stacks which they pass; there the
    ends and the hexes before the last demanded one are compared.
    """
    at = game.position
    if ground.field.pieces[unit].at in ground.forts:
        return  # 14.2.6: nobody retreats from there
    for hexes in (1, 2):
        told = [option.path for option in game.world.retreat.best(at, unit, hexes)]
        ways = ref.best_retreats(ground, unit, hexes, surprise=game.state.phase == "surprise")
        what = f"retreats of {unit} from {ground.field.pieces[unit].at} by {hexes}"
        if ways and len(ways[0].path) - 1 > hexes:
            ends = {(way.path[-1], len(way.path), way.path[1:hexes]) for way in ways}
            same("10.6.11", what, {(path[-1], len(path), path[1:hexes]) for path in told}, ends)
            same("10.6.11", what, set(told) - {way.path for way in ways}, set())
        else:
            same("10.6.12", what, told, [way.path for way in ways])


def same_pursuits(game: Game, ground: ref.Ground) -> None:
    """10.7: all ways of all units into and through every hex next to them in which no enemy stands."""
    made, surprise = ground.field, game.state.phase == "surprise"
    for unit in on_map(game):
        here = made.pieces[unit].at
        for target in made.near[here]:
            paths = [(here, target), *((here, target, far) for far in made.near[target] if far != here)]
            expected = {path for path in paths if ref.may_pursue(ground, unit, path, target, surprise=surprise)}
            same(
                "10.7.1",
                f"pursuits of {unit} into {target}",
                set(game.world.pursuit.paths(game.position, unit, target)),
                expected,
            )


def same_in_everything(game: Game) -> None:
    """Everything above, of every unit; for small boards.

    Raises:
        Differs: in something.
    """
    ground = ref.Ground(ref.Field.of(game))
    same_zones(game, ground)
    same_command(game, ground)
    same_lines(game, ground, ground.field.terrain)
    same_rail_lines(game, ground)
    same_odds(game, ground)
    same_pursuits(game, ground)
    for unit in on_map(game):
        same_reach(game, ground, unit)
        same_detours(game, ground, unit)
        same_retreats(game, ground, unit)
