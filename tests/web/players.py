"""Somebody who plays through the server, for tests."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

HOST_KEY = "the key of the host"
Keys = dict[str, str]


class Player:
    """Somebody with a key."""

    def __init__(self, client: TestClient, game: str, key: str) -> None:
        self._client, self.game, self._headers = client, game, {"Authorization": f"Bearer {key}"}

    def get(self, what: str, **query: str) -> Any:
        return self._client.get(f"/api/games/{self.game}{what}", params=query, headers=self._headers)

    def post(self, what: str, body: Any, **headers: str) -> Any:
        return self._client.post(f"/api/games/{self.game}{what}", json=body, headers={**self._headers, **headers})

    def act(self, seat: str, action: Any, number: int) -> Any:
        return self.post("/act", {"seat": seat, "number": number, "action": action})


def begin(client: TestClient, **wanted: Any) -> tuple[str, Keys]:
    answer = client.post("/api/games", json=wanted, headers={"Authorization": f"Bearer {HOST_KEY}"})
    assert answer.status_code == 200, answer.text
    begun = answer.json()
    return begun["game"], {**begun["keys"], "host": begun["host"], "watch": begun["watch"]}


def a_choice(player: Player, seat: str) -> Any:
    """The first thing that a seat can do, asked for as the page does."""
    question = player.get("/view", seat=seat).json()["question"]
    if question["groups"]:
        return player.get("/group", seat=seat, key=question["groups"][0]["key"]).json()["choices"][0]["action"]
    return question["choices"][0]["action"]
