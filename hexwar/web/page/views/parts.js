// Small parts that several rooms show.
import { h } from "../render.js";
import { sideName } from "../select.js";

/** What a room may use: the state, and what is done with it.
 * @typedef {{ state: import("../types").State, go: (...things: any[]) => any, map: any }} Page */

/** The number of a rule; a click shows the rule.
 * @param {Page} page
 * @param {string} clause */
export function cite({ go }, clause) {
  return clause ? h("button.clause", { type: "button", title: "What the rule says", onclick: () => go({ do: "rule", clause }) }, clause) : null;
}

/** A counter as a picture of its own. */
export function counter(page, piece, how = "") {
  const face = page.map?.faces.drawn.get(piece.face);
  if (!face) return h("span", { class: `counter words ${how}` }, piece.label || piece.name || piece.id);
  const spent = piece.state?.includes("spent") ? "spent" : "";
  return h("svg", { class: `counter ${how} ${spent}`, viewBox: piece.works ? "-0.5 -0.5 1 1" : piece.base ? "-0.33 -0.33 0.66 0.66" : "-0.26 -0.26 0.52 0.52", "aria-hidden": "true", html: face });
}

/** The colours of a side as a small field. */
export function swatch({ state }, side) {
  const its = state.view?.colours[side];
  return h("span.swatch", { style: its ? { background: its.fill, "border-color": its.edge } : {}, title: sideName(side), "aria-hidden": "true" });
}

export function button(words, act, props = {}) {
  return h("button.btn", { type: "button", onclick: act, ...props }, words);
}

/** A part that can be folded. */
export function fold({ state, go }, id, title, ...children) {
  const isOpen = state.opened.includes(id);
  return h("details", { id, key: id, open: isOpen }, h("summary", { onclick: (event) => (event.preventDefault(), go({ is: "unfolded", part: id })) }, title), h("div", {}, isOpen ? children : []));
}

/** A table with headings. */
export function table(headers, rows, props = {}) {
  return h("table", props, h("thead", {}, h("tr", {}, headers.map((it) => h("th", { scope: "col" }, it)))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((it, n) => (n ? h("td", {}, it) : h("th", { scope: "row" }, it)))))));
}
