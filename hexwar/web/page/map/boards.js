// Boards: where a place is, which place lies under a point, and what it looks like. Three small classes with the same questions, so
// that nobody else asks what kind of board it is.

/** @typedef {import("../types").Ground} Ground */

const SPOT = "M-0.3 0a0.3 0.3 0 1 0 0.6 0a0.3 0.3 0 1 0 -0.6 0Z"; // the outline of a point on which a piece may lie
const NEAR = 0.62; // how far from the middle of a hex a point may be
const MET = 0.3; // how nearly a mark on a plane must be met

/** The board of a ground.
 * @param {Ground} ground */
export function boardOf(ground) {
  if (ground.scale) return new Plane(ground);
  return Object.keys(ground.outlines).length ? new Areas(ground) : new Hexes(ground);
}

/** A place in words: its name, label and terrain. */
export function placeWords(ground, place) {
  const { names, usual } = ground, name = names[place] ? `${names[place]} (${place})` : place;
  const terrain = Object.keys(ground.terrain).find((it) => ground.terrain[it].includes(place)) ?? (place in ground.centres ? usual : "");
  return terrain ? `${name}, ${terrain.replaceAll("-", " ").replaceAll("_", " ")}` : name;
}

// A path as numbers that can be moved: "M0 1L2 3Z" -> [["M", 0, 1], ["L", 2, 3], ["Z"]].
export const parts = (path) => path.split(/(?=[MLZ])/).map((part) => [part[0], ...part.slice(1).split(/[ ,]/).filter(Boolean).map(Number)]);

class Board {
  /** @param {Ground} ground */
  constructor(ground) {
    this.ground = ground;
    this.buckets = new Map();
    for (const [label, [x, y]] of Object.entries(ground.centres)) {
      const key = `${Math.round(x)} ${Math.round(y)}`;
      if (!this.buckets.has(key)) this.buckets.set(key, []);
      this.buckets.get(key).push([label, x, y]);
    }
  }

  /** Where a place is drawn; undefined for what is not on the board. */
  centre(place) {
    return this.ground.centres[place];
  }

  contains(place) {
    return Boolean(place !== null && this.centre(place));
  }

  /** The outline of a place, moved to where it is; "" for what is not on the board. */
  outline(place) {
    const centre = this.centre(place);
    return centre ? SPOT.replace("M-0.3 0", `M${centre[0] - 0.3} ${centre[1]}`) : "";
  }

  /** The outlines of some places as one path. */
  area(places) {
    return places.map((place) => this.outline(place)).join("");
  }

  /** The line around some places. */
  border(places) {
    return this.area(places);
  }

  // The nearest place to a point.
  nearest(x, y, least = NEAR) {
    let best = null;
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (const [label, cx, cy] of this.buckets.get(`${Math.round(x) + dx} ${Math.round(y) + dy}`) ?? []) {
          const far = Math.hypot(cx - x, cy - y);
          if (far < least) [best, least] = [label, far];
        }
    return best;
  }
}

export class Hexes extends Board {
  /** @param {Ground} ground */
  constructor(ground) {
    super(ground);
    this.shape = ground.outline ? parts(ground.outline) : [];
    this.corners = this.shape.filter(([kind]) => kind !== "Z").map(([, x, y]) => [x, y]);
  }

  outline(place) {
    const centre = this.centre(place);
    if (!centre || !this.shape.length) return super.outline(place);
    return this.shape.map(([kind, x, y]) => (kind === "Z" ? "Z" : `${kind}${(centre[0] + x).toFixed(3)} ${(centre[1] + y).toFixed(3)}`)).join("");
  }

  /** The sides of hexes that no two of them share. */
  border(places) {
    const sides = new Map(), { corners } = this;
    if (!corners.length) return this.area(places);
    for (const place of new Set(places)) {
      const centre = this.centre(place);
      if (!centre) continue;
      corners.forEach(([x, y], n) => {
        const [u, v] = corners[(n + 1) % corners.length], key = `${(centre[0] + (x + u) / 2).toFixed(1)} ${(centre[1] + (y + v) / 2).toFixed(1)}`;
        const path = `M${(centre[0] + x).toFixed(3)} ${(centre[1] + y).toFixed(3)}L${(centre[0] + u).toFixed(3)} ${(centre[1] + v).toFixed(3)}`;
        sides.set(key, sides.has(key) ? "" : path);
      });
    }
    return [...sides.values()].join("");
  }

  /** The place under a point. */
  at(x, y) {
    return this.nearest(x, y);
  }
}

export class Areas extends Board {
  outline(place) {
    return this.ground.outlines[place] ?? super.outline(place);
  }

  at(x, y, inside = this.inside) {
    return Object.keys(this.ground.outlines).find((label) => inside(this.ground.outlines[label], x, y)) ?? this.nearest(x, y);
  }

  inside = (path, x, y) => within(polygons(path), x, y);
}

// A plane: any point is a place, called by its coordinates. What is dragged, measured and turned on it comes as a module of its own,
// which the map calls (see `GameMap.plane`); it needs `at`, `snap` and `point` from here.
export class Plane extends Board {
  centre(place) {
    const { centres, scale } = this.ground;
    if (place in centres) return centres[place];
    const found = this.point(place);
    return found && found.map((at) => at * scale);
  }

  /** The coordinates that are the name of a place; undefined for other names. */
  point(place) {
    return /^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/.test(place) ? place.split(",").map(Number) : undefined;
  }

  at(x, y, marked = []) {
    return this.snap(x, y, marked) ?? [x, y].map((at) => Math.round(at / this.ground.scale)).join(",");
  }

  /** The mark that a point nearly meets. */
  snap(x, y, marked) {
    const near = (label) => Math.hypot(this.centre(label)[0] - x, this.centre(label)[1] - y);
    return marked.filter((label) => this.centre(label) && near(label) < MET).sort((a, b) => near(a) - near(b))[0];
  }
}

// The rings of a path of straight lines.
export function polygons(path) {
  /** @type {[number, number][][]} */
  const rings = [];
  for (const [kind, ...numbers] of parts(path)) {
    if (kind === "M") rings.push([]);
    for (let n = 0; n + 1 < numbers.length; n += 2) rings.at(-1)?.push([numbers[n], numbers[n + 1]]);
  }
  return rings;
}

function within(rings, x, y) {
  let inside = false;
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [xi, yi] = ring[i], [xj, yj] = ring[j];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
  return inside;
}
