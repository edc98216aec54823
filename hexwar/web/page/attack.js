// An attack before the die: who could take part, what everybody counts, every shift with its rule, and the exact chances.
import { make } from "./api.js";

export function clauseButton(clause, rule) {
  const button = make("button", { type: "button", className: "clause", textContent: clause, title: "What the rule says" });
  button.onclick = () => rule(clause);
  return button;
}

// `found` is what the server says; `on` has name(key), rule(clause), change(units), attack(units) or null, close().
export function attackPanel(found, on) {
  const strengths = new Map((found.odds?.strengths ?? []).map(([unit, counted, reasons]) => [unit, { counted, reasons }]));
  const why = (unit) => (strengths.get(unit)?.reasons ?? []).flatMap(([reason, clause]) => [`, ${reason} `, clauseButton(clause, on.rule)]);
  const counted = (unit) => (strengths.has(unit) ? `: ${strengths.get(unit).counted}` : "");
  const boxes = found.able.map((unit) => {
    const box = make("input", { type: "checkbox", checked: found.chosen.includes(unit), disabled: found.joined.includes(unit) });
    box.value = unit;
    box.onchange = () => on.change(found.able.filter((it) => (it === unit ? box.checked : found.chosen.includes(it))));
    const idle = found.idle.includes(unit) ? ", may not attack now" : "";
    return make("li", {}, make("label", {}, box, ` ${on.name(unit)}${counted(unit)}${idle}`), ...why(unit));
  });
  const defenders = [...strengths.keys()].filter((unit) => !found.able.includes(unit));
  const close = make("button", { type: "button", textContent: "Close" });
  close.onclick = on.close;
  const parts = [make("h2", { textContent: `Attack on ${on.name(found.target)}` })];
  parts.push(make("p", { textContent: found.able.length ? "Attackers" : "Nobody can attack it from where he stands." }), make("ul", {}, ...boxes));
  if (defenders.length) {
    parts.push(make("p", { textContent: "Defenders" }));
    parts.push(make("ul", {}, ...defenders.map((unit) => make("li", {}, `${on.name(unit)}${counted(unit)}`, ...why(unit)))));
  }
  if (found.odds) parts.push(...chances(found.odds, on));
  const buttons = make("div", { className: "tools" });
  const idle = found.chosen.some((unit) => found.idle.includes(unit)); // the odds count somebody who may not attack
  if (on.attack && found.odds?.possible && !idle) {
    const fresh = found.chosen.filter((unit) => !found.joined.includes(unit));
    const attack = make("button", { type: "button", className: "ends", textContent: `Attack with ${fresh.length} more at ${found.odds.name}` });
    if (!found.joined.length) attack.textContent = `Attack with ${fresh.length} at ${found.odds.name}`;
    attack.onclick = () => on.attack(fresh);
    if (fresh.length) buttons.append(attack);
  }
  buttons.append(close);
  return [...parts, buttons];
}

function chances(odds, on) {
  const shifts = odds.shifts.map(([columns, reason, clause]) =>
    make("li", {}, `${columns > 0 ? "+" : ""}${columns}: ${reason} `, clauseButton(clause, on.rule)));
  const rows = odds.results.map(([name, exact, chance, means]) => {
    const bar = make("meter", { min: 0, max: 1, value: chance });
    bar.setAttribute("aria-label", `${name}: ${exact}`);
    return make("tr", {}, make("th", { scope: "row", textContent: name }), make("td", { textContent: exact }),
      make("td", { textContent: `${(100 * chance).toFixed(1)} %` }), make("td", {}, bar), make("td", { textContent: means }));
  });
  const line = odds.possible ? `${odds.attack} to ${odds.defence}: ${odds.name}` : `${odds.attack} to ${odds.defence}: the odds are too low for an attack`;
  return [make("p", { className: "odds", textContent: line }), make("ul", {}, ...shifts), make("table", {}, ...rows)];
}
