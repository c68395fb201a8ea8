import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type ManualClock, manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachUptimeApi, type UptimeApi } from "../../testing.ts";
import { readHeartbeatCalls } from "./heartbeats.service.ts";

const TOKEN = "abcdefghijklmnopqrstuvwx";
const PIPELINE = [{ type: "heartbeat", token: TOKEN, period: 60, grace: 10 }];

async function create(api: UptimeApi, token = TOKEN): Promise<string> {
  const pipeline = PIPELINE.map((check) => ({ ...check, token }));
  const body = { name: "Backup", url: "https://backup.example.com", pipeline };
  const answer = await api.post("/monitors", body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

function call(api: UptimeApi, path: string, method = "GET") {
  return api.request(method, `/heartbeat/${path}`, { isAnonymous: true });
}

const heard = (api: UptimeApi, id: string) =>
  readHeartbeatCalls(api.ctx, {
    id,
    workspace_id: api.workspaceId,
    pipeline: JSON.stringify(PIPELINE),
    interval: 60,
  });

async function statusOf(api: UptimeApi, id: string): Promise<unknown> {
  const { body } = await api.post(`/monitors/${id}/check`);
  return (body as { readonly status: unknown }).status;
}

/** So many seconds in which the server hears. */
async function hearFor(api: UptimeApi, clock: ManualClock, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    clock.advanceMs(5000);
    await api.hear();
  }
}

const OTHER = "zyxwvutsrqponmlkjihgfedc";
const HALF = "x".repeat(1_000_000);

/** A call of which the server has seen no more than a half. */
async function beginCall(api: UptimeApi): Promise<Socket> {
  const { hostname, port, pathname } = new URL(`${await api.url()}/heartbeat/${TOKEN}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${2 * HALF.length}\r\n\r\n`,
  );
  await once(socket, "data");
  socket.write(HALF);
  // Whatever was to come of the beginning has come by the time that another call counts.
  await create(api, OTHER);
  expect(await call(api, OTHER)).toMatchObject({ status: 200 });
  return socket;
}

describeEachUptimeApi("heartbeats", (open) => {
  test("are calls without credentials, by any method and with any body", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await create(api);
    expect(await heard(api, id)).toMatchObject({ lastCallAt: null, awaitedSince: clock.now() });
    for (const method of ["GET", "POST"])
      expect(await call(api, TOKEN, method)).toMatchObject({ status: 200, body: { ok: true } });
    const headers = { "content-type": "text/plain" };
    const options = { isAnonymous: true, body: "backup done", headers };
    expect(await api.request("POST", `/heartbeat/${TOKEN}`, options)).toMatchObject({
      status: 200,
    });
    expect(await heard(api, id)).toMatchObject({ lastCallAt: clock.now(), hasFailed: false });
  });

  test("may bring along more than any other request may", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await create(api);
    const log = "x".repeat(3_000_000);
    const answer = await fetch(`${await api.url()}/heartbeat/${TOKEN}`, {
      method: "POST",
      body: log,
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ok: true });
    expect(await heard(api, id)).toMatchObject({ lastCallAt: clock.now() });
    // Nobody else may.
    const body = { name: log, url: "https://backup.example.com" };
    expect(await api.post("/monitors", body)).toMatchObject({ status: 413 });
  });

  test("count once all of their body has come", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await create(api);
    const begun = await beginCall(api);
    expect(await heard(api, id)).toMatchObject({ lastCallAt: null });
    clock.advanceMs(1000);
    begun.write(HALF);
    expect(await text(begun)).toContain("HTTP/1.1 200 OK");
    expect(await heard(api, id)).toMatchObject({ lastCallAt: clock.now() });
  });

  test("do not count when the sender dies before the end", async () => {
    await using api = await open();
    const id = await create(api);
    const begun = await beginCall(api);
    begun.end();
    expect(await text(begun)).toContain("HTTP/1.1 400 Bad Request");
    expect(await call(api, OTHER)).toMatchObject({ status: 200 });
    expect(await heard(api, id)).toMatchObject({ lastCallAt: null });
  });

  test("with an unknown token are not found", async () => {
    await using api = await open();
    await create(api);
    expect(await call(api, `${TOKEN}y`)).toMatchObject({ status: 404 });
    expect(await call(api, "x".repeat(200))).toMatchObject({ status: 404 });
  });

  test("make the monitor up, and their absence or a reported failure down", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await create(api);
    expect(await statusOf(api, id)).toBe("up");
    clock.advanceMs(71_000);
    expect(await statusOf(api, id)).toBe("down");
    await call(api, TOKEN);
    expect(await statusOf(api, id)).toBe("up");
    await call(api, `${TOKEN}/fail`, "POST");
    expect(await statusOf(api, id)).toBe("down");
    await call(api, TOKEN);
    expect(await statusOf(api, id)).toBe("up");
  });

  test("are not missed where the server could not hear them: its clock jumped, or it was away", async () => {
    const clock = manualClock();
    await using api = await open({ clock, hasGaps: true });
    const id = await create(api);
    await call(api, TOKEN);
    clock.advanceMs(3_600_000);
    expect(await statusOf(api, id)).toBe("up");
    expect((await api.get(`/monitors/${id}/incidents`)).body).toEqual([]);
    // What comes after is silence that can be heard.
    await hearFor(api, clock, 70);
    expect(await statusOf(api, id)).toBe("up");
    await hearFor(api, clock, 5);
    expect(await statusOf(api, id)).toBe("down");
  });

  test("are missed again once a clock that was ahead is put right", async () => {
    const clock = manualClock();
    await using api = await open({ clock, hasGaps: true });
    const id = await create(api);
    clock.advanceMs(7_200_000);
    await call(api, TOKEN);
    expect(await statusOf(api, id)).toBe("up");
    clock.advanceMs(-7_200_000);
    expect(await statusOf(api, id)).toBe("up");
    await hearFor(api, clock, 70);
    expect(await statusOf(api, id)).toBe("up");
    await hearFor(api, clock, 5);
    expect(await statusOf(api, id)).toBe("down");
    await call(api, TOKEN);
    await hearFor(api, clock, 5);
    expect(await statusOf(api, id)).toBe("up");
  });

  test("are awaited anew once the monitor is resumed", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await create(api);
    await call(api, TOKEN);
    await api.put(`/monitors/${id}`, { enabled: false });
    clock.advanceMs(3_600_000);
    await api.put(`/monitors/${id}`, { enabled: true });
    expect(await heard(api, id)).toMatchObject({ awaitedSince: clock.now() });
    expect(await statusOf(api, id)).toBe("up");
  });

  test("are no longer awaited without the check, or without the monitor", async () => {
    await using api = await open();
    const id = await create(api);
    await api.put(`/monitors/${id}`, { pipeline: [] });
    expect(await call(api, TOKEN)).toMatchObject({ status: 404 });
    await api.put(`/monitors/${id}`, { pipeline: PIPELINE });
    expect(await call(api, TOKEN)).toMatchObject({ status: 200 });
    await api.delete(`/monitors/${id}`);
    expect(await call(api, TOKEN)).toMatchObject({ status: 404 });
  });

  test("are one per monitor", async () => {
    await using api = await open();
    const twice = { name: "a", url: "https://a.example", pipeline: [...PIPELINE, ...PIPELINE] };
    expect(await api.post("/monitors", twice)).toMatchObject({ status: 422 });
  });
});
