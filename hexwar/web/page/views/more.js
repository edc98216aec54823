// What is not needed all the time: chat, luck, notes, links, settings, keys, resigning, saving.
import { own } from "../api.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { sideName } from "../select.js";
import { TITLES } from "../settings.js";
import { who } from "../state.js";
import { button, fold, table } from "./parts.js";

const KEYS = [["n", "the next piece that can do something"], ["Enter", "what has the focus; the main button with e"], ["b", "the next place is one by which the chosen piece goes first; so is a place that is clicked with Shift"], ["u", "undo"], ["i", "a hint: what the game's bot would do"], ["r", "what happened since you last decided"],
  [", .", "an action back, an action on"], ["1 to 5", "supply and the other overlays"], ["+ − arrows", "zoom and move the map"], ["f", "the whole map"], ["h", "hide the counters"], ["v, d", "on a table: what a piece sees; how far the next enemy is"], ["arrows [ ] b", "with a piece chosen: move its ghost 1 cm (with Shift 1 mm), turn it, set a corner; Enter goes"], ["m", "a larger map"], ["g", "the next game that waits for you"], ["/", "search the rules"], ["Escape", "leave a piece; back to now"], ["?", "these keys"]];
const DAYS = [["as long as the game", ""], ["a day", "1"], ["a week", "7"], ["a month", "30"]];

/** @param {import("./parts.js").Page} page */
export function more(page) {
  const { state, go } = page;
  return [
    h("p", { key: "go" }, button([icon("chat"), "Chat"], () => go({ is: "tabbed", tab: "chat" })), " ", button([icon("info"), "Briefing"], () => go({ is: "sheeted", sheet: "briefing" })), " ",
      state.about.lesson.length ? button([icon("show"), "Guided first turn"], () => go({ is: "lessoned", lesson: { step: 0, did: "" } })) : null),
    fold(page, "luck", "Luck so far", luck(state.luck)),
    state.seat ? fold(page, "notes", "Notes", notes(page)) : null,
    fold(page, "links", "Players and links", links(page)),
    fold(page, "leave", "Resign, save, play again", leave(page)),
    fold(page, "settings", "Settings", settingsOf(page)),
    fold(page, "keys", "Keys", h("dl", {}, KEYS.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)]))),
    h("p", { key: "text" }, h("a#text", { href: `/text${location.hash}` }, "The game as text"), ", with typed orders, for those who cannot see the map"),
  ];
}

/** What the dice brought each side against what they bring on average. */
export function luck(found) {
  if (!found) return h("p.small", {}, "…");
  return [...found.sides.flatMap(({ side, attacks, defences, share, sigma, compared }) => {
    const percent = `${(100 * share).toFixed(1)} %`, deviation = `${sigma < 0 ? "−" : "+"}${Math.abs(sigma).toFixed(1)} σ`;
    return [h("p", {}, h("strong", {}, sideName(side)), ` luckier than ${percent} of all dice `, h("meter", { min: 0, max: 1, value: share, "aria-label": `${side}: luckier than ${percent}` }), ` ${deviation}; attacks made ${attacks}, met ${defences}`),
      table(["", "rolled", "expected"], compared.map(([what, rolled, exact, mean]) => [what, rolled, h("span", { title: `exactly ${exact}` }, mean.toFixed(1))]))];
  }), ...found.words.map((line) => h("p.small", {}, line))];
}

function notes({ state, go }) {
  return h("label", {}, "Only you can read them ", h("textarea", { key: state.notes === null ? "waits" : "notes", disabled: state.notes === null, rows: 5, maxlength: 10000, initial: state.notes ?? "", oninput: (event) => go({ do: "note", text: event.target.value }) }));
}

function links(page) {
  const { state, go } = page, { about, links: record } = state;
  const people = Object.keys(about.seats).filter((name) => !own(about.bots, name));
  /** @type {[string, any][]} */
  const names = [...people.map((seat) => /** @type {[string, any]} */ ([seat, { seat }])), ["spectators", { watch: true }]];
  const keyOf = ({ seat, watch }) => (watch ? record.watch : own(record.keys ?? {}, seat));
  const given = names.map(([name, what]) => [name, keyOf(what), what]).filter(([, key]) => key);
  const mine = about.mine.filter((seat) => !own(about.bots, seat));
  return [
    h("ul.seats", {}, Object.keys(about.seats).map((seat) => h("li", { key: seat }, h("b", {}, sideName(seat)), ` ${own(about.bots, seat) ? `the bot ${about.bots[seat]}` : about.names?.[seat] ?? "a person"}`,
      mine.includes(seat) ? h("input", { type: "text", maxlength: 40, placeholder: "your name", "aria-label": `Your name as ${seat}`, initial: about.names?.[seat] ?? "", onchange: (event) => go({ do: "name", seat, name: event.target.value }) }) : null))),
    about.notices && mine.length ? h("label", {}, "Where to tell you that you are asked when you are not here: ", h("input", { type: "text", maxlength: 200, placeholder: "you@example.org", onchange: (event) => go({ do: "contact", text: event.target.value }) })) : null,
    given.length ? h("p.links", {}, "Links for others: ", given.map(([name, key]) => [h("a", { href: `/play#${new URLSearchParams({ game: about.game, key })}`, target: "_blank", rel: "noopener" }, name), " ",
      h("button.icon", { type: "button", title: `Copy the link for ${name}`, "aria-label": `Copy the link for ${name}`, onclick: () => navigator.clipboard?.writeText(`${location.origin}/play#${new URLSearchParams({ game: about.game, key })}`) }, icon("link"))])) : null,
    about.host ? fold(page, "renewing", "New links", [h("p.small", {}, "A new link takes the place of the old one, and of a password; pages that are open with those are shut."),
      h("label", {}, "It works ", h("select#days", {}, DAYS.map(([words, days]) => h("option", { value: days }, words)))),
      h("div.tools", {}, names.map(([name, what]) => sureButton(page, `link ${name}`, name, `Really? The old link for ${name} then opens nothing.`, () => {
        const days = /** @type {any} */ (document.getElementById("days")).value;
        go({ do: "renew", what, days: days ? Number(days) : null });
      })))]) : null,
  ];
}

// A button that asks once.
function sureButton({ state, go }, id, words, asks, act) {
  const sure = state.sure === id;
  return button(sure ? asks : words, () => (sure ? (go({ is: "asked", sure: null }), act()) : go({ is: "asked", sure: id })), { key: id, class: sure ? "sure" : "" });
}

function leave(page) {
  const { state, go } = page, { view } = state;
  return h("div.tools", {}, state.seat && view?.result ? button("Play again with another seed", () => go({ do: "rematch" }))
    : view?.resigning ? sureButton(page, "resign", "Resign", `Really resign? Then ${view.resigning}.`, () => go({ do: "resign", seat: who(view, state.seat) })) : null,
  button("Save the game to a file", () => go({ do: "save" })), button("Replay as one file", () => go({ do: "replayFile" })));
}

function settingsOf({ state, go }) {
  const box = ([name, title]) => h("p", { key: name }, h("label", {}, h("input", { type: "checkbox", checked: Boolean(state.settings[name]), onchange: (event) => go({ do: "set", name, value: event.target.checked }) }), ` ${title}`));
  const theme = h("p", { key: "theme" }, h("label", {}, "Colours ", h("select", { value: state.settings.theme, onchange: (event) => go({ do: "set", name: "theme", value: event.target.value }) }, ["system", "light", "dark"].map((it) => h("option", { value: it, selected: state.settings.theme === it }, it === "system" ? "as the system has them" : it)))));
  const notice = typeof Notification === "undefined" ? null : h("p", { key: "notice" }, state.settings.notify ? button("No notices any more", () => go({ do: "set", name: "notify", value: false })) : button("Notices when I am asked", () => go({ do: "permit" })));
  return [...Object.entries(TITLES).map(box), theme, notice];
}

/** Messages to all at the table. */
export function chat(page) {
  const { state, go } = page;
  const sends = (event) => {
    event.preventDefault();
    const field = event.target.elements.words;
    if (field.value.trim()) go({ do: "chat", text: field.value.trim() });
    field.value = "";
  };
  return [
    h("ol.messages#messages", { key: "messages", tabindex: 0, role: "log", "aria-label": "Chat" }, state.chat.length ? state.chat.map((it) => h("li", { key: it.number }, h("b", {}, it.from), h("time", {}, new Date(it.at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })), h("span", {}, it.text))) : h("li.small", { key: "none" }, "Nobody has said anything yet. Everybody at the table reads what you write.")),
    state.seat ? h("form#chat", { key: "form", onsubmit: sends }, h("input", { name: "words", maxlength: 500, autocomplete: "off", "aria-label": "Say something to all at the table", placeholder: "Say something" }), h("button.btn", { type: "submit" }, "Send")) : null,
  ];
}

