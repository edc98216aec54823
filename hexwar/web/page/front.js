// The front page: whose turn it is in which game, battles to choose from, and a form that begins a game.
import { Api, hash, known, make, Refused } from "./api.js";
import { patch } from "./render.js";
import { settings } from "./settings.js";
import { listen } from "./stream.js";
import { cards, firstOne, form, games, hero, invitation, isMine, lobby, usualSeats } from "./views/front.js";

const MOST_HEARD = 60; // games that the page hears of while it is open
/** @returns {any} */
const $ = (id) => document.getElementById(id);
const given = hash().key;
if (given) {
  localStorage.setItem("host", given);
  history.replaceState(null, "", "/");
}
const host = localStorage.getItem("host") ?? "";
const api = new Api(host);
/** @type {import("./views/front.js").Front} */
const front = { rulesets: [], games: null, chosen: { ruleset: "", scenario: "" }, length: "", seats: {}, hints: true, invited: null, host: false, open: [], lobby: false, hours: 0 };
let drawing = 0, heard = false;

const link = (game) => `/play#${new URLSearchParams({ game: game.game, key: game.key })}`;

function draw() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(() => {
    document.documentElement.dataset.theme = settings.get("theme");
    const page = { front, go };
    for (const [id, view] of Object.entries({ hero, cards, games, lobby, form, invited: invitation })) patch($(id), view(page));
    $("new").parentElement.hidden = !front.host || Boolean(front.invited);
    $("hero").hidden = $("cards").hidden = !front.rulesets.length;
    document.body.classList.toggle("guest", !front.rulesets.length);
    $("invited").hidden = !front.invited;
    const mine = front.games?.filter(isMine).length ?? 0;
    $("waiting").textContent = mine ? `${mine} ${mine === 1 ? "waits" : "wait"} for you` : "";
    document.title = mine ? `(${mine}) hexwar` : "hexwar";
  });
}

const go = {
  link,
  filter: (length) => ((front.length = length), draw()),
  seat: (side, who) => ((front.seats[side] = who), draw()),
  hours: (is) => ((front.hours = is), draw()),
  hints: (is) => ((front.hints = is), draw()),
  choose(ruleset, scenario, shows = false) {
    const its = front.rulesets.find((it) => it.id === ruleset), found = its.scenarios.find((it) => it.id === scenario) ?? its.scenarios[0];
    Object.assign(front, { chosen: { ruleset, scenario: found.id }, seats: usualSeats(found), invited: null });
    draw();
    if (shows) requestAnimationFrame(() => $("new").parentElement.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" }));
  },
  start: (ruleset, scenario, seats) => begin(ruleset, scenario, seats, {}),
  async copy(words, button) {
    await navigator.clipboard?.writeText(words).then(() => (button.textContent = "Copied"), () => {});
  },
  async take(game, seat) {
    try {
      const { key } = await api.post(`games/${game.game}/take`, { seat });
      const its = { game: game.game, key, title: `${game.title}: ${game.scenario}` };
      known.add(its);
      location.assign(link(its));
    } catch (error) {
      say(error);
      look();
    }
  },
};

const say = (error) => ($("say").textContent = error instanceof Refused ? error.message : "The server does not answer.");

// -- games of this browser ----------------------------------------------------------------------------------------------------

// Every game that one of this browser's keys opens, with the key: asked for at once. What opens nothing is forgotten if this
// server gave it; another server may have had this address before, and its links are kept until somebody says otherwise.
async function mine() {
  const keys = [...new Set(known.all().map((it) => it.key))];
  const answer = await api.post("games/mine", { keys });
  const dead = new Set(answer.dead.map((number) => keys[number])), { server } = answer;
  const gone = known.all().filter((it) => dead.has(it.key) && it.server === server).length;
  const living = known.all().filter((it) => !dead.has(it.key) || it.server !== server);
  known.keep(living.map((it) => (dead.has(it.key) ? it : { ...it, server })));
  tell(gone, living.filter((it) => dead.has(it.key)).length, server);
  if (host && !answer.host) {
    localStorage.removeItem("host");
    $("say").textContent = "The host's link that this browser had is not that of this server: open the one that it printed when it started.";
  }
  const found = answer.games.map((game) => ({ ...game, key: keys[game.key] ?? host }));
  front.games = found.sort((one, other) => Number(isMine(other)) - Number(isMine(one)) || Number(Boolean(one.over)) - Number(Boolean(other.over)) || other.last - one.last);
  const ours = new Set(found.map(({ game }) => game));
  Object.assign(front, { lobby: Boolean(answer.open), open: (answer.open ?? []).filter(({ game }) => !ours.has(game)) });
  return answer.host;
}

const links = (count) => (count === 1 ? "One old link" : `${count} old links`);

// What became of links that open nothing.
function tell(gone, foreign, server) {
  const said = gone ? [`${links(gone)} opened nothing any more and ${gone === 1 ? "was" : "were"} forgotten: a game is gone, or the host gave out new links. `] : [];
  if (foreign) {
    const forget = make("button", { type: "button", className: "btn", textContent: foreign === 1 ? "Forget it" : "Forget them" });
    forget.onclick = () => {
      known.keep(known.all().filter((it) => it.server === server));
      $("told").replaceChildren();
    };
    said.push(`${links(foreign)} in this browser ${foreign === 1 ? "opens" : "open"} nothing here, perhaps on another server. `, forget);
  }
  if (said.length) $("told").replaceChildren(...said);
}

// Whether this browser has the host's key.
async function look() {
  try {
    const isHost = await mine();
    follow();
    return isHost;
  } catch (error) {
    say(error);
    return false;
  } finally {
    draw();
  }
}

// The page hears when one of its games goes on.
function follow() {
  const wanted = (front.games ?? []).filter((it) => !it.over).slice(0, MOST_HEARD).map(({ game, key }) => ({ game, key }));
  if (heard || !wanted.length) return;
  heard = true;
  const first = new Set();
  listen(wanted, { heard: (_, at) => (first.has(at) ? soon() : first.add(at)) });
}

let later;
function soon() {
  clearTimeout(later);
  later = setTimeout(look, 500);
}

// -- a new game ---------------------------------------------------------------------------------------------------------------

async function begin(ruleset, scenario, seats, options) {
  const bots = Object.fromEntries(Object.entries(seats).filter(([, who]) => ruleset.levels[who]));
  const open = Object.keys(seats).filter((seat) => seats[seat] === "open");
  await start({ ruleset: ruleset.id, scenario: scenario.id, bots, options, ...(open.length ? { open } : {}), ...(front.hours ? { hours: front.hours } : {}) }, `${ruleset.title}: ${scenario.title}`, seats);
}

// Who plays one seat against others gets the link of that seat; who has several, or nobody to give a link, the host's.
async function start(wanted, title, seats = {}) {
  $("say").textContent = "Setting up…";
  try {
    const begun = await api.post("games", { ...wanted, hints: front.hints });
    const own = Object.keys(seats).filter((seat) => seats[seat] === "you"), others = Object.keys(seats).filter((seat) => ["friend", "open"].includes(seats[seat]));
    const key = own.length === 1 && others.length ? begun.keys[own[0]] : begun.host;
    const game = { game: begun.game, key, keys: begun.keys, watch: begun.watch, title };
    known.add(game);
    const friends = others.filter((seat) => seats[seat] === "friend");
    if (!friends.length) return location.assign(link(game));
    $("say").textContent = "";
    const address = (seat) => new URL(link({ game: begun.game, key: begun.keys[seat] }), location.href).href;
    front.invited = { own: link(game), links: Object.fromEntries(friends.map((seat) => [seat, address(seat)])) };
    look();
  } catch (error) {
    $("say").textContent = error.message;
  }
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const ruleset = front.rulesets.find((it) => it.id === front.chosen.ruleset), scenario = ruleset.scenarios.find((it) => it.id === front.chosen.scenario);
  const options = {};
  for (const box of /** @type {any} */ (document.querySelectorAll("[data-option]"))) {
    const usual = ruleset.options.find((it) => it.id === box.dataset.option).default, value = box.type === "checkbox" ? box.checked : box.value;
    if (value !== usual) options[box.dataset.option] = value;
  }
  begin(ruleset, scenario, front.seats, options);
});
$("save").addEventListener("change", async () => {
  const [file] = $("save").files;
  if (file) await start({ save: await file.text() }, file.name);
});
addEventListener("focus", look);
if (await look()) {
  try {
    front.rulesets = await api.get("rulesets");
    front.host = true;
    const first = firstOne(front.rulesets);
    go.choose(first.ruleset.id, first.scenario.id);
  } catch (error) {
    $("say").textContent = error.message;
  }
} else if (!$("say").textContent) $("say").textContent = "Who has the link that the server printed when it started can begin games here.";
