// Talks to the server. The key of a seat travels in a header, never in a cookie or an address that is sent.

export class Refused extends Error {
  constructor(answer, status) {
    super(answer.clause ? `${answer.clause}: ${answer.error}` : answer.error);
    this.status = status;
  }
}

export class Api {
  constructor(key) {
    this.key = key;
  }

  async fetch(path, body) {
    const headers = { Authorization: `Bearer ${this.key}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await fetch(`/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Refused(await answer.json().catch(() => ({ error: answer.statusText })), answer.status);
    return answer;
  }

  async get(path, query = {}) {
    const search = new URLSearchParams(query).toString();
    return (await this.fetch(search ? `${path}?${search}` : path)).json();
  }

  async post(path, body) {
    return (await this.fetch(path, body)).json();
  }
}

// The games whose keys this browser has.
export const known = {
  all: () => JSON.parse(localStorage.getItem("games") ?? "[]"),
  add(game) {
    const others = known.all().filter((other) => other.game !== game.game || other.key !== game.key);
    known.keep([game, ...others].slice(0, 100));
  },
  keep: (games) => localStorage.setItem("games", JSON.stringify(games)),
};

// What an object has of its own: a seat may be called "constructor".
export const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

// When there is nothing else to do; Safari does not know when that is.
export const idle = globalThis.requestIdleCallback ?? setTimeout;

export function hash() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Gives an element some children, in their order; those that it has already stay where they are, which costs nothing.
export function arrange(root, children) {
  const kept = new Set(children);
  for (const child of [...root.children]) if (!kept.has(child)) child.remove();
  children.forEach((child, n) => root.children[n] === child || root.insertBefore(child, root.children[n] ?? null));
}

// What a search for rules has left out.
export function moreWords(more) {
  return `${more} more: another word narrows the search.`;
}
