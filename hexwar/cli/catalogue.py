"""What there is: `hexwar list`, `info`, `plugins` and `schema`. `list` and `plugins` load no rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from hexwar.plugins import plugins

RULESET = click.argument("ruleset")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")


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
    """JSON as all commands print it."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


@click.command("list", epilog="Example: hexwar list --json")
@AS_JSON
def list_rulesets(as_json: bool) -> None:
    """List the installed rulesets with their scenarios."""
    known = plugins().rulesets()
    if as_json:
        print_json(
            {
                "rulesets": [
                    {
                        "id": info.id,
                        "title": info.title,
                        "version": info.version,
                        "maturity": info.maturity,
                        "sides": list(info.sides),
                        "scenarios": [{"id": scenario.id, "title": scenario.title} for scenario in info.scenarios],
                        "summary": info.summary,
                    }
                    for info in known.values()
                ]
            }
        )
        return
    if not known:
        click.echo("No ruleset is installed.")
    for info in known.values():
        click.echo(
            f"{click.style(info.id, bold=True)}  {info.title} {info.version}, {info.maturity}: {' against '.join(info.sides)}"
        )
        if info.summary:
            click.echo(f"    {info.summary}")
        for scenario in info.scenarios:
            note = " (cannot be played yet)" if scenario.lacks else ""
            click.echo(f"    --scenario {scenario.id}  {scenario.title}{note}")
    _report_broken()


def _report_broken() -> None:
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
    card = manager.info(ruleset)
    rules = manager.ruleset(ruleset)
    counted = _statuses(rules.rules.values())
    if as_json:
        print_json(
            {
                "id": card.id,
                "title": card.title,
                "version": card.version,
                "maturity": card.maturity,
                "summary": card.summary,
                "credits": card.credits,
                "sides": list(card.sides),
                "scenarios": [
                    {
                        "id": it.id,
                        "title": it.title,
                        "summary": it.summary,
                        "board": it.board,
                        "bound": it.bound,
                        "lacks": it.lacks,
                    }
                    for it in card.scenarios
                ],
                "options": [_option(it, manager.variants(ruleset)) for it in manager.options(ruleset)],
                "seatings": [
                    {"id": it.id, "title": it.title, "seats": dict(it.seats), "scenarios": list(it.scenarios)}
                    for it in card.seatings
                ],
                "clauses": counted,
                "sequence": rules.sequence.outline(),
                "provenance": _provenance(card, rules),
            }
        )
        return
    if provenance:
        _tell_provenance(_provenance(card, rules))
        return
    click.echo(f"{click.style(card.title, bold=True)} ({card.id}) {card.version}, {card.maturity}")
    for text in (card.summary, card.credits):
        if text:
            click.echo(text)
    click.echo(f"Sides: {', '.join(card.sides)}")
    clauses = ", ".join(f"{number} {status}" for status, number in counted.items() if number)
    click.echo(f"Rules: {clauses} (hexwar rules {card.id})")
    _heading("Scenarios")
    for scenario in card.scenarios:
        click.echo(f"  {scenario.id}: {scenario.title}. {scenario.summary}".rstrip())
        if scenario.lacks:
            click.echo(f"    cannot be played yet: it lacks {scenario.lacks}")
        if scenario.board:
            click.echo(f"    board {scenario.board} (hexwar show {scenario.board} -o board.svg)")
    _heading("Options")
    for option in manager.options(ruleset):
        click.echo(f"  {_option_line(option)}")
    if not manager.options(ruleset):
        click.echo("  none")
    if card.seatings:
        _heading("Seatings for several players (--seats)")
        for seating in card.seatings:
            where = f"; for {', '.join(seating.scenarios)}" if seating.scenarios else ""
            seats = ", ".join(f"{seat} ({side})" if seat != side else seat for seat, side in seating.seats.items())
            click.echo(f"  {seating.id}: {seating.title}{where}")
            click.echo(f"    {seats}")
    _heading("Sequence of play")
    for line in rules.sequence.outline():
        click.echo(f"  {line}")
    click.echo()
    click.echo(f"What of it is fact and what is reconstructed: hexwar info {card.id} --provenance")


def _tell_provenance(notes_by_file: dict[str, dict[str, list[str]]]) -> None:
    from hexwar.cli.chronicle import folded

    told: set[tuple[str, str]] = set()
    for file, notes in notes_by_file.items():
        click.secho(file, bold=True)
        lines = [(what, sentence) for what, sentences in notes.items() for sentence in sentences]
        for what, sentence in lines:
            if (what, sentence) not in told:
                click.echo(folded(f"{what}: {sentence}", "  ", "    "))
        again = sum(line in told for line in lines)
        if again:
            click.echo(f"  and {again} notes as above")
        told.update(lines)


def _heading(text: str) -> None:
    click.echo()
    click.secho(text, bold=True)


def _statuses(clauses: Any) -> dict[str, int]:
    from hexwar.engine import Status

    found = [clause.status for clause in clauses]
    return {status.value: found.count(status) for status in Status}


def _option(option: Any, variants: Any) -> dict[str, Any]:
    return {
        "id": option.id,
        "title": option.title,
        "choices": list(option.choices),
        "default": option.default,
        "excludes": list(option.excludes),
        "clause": option.clause,
        "scenarios": list(option.scenarios),
        "variant": option.id in variants,
    }


def _option_line(option: Any) -> str:
    choices = f"={'|'.join(option.choices)}" if option.choices else ""
    notes = [f"rule {option.clause}"] if option.clause else []
    if option.default:
        notes.append(f"otherwise {option.default if option.choices else 'on'}")
    if option.excludes:
        notes.append(f"not with {', '.join(option.excludes)}")
    if option.scenarios:
        notes.append(f"only in {', '.join(option.scenarios)}")
    return f"--option {option.id}{choices}  {option.title}" + (f" ({'; '.join(notes)})" if notes else "")


def _provenance(card: Any, rules: Any) -> dict[str, dict[str, list[str]]]:
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
    manager = plugins()
    for ask in (manager.rulesets, manager.maps, manager.bots, manager.renderers, manager.commands):
        ask()  # a plugin may break only when it is asked
    found = manager.found()
    if as_json:
        print_json(
            {"plugins": [{"name": it.name, "origin": it.origin, "hooks": list(it.hooks), "error": it.error} for it in found]}
        )
        return
    for plugin in found:
        click.echo(f"{click.style(plugin.name, bold=True)}  {plugin.origin}")
        if plugin.error:
            click.echo(f"    does not work: {plugin.error}")
            if details:
                click.echo(plugin.details.rstrip())
        else:
            click.echo(f"    {', '.join(plugin.hooks) or 'no hooks'}")


@click.command(epilog="Example: hexwar schema map > map.schema.json")
@click.argument("kind", type=click.Choice(["combat", "map", "roster", "save", "terrain"]), default="map")
def schema(kind: str) -> None:
    """Print the JSON schema of a kind of file, for editors that complete and check it."""
    if kind == "map":
        from hexwar.board import map_schema

        print_json(map_schema())
        return
    if kind == "save":
        from hexwar.engine._save import SavedGame

        model: Any = SavedGame
    else:
        from hexwar.mechanics import _content as content

        model = {"combat": content.CombatFile, "roster": content.RosterFile, "terrain": content.ChartFile}[kind]
    draft = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"hexwar {kind} file"}
    print_json({**draft, **{key: value for key, value in model.model_json_schema().items() if key != "title"}})
