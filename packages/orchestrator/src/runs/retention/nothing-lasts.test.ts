// No run stays PENDING, RUNNING where it promised heartbeats, CANCELLING, or keeps a slot for ever:
// every way into one of these, and the loop that ends it.

import { formatMicros } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { releaseExpiredLeases as repossess } from "../../limits/lease-repossessor.loop.ts";
import {
  createRunsOf,
  createTestDeployment,
  createTestFlowRun,
  proposeFlow,
  readRecord,
  slotsTaken,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { createTaskRunRecorder } from "../task-run-recorder/task-run-recorder.loop.ts";
import { endOverdueRuns as decideOverdue } from "./overdue-runs.loop.ts";

const signal = new AbortController().signal;
const RENEWING = { version: "3.4.11" };
const RETRIES = { empirical_policy: { retries: 3 } };

/** The same server, so many seconds from now. */
function later({ ctx }: TestApi, seconds: number): OrchestratorContext {
  const nowMicros = () => ctx.clock.nowMicros() + seconds * 1_000_000;
  return { ...ctx, clock: { nowMicros, now: () => formatMicros(nowMicros()) } };
}

const loops = {
  "overdue-runs": (ctx: OrchestratorContext) => decideOverdue(ctx, signal),
  "lease-repossessor": (ctx: OrchestratorContext) => repossess(ctx, signal),
};
type Loop = keyof typeof loops;

async function deployed(api: TestApi, given: object = {}): Promise<string> {
  const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
  const [id] = await createRunsOf(api, deployment, { ...given });
  return id ?? "";
}

type Step = string | Readonly<Record<string, unknown>>;

async function go(api: TestApi, id: string, ...steps: readonly Step[]): Promise<string> {
  for (const step of steps) await proposeFlow(api, id, step);
  return id;
}

async function force(api: TestApi, id: string, ...steps: readonly Step[]): Promise<string> {
  for (const step of steps) await proposeFlow(api, id, step, { force: true });
  return id;
}

let beats = 0;
const BEAT_SECONDS = 30;
/** A run may miss three. */
const SILENCE_SECONDS = 90;

async function send(api: TestApi, id: string, seconds = BEAT_SECONDS): Promise<void> {
  beats += 1;
  const event = {
    id: `11111111-2222-4333-8444-${String(beats).padStart(12, "0")}`,
    occurred: api.ctx.clock.now(),
    event: "orchestrator.flow-run.heartbeat",
    resource: { "orchestrator.resource.id": `orchestrator.flow-run.${id}` },
    payload: { heartbeat_interval_seconds: seconds },
  };
  expect((await api.post("/events", [event])).status).toBe(204);
}

const readLog = ({ ctx }: TestApi): Promise<void> => createTaskRunRecorder(ctx)(signal);

async function hear(api: TestApi, id: string, seconds = BEAT_SECONDS): Promise<string> {
  await send(api, id, seconds);
  await readLog(api);
  return id;
}

const paused = ({ ctx }: TestApi, seconds: number): Step => ({
  type: "PAUSED",
  state_details: { pause_timeout: later({ ctx } as TestApi, seconds).clock.now() },
});

interface End {
  readonly in: string;
  readonly by: Loop;
  readonly after: number;
  readonly as: string;
}

const offered = { in: "PENDING", by: "overdue-runs", after: 600, as: "AwaitingClaim" } as const;
const neverStarted = { in: "PENDING", by: "overdue-runs", after: 600, as: "Crashed" } as const;
const silent = {
  in: "RUNNING",
  by: "overdue-runs",
  after: SILENCE_SECONDS + 10, // what was sent at the last moment may still be on its way
  as: "Crashed",
} as const;
const cancelled = { in: "CANCELLING", by: "overdue-runs", after: 25, as: "Cancelled" } as const;

const STATES: readonly (readonly [string, (api: TestApi) => Promise<string>, End])[] = [
  ["is made without a state", (api) => createTestFlowRun(api), neverStarted],
  ["is claimed", async (api) => go(api, await deployed(api), "PENDING"), offered],
  [
    "is claimed, by somebody who says how far it is",
    async (api) => go(api, await deployed(api), "PENDING", { type: "PENDING", name: "Submitting" }),
    offered,
  ],
  ["is claimed by force", async (api) => force(api, await deployed(api), "PENDING"), offered],
  [
    "is scheduled and claimed again after it has failed",
    async (api) =>
      go(api, await deployed(api), "PENDING", "RUNNING", "FAILED", "SCHEDULED", "PENDING"),
    offered,
  ],
  [
    "is claimed again after it was offered again",
    async (api) => {
      const id = await go(api, await deployed(api), "PENDING");
      await loops["overdue-runs"](later(api, 601));
      return go(api, id, "PENDING");
    },
    { ...offered, after: 1201 }, // it is due from when it was offered on
  ],
  [
    "waits to be tried again in its process",
    async (api) => go(api, await deployed(api, RETRIES), "PENDING", "RUNNING", "FAILED"),
    { ...offered, in: "SCHEDULED" },
  ],
  [
    "is paused",
    async (api) => go(api, await deployed(api), "PENDING", "RUNNING", paused(api, 60)),
    { in: "PAUSED", by: "overdue-runs", after: 60, as: "Failed" },
  ],
  [
    "is heard while it runs",
    async (api) => hear(api, await createTestFlowRun(api, { state: { type: "RUNNING" } })),
    silent,
  ],
  [
    "is heard before it runs",
    async (api) => go(api, await hear(api, await createTestFlowRun(api)), "RUNNING"),
    silent,
  ],
  [
    "was heard, and is tried again in its process",
    async (api) => {
      const id = await deployed(api, RETRIES);
      await hear(api, await go(api, id, "PENDING", "RUNNING"));
      return go(api, id, "FAILED", "RUNNING");
    },
    silent,
  ],
  [
    "was heard, and is resumed",
    async (api) => {
      const id = await hear(api, await go(api, await deployed(api), "PENDING", "RUNNING"));
      return go(api, id, paused(api, 60), "RUNNING");
    },
    silent,
  ],
  [
    "was heard, and is run again by another process after it has failed",
    async (api) => {
      const id = await hear(api, await go(api, await deployed(api), "PENDING", "RUNNING"));
      return go(api, id, "FAILED", "SCHEDULED", "PENDING", "RUNNING");
    },
    silent,
  ],
  [
    "was heard, and is forced to run",
    async (api) => {
      const id = await hear(api, await go(api, await deployed(api), "PENDING", "RUNNING"));
      return force(api, id, "COMPLETED", "RUNNING");
    },
    silent,
  ],
  [
    "was heard, and says once more that it runs",
    async (api) => {
      const id = await hear(api, await createTestFlowRun(api, { state: { type: "RUNNING" } }));
      return go(api, id, "RUNNING");
    },
    silent,
  ],
  [
    "is cancelled while it waits",
    async (api) => go(api, await deployed(api), "CANCELLING"),
    cancelled,
  ],
  [
    "is cancelled while it is claimed",
    async (api) => go(api, await deployed(api), "PENDING", "CANCELLING"),
    cancelled,
  ],
  [
    "is cancelled while it runs",
    async (api) => go(api, await deployed(api), "PENDING", "RUNNING", "CANCELLING"),
    cancelled,
  ],
  [
    "is cancelled while it is paused",
    async (api) =>
      go(api, await deployed(api), "PENDING", "RUNNING", paused(api, 60), "CANCELLING"),
    cancelled,
  ],
  [
    "is cancelled while it waits to be tried again",
    async (api) =>
      go(api, await deployed(api, RETRIES), "PENDING", "RUNNING", "FAILED", "CANCELLING"),
    cancelled,
  ],
  [
    "is cancelled by force",
    async (api) => force(api, await deployed(api), "COMPLETED", "CANCELLING"),
    cancelled,
  ],
  [
    "was heard, and is cancelled",
    async (api) =>
      go(
        api,
        await hear(api, await go(api, await deployed(api), "PENDING", "RUNNING")),
        "CANCELLING",
      ),
    cancelled,
  ],
];

const SLOTS: readonly (readonly [
  string,
  (api: TestApi, id: string) => Promise<unknown>,
  Loop,
  number,
])[] = [
  [
    "is claimed, and not heard of again",
    (api, id) => go(api, id, "PENDING"),
    "lease-repossessor",
    300,
  ],
  ["is claimed, and offered again", (api, id) => go(api, id, "PENDING"), "overdue-runs", 600],
  [
    "runs by a client that renews, until it no longer does",
    async (api, id) => {
      await go(api, id, "PENDING");
      await proposeFlow(api, id, "RUNNING", RENEWING);
    },
    "lease-repossessor",
    300,
  ],
  [
    "runs by a client that does not renew, but was heard",
    async (api, id) => hear(api, await go(api, id, "PENDING", "RUNNING")),
    "overdue-runs",
    SILENCE_SECONDS + 10,
  ],
  [
    "runs by a client that tells nothing, and is cancelled",
    (api, id) => go(api, id, "PENDING", "RUNNING", "CANCELLING"),
    "overdue-runs",
    25,
  ],
  [
    "waits to be tried again",
    (api, id) => go(api, id, "PENDING", "RUNNING", "FAILED"),
    "overdue-runs",
    600,
  ],
  [
    "is forced to run, and waits to be tried again",
    async (api, id) => {
      await force(api, await go(api, id, "PENDING", "RUNNING"), "RUNNING");
      await go(api, id, "FAILED");
    },
    "overdue-runs",
    600,
  ],
  [
    "is paused in its process",
    (api, id) => go(api, id, "PENDING", "RUNNING", paused(api, 60)),
    "overdue-runs",
    60,
  ],
  [
    "was paused, lost it because nobody renewed it, and is resumed by somebody else",
    async (api, id) => {
      await go(api, id, "PENDING");
      await proposeFlow(api, id, "RUNNING", RENEWING);
      await go(api, id, paused(api, 3600));
      expect(await loops["lease-repossessor"](later(api, 301))).toBe(1);
      await go(api, id, "RUNNING");
    },
    "lease-repossessor",
    300,
  ],
  [
    "is paused by force",
    async (api, id) => force(api, await go(api, id, "PENDING", "RUNNING"), paused(api, 60)),
    "overdue-runs",
    60,
  ],
];

describeEachApi("nothing lasts for ever", (open) => {
  test.each(STATES)("a run that %s", async (_way, enter, end) => {
    await using api = await open();
    const id = await enter(api);
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state_type: end.in });
    await readLog(api);
    expect(await loops[end.by](later(api, end.after - 5))).toBe(0);
    expect(await loops[end.by](later(api, end.after + 1))).toBe(1);
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state_name: end.as });
  });

  test.each(SLOTS)("the slot of a run that %s", async (_way, take, by, after) => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id] = await createRunsOf(api, deployment, RETRIES);
    await take(api, id ?? "");
    expect(await slotsTaken(api, deployment)).toBe(1);
    expect(await loops[by](later(api, after - 5))).toBe(0);
    expect(await loops[by](later(api, after + 1))).toBe(1);
    expect(await slotsTaken(api, deployment)).toBe(0);
  });
});

describeEachApi("a run that is silent", (open) => {
  test("is not judged before all is read that it may have sent in time", async () => {
    await using api = await open();
    const id = await hear(api, await createTestFlowRun(api, { state: { type: "RUNNING" } }));
    await send(api, id);
    // Whatever the time, its second heartbeat lies in the log unread.
    expect(await loops["overdue-runs"](later(api, 3600))).toBe(0);
    await readLog(api);
    expect(await loops["overdue-runs"](later(api, SILENCE_SECONDS - 1))).toBe(0);
    expect(await loops["overdue-runs"](later(api, 3600))).toBe(1);
  });

  test("does not hold up others that are overdue", async () => {
    await using api = await open();
    const id = await hear(api, await createTestFlowRun(api, { state: { type: "RUNNING" } }));
    const other = await createTestFlowRun(api);
    await send(api, id);
    expect(await loops["overdue-runs"](later(api, 3600))).toBe(1);
    expect(await readRecord(api, `/flow_runs/${other}`)).toMatchObject({ state_type: "CRASHED" });
  });

  test("is judged when the server has listened for as long as it may be silent", async () => {
    const clock = manualClock();
    await using api = await open({ clock, hasGaps: true });
    const run = () => createTestFlowRun(api, { state: { type: "RUNNING" } });
    const often = await hear(api, await run());
    const seldom = await hear(api, await run(), 600);
    const pass = async (seconds: number) => {
      let decided = 0;
      for (let passed = 0; passed < seconds; passed += 10) {
        clock.advanceMs(10_000);
        decided += await decideOverdue(api.ctx, signal);
      }
      return decided;
    };
    expect(await pass(60)).toBe(0);
    clock.advanceMs(7_200_000);
    expect(await decideOverdue(api.ctx, signal)).toBe(0);
    expect(await pass(80)).toBe(0);
    // Away for a minute, it begins to listen anew.
    clock.advanceMs(60_000);
    expect(await decideOverdue(api.ctx, signal)).toBe(0);
    expect(await pass(80)).toBe(0);
    expect(await pass(10)).toBe(1);
    expect(await readRecord(api, `/flow_runs/${often}`)).toMatchObject({ state_type: "CRASHED" });
    await readLog(api);
    expect(await pass(1690)).toBe(0);
    expect(await pass(40)).toBe(1);
    expect(await readRecord(api, `/flow_runs/${seldom}`)).toMatchObject({ state_type: "CRASHED" });
  });

  test("is left alone when it was heard after it had been found", async () => {
    await using api = await open();
    const id = await hear(api, await createTestFlowRun(api, { state: { type: "RUNNING" } }));
    const { state_id } = await readRecord(api, `/flow_runs/${id}`);
    const found = { id, ifStateId: String(state_id), ifDeadline: api.ctx.clock.now() };
    const state = { type: "CRASHED" as const };
    const result = await setFlowRunState(api.ctx, openScope(""), { ...found, state, force: true });
    expect(result).toMatchObject({ status: "ABORT", state: { type: "RUNNING" } });
  });
});
