// The card: what is chosen or was clicked, with its numbers, what holds of it, what it may do and why not. With nothing chosen, what
// is worth points. It is derived from the present position, so that it cannot be out of date.
import { icon } from "../icons.js";
import { h } from "../render.js";
import { capital, placeName, sideName, subject } from "../select.js";
import { open } from "../state.js";
import { placeWords } from "../map/boards.js";
import { button, cite, counter, swatch } from "./parts.js";

/** @param {import("./parts.js").Page} page */
export function card(page) {
  const { state } = page;
  if (!state.view) return [];
  if (state.rule) return rule(page);
  const it = subject(state);
  if (!it) return goals(page);
  return it.piece ? unit(page, it) : place(page, it);
}

function unit(page, { piece, place: at, here, card: told }) {
  const { state } = page, ground = state.about.ground;
  const stats = told?.stats ?? [], facts = told?.facts ?? [];
  const where = at === null ? "not on the map" : ground ? placeName(state, at) : at;
  return [
    h("div.top", { key: "top" }, counter(page, piece, "large"), h("div", {}, h("p.label", {}, [sideName(piece.side), told?.group, told?.kind ?? piece.kind?.replaceAll("_", " ")].filter(Boolean).join(" · ")),
      h("h2", {}, piece.name), h("p.small", { title: `${piece.id}${at === null ? "" : `, ${at}`}` }, where))),
    h("dl.stats", { key: "stats" }, stats.map((stat) => h("div", { key: stat.label, title: stat.clause ? `${stat.label} (${stat.clause})` : stat.label }, h("dt", {}, stat.label), h("dd", {}, stat.value, stat.base ? h("small", {}, ` of ${stat.base}`) : null)))),
    h("ul.facts", { key: "facts" }, facts.map((fact) => item(page, fact, fact.icon)), (told?.may ?? []).map((fact) => item(page, fact, "check")), (told?.may_not ?? []).map((fact) => item(page, fact, "lock"))),
    others(page, here, piece),
  ];
}

function item(page, { words, clause, good }, name) {
  return h("li", { key: words, class: good === true ? "good" : good === false ? "bad" : "" }, icon(name), h("span", {}, capital(words), " ", cite(page, clause)));
}

// Who else stands there.
function others(page, here, piece) {
  const { state, go } = page, keys = open(state);
  if (here.length < 2 && piece) return null;
  return h("div.stack#stack", { key: "stack", "aria-label": "In this place" }, here.map((it) => h("button.held", { key: it.id, type: "button", title: it.says, "aria-label": it.says, class: `${keys.includes(it.id) ? "open" : ""} ${it.id === piece?.id ? "on" : ""}`,
    onclick: () => (keys.includes(it.id) ? go({ is: "choose", key: it.id }) : go({ is: "looked", piece: it.id, place: it.place }, { do: "plan", unit: it.id })) }, counter(page, it))));
}

function place(page, { place: at, here }) {
  const { state } = page, ground = state.about.ground, held = (state.past ?? state.view).control[at];
  const goal = state.view.objectives.find((it) => it.place === at);
  return [
    h("div.top.plain", { key: "top" }, h("div", {}, h("p.label", {}, ground.names[at] ? at : "place"), h("h2", {}, placeName(state, at)), h("p.small", {}, placeWords(ground, at)))),
    h("ul.facts", { key: "facts" }, held ? h("li", { key: "held" }, icon("flag"), h("span", {}, `Held by ${sideName(held)}`)) : null,
      goal ? h("li", { key: "goal" }, icon("star"), h("span", {}, `${goal.points} points ${goal.words ?? ""} `, cite(page, goal.clause))) : null,
      state.words.slice(1).map((words) => h("li", { key: words }, icon("info"), h("span", {}, capital(words.trim().replace(/ {2,}/g, ", ")))))),
    others(page, here, null),
  ];
}

function rule(page) {
  const { clause, text, ruling } = page.state.rule;
  return [h("div#about", { key: "about" }, h("h2", {}, `Rule ${clause}`), h("p", {}, text), ruling ? h("p.ruling.small", {}, ruling) : null, button("Close", () => page.go({ is: "ruleCame", rule: null })))];
}

// Nothing is chosen: what the game is about.
function goals(page) {
  const { state, go } = page, { score, objectives } = state.view;
  return [
    h("div.top.plain", { key: "top" }, h("div", {}, h("p.label", {}, "Points"), score.length || objectives.length ? null : h("p.small", {}, "This game counts no points. Click a piece or a place."))),
    h("div#scores", { key: "scores" }, score.map(({ side, points, needed, clause, items }) => h("div.score", { key: side }, h("details", { key: side, open: state.opened.includes(`score ${side}`) },
      h("summary", { onclick: (event) => (event.preventDefault(), go({ is: "unfolded", part: `score ${side}` })) }, swatch(page, side), h("b", {}, ` ${sideName(side)}: ${points}`), needed === null ? null : ` of ${needed}`),
      h("ul.small", {}, items.map(([number, reason, from], n) => h("li", { key: n }, `${number > 0 ? "+" : ""}${number} ${reason} `, cite(page, from))))), clause ? cite(page, clause) : null))),
    h("ul.goals", { key: "goals" }, [...objectives].sort((a, b) => b.points - a.points).slice(0, 12).map((it) => h("li", { key: String(it.place) }, h("button", { type: "button", title: it.words ?? "", onclick: () => (page.map?.show(it.place, true), go({ is: "looked", piece: null, place: it.place })) },
      h("b", {}, it.points), h("span", {}, placeName(state, it.place)), it.held_by ? swatch(page, it.held_by) : null)))),
  ];
}
