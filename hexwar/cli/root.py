"""The root command: what hexwar's commands are, loaded only when used, those of plugins included."""

from __future__ import annotations

import importlib
import os
from typing import Any

import click

from hexwar import __version__
from hexwar.errors import PluginError, UnknownName
from hexwar.plugins import plugins

COMMANDS = {
    "Play": {
        "play": ("hexwar.cli.play:play", "Play a game in the terminal, with others or against bots."),
        "serve": ("hexwar.cli.serve:serve", "Play in the browser, here or with others by links."),
        "backup": ("hexwar.cli.serve:backup", "Copy the games of a server, while it runs."),
        "replay": ("hexwar.cli.replay:replay", "Print a saved game action by action, or write it as a page."),
        "review": ("hexwar.cli.review:review", "Look for better plans in a saved game, activation by activation."),
        "show": ("hexwar.cli.show:show", "Draw a board, a saved game or a position."),
    },
    "Look up": {
        "list": ("hexwar.cli.catalogue:list_rulesets", "List the installed rulesets and their scenarios."),
        "info": ("hexwar.cli.catalogue:info", "Describe a ruleset: sides, scenarios, options, sequence of play."),
        "rules": ("hexwar.cli.rules:rules", "Look up the rules of a ruleset, clause by clause."),
        "plugins": ("hexwar.cli.catalogue:list_plugins", "List the plugins that were found, and those that do not work."),
    },
    "Make": {
        "new": ("hexwar.cli.new:new", "Begin a ruleset of your own: a small game that works, with tests."),
        "map": ("hexwar.cli.maps:maps", "Build, check, describe and export maps."),
        "schema": ("hexwar.cli.catalogue:schema", "Print the JSON schema of a kind of file, for editors."),
    },
    "Test": {
        "check": ("hexwar.cli.check:check", "Play random games and check what must hold in all of them."),
        "fuzz": ("hexwar.cli.fuzz:fuzz", "Try illegal actions, and look for secrets that leak."),
        "mutate": ("hexwar.cli.mutate:mutate", "Make mistakes in the rules, and see which nobody notices."),
    },
    "Study and measure": {
        "simulate": ("hexwar.cli.simulate:simulate", "Let bots play many games, and report who wins."),
        "arena": ("hexwar.cli.arena:arena", "Let bots play each other, and rank them."),
        "bench": ("hexwar.cli.bench:bench", "Measure how fast games are played."),
    },
}
"""Our own commands by what they are for: where each is, and what the list of commands says of it."""
_OWN = {name: where for commands in COMMANDS.values() for name, (where, _) in commands.items()}
"""These names are reserved."""


class LazyGroup(click.Group):
    """A group that imports a command when it is used, and asks plugins only for names that are not its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Our own and the plugins'."""
        return sorted({*_OWN, *_foreign()})

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what they are for. Only those of plugins are imported."""
        foreign = {name: command for name in sorted(_foreign()) if (command := self.get_command(ctx, name)) is not None}
        lines = {heading: [(name, says) for name, (_, says) in own.items()] for heading, own in COMMANDS.items()}
        lines["Commands of plugins"] = [(name, command.get_short_help_str(80)) for name, command in foreign.items()]
        for heading, commands in lines.items():
            if not commands:
                continue
            with formatter.section(heading):
                formatter.write_dl(commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one."""
        if cmd_name in _OWN:
            module, _, name = _OWN[cmd_name].partition(":")
            found: Any = getattr(importlib.import_module(module), name)
        elif cmd_name in (foreign := _foreign()):
            try:
                found = plugins().load(foreign, "command", cmd_name)
            except PluginError as error:
                return _broken(cmd_name, str(error))
        else:
            return None
        if not isinstance(found, click.Command):
            return _broken(cmd_name, f"the command {cmd_name} of a plugin is a {type(found).__name__}, not a click command")
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """With a hint where a name is misspelt."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise click.UsageError(str(plugins().explained(UnknownName("command", name, self.list_commands(ctx)))), ctx)
        return super().resolve_command(ctx, args)


def _broken(name: str, why: str) -> click.Command:
    """A plugin's command that does not work: it is listed and reports why when it is used."""

    def fail(**given: object) -> None:
        raise click.ClickException(why)

    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)
    return click.Command(name, {"ignore_unknown_options": True}, fail, [words], help=f"Does not work: {why}")


def _foreign() -> dict[str, str]:
    return {name: entry for name, entry in plugins().commands().items() if name not in _OWN}


def _load_files(ctx: click.Context, parameter: click.Parameter, files: tuple[str, ...]) -> None:
    """Load plugin files as soon as the words are read: the command itself may be in one of them."""
    if files and not ctx.resilient_parsing:
        for file in files:
            plugins().load_file(file)


def _version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    """Report the version, and whether the kernels of the board are compiled."""
    if asked and not ctx.resilient_parsing:
        from hexwar.board import COMPILED

        click.echo(f"hexwar {__version__}, {'compiled kernel' if COMPILED else 'pure Python'}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="`hexwar COMMAND --help` has the options of a command. Example: hexwar play bridgehead --bots --seed 7",
)
@click.option(
    "--plugin",
    multiple=True,
    metavar="PATH",
    callback=_load_files,
    expose_value=False,
    is_eager=True,  # as --help is, which lists the commands in these files
    help="Also load this Python file or package folder as a plugin.",
)
@click.option("--traceback", is_flag=True, help="Show where an error comes from, for developers.")
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Show the version and exit.")
@click.pass_context
def root(ctx: click.Context, traceback: bool) -> None:
    """Play, inspect and test wargames whose rules are plugins."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False
