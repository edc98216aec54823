// What is dragged, turned and measured on a plane: a ghost where a piece would stand, a ruler, and rays of sight. What a place would
// mean is asked of the server while the ghost moves; the page itself knows no rule.
import { svg } from "./drawing.js";

const CM = 100; // units of a table in a centimetre
const DRAG = 5, PAUSE = 66; // pixels that are no drag; milliseconds between two questions
const SNAP = 50, STEP = 100, FINE = 10; // units: how near a snap must be, how far an arrow goes, and with Shift
const TURN = 15; // degrees by which a key or a notch of the wheel turns
const COMPASS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Hand {
  /** @param {any} page map, get(), go(...), ask(what, query) */
  constructor({ map, get, go, ask }) {
    this.map = map;
    this.get = get;
    this.go = go;
    this.ask = ask;
    /** @type {any} */
    this.ghost = null; // {key, to, via, heading, said}
    /** @type {any} */
    this.held = null; // what a pointer holds: {piece, x, y, far}
    /** @type {any[]} */
    this.rays = []; // what `measure` says of sight: {look, name}
    this.words = document.createElement("div");
    Object.assign(this.words, { className: "held-words", hidden: true });
    this.words.setAttribute("role", "status");
    map.root.append(this.words);
  }

  // What is chosen, if it can be put anywhere.
  get free() {
    const { chosen, past } = this.get();
    return chosen?.open && !past ? chosen : null;
  }

  piece(id) {
    return this.get().view?.pieces.find((it) => it.id === id);
  }

  spot(id) {
    const place = this.piece(id)?.place;
    return place ? this.map.board.point(place) : undefined;
  }

  // -- the ghost --------------------------------------------------------------------------------------------------------

  begin() {
    const { free } = this, spot = free && this.spot(free.key);
    if (!spot) return null;
    if (this.ghost?.key !== free.key) this.ghost = { key: free.key, number: this.get().view.number, to: spot, via: [], heading: null, said: null };
    return this.ghost;
  }

  drop() {
    this.ghost = this.held = null;
    this.draw();
  }

  // The page has been drawn anew: the ghost of a piece that is not chosen any more goes.
  refresh() {
    const { free, ghost } = this, { view } = this.get();
    if (ghost && (free?.key !== ghost.key || view.number !== ghost.number)) this.ghost = null;
    if (view?.number !== this.number) this.rays = [];
    this.number = view?.number;
    this.draw();
  }

  action() {
    const { open } = this.free, { to, via, heading } = this.ghost;
    const more = { ...(open.way && via.length ? { [open.way]: via } : {}), ...(open.turn && heading !== null ? { [open.turn]: heading } : {}) };
    return { ...open.action, [open.point]: to, ...more };
  }

  move(to) {
    const ghost = this.begin(), near = this.free?.open.snaps.find((it) => Math.hypot(it.to[0] - to[0], it.to[1] - to[1]) <= SNAP);
    if (!ghost) return;
    ghost.to = (near?.to ?? to).map(Math.round);
    ghost.at = near?.name ?? "";
    this.draw();
    this.try();
  }

  turn(by) {
    const ghost = this.begin();
    if (!ghost || !this.free.open.turn) return;
    ghost.heading = (((ghost.heading ?? this.facing()) + by) % 360 + 360) % 360;
    this.draw();
    this.try();
  }

  corner() {
    const ghost = this.begin(), { open } = this.free ?? {};
    if (!ghost || !open.way || ghost.via.length >= open.legs - 1) return;
    ghost.via = [...ghost.via, ghost.to];
    this.try();
  }

  // Where the ghost looks: as it was turned, or the way it goes.
  facing() {
    const { ghost } = this, [x, y] = ghost.via.at(-1) ?? this.spot(ghost.key), [u, v] = ghost.to;
    return ghost.heading ?? (u === x && v === y ? this.piece(ghost.key).heading ?? 0 : Math.round((Math.atan2(u - x, y - v) * 180) / Math.PI + 360) % 360);
  }

  // Asks what the ghost would lead to: one question at a time, and not too many.
  async try() {
    if (this.asking) return void (this.again = true);
    this.asking = true;
    do {
      this.again = false;
      const { ghost } = this, said = ghost && this.free ? await this.ask("/try", { action: JSON.stringify(this.action()) }).catch(() => null) : null;
      if (said && ghost === this.ghost) Object.assign(ghost, { said });
      this.draw();
      await new Promise((after) => setTimeout(after, PAUSE));
    } while (this.again && this.ghost);
    this.asking = false;
  }

  // Does what the ghost shows: all of it, or as much as is possible.
  async act() {
    const { ghost } = this;
    if (!ghost || !this.free) return;
    const said = await this.ask("/try", { action: JSON.stringify(this.action()) }).catch(() => null);
    if (!said || ghost !== this.ghost) return;
    this.drop();
    const words = said.refusal && `${said.refusal.clause}: ${said.refusal.words}`;
    this.go(said.trimmed ? { do: "act", action: said.trimmed } : { is: "said", say: words });
  }

  // -- fingers, mice and keys -------------------------------------------------------------------------------------------

  // Whether it takes a pointer over: that on the chosen piece, or one that sets corners.
  down(event, place) {
    const id = event.target.closest?.(".piece")?.dataset.piece, { free } = this, at = this.point(place);
    if (!free || event.button || (id ? id !== free.key : !(event.shiftKey || this.ghost?.via.length))) return false;
    this.held = { piece: id ?? null, x: event.clientX, y: event.clientY, far: false, corner: !id && event.shiftKey };
    if (!id && at) this.move(at);
    return true;
  }

  hold(event, place) {
    const { held } = this, at = this.point(place);
    if (!held) return false;
    held.far ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > DRAG;
    if (held.far && at) this.move(at);
    return true;
  }

  up(event) {
    const { held } = this;
    if (!held) return false;
    this.held = null;
    if (event.type === "pointercancel") this.drop();
    else if (held.corner) this.corner();
    else if (held.far || !held.piece) this.act();
    return true;
  }

  wheel(event) {
    if (!this.held?.far) return false;
    this.turn(event.deltaY > 0 ? TURN : -TURN);
    return true;
  }

  point(place) {
    return place ? this.map.board.point(place) ?? this.map.centre(place)?.map((at) => at / this.map.ground.scale) : undefined;
  }

  /** Whether it was one of its keys. */
  key(event) {
    const { ghost, free } = this, step = ARROWS[event.key], far = event.shiftKey ? FINE : STEP;
    if (event.key === "v") return this.sight();
    if (event.key === "d") return this.measure();
    if (!free) return false;
    if (step && this.begin()) return this.move(this.ghost.to.map((at, n) => at + step[n] * far)), true;
    if ("[]{}".includes(event.key)) return this.turn({ "[": -TURN, "]": TURN, "{": -1, "}": 1 }[event.key]), true;
    if (!ghost) return false;
    if (event.key === "b") return this.corner(), true;
    if (event.key === "Enter") return this.act(), true;
    if (event.key === "Escape") return this.drop(), true;
    return false;
  }

  // -- measuring --------------------------------------------------------------------------------------------------------

  get about() {
    const { chosen, looked } = this.get(), id = [chosen?.key, looked?.piece].find((it) => it && this.spot(it));
    return id && this.piece(id);
  }

  others(piece) {
    const [x, y] = this.spot(piece.id), far = (it) => Math.hypot(this.spot(it.id)[0] - x, this.spot(it.id)[1] - y);
    return this.get().view.pieces.filter((it) => it.side !== piece.side && this.spot(it.id)).sort((a, b) => far(a) - far(b));
  }

  // What a piece sees of each enemy, and what is in the way; once more takes it away.
  sight() {
    const piece = this.about;
    if (!piece) return false;
    if (this.rays.length) this.rays = [];
    else this.asked(piece, this.others(piece));
    this.draw();
    return true;
  }

  // The distance to the nearest enemy, then to the next.
  measure() {
    const piece = this.about;
    if (!piece) return false;
    const others = this.others(piece), last = this.rays.length === 1 ? others.findIndex((it) => it.id === this.rays[0].other) : -1;
    if (others.length) this.asked(piece, [others[(last + 1) % others.length]]);
    return true;
  }

  async asked(piece, others) {
    const { number } = this.get().view;
    const found = await Promise.all(others.map((it) => this.ask("/measure", { unit: piece.id, other: it.id }).catch(() => null)));
    if (this.get().view?.number !== number) return;
    this.rays = others.flatMap((it, n) => (found[n] ? [{ ...found[n], from: piece, other: it.id, name: it.name }] : []));
    this.draw();
  }

  // -- drawing ----------------------------------------------------------------------------------------------------------

  at([x, y]) {
    return [x, y].map((it) => it * this.map.ground.scale);
  }

  path(points, more = "") {
    return points.map((point, n) => `${n ? "L" : "M"}${this.at(point).map((it) => it.toFixed(3)).join(" ")}`).join("") + more;
  }

  draw() {
    const { free, ghost } = this, drawn = [];
    if (free?.open.region.length) drawn.push(svg("path", { class: "held-region", d: this.path(free.open.region, "Z") }));
    for (const { to } of free?.open.snaps ?? []) drawn.push(svg("circle", { class: "held-snap", cx: this.at(to)[0], cy: this.at(to)[1], r: 0.09 }));
    if (!ghost) drawn.push(...this.view(this.about));
    for (const { look } of this.rays) drawn.push(svg("path", { class: `held-ray ${look.clear ? "clear" : "dark"}`, d: this.path([look.eye, look.to]) }));
    if (ghost) drawn.push(...this.shadow());
    this.map.held.replaceChildren(...drawn);
    const told = ghost ? this.told() : this.rays.map((ray) => this.seen(ray)).join("\n");
    this.words.hidden = !told;
    if (this.words.textContent !== told) this.words.textContent = told;
    this.words.classList.toggle("bad", Boolean(ghost?.said?.refusal));
  }

  // The arc in which a piece looks.
  view(piece) {
    if (!piece?.arc || piece.heading === undefined || !this.spot(piece.id)) return [];
    const [x, y] = this.at(this.spot(piece.id)), far = 2;
    const [u, v] = [-1, 1].map((side) => ((piece.heading + (side * piece.arc) / 2 - 90) * Math.PI) / 180).map((angle) => [x + far * Math.cos(angle), y + far * Math.sin(angle)]);
    return [svg("path", { class: "held-arc", d: `M${x} ${y}L${u.join(" ")}A${far} ${far} 0 ${piece.arc > 180 ? 1 : 0} 1 ${v.join(" ")}Z` })];
  }

  // The way that is possible, what lies beyond it, and the base where the piece would stand.
  shadow() {
    const { ghost } = this, { open } = this.free ?? {}, start = this.spot(ghost.key), trimmed = ghost.said?.trimmed;
    if (!open || !start) return [];
    const end = trimmed?.[open.point] ?? (ghost.said ? start : ghost.to), via = open.way ? trimmed?.[open.way] ?? ghost.via : [];
    const [wide, deep] = this.piece(ghost.key).base ?? [300, 300], [x, y] = this.at(end), scale = this.map.ground.scale;
    const base = { x: (-wide / 2) * scale, y: (-deep / 2) * scale, width: wide * scale, height: deep * scale, transform: `translate(${x} ${y}) rotate(${this.facing()})` };
    return [
      svg("path", { class: "held-beyond", d: this.path([end, ghost.to]) }),
      svg("path", { class: "held-way", d: this.path([start, ...via, end]) }),
      svg("rect", { class: `held-ghost ${trimmed || !ghost.said ? "" : "bad"}`, ...base }),
      svg("path", { class: "held-front", transform: base.transform, d: `M${base.x} ${base.y}h${base.width}` }),
    ];
  }

  // The same in words: how far and where to, whom it would see, what else there is to know, and what is against it.
  told() {
    const { said, to, key, at } = this.ghost, [x, y] = this.spot(key), end = said?.trimmed?.[this.free?.open.point] ?? to;
    const way = (Math.round((Math.atan2(end[0] - x, y - end[1]) * 4) / Math.PI) + 8) % 8, far = said?.length ?? Math.hypot(end[0] - x, end[1] - y);
    const names = (said?.sees ?? []).map((id) => this.piece(id)?.name ?? id);
    const lines = [far ? `${(far / CM).toFixed(1)} cm ${COMPASS[way]}` : `heading ${this.facing()}°`, at];
    if (said?.trimmed) lines.push(names.length ? `sees ${names.join(", ")}` : "sees nobody", ...said.notes.map(([words, clause]) => `${words} (${clause})`));
    if (said?.refusal) lines.push(`${said.refusal.clause}: ${said.refusal.words}`);
    return lines.filter(Boolean).join("\n");
  }

  seen({ gap, look, from, name }) {
    const what = look.clear ? "sees it" : look.by ? `does not see it: ${look.by}` : "does not look there";
    return `${name}: ${gap.toFixed(1)} cm, ${from.name} ${what}`;
  }
}
