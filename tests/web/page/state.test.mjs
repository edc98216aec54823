import assert from "node:assert/strict";
import test from "node:test";
import { clicked, fits, merged, open, reduce } from "../../../hexwar/web/page/state.js";
import { after, came, choice, group, piece, view } from "./helpers.mjs";

const chosen = (...choices) => after(came(1), { is: "choose", key: "b1" }, { is: "choicesCame", key: "b1", group: group("b1", ...choices), reach: null, number: 1 }).state;
const at = (state, piece, place, shift = false) => clicked(state, { piece, place, shift });

test("an answer to an older position changes nothing", () => {
  const { state } = after(came(2));
  const [next, effects] = reduce(state, { is: "reachCame", reach: { costs: {} }, number: 1 });
  assert.equal(next, state);
  assert.deepEqual(effects, []);
});

test("a new position forgets what was chosen in the last one, and an equal one does not", () => {
  const before = chosen(choice("A"), choice("B"));
  assert.equal(reduce(before, came(2))[0].chosen, null);
  assert.equal(reduce(before, came(1))[0].chosen, before.chosen);
});

test("choices that come when something else was chosen meanwhile are dropped", () => {
  const { state } = after(came(1), { is: "choose", key: "b2" });
  assert.equal(reduce(state, { is: "choicesCame", key: "b1", group: group("b1", choice("B")), reach: null, number: 1 })[0], state);
});

test("the only choice that a piece has is made at once, if the player wants that and it is where the piece points", () => {
  const { state } = after(came(1), { is: "choose", key: "b1" });
  const only = { is: "choicesCame", key: "b1", group: group("b1", { ...choice(null), place: "b1" }), reach: null, number: 1 };
  assert.deepEqual(reduce(state, only)[1].map((it) => it.do), ["act"]);
  assert.deepEqual(reduce({ ...state, settings: { single: false } }, only)[1], []);
});

test("what is marked as able to act is chosen by a click, before anything else", () => {
  const { state } = after(came(1));
  assert.deepEqual(at(state, "b1", "A").map((it) => it.is ?? it.do), ["spread", "choose"]);
  const offered = after(came(1, { question: { ...view().question, groups: [{ key: "B" }], shows: ["none"] } })).state;
  assert.deepEqual(at(offered, "r1", "B").map((it) => [it.is ?? it.do, it.key ?? it.place])[0], ["choose", "B"]);
});

test("a click on a goal of what is chosen does it; two ways to do it there are asked", () => {
  assert.deepEqual(at(chosen(choice("A"), choice("B")), "r1", "B"), [{ do: "act", action: { kind: "act", place: "B" } }]);
  const two = at(chosen(choice("B", { kind: "go" }), choice("B", { kind: "run" })), null, "B");
  assert.equal(two[0].is, "narrowed");
  assert.equal(two[0].choices.length, 2);
});

test("an enemy who is no goal is weighed, an empty place is aimed at, and neither acts", () => {
  const { state } = after(came(1));
  assert.ok(at(state, "r1", "B").some((it) => it.do === "attack" && it.sheet));
  assert.ok(at(state, null, "C").some((it) => it.do === "aim"));
  for (const clicks of [at(state, "r1", "B"), at(state, null, "C")]) assert.ok(!clicks.some((it) => it.do === "act"));
});

test("a click in the past looks and does nothing", () => {
  const { state } = after(came(1), { is: "momentCame", past: { line: 0, pieces: [], asked: 0 }, line: 0 });
  assert.deepEqual(at(state, "b1", "A"), [{ is: "looked", piece: "b1", place: "A" }]);
});

test("with Shift a place is one by which the way leads", () => {
  const state = chosen(choice("A"), choice("B"));
  assert.deepEqual(at(state, null, "C", true), [{ do: "through", places: ["C"] }]);
});

test("a point of a plane is an order to go there, in whole numbers", () => {
  const state = { ...chosen(choice("A")), chosen: { ...group("b1"), open: { action: { kind: "march", unit: "b1" }, point: "to" } } };
  assert.deepEqual(at(state, null, "12,40"), [{ do: "act", action: { kind: "march", unit: "b1", to: [12, 40] } }]);
});

test("the next player at a device comes only after the curtain", () => {
  const { state } = after({ is: "aboutCame", about: { ...after().state.about, mine: ["blue", "red"] }, settings: {}, links: {} }, came(1, { to_move: ["red"], mine: ["blue", "red"], question: null }));
  assert.equal(state.curtain, "red");
  assert.equal(state.hidden, true);
  assert.equal(state.view, null);
});

test("a number that comes again after a break makes the page look again", () => {
  const { state } = after(came(3), { is: "heard", heard: 3 }, { is: "away" });
  const [next, effects] = reduce(state, { is: "heard", heard: 3 });
  assert.deepEqual(effects, [{ do: "look" }]);
  assert.equal(next.away, false);
  assert.equal(next.say, "");
});

test("nobody looks while an order is under way", () => {
  const { state } = after(came(3), { is: "busy", busy: true });
  assert.deepEqual(reduce(state, { is: "heard", heard: 4 })[1], []);
});

test("the latest lines of the log join those before them only without a gap", () => {
  const lines = (from, to) => Array.from({ length: to - from }, (_, n) => ({ line: from + n }));
  assert.deepEqual(merged(lines(0, 5), lines(3, 8)).map((it) => it.line), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(merged(lines(0, 2), lines(3, 5)).map((it) => it.line), [3, 4]);
});

test("the end of a game opens its page once, and not for who opens a game that is over", () => {
  assert.equal(after(came(1), came(2, { result: "blue wins", question: null })).state.sheet, "end");
  assert.equal(after(came(2, { result: "blue wins", question: null })).state.sheet, null);
});

test("a step of a lesson is about its seat, turn and question", () => {
  const step = { seat: "blue", turn: 1, asks: "go" };
  assert.ok(fits(step, view(), "blue"));
  assert.ok(!fits({ ...step, turn: 2 }, view(), "blue"));
  assert.ok(!fits({ ...step, seat: "red" }, view(), "blue"));
  assert.ok(!fits({ ...step, asks: "fight" }, view(), "blue"));
});

test("a lesson goes on when what it waits for was done by its pupil, and not by others", () => {
  const lesson = [{ says: "go", asks: "go", until: "go" }, { says: "well", asks: "", until: "read" }];
  const taught = after({ is: "aboutCame", about: { ...after().state.about, lesson }, settings: {}, links: {} }, came(1), { is: "lessoned", lesson: { step: 0, did: "" } }).state;
  const did = reduce(taught, { is: "did", kind: "go", newest: 2 })[0];
  assert.equal(reduce(did, { ...came(2), done: 2 })[0].lesson.step, 1);
  assert.equal(reduce(did, came(2))[0].lesson.step, 0);
  const other = reduce(taught, { is: "did", kind: "wait", newest: 2 })[0];
  assert.equal(reduce(other, { ...came(2), done: 2 })[0].lesson.step, 0);
});

test("what can be chosen is what the question groups, and nothing without one", () => {
  assert.deepEqual(open(after(came(1)).state), ["b1", "b2"]);
  assert.deepEqual(open(after(came(1, { question: null })).state), []);
});

test("a reload follows when somebody sits elsewhere", () => {
  assert.deepEqual(after(came(1, { mine: ["red"] })).effects, [{ do: "reload" }]);
  assert.ok(piece("x", null).place === null);
});
