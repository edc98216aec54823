// The log: every line names its rule and what it is about; a click on it goes back to look at that moment.
import { arrange, make } from "./api.js";

export class Log {
  // `on` has: rule(clause), point(line or null), look(line), undo(times), earlier().
  constructor(root, on) {
    Object.assign(this, { root, on, lines: [], rows: new Map() });
  }

  // The latest lines; those before them are kept.
  add(latest) {
    const first = latest[0]?.line ?? 0;
    const older = this.lines.filter((it) => it.line < first);
    this.lines = older.at(-1)?.line === first - 1 ? [...older, ...latest] : latest;
  }

  addEarlier(lines) {
    this.lines = [...lines, ...this.lines];
  }

  // Shows it: `ways` says to which length each undo would bring it back, `seen` which line the player knew already, `mine`
  // whether a piece is his, `now` at which line he looks.
  show({ ways = [], seen = Infinity, mine = () => false, now = null }) {
    const made = new Map();
    const rows = this.lines.map((line) => {
      const about = { times: ways.lastIndexOf(line.line) + 1, barrier: line.line === ways.at(-1), fresh: line.line > seen, now: line.line === now };
      about.mine = about.fresh && (line.pieces ?? []).some(mine);
      const key = JSON.stringify([line, about]), row = this.rows.get(key) ?? this.row(line, about);
      made.set(key, row);
      return row;
    });
    this.rows = made; // most rows are as they were
    if (this.lines[0]?.line > 0) {
      const button = make("button", { type: "button", textContent: "Earlier lines" });
      button.onclick = () => this.on.earlier(this.lines[0].line);
      rows.unshift(make("li", {}, button));
    }
    arrange(this.root, rows);
    const current = now === null ? null : this.root.querySelector(`[data-line="${now}"]`);
    if (current) current.scrollIntoView({ block: "nearest" });
    else this.root.scrollTop = this.root.scrollHeight;
  }

  row(line, { times, barrier, fresh, mine, now }) {
    const item = make("li", { className: line.kind });
    item.dataset.line = line.line;
    const text = make("button", { type: "button", className: "moment", textContent: line.text, title: "Look at this moment" });
    text.onclick = () => this.on.look(line.line);
    item.append(text);
    if (line.clause) {
      const rule = make("button", { type: "button", className: "clause", textContent: line.clause, title: "What the rule says" });
      rule.onclick = () => this.on.rule(line.clause);
      item.append(" ", rule);
    }
    if (times) {
      const button = make("button", { type: "button", className: "back", textContent: "Undo to here" });
      button.title = times === 1 ? "Takes one action back" : `Takes ${times} actions back`;
      button.onclick = () => this.on.undo(times);
      item.append(" ", button);
    }
    for (const [name, is] of Object.entries({ barrier, fresh, mine, now })) item.classList.toggle(name, is);
    item.onpointerenter = text.onfocus = () => this.on.point(line);
    item.onpointerleave = text.onblur = () => this.on.point(null);
    return item;
  }
}
