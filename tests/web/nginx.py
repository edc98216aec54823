"""A real nginx before a server, with the configuration of the documentation and a certificate of our own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

NAME = "games.example.org"
DOCUMENTED = Path(__file__).parents[2] / "docs" / "browser.md"


def program() -> str | None:
    """nginx, which Debian keeps off the path of ordinary users; None without it, or without openssl for the certificate."""
    if shutil.which("openssl") is None:
        return None
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


@contextlib.contextmanager
def proxy(server: int, **changes: str) -> Iterator[tuple[int, ssl.SSLContext]]:
    """The port of a proxy before the server at another port, and what believes its certificate.

    Args:
        server: its port.
        changes: what stands in the place of some header of the documented configuration, "-" for "_".
    """
    found = re.search(r"```nginx[^\n]*\n(.*?)```", DOCUMENTED.read_text(encoding="utf-8"), re.DOTALL)
    nginx = program()
    assert found is not None
    assert nginx is not None
    with tempfile.TemporaryDirectory(prefix="hexwar-nginx-") as made, socket.create_server(("127.0.0.1", 0)) as listening:
        folder, port = Path(made), listening.getsockname()[1]
        names, files = f"/CN={NAME} -addext subjectAltName=DNS:{NAME}", f"-keyout {folder}/site.key -out {folder}/site.pem"
        made_up = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj {names} {files}"
        subprocess.run(made_up.split(), check=True, stderr=subprocess.DEVNULL)
        site = found[1].replace("listen 443", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8941", f"127.0.0.1:{server}")
        site = re.sub(r"/etc/\S+\.(pem|key);", rf"{folder}/site.\1;", site)
        for header, value in changes.items():
            site = re.sub(rf"(proxy_set_header {header.replace('_', '-')}) [^;]*;", rf"\1 {value};", site)
        temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/log; {user} worker_processes 1;\n"
            f"events {{}}\nhttp {{\naccess_log off; {temporary}\n{site}}}\n",
            encoding="utf-8",
        )
        # It takes over a socket that is bound already, as it would from its predecessor: nobody else can have the port.
        command = [nginx, "-c", str(folder / "nginx.conf"), "-p", made, "-e", str(folder / "log")]
        environment = {**os.environ, "NGINX": f"{listening.fileno()};"}
        with subprocess.Popen(command, env=environment, pass_fds=[listening.fileno()], stderr=subprocess.DEVNULL) as process:
            try:
                yield port, ssl.create_default_context(cafile=folder / "site.pem")
            finally:
                process.terminate()
