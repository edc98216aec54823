// The end: who has won, points and losses by turn, what decided it, luck, and where to go from here.
import { icon } from "../icons.js";
import { h } from "../render.js";
import { capital, sideName } from "../select.js";
import { luck } from "./more.js";
import { button, swatch } from "./parts.js";

const WIDE = 420, HIGH = 200, LEFT = 34, BOTTOM = 22;

/** @param {import("./parts.js").Page} page */
export function end(page) {
  const { state, go } = page, { view, about, summary } = state;
  if (!view?.result) return [];
  const winner = summary?.winner ?? "", its = view.colours[winner];
  return [h("div.ending", { key: "ending" },
    h("header.verdict", { style: its ? { background: its.edge, color: "#ffffff" } : {} }, h("div", {}, h("p.label", {}, `${about.scenario}${view.turn ? ` · after turn ${view.turn}` : ""}`), h("h2.hero#verdict", {}, winner ? `${sideName(winner)} wins` : view.result), h("p.lead", {}, winner ? capital(view.result.replace(`${winner} wins: `, "")) : ""))),
    h("div.cards", {},
      summary?.points.length ? h("section.paper", { key: "points" }, h("h3", {}, "Points by turn"), points(page, summary)) : null,
      h("section.paper", { key: "moments" }, h("h3", {}, "What decided it", h("small", {}, "a click shows the map then")), summary ? moments(page, summary) : h("p.small", {}, "…")),
      h("section.paper", { key: "now" }, h("h3", {}, "And now?"), h("div.column", {},
        state.seat ? button([icon("people"), "Play again with another seed"], () => go({ do: "rematch" }), { class: "primary", id: "rematch" }) : null,
        button([icon("show"), "Watch it again"], () => go({ is: "sheeted", sheet: null }, { do: "moment", line: 0 })),
        button([icon("save"), "Replay as one file"], () => go({ do: "replayFile" }), { id: "replay-file" }),
        button([icon("save"), "Save the game to a file"], () => go({ do: "save" })),
        button([icon("chat"), "Say good game"], () => go({ is: "sheeted", sheet: null }, { is: "tabbed", tab: "chat" })),
        button([icon("eye"), "Look at the map"], () => go({ is: "sheeted", sheet: null }), { id: "look" }), h("a", { href: "/" }, "All games"))),
      summary?.losses.some((it) => Object.values(it.lost).some(Boolean)) ? h("section.paper", { key: "losses" }, h("h3", {}, "Pieces lost by turn"), losses(page, summary)) : null,
      summary?.luck ? h("section.paper", { key: "luck" }, h("h3", {}, "Luck", h("small", {}, "every roll, exact")), luck(summary.luck)) : null))];
}

function moments(page, summary) {
  const { go } = page;
  if (!summary.moments.length) return h("p.small", {}, "No single moment stands out.");
  return h("ol.moments", {}, summary.moments.map((it) => h("li", { key: it.line }, h("button", { type: "button", onclick: () => go({ is: "sheeted", sheet: null }, { do: "moment", line: it.line }) },
    swatch(page, it.side), h("span", {}, h("b", {}, it.turn ? `Turn ${it.turn}: ` : "", it.words), h("small", {}, it.more ?? "")), h("b.change", {}, it.change)))));
}

// Points of each side after each turn, with what is needed as a line.
function points({ state }, { points: rows, needed }) {
  const sides = Object.keys(rows[0].points), all = rows.flatMap((row) => Object.values(row.points)).concat(Object.values(needed));
  const least = Math.min(0, ...all), most = Math.max(1, ...all), x = (n) => LEFT + ((WIDE - LEFT - 30) * n) / Math.max(1, rows.length - 1), y = (value) => HIGH - BOTTOM - ((HIGH - BOTTOM - 16) * (value - least)) / (most - least);
  const say = (side) => rows.map((row) => row.points[side]).join(", ");
  return h("svg.chart-line", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": sides.map((side) => `${sideName(side)}: ${say(side)}`).join("; ") },
    [least, most].map((value) => [h("line", { x1: LEFT, x2: WIDE - 30, y1: y(value), y2: y(value), class: "axis" }), h("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, value)]),
    Object.entries(needed).map(([side, value]) => [h("line", { x1: LEFT, x2: WIDE - 30, y1: y(value), y2: y(value), class: "needed" }), h("text", { x: LEFT + 4, y: y(value) - 4, class: "needed" }, `${value} to win (${sideName(side)})`)]),
    rows.map((row, n) => h("text", { key: n, x: x(n), y: HIGH - 4, "text-anchor": "middle" }, row.turn)),
    sides.map((side) => {
      const its = state.view.colours[side] ?? { fill: "#888", edge: "#333" };
      return [h("polyline", { points: rows.map((row, n) => `${x(n).toFixed(1)},${y(row.points[side]).toFixed(1)}`).join(" "), stroke: its.edge, class: "under" }), h("polyline", { points: rows.map((row, n) => `${x(n).toFixed(1)},${y(row.points[side]).toFixed(1)}`).join(" "), stroke: its.fill }),
        rows.map((row, n) => h("circle", { cx: x(n), cy: y(row.points[side]), r: n === rows.length - 1 ? 5 : 3, fill: its.fill, stroke: its.edge })), h("text", { x: WIDE - 22, y: y(rows.at(-1).points[side]) + 4, class: "last" }, rows.at(-1).points[side])];
    }));
}

// Pieces lost in each turn, a bar for each side.
function losses({ state }, { losses: rows }) {
  const sides = Object.keys(rows[0].lost), most = Math.max(1, ...rows.flatMap((row) => Object.values(row.lost))), step = (WIDE - LEFT) / rows.length, bar = Math.min(22, (step - 6) / sides.length);
  return h("svg.chart-line", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": rows.map((row) => `turn ${row.turn}: ${sides.map((side) => `${side} ${row.lost[side]}`).join(", ")}`).join("; ") },
    h("line", { x1: LEFT, x2: WIDE, y1: HIGH - BOTTOM, y2: HIGH - BOTTOM, class: "axis" }),
    rows.map((row, n) => [h("text", { x: LEFT + step * (n + 0.5), y: HIGH - 4, "text-anchor": "middle" }, row.turn), sides.map((side, s) => {
      const value = row.lost[side], high = ((HIGH - BOTTOM - 24) * value) / most, its = state.view.colours[side] ?? { fill: "#888", edge: "#333" }, left = LEFT + step * (n + 0.5) + (s - sides.length / 2) * bar;
      return value ? [h("rect", { x: left, y: HIGH - BOTTOM - high, width: bar - 3, height: high, rx: 2, fill: its.fill, stroke: its.edge }), h("text", { x: left + bar / 2 - 1, y: HIGH - BOTTOM - high - 4, "text-anchor": "middle", class: "last" }, value)] : null;
    })]), sides.map((side, s) => [h("rect", { x: LEFT + s * 110, y: 2, width: 10, height: 10, fill: state.view.colours[side]?.fill ?? "#888", stroke: state.view.colours[side]?.edge ?? "#333" }), h("text", { x: LEFT + 15 + s * 110, y: 11 }, sideName(side))]));
}
