"""The file in which games are kept: who can read it, what is in it after a clean stop, who has it, and what damage costs."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import stat
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hexwar.errors import HexwarError
from hexwar.web import SqliteStore, Tables, make_app
from tests.cli.helpers import run
from tests.web.players import HOST_KEY, Player, a_choice, begin
from tests.web.serving import served

HEAD = {"start": "", "keys": {}}


def modes(folder: Path) -> dict[str, str]:
    return {file.name: oct(stat.S_IMODE(file.stat().st_mode)) for file in folder.iterdir()}


def test_only_the_owner_reads_the_store(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = SqliteStore(tmp_path / "games.sqlite")
    finally:
        os.umask(before)
    store.begin("game", HEAD)
    names = ("games.sqlite", "games.sqlite-wal", "games.sqlite-shm", "games.sqlite.lock")
    assert modes(tmp_path) == dict.fromkeys(names, "0o600")
    store.close()


def test_a_store_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    old = sqlite3.connect(file, isolation_level=None)
    old.execute("pragma journal_mode = wal")
    old.execute("create table other (it)")
    for kept in tmp_path.iterdir():
        kept.chmod(0o664)
    assert len(modes(tmp_path)) == 3
    store = SqliteStore(file)
    assert set(modes(tmp_path).values()) == {"0o600"}
    store.close()
    old.close()


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    mode = tmp_path.stat().st_mode
    with pytest.raises(HexwarError, match="games cannot be kept there: it is no file"):
        SqliteStore(tmp_path)
    assert tmp_path.stat().st_mode == mode
    with pytest.raises(HexwarError, match="games cannot be kept there: no such file"):
        SqliteStore(tmp_path / "nowhere" / "games.sqlite")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_after_a_clean_stop_everything_is_in_the_one_file(tmp_path: Path, how: signal.Signals) -> None:
    file = tmp_path / "games.sqlite"
    with served(file) as server:
        _, begun = server.run(server.connect().ask("/api/games", {"ruleset": "bridgehead"}))
        server.process.send_signal(how)
        server.process.wait(120)
    assert not file.with_name("games.sqlite-wal").exists()
    (copy := tmp_path / "copy").mkdir()
    shutil.copy(file, copy)
    store = SqliteStore(copy / file.name)
    assert Tables(store).table(begun["game"]).number == 0
    store.close()


def test_of_two_servers_on_one_file_the_second_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    (tmp_path / "other name").symlink_to(file)
    with served(file) as server:
        for name in (file, tmp_path / "other name"):
            ran = run("serve", "--no-open", "--port", "0", "--games", str(name))
            assert ran.code == 2
            assert f"another server has these games (process {server.process.pid}): stop it, or" in ran.err
        server.kill()
        store = SqliteStore(file)  # a crash leaves no lock behind
        store.close()
    with served(file):
        pass


# -- damage -----------------------------------------------------------------------------------------------------------------


HEADS, ENTRY = "update games set head = {} where game = ?", "update entries set entry = {} where number = 1 and game = ?"
AGREED = "what was agreed when it began"
DAMAGE = [
    (HEADS.format("substr(head, 9)"), True, f"{AGREED} cannot be read"),
    (HEADS.format("'[]'"), True, f"{AGREED} cannot be read"),
    (HEADS.format("'{}'"), True, f"{AGREED} lacks hexwar, start, bots, keys, salts"),
    (HEADS.format("cast(x'7b22ff' as text)"), True, f"{AGREED} cannot be read"),
    (HEADS.format("json_remove(head, '$.now')"), True, ""),
    (ENTRY.format("substr(entry, 1, 40)"), True, "entry 1 of its history cannot be read"),
    (ENTRY.format("json_remove(entry, '$.now.to_move')"), True, ""),
    (ENTRY.format("'{}'"), False, "entry 1 of its history lacks seat, digest, seen, times"),
    (ENTRY.format("json_remove(entry, '$.action')"), False, "entry 1 of its history lacks what was done"),
    ("delete from entries where number = 0 and game = ?", False, "entry 0 of its history is missing"),
]
"""What harms a game, whether a list of games can see it, and what is said when it is opened; "" if it can be played."""


@pytest.mark.parametrize(("harm", "seen", "sentence"), DAMAGE)
def test_a_damaged_row_costs_its_own_game_alone(client: TestClient, file: Path, harm: str, seen: bool, sentence: str) -> None:
    games = [begin(client, ruleset="bridgehead", seed=seed) for seed in (7, 8)]
    for game, keys in games:
        player = Player(client, game, keys["host"])
        for number in (0, 1):
            seat = player.get("/view", seat="blue").json()["to_move"][0]
            assert player.act(seat, a_choice(player, seat), number).status_code == 200
    (whole, keys), (damaged, lost) = games
    with sqlite3.connect(file) as database:
        database.execute(harm, [damaged])
    database.close()
    store = SqliteStore(file)
    again = TestClient(make_app(Tables(store), HOST_KEY, hosts=("testserver",)))
    listed = {it["game"]: it for it in again.get("/api/games", headers={"Authorization": f"Bearer {HOST_KEY}"}).json()}
    assert listed.keys() == {whole, damaged}
    assert listed[whole]["over"] is None
    assert listed[whole]["to_move"]
    assert ("this game is damaged where the server keeps it" in (listed[damaged]["over"] or "")) is seen
    assert (listed[damaged]["to_move"] == []) is seen
    answer = Player(again, damaged, HOST_KEY).get("/view")
    if sentence:
        assert answer.status_code == 410
        assert sentence in answer.json()["error"]
    else:
        assert answer.status_code == 200, "all that is needed to play it is there"
    assert Player(again, whole, keys["host"]).get("/view").status_code == 200
    assert [it["game"] for it in again.get("/api/games", headers={"Authorization": f"Bearer {keys['blue']}"}).json()] == [whole]
    mine = again.get("/api/games", headers={"Authorization": f"Bearer {lost['blue']}"})
    assert mine.status_code == 404 or [it["game"] for it in mine.json()] == [damaged]
    store.close()


def test_the_games_of_a_key_are_found_without_reading_all(tmp_path: Path) -> None:
    """Also in a file from before there was an index, and where a row is damaged."""
    file = tmp_path / "games.sqlite"
    with contextlib.closing(SqliteStore(file)) as store:
        for number in range(3):
            store.begin(f"game {number}", {"start": "", "keys": {f"key {number}": ["blue"], "all": []}})
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        database.execute("drop trigger begun")
        database.execute("drop trigger agreed")
        database.execute("drop table keys")
        database.execute("update games set head = '{\"keys\": ' where game = 'game 2'")
    with contextlib.closing(SqliteStore(file)) as store:
        assert [[it.game for it in store.games(key)] for key in ("key 0", "all", "key 2")] == [
            ["game 0"],
            ["game 1", "game 0"],
            [],
        ]
        head = store.load("game 1")
        assert head is not None
        store.agree("game 1", head, {**head, "keys": {"other": ["blue"]}})
        assert [[it.game for it in store.games(key)] for key in ("key 1", "other", "all")] == [[], ["game 1"], ["game 0"]]
        asked: list[str] = []
        store._database.set_trace_callback(asked.append)
        store.games("other")
        store._database.set_trace_callback(None)
        plan = "; ".join(row[3] for row in store._database.execute(f"explain query plan {asked[0]}"))
        assert "SCAN games" not in plan, plan
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        database.execute("update games set head = 'damaged' where game = 'game 1'")
        assert database.execute("select count(*) from keys where game = 'game 1'").fetchone() == (0,)
