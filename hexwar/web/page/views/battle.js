// An attack before the die, as a sheet that stands on the question: who takes part, what each counts, every shift with its rule, the
// table with its column, and the exact chances. The button of the question begins it.
import { dieFace, icon } from "../icons.js";
import { h } from "../render.js";
import { nameOf, pieceOf, placeName } from "../select.js";
import { placeWords } from "../map/boards.js";
import { cite, counter } from "./parts.js";

const said = (number) => (Number.isInteger(number) ? `${number}` : `${number}`.replace(/\.5$/, "½").replace(/^0½/, "½"));

/** @param {import("./parts.js").Page} page */
export function battle(page) {
  const { state, go } = page, { attack } = state;
  if (!attack) return [];
  const { odds, target } = attack, strengths = new Map((odds?.strengths ?? []).map(([unit, counted, reasons]) => [unit, { counted, reasons }]));
  const defenders = [...strengths.keys()].filter((unit) => !attack.able.includes(unit));
  const terrain = state.about.ground ? placeWords(state.about.ground, target).split(", ").slice(1).join(", ") : "";
  return [
    h("div.sheet#attack", { key: `battle ${target}`, role: "region", "aria-label": "Attack" },
      h("header", {}, icon("attack"), h("h2", {}, `Attack on ${placeName(state, target)}`), terrain ? h("span.chip", {}, terrain) : null,
        h("button.icon", { type: "button", title: "Close (Escape)", "aria-label": "Close", onclick: () => go({ is: "sheeted", sheet: null }) }, icon("cross"))),
      h("div.sides3", {},
        h("section", {}, h("h3.label", {}, "Attackers", h("span", {}, "counts")), attack.able.length ? null : h("p.small", {}, "Nobody can attack it from where they stand."),
          h("ul", {}, attack.able.map((unit) => attacker(page, unit, strengths.get(unit))))),
        h("section.middle", {}, odds ? chances(page, odds, attack) : h("p.small", {}, "Choose who attacks.")),
        h("section", {}, h("h3.label", {}, "Defenders", h("span", {}, "counts")), h("ul", {}, defenders.map((unit) => h("li.fighter", { key: unit }, face(page, unit), h("span", {}, h("b", {}, nameOf(state, unit)), reasons(page, strengths.get(unit)?.reasons)), h("b.counts", {}, said(strengths.get(unit)?.counted ?? 0))))))),
      odds ? results(odds, attack) : null),
  ];
}

const face = (page, unit) => {
  const piece = pieceOf(page.state, unit);
  return piece ? counter(page, piece) : null;
};
const reasons = (page, some = []) => some.map(([reason, clause], n) => h("small", { key: n }, `${reason} `, cite(page, clause)));

function attacker(page, unit, strength) {
  const { state, go } = page, { attack } = state, takesPart = attack.chosen.includes(unit), idle = attack.idle.includes(unit);
  const change = (event) => go({ do: "attack", target: attack.target, units: attack.able.filter((it) => (it === unit ? event.target.checked : attack.chosen.includes(it))) });
  const makes = attack.with?.[unit];
  return h("li.fighter", { key: unit, class: takesPart ? "" : "off" }, h("label", {}, h("input", { type: "checkbox", value: unit, checked: takesPart, disabled: attack.joined.includes(unit), onchange: change, "aria-label": nameOf(state, unit) }), face(page, unit),
    h("span", {}, h("b", {}, nameOf(state, unit)), idle ? h("small", {}, "may not attack now") : makes ? h("small", {}, `makes it ${makes}`) : null, reasons(page, strength?.reasons))), h("b.counts", {}, strength ? said(strength.counted) : ""));
}

function chances(page, odds, attack) {
  const shifts = odds.shifts.map(([columns, reason, clause], n) => h("li", { key: n }, h("b", { class: columns < 0 ? "bad" : "good" }, columns < 0 ? `◂ ${-columns}` : `▸ ${columns}`), h("span", {}, `${reason} `, cite(page, clause))));
  return [
    h("p.odds", {}, h("b", {}, said(odds.attack)), " to ", h("b", {}, said(odds.defence)), " → ", h("b.column", {}, odds.possible ? columnName(odds, attack) : "too low")),
    h("ul.shifts", {}, shifts),
    attack.table ? grid(attack.table) : null,
  ];
}

/** The column by its name in the table. */
export const columnName = (odds, attack) => attack.table?.columns[attack.table.column] ?? odds.name;

function grid({ columns, rows, row_labels: labels, column, printed }) {
  return h("div.wide", { tabindex: 0, role: "region", "aria-label": "Combat table" }, h("table.crt", {}, h("thead", {}, h("tr", {}, h("td"), columns.map((it, n) => h("th", { scope: "col", class: n === column ? "on" : n === printed ? "was" : "" }, it)))),
    h("tbody", {}, rows.map((row, r) => h("tr", { key: r }, h("th", { scope: "row" }, /^[1-6]$/.test(labels[r]) ? dieFace({ value: Number(labels[r]), faces: 6 }) : labels[r]), row.map((it, n) => h("td", { class: n === column ? "on" : "" }, it || "–")))))));
}

function results(odds, attack) {
  return h("div.results", {}, odds.results.map(([name, exact, chance, means]) => h("div.result", { key: name }, h("b", {}, name), h("span.bar", {}, h("span", { style: { width: `${100 * chance}%` } }), h("em", {}, attack.says?.[name] || means)), h("span.exact", {}, exact), h("span.percent", {}, `${(100 * chance).toFixed(0)} %`))));
}
