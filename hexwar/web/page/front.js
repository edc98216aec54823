// The front page: whose turn it is in which game, and a form that begins one.
import { Api, hash, known, make, own, Refused } from "./api.js";

const $ = (id) => document.getElementById(id);
const given = hash().key;
if (given) {
  localStorage.setItem("host", given);
  history.replaceState(null, "", "/");
}
const host = localStorage.getItem("host") ?? "";
const api = new Api(host);
let rulesets = [];

function link(game) {
  return `/play#${new URLSearchParams({ game: game.game, key: game.key })}`;
}

// Every game that one of this browser's keys opens, with the key: asked for at once. What opens nothing is forgotten if this
// server gave it; another server may have had this address before, and its links are kept until somebody says otherwise.
async function games() {
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
  return { host: answer.host, found: found.sort((one, other) => isMine(other) - isMine(one) || other.last - one.last) };
}

const links = (count) => (count === 1 ? "One old link" : `${count} old links`);

// What became of links that open nothing.
function tell(gone, foreign, server) {
  const said = gone ? [`${links(gone)} opened nothing any more and ${gone === 1 ? "was" : "were"} forgotten: a game is gone, or the host gave out new links. `] : [];
  if (foreign) {
    const forget = make("button", { type: "button", textContent: foreign === 1 ? "Forget it" : "Forget them" });
    forget.onclick = () => {
      known.keep(known.all().filter((it) => it.server === server));
      $("told").replaceChildren();
    };
    said.push(`${links(foreign)} in this browser ${foreign === 1 ? "opens" : "open"} nothing here, perhaps on another server. `, forget);
  }
  if (said.length) $("told").replaceChildren(...said);
}

const isMine = (game) => Number(!game.over && game.to_move.some((seat) => game.mine.includes(seat)));

function state(game) {
  if (game.over) return game.over;
  const turn = game.turn ? `turn ${game.turn}, ` : "";
  const who = isMine(game) ? "your turn" : `waiting for ${game.to_move.map((it) => (own(game.bots, it) ? `${it} (${game.bots[it]})` : it)).join(" and ")}`;
  return `${turn}${game.phase ? `${game.phase}, ` : ""}${who}`;
}

// Whether this browser has the host's key.
async function listGames() {
  let listed;
  try {
    listed = await games();
  } catch (error) {
    $("say").textContent = error instanceof Refused ? error.message : "The server does not answer.";
    return false;
  }
  const items = listed.found.map((game) => {
    const when = new Date(game.last * 1000).toLocaleString();
    const name = make("a", { href: link(game), textContent: `${game.title}: ${game.scenario}` });
    return make("li", { className: isMine(game) ? "turn" : "" }, name, make("span", { textContent: `${state(game)} · ${when}` }));
  });
  $("games").replaceChildren(...(items.length ? items : [make("li", { textContent: "None yet." })]));
  return listed.host;
}

function chosen() {
  const ruleset = rulesets.find((it) => it.id === $("ruleset").value);
  return { ruleset, scenario: ruleset.scenarios.find((it) => it.id === $("scenario").value) ?? ruleset.scenarios[0] };
}

function showScenarios() {
  const { ruleset } = chosen();
  $("scenario").replaceChildren(...ruleset.scenarios.map((it) => new Option(it.title, it.id)));
  $("options").replaceChildren(...ruleset.options.map(showOption));
  showScenario();
}

function showOption(option) {
  const box = option.choices.length
    ? make("select", {}, ...option.choices.map((it) => new Option(it, it, it === option.default, it === option.default)))
    : make("input", { type: "checkbox", checked: option.default === true });
  box.dataset.option = option.id;
  return make("label", {}, box, ` ${option.title}`);
}

function showScenario() {
  const { ruleset, scenario } = chosen();
  $("summary").textContent = scenario.summary;
  const rows = scenario.sides.map((side, number) => {
    const select = make("select", {}, new Option("a person at this computer or a link", ""));
    select.append(...ruleset.bots.map((bot) => new Option(`the bot ${bot}`, bot, false, number > 0 && bot === ruleset.bot)));
    select.dataset.side = side;
    return make("label", {}, `${side} `, select);
  });
  $("players").replaceChildren(...rows);
}

function bots() {
  const chosen = [...document.querySelectorAll("[data-side]")].filter((select) => select.value);
  return Object.fromEntries(chosen.map((select) => [select.dataset.side, select.value]));
}

async function begin(event) {
  event.preventDefault();
  const { ruleset, scenario } = chosen();
  const options = {};
  for (const box of document.querySelectorAll("[data-option]")) {
    const usual = ruleset.options.find((it) => it.id === box.dataset.option).default;
    const value = box.type === "checkbox" ? box.checked : box.value;
    if (value !== usual) options[box.dataset.option] = value;
  }
  await start({ ruleset: ruleset.id, scenario: scenario.id, bots: bots(), options }, `${ruleset.title}: ${scenario.title}`);
}

async function start(wanted, title) {
  $("say").textContent = "Setting up…";
  try {
    const begun = await api.post("games", { ...wanted, hints: $("hints").checked });
    const game = { game: begun.game, key: begun.host, keys: begun.keys, watch: begun.watch, title };
    known.add(game);
    location.assign(link(game));
  } catch (error) {
    $("say").textContent = error.message;
  }
}

$("ruleset").addEventListener("change", showScenarios);
$("scenario").addEventListener("change", showScenario);
$("form").addEventListener("submit", begin);
$("save").addEventListener("change", async () => {
  const [file] = $("save").files;
  if (file) await start({ save: await file.text() }, file.name);
});
addEventListener("focus", listGames);
if (await listGames()) {
  try {
    rulesets = await api.get("rulesets");
    $("ruleset").replaceChildren(...rulesets.map((it) => new Option(it.title, it.id)));
    const flagship = rulesets.find((it) => it.id === "ava");
    if (flagship) $("ruleset").value = flagship.id;
    showScenarios();
    $("new").parentElement.hidden = false;
  } catch (error) {
    $("say").textContent = error.message;
  }
} else if (!$("say").textContent) $("say").textContent = "Who has the link that the server printed when it started can begin games here.";
