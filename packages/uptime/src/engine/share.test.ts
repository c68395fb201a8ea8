import { expect, test } from "vitest";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { renewEngineLease } from "./lease.ts";
import { LeasedMonitors } from "./leased-monitors.ts";
import { Share } from "./share.ts";

const MANY = 450;

async function openShare(open: OpenUptimeApi) {
  const api = await open();
  const monitors = Array.from({ length: MANY }, (_, i) => ({
    name: `Monitor ${i}`,
    url: `https://host-${i}.example.com`,
  }));
  expect(await api.post("/import", { version: 1, monitors })).toMatchObject({ status: 200 });
  const { ctx } = api;
  const held = new LeasedMonitors(ctx);
  const share = new Share(ctx, held);
  await renewEngineLease(ctx);
  await share.take(ctx.runs.holder);
  return {
    held,
    share,
    holder: ctx.runs.holder,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("a share of very many monitors", (open) => {
  test("is held on to while it is read", async () => {
    await using t = await openShare(open);
    const sizes: number[] = [];
    await t.share.readChanges(t.holder, async () => {
      sizes.push(t.held.size);
      return true;
    });
    expect(sizes).toEqual([200, 400, MANY]);
  });

  test("is not read on once it is lost", async () => {
    await using t = await openShare(open);
    await t.share.readChanges(t.holder, async () => false);
    expect(t.held.size).toBe(200);
  });
});
