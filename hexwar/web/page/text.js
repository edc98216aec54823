// The game as text: lists instead of a map, and orders typed as at the terminal.
import { Api, hash, make, moreWords, Refused } from "./api.js";
import { listen } from "./stream.js";

/** @returns {any} */
const $ = (id) => document.getElementById(id);
const { game, key } = hash();
const api = new Api(key ?? "");
const path = (what = "") => `games/${game}${what}`;
const QUESTIONS = ["status", "hex", "units", "reach", "reactions", "odds", "retreats", "supply", "command", "zones", "score", "luck", "list", "help"];
let about, view, seat;
let sure = null; // the state of the game in which the player was asked whether he means it

async function look() {
  try {
    view = await api.get(path("/view"), { seat });
  } catch (error) {
    if (error.status === 404 && seat && (await api.get(path()).catch(() => null))) return location.reload(); // the seat is another's
    throw error;
  }
  if (String(view.mine) !== String(about.mine)) return location.reload(); // somebody has resigned: he sits elsewhere now
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
  const [word, ...rest] = line.split(/\s+/), about = rest.join(" ");
  if (QUESTIONS.includes(word)) return (await api.get(path("/words"), { seat, question: word, about })).join("\n");
  if (word === "hint") {
    const { bot, words } = await api.get(path("/hint"), { seat });
    return `${bot} would: ${words}`;
  }
  if (word === "rule") {
    const { found, more } = await api.get(path("/rules"), { search: about });
    const lines = found.map((it) => [it.clause, it.text, it.ruling].filter(Boolean).join("  "));
    if (more) lines.push(moreWords(more));
    return lines.join("\n") || "No rule has these words.";
  }
  const { title, still, words } = view.question?.ending ?? {};
  if (still && line === words && sure !== view.number) {
    sure = view.number;
    return `${title}? ${still}. Type "${words}" once more to end it all the same.`;
  }
  const times = word === "undo" && /^\d+$/.test(about) ? Number(about) : 1;
  for (let n = 0; n < times; n++) {
    await api.post(path("/say"), { seat, number: view.number, line: word === "undo" ? word : line });
    await look();
  }
  return "Done.";
}

// Several orders may stand in a line; the first that fails stops it, and so does a question whether he means it.
async function obeyAll(typed) {
  const lines = typed.split(";").map((line) => line.trim()).filter(Boolean), answers = [];
  for (const [n, line] of lines.entries()) {
    const asked = sure;
    try {
      answers.push(await obey(line));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answers.push(lines.length > 1 ? `"${line}", order ${n + 1} of ${lines.length}: ${error.message}` : error.message);
      break;
    }
    if (sure !== asked) break;
  }
  return answers.join("\n");
}

$("form").onsubmit = async (event) => {
  event.preventDefault();
  const line = $("order").value;
  $("order").value = "";
  try {
    $("answer").textContent = await obeyAll(line);
  } catch {
    $("answer").textContent = "The server does not answer.";
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
listen([{ game, key: key ?? "" }], {
  heard: (number) => number > view.number && look(),
  lost: () => ($("answer").textContent = "The server does not answer; the page tries again."),
  closed: (words) => ($("answer").textContent = words),
});
