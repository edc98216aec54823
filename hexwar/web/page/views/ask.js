// The question: what is asked, what can be chosen as a tray, and one button that is always in the same place.
import { icon } from "../icons.js";
import { h } from "../render.js";
import { capital, lateOnes, lessonStep, plain, primary, question, said, tray, wayOf } from "../select.js";
import { open, through } from "../state.js";
import { button, cite, counter } from "./parts.js";

const MOST_LISTED = 150;
const MOST_BESIDE = 2; // choices that are buttons beside the main one; more of them lie in the tray

/** @param {import("./parts.js").Page} page */
export function ask(page) {
  const { state, go } = page, { view } = state, it = question(state), main = primary(state);
  const tool = (id, name, title, keys, act, off, words = "") =>
    h(`button.btn.quiet#${id}`, { type: "button", title: `${title} (${keys})`, "aria-label": title, disabled: off, onclick: act }, icon(name), words ? h("span", {}, words) : null, h("kbd", { "aria-hidden": "true" }, keys.toUpperCase()));
  const others = rest(state);
  const news = view ? view.log.some((line) => line.line > (state.seen ?? Infinity)) : false;
  return [
    h("div.what", {}, h("div#prompt", { role: "status", "aria-live": "polite" }, h("span.label", {}, it.heading), h("b", {}, it.title), h("span.small", { title: it.words }, it.words)), it.clause ? cite(page, it.clause) : null),
    h("div#choices", { class: state.opened.includes("choices") ? "unfolded" : "" }, choices(page)),
    h("div.do", {}, tool("undo", "undo", "Undo", "u", () => go({ do: "undo" }), !view?.undo.length), tool("next", "next", "The next piece that can do something", "n", () => go({ do: "next" }), !open(state).length),
      state.about.hints && state.seat ? tool("hint", "hint", state.advising ? "Thinking…" : "Hint: what the game's bot would do", "i", () => go({ do: "advise" }), !view?.question || state.advising || Boolean(state.hint)) : null,
      tool("replay", "show", "Show what happened since you last decided", "r", () => go({ do: "show" }), !news)),
    h("div#plain", {}, others.length > MOST_BESIDE ? [] : others.map((it) => button(it.title, () => go({ do: "act", action: it.choice.action }), { key: `plain ${it.choice.words}` })), mainButton(page, main)),
  ];
}

// Choices that stand for themselves and are not the main button.
function rest(state) {
  if (!state.view?.question || state.past) return [];
  const main = primary(state);
  return plain(state).filter((it) => !main.plain || main.choice !== it.choice);
}

function mainButton({ go }, main) {
  const act = () => go(main.event ?? main.effect);
  return h("button.btn.primary.end#primary", { type: "button", key: "primary", disabled: Boolean(main.off), class: `${main.ends ? "ends" : ""} ${main.sure ? "sure" : ""}`, onclick: act }, h("span", {}, main.title), h("small", {}, main.small));
}

function choices(page) {
  const { state, go } = page, { view } = state;
  if (!view?.question || state.past) return [];
  const items = tray(state), all = state.opened.includes("all");
  const others = state.chosen ? [] : rest(state);
  const extra = (others.length > MOST_BESIDE ? others : []).map((it) => h("li", { key: `plain ${it.choice.words}` }, h("button", { type: "button", onclick: () => go({ do: "act", action: it.choice.action }) }, h("span", {}, it.title))));
  const shown = all ? items : items.slice(0, MOST_LISTED);
  const rows = [...extra, ...shown.map((item) => h("li", { key: item.key }, item.choice ? choice(page, item) : group(page, item)))];
  if (shown.length < items.length) rows.push(h("li", { key: "more" }, h("button.more", { type: "button", onclick: () => (go({ is: "unfolded", part: "all" })) }, `The other ${items.length - shown.length}`)));
  const unfolded = state.opened.includes("choices");
  return [
    h("h2.hidden", { key: "heading", hidden: !state.chosen }, question(state).title),
    state.chosen ? button(icon("cross"), () => go({ do: "back" }), { key: "back", class: "quiet", title: "Back (Escape)", "aria-label": "Back" }) : null,
    state.chosen && view.question.way ? corner(page) : null,
    h("ul.list", { key: "list", "aria-label": state.chosen ? "What it can do" : "What can be chosen" }, rows),
    items.length > 4 ? h("button.icon.unfold", { key: "unfold", type: "button", title: unfolded ? "Fold the list" : "Show all as a list", "aria-label": "Show all as a list", "aria-expanded": String(unfolded), onclick: () => go({ is: "unfolded", part: "choices" }) }, icon(unfolded ? "down" : "list")) : null,
  ];
}

function choice({ go, map, state }, { choice: it, words, small, says }) {
  const points = () => map?.way(wayOf(state, it));
  return h("button", { type: "button", title: says, "aria-label": small ? `${says}, ${small}` : says, onpointerenter: points, onfocus: points, onpointerleave: () => map?.way([]), onblur: () => map?.way([]),
    onclick: (event) => go(event.shiftKey || state.corner ? (it.place !== null ? { do: "through", places: [...through(state), it.place] } : { do: "act", action: it.action }) : { do: "act", action: it.action }) },
  h("span", {}, words), small ? h("small", {}, small) : null);
}

function group(page, { key, piece, words, says }) {
  const { go, map } = page, points = () => map?.point([key], piece ? [] : [key]);
  return h("button", { type: "button", class: piece ? "held" : "", title: `${says} (${key})`, "aria-label": says, "data-key": key, onpointerenter: points, onfocus: points, onpointerleave: () => map?.point([], []), onblur: () => map?.point([], []),
    onclick: (event) => go({ is: "choose", key, far: true, follow: event.detail === 0 }) }, piece ? counter(page, piece, "can") : null, h("span", {}, words));
}

// Until it is pressed again, or a place is chosen: for who has no shift key, or no map.
function corner({ state, go }) {
  return h("button.btn.quiet#corner", { key: "corner", type: "button", title: "b, or a click with Shift", "aria-pressed": String(state.corner), onclick: () => go({ is: "cornered" }) }, icon("corner"), h("span", { class: state.corner ? "" : "hidden" }, state.corner ? "Which place first?" : "Go by another place first"));
}

/** What stands above the question: what the server says, a hint, a step of the lesson. */
export function above(page) {
  const { state, go } = page, { hint } = state, step = lessonStep(state), words = said(state);
  const shown = state.past ? null : hint;
  return [
    h("p#say", { role: "alert" }, words),
    h("p#advice", { role: "status", "aria-live": "polite" }, shown ? [`${shown.bot} would: ${shown.words} `, cite(page, shown.clause)] : []),
    ...lateOnes(state, Date.now() / 1000).map((late) => h("div.lesson", { key: `late ${late}` }, h("p", {}, `${capital(late)} had to decide before now. You may wait, or go on without them: they give up.`),
      button(state.sure === late ? `Really go on without ${late}?` : "Go on without them", () => go(state.sure === late ? { do: "late", late } : { is: "asked", sure: late })))),
    step && !step.waits ? lesson(page, step) : null,
  ];
}

function lesson(page, step) {
  const { go, state } = page;
  const next = { is: "lessoned", lesson: step.done ? null : { step: state.lesson.step + 1, did: "" } };
  return h("div.lesson", { key: `lesson ${step.number ?? "end"}`, role: "status" }, h("span.step", {}, step.done ? "✓" : step.number), h("p", {}, step.says, " ", cite(page, step.clause)),
    step.until === "read" || step.done ? button(step.done ? "Go on" : "Next", () => go(next), { class: "primary" }) : null,
    step.done ? null : button("Leave", () => go({ is: "lessoned", lesson: null }), { class: "quiet", title: "Leave the guided turn" }));
}
