"""A command as a plugin brings it."""

from __future__ import annotations

import click


@click.command()
@click.argument("name")
def greet(name: str) -> None:
    """Greet somebody."""
    if name == "nobody":
        raise RuntimeError("there is\nnobody here")
    click.echo(f"Hello {name}")
