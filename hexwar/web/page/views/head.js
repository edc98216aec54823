// The head: which game, the turns and what they bring, who has how many points, and the phases below.
import { icon } from "../icons.js";
import { h } from "../render.js";
import { sideName } from "../select.js";
import { swatch } from "./parts.js";

const SHOWN = 9; // turns of a longer track that are shown around the present one

/** @param {import("./parts.js").Page} page */
export function head(page) {
  const { state, go } = page, { about, view } = state;
  const fresh = Math.max(0, state.chat.length - state.chatSeen);
  const tool = (name, title, event, n = 0) =>
    h("button.icon", { type: "button", title, "aria-label": n ? `${title}: ${n} new` : title, onclick: () => go(event) }, icon(name), n ? h("span.n", {}, n) : null);
  return [
    h("a.home#home", { href: "/", title: "All games" }, h("svg.logo", { viewBox: "0 0 32 32", role: "img", "aria-label": "All games" }, h("path", { d: "M9 4h14l8 12-8 12H9L1 16z" }), h("path", { d: "M10 18l6-6 6 6" }))),
    h("div.brand", {}, h("h1#title", {}, h("b", {}, about.scenario), h("span", {}, about.title))),
    view ? track(view) : null,
    h("div.sides#points", { "aria-label": "Points" }, view ? sides(page) : []),
    h("p.now-short", {}, view ? [view.turn ? `Turn ${view.turn} · ` : "", view.phase] : ""),
    h("div.icons", {}, tool("chat", "Chat", { is: "tabbed", tab: "chat" }, fresh), tool("info", "What the game is about", { is: "sheeted", sheet: "briefing" }),
      tool("rules", "Rules", { is: "tabbed", tab: "rules" }), tool("menu", "Menu", { is: "tabbed", tab: "more" })),
  ];
}

function track(view) {
  const at = view.track.findIndex((it) => it.number === view.turn), from = Math.max(0, Math.min(at - 3, view.track.length - SHOWN));
  const cells = view.track.slice(from, from + SHOWN);
  if (!cells.length) return null;
  return h("ol.track", { "aria-label": "Turns" }, cells.map((cell) => {
    const how = cell.number < view.turn ? "done" : cell.number === view.turn ? "now" : "";
    const marks = cell.marks.map((mark) => `${mark.words}${mark.clause ? ` (${mark.clause})` : ""}`);
    const title = [cell.title || `Turn ${cell.number}`, ...marks].join("\n");
    return h("li", { key: cell.number, class: how, title, "aria-current": how === "now" ? "step" : undefined }, h("b", {}, cell.number), h("span", {}, cell.short),
      h("i", {}, [...new Set(cell.marks.map((mark) => mark.kind))].slice(0, 3).map((kind) => icon(kind))));
  }));
}

function sides(page) {
  const { state } = page, { view, about } = state, score = view.score;
  const names = score.length ? score.map((it) => it.side) : Object.keys(view.colours).filter((side) => Object.values(about.seats).includes(side));
  const most = Math.max(1, ...score.map((it) => it.needed ?? it.points));
  return names.map((side) => {
    const its = score.find((it) => it.side === side), seats = Object.keys(about.seats).filter((seat) => about.seats[seat] === side);
    const bot = seats.map((seat) => (Object.hasOwn(about.bots, seat) ? about.bots[seat] : "")).find(Boolean);
    const named = seats.map((seat) => about.names?.[seat]).find(Boolean);
    const whose = about.seats[state.seat] === side ? "you" : bot ? "bot" : "";
    const acts = view.to_move.some((seat) => seats.includes(seat));
    const points = its ? `${its.points}${its.needed === null ? "" : ` of ${its.needed}`} points` : "";
    return h("div", { key: side }, swatch(page, side), h("span", {}, h("span.side-name", {}, sideName(side)), h("small", {}, [named, whose].filter(Boolean).join(" · "))),
      its ? h("span.gauge", { "aria-hidden": "true" }, h("span", { style: { width: `${(100 * Math.max(0, its.points)) / Math.max(most, its.points)}%`, background: view.colours[side]?.fill ?? "" } }),
        its.needed === null ? null : h("em", { style: { left: `${(100 * its.needed) / Math.max(most, its.points)}%` } })) : h("span"),
      h("span.points", {}, h("b", {}, its ? `${its.points}` : ""), its ? ` ${points.slice(`${its.points} `.length)}` : "", acts ? h("span.turnlight", { title: "is to decide", role: "img", "aria-label": "is to decide" }) : null));
  });
}

/** The phases of this part of the turn, and where the game is in them. */
export function phases(page) {
  const { view, past } = page.state;
  if (!view) return [];
  const shown = past ?? view, turn = shown.turn ? `Turn ${shown.turn}${shown.turns ? ` of ${shown.turns}` : ""}` : "";
  const date = shown.track.find((it) => it.number === shown.turn)?.title ?? "";
  const gone = Object.entries(view.resigned).map(([name, by]) => `${name} has resigned: ${by} decides`);
  const known = shown.phases.some((it) => it.state === "now");
  return [
    h("ol", { "aria-label": "Phases" }, shown.phases.map((phase, n) => ({ ...phase, state: phase.state === "now" && shown.phases.findIndex((it) => it.state === "now") < n ? "" : phase.state })).map((phase, n) => h("li", { key: `${n} ${phase.title}`, class: phase.state, title: phase.clause ? `${phase.title} (${phase.clause})` : phase.title, "aria-current": phase.state === "now" ? "step" : undefined }, h("span", {}, phase.short)))),
    h("p#status.war", {}, [[turn, known ? "" : shown.phase].filter(Boolean).join(" · "), date, ...shown.notes, ...gone].filter(Boolean).join(" · ")),
  ];
}
