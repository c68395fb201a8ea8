import { expect, test } from "vitest";
import { describeEachApi } from "../../testing.ts";
import { keepFlow, knownFlow } from "./known-flows.ts";

const flowCalled = (id: string, name = "load") => ({
  id,
  name,
  updated: "2026-03-01T10:00:00.000000Z",
  tags: "[]",
  labels: "{}",
});

describeEachApi("the memory of flows", (open) => {
  test("knows a flow in its workspace alone, and not one with very long texts", async () => {
    await using api = await open();
    const { db } = api.ctx;
    keepFlow(db, "here", flowCalled("short"));
    keepFlow(db, "here", flowCalled("long", "n".repeat(10_000)));
    expect(knownFlow(db, { workspaceId: "here", id: "short" })).toEqual(flowCalled("short"));
    expect(knownFlow(db, { workspaceId: "there", id: "short" })).toBeUndefined();
    expect(knownFlow(db, { workspaceId: "here", id: "long" })).toBeUndefined();
  });

  test("lets go of old flows where there are very many", async () => {
    await using api = await open();
    const { db } = api.ctx;
    const ids = Array.from({ length: 3000 }, (_, n) => `flow ${n}`);
    for (const id of ids) keepFlow(db, "here", flowCalled(id));
    const known = ids.filter((id) => knownFlow(db, { workspaceId: "here", id }) !== undefined);
    expect(known.length).toBeLessThanOrEqual(1000);
    expect(known).toContain("flow 2999");
  });
});
