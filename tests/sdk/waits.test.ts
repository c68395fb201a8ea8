// Flows that wait for an event or a time, in their process or without one. Each test starts a
// server, which takes a second.

import { once } from "node:events";
import type { FlowRun } from "@orchestrator/contract";
import {
  EventTimeoutError,
  type Flow,
  flow,
  getRunContext,
  sleep,
  task,
  waitForEvent,
} from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const AT_ONCE = { suspendAfterSeconds: 0.001 };

let sent = 0;

async function send({ client }: SdkServer, event: string, id = "order.7"): Promise<void> {
  sent += 1;
  const suffix = String(sent).padStart(12, "0");
  await client.events.create([
    {
      id: `00000000-0000-4000-8000-${suffix}`,
      occurred: new Date().toISOString(),
      event,
      resource: { "orchestrator.resource.id": id },
      payload: { number: sent },
    },
  ]);
}

async function inState({ client }: SdkServer, id: string, ...names: string[]): Promise<FlowRun> {
  return retryUntil(async () => {
    const run = await client.flowRuns.read(id);
    expect(names, run.state?.message ?? "").toContain(run.state_name);
    return run;
  });
}

async function serveOnce(server: SdkServer, served: Flow<[], unknown>) {
  const { deploymentId, stop } = await served.serve({ name: "d", stopOnSignals: false });
  return {
    [Symbol.asyncDispose]: () => stop(),
    run: async () => (await server.client.deployments.createFlowRun(deploymentId)).id,
  };
}

test("a flow receives the first matching event that is sent while it waits in its process", async () => {
  await using server = await sdkServer();
  const order = flow({ name: "order" }, async () => {
    const id = getRunContext().flowRun?.id ?? "";
    const waiting = waitForEvent({
      event: "order.*",
      match: { "orchestrator.resource.id": "order.7" },
    });
    await retryUntil(async () => {
      expect(await server.client.flowRuns.listWaits(id)).toMatchObject([{ event: "order.*" }]);
    });
    await send(server, "order.paid", "order.8");
    await send(server, "order.paid");
    await send(server, "order.shipped");
    return waiting;
  });
  await send(server, "order.paid");
  expect(await order()).toMatchObject({ event: "order.paid", payload: { number: 3 } });
}, 60_000);

test("a deployed run waits without a process, and goes on behind the wait on another machine", async () => {
  await using server = await sdkServer();
  const begun: string[] = [];
  const received: unknown[] = [];
  const step = task({ name: "step" }, async (what: string) => void begun.push(what));
  const staged = flow({ name: "staged" }, async () => {
    await step("before");
    received.push((await waitForEvent({ event: "order.paid", ...AT_ONCE })).payload);
    await step("between");
    received.push((await waitForEvent({ event: "order.shipped", ...AT_ONCE })).payload);
    await step("after");
  });
  let id = "";
  {
    await using first = await serveOnce(server, staged);
    id = await first.run();
    await inState(server, id, "AwaitingEvent");
  }
  // Both are stopped while the event comes, and know it from the database only.
  await send(server, "order.paid");
  await server.takeAway();
  await server.bringBack();
  await using _second = await serveOnce(server, staged);
  const waiting = await retryUntil(async () => {
    const [wait] = await server.client.flowRuns.listWaits(id);
    expect(wait).toMatchObject({ event: "order.shipped" });
    return wait;
  });
  expect(waiting?.outcome).toBeNull();
  await inState(server, id, "AwaitingEvent");
  await send(server, "order.shipped");
  const { run_count } = await inState(server, id, "Completed");
  expect(run_count).toBe(1);
  expect(begun).toEqual(["before", "between", "after"]);
  const paid = { number: sent - 1 };
  expect(received).toEqual([paid, paid, { number: sent }]);
}, 120_000);

test("a wait that is over throws, also when the run is executed again, and a retry waits anew", async () => {
  await using server = await sdkServer();
  let attempts = 0;
  const impatient = flow({ name: "impatient", retries: 1 }, async () => {
    attempts += 1;
    if (attempts === 1) return waitForEvent({ event: "order.paid", timeoutSeconds: 0.2 });
    const waiting = waitForEvent({ event: "order.paid", timeoutSeconds: 600 });
    const id = getRunContext().flowRun?.id ?? "";
    await retryUntil(async () => {
      expect(await server.client.flowRuns.listWaits(id)).toHaveLength(1);
    });
    await send(server, "order.paid");
    return waiting;
  });
  expect(await impatient()).toMatchObject({ event: "order.paid" });
  const never = flow({ name: "never" }, async () =>
    waitForEvent({ event: "never", timeoutSeconds: 0.2 }),
  );
  await expect(never()).rejects.toThrow(EventTimeoutError);
}, 60_000);

test("a long sleep ends the process, and is slept once", async () => {
  await using server = await sdkServer();
  const begun: string[] = [];
  const step = task({ name: "step" }, async (what: string) => void begun.push(what));
  const sleeper = flow({ name: "sleeper" }, async () => {
    begun.push("flow");
    await sleep(1, AT_ONCE);
    await step("rested");
    await sleep(1, AT_ONCE);
    await sleep(0.001);
  });
  await using served = await serveOnce(server, sleeper);
  const id = await served.run();
  const { run_count } = await inState(server, id, "Completed");
  expect(run_count).toBe(1);
  expect(begun).toEqual(["flow", "flow", "rested", "flow"]);
  const states = await server.client.flowRunStates.list({ flow_run_id: id });
  expect(states.filter(({ name }) => name === "Sleeping")).toHaveLength(2);
}, 120_000);

test("a run is cancelled while it waits, in its process or suspended", async () => {
  await using server = await sdkServer();
  const waiter = (name: string, suspendAfterSeconds: number) =>
    flow({ name }, async () => {
      await Promise.all([
        sleep(3600, { suspendAfterSeconds }),
        waitForEvent({ event: "never", suspendAfterSeconds }),
      ]);
    });
  for (const [name, suspendAfterSeconds] of [
    ["suspended", 0.001],
    ["in process", 7200],
  ] as const) {
    await using served = await serveOnce(server, waiter(name, suspendAfterSeconds));
    const id = await served.run();
    await inState(server, id, suspendAfterSeconds < 1 ? "AwaitingEvent" : "Running");
    await retryUntil(async () => {
      expect(await server.client.flowRuns.listWaits(id)).toHaveLength(2);
    });
    await server.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
    await inState(server, id, "Cancelled");
  }
}, 120_000);

test("a run is not suspended while a task is under way, which would be done again", async () => {
  await using server = await sdkServer();
  const begun: string[] = [];
  const control = new EventTarget();
  const long = task({ name: "long" }, async () => {
    begun.push("long");
    await once(control, "end");
  });
  const nested = task({ name: "nested" }, async () =>
    waitForEvent({ event: "order.paid", ...AT_ONCE }),
  );
  const both = flow({ name: "both" }, async () => {
    await Promise.all([long(), nested()]);
  });
  await using served = await serveOnce(server, both);
  const id = await served.run();
  await retryUntil(async () => {
    const { obstacles } = await server.client.flowRuns.explain(id);
    expect(obstacles.map(({ code }) => code)).toEqual(["running", "waiting-for-event"]);
  });
  control.dispatchEvent(new Event("end"));
  await inState(server, id, "AwaitingEvent");
  await send(server, "order.paid");
  await inState(server, id, "Completed");
  expect(begun).toEqual(["long"]);
}, 120_000);
