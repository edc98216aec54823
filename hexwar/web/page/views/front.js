// The front page as descriptions: a game to start at once, cards of battles, my games, and a form that begins one.
import { icon } from "../icons.js";
import { h } from "../render.js";

export const SEATS = { you: "you", friend: "a friend, by a link" };
const LENGTHS = [["", "all"], ["60", "under an hour"], ["240", "an evening"], ["longer", "longer"]];
const HOURS = /** @type {[number, string][]} */ ([[0, "takes as long as it takes"], [24, "is due within a day"], [72, "is due within three days"], [168, "is due within a week"]]);
const EVENING = 240;

/**
 * @typedef {any} Scenario
 * @typedef {{ rulesets: any[], games: any[] | null, chosen: { ruleset: string, scenario: string }, length: string, seats: Record<string, string>,
 *   invited: any, host: boolean, open: any[], hints: boolean, lobby: boolean, hours: number }} Front
 * @typedef {{ front: Front, go: Record<string, (...given: any[]) => any> }} Page
 */

export const thumbnail = (ruleset, scenario) => `/api/rulesets/${encodeURIComponent(ruleset)}/${encodeURIComponent(scenario)}.svg`;
const picture = (ruleset, scenario) => h("img", { src: thumbnail(ruleset, scenario), alt: "", loading: "lazy" });

/** Minutes as people say them. */
export function lasts(minutes) {
  if (!minutes) return "";
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 30) / 2} h`.replace(".5", "½").replace("0½", "½");
}

/** Every scenario with its ruleset, the shortest and lightest first.
 * @param {any[]} rulesets */
export function scenarios(rulesets) {
  const all = rulesets.flatMap((ruleset) => ruleset.scenarios.map((scenario) => ({ ruleset, scenario })));
  const rank = ({ scenario }) => [scenario.minutes || Infinity, scenario.weight || 9];
  return all.sort((one, other) => rank(one)[0] - rank(other)[0] || rank(one)[1] - rank(other)[1]);
}

/** The scenario for somebody who has never played: one with a guided first turn, the lightest and then the shortest.
 * @param {any[]} rulesets */
export function firstOne(rulesets) {
  const all = scenarios(rulesets), taught = all.filter(({ scenario }) => scenario.lesson);
  return taught.sort((one, other) => (one.scenario.weight || 9) - (other.scenario.weight || 9))[0] ?? all[0];
}

/** Whether a scenario is as long as somebody wants. */
export function isAsLong({ minutes }, length) {
  if (!length) return true;
  if (length === "longer") return minutes > EVENING;
  return minutes > 0 && minutes <= Number(length);
}

/** Who sits where at first: one person, and the game's bot on the other sides. */
export const usualSeats = (scenario, seat = "") => Object.fromEntries(scenario.sides.map((side, n) => [side, (seat ? side === seat : n === 0) ? "you" : "normal"]));

/** @param {Page} page */
export function hero({ front, go }) {
  const first = front.rulesets.length ? firstOne(front.rulesets) : null;
  if (!first) return [];
  const { ruleset, scenario } = first;
  return [h("div.hero-words", {}, h("p.label", {}, "Never played one? Start here"), h("h2", {}, scenario.title), h("p.lead", {}, scenario.about || scenario.summary),
    h("div", {}, h("button.btn.primary.big#now", { type: "button", onclick: () => go.start(ruleset, scenario, usualSeats(scenario, scenario.lesson)) }, "Play now", icon("reach")),
      scenario.lesson ? h("span.small", {}, `A guide goes through the first turn with you; a bot plays the other side${scenario.minutes ? `. About ${lasts(scenario.minutes)}.` : "."}`) : null)),
  h("div.hero-map", {}, picture(ruleset.id, scenario.id))];
}

/** @param {Page} page */
export function cards({ front, go }) {
  const shown = scenarios(front.rulesets).filter(({ scenario }) => isAsLong(scenario, front.length));
  return [
    h("div.titled", {}, h("h2#battles", {}, "Choose a battle"), h("div.chips", { role: "group", "aria-label": "How long" }, LENGTHS.map(([length, words]) => h("button.chip", { key: length, type: "button", "aria-pressed": String(front.length === length), onclick: () => go.filter(length) }, words)))),
    h("ul.battles", { "aria-labelledby": "battles" }, shown.map(({ ruleset, scenario }) => {
      const isChosen = front.chosen.ruleset === ruleset.id && front.chosen.scenario === scenario.id;
      return h("li", { key: `${ruleset.id} ${scenario.id}` }, h("button.battle", { type: "button", "aria-pressed": String(isChosen), "data-scenario": `${ruleset.id} ${scenario.id}`, onclick: () => go.choose(ruleset.id, scenario.id, true) },
        picture(ruleset.id, scenario.id), h("span.label", {}, ruleset.title), h("b", {}, scenario.title), h("span.words", {}, scenario.summary),
        h("span.facts", {}, scenario.minutes ? h("span", {}, icon("clock"), lasts(scenario.minutes)) : null, scenario.weight ? weight(scenario.weight) : null, scenario.lesson ? h("span", {}, icon("show"), "guided") : null)));
    })),
    shown.length ? null : h("p.small", {}, "None is that long."),
  ];
}

const weight = (is) => h("span.weight", { role: "img", "aria-label": `weight ${is} of 5`, title: `weight ${is} of 5` }, [1, 2, 3, 4, 5].map((n) => h("i", { class: n <= is ? "on" : "" })));

// -- games ------------------------------------------------------------------------------------------------------------------------

export const isMine = (game) => !game.over && game.to_move.some((seat) => game.mine.includes(seat));

/** Where a game is, in words. */
export function stateOf(game) {
  if (game.over) return game.over;
  const turn = game.turn ? `turn ${game.turn}, ` : "", bot = (seat) => (Object.hasOwn(game.bots, seat) ? `${seat} (${game.bots[seat]})` : seat);
  const who = isMine(game) ? "your turn" : `waiting for ${game.to_move.map(bot).join(" and ")}`;
  return `${turn}${game.phase ? `${game.phase}, ` : ""}${who}`;
}

/** How long ago something was, in words.
 * @param {number} then seconds
 * @param {number} now seconds */
export function ago(then, now) {
  const minutes = Math.round((now - then) / 60);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return minutes < 48 * 60 ? "yesterday" : `${Math.round(minutes / 1440)} days ago`;
}

/** @param {Page} page */
export function games({ front, go }) {
  if (!front.games) return [];
  const now = Date.now() / 1000;
  return front.games.length ? front.games.map((game) => h("li", { key: `${game.game} ${game.key}`, class: isMine(game) ? "turn" : game.over ? "over" : "" },
    game.scenario_id ? picture(game.ruleset, game.scenario_id) : h("span"), h("span.who", {}, h("a", { href: go.link(game) }, game.scenario || game.title), h("small", {}, `${game.title} · ${stateOf(game)}`)),
    h("span.when", {}, h("span.chip", {}, isMine(game) ? "Your turn" : game.over ? "over" : "waits"), h("small", { title: new Date(game.last * 1000).toLocaleString() }, ago(game.last, now))))) : [h("li.small", { key: "none" }, "None yet.")];
}

/** Games that look for a player. @param {Page} page */
export function lobby({ front, go }) {
  if (!front.open.length) return [];
  return [h("h2", {}, "Waiting for somebody"), h("ul.mine", {}, front.open.flatMap((game) => game.open.map((seat) => h("li", { key: `${game.game} ${seat}` }, picture(game.ruleset, game.scenario_id),
    h("span.who", {}, h("b", {}, game.scenario), h("small", {}, `${game.title} · looks for ${seat}`)), h("button.btn", { type: "button", onclick: () => go.take(game, seat) }, "Join")))))];
}

// -- a new game -------------------------------------------------------------------------------------------------------------------

/** @param {Page} page */
export function form({ front, go }) {
  const ruleset = front.rulesets.find((it) => it.id === front.chosen.ruleset) ?? front.rulesets[0];
  if (!ruleset) return [];
  const scenario = ruleset.scenarios.find((it) => it.id === front.chosen.scenario) ?? ruleset.scenarios[0];
  const one = (id, list, is, chosen) => h("select", { id, onchange: (event) => chosen(event.target.value) }, list.map((it) => h("option", { key: it.id, value: it.id, selected: it.id === is }, it.title)));
  return [
    h("label", { key: "ruleset" }, h("span", {}, "Game"), one("ruleset", front.rulesets, ruleset.id, (id) => go.choose(id, ""))),
    h("label", { key: "scenario" }, h("span", {}, "Scenario"), one("scenario", ruleset.scenarios, scenario.id, (id) => go.choose(ruleset.id, id))),
    h("p.small#summary", { key: "summary" }, scenario.summary),
    h("fieldset", { key: "seats" }, h("legend", {}, "Who plays"), h("div#players", {}, scenario.sides.map((side) => h("label", { key: side }, h("span", {}, side), h("select", { "data-side": side, onchange: (event) => go.seat(side, event.target.value) }, choices(front, ruleset, side)))))),
    Object.values(front.seats).some((who) => who === "friend" || who === "open") ? h("label", { key: "hours" }, h("span", {}, "A decision"), h("select#hours", { onchange: (event) => go.hours(Number(event.target.value)) }, HOURS.map(([hours, words]) => h("option", { key: hours, value: hours, selected: front.hours === hours }, words)))) : null,
    h("label.check", { key: "hints" }, h("input#hints", { type: "checkbox", checked: front.hints, onchange: (event) => go.hints(event.target.checked) }), " Hints: what the game's bot would do"),
    ruleset.options.length ? h("details", { key: `options ${ruleset.id}` }, h("summary", {}, "Optional rules"), h("div#options", {}, ruleset.options.map(option))) : null,
    h("button.btn.primary.big", { key: "begin", type: "submit" }, Object.values(front.seats).includes("friend") ? "Begin and invite" : "Begin"),
  ];
}

// Bots by strength in words; a bot for tests or of another game is no opponent.
function choices(front, ruleset, side) {
  const is = front.seats[side] ?? "you", bots = Object.entries(ruleset.levels);
  return [...Object.entries(SEATS), ...(front.lobby ? [["open", "whoever joins"]] : [])].map(([id, words]) => h("option", { key: id, value: id, selected: is === id }, words))
    .concat(bots.map(([level, words]) => h("option", { key: level, value: level, selected: is === level, title: words }, `a bot: ${level}`)));
}

function option(it) {
  const box = it.choices.length ? h("select", { "data-option": it.id }, it.choices.map((choice) => h("option", { key: choice, value: choice, selected: choice === it.default }, choice))) : h("input", { type: "checkbox", "data-option": it.id, checked: it.default === true });
  return h("label.check", { key: it.id }, box, ` ${it.title}`);
}

/** The links of a game that has begun, to be given to friends. @param {Page} page */
export function invitation({ front, go }) {
  const { invited } = front;
  if (!invited) return [];
  return [h("h2", {}, "Invite them"), h("p.small", {}, "A link is a seat: whoever has it plays there. No account is needed."),
    h("ul.invited", {}, Object.entries(invited.links).map(([seat, link]) => h("li", { key: seat }, h("span.label", {}, seat), h("input", { readonly: true, value: link, "aria-label": `Link of ${seat}`, onfocus: (event) => event.target.select() }), h("button.btn", { type: "button", onclick: (event) => go.copy(link, event.target) }, "Copy")))),
    h("a.btn.primary.big", { href: invited.own }, "To my seat")];
}
