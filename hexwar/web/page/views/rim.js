// What floats at the rim of the map: overlays, zoom, what patterns mean, a small map, and the moment at which one looks back.
import { icon } from "../icons.js";
import { h } from "../render.js";
import { capital, legend } from "../select.js";
import { button, swatch } from "./parts.js";

/** @param {import("./parts.js").Page} page */
export function rim(page) {
  const { state, go, map } = page;
  if (!map || !state.view) return [];
  const tool = (id, name, title, act, pressed) => h("button", { key: id, id, type: "button", title, "aria-label": title, "aria-pressed": pressed === undefined ? undefined : String(pressed), onclick: act }, icon(name));
  return [
    h("div.rail#overlays", { key: "overlays", role: "group", "aria-label": "Overlays", "data-shown": state.covered ? state.cover : "" }, state.about.overlays.map((name, n) =>
      h("button", { key: name, type: "button", "data-overlay": name, title: `${capital(name)} (${n + 1})`, "aria-label": capital(name), "aria-pressed": String(state.cover === name), onclick: () => go({ is: "covering", cover: state.cover === name ? "" : name }) }, icon(name)))),
    h("div.rail.zoom", { key: "zoom", role: "group", "aria-label": "Zoom" }, tool("closer", "plus", "Nearer (+)", () => map.zoomBy(1.25)), tool("farther", "minus", "Farther (−)", () => map.zoomBy(0.8)), tool("fit", "fit", "The whole map (f)", () => map.fit()), tool("hide", "eye", "Hide the counters (h)", () => go({ is: "bared" }), state.bare)),
    legend(state).length ? h("ul.float.legend#legend", { key: "legend" }, legend(state).map((it) => h("li", { key: `${it.pattern} ${it.side}` }, it.side ? swatch(page, it.side) : h("span", { class: `pattern ${it.pattern}`, "aria-hidden": "true" }), h("span", {}, it.words))),
      (state.covered?.words ?? []).map((words) => h("li", { key: words }, h("span"), h("span", {}, words)))) : null,
    past(page),
  ];
}

function past({ state, go }) {
  const { past: then } = state;
  if (!then) return h("div#past", { key: "past", hidden: true });
  const line = state.lines.find((it) => it.line === then.line);
  const back = () => go({ do: "moment", line: Math.max(0, Math.min(then.asked, then.line) - 1) });
  const last = state.lines.at(-1)?.line ?? 0;
  return h("div#past", { key: "past", role: "group", "aria-label": "An earlier moment", hidden: false }, h("span#moment", { role: "status" }, `${state.showing ? "What happened" : "Looking back"}: ${line?.says ?? line?.text ?? `line ${then.line}`}`),
    button("Earlier", back, { id: "earlier", title: "An action earlier (,)", disabled: then.asked <= 0 }), button("Later", () => go(then.line < last ? { do: "moment", line: then.line + 1 } : { do: "toNow" }), { id: "later", title: "An action later (.)" }), button("Back to now", () => go({ do: "toNow" }), { id: "now", title: "Escape" }));
}
