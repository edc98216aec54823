// The game as text: lists instead of a map, and orders typed as at the terminal.
import { Api, hash, make, Refused } from "./api.js";

const $ = (id) => document.getElementById(id);
const { game, key } = hash();
const api = new Api(key ?? "");
const path = (what = "") => `games/${game}${what}`;
const QUESTIONS = ["status", "hex", "units", "reach", "reactions", "odds", "retreats", "supply", "command", "zones", "score", "luck", "list"];
let about, view, seat;

async function look() {
  view = await api.get(path("/view"), { seat });
  const turn = view.turn ? `Turn ${view.turn}, ` : "";
  $("status").textContent = [`${turn}${view.phase}`, ...view.notes].filter(Boolean).join("; ");
  $("prompt").textContent = view.result ?? (view.question ? `${seat}: ${view.question.words}` : `Waiting for ${view.to_move.join(" and ")}.`);
  $("choices").replaceChildren(...choices().map((words) => make("li", { textContent: words })));
  $("stacks").replaceChildren(...stacks().map((words) => make("li", { textContent: words })));
  $("log").replaceChildren(...view.log.slice(-20).map((line) => make("li", { textContent: line.clause ? `${line.text} (${line.clause})` : line.text })));
}

function choices() {
  const { choices, groups, asks } = view.question ?? { choices: [], groups: [] };
  return [...choices.map((choice) => choice.words), ...groups.map((group) => `${asks} ${group.key}: "list ${group.key}" says what is possible`)];
}

// One line for each place: who stands there.
function stacks() {
  const places = new Map();
  for (const piece of view.pieces) {
    const place = piece.place ?? "eliminated", name = about.ground?.names[place];
    const title = name ? `${name} (${place})` : place;
    if (!places.has(title)) places.set(title, []);
    places.get(title).push(`${piece.side}: ${piece.says} (${piece.id})`);
  }
  return [...places].map(([title, pieces]) => `${title}: ${pieces.join("; ")}`);
}

async function obey(line) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (QUESTIONS.includes(word)) return (await api.get(path("/words"), { seat, question: word, about: rest.join(" ") })).join("\n");
  await api.post(path("/say"), { seat, number: view.number, line });
  await look();
  return "Done.";
}

$("form").onsubmit = async (event) => {
  event.preventDefault();
  const line = $("order").value;
  $("order").value = "";
  try {
    $("answer").textContent = await obey(line);
  } catch (error) {
    $("answer").textContent = error instanceof Refused ? error.message : "The server does not answer.";
  }
};
addEventListener("hashchange", () => location.reload());
$("seat").onchange = () => {
  seat = $("seat").value;
  look();
};

about = await api.get(path());
$("title").textContent = `${about.title}: ${about.scenario}`;
$("map").href = `/play#${new URLSearchParams({ game, key })}`;
seat = about.mine[0] ?? "";
$("seat").append(...about.mine.map((it) => new Option(it, it)));
$("seats").hidden = about.mine.length < 2;
await look();
api.listen(path("/stream"), (number) => number > view.number && look(), () => {
  $("answer").textContent = "The server does not answer; the page tries again.";
});
