// The log: every line names its rule and what it is about; a click on it goes back to look at that moment.
import { make } from "./api.js";

export class Log {
  // `on` has: rule(clause), point(line or null), look(line), undo(times), earlier().
  constructor(root, on) {
    Object.assign(this, { root, on, lines: [] });
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
    const rows = this.lines.map((line) => this.row(line, { ways, seen, mine, now }));
    if (this.lines[0]?.line > 0) {
      const button = make("button", { type: "button", textContent: "Earlier lines" });
      button.onclick = () => this.on.earlier(this.lines[0].line);
      rows.unshift(make("li", {}, button));
    }
    this.root.replaceChildren(...rows);
    const current = now === null ? null : this.root.querySelector(`[data-line="${now}"]`);
    if (current) current.scrollIntoView({ block: "nearest" });
    else this.root.scrollTop = this.root.scrollHeight;
  }

  row(line, { ways, seen, mine, now }) {
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
    const times = ways.lastIndexOf(line.line) + 1;
    if (times) {
      const button = make("button", { type: "button", className: "back", textContent: "Undo to here" });
      button.title = times === 1 ? "Takes one action back" : `Takes ${times} actions back`;
      button.onclick = () => this.on.undo(times);
      item.append(" ", button);
    }
    item.classList.toggle("barrier", line.line === ways.at(-1));
    item.classList.toggle("fresh", line.line > seen);
    item.classList.toggle("mine", line.line > seen && (line.pieces ?? []).some(mine));
    item.classList.toggle("now", line.line === now);
    item.onpointerenter = text.onfocus = () => this.on.point(line);
    item.onpointerleave = text.onblur = () => this.on.point(null);
    return item;
  }
}
