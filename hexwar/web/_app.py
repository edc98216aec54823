"""The server: routes, who may ask what, and the stream that says when a game has gone on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from functools import partial
from time import monotonic
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hexwar.errors import HexwarError, Refusal
from hexwar.web import _answers as answers
from hexwar.web import _talk as talk
from hexwar.web._body import fields_of
from hexwar.web._door import Door, Pages, TooLong, Unfit, WrongKey, address_of, key_of
from hexwar.web._files import PAGES, TYPES, page_file
from hexwar.web._hostkey import checked
from hexwar.web._keys import Head, digest_of, opened
from hexwar.web._limits import Limits, TooMany
from hexwar.web._notices import Notices, Way
from hexwar.web._scene import ground_of, packed_ground
from hexwar.web._sealed import BROKEN, Named, Sealed
from hexwar.web._store import Damaged, NotKept, Taken
from hexwar.web._streams import SILENCE, TALK, Seats, Streams
from hexwar.web._table import CLOSED, WRONG_PASSWORD, NoSuchTable, Stale, Table, Unplayable
from hexwar.web._tables import Tables
from hexwar.web._thumbnail import thumbnail

MOST_KEYS = 200
"""Of which a page may ask at once what they open."""
MOST_SAVE = 4_000_000
"""The longest body that begins a game: it may hold a save."""
LONGEST = {"note": 10_000, "contact": 200}
"""What a seat may keep for itself."""
MOST_WAITING = 50
"""How many games the lobby shows."""
LOBBY_REST = 5.0
"""For how many seconds the lobby is not looked up again."""
ADVISERS = 2
"""How many hints are computed at the same time; the others wait, and nothing waits for them."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PACKED = 5
"""How hard answers are packed: 9 takes twice the time for a few bytes less."""
OWN = "*"
"""Stands for the first seat that a key opens, for pages that do not know yet which it is."""
STREAM = "text/event-stream"
MOST_STREAMED = 64
"""To how many games one stream listens."""
SEEN: dict[str, tuple[Any, ...]] = {
    "group": (answers.group, "key", "through"),
    "try": (answers.tried, "action"),
    "measure": (answers.measured, "unit", "other"),
    "aimed": (answers.aimed, "place"),
    "reach": (answers.reach, "unit"),
    "attack": (answers.attack, "target", "units"),
    "overlay": (answers.overlay, "name"),
    "summary": (answers.summed,),
    "card": (answers.card_of, "unit"),
    "charts": (answers.charted,),
    "luck": (answers.luck,),
    "log": (answers.log, "before"),
    "moment": (answers.moment, "line", "faces"),
    "words": (answers.words, "question", "about"),
    "rule": (answers.rule, "clause"),
    "rules": (answers.rules, "search"),
}
"""What a seat or a spectator can ask: the answer, and the fields of the query that it takes."""
DONE: dict[str, tuple[Callable[..., None], dict[str, tuple[type | None, ...]]]] = {
    "act": (Table.act, {"action": (dict,)}),
    "undo": (Table.undo, {}),
    "say": (answers.obey, {"line": (str,)}),
    "resign": (Table.resign, {}),
    "late": (Table.pass_on, {"late": (str,)}),
}
"""How a seat goes on with a game: what is done, and the fields of the body that it takes besides those that all have."""

log = logging.getLogger("hexwar.web")
Handler = Callable[[Request], Awaitable[Response]]


STATUS = {
    Stale: 409,
    Taken: 409,
    NoSuchTable: 404,
    WrongKey: 404,
    TooLong: 413,
    TooMany: 429,
    Unplayable: 410,
    Damaged: 410,
    NotKept: 503,
}
"""What other errors than 400 mean."""


def make_app(
    tables: Tables,
    host_key: str,
    hosts: Sequence[str] = LOOPBACK,
    *,
    address: str = "",
    limits: Limits = Limits(),  # noqa: B008 - it never changes
    ways: Sequence[Way] = (),
    lobby: bool = False,
) -> Starlette:
    """The application.

    Args:
        tables: the games.
        host_key: who has it may begin games, see all of them and sit at every seat that a person has.
        hosts: the names under which the server may be asked; a page elsewhere that points a name of its own here gets nothing.
        address: where players find it, for links in notices.
        limits: how much anybody may ask for.
        ways: ways of sending notices besides those of plugins.
        lobby: whether strangers see the seats that a host left open, and may take them.

    Raises:
        HexwarError: the host's key is empty or too short.
    """
    server = _Server(tables, checked(host_key), address, limits, ways, lobby)
    return Sealed(
        routes=server.routes(),
        middleware=[
            Middleware(Named, names=hosts),
            Middleware(GZipMiddleware, minimum_size=800, compresslevel=PACKED),
        ],
        lifespan=server.lifespan,
    )


class _Stream(StreamingResponse):
    """An answer that goes on, and what to do when it is at its end, however it ends.

    Args:
        told: its parts.
        closed: called once.
    """

    def __init__(self, told: AsyncIterator[str], closed: Callable[[], None]) -> None:
        super().__init__(told, headers={"X-Accel-Buffering": "no"}, media_type=STREAM)
        self._closed = closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._closed()


class _Server:
    def __init__(
        self, tables: Tables, host_key: str, address: str, limits: Limits, ways: Sequence[Way] = (), lobby: bool = False
    ) -> None:
        self._tables = tables
        self._door, self._pages = Door(host_key, limits), Pages(limits)
        self._streams = Streams()
        self._has_lobby, self._waiting, self._lobby_until = lobby, list[Any](), 0.0
        self._address = address
        self._notices = Notices(ways)
        self._working: dict[object, asyncio.Task[None]] = {}
        self._advised: set[tuple[str, str]] = set()
        self._advisers = asyncio.Semaphore(ADVISERS)

    def routes(self) -> list[Route]:
        """What can be asked."""
        return [
            *(Route(path, page_file) for path in (*PAGES, "/page/{file:path}")),
            self._route("GET", "/api/rulesets", self._catalogue),
            self._route("GET", "/api/rulesets/{ruleset}/{scenario}.svg", self._thumbnail),
            self._route("GET", "/api/games", self._games),
            self._route("POST", "/api/games", self._begin),
            self._route("POST", "/api/games/mine", self._mine),
            self._route("POST", "/api/stream", self._all_streams),
            *(self._route("GET", f"/api/games/{{game}}{path}", answer) for path, answer in self._questions().items()),
            *(self._route("POST", f"/api/games/{{game}}{path}", answer) for path, answer in self._orders().items()),
        ]

    def _questions(self) -> dict[str, Handler]:
        return {
            "": self._about,
            "/ground.svg": self._ground,
            "/view": self._view,
            **{f"/{name}": self._answer(*how) for name, how in SEEN.items()},
            "/hint": self._hint,
            "/stream": self._stream,
            "/save": self._save,
            "/replay": self._replay,
            "/chat": self._chat,
            "/note": self._note,
            "/contact": self._note,
        }

    def _orders(self) -> dict[str, Handler]:
        return {
            **{f"/{name}": self._order(*how) for name, how in DONE.items()},
            "/rematch": self._rematch,
            "/chat": self._say,
            "/name": self._call,
            "/note": self._keep_note,
            "/contact": self._keep_note,
            "/enter": self._enter,
            "/take": self._take,
            "/keys": self._renew,
        }

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """At the end the streams end, for a server waits for them."""
        loop = asyncio.get_running_loop()

        def heard(game: str) -> None:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._heard, game)

        self._tables.store.listen(heard)
        yield
        self._streams.end()

    def _route(self, method: str, path: str, handler: Handler) -> Route:
        """A route with a sentence instead of a traceback."""

        async def answer(request: Request) -> Response:
            try:
                self._door.check_page(request)
                response = await handler(request)
            except Refusal as refusal:
                body = {"error": refusal.message, "clause": refusal.clause, "code": refusal.code.value}
                response = JSONResponse(body, 422)
            except HexwarError as error:
                said = (isinstance(error, WrongKey) and self._door.missed(request)) or error
                response = JSONResponse({"error": str(said)}, STATUS.get(type(said), 400))
                if isinstance(said, TooMany) and said.wait:
                    response.headers["Retry-After"] = str(said.wait)
            except ClientDisconnect:
                response = Response(status_code=400)  # nobody hears it
            except Exception:
                log.exception("a request failed")
                response = JSONResponse({"error": BROKEN}, 500)
            return response

        return Route(path, answer, methods=[method])

    # -- who asks --------------------------------------------------------------------------------------------------------

    async def _sit(self, request: Request) -> tuple[Table, tuple[str, ...]]:
        """The table, and the seats at it that the caller has; none for a spectator."""
        table, seats = await self._opened(request.path_params["game"], key_of(request))
        self._door.used(request)
        return table, seats

    async def _opened(self, game: str, key: str) -> tuple[Table, tuple[str, ...]]:
        """The table of a game, and the seats at it that a key opens; none for a spectator's."""
        wrong = WrongKey(CLOSED)
        is_host, digest = self._door.is_hosts(key), digest_of(key)

        def allow(head: Head) -> None:
            if not is_host and opened(head, digest) is None:
                raise wrong

        try:
            table = await run_in_threadpool(self._tables.table, game, allow)
        except NoSuchTable:
            raise wrong from None
        seats = self._seats(key, table)
        if seats is None:
            raise wrong
        return table, seats

    def _seats(self, key: str, table: Table) -> tuple[str, ...] | None:
        """The seats that a key opens now; None if it opens nothing."""
        return table.people if self._door.is_hosts(key) else table.seats_of(key)

    def _hosts(self, request: Request, table: Table) -> bool:
        """Whether the caller gives out the links of a game."""
        return self._door.is_host(request) or table.is_hosted_by(key_of(request))

    async def _seat(self, request: Request, seat: object) -> tuple[Table, str, tuple[str, ...]]:
        """The table, a seat that the caller has, and all seats that the caller has."""
        table, seats = await self._sit(request)
        if not isinstance(seat, str) or seat not in seats:
            raise NoSuchTable(CLOSED)
        return table, seat, seats

    async def _looked_at(self, request: Request) -> tuple[Table, str | None, tuple[str, ...]]:
        """The table, the seat that the query names, None for who looks as a spectator, and all seats that the caller has."""
        table, seats = await self._sit(request)
        seat = request.query_params.get("seat")
        if seat and seat not in seats:
            if seat != OWN:
                raise NoSuchTable(CLOSED)
            seat = seats[0] if seats else None
        return table, seat or None, seats

    # -- answers ---------------------------------------------------------------------------------------------------------

    async def _catalogue(self, request: Request) -> Response:
        self._door.require_host(request)
        return JSONResponse(await run_in_threadpool(answers.catalogue))

    async def _thumbnail(self, request: Request) -> Response:
        """The picture of a scenario is no secret, and is drawn once."""
        try:
            packed = await run_in_threadpool(thumbnail, request.path_params["ruleset"], request.path_params["scenario"])
        except HexwarError as error:
            raise NoSuchTable(str(error)) from None
        return Response(packed, 200, {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=3600"}, TYPES["svg"])

    async def _games(self, request: Request) -> Response:
        """All games for the host, and for others those that their key opens."""
        digest, is_host = digest_of(key_of(request)), self._door.is_host(request)
        kept = await run_in_threadpool(self._tables.store.games, *([] if is_host else [digest]))
        if not is_host:
            kept = [game for game in kept if opened(game.head, digest) is not None]
            if not kept:
                raise WrongKey("this link opens no game")
        self._door.used(request)
        return JSONResponse([answers.listed(game, digest) for game in kept])

    async def _mine(self, request: Request) -> Response:
        """The games that some keys open, all for the host, and which keys open nothing: old links are no guesses."""
        keys = (await fields_of(request, keys=(list,)))["keys"]
        if len(keys) > MOST_KEYS or not all(isinstance(key, str) for key in keys):
            raise Unfit(f"keys is a list of at most {MOST_KEYS} texts")
        digests, is_host = [digest_of(key) for key in keys], self._door.is_host(request)
        kept = await run_in_threadpool(self._tables.store.games, *([] if is_host else digests)) if is_host or keys else []
        found, right = [], set[int]()
        for game in kept:
            opening = [number for number, digest in enumerate(digests) if opened(game.head, digest) is not None]
            right.update(opening)
            if opening or is_host:
                with_key = opening[0] if opening else None
                digest = "" if with_key is None else digests[with_key]
                found.append({**answers.listed(game, digest), "key": with_key})
        if right or is_host:
            self._door.used(request, digests[min(right)] if right else "")
        elif keys:
            self._door.guessed(request)
        dead = [number for number in range(len(keys)) if number not in right]
        told = {"server": self._door.server, "host": is_host, "games": found, "dead": dead}
        return JSONResponse(told | ({"open": await self._lobby()} if self._has_lobby else {}))

    async def _begin(self, request: Request) -> Response:
        self._door.require_host(request)
        wanted = await fields_of(
            request,
            MOST_SAVE,
            ruleset=(str, None),
            scenario=(str, None),
            options=(dict, None),
            seats=(str, dict, None),
            bots=(dict, None),
            passwords=(dict, None),
            seed=(str, int, None),
            save=(str, None),
            hints=(bool, None),
            days=(int, None),
            open=(list, None),
            hours=(int, None),
        )
        self._door.begins(request)
        begin = self._tables.begin
        table, keys = await run_in_threadpool(lambda: begin(**{name: it for name, it in wanted.items() if it is not None}))
        self._let_bots_play(table)
        return JSONResponse({"game": table.name, "keys": keys.seats, "host": keys.host, "watch": keys.watch})

    async def _about(self, request: Request) -> Response:
        table, seats = await self._sit(request)
        told = await run_in_threadpool(answers.about, table, seats, self._hosts(request, table))
        return JSONResponse({**told, "notices": self._notices.are_sent})

    async def _ground(self, request: Request) -> Response:
        table, _ = await self._sit(request)
        board = table.game.world.board
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response((await run_in_threadpool(ground_of, board)).svg, media_type=TYPES["svg"])
        packed = await run_in_threadpool(packed_ground, board)
        return Response(packed, 200, {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}, TYPES["svg"])

    async def _view(self, request: Request) -> Response:
        table, seat, seats = await self._looked_at(request)
        known = request.query_params.get("faces", "").split(",")
        self._let_bots_play(table)  # a server that was stopped goes on where somebody looks
        return JSONResponse(await run_in_threadpool(answers.position, table, seat, seats, known))

    def _answer(self, answer: Callable[..., Any], *fields: str) -> Handler:
        """An answer for the seat that the query names, or for a spectator, from the other fields of the query."""

        async def asked(request: Request) -> Response:
            table, seat, _ = await self._looked_at(request)
            given = [request.query_params.get(field, "") for field in fields]
            return JSONResponse(await run_in_threadpool(answer, table, seat, *given))

        return asked

    async def _hint(self, request: Request) -> Response:
        """Bots may think for a while: one hint at a time for a seat, and few at a time for all games."""
        table, seat, seats = await self._seat(request, request.query_params.get("seat"))
        asks = (table.name, seat)
        if asks in self._advised:
            raise TooMany("a hint for this seat is being computed: wait for it")
        self._advised.add(asks)
        try:
            async with self._advisers:
                level = request.query_params.get("level", "normal")
                return JSONResponse(await run_in_threadpool(answers.hint, table, seat, seats, level))
        finally:
            self._advised.discard(asks)

    async def _save(self, request: Request) -> Response:
        """A save has all secrets: it is for the host alone while the game goes on."""
        table, _ = await self._sit(request)
        if table.over is None:
            self._door.require_host(request)
        text = await run_in_threadpool(table.save)
        return Response(text, 200, {"Content-Disposition": 'attachment; filename="game.hexwar"'}, "application/json")

    async def _replay(self, request: Request) -> Response:
        """The game as one file, as the side of a seat sees it; as everybody sees it when it is over."""
        table, seat, _ = await self._looked_at(request)
        if seat is None and table.over is None:
            raise NoSuchTable("a replay is for a seat while the game goes on")
        page = await run_in_threadpool(answers.replayed, table, seat)
        return Response(page, 200, {"Content-Disposition": 'attachment; filename="game.html"'}, TYPES["html"])

    async def _chat(self, request: Request) -> Response:
        table, seats = await self._sit(request)
        return JSONResponse(await run_in_threadpool(talk.heard, table, seats))

    async def _say(self, request: Request) -> Response:
        """Something that a player says to all who play."""
        wanted = await fields_of(request, seat=(str,), text=(str,))
        if not 0 < len(wanted["text"].strip()) <= talk.LONGEST_MESSAGE:
            raise Unfit(f"a message has between 1 and {talk.LONGEST_MESSAGE} letters")
        table, seat, seats = await self._seat(request, wanted["seat"])
        await run_in_threadpool(talk.say, table, seat, wanted["text"].strip())
        self._streams.tell_of_talk(table)
        return JSONResponse(await run_in_threadpool(talk.heard, table, seats))

    async def _call(self, request: Request) -> Response:
        """What a player is called."""
        wanted = await fields_of(request, seat=(str,), name=(str,))
        if len(wanted["name"]) > talk.LONGEST_NAME:
            raise Unfit(f"a name has at most {talk.LONGEST_NAME} letters")
        table, seat, _ = await self._seat(request, wanted["seat"])
        await run_in_threadpool(table.note, seat, "name", wanted["name"].strip())
        self._streams.tell_of_talk(table)
        return JSONResponse({"names": await run_in_threadpool(talk.names, table)})

    async def _note(self, request: Request) -> Response:
        table, seat, _ = await self._seat(request, request.query_params.get("seat"))
        return JSONResponse({"text": await run_in_threadpool(table.note, seat, _last(request))})

    async def _keep_note(self, request: Request) -> Response:
        wanted, what = await fields_of(request, seat=(str,), text=(str,)), _last(request)
        if len(wanted["text"]) > LONGEST[what]:
            raise Unfit(f"a {what} has at most {LONGEST[what]} letters")
        table, seat, _ = await self._seat(request, wanted["seat"])
        return JSONResponse({"text": await run_in_threadpool(table.note, seat, what, wanted["text"])})

    async def _enter(self, request: Request) -> Response:
        wanted = await fields_of(request, seat=(str,), password=(str,))
        seat, password = wanted["seat"], wanted["password"]

        def allow(head: Head) -> None:
            if seat not in head["salts"]:
                raise NoSuchTable(WRONG_PASSWORD)

        table = await run_in_threadpool(self._tables.table, request.path_params["game"], allow)
        key = await self._door.enter(request, table.name, seat, partial(table.enter, seat, password))
        return JSONResponse({"key": key})

    async def _lobby(self) -> list[dict[str, Any]]:
        """Games that look for players."""
        if monotonic() >= self._lobby_until:
            kept = await run_in_threadpool(self._tables.store.games)
            self._waiting = [it for it in map(answers.waiting, kept) if it is not None][:MOST_WAITING]
            self._lobby_until = monotonic() + LOBBY_REST
        return self._waiting

    async def _take(self, request: Request) -> Response:
        """A stranger sits down."""
        seat = (await fields_of(request, seat=(str,)))["seat"]

        def allow(head: Head) -> None:
            if not self._has_lobby or seat not in head.get("open", ()):
                raise NoSuchTable("this seat waits for nobody")

        self._door.guessed(request)  # so that nobody takes all of them
        table = await run_in_threadpool(self._tables.table, request.path_params["game"], allow)
        allow(table.head)
        key = await run_in_threadpool(table.take, seat)
        self._lobby_until = 0.0
        self._streams.tell(table)
        return JSONResponse({"key": key})

    async def _renew(self, request: Request) -> Response:
        """Withdraw a key and give out another."""
        wanted = await fields_of(request, seat=(str, None), watch=(bool, None), host=(bool, None), days=(int, None))
        asked = [what for what in ("seat", "watch", "host") if wanted[what] not in (None, False)]
        if len(asked) != 1 or (asked == ["host"] and wanted["days"] is not None):
            raise Unfit("a new key is for one seat, or for watch, or for host, whose key works as long as the game")
        table, _ = await self._sit(request)
        if not self._hosts(request, table):
            raise NoSuchTable("the host of the game gives out its links, and this is not the host's")
        key = await run_in_threadpool(table.renew, asked[0], wanted["seat"] or "", wanted["days"])
        self._streams.tell(table)  # pages with the old key are shut
        return JSONResponse({"key": key})

    def _order(self, order: Callable[..., None], fields: dict[str, tuple[type | None, ...]]) -> Handler:
        """Something that a seat does, from the fields of the body."""

        async def done(request: Request) -> Response:
            wanted = await fields_of(request, seat=(str,), number=(int,), faces=(str, None), **fields)
            table, seat, seats = await self._seat(request, wanted.pop("seat"))
            faces = wanted.pop("faces")
            await run_in_threadpool(lambda: order(table, seat, **wanted, seats=seats))
            self._gone_on(table)
            seats = self._seats(key_of(request), table) or ()  # who resigns has fewer
            answer: dict[str, Any] = {"number": table.number_for(seats)}
            if faces is not None:  # who acts wants to see it, and would ask at once
                answer["view"] = await run_in_threadpool(
                    answers.position, table, seat if seat in seats else None, seats, faces.split(",")
                )
            self._let_bots_play(table)
            return JSONResponse(answer)

        return done

    async def _rematch(self, request: Request) -> Response:
        await fields_of(request)
        table, seats = await self._sit(request)
        if not seats:
            raise NoSuchTable("who only watches begins no game")
        again = await run_in_threadpool(self._tables.rematch, table, partial(self._door.begins, request))
        self._let_bots_play(again)
        return JSONResponse({"game": again.name})

    # -- what happens by itself ------------------------------------------------------------------------------------------

    def _gone_on(self, table: Table) -> None:
        """Tell those who look, and send a notice to those who do not."""
        self._streams.tell(table)
        looking = self._streams.looking(table.name)
        for seat in table.concerned():
            if seat not in looking:
                self._notices.send(partial(answers.notice, table, seat, f"{self._address}/play#game={table.name}"))

    def _heard(self, game: str) -> None:
        """Another process has gone on with a game, or with any."""
        for table in self._tables.opened(game):
            self._do_alone(object(), self._follow(table))  # one after the other: the later may know more

    async def _follow(self, table: Table) -> None:
        try:
            await run_in_threadpool(table.catch_up)
        except HexwarError as error:
            log.warning("game %s cannot follow what another server did: %s", table.name, error)
        self._streams.tell(table)

    def _let_bots_play(self, table: Table) -> None:
        self._do_alone(table.name, self._play(table))

    def _do_alone(self, what: object, work: Coroutine[Any, Any, None]) -> None:
        """Begin something, unless it is going on."""
        if what in self._working:
            work.close()
            return
        task = self._working[what] = asyncio.create_task(work)
        task.add_done_callback(lambda done: self._working.pop(what, None))

    async def _play(self, table: Table) -> None:
        try:
            while await run_in_threadpool(table.move_bot):
                table.stopped = ""
                self._gone_on(table)
        except Stale:
            pass  # a person was faster; the next look goes on
        except Exception:
            log.exception("a bot failed in game %s", table.name)
            table.stopped = "A bot failed; the server's log says how. The game is kept as it was before."
            self._streams.tell(table)

    async def _stream(self, request: Request) -> Response:
        """The numbers of one game."""
        table, seats = await self._sit(request)
        if request.method == "HEAD":  # a stream has no end for which it could wait
            return Response(media_type=STREAM)
        closed = self._pages.open(table.name, key_of(request), address_of(request), watching=not seats)

        async def told() -> AsyncIterator[str]:
            async for at, number in self._streams.listen([(table, partial(self._seats, key_of(request), table))]):
                if number is not None:
                    yield "event: chat\ndata: 0\n\n" if number == TALK else f"data: {number}\n\n"
                elif at == SILENCE:
                    yield ": still here\n\n"

        return _Stream(told(), closed)

    async def _all_streams(self, request: Request) -> Response:
        """The numbers of several games, each with its own key: one connection for all pages of a browser."""
        wanted = (await fields_of(request, games=(list,)))["games"]
        if not 0 < len(wanted) <= MOST_STREAMED or not all(_is_named(it) for it in wanted):
            raise Unfit(f"games is a list of at most {MOST_STREAMED} objects with the texts game and key")
        listened: list[tuple[Table, Seats]] = []
        numbers, refused, closing = list[int](), list[tuple[int, HexwarError]](), contextlib.ExitStack()
        for number, it in enumerate(wanted):
            try:
                table, seats = await self._opened(it["game"], it["key"])
                closing.callback(self._pages.open(table.name, it["key"], address_of(request), watching=not seats))
            except HexwarError as error:
                refused.append((number, error))
                continue
            numbers.append(number)
            listened.append((table, partial(self._seats, it["key"], table)))
        try:
            if not listened:
                self._door.guessed(request)
                raise NoSuchTable(str(refused[0][1]))
            self._door.used(request, digest_of(wanted[numbers[0]]["key"]))
        except HexwarError:
            closing.close()
            raise

        async def told() -> AsyncIterator[str]:
            for number, error in refused:
                yield _event("closed", at=number, error=str(error))
            async for it in self._streams.listen(listened):
                if it.at == SILENCE:
                    yield ": still here\n\n"
                elif it.number is None:
                    yield _event("closed", at=numbers[it.at], error=CLOSED)
                elif it.number == TALK:
                    yield _event("chat", at=numbers[it.at])
                else:
                    yield _event("state", at=numbers[it.at], number=it.number)

        return _Stream(told(), closing.close)


def _is_named(wanted: object) -> bool:
    return isinstance(wanted, dict) and all(isinstance(wanted.get(name), str) for name in ("game", "key"))


def _event(kind: str, **data: object) -> str:
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


def _last(request: Request) -> str:
    return request.url.path.rpartition("/")[2]
