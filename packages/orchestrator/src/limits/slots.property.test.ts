import { manualClock, rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../testing.ts";
import { releaseExpiredLeases } from "./lease-repossessor.loop.ts";

const ROOT = "/v2/concurrency_limits";
const SEED = 20_260_101;
const LIMITS = { a: 1, b: 3, c: 5 } as const;
type LimitName = keyof typeof LIMITS;

const names = fc.uniqueArray(fc.constantFrom<LimitName>("a", "b", "c"), { minLength: 1 });
const slots = fc.integer({ min: 1, max: 3 });
/** Which of the leases taken so far. */
const which = fc.nat({ max: 50 });

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("lease" as const), names, slots }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("increment" as const), names, slots }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("decrement" as const), names, slots }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("renew" as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("release" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), seconds: fc.constantFrom(20, 60) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repossess" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("set" as const), names, slots }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), names }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Several at once, one such handful after another. */
const handfuls = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
  minLength: 4,
  maxLength: 10,
});

describeEachApi("whatever happens to slots", (open) => {
  test("no limit has fewer than none or more than all of them in use, and every one has a holder", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(handfuls, async (history) => {
        runs += 1;
        const world = new World(api, `run-${runs}-`, clock.advanceMs);
        await world.create(["a", "b", "c"]);
        for (const handful of history) {
          await Promise.all(handful.map((each) => world.do(each)));
          await world.check();
        }
      }),
      { seed: SEED, numRuns: rounds(4, 12), endOnFailure: true },
    );
  });
});

class World {
  readonly #api: TestApi;
  readonly #prefix: string;
  readonly #advanceMs: (ms: number) => void;
  readonly #leases: string[] = [];

  constructor(api: TestApi, prefix: string, advanceMs: (ms: number) => void) {
    this.#api = api;
    this.#prefix = prefix;
    this.#advanceMs = advanceMs;
  }

  async create(limits: readonly LimitName[]): Promise<void> {
    for (const limit of limits)
      await this.#api.post(`${ROOT}/`, { name: this.#name(limit), limit: LIMITS[limit] });
  }

  async do(each: Step): Promise<void> {
    switch (each.kind) {
      case "lease": {
        const body = { names: each.names.map(this.#name), slots: each.slots, lease_duration: 60 };
        const answer = await this.#post("increment-with-lease", body, [200, 422, 423]);
        if (answer.status === 200)
          this.#leases.push((answer.body as { lease_id: string }).lease_id);
        return;
      }
      case "increment": {
        const body = { names: each.names.map(this.#name), slots: each.slots };
        await this.#post("increment", body, [200, 422, 423]);
        return;
      }
      case "decrement": {
        const body = { names: each.names.map(this.#name), slots: each.slots };
        await this.#post("decrement", body, [200]);
        return;
      }
      case "renew":
        await this.#post(
          `leases/${this.#lease(each.which)}/renew`,
          { lease_duration: 60 },
          [204, 410],
        );
        return;
      case "release":
        await this.#post("decrement-with-lease", { lease_id: this.#lease(each.which) }, [204]);
        return;
      case "wait":
        this.#advanceMs(each.seconds * 1000);
        return;
      case "repossess":
        await releaseExpiredLeases(this.#api.ctx, new AbortController().signal);
        return;
      case "set":
        for (const limit of each.names)
          await this.#api.patch(`${ROOT}/${this.#name(limit)}`, { active_slots: each.slots });
        return;
      case "delete":
        for (const limit of each.names) {
          await this.#api.delete(`${ROOT}/${this.#name(limit)}`);
          await this.create([limit]);
        }
    }
  }

  async check(): Promise<void> {
    for (const limit of ["a", "b", "c"] as const) {
      const path = `${ROOT}/${this.#name(limit)}`;
      const { active_slots } = (await this.#api.get(path)).body as { active_slots: number };
      const holders = (await this.#api.get(`${path}/holders`)).body as { slots: number }[];
      expect(active_slots).toBeGreaterThanOrEqual(0);
      expect(active_slots).toBeLessThanOrEqual(LIMITS[limit]);
      expect(holders.reduce((sum, holder) => sum + holder.slots, 0)).toBe(active_slots);
    }
  }

  readonly #name = (limit: LimitName): string => `${this.#prefix}${limit}`;

  #lease(index: number): string {
    const { length } = this.#leases;
    return this.#leases[index % Math.max(1, length)] ?? "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
  }

  async #post(path: string, body: unknown, expected: readonly number[]) {
    const answer = await this.#api.post(`${ROOT}/${path}`, body);
    expect(expected).toContain(answer.status);
    return answer;
  }
}
