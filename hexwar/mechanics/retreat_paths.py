"""Ways of retreat: which paths a beaten unit may take, ranked as the rules demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hexwar.engine import Position
from hexwar.mechanics.pieces import occupant

Path = tuple[str, ...]

MANY = 2000
"""Where more ways than this lead on over full stacks, those that pass other stacks to the same hex are no longer told apart."""


@dataclass(frozen=True, slots=True)
class RetreatOption:
    """One way out, and how it ranks."""

    path: Path
    losses: int
    """Steps that the way costs."""
    overflow: int
    """Hexes beyond those demanded, because full stacks had to be passed."""
    rank: tuple[int, ...] = ()
    """The smaller the better: whether the unit is lost on the way, its losses, then the ruleset's criteria and rankings."""


Criterion = Callable[[Position, str, RetreatOption], int]
"""How bad a unit's way is in one respect; earlier criteria outweigh later ones. The way's rank is not known yet."""

Ranking = Callable[[Position, str, Sequence[RetreatOption]], Sequence[int]]
"""How bad each of a unit's ways is in one respect, for what is best worked out for all of them at once."""


Longer = Callable[[Path, int], Iterator[tuple[Path, int]]]
"""The ways that are one hex longer than a way, with the losses of each."""


def costly_hexes(at: Position, unit: str, path: Path) -> list[int]:
    """Where on a path a unit loses a step: at each hex that hurts, as the ruleset has it."""
    hurts = at.world.retreat_hurts
    return [n for n, label in enumerate(path) if n and hurts(at, unit, label)]


def retreat_options(at: Position, unit: str, hexes: int, criteria: tuple[Criterion, ...] = ()) -> list[RetreatOption]:
    """All ways out for a unit, the best first; empty if it is lost.

    A way never enters a hex twice, an enemy hex, the edge or ground closed to the arm; where the ruleset says so, every hex leads
    farther from the start. It ends after the demanded number of hexes; where there is no room, it goes on as far as the ruleset's
    overflow allows. Where that is any number, of those that go on only the ways that may cost fewer steps than shorter ones are
    worked out, so the ruleset's first criterion should be the overflow.
    """
    ways = list(_ways(at, unit, hexes))
    columns = [measure(at, unit, ways) for measure in _measures(at, criteria)]
    ranked = [replace(way, rank=rank) for way, rank in zip(ways, zip(*columns, strict=True), strict=True)]
    return sorted(ranked, key=lambda option: (option.rank, option.path))


def best_retreats(at: Position, unit: str, hexes: int, criteria: tuple[Criterion, ...] = ()) -> list[RetreatOption]:
    """The ways among which the owner may choose, sorted by path: those that `retreat_options` ranks first.

    Each criterion is asked about the ways that are equal so far, and none once a single way is left; the ranks go no farther.
    """
    ways = list(_ways(at, unit, hexes))
    rank: list[int] = []
    for measure in _measures(at, criteria):
        if len(ways) < 2:
            break
        values = measure(at, unit, ways)
        rank.append(min(values))
        ways = [way for way, value in zip(ways, values, strict=True) if value == rank[-1]]
    return sorted((replace(way, rank=tuple(rank)) for way in ways), key=lambda option: option.path)


def can_retreat(at: Position, unit: str, hexes: int) -> bool:
    """Whether there is any way out for a unit."""
    return next(_ways(at, unit, hexes), None) is not None


def way_along(at: Position, unit: str, hexes: int, path: Path) -> RetreatOption | None:
    """A path as a way out, good or bad; None if the unit cannot retreat like that."""
    if why_not_along(at, unit, hexes, path) is not None:
        return None
    return RetreatOption(path, len(costly_hexes(at, unit, path)), len(path) - 1 - hexes)


def why_not_along(at: Position, unit: str, hexes: int, path: Path) -> tuple[str, str] | None:
    """Why a unit cannot retreat along a path, however good another is: the topic and a sentence. None if it can."""
    world, gone = at.world, len(path) - 1
    start, side = at.state.at[unit], world.units[unit].side
    if not path or path[0] != start or gone < hexes:
        return "retreat", f"{unit} retreats from {start} by {hexes} hex{'es' if hexes > 1 else ''}"
    for n, label in enumerate(path[1:], 1):
        here = path[n - 1]
        if label in _onward(at, unit, path[:n]):
            continue
        if label not in world.board or not world.board.adjacent(here, label):
            return "retreat", f"{label} is not next to {here} on the map"
        if label in path[:n]:
            return "retreat", f"no retreat enters {label} twice"
        if occupant(at, label) not in (None, side):
            return "retreat.enemy", f"the enemy stands in {label}"
        if line := world.movement.closed_line(side, here, label):
            return "retreat.line", f"{side} never crosses the {line} between {here} and {label}"
        if world.units[unit].arm not in world.chart.arms or not at.world.movement.can_enter(at, unit, here, label):
            return "retreat.closed", f"{unit} could not move from {here} into {label}"
        if not world.may_retreat(at, unit, path[:n], label):
            return world.retreat_barred_by(at, unit, path[:n], label), f"{unit} may not go on from {here} into {label}"
        return "retreat", f"{label} does not lead away from {start}"
    for label in path[hexes:-1]:
        if world.has_retreat_room(at, unit, label):
            return "retreat.room", f"there is room in {label}, where the retreat ends"
    if not world.has_retreat_room(at, unit, path[-1]) or (
        world.retreat_overflow is not None and gone > hexes + world.retreat_overflow
    ):
        return "retreat.room", f"there is no room in {path[-1]}"
    return None


def worse_because(at: Position, unit: str, way: RetreatOption, best: RetreatOption, criteria: tuple[Criterion, ...]) -> str:
    """In words, what the best way does that another does not."""
    for number, measure in enumerate(_measures(at, criteria)):
        mine, other = measure(at, unit, (way, best))
        if mine == other:
            continue
        if number < 2:
            return f"costs {best.losses} step{'' if best.losses == 1 else 's'} and not {way.losses}"
        if (mine, other) == (way.overflow, best.overflow):
            return f"finds room after {len(best.path) - 1} hexes and not {len(way.path) - 1}"
        return "ends nearer to supply"
    return "is as good and passes other full stacks"


def _measures(at: Position, criteria: tuple[Criterion, ...]) -> tuple[Ranking, ...]:
    """All that ways are judged by, the weightiest first."""
    return (_lost, _losses, *map(_of_each, criteria), *at.world.retreat_rankings)


def _lost(at: Position, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
    left = at.state.steps[unit]
    return [int(way.losses >= left) for way in ways]


def _losses(at: Position, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
    return [way.losses for way in ways]


def _of_each(criterion: Criterion) -> Ranking:
    return lambda at, unit, ways: [criterion(at, unit, way) for way in ways]


def _onward(at: Position, unit: str, path: Path) -> list[str]:
    """The hexes into which a retreat may go on; none for an arm that does not move and so is not on the chart."""
    world, here, gone = at.world, path[-1], len(path) - 1
    if world.units[unit].arm not in world.chart.arms:
        return []
    distance, leads_away = world.board.distance, world.retreat_away
    return [
        label
        for label in world.board.neighbours(here)
        if (distance(path[0], label) > gone if leads_away else label not in path)
        and at.world.movement.can_enter(at, unit, here, label)
        and world.may_retreat(at, unit, path, label)
    ]


def _ways(at: Position, unit: str, hexes: int) -> Iterator[RetreatOption]:
    """Ways out, the shorter ones first.

    Where each further hex is chosen by itself, a way goes on only to the best hexes that lead anywhere. Otherwise a limited
    overflow is followed up completely. An unlimited one goes on, length by length, only where a way may still cost
    fewer steps than all that have ended, and leaves out hexes to which a shorter way with the same first hexes has come for no
    more steps: whatever follows could follow there as well.
    """
    world, farthest = at.world, at.world.retreat_overflow
    hurts: dict[str, bool] = {}

    def longer(path: Path, losses: int) -> Iterator[tuple[Path, int]]:
        for label in _onward(at, unit, path):
            if label not in hurts:
                hurts[label] = world.retreat_hurts(at, unit, label)
            yield (*path, label), losses + hurts[label]

    ways: list[tuple[Path, int]] = [((at.state.at[unit],), 0)]
    for _ in range(hexes):
        ways = [way for shorter in ways for way in longer(*shorter)]
    if world.retreat_hex_by_hex:
        for path, losses in ways:
            yield from _hex_by_hex(at, unit, RetreatOption(path, losses, 0), longer)
        return
    overflow, fewest = 0, None
    reached: dict[tuple[str, Path], int] = {}
    """End and first hexes of a way -> the fewest steps that a shorter one costs."""
    while ways:
        full = []
        for path, losses in ways:
            if world.has_retreat_room(at, unit, path[-1]):
                yield RetreatOption(path, losses, overflow)
                fewest = losses if fewest is None else min(losses, fewest)
            else:
                full.append((path, losses))
        if farthest is None:
            for path, losses in ways:
                key = path[-1], path[1:hexes]
                reached[key] = min(losses, reached.get(key, losses))
            full = [(path, losses) for path, losses in full if fewest is None or losses < fewest]
        elif overflow == farthest:
            return
        ways = [way for shorter in full for way in longer(*shorter)]
        if farthest is None:
            ways = [(path, losses) for path, losses in ways if losses < reached.get((path[-1], path[1:hexes]), losses + 1)]
            if len(ways) > MANY:
                ways = list({(path[-1], path[1:hexes], losses): (path, losses) for path, losses in ways}.values())
        overflow += 1


def _hex_by_hex(at: Position, unit: str, way: RetreatOption, longer: Longer) -> list[RetreatOption]:
    """A way if there is room at its end; else the ways in which it goes on, each hex chosen like the last one demanded."""
    if at.world.has_retreat_room(at, unit, way.path[-1]):
        return [way]
    choices: dict[tuple[int, ...], list[RetreatOption]] = {}
    for path, losses in longer(way.path, way.losses):
        measured = RetreatOption(path, losses, 0)
        rank = (losses, *(criterion(at, unit, measured) for criterion in at.world.retreat_criteria))
        choices.setdefault(rank, []).append(RetreatOption(path, losses, way.overflow + 1))
    for rank in sorted(choices):
        found = [end for choice in choices[rank] for end in _hex_by_hex(at, unit, choice, longer)]
        if found:
            return found
    return []
