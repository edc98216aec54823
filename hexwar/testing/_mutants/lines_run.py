"""Which lines of the rules are run; and processes that end with the one that waits for them."""

from __future__ import annotations

import ast
import builtins
import os
import threading
import time
from functools import cache
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any


@cache
def end_with(parent: int) -> None:
    """Do not outlive the process that waits for this one: it may have been stopped."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Lines(ast.NodeTransformer):
    """Puts down which lines of a folder are run: modules that are imported from there say it themselves.

    A tracer would be asked about every call in whatever module, which takes many times as long as the rules.

    Args:
        folder: where the modules are.
        only: the one file that is meant; all if not given.
    """

    _NAME = "_hexwar_runs"

    def __init__(self, folder: str, only: str = "") -> None:
        self._folder, self._file = f"{folder}{os.sep}", ""
        self._places: list[tuple[str, int]] = []
        self._seen: set[int] = set()
        self.begin = self._seen.clear
        """Forget what was run."""
        setattr(builtins, self._NAME, self._seen.add)
        plain = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
            path = loader.get_filename(name)
            self._file = path.removeprefix(self._folder).replace(os.sep, "/")
            if not path.startswith(self._folder) or only not in ("", self._file):
                return plain(loader, name)
            tree = ast.fix_missing_locations(self.visit(ast.parse(loader.get_data(path))))
            return compile(tree, path, "exec", dont_inherit=True)

        setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010, a method is not assigned to

    def run_lines(self) -> dict[str, list[int]]:
        """File -> lines on which statements begin that were run since."""
        found: dict[str, list[int]] = {}
        for file, line in sorted({self._places[number] for number in self._seen}):
            found.setdefault(file, []).append(line)
        return found

    def _says(self, node: ast.stmt | ast.expr) -> ast.expr:
        self._places.append((self._file, node.lineno))
        said = ast.Call(ast.Name(self._NAME, ast.Load()), [ast.Constant(len(self._places) - 1)], [])
        return ast.copy_location(said, node)

    def visit(self, node: ast.AST) -> Any:
        """A node that says when it is run; docstrings and imports from the future stay the first."""
        self.generic_visit(node)
        if isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.Or(), [self._says(node.body), node.body])  # nobody says anything but None
        silent = isinstance(node, ast.ImportFrom) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        return [ast.copy_location(ast.Expr(self._says(node)), node), node] if isinstance(node, ast.stmt) and not silent else node
