"""Copies of the games of a server: made while it runs, whole, for their owner, and in place of nothing."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from hexwar.web import SqliteStore, Tables
from tests.cli.helpers import run
from tests.web.load import script
from tests.web.serving import Served, served


def kept(file: Path) -> dict[str, list[Any]]:
    """The games of a file and what was done in each."""
    store = SqliteStore(file)
    tables = Tables(store)
    found = {it.game: list(tables.table(it.game).game.history) for it in store.games()}
    store.close()
    return found


def test_a_copy_is_made_while_the_server_goes_on(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite", tmp_path / "copy.sqlite"
    before = os.umask(0)
    with served(file) as server:
        try:
            game, confirmed = server.run(_play_and_copy(server, file, copy))
        finally:
            os.umask(before)
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert sorted(it.name for it in tmp_path.iterdir() if "copy" in it.name) == ["copy.sqlite"]
        found = kept(copy)
        assert found.keys() == {game}
        assert len(found[game]) >= confirmed, "what was confirmed before the copy was begun is in it"
    with served(copy) as other:
        assert other.run(other.connect().ask(f"/api/games/{game}/view"))[0] == 200


async def _play_and_copy(server: Served, file: Path, copy: Path) -> tuple[str, int]:
    """Copy the file while actions go on; the number of those that were confirmed before."""
    wanted, orders = script(5, 60)
    player = server.connect()
    _, begun = await player.ask("/api/games", wanted)
    copying, confirmed, number = None, 0, 0
    for done, order in enumerate(orders):
        if done == 10:
            confirmed = done
            copying = asyncio.create_task(asyncio.to_thread(run, "backup", "--games", str(file), str(copy)))
        status, answer = await player.ask(f"/api/games/{begun['game']}/act", {**order, "number": number})
        assert status == 200, answer
        number = answer["number"]
    assert copying is not None
    ran = await copying
    assert (ran.code, ran.out) == (0, f"1 game in {copy}. To go on with them: hexwar serve --games {copy}\n"), ran.err
    return begun["game"], confirmed


def test_what_a_crash_left_beside_the_file_is_in_the_copy(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with served(file) as server:
        _, begun = server.run(server.connect().ask("/api/games", {"ruleset": "bridgehead"}))
        server.kill()
    assert file.with_name("games.sqlite-wal").stat().st_size
    assert run("backup", "--games", str(file), str(tmp_path / "copy.sqlite")).code == 0
    assert kept(tmp_path / "copy.sqlite") == {begun["game"]: []} == kept(file)


def test_a_copy_replaces_nothing(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite", tmp_path / "copy.sqlite"
    SqliteStore(file).close()
    copy.write_text("something else")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for there in (copy, tmp_path / "link", tmp_path):
        ran = run("backup", "--games", str(file), str(there))
        assert (ran.code, f"{there}: is there already; a copy replaces nothing" in ran.err) == (2, True)
    assert copy.read_text() == "something else"


def test_what_cannot_be_copied_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no games" * 100)
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("create table something (it)")
    other.close()
    torn = tmp_path / "torn.sqlite"
    SqliteStore(torn).close()
    data = torn.read_bytes()
    torn.write_bytes(data[:4096] + b"\7" * 4096 + data[8192:])
    SqliteStore(whole := tmp_path / "whole.sqlite").close()
    for source, target, sentence in (
        ("nowhere.sqlite", "copy.sqlite", "there are no games to copy: no such file"),
        ("notes.txt", "copy.sqlite", "notes.txt: cannot be copied: file is not a database"),
        ("other.sqlite", "copy.sqlite", "other.sqlite: cannot be copied: no such table: games"),
        ("torn.sqlite", "copy.sqlite", "torn.sqlite: "),
        (whole.name, "no/copy.sqlite", "no/copy.sqlite: cannot be written: no such file or directory"),
    ):
        ran = run("backup", "--games", str(tmp_path / source), str(tmp_path / target))
        assert (ran.code, ran.out) == (2, "")
        assert sentence in ran.err
    assert not [it for it in tmp_path.iterdir() if "copy" in it.name]


def test_a_database_has_tools_of_its_own() -> None:
    ran = run("backup", "--games", "postgresql://hexwar@db.example.org/games", "copy.sql")
    assert (ran.code, "pg_dump" in ran.err) == (2, True)


class TestWhereGamesLie:
    """Without --games: in the data folder, unless an earlier version left some in the folder of the server."""

    @pytest.fixture(autouse=True)
    def _here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))

    def test_in_the_data_folder(self, tmp_path: Path) -> None:
        with served(None) as server:
            _, begun = server.run(server.connect().ask("/api/games", {"ruleset": "bridgehead"}))
            ran = run("backup", "copy.sqlite")
        assert ran.out.startswith("1 game in copy.sqlite.")
        assert [it.name for it in Path().iterdir()] == ["copy.sqlite"]
        data = tmp_path / "share" / "hexwar"
        assert kept(data / "games.sqlite") == {begun["game"]: []}
        found = {it.name: stat.S_IMODE(it.stat().st_mode) for it in (data, *data.iterdir())}
        assert found.pop("hexwar") == 0o700
        assert set(found.values()) == {0o600}
        assert {"games.sqlite", "games.sqlite.key"} <= found.keys()

    def test_those_of_an_earlier_version_are_found(self, tmp_path: Path) -> None:
        with served(Path("hexwar-games.sqlite")) as server:
            _, begun = server.run(server.connect().ask("/api/games", {"ruleset": "bridgehead"}))
        with served(None) as again:
            assert again.key == server.key
            assert again.run(again.connect().ask(f"/api/games/{begun['game']}/view"))[0] == 200
        ran = run("backup", "copy.sqlite")
        assert ran.out.startswith("1 game in copy.sqlite.")
        assert f"games of an earlier version, and they are used: {tmp_path / 'here' / 'hexwar-games.sqlite'}" in ran.err
        assert f"move that file to {tmp_path / 'share' / 'hexwar' / 'games.sqlite'}" in ran.err

    def test_those_of_somebody_else_are_not(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        SqliteStore("hexwar-games.sqlite").close()
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        ran = run("backup", "copy.sqlite")
        assert (ran.code, str(tmp_path / "share") in ran.err) == (2, True)
