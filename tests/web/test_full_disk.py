"""A real disk that is full for a while: the server says so, goes on answering, and keeps all that it confirmed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.disks import KINDS, disk
from tests.web.load import script
from tests.web.serving import Connection, served


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_costs_nothing_that_was_confirmed(tmp_path: Path, kind: str) -> None:
    wanted, orders = script(3, 30)
    with disk(kind, tmp_path) as place:
        file = place.folder / "games.sqlite"
        with served(file) as server:
            confirmed = server.run(_play(server.connect(), server.process.pid, place, wanted, orders))
            server.kill()
        with served(file) as again:
            assert again.run(_kept(again.connect(), confirmed["game"])) == orders[: confirmed["actions"]]


async def _play(host: Connection, process: int, place: Any, wanted: Any, orders: list[Any]) -> dict[str, Any]:
    """Play until there is no room, look at what is said then, and play on when there is."""
    status, begun = await host.ask("/api/games", wanted)
    assert status == 200, begun
    path, number, done = f"/api/games/{begun['game']}", 0, 0
    for order in orders[:8]:
        status, answer = await host.ask(f"{path}/act", {**order, "number": number})
        assert status == 200, answer
        number, done = answer["number"], done + 1
    place.fill(process)
    for order in orders[done:]:  # what is there already may have room for some more
        status, answer = await host.ask(f"{path}/act", {**order, "number": number})
        if status != 200:
            break
        number, done = answer["number"], done + 1
    assert status == 503
    assert "games cannot be kept at the moment" in answer["error"]
    status, view = await host.ask(f"{path}/view")
    assert (status, view["number"]) == (200, number), "the game can be looked at and is as it was"
    assert (await host.ask(f"{path}/act", {**orders[done], "number": number}))[0] == 503
    place.free(process)
    for order in orders[done : done + 3]:
        status, answer = await host.ask(f"{path}/act", {**order, "number": number})
        assert status == 200, answer
        number, done = answer["number"], done + 1
    return {"game": begun["game"], "actions": done}


async def _kept(host: Connection, game: str) -> list[Any]:
    status, save = await host.ask(f"/api/games/{game}/save")
    assert status == 200
    return [{"seat": made["seat"], "action": made["action"]} for made in save["decisions"]]
