import assert from "node:assert/strict";
import test from "node:test";
import { lateOnes, lessonStep, marks, primary, question, said, since, subject, tray } from "../../../hexwar/web/page/select.js";
import { reduce } from "../../../hexwar/web/page/state.js";
import { after, came, choice, group, piece, view } from "./helpers.mjs";

const ending = { action: { kind: "done" }, title: "End it", still: "2 can still go", left: ["b1", "b2"] };
const asked = (more) => ({ question: { ...view().question, ...more } });

test("the question has a title, and its clause stands beside it and not in it", () => {
  const it = question(after(came(1)).state);
  assert.deepEqual([it.title, it.words, it.clause], ["Who goes?", "Who goes?", "1.2"]);
});

test("who waits is told for whom", () => {
  const { state } = after(came(1, { question: null, to_move: ["red"] }));
  assert.equal(question({ ...state, about: { ...state.about, bots: { red: "normal" } } }).title, "Waiting for red (normal)");
  assert.equal(question({ ...state, about: { ...state.about, names: { red: "Anna" } } }).title, "Waiting for red (Anna)");
});

test("an ending that leaves pieces behind asks once more, on the same button", () => {
  const { state } = after(came(1, asked({ choices: [{ action: { kind: "done" }, words: "done" }], ending })));
  const first = primary(state);
  assert.deepEqual([first.title, first.event], ["End it", { is: "asked", sure: "done" }]);
  const second = primary(reduce(state, first.event)[0]);
  assert.deepEqual([second.title, second.effect], ["Really? End it", { do: "act", action: { kind: "done" } }]);
});

test("an ending that leaves nobody behind asks nothing", () => {
  const { state } = after(came(1, asked({ choices: [{ action: { kind: "done" }, words: "done" }], ending: { ...ending, left: [] } })));
  assert.deepEqual(primary(state).effect, { do: "act", action: { kind: "done" } });
});

test("in the past the main button leads back, at the end it tells how it ended", () => {
  const past = after(came(1), { is: "momentCame", past: { line: 0, pieces: [], asked: 0 }, line: 0 }).state;
  assert.deepEqual(primary(past).event, { is: "toNow" });
  assert.deepEqual(primary(after(came(1, { result: "over", question: null })).state).event, { is: "sheeted", sheet: "end" });
});

test("the tray has what can be chosen by name, and then the choices", () => {
  const { state } = after(came(1));
  assert.deepEqual(tray(state).map((it) => it.words), ["the b1", "the b2"]);
  const chosen = { ...state, chosen: group("b1", choice("A")) };
  assert.deepEqual(tray(chosen).map((it) => it.words), ["To A"]);
});

test("what others did is told with moves, blows and losses; my own doing is not", () => {
  const line = (n, more) => ({ line: n, kind: "event", side: "red", says: "x", ...more });
  const log = [line(0, { side: "blue", trail: { pieces: ["b1"], points: ["A", "B"] } }), line(1, { trail: { pieces: ["r1"], points: ["C", "B"] } }), line(2, { blow: ["A"], gone: ["b2"] })];
  const { state } = after(came(1, { log }));
  assert.equal(since({ ...state, seen: -1 })?.words, "1 unit moved; 1 blow at Alton; 1 lost");
  assert.equal(since({ ...state, seen: 2 }), null);
});

test("marks: what can act, what is chosen and its goals with costs", () => {
  const { state } = after(came(1));
  const chosen = { ...state, chosen: group("b1", choice("B")), reach: { costs: { B: [3, ""] }, ways: {}, closed: {}, zones: [] } };
  const found = marks(chosen);
  assert.deepEqual(found.pieces, ["b1", "b2"]);
  assert.equal(found.chosen, "b1");
  assert.deepEqual(found.places.B, ["reach", "3"]);
  assert.deepEqual(marks({ ...chosen, past: { line: 0, pieces: [], asked: 0 } }).pieces, []);
});

test("the card follows the position: a piece that is gone has none", () => {
  const { state } = after(came(1), { is: "looked", piece: "b1", place: "A" });
  assert.equal(subject(state)?.piece.id, "b1");
  const gone = reduce(state, came(2, { pieces: [piece("b2", "A")] }))[0];
  assert.equal(subject(gone)?.piece, null);
});

test("silence of the server is told before anything else", () => {
  const { state } = after(came(1));
  assert.equal(said({ ...state, slow: true }), "No answer yet…");
  assert.equal(said({ ...state, say: "forbidden", slow: true }), "forbidden");
  assert.match(said({ ...state, away: true, say: "forbidden" }), /tries again/);
});

test("a lesson that is over says so", () => {
  const { state } = after(came(1), { is: "lessoned", lesson: { step: 0, did: "" } });
  assert.ok(lessonStep(state)?.done);
  assert.equal(lessonStep(after(came(1)).state), null);
});

test("who is late is told to those who wait, and to nobody else", () => {
  const { state } = after(came(1, { question: null, to_move: ["red"], due: { red: 100 } }));
  assert.deepEqual(lateOnes(state, 101), ["red"]);
  assert.deepEqual(lateOnes(state, 99), []);
  assert.deepEqual(lateOnes({ ...state, seat: "" }, 101), []);
});
