// Hears when games go on: through a worker that all pages of this browser share, or, where browsers have none, by a connection of its
// own, which is closed while nobody sees the page.
import { Streams } from "./streams.js";

/**
 * Calls `on.heard` with the number of a game's latest state, `on.talked` when somebody has said something, `on.lost` when the server
 * is away, and `on.closed` when the key opens nothing any more; with the place of the game in the list.
 * @param {import("./streams.js").Wanted[]} wanted
 * @param {{ heard: (number: number, at: number) => void, talked?: () => void, lost?: () => void, closed?: (words: string) => void }} on
 */
export function listen(wanted, on) {
  const told = (at, { heard, talked, lost, closed }) => {
    if (heard !== undefined) on.heard(heard, at);
    if (talked) on.talked?.();
    if (lost) on.lost?.();
    if (closed !== undefined) on.closed?.(closed);
  };
  if (typeof SharedWorker === "undefined") alone(wanted, told);
  else shared(wanted, told);
}

function shared(wanted, told) {
  const worker = new SharedWorker(new URL("./worker.js", import.meta.url), { type: "module", name: "hexwar" });
  const { port } = worker, lock = navigator.locks ? `hexwar ${crypto.randomUUID()}` : "";
  const join = () => port.postMessage({ wanted, lock });
  port.onmessage = ({ data: { at, ...news } }) => told(at, news);
  worker.onerror = () => alone(wanted, told);
  if (lock) navigator.locks.request(lock, () => (join(), new Promise(() => {})));
  else join();
  addEventListener("pagehide", () => port.postMessage({ leave: true }));
  addEventListener("pageshow", (event) => event.persisted && port.postMessage({ wanted, lock: "" }));
}

function alone(wanted, told) {
  const streams = new Streams((...given) => fetch(...given));
  const look = () => (document.hidden ? streams.leave(streams) : streams.listen(streams, wanted, told));
  addEventListener("visibilitychange", look);
  look();
}
