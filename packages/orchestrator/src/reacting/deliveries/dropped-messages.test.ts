import { manualClock } from "@orchestrator/kernel/testing";
import { startReceiver } from "@orchestrator/outbound/testing";
import { expect, test } from "vitest";
import {
  aBlock,
  anAutomation,
  deliver,
  happen,
  listTestDeliveries,
} from "../../testing/deliveries.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const DROPPED = { status: "FAILED", next_attempt: null, last_error: "The automation was deleted" };
const HOUR_MS = 3_600_000;

async function anotherTold(api: TestApi, url: string): Promise<string> {
  const block_document_id = await aBlock(api, "slack-webhook", { url });
  const notify = { type: "send-notification", block_document_id, subject: "It happened", body: "" };
  const automation = await anAutomation(api, notify);
  await happen(api);
  return automation;
}

async function deleteTestAutomation(api: TestApi, automation: string): Promise<void> {
  expect((await api.delete(`/automations/${automation}`)).status).toBe(204);
}

async function failures(api: TestApi): Promise<unknown> {
  const filter = { event: { name: ["orchestrator.automation.action.failed"] } };
  return (await api.post("/events/filter", { filter })).body;
}

describeEachApi("a message of an automation that is deleted", (open) => {
  test("is not sent any more, which is told", async () => {
    await using receiver = await startReceiver();
    await using api = await open();
    await deleteTestAutomation(api, await anotherTold(api, receiver.url));
    expect(await deliver(api)).toBe(1);
    expect(receiver.requests).toHaveLength(0);
    expect(await listTestDeliveries(api)).toMatchObject([DROPPED]);
    expect(await failures(api)).toMatchObject({
      total: 1,
      events: [{ payload: { reason: DROPPED.last_error } }],
    });
  });

  test("is not sent again when it was not taken before, and need not wait to be settled", async () => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(503).end();
    });
    await using api = await open({ clock: manualClock("2026-11-14T09:00:00Z") });
    const automation = await anotherTold(api, receiver.url);
    expect(await deliver(api)).toBe(0);
    await deleteTestAutomation(api, automation);
    expect(await deliver(api)).toBe(1);
    expect(receiver.requests).toHaveLength(1);
    expect(await listTestDeliveries(api)).toMatchObject([DROPPED]);
  });

  test.each([
    [200, { status: "DELIVERED", last_error: null }],
    [503, DROPPED],
  ])("and is on its way is answered %i, and goes no second time", async (status, outcome) => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    let automation = "";
    await using receiver = await startReceiver(async (_, response) => {
      await deleteTestAutomation(api, automation);
      response.writeHead(status).end();
    });
    automation = await anotherTold(api, receiver.url);
    expect(await deliver(api)).toBe(1);
    clock.advanceMs(HOUR_MS);
    expect(await deliver(api)).toBe(0);
    expect(receiver.requests).toHaveLength(1);
    expect(await listTestDeliveries(api)).toMatchObject([outcome]);
  });

  test("because its deployment is deployed again is sent", async () => {
    await using receiver = await startReceiver();
    await using api = await open();
    const automation = await anotherTold(api, receiver.url);
    const { name, trigger, actions } = (await api.get(`/automations/${automation}`)).body as {
      name: string;
      trigger: object;
      actions: readonly object[];
    };
    await deleteTestAutomation(api, automation);
    const owner_resource = "prefect.deployment.x";
    await api.post("/automations/", { name, trigger, actions, owner_resource });
    await happen(api);
    expect((await api.delete(`/automations/owned-by/${owner_resource}`)).status).toBe(202);
    expect(await deliver(api)).toBe(2);
    expect(receiver.requests).toHaveLength(1);
  });
});
