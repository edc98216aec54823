"""Drafts of drills: what two versions of the rules tell differently of a position, in the words of a drill."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hexwar.testing._staging.positions import to_toml, without_none

Told = Mapping[str, Any]
"""Channel -> what the rules tell there of a position, as JSON; see `witness.Room.observed`."""
Moment = dict[str, Any]
LONGEST = 30
"""A list of more entries is not written down; one of them will do."""
SHORT = {"locations": "at", "steps_left": "steps"}
BEFORE, AFTER = ("offers", "refusals"), ("state", "events", "heard", "undo", "answers", "views")


def moments(mine: Told, its: Told, decision: Sequence[Any] | None) -> Iterator[Moment]:
    """Moments of a drill that hold as the rules are, and not with the mistake.

    Args:
        mine: what the rules tell as they are.
        its: what they tell with the mistake, in the channels that differ.
        decision: seat and action.
    """
    if "offers" in its:
        yield from _offers(mine["offers"], its["offers"])
    if "refusals" in its:
        yield from _refusals(mine["refusals"], its["refusals"])
    done: Moment = {} if decision is None else {"do": decision[1], "by": decision[0]}
    if "state" in its:
        yield from ({**done, "expect": {what: value}} for what, value in _fields(mine["state"], its["state"]))
    if "events" in its:
        yield from ({**done, "expect": {what: value}} for what, value in _events(mine["events"], its["events"]))
    if "heard" in its:
        for seat, kinds in mine["heard"].items():
            for kind in {*kinds, *its["heard"][seat]}:
                if kinds.count(kind) != its["heard"][seat].count(kind):
                    yield {**done, "expect": {f"heard.{seat}.{kind}": kinds.count(kind)}}
    for seat, may in mine["undo"].items() if "undo" in its else ():
        if its["undo"][seat] != may:
            yield {**done, "expect": {f"undo.{seat}": may}}
    for question in _answers(mine["answers"], its["answers"]) if "answers" in its else ():
        yield {**done, "expect": question}
    for seat, seen in mine["views"].items() if "views" in its else ():
        for what, value in _fields(seen, its["views"].get(seat, {})):
            short = what.removeprefix("state.")
            if "." not in what or what.startswith("state."):
                yield {**done, "expect": {f"seen.{seat}.{short}": value}}
    if "error" in its and "state" in mine:
        yield {**done, "expect": {"asked": mine["state"]["asked"]}}


def _offers(mine: Told, its: Told) -> Iterator[Moment]:
    for seat, offers in mine.items():
        others = its.get(seat, [])
        ours, theirs = ({json.dumps(offer, sort_keys=True) for offer in some} for some in (offers, others))
        for text in sorted(ours ^ theirs)[:3]:
            offer = json.loads(text)
            yield from _offer(seat, offer, offers)
            yield {"by": seat, "do": offer} if text in ours else {"by": seat, "refused": [offer]}


def _offer(seat: str, offer: Mapping[str, Any], offers: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """What is offered beside an offer: one of its fields, where the others are the same."""
    kind, fields = offer["kind"], [name for name in offer if name != "kind"]
    alike = [other for other in offers if other["kind"] == kind]
    if not alike or not fields:
        yield {"by": seat, "expect": {"kinds": sorted({other["kind"] for other in offers})}}
    for last in reversed(fields):
        rest = {name: offer[name] for name in fields if name != last and offer[name] not in ("", [], False)}
        same = [other for other in alike if all(other.get(name) == value for name, value in rest.items())]
        told = {json.dumps(other[last]) for other in same}
        is_plain = all(isinstance(value, str) and not set(value) & set(",=[]") for value in rest.values())
        if is_plain and len(told) <= LONGEST and not any(isinstance(other[last], list) for other in same):
            wanted = ",".join(f"{name}={value}" for name, value in rest.items())
            yield {"by": seat, "expect": {f"offers.{kind}{f'[{wanted}]' if wanted else ''}.{last}": _sorted(told)}}


def _sorted(told: set[str]) -> list[Any]:
    return [json.loads(value) for value in sorted(told)]


def _refusals(mine: Sequence[Any], its: Sequence[Any]) -> Iterator[Moment]:
    others = {json.dumps(entry[:2], sort_keys=True): entry[2] for entry in its}
    for seat, action, reason in mine:
        other = others.get(json.dumps([seat, action], sort_keys=True), reason)
        if other == reason:
            continue
        if reason is None:
            yield {"by": seat, "do": action}
        elif reason[1]:
            yield {"by": seat, "clause": reason[1], "refused": [action]}


def _fields(mine: Mapping[str, Any], its: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is another in a state, the most telling first."""
    for name in sorted(mine, key=lambda name: (name not in SHORT, name == "stack", name)):
        value, other = mine[name], its.get(name)
        if value == other or name == "draws":
            continue
        if name == "asked":
            yield "asked", value
        elif name == "stack":
            yield from (
                (f"waits.{kind}", count)
                for kind, count in _kinds(value).items() | dict.fromkeys(_kinds(other) if other else {}, 0).items()
                if count != (_kinds(other) if other else {}).get(kind, 0) and count == _kinds(value).get(kind, 0)
            )
        elif isinstance(value, Mapping) and isinstance(other, Mapping):
            for key in sorted({*value, *other}, key=str):
                if value.get(key) != other.get(key) and key in value and value[key] is not None:
                    yield (f"{SHORT[name]}.{key}" if name in SHORT else f"state.{name}.{key}"), value[key]
            if name not in SHORT and len(value) <= LONGEST:
                yield f"state.{name}", value
        elif value is not None:
            yield f"state.{name}", value


def _kinds(stack: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    kinds = [step["kind"] for step in stack]
    return {kind: kinds.count(kind) for kind in kinds}


def _events(mine: Sequence[Mapping[str, Any]], its: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    for kind in dict.fromkeys(event["kind"] for event in (*mine, *its)):
        ours, theirs = ([event for event in some if event["kind"] == kind] for some in (mine, its))
        if len(ours) != len(theirs):
            yield f"events.{kind}", len(ours)
        elif ours != theirs:
            for name in ours[0]:
                values = [event.get(name) for event in ours]
                if name != "kind" and None not in values and values != [event.get(name) for event in theirs]:
                    yield f"events.{kind}.{name}", values


def _answers(mine: Sequence[Any], its: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for (name, arguments, answer), other in zip(mine, its, strict=False):
        if answer == other[2]:
            continue
        asked = f"query.{name}({', '.join(json.dumps(value) for value in arguments)})"
        if not isinstance(answer, Mapping) or not isinstance(other[2], Mapping):
            yield {asked: answer}
            continue
        for field, value in answer.items():
            if value is not None and value != other[2].get(field):
                yield {f"{asked}.{field}": value}


def drill_text(drill: Mapping[str, Any], comments: Sequence[str]) -> str:
    """A drill as TOML, below some comments."""
    return "".join(f"# {line}\n" for line in comments) + "\n[[drill]]\n" + to_toml(without_none(drill))
