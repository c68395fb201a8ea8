import { manualClock, type SocketClient, until } from "@orchestrator/kernel/testing";
import { expect, test, vi } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createLogTail } from "./log-tail.service.ts";

type Body = Record<string, unknown>;

const RUN = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";

const aLine = (message: string, given: Body = {}): Body => ({
  name: "flow",
  level: 20,
  message,
  timestamp: "2026-03-01T10:00:00.000000Z",
  flow_run_id: RUN,
  ...given,
});

const write = async (api: TestApi, ...lines: readonly Body[]): Promise<void> => {
  expect((await api.post("/logs/", lines)).status).toBe(201);
};

/** Connects, and waits until lines arrive; what was written to find that out is not wanted. */
async function listen(api: TestApi, filter: Body = {}): Promise<SocketClient> {
  const client = await api.socket("/logs/out");
  client.send({ type: "filter", filter });
  await vi.waitFor(
    async () => {
      await write(api, aLine("are you there?", { level: 50 }));
      await client.ping();
      expect(client.waiting()).toBeGreaterThan(0);
    },
    { timeout: 20_000, interval: 150 },
  );
  return client;
}

async function nextLine(client: SocketClient): Promise<Body> {
  for (;;) {
    const { type, log } = (await client.next()) as { readonly type: string; readonly log: Body };
    expect(type).toBe("log");
    if (log["message"] !== "are you there?") return log;
  }
}

describeEachApi("listening to logs", (open) => {
  test("tells lines as they are stored, each once, and none from before", async () => {
    await using api = await open();
    await write(api, aLine("long ago"));
    await using listener = await listen(api);
    await using other = await listen(api);
    const batches = Array.from({ length: 10 }, (_, batch) =>
      Array.from({ length: 30 }, (_each, i) => aLine(`${batch}:${i}`)),
    );
    await Promise.all(batches.map((lines) => write(api, ...lines)));
    for (const client of [listener, other]) {
      const heard: unknown[] = [];
      while (heard.length < 300) heard.push((await nextLine(client))["message"]);
      expect(new Set(heard)).toEqual(new Set(batches.flat().map(({ message }) => message)));
    }
    await write(api, aLine("the last"));
    const last = await nextLine(listener);
    expect(last).toMatchObject({ message: "the last" });
    const { body } = await api.post("/logs/filter", { logs: { text: { query: '"the last"' } } });
    expect([last]).toEqual(body);
  });

  test("leaves out the lines that the filter does not mean", async () => {
    await using api = await open();
    const filter = {
      flow_run_id: { any_: [RUN] },
      level: { ge_: 30 },
      task_run_id: { is_null_: true },
    };
    await using listener = await listen(api, filter);
    await write(
      api,
      aLine("too low"),
      aLine("of another run", { flow_run_id: OTHER, level: 40 }),
      aLine("of a task", { task_run_id: OTHER, level: 40 }),
      aLine("meant", { level: 40 }),
    );
    expect(await nextLine(listener)).toMatchObject({ message: "meant" });
  });

  test("is refused when the message is not a filter", async () => {
    await using api = await open();
    for (const [message, why] of [
      ["nonsense", /JSON/],
      [{ type: "x" }, /filter: Field required/],
      [{ type: "filter", filter: { level: 3 } }, /level/],
      [
        { type: "filter", filter: { text: { query: "a\0b" } } },
        /filter\.text\.query.*NUL characters are not allowed/,
      ],
    ] as const) {
      await using client = await api.socket("/logs/out");
      client.send(message);
      expect(await client.closed).toMatchObject({
        code: 1002,
        reason: expect.stringMatching(why),
      });
    }
  });

  test("tells what another replica has stored", async () => {
    await using api = await open();
    const db = (await api.openReplica?.()) ?? api.ctx.db;
    const tail = createLogTail({ ...api.ctx, db });
    const heard: string[] = [];
    const leave = new AbortController();
    const following = tail.follow(leave.signal, (lines) => {
      heard.push(...lines.map(({ message }) => message));
    });
    await vi.waitFor(
      async () => {
        await write(api, aLine("here"));
        expect(heard.length).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 150 },
    );
    leave.abort();
    await following;
    await tail.stop();
  });

  test("tells lines that come after the newest ones were deleted", async () => {
    await using api = await open();
    const tail = createLogTail(api.ctx);
    const heard: string[] = [];
    const following = tail.follow(new AbortController().signal, (lines) => {
      heard.push(...lines.map(({ message }) => message));
    });
    await vi.waitFor(
      async () => {
        await write(api, aLine("are you there?"));
        expect(heard.length).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 150 },
    );
    await api.ctx.db.exclusively((session) => session.execute("delete from logs"));
    await write(api, aLine("afterwards"));
    await until(() => expect(heard).toContain("afterwards"));
    await tail.stop();
    await following;
  });

  test("tells lines that are committed late, however many came in the meantime", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const tail = createLogTail(api.ctx, { page: 5 });
    const heard: string[] = [];
    const following = tail.follow(new AbortController().signal, (lines) => {
      heard.push(...lines.map(({ message }) => message));
    });
    const many = Array.from({ length: 23 }, (_, n) => `${n}`);
    await vi.waitFor(
      async () => {
        await write(api, aLine("are you there?"));
        expect(heard.length).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 150 },
    );
    await write(api, ...many.map((message) => aLine(message)));
    await until(() => expect(heard).toContain("22"));
    clock.advanceMs(-5000);
    await write(api, aLine("late"));
    await until(() => expect(heard).toContain("late"));
    const told = heard.filter((message) => message !== "are you there?");
    expect(told.sort()).toEqual([...many, "late"].sort());
    await tail.stop();
    await following;
  });
});
