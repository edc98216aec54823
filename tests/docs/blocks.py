"""Runs the code blocks of a Markdown page in order, as a reader would.

- a `python` block without a title is executed; all of a page share one namespace;
- a block with `title="path"` is a file that the reader writes; it is written into the reader's folder, over an older one;
- in a `console` block each line after `$ ` is a command, run in that folder; the lines below it must appear in its output in
  this order, `...` stands for any lines between; a line that begins with `> ` is typed into the command, and so is the Enter
  that it asks for by `then press Enter`;
- an `sh` block is the same for commands that change the environment, such as an installation: it is run only where that is
  asked for, in an environment of its own.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENTER = "then press Enter"
TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    language: str
    title: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    for found in FENCE.finditer(page):
        title = TITLE.search(found[2])
        yield Block(found[1], title[1] if title else "", found[3], page.count("\n", 0, found.start()) + 2)


def run(page: Path, folder: Path, own_environment: Path | None = None) -> int:
    """Run a page's blocks in a folder and return how many there were to run.

    Args:
        page: the page.
        folder: the reader's folder.
        own_environment: the folder with the programs of an environment in which everything may be installed.
    """
    namespace: dict[str, object] = {"__name__": f"docs.{page.stem}"}
    count = 0
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{page.name}, line {block.line}"
        if block.title:
            file = folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            # As the reader wrote it: without the `from __future__` of this module.
            exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec", dont_inherit=True), namespace)
        elif block.language == "console" or (block.language == "sh" and own_environment):
            _run_commands(block.text, folder, where, own_environment or Path(sys.executable).parent)
        else:
            continue
        count += 1
    return count


def _run_commands(text: str, folder: Path, where: str, programs: Path) -> None:
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONUTF8": "1", "COLUMNS": "110"}
    commands = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert commands, f"{where}: a console block needs a command after '$ '"
    for entry in commands:
        command, _, rest = entry.partition("\n")
        lines = rest.splitlines()
        typed = [line.removeprefix("> ") for line in lines if line.startswith("> ") or line.endswith(ENTER)]
        typed = ["" if line.endswith(ENTER) else line for line in typed]
        program, *arguments = shlex.split(command)
        done = subprocess.run(
            [shutil.which(program, path=path) or program, *arguments],
            cwd=folder,
            env=environment,
            input="".join(f"{line}\n" for line in typed),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        output = done.stdout + done.stderr
        assert done.returncode == 0, f"{where}: `{command}` failed:\n{output}"
        # What is typed into a pipe is not echoed, so answers stand behind the prompt, where a reader sees them below it.
        answers = re.sub(r"^(?:> )+", "", output.replace(f"{ENTER} ", f"{ENTER}\n"), flags=re.MULTILINE)
        expected = ["..." if line.startswith("> ") else line for line in lines]
        _compare(expected, answers.splitlines(), f"{where}: `{command}`")


def _compare(expected: list[str], output: list[str], where: str) -> None:
    position, may_skip = 0, True
    for line in (line.rstrip() for line in expected):
        if line.strip() == "..." or not line:
            may_skip = True
            continue
        rest = [text.rstrip() for text in output[position:]]
        assert line in rest, f"{where} does not print {line!r}; it prints:\n" + "\n".join(output)
        offset = rest.index(line)
        assert may_skip or offset == 0, f"{where} prints {rest[:offset]} before {line!r}"
        position += offset + 1
        may_skip = False
