"""A PostgreSQL of our own, with nothing in it, on a free port of this computer."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


def programs() -> Path | None:
    """Where the programs of a PostgreSQL are; Debian keeps them off the path."""
    for found in (shutil.which("pg_ctl"), *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")), reverse=True)):
        if found and (folder := Path(found).resolve().parent).joinpath("initdb").exists():
            return folder
    return None


@contextlib.contextmanager
def cluster() -> Iterator[str]:
    """The address of a database."""
    where = programs()
    assert where is not None
    with tempfile.TemporaryDirectory(prefix="hexwar-pg-") as folder, socket.create_server(("127.0.0.1", 0)) as free:
        port, data = free.getsockname()[1], Path(folder) / "data"
        free.close()
        user = None
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            user = next(entry.pw_name for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))
            shutil.chown(folder, user)

        def run(program: str, *arguments: str) -> None:
            environment = {**os.environ, "HOME": folder, "LC_ALL": "C"}
            command = [str(where / program), "-D", str(data), *arguments]
            subprocess.run(command, check=True, cwd=folder, user=user, env=environment, stdout=subprocess.DEVNULL)

        run("initdb", "--auth=trust", "--username=hexwar", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        run("pg_ctl", "-w", "-t", "120", "-l", f"{folder}/log", "-o", options, "start")
        try:
            yield f"postgresql://hexwar@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
