// What becomes of tasks whose flow run somebody else ends, or that suspend it.

import { flow, getRunContext, pauseFlowRun, suspendFlowRun, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const runId = (): string => getRunContext().flowRun?.id ?? "";

/** Ends the run that the calling code is part of, as a person does who gives it up. */
async function endFromOutside({ client }: SdkServer): Promise<void> {
  await client.flowRuns.setState(runId(), { state: { type: "FAILED" }, force: true });
}

/**
 * Asked once all that was told has arrived: a left run does not wait for that, but the end of
 * another one does.
 */
async function statesOfTasks({ client }: SdkServer): Promise<Record<string, string | null>> {
  const last = task({ name: "last" }, () => {});
  await flow({ name: "after" }, () => last())();
  return retryUntil(async () => {
    const runs = await client.taskRuns.list({});
    const found = runs.map(({ task_key, state_name }) => [task_key, state_name]);
    const { last: end, ...states } = Object.fromEntries(found);
    expect(end).toBe("Completed");
    return states;
  });
}

for (const timeoutSeconds of [undefined, 600]) {
  const limit = timeoutSeconds === undefined ? {} : { timeoutSeconds };
  const which = timeoutSeconds === undefined ? "" : " [with a time limit]";

  test(`a task under way, and those that need it, are left as they are when somebody else ends their run${which}`, async () => {
    await using server = await sdkServer();
    const told: string[] = [];
    const tell = ({ state }: { readonly state: { readonly name: string } }): void =>
      void told.push(state.name);
    const hooks = { onFailure: tell, onCancellation: tell, onCompletion: tell };
    const slow = task({ name: "slow", retries: 2, ...limit, ...hooks }, async () => {
      const { signal } = getRunContext();
      await endFromOutside(server);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw new Error("it was interrupted");
    });
    const next = task({ name: "next", ...hooks }, (value: unknown) => value);
    const run = flow({ name: "given up", ...limit }, () => next.submit(slow.submit()).result())();
    await expect(run).rejects.toMatchObject({ name: "RunStoppedError" });
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    expect(await statesOfTasks(server)).toEqual({ slow: "Running", next: "Pending" });
  });
}

test("a task that waits for its next attempt is left as it is when somebody else ends its run", async () => {
  await using server = await sdkServer();
  const told: string[] = [];
  const shaky = task(
    {
      name: "shaky",
      retries: 1,
      retryDelaySeconds: 600,
      onFailure: ({ state }) => void told.push(state.name),
    },
    async () => {
      const state = { type: "COMPLETED" as const };
      await server.client.flowRuns.setState(runId(), { state, force: true });
      throw new Error("not yet");
    },
  );
  const run = flow({ name: "patient" }, () => shaky())();
  await expect(run).rejects.toMatchObject({ name: "RunStoppedError" });
  expect(told).toEqual([]);
  expect(await statesOfTasks(server)).toEqual({ shaky: "AwaitingRetry" });
});

test("a task that suspends its run has not failed, and is not tried again", async () => {
  await using server = await sdkServer();
  const { client } = server;
  const told: string[] = [];
  let calls = 0;
  const asking = task(
    { name: "asking", retries: 2, onFailure: ({ state }) => void told.push(state.name) },
    async () => {
      calls += 1;
      await suspendFlowRun();
    },
  );
  const approval = flow({ name: "approval" }, () => asking());
  const served = await approval.serve({ name: "a", stopOnSignals: false });
  const { id } = await client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(async () =>
    expect((await client.flowRuns.read(id)).state_name).toBe("Suspended"),
  );
  await served.stop();
  await served.finished;
  expect({ calls, told }).toEqual({ calls: 1, told: [] });
  expect(await statesOfTasks(server)).toEqual({ asking: "Running" });
});

test.each([
  ["has failed when its run is resumed too late", 0, "Failed", "PauseTimeoutError"],
  ["is left as it is when somebody else ends its run", 600, "Running", "RunStoppedError"],
])("a task that waits in a pause %s", async (_, timeoutSeconds, state, name) => {
  await using server = await sdkServer();
  const { client } = server;
  const told: string[] = [];
  let id = "";
  const asking = task(
    { name: "asking", retries: 2, onFailure: ({ error }) => void told.push(String(error)) },
    () => pauseFlowRun({ timeoutSeconds }),
  );
  const run = flow({ name: "approval" }, () => {
    id = runId();
    return asking();
  })();
  const ended = expect(run).rejects.toMatchObject({ name });
  // The server may have failed it by itself already.
  await retryUntil(async () => {
    expect(["PAUSED", "FAILED"]).toContain((await client.flowRuns.read(id)).state_type);
  });
  if (timeoutSeconds === 0) await client.flowRuns.resume(id);
  else await client.flowRuns.setState(id, { state: { type: "FAILED" }, force: true });
  await ended;
  expect(await statesOfTasks(server)).toEqual({ asking: state });
  expect(told).toEqual(
    state === "Failed" ? [expect.stringContaining("was not resumed in time")] : [],
  );
});

test("a flow that goes on after a pause whose time is over does not complete, as its run has failed", async () => {
  await using server = await sdkServer();
  const { client } = server;
  const told: string[] = [];
  let id = "";
  const patient = flow(
    { name: "patient", onCompletion: ({ state }) => void told.push(state.name) },
    async () => {
      id = runId();
      await pauseFlowRun({ timeoutSeconds: 0 }).catch(() => {});
    },
  );
  const ended = expect(patient()).rejects.toMatchObject({ name: "RunStoppedError" });
  // The server may have failed it by itself already.
  await retryUntil(async () => {
    expect(["PAUSED", "FAILED"]).toContain((await client.flowRuns.read(id)).state_type);
  });
  await client.flowRuns.resume(id);
  await ended;
  expect((await client.flowRuns.read(id)).state_type).toBe("FAILED");
  expect(told).toEqual([]);
});
