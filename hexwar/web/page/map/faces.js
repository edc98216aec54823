// What counters look like. As elements of SVG they would be thousands, which a browser styles, lays out and paints for many
// frames. So faces are drawn together on sheets, once for each size, and copied from there.
import { make } from "../api.js";

const COLUMNS = 16, ON_SHEET = 256; // faces in a row and on a sheet
const MOST_SHEETS = 12; // of one kind: in a long game faces come one by one
const FINEST = 256; // pixels of a face
export const COUNTER = 0.52, WORKS = 1; // how wide faces are, in units of the map

export class Faces {
  // `ready` is called with each sheet whose faces can be copied from now on.
  constructor(ready) {
    this.drawn = new Map(); // face -> SVG
    this.laid = new Set(); // those that are on a sheet, or soon will be
    this.sheets = new Map(); // face -> the sheet that has it
    this.ready = ready;
  }

  add(faces) {
    for (const [face, svg] of Object.entries(faces)) this.drawn.set(face, svg);
  }

  // These will be needed; `isWorks` says which of them are works, which fill a place.
  want(faces, isWorks) {
    const fresh = faces.filter((face) => this.drawn.has(face) && !this.laid.has(face));
    for (const face of fresh) this.laid.add(face);
    for (const wide of [COUNTER, WORKS]) this.lay(fresh.filter((face) => isWorks(face) === (wide === WORKS)), wide);
  }

  lay(fresh, wide) {
    const old = new Set([...this.sheets.values()].filter((sheet) => sheet.wide === wide));
    const faces = fresh.length && old.size >= MOST_SHEETS ? [...[...old].flatMap((sheet) => sheet.faces), ...fresh] : fresh;
    for (let n = 0; n < faces.length; n += ON_SHEET) this.load(faces.slice(n, n + ON_SHEET), wide);
  }

  load(faces, wide) {
    const sheet = new Sheet(faces, wide, this.drawn), half = faces.length >> 1;
    const failed = () => half && [faces.slice(0, half), faces.slice(half)].forEach((part) => this.load(part, wide));
    sheet.loaded.then(() => {
      for (const face of faces) this.sheets.set(face, sheet);
      this.ready(sheet);
    }, failed); // a face that cannot be drawn must not take the others with it
  }

  // Copies a face to a place of another canvas, if there is one yet.
  copy(pen, face, x, y, size) {
    const sheet = this.sheets.get(face), at = sheet?.places.get(face), fine = Math.min(size, FINEST);
    if (sheet) pen.drawImage(sheet.raster(size), (at % COLUMNS) * fine, Math.floor(at / COLUMNS) * fine, fine, fine, x, y, size, size);
  }
}

class Sheet {
  constructor(faces, wide, drawn) {
    this.wide = wide;
    this.rows = Math.ceil(faces.length / COLUMNS);
    /** @type {any} */
    this.canvas = make("canvas", { width: 0 });
    this.places = new Map(faces.map((face, n) => [face, n]));
    const parts = faces.map((face, n) => `<g transform="translate(${(n % COLUMNS) * wide} ${Math.floor(n / COLUMNS) * wide})">${drawn.get(face)}</g>`);
    const box = `viewBox="${-wide / 2} ${-wide / 2} ${COLUMNS * wide} ${this.rows * wide}" width="${COLUMNS * 64}" height="${this.rows * 64}"`;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${box}>${parts.join("")}</svg>`;
    this.picture = new Image();
    this.picture.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    this.loaded = this.picture.decode().finally(() => URL.revokeObjectURL(this.picture.src));
  }

  // The sheet in pixels, for faces of one size.
  raster(wanted) {
    const size = Math.min(wanted, FINEST);
    if (this.canvas.width !== COLUMNS * size) {
      Object.assign(this.canvas, { width: COLUMNS * size, height: this.rows * size });
      this.canvas.getContext("2d").drawImage(this.picture, 0, 0, this.canvas.width, this.canvas.height);
    }
    return this.canvas;
  }
}
