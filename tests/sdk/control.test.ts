import {
  concurrency,
  createImage,
  createLink,
  createMarkdown,
  createProgress,
  createTable,
  flow,
  getRunContext,
  getVariable,
  loadBlock,
  pauseFlowRun,
  rateLimit,
  setVariable,
  task,
  waitForInput,
} from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { z } from "zod";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const runId = (): string => getRunContext().flowRun?.id ?? "";

async function untilState(server: SdkServer, id: () => string, type: string): Promise<void> {
  await retryUntil(async () => {
    expect((await server.client.flowRuns.read(id())).state_type).toBe(type);
  });
}

test("a run that is cancelled hears of it by its signal, and so do its tasks and children", async () => {
  await using server = await sdkServer();
  let id = "";
  let isCleanedUp = false;
  const told: string[] = [];
  let isWaiting = false;
  const wait = task({ name: "wait" }, async () => {
    const { signal } = getRunContext();
    isWaiting = true;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    signal.throwIfAborted();
  });
  const child = flow({ name: "child" }, () => wait());
  const endless = flow(
    { name: "endless", onCancellation: ({ state }) => told.push(state.name) },
    async () => {
      id = runId();
      try {
        await child();
      } finally {
        isCleanedUp = true;
      }
    },
  );
  const run = endless();
  const ended = expect(run).rejects.toMatchObject({ name: "CancelledError" });
  await retryUntil(() => expect(isWaiting).toBe(true));
  await server.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
  await ended;
  expect(isCleanedUp).toBe(true);
  expect(told).toEqual(["Cancelled"]);
  const runs = await server.client.flowRuns.list({});
  expect(runs.map(({ state_type }) => state_type)).toEqual(["CANCELLED", "CANCELLED"]);
  await retryUntil(async () => {
    const tasks = await server.client.taskRuns.list({});
    expect(tasks.map(({ state_type }) => state_type)).toEqual(["CANCELLED", "CANCELLED"]);
  });
});

test("a task that waits for its next attempt ends as cancelled with its run", async () => {
  await using server = await sdkServer();
  let id = "";
  const shaky = task({ name: "shaky", retries: 1, retryDelaySeconds: 600 }, () => {
    throw new Error("not yet");
  });
  const run = flow({ name: "patient" }, async () => {
    id = runId();
    return shaky();
  })();
  const ended = expect(run).rejects.toMatchObject({ name: "CancelledError" });
  const stateOfTask = async (): Promise<string | null | undefined> =>
    (await server.client.taskRuns.list({}))[0]?.state_name;
  await retryUntil(async () => expect(await stateOfTask()).toBe("AwaitingRetry"));
  await server.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
  await ended;
  await retryUntil(async () => expect(await stateOfTask()).toBe("Cancelled"));
});

test("a run that is cancelled in its last moment ends as cancelled", async () => {
  await using server = await sdkServer();
  let id = "";
  const late = flow({ name: "late" }, async () => {
    id = runId();
    await server.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
    return "done";
  });
  expect(await late()).toBe("done");
  expect((await server.client.flowRuns.read(id)).state_type).toBe("CANCELLED");
});

test("a paused run waits until it is resumed, and an answer that was asked for is checked", async () => {
  await using server = await sdkServer();
  let id = "";
  const approval = flow({ name: "approval" }, async () => {
    id = runId();
    await pauseFlowRun();
    const schema = z.object({ isApproved: z.boolean() });
    return waitForInput({ schema, description: "Shall it go out?" });
  });
  const answer = approval();
  await untilState(server, () => id, "PAUSED");
  await server.client.flowRuns.resume(id);
  await retryUntil(async () => {
    const { state } = await server.client.flowRuns.read(id);
    expect(state?.state_details.run_input_keyset?.schema).toBe("paused-pause-1-schema");
  });
  expect((await server.client.flowRuns.resume(id, { run_input: { isApproved: 5 } })).status).toBe(
    "REJECT",
  );
  await server.client.flowRuns.resume(id, { run_input: { isApproved: true } });
  expect(await answer).toEqual({ isApproved: true });
  expect((await server.client.flowRuns.read(id)).state_type).toBe("COMPLETED");
});

test("each call of a task that asks gets an answer of its own", async () => {
  await using server = await sdkServer();
  let id = "";
  const approve = task({ name: "approve" }, async (what: string) => {
    const schema = z.object({ isApproved: z.boolean() });
    const { isApproved } = await waitForInput({ schema, description: what });
    return isApproved;
  });
  const answers = flow({ name: "approvals" }, async () => {
    id = runId();
    return [await approve("a"), await approve("b")];
  })();
  await untilState(server, () => id, "PAUSED");
  const { state: first } = await server.client.flowRuns.read(id);
  await server.client.flowRuns.resume(id, { run_input: { isApproved: true } });
  await retryUntil(async () => {
    const { state } = await server.client.flowRuns.read(id);
    expect(state).toMatchObject({ type: "PAUSED" });
    expect(state?.id).not.toBe(first?.id);
  });
  await server.client.flowRuns.resume(id, { run_input: { isApproved: false } });
  expect(await answers).toEqual([true, false]);
});

test("limits by name and by tag let so many through at once, and give back what was held", async () => {
  await using server = await sdkServer();
  await server.client.concurrencyLimits.create({ name: "database", limit: 1 });
  await server.client.tagLimits.set({ tag: "heavy", concurrency_limit: 1 });
  await server.client.concurrencyLimits.create({
    name: "mail",
    limit: 5,
    slot_decay_per_second: 5,
  });
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const work = async (n: number): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    done.push(n);
  };
  const insert = task({ name: "insert" }, (n: number) => concurrency("database", () => work(n)));
  const heavy = task({ name: "heavy", tags: ["heavy"] }, (n: number) => work(n));
  await flow({ name: "limited" }, async () => {
    await rateLimit("mail");
    await insert.map([1, 2]).results();
    await heavy.map([1, 2]).results();
  })();
  expect(most).toBe(1);
  expect(done).toEqual([1, 2, 1, 2]);
  expect(await server.client.concurrencyLimits.read("database")).toMatchObject({ active_slots: 0 });
  expect(await server.client.concurrencyLimits.read("tag:heavy")).toMatchObject({
    active_slots: 0,
  });
});

test("a run that is cancelled while it waits for a slot leaves the line", async () => {
  await using server = await sdkServer();
  const { concurrencyLimits, flowRuns } = server.client;
  await concurrencyLimits.create({ name: "database", limit: 1 });
  await concurrencyLimits.lease({ names: ["database"], slots: 1 });
  let id = "";
  let isOver = false;
  const run = flow({ name: "limited" }, async () => {
    id = runId();
    await concurrency("database", () => {}).finally(() => {
      isOver = true;
    });
  })();
  const ended = expect(run).rejects.toMatchObject({ name: "CancelledError" });
  await retryUntil(() => expect(id).not.toBe(""));
  await flowRuns.setState(id, { state: { type: "CANCELLING" } });
  await ended;
  // Sooner than the server would have sent it away.
  await retryUntil(() => expect(isOver).toBe(true), 15_000);
  expect(await concurrencyLimits.read("database")).toMatchObject({ active_slots: 1 });
});

test("a name without a limit holds nobody up, unless that is asked for", async () => {
  await using server = await sdkServer();
  await server.client.concurrencyLimits.create({ name: "database", limit: 1 });
  const strict = { strict: true };
  const names = ["database", "databse"];
  expect(await concurrency(names, () => "ran")).toBe("ran");
  await rateLimit("databse");
  const refusal = "There is no concurrency limit named databse";
  await expect(concurrency(names, () => "ran", strict)).rejects.toThrow(refusal);
  await expect(rateLimit("databse", strict)).rejects.toThrow(refusal);
  expect(await concurrency("database", () => "free again", strict)).toBe("free again");
});

test("a run shows artifacts, and reads variables and blocks with their secrets", async () => {
  await using server = await sdkServer();
  const { blockTypes, blockSchemas, blockDocuments } = server.client;
  await blockTypes.installSystemTypes();
  const type = await blockTypes.readBySlug("secret");
  const [schema] = await blockSchemas.list({
    block_schemas: { block_type_id: { any_: [type.id] } },
  });
  await blockDocuments.create({
    name: "token",
    data: { value: "hidden" },
    block_type_id: type.id,
    block_schema_id: schema?.id ?? "",
  });
  let id = "";
  const show = flow({ name: "show" }, async () => {
    id = runId();
    await createMarkdown("# Done", { key: "report", description: "How it went" });
    await createTable([{ city: "Bern", n: 1 }]);
    await createLink("https://example.org", { text: "there" });
    await createImage("https://example.org/a.png");
    await (await createProgress(10)).update(60);
    await setVariable("region", "eu");
    await setVariable("region", { name: "us" });
    const { values } = await loadBlock<{ value: string }>("secret/token");
    return { region: await getVariable("region"), none: await getVariable("none", 7), ...values };
  });
  expect(await show()).toEqual({ region: { name: "us" }, none: 7, value: "hidden" });
  const made = await server.client.artifacts.list({
    artifacts: { flow_run_id: { any_: [id] } },
  });
  expect(made.map(({ type, data }) => `${type} ${JSON.stringify(data)}`).toSorted()).toEqual([
    'image "https://example.org/a.png"',
    'markdown "# Done"',
    'markdown "[there](https://example.org)"',
    "progress 60",
    'table "[{\\"city\\":\\"Bern\\",\\"n\\":1}]"',
  ]);
});
