// A small keyed renderer: elements from descriptions, patched in place, so that focus and scrolling stay where they are.
// Attributes are set by CSSOM and properties alone; the policy of the page allows no inline style and no inline script.

/**
 * @typedef {{ tag: string, props: Record<string, any>, children: Child[] }} Node_
 * @typedef {Node_ | string} Child
 */

const SVG_SPACE = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path", "g", "circle", "rect", "line", "polyline", "text", "ellipse"]);
const AS_PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "open", "selected", "indeterminate", "tabIndex"]);

/**
 * Describes an element.
 * @param {string} tag its name, with classes and an id if wanted: "button.btn#undo"
 * @param {Record<string, any>} [props] attributes; `key` keeps an element among others, `html` is markup of our own,
 *   `initial` what a field has at first, `on...` handlers
 * @param {...any} children texts and descriptions; lists are flattened, and what is empty is left out
 * @returns {Node_}
 */
export function h(tag, props = {}, ...children) {
  const [name, ...parts] = tag.split(/(?=[.#])/);
  const classes = parts.filter((part) => part[0] === ".").map((part) => part.slice(1));
  const id = parts.find((part) => part[0] === "#")?.slice(1);
  const all = { ...props };
  if (id) all.id = id;
  if (classes.length || all.class) all.class = [...classes, all.class].filter(Boolean).join(" ");
  return { tag: name, props: all, children: children.flat(4).filter(isShown).map((child) => (typeof child === "object" ? child : String(child))) };
}

const isShown = (child) => child !== null && child !== undefined && child !== false && child !== "";

/**
 * Makes the children of an element what is described.
 * @param {any} root
 * @param {(Child | null | false | undefined)[]} described
 */
export function patch(root, described) {
  const wanted = /** @type {Child[]} */ (described.filter(isShown));
  const before = /** @type {any[]} */ ([...root.childNodes]);
  const keyed = new Map(before.filter((it) => it.described?.props.key !== undefined).map((it) => [String(it.described.props.key), it]));
  const free = before.filter((it) => it.described?.props.key === undefined);
  const kept = new Set();
  const chosen = wanted.map((child) => {
    let found;
    if (typeof child === "string") found = free.find((it) => it.nodeType === 3 && !kept.has(it));
    else if (child.props.key !== undefined) found = keyed.get(String(child.props.key));
    else found = free.find((it) => it.described?.tag === child.tag && it.described.props.id === child.props.id && !kept.has(it));
    if (found && typeof child !== "string" && found.described.tag !== child.tag) found = undefined;
    if (found) kept.add(found);
    return found;
  });
  for (const old of before) if (!kept.has(old)) old.remove();
  wanted.forEach((child, n) => {
    const element = chosen[n] ?? made(child, root);
    if (root.childNodes[n] !== element) root.insertBefore(element, root.childNodes[n] ?? null);
    if (typeof child === "string") {
      if (element.data !== child) element.data = child;
    } else dress(element, child);
  });
}

function made(child, root) {
  if (typeof child === "string") return document.createTextNode(child);
  const isSvg = SVG_TAGS.has(child.tag) && (child.tag === "svg" || root.namespaceURI === SVG_SPACE);
  return isSvg ? document.createElementNS(SVG_SPACE, child.tag) : document.createElement(child.tag);
}

// Gives an element its attributes and children; what was described before says which of them are new.
function dress(element, child) {
  const old = element.described?.props ?? {}, { props } = child;
  for (const name of Object.keys(old)) if (!(name in props)) set(element, name, undefined);
  for (const [name, value] of Object.entries(props)) if (old[name] !== value || AS_PROPERTIES.has(name)) set(element, name, value);
  element.described = child;
  if (props.html !== undefined) {
    if (old.html !== props.html) element.innerHTML = props.html;
  } else patch(element, child.children);
}

function set(element, name, value) {
  if (name === "key" || name === "html") return;
  if (name === "initial") {
    if (!element.described) element.value = value;
    return;
  }
  if (name.startsWith("on")) element[name] = value ?? null;
  else if (name === "style") {
    element.removeAttribute("style");
    for (const [key, its] of Object.entries(value ?? {})) element.style.setProperty(key, its);
  } else if (AS_PROPERTIES.has(name)) {
    if (name === "value" && document.activeElement === element && value === undefined) return;
    if (element[name] !== value) element[name] = value ?? (name === "value" ? "" : false);
  } else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}
