import { readdir } from "node:fs/promises";
import {
  exponentialBackoff,
  flow,
  getLogger,
  getRunContext,
  type HookContext,
  task,
} from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const runId = (): string => getRunContext().flowRun?.id ?? "";

async function statesOf(server: SdkServer, taskKey: string): Promise<string[]> {
  const runs = await server.client.taskRuns.list({});
  const found = runs.find(({ task_key }) => task_key === taskKey);
  if (found === undefined) throw new Error(`There is no run of ${taskKey} yet`);
  const states = await server.client.taskRunStates.list({ task_run_id: found.id });
  return states.map(({ name }) => name ?? "");
}

test("a task is tried as often as it says, and each state is kept in its order", async () => {
  await using server = await sdkServer();
  let attempts = 0;
  const shaky = task(
    { name: "shaky", retries: 3, retryDelaySeconds: exponentialBackoff(0.01) },
    () => {
      attempts += 1;
      if (attempts < 3) throw new Error("not yet");
      return attempts;
    },
  );
  expect(await flow({ name: "f" }, () => shaky())()).toBe(3);
  await retryUntil(async () => {
    expect(await statesOf(server, "shaky")).toEqual([
      "Running",
      "AwaitingRetry",
      "Retrying",
      "AwaitingRetry",
      "Retrying",
      "Completed",
    ]);
  });
});

test("an error that is not worth it ends the task and the flow, and hooks hear of it", async () => {
  await using server = await sdkServer();
  const told: string[] = [];
  const tell = ({ taskRun, state, error }: HookContext): void => {
    told.push(`${taskRun?.taskName ?? "flow"} ${state.name} ${error?.message ?? ""}`.trim());
  };
  const broken = task(
    {
      name: "broken",
      retries: 5,
      retryIf: (error) => error.message !== "hopeless",
      onFailure: tell,
    },
    () => {
      throw new Error("hopeless");
    },
  );
  let id = "";
  const outer = flow(
    { name: "outer", onRunning: tell, onFailure: tell, onCompletion: tell },
    async () => {
      id = runId();
      await broken();
    },
  );
  await expect(outer()).rejects.toThrow("hopeless");
  expect(told).toEqual(["flow Running", "broken Failed hopeless", "flow Failed hopeless"]);
  expect(await server.client.flowRuns.read(id)).toMatchObject({
    state_type: "FAILED",
    state: { message: "Error: hopeless" },
  });
});

test("a task or flow that takes too long is stopped, and its signal tells it so", async () => {
  await using server = await sdkServer();
  let reason = "";
  const slow = task({ name: "slow", timeoutSeconds: 0.05 }, async () => {
    const { signal } = getRunContext();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    reason = (signal.reason as Error).name;
  });
  await expect(flow({ name: "f" }, () => slow())()).rejects.toMatchObject({
    name: "RunTimeoutError",
  });
  expect(reason).toBe("RunTimeoutError");
  await retryUntil(async () =>
    expect(await statesOf(server, "slow")).toEqual(["Running", "TimedOut"]),
  );
  const endless = flow({ name: "endless", timeoutSeconds: 0.05 }, () => new Promise(() => {}));
  await expect(endless()).rejects.toMatchObject({ name: "RunTimeoutError" });
});

test("submitted tasks run side by side, no more than the flow says, and know what they came from", async () => {
  await using server = await sdkServer();
  let running = 0;
  let most = 0;
  const square = task(async function square(n: number, add: number) {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return n * n + add;
  });
  const total = task(async function total(numbers: readonly number[]) {
    return numbers.reduce((sum, n) => sum + n, 0);
  });
  const all = flow({ name: "all", taskConcurrency: 4 }, async () => {
    const squares = square.map([1, 2, 3, 4, 5, 6, 7, 8], 1);
    return total.submit(squares).result();
  });
  expect(await all()).toBe(204 + 8);
  expect(most).toBe(4);
  await retryUntil(async () => {
    const runs = await server.client.taskRuns.list({});
    expect(runs.filter(({ state_type }) => state_type === "COMPLETED")).toHaveLength(9);
    const sum = runs.find(({ task_key }) => task_key === "total");
    expect(sum?.task_inputs["0"]).toHaveLength(8);
  });
});

test("a failure of a submitted task that nobody asked about fails the flow", async () => {
  await using _server = await sdkServer();
  const bad = task({ name: "bad" }, async () => {
    throw new Error("unseen");
  });
  await expect(flow({ name: "careless" }, () => void bad.submit())()).rejects.toThrow("unseen");
  const careful = flow({ name: "careful" }, async () => bad.submit().wait());
  expect(await careful()).toBe("failed");
});

test("a task whose arguments, or what it waits for, failed does not have its turn, and says why", async () => {
  await using server = await sdkServer();
  const bad = task({ name: "bad" }, (_n?: number): number => {
    throw new Error("no number");
  });
  const after = task({ name: "after" }, (n: number) => n);
  const next = task({ name: "next", retries: 2 }, () => "never");
  const last = task({ name: "last" }, () => "never");
  const chain = flow({ name: "chain" }, async () => {
    const first = bad.submit();
    await last
      .withOptions({ waitFor: [bad.map([0, 1])] })
      .submit()
      .wait();
    await next
      .withOptions({ waitFor: [first] })
      .submit()
      .wait();
    return after.submit(first).result();
  });
  await expect(chain()).rejects.toThrow("no number");
  await retryUntil(async () => {
    expect(await statesOf(server, "after")).toEqual(["Pending", "NotReady"]);
    expect(await statesOf(server, "next")).toEqual(["Pending", "NotReady"]);
    expect(await statesOf(server, "last")).toEqual(["Pending", "NotReady"]);
    const runs = await server.client.taskRuns.list({});
    const behind = runs.find(({ task_key }) => task_key === "last");
    expect(behind?.task_inputs["wait_for"]).toHaveLength(2);
    const waited = runs.find(({ task_key }) => task_key === "after");
    expect(waited?.state?.message).toBe("What it needs failed: Error: no number");
  });
});

test("a task that goes wrong before it begins has failed", async () => {
  await using server = await sdkServer();
  const unkeyed = task(
    {
      name: "unkeyed",
      cacheKey: () => {
        throw new Error("no key");
      },
    },
    () => "never",
  );
  await expect(flow({ name: "f" }, () => unkeyed())()).rejects.toThrow("no key");
  await retryUntil(async () => expect(await statesOf(server, "unkeyed")).toEqual(["Failed"]));
});

test("a result is made once for its cache key, until it expires", async () => {
  await using server = await sdkServer();
  let made = 0;
  const dear = task(
    { name: "dear", cacheKey: (region: string) => `dear-${region}`, cacheSeconds: 3600 },
    (region: string) => ({ region, made: ++made, at: new Date(7) }),
  );
  const load = flow({ name: "load" }, ({ region }: { region: string }) => dear(region));
  const first = await load({ region: "eu" });
  expect(await load({ region: "eu" })).toEqual(first);
  expect((await load({ region: "us" })).made).toBe(2);
  const anew = flow({ name: "anew" }, () => dear.withOptions({ refreshCache: true })("eu"));
  expect((await anew()).made).toBe(3);
  await retryUntil(async () => {
    const names = (await server.client.taskRuns.list({})).map(({ state_name }) => state_name ?? "");
    expect(names.toSorted()).toEqual(["Cached", "Completed", "Completed", "Completed"]);
  });
});

test("a task whose result cannot be stored has completed all the same, and says so once", async () => {
  await using server = await sdkServer();
  const told: string[] = [];
  const tell = ({ state }: HookContext): void => void told.push(state.name);
  const resultStorage = {
    read: () => Promise.resolve(null),
    write: () => Promise.reject(new Error("The disk is full")),
    remove: () => Promise.resolve(),
  };
  const dear = task(
    { name: "dear", cacheKey: "dear", resultStorage, onCompletion: tell, onFailure: tell },
    () => 1,
  );
  expect(await flow({ name: "f" }, () => dear())()).toBe(1);
  expect(told).toEqual(["Completed"]);
  await retryUntil(async () => {
    expect(await statesOf(server, "dear")).toEqual(["Running", "Completed"]);
    const lines = (await server.client.logs.list({})).map(({ message }) => message);
    expect(lines.join("\n")).toMatch(
      /The result of dear\S* cannot be kept: Error: The disk is full/,
    );
  });
});

test("results are kept in the folder that a block names, and only where that is possible", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const { blockTypes, blockSchemas, blockDocuments } = server.client;
  const { id: block_type_id } = await blockTypes.readBySlug("local-file-system");
  const [schema] = await blockSchemas.list({
    block_schemas: { block_type_id: { any_: [block_type_id] } },
  });
  await blockDocuments.create({
    name: "shared",
    block_type_id,
    block_schema_id: schema?.id ?? "",
    data: { basepath: folder.path },
  });
  let made = 0;
  const options = { name: "dear", cacheKey: "dear", resultStorage: "local-file-system/shared" };
  const dear = task(options, () => ++made);
  const load = flow({ name: "load" }, () => dear());
  expect([await load(), await load()]).toEqual([1, 1]);
  expect(await readdir(folder.path)).toHaveLength(1);
  const nowhere = flow({ name: "nowhere", resultStorage: "secret/token" }, () => dear());
  await expect(nowhere()).rejects.toThrow("local-file-system");
});

test("a failure that is caught is no failure of the flow, whatever was thrown", async () => {
  await using _server = await sdkServer();
  const boom = task({ name: "boom" }, () => {
    throw "a text";
  });
  const careful = flow({ name: "careful" }, async () => {
    const thrown = await boom
      .submit()
      .result()
      .catch((error: unknown) => error);
    return `caught ${String(thrown)}`;
  });
  expect(await careful()).toBe("caught a text");
});

test("what a run logs and prints is kept with it, line by line and once", async () => {
  await using server = await sdkServer();
  const chatty = task({ name: "chatty" }, () => {
    getLogger().warn("from the task %d", 1);
  });
  let id = "";
  await flow({ name: "talk" }, async () => {
    id = runId();
    console.log("printed", { a: 1 });
    getLogger("mine").info("from the flow");
    getLogger().debug("not worth keeping");
    await chatty();
  })();
  console.log("printed elsewhere");
  const lines = await server.client.logs.list({ logs: { flow_run_id: { any_: [id] } } });
  expect(lines.map(({ name, level, message }) => `${name} ${level} ${message}`)).toEqual([
    "console 20 printed { a: 1 }",
    "mine 20 from the flow",
    "orchestrator.task_runs 30 from the task 1",
  ]);
  expect(lines[2]?.task_run_id).toMatch(/^[0-9a-f-]{36}$/);
});

test("a task outside of any flow is a function with retries", async () => {
  let attempts = 0;
  const twice = task({ name: "twice", retries: 1 }, () => {
    if (attempts++ === 0) throw new Error("first");
    return "second";
  });
  expect(await twice()).toBe("second");
});

test("a future that is handed to a direct call is waited for, and the call is linked to its task", async () => {
  await using server = await sdkServer();
  const one = task({ name: "one" }, async (n: number) => n + 1);
  const two = task({ name: "two" }, async (n: number) => n * 10);
  const f = flow({ name: "f" }, async () => two(one.submit(1)));
  expect(await f()).toBe(20);
  await retryUntil(async () => {
    const runs = await server.client.taskRuns.list({});
    const [first, second] = ["one", "two"].map((key) => runs.find((run) => run.task_key === key));
    expect(second?.task_inputs).toMatchObject({ 0: [{ input_type: "task_run", id: first?.id }] });
    expect(second?.state_type).toBe("COMPLETED");
  });
});

test("a direct call whose future fails does not begin, and says why", async () => {
  await using server = await sdkServer();
  const broken = task({ name: "broken" }, async (): Promise<number> => {
    throw new Error("no luck");
  });
  let isCalled = false;
  const after = task({ name: "after" }, async (n: number) => {
    isCalled = true;
    return n;
  });
  await expect(flow({ name: "f" }, async () => after(broken.submit()))()).rejects.toThrow(
    "no luck",
  );
  expect(isCalled).toBe(false);
  await retryUntil(async () =>
    expect(await statesOf(server, "after")).toEqual(["Pending", "NotReady"]),
  );
});
