"""Marches in a player's words, in centimetres and degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hexwar.engine import Action, Position, Spot
from hexwar.plane import CM, Area, Line, along, shifted, towards
from hexwar.tabletop._marches import AHEAD, COMPASS, March, Marches, nearest_spot

Sets = Callable[[Position, str], Marches]
"""From a position and a unit to what the unit may do."""


def in_words(at: Position, words: Sequence[str], marches: Sets = Marches) -> Iterator[Action]:
    """What typed words mean, legal or not.

    "march p2 12 towards Height 234", "march p2 8 at 45 facing g1", "march p2 5 north-east", "march p2 to 45 68.5",
    "march p2 to Farm wall", "march p2 to 45 68.5 by 40 60", "face p2 g1".

    Args:
        at: the position.
        words: as they were typed.
        marches: what a unit may do.
    """
    low: Sequence[str] = [word.lower().strip(",") for word in words]
    if len(words) < 3 or words[1] not in at.state.spots:
        return
    unit = words[1]
    offered = marches(at, unit)
    me = offered.me
    if low[0] == "face":
        heading = _heading(at, offered, me.centre, words[2:])
        if heading is not None:
            yield March(unit, me.centre, heading)
    if low[0] != March.kind:
        return
    looking, low = _behind("facing", words, low)
    by, low = _behind("by", words, low)
    via = _points([word.strip(",") for word in by])
    to = _goal(at, offered, words[2 : len(low)], low[2:])
    if to is not None and via is not None:
        heading = _heading(at, offered, to, looking) if looking else AHEAD
        if heading is not None:
            yield March(unit, to, heading, via)


def _behind(word: str, words: Sequence[str], low: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """What stands behind a word, as it was typed, and what stands before it, in small letters."""
    if word not in low:
        return (), low
    at = low.index(word)
    return words[at + 1 : len(low)], low[:at]


def _goal(at: Position, offered: Marches, words: Sequence[str], low: Sequence[str]) -> Spot | None:
    me = offered.me
    if low[:1] == ["to"]:
        points = _points(low[1:])
        if points is not None and len(points) == 1:
            return points[0]
        spot = _spot(at, offered, words[1:])
        if spot is None:
            return None
        march = offered.trimmed(March(offered.unit, spot))
        return march.to if march else spot
    far = _length(low[0]) if low else None
    if far is None:
        return None
    if low[1:2] == ["towards"] and (spot := _spot(at, offered, words[2:])) is not None:
        return along(me.centre, spot, far)
    if low[1:2] == ["at"] and len(low) == 3 and low[2].isdecimal():
        return along(me.centre, shifted(me.centre, int(low[2][:9]) % 360, 2 * far + CM), far)
    if len(low) == 2 and low[1] in COMPASS:
        return along(me.centre, shifted(me.centre, 45 * COMPASS.index(low[1]), 2 * far + CM), far)
    return None


def _spot(at: Position, offered: Marches, words: Sequence[str]) -> Spot | None:
    """A unit, a place or a line by its name; of a line the nearest point."""
    name = " ".join(words)
    if name in at.state.spots:
        spot: Spot = at.state.spots[name]
        return spot
    part = offered.ways.terrain.named(name)
    if isinstance(part, Area):
        return sum(x for x, _ in part.ring) // len(part.ring), sum(y for _, y in part.ring) // len(part.ring)
    return nearest_spot(part, offered.me.centre) if isinstance(part, Line) else None


def _heading(at: Position, offered: Marches, here: Spot, words: Sequence[str]) -> int | None:
    if len(words) == 1 and words[0].isdecimal():
        return int(words[0][:9]) % 360
    if len(words) == 1 and words[0].lower() in COMPASS:
        return 45 * COMPASS.index(words[0].lower())
    spot = _spot(at, offered, words)
    return None if spot is None else towards(here, spot)


def _points(words: Sequence[str]) -> tuple[Spot, ...] | None:
    """Pairs of centimetres as points; None if the words are no such pairs."""
    numbers = [number for word in words if (number := _length(word)) is not None]
    if len(numbers) != len(words) or len(numbers) % 2:
        return None
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _length(word: str) -> int | None:
    """Centimetres as units of the table; None if the word is no number."""
    try:
        return round(float(word) * CM)
    except (ValueError, OverflowError):
        return None
