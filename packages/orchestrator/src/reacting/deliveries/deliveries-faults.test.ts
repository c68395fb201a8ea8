import { parseMicros } from "@orchestrator/kernel/pure";
import { openKeyring } from "@orchestrator/kernel/secrets";
import { manualClock, until } from "@orchestrator/kernel/testing";
import { startReceiver } from "@orchestrator/outbound/testing";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import {
  aBlock,
  anAutomation,
  deliver,
  expireLeases,
  happen,
  listTestDeliveries,
} from "../../testing/deliveries.ts";
import { describeEachApi, PLANTED_SECRET, type TestApi } from "../../testing.ts";
import { deliverDue } from "./deliveries.loop.ts";
import { claimDeliveries, postponeOthers } from "./deliveries.store.ts";

const FOREVER = new AbortController().signal;

const notify = (block_document_id: string) => ({
  type: "send-notification",
  block_document_id,
  subject: "It happened",
  body: "",
});

const channels = (port: number, names: readonly string[]) => ({
  hostname: "127.0.0.1",
  port,
  token: "planted-token",
  channels: names,
});

/** A database that is away for the next writes of a message, and then is back. */
function failing({ ctx }: TestApi, times: number): OrchestratorContext {
  let left = times;
  const db = new Proxy(ctx.db, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        if (key === "write" && left > 0) {
          left -= 1;
          return Promise.reject(new Error("The database is away"));
        }
        return Reflect.apply(member, target, given);
      };
    },
  });
  return { ...ctx, db };
}

describeEachApi("a message", (open) => {
  test("that takes long keeps no other waiting, however long it is under way", async () => {
    let answer = (): void => {};
    await using slow = await startReceiver((_, response) => {
      answer = () => response.end("ok");
    });
    await using quick = await startReceiver();
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const block = await aBlock(api, "slack-webhook", { url: slow.url });
    const automation = await anAutomation(api, notify(block));
    await happen(api);
    const pass = deliver(api);
    await until(() => expect(slow.requests).toHaveLength(1));
    await api.delete(`/automations/${automation}`);
    await anAutomation(api, notify(await aBlock(api, "slack-webhook", { url: quick.url })));
    clock.advanceMs(600_000);
    await happen(api);
    await until(() => expect(quick.requests).toHaveLength(1));
    answer();
    expect(await pass).toBe(2);
  });

  test("that was taken is not sent again because the database was away for a moment", async () => {
    await using receiver = await startReceiver();
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    await anAutomation(
      api,
      notify(await aBlock(api, "slack-webhook", { url: receiver.url })),
      notify(await aBlock(api, "mattermost-webhook", channels(receiver.port, ["a", "b"]))),
    );
    await happen(api);
    await deliverDue(failing(api, 3), FOREVER);
    clock.advanceMs(3_600_000);
    await deliver(api);
    expect(receiver.requests).toHaveLength(3);
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: "DELIVERED", attempts: 1 },
      { status: "DELIVERED", attempts: 1 },
    ]);
  });

  test("whose sender died is sent again with the same key when the claim has ended, and told of once", async () => {
    const answers: (() => void)[] = [];
    await using receiver = await startReceiver((_, response, count) => {
      if (count === 1) answers.push(() => response.end("late"));
      else response.end("ok");
    });
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    await anAutomation(api, notify(await aBlock(api, "slack-webhook", { url: receiver.url })));
    await happen(api);
    const stop = new AbortController();
    const stuck = deliverDue(api.ctx, stop.signal);
    await until(() => expect(receiver.requests).toHaveLength(1));
    stop.abort();
    // Others know that it is in hand, whatever their own clock says.
    clock.advanceMs(3_600_000);
    await deliver(api);
    expect(receiver.requests).toHaveLength(1);
    await expireLeases(api);
    expect(await deliver(api)).toBe(1);
    for (const answer of answers) answer();
    expect(await stuck).toBe(0);
    const keys = receiver.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await listTestDeliveries(api)).toMatchObject([{ status: "DELIVERED", attempts: 2 }]);
    const told = (await api.events()).filter(({ event }) => event.endsWith(".action.executed"));
    expect(told).toHaveLength(1);
  });

  test("waits, and longer each time, while the server cannot open its block", async () => {
    await using receiver = await startReceiver();
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    await anAutomation(api, notify(await aBlock(api, "slack-webhook", { url: receiver.url })));
    await happen(api);
    const keyring = openKeyring({ folder: "", secretKey: "08".repeat(32) });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await deliverDue({ ...api.ctx, keyring }, FOREVER);
      const [{ next_attempt } = { next_attempt: null }] = await listTestDeliveries(api);
      const micros = parseMicros(next_attempt ?? "") - clock.nowMicros();
      waits.push(micros / 1_000_000);
      clock.advanceMs(micros / 1000);
    }
    expect(waits.at(-1)).toBeGreaterThan(600);
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: "PENDING", attempts: 8, last_error: expect.stringContaining("lacks the key") },
    ]);
    expect(await deliver(api)).toBe(1);
    expect(receiver.requests).toHaveLength(1);
  });

  test("reaches who has not got it when its block has other recipients by then", async () => {
    const asked: string[] = [];
    await using receiver = await startReceiver(({ body }, response) => {
      const { channel } = JSON.parse(body) as { channel: string };
      asked.push(channel);
      const isDown = channel === "slow" && asked.length <= 3;
      response.writeHead(isDown ? 500 : 200).end();
    });
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const before = channels(receiver.port, ["first", "slow", "last"]);
    const block = await aBlock(api, "mattermost-webhook", before);
    await anAutomation(api, notify(block));
    await happen(api);
    await deliver(api);
    const data = channels(receiver.port, ["slow", "last", "new"]);
    expect((await api.patch(`/block_documents/${block}`, { data })).status).toBe(204);
    clock.advanceMs(11_000);
    expect(await deliver(api)).toBe(1);
    expect(asked).toEqual(["first", "slow", "last", "slow", "new"]);
    const keys = receiver.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[3]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(4);
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: "DELIVERED", parts: ["delivered", "delivered", "delivered"] },
    ]);
  });

  test("keeps the secrets of blocks within its block out of what is told of the answer", async () => {
    await using echo = await startReceiver(({ body }, response) => {
      response.writeHead(400).end(body);
    });
    await using api = await open();
    const within = await aBlock(api, "secret", { value: PLANTED_SECRET });
    const data = {
      name: "c",
      url: echo.url,
      json_data: { $ref: { block_document_id: within } },
    };
    await anAutomation(api, notify(await aBlock(api, "custom-webhook", data)));
    await happen(api);
    await deliver(api);
    expect(echo.requests[0]?.body).toContain(PLANTED_SECRET);
    const [failed] = await listTestDeliveries(api);
    expect(failed).toMatchObject({ last_error: expect.stringContaining("********") });
    expect(JSON.stringify(failed)).not.toContain(PLANTED_SECRET);
  });

  test("is claimed with no more others than are wanted", async () => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const block = await aBlock(api, "slack-webhook", { url: "http://127.0.0.1:9/" });
    await anAutomation(api, notify(block), notify(block), notify(block), notify(block));
    await happen(api);
    const until = "2026-11-14T10:00:00.000000Z";
    const claim = { now: clock.now(), until, claim: api.ctx.ids.uuid4(), limit: 2 };
    const rows = await api.ctx.db.writeSystem((tx) => claimDeliveries(tx, claim));
    expect(rows).toHaveLength(2);
  });

  test("is postponed with others of its block, but not with any number of them at once", async () => {
    const clock = manualClock("2026-11-14T09:00:00Z");
    await using api = await open({ clock });
    const block = await aBlock(api, "slack-webhook", { url: "http://127.0.0.1:9/" });
    await anAutomation(api, notify(block), notify(block), notify(block));
    await happen(api);
    const now = clock.now();
    const [workspace = ""] = (
      await api.ctx.db.exclusively((session) =>
        session.rows<{ workspace_id: string }>("select workspace_id from deliveries"),
      )
    ).map((row) => row.workspace_id);
    const until = "2026-11-14T10:00:00.000000Z";
    const postponed = { block_document_id: block, now, until, limit: 2 };
    await api.ctx.db.write(workspace, (tx) => postponeOthers(tx, postponed));
    const times = (await listTestDeliveries(api)).map(({ next_attempt }) => next_attempt);
    expect(times.filter((time) => time === now)).toHaveLength(1);
    expect(times.filter((time) => time === until)).toHaveLength(2);
  });
});

describeEachApi("a webhook that is busy", (open) => {
  test.each([
    { dialect: "orchestrator", status: "PENDING", executed: [] },
    { dialect: "prefect", status: "DELIVERED", executed: [{ payload: { status_code: 503 } }] },
  ] as const)("is $status in dialect $dialect", async (given) => {
    await using receiver = await startReceiver((_, response) => {
      response.writeHead(503).end();
    });
    await using api = await open({ dialect: given.dialect });
    const block_document_id = await aBlock(api, "webhook", { url: receiver.url });
    await anAutomation(api, { type: "call-webhook", block_document_id });
    await happen(api);
    await deliver(api);
    expect(await listTestDeliveries(api)).toMatchObject([
      { status: given.status, status_code: 503 },
    ]);
    const ended = (await api.events()).filter(({ event }) => event.endsWith(".action.executed"));
    expect(ended).toMatchObject(given.executed);
  });
});
