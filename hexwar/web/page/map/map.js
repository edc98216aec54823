// The map: the ground is a picture that is rasterised once for each size, marks are a layer of their own, and so are the counters:
// a canvas for the part of the map around the window. Every piece is an element with a name, too, which is clicked, focused and
// read aloud. Panning and zooming change one transform; when a zoom is over, everything gets its new size.
import { idle, make } from "../api.js";
import { boardOf } from "./boards.js";
import { arrow, badges, marked, standards, svg, trodden, veil } from "./drawing.js";
import { COUNTER, Faces, WORKS } from "./faces.js";
import { along } from "./trails.js";

const STEP = 0.07; // how far each piece of a stack lies from the one below
const LEAST = 3, MOST = 160; // pixels of a unit
const MOST_PIXELS = 40e6;
const DRAG = 5;
const READING = 44; // pixels of a unit at which counters can be read
const AROUND = 0.5, MOST_AROUND = 16e6; // how far beyond the window counters are painted, as a part of its width, and how many pixels that may be
// How pieces are marked, the strongest last: the width of the ring in units, its colour, and whether it is dashed.
const RINGS = { open: [0.045, "#ffc61a"], chosen: [0.065, "#0b63a5"], cut: [0.05, "#650668", true], advised: [0.07, "#044c3e", true], meant: [0.07, "#c4007f"] };
const GLIDE = 260; // milliseconds for which a piece glides to where it is now
const LABEL = 0.115, READABLE = 4; // how large the labels of hexes are, and from how many pixels on they are drawn

export class GameMap {
  // The ground may be painted later: pieces and marks do not wait for it.
  constructor(root, ground, on) {
    /** @type {HTMLElement} */
    this.root = root;
    /** @type {import("../types").Ground} */
    this.ground = ground;
    this.on = on;
    this.picture = null;
    this.board = boardOf(ground);
    // What is dragged, measured and turned on a plane is a module of its own (see plane.js): `down(event, place)` takes a pointer over
    // if it answers true, then come `hold(event, place)`, `wheel(event)` and `up(event)`; it draws into the layer `this.held`.
    /** @type {any} */
    this.plane = null;
    this.width = ground.size[0];
    this.height = ground.size[1];
    this.canvas = make("canvas");
    this.layers = [0, 1, 2, 3, 4, 5].map(() => svg("svg", { "aria-hidden": "true" }));
    this.veil = this.layers[0];
    this.flags = this.layers[1];
    this.marks = this.layers[2];
    this.trails = this.layers[3];
    this.trail = this.layers[4];
    this.held = this.layers[5];
    this.counters = make("canvas", { className: "counters" });
    this.pieces = make("div", { className: "pieces" });
    this.tip = make("div", { className: "tip", hidden: true });
    this.world = make("div", { className: "world" }, this.canvas, ...this.layers, this.counters, this.pieces);
    root.append(this.world, this.tip);
    const [left, top] = ground.origin;
    for (const layer of this.layers) layer.setAttribute("viewBox", `${left} ${top} ${this.width} ${this.height}`);
    this.shapes = new Map(Object.values(ground.outlines).map((data) => [data, new Path2D(data)]));
    this.flights = new Map(); // pieces that glide -> by which points, and since when
    this.elements = new Map();
    this.spare = new Map(); // of pieces that are not on the map now
    /** @type {Map<string, any>} */
    this.rings = new Map(Object.keys(RINGS).map((ring) => [ring, new Set()])); // which pieces are marked how
    this.fans = new Map(); // the pieces of the open stack -> how far to the side each lies
    this.stacks = new Map();
    /** @type {any} */
    this.painted = {}; // its promise is kept when counters can be seen
    this.painted.promise = new Promise((kept) => (this.painted.resolve = kept));
    this.faces = new Faces((sheet) => {
      this.repaint();
      idle(() => sheet.raster(this.pixels(sheet.wide))); // what is not seen yet may be seen soon
    });
    this.marked = [];
    this.unit = 0;
    this.zoom = 1;
    this.x = 0;
    this.y = 0;
    /** @type {any} */
    this.window = null;
    this.fitted = true; // until somebody moves it
    this.fit();
    this.follow();
    new ResizeObserver(() => (this.fitted ? this.fit() : this.place())).observe(root);
  }

  // Where a place is drawn; undefined for what is not on the board.
  centre(place) {
    return this.board.centre(place);
  }

  // -- where and how large ----------------------------------------------------------------------------------------------

  fit() {
    const { clientWidth, clientHeight } = this.root;
    if (!clientWidth || !clientHeight) return;
    this.zoom = 1;
    this.fitted = true;
    this.unit = Math.max(LEAST, Math.min(MOST, clientWidth / this.width, clientHeight / this.height));
    this.x = (clientWidth - this.width * this.unit) / 2;
    this.y = (clientHeight - this.height * this.unit) / 2;
    this.settle();
  }

  // The picture of the ground has come.
  paint(picture) {
    this.picture = picture;
    this.canvas.width = 0;
    this.settle();
  }

  place() {
    const at = (length) => (this.zoom === 1 ? Math.round(length) : length); // whole pixels keep counters sharp
    this.world.style.transform = `translate(${at(this.x)}px, ${at(this.y)}px) scale(${this.zoom})`;
    if (this.zoom === 1 && !this.covers()) this.repaint();
  }

  settle() {
    this.unit *= this.zoom;
    this.zoom = 1;
    const wide = this.width * this.unit, high = this.height * this.unit;
    this.world.style.setProperty("--u", this.unit);
    for (const layer of [this.canvas, ...this.layers]) {
      layer.style.width = `${wide}px`;
      layer.style.height = `${high}px`;
    }
    const sharp = Math.min(devicePixelRatio, Math.sqrt(MOST_PIXELS / (wide * high)));
    if (this.picture && Math.abs(this.canvas.width - wide * sharp) > 1) {
      this.canvas.width = wide * sharp;
      this.canvas.height = high * sharp;
      this.canvas.getContext("2d").drawImage(this.picture, 0, 0, this.canvas.width, this.canvas.height);
      if (this.ground.outline) this.label(this.unit * sharp);
    }
    this.world.classList.toggle("small", this.unit < 24);
    for (const element of this.elements.values()) this.put(element);
    this.window = null;
    this.place();
  }

  // The labels of hexes, where they can be read: in the picture they would be half of its bytes.
  label(size) {
    if (size * LABEL < READABLE) return;
    const pen = this.canvas.getContext("2d"), [left, top] = this.ground.origin;
    Object.assign(pen, { font: `${size * LABEL}px "DejaVu Sans", Verdana, sans-serif`, textAlign: "center", fillStyle: "#6d6655" });
    for (const [label, [x, y]] of Object.entries(this.ground.centres)) pen.fillText(label, (x - left) * size, (y - top - 0.36) * size);
  }

  zoomBy(factor, x = this.root.clientWidth / 2, y = this.root.clientHeight / 2) {
    const wanted = Math.max(LEAST / this.unit, Math.min(MOST / this.unit, this.zoom * factor));
    this.x = x - ((x - this.x) * wanted) / this.zoom;
    this.y = y - ((y - this.y) * wanted) / this.zoom;
    this.zoom = wanted;
    this.fitted = false;
    this.place();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.settle(), 160);
  }

  panBy(x, y) {
    this.x += x;
    this.y += y;
    this.fitted = false;
    this.place();
  }

  // Brings a place into the window; `near` brings a map that is far away near enough to read counters, too.
  show(label, near = false) {
    const centre = this.centre(label);
    if (!centre) return;
    if (near && this.fitted && this.unit < READING) {
      this.zoom = 1;
      this.unit = READING;
      this.x = this.y = -1e6; // somewhere else: it will be brought into the middle
      this.fitted = false;
      this.settle();
    }
    const [left, top] = this.ground.origin, size = this.unit * this.zoom;
    const x = this.x + (centre[0] - left) * size, y = this.y + (centre[1] - top) * size;
    const { clientWidth, clientHeight } = this.root;
    if (x >= 40 && y >= 40 && x <= clientWidth - 40 && y <= clientHeight - 40) return;
    const kept = (at, room, long) => (long < room ? (room - long) / 2 : Math.max(room - long, Math.min(0, at))); // nothing of the window stays empty
    this.panBy(kept(this.x + clientWidth / 2 - x, clientWidth, this.width * size) - this.x, kept(this.y + clientHeight / 2 - y, clientHeight, this.height * size) - this.y);
  }

  // Brings a place into the upper part of the window, which a sheet leaves free.
  lift(label, part = 0.16) {
    const centre = this.centre(label), { clientHeight } = this.root;
    if (!centre) return;
    this.show(label);
    const y = this.y + (centre[1] - this.ground.origin[1]) * this.unit * this.zoom;
    if (y > clientHeight * part * 1.5) this.panBy(0, clientHeight * part - y);
  }

  at(event) {
    const box = this.root.getBoundingClientRect(), size = this.unit * this.zoom, [left, top] = this.ground.origin;
    const x = (event.clientX - box.left - this.x) / size + left, y = (event.clientY - box.top - this.y) / size + top;
    const pen = this.canvas.getContext("2d"), inside = (path) => pen.isPointInPath(this.shapes.get(path), x, y);
    return /** @type {any} */ (this.board).at(x, y, this.shapes.size ? inside : this.marked);
  }

  // -- fingers and mice -------------------------------------------------------------------------------------------------

  follow() {
    const down = new Map();
    let moved = 0;
    this.root.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (this.plane?.wheel(event)) return;
      const box = this.root.getBoundingClientRect();
      this.zoomBy(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.root.addEventListener("pointerdown", (event) => {
      if (this.plane?.down(event, this.at(event))) return;
      down.set(event.pointerId, event);
      if (down.size === 1) moved = 0;
    });
    addEventListener("pointermove", (event) => {
      const last = down.get(event.pointerId);
      if (!last && this.plane?.hold(event, this.at(event))) return;
      if (!last) {
        if (this.root.contains(/** @type {Node} */ (event.target))) this.hover(event);
        return;
      }
      const others = [...down.values()].filter((other) => other !== last);
      moved += Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
      if (others.length) {
        const other = others[0], box = this.root.getBoundingClientRect();
        const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY);
        const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
        this.zoomBy(now / before || 1, other.clientX - box.left, other.clientY - box.top);
      } else if (moved > DRAG) this.panBy(event.clientX - last.clientX, event.clientY - last.clientY);
      down.set(event.pointerId, event);
    });
    const up = (event) => {
      if (this.plane?.up(event)) return;
      if (!down.delete(event.pointerId) || moved > DRAG || event.type === "pointercancel") return;
      const piece = event.target.closest?.(".piece");
      this.on.click(piece?.dataset.piece ?? null, piece ? piece.dataset.place : this.at(event), event);
    };
    this.root.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
      this.way([]);
    });
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
    this.pieces.addEventListener("keydown", (event) => {
      const piece = event.target.closest(".piece");
      if (piece && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        this.on.click(piece.dataset.piece, piece.dataset.place, event);
      }
    });
  }

  hover(event) {
    const label = this.at(event), words = label ? this.on.about(label, event.target.closest?.(".piece")?.dataset.piece) : [];
    this.tip.hidden = !words.length;
    if (!words.length) return;
    const box = this.root.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
    this.tip.replaceChildren(make("b", { textContent: words[0] }), ...words.slice(1).map((text) => make("span", { textContent: text })));
    this.tip.style.left = `${Math.max(4, Math.min(x + 16, box.width - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${y + this.tip.offsetHeight + 28 > box.height ? y - this.tip.offsetHeight - 12 : y + 16}px`;
  }

  // -- what is on it ----------------------------------------------------------------------------------------------------

  // `trails` says by which way pieces came that lie elsewhere now; they glide, if somebody wants motion.
  draw(pieces, faces, control, colours, trails = [], objectives = []) {
    this.faces.add(faces);
    this.want(pieces.filter((piece) => this.centre(piece.place)));
    idle(() => this.want(pieces)); // those beside the map may come
    const [left, top] = this.ground.origin, stacks = new Map(), present = new Set();
    for (const piece of pieces) {
      if (!this.centre(piece.place)) continue;
      if (!stacks.has(piece.place)) stacks.set(piece.place, []);
      stacks.get(piece.place).push(piece);
      present.add(piece.id);
    }
    for (const [id, element] of this.elements) {
      if (!present.has(id)) {
        element.remove();
        this.elements.delete(id);
        this.spare.set(id, element);
      }
    }
    this.stacks = stacks;
    for (const [place, here] of stacks) {
      const [x, y] = this.centre(place), units = here.filter((piece) => !piece.works);
      for (const piece of here) {
        const n = piece.works ? -1 : units.indexOf(piece), off = piece.works ? 0 : (n - (units.length - 1) / 2) * STEP;
        const element = this.elements.get(piece.id) ?? this.make(piece);
        const drawn = `${place} ${off} ${n} ${piece.face} ${piece.says}`;
        if (element.drawn === drawn) continue; // most pieces are as they were
        if (trails.length && element.dataset.place !== place) this.fly(piece.id, trails);
        Object.assign(element, { drawn, spot: { x: x - left + off, y: y - top - off, level: n, face: piece.face, works: piece.works } });
        element.dataset.place = place;
        element.style.zIndex = n + 2;
        element.setAttribute("aria-label", `${piece.says}, in ${place}`);
        this.put(element);
      }
    }
    const flags = JSON.stringify([control, colours, objectives]);
    if (flags !== this.shown) this.flags.replaceChildren(...standards(this.board, control, colours), ...badges(this.board, objectives, colours));
    this.shown = flags;
    this.colours = colours;
    this.spread(this.opened);
  }

  want(pieces) {
    const works = new Set(pieces.filter((piece) => piece.works).map((piece) => piece.face));
    this.faces.want([...new Set(pieces.map((piece) => piece.face))], (face) => works.has(face));
    if (!pieces.length) this.painted.resolve();
  }

  // A piece glides by the ways that it went.
  fly(id, trails) {
    const places = trails.filter((it) => it.pieces.includes(id)).flatMap((it) => it.points);
    const points = places.map((place) => this.centre(place)).filter(Boolean), [left, top] = this.ground.origin;
    if (points.length < 2 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.flights.set(id, { points: points.map(([x, y]) => [x - left, y - top]), begun: performance.now() });
  }

  // Opens a stack, so that each of its pieces can be seen and clicked; closes the one that was open.
  spread(place = null) {
    const units = (this.stacks.get(place) ?? []).filter((piece) => !piece.works), were = [...this.fans.keys()];
    this.opened = units.length > 1 ? place : null;
    this.fans = new Map(this.opened ? units.map((piece, n) => [piece.id, (n - (units.length - 1) / 2) * 0.6]) : []);
    for (const id of new Set([...were, ...this.fans.keys()])) {
      const element = this.elements.get(id);
      element?.classList.toggle("spread", this.fans.has(id));
      if (element) this.put(element);
    }
    this.repaint();
  }

  // A counter as a picture of its own, beside the map.
  face(piece) {
    const drawn = svg("svg", { viewBox: piece.works ? "-0.5 -0.5 1 1" : "-0.26 -0.26 0.52 0.52", "aria-hidden": "true" });
    drawn.innerHTML = this.faces.drawn.get(piece.face);
    return drawn;
  }

  make(piece) {
    const kept = this.spare.get(piece.id), element = kept ?? make("div", { className: piece.works ? "piece works" : "piece" });
    element.dataset.piece = piece.id;
    element.drawn = "";
    this.spare.delete(piece.id);
    this.elements.set(piece.id, element);
    for (const [how, pieces] of [...this.rings, ["spread", this.fans]]) element.classList.toggle(how, pieces.has(piece.id));
    this.permit(element);
    this.pieces.append(element);
    return element;
  }

  // What can act is a button.
  permit(element) {
    const may = element.classList.contains("open");
    element.setAttribute("role", may ? "button" : "img");
    if (may) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }

  // Marks some pieces, and no others, in one of the ways.
  ring(how, pieces) {
    const now = new Set(pieces), before = this.rings.get(how);
    this.rings.set(how, now);
    for (const id of new Set([...before, ...now])) {
      const element = this.elements.get(id);
      if (!element || before.has(id) === now.has(id)) continue;
      element.classList.toggle(how, now.has(id));
      if (how === "open") this.permit(element);
    }
    this.repaint();
  }

  // Where a piece lies on the map that is drawn: its middle, in units.
  lies(element) {
    const flight = this.flights.get(element.dataset.piece);
    if (flight) return along(flight.points, (performance.now() - flight.begun) / GLIDE);
    const { x, y } = element.spot, off = this.fans.get(element.dataset.piece);
    return off === undefined ? [x, y] : [x + off, y - 0.55];
  }

  // Puts the element of a piece where the piece is drawn.
  put(element) {
    const [x, y] = this.lies(element), half = (element.spot.works ? WORKS : COUNTER) / 2;
    element.style.left = `${(x - half) * this.unit}px`;
    element.style.top = `${(y - half) * this.unit}px`;
  }

  // -- painting counters ------------------------------------------------------------------------------------------------

  // Once before the next frame, whatever has changed.
  repaint() {
    this.painting ??= requestAnimationFrame(() => {
      this.painting = null;
      this.paintCounters();
      for (const [id, { begun }] of this.flights) if (performance.now() - begun > GLIDE) this.flights.delete(id);
      if (this.flights.size) this.repaint();
      else if (this.flew) this.paintCounters(); // where they are at last
      this.flew = this.flights.size > 0;
    });
  }

  // Whether what can be seen lies within the part of the map for which there are counters.
  covers() {
    const { clientWidth, clientHeight } = this.root, [left, top, right, bottom] = this.window ?? [0, 0, 0, 0];
    const edge = (at, most) => Math.max(0, Math.min(at, most));
    const wide = this.width * this.unit, high = this.height * this.unit;
    return left <= edge(-this.x, wide) && top <= edge(-this.y, high) && right >= edge(clientWidth - this.x, wide) && bottom >= edge(clientHeight - this.y, high);
  }

  // How many pixels something is wide that has some units.
  pixels(units) {
    return Math.max(1, Math.round(units * this.unit * devicePixelRatio));
  }

  paintCounters() {
    if (!this.unit || this.zoom !== 1) return; // when the zoom is over
    const sharp = devicePixelRatio, { counters } = this;
    if (!this.window || !this.covers()) {
      const { clientWidth, clientHeight } = this.root, room = Math.sqrt(MOST_AROUND / (clientWidth * clientHeight)) / sharp;
      const more = [clientWidth, clientHeight].map((length) => length * Math.max(0.05, Math.min(AROUND, (room - 1) / 2)));
      this.window = [-this.x - more[0], -this.y - more[1], clientWidth - this.x + more[0], clientHeight - this.y + more[1]]
        .map((at, n) => Math.round(Math.max(-this.unit, Math.min(at, [this.width, this.height][n % 2] * this.unit + this.unit))));
      const [left, top, right, bottom] = this.window;
      Object.assign(counters.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
      Object.assign(counters, { width: (right - left) * sharp, height: (bottom - top) * sharp });
    }
    const pen = counters.getContext("2d"), [left, top, right, bottom] = this.window, { unit } = this;
    pen.clearRect(0, 0, counters.width, counters.height);
    const level = (element) => (this.fans.has(element.dataset.piece) ? 1000 : element.spot.level);
    for (const element of [...this.elements.values()].sort((a, b) => level(a) - level(b))) {
      const [x, y] = this.lies(element).map((at) => at * unit), wide = element.spot.works ? WORKS : COUNTER;
      if (x < left - unit || y < top - unit || x > right + unit || y > bottom + unit) continue;
      const size = this.pixels(wide), at = [x - left, y - top].map((length) => Math.round(length * sharp - size / 2));
      this.paintRings(pen, element.dataset.piece, at, size, unit * sharp);
      this.faces.copy(pen, element.spot.face, ...at, size);
    }
    if (!this.faces.sheets.size) return;
    this.world.classList.add("drawn");
    this.painted.resolve();
  }

  /** @param {number[]} at */
  paintRings(pen, id, at, size, unit) {
    const [x, y] = at;
    const around = (width, colour) => {
      pen.fillStyle = colour;
      pen.fillRect(x - width, y - width, size + 2 * width, size + 2 * width);
    };
    if (this.fans.has(id)) around(0.05 * unit, "#00000055");
    const ring = Object.keys(RINGS).reverse().find((how) => this.rings.get(how).has(id));
    if (!ring) return;
    const [width, colour, dashed] = RINGS[ring];
    around((width + 0.025) * unit, dashed ? "#ffffffcc" : "#00000066");
    if (!dashed) return around(width * unit, colour);
    pen.strokeStyle = colour;
    pen.lineWidth = width * unit;
    pen.setLineDash([0.1 * unit, 0.06 * unit]);
    pen.strokeRect(x - (width * unit) / 2, y - (width * unit) / 2, size + width * unit, size + width * unit);
  }

  // -- what lies over it ------------------------------------------------------------------------------------------------

  // What somebody wants to see over the whole map, and rings around pieces.
  cover({ rings = [], ...shown } = {}) {
    const drawn = JSON.stringify([shown, Object.keys(this.colours ?? {})]);
    if (drawn !== this.veiled) this.veil.replaceChildren(...veil(this.board, this.colours ?? {}, shown));
    this.veiled = drawn;
    this.ring("cut", rings);
  }

  // What others moved since the player last decided.
  drawTrails(trails) {
    const drawn = JSON.stringify(trails);
    if (drawn !== this.trodden) this.trails.replaceChildren(...trodden(this.board, trails));
    this.trodden = drawn;
  }

  // The way to the place under the pointer.
  way(labels) {
    const points = labels.map((label) => this.centre(label)).filter(Boolean);
    this.trail.replaceChildren(...arrow(points, "way", 0.36, 0));
  }

  // What a line of the log is about.
  point(pieces, places) {
    this.ring("meant", pieces);
    this.trail.replaceChildren(svg("path", { d: this.board.area(places), class: "meant" }));
  }

  // Marks pieces and places: {pieces: ids, chosen: id, advised: ids, places: {label: [class, words]}}.
  mark({ pieces = [], chosen = null, advised = [], places = {} }) {
    this.ring("open", pieces);
    this.ring("advised", advised);
    this.ring("chosen", chosen === null ? [] : [chosen]);
    const drawn = JSON.stringify(places);
    if (drawn === this.lit) return;
    this.lit = drawn;
    this.marked = Object.keys(places).filter((label) => this.centre(label));
    this.marks.replaceChildren(...marked(this.board, places, [...this.ground.origin, ...this.ground.size]));
  }
}
