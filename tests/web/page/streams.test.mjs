import assert from "node:assert/strict";
import test from "node:test";
import { Streams, parsed } from "../../../hexwar/web/page/streams.js";

const event = (kind, data) => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
const rests = () => new Promise((after) => setTimeout(after, 40));

/** A server whose answers the test writes. */
function server() {
  const asked = [];
  const ask = async (_, { body, signal }) => {
    let write;
    const stream = new ReadableStream({ start: (it) => (write = it) });
    const connection = { games: JSON.parse(body).games.map((it) => it.game), send: (text) => write.enqueue(new TextEncoder().encode(text)), close: () => write.close(), aborted: false };
    signal.addEventListener("abort", () => { connection.aborted = true; try { write.error(new Error("aborted")); } catch {} });
    asked.push(connection);
    return new Response(stream);
  };
  return { ask, asked };
}

const reader = (streams, name, ...games) => {
  const heard = [];
  streams.listen(name, games.map((game) => ({ game, key: "k" })), (at, news) => heard.push([games[at], news]));
  return heard;
};

test("events are parsed as they come, whatever the parts", () => {
  const { events, rest } = parsed(`: still here\n\n${event("state", { at: 0, number: 3 })}event: ch`);
  assert.deepEqual(events, [{ kind: "state", data: { at: 0, number: 3 } }]);
  assert.equal(rest, "event: ch");
});

test("two readers share one connection, each hears of its own games", async () => {
  const { ask, asked } = server(), streams = new Streams(ask);
  const one = reader(streams, 1, "a"), two = reader(streams, 2, "a", "b");
  await rests();
  assert.deepEqual(asked.map((it) => it.games), [["a", "b"]]);
  asked[0].send(event("state", { at: 0, number: 5 }) + event("state", { at: 1, number: 7 }));
  await rests();
  assert.deepEqual(one.filter(([, news]) => news.heard).map(([game, { heard }]) => [game, heard]), [["a", 5]]);
  assert.deepEqual(two.filter(([, news]) => news.heard).map(([game, { heard }]) => [game, heard]), [["a", 5], ["b", 7]]);
});

test("a new connection takes the place of the old one when it has begun, and tells nobody what he knows", async () => {
  const { ask, asked } = server(), streams = new Streams(ask);
  const one = reader(streams, 1, "a");
  await rests();
  asked[0].send(event("state", { at: 0, number: 5 }));
  await rests();
  const heard = one.length, two = reader(streams, 2, "b");
  await rests();
  assert.equal(asked[0].aborted, false);
  asked[1].send(event("state", { at: 0, number: 5 }) + event("state", { at: 1, number: 1 }));
  await rests();
  assert.equal(asked[0].aborted, true);
  assert.equal(one.length, heard);
  assert.equal(two.at(-1)[1].heard, 1);
  asked[1].send(event("state", { at: 0, number: 5 })); // the same number again: a bot has stopped
  await rests();
  assert.equal(one.length, heard + 1);
});

test("who leaves is not asked for any more, and the last one ends the connection", async () => {
  const { ask, asked } = server(), streams = new Streams(ask);
  reader(streams, 1, "a");
  reader(streams, 2, "b");
  await rests();
  streams.leave(1);
  await rests();
  assert.deepEqual(asked.at(-1).games, ["b"]);
  streams.leave(2);
  await rests();
  assert.ok(asked.every((it) => it.aborted));
});

test("a game that is closed is closed for its readers alone", async () => {
  const { ask, asked } = server(), streams = new Streams(ask);
  const one = reader(streams, 1, "a"), two = reader(streams, 2, "b");
  await rests();
  asked[0].send(event("closed", { at: 0, error: "gone" }) + event("state", { at: 1, number: 1 }));
  await rests();
  assert.deepEqual(one.at(-1)[1], { closed: "gone" });
  assert.equal(two.at(-1)[1].heard, 1);
});

test("when the server goes away everybody hears it", async () => {
  const { ask, asked } = server(), streams = new Streams(ask);
  const one = reader(streams, 1, "a");
  await rests();
  asked[0].send(event("state", { at: 0, number: 5 }));
  await rests();
  asked[0].close();
  await rests();
  assert.deepEqual(one.at(-1)[1], { lost: true });
  streams.leave(1);
});
