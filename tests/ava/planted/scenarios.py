"""Rule bugs of the optional rules (17), of the scenarios (18) and of many players (19, 20)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hexwar.pieces import end_activation, on_board
from hexwar.testing import Mutant
from hexwar.testing.planting import answering, setting, wrapping
from hexwar_ava.activation import AvaCup
from hexwar_ava.supply import Relinquishing
from hexwar_ava.teams import AvaTeams
from hexwar_ava.turn import CallingZhukov, EndingTurn, end_turn
from tests.ava.planted.planting import DRILLS, chits, mutant, numbers, optional, printed, scenarios


def _needed(more: int) -> Any:
    return scenarios(lambda entry: {"victory_points": entry.victory_points + more})


def _at_once(original: Any, self: Any, at: Any, side: str, chit: str) -> Any:
    found = original(self, at, side, chit)
    return "either" if self.chits[chit].kind == "reinforcements" and side == "soviet" and at.state.zhukov else found


def _always(original: Any, self: Any, at: Any, side: str, chit: str) -> Any:
    found = original(self, at, side, chit)
    return "either" if self.chits[chit].kind == "reinforcements" and side == "soviet" else found


def _any_axis_unit(original: Any, self: Any, at: Any) -> list[str]:
    return on_board(at, "axis") if self.attack > 0 else []


def _arrivals(**changes: Any) -> Any:
    def planted(content: Any) -> Any:
        made = [it.model_copy(update=changes) if it.formation == "3PzG" else it for it in content.track.arrival]
        return replace(content, track=content.track.model_copy(update={"arrival": made}))

    return printed(planted)


def _no_home(original: Any, self: Any, side: str, label: str) -> str:
    return str(self.world.seats_of(side)[0])


def _by_map(original: Any, self: Any, counter: Any) -> str:
    return str(original(self, replace(counter, formation="", nation="")))


def _asked_always(play: Any) -> None:
    """Instead of `end_turn`, with the names of its module."""
    end_activation(play)
    play.push(EndingTurn())
    play.push(CallingZhukov(play.world.seat_for("soviet")))


def _one_master_more(content: Any) -> Any:
    masters = content.roles.masters
    more = masters.model_copy(update={"number": {team: number + 1 for team, number in masters.number.items()}})
    return replace(content, roles=content.roles.model_copy(update={"masters": more}))


MUTANTS: tuple[Mutant, ...] = (
    # 17.0 optional rules
    mutant(
        "bids-count-for-nothing",
        "17.1.1",
        "a bid does not change what the Axis needs",
        wrapping("hexwar.pieces._bidding:BidVictory", "bid", lambda original, self, at: {}),
        DRILLS,
        bidding=True,
    ),
    mutant(
        "bids-know-no-limit",
        "17.1.1",
        "a bid may be higher than twice the points of the scenario",
        wrapping("hexwar.pieces._bidding", "highest", lambda original, at: original(at) + 1),
        DRILLS,
        bidding=True,
    ),
    mutant(
        "reserves-of-six",
        "17.2.2",
        "Reserves and OKH activate one unit more",
        optional("reserves", "numbers", lambda original, world, chit: tuple(n + 1 for n in original(world, chit))),
        DRILLS,
        reserves=True,
    ),
    mutant(
        "reserves-always-in-range",
        "17.2.4",
        "units of Reserves are never out of range",
        optional("reserves", "in_range", lambda original, at, unit: True),
        DRILLS,
        reserves=True,
    ),
    mutant(
        "reserves-never-in-range",
        "17.2.3",
        "units of Reserves are always out of range",
        optional("reserves", "in_range", lambda original, at, unit: False),
        DRILLS,
        reserves=True,
    ),
    mutant(
        "leningrad-reserves-attack",
        "18.1.14",
        "units of Reserves attack in Leningrad",
        scenarios(lambda entry: {"reserves_hold_back": False}),
        DRILLS,
        reserves=True,
    ),
    mutant(
        "anybody-relocates",
        "17.3.1",
        "headquarters relocate wherever they stand",
        optional(
            "relocation",
            "able",
            lambda original, at, hq: [
                unit for unit in on_board(at, at.world.units[hq].side) if at.world.units[unit].is_headquarters and unit != hq
            ],
        ),
        DRILLS,
        relocation=True,
    ),
    mutant(
        "nobody-relocates",
        "17.3.1",
        "no headquarters relocates",
        optional("relocation", "able", lambda original, at, hq: []),
        DRILLS,
        relocation=True,
    ),
    mutant(
        "thirteen-to-the-road",
        "17.4.1",
        "a Soviet line leaves roads by thirteen hexes",
        numbers(soviet_line_to_road=13),
        DRILLS,
        soviet_supply=True,
    ),
    mutant(
        "eleven-panzers",
        "17.5.1",
        "a German headquarters activates eleven mechanized units",
        numbers(german_mechanized_limit=11),
        DRILLS,
        armour_limit=True,
    ),
    mutant(
        "panzer-groups-share-railways",
        "17.6.2",
        "two panzer groups use the same railway",
        optional("panzer_headquarters", "used_by_others", lambda original, at, hq: frozenset()),
        DRILLS,
        panzer_headquarters=True,
    ),
    # 18.0 scenarios
    mutant("one-point-less", "18.1.15", "the Axis wins a scenario with one point less", _needed(-1), DRILLS),
    mutant("one-point-more", "18.3.6", "the Axis needs one point more in a scenario", _needed(1), DRILLS),
    mutant(
        "two-armies-a-turn",
        "18.1.4",
        "the Soviets add two armies a turn",
        scenarios(
            lambda entry: {
                "extra_headquarters": entry.extra_headquarters.model_copy(
                    update={"chits": dict.fromkeys(entry.extra_headquarters.chits, 2)}
                )
            }
        ),
        DRILLS,
    ),
    mutant(
        "armies-in-turn-3",
        "18.1.4",
        "the Soviets add armies from turn 3 on",
        scenarios(lambda entry: {"extra_headquarters": entry.extra_headquarters.model_copy(update={"from_turn": 3})}),
        DRILLS,
    ),
    mutant(
        "zhukov-at-once",
        "18.1.10",
        "Zhukov holds a chit in the turn in which he is called",
        wrapping(AvaCup, "keeping", _at_once),
        DRILLS,
    ),
    mutant(
        "zhukov-from-the-start",
        "18.1.10",
        "the Soviets hold their Reinforcements chit without Zhukov",
        wrapping(AvaCup, "keeping", _always),
        "chits",
        DRILLS,
    ),
    mutant("zhukov-cannot-come", "18.1.9", "no Axis unit calls Zhukov", scenarios(lambda entry: {"zhukov": ""}), DRILLS),
    mutant(
        "zhukov-comes-uncalled",
        "18.1.9",
        "Zhukov may be called before the Axis is near",
        setting(end_turn, "__code__", _asked_always.__code__),
        DRILLS,
    ),
    mutant("3pzg-counts", "18.1.8", "the units of 3PzG in Leningrad count against the number", _arrivals(with_chit=""), DRILLS),
    mutant("3pzg-a-turn-late", "18.1.8", "the units of 3PzG come in turn 8", _arrivals(turn=8), DRILLS),
    mutant("nobody-leaves-smolensk", "18.2.5", "no unit leaves Smolensk", scenarios(lambda entry: {"withdrawal": None}), DRILLS),
    mutant(
        "twelve-points-leave-smolensk",
        "18.2.5",
        "units with 12 attack points leave Smolensk",
        scenarios(lambda entry: {"withdrawal": entry.withdrawal and entry.withdrawal.model_copy(update={"attack": 12})}),
        DRILLS,
    ),
    mutant(
        "infantry-leaves-smolensk",
        "18.2.6",
        "any units may leave Smolensk",
        wrapping(Relinquishing, "able", _any_axis_unit),
        DRILLS,
    ),
    mutant(
        "no-breakthrough-in-smolensk",
        "18.2.9",
        "the breakthrough hexes of Smolensk score nothing",
        scenarios(lambda entry: {"breakthrough": None}),
        DRILLS,
    ),
    mutant(
        "reserve-in-kiev",
        "18.3.5",
        "Kiev has OKH",
        scenarios(lambda entry: {"direct": entry.direct.model_copy(update={"okh": [3, 3, 3, 3, 4, 5]})}),
        DRILLS,
        reserves=True,
    ),
    mutant(
        "19a-activates-in-turn-4",
        "18.2.3",
        "the chit of 19A comes in turn 4",
        chits(lambda chit: chit.id == "su-19a", turn=4),
        DRILLS,
    ),
    # 19.0, 20.0 many players
    mutant(
        "first-player-builds",
        "19.2.6",
        "the first player of a side decides about every map",
        wrapping(AvaTeams, "seat_on", _no_home),
        DRILLS,
    ),
    mutant(
        "commanders-by-map",
        "19.2.5",
        "a unit's commander is that of its map, whatever its formation",
        wrapping(AvaTeams, "_owner_of", _by_map),
        DRILLS,
    ),
    mutant(
        "anybody-may-sit-down",
        "19.3.1",
        "seats that leave a map without a player are accepted",
        answering(AvaTeams, "check", None),
        "content-is-refused",
    ),
    mutant("too-many-masters", "20.2.4", "a team has one Master chit more", printed(_one_master_more), DRILLS),
)
