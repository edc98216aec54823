"""The map files that come with hexwar: every `folder/name.toml` here is the board "folder/name".

`geography/` holds what the maps of real countries are built from; its `*.recipe.toml` files are no boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar import hookimpl
from hexwar.files import package_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@hookimpl
def hexwar_maps() -> dict[str, Traversable]:
    """All of them."""
    found: dict[str, Traversable] = {}
    for folder in package_folder(__name__).iterdir():
        if folder.is_dir():
            for file in folder.iterdir():
                if file.name.endswith(".toml") and not file.name.endswith(".recipe.toml"):
                    found[f"{folder.name}/{file.name.removesuffix('.toml')}"] = file
    return found
