// The front page: whose turn it is in which game, and a form that begins one.
import { Api, hash, known, make, own } from "./api.js";

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

// Every game that one of this browser's keys opens, with the key; the host's own key comes last.
async function games() {
  const mine = known.all(), found = new Map();
  for (const key of new Set([...mine.map((it) => it.key), host].filter(Boolean))) {
    for (const game of await new Api(key).get("games").catch(() => [])) {
      const own = mine.find((it) => it.game === game.game);
      if (!found.has(game.game)) found.set(game.game, { ...game, key: own?.key ?? key });
    }
  }
  return [...found.values()].sort((one, other) => isMine(other) - isMine(one) || other.last - one.last);
}

const isMine = (game) => Number(!game.over && game.to_move.some((seat) => game.mine.includes(seat)));

function state(game) {
  if (game.over) return game.over;
  const turn = game.turn ? `turn ${game.turn}, ` : "";
  const who = isMine(game) ? "your turn" : `waiting for ${game.to_move.map((it) => (own(game.bots, it) ? `${it} (${game.bots[it]})` : it)).join(" and ")}`;
  return `${turn}${game.phase ? `${game.phase}, ` : ""}${who}`;
}

async function listGames() {
  const items = (await games()).map((game) => {
    const when = new Date(game.last * 1000).toLocaleString();
    const name = make("a", { href: link(game), textContent: `${game.title}: ${game.scenario}` });
    return make("li", { className: isMine(game) ? "turn" : "" }, name, make("span", { textContent: `${state(game)} · ${when}` }));
  });
  $("games").replaceChildren(...(items.length ? items : [make("li", { textContent: "None yet." })]));
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
listGames();
addEventListener("focus", listGames);
try {
  rulesets = await api.get("rulesets");
  $("ruleset").replaceChildren(...rulesets.map((it) => new Option(it.title, it.id)));
  const flagship = rulesets.find((it) => it.id === "ava");
  if (flagship) $("ruleset").value = flagship.id;
  showScenarios();
} catch (error) {
  $("say").textContent = known.all().length ? "" : error.message;
  $("new").parentElement.hidden = true;
}
