import { emitEvent, flow, getRunContext, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { type SdkServer, sdkServer } from "./support.ts";

async function eventsCalled(server: SdkServer, name: string) {
  const { events } = await server.client.events.list({ filter: { event: { name: [name] } } });
  return events;
}

test("a program publishes an event, which is stored when the call returns", async () => {
  await using server = await sdkServer();
  const occurred = new Date(Date.now() - 60_000);
  const id = await emitEvent({
    event: "shop.order.paid",
    resource: { "orchestrator.resource.id": "shop.order.17", shop: "eu-west" },
    payload: { amount: 12 },
    occurred,
  });
  expect(await eventsCalled(server, "shop.order.paid")).toMatchObject([
    {
      id,
      occurred: `${occurred.toISOString().slice(0, -1)}000Z`,
      resource: { "orchestrator.resource.id": "shop.order.17", shop: "eu-west" },
      payload: { amount: 12 },
    },
  ]);
});

test("an event of a task names its task run and its flow run as related", async () => {
  await using server = await sdkServer();
  let ids = { flow: "", task: "" };
  const pay = task({ name: "pay" }, async () => {
    const { flowRun, taskRun } = getRunContext();
    ids = { flow: flowRun?.id ?? "", task: taskRun?.id ?? "" };
    await emitEvent({ event: "shop.order.paid", resource: "shop.order.17" });
  });
  await flow({ name: "f", tags: ["shop"] }, () => pay())();
  const [event] = await eventsCalled(server, "shop.order.paid");
  const roles = event?.related?.map((one) => [
    one["orchestrator.resource.role"],
    one["orchestrator.resource.id"],
  ]);
  expect(roles).toEqual(
    expect.arrayContaining([
      ["task-run", `orchestrator.task-run.${ids.task}`],
      ["flow-run", `orchestrator.flow-run.${ids.flow}`],
      ["tag", "orchestrator.tag.shop"],
    ]),
  );
});

test("a flow that is tried again publishes each of its events once", async () => {
  await using server = await sdkServer();
  let attempts = 0;
  const f = flow({ name: "f", retries: 1 }, async () => {
    for (const amount of [1, 1, 2]) {
      await emitEvent({ event: "shop.order.paid", resource: "shop.order.17", payload: { amount } });
    }
    attempts += 1;
    if (attempts === 1) throw new Error("not yet");
  });
  await f();
  const events = await eventsCalled(server, "shop.order.paid");
  const amounts = events.map(({ payload }) => Number(payload?.["amount"]));
  expect(amounts.toSorted((a, b) => a - b)).toEqual([1, 1, 2]);
});

test("an event that the server refuses is an error of the call, in a flow as well as outside", async () => {
  await using _ = await sdkServer();
  const tooMany = Array.from({ length: 101 }, (_, n) => ({ "orchestrator.resource.id": `r.${n}` }));
  const emit = () => emitEvent({ event: "shop.order.paid", resource: "r", related: tooMany });
  await expect(emit()).rejects.toMatchObject({ status: 422 });
  await expect(flow({ name: "f" }, emit)()).rejects.toMatchObject({ status: 422 });
});
