import { AppError } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../testing.ts";
import { createSlotLines, SLOTS_TOPIC } from "./slot-lines.ts";

/** Longer than a test takes: what comes before was not waited for in vain. */
const LONG = 3600;

/** Slots of one limit, and lines for them that hear of those that come back. */
function openLines(free = 0) {
  const listeners = new Set<() => void>();
  const nudges = {
    on: (topic: string, listener: () => void) => {
      expect(topic).toBe(SLOTS_TOPIC);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const lines = createSlotLines({ db: { wakeUps: nudges } } as never);
  const asked: string[] = [];
  const state = { free };
  return {
    lines,
    asked,
    listeners,
    giveBack: (slots = 1): void => {
      state.free += slots;
      for (const listener of listeners) listener();
    },
    take: (name: string, { seconds = LONG, gone = new AbortController().signal } = {}) =>
      lines.wait("key", { seconds, gone }, async (isAgain) => {
        asked.push(isAgain ? `${name} again` : name);
        await Promise.resolve();
        if (state.free === 0) throw new AppError("locked", "Locked", { retryAfterSeconds: LONG });
        state.free -= 1;
        return name;
      }),
  };
}

test("whoever finds slots need not wait", async () => {
  const { take, asked, listeners } = openLines(1);
  expect(await take("a")).toBe("a");
  expect(asked).toEqual(["a"]);
  expect(listeners.size).toBe(0);
});

test("slots that come back go to those who wait, in the order they came, and only the first asks", async () => {
  const { take, giveBack, asked } = openLines();
  const given: string[] = [];
  const all = ["a", "b", "c"].map(async (name) => given.push(await take(name)));
  giveBack();
  await expect.poll(() => given).toEqual(["a"]);
  giveBack(2);
  await Promise.all(all);
  expect(given).toEqual(["a", "b", "c"]);
  expect(asked.filter((name) => name.startsWith("c"))).toEqual(["c"]);
});

test("slots that come back while one is refused are not missed", async () => {
  const { lines, giveBack } = openLines();
  let tries = 0;
  const answer = await lines.wait(
    "key",
    { seconds: LONG, gone: new AbortController().signal },
    () => {
      tries += 1;
      if (tries > 1) return Promise.resolve("taken");
      giveBack();
      return Promise.reject(new AppError("locked", "Locked", { retryAfterSeconds: LONG }));
    },
  );
  expect([answer, tries]).toEqual(["taken", 2]);
});

test("whose time is over is refused, first in line or not, and those behind go on", async () => {
  const { take, giveBack } = openLines();
  const first = take("a", { seconds: 0.03 });
  const second = take("b", { seconds: 0.01 });
  const third = take("c");
  await expect(second).rejects.toMatchObject({ code: "locked" });
  await expect(first).rejects.toMatchObject({ code: "locked", retryAfterSeconds: LONG });
  giveBack();
  expect(await third).toBe("c");
});

test("whoever is gone takes nothing", async () => {
  const { take, giveBack, asked } = openLines();
  const [here, gone] = [new AbortController(), new AbortController()];
  const first = take("a", { gone: here.signal });
  const second = take("b", { gone: gone.signal });
  const third = take("c");
  gone.abort();
  await expect(second).rejects.toMatchObject({ code: "locked" });
  here.abort();
  await expect(first).rejects.toMatchObject({ code: "locked" });
  giveBack();
  expect(await third).toBe("c");
  await expect(take("d", { gone: gone.signal })).rejects.toThrow();
  expect(asked.filter((name) => /[bd]/u.test(name))).toEqual([]);
});

test("a mistake is told, and the next in line goes on", async () => {
  const { lines, take, giveBack } = openLines();
  const wait = { seconds: LONG, gone: new AbortController().signal };
  const first = lines.wait("key", wait, () => Promise.reject(new Error("broken")));
  const second = take("b");
  await expect(first).rejects.toThrow("broken");
  giveBack();
  expect(await second).toBe("b");
});

test("when the server stops, all who wait are refused, and whoever comes later asks once", async () => {
  const { lines, take, asked } = openLines();
  const waiting = [take("a"), take("b")];
  lines.stop();
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: "locked" });
  await expect(take("c")).rejects.toMatchObject({ code: "locked" });
  expect(asked).toEqual(["a", "c"]);
});

const ROOT = "/v2/concurrency_limits";
const lease = (api: TestApi, more: object = {}) =>
  api.post(`${ROOT}/increment-with-lease`, { names: ["a"], slots: 1, ...more });
const idOf = ({ body }: { readonly body: unknown }) => (body as { lease_id: string }).lease_id;

describeEachApi("slots that are waited for", (open) => {
  test("are taken when they come back, whichever way", async () => {
    await using api = await open();
    await api.post(`${ROOT}/`, { name: "a", limit: 1 });
    const first = await lease(api);
    const second = lease(api, { wait_seconds: 60 });
    const third = api.post(`${ROOT}/increment`, { names: ["a"], slots: 1, wait_seconds: 60 });
    await api.post(`${ROOT}/decrement-with-lease`, { lease_id: idOf(first) });
    expect((await second).status).toBe(200);
    await api.post(`${ROOT}/decrement-with-lease`, { lease_id: idOf(await second) });
    expect((await third).status).toBe(200);
    expect((await api.get(`${ROOT}/a`)).body).toMatchObject({ active_slots: 1 });
  });

  test("are refused when the time is over", async () => {
    await using api = await open();
    await api.post(`${ROOT}/`, { name: "a", limit: 1 });
    await lease(api);
    expect((await lease(api, { wait_seconds: 0.05 })).status).toBe(423);
    expect((await api.get(`${ROOT}/a`)).body).toMatchObject({ active_slots: 1 });
    expect((await lease(api, { wait_seconds: 61 })).status).toBe(422);
  });

  test("count as refused once, however often they were looked for", async () => {
    await using api = await open();
    for (const name of ["a", "b"]) await api.post(`${ROOT}/`, { name, limit: 1 });
    const first = await lease(api);
    const second = lease(api, { wait_seconds: 60 });
    // What comes back elsewhere makes it look again.
    for (let n = 0; n < 20; n += 1) await api.post(`${ROOT}/decrement`, { names: ["b"], slots: 1 });
    await api.post(`${ROOT}/decrement-with-lease`, { lease_id: idOf(first) });
    expect((await second).status).toBe(200);
    const rows = await api.ctx.db.exclusively((session) =>
      session.rows<{ denied_slots: number }>(
        "select denied_slots from concurrency_limits where name = 'a'",
      ),
    );
    expect(rows.every(({ denied_slots }) => denied_slots <= 1)).toBe(true);
  });
});
