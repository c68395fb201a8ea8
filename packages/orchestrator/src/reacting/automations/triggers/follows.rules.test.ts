import { expect, test } from "vitest";
import { arrange, type Ordered } from "./follows.rules.ts";

/** `b<a` is an event b that follows a. */
function event(text: string, { name = "x", turn = 0 } = {}): Ordered {
  const [id = "", follows = null] = text.split("<");
  return { id, workspaceId: "w", name, follows, turn };
}

function order(
  batch: readonly string[],
  held: readonly string[] = [],
  seen: readonly string[] = [],
) {
  const known = new Set(seen.map((id) => `w ${id}`));
  const { ready, waiting } = arrange(
    batch.map((text) => event(text)),
    { seen: known, held: held.map((text) => event(text)) },
  );
  return [ready.map(({ id }) => id).join(""), waiting.map(({ id }) => id).join("")];
}

test.each<[string, { batch: string[]; held?: string[]; seen?: string[] }, string[]]>([
  ["keeps the order of the log", { batch: ["a", "b", "c"] }, ["abc", ""]],
  ["lets a follower pass whose leader came before", { batch: ["a", "b<a"] }, ["ab", ""]],
  ["or was seen long before", { batch: ["b<a"], seen: ["a"] }, ["b", ""]],
  ["puts followers behind their leader", { batch: ["c<b", "b<a", "a", "d"] }, ["abcd", ""]],
  ["holds those whose leader has not come", { batch: ["b<a", "c"] }, ["c", "b"]],
  ["releases what was held before", { batch: ["a", "d"], held: ["b<a", "c<b"] }, ["abcd", ""]],
])("%s", (_what, { batch, held, seen }, expected) => {
  expect(order(batch, held, seen)).toEqual(expected);
});

test("what the server writes itself never waits", () => {
  const state = event("b<a", { name: "prefect.flow-run.Running" });
  expect(arrange([state], { seen: new Set(), held: [] }).ready).toEqual([state]);
});

test("what has waited has its turn after what it has waited for, and nothing else is put off", () => {
  const held = [event("c<b", { turn: 5 }), event("b<a", { turn: 6 })];
  const batch = [event("a", { turn: 100 }), event("d<a", { turn: 101 })];
  const { ready } = arrange(batch, { seen: new Set(), held });
  expect(ready.map(({ id, turn }) => `${id}${turn}`)).toEqual(["a100", "b101", "c102", "d101"]);
});
