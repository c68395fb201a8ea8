import { manualClock, rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestDeployment } from "../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../testing.ts";
import { releaseExpiredLeases } from "./lease-repossessor.loop.ts";

const ROOT = "/v2/concurrency_limits";
const SEED = 20_260_102;
const LIMIT = 2;

/** Customers of a run; several are tags, and none is one of its own. */
const customers = fc.subarray(["a", "b", "c"]);
/** Which of the runs so far. */
const which = fc.nat({ max: 50 });
const end = fc.constantFrom("COMPLETED", "FAILED", "CRASHED", "CANCELLED", "CANCELLING", "PAUSED");

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("claim-new" as const), customers }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("claim" as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("start" as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("end" as const), which, end }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("force" as const), which, end }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("go-silent" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repossess" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Several at once, one such handful after another. */
const handfuls = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
  minLength: 4,
  maxLength: 10,
});

describeEachApi("whatever happens to runs of a limit with a key", (open) => {
  test("no value has more slots in use than there are, and in the end none has any", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    let histories = 0;
    await fc.assert(
      fc.asyncProperty(handfuls, async (history) => {
        histories += 1;
        const world = new World(api, `keyed-${histories}`, clock.advanceMs);
        await world.create();
        for (const handful of history) {
          await Promise.all(handful.map((each) => world.do(each)));
          await world.check();
        }
        await world.endAll();
        expect(await world.inUse()).toEqual({ byValue: {}, activeSlots: 0 });
      }),
      { seed: SEED, numRuns: rounds(4, 12), endOnFailure: true },
    );
  });
});

class World {
  readonly #api: TestApi;
  readonly #name: string;
  readonly #advanceMs: (ms: number) => void;
  readonly #runs: string[] = [];
  #deployment = "";

  constructor(api: TestApi, name: string, advanceMs: (ms: number) => void) {
    this.#api = api;
    this.#name = name;
    this.#advanceMs = advanceMs;
  }

  async create(): Promise<void> {
    const key = { tag_prefix: "customer:" };
    const { body } = await this.#api.post(`${ROOT}/`, { name: this.#name, limit: LIMIT, key });
    const { id: global_concurrency_limit_id } = body as { id: string };
    const given = { name: this.#name, global_concurrency_limit_id };
    this.#deployment = await createTestDeployment(this.#api, given);
  }

  async do(each: Step): Promise<void> {
    switch (each.kind) {
      case "claim-new": {
        const tags = each.customers.map((name) => `customer:${name}`);
        const path = `/deployments/${this.#deployment}/create_flow_run`;
        const { id } = (await this.#api.post(path, { tags })).body as { id: string };
        this.#runs.push(id);
        await this.#propose(id, "PENDING");
        return;
      }
      case "claim":
        await this.#propose(this.#run(each.which), "PENDING");
        return;
      case "start":
        await this.#propose(this.#run(each.which), "RUNNING");
        return;
      case "end":
        await this.#propose(this.#run(each.which), each.end);
        return;
      case "force":
        await this.#propose(this.#run(each.which), each.end, true);
        return;
      case "delete":
        await this.#api.delete(`/flow_runs/${this.#run(each.which)}`);
        return;
      case "go-silent":
        this.#advanceMs(301_000);
        return;
      case "repossess":
        await releaseExpiredLeases(this.#api.ctx, new AbortController().signal);
    }
  }

  async check(): Promise<void> {
    const { byValue, activeSlots } = await this.inUse();
    for (const slots of Object.values(byValue)) expect(slots).toBeLessThanOrEqual(LIMIT);
    expect(activeSlots).toBe(Object.values(byValue).reduce((sum, slots) => sum + slots, 0));
  }

  /** What is in use of each value, and in all. */
  async inUse(): Promise<{ byValue: Record<string, number>; activeSlots: number }> {
    const path = `${ROOT}/${this.#name}`;
    const { active_slots } = (await this.#api.get(path)).body as { active_slots: number };
    const rows = (await this.#api.get(`${path}/holders`)).body;
    const byValue: Record<string, number> = {};
    for (const { key, slots } of rows as { key: string | null; slots: number }[])
      byValue[`${key}`] = (byValue[`${key}`] ?? 0) + slots;
    return { byValue, activeSlots: active_slots };
  }

  async endAll(): Promise<void> {
    for (const id of this.#runs) await this.#propose(id, "CRASHED", true);
  }

  #run(index: number): string {
    const { length } = this.#runs;
    return this.#runs[index % Math.max(1, length)] ?? "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
  }

  /** The run may be gone. */
  async #propose(id: string, type: string, force = false): Promise<void> {
    const body = { state: { type }, force };
    expect([200, 201, 404]).toContain(
      (await this.#api.post(`/flow_runs/${id}/set_state`, body)).status,
    );
  }
}
