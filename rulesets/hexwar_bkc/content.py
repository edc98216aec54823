"""Army lists and scenarios: what the files hold, and the units that come from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Literal

from hexwar.engine import record
from hexwar.errors import ContentError, UnknownName
from hexwar.pieces import Content, Face, Field, Unit, load_content
from hexwar.plane import Base

DATA = files(__package__) / "data"

Kind = Literal["infantry", "engineer", "flamethrower", "cavalry", "mg", "mortar", "gun", "armour", "transport", "command"]
Mover = Literal["foot", "boat", "cutter", "horse", "motorcycle", "truck", "gun", "track", "command"]
Whole = Annotated[int, Field(strict=True, ge=0, le=2000)]
Few = Annotated[int, Field(strict=True, ge=0, le=20)]
Corner = tuple[Whole, Whole]


class CommandEntry(Content):
    """A line of an army list: a command unit."""

    id: str
    title: str
    value: Annotated[int, Field(strict=True, ge=6, le=10)]
    move: Whole
    cost: Whole
    most: Few = 12


class TroopEntry(Content):
    """A line of an army list: a unit. Distances are in centimetres."""

    id: str
    title: str
    type: Kind
    mover: Mover
    move: Whole
    attack: Few = 0
    range: Whole = 0
    least: Whole = 0
    mark: Literal["", "*", "#"] = ""
    hits: Annotated[int, Field(strict=True, ge=1, le=9)]
    save: Annotated[int, Field(strict=True, ge=0, le=6)] = 0
    view: Literal[90, 180, 360] = 180
    heavy: bool = False
    open: bool = False
    indirect: bool = False
    carries: Few = 0
    cost: Whole
    most: Few = 12


class GunEntry(Content):
    """A line of an army list: artillery off the table."""

    id: str
    title: str
    attack: Few
    zone: Whole
    cost: Whole
    asset: Whole
    most: Few
    kind: Literal["tube", "rocket", "naval"] = "tube"
    propelled: bool = False
    hits: Annotated[int, Field(strict=True, ge=1, le=9)] = 4


class Army(Content):
    """An army list."""

    title: str
    command: list[CommandEntry]
    unit: list[TroopEntry]
    artillery: list[GunEntry] = Field([])


class Battlegroup(Content):
    """What was bought of an army list."""

    army: str
    units: dict[str, Few]
    artillery: dict[str, Few] = Field({})
    assets: dict[str, Few] = Field({})


class BattlegroupFile(Battlegroup):
    """A battlegroup of one's own, with what may be spent on it."""

    points: Annotated[int, Field(strict=True, ge=0, le=20_000)]


class ArmiesFile(Content):
    """The army lists and the battlegroups of the scenarios."""

    format: Literal[1]
    price: str
    provenance: str
    base: dict[Mover, tuple[Whole, Whole]]
    hits: dict[Literal["command"], Few]
    army: dict[str, Army]
    battlegroup: dict[str, Battlegroup]


class Objective(Content):
    """What a side is to reach."""

    side: str
    rank: Literal["main", "minor"]
    hold: str = ""
    deny: str = ""
    cross: str = ""
    units: Few = 1
    breaks: str = ""


class ScenarioKeys(Content):
    """What a table file says of a battle on it."""

    turns: Annotated[int, Field(strict=True, ge=1, le=30)]
    first: str
    edges: dict[str, Literal["north", "south", "east", "west"]]
    deploy: dict[str, list[tuple[int, int]]]
    objective: list[Objective]
    units: dict[str, list[str]] = Field({})
    battlegroups: dict[str, str] = Field({})
    dug_in: dict[str, Few] = Field({})
    assets: dict[str, dict[str, Few]] = Field({})
    battlegroup: dict[str, Battlegroup] = Field({})
    points: Annotated[int, Field(strict=True, ge=0, le=20_000)] = 0
    budgets: dict[str, Annotated[int, Field(strict=True, ge=0, le=20_000)]] = Field({})


@record
class Model(Unit):
    """A unit as its army list has it; distances in units of the table, 0.1 mm.

    Args:
        type: what it is: infantry, armour, command.
        base: the size of its base.
        move: how far one move goes.
        dice: its Attack.
        range: of its weapon.
        least: the shortest range of a mortar.
        mark: "*" if it cannot damage heavy targets, "#" if it cannot damage light ones.
        hits: what knocks it out in one turn.
        save: what cancels a hit, or more; 0 for none.
        view: its arc in degrees.
        heavy: whether "*" cannot damage it.
        open: whether it is only partly armoured.
        indirect: whether it fires over what is in the way.
        value: of a command unit.
        cost: its price.
        carries: how many units it carries or tows.
        zone: of artillery off the table: the side of its zone.
        rocket: whether it is a rocket or a naval unit.
        propelled: whether it is self-propelled.
        assets: how many missions can be scheduled for it.
    """

    type: str = "infantry"
    base: Base = Base(300, 300)
    move: int = 0
    dice: int = 0
    range: int = 0
    least: int = 0
    mark: str = ""
    hits: int = 1
    save: int = 0
    view: int = 180
    heavy: bool = False
    open: bool = False
    indirect: bool = False
    value: int = 0
    cost: int = 0
    carries: int = 0
    zone: int = 0
    rocket: bool = False
    propelled: bool = False
    assets: int = 0

    @property
    def commands(self) -> bool:
        """Whether it is a command unit."""
        return self.type == "command"


def load_armies() -> ArmiesFile:
    """The army lists."""
    return load_content(DATA / "armies.toml", ArmiesFile)


def price(file: ArmiesFile, group: Battlegroup) -> int:
    """What a battlegroup costs."""
    army = file.army[group.army]
    lines: list[CommandEntry | TroopEntry] = [*army.command, *army.unit]
    costs = {line.id: line.cost for line in lines}
    guns = {gun.id: gun for gun in army.artillery}
    total = sum(costs[name] * number for name, number in group.units.items())
    total += sum(guns[name].cost * number for name, number in group.artillery.items())
    return total + sum(guns[name].asset * number for name, number in group.assets.items())


def bill(file: ArmiesFile, group: Battlegroup) -> list[tuple[int, str, int]]:
    """Number, title and cost of each line of a battlegroup."""
    army = file.army[group.army]
    known: list[CommandEntry | TroopEntry] = [*army.command, *army.unit]
    lines, guns = {line.id: line for line in known}, {gun.id: gun for gun in army.artillery}
    found = [(number, lines[name].title, number * lines[name].cost) for name, number in group.units.items()]
    found += [(number, guns[name].title, number * guns[name].cost) for name, number in group.artillery.items()]
    return found + [(number, f"assets of {guns[name].title}", number * guns[name].asset) for name, number in group.assets.items()]


def why_not_battlegroup(file: ArmiesFile, group: Battlegroup, points: int) -> tuple[str, ...]:
    """Everything that is wrong with a battlegroup, each in a sentence; empty if it may take the field.

    Raises:
        UnknownName: for an army, a unit or a gun that there is not.
    """
    if group.army not in file.army:
        raise UnknownName("army", group.army, file.army)
    army, wrong = file.army[group.army], []
    known_lines: list[CommandEntry | TroopEntry] = [*army.command, *army.unit]
    lines: Mapping[str, CommandEntry | TroopEntry] = {line.id: line for line in known_lines}
    guns = {gun.id: gun for gun in army.artillery}
    for names, known, what in (
        (group.units, [*lines], "unit"),
        (group.artillery, [*guns], "gun"),
        (group.assets, [*guns], "gun"),
    ):
        for name in names:
            if name not in known:
                raise UnknownName(f"{what} of {army.title}", name, known)
    for name, number in group.units.items():
        if number > lines[name].most:
            wrong.append(f"{number} of {lines[name].title} are too many: at most {lines[name].most}")
    for name, number in group.artillery.items():
        if number > guns[name].most:
            wrong.append(f"{number} of {guns[name].title} are too many: at most {guns[name].most}")
    if group.units.get("co", 0) != 1:
        wrong.append("a battlegroup has one commanding officer")
    if not group.units.get("hq"):
        wrong.append("a battlegroup has at least one headquarters")
    if any(group.artillery.values()) and not any(name.startswith("fao") and number for name, number in group.units.items()):
        wrong.append("artillery needs an observer who calls it")
    for name, number in group.assets.items():
        if number and not group.artillery.get(name):
            wrong.append(f"assets of {guns[name].title} need that artillery")
    if (cost := price(file, group)) > points:
        wrong.append(f"it costs {cost} points and {points} may be spent")
    return tuple(wrong)


def roster(
    file: ArmiesFile, keys: ScenarioKeys, sides: tuple[str, ...], armies: Mapping[str, str], with_command: bool
) -> dict[str, Model]:
    """The units of a scenario by id: the first letter of their side and a number.

    Args:
        file: the army lists.
        keys: the scenario.
        sides: they, in order.
        armies: side -> its army list, where the scenario names single units.
        with_command: whether each side has a commanding officer and a headquarters besides single units.
    """
    found: dict[str, Model] = {}
    for side in sides:
        if side in keys.battlegroup or side in keys.battlegroups:
            group = keys.battlegroup.get(side) or file.battlegroup[keys.battlegroups[side]]
            bought = (*group.units.items(), *group.artillery.items())
            army, wanted = file.army[group.army], [name for name, number in bought for _ in range(number)]
            assets = Counter(group.assets)
        else:
            army, wanted = file.army[armies[side]], [*(("co", "hq") if with_command else ()), *keys.units[side]]
            assets = Counter(keys.assets.get(side, {}))
        guns = Counter(name for name in wanted if name in assets)
        titles = Counter(wanted)
        seen: Counter[str] = Counter()
        for number, name in enumerate(wanted, 1):
            seen[name] += 1
            unit = f"{side[0]}{number}"
            # the first gun of a kind has one asset more where they cannot be shared evenly
            share = (assets[name] + guns[name] - seen[name]) // guns[name] if guns[name] else 0
            found[unit] = _model(file, army, name, unit, side, f" {seen[name]}" if titles[name] > 1 else "", share)
    return found


def _model(file: ArmiesFile, army: Army, name: str, unit: str, side: str, number: str, assets: int) -> Model:
    commands = {line.id: line for line in army.command}
    troops = {line.id: line for line in army.unit}
    if name in commands:
        chief = commands[name]
        hits = file.hits["command"]
        faces = (Face(0, hits, chief.move),)
        base = Base(*(10 * size for size in file.base["command"]))
        return Model(
            unit, f"{chief.title}{number}", side, "command", faces,
            type="command", base=base, move=100 * chief.move, hits=hits, view=360, value=chief.value, cost=chief.cost,
            formation=name,
        )  # fmt: skip
    guns = {line.id: line for line in army.artillery}
    if name in guns:
        gun = guns[name]
        return Model(
            unit, f"{gun.title}{number}", side, "artillery", (Face(gun.attack, gun.hits, 0),),
            type="artillery", dice=gun.attack, hits=gun.hits, cost=gun.cost + gun.asset * assets, indirect=True, formation=name,
            zone=100 * gun.zone, rocket=gun.kind != "tube", propelled=gun.propelled, assets=assets,
        )  # fmt: skip
    if name not in troops:
        raise ContentError(
            "scenario", f"units of {side}", str(UnknownName(f"unit of {army.title}", name, (*commands, *troops, *guns)))
        )
    line = troops[name]
    return Model(
        unit, f"{line.title}{number}", side, line.mover, (Face(line.attack, line.hits, line.move),),
        type=line.type, base=Base(*(10 * size for size in file.base[line.mover])), move=100 * line.move, dice=line.attack,
        range=100 * line.range, least=100 * line.least, mark=line.mark, hits=line.hits, save=line.save, view=line.view,
        heavy=line.heavy, open=line.open, indirect=line.indirect, cost=line.cost, carries=line.carries, formation=name,
    )  # fmt: skip
