// A worker that all open pages of a browser share: it holds the one connection over which they hear of their games.
import { Streams } from "./streams.js";

const streams = new Streams((...given) => fetch(...given));

addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  port.onmessage = ({ data }) => {
    if (data.leave) return streams.leave(port);
    streams.listen(port, data.wanted, (at, news) => port.postMessage({ at, ...news }));
    // A page that ends without a word lets go of its lock.
    if (data.lock) navigator.locks.request(data.lock, () => streams.leave(port));
  };
  port.start();
});
