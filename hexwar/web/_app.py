"""The server: routes, who may ask what, and the stream that says when a game has gone on."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from hexwar.errors import HexwarError, Refusal
from hexwar.web import _answers as answers
from hexwar.web._scene import ground_of
from hexwar.web._store import Taken
from hexwar.web._tables import NoSuchTable, Stale, Table, Tables

MOST_BYTES = 64 * 1024
"""The longest request body."""
HEARTBEAT = 15.0
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing from elsewhere, no inline script, and no link with a key in a referrer."""

SEEN: dict[str, tuple[Any, ...]] = {
    "group": (answers.group, "key"),
    "aimed": (answers.aimed, "place"),
    "reach": (answers.reach, "unit"),
    "attack": (answers.attack, "target", "units"),
    "overlay": (answers.overlay, "name"),
    "log": (answers.log, "before"),
    "moment": (answers.moment, "line", "faces"),
}
"""What a seat can ask about its view: the answer, and the fields of the query that it takes."""

log = logging.getLogger("hexwar.web")
Handler = Callable[[Request], Awaitable[Response]]


class Unfit(HexwarError):
    """A request that is none of ours."""


def make_app(tables: Tables, host_key: str, hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")) -> Starlette:
    """The application.

    Args:
        tables: the games.
        host_key: who has it may begin games and list them.
        hosts: the names under which the server may be asked; a page elsewhere that points a name of its own here gets nothing.
    """
    server = _Server(tables, host_key)
    return Starlette(
        routes=server.routes(),
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(GZipMiddleware, minimum_size=800)],
        lifespan=server.lifespan,
    )


class _Server:
    def __init__(self, tables: Tables, host_key: str) -> None:
        self._tables = tables
        self._host_key = host_key
        self._listeners: defaultdict[str, set[asyncio.Queue[int | None]]] = defaultdict(set)
        self._playing: dict[str, asyncio.Task[None]] = {}

    def routes(self) -> list[Route]:
        """What can be asked."""
        return [
            Route("/", _page("front.html")),
            Route("/play", _page("play.html")),
            Route("/page/{file}", _static),
            Route("/api/rulesets", self._guarded(self._catalogue)),
            Route("/api/games", self._guarded(self._begin), methods=["POST"]),
            Route("/api/games/{game}", self._guarded(self._about)),
            Route("/api/games/{game}/ground.svg", self._guarded(self._ground)),
            Route("/api/games/{game}/view", self._guarded(self._view)),
            *[Route(f"/api/games/{{game}}/{name}", self._guarded(self._answer(*how))) for name, how in SEEN.items()],
            Route("/api/games/{game}/words", self._guarded(self._words)),
            Route("/api/games/{game}/rule", self._guarded(self._rule)),
            Route("/api/games/{game}/rules", self._guarded(self._rules)),
            Route("/api/games/{game}/act", self._guarded(self._act), methods=["POST"]),
            Route("/api/games/{game}/undo", self._guarded(self._undo), methods=["POST"]),
            Route("/api/games/{game}/stream", self._guarded(self._stream)),
        ]

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """At the end the streams end, for a server waits for them."""
        yield
        for queues in self._listeners.values():
            for queue in queues:
                queue.put_nowait(None)

    def _guarded(self, handler: Handler) -> Handler:
        """With our headers, and with a sentence instead of a traceback."""

        async def answer(request: Request) -> Response:
            try:
                origin = request.headers.get("origin")
                if origin and origin.partition("://")[2] != request.headers.get("host"):
                    raise Unfit("this request comes from a page of somebody else")
                response = await handler(request)
            except Refusal as refusal:
                body = {"error": refusal.message, "clause": refusal.clause, "code": refusal.code.value}
                response = JSONResponse(body, 422)
            except (Stale, Taken) as error:
                response = JSONResponse({"error": str(error)}, 409)
            except NoSuchTable as error:
                response = JSONResponse({"error": str(error)}, 404)
            except HexwarError as error:
                response = JSONResponse({"error": str(error)}, 400)
            except Exception:
                log.exception("a request failed")
                response = JSONResponse({"error": "something is wrong with the server or the rules; its log says what"}, 500)
            response.headers.update(HEADERS)
            return response

        return answer

    # -- who asks --------------------------------------------------------------------------------------------------------

    def _require_host(self, request: Request) -> None:
        if not hmac.compare_digest(_key(request).encode(), self._host_key.encode()):
            raise NoSuchTable("the link that the server printed when it started begins games, and this is not it")

    async def _sit(self, request: Request) -> tuple[Table, tuple[str, ...]]:
        table = await run_in_threadpool(self._tables.table, request.path_params["game"])
        seats = table.seats_of(_key(request))
        if not seats:
            raise NoSuchTable("there is no such game, or this link does not open it")
        return table, seats

    async def _seat(self, request: Request, seat: object) -> tuple[Table, str]:
        table, seats = await self._sit(request)
        if not isinstance(seat, str) or seat not in seats:
            raise NoSuchTable("there is no such game, or this link does not open it")
        return table, seat

    async def _asked(self, request: Request, answer: Callable[..., Any], *fields: str) -> Response:
        """An answer for the seat that the query names, from the other fields of the query."""
        table, seat = await self._seat(request, request.query_params.get("seat"))
        given = [request.query_params.get(field, "") for field in fields]
        return JSONResponse(await run_in_threadpool(answer, table, seat, *given))

    # -- answers ---------------------------------------------------------------------------------------------------------

    async def _catalogue(self, request: Request) -> Response:
        self._require_host(request)
        return JSONResponse(await run_in_threadpool(answers.catalogue))

    async def _begin(self, request: Request) -> Response:
        self._require_host(request)
        wanted = await _body(request, {"ruleset", "scenario", "options", "seats", "bots", "seed"})
        begin = self._tables.begin
        table, keys = await run_in_threadpool(lambda: begin(**wanted))
        self._let_bots_play(table)
        return JSONResponse({"game": table.name, "keys": keys})

    async def _about(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(answers.about, *await self._sit(request)))

    async def _ground(self, request: Request) -> Response:
        table, _ = await self._sit(request)
        drawn = await run_in_threadpool(ground_of, table.game.world.board)
        return Response(drawn.svg, media_type=TYPES["svg"])

    async def _view(self, request: Request) -> Response:
        table, seat = await self._seat(request, request.query_params.get("seat"))
        known = request.query_params.get("faces", "").split(",")
        self._let_bots_play(table)  # a server that was stopped goes on where somebody looks
        return JSONResponse(await run_in_threadpool(answers.position, table, seat, known))

    def _answer(self, answer: Callable[..., Any], *fields: str) -> Handler:
        async def asked(request: Request) -> Response:
            return await self._asked(request, answer, *fields)

        return asked

    async def _words(self, request: Request) -> Response:
        def said(table: Table, seat: str, question: str, about: str) -> list[str]:
            return answers.words(table, seat, question, about.split())

        return await self._asked(request, said, "question", "about")

    async def _rule(self, request: Request) -> Response:
        table, _ = await self._sit(request)
        return JSONResponse(answers.rule(table, request.query_params.get("clause", "")))

    async def _rules(self, request: Request) -> Response:
        table, _ = await self._sit(request)
        return JSONResponse(answers.rules(table, request.query_params.get("search", "")))

    async def _act(self, request: Request) -> Response:
        wanted = await _body(request, {"seat", "number", "action"})
        table, seat = await self._seat(request, wanted.get("seat"))
        await run_in_threadpool(table.act, seat, _number(wanted), _mapping(wanted.get("action")))
        return self._gone_on(table)

    async def _undo(self, request: Request) -> Response:
        wanted = await _body(request, {"seat", "number"})
        table, seat = await self._seat(request, wanted.get("seat"))
        await run_in_threadpool(table.undo, seat, _number(wanted))
        return self._gone_on(table)

    def _gone_on(self, table: Table) -> Response:
        self._tell(table)
        self._let_bots_play(table)
        return JSONResponse({"number": table.number})

    # -- what happens by itself ------------------------------------------------------------------------------------------

    def _tell(self, table: Table) -> None:
        for queue in self._listeners[table.name]:
            queue.put_nowait(table.number)

    def _let_bots_play(self, table: Table) -> None:
        if table.name not in self._playing:
            task = self._playing[table.name] = asyncio.create_task(self._play(table))
            task.add_done_callback(lambda done: self._playing.pop(table.name, None))

    async def _play(self, table: Table) -> None:
        try:
            while await run_in_threadpool(table.move_bot):
                self._tell(table)
        except Stale:
            pass  # a person was faster; the next look goes on
        except Exception:
            log.exception("a bot failed in game %s", table.name)
            table.stopped = "A bot failed; the server's log says how. The game is kept as it was before."
            self._tell(table)

    async def _stream(self, request: Request) -> Response:
        table, _ = await self._sit(request)
        queue: asyncio.Queue[int | None] = asyncio.Queue()

        async def told() -> AsyncIterator[str]:
            self._listeners[table.name].add(queue)
            try:
                yield f"data: {table.number}\n\n"
                while True:
                    try:
                        number = await asyncio.wait_for(queue.get(), HEARTBEAT)
                    except TimeoutError:
                        yield ": still here\n\n"
                        continue
                    if number is None:
                        return
                    yield f"data: {number}\n\n"
            finally:
                self._listeners[table.name].discard(queue)

        return StreamingResponse(told(), media_type="text/event-stream")


def _key(request: Request) -> str:
    """What the caller shows: a header, so that no other page can make a browser send it."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key if scheme == "Bearer" else ""


async def _body(request: Request, fields: set[str]) -> dict[str, Any]:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES:
            raise Unfit(f"a request has at most {MOST_BYTES} bytes")
        parts.append(part)
    try:
        data = json.loads(b"".join(parts))
    except (ValueError, RecursionError):
        raise Unfit("the body of the request is no JSON data") from None
    if not isinstance(data, dict) or not data.keys() <= fields:
        raise Unfit(f"the body of the request is an object with {', '.join(sorted(fields))}")
    return data


def _number(wanted: dict[str, Any]) -> int:
    if type(wanted.get("number")) is not int:
        raise Unfit("say which state of the game was seen: number is a whole number")
    return int(wanted["number"])


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Unfit("an action is an object")
    return value


def _page(file: str) -> Handler:
    async def page(request: Request) -> Response:
        return _file(file)

    return page


async def _static(request: Request) -> Response:
    return _file(request.path_params["file"])


def _file(name: str) -> Response:
    folder = resources.files("hexwar.web") / "page"
    known = {file.name: file for file in folder.iterdir()}
    if name not in known:
        return Response("there is no such page", 404, HEADERS, "text/plain")
    return Response(known[name].read_bytes(), 200, HEADERS, TYPES[name.rpartition(".")[2]])
