// The briefing: what the game is about, who one is, what wins, and what to do first.
import { icon } from "../icons.js";
import { h } from "../render.js";
import { arrowhead, smooth } from "../map/trails.js";
import { capital, sideName } from "../select.js";
import { button, cite, counter, swatch, table } from "./parts.js";

/** @param {import("./parts.js").Page} page */
export function briefing(page) {
  const { state, go } = page, { about, view } = state, told = about.briefing;
  if (!view) return [];
  const sides = Object.keys(view.colours).filter((side) => Object.values(about.seats).includes(side));
  const pieces = new Map(view.pieces.map((it) => [it.id, it])), mine = about.seats[state.seat ?? ""];
  const begin = () => go({ is: "sheeted", sheet: null }, { do: "set", name: `briefed ${about.ruleset} ${about.scenario_id}`, value: true });
  return [h("div.brief", { key: "brief" },
    h("div.facts-column", {}, h("div.picture", {}, picture(page), told.period ? h("p.float", {}, h("span.label", {}, told.period)) : null), turns(view)),
    h("div.words", {}, h("p.label", {}, `${about.title} · scenario`), h("h2.hero", {}, about.scenario), h("p.lead", {}, told.about),
      h("div.two", {}, sides.map((side) => h("section.paper", { key: side }, h("h3", {}, swatch(page, side), side === mine ? `You: ${sideName(side)}` : sideName(side)),
        h("div.held-all", {}, samples(told, view, side).map((id) => pieces.get(id)).filter(Boolean).map((it) => counter(page, it))), h("p.small", {}, told.sides[side] ?? "")))),
      told.victory.length || view.score.some((it) => it.needed !== null) ? h("section.paper.victory", {}, h("h3", {}, icon("star"), heading(view, mine)), h("dl", {}, told.victory.flatMap((line) => [h("dt", {}, line.points), h("dd", {}, `${line.words} `, cite(page, line.clause))]))) : null,
      told.first.length ? h("section", {}, h("h3.label", {}, "Your first turn"), h("ol.first", {}, told.first.map((step, n) => h("li", { key: n }, h("span.step", {}, n + 1), h("p", {}, h("b", {}, step.heading), " ", step.words))))) : null,
      h("footer", {}, button(["Begin ", h("kbd", { "aria-hidden": "true" }, "Enter")], begin, { class: "primary big", id: "begin" }), about.lesson.length ? button("Guided first turn", () => go({ do: "set", name: `briefed ${about.ruleset} ${about.scenario_id}`, value: true }, { is: "lessoned", lesson: { step: 0, did: "" } }), { class: "big", id: "guided" }) : null,
        button([icon("rules"), "Rules"], () => go({ is: "sheeted", sheet: null }, { is: "tabbed", tab: "rules" }), { class: "quiet" }))))];
}

// Some pieces of a side, if its briefing names none.
function samples(told, view, side) {
  if (told.samples[side]?.length) return told.samples[side];
  const kinds = new Map(view.pieces.filter((it) => it.side === side && !it.works).map((it) => [`${it.kind} ${it.values}`, it.id]));
  return [...kinds.values()].slice(0, 4);
}

// The map with what is worth points, and where the sides want to go.
function picture({ state, map }) {
  const { about, view } = state, { ground } = about;
  if (!ground || !map) return null;
  const [left, top] = ground.origin, [wide, high] = ground.size;
  const arrows = about.briefing.arrows.map(({ side, words, places }) => {
    const points = places.map((place) => map.centre(place)).filter(Boolean), its = view.colours[side]?.edge ?? "#333", [x, y] = points[Math.floor(points.length / 2)] ?? [0, 0];
    if (points.length < 2) return null;
    return [h("path", { class: "aim", d: smooth(points) }), h("path", { class: "aim", d: smooth(points), style: { stroke: its } }), h("path", { d: arrowhead(points, 0.9), style: { fill: its } }), h("text", { class: "named", x, y: y - 0.5 }, words)];
  });
  const goals = view.objectives.filter((it) => map.centre(it.place)).map((it) => {
    const [x, y] = map.centre(it.place);
    return [h("circle", { class: "goal-ring", cx: x, cy: y - 0.6, r: 0.42 }), h("text", { x, y: y - 0.42 }, it.points)];
  });
  return h("figure", {}, h("img", { src: about.picture ?? "", alt: "" }), h("svg", { viewBox: `${left} ${top} ${wide} ${high}`, "aria-hidden": "true" }, goals, arrows));
}

function heading(view, mine) {
  const its = view.score.find((it) => it.side === mine);
  const last = view.turns ? ` at the end of turn ${view.turns}` : "";
  return its && its.needed !== null ? `You win with ${its.needed} points${last}` : `What counts${last}`;
}

function turns(view) {
  const cells = view.track;
  if (cells.length < 2) return null;
  const kinds = [...new Set(cells.flatMap((cell) => cell.marks.map((mark) => mark.kind)))];
  const rows = kinds.map((kind) => [capital(kind), ...cells.map((cell) => {
    const its = cell.marks.filter((mark) => mark.kind === kind);
    return its.length ? h("span", { title: its.map((mark) => mark.words).join("\n") }, its.length > 1 ? its.length : "●") : "·";
  })]);
  return h("section.turns", {}, h("h3", {}, `The ${cells.length} turns`), h("div.wide", { tabindex: 0, role: "region", "aria-label": "Turns" }, table(["", ...cells.map((cell) => [h("b", {}, cell.number), cell.short ? h("small", {}, ` ${cell.short}`) : ""])], rows)));
}
