// What is shown, derived from the state: pure functions without a document.
import { placeWords } from "./map/boards.js";
import { AWAY, SLOW, fits, open, placeOf, through } from "./state.js";

/** @typedef {import("./types").State} State */

export const pieceOf = (state, id) => (state.past ?? state.view)?.pieces.find((it) => it.id === id) ?? null;
export const sideOf = (state) => state.about?.seats[state.seat] ?? "";
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
/** A side in words. */
export const sideName = (side) => capital(side.replaceAll("_", " "));

/** A piece, place or chit by its name. */
export function nameOf(state, key) {
  const piece = pieceOf(state, key), group = state.view?.question?.groups.find((it) => it.key === key);
  return piece?.name || group?.words || placeName(state, key);
}

/** A place by its name, or by its label if it has none. */
export const placeName = (state, place) => state.about?.ground?.names[place] || String(place ?? "");

// -- the question -----------------------------------------------------------------------------------------------------------

const player = (state, seat) => {
  const bot = Object.hasOwn(state.about.bots, seat) ? state.about.bots[seat] : "";
  const name = state.about.names?.[seat];
  return bot ? `${seat} (${bot})` : name ? `${seat} (${name})` : seat;
};

/** Heading, words and rule of what is asked. */
export function question(state) {
  const { view } = state;
  if (!view) return { title: "", words: "", clause: "", heading: "", asked: false };
  const asked = view.question;
  if (view.result) return { title: "The game is over", words: view.result, clause: "", heading: view.phase, asked: false };
  if (!asked) {
    const waiting = view.to_move.map((it) => player(state, it)).join(" and ");
    const due = Math.min(...Object.values(view.due ?? {})), until = Number.isFinite(due) ? `Due ${new Date(1000 * due).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}.` : "You can look around and plan.";
    return { title: view.stopped ? "A bot has stopped" : `Waiting for ${waiting}`, words: view.stopped || until, clause: "", heading: view.phase, asked: false };
  }
  const clause = asked.clause ?? "", said = (asked.says ?? asked.words).trim();
  const words = clause && said.endsWith(`(${clause})`) ? said.slice(0, -clause.length - 2).trim() : said;
  const heading = [sideName(state.seat ?? ""), view.phase].filter(Boolean).join(" · ");
  const key = state.chosen?.key, piece = key && pieceOf(state, key);
  const by = through(state).length ? ` by ${through(state).map((place) => placeName(state, place)).join(", ")}` : "";
  const title = piece ? (asked.shows.includes("reach") ? `Where does ${piece.name} go${by}?` : `${piece.name}${by}: ${asked.title}`) : key && asked.groups.some((it) => it.key === key) ? `${nameOf(state, key)}${by}` : asked.title;
  return { title, words: key ? "Escape takes another" : words, clause, heading, asked: true };
}

/** Who should have decided by now, as somebody sees who waits for them.
 * @param {State} state
 * @param {number} now seconds since 1970 */
export function lateOnes(state, now) {
  const { view, seat } = state;
  if (!view || !seat || view.question || view.result) return [];
  return Object.entries(view.due ?? {}).filter(([, due]) => due < now).map(([late]) => late);
}

/** What the server's silence or refusal says; "" if there is nothing to say. */
export const said = (state) => (state.away ? AWAY : state.say || (state.slow ? SLOW : ""));

/** Choices that stand for themselves, the one that ends the decision apart. */
export function plain(state) {
  const asked = state.view?.question;
  return (asked?.choices ?? []).map((choice) => {
    const ends = Boolean(asked.ending) && JSON.stringify(asked.ending.action) === JSON.stringify(choice.action);
    const left = ends ? asked.ending.left.length : 0;
    return { choice, ends, left, title: ends ? asked.ending.title : capital(choice.says ?? choice.words), small: ends ? asked.ending.still : "" };
  });
}

/** The one button that is always there, at the right end.
 * @param {State} state
 * @returns {any} */
export function primary(state) {
  const { view } = state;
  if (!view) return { title: "…", small: "", off: true };
  if (state.past) return { title: "Back to now", small: state.showing ? "skips what happened" : "the game goes on there", event: { is: "toNow" }, id: "primary-now" };
  const battle = state.sheet === "battle" && state.attack ? strike(state) : null;
  if (battle) return battle;
  if (view.result) return { title: "How it ended", small: "points, losses, luck, rematch", event: { is: "sheeted", sheet: "end" } };
  if (state.hint) return { title: "Do it", small: `what ${state.hint.bot} would do`, effect: { do: "act", action: state.hint.action } };
  if (!view.question) return { title: "Waiting", small: view.to_move.map((it) => sideName(it)).join(", "), off: true };
  const choices = plain(state), keys = open(state);
  const last = choices.find((it) => it.ends) ?? (choices.length === 1 ? choices[0] : choices.at(-1));
  if (last) return { ...ended(state, last), ends: last.ends, plain: true, choice: last.choice };
  if (keys.length) return { title: "Next", small: `${keys.length} to choose from`, effect: { do: "next" } };
  return { title: "Waiting", small: "", off: true };
}

function ended(state, { choice, left, title, small }) {
  const sure = state.sure === choice.words, asks = left > 0 && !sure;
  return { title: sure ? `Really? ${title}` : title, small, sure, ...(asks ? { event: { is: "asked", sure: choice.words } } : { effect: { do: "act", action: choice.action } }) };
}

function strike(state) {
  const { attack } = state, { odds } = attack, idle = attack.chosen.some((unit) => attack.idle.includes(unit));
  if (!mayAttack(state) || !odds?.possible || idle) return { title: "Close", small: why(attack, idle), event: { is: "sheeted", sheet: null } };
  const fresh = attack.chosen.filter((unit) => !attack.joined.includes(unit));
  if (!fresh.length) return { title: "Close", small: "all of them take part already", event: { is: "sheeted", sheet: null } };
  const title = attack.joined.length ? `Attack with ${fresh.length} more` : `Attack with ${fresh.length}`;
  return { title, small: `at ${attack.table?.columns[attack.table.column] ?? odds.name}`, effect: { do: "strike", target: attack.target, units: fresh }, ends: true };
}

function why(attack, idle) {
  if (!attack.able.length) return "nobody can attack it from where they stand";
  return idle ? "some may not attack now" : attack.odds && !attack.odds.possible ? "the odds are too low" : "not now";
}

/** Whether the attack that is weighed can be begun or joined in this decision. */
export function mayAttack(state) {
  const keys = open(state), { attack, view } = state;
  return Boolean(view?.question) && (keys.includes(attack.target) || (attack.able.some((unit) => keys.includes(unit)) && view.question.shows.includes("attack")));
}

/** What lies in the tray: the choices about what is chosen, or else whatever something can be chosen about.
 * @param {State} state */
export function tray(state) {
  const { view, chosen } = state;
  if (!view?.question || state.past) return [];
  const many = new Map();
  for (const it of view.question.groups) many.set(it.key, it);
  if (chosen) {
    return chosen.choices.map((choice, n) => ({
      key: `choice ${n} ${choice.words}`, choice, words: capital(short(state, chosen, choice)), small: cost(state, choice), says: choice.says ?? choice.words, piece: null, group: null,
    }));
  }
  return [...many.values()].map(({ key, words }) => {
    const piece = pieceOf(state, key);
    return { key, group: key, piece, words: piece?.name ?? words ?? placeName(state, key), says: piece ? piece.says : words ?? placeName(state, key), small: "", choice: null };
  });
}

// "move 4th rifles to Stara" is "to Stara" where the 4th rifles are chosen.
function short(state, chosen, choice) {
  const says = choice.says ?? choice.words, name = nameOf(state, chosen.key);
  const at = says.indexOf(name);
  const rest = at < 0 ? says : says.slice(at + name.length).trim();
  return rest || says;
}

function cost(state, choice) {
  if (choice.cost !== undefined && choice.cost !== null) return `${choice.cost}`;
  const known = choice.place !== null && state.reach?.costs[choice.place];
  return known ? `${known[0]}` : "";
}

/** The way of a choice. */
export const wayOf = (state, { way, place }) => (way.length ? way : state.reach?.ways[place] ?? []);

/** The step of the lesson that is shown now, if there is one. */
export function lessonStep(state) {
  if (!state.lesson || !state.view) return null;
  const step = state.about.lesson[state.lesson.step];
  if (!step) return { done: true, says: "That was the guided first turn. The game goes on: you know what you need.", part: "", pieces: [], places: [], until: "read" };
  return { ...step, waits: !fits(step, state.view, state.seat), number: state.lesson.step + 1, of: state.about.lesson.length };
}

// -- what happened ------------------------------------------------------------------------------------------------------------

const isMine = (state, piece) => state.view.pieces.some((it) => it.id === piece && it.side === sideOf(state));

/** The log: a heading for each side's part, lines, what is new, how far undo reaches.
 * @param {State} state
 * @returns {any[]} */
export function logRows(state) {
  if (!state.view) return [];
  const ways = state.view.undo, rows = [];
  let side = "";
  for (const line of state.lines) {
    if (line.kind !== "event") side = "";
    else if (line.side && line.side !== side) {
      side = line.side;
      rows.push({ key: `side ${line.line}`, heading: side });
    }
    const fresh = state.seen !== null && line.line > state.seen;
    rows.push({
      key: `line ${line.line}`, line, fresh, mine: fresh && (line.pieces ?? []).some((piece) => isMine(state, piece)),
      now: state.past?.line === line.line, times: ways.lastIndexOf(line.line) + 1, barrier: line.line === ways.at(-1),
    });
  }
  return rows;
}

/** What others did since the player last decided, in a sentence; null if nothing. */
export function since(state) {
  const { view, seen } = state;
  if (!view || seen === null) return null;
  const fresh = state.lines.filter((line) => line.line > seen && line.kind === "event" && line.side && line.side !== sideOf(state));
  if (!fresh.length) return null;
  const moved = new Set(fresh.filter((line) => line.trail).flatMap((line) => line.trail?.pieces ?? []));
  const struck = fresh.filter((line) => line.blow?.length), dead = new Set(fresh.flatMap((line) => line.gone ?? []));
  const parts = [];
  if (moved.size) parts.push(`${moved.size} ${moved.size === 1 ? "unit" : "units"} moved`);
  if (struck.length) parts.push(`${struck.length} ${struck.length === 1 ? "blow" : "blows"} at ${[...new Set(struck.flatMap((line) => line.blow ?? []))].slice(0, 2).map((place) => placeName(state, place)).join(", ")}`);
  if (dead.size) parts.push(`${dead.size} lost`);
  return { side: fresh.at(-1)?.side ?? "", words: parts.join("; ") || capital(fresh.at(-1)?.says ?? "") };
}

/** Trails of what others did since the player last decided, and the places that were struck. */
export function trails(state) {
  const { view, seen, lines } = state;
  if (!view || seen === null || state.settings.trails === false) return { trails: [], blows: [] };
  const fresh = lines.filter((line) => line.line > seen);
  const theirs = fresh.filter((line) => line.side !== sideOf(state));
  const hit = fresh.filter((line) => (line.pieces ?? []).some((piece) => isMine(state, piece))).flatMap((line) => line.places ?? []);
  return { trails: theirs.flatMap((line) => (line.trail ? [line.trail] : [])), blows: [...new Set([...fresh.flatMap((line) => line.blow ?? []), ...hit])] };
}

// -- the map ------------------------------------------------------------------------------------------------------------------

/** Marks of pieces and places.
 * @param {State} state */
export function marks(state) {
  const { view, chosen, hint, reach } = state, places = {}, lesson = lessonStep(state);
  if (!view || state.past) return { pieces: [], chosen: null, advised: [], places, spent: [] };
  const keys = open(state), asked = view.question;
  for (const label of asked?.places ?? []) places[label] = ["concern", ""];
  for (const label of keys) places[label] = ["open", ""];
  for (const label of Object.keys(reach?.costs ?? {})) places[label] = ["could", `${reach?.costs[label][0]}`];
  if (chosen) {
    places[chosen.key] = ["chosen", ""];
    for (const choice of chosen.choices) if (choice.place !== null) places[choice.place] = ["reach", cost(state, choice)];
    for (const place of through(state)) places[place] = ["corner", ""];
  }
  if (hint?.places.length) places[hint.places.at(-1)] = ["advised", ""];
  for (const label of trails(state).blows) places[label] ??= ["hit", ""];
  if (state.attack && state.sheet === "battle") places[state.attack.target] = ["target", ""];
  for (const label of lesson && !lesson.waits ? lesson.places : []) places[label] = ["advised", places[label]?.[1] ?? ""];
  const advised = [...(hint?.pieces ?? []), ...(lesson && !lesson.waits ? lesson.pieces : [])];
  return { pieces: keys, chosen: chosen?.key ?? null, advised, places };
}

/** What lies over the map: what somebody wants to see, declared attacks, the hint. */
export function cover(state) {
  const { view, covered, hint, attack } = state;
  if (!view || state.past) return {};
  const side = sideOf(state), lines = [...(covered?.lines ?? [])];
  for (const [unit, target] of view.question?.goals ?? []) lines.push([side, [placeOf(state, unit), target], "goal"]);
  if (hint?.places.length) lines.push([side, [placeOf(state, hint.pieces[0]), ...(hint.way.length ? hint.way : [hint.places.at(-1)])].filter(Boolean), "goal advice"]);
  const strikes = attack && state.sheet === "battle" ? attack.chosen.map((unit) => [placeOf(state, unit), attack.target]) : [];
  return { ...covered, lines, strikes };
}

/** What the patterns on the map mean, as far as they are there. */
export function legend(state) {
  if (!state.view || state.past) return [];
  const found = (state.covered?.legend ?? []).map((it) => ({ ...it }));
  if (state.reach && Object.keys(state.reach.costs).length) found.push({ pattern: "reach", side: "", words: "in reach, with cost" });
  if (trails(state).trails.length) found.push({ pattern: "trail", side: "", words: "moved since you decided" });
  return found;
}

/** What the pointer says over a place. */
export function tip(state, label) {
  const shown = state.past ?? state.view;
  if (!shown || !state.about.ground) return [];
  const held = shown.control[label], ground = state.about.ground;
  const parts = [held ? `${placeWords(ground, label)}, held by ${held}` : placeWords(ground, label)];
  parts.push(...shown.pieces.filter((it) => it.place === label).map((it) => it.says));
  const { reach } = state;
  if (reach && label in reach.costs) {
    const [points, mode] = reach.costs[label];
    parts.push(`${points} points${mode ? ` (${mode})` : ""}${reach.zones.includes(label) ? ", in an enemy zone of control" : ""}`);
  } else if (reach && label in reach.closed) parts.push(reach.closed[label]);
  return parts;
}

// -- the card -------------------------------------------------------------------------------------------------------------------

/** What the card is about: the piece or the place that is chosen or was clicked; null for nothing.
 * @param {State} state */
export function subject(state) {
  if (!state.view) return null;
  const key = state.chosen?.key ?? null, piece = (key && pieceOf(state, key)) || (state.looked?.piece && pieceOf(state, state.looked.piece)) || null;
  const place = piece ? piece.place : state.looked?.place ?? null;
  if (!piece && !place) return null;
  const shown = state.past ?? state.view;
  const here = place === null ? [] : shown.pieces.filter((it) => it.place === place && !it.works);
  return { piece, place, here, card: piece ? state.cards[piece.id] ?? null : null };
}
