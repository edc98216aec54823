// The front page: begins games and lists those whose keys this browser has.
import { Api, hash, known, make } from "./api.js";

const $ = (id) => document.getElementById(id);
const given = hash().key;
if (given) {
  localStorage.setItem("host", given);
  history.replaceState(null, "", "/");
}
const api = new Api(localStorage.getItem("host") ?? "");
let rulesets = [];

function link(game) {
  return `/play#${new URLSearchParams({ game: game.game, key: game.key })}`;
}

function listGames() {
  const games = known.all();
  const items = games.map((game) => make("li", {}, make("a", { href: link(game), textContent: game.title })));
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

async function begin(event) {
  event.preventDefault();
  const { ruleset, scenario } = chosen();
  const bots = {};
  for (const select of document.querySelectorAll("[data-side]")) if (select.value) bots[select.dataset.side] = select.value;
  const options = {};
  for (const box of document.querySelectorAll("[data-option]")) {
    const usual = ruleset.options.find((it) => it.id === box.dataset.option).default;
    const value = box.type === "checkbox" ? box.checked : box.value;
    if (value !== usual) options[box.dataset.option] = value;
  }
  $("say").textContent = "Setting up…";
  try {
    const begun = await api.post("games", { ruleset: ruleset.id, scenario: scenario.id, bots, options });
    const game = { game: begun.game, key: begun.keys.host, keys: begun.keys, title: `${ruleset.title}: ${scenario.title}` };
    known.add(game);
    location.assign(link(game));
  } catch (error) {
    $("say").textContent = error.message;
  }
}

listGames();
$("ruleset").addEventListener("change", showScenarios);
$("scenario").addEventListener("change", showScenario);
$("form").addEventListener("submit", begin);
try {
  rulesets = await api.get("rulesets");
  $("ruleset").replaceChildren(...rulesets.map((it) => new Option(it.title, it.id)));
  const flagship = rulesets.find((it) => it.id === "ava");
  if (flagship) $("ruleset").value = flagship.id;
  showScenarios();
} catch (error) {
  $("say").textContent = error.message;
  $("form").hidden = true;
}
