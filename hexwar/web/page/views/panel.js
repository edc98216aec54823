// The panel: one of log, forces, cup, charts, rules, and more; each has the whole room and one scroller.
import { moreWords } from "../api.js";
import { dieFace, icon } from "../icons.js";
import { h } from "../render.js";
import { capital, logRows, sideName, since } from "../select.js";
import { open } from "../state.js";
import { more, chat } from "./more.js";
import { cite, counter, swatch, table } from "./parts.js";

const TABS = [["log", "Log"], ["forces", "Forces"], ["cup", "Cup"], ["charts", "Charts"], ["rules", "Rules"], ["more", "More"]];

/** Which tabs there are.
 * @param {import("./parts.js").Page} page */
export function tabs({ state, go }) {
  const has = { cup: state.view?.piles.length > 0, charts: state.about.charts };
  const shown = TABS.filter(([id]) => has[id] ?? true), at = state.tab === "chat" ? "more" : state.tab;
  const one = (id, title, name) => h("button", { key: id, type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", "aria-selected": String(at === id && (id === "decide" || state.room === "panel" || !narrow())), tabindex: at === id ? 0 : -1, onclick: () => go({ is: "tabbed", tab: id }), onkeydown: (event) => turn(event, shown.map(([it]) => it), id, go) }, name ? icon(name) : null, title);
  return [h("button.decide", { key: "decide", type: "button", role: "tab", id: "tab-decide", "aria-selected": String(state.room === "decide"), "aria-controls": "map", onclick: () => go({ is: "tabbed", tab: "decide" }) }, icon("attack"), "Decide"),
    ...shown.map(([id, title]) => one(id, title, { log: "clock", forces: "stack", cup: "cup", charts: "list", rules: "rules", more: "menu" }[id]))];
}

const narrow = () => matchMedia("(max-width: 760px)").matches;

function turn(event, ids, id, go) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const to = ids[(ids.indexOf(id) + step + ids.length) % ids.length];
  go({ is: "tabbed", tab: to });
  requestAnimationFrame(() => document.getElementById(`tab-${to}`)?.focus());
}

const ROOMS = { log, forces, cup, charts, rules, more, chat };

/** @param {import("./parts.js").Page} page */
export function panel(page) {
  return [h("div", { key: page.state.tab, class: `room ${page.state.tab}-room` }, ROOMS[page.state.tab](page))];
}

/** What others did since the player last decided: above the log, on every screen. */
export function news(page) {
  const found = since(page.state);
  if (!found || page.state.tab !== "log") return [];
  return [h("div.since", { key: "since" }, swatch(page, found.side), h("p", {}, h("b", {}, "Since you decided: "), found.words), h("button.btn", { type: "button", onclick: () => page.go({ do: "show" }) }, icon("show"), "Show", h("kbd", { "aria-hidden": "true" }, "R")))];
}

function log(page) {
  const { state, go, map } = page, rows = logRows(state), first = state.lines[0]?.line ?? 0;
  return [h("ol.log#log", { tabindex: 0, "aria-label": "What happened" },
    first > 0 ? h("li", { key: "earlier" }, h("button.btn", { type: "button", onclick: () => go({ do: "earlier" }) }, "Earlier lines")) : null,
    rows.map((row) => (row.heading ? h("li.h", { key: row.key }, swatch(page, row.heading), h("span.label", {}, sideName(row.heading))) : entry(page, row, go, map))))];
}

function entry(page, { key, line, fresh, mine, now, times, barrier }, go, map) {
  const how = [line.kind, fresh ? "fresh" : "", mine ? "mine" : "", now ? "now" : "", barrier ? "barrier" : ""].filter(Boolean).join(" ");
  const points = () => map?.point(line.pieces ?? [], line.places ?? []), leaves = () => map?.point([], []);
  return h("li", { key, class: how, "data-line": line.line, onpointerenter: points, onpointerleave: leaves },
    h("span.mark", {}, line.dice?.length ? line.dice.map((die) => dieFace(die)) : line.kind === "event" ? icon(line.trail ? line.trail.kind : line.blow?.length ? "attack" : line.gone?.length ? "cross" : "dot") : null),
    h("span", {}, h("button.moment", { type: "button", title: "Look at this moment", onclick: () => go({ do: "moment", line: line.line }), onfocus: points, onblur: leaves }, capital(line.says ?? line.text)),
      times ? h("button.back", { type: "button", title: times === 1 ? "Takes one action back" : `Takes ${times} actions back`, onclick: () => go({ do: "undo", times }) }, "Undo to here") : null),
    cite(page, line.clause));
}

function forces(page) {
  const { state, go } = page, shown = state.past ?? state.view;
  if (!shown) return [];
  const keys = new Set(open(state)), pieces = new Map(shown.pieces.map((it) => [it.id, it]));
  const one = (piece) => h("button.held", { key: piece.id, type: "button", title: piece.says, "aria-label": piece.says, class: keys.has(piece.id) ? "open" : "", onclick: () => go({ do: "click", piece: piece.id, place: page.map?.centre(piece.place) ? piece.place : null }) }, counter(page, piece));
  const trays = shown.trays.map((tray) => ({ ...tray, its: (tray.pieces ?? []).map((id) => pieces.get(id)).filter(Boolean) }));
  const dead = shown.pieces.filter((it) => it.place === null);
  if (dead.length) trays.push({ id: "dead", title: "Eliminated", side: "", its: dead });
  const sides = [...new Set(shown.pieces.map((it) => it.side))];
  return [
    h("div#boxes", { key: "boxes" }, trays.map((tray) => h("section.box", { key: tray.id, "data-title": tray.title }, h("h3.label", {}, tray.side ? swatch(page, tray.side) : null, ` ${tray.title}: ${tray.its.length}`), tray.words ? h("p.small", {}, tray.words) : null, h("div.held-all", {}, tray.its.map(one))))),
    ...sides.map((side) => {
      const its = shown.pieces.filter((it) => it.side === side && it.place !== null && page.map?.centre(it.place) && !it.works);
      return h("section.box", { key: `side ${side}` }, h("h3.label", {}, swatch(page, side), ` ${sideName(side)} on the map: ${its.length}`), h("div.held-all", {}, its.map(one)));
    }),
  ];
}

function cup(page) {
  const { state } = page, shown = state.past ?? state.view;
  return [h("div#chits", {}, (shown?.piles ?? []).map((pile) => {
    const known = pile.chits.filter((chit) => chit.id !== "?");
    return h("section.box", { key: pile.id }, h("h3.label", {}, pile.side ? swatch(page, pile.side) : null, ` ${pile.title}: ${pile.count}`),
      h("div.chits", {}, known.map((chit, n) => h("span.chit", { key: `${chit.id} ${n}`, title: [chit.id, chit.clause].filter(Boolean).join(", "), style: state.view.colours[chit.side] ? { background: state.view.colours[chit.side].fill, color: state.view.colours[chit.side].ink } : {} }, chit.name))),
      pile.kind === "cup" ? h("p.small", {}, known.length ? "These are known to be in it." : "Nobody knows which comes next.") : null);
  }))];
}

function charts(page) {
  const { state } = page;
  if (!state.charts) return [h("p.small", {}, "…")];
  return state.charts.map((chart, n) => h("section.chart", { key: n }, h("h3", {}, chart.title, " ", cite(page, chart.clause)), h("div.wide", { tabindex: 0, role: "region", "aria-label": chart.title }, table(chart.headers, chart.rows)), h("ul.small", {}, chart.notes.map((note) => h("li", {}, note)))));
}

function rules(page) {
  const { state, go } = page, { found } = state;
  return [
    h("label.search", { key: "search" }, "Search the rules ", h("input#search", { type: "search", placeholder: "retreat zone, or 9.2", title: "/", oninput: (event) => go({ do: "search", text: event.target.value }) })),
    h("ul#found", { key: "found" }, found?.found.map((it) => h("li", { key: it.clause }, h("button", { type: "button", onclick: () => go({ is: "ruleCame", rule: it }) }, h("b", {}, it.clause), h("span", {}, it.text)))),
      found?.more ? h("li", { key: "more" }, moreWords(found.more)) : null, found?.search && !found.found.length ? h("li", { key: "none" }, "No rule has these words.") : null),
  ];
}

