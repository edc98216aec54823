// Listens to several games over one connection of this browser: HTTP/1.1 allows six to a server, and pages must still ask questions.

const AGAIN = 1000; // milliseconds until a lost connection is tried again
const SOON = 20; // milliseconds in which several pages that open or close at once are one change

/**
 * @typedef {{ game: string, key: string }} Wanted
 * @typedef {{ heard?: number, talked?: boolean, lost?: boolean, closed?: string }} News
 */

/** The events in what came over a connection, and the beginning of the next one.
 * @param {string} text
 * @returns {{ events: { kind: string, data: any }[], rest: string }} */
export function parsed(text) {
  const parts = text.split("\n\n"), rest = parts.pop() ?? "";
  const events = parts.flatMap((part) => {
    const lines = part.split("\n"), field = (name) => lines.find((line) => line.startsWith(name))?.slice(name.length);
    const data = field("data: ");
    return data === undefined ? [] : [{ kind: field("event: ") ?? "message", data: JSON.parse(data) }];
  });
  return { events, rest };
}

export class Streams {
  /** @param {typeof fetch} ask asks the server */
  constructor(ask) {
    this.ask = ask;
    /** @type {Map<any, { wanted: Wanted[], tell: (at: number, news: News) => void }>} */
    this.readers = new Map();
    this.known = new Map(); // game and key -> the number that was heard last
    this.number = 0; // of the latest connection
    this.soon = undefined;
    this.abort = null;
  }

  /** Somebody listens to some games from now on, and to no others.
   * @param {any} reader
   * @param {Wanted[]} wanted
   * @param {(at: number, news: News) => void} tell with the place of the game in the list */
  listen(reader, wanted, tell) {
    this.readers.set(reader, { wanted, tell });
    for (const it of wanted) {
      const heard = this.known.get(name(it));
      if (heard !== undefined) this.tell(it, { heard, talked: true }, reader);
    }
    this.change();
  }

  /** Somebody listens no longer. */
  leave(reader) {
    if (this.readers.delete(reader)) this.change();
  }

  /** @param {Wanted} game
   * @param {News} news
   * @param {any} [only] the one reader that hears it */
  tell(game, news, only) {
    for (const [reader, { wanted, tell }] of this.readers)
      if (only === undefined || reader === only) wanted.forEach((it, at) => name(it) === name(game) && tell(at, news));
  }

  change() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.open(), SOON);
  }

  all() {
    const found = new Map([...this.readers.values()].flatMap(({ wanted }) => wanted.map((it) => [name(it), it])));
    return [...found.values()];
  }

  // One connection takes the place of the one before when it has begun, so that nothing is missed between them.
  async open() {
    const games = this.all(), mine = ++this.number, before = this.abort;
    for (const key of [...this.known.keys()]) if (!games.some((it) => name(it) === key)) this.known.delete(key);
    const stop = new AbortController();
    this.abort = stop;
    if (!games.length) return before?.abort();
    try {
      const body = JSON.stringify({ games }), headers = { "Content-Type": "application/json" };
      const answer = await this.ask("/api/stream", { method: "POST", headers, body, signal: stop.signal });
      if (!answer.ok) {
        const { error } = await answer.json().catch(() => ({ error: answer.statusText }));
        before?.abort();
        if (answer.status === 429 || answer.status >= 500) throw new Error(error);
        for (const it of games) this.tell(it, { closed: error });
        return;
      }
      await this.read(answer, games, () => before?.abort());
    } catch {
      // It is tried again below.
    }
    before?.abort();
    if (mine !== this.number || stop.signal.aborted) return;
    this.known.clear();
    for (const it of games) this.tell(it, { lost: true });
    setTimeout(() => mine === this.number && this.open(), AGAIN);
  }

  /** @param {Response} answer
   * @param {Wanted[]} games
   * @param {() => void} begun */
  async read(answer, games, begun) {
    const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader(), decoder = new TextDecoder(), first = new Set();
    for (let rest = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return;
      begun();
      const found = parsed(rest + decoder.decode(value, { stream: true }));
      rest = found.rest;
      for (const { kind, data } of found.events) {
        const game = games[data.at], key = name(game);
        if (kind === "chat") this.tell(game, { talked: true });
        else if (kind === "closed") this.tell(game, { closed: data.error });
        else if (first.has(key) || this.known.get(key) !== data.number) {
          if (!first.has(key) && !this.known.has(key)) this.tell(game, { talked: true }); // what was said meanwhile
          this.known.set(key, data.number);
          this.tell(game, { heard: data.number });
        }
        if (kind === "state") first.add(key);
      }
    }
  }
}

/** @param {Wanted} wanted */
const name = ({ game, key }) => `${game} ${key}`;
