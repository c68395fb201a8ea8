// Each test starts a server and a program, which takes seconds.
import type { OrchestratorClient } from "@orchestrator/client";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { openExamples } from "./support.ts";

const untilItWaits = (client: OrchestratorClient): Promise<void> =>
  retryUntil(async () => {
    const [run] = await client.flowRuns.list({});
    expect(await client.flowRuns.listWaits(run?.id ?? "")).toMatchObject([{ event: "order.paid" }]);
  });

test("the payment example ships what is paid", async () => {
  await using world = await openExamples();
  await using order = world.start("payment/order.mjs");
  await untilItWaits(world.client);
  const emit = ["event", "emit", "order.paid", "--resource"];
  expect(await world.command(...emit, "order.8")).toMatchObject({ code: 0 });
  expect(await world.command(...emit, "order.7")).toMatchObject({ code: 0 });
  expect(await order.ended, order.printed()).toBe(0);
  expect(order.stdout()).toContain("shipped");
});

test("the payment example gives up on what is not paid in time", async () => {
  await using world = await openExamples();
  await using order = world.start("payment/order.mjs", { PATIENCE_SECONDS: "0.2" });
  expect(await order.ended, order.printed()).toBe(0);
  expect(order.stdout()).toContain("not paid");
});
