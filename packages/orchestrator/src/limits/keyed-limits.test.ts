import { manualClock, until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
} from "../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../testing.ts";

const ROOT = "/v2/concurrency_limits";
const POLL = "/work_pools/main/get_scheduled_flow_runs";
const CUSTOMER = { parameter: "customer" };

/** A limit that deployments share, and a deployment that has it. */
async function limited(api: TestApi, limit: object, options: object = {}) {
  const answer = await api.post(`${ROOT}/`, { name: "per-customer", limit: 1, ...limit });
  expect(answer.status).toBe(201);
  const { id } = answer.body as { id: string };
  await api.post("/work_pools/", { name: "main", type: "process" });
  const place = { work_pool_name: "main", global_concurrency_limit_id: id, ...options };
  return { id, place, deployment: await createTestDeployment(api, place) };
}

async function runOf(api: TestApi, deployment: string, customer?: unknown, given: object = {}) {
  const [id = ""] = await createRunsOf(api, deployment, { parameters: { customer }, ...given });
  return id;
}

/** What a claim led to: the name of the state the run is in then. */
const claim = async (api: TestApi, id: string | undefined) =>
  (await proposeFlow(api, id, "PENDING")).state?.name;

const holders = async (api: TestApi) => {
  const rows = (await api.get(`${ROOT}/per-customer/holders`)).body;
  return (rows as { key: string | null; holder: { id: string } }[]).map(
    ({ key, holder }) => [key, holder.id] as const,
  );
};

async function due(api: TestApi, body: object = { wait_seconds: 0 }): Promise<string[]> {
  const answer = await api.post(POLL, body);
  return (answer.body as { flow_run: { id: string } }[]).map(({ flow_run }) => flow_run.id);
}

const WAITS = "AwaitingConcurrencySlot";

describeEachApi("a limit with a key", (open) => {
  test("has all its slots for every value of a parameter, over all deployments that share it", async () => {
    await using api = await open();
    const { place, deployment } = await limited(api, { key: CUSTOMER });
    const other = await createTestDeployment(api, { ...place, name: "weekly" });
    const runs = [
      await runOf(api, deployment, "acme"),
      await runOf(api, other, "acme"),
      await runOf(api, other, "umbrella"),
      await runOf(api, deployment),
      await runOf(api, deployment, null),
    ];
    const states = [];
    for (const id of runs) states.push(await claim(api, id));
    expect(states).toEqual(["Pending", WAITS, "Pending", "Pending", WAITS]);
    expect(await holders(api)).toEqual([
      ["acme", runs[0]],
      ["umbrella", runs[2]],
      [null, runs[3]],
    ]);
    expect(await readRecord(api, `${ROOT}/per-customer`)).toMatchObject({
      key: CUSTOMER,
      limit: 1,
      active_slots: 3,
    });
    expect(await readRecord(api, `/deployments/${deployment}`)).toMatchObject({
      global_concurrency_limit: { key: CUSTOMER },
    });
  });

  test("gives a slot that is free to the next with the same value at once", async () => {
    await using api = await open();
    const { deployment } = await limited(api, { key: CUSTOMER });
    const held = [await runOf(api, deployment, "a"), await runOf(api, deployment, "b")];
    const waiting = [await runOf(api, deployment, "a"), await runOf(api, deployment, "b")];
    const urgent = await runOf(api, deployment, "b", { priority: 1 });
    for (const id of [...held, ...waiting, urgent]) await claim(api, id);
    expect(await due(api)).toEqual([]);
    const answer = due(api, { wait_seconds: 60 });
    await until(() => expect(api.ctx.waits.count()).toBe(1));
    await proposeFlow(api, held[1], "COMPLETED");
    expect(await answer).toEqual([urgent]);
    expect(await claim(api, urgent)).toBe("Pending");
    await api.delete(`/flow_runs/${held[0]}`);
    expect(await due(api)).toEqual([waiting[0]]);
  });

  test("goes by tags with a prefix, of which a run takes a slot each or none", async () => {
    await using api = await open();
    const { deployment } = await limited(api, { key: { tag_prefix: "customer:" } });
    const tagged = (...customers: string[]) =>
      runOf(api, deployment, null, { tags: ["x", ...customers.map((name) => `customer:${name}`)] });
    const [a, both, c, b] = [
      await tagged("a"),
      await tagged("b", "a"),
      await tagged("c"),
      await tagged("b"),
    ];
    expect([await claim(api, a), await claim(api, both), await claim(api, c)]).toEqual([
      "Pending",
      WAITS,
      "Pending",
    ]);
    expect((await holders(api)).map(([key]) => key)).toEqual(["a", "c"]);
    expect(await claim(api, b)).toBe("Pending");
    await proposeFlow(api, a, "FAILED");
    expect(await due(api)).toEqual([both]);
    // The other of its two is taken by now, and that is what it waits for from here on.
    expect(await claim(api, both)).toBe(WAITS);
    await proposeFlow(api, b, "CANCELLED");
    expect(await due(api)).toEqual([both]);
    expect(await claim(api, both)).toBe("Pending");
    expect(await holders(api)).toEqual([
      ["c", c],
      ["a", both],
      ["b", both],
    ]);
    await proposeFlow(api, both, "CRASHED");
    expect(await holders(api)).toEqual([["c", c]]);
  });

  test("cancels what finds no slot for its value, where the deployment wants that", async () => {
    await using api = await open();
    const { deployment } = await limited(
      api,
      { key: CUSTOMER },
      { concurrency_options: { collision_strategy: "CANCEL_NEW" } },
    );
    const runs = [];
    for (const customer of ["a", "a", "b"]) runs.push(await runOf(api, deployment, customer));
    const states = [];
    for (const id of runs) states.push(await claim(api, id));
    expect(states).toEqual(["Pending", "Cancelled", "Pending"]);
  });

  test("frees the slots of a value whose lease has run out, and calls who waits for them", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const { deployment } = await limited(api, { key: CUSTOMER, limit: 2 });
    const runs = [];
    for (const customer of ["a", "a", "b", "b", "a", "a", "b"])
      runs.push(await runOf(api, deployment, customer));
    for (const id of runs) await claim(api, id);
    clock.advanceMs(301_000);
    // Asking for its own brings back all that have run out.
    expect(await claim(api, runs[4])).toBe("Pending");
    const called = (
      await api.post("/flow_runs/filter", {
        flow_runs: { state: { name: { any_: [WAITS] } } },
      })
    ).body as { id: string; next_scheduled_start_time: string }[];
    expect(new Set(called.map(({ id }) => id))).toEqual(new Set([runs[5], runs[6]]));
    for (const { next_scheduled_start_time } of called)
      expect(next_scheduled_start_time <= clock.now()).toBe(true);
    expect(await holders(api)).toEqual([["a", runs[4]]]);
  });

  test("can be given to a limit in use and be taken from it; what is held stays held", async () => {
    await using api = await open();
    const { deployment } = await limited(api, {});
    const runs = [];
    for (const customer of ["a", "b", "a"]) runs.push(await runOf(api, deployment, customer));
    const [first, second, third] = runs;
    expect([await claim(api, first), await claim(api, second)]).toEqual(["Pending", WAITS]);
    await api.patch(`${ROOT}/per-customer`, { key: CUSTOMER });
    // What was taken before counts as taken by runs without a value.
    expect(await due(api, { wait_seconds: 0, limit: 9 })).toContain(second);
    expect([await claim(api, second), await claim(api, third)]).toEqual(["Pending", "Pending"]);
    expect(await holders(api)).toEqual([
      [null, first],
      ["b", second],
      ["a", third],
    ]);
    await api.patch(`${ROOT}/per-customer`, { key: null });
    const late = await runOf(api, deployment, "c");
    expect(await claim(api, late)).toBe(WAITS);
    for (const id of [first, second]) await proposeFlow(api, id, "COMPLETED");
    expect(await due(api)).toEqual([]);
    await proposeFlow(api, third, "COMPLETED");
    expect(await due(api)).toEqual([late]);
    expect(await claim(api, late)).toBe("Pending");
  });

  test("is told of in events, and is one parameter or one prefix of limits that do not decay", async () => {
    await using api = await open();
    await limited(api, { key: CUSTOMER });
    await api.patch(`${ROOT}/per-customer`, { limit: 2 });
    const told = (await api.events()).filter(({ event }) => event.includes("concurrency-limit"));
    expect(told.map(({ payload }) => payload)).toMatchObject([
      { key: CUSTOMER, limit: 1 },
      { key: CUSTOMER, limit: 2 },
    ]);
    const refused = [
      { key: {} },
      { key: { parameter: "a", tag_prefix: "b" } },
      { key: { parameter: "" } },
      { key: { customer: "a" } },
      { key: "customer" },
      { key: CUSTOMER, slot_decay_per_second: 1 },
    ];
    for (const given of refused) {
      const answer = await api.post(`${ROOT}/`, { name: "other", limit: 1, ...given });
      expect([given, answer.status]).toEqual([given, 422]);
    }
    const decaying = await api.patch(`${ROOT}/per-customer`, { slot_decay_per_second: 1 });
    expect(decaying.status).toBe(422);
    const taken = await api.post(`${ROOT}/increment`, { names: ["per-customer"], slots: 1 });
    expect(taken.status).toBe(200);
    expect(await readRecord(api, `${ROOT}/per-customer`)).toMatchObject({ active_slots: 1 });
  });
});
