// A game: what is asked, what can be chosen, and what happened.
import { Api, hash, known, make, own, Refused } from "./api.js";
import { attackPanel, clauseButton } from "./attack.js";
import { Log } from "./log.js";
import { GameMap } from "./map.js";
import { boxesPanel, chitsPanel, leavePanel, linksPanel, luckPanel, notesPanel, rulesPanel, scorePanel, scoreWords, settings, settingsPanel } from "./side.js";

const $ = (id) => document.getElementById(id);
const { game, key } = hash();
const api = new Api(key ?? "");
const path = (what = "") => `games/${game}${what}`;
const ask = (what, query = {}) => api.get(path(what), { seat, ...query });
const AWAY = "The server does not answer; the page tries again.";
const MOST_LISTED = 150;
const REST = 50; // milliseconds for which a pointer rests on a piece before somebody may click it
const AGAIN = 1000; // milliseconds until the page asks once more
const LATEST = 1000; // milliseconds after which the ground waits for nothing
const STEP = 700; // milliseconds for which a replay shows an action

let about, map, view, seat;
let chosen = null; // the group that the player looks into: {key, choices}, and {through} if its ways lead through some places
let corner = false; // whether the place that is chosen next is one through which the way is to lead
let reach = null; // of the chosen unit
let hint = null, advising = false; // what the game's bot would do, and whether the server works that out
let attack = null; // the attack that is weighed: what the server says of it
let past = null, wanted = null; // the moment at which the player looks, if it is not now, and the one he asked for
let cover = "", covered = null; // the overlay, and what the server says of it
let replaying = null;
let seen = null; // the last line of the log that the player knew before others acted
const asked = new Map(); // piece or place -> what the server says of its choices in this position
let choosing = null, pointed = null, resting;
let busy = false, newest = 0, sure = null;
let leaveNotes = () => {};
let keyed = false; // whether the player used a key last, rather than a pointer
let first = null; // a position that comes by itself: when the page begins, and with the answer to an action

// -- what the server says ------------------------------------------------------------------------------------------------

async function begin() {
  // All at once; what the first seat sees is a guess at who looks, and right for all but the host's link.
  const ground = api.fetch(path("/ground.svg")).then((answer) => answer.blob()).catch(() => null);
  first = api.get(path("/view"), { seat: "*", faces: "" }).catch(() => null);
  about = await api.get(path());
  document.title = about.title;
  $("title").textContent = `${about.title}: ${about.scenario}`;
  if (!known.all().some((it) => it.game === game && it.key === key))
    known.add({ game, key, title: `${about.title}: ${about.scenario}` });
  if (about.ground) map = new GameMap($("map"), about.ground, { click, about: tip });
  showLinks();
  $("text").href = `/text#${new URLSearchParams({ game, key })}`;
  showOverlayButtons();
  settingsPanel($("settings").lastElementChild);
  rulesPanel($("search"), $("found"), (search) => api.get(path("/rules"), { search }), showRule);
  if (map) ground.then(paint).catch(report);
  await look();
  if (settings.get("replay")) replay();
  leaveNotes = notesPanel($("notes"), seat, (text) => api.post(path("/note"), { seat, text }), () => ask("/note"));
  let heard = null, away = false; // a number that comes once more means that something else is new: after a break, or if a bot has failed
  api.listen(path("/stream"), (number) => {
    const again = number === heard;
    heard = newest = number;
    if (away) $("say").textContent = "";
    away = false;
    if (!busy && (again || number !== view?.number)) look();
  }, () => {
    away = true;
    $("say").textContent = AWAY;
  }).catch(report);
}

async function paint(ground) {
  if (!ground) return;
  await Promise.race([map.painted.promise, new Promise((later) => setTimeout(later, LATEST))]); // counters take less time
  const picture = new Image();
  picture.src = URL.createObjectURL(ground);
  await picture.decode();
  map.paint(picture);
}

// `done` is the number of the state that the player made himself, if he did.
async function look(done = null) {
  if (busy) return;
  busy = true;
  let only = null;
  try {
    do {
      if (seat === undefined) sit(about.mine[0] ?? ""); // a spectator has no seat
      const before = view?.number;
      view = (await first) ?? (await ask("/view"));
      first = null;
      if (String(view.mine) !== String(about.mine)) return location.reload(); // somebody has resigned: he sits elsewhere now
      about.bots = view.bots;
      newest = Math.max(newest, view.number);
      const next = view.to_move.includes(seat) ? null : about.mine.find((it) => view.to_move.includes(it));
      if (next) {
        if (who(next) !== who(seat)) await curtain(who(next));
        sit(next);
        continue;
      }
      log.add(view.log);
      if (seen === null || view.number === done) know(); // nobody else has acted since
      if (view.number !== before) await forget();
      render();
      document.body.classList.remove("covered"); // only now: until then the page shows what the last player saw
      only = view.number === before ? null : await onlyChoice();
    } while (!view || newest > view.number);
  } catch (error) {
    if (error.status === 404 && seat && (await api.get(path()).catch(() => null))) return location.reload(); // the seat is another's
    report(error);
    if (document.body.classList.contains("covered")) setTimeout(look, AGAIN); // nobody could ask for it
  } finally {
    busy = false;
  }
  if (only) await send("/act", { action: only });
}

function sit(next) {
  leaveNotes();
  seat = next;
  view = past = attack = chosen = reach = hint = null;
  corner = false;
  asked.clear();
  $("about").replaceChildren(); // what another player asked
  log.lines = [];
  const kept = localStorage.getItem(`seen ${game} ${seat}`);
  seen = kept === null ? null : Number(kept);
}

// Whose player decides for a seat: another's of its side if its own has resigned.
const who = (name) => own(view.resigned, name) ?? name;

const faces = () => (map ? [...map.faces.drawn.keys()].join(",") : "");

// The position is another one: what was looked at is out of date.
async function forget() {
  chosen = reach = sure = hint = null;
  corner = false;
  asked.clear();
  stopReplay();
  const target = view.question?.goals.find(([, place]) => place === attack?.target)?.[1] ?? view.question?.goals.at(-1)?.[1];
  attack = target ? await ask("/attack", { target }).catch(() => null) : null;
  if (cover) covered = await ask("/overlay", { name: cover });
}

async function send(what, body = {}) {
  if (busy || !view) return false;
  busy = true;
  $("say").textContent = "";
  let done = null, stays = false;
  try {
    const answer = await api.post(path(what), { seat, number: view.number, faces: faces(), ...body });
    newest = done = answer.number;
    first = answer.view ?? null;
  } catch (error) {
    stays = error.status === 422; // a rule forbids it: the position is the same
    report(error);
  } finally {
    busy = false;
  }
  if (!stays || newest > view.number) await look(done);
  return done !== null;
}

// What stands in the log now, the player knows: he did it, or has seen it.
function know() {
  seen = view.log.at(-1)?.line ?? -1;
  localStorage.setItem(`seen ${game} ${seat}`, seen);
}

function report(error) {
  if (!(error instanceof Refused)) console.error(error);
  $("say").textContent = error instanceof Refused ? error.message : AWAY;
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
      lifted();
    };
    dialog.oncancel = (event) => event.preventDefault();
  });
}

// The only thing that can be done, if the player wants no click for it; never what would end the way back of an undo.
async function onlyChoice() {
  const { question, undo } = view;
  if (!question || !question.complete || !settings.get("single") || undo.length) return null;
  if (question.choices.length + question.groups.length !== 1) return null;
  if (question.choices.length) return question.choices[0].action;
  const { choices } = await ask("/group", { key: question.groups[0].key });
  return choices.length === 1 ? choices[0].action : null;
}

// -- showing it ----------------------------------------------------------------------------------------------------------

function render() {
  const { question, result } = view, shown = past ?? view;
  const decided = keyed && ["choices", "plain"].some((id) => $(id).contains(document.activeElement));
  const turn = shown.turn ? `Turn ${shown.turn}${shown.turns ? ` of ${shown.turns}` : ""} · ` : "";
  $("status").textContent = [`${turn}${shown.phase}`, ...shown.notes, ...gone()].filter(Boolean).join(" · ");
  $("points").textContent = scoreWords(shown.score);
  const waiting = view.to_move.map((it) => (own(about.bots, it) ? `${it} (${about.bots[it]})` : it)).join(" and ");
  if (result || !question) $("prompt").textContent = result ?? (view.stopped || `Waiting for ${waiting}.`);
  else showPrompt(question);
  document.body.classList.toggle("asked", Boolean(question));
  document.title = question ? `Your turn: ${about.title}` : about.title; // for who looks at another tab
  document.body.classList.toggle("then", Boolean(past));
  $("undo").disabled = !view.undo.length;
  $("next").disabled = !open().length;
  $("replay").disabled = seen === null || !view.log.some((line) => line.line > seen);
  if (map) map.draw(shown.pieces, shown.faces, shown.control, view.colours);
  scorePanel($("scores"), shown.score, rule);
  showLuck();
  chitsPanel($("chits"), shown.chits, (chit) => chit);
  const aside = shown.pieces.filter((piece) => !map?.centre(piece.place));
  if (map) boxesPanel($("boxes"), aside, { open: new Set(open()), face: (piece) => map.face(piece), click });
  leavePanel($("leave").lastElementChild, { over: Boolean(result), seat, resigning: view.resigning, resign: () => send("/resign", { seat: who(seat) }), save, rematch });
  showPast();
  showHint();
  showPlain();
  showChoices();
  showAttack();
  showCover();
  if (decided && question) decide(); // the button that was pressed is gone
  showLog(); // at last: it looks how long it is, and everything is laid out for that
}

// What is asked, and the rule under which it is.
function showPrompt({ words, clause }) {
  const cited = clause && words.endsWith(` (${clause})`), text = `${seat}: ${cited ? words.slice(0, -clause.length - 3) : words} `;
  if ($("prompt").firstChild?.data === text) return; // a screen reader would say it once more
  $("prompt").replaceChildren(text, ...(cited ? [clauseButton(clause, rule)] : []));
}

const gone = () => Object.entries(view.resigned).map(([name, by]) => `${name} has resigned: ${by} decides`);
const showLuck = () => luckPanel($("luck"), () => ask("/luck")).catch(report);
const open = () => (view.question?.groups ?? []).map((group) => group.key);

function showPlain() {
  const question = view.question;
  $("plain").replaceChildren(...(question?.choices ?? []).map((choice) => {
    const ends = question.ending && JSON.stringify(question.ending.action) === JSON.stringify(choice.action);
    const left = ends ? question.ending.left.length : 0;
    const text = !ends ? choice.words : left ? `${question.ending.title}: ${question.ending.still}` : question.ending.title;
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
  const question = view.question, keys = open(), box = $("choices");
  box.replaceChildren();
  const marks = { pieces: past ? [] : keys, chosen: chosen?.key ?? null, advised: past ? [] : hint?.pieces ?? [], places: {} };
  for (const label of question?.places ?? []) marks.places[label] = ["concern", ""];
  for (const label of keys) marks.places[label] = ["open", ""];
  for (const label of Object.keys(reach?.costs ?? {})) marks.places[label] = ["could", cost(label)];
  if (chosen) {
    if (map?.centre(chosen.key)) marks.places[chosen.key] = ["chosen", ""];
    for (const choice of chosen.choices) {
      if (choice.place !== null) marks.places[choice.place] = ["reach", cost(choice.place)];
    }
    for (const place of through()) marks.places[place] = ["corner", ""];
    const back = make("button", { type: "button", textContent: "Back", title: "Escape" });
    back.onclick = stepBack;
    const pick = (choice, event) => (turns(event) && choice.place !== null ? sendThrough([...through(), choice.place]) : send("/act", { action: choice.action }));
    const rows = list(chosen.choices, (choice) => choice.words, pick, (choice) => map?.way(wayOf(choice)));
    const by = through().length ? ` by ${through().map(words).join(", ")}` : "";
    box.append(make("h2", { textContent: `${words(chosen.key)}${by}` }), ...(question?.way ? [cornerButton()] : []), rows, back);
  } else if (keys.length) {
    box.append(list(keys, words, (it) => choose(it, true), (it) => map?.point([it], [it])));
  }
  if (hint?.places.length) marks.places[hint.places.at(-1)] = ["advised", ""];
  for (const label of hit()) marks.places[label] ??= ["hit", ""];
  if (past) marks.places = {};
  map?.mark(marks);
}

function list(items, words, pick, point, most = MOST_LISTED) {
  const rows = items.slice(0, most).map((item) => {
    const button = make("button", { type: "button", textContent: words(item) });
    button.onclick = (event) => pick(item, event);
    button.onpointerenter = button.onfocus = () => point(item);
    button.onpointerleave = button.onblur = () => map?.point([], []);
    return make("li", {}, button);
  });
  const all = make("ul", { className: "list" }, ...rows);
  if (items.length > most) {
    const more = make("button", { type: "button", className: "more", textContent: `The other ${items.length - most}` });
    more.onclick = () => {
      const whole = list(items, words, pick, point, items.length);
      all.replaceWith(whole);
      whole.children[most].querySelector("button").focus();
    };
    all.append(make("li", {}, more));
  }
  return all;
}

function words(key) {
  const piece = view.pieces.find((it) => it.id === key);
  const name = about.ground?.names[key];
  return piece ? called(piece.says, key) : name ? `${name} (${key})` : key;
}

function short(key) {
  const piece = view.pieces.find((it) => it.id === key);
  return piece ? called(piece.says.split(",")[0], key) : words(key);
}

// Some pieces have no other name than their key.
const called = (says, key) => (says.split(",")[0] === key ? says : `${says} (${key})`);

const cost = (place) => (reach && place in reach.costs ? `${reach.costs[place][0]}` : "");
const wayOf = ({ way, place }) => (way.length ? way : reach?.ways[place] ?? []);

function showLinks() {
  const record = known.all().find((it) => it.game === game && it.key === key) ?? { game, key, title: document.title };
  const people = Object.keys(about.seats).filter((name) => !own(about.bots, name));
  const names = [...people.map((seat) => [seat, { seat }]), ["spectators", { watch: true }]];
  const keyOf = ({ seat }) => (seat === undefined ? record.watch : own(record.keys ?? {}, seat));
  linksPanel($("links"), {
    links: names.map(([name, what]) => [name, what, keyOf(what)]),
    href: (its) => `/play#${new URLSearchParams({ game, key: its })}`,
    renew: about.host && (async (what, days) => {
      const { key: its } = await api.post(path("/keys"), { ...what, days });
      known.add(what.watch ? { ...record, watch: its } : { ...record, keys: { ...record.keys, [what.seat]: its } });
      showLinks();
    }),
    report,
  });
}

// -- over the map ----------------------------------------------------------------------------------------------------------

function showOverlayButtons() {
  $("overlays").replaceChildren(...about.overlays.map((name, number) => {
    const button = make("button", { type: "button", textContent: name[0].toUpperCase() + name.slice(1), title: `${number + 1}` });
    button.dataset.overlay = name;
    button.setAttribute("aria-pressed", "false");
    button.onclick = () => toggle(name);
    return button;
  }));
}

async function toggle(name) {
  cover = cover === name ? "" : name;
  for (const button of $("overlays").children) button.setAttribute("aria-pressed", button.dataset.overlay === cover);
  const found = cover ? await ask("/overlay", { name }).catch((error) => report(error)) : null;
  if (cover !== name && cover) return; // he wants another one by now
  covered = cover ? found : null;
  showCover();
}

function showCover() {
  const places = new Map(view.pieces.map((piece) => [piece.id, piece.place]));
  const goals = (view.question?.goals ?? []).map(([unit, target]) => [about.seats[seat], [places.get(unit), target], "goal"]);
  const advised = hint?.places.length ? [[about.seats[seat], hintedWay(places), "goal"]] : [];
  map?.cover(past ? {} : { ...covered, lines: [...(covered?.lines ?? []), ...goals, ...advised] });
  $("overlays").dataset.shown = covered ? cover : "";
  $("legend").textContent = past ? "" : (covered?.words ?? []).join("; ");
}

// -- what a bot would do -------------------------------------------------------------------------------------------------

// Asks the server, which lets the game's bot look at what this player sees.
async function advise() {
  if (!about.hints || !view?.question || advising || past) return;
  const { number } = view, who = seat, follow = keyed;
  advising = true;
  showHint();
  const found = await ask("/hint").catch((error) => report(error));
  advising = false;
  if (found?.number === number && view?.number === number && seat === who) hint = found; // else he has gone on meanwhile
  if (hint) map?.show(map.centre(hint.places.at(-1)) ? hint.places.at(-1) : placeOf(hint.pieces[0]), true);
  showAdvised();
  if (hint && follow) $("advice").lastElementChild.focus();
}

function showAdvised() {
  if (!view) return; // another player sits down
  showHint();
  showChoices();
  showCover();
}

function showHint() {
  $("hint").hidden = !about.hints || !seat;
  $("hint").disabled = !view.question || advising || Boolean(hint);
  $("hint").textContent = advising ? "Thinking…" : "Hint";
  const shown = past ? null : hint;
  if ($("advice").shown === shown) return; // a screen reader would say it once more
  $("advice").shown = shown;
  if (!shown) return $("advice").replaceChildren();
  const play = make("button", { type: "button", textContent: "Do it" });
  play.onclick = () => send("/act", { action: shown.action });
  $("advice").replaceChildren(`${shown.bot} would: ${shown.words} `, ...(shown.clause ? [clauseButton(shown.clause, rule)] : []), play);
}

const placeOf = (id) => view.pieces.find((piece) => piece.id === id)?.place;
const hintedWay = (places) => [places.get(hint.pieces[0]), ...(hint.way.length ? hint.way : [hint.places.at(-1)])].filter(Boolean);

// -- what happened -----------------------------------------------------------------------------------------------------------

const isMine = (piece) => view.pieces.some((it) => it.id === piece && it.side === about.seats[seat]);
const log = new Log($("log"), {
  rule,
  look: lookBack,
  point: (line) => map?.point(line?.pieces ?? [], line?.places ?? []),
  async undo(times) {
    for (let n = 0; n < times; n++) if (!(await send("/undo"))) break;
  },
  async earlier(before) {
    log.addEarlier(await ask("/log", { before }));
    showLog();
  },
});

function showLog() {
  log.show({ ways: view.undo, seen: seen ?? Infinity, mine: isMine, now: past?.line ?? null });
}

// Where something happened to the player's pieces since he last decided.
function hit() {
  if (seen === null) return [];
  return view.log.filter((line) => line.line > seen && (line.pieces ?? []).some(isMine)).flatMap((line) => line.places ?? []);
}

async function lookBack(line) {
  stopReplay();
  await showMoment(line);
}

async function showMoment(line) {
  const asked = (wanted = {});
  try {
    const found = await ask("/moment", { line, faces: faces() });
    if (wanted !== asked) return; // he has gone on meanwhile
    past = { ...found, asked: line };
    render();
    const places = log.lines.find((it) => it.line === line)?.places ?? [];
    if (places.length) map?.show(places.at(-1));
    map?.point([], places);
  } catch (error) {
    report(error);
  }
}

function toNow() {
  stopReplay();
  wanted = null;
  if (!past) return;
  past = null;
  map?.point([], []);
  render();
}

function showPast() {
  $("past").hidden = !past;
  if (!past) return;
  const line = log.lines.find((it) => it.line === past.line);
  $("moment").textContent = `${replaying ? "What happened" : "Looking back"}: ${line?.text ?? `line ${past.line}`}`;
}

function earlier() {
  if (past && past.asked > 0) lookBack(Math.min(past.asked, past.line) - 1);
}

function later() {
  const last = log.lines.at(-1)?.line ?? 0;
  if (past && past.line < last) lookBack(past.line + 1);
  else toNow();
}

// Shows action by action what happened since the player last decided; anything that he does ends it.
async function replay() {
  const last = view?.log.at(-1)?.line ?? -1;
  if (!map || !view || seen === null || seen >= last) return;
  const mine = (replaying = {});
  for (let line = seen + 1; line <= last && replaying === mine; ) {
    await showMoment(line);
    if (!past) break;
    line = past.line + 1;
    await new Promise((after) => setTimeout(after, STEP));
  }
  if (replaying === mine) toNow();
}

function stopReplay() {
  replaying = null;
}

// -- what the player does --------------------------------------------------------------------------------------------------

// The choices about a piece or a place and how far it can go, asked for once in a position.
function choicesOf(key) {
  if (!asked.has(key)) {
    const goes = view.question.shows.includes("reach") && view.pieces.some((it) => it.id === key && map?.centre(it.place));
    const found = Promise.all([ask("/group", { key }), goes ? ask("/reach", { unit: key }).catch(() => null) : null]);
    asked.set(key, found);
    found.catch(() => asked.delete(key));
  }
  return asked.get(key);
}

// `far` says that the player need not have seen it: he took it from a list.
async function choose(group, far = false) {
  toNow();
  chosen = reach = null;
  corner = false;
  choosing = group;
  const follow = keyed; // with the keys, to the goals
  $("say").textContent = "";
  if (group !== null) {
    try {
      const piece = view.pieces.find((it) => it.id === group), { number } = view;
      const [found, reached] = await choicesOf(group);
      if (choosing !== group || view?.number !== number) return; // he has gone on meanwhile
      const only = found.choices.length === 1 ? found.choices[0] : null;
      if (only && found.complete && settings.get("single") && [null, group].includes(only.place)) {
        await send("/act", { action: only.action });
        return;
      }
      [chosen, reach] = [found, reached];
      if (piece) map?.show(piece.place, far);
    } catch (error) {
      report(error);
    }
  }
  showChoices();
  if (follow) decide();
}

// Where somebody goes on who uses keys.
function decide() {
  ($("choices").querySelector(".list button") ?? $("plain").querySelector("button") ?? $("undo")).focus();
}

// -- a way through places --------------------------------------------------------------------------------------------------

const through = () => chosen?.through ?? [];
const turns = (event) => Boolean(view.question?.way && chosen && (corner || event?.shiftKey));

// Until it is pressed again, or a place is chosen: for who has no shift key, or no map.
function cornerButton() {
  const button = make("button", { type: "button", id: "corner", textContent: corner ? "Which place first?" : "Go by another place first", title: "b, or a click with Shift" });
  button.setAttribute("aria-pressed", corner);
  button.onclick = turnNext;
  return button;
}

function turnNext() {
  if (!view?.question?.way || !chosen) return;
  corner = !corner;
  showChoices();
  if (keyed) (corner ? $("choices").querySelector(".list button") : $("corner"))?.focus();
}

// The choices of the same piece whose way leads through some places, in this order.
async function sendThrough(places) {
  const { key } = chosen, { number } = view, follow = keyed;
  $("say").textContent = "";
  try {
    const found = places.length ? await ask("/group", { key, through: places.join(";") }) : (await choicesOf(key))[0];
    const reached = places.length ? null : (await choicesOf(key))[1];
    if (chosen?.key !== key || view?.number !== number) return; // he has gone on meanwhile
    [chosen, reach, corner] = [{ ...found, through: places }, reached, false];
  } catch (error) {
    report(error);
  }
  showChoices();
  if (follow) decide();
}

function stepBack() {
  if (through().length) return sendThrough(through().slice(0, -1));
  return choose(null);
}

function click(piece, place, event) {
  if (!view) return;
  if (past) {
    explain(place);
    return;
  }
  const keys = open();
  const here = chosen?.choices.filter((choice) => place !== null && choice.place === place) ?? [];
  if (place !== null && turns(event)) return sendThrough([...through(), place]);
  if (here.length === 1) return send("/act", { action: here[0].action });
  if (here.length) {
    chosen = { ...chosen, choices: here };
    return showChoices();
  }
  if (!piece && place && chosen?.open) return goTo(place);
  map?.spread(place);
  if (piece && keys.includes(piece) && chosen?.key !== piece) return choose(piece);
  const enemy = view.pieces.find((it) => place !== null && it.place === place && it.side !== about.seats[seat] && !it.works);
  if (place && enemy) return weigh(place);
  if (place && keys.includes(place)) return choose(place);
  const stack = view.pieces.filter((it) => place !== null && it.place === place && keys.includes(it.id) && it.id !== chosen?.key);
  if (stack.length) return choose(stack[0].id);
  const was = chosen;
  chosen = reach = null;
  showChoices();
  if (piece) plan(piece);
  else if (place && keys.length && !was) aim(place);
  if (place) explain(place);
}

// Where a piece may go to any point, a list has only some: one of them is sent with the point that was clicked.
function goTo(place) {
  return send("/act", { action: { ...chosen.open.action, [chosen.open.point]: place.split(",").map(Number) } });
}

// Who could go to a place, for a player who clicks the goal first.
async function aim(place) {
  const number = view.number;
  const found = await ask("/aimed", { place }).catch(() => null);
  if (!found?.choices.length || chosen || view?.number !== number) return;
  chosen = found;
  showChoices();
}

// Where a piece could go, though nothing is asked about it: for planning.
async function plan(unit) {
  reach = await ask("/reach", { unit }).catch(() => null);
  showChoices();
}

async function weigh(target, units = []) {
  const number = view.number;
  const found = await ask("/attack", { target, units: units.join(",") }).catch(() => null);
  if (view?.number !== number) return;
  attack = found;
  showAttack();
  $("attack").lastElementChild?.scrollIntoView({ block: "nearest" }); // the button that attacks
  explain(target);
}

function showAttack() {
  $("attack").replaceChildren(...(attack ? attackPanel(attack, {
    name: short,
    rule,
    change: (units) => weigh(attack.target, units),
    attack: mayAttack(attack) ? (units) => attackWith(attack.target, units) : null,
    close() {
      attack = null;
      showAttack();
    },
  }) : []));
}

function mayAttack({ target, able }) {
  const keys = open();
  return keys.includes(target) || able.some((unit) => keys.includes(unit)) && view.question.shows.includes("attack");
}

// Begins the attack if that is asked first, then lets one unit after the other take part.
async function attackWith(target, units) {
  if (open().includes(target)) {
    const { choices } = await ask("/group", { key: target });
    if (choices.length !== 1) return choose(target);
    if (!(await send("/act", { action: choices[0].action }))) return;
  }
  for (const unit of units) {
    if (!open().includes(unit)) continue;
    const { choices } = await ask("/group", { key: unit });
    const its = choices.find((choice) => choice.place === target || choice.place === null);
    if (its && !(await send("/act", { action: its.action }))) return;
  }
}

async function explain(place) {
  if (!place) return;
  const lines = await ask("/words", { question: "hex", about: place }).catch(() => []);
  const here = view.pieces.filter((it) => it.place === place && !it.works), keys = open();
  const stack = here.map((piece) => {
    const button = make("button", { type: "button", className: "held", title: piece.says });
    button.setAttribute("aria-label", piece.says);
    button.classList.toggle("open", keys.includes(piece.id));
    button.append(map.face(piece));
    button.onclick = () => (keys.includes(piece.id) ? choose(piece.id) : plan(piece.id));
    return button;
  });
  $("about").replaceChildren(make("div", {}, ...stack), make("pre", { textContent: lines.map((line) => line.trim().replace(/ {2,}/g, ", ")).join("\n") }));
}

async function rule(clause) {
  try {
    showRule(await api.get(path("/rule"), { clause }));
  } catch (error) {
    report(error);
  }
}

function showRule({ clause, text, ruling }) {
  const more = ruling ? [make("p", { className: "ruling", textContent: ruling })] : [];
  $("about").replaceChildren(make("h2", { textContent: `Rule ${clause}` }), make("p", { textContent: text }), ...more);
  $("about").scrollIntoView({ block: "nearest" });
}

// Before somebody clicks a piece he points at it: what a click would show is asked for already.
function expect(piece) {
  if (piece === pointed) return;
  pointed = piece;
  clearTimeout(resting);
  if (piece && !past && open().includes(piece)) resting = setTimeout(() => view && choicesOf(piece).catch(() => {}), REST);
}

function tip(label, piece) {
  expect(piece);
  const shown = past ?? view, held = shown.control[label];
  const says = shown.pieces.filter((it) => it.place === label).map((it) => it.says);
  const parts = [held ? `${map.says(label)}, held by ${held}` : map.says(label), ...says];
  const led = through().length && chosen.choices.find((choice) => choice.place === label);
  if (led) map.way(wayOf(led));
  if (reach) {
    map.way(reach.ways[label] ?? []);
    if (label in reach.costs) {
      const [points, mode] = reach.costs[label];
      parts.push(`${points} points${mode ? ` (${mode})` : ""}${reach.zones.includes(label) ? ", in an enemy zone of control" : ""}`);
    } else if (label in reach.closed) parts.push(reach.closed[label]);
  }
  return parts.join("\n");
}

async function save() {
  try {
    const file = await (await api.fetch(path("/save"))).blob();
    make("a", { href: URL.createObjectURL(file), download: `${game}.hexwar` }).click();
  } catch (error) {
    report(error);
  }
}

async function rematch() {
  try {
    const again = await api.post(path("/rematch"), {});
    known.add({ ...known.all().find((it) => it.game === game && it.key === key), game: again.game });
    location.hash = new URLSearchParams({ game: again.game, key });
    location.reload();
  } catch (error) {
    report(error);
  }
}

// The next piece that can do something, for keys alone.
function nextPiece() {
  const keys = open();
  if (keys.length) choose(keys[(keys.indexOf(chosen?.key) + 1) % keys.length], true);
}

addEventListener("hashchange", () => location.reload()); // another seat or another game
for (const [kind, by] of [["keydown", true], ["pointerdown", false]]) addEventListener(kind, () => (keyed = by), true);
$("skip").onclick = decide;
$("undo").onclick = () => send("/undo");
$("next").onclick = nextPiece;
$("hint").onclick = advise;
$("replay").onclick = replay;
$("luck").ontoggle = () => view && showLuck();
$("earlier").onclick = earlier;
$("later").onclick = later;
$("now").onclick = toNow;
$("fit").onclick = () => map?.fit();
$("hide").onclick = () => {
  const hidden = document.body.classList.toggle("bare");
  $("hide").setAttribute("aria-pressed", hidden);
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const keys = {
    Escape() {
      if (past) return toNow();
      hint = null;
      showAdvised();
      stepBack();
    },
    b: turnNext,
    i: advise,
    f: () => map?.fit(),
    h: () => $("hide").click(),
    u: () => $("undo").click(),
    n: nextPiece,
    r: replay,
    ",": () => (past ? earlier() : lookBack(log.lines.at(-1)?.line ?? 0)),
    ".": later,
    "/": () => {
      $("rules").open = true;
      $("search").focus();
    },
    "?": () => {
      $("keys").open = true;
      $("keys").scrollIntoView({ block: "nearest" });
    },
    "+": () => map?.zoomBy(1.25),
    "-": () => map?.zoomBy(0.8),
    ArrowLeft: () => map?.panBy(80, 0),
    ArrowRight: () => map?.panBy(-80, 0),
    ArrowUp: () => map?.panBy(0, 80),
    ArrowDown: () => map?.panBy(0, -80),
  };
  const overlay = about?.overlays[Number(event.key) - 1];
  if (overlay) keys[event.key] = () => toggle(overlay);
  if (keys[event.key] && view) {
    event.preventDefault();
    keys[event.key]();
  }
});

begin().catch(report);
