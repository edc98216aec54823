import assert from "node:assert/strict";
import test from "node:test";
import { boardOf, placeWords, polygons } from "../../../hexwar/web/page/map/boards.js";
import { along, arrowhead, joined, shortened, smooth } from "../../../hexwar/web/page/map/trails.js";
import { ago, firstOne, isAsLong, isMine, lasts, scenarios, stateOf, usualSeats } from "../../../hexwar/web/page/views/front.js";

const scenario = (id, minutes, more = {}) => ({ id, minutes, weight: 1, sides: ["blue", "red"], lesson: "", ...more });
const rulesets = [{ id: "x", scenarios: [scenario("long", 600), scenario("unknown", 0)] }, { id: "y", scenarios: [scenario("short", 20), scenario("taught", 45, { lesson: "red" })] }];

test("battles: the shortest first, those of unknown length last; the first one has a guided turn", () => {
  assert.deepEqual(scenarios(rulesets).map(({ scenario: it }) => it.id), ["short", "taught", "long", "unknown"]);
  assert.equal(firstOne(rulesets).scenario.id, "taught");
  const heavy = { id: "z", scenarios: [scenario("heavy", 15, { lesson: "red", weight: 2 })] };
  assert.equal(firstOne([heavy, ...rulesets]).scenario.id, "taught");
});

test("who is taught sits where the lesson is, and a bot elsewhere", () => {
  assert.deepEqual(usualSeats(scenario("s", 1), "red"), { blue: "normal", red: "you" });
  assert.deepEqual(usualSeats(scenario("s", 1)), { blue: "you", red: "normal" });
});

test("lengths in words, and which are as long as wanted", () => {
  assert.deepEqual([0, 30, 45, 60, 90, 240, 1800].map(lasts), ["", "30 min", "45 min", "1 h", "1½ h", "4 h", "30 h"]);
  const fits = (length) => [0, 45, 200, 600].filter((minutes) => isAsLong({ minutes }, length));
  assert.deepEqual(["", "60", "240", "longer"].map(fits), [[0, 45, 200, 600], [45], [45, 200], [600]]);
});

test("a game in my list says whose turn it is", () => {
  const game = { over: null, turn: 3, phase: "Combat", to_move: ["red"], mine: ["blue"], bots: {} };
  assert.equal(stateOf(game), "turn 3, Combat, waiting for red");
  assert.equal(stateOf({ ...game, mine: ["red"] }), "turn 3, Combat, your turn");
  assert.equal(stateOf({ ...game, over: "blue wins" }), "blue wins");
  assert.equal(isMine({ ...game, mine: ["red"], over: "blue wins" }), false);
});

test("how long ago", () => {
  assert.deepEqual([10, 120, 7200, 30 * 3600, 72 * 3600].map((then) => ago(0, then)), ["just now", "2 min ago", "2 h ago", "yesterday", "3 days ago"]);
});

const hexes = { kind: "hexes", origin: [0, 0], size: [4, 4], centres: { A: [1, 1], B: [1, 2] }, outline: "M0 -0.5L0.5 0L0 0.5L-0.5 0Z", outlines: {}, scale: 0, names: { A: "Alton" }, usual: "clear", terrain: { wood: ["B"] } };

test("hexes: the place under a point, its outline, and a border without the sides between two", () => {
  const board = boardOf(hexes);
  assert.deepEqual([board.at(1.1, 1.1), board.at(3.5, 3.5)], ["A", null]);
  assert.match(board.outline("B"), /^M1.000 1.500L1.500 2.000/);
  assert.equal(board.outline("nowhere"), "");
  assert.deepEqual([placeWords(hexes, "A"), placeWords(hexes, "B")], ["Alton (A), clear", "B, wood"]);
});

test("areas: anywhere within the border is the area", () => {
  const board = boardOf({ ...hexes, centres: { L: [2, 2] }, outline: "", outlines: { L: "M0 0L4 0L4 4L0 4Z" } });
  assert.equal(board.at(0.1, 3.9), "L");
  assert.deepEqual(polygons("M0 0L4 0L4 4Z"), [[[0, 0], [4, 0], [4, 4]]]);
});

test("a plane: any point is a place, and a mark that is nearly met is met", () => {
  const board = boardOf({ ...hexes, centres: { farm: [1, 1] }, outline: "", scale: 0.1 });
  assert.equal(board.at(2.04, 0.5), "20,5");
  assert.equal(board.at(1.1, 1.1, ["farm"]), "farm");
  assert.deepEqual(board.centre("20,5"), [2, 0.5]);
});

test("trails: moves that go on from each other are one, arrows end before their goal", () => {
  const trail = (points) => ({ pieces: ["r1"], points, side: "red", kind: "move" });
  assert.deepEqual(joined([trail(["A", "B"]), trail(["B", "C"])]).map((it) => it.points), [["A", "B", "C"]]);
  assert.deepEqual(shortened([[0, 0], [4, 0]], 1), [[0, 0], [3, 0]]);
  assert.equal(smooth([[0, 0]]), "");
  assert.match(arrowhead([[0, 0], [1, 0]], 0.5), /^M1.000 0.000/);
  assert.deepEqual([0, 0.5, 1, 2].map((part) => along([[0, 0], [2, 0], [2, 2]], part)), [[0, 0], [2, 0], [2, 2], [2, 2]]);
});
