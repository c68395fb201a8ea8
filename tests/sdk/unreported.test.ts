import { concurrency, createMarkdown, emitEvent, flow, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { sdkServer } from "./support.ts";

/** As in a test of a user, where nothing asks for reports. */
async function withoutSetting(work: () => Promise<void>): Promise<void> {
  const { ORCHESTRATOR_REPORT } = process.env;
  delete process.env["ORCHESTRATOR_REPORT"];
  try {
    await work();
  } finally {
    process.env["ORCHESTRATOR_REPORT"] = ORCHESTRATOR_REPORT;
  }
}

test("under a test runner, flows run and leave nothing on a server within reach", async () => {
  await using server = await sdkServer();
  const double = task({ name: "double" }, (n: number) => n * 2);
  const f = flow({ name: "f" }, async () => {
    await createMarkdown("# In a flow");
    await emitEvent({ event: "shop.closed", resource: "shop.1" });
    return double(2);
  });
  await withoutSetting(async () => {
    expect(await f()).toBe(4);
    expect(await (await f.start()).result()).toBe(4);
    expect(await createMarkdown("# Outside")).toBeNull();
    await emitEvent({ event: "shop.closed", resource: "shop.1" });
    expect(await concurrency("database", () => "done")).toBe("done");
  });
  expect(await server.client.flowRuns.count({})).toBe(0);
  expect(await server.client.flows.count({})).toBe(0);
  expect(await server.client.artifacts.count({})).toBe(0);
  const { events } = await server.client.events.list({
    filter: { event: { name: ["shop.closed"] } },
  });
  expect(events).toEqual([]);
});

test("with the setting, a flow of a test is reported", async () => {
  await using server = await sdkServer();
  await flow({ name: "f" }, () => 1)();
  expect(await server.client.flowRuns.count({})).toBe(1);
});
