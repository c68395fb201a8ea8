import { describe, expect, test } from "vitest";
import { referenceProblem, shownBytes, splitData } from "./references.rules.ts";

const ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

describe("references in data", () => {
  test("are told from values", () => {
    const { own, references } = splitData({
      a: { $ref: { block_document_id: ID.toUpperCase() } },
      b: { $ref: "#/definitions/x" },
      c: { deep: { $ref: { block_document_id: ID } } },
      d: 1,
    });
    expect(own).toEqual({
      b: { $ref: "#/definitions/x" },
      c: { deep: { $ref: { block_document_id: ID } } },
      d: 1,
    });
    expect([...references]).toEqual([["a", ID]]);
  });

  test.each([{}, { block_document_id: null }, { block_document_id: "x" }, { id: ID }])(
    "need an id, not %j",
    ($ref) => {
      expect(() => splitData({ a: { $ref } })).toThrow("block_document_id");
    },
  );
});

describe("documents within documents", () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, i) => ({
      parent_id: `d${i}`,
      name: "n",
      reference_id: `d${i + 1}`,
    }));
  const fan = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      parent_id: "root",
      name: `n${i}`,
      reference_id: "leaf",
    }));

  test("may be nested fifty deep", () => {
    expect(referenceProblem(chain(50), new Map())).toBeNull();
    expect(referenceProblem(chain(51), new Map())).toMatch("50 deep");
  });

  test("may not hold themselves", () => {
    const circle = [...chain(3), { parent_id: "d3", name: "n", reference_id: "d0" }];
    expect(referenceProblem(circle, new Map())).toMatch("hold itself");
    expect(referenceProblem([{ parent_id: "a", name: "n", reference_id: "a" }], new Map())).toMatch(
      "hold itself",
    );
  });

  test("count as often as they are shown", () => {
    expect(referenceProblem(fan(200), new Map())).toBeNull();
    expect(referenceProblem(fan(201), new Map())).toMatch("at most 200");
    // Twice the next, which holds twice the next, and so on: few documents, and no end of them on
    // the page.
    const doubling = [...chain(20), ...chain(20).map((each) => ({ ...each, name: "m" }))];
    expect(referenceProblem(doubling, new Map())).toMatch("at most 200");
  });

  test("may take 16 MiB together, each as often as it is shown", () => {
    const bytes = (leaf: number) =>
      new Map([
        ["root", 1000],
        ["leaf", leaf],
      ]);
    expect(referenceProblem(fan(4), bytes(4 * 1024 * 1024 - 250))).toBeNull();
    expect(referenceProblem(fan(4), bytes(4 * 1024 * 1024 - 249))).toMatch("16777216 bytes");
    expect(shownBytes(["root", "leaf"], { references: fan(3), ownBytes: bytes(10) })).toBe(1040);
  });
});
