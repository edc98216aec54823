"""The scripts of the pages: their tests, their types and their manners. Node and TypeScript are for development only."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import hexwar.web

HERE = Path(__file__).parent / "page"
PAGE = Path(hexwar.web.__file__).parent / "page"
LONGEST = 520
"""Lines of a module."""


def tool(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        if "CI" in os.environ:
            pytest.fail(f"continuous integration needs {name}: .ci/run installs {package}")
        pytest.skip(f"{name} is not installed: apt-get install {package}")
    return found


def ran(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=500, check=False)


def test_units_of_the_page_do_what_they_say() -> None:
    """Without a document: the state, what is shown of it, the stream, boards and trails."""
    done = ran(tool("node", "nodejs"), "--test", "--test-reporter", "tap", *sorted(HERE.glob("*.test.mjs")))
    assert done.returncode == 0, done.stdout[-8000:]
    assert int(re.findall(r"^# pass (\d+)", done.stdout, re.MULTILINE)[0]) >= 46


def test_types_fit_and_nothing_is_unused() -> None:
    done = ran(tool("tsc", "node-typescript"), "--project", HERE)
    assert done.returncode == 0, done.stdout[-8000:]


def test_every_module_has_one_subject() -> None:
    for file in sorted(PAGE.rglob("*.js")):
        text = file.read_text(encoding="utf-8")
        assert text.startswith("// "), f"{file.name} says first what it is for"
        assert text.count("\n") <= LONGEST, f"{file.name} is too long for one subject"
        assert not re.search(r"\bconsole\.log\(|\bdebugger\b|\beval\(|\bvar ", text), file.name


def test_a_mistake_in_a_type_is_found(tmp_path: Path) -> None:
    (tmp_path / "wrong.js").write_text(
        "/** @param {number} n */\nexport const twice = (n) => 2 * n;\ntwice('two');\n", encoding="utf-8"
    )
    found = ran(tool("tsc", "node-typescript"), "--noEmit", "--allowJs", "--checkJs", "--strict", tmp_path / "wrong.js")
    assert found.returncode != 0
    assert "not assignable to parameter of type 'number'" in found.stdout
