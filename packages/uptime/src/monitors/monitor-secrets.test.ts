import { InvalidRequestError } from "@orchestrator/kernel/http";
import { openScope } from "@orchestrator/kernel/scope";
import { openKeyring } from "@orchestrator/kernel/secrets";
import { expect, test } from "vitest";
import { exportDocument } from "../configuration/documents/documents.service.ts";
import { updateMonitor } from "../configuration/monitors.service.ts";
import type { MonitorUpdate } from "../models.ts";
import { describeEachUptimeApi, type UptimeApi } from "../testing.ts";
import { findMonitorRow, updateMonitorConfig } from "./monitors.store.ts";
import { openedMonitor } from "./opened-monitor.ts";
import { resealMonitors } from "./reseal-monitors.service.ts";
import { openSecrets, sealSecrets } from "./sealed-secrets.ts";

const MASK = "********";
const OLD = "07".repeat(32);
const NEW = "08".repeat(32);
const keys = (secretKey: string) => openKeyring({ folder: "", secretKey });

const PIPELINE = [
  { type: "http", headers: { Authorization: "Bearer s3cret-one", Accept: "text/html" } },
  { type: "instance", username: "watch", password: "s3cret-two" },
  { type: "http", headers: { "X-Api-Key": "s3cret-three" } },
];
const MASKED = [
  { type: "http", headers: { Authorization: MASK, Accept: "text/html" } },
  { type: "instance", username: "watch", password: MASK },
  { type: "http", headers: { "X-Api-Key": MASK } },
];

async function create(api: UptimeApi, body: Readonly<Record<string, unknown>> = {}) {
  const answer = await api.post("/monitors", {
    name: "Shop",
    url: "https://shop.example.com/a",
    pipeline: PIPELINE,
    ...body,
  });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as { readonly id: string; readonly url: string };
}

async function opened(api: UptimeApi, id: string) {
  const row = await findMonitorRow(api.ctx.db.in(api.workspaceId), id);
  if (row === null) throw new Error("The monitor is not there");
  return { row, ...openedMonitor(api.ctx, row) };
}

describeEachUptimeApi("the secrets of monitors", (open) => {
  test("are shown as masks everywhere and stored sealed", async () => {
    await using api = await open();
    const { id, ...body } = await create(api, { url: "https://me:s3cret-four@shop.example.com/a" });
    expect(body).toMatchObject({ url: `https://me:${MASK}@shop.example.com/a`, pipeline: MASKED });
    const { row, url, pipeline } = await opened(api, id);
    const answers = [await api.get(`/monitors/${id}`), await api.get("/monitors")];
    answers.push(await api.put(`/monitors/${id}`, { name: "Store" }));
    expect(JSON.stringify([answers, row, await api.events()])).not.toContain("s3cret");
    expect(url).toBe("https://shop.example.com/a");
    expect(pipeline[0]).toEqual(PIPELINE[0]);
    expect(pipeline[1]).toEqual(PIPELINE[1]);
    const basic = `Basic ${Buffer.from("me:s3cret-four").toString("base64")}`;
    expect(pipeline[2]).toMatchObject({
      headers: { ...PIPELINE[2]?.headers, Authorization: basic },
    });
  });

  test("are not told by events where they stand in the query of an address", async () => {
    await using api = await open();
    const { id, url } = await create(api, { url: "https://a.example/x?key=s3cret#s3cret" });
    expect(url).toBe(`https://a.example/x?key=${MASK}#s3cret`);
    await api.put(`/monitors/${id}`, { interval: 90 });
    await api.put(`/monitors/${id}`, { enabled: false });
    await api.delete(`/monitors/${id}`);
    const events = await api.events();
    expect(events).toHaveLength(4);
    expect(JSON.stringify(events)).not.toContain("s3cret");
    expect(events[0]?.resource["orchestrator.monitor.url"]).toBe("https://a.example/x");
  });

  test("are not repeated in a refusal", async () => {
    await using api = await open();
    const body = { name: "", url: "https://me:s3cret@a.example", pipeline: PIPELINE };
    const answer = await api.post("/monitors", body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
  });

  test("stay when their masks are sent back, also in another order", async () => {
    await using api = await open();
    const { id } = await create(api);
    const [first, second, third] = MASKED;
    const changes = { name: "Store", pipeline: [second, { ...first, timeout_ms: 500 }, third] };
    const answer = await api.put(`/monitors/${id}`, changes);
    expect(answer).toMatchObject({ status: 200, body: { pipeline: changes.pipeline } });
    const { pipeline } = await opened(api, id);
    expect(pipeline).toEqual([PIPELINE[1], { ...PIPELINE[0], timeout_ms: 500 }, PIPELINE[2]]);
  });

  test("stay with their own check when another of its type is taken out, or are asked for again", async () => {
    await using api = await open();
    const first = { type: "instance", username: "first", password: "s3cret-one" };
    const second = { type: "instance", username: "second", password: "s3cret-two" };
    const masked = (check: object) => ({ ...check, password: MASK });
    const { id } = await create(api, { pipeline: [first, second] });
    const other = { ...masked(second), username: "third" };
    expect(await api.put(`/monitors/${id}`, { pipeline: [other] })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("give them again (instance/password)") },
    });
    const swapped = { pipeline: [masked(second), masked(first)] };
    expect(await api.put(`/monitors/${id}`, swapped)).toMatchObject({ status: 200 });
    expect((await opened(api, id)).pipeline).toEqual([second, first]);
    await api.put(`/monitors/${id}`, { pipeline: [masked(first)] });
    expect((await opened(api, id)).pipeline).toEqual([first]);
  });

  test("are replaced by what is sent, and go with their check", async () => {
    await using api = await open();
    const { id } = await create(api);
    const changes = { pipeline: [{ type: "instance", username: "watch", password: "s3cret-new" }] };
    expect(await api.put(`/monitors/${id}`, changes)).toMatchObject({
      status: 200,
      body: { pipeline: [{ type: "instance", username: "watch", password: MASK }] },
    });
    expect(await opened(api, id)).toMatchObject(changes);
    await api.put(`/monitors/${id}`, { pipeline: [] });
    expect((await opened(api, id)).row).toMatchObject({ secrets: null, sealed_with: null });
  });

  test("count as a change also where the masks stay the same", async () => {
    await using api = await open();
    const { id } = await create(api);
    await api.put(`/monitors/${id}`, { pipeline: MASKED });
    expect(await api.events()).toHaveLength(1);
    const [first, second] = MASKED;
    await api.put(`/monitors/${id}`, { pipeline: [first, second, PIPELINE[2]] });
    expect(await api.events()).toHaveLength(1);
    const other = { type: "http", headers: { "X-Api-Key": "another" } };
    await api.put(`/monitors/${id}`, { pipeline: [first, second, other] });
    expect((await api.events()).at(-1)).toMatchObject({ payload: { changed: ["pipeline"] } });
  });

  test("are refused as masks where none is kept", async () => {
    await using api = await open();
    const pipeline = [{ type: "instance", username: "watch", password: MASK }];
    const body = { name: "Shop", url: "https://shop.example.com", pipeline };
    expect(await api.post("/monitors", body)).toMatchObject({ status: 422 });
    const { id } = await create(api, { pipeline: [] });
    expect(await api.put(`/monitors/${id}`, { pipeline })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("instance/password") },
    });
  });

  const ELSEWHERE = ["https://evil.example.com", "http://shop.example.com", "shop.example.com:444"];
  test.each(ELSEWHERE)("do not follow the address to %s", async (url) => {
    await using api = await open();
    const { id } = await create(api);
    for (const changes of [{ url }, { url, pipeline: MASKED }])
      expect(await api.put(`/monitors/${id}`, changes)).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining("give them again") },
      });
    expect(await api.put(`/monitors/${id}`, { url, pipeline: PIPELINE })).toMatchObject({
      status: 200,
    });
    expect(await api.put(`/monitors/${id}`, { url: `${url}/path` })).toMatchObject({ status: 200 });
    expect((await opened(api, id)).pipeline).toEqual(PIPELINE);
  });

  test("in the address stay with its mask, and go when it is left out", async () => {
    await using api = await open();
    const { id, url } = await create(api, { url: "http://me:p%40ss@a.example/x", pipeline: [] });
    expect(url).toBe(`http://me:${MASK}@a.example/x`);
    await api.put(`/monitors/${id}`, { url: `http://you:${MASK}@a.example/y` });
    const basic = `Basic ${Buffer.from("you:p@ss").toString("base64")}`;
    expect(await opened(api, id)).toMatchObject({
      url: "http://a.example/y",
      pipeline: [{ type: "http", headers: { Authorization: basic } }],
    });
    expect(await api.put(`/monitors/${id}`, { url: `http://me:${MASK}@b.example` })).toMatchObject({
      status: 422,
    });
    expect(await api.put(`/monitors/${id}`, { url: "http://b.example" })).toMatchObject({
      status: 200,
      body: { url: "http://b.example" },
    });
    expect(await opened(api, id)).toMatchObject({ url: "http://b.example", pipeline: [] });
  });

  test("as a token in the address are masked whole", async () => {
    await using api = await open();
    const { id, url } = await create(api, { url: "http://s3cret@a.example", pipeline: [] });
    expect(url).toBe(`http://${MASK}@a.example`);
    const basic = `Basic ${Buffer.from("s3cret:").toString("base64")}`;
    expect(await opened(api, id)).toMatchObject({
      url: "http://a.example",
      pipeline: [{ headers: { Authorization: basic } }],
    });
  });

  test("of a check that only a newer server knows stay with it, do not follow the address, and are not exported", async () => {
    await using api = await open();
    const { id } = await create(api, { pipeline: [] });
    const read = async () => {
      const row = await findMonitorRow(api.ctx.db.in(api.workspaceId), id);
      if (row === null) throw new Error("The monitor is not there");
      return row;
    };
    const secrets = { "pigeon/loft/password": "s3cret-five", "pigeon#2/ring": "s3cret-six" };
    const pipeline = [
      { type: "pigeon", loft: { user: "watch", password: MASK } },
      { type: "pigeon", ring: MASK },
    ];
    const stored = {
      ...(await read()),
      pipeline: JSON.stringify(pipeline),
      ...sealSecrets(api.ctx.keyring, id, secrets),
    };
    await api.ctx.db.write(api.workspaceId, (tx) => updateMonitorConfig(tx, stored));

    const scope = openScope("test");
    const change = (changes: MonitorUpdate) => updateMonitor(api.ctx, scope, { id, changes });
    const url = "https://shop.example.com/b";
    expect(JSON.parse(await change({ url }))).toMatchObject({ url, pipeline });
    expect(openSecrets(api.ctx.keyring, await read())).toEqual(secrets);
    const refusal = change({ url: "https://evil.example.com" });
    await expect(refusal).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(refusal).rejects.toMatchObject({
      problems: [{ loc: ["body", "url"], msg: expect.stringContaining("(pigeon/, pigeon#2/)") }],
    });
    const kept = "$" + "{stored}";
    expect((await exportDocument(api.ctx, scope)).monitors).toMatchObject([
      { pipeline: [{ loft: { user: "watch", password: kept } }, { ring: kept }] },
    ]);
    await change({ pipeline: [] });
    expect(await read()).toMatchObject({ secrets: null, sealed_with: null });
  });

  test("come under a new key, after which the old one is not needed", async () => {
    await using api = await open();
    const { id } = await create(api);
    const both = { ...api.ctx, keyring: keys(`${NEW},${OLD}`) };
    expect(await resealMonitors(both)).toEqual({ resealed: 1, problems: [] });
    const row = await findMonitorRow(api.ctx.db.in(api.workspaceId), id);
    if (row === null) throw new Error("The monitor is not there");
    expect(openedMonitor({ keyring: keys(NEW) }, row).pipeline).toEqual(PIPELINE);
    expect(await resealMonitors({ ...api.ctx, keyring: keys(NEW) })).toMatchObject({ resealed: 0 });
  });

  test("whose key is lost are told, do not stand in the way, and can be given anew", async () => {
    await using api = await open();
    const { id } = await create(api);
    const lost = { ...api.ctx, keyring: keys(NEW) };
    const told = await resealMonitors(lost);
    expect(told).toMatchObject({ resealed: 0, problems: [{ reason: "unknown_key" }] });
    const scope = openScope("test");
    const change = (changes: MonitorUpdate) => updateMonitor(lost, scope, { id, changes });
    expect(JSON.parse(await change({ name: "Store" }))).toMatchObject({ pipeline: MASKED });
    const [first] = MASKED as MonitorUpdate["pipeline"] & object;
    await expect(
      change({ pipeline: first === undefined ? [] : [first, { type: "ping" }] }),
    ).rejects.toBeInstanceOf(InvalidRequestError);
    const renewed = { type: "instance", username: "watch", password: "s3cret-new" } as const;
    await change({ pipeline: [renewed] });
    const row = await findMonitorRow(api.ctx.db.in(api.workspaceId), id);
    if (row === null) throw new Error("The monitor is not there");
    expect(openedMonitor(lost, row).pipeline).toEqual([renewed]);
  });
});
