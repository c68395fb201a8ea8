// What becomes of runs when somebody else ends them, or one within them, or claims them.

import type { StateType } from "@orchestrator/contract";
import { flow, getRunContext, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const runId = (): string => getRunContext().flowRun?.id ?? "";

async function putTo({ client }: SdkServer, id: string, type: StateType): Promise<void> {
  await client.flowRuns.setState(id, { state: { type }, force: true });
}

/** As after a claimant that was silent for too long. */
async function claimAnew(server: SdkServer, id: string): Promise<void> {
  await putTo(server, id, "SCHEDULED");
  await server.client.flowRuns.setState(id, { state: { type: "PENDING" } });
}

/**
 * Until the calling code hears that its run is to end; the run waits a while for what it does then.
 */
async function untilStopped(): Promise<void> {
  const { signal } = getRunContext();
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

/** Hooks that note what they are called for. */
function noted() {
  const told: string[] = [];
  const tell = ({ state }: { readonly state: { readonly name: string } }): void =>
    void told.push(state.name);
  return { told, hooks: { onFailure: tell, onCancellation: tell, onCompletion: tell } };
}

test.each([
  ["FAILED", "FAILED", "was put to FAILED by somebody else"],
  ["CANCELLING", "CANCELLED", "was cancelled"],
] as const)("a run fails when one within it is put to %s, and says so", async (type, end, why) => {
  await using server = await sdkServer();
  const { told, hooks } = noted();
  const child = flow({ name: "child" }, async () => {
    await putTo(server, runId(), type);
    await untilStopped();
  });
  let id = "";
  const parent = flow({ name: "parent", ...hooks }, async () => {
    id = runId();
    await child();
  });
  await expect(parent()).rejects.toThrow(`The run of child has ended: The run ${why}`);
  expect(told).toEqual(["Failed"]);
  expect(await server.client.flowRuns.read(id)).toMatchObject({ state_type: "FAILED" });
  expect(await server.client.flowRuns.list({ sort: "START_TIME_DESC" })).toMatchObject([
    { state_type: end },
    { state_type: "FAILED" },
  ]);
});

test("a run that is ended with one within it is left, also when it hears of that one first", async () => {
  await using server = await sdkServer();
  const { told, hooks } = noted();
  let id = "";
  const child = flow({ name: "child" }, async () => {
    await putTo(server, runId(), "CRASHED");
    await untilStopped();
    await putTo(server, id, "CRASHED");
  });
  const parent = flow({ name: "parent", ...hooks }, async () => {
    id = runId();
    await child();
  });
  await expect(parent()).rejects.toMatchObject({ name: "RunStoppedError" });
  expect(told).toEqual([]);
  expect(await server.client.flowRuns.read(id)).toMatchObject({ state_type: "CRASHED" });
});

test("a run is left when one within it was ended and no server says what it is itself", async () => {
  await using server = await sdkServer();
  const { told, hooks } = noted();
  process.env["ORCHESTRATOR_SDK_DELIVERY_SECONDS"] = "0.3";
  try {
    let id = "";
    const child = flow({ name: "child" }, async () => {
      await putTo(server, runId(), "FAILED");
      await untilStopped();
      await server.takeAway();
    });
    const parent = flow({ name: "parent", ...hooks }, async () => {
      id = runId();
      await child();
    });
    await expect(parent()).rejects.toMatchObject({ name: "RunStoppedError" });
    expect(told).toEqual([]);
    await server.bringBack();
    expect((await server.client.flowRuns.read(id)).state_type).toBe("RUNNING");
  } finally {
    delete process.env["ORCHESTRATOR_SDK_DELIVERY_SECONDS"];
  }
});

test("a run that others have claimed is left with all within it, also when one of those has ended", async () => {
  await using server = await sdkServer();
  const { told, hooks } = noted();
  const ids: string[] = [];
  const inner = flow({ name: "inner", ...hooks }, async () => {
    await putTo(server, runId(), "COMPLETED");
    await untilStopped();
    await claimAnew(server, ids[0] ?? "");
  });
  const middle = flow({ name: "middle", ...hooks }, async () => {
    ids.push(runId());
    await inner();
  });
  const outer = flow({ name: "outer", ...hooks }, async () => {
    ids.push(runId());
    await middle();
  });
  const served = await outer.serve({ name: "s", limit: 1, stopOnSignals: false });
  await server.client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(() => expect(ids).not.toEqual([]));
  await served.stop();
  const states = ids.map(async (id) => (await server.client.flowRuns.read(id)).state_type);
  expect(await Promise.all(states)).toEqual(["PENDING", "RUNNING"]);
  expect(told).toEqual([]);
});

test("a run of a deployment that somebody has put to its end as cancelled calls its hook", async () => {
  await using server = await sdkServer();
  const { told, hooks } = noted();
  const long = flow({ name: "long", ...hooks }, async () => {
    await putTo(server, runId(), "CANCELLED");
    await untilStopped();
  });
  const served = await long.serve({ name: "s", limit: 1, stopOnSignals: false });
  await server.client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(() => expect(told).toEqual(["Cancelled"]));
  await served.stop();
});

test("an end that is not taken, as others have claimed the run, calls no hook", async () => {
  await using server = await sdkServer();
  const { told, hooks } = noted();
  let id = "";
  const broken = flow({ name: "broken", ...hooks }, async () => {
    id = runId();
    await claimAnew(server, id);
    throw new Error("too late");
  });
  const served = await broken.serve({ name: "s", limit: 1, stopOnSignals: false });
  await server.client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(() => expect(id).not.toBe(""));
  await served.stop();
  expect((await server.client.flowRuns.read(id)).state_type).toBe("PENDING");
  expect(told).toEqual([]);
});

test("who takes a run while another completes it goes on behind what that one has finished", async () => {
  await using server = await sdkServer();
  const { client } = server;
  let calls = 0;
  let executions = 0;
  const step = task({ name: "step" }, () => {
    calls += 1;
  });
  const twice = flow({ name: "twice" }, async () => {
    await step();
    executions += 1;
    if (executions === 1) await putTo(server, runId(), "SCHEDULED");
  });
  const served = await twice.serve({ name: "s", limit: 1, stopOnSignals: false });
  const { id } = await client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(async () =>
    expect((await client.flowRuns.read(id)).state_type).toBe("COMPLETED"),
  );
  await served.stop();
  expect({ calls, executions }).toEqual({ calls: 1, executions: 2 });
});
