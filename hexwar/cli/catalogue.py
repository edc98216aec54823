"""What there is: `hexwar list`, `info`, `plugins` and `schema`. `list` and `plugins` load no rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import click

from hexwar.engine import Option, RulesetInfo, Scenario, Seating, Status
from hexwar.plugins import plugins

RULESET = click.argument("ruleset")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
CLUSTER = click.option(
    "--cluster", "address", metavar="ADDRESS", help="Work on a Dask cluster, by the address of its scheduler (extra: dask)."
)


def _read_option(text: str) -> tuple[str, bool | str]:
    """An option as typed: its name, and the value behind "=" if there is one."""
    name, given, value = text.partition("=")
    words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    return name, words.get(value.lower(), value) if given else True


OPTIONS = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME[=VALUE]",
    help="Switch an optional rule on; may be given several times.",
    callback=lambda context, parameter, texts: dict(map(_read_option, texts)),
)
"""Optional rules by name, as `hexwar.new_game` takes them."""


def print_json(data: Any) -> None:
    """JSON as all commands print it; mappings that only can be read are written like others."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, default=dict))


def print_report(as_json: bool, data: Any, lines: Iterable[str]) -> None:
    """What was found, for a program or for people."""
    if as_json:
        print_json(data)
    else:
        click.echo("\n".join(lines))


def _chosen(record: Any, names: str) -> dict[str, Any]:
    """Some fields of a card, for JSON."""
    return {name: getattr(record, name) for name in names.split()}


@click.command("list", epilog="Example: hexwar list --json")
@AS_JSON
def list_rulesets(as_json: bool) -> None:
    """List the installed rulesets with their scenarios."""
    known = plugins().rulesets().values()
    if as_json:
        fields = "id title version maturity sides summary"
        cards = [_chosen(it, fields) | {"scenarios": [_chosen(each, "id title") for each in it.scenarios]} for it in known]
        print_json({"rulesets": cards})
        return
    lines = [] if known else ["No ruleset is installed."]
    for info in known:
        title = f"{info.title} {info.version}, {info.maturity}: {' against '.join(info.sides)}"
        lines += [f"{click.style(info.id, bold=True)}  {title}", *([f"    {info.summary}"] if info.summary else [])]
        for scenario in info.scenarios:
            lines.append(f"    --scenario {scenario.id}  {scenario.title}{' (cannot be played yet)' if scenario.lacks else ''}")
    click.echo("\n".join(lines))
    for found in plugins().found():
        if found.error:
            click.echo(f"The plugin {found.name} ({found.origin}) does not work: {found.error}", err=True)


@click.command(epilog="Example: hexwar info bridgehead")
@RULESET
@AS_JSON
@click.option("--provenance", is_flag=True, help="Tell what of its maps and content is fact, fitted or reconstructed.")
def info(ruleset: str, as_json: bool, provenance: bool) -> None:
    """Describe a ruleset: sides, scenarios, options, sequence of play and how far it is done."""
    manager = plugins()
    card, rules, options = manager.info(ruleset), manager.ruleset(ruleset), manager.options(ruleset)
    found = [clause.status for clause in rules.rules.values()]
    counted = {status.value: found.count(status) for status in Status}
    if as_json:
        fields, variants = "id title choices default excludes clause scenarios", manager.variants(ruleset)
        print_json(
            {
                **_chosen(card, "id title version maturity summary credits sides"),
                "scenarios": [_chosen(it, "id title summary board bound lacks") for it in card.scenarios],
                "options": [_chosen(it, fields) | {"variant": it.id in variants} for it in options],
                "seatings": [_chosen(it, "id title scenarios") | {"seats": dict(it.seats)} for it in card.seatings],
                "clauses": counted,
                "sequence": rules.sequence.outline(),
                "provenance": _provenance(card, rules),
            }
        )
        return
    if provenance:
        _tell_provenance(_provenance(card, rules))
        return
    clauses = ", ".join(f"{number} {status}" for status, number in counted.items() if number)
    lines = [
        f"{click.style(card.title, bold=True)} ({card.id}) {card.version}, {card.maturity}",
        *filter(None, (card.summary, card.credits)),
        f"Sides: {', '.join(card.sides)}",
        f"Rules: {clauses} (hexwar rules {card.id})",
        *_section("Scenarios", *map(_scenario_lines, card.scenarios)),
        *_section("Options", list(map(_option_line, options)) or ["none"]),
        *_section("Seatings for several players (--seats)", *map(_seating_lines, card.seatings)),
        *_section("Sequence of play", rules.sequence.outline()),
        f"\nWhat of it is fact and what is reconstructed: hexwar info {card.id} --provenance",
    ]
    click.echo("\n".join(lines))


def _section(title: str, *paragraphs: Iterable[str]) -> list[str]:
    """A heading with what stands below it; nothing where nothing does."""
    lines = [f"  {line}" for lines in paragraphs for line in lines]
    return [f"\n{click.style(title, bold=True)}", *lines] if lines else []


def _scenario_lines(scenario: Scenario) -> list[str]:
    return [
        f"{scenario.id}: {scenario.title}. {scenario.summary}".rstrip(),
        *([f"  cannot be played yet: it lacks {scenario.lacks}"] if scenario.lacks else []),
        *([f"  board {scenario.board} (hexwar show {scenario.board} -o board.svg)"] if scenario.board else []),
    ]


def _seating_lines(seating: Seating) -> list[str]:
    where = f"; for {', '.join(seating.scenarios)}" if seating.scenarios else ""
    seats = [f"{seat} ({side})" if seat != side else seat for seat, side in seating.seats.items()]
    return [f"{seating.id}: {seating.title}{where}", f"  {', '.join(seats)}"]


def _tell_provenance(notes_by_file: dict[str, dict[str, list[str]]]) -> None:
    from hexwar.table.chronicle import folded

    told: set[tuple[str, str]] = set()
    for file, notes in notes_by_file.items():
        lines = [(what, sentence) for what, sentences in notes.items() for sentence in sentences]
        fresh = [folded(f"{what}: {sentence}", "  ", "    ") for what, sentence in lines if (what, sentence) not in told]
        again = [f"  and {len(lines) - len(fresh)} notes as above"] if len(fresh) < len(lines) else []
        click.echo("\n".join([click.style(file, bold=True), *fresh, *again]))
        told.update(lines)


def _option_line(option: Option) -> str:
    notes = {
        "rule": option.clause,
        "otherwise": (option.default if option.choices else "on") if option.default else "",
        "not with": ", ".join(option.excludes),
        "only in": ", ".join(option.scenarios),
    }
    told = "; ".join(f"{what} {note}" for what, note in notes.items() if note)
    choices = f"={'|'.join(option.choices)}" if option.choices else ""
    return f"--option {option.id}{choices}  {option.title}" + (f" ({told})" if told else "")


def _provenance(card: RulesetInfo, rules: Any) -> dict[str, dict[str, list[str]]]:
    """What maps and content files say of themselves: what is fact and what was reconstructed."""
    import hexwar
    from hexwar.board import AnyBoard

    boards = dict.fromkeys(scenario.board for scenario in card.scenarios if scenario.board)
    files = {board: hexwar.load_board(board, kind=AnyBoard).provenance for board in boards} | dict(rules.provenance())
    return {file: {str(what): _sentences(note) for what, note in notes.items()} for file, notes in files.items()}


def _sentences(note: object) -> list[str]:
    if isinstance(note, Mapping):  # a board joined of sheets that have notes of their own
        return [f"see {name}" for name in note]
    return [str(part) for part in note] if isinstance(note, list | tuple) else [str(note)]


@click.command("plugins", epilog="Example: hexwar plugins --json")
@AS_JSON
@click.option("--details", is_flag=True, help="Print the traceback behind each broken plugin.")
def list_plugins(as_json: bool, details: bool) -> None:
    """List the plugins that were found, what they bring, and those that do not work."""
    found = plugins().found()
    if as_json:
        print_json({"plugins": [_chosen(it, "name origin hooks error") for it in found]})
        return
    for plugin in found:
        told = f"does not work: {plugin.error}" if plugin.error else ", ".join(plugin.hooks) or "no hooks"
        click.echo(f"{click.style(plugin.name, bold=True)}  {plugin.origin}\n    {told}")
        if plugin.error and details:
            click.echo(plugin.details.rstrip())


@click.command(epilog="Example: hexwar schema map > map.schema.json")
@click.argument("kind", type=click.Choice(["combat", "map", "roster", "save", "terrain"]), default="map")
def schema(kind: str) -> None:
    """Print the JSON schema of a kind of file, for editors that complete and check it."""
    if kind == "map":
        from hexwar.board import map_schema

        print_json(map_schema())
        return
    from hexwar.engine._save import SavedGame
    from hexwar.mechanics import ChartFile
    from hexwar.pieces import _content as content

    models: dict[str, Any] = {
        "combat": content.CombatFile,
        "roster": content.RosterFile,
        "save": SavedGame,
        "terrain": ChartFile,
    }
    draft = {"$schema": "https://json-schema.org/draft/2020-12/schema", **models[kind].model_json_schema()}
    print_json(draft | {"title": f"hexwar {kind} file"})
