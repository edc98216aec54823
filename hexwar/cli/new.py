"""`hexwar new`: a project with a small game in it, to change into a game of your own."""

from __future__ import annotations

import re
import string
from importlib.resources import files
from pathlib import Path

import click

from hexwar.errors import HexwarError
from hexwar.files import write_file

PLACES = {
    "README.md": "README.md",
    "gitignore": ".gitignore",
    "pyproject.toml": "pyproject.toml",
    "init.py": "src/{package}/__init__.py",
    "world.py": "src/{package}/world.py",
    "turn.py": "src/{package}/turn.py",
    "ruleset.py": "src/{package}/ruleset.py",
    "kit.py": "src/{package}/kit/__init__.py",
    "drills.toml": "src/{package}/kit/drills.toml",
    "printed.toml": "src/{package}/kit/printed.toml",
    "rules.toml": "src/{package}/data/rules.toml",
    "units.toml": "src/{package}/data/units.toml",
    "terrain.toml": "src/{package}/data/terrain.toml",
    "combat.toml": "src/{package}/data/combat.toml",
    "field.toml": "src/{package}/data/field.toml",
    "test_game.py": "tests/test_{package}.py",
}
"""Our file -> where it goes in the project."""


@click.command("new", epilog='Example: hexwar new river-raid --title "River Raid"')
@click.argument("name")
@click.option("--title", help="The game's name for people.")
@click.option("--into", "parent", metavar="DIR", default=".", help="Where the project's folder is made.", show_default=True)
def new(name: str, title: str | None, parent: str) -> None:
    """Make a project with a ruleset of your own: a small game that works, with its tests.

    NAME is the id of the ruleset and the name of the folder: small letters, digits and hyphens.
    """
    folder = make_project(name, title or name.replace("-", " ").title(), Path(parent))
    steps = f"cd {folder}", 'pip install -e ".[testing]"', "pytest", f"hexwar play {name} --bots --seed 1"
    click.echo("\n    ".join([f"Made: {folder}\nNext:", *steps]))


def make_project(name: str, title: str, parent: Path) -> Path:
    """Write the files of a new project.

    Args:
        name: the ruleset's id.
        title: the game's name.
        parent: where its folder is made.

    Returns:
        The folder.

    Raises:
        HexwarError: the name cannot be used, or the folder is there already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40:
        raise HexwarError(
            f"{name!r} cannot be the id of a ruleset: use small letters, digits and single hyphens, such as river-raid"
        )
    if not title.strip() or any(letter in title for letter in '"\\') or not title.isprintable():
        raise HexwarError(f"{title!r} cannot be a title: use printable letters without quotation marks and backslashes")
    from hexwar.plugins import plugins

    if name in plugins().rulesets():
        raise HexwarError(f"a ruleset {name} is installed already: choose another name")
    package = f"hexwar_{name.replace('-', '_')}"
    folder = parent / name
    if not parent.is_dir():
        raise HexwarError(f"there is no folder {parent} to make the project in")
    if folder.exists():
        raise HexwarError(f"{folder} is there already, and nothing in it was changed")
    words = {"id": name, "package": package, "distribution": package.replace("_", "-"), "title": title}
    for source, place in PLACES.items():
        text = (files("hexwar.cli") / "project" / f"{source}.txt").read_text(encoding="utf-8")
        write_file(folder / place.format(package=package), string.Template(text).substitute(words), folders=True)
    return folder
