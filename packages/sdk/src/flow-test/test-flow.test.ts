import { expect, test } from "vitest";
import { z } from "zod";
import {
  createMarkdown,
  emitEvent,
  exponentialBackoff,
  flow,
  getLogger,
  getVariable,
  loadBlock,
  pauseFlowRun,
  setVariable,
  sleep,
  startDeployment,
  task,
  waitForEvent,
  waitForInput,
} from "../index.ts";
import { fake, NO_ANSWER, passTime, testFlow } from "../testing.ts";

const load = task({ name: "load" }, async (city: string) => ({ city, sold: city.length }));
const send = task({ name: "send" }, async (_total: number): Promise<string> => {
  throw new Error("A test must not send anything");
});
const report = flow(
  { name: "report", parameters: z.object({ cities: z.array(z.string()).default(["Bern"]) }) },
  async ({ cities }) => {
    const rows = await load.map(cities).results();
    const total = rows.reduce((sum, { sold }) => sum + sold, 0);
    await send(total);
    return total;
  },
);

const slowly = (seconds: number) => async () => {
  await passTime(seconds);
  return "done";
};
const QUIET = fake(send, () => "sent");

test("a flow runs in memory, with fakes in the place of its tasks", async () => {
  const fakes = [fake(load, (city) => ({ city, sold: 100 })), fake("send", () => "sent")];
  const run = await testFlow(report, { cities: ["Bern", "Oslo"] }, { fakes });
  expect(run.value).toBe(200);
  expect(run.state).toMatchObject({ type: "COMPLETED" });
  expect(run.calls(load)).toEqual([["Bern"], ["Oslo"]]);
  expect(run.calls("send")).toEqual([[200]]);
  expect(run.taskRuns).toEqual([
    { name: "load-0", task: "load", states: ["Pending", "Running", "Completed"] },
    { name: "load-1", task: "load", states: ["Pending", "Running", "Completed"] },
    { name: "send-0", task: "send", states: ["Running", "Completed"] },
  ]);
});

test("a flow that fails, or gets wrong parameters, is an outcome and not an error of the test", async () => {
  const failed = await testFlow(report);
  expect(failed.state).toMatchObject({ type: "FAILED" });
  expect(failed.error?.message).toBe("A test must not send anything");
  expect(() => failed.value).toThrow("A test must not send anything");
  const wrong = await testFlow(report, { cities: [1] as never });
  expect(wrong.error?.message).toContain("cities.0");
});

test("delays of retries, slow fakes and timeouts take no time", async () => {
  let attempts = 0;
  const shaky = task(
    { name: "shaky", retries: 4, retryDelaySeconds: exponentialBackoff(3600, 1e9) },
    () => {
      attempts += 1;
      if (attempts < 5) throw new Error("not yet");
      return attempts;
    },
  );
  const slow = task({ name: "slow", timeoutSeconds: 60 }, async () => "done");
  const f = flow({ name: "f", retries: 1, retryDelaySeconds: 86_400 }, async () => {
    const tries = await shaky();
    await slow();
    return tries;
  });
  const inTime = await testFlow(f, undefined, { fakes: [fake(slow, slowly(59))] });
  expect(inTime.value).toBe(5);
  expect(inTime.seconds).toBe(3600 * (1 + 2 + 4 + 8) + 59);
  const late = await testFlow(f, undefined, { fakes: [fake(slow, slowly(61))] });
  expect(late.error?.message).toBe("slow-0 took longer than 60 s");
  expect(late.seconds).toBe(60 + 86_400 + 60);
});

test("a deadline does not end work that needs no time of the test", async () => {
  const real = task({ name: "real", timeoutSeconds: 1 }, async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    return "done";
  });
  const run = await testFlow(flow({ name: "f", timeoutSeconds: 1 }, () => real()));
  expect(run.value).toBe("done");
  expect(run.seconds).toBe(0);
});

const publish = flow({ name: "publish" }, async () => {
  const { approved } = await waitForInput({
    schema: z.object({ approved: z.boolean() }),
    description: "Publish?",
    timeoutSeconds: 30 * 86_400,
  });
  return approved;
});

test("questions are answered in their order, and a run that nobody answers fails in time", async () => {
  const answered = await testFlow(publish, undefined, { answers: [{ approved: true }] });
  expect(answered.value).toBe(true);
  expect(answered.questions).toMatchObject([
    { description: "Publish?", schema: { type: "object" } },
  ]);
  const alone = await testFlow(publish);
  expect(alone.state).toMatchObject({ type: "FAILED" });
  expect(alone.error?.name).toBe("PauseTimeoutError");
  expect(alone.seconds).toBe(30 * 86_400);
  const slowly = await testFlow(publish, undefined, {
    answers: async () => {
      await passTime(3600);
      return { approved: false };
    },
  });
  expect(slowly.value).toBe(false);
  expect(slowly.seconds).toBe(3600);
  const wrong = await testFlow(publish, undefined, { answers: [{ approved: "perhaps" }] });
  expect(wrong.error?.name).toBe("ParameterError");
});

test("a pause goes on by itself, and one that nobody ends fails", async () => {
  const paused = flow({ name: "paused" }, async () => {
    await pauseFlowRun();
    return "went on";
  });
  expect((await testFlow(paused)).value).toBe("went on");
  const alone = await testFlow(paused, undefined, { answers: () => NO_ANSWER });
  expect(alone.error?.name).toBe("PauseTimeoutError");
});

test("a run that suspends itself goes on in another process behind what it has finished", async () => {
  const suspended = flow({ name: "suspended" }, async () => {
    const { city } = await load("Bern");
    const { ok } = await waitForInput({ schema: z.object({ ok: z.boolean() }), how: "suspend" });
    return [city, ok];
  });
  const run = await testFlow(suspended, undefined, { answers: [{ ok: true }] });
  expect(run.value).toEqual(["Bern", true]);
  expect(run.calls(load)).toEqual([["Bern"]]);
});

test("a run that is killed at any call goes on behind its finished tasks", async () => {
  const cities = ["Bern", "Oslo", "Lima"];
  const options = { fakes: [QUIET] };
  for (const when of ["before", "during", "after"] as const) {
    for (let at = 1; at <= cities.length + 1; at += 1) {
      const killed = await testFlow(report, { cities }, { ...options, killAt: { at, when } });
      expect(killed.state, `${when} call ${at}`).toMatchObject({ name: "Killed" });
      expect(() => killed.value).toThrow("resume() goes on");
      const run = await killed.resume();
      expect(run.value).toBe(12);
      expect(run.calls(send)).toHaveLength(when === "during" && at === 4 ? 2 : 1);
      // Of the mapped tasks, siblings of the one that was killed were in flight as well.
      if (at === 4) expect(run.calls(load)).toHaveLength(3);
    }
  }
});

test("a run is killed at a call of a task, again and again", async () => {
  const sequence = flow({ name: "sequence" }, async () => {
    const sold: number[] = [];
    for (const city of ["a", "bb", "ccc"]) sold.push((await load(city)).sold);
    return sold;
  });
  const first = await testFlow(sequence, undefined, { killAt: { at: load, call: 2 } });
  expect(first.calls(load)).toEqual([["a"], ["bb"]]);
  const second = await first.resume({ killAt: { at: "load", when: "during" } });
  expect(second.state.name).toBe("Killed");
  const third = await second.resume();
  expect(third.value).toEqual([1, 2, 3]);
  expect(third.calls(load)).toEqual([["a"], ["bb"], ["ccc"], ["ccc"]]);
  await expect(third.resume()).rejects.toThrow("nothing to resume");
});

test("a flow that failed is resumed behind what it has finished", async () => {
  let isUp = false;
  const fakes = [
    fake(send, () => {
      if (!isUp) throw new Error("no mail");
      return "sent";
    }),
  ];
  const failed = await testFlow(report, {}, { fakes });
  expect(failed.error?.message).toBe("no mail");
  isUp = true;
  const run = await failed.resume();
  expect(run.value).toBe(4);
  expect(run.calls(load)).toEqual([["Bern"]]);
});

test("a subflow runs within it, and goes on with it", async () => {
  const inner = flow(
    { name: "inner" },
    async ({ city }: { city: string }) => (await load(city)).sold,
  );
  const outer = flow({ name: "outer" }, async () => {
    const first = await inner({ city: "Bern" });
    return first + (await (await inner.start({ city: "Rome" })).result());
  });
  const killed = await testFlow(outer, undefined, { killAt: { at: load, call: 2 } });
  const run = await killed.resume();
  expect(run.value).toBe(8);
  expect(run.calls(load)).toEqual([["Bern"], ["Rome"]]);
});

test("a started deployment is its fake, once for each start", async () => {
  const started: unknown[] = [];
  const f = flow({ name: "f" }, async () => {
    const run = await startDeployment<typeof report>("report/nightly", { cities: ["Oslo"] });
    const total = await run.result();
    await send(total);
    return total;
  });
  const nightly = fake("report/nightly", (parameters: object) => started.push(parameters));
  const killed = await testFlow(f, undefined, {
    fakes: [nightly, QUIET],
    killAt: { at: send, when: "before" },
  });
  expect((await killed.resume()).value).toBe(1);
  expect(started).toEqual([{ cities: ["Oslo"] }]);
  const missing = await testFlow(f, undefined, { fakes: [QUIET] });
  expect(missing.error?.message).toContain('give the test a fake("report/nightly", …)');
});

const order = flow({ name: "order" }, async () => {
  await load("Bern");
  await sleep(7 * 86_400);
  const { payload } = await waitForEvent({
    event: "shop.order.paid",
    match: { "orchestrator.resource.id": "order.7" },
    timeoutSeconds: 86_400,
  });
  return payload?.["amount"];
});

test("long sleeps and waits for events take no time, and nothing finished is repeated", async () => {
  const events = [
    { event: "shop.order.paid", resource: "order.8" },
    { event: "shop.order.paid", resource: "order.7", payload: { amount: 12 }, afterSeconds: 3600 },
  ];
  const paid = await testFlow(order, undefined, { events });
  expect(paid.error).toBeNull();
  expect(paid.value).toBe(12);
  expect(paid.seconds).toBe(7 * 86_400 + 3600);
  expect(paid.calls(load)).toEqual([["Bern"]]);
  const unpaid = await testFlow(order);
  expect(unpaid.error?.name).toBe("EventTimeoutError");
  expect(unpaid.seconds).toBe(8 * 86_400);
});

test("logs, events, artifacts, variables and blocks are those of the test", async () => {
  const f = flow({ name: "f" }, async () => {
    const { values } = await loadBlock<{ value: string }>("secret/token");
    getLogger().info("%s %s", values.value, await getVariable("region"));
    await setVariable("region", "us");
    await createMarkdown("# Done", { key: "done" });
    await emitEvent({ event: "shop.closed", resource: "shop.1" });
  });
  const run = await testFlow(f, undefined, {
    variables: { region: "eu" },
    blocks: { "secret/token": { value: "t0ken" } },
  });
  expect(run.error).toBeNull();
  expect(run.logs).toEqual([{ level: 20, message: "t0ken eu" }]);
  expect(run.events).toMatchObject([{ event: "shop.closed" }]);
  expect(run.artifacts).toMatchObject([{ key: "done", data: "# Done" }]);
  expect(run.variables.get("region")).toBe("us");
});

test("tests of two flows at once do not see each other's time", async () => {
  const wait = (seconds: number) =>
    testFlow(
      flow({ name: "f" }, () => passTime(seconds)),
      undefined,
      {
        now: new Date("2026-01-01T00:00:00Z"),
      },
    );
  const [short, long] = await Promise.all([wait(10), wait(1_000_000)]);
  expect([short.seconds, long.seconds]).toEqual([10, 1_000_000]);
});
