// A game: wires the state, the rooms, the map and the server together. See docs/browser.md for what each module does.
import { Api, hash, known } from "./api.js";
import { makeEffects } from "./effects.js";
import { GameMap } from "./map/map.js";
import { Hand } from "./map/plane.js";
import { keysOf } from "./keys.js";
import { patch } from "./render.js";
import { cover, marks, primary, tip, trails, wayOf } from "./select.js";
import { settings } from "./settings.js";
import { clicked, initial, open, reduce, through } from "./state.js";
import { listen } from "./stream.js";
import { above, ask } from "./views/ask.js";
import { battle } from "./views/battle.js";
import { briefing } from "./views/brief.js";
import { card } from "./views/card.js";
import { end } from "./views/end.js";
import { head, phases } from "./views/head.js";
import { news, panel, tabs } from "./views/panel.js";
import { rim } from "./views/rim.js";

/** @returns {any} */
const $ = (id) => document.getElementById(id);
const LATEST = 1000; // milliseconds after which the ground waits for nothing
const REST = 50; // milliseconds for which a pointer rests on a piece before somebody may click it
const { game, key } = hash();
const api = new Api(key ?? "");
const path = (what = "") => `games/${game}${what}`;

let state = initial();
let map = null, drawing = null, keyed = false, pointed = null, resting, wanted = null, shownSheet = null, came = [], shownAt;
let drawnAt = { number: null, last: -1 };

const effects = makeEffects({ api, game, key, get: () => state, dispatch, map: () => map, focus, sound, keyed: () => keyed });

function dispatch(event) {
  const [next, some] = reduce(state, event);
  if (next !== state) {
    state = next;
    drawing ??= requestAnimationFrame(render);
  }
  for (const effect of some) effects.run(effect);
}

// Does whatever a room asks for: events and effects.
function go(...things) {
  for (const thing of things.filter(Boolean)) {
    if (thing.do === "click") click(thing.piece, thing.place);
    else if (thing.is) dispatch(thing);
    else effects.run(thing);
  }
}

function click(piece, place, event = {}) {
  go(...clicked(state, { piece, place, shift: Boolean(event.shiftKey), follow: keyed && event.type === "keydown" }));
}

// -- showing it -----------------------------------------------------------------------------------------------------------------

function render() {
  drawing = null;
  const page = { state, go, map }, { view, past } = state, asked = Boolean(view?.question);
  const classes = { covered: state.hidden, asked, then: Boolean(past), bare: state.bare, waits: !asked, reading: state.room === "panel", large: settings.get("large") === true };
  for (const [name, is] of Object.entries(classes)) document.body.classList.toggle(name, is);
  document.documentElement.dataset.theme = state.settings.theme ?? "system";
  document.title = asked ? `Your turn: ${state.about.title}` : state.about.title;
  if (map && view) drawMap(past ?? view);
  map?.plane?.refresh();
  const decides = keyed && ["choices", "plain"].some((id) => document.getElementById(id)?.contains(document.activeElement)), was = document.activeElement;
  patch($("head"), head(page));
  patch($("phases"), phases(page));
  patch($("ask"), ask(page));
  patch($("above"), above(page));
  patch($("card"), card(page));
  patch($("tabs"), tabs(page));
  patch($("news"), news(page));
  patch($("panel"), panel(page));
  patch($("rim"), rim(page));
  patch($("sheet"), state.sheet === "battle" ? battle(page) : []);
  showOver(page);
  showCurtain();
  if (decides && (document.activeElement !== was || shownAt !== view?.number)) wanted ??= "choices"; // the button that was pressed is gone
  shownAt = view?.number;
  if (wanted) focus(wanted);
  followLog();
  point();
}

// Shows what has changed at once.
function drawn() {
  if (!drawing) return;
  cancelAnimationFrame(drawing);
  render();
}

function drawMap(shown) {
  const last = shown === state.past ? state.past.line : (state.lines.at(-1)?.line ?? -1);
  const ways = state.lines.filter((line) => line.trail && line.line > drawnAt.last && line.line <= last).map((line) => line.trail);
  map.draw(shown.pieces, {}, shown.control, state.view.colours, ways, shown.objectives);
  drawnAt = { number: state.view.number, last };
  map.mark(marks(state));
  map.cover(cover(state));
  map.drawTrails(state.past ? [] : trails(state).trails);
}

// The log is at its end, unless somebody looks at a line.
function followLog() {
  const log = document.getElementById("log"), at = `${state.view?.number} ${state.lines.length} ${state.past?.line} ${state.tab}`;
  if (!log || log.dataset.at === at) return;
  log.dataset.at = at;
  const now = log.querySelector(".now");
  if (now) now.scrollIntoView({ block: "nearest" });
  else $("panel").scrollTop = $("panel").scrollHeight;
}

function showOver(page) {
  const over = state.hidden ? null : { briefing, end }[state.sheet] ?? null, root = $("over");
  patch(root, over ? over(page) : []);
  const isOpen = root.childElementCount > 0;
  root.hidden = !isOpen;
  for (const room of ["map", "ask", "side", "phases", "rim"]) $(room).inert = isOpen;
  if (isOpen && shownSheet !== state.sheet) (root.querySelector(".primary") ?? root).focus();
  shownSheet = isOpen ? state.sheet : null;
}

// One device, several players: nothing is shown before the next one is there.
function showCurtain() {
  const dialog = $("curtain");
  if (state.curtain === null) return dialog.open && dialog.close();
  dialog.firstElementChild.textContent = `Pass the device to ${state.curtain}.`;
  if (!dialog.open) dialog.showModal();
}

// What is lit by the pointer: the way to a place.
function point() {
  if (!map || pointed?.place === undefined) return;
  const label = pointed.place;
  const led = through(state).length && state.chosen?.choices.find((choice) => choice.place === label);
  const way = state.past ? [] : led ? wayOf(state, led) : state.reach?.ways[label] ?? state.chosen?.choices.find((it) => it.place === label)?.way ?? [];
  if (way.length || came.length) map.way(way);
  came = way;
}

// A pointer that rests on a piece may soon click it: what a click would show is asked for already.
function about(label, piece) {
  if (piece !== pointed?.piece) {
    clearTimeout(resting);
    if (piece && !state.past && open(state).includes(piece)) resting = setTimeout(() => effects.run({ do: "expect", key: piece }), REST);
  }
  pointed = { place: label, piece };
  point();
  return tip(state, label);
}

/** Where somebody goes on who uses keys. */
function focus(where) {
  wanted = null;
  if (drawing) {
    wanted = where; // when it is there
    return;
  }
  const found = where === "primary" ? [$("primary")] : [$("choices").querySelector(".list button"), $("plain").querySelector("button:not(:disabled)"), $("undo")];
  /** @type {HTMLElement | null | undefined} */ (found.find(Boolean))?.focus();
}

function sound() {
  if (!settings.get("sound")) return;
  const audio = new AudioContext(), tone = audio.createOscillator(), volume = audio.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}

// -- what the player does -----------------------------------------------------------------------------------------------------------

addEventListener("hashchange", () => location.reload()); // another seat or another game
for (const [kind, by] of /** @type {[string, boolean][]} */ ([["keydown", true], ["pointerdown", false]])) addEventListener(kind, () => (keyed = by), true);
$("skip").onclick = () => focus("choices");
$("curtain").lastElementChild.onclick = () => effects.run({ do: "sit", seat: state.next });
$("curtain").oncancel = (event) => event.preventDefault();
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  if (state.view && map?.plane?.key(event)) return event.preventDefault();
  const act = keysOf({ state, go, map, keyed, primary: () => primary(state), drawn })[event.key];
  if (!act || !state.view) return;
  event.preventDefault();
  act();
});
addEventListener("visibilitychange", () => !document.hidden && state.about && effects.run({ do: "chats" }));

// -- the beginning ------------------------------------------------------------------------------------------------------------------

async function begin() {
  // All at once; what the first seat sees is a guess at who looks, and right for all but the host's link.
  const ground = api.fetch(path("/ground.svg")).then((answer) => answer.blob()).catch(() => null);
  effects.guess(api.get(path("/view"), { seat: "*", faces: "" }).catch(() => null));
  const found = await api.get(path());
  const title = `${found.title}: ${found.scenario}`;
  if (!known.all().some((it) => it.game === game && it.key === key)) known.add({ game, key, title });
  const links = known.all().find((it) => it.game === game && it.key === key) ?? { game, key, title };
  dispatch({ is: "aboutCame", about: found, settings: settings.all(), links });
  if (found.ground) {
    map = new GameMap($("map"), found.ground, { click, about });
    if (found.ground.scale) map.plane = new Hand({ map, go, get: () => state, ask: (what, query) => api.get(path(what), { seat: state.seat, ...query }) });
    ground.then(paint).catch(effects.report);
  } else document.body.classList.add("boardless");
  await effects.run({ do: "look" });
  if (settings.get("briefing") && !settings.get(`briefed ${found.ruleset} ${found.scenario_id}`) && state.view && !state.view.result && isNew()) dispatch({ is: "sheeted", sheet: "briefing" });
  listen([{ game, key: key ?? "" }], {
    heard: (number) => dispatch({ is: "heard", heard: number }),
    talked: () => effects.run({ do: "chats" }),
    lost: () => dispatch({ is: "away" }),
    closed: (words) => dispatch({ is: "said", say: words }),
  });
}

// Whether the game has only begun, for somebody who plays.
const isNew = () => Boolean(state.seat) && state.view.turn <= 1 && state.seen !== null && state.lines.length < 60 && state.view.undo.length === 0;

async function paint(ground) {
  if (!ground) return;
  await Promise.race([map.painted.promise, new Promise((later) => setTimeout(later, LATEST))]); // counters take less time
  const picture = new Image(), address = URL.createObjectURL(ground);
  picture.src = address;
  await picture.decode();
  map.paint(picture);
  dispatch({ is: "aboutCame", about: { ...state.about, picture: address }, settings: state.settings, links: state.links });
}

begin().catch(effects.report);
