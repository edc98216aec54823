// The map: the ground is a picture that is rasterised once for each size, marks are a layer of their own, every piece is an
// element with a name. Panning and zooming change one transform; when a zoom is over, everything gets its new size.
import { make } from "./api.js";

const SVG = "http://www.w3.org/2000/svg";
const STEP = 0.07; // how far each piece of a stack lies from the one below
const LEAST = 3, MOST = 160; // pixels of a unit
const MOST_PIXELS = 40e6;
const DRAG = 5;
const SPOT = "M-0.3 0a0.3 0.3 0 1 0 0.6 0a0.3 0.3 0 1 0 -0.6 0Z"; // the outline of a point on which a piece may lie
const LABEL = 0.115, READABLE = 4; // how large the labels of hexes are, and from how many pixels on they are drawn

function svg(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export class GameMap {
  // The ground may be painted later: pieces and marks do not wait for it.
  constructor(root, ground, on) {
    Object.assign(this, { root, ground, on, picture: null });
    [this.width, this.height] = ground.size;
    this.canvas = make("canvas");
    [this.veil, this.flags, this.marks, this.trail] = [0, 1, 2, 3].map(() => svg("svg", { "aria-hidden": "true" }));
    this.layers = [this.veil, this.flags, this.marks, this.trail];
    this.pieces = make("div", { className: "pieces" });
    this.tip = make("div", { className: "tip", hidden: true });
    this.world = make("div", { className: "world" }, this.canvas, ...this.layers, this.pieces);
    root.append(this.world, this.tip);
    const [left, top] = ground.origin;
    for (const layer of this.layers) layer.setAttribute("viewBox", `${left} ${top} ${this.width} ${this.height}`);
    this.shapes = Object.entries(ground.outlines).map(([label, data]) => [label, new Path2D(data)]);
    this.elements = new Map();
    this.faces = new Map();
    this.buckets = new Map();
    for (const [label, [x, y]] of Object.entries(ground.centres)) {
      const key = `${Math.round(x)} ${Math.round(y)}`;
      if (!this.buckets.has(key)) this.buckets.set(key, []);
      this.buckets.get(key).push([label, x, y]);
    }
    this.marked = [];
    this.drawn = new WeakMap();
    this.unit = 0;
    this.fit();
    this.follow();
    new ResizeObserver(() => this.unit || this.fit()).observe(root);
  }

  // Where a place is drawn; undefined for what is not on the board. On some boards a place is any point, called by its coordinates.
  centre(place) {
    const { centres, scale } = this.ground;
    if (!scale || place in centres) return centres[place];
    return /^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/.test(place) ? place.split(",").map((at) => at * scale) : undefined;
  }

  outline(place) {
    return this.ground.outline || this.ground.outlines[place] || SPOT;
  }

  // -- where and how large ----------------------------------------------------------------------------------------------

  fit() {
    const { clientWidth, clientHeight } = this.root;
    if (!clientWidth || !clientHeight) return;
    this.zoom = 1;
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
    this.world.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.zoom})`;
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
    this.place();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.settle(), 160);
  }

  panBy(x, y) {
    this.x += x;
    this.y += y;
    this.place();
  }

  show(label) {
    const centre = this.centre(label);
    if (!centre) return;
    const [left, top] = this.ground.origin, size = this.unit * this.zoom;
    const x = this.x + (centre[0] - left) * size, y = this.y + (centre[1] - top) * size;
    const { clientWidth, clientHeight } = this.root;
    if (x < 40 || y < 40 || x > clientWidth - 40 || y > clientHeight - 40) this.panBy(clientWidth / 2 - x, clientHeight / 2 - y);
  }

  at(event) {
    const box = this.root.getBoundingClientRect(), size = this.unit * this.zoom, [left, top] = this.ground.origin;
    const x = (event.clientX - box.left - this.x) / size + left, y = (event.clientY - box.top - this.y) / size + top;
    const pen = this.canvas.getContext("2d");
    const inside = this.shapes.find(([, shape]) => pen.isPointInPath(shape, x, y));
    if (inside) return inside[0];
    let best = null, least = 0.62;
    if (this.ground.scale) {
      // A mark that is nearly met, or the point itself.
      const near = (label) => Math.hypot(this.centre(label)[0] - x, this.centre(label)[1] - y);
      const [mark] = this.marked.filter((label) => near(label) < 0.3).sort((a, b) => near(a) - near(b));
      return mark ?? [x, y].map((at) => Math.round(at / this.ground.scale)).join(",");
    }
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (const [label, cx, cy] of this.buckets.get(`${Math.round(x) + dx} ${Math.round(y) + dy}`) ?? []) {
          const far = Math.hypot(cx - x, cy - y);
          if (far < least) [best, least] = [label, far];
        }
    return best;
  }

  // -- fingers and mice -------------------------------------------------------------------------------------------------

  follow() {
    const down = new Map();
    let moved = 0;
    this.root.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.root.getBoundingClientRect();
      this.zoomBy(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.root.addEventListener("pointerdown", (event) => {
      down.set(event.pointerId, event);
      if (down.size === 1) moved = 0;
    });
    addEventListener("pointermove", (event) => {
      const last = down.get(event.pointerId);
      if (!last) {
        if (this.root.contains(event.target)) this.hover(event);
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
      if (!down.delete(event.pointerId) || moved > DRAG || event.type === "pointercancel") return;
      const piece = event.target.closest?.(".piece");
      this.on.click(piece?.dataset.piece ?? null, piece ? piece.dataset.place : this.at(event));
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
        this.on.click(piece.dataset.piece, piece.dataset.place);
      }
    });
  }

  hover(event) {
    const label = this.at(event), words = label && this.on.about(label, event.target.closest?.(".piece")?.dataset.piece);
    this.tip.hidden = !words;
    if (!words) return;
    const box = this.root.getBoundingClientRect();
    this.tip.textContent = words;
    this.tip.style.left = `${Math.min(event.clientX - box.left + 14, box.width - 230)}px`;
    this.tip.style.top = `${event.clientY - box.top + 14}px`;
  }

  // -- what is on it ----------------------------------------------------------------------------------------------------

  draw(pieces, faces, control, colours) {
    for (const [face, drawn] of Object.entries(faces)) this.faces.set(face, drawn);
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
      }
    }
    this.stacks = stacks;
    for (const [place, here] of stacks) {
      const [x, y] = this.centre(place), units = here.filter((piece) => !piece.works);
      for (const piece of here) {
        const n = piece.works ? 0 : units.indexOf(piece), off = piece.works ? 0 : (n - (units.length - 1) / 2) * STEP;
        const element = this.elements.get(piece.id) ?? this.make(piece);
        const drawn = `${place} ${off} ${n} ${piece.face} ${piece.says}`;
        if (this.drawn.get(element) === drawn) continue; // most pieces are as they were
        this.drawn.set(element, drawn);
        element.dataset.place = place;
        element.style.setProperty("--x", x - left + off);
        element.style.setProperty("--y", y - top - off);
        element.style.zIndex = n + 1;
        element.setAttribute("aria-label", `${piece.says}, in ${place}`);
        if (element.dataset.face !== piece.face) {
          element.dataset.face = piece.face;
          element.replaceChildren(this.face(piece));
        }
      }
    }
    const held = JSON.stringify([control, colours]);
    if (held !== this.held) this.flags.replaceChildren(...this.standards(control, colours));
    this.held = held;
    this.colours = colours;
    this.spread(this.opened);
  }

  // A flag for each place that somebody controls.
  standards(control, colours) {
    return Object.entries(control).filter(([place]) => this.centre(place)).map(([place, side]) => {
      const [x, y] = this.centre(place), its = colours[side] ?? { fill: "#888", edge: "#333" };
      return svg("path", { d: `M${x + 0.3} ${y + 0.12}h0.16v0.12h-0.16v0.1`, fill: its.fill, stroke: its.edge, "stroke-width": 0.02 });
    });
  }

  // Opens a stack, so that each of its pieces can be seen and clicked; closes the one that was open.
  spread(place = null) {
    for (const element of this.pieces.querySelectorAll(".spread")) element.classList.remove("spread");
    const units = (this.stacks.get(place) ?? []).filter((piece) => !piece.works);
    this.opened = units.length > 1 ? place : null;
    if (!this.opened) return;
    units.forEach((piece, n) => {
      const element = this.elements.get(piece.id);
      element.classList.add("spread");
      element.style.setProperty("--off", (n - (units.length - 1) / 2) * 0.6);
    });
  }

  // A counter as a picture of its own.
  face(piece) {
    const drawn = svg("svg", { viewBox: piece.works ? "-0.5 -0.5 1 1" : "-0.26 -0.26 0.52 0.52", "aria-hidden": "true" });
    drawn.innerHTML = this.faces.get(piece.face);
    return drawn;
  }

  make(piece) {
    const element = make("div", { className: piece.works ? "piece works" : "piece" });
    element.dataset.piece = piece.id;
    element.setAttribute("role", "img");
    this.elements.set(piece.id, element);
    this.pieces.append(element);
    return element;
  }

  // -- what lies over it ------------------------------------------------------------------------------------------------

  // Path data of places, all of them as one: a thousand elements would be slow.
  area(labels) {
    const outline = this.ground.outline.split(/(?=[MLZ])/);
    return labels.filter((label) => this.centre(label)).map((label) => {
      if (this.ground.outlines[label]) return this.ground.outlines[label];
      const [cx, cy] = this.centre(label);
      if (!this.ground.outline) return SPOT.replace("M-0.3 0", `M${cx - 0.3} ${cy}`);
      return outline.map((part) => {
        const [x, y] = part.slice(1).split(" ").map(Number);
        return part[0] === "Z" ? "Z" : `${part[0]}${(cx + x).toFixed(3)} ${(cy + y).toFixed(3)}`;
      }).join("");
    }).join("");
  }

  line(labels, attributes) {
    const points = labels.map((label) => this.centre(label)).filter(Boolean);
    return svg("polyline", { points: points.map((point) => point.join(",")).join(" "), ...attributes });
  }

  // What somebody wants to see over the whole map: {fills: [[side, labels]], lines: [[side, labels, class]], rings: pieces}.
  // Sides differ in the direction of their hatching, too.
  cover({ fills = [], lines = [], rings = [] } = {}) {
    const sides = Object.keys(this.colours), drawn = [svg("defs")];
    const its = (side) => this.colours[side] ?? { fill: "#888888", edge: "#333333" };
    for (const [side, labels] of fills) {
      const number = Math.max(0, sides.indexOf(side)), id = `hatch-${number}`;
      const turned = { patternTransform: `rotate(${number * 90 + 45})`, patternUnits: "userSpaceOnUse" };
      const pattern = svg("pattern", { id, width: 0.22, height: 0.22, ...turned });
      pattern.append(svg("rect", { width: 0.22, height: 0.22, fill: its(side).fill, "fill-opacity": 0.3 }));
      pattern.append(svg("rect", { width: 0.03, height: 0.22, fill: its(side).edge, "fill-opacity": 0.6 }));
      drawn[0].append(pattern);
      drawn.push(svg("path", { d: this.area(labels), fill: `url(#${id})` }));
    }
    for (const [side, labels, kind = ""] of lines) {
      const attributes = { class: `line ${kind}`, stroke: its(side).edge };
      drawn.push(this.line(labels, { ...attributes, class: `halo ${kind}`, stroke: its(side).fill }), this.line(labels, attributes));
      const end = this.centre(labels.at(-1));
      if (end) drawn.push(svg("circle", { cx: end[0], cy: end[1], r: 0.11, class: kind, fill: its(side).edge, stroke: its(side).fill, "stroke-width": 0.03 }));
    }
    this.veil.replaceChildren(...drawn);
    const cut = new Set(rings);
    for (const [id, element] of this.elements) element.classList.toggle("cut", cut.has(id));
  }

  // The way to the place under the pointer.
  way(labels) {
    this.trail.replaceChildren(...(labels.length > 1 ? [this.line(labels, { class: "way-edge" }), this.line(labels, { class: "way" })] : []));
  }

  // What a line of the log is about.
  point(pieces, places) {
    const meant = new Set(pieces);
    for (const [id, element] of this.elements) element.classList.toggle("meant", meant.has(id));
    this.trail.replaceChildren(svg("path", { d: this.area(places), class: "meant" }));
  }

  // Marks pieces and places: {pieces: ids, chosen: id, places: {label: [class, words]}}.
  mark({ pieces = [], chosen = null, places = {} }) {
    const open = new Set(pieces);
    for (const [id, element] of this.elements) {
      const may = open.has(id);
      element.classList.toggle("open", may);
      element.classList.toggle("chosen", id === chosen);
      element.setAttribute("role", may ? "button" : "img");
      if (may) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    }
    const drawn = [];
    this.marked = Object.keys(places).filter((label) => this.centre(label));
    for (const label of this.marked) {
      const centre = this.centre(label), [kind, words] = places[label];
      const path = svg("path", { d: this.outline(label), class: kind });
      if (!this.ground.outlines[label]) path.setAttribute("transform", `translate(${centre[0]} ${centre[1]})`);
      drawn.push(path);
      if (words) {
        const text = svg("text", { x: centre[0], y: centre[1] + 0.12, "font-size": 0.34, "text-anchor": "middle" });
        text.textContent = words;
        drawn.push(text);
      }
    }
    this.marks.replaceChildren(...drawn);
  }
}
