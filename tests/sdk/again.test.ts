import { readdirSync } from "node:fs";
import { join } from "node:path";
import { flow, getRunContext, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { sdkServer } from "./support.ts";

const runId = (): string => getRunContext().flowRun?.id ?? "";

test("a flow that is tried again goes on behind the last task that finished", async () => {
  await using server = await sdkServer();
  const made: string[] = [];
  const step = task(async function step(name: string) {
    made.push(name);
    return { name, at: new Date(3) };
  });
  let failures = 1;
  const inner = task({ name: "inner" }, async () => step("nested"));
  const pipeline = flow({ name: "pipeline", retries: 1 }, async () => {
    const results = [await step("a"), await inner(), await step("b")];
    if (failures-- > 0) throw new Error("after b");
    return [...results, await step("c")];
  });
  const results = await pipeline();
  expect(made).toEqual(["a", "nested", "b", "c"]);
  expect(results).toEqual(["a", "nested", "b", "c"].map((name) => ({ name, at: new Date(3) })));
  expect(readdirSync(join(server.home, "journals"))).toEqual([]);
  await retryUntil(async () => {
    const runs = await server.client.taskRuns.list({});
    expect(runs.map(({ state_type }) => state_type)).toEqual(Array(5).fill("COMPLETED"));
  });
  const [run] = await server.client.flowRuns.list({});
  const states = await server.client.flowRunStates.list({ flow_run_id: run?.id ?? "" });
  expect(states.map(({ name }) => name)).toEqual([
    "Pending",
    "Running",
    "AwaitingRetry",
    "Retrying",
    "Completed",
  ]);
});

test("a flow with no end of retries is tried until it succeeds", async () => {
  await using _server = await sdkServer();
  let attempts = 0;
  const shaky = flow({ name: "shaky", retries: Number.POSITIVE_INFINITY }, () => {
    attempts += 1;
    if (attempts < 4) throw new Error("not yet");
    return attempts;
  });
  expect(await shaky()).toBe(4);
});

test("the server knows of a delay that only this attempt has", async () => {
  await using server = await sdkServer();
  let attempts = 0;
  const patient = flow({ name: "patient", retries: 2, retryDelaySeconds: [1.2, 0] }, () => {
    attempts += 1;
    if (attempts < 3) throw new Error("not yet");
    return runId();
  });
  const id = await patient();
  const states = await server.client.flowRunStates.list({ flow_run_id: id });
  const delays = states
    .filter(({ name }) => name === "AwaitingRetry")
    .map(({ timestamp, state_details: { scheduled_time } }) =>
      Math.round((Date.parse(scheduled_time ?? "") - Date.parse(timestamp)) / 1000),
    );
  expect(delays).toEqual([1, 0]);
});

test("a flow that cannot say whether it is tried again fails with what went wrong in it", async () => {
  await using server = await sdkServer();
  const unsure = flow(
    {
      name: "unsure",
      retries: 2,
      retryDelaySeconds: () => {
        throw new Error("no idea");
      },
    },
    () => {
      throw new Error("in the flow");
    },
  );
  await expect(unsure()).rejects.toThrow("in the flow");
  expect(await server.client.flowRuns.list({})).toMatchObject([
    { state_type: "FAILED", state: { message: "Error: in the flow" } },
  ]);
});

test("a flow that fails is tried again when all that it has submitted has ended", async () => {
  await using server = await sdkServer();
  let attempts = 0;
  const seen = new Set<string | null>();
  const load = task({ name: "load", keepResult: false }, async () => {
    for (let looks = 0; looks < 50 && attempts === 1; looks += 1) {
      seen.add((await server.client.flowRuns.read(runId())).state_name);
    }
  });
  const hasty = flow({ name: "hasty", retries: 1 }, () => {
    attempts += 1;
    load.submit();
    if (attempts === 1) throw new Error("too soon");
  });
  await hasty();
  expect(attempts).toBe(2);
  expect([...seen]).toEqual(["Running"]);
});

test("why a flow failed is told while it waits for what it has submitted", async () => {
  await using server = await sdkServer();
  const failures = async (): Promise<string[]> => {
    const lines = await server.client.logs.list({});
    return lines.flatMap(({ message }) => (message.includes("too soon") ? [message] : []));
  };
  let told: string[] = [];
  const load = task({ name: "load" }, async () => {
    await retryUntil(async () => {
      told = await failures();
      expect(told).toHaveLength(1);
    });
  });
  const hasty = flow({ name: "hasty" }, () => {
    load.submit();
    throw new Error("too soon");
  });
  await expect(hasty()).rejects.toThrow("too soon");
  expect(told[0]).toMatch(/^The flow failed and waits for what it has submitted \(1 under way\): /);
});

test("other arguments at the same place are another call", async () => {
  await using _server = await sdkServer();
  const seen: number[] = [];
  const note = task(async function note(n: number) {
    seen.push(n);
    return n;
  });
  let attempt = 0;
  const changing = flow({ name: "changing", retries: 1 }, async () => {
    attempt += 1;
    const value = await note(attempt);
    if (attempt === 1) throw new Error("once more");
    return value;
  });
  expect(await changing()).toBe(2);
  expect(seen).toEqual([1, 2]);
});

test("a flow within a flow is a run of its own, which a task run stands for", async () => {
  await using server = await sdkServer();
  let childId = "";
  let childCalls = 0;
  const child = flow({ name: "child" }, async ({ n }: { n: number }) => {
    childId = runId();
    childCalls += 1;
    return n + 1;
  });
  let failures = 1;
  const parent = flow({ name: "parent", retries: 1 }, async () => {
    const value = await child({ n: 1 });
    if (failures-- > 0) throw new Error("after the child");
    return { value, id: runId() };
  });
  const { value, id } = await parent();
  expect(value).toBe(2);
  expect(childCalls).toBe(1);
  const run = await server.client.flowRuns.read(childId);
  expect(run).toMatchObject({ state_type: "COMPLETED", parameters: { n: 1 } });
  // It is recorded from events.
  await retryUntil(async () => {
    expect(await server.client.taskRuns.read(run.parent_task_run_id ?? "")).toMatchObject({
      flow_run_id: id,
      task_key: "child",
      state_type: "COMPLETED",
    });
  });
});

test("a child that failed goes on in its own run when its parent is tried again", async () => {
  await using server = await sdkServer();
  const done: string[] = [];
  const step = task(async function step(name: string) {
    done.push(name);
  });
  let failures = 1;
  const child = flow({ name: "child" }, async () => {
    await step("first");
    if (failures-- > 0) throw new Error("in the child");
    await step("second");
  });
  await flow({ name: "parent", retries: 1 }, () => child())();
  expect(done).toEqual(["first", "second"]);
  expect(await server.client.flowRuns.count()).toBe(2);
});
