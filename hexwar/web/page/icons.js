// Icons, drawn for this page: lines of one width on a field of 20 by 20.
import { h } from "./render.js";

const LINES = {
  supply: "M10 2.5C12.5 6 15 8.6 15 12a5 5 0 0 1-10 0c0-3.4 2.5-6 5-9.5z",
  command: "M5 18V3M5 3.5h10l-2.5 3.5L15 10.5H5",
  zones: "M10 2l7 4v8l-7 4-7-4V6zM10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  control: "M4 4.5l4-1.5 4 2 4-1.5v12l-4 1.5-4-2-4 1.5z",
  moves: "M3 16c5 0 3-8 9-9m-3-3l3.5 3L9 10",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  eye: "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 7.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  chat: "M3 4h14v10H9l-4 3.5V14H3z",
  rules: "M10 5C8 3.5 5.5 3.5 3 4v12c2.5-.5 5-.5 7 1 2-1.5 4.5-1.5 7-1V4c-2.5-.5-5-.5-7 1zm0 0v12",
  bell: "M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3",
  menu: "M3 5h14M3 10h14M3 15h14",
  undo: "M8 4L4 8l4 4M4 8h8a4 4 0 0 1 0 8H9",
  next: "M5 4l7 6-7 6zM15 4v12",
  hint: "M7.5 14h5M8 17h4M10 2.5a5 5 0 0 1 2.5 9.300V14h-5v-2.2A5 5 0 0 1 10 2.5z",
  show: "M6 4l10 6-10 6z",
  star: "M10 2.5l2.300 4.900 5.2.7-3.8 3.700.9 5.300L10 14.5l-4.600 2.600.9-5.300L2.5 8.100l5.2-.7z",
  people: "M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm-5 8c0-4 2-6 5-6s5 2 5 6M13 3.5a3 3 0 0 1 0 5.5M14 11.2c2.5.5 4 2.5 4 5.8",
  link: "M8.5 11.5a3.5 3.5 0 0 0 5 0l3-3a3.5 3.5 0 0 0-5-5l-1 1M11.5 8.5a3.5 3.5 0 0 0-5 0l-3 3a3.5 3.5 0 0 0 5 5l1-1",
  check: "M4 10.5l4 4 8-9",
  lock: "M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3",
  stack: "M3 7h10v10H3zM7 7V3h10v10h-4",
  attack: "M10 1.5v5M10 13.5v5M1.5 10h5M13.5 10h5M10 4.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z",
  clock: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM10 6v4l3 2",
  info: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM10 9v5M10 6v.5",
  end: "M5 18V3M5 3.5h10v7H5",
  reach: "M3 10h13m-5-5l5 5-5 5",
  flag: "M5 18V3M5 3.5h10l-2.5 3.5L15 10.5H5",
  cross: "M5 5l10 10M15 5L5 15",
  cup: "M4 5h12l-1.5 12h-9zM4 5c0-1.5 12-1.5 12 0",
  corner: "M3 16h6V6h8m-3-3l3 3-3 3",
  list: "M3 5h2M8 5h9M3 10h2M8 10h9M3 15h2M8 15h9",
  down: "M5 8l5 5 5-5",
  up: "M5 12l5-5 5 5",
  save: "M10 3v10m-4-4l4 4 4-4M3 17h14",
};
const ALIKE = {
  reinforcement: "people", weather: "clock", rule: "info", zone: "zones", state: "info", mark: "info", place: "flag", path: "reach", retreat: "undo",
  chits: "cup", sight: "eye", facing: "next", move: "reach", advance: "reach", rail: "reach", fly: "reach", fire: "attack", remove: "cross",
};

/**
 * An icon by its name; a dot for one that nobody has drawn.
 * @param {string} name
 */
export function icon(name) {
  const line = LINES[name] ?? LINES[ALIKE[name]] ?? "M10 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z";
  return h("svg.icon-line", { viewBox: "0 0 20 20", "aria-hidden": "true" }, h("path", { d: line }));
}

const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]] };

/**
 * A die as it lies there; one with other faces than six shows its number.
 * @param {{value: number, faces: number}} die
 * @param {string} [how] a class
 */
export function dieFace({ value, faces }, how = "") {
  const pips = faces === 6 ? PIPS[value] : null;
  const inner = pips
    ? pips.map(([x, y]) => h("circle", { cx: 10 + 5 * x, cy: 10 + 5 * y, r: 1.9 }))
    : [h("text", { x: 10, y: 14, "text-anchor": "middle", "font-size": 11 }, value)];
  return h("svg", { class: `die ${how}`.trim(), viewBox: "0 0 20 20", role: "img", "aria-label": `rolled ${value}` }, h("rect", { x: 1, y: 1, width: 18, height: 18, rx: 4 }), inner);
}
