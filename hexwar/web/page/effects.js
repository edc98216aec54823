// What happens outside of the state: questions and orders to the server, the browser's storage, timers. Nothing else of the page
// asks the server about a game.
import { idle, known, make, Refused } from "./api.js";
import { AWAY, open, placeOf, through } from "./state.js";
import { settings } from "./settings.js";

const AGAIN = 1000; // milliseconds until the page asks once more
const PATIENCE = 2000; // milliseconds after which the page says that there is no answer yet
const STEP = 460, DICE = 900, BRIEF = 150; // milliseconds for which a replay shows a move, a roll of dice, and the rest

/**
 * @param {any} page api, game, key, get(), dispatch(event), map() and what the document is asked for
 */
export function makeEffects({ api, game, key, get, dispatch, map, focus, sound, keyed }) {
  const path = (what = "") => `games/${game}${what}`;
  const asked = new Map(); // what is chosen about -> what the server says of it in this position
  let askedAt = "", first = null, waiting = 0, slowly, token = null, writing = null, unwritten = null;

  // Says after a while that there is no answer yet.
  async function patiently(answer) {
    waiting++;
    slowly ??= setTimeout(() => dispatch({ is: "slow", slow: true }), PATIENCE);
    try {
      return await answer;
    } finally {
      if (--waiting === 0) {
        clearTimeout(slowly);
        slowly = undefined;
        if (get().slow) dispatch({ is: "slow", slow: false });
      }
    }
  }

  const ask = (what, query = {}) => patiently(api.get(path(what), { seat: get().seat, ...query }));

  function report(error) {
    if (!(error instanceof Refused)) console.error(error);
    dispatch({ is: "said", say: error instanceof Refused ? error.message : AWAY });
  }

  const faces = () => (map() ? [...map().faces.drawn.keys()].join(",") : "");

  /** Looks at the position until nothing newer is known; `done` is the number that the player made, if they did. */
  async function look(done = null) {
    if (get().busy) return;
    dispatch({ is: "busy", busy: true });
    try {
      do {
        const before = get().seat;
        if (before === undefined) {
          sit(get().about.mine[0] ?? "", false); // a spectator has no seat
        }
        const view = (await first) ?? (await ask("/view", { faces: faces() }));
        first = null;
        if (map()) map().faces.add(view.faces);
        dispatch({ is: "viewCame", view, done });
      } while (get().curtain === null && (get().view === null || get().newest > get().view.number));
    } catch (error) {
      if (error.status === 404 && get().seat && (await api.get(path()).catch(() => null))) return location.reload(); // the seat is another's
      report(error);
      if (get().hidden && get().curtain === null) setTimeout(look, AGAIN); // nobody could ask for it
    } finally {
      dispatch({ is: "busy", busy: false });
    }
    if (get().curtain === null && get().view) await only();
  }

  function sit(seat, looks = true) {
    leaveNotes();
    asked.clear();
    token = null;
    const kept = localStorage.getItem(`seen ${game} ${seat}`);
    dispatch({ is: "sat", seat, seen: kept === null ? null : Number(kept), silent: !looks });
  }

  // The only thing that can be done, if the player wants no click for it; never what would end the way back of an undo.
  async function only() {
    const { view } = get(), question = view.question;
    if (!question || !question.complete || !settings.get("single") || view.undo.length || decided === view.number) return;
    if (question.choices.length + question.groups.length !== 1) return;
    let action = question.choices[0]?.action;
    if (!action) {
      const { choices } = await ask("/group", { key: question.groups[0].key });
      if (choices.length !== 1) return;
      action = choices[0].action;
    }
    decided = view.number;
    await send("/act", { action });
  }
  let decided = -1;

  /** Goes on with the game; whether that was done. */
  async function send(what, body = {}) {
    const { busy, view, seat } = get();
    if (busy || !view) return false;
    dispatch({ is: "busy", busy: true });
    dispatch({ is: "said", say: "" });
    let done = null, stays = false;
    try {
      const answer = await patiently(api.post(path(what), { seat, number: view.number, faces: faces(), ...body }));
      done = answer.number;
      first = answer.view ?? null;
      dispatch({ is: "did", kind: body.action?.kind ?? "", newest: done });
    } catch (error) {
      stays = error.status === 422; // a rule forbids it: the position is the same
      report(error);
    }
    dispatch({ is: "busy", busy: false });
    if (!stays || get().newest > view.number) await look(done);
    return done !== null;
  }

  // The choices about a piece or a place and how far it can go, asked for once in a position.
  function choicesOf(about) {
    const { view, seat } = get(), at = `${seat} ${view.number}`;
    if (askedAt !== at) asked.clear();
    askedAt = at;
    if (!asked.has(about)) {
      const goes = view.question.shows.includes("reach") && map()?.centre(placeOf(get(), about));
      const found = Promise.all([ask("/group", { key: about }), goes ? ask("/reach", { unit: about }).catch(() => null) : null]);
      asked.set(about, found);
      found.catch(() => asked.delete(about));
    }
    return asked.get(about);
  }

  // Asks, and tells of the answer with the number of the position for which it was asked.
  async function tell(event, answer) {
    const { number } = get().view ?? {};
    const found = await answer.catch((error) => (report(error), null));
    if (found !== null && get().view?.number === number) dispatch({ ...event(found), number });
  }

  function leaveNotes() {
    if (unwritten) write();
  }

  function write() {
    clearTimeout(writing);
    const { seat, text } = unwritten;
    unwritten = writing = null;
    return api.post(path("/note"), { seat, text }).catch(report);
  }

  async function showMoment(line) {
    const mine = (token = {});
    try {
      const found = await ask("/moment", { line, faces: faces() });
      if (token !== mine) return false;
      map()?.faces.add(found.faces);
      dispatch({ is: "momentCame", past: found, line });
      const it = get().lines.find((each) => each.line === line);
      if (it?.places?.length) map()?.show(it.places.at(-1));
      return true;
    } catch (error) {
      report(error);
      return false;
    }
  }

  const rests = (milliseconds) => new Promise((after) => setTimeout(after, milliseconds));

  // Shows action by action what happened since the player last decided; whatever they do ends it.
  async function show() {
    const { view, seen } = get(), last = view?.log.at(-1)?.line ?? -1;
    if (!map() || !view || seen === null || seen >= last) return;
    dispatch({ is: "showing", showing: true });
    for (let line = seen + 1; line <= last && get().showing; ) {
      if (!(await showMoment(line))) break;
      const to = get().past.line, some = get().lines.filter((it) => it.line >= line && it.line <= to);
      const rolled = some.some((it) => it.dice), told = rolled || some.some((it) => it.trail || it.blow?.length || it.gone?.length);
      line = to + 1;
      await rests(rolled ? DICE : told ? STEP : BRIEF);
      if (!get().past) break;
    }
    if (get().showing) dispatch({ is: "toNow" });
  }

  const effects = {
    look: () => look(),
    reload: () => location.reload(),
    sit: ({ seat }) => sit(seat),
    leaveNotes,
    know: ({ seen }) => localStorage.setItem(`seen ${game} ${get().seat}`, seen),
    act: ({ action }) => send("/act", { action }),
    resign: ({ seat }) => send("/resign", { seat }),
    async undo({ times = 1 }) {
      for (let n = 0; n < times; n++) if (!(await send("/undo"))) break;
    },
    choices: ({ key: about, far, follow }) =>
      choicesOf(about).then(([group, reach]) => {
        const { view, choosing } = get();
        if (!view || choosing !== about || askedAt !== `${get().seat} ${view.number}`) return;
        const place = placeOf(get(), about);
        dispatch({ is: "choicesCame", key: about, group, reach, follow, number: view.number });
        if (place) map()?.show(place, far);
      }).catch(report),
    expect: ({ key: about }) => open(get()).includes(about) && choicesOf(about).catch(() => {}),
    async through({ places }) {
      const { chosen } = get(), about = chosen.key;
      const found = places.length ? ask("/group", { key: about, through: places.join(";") }).then((group) => [group, null]) : choicesOf(about);
      const follow = keyed();
      await tell(([group, reach]) => ({ is: "throughCame", key: about, places, group, reach }), found);
      if (follow) focus("choices");
    },
    aim: ({ place }) => tell((group) => ({ is: "aimedCame", group: group.choices.length ? group : null }), ask("/aimed", { place })).catch(() => {}),
    plan: ({ unit }) => tell((reach) => ({ is: "reachCame", reach }), ask("/reach", { unit }).catch(() => ({ costs: {}, ways: {}, closed: {}, zones: [] }))),
    async attack({ target, units, sheet = false }) {
      const { number } = get().view, found = await ask("/attack", { target, units: units.join(",") }).catch(() => null);
      if (get().view?.number !== number) return;
      if (found && get().sheet !== "battle") map()?.lift(target);
      if (found) dispatch({ is: "attackCame", attack: found, number });
      else if (sheet && open(get()).includes(target)) dispatch({ is: "choose", key: target });
    },
    // Begins the attack if that is asked first, then lets one unit after the other take part.
    async strike({ target, units }) {
      const keys = () => open(get());
      if (keys().includes(target)) {
        const { choices } = await ask("/group", { key: target });
        if (choices.length !== 1) return dispatch({ is: "choose", key: target });
        if (!(await send("/act", { action: choices[0].action }))) return;
      }
      for (const unit of units) {
        if (!keys().includes(unit)) continue;
        const { choices } = await ask("/group", { key: unit });
        const its = choices.find((choice) => choice.place === target || choice.place === null);
        if (its && !(await send("/act", { action: its.action }))) return;
      }
    },
    card: ({ unit }) => tell((card) => ({ is: "cardCame", unit, card }), ask("/card", { unit })),
    words: ({ place }) => tell((words) => ({ is: "wordsCame", place, words }), ask("/words", { question: "hex", about: place }).catch(() => [])),
    overlay: ({ name }) => tell((found) => ({ is: "coverCame", name, found }), ask("/overlay", { name })),
    rule: ({ clause }) => api.get(path("/rule"), { clause }).then((rule) => dispatch({ is: "ruleCame", rule }), report),
    charts: () => ask("/charts").then((charts) => dispatch({ is: "chartsCame", charts }), report),
    luck: () => ask("/luck").then((luck) => dispatch({ is: "luckCame", luck }), report),
    summary: () => ask("/summary").then((summary) => dispatch({ is: "summaryCame", summary }), report),
    async search({ text }) {
      clearTimeout(searching);
      searching = setTimeout(async () => {
        const found = await api.get(path("/rules"), { search: text }).catch(() => null);
        if (found) dispatch({ is: "foundCame", found, search: text });
      }, 150);
    },
    async advise({ follow }) {
      const { about, view, advising, past, seat } = get();
      if (!about.hints || !view?.question || advising || past) return;
      dispatch({ is: "advising", advising: true });
      const found = await ask("/hint").catch((error) => report(error));
      if (get().view?.number !== view.number || get().seat !== seat) return;
      if (!found || found.number !== view.number) return dispatch({ is: "advising", advising: false });
      dispatch({ is: "hintCame", hint: found, number: view.number });
      const goal = found.places.at(-1);
      map()?.show(map().centre(goal) ? goal : placeOf(get(), found.pieces[0]), true);
      if (follow) focus("primary");
    },
    moment: ({ line }) => {
      dispatch({ is: "showing", showing: false });
      return showMoment(line);
    },
    toNow() {
      token = null;
      dispatch({ is: "toNow" });
    },
    show,
    arrived({ first: isFirst }) {
      const { view, settings: its, seen } = get(), news = seen !== null && (view.log.at(-1)?.line ?? -1) > seen;
      if (news && its.replay && (isFirst || view.question) && !get().past) idle(() => show());
      if (!isFirst && view.question && document.hidden) call();
      if (!isFirst && view.question) sound();
    },
    decide: () => focus("choices"),
    spread: ({ place }) => map()?.spread(place),
    next({ follow = false }) {
      const keys = open(get());
      if (keys.length) dispatch({ is: "choose", key: keys[(keys.indexOf(get().chosen?.key) + 1) % keys.length], far: true, follow });
    },
    back() {
      const some = through(get());
      if (some.length) return effects.through({ places: some.slice(0, -1) });
      dispatch({ is: "left" });
      dispatch({ is: "looked", piece: null, place: null });
    },
    async earlier() {
      const lines = await ask("/log", { before: get().lines[0]?.line ?? 0 });
      dispatch({ is: "earlierCame", lines });
    },
    async notes() {
      if (unwritten) await write();
      const { text } = await ask("/note");
      dispatch({ is: "notesCame", text });
    },
    note({ text }) {
      clearTimeout(writing);
      unwritten = { seat: get().seat, text };
      writing = setTimeout(write, 500);
    },
    async chats() {
      const { chat, names } = await api.get(path("/chat"));
      dispatch({ is: "chatCame", chat, names });
    },
    chat: ({ text }) => api.post(path("/chat"), { seat: get().seat, text }).then(({ chat, names }) => dispatch({ is: "chatCame", chat, names })),
    name: ({ seat, name }) => api.post(path("/name"), { seat, name }).then(() => effects.chats()),
    async renew({ what, days }) {
      try {
        const { key: its } = await api.post(path("/keys"), { ...what, days });
        const { links } = get();
        const next = what.watch ? { ...links, watch: its } : { ...links, keys: { ...links.keys, [what.seat]: its } };
        known.add(next);
        dispatch({ is: "linksCame", links: next });
      } catch (error) {
        report(error);
      }
    },
    contact: ({ text }) => api.post(path("/contact"), { seat: get().seat, text }).then(() => dispatch({ is: "said", say: text ? "You will be told there." : "Nobody will be told." })),
    late: ({ late }) => send("/late", { late }),
    save: () => file("/save", `${game}.hexwar`),
    replayFile: () => file(`/replay?seat=${encodeURIComponent(get().seat ?? "")}`, `${game}.html`),
    async rematch() {
      try {
        const again = await api.post(path("/rematch"), {});
        known.add({ ...get().links, game: again.game });
        location.hash = new URLSearchParams({ game: again.game, key }).toString();
        location.reload();
      } catch (error) {
        report(error);
      }
    },
    set({ name, value }) {
      settings.set(name, value);
      dispatch({ is: "set", settings: settings.all() });
    },
    async nextGame() {
      const keys = [...new Set(known.all().map((it) => it.key))];
      const { games } = await api.post("games/mine", { keys }).catch(() => ({ games: [] }));
      const mine = games.filter((it) => it.game !== game && !it.over && it.key !== null && it.to_move.some((seat) => it.mine.includes(seat)));
      if (!mine.length) return dispatch({ is: "said", say: "No other game waits for you." });
      location.hash = new URLSearchParams({ game: mine[0].game, key: keys[mine[0].key] }).toString();
    },
    async permit() {
      const granted = (await Notification.requestPermission()) === "granted";
      effects.set({ name: "notify", value: granted });
      if (!granted) dispatch({ is: "said", say: "The browser does not allow notices; its settings for this page change that." });
    },
  };
  let searching;

  function call() {
    if (!settings.get("notify") || typeof Notification === "undefined" || Notification.permission !== "granted") return;
    const notice = new Notification("Your turn", { body: get().about.scenario, tag: game });
    notice.onclick = () => (window.focus(), notice.close());
  }

  async function file(what, name) {
    try {
      const found = await (await api.fetch(path(what))).blob();
      make("a", { href: URL.createObjectURL(found), download: name }).click();
    } catch (error) {
      report(error);
    }
  }

  return {
    run: (effect) => Promise.resolve(effects[effect.do](effect)).catch(report),
    guess: (answer) => (first = answer),
    report,
    ask,
  };
}
