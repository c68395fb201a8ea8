import { createLogReader, followLog } from "@orchestrator/kernel/events";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { createTestDeployment } from "../../testing/run-requests.ts";
import type { TestApi, TestEvent } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { MOST_IN_CHAIN } from "../firings/chain.rules.ts";
import { executeActions } from "./actions.service.ts";
import { addChainFirings } from "./triggers/chain.store.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";
import { TRIGGERS } from "./triggers/triggers.rules.ts";

type Body = Readonly<Record<string, unknown>>;

const FOREVER = new AbortController().signal;
const LONGEST = 10;
const WORKSPACE = "00000000-0000-0000-0000-000000000000";
const NOTHING = { type: "do-nothing" };
const on = (...names: readonly string[]) => ({
  type: "event",
  expect: names,
  posture: "Reactive",
  threshold: 1,
  within: 0,
});

async function create(api: TestApi, name: string, given: Body): Promise<string> {
  const answer = await api.post("/automations/", { name, actions: [], ...given });
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

/** Until nothing more comes of it. */
async function settle(api: TestApi): Promise<void> {
  const pass = createTriggerPass(api.ctx);
  let before = -1;
  for (let rounds = 0; rounds < 40; rounds += 1) {
    await pass(FOREVER);
    await executeActions(api.ctx, FOREVER);
    const { length } = await told(api, "");
    if (length === before) return;
    before = length;
  }
  throw new Error("It does not come to an end");
}

async function told(api: TestApi, end: string): Promise<TestEvent[]> {
  const follower = followLog(api.ctx.db);
  const found: TestEvent[] = [];
  for (let after = 0; ; ) {
    const events = await follower.next(after, 1000);
    const last = events.at(-1);
    if (last === undefined) return found;
    after = last.position;
    for (const { event, body } of events)
      if (event.includes(".automation.") && event.endsWith(end))
        found.push(JSON.parse(body) as TestEvent);
  }
}

async function createMany(api: TestApi, many: number, given: (n: number) => Body): Promise<void> {
  for (let n = 0; n < many; n += 1) await create(api, `a${n}`, given(n));
}

/**
 * How many more events there are when nothing more comes of one from outside; what came before it
 * made nothing fire.
 */
async function eventsAfter(api: TestApi, event: string): Promise<number> {
  const handle = () => Promise.resolve();
  const log = createLogReader(api.ctx.db, api.ctx.clock, {
    name: TRIGGERS,
    batchSize: 200,
    handle,
  });
  await log.drain(FOREVER);
  const before = (await api.events()).length;
  await send(api, event);
  await settle(api);
  return (await api.events()).length - before;
}

/** The names of those that have fired. */
const firings = async (api: TestApi): Promise<string[]> =>
  (await told(api, ".automation.triggered")).map(
    ({ resource }) => resource["orchestrator.resource.name"] ?? "",
  );

describeEachApi("automations that make each other fire", (open) => {
  test("by what their actions change come to an end, and say why", async () => {
    await using api = await open();
    const pool = await api.post("/work_pools/", { name: "pool", type: "process" });
    const { id: work_pool_id } = pool.body as { id: string };
    // That it is new, and nobody serves it, concerns no automation yet.
    await settle(api);
    const act = (type: string) => ({ actions: [{ type, work_pool_id }] });
    await create(api, "stop", {
      trigger: on("prefect.work-pool.not-ready"),
      ...act("pause-work-pool"),
    });
    await create(api, "go", {
      trigger: on("orchestrator.work-pool.paused"),
      ...act("resume-work-pool"),
    });
    await settle(api);
    await api.patch("/work_pools/pool", { is_paused: true });
    await settle(api);
    expect(await told(api, ".action.executed")).toHaveLength(LONGEST);
    const [failed, ...others] = await told(api, ".action.failed");
    expect(others).toEqual([]);
    expect(failed?.payload).toMatchObject({
      chain_depth: LONGEST + 1,
      reason: expect.stringContaining("made each other fire"),
    });
  });

  test("by the runs they start come to an end", async () => {
    await using api = await open();
    const deployment_id = await createTestDeployment(api, {});
    const actions = [{ type: "run-deployment", deployment_id }];
    const match_related = { "prefect.resource.role": "deployment" };
    await create(api, "first", { trigger: on("x.go"), actions });
    await create(api, "again", {
      trigger: { ...on("prefect.flow-run.Scheduled"), match_related },
      actions,
    });
    await send(api, "x.go");
    await settle(api);
    expect(await told(api, ".action.executed")).toHaveLength(LONGEST);
    expect(await told(api, ".action.failed")).toHaveLength(1);
  });

  test("by telling of it come to an end, also without an action", async () => {
    await using api = await open();
    for (const name of ["one", "two"])
      await create(api, name, { trigger: on("x.go", "prefect.automation.triggered") });
    await send(api, "x.go");
    await settle(api);
    expect(await told(api, ".triggered")).toHaveLength(2 * (LONGEST + 1));
  });

  test("or at anything make as many events of one from outside as there are of them", async () => {
    for (const many of [10, 20]) {
      await using api = await open();
      const trigger = [on(), on("*"), on("orchestrator.*", "x.*")];
      await createMany(api, many, (n) => ({ trigger: trigger[n % 3], actions: [NOTHING] }));
      // It fires, begins to act, and has acted.
      expect(await eventsAfter(api, "x.go")).toBe(1 + 3 * many);
    }
  });

  test("and name what automations do make no more of one event than so many each", async () => {
    for (const many of [2, 4]) {
      await using api = await open();
      const trigger = on("x.go", "orchestrator.automation.*");
      await createMany(api, many, () => ({ trigger, actions: [NOTHING] }));
      expect(await eventsAfter(api, "x.go")).toBe(1 + 3 * many * (1 + MOST_IN_CHAIN));
    }
  });

  test("make no more of one event however many of them listen to the one that matches it", async () => {
    for (const many of [30, 60]) {
      await using api = await open();
      await create(api, "match", { trigger: on("x.go"), actions: [NOTHING] });
      const trigger = on("orchestrator.automation.*");
      await createMany(api, many, () => ({ trigger, actions: [NOTHING] }));
      expect(await eventsAfter(api, "x.go")).toBe(1 + 3 * (1 + MOST_IN_CHAIN));
    }
  });

  test("say once that the chain has become too long, however many events come of it", async () => {
    await using api = await open();
    for (const name of ["one", "two", "three"])
      await create(api, name, { trigger: on("x.go"), actions: [NOTHING] });
    const trigger = on("orchestrator.automation.*");
    const listeners: string[] = [];
    for (let n = 0; n < 80; n += 1)
      listeners.push(await create(api, `l${n}`, { trigger, actions: [NOTHING] }));
    await eventsAfter(api, "x.go");
    const refused = await Promise.all(
      listeners.map(async (id) => {
        const { body } = await api.get(`/automations/${id}/trace`);
        const { near_misses } = body as { near_misses: { verdict: string; count?: number }[] };
        return near_misses.filter(({ verdict }) => verdict === "chain-too-long").length;
      }),
    );
    expect(Math.max(...refused)).toBe(1);
  });

  test("by the runs they start share what one event may cause", async () => {
    await using api = await open();
    const deployment_id = await createTestDeployment(api, {});
    const match_related = { "prefect.resource.role": "deployment" };
    const trigger = { ...on("x.go", "prefect.flow-run.Scheduled"), match_related };
    const first = { ...on("x.go"), match_related: {} };
    const actions = [{ type: "run-deployment", deployment_id }];
    await create(api, "first", { trigger: first, actions });
    await createMany(api, 2, () => ({ trigger, actions }));
    await eventsAfter(api, "x.go");
    expect(await firings(api)).toHaveLength(1 + MOST_IN_CHAIN);
  });

  test("do not hear of what other automations do when they fire at anything", async () => {
    await using api = await open();
    const pool = await api.post("/work_pools/", { name: "pool", type: "process" });
    const { id: work_pool_id } = pool.body as { id: string };
    await settle(api);
    await create(api, "stop", {
      trigger: on("x.go"),
      actions: [{ type: "pause-work-pool", work_pool_id }],
    });
    await create(api, "any", { trigger: on(), actions: [] });
    await create(api, "named", { trigger: on("orchestrator.work-pool.*"), actions: [] });
    await settle(api);
    const before = await firings(api);
    await send(api, "x.go");
    await settle(api);
    const after = await firings(api);
    expect(after.slice(before.length).sort()).toEqual(["any", "named", "stop"]);
  });

  test("leave no old rows of chains behind while a long log is read", async () => {
    const clock = manualClock("2026-11-14T09:00:00.000000Z");
    await using api = await open({ clock });
    const pass = createTriggerPass(api.ctx);
    await pass(FOREVER);
    const rows = Array.from({ length: 2500 }, () => {
      return { root: api.ctx.ids.uuid7(), direct: 1, caused: 1 };
    });
    await api.ctx.db.write(WORKSPACE, (tx) => addChainFirings(tx, rows, clock.now()));
    clock.advanceMs(25 * 3600 * 1000);
    await send(api, "x.other", 450);
    await pass(FOREVER);
    expect(await countRows(api, "automation_chain_firings")).toBe(0);
  });

  test("by failing come to an end", async () => {
    await using api = await open();
    for (const name of ["one", "two"])
      await create(api, name, {
        trigger: on("x.go", "prefect.automation.action.failed"),
        actions: [{ type: "pause-deployment", source: "inferred" }],
      });
    await send(api, "x.go");
    await settle(api);
    expect(await told(api, ".action.failed")).toHaveLength(2 * (LONGEST + 1));
  });

  test("may begin anew with every event from outside, and leave nothing behind", async () => {
    const clock = manualClock("2026-11-14T09:00:00.000000Z");
    await using api = await open({ clock });
    const pool = await api.post("/work_pools/", { name: "pool", type: "process" });
    const { id: work_pool_id } = pool.body as { id: string };
    await create(api, "stop", {
      trigger: on("x.go"),
      actions: [{ type: "pause-work-pool", work_pool_id }],
    });
    await create(api, "go", {
      trigger: on("prefect.work-pool.paused"),
      actions: [{ type: "resume-work-pool", work_pool_id }],
    });
    const pass = createTriggerPass(api.ctx);
    for (let round = 0; round < LONGEST + 2; round += 1) {
      await send(api, "x.go");
      await settle(api);
      clock.advanceMs(1000);
    }
    expect(await told(api, ".action.failed")).toEqual([]);
    expect(await told(api, ".action.executed")).toHaveLength(2 * (LONGEST + 2));
    clock.advanceMs(25 * 3600 * 1000);
    await pass(FOREVER);
    expect(await countRows(api, "automation_caused_ids")).toBe(0);
  });
});

async function countRows(api: TestApi, table: string): Promise<number> {
  const sql = `select count(*) as n from ${table}`;
  const found = await api.ctx.db.in(WORKSPACE).select<{ n: number }>({ sql, values: [] });
  return Number(found?.n);
}

async function send(api: TestApi, event: string, many = 1): Promise<void> {
  const events = Array.from({ length: many }, () => ({
    id: api.ctx.ids.uuid7(),
    occurred: api.ctx.clock.now(),
    event,
    resource: { "prefect.resource.id": "thing" },
  }));
  expect((await api.post("/events", JSON.stringify(events))).status).toBe(204);
}
