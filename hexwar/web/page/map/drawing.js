// What is drawn over the ground: elements of SVG that are made by hand, because there may be thousands.
import { arrowhead, joined, shortened, smooth } from "./trails.js";

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const centresOf = (board, places) => places.map((place) => board.centre(place)).filter(Boolean);

export function line(board, places, attributes) {
  return svg("polyline", { points: centresOf(board, places).map((point) => point.join(",")).join(" "), ...attributes });
}

// A flag for each place that somebody controls; those of a side are one element.
export function standards(board, control, colours) {
  const places = Object.entries(control).filter(([place]) => board.contains(place));
  return [...new Set(places.map(([, side]) => side))].map((side) => {
    const its = colours[side] ?? { fill: "#888", edge: "#333" };
    const d = places.filter(([, whose]) => whose === side).map(([place]) => board.centre(place)).map(([x, y]) => `M${x + 0.3} ${y + 0.12}h0.16v0.12h-0.16v0.1`).join("");
    return svg("path", { d, fill: its.fill, stroke: its.edge, "stroke-width": 0.02 });
  });
}

// What somebody wants to see over the whole map: {fills: [[side, labels]], lines: [[side, labels, class]], strikes: [[from, to]]}.
// Sides differ in the direction of their hatching, too.
export function veil(board, colours, { fills = [], lines = [], strikes = [] }) {
  const sides = Object.keys(colours), drawn = [svg("defs")];
  const its = (side) => colours[side] ?? { fill: "#888888", edge: "#333333" };
  for (const [side, labels] of fills) {
    const number = Math.max(0, sides.indexOf(side)), id = `hatch-${number}`;
    const pattern = svg("pattern", { id, width: 0.22, height: 0.22, patternTransform: `rotate(${number * 90 + 45})`, patternUnits: "userSpaceOnUse" });
    pattern.append(svg("rect", { width: 0.22, height: 0.22, fill: its(side).fill, "fill-opacity": 0.3 }));
    pattern.append(svg("rect", { width: 0.03, height: 0.22, fill: its(side).edge, "fill-opacity": 0.6 }));
    drawn[0].append(pattern);
    drawn.push(svg("path", { d: board.area(labels), fill: `url(#${id})` }));
  }
  for (const [side, labels, kind = ""] of lines) {
    const attributes = { class: `line ${kind}`, stroke: its(side).edge };
    drawn.push(line(board, labels, { ...attributes, class: `halo ${kind}`, stroke: its(side).fill }), line(board, labels, attributes));
    const end = board.centre(labels.at(-1));
    if (end) drawn.push(svg("circle", { cx: end[0], cy: end[1], r: 0.11, class: kind, fill: its(side).edge, stroke: its(side).fill, "stroke-width": 0.03 }));
  }
  for (const strike of strikes) drawn.push(...arrow(centresOf(board, strike), "strike", 0.3, 0.3));
  return drawn;
}

// An arrow through some points, with a halo.
export function arrow(points, kind, head, gap) {
  if (points.length < 2) return [];
  const ends = shortened(points, gap), stops = shortened(ends, head * 0.8), d = smooth(stops), tip = arrowhead(ends, head);
  return [svg("path", { d, class: `${kind}-edge` }), svg("path", { d: tip, class: `${kind}-edge head` }), svg("path", { d, class: kind }), svg("path", { d: tip, class: `${kind} head` })];
}

// What others moved: dashed arrows with a ring where they begin.
export function trodden(board, trails) {
  return joined(trails).flatMap(({ points, kind }) => {
    const middles = centresOf(board, points);
    if (middles.length < 2) return [];
    const [[x, y]] = middles;
    return [...arrow(middles, `trail ${kind}`.replace(/ .*/, ""), 0.26, 0.3), svg("circle", { cx: x, cy: y, r: 0.1, class: "trail-start" })];
  });
}

// Marks of places: {label: [class, words]}; the border of whatever is in reach, and the rest of the map dimmed.
export function marked(board, places, frame) {
  const drawn = [], labels = Object.keys(places).filter((label) => board.contains(label));
  const reach = labels.filter((label) => ["reach", "could", "corner"].includes(places[label][0]));
  const home = labels.filter((label) => places[label][0] === "chosen");
  if (reach.length && board.dims !== false) {
    const [left, top, wide, high] = frame, far = wide + high; // the table around the sheet as well
    drawn.push(svg("path", { class: "dimmed", d: `M${left - far} ${top - far}h${wide + 2 * far}v${high + 2 * far}h${-wide - 2 * far}Z${board.area([...reach, ...home])}`, "fill-rule": "evenodd" }));
  }
  for (const label of labels) {
    const [kind, words] = places[label];
    drawn.push(svg("path", { d: board.outline(label), class: kind }));
    if (!words) continue;
    const [x, y] = board.centre(label), text = svg("text", { x, y: y + 0.12, "font-size": 0.34, "text-anchor": "middle" });
    text.textContent = words;
    drawn.push(text);
  }
  if (reach.length) drawn.push(svg("path", { class: "border-edge", d: board.border([...reach, ...home]) }), svg("path", { class: "border", d: board.border([...reach, ...home]) }));
  return drawn;
}

// Points of objectives beside their places.
export function badges(board, objectives, colours) {
  return objectives.filter((it) => board.contains(it.place)).flatMap((it) => {
    const [x, y] = board.centre(it.place), its = colours[it.held_by] ?? { fill: "#fffdf6", ink: "#c31908", edge: "#c31908" };
    const text = svg("text", { x: x - 0.38, y: y - 0.22, "font-size": 0.22, "text-anchor": "middle", class: "badge-text", fill: its.ink });
    text.textContent = String(it.points);
    return [svg("circle", { cx: x - 0.38, cy: y - 0.3, r: 0.19, class: "badge", fill: its.fill, stroke: its.edge }), text];
  });
}
