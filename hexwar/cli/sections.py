"""Help that can be read at a glance: options and commands under headings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

REST = "Help"
"""The heading above options that stand under no other."""


class Sectioned(click.Command):
    """A command whose options stand under headings in its help.

    Args:
        sections: heading -> the names of the parameters below it, with spaces between, in the order of the help.
        settings: what `click.Command` takes.
    """

    def __init__(self, *settings: Any, sections: Mapping[str, str], **more: Any) -> None:
        super().__init__(*settings, **more)
        self.sections = {heading: names.split() for heading, names in sections.items()}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each under its heading."""
        options = [it for it in self.get_params(ctx) if isinstance(it, click.Option)]
        lines = {option.name: line for option in options if (line := option.get_help_record(ctx)) is not None}
        for heading, names in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([lines.pop(name) for name in names])
        with formatter.section(REST):
            formatter.write_dl([*lines.values()])


def examples(*commands: str) -> str:
    """The end of a command's help, with each example on a line of its own."""
    return "\n".join(["\b", "Examples:" if len(commands) > 1 else "Example:", *(f"  {command}" for command in commands)])
