"""The key that makes somebody host: nobody gets one by accident, and nobody is host without one."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hexwar.errors import HexwarError
from hexwar.web import SqliteStore, Tables, make_app
from hexwar.web._hostkey import host_key
from tests.cli.helpers import run

unix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes and owners are of Unix")
KEY = "a-key-that-somebody-chose"


def names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


@pytest.mark.parametrize("key", ["", "short", "x" * 15])
def test_an_application_without_a_real_key_of_the_host_is_refused(key: str) -> None:
    with pytest.raises(HexwarError, match="the host's key"):
        make_app(Tables(SqliteStore(":memory:")), key)


def test_nobody_is_host_who_shows_no_key() -> None:
    with TestClient(make_app(Tables(SqliteStore(":memory:")), KEY, hosts=("testserver",))) as client:
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer"}, {"Authorization": KEY}):
            assert client.get("/api/rulesets", headers=headers).status_code == 404
        assert client.get("/api/rulesets", headers={"Authorization": f"Bearer {KEY}"}).status_code == 200


def test_a_key_is_made_once(tmp_path: Path) -> None:
    file = tmp_path / "host.key"
    key = host_key(file)
    assert len(key) >= 32
    assert host_key(file) == key == file.read_text(encoding="ascii").strip()
    assert names(tmp_path) == ["host.key"]


@unix
def test_a_new_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        host_key(tmp_path / "host.key")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "host.key").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("text", "words"), [("", "is empty"), (" \n", "has no key"), ("short\n", "has no key"), ("two words are no key", "no key")]
)
def test_a_file_without_a_key_is_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "host.key"
    file.touch(0o600)
    file.write_text(text, encoding="ascii")
    with pytest.raises(HexwarError, match=words) as refused:
        host_key(file)
    assert "Delete" in str(refused.value), "it says what helps"
    ran = run("serve", "--no-open", "--port", "0", "--games", str(tmp_path / "games.sqlite"), "--key", str(file))
    assert (ran.code, words in ran.sentence) == (2, True)


@pytest.mark.parametrize("data", [b"\xff" * 40, b"\0" * 40, b"x" * 5000, ("ż" * 40).encode()])
def test_a_file_with_anything_else_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "host.key"
    file.touch(0o600)
    file.write_bytes(data)
    with pytest.raises(HexwarError, match="has no key"):
        host_key(file)


@unix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606, 0o620])
def test_a_key_that_others_can_read_or_change_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "host.key"
    file.write_text(KEY, encoding="ascii")
    file.chmod(mode)
    with pytest.raises(HexwarError, match="chmod 600"):
        host_key(file)
    file.chmod(0o600)
    assert host_key(file) == KEY


@unix
def test_a_key_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "host.key"
    host_key(file)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    with pytest.raises(HexwarError, match="belongs to another user"):
        host_key(file)


@unix
def test_a_full_disk_leaves_no_part_of_a_key(tmp_path: Path) -> None:
    """The kernel refuses every byte, as a full disk does."""
    file = tmp_path / "host.key"
    program = (
        "import resource, sys; from pathlib import Path; from hexwar.web._hostkey import host_key\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); host_key(Path(sys.argv[1]))"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=False)
    assert "File too large" in ran.stderr
    assert names(tmp_path) == []
    assert len(host_key(file)) >= 32, "and when there is room again, there is a key"


def test_servers_that_start_together_have_the_same_key(tmp_path: Path) -> None:
    for round_ in range(20):
        file, found, together = tmp_path / f"{round_}.key", set[str](), threading.Barrier(4)

        def start(file: Path = file, found: set[str] = found, together: threading.Barrier = together) -> None:
            together.wait()
            found.add(host_key(file))

        threads = [threading.Thread(target=start) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 1
    assert len(names(tmp_path)) == 20


def test_a_disk_without_links_keeps_a_key_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", no_links)
    key = host_key(tmp_path / "host.key")
    assert host_key(tmp_path / "host.key") == key
    assert names(tmp_path) == ["host.key"]
