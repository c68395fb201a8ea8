// Runs of workers that wait for events and times without a process. A server and a worker start,
// are killed and start again, which takes seconds.

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { type Stage, stage } from "./support.ts";

const RUNS = 6;

/** A flow that writes down what it begins and what it receives. */
const waitingFlow = (on: Stage): string => `
  import { appendFileSync } from "node:fs";
  import { sleep, waitForEvent } from ${JSON.stringify(new URL("../../packages/sdk/dist/bundle/index.js", import.meta.url).href)};
  const step = task({ name: "step" }, async (line) =>
    appendFileSync(${JSON.stringify(on.file("lines"))}, line + "\\n"));
  export const work = flow({ name: "work" }, async ({ number }) => {
    await step("began " + number);
    await sleep(1, { suspendAfterSeconds: 0.001 });
    const { payload } = await waitForEvent({ event: "go." + number, suspendAfterSeconds: 0.2 });
    await step("received " + payload.text);
  });`;

/** Its process has ended. */
async function untilItWaits(on: Stage, id: string, event: string): Promise<void> {
  await retryUntil(async () => {
    expect(await on.client.flowRuns.listWaits(id)).toMatchObject([{ event }]);
    expect((await on.client.flowRuns.read(id)).state_name).toBe("AwaitingEvent");
  });
}

/** Two events that fit, of which the first is received. */
async function send(on: Stage, number: number): Promise<void> {
  const events = ["first", "second"].map((which, index) => ({
    id: `00000000-0000-4000-8000-${String(number * 10 + index).padStart(12, "0")}`,
    occurred: new Date().toISOString(),
    event: `go.${number}`,
    resource: { "orchestrator.resource.id": "signal" },
    payload: { text: `${which} of ${number}` },
  }));
  await on.client.events.create(events);
}

test("each run receives the first event for it once, through kills of the server and of the worker", async () => {
  await using on = await stage();
  const worker = await on.worker("--limit", "3");
  const deployment = await on.flow(waitingFlow(on));
  const numbers = Array.from({ length: RUNS }, (_, n) => n);
  const ids = await Promise.all(
    numbers.map((number) => on.run(deployment, { parameters: { number: number as never } })),
  );
  const [first = "", second = "", ...others] = ids;
  for (const [number, id] of ids.entries()) await untilItWaits(on, id, `go.${number}`);
  await send(on, 0);
  // The event is stored by now, and maybe no more than that.
  await on.killServer();
  await on.startServer();
  await send(on, 1);
  for (const id of [first, second]) await on.inState(id, "COMPLETED");
  worker.kill("SIGKILL");
  for (const [index] of others.entries()) await send(on, index + 2);
  await on.worker("--limit", "3");
  for (const id of ids) await on.inState(id, "COMPLETED");
  const lines = (await readFile(on.file("lines"), "utf8")).trim().split("\n");
  const expected = numbers.flatMap((n) => [`began ${n}`, `received first of ${n}`]);
  expect(lines.sort()).toEqual(expected.sort());
}, 180_000);
