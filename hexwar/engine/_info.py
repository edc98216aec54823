"""What is known about a ruleset before its rules are loaded: metadata, scenarios, options and seatings.

Listing rulesets reads only this, so it imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import lru_cache
from importlib import import_module

from hexwar.engine._guide import Briefing, Guide, Lesson
from hexwar.engine._records import plain_text, record
from hexwar.errors import HexwarError, UnknownName, require
from hexwar.files import package_folder

NEUTRAL = "neutral"
"""The side of a seat that belongs to no side, such as that of an umpire."""


@record
class Scenario:
    """One way to play a ruleset.

    Args:
        id: as `new_game` takes it.
        title: for people.
        summary: a sentence or two.
        board: the id of its board.
        bound: the most actions a game can take; the test kit holds the ruleset to it.
        lacks: in an unfinished ruleset, the rules that a game of it would need and that are not there yet; such a game is
            refused with these words.
        briefing: what players should know before they begin; if it is None, what its guide says, or else its summary.
        lesson: a guided first turn, step by step; if it is empty, that of its guide.
    """

    id: str
    title: str
    summary: str = ""
    board: str = ""
    bound: int = 10_000
    lacks: str = ""
    briefing: Briefing | None = None
    lesson: tuple[Lesson, ...] = ()


@record
class Option:
    """An optional rule: off unless chosen, or one of several choices.

    Args:
        id: as `new_game(options=...)` takes it.
        title: for people.
        choices: the values to choose from; a plain switch has none.
        default: the value if none is given.
        excludes: other options that cannot be on at the same time.
        clause: the rule that describes it.
        scenarios: where it applies; empty for everywhere.
        seats: value -> seats that belong to no side and that the game then has besides those of the players.
        seating: the seating of a game that has it and does not name its seats.
        needs: other options with the value that they must have for this one to be on.
        includes: value -> switches that are then on as well, whatever was chosen.
    """

    id: str
    title: str
    choices: tuple[str, ...] = ()
    default: bool | str = False
    excludes: tuple[str, ...] = ()
    clause: str = ""
    scenarios: tuple[str, ...] = ()
    seats: Mapping[bool | str, tuple[str, ...]] = field(default_factory=dict)
    seating: str = ""
    needs: Mapping[str, bool | str] = field(default_factory=dict)
    includes: Mapping[bool | str, tuple[str, ...]] = field(default_factory=dict)


@record
class Seating:
    """A way to divide the sides among players, by its name.

    Args:
        id: as `new_game(seats=...)` takes it.
        title: for people.
        seats: seat -> side, in order.
        scenarios: where it applies; empty for everywhere.
    """

    id: str
    title: str
    seats: Mapping[str, str]
    scenarios: tuple[str, ...] = ()


@record
class RulesetInfo:
    """A ruleset's card.

    Args:
        id: short name, also on the command line.
        title: the game's name.
        version: of the ruleset; a save names it.
        sides: lower-case names in order.
        scenarios: the first is the default.
        entry: where the rules are, as "module:object"; imported on first use.
        options: optional rules.
        maturity: "complete", "playable" or "stub", and what that means in `summary`.
        summary: a sentence.
        credits: whose game it is, and what our part is.
        loads: older versions whose saves this one still loads.
        bot: the bot that knows this game, by the name under which a plugin offers it; one that plays any game if not given.
        seatings: how several players may divide a side, besides one seat for each side.
        kit: what it says to the test kit (a `hexwar.testing.Kit`), as "module:object"; imported when it is tested.
        guides: where the guides of its scenarios are, as "package:folder"; that of a scenario is its id and ".toml".
    """

    id: str
    title: str
    version: str
    sides: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    entry: str
    options: tuple[Option, ...] = ()
    maturity: str = "playable"
    summary: str = ""
    credits: str = ""
    loads: tuple[str, ...] = field(default=())
    bot: str = ""
    seatings: tuple[Seating, ...] = ()
    kit: str = ""
    guides: str = ""

    def guide(self, scenario_id: str | None = None) -> Guide:
        """What a scenario tells people besides its rules: what its card says, what its guide says, or else its summary.

        Raises:
            ContentError: its guide has a mistake.
        """
        scenario = self.scenario(scenario_id)
        read = _read(self.guides, scenario.id) if self.guides else Guide()
        briefing = scenario.briefing or read.briefing
        if not briefing.about:
            briefing = replace(briefing, about=scenario.summary)
        return replace(read, briefing=briefing, lesson=scenario.lesson or read.lesson)

    def seating(self, name: str, scenario: str) -> Seating:
        """A seating by its id.

        Raises:
            HexwarError: there is none of this name, or it is not for this scenario.
        """
        for seating in self.seatings:
            if seating.id == name:
                if seating.scenarios and scenario not in seating.scenarios:
                    raise HexwarError(f"the seating {name} is for {', '.join(seating.scenarios)} only, not for {scenario}")
                return seating
        raise UnknownName(f"seating of {self.id}", name, [seating.id for seating in self.seatings])

    @property
    def playable(self) -> tuple[Scenario, ...]:
        """The scenarios of which a game can be started."""
        return tuple(scenario for scenario in self.scenarios if not scenario.lacks)

    def scenario(self, scenario_id: str | None) -> Scenario:
        """A scenario by its id; the first if none is named."""
        for scenario in self.scenarios:
            if scenario_id is None or scenario.id == scenario_id:
                return scenario
        raise UnknownName(f"scenario of {self.id}", scenario_id, [scenario.id for scenario in self.scenarios])


@lru_cache(256)
def _read(guides: str, scenario: str) -> Guide:
    package, _, folder = guides.partition(":")
    import_module(package)
    file = package_folder(package).joinpath(folder, f"{scenario}.toml")
    return Guide.load(file) if file.is_file() else Guide()


def settle_options(chosen: Mapping[str, object], known: Iterable[Option], scenario: str) -> dict[str, bool | str]:
    """The value of every option for a game, defaults filled in.

    Raises:
        HexwarError: for an unknown option, a wrong value or two options that exclude each other.
    """
    options = {option.id: option for option in known}
    example = {next(iter(options), "reserves"): True}
    require(chosen, Mapping, f"options are a mapping from names to values, such as {example}, not {chosen!r}")
    # From plain values: a subclass of text may claim to be any of the choices.
    chosen = {plain_text(name): plain_text(value) if isinstance(value, str) else value for name, value in chosen.items()}
    for name in chosen:
        if name not in options:
            raise UnknownName("option", name, options)
    settled: dict[str, bool | str] = {}
    for option in options.values():
        value = chosen.get(option.id, option.default)
        if value is False and "off" in option.choices:  # a player who types "off" means the word
            value = "off"
        if option.choices and (type(value) is not str or value not in option.choices):
            raise HexwarError(f"option {option.id} must be one of {', '.join(option.choices)}, not {value!r}")
        if not option.choices and type(value) is not bool:
            raise HexwarError(f"option {option.id} is a switch: true or false, not {value!r}")
        if value and value != option.default and option.scenarios and scenario not in option.scenarios:
            raise HexwarError(f"option {option.id} applies to {', '.join(option.scenarios)} only, not to {scenario}")
        assert isinstance(value, bool | str)
        settled[option.id] = value
    for option in options.values():
        for name in option.includes.get(settled[option.id], ()):
            if name not in options:
                raise UnknownName("option", name, options)
            settled[name] = True
    on = [option for option in options.values() if settled[option.id] not in ((option.default,) if option.choices else (False,))]
    for option in on:
        for other in on:
            if other.id in option.excludes:
                raise HexwarError(f"options {option.id} and {other.id} exclude each other")
        for needed, value in option.needs.items():
            if settled[needed] != value:
                raise HexwarError(f"option {option.id} needs {needed}={value}")
    return settled
