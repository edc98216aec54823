// What the page knows and what becomes of it: `reduce` is a pure function from a state and an event to the next state and to what
// is to be done outside (see effects.js). An answer of the server carries the number of the position for which it was asked, and
// one that comes too late changes nothing.

/**
 * @typedef {import("./types").State} State
 * @typedef {import("./types").PageEvent} PageEvent
 * @typedef {import("./types").Effect} Effect
 * @typedef {[State, Effect[]]} Next
 */

export const AWAY = "The server does not answer; the page tries again.";
export const SLOW = "No answer yet…";
const POSITION = { chosen: null, choosing: null, reach: null, corner: false, hint: null, advising: false, sure: null, covered: null, cards: {}, aimed: null };
const SEATED = { ...POSITION, view: null, lines: [], past: null, showing: false, attack: null, looked: null, words: [], rule: null, seen: null, luck: null, notes: null };

/** @returns {State} */
export function initial() {
  return {
    ...structuredClone(SEATED),
    about: null, seat: undefined, busy: false, newest: 0, heard: null, away: false, slow: false, say: "",
    curtain: null, hidden: false, cover: "", sheet: null, tab: "log", opened: [], settings: {}, charts: null, found: null, search: "",
    chat: [], chatSeen: 0, talked: false, lesson: null, links: {}, bare: false, wide: "", replaying: null, summary: null, room: "decide",
  };
}

/**
 * @param {State} state
 * @param {PageEvent} event
 * @returns {Next}
 */
export function reduce(state, event) {
  if ("number" in event && event.number !== state.view?.number) return [state, []];
  const next = REACTIONS[event.is](state, event);
  return Array.isArray(next) ? /** @type {Next} */ (next) : [next, []];
}

/** The keys of whatever can be chosen now.
 * @param {State} state
 * @returns {string[]} */
export const open = (state) => (state.view?.question?.groups ?? []).map((group) => group.key);
/** @param {State} state */
export const through = (state) => state.chosen?.through ?? [];
/** Who decides for a seat: another player of its side if its own has resigned. */
export const who = (view, seat) => (view && Object.hasOwn(view.resigned ?? {}, seat) ? view.resigned[seat] : seat);
/** Where a piece lies. */
export const placeOf = (state, id) => state.view?.pieces.find((piece) => piece.id === id)?.place ?? null;
const own = (state) => state.about?.seats[state.seat];

const REACTIONS = {
  aboutCame: (state, { about, settings, links }) => ({ ...state, about, settings, links, wide: about.overlays.includes("moves") ? "moves" : "" }),
  sat: (state, { seat, seen, silent }) => [{ ...state, ...structuredClone(SEATED), seat, seen, curtain: null, opened: state.opened.filter((it) => it !== "notes") }, silent ? [] : [{ do: "look" }]],
  did: (state, { kind, newest }) => ({ ...state, newest, lesson: state.lesson && { ...state.lesson, did: kind } }),
  busy: (state, { busy }) => ({ ...state, busy }),
  slow: (state, { slow }) => ({ ...state, slow }),
  said: (state, { say }) => ({ ...state, say, advising: false }),
  away: (state) => ({ ...state, away: true, say: AWAY }),
  heard(state, { heard }) {
    const again = heard === state.heard; // a number that comes once more: after a break, or if a bot has failed
    const next = { ...state, heard, newest: heard, away: false, say: state.away ? "" : state.say };
    return [next, !state.busy && state.curtain === null && (again || heard !== state.view?.number) ? [{ do: "look" }] : []];
  },
  viewCame,
  curtained: (state, { seat }) => ({ ...state, curtain: seat, hidden: true }),
  choose,
  choicesCame,
  left: (state) => unchosen({ ...state, say: "" }),
  narrowed: (state, { choices }) => ({ ...state, chosen: { ...state.chosen, choices } }),
  throughCame: (state, { key, places, group, reach }) =>
    state.chosen?.key === key ? { ...state, chosen: { ...group, through: places }, reach, corner: false } : state,
  aimedCame: (state, { group }) => (state.chosen ? state : { ...state, chosen: group }),
  reachCame: (state, { reach }) => ({ ...state, reach }),
  cornered: (state) => (state.view?.question?.way && state.chosen ? { ...state, corner: !state.corner } : state),
  asked: (state, { sure }) => ({ ...state, sure }),
  advising: (state, { advising }) => ({ ...state, advising }),
  hintCame: (state, { hint }) => ({ ...state, hint, advising: false }),
  attackCame: (state, { attack }) => ({ ...state, attack, sheet: attack ? "battle" : state.sheet === "battle" ? null : state.sheet }),
  looked: (state, { piece, place }) => [{ ...state, looked: { piece, place }, rule: null, words: [] },
    [...(piece ? [{ do: "card", unit: piece }] : []), ...(place ? [{ do: "words", place }] : [])]],
  cardCame: (state, { card, unit }) => ({ ...state, cards: { ...state.cards, [unit]: card } }),
  wordsCame: (state, { place, words }) => (state.looked?.place === place ? { ...state, words } : state),
  ruleCame: (state, { rule }) => ({ ...state, rule }),
  momentCame: (state, { past, line }) => ({ ...state, past: { ...past, asked: line } }),
  toNow: (state) => ({ ...state, past: null, showing: false }),
  showing: (state, { showing }) => ({ ...state, showing }),
  earlierCame: (state, { lines }) => ({ ...state, lines: [...lines, ...state.lines] }),
  covering: (state, { cover }) => [{ ...state, cover, covered: null }, cover ? [{ do: "overlay", name: cover }] : []],
  coverCame: (state, { name, found }) => (state.cover === name ? { ...state, covered: found } : state),
  tabbed(state, { tab }) {
    const effects = tab === "charts" && !state.charts ? [{ do: "charts" }] : [];
    const room = tab === "decide" ? "decide" : "panel";
    return [{ ...state, room, tab: tab === "decide" ? state.tab : tab, chatSeen: tab === "chat" ? state.chat.length : state.chatSeen }, effects];
  },
  unfolded(state, { part }) {
    const opened = state.opened.includes(part) ? state.opened.filter((it) => it !== part) : [...state.opened, part];
    const asks = { luck: [{ do: "luck" }], notes: [{ do: "notes" }] };
    return [{ ...state, opened }, opened.includes(part) ? asks[part] ?? [] : []];
  },
  luckCame: (state, { luck }) => ({ ...state, luck }),
  notesCame: (state, { text }) => ({ ...state, notes: text }),
  chartsCame: (state, { charts }) => ({ ...state, charts }),
  foundCame: (state, { found, search }) => ({ ...state, found: { ...found, search } }),
  sheeted: (state, { sheet }) => [{ ...state, sheet, attack: sheet === "battle" ? state.attack : null }, sheet === "end" && !state.summary ? [{ do: "summary" }] : []],
  summaryCame: (state, { summary }) => ({ ...state, summary }),
  set: (state, { settings }) => ({ ...state, settings }),
  linksCame: (state, { links }) => ({ ...state, links }),
  chatCame: (state, { chat, names }) => ({ ...state, chat, chatSeen: state.tab === "chat" || !state.talked ? chat.length : state.chatSeen, talked: true, about: { ...state.about, names } }),
  bared: (state) => ({ ...state, bare: !state.bare }),
  lessoned: (state, { lesson }) => ({ ...state, lesson, sheet: null, opened: state.opened }),
};

// A position has come. `done` is the number of the state that the player made, if they did.
function viewCame(state, { view, done }) {
  const { about } = state;
  if (String(view.mine) !== String(about.mine)) return [state, [{ do: "reload" }]]; // somebody has resigned: they sit elsewhere now
  const next = view.to_move.includes(state.seat) ? null : about.mine.find((it) => view.to_move.includes(it));
  if (next && who(view, next) !== who(view, state.seat)) return [{ ...state, curtain: who(view, next), next, hidden: true }, []];
  if (next) return [state, [{ do: "sit", seat: next }]];
  const before = state.view, fresh = before?.number !== view.number;
  const own_ = done !== null && done === view.number;
  const known = state.seen === null || own_ ? view.log.at(-1)?.line ?? -1 : state.seen;
  const lines = merged(state.lines, view.log);
  let after = { ...state, view, lines, seen: known, hidden: false, newest: Math.max(state.newest, view.number), about: { ...about, bots: view.bots } };
  const effects = [];
  if (known !== state.seen) effects.push({ do: "know", seen: known });
  if (fresh) {
    after = { ...after, ...structuredClone(POSITION), showing: own_ ? false : state.showing, lesson: caught(stepped(state.lesson, state, own_), about, view, state.seat) };
    const { question } = view, goal = question?.goals.find(([, place]) => place === state.attack?.target)?.[1] ?? question?.goals.at(-1)?.[1];
    if (goal) effects.push({ do: "attack", target: goal, units: [] });
    else Object.assign(after, { attack: null, sheet: state.sheet === "battle" ? null : state.sheet });
    if (state.cover) effects.push({ do: "overlay", name: state.cover });
    if (state.looked?.piece) effects.push({ do: "card", unit: state.looked.piece });
    if (state.opened.includes("luck")) effects.push({ do: "luck" });
    if (view.result && !before?.result) return [{ ...after, sheet: before ? "end" : after.sheet }, [...effects, ...(before ? [{ do: "summary" }] : []), { do: "arrived", first: !before }]];
    effects.push({ do: "arrived", first: !before });
  }
  return [after, effects];
}

/** The latest lines of the log; those before them are kept. */
export function merged(lines, latest) {
  const first = latest[0]?.line ?? 0, older = lines.filter((it) => it.line < first);
  return older.at(-1)?.line === first - 1 ? [...older, ...latest] : latest;
}

// Something is to be chosen: its choices are asked for. `far` says that the player need not have seen it.
function choose(state, { key, far = false, follow = false }) {
  const place = placeOf(state, key), piece = place === null ? null : key;
  const after = { ...state, past: null, showing: false, chosen: null, reach: null, corner: false, choosing: key, say: "", rule: null };
  return [{ ...after, looked: piece ? { piece, place } : state.looked, sheet: null, attack: null }, [{ do: "choices", key, far, follow },
    ...(piece ? [{ do: "card", unit: key }] : [])]];
}

function choicesCame(state, { key, group, reach, follow }) {
  if (state.choosing !== key) return state; // they have gone on meanwhile
  const only = group.choices.length === 1 ? group.choices[0] : null;
  if (only && group.complete && state.settings.single && [null, key].includes(only.place)) return [state, [{ do: "act", action: only.action }]];
  return [{ ...state, chosen: group, reach }, follow ? [{ do: "decide" }] : []];
}

function unchosen(state) {
  return { ...state, chosen: null, choosing: null, reach: null, corner: false, hint: null, aimed: null };
}

/** What the page shows, as a step of a lesson sees it: whether the step waits for something else. */
export function fits(step, view, seat) {
  const asks = view.question?.asks ?? "";
  return (!step.seat || step.seat === seat) && (!step.turn || step.turn === view.turn) && (!step.asks || step.asks === asks);
}

// A step of the lesson ends when what it waits for was done.
function stepped(lesson, state, isOwn) {
  if (!lesson || !isOwn) return lesson;
  const step = state.about.lesson[lesson.step];
  if (!step || step.until === "read" || !fits(step, state.view, state.seat)) return lesson;
  if (step.until && lesson.did !== step.until) return lesson;
  return { step: lesson.step + 1, did: "" };
}

// A player who did something else than a step waits for goes on with the first later step that is about what is asked now.
function caught(lesson, about, view, seat) {
  const step = lesson && about.lesson[lesson.step];
  if (!step || !view.question || fits(step, view, seat)) return lesson;
  const later = about.lesson.findIndex((it, n) => n > lesson.step && it.asks && fits(it, view, seat));
  return later < 0 ? lesson : { step: later, did: "" };
}

// -- clicks ---------------------------------------------------------------------------------------------------------------

/**
 * What a click on the map means: whatever is offered comes first, then planning, then looking. An event or an effect for each.
 * @param {State} state
 * @param {{piece: string | null, place: string | null, shift: boolean, follow?: boolean}} click
 * @returns {any[]}
 */
export function clicked(state, { piece, place, shift, follow = false }) {
  const { view, chosen } = state;
  if (!view) return [];
  const look = { is: "looked", piece: piece ?? null, place };
  if (state.past) return place ? [look] : [];
  const keys = open(state), { question } = view;
  if (place !== null && question?.way && chosen && (state.corner || shift)) return [{ do: "through", places: [...through(state), place] }];
  const here = chosen?.choices.filter((choice) => place !== null && choice.place === place) ?? [];
  if (here.length === 1) return [{ do: "act", action: here[0].action }];
  if (here.length) return [{ is: "narrowed", choices: here }];
  if (!piece && place && chosen?.open) return [{ do: "act", action: { ...chosen.open.action, [chosen.open.point]: place.split(",").map(Number) } }];
  if (piece && keys.includes(piece) && chosen?.key !== piece) return [{ do: "spread", place }, { is: "choose", key: piece, follow }];
  if (place && keys.includes(place) && isOffered(state, place)) return [{ is: "choose", key: place, follow }, look];
  const stack = view.pieces.filter((it) => place !== null && it.place === place && keys.includes(it.id) && it.id !== chosen?.key);
  if (stack.length) return [{ do: "spread", place }, { is: "choose", key: stack[0].id, follow }, { is: "looked", piece: stack[0].id, place }];
  const enemy = view.pieces.some((it) => place !== null && it.place === place && it.side !== own(state) && !it.works);
  if (place && (enemy || keys.includes(place))) return [{ do: "spread", place }, look, { do: "attack", target: place, units: [], sheet: true }];
  /** @type {any[]} */
  const after = [{ is: "left" }, { do: "spread", place }];
  if (piece) after.push({ do: "plan", unit: piece });
  else if (place && keys.length && !chosen) after.push({ do: "aim", place });
  if (place) after.push(look);
  else after.push({ is: "looked", piece: null, place: null });
  return after;
}

// Whether a click on a place chooses it: an attack that can still be weighed is weighed first, and its button begins it.
function isOffered(state, place) {
  const { question } = state.view;
  return !question.shows.includes("attack") || question.goals.some(([, goal]) => goal === place);
}
