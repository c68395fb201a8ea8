import type { DeliveryPart } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { partsFor } from "./recipients.rules.ts";

const PARTS: readonly DeliveryPart[] = ["delivered", "pending", "failed"];

test.each<[string, string[], string[] | null, DeliveryPart[]]>([
  ["the same recipients", ["a", "b", "c"], ["a", "b", "c"], [...PARTS]],
  ["another order", ["c", "a", "b"], ["a", "b", "c"], ["failed", "delivered", "pending"]],
  ["one fewer", ["b", "c"], ["a", "b", "c"], ["pending", "failed"]],
  ["another one", ["x", "a"], ["a", "b", "c"], ["pending", "delivered"]],
  ["one that is there twice", ["a", "a", "b"], ["a", "b", "a"], ["delivered", "failed", "pending"]],
  ["nothing but an order", ["a", "b", "c"], null, [...PARTS]],
])("what is known of %s goes with them", (_what, marks, before, expected) => {
  expect(partsFor(marks, { parts: PARTS, marks: before })).toEqual(expected);
});
