// What lies beside the map: boxes, chits, points, rules, settings.
import { make, moreWords } from "./api.js";
import { clauseButton } from "./attack.js";

const DEFAULTS = { replay: true, single: true };
const TITLES = {
  replay: "Replay what happened when a game is opened",
  single: "No click where there is only one choice",
};

export const settings = {
  get: (name) => ({ ...DEFAULTS, ...JSON.parse(localStorage.getItem("settings") ?? "{}") })[name],
  set(name, value) {
    localStorage.setItem("settings", JSON.stringify({ ...JSON.parse(localStorage.getItem("settings") ?? "{}"), [name]: value }));
  },
};

export function settingsPanel(root) {
  root.replaceChildren(...Object.entries(TITLES).map(([name, title]) => {
    const box = make("input", { type: "checkbox", checked: settings.get(name) });
    box.onchange = () => settings.set(name, box.checked);
    return make("p", {}, make("label", {}, box, ` ${title}`));
  }));
}

// What nobody looks at is not made: a large game has hundreds of items. Nor is it kept: the next player may sit down.
function fill(details, parts) {
  const show = () => details.lastElementChild.replaceChildren(...(details.open ? parts() : []));
  details.ontoggle = show;
  show();
}

// Points of each side, item by item, and what is needed.
export function scorePanel(details, score, rule) {
  details.hidden = !score.length;
  const parts = () => score.flatMap(({ side, points, needed, clause, items }) => {
    const goal = needed === null ? [] : [` of ${needed} `, clauseButton(clause, rule)];
    const rows = items.map(([number, reason, from]) => make("li", {}, `${number > 0 ? "+" : ""}${number} ${reason} `, clauseButton(from, rule)));
    return [make("p", {}, make("strong", { textContent: `${side}: ${points}` }), ...goal), make("ul", {}, ...rows)];
  });
  fill(details, parts);
}

export function scoreWords(score) {
  return score.map(({ side, points, needed }) => `${side} ${points}${needed === null ? "" : ` of ${needed}`} points`).join(" · ");
}

// What the dice brought each side against what they bring on average; asked for while it is open.
export async function luckPanel(details, read) {
  if (!details.open) return;
  const { sides, words } = await read();
  const parts = sides.flatMap(({ side, attacks, defences, share, sigma, compared }) => {
    const meter = make("meter", { min: 0, max: 1, value: share });
    const percent = `${(100 * share).toFixed(1)} %`;
    meter.setAttribute("aria-label", `${side}: luckier than ${percent}`);
    const rows = compared.map(([what, rolled, exact, mean]) => make("tr", {}, make("th", { scope: "row", textContent: what }),
      make("td", { textContent: rolled }), make("td", { textContent: mean.toFixed(1), title: `exactly ${exact}` })));
    const head = make("tr", {}, make("td"), ...["rolled", "expected"].map((word) => make("th", { scope: "col", textContent: word })));
    const deviation = `${sigma < 0 ? "−" : "+"}${Math.abs(sigma).toFixed(1)} σ`;
    return [make("p", {}, make("strong", { textContent: side }), ` luckier than ${percent} of all dice `, meter, ` ${deviation}; attacks made ${attacks}, met ${defences}`),
      make("table", {}, head, ...rows)];
  });
  const more = words.map((line) => make("p", { textContent: line }));
  details.lastElementChild.replaceChildren(...parts, ...more);
}

// Piles of chits; of a cup only how many are in it.
export function chitsPanel(details, piles, name) {
  details.hidden = !Object.keys(piles).length;
  fill(details, () => Object.entries(piles).map(([pile, chits]) => {
    const unknown = chits.every((chit) => chit === "?");
    const row = make("p", {}, make("strong", { textContent: `${pile}: ` }));
    if (unknown) row.append(`${chits.length}`);
    else row.append(...chits.map((chit) => make("span", { className: "chit", textContent: name(chit) })));
    return row;
  }));
}

// Pieces that are not on the map, box by box.
export function boxesPanel(root, pieces, { open, face, click }) {
  const shown = JSON.stringify(pieces.map(({ id, place, face: its }) => [id, place, its, open.has(id)]));
  if (root.shown === shown) return; // hundreds of pieces may lie there
  root.shown = shown;
  const was = new Set([...root.querySelectorAll("details[open]")].map((box) => box.dataset.title));
  const boxes = new Map();
  for (const piece of pieces) {
    const title = piece.place ?? "eliminated";
    if (!boxes.has(title)) boxes.set(title, []);
    boxes.get(title).push(piece);
  }
  root.replaceChildren(...[...boxes].map(([title, its]) => {
    const held = () => its.map((piece) => {
      const button = make("button", { type: "button", className: "held", title: piece.says });
      button.setAttribute("aria-label", piece.says);
      button.append(face(piece));
      button.classList.toggle("open", open.has(piece.id));
      button.onclick = () => click(piece.id, null);
      return button;
    });
    const box = make("details", {}, make("summary", { textContent: `${title}: ${its.length}` }));
    box.dataset.title = title;
    box.ontoggle = () => box.open && box.children.length === 1 && box.append(...held());
    box.open = its.some((piece) => open.has(piece.id)) || was.has(title);
    if (box.open) box.append(...held());
    return box;
  }));
}

// Rules by words or by number.
export function rulesPanel(input, list, search, show) {
  let waiting;
  input.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const asked = input.value;
      const { found, more } = await search(asked);
      if (asked !== input.value) return; // an answer to later letters comes or has come
      list.replaceChildren(...found.map((it) => {
        const button = make("button", { type: "button", textContent: `${it.clause}  ${it.text}` });
        button.onclick = () => show(it);
        return make("li", {}, button);
      }));
      if (more) list.append(make("li", { textContent: moreWords(more) }));
      if (asked && !found.length) list.replaceChildren(make("li", { textContent: "No rule has these words." }));
    }, 150);
  };
}

// What a seat keeps for itself; written a moment after the last letter. The answer is what to do before another player sits down.
export function notesPanel(details, seat, keep, read) {
  const text = details.querySelector("textarea");
  let waiting = null;
  const write = () => {
    clearTimeout(waiting);
    waiting = null;
    return keep(text.value);
  };
  details.hidden = !seat;
  details.ontoggle = async () => {
    text.disabled = true; // until what was kept is there: it would take the place of what is typed meanwhile
    if (!details.open) return;
    if (waiting) await write();
    text.value = (await read()).text;
    text.disabled = false;
  };
  text.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(write, 500);
  };
  if (details.open) details.ontoggle(); // somebody was faster than the page
  return () => {
    if (waiting) write();
    details.open = false;
    text.value = "";
  };
}

// The end of a game: resigning asks once.
export function leavePanel(root, { over, seat, resigning, resign, save, rematch }) {
  const button = (words, act) => {
    const made = make("button", { type: "button", textContent: words });
    made.onclick = () => act(made);
    return made;
  };
  const asks = (made) => {
    if (made.classList.contains("sure")) resign();
    else made.textContent = `Really resign? Then ${resigning}.`;
    made.classList.add("sure");
  };
  const buttons = [button("Save the game to a file", save)];
  if (seat && over) buttons.unshift(button("Play again with another seed", rematch));
  else if (resigning) buttons.unshift(button("Resign", asks));
  root.replaceChildren(...buttons);
}

const DAYS = [["as long as the game", ""], ["a day", "1"], ["a week", "7"], ["a month", "30"]];

// The links to give to others, and for the host of the game a way to withdraw each and give out another; this asks once.
export function linksPanel(root, { links, href, renew, report }) {
  const given = links.filter(([, , key]) => key);
  root.hidden = !renew && given.length < 2;
  const was = root.querySelector("details")?.open ?? false;
  const parts = given.flatMap(([name, , key]) => [make("a", { href: href(key), textContent: name, target: "_blank", rel: "noopener" }), " "]);
  root.replaceChildren(...(parts.length ? ["Links for others: ", ...parts] : []));
  if (!renew) return;
  const works = make("select", {}, ...DAYS.map(([words, days]) => new Option(words, days)));
  const buttons = links.map(([name, what]) => {
    const button = make("button", { type: "button", textContent: name });
    button.onclick = async () => {
      if (!button.classList.contains("sure")) {
        button.textContent = `Really? The old link for ${name} then opens nothing.`;
        button.classList.add("sure");
        return;
      }
      await renew(what, works.value ? Number(works.value) : null).catch(report);
    };
    return button;
  });
  root.append(make("details", { open: was }, make("summary", { textContent: "New links" }),
    make("p", { textContent: "A new link takes the place of the old one, and of a password; pages that are open with those are shut." }),
    make("label", {}, "It works ", works), make("div", { className: "tools" }, ...buttons)));
}
