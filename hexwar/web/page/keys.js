// What each key does; every one of them can be done by a click as well.

/** @param {any} page what is shown, and what is done with it: state, go, map, keyed
 * @returns {Record<string, () => any>} */
export function keysOf({ state, go, map, keyed, primary, drawn }) {
  const { past, sheet } = state, last = state.lines.at(-1)?.line ?? 0;
  const main = () => {
    const it = primary();
    if (!it.off) go(it.event ?? it.effect);
  };
  const keys = {
    Escape() {
      if (past) go({ do: "toNow" });
      else if (sheet) go({ is: "sheeted", sheet: null });
      else if (state.rule) go({ is: "ruleCame", rule: null });
      else if (state.lesson) go({ is: "lessoned", lesson: null });
      else go({ do: "back" }, { is: "hintCame", hint: null });
    },
    b: () => go({ is: "cornered" }, keyed && { do: "decide" }),
    e: main,
    i: () => go({ do: "advise", follow: keyed }),
    f: () => map?.fit(),
    g: () => go({ do: "nextGame" }),
    h: () => go({ is: "bared" }),
    m: () => go({ do: "set", name: "large", value: !state.settings.large }),
    u: () => state.view?.undo.length && go({ do: "undo" }),
    n: () => go({ do: "next", follow: keyed }),
    r: () => go({ do: "show" }),
    ",": () => go({ do: "moment", line: past ? Math.max(0, Math.min(past.asked, past.line) - 1) : last }),
    ".": () => past && go(past.line < last ? { do: "moment", line: past.line + 1 } : { do: "toNow" }),
    "/"() {
      go({ is: "tabbed", tab: "rules" });
      drawn(); // what is typed next belongs there
      document.getElementById("search")?.focus();
    },
    "?": () => go({ is: "tabbed", tab: "more" }, ...(state.opened.includes("keys") ? [] : [{ is: "unfolded", part: "keys" }])),
    "+": () => map?.zoomBy(1.25),
    "-": () => map?.zoomBy(0.8),
    ArrowLeft: () => map?.panBy(80, 0),
    ArrowRight: () => map?.panBy(-80, 0),
    ArrowUp: () => map?.panBy(0, 80),
    ArrowDown: () => map?.panBy(0, -80),
  };
  state.about?.overlays.forEach((name, n) => (keys[n + 1] = () => go({ is: "covering", cover: state.cover === name ? "" : name })));
  return keys;
}
