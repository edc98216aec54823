// A game as the page knows it, small enough to be read.
import { initial, reduce } from "../../../hexwar/web/page/state.js";

export const piece = (id, place, side = "blue", more = {}) => ({ id, place, side, name: `the ${id}`, says: id, works: false, face: "f", ...more });
export const group = (key, ...choices) => ({ key, complete: true, open: null, choices });
export const choice = (place, action = { kind: "act", place }) => ({ action, words: `to ${place}`, says: `to ${place}`, place, way: [] });

export function view(number = 1, more = {}) {
  const pieces = [piece("b1", "A"), piece("b2", "A"), piece("r1", "B", "red")];
  const question = { asks: "go", title: "Who goes?", words: "Who goes? (1.2)", clause: "1.2", shows: ["reach"], way: true, complete: true, choices: [], groups: [{ key: "b1" }, { key: "b2" }], goals: [], places: [], ending: null };
  return { number, seat: "blue", to_move: ["blue"], mine: ["blue"], bots: {}, resigned: {}, result: null, undo: [], log: [], score: [], turn: 1, phase: "Go", colours: { blue: {}, red: {} }, control: {}, objectives: [], pieces, question, ...more };
}

export const about = { game: "g", title: "Game", scenario: "Scenario", seats: { blue: "blue", red: "red" }, bots: {}, mine: ["blue"], names: {}, overlays: ["supply", "moves"], lesson: [], ground: { names: { A: "Alton" }, centres: { A: [0, 0], B: [1, 0] }, terrain: {}, usual: "clear" } };

/** The state after some events, and what the last one asks to be done. */
export function after(...events) {
  let state = initial(), effects = [];
  for (const event of [{ is: "aboutCame", about, settings: { single: true }, links: {} }, { is: "sat", seat: "blue", seen: null }, ...events]) [state, effects] = reduce(state, event);
  return { state, effects };
}

export const came = (number, more) => ({ is: "viewCame", view: view(number, more), done: null });
