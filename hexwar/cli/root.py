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
    "arena": "hexwar.cli.arena:arena",
    "backup": "hexwar.web.command:backup",
    "bench": "hexwar.cli.bench:bench",
    "check": "hexwar.cli.check:check",
    "fuzz": "hexwar.cli.fuzz:fuzz",
    "info": "hexwar.cli.catalogue:info",
    "list": "hexwar.cli.catalogue:list_rulesets",
    "map": "hexwar.cli.maps:maps",
    "new": "hexwar.cli.new:new",
    "play": "hexwar.cli.play:play",
    "plugins": "hexwar.cli.catalogue:list_plugins",
    "replay": "hexwar.cli.replay:replay",
    "rules": "hexwar.cli.rules:rules",
    "schema": "hexwar.cli.catalogue:schema",
    "serve": "hexwar.web.command:serve",
    "show": "hexwar.cli.show:show",
    "simulate": "hexwar.cli.simulate:simulate",
}
"""Our own commands; nobody else may use their names."""


class LazyGroup(click.Group):
    """A group that imports a command when it is used, and asks plugins only for names that are not its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Our own and the plugins'."""
        return sorted({*COMMANDS, *_foreign()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one."""
        if cmd_name in COMMANDS:
            module, _, name = COMMANDS[cmd_name].partition(":")
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
    return {name: entry for name, entry in plugins().commands().items() if name not in COMMANDS}


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
    epilog="Example: hexwar play bridgehead --bots --seed 7",
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
