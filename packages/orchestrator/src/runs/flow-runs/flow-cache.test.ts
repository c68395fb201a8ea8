import { expect, test } from "vitest";
import { describeEachApi } from "../../testing.ts";
import { cachedFlow, cacheFlow } from "./flow-cache.ts";

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
    cacheFlow(db, "here", flowCalled("short"));
    cacheFlow(db, "here", flowCalled("long", "n".repeat(10_000)));
    expect(cachedFlow(db, { workspaceId: "here", id: "short" })).toEqual(flowCalled("short"));
    expect(cachedFlow(db, { workspaceId: "there", id: "short" })).toBeUndefined();
    expect(cachedFlow(db, { workspaceId: "here", id: "long" })).toBeUndefined();
  });

  test("lets go of old flows where there are very many", async () => {
    await using api = await open();
    const { db } = api.ctx;
    const ids = Array.from({ length: 3000 }, (_, n) => `flow ${n}`);
    for (const id of ids) cacheFlow(db, "here", flowCalled(id));
    const known = ids.filter((id) => cachedFlow(db, { workspaceId: "here", id }) !== undefined);
    expect(known.length).toBeLessThanOrEqual(1000);
    expect(known).toContain("flow 2999");
  });
});
