// A game that was played: a scrubber over what each action changed. Everything is in this file.
import { arrange, idle, make } from "./api.js";
import { placeWords } from "./map/boards.js";
import { GameMap } from "./map/map.js";

/** @returns {any} */
const $ = (id) => document.getElementById(id);
const EVERY = 100; // a whole position is kept after this many changes
const SHOWN = 60; // lines of the log before the moment
const REST = 200; // milliseconds until the address names a moment: browsers refuse to change it all the time

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new /** @type {any} */ (globalThis).DecompressionStream("gzip"))).json();
}

const game = await unpacked($("data").textContent);
document.title = `${game.title}: ${game.scenario}`;
$("title").textContent = `${document.title}${game.side ? `, as ${game.side} saw it` : ""}`;
const picture = new Image();
picture.src = URL.createObjectURL(new Blob([game.svg], { type: "image/svg+xml" }));
await picture.decode();
const map = new GameMap($("map"), game.ground, { click: () => {}, about: tip });
map.paint(picture);
map.faces.add(game.faces);
idle(() => map.faces.want(Object.keys(game.faces), (face) => game.about[face].works));

const kept = []; // positions after 0, EVERY, 2 EVERY ... changes
const lines = []; // the log: the moment of each line, the line, and its row once it was shown
const turns = new Map();
let position = { pieces: {}, control: {} };
game.frames.forEach((frame, number) => {
  if (number % EVERY === 0) kept.push(copied(position));
  apply(position, frame);
  for (const line of frame.log) lines.push([number, line, null]);
  if (!turns.has(frame.turn)) turns.set(frame.turn, number);
});
position = copied(kept[0]);
let done = 0, now = -1, timer = null, naming = null; // `done` changes are in `position`

function copied({ pieces, control }) {
  return { pieces: { ...pieces }, control: { ...control } };
}

function tip(label) {
  const here = Object.values(position.pieces).filter(([place]) => place === label);
  return [placeWords(game.ground, label), ...here.map(([, face]) => game.about[face].says)];
}

function apply(to, frame) {
  for (const part of ["pieces", "control"])
    for (const [key, value] of Object.entries(frame[part] ?? {})) {
      if (value === null) delete to[part][key];
      else to[part][key] = value;
    }
}

function show(number) {
  number = Math.max(0, Math.min(game.frames.length - 1, number));
  if (number + 1 < done || number + 1 - done > EVERY) {
    const from = Math.floor((number + 1) / EVERY);
    position = copied(kept[Math.min(from, kept.length - 1)]);
    done = Math.min(from, kept.length - 1) * EVERY;
  }
  while (done < number + 1) apply(position, game.frames[done++]);
  now = number;
  const frame = game.frames[number];
  const pieces = Object.entries(position.pieces).map(([id, [place, face]]) => ({
    id, place, face, ...game.about[face],
  }));
  map.draw(pieces, {}, position.control, game.colours);
  const marks = {};
  for (const [, value] of Object.entries(frame.pieces ?? {})) if (value && number) marks[value[0]] = ["concern", ""];
  map.mark({ places: marks });
  const over = number === game.frames.length - 1 && game.result ? ` · ${game.result}` : "";
  $("status").textContent = `${frame.turn} · ${frame.phase} · ${number} of ${game.frames.length - 1}${over}`;
  $("moment").value = number;
  showLog();
  clearTimeout(naming);
  naming = setTimeout(() => history.replaceState(null, "", `#${number}`), REST);
}

function rowOf(moment, { text, clause }) {
  const button = make("button", { type: "button", className: "moment", textContent: clause ? `${text} (${clause})` : text });
  button.onclick = () => show(moment);
  return make("li", {}, button);
}

function showLog() {
  let end = lines.findIndex(([moment]) => moment > now);
  if (end < 0) end = lines.length;
  const items = lines.slice(Math.max(0, end - SHOWN), end + 10).map((line) => {
    const row = (line[2] ??= rowOf(...line));
    row.className = line[0] > now ? `${line[1].kind} later` : line[1].kind;
    return row;
  });
  arrange($("log"), items);
  $("log").children[Math.min(SHOWN, end) - 1]?.scrollIntoView({ block: "nearest" });
}

function play() {
  if (timer || now === game.frames.length - 1) {
    clearInterval(timer);
    timer = null;
  } else timer = setInterval(() => (now < game.frames.length - 1 ? show(now + 1) : play()), 250);
  $("play").setAttribute("aria-pressed", Boolean(timer));
  $("play").textContent = timer ? "Pause" : "Play";
}

$("moment").max = game.frames.length - 1;
$("turn").append(...[...turns].map(([turn, number]) => new Option(turn, number)));
const steps = {
  first: () => show(0),
  back: () => show(now - 1),
  next: () => show(now + 1),
  last: () => show(game.frames.length - 1),
  play,
  fit: () => map.fit(),
};
for (const [id, step] of Object.entries(steps)) $(id).onclick = step;
$("moment").oninput = () => show(Number($("moment").value));
$("turn").onchange = () => show(Number($("turn").value));
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
addEventListener("keydown", (event) => {
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", " ": "play", f: "fit" };
  if (!keys[event.key] || /^(INPUT|SELECT)$/.test(/** @type {HTMLElement} */ (event.target).tagName)) return;
  event.preventDefault();
  steps[keys[event.key]]();
});
show(Number(location.hash.slice(1)) || 0);
