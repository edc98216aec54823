// A game: what is asked, what can be chosen, and what happened.
import { Api, hash, known, make, Refused } from "./api.js";
import { GameMap } from "./map.js";

const $ = (id) => document.getElementById(id);
const { game, key } = hash();
const api = new Api(key ?? "");
const path = (what = "") => `games/${game}${what}`;
const MOST_LISTED = 150;

let about, map, view, seat;
let chosen = null; // the group that the player looks into: {key, choices}
let reach = null; // of the chosen unit
let busy = false, newest = 0, sure = null;

// -- what the server says ------------------------------------------------------------------------------------------------

async function begin() {
  about = await api.get(path());
  document.title = about.title;
  $("title").textContent = `${about.title}: ${about.scenario}`;
  if (!known.all().some((it) => it.game === game && it.key === key))
    known.add({ game, key, title: `${about.title}: ${about.scenario}` });
  if (about.ground) {
    const picture = new Image();
    picture.src = URL.createObjectURL(await (await api.fetch(path("/ground.svg"))).blob());
    await picture.decode();
    map = new GameMap($("map"), about.ground, picture, { click, about: tip });
  }
  showLinks();
  await look();
  api.listen(path("/stream"), (number) => {
    newest = number;
    if (!busy) look();
  }).catch(report);
}

async function look() {
  if (busy) return;
  busy = true;
  try {
    do {
      if (!seat) seat = about.mine[0];
      const before = view?.number;
      view = await api.get(path("/view"), { seat, faces: map ? [...map.faces.keys()].join(",") : "" });
      newest = Math.max(newest, view.number);
      const next = view.to_move.includes(seat) ? null : about.mine.find((it) => view.to_move.includes(it));
      if (next) {
        await curtain(next);
        seat = next;
        view = null;
        continue;
      }
      if (view.number !== before) chosen = reach = sure = null;
      render();
    } while (!view || newest > view.number);
  } catch (error) {
    report(error);
  } finally {
    busy = false;
  }
}

async function send(what, body = {}) {
  if (busy) return;
  busy = true;
  $("say").textContent = "";
  try {
    newest = (await api.post(path(what), { seat, number: view.number, ...body })).number;
  } catch (error) {
    report(error);
  } finally {
    busy = false;
  }
  await look();
}

function report(error) {
  if (!(error instanceof Refused)) console.error(error);
  $("say").textContent = error instanceof Refused ? error.message : "The server does not answer; the page tries again.";
}

// One device, several players: nothing is shown before the next one is there.
function curtain(next) {
  const dialog = $("curtain");
  dialog.firstElementChild.textContent = `Pass the device to ${next}.`;
  document.body.classList.add("covered");
  dialog.showModal();
  return new Promise((lifted) => {
    dialog.lastElementChild.onclick = () => {
      dialog.close();
      document.body.classList.remove("covered");
      lifted();
    };
    dialog.oncancel = (event) => event.preventDefault();
  });
}

// -- showing it ----------------------------------------------------------------------------------------------------------

function render() {
  const { question, result } = view;
  const turn = view.turn ? `Turn ${view.turn} · ` : "";
  $("status").textContent = [`${turn}${view.phase}`, ...view.notes].filter(Boolean).join(" · ");
  const waiting = view.to_move.map((it) => (about.bots[it] ? `${it} (${about.bots[it]})` : it)).join(" and ");
  $("prompt").textContent = result ?? view.stopped ?? "";
  if (!result) $("prompt").textContent = question ? `${seat}: ${question.words}` : view.stopped || `Waiting for ${waiting}.`;
  document.body.classList.toggle("asked", Boolean(question));
  $("undo").disabled = !view.undo;
  if (map) map.draw(view.pieces, view.faces, view.control, view.colours);
  showBoxes();
  showLog();
  showPlain();
  showChoices();
}

function showPlain() {
  const question = view.question;
  $("plain").replaceChildren(...(question?.choices ?? []).map((choice) => {
    const ends = question.ending && JSON.stringify(question.ending.action) === JSON.stringify(choice.action);
    const left = ends ? question.ending.left.length : 0;
    const text = left ? `${choice.words}: ${left} could still ${question.asks}` : choice.words;
    const button = make("button", { type: "button", textContent: sure === choice.words ? `Really? ${text}` : text });
    button.onclick = () => {
      if (left && sure !== choice.words) {
        sure = choice.words;
        showPlain();
        $("plain").querySelector(".sure")?.focus();
      } else send("/act", { action: choice.action });
    };
    if (ends) button.classList.add("ends");
    if (sure === choice.words) button.classList.add("sure");
    return button;
  }));
}

function showChoices() {
  const question = view.question;
  const keys = (question?.groups ?? []).map((group) => group.key);
  const box = $("choices");
  box.replaceChildren();
  const marks = { pieces: keys, chosen: chosen?.key ?? null, places: {} };
  for (const label of question?.places ?? []) marks.places[label] = ["concern", ""];
  for (const label of keys) marks.places[label] = ["open", ""];
  if (chosen) {
    if (about.ground && chosen.key in about.ground.centres) marks.places[chosen.key] = ["chosen", ""];
    for (const choice of chosen.choices) {
      if (choice.place !== null) marks.places[choice.place] = ["reach", cost(choice.place)];
    }
    const heading = make("h2", { textContent: words(chosen.key) });
    const back = make("button", { type: "button", textContent: "Back", title: "Escape" });
    back.onclick = () => choose(null);
    box.append(heading, list(chosen.choices, (choice) => choice.words, (choice) => send("/act", { action: choice.action })), back);
  } else if (keys.length) {
    box.append(list(keys, words, choose));
  }
  map?.mark(marks);
}

function list(items, words, pick) {
  const rows = items.slice(0, MOST_LISTED).map((item) => {
    const button = make("button", { type: "button", textContent: words(item) });
    button.onclick = () => pick(item);
    return make("li", {}, button);
  });
  if (items.length > MOST_LISTED) rows.push(make("li", { textContent: `and ${items.length - MOST_LISTED} more on the map` }));
  return make("ul", { className: "list" }, ...rows);
}

function words(key) {
  const piece = view.pieces.find((it) => it.id === key);
  const name = about.ground?.names[key];
  return piece ? `${piece.says} (${key})` : name ? `${name} (${key})` : key;
}

function cost(place) {
  return reach && place in reach.costs ? `${reach.costs[place]}` : "";
}

function showBoxes() {
  const boxes = new Map(), keys = new Set((view.question?.groups ?? []).map((group) => group.key));
  for (const piece of view.pieces) {
    if (about.ground && piece.place in about.ground.centres) continue;
    const title = piece.place ?? "eliminated";
    if (!boxes.has(title)) boxes.set(title, []);
    boxes.get(title).push(piece);
  }
  $("boxes").replaceChildren(...[...boxes].map(([title, pieces]) => {
    const held = pieces.map((piece) => {
      const button = make("button", { type: "button", className: "held", title: piece.says });
      button.setAttribute("aria-label", piece.says);
      button.append(map.face(piece));
      button.classList.toggle("open", keys.has(piece.id));
      button.onclick = () => click(piece.id, null);
      return button;
    });
    return make("details", { open: pieces.some((piece) => keys.has(piece.id)) }, make("summary", { textContent: `${title}: ${pieces.length}` }), ...held);
  }));
}

function showLog() {
  const lines = view.log.map((line) => {
    const item = make("li", { className: line.kind, textContent: line.text });
    if (line.clause) {
      const button = make("button", { type: "button", className: "clause", textContent: line.clause, title: "What the rule says" });
      button.onclick = () => rule(line.clause);
      item.append(" ", button);
    }
    return item;
  });
  $("log").replaceChildren(...lines);
  $("log").scrollTop = $("log").scrollHeight;
}

function showLinks() {
  const keys = known.all().find((it) => it.game === game && it.key === key)?.keys ?? {};
  const people = Object.keys(keys).filter((it) => it !== "host");
  $("links").hidden = people.length < 2;
  $("links").replaceChildren("Links for others: ", ...people.flatMap((it) => {
    const href = `/play#${new URLSearchParams({ game, key: keys[it] })}`;
    return [make("a", { href, textContent: it, target: "_blank", rel: "noopener" }), " "];
  }));
}

// -- what the player does --------------------------------------------------------------------------------------------------

async function choose(group) {
  chosen = reach = null;
  $("say").textContent = "";
  if (group !== null) {
    try {
      const found = await api.get(path("/group"), { seat, key: group });
      chosen = found;
      const piece = view.pieces.find((it) => it.id === group);
      if (piece && view.question.asks === "move") reach = await api.get(path("/reach"), { seat, unit: group }).catch(() => null);
    } catch (error) {
      report(error);
    }
  }
  showChoices();
}

function click(piece, place) {
  if (!view) return;
  const keys = (view.question?.groups ?? []).map((group) => group.key);
  const here = chosen?.choices.filter((choice) => place !== null && choice.place === place) ?? [];
  if (here.length === 1) return send("/act", { action: here[0].action });
  if (here.length) {
    chosen = { ...chosen, choices: here };
    return showChoices();
  }
  if (piece && keys.includes(piece) && chosen?.key !== piece) return choose(piece);
  if (place && keys.includes(place)) return choose(place);
  const stack = view.pieces.filter((it) => place !== null && it.place === place && keys.includes(it.id) && it.id !== chosen?.key);
  if (stack.length) return choose(stack[0].id);
  chosen = reach = null;
  showChoices();
  if (place) explain(place);
}

async function explain(place) {
  const enemy = view.pieces.find((it) => it.place === place && it.side !== about.seats[seat]);
  const asked = [["hex", place], ...(enemy ? [["odds", place]] : [])];
  const answers = await Promise.all(asked.map(([question, label]) =>
    api.get(path("/words"), { seat, question, about: label }).catch(() => [])));
  $("about").replaceChildren(make("pre", { textContent: answers.flat().join("\n") }));
}

async function rule(clause) {
  try {
    const found = await api.get(path("/rule"), { clause });
    const ruling = found.ruling ? [make("p", { className: "ruling", textContent: found.ruling })] : [];
    $("about").replaceChildren(make("h2", { textContent: `Rule ${clause}` }), make("p", { textContent: found.text }), ...ruling);
  } catch (error) {
    report(error);
  }
}

function tip(label) {
  const name = about.ground.names[label] ? `${about.ground.names[label]} (${label})` : label;
  if (!reach) return name;
  if (label in reach.costs) return `${name}: ${reach.costs[label]} points`;
  return label in reach.closed ? `${name}: ${reach.closed[label]}` : name;
}

$("undo").onclick = () => send("/undo");
$("fit").onclick = () => map?.fit();
$("hide").onclick = () => {
  const hidden = document.body.classList.toggle("bare");
  $("hide").setAttribute("aria-pressed", hidden);
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const keys = {
    Escape: () => choose(null),
    f: () => map?.fit(),
    h: () => $("hide").click(),
    u: () => $("undo").click(),
    "+": () => map?.zoomBy(1.25),
    "-": () => map?.zoomBy(0.8),
    ArrowLeft: () => map?.panBy(80, 0),
    ArrowRight: () => map?.panBy(-80, 0),
    ArrowUp: () => map?.panBy(0, 80),
    ArrowDown: () => map?.panBy(0, -80),
  };
  if (keys[event.key] && view) {
    event.preventDefault();
    keys[event.key]();
  }
});

begin().catch(report);
