import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { exportDocument } from "../configuration/documents/documents.service.ts";
import { describeEachUptimeApi, type UptimeApi } from "../testing.ts";
import { findMonitorRow, updateMonitorConfig } from "./monitors.store.ts";
import { openedMonitor } from "./opened-monitor.ts";
import { resealMonitors } from "./reseal-monitors.service.ts";
import { openSecrets, sealSecrets } from "./sealed-secrets.ts";

const MASK = "********";
const PIPELINE = [{ type: "http", headers: { "X-Api-Key": "s3cret-header" } }];

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

describeEachUptimeApi("the secrets of a monitor", (open) => {
  test("in the query of an address are masked everywhere, stored sealed and sent to the target", async () => {
    await using api = await open();
    const given = "https://shop.example.com/a?page=2&api_key=s3cret-1&X-Amz-Signature=s3cret-2";
    const shown = `https://shop.example.com/a?page=2&api_key=${MASK}&X-Amz-Signature=${MASK}`;
    const { id, url } = await create(api, { url: given, pipeline: [] });
    expect(url).toBe(shown);
    const { row, url: called } = await opened(api, id);
    expect(called).toBe(given);
    const told = [
      row,
      await api.get(`/monitors/${id}`),
      await api.get("/monitors"),
      await api.get("/overview"),
      await api.put(`/monitors/${id}`, { name: "Store" }),
      await exportDocument(api.ctx, openScope("test")),
      await api.events(),
    ];
    expect(JSON.stringify(told)).not.toContain("s3cret");
  });

  test("in the query of an address stay when their masks are sent back, and do not follow it to another host", async () => {
    await using api = await open();
    const { id } = await create(api, {
      url: "https://a.example/x?token=s3cret-1&token=s3cret-2&sig=s3cret-3",
      pipeline: [],
    });
    const change = (url: string) => api.put(`/monitors/${id}`, { url });
    const moved = `https://a.example/y?sig=${MASK}&token=${MASK}&token=new&page=1`;
    expect(await change(moved)).toMatchObject({
      status: 200,
      body: { url: `https://a.example/y?sig=${MASK}&token=${MASK}&token=${MASK}&page=1` },
    });
    const called = "https://a.example/y?sig=s3cret-3&token=s3cret-1&token=new&page=1";
    expect(await opened(api, id)).toMatchObject({ url: called });
    for (const url of [
      `https://b.example/y?sig=${MASK}`,
      `https://a.example/y?key=${MASK}`,
      `https://a.example/y?page=${MASK}`,
    ])
      expect(await change(url)).toMatchObject({
        status: 422,
        body: { exception_detail: [{ loc: ["body", "url"] }] },
      });
    expect(await opened(api, id)).toMatchObject({ url: called });
  });

  test("in the query of an address come back by an import that names them as stored", async () => {
    await using api = await open();
    const { id } = await create(api, { url: "https://a.example/x?sig=s3cret", pipeline: [] });
    const document = await exportDocument(api.ctx, openScope("test"));
    expect(document.monitors).toMatchObject([{ url: "https://a.example/x?sig=$" + "{stored}" }]);
    const answer = await api.post("/import", document);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await opened(api, id)).toMatchObject({ url: "https://a.example/x?sig=s3cret" });
  });

  test("that an earlier version left in the query of an address are sealed by themselves", async () => {
    await using api = await open();
    const url = "https://a.example/x?page=1&token=s3cret-url";
    const { id } = await create(api, { url });
    const { row } = await opened(api, id);
    const { "url/token": _sealed, ...others } = openSecrets(api.ctx.keyring, row);
    const before = {
      ...row,
      url,
      ...sealSecrets(api.ctx.keyring, id, others),
      sealed_with: "none",
    };
    const store = () => api.ctx.db.write(api.workspaceId, (tx) => updateMonitorConfig(tx, before));
    const isSealed = async () => {
      const after = await opened(api, id);
      expect(after).toMatchObject({ url, pipeline: PIPELINE });
      expect(after.row).toMatchObject({ url: `https://a.example/x?page=1&token=${MASK}` });
      expect(after.row.sealed_with).toBe(row.sealed_with);
    };
    await store();
    expect(await opened(api, id)).toMatchObject({ url });
    expect(await resealMonitors(api.ctx)).toEqual({ resealed: 1, problems: [] });
    await isSealed();
    expect(await resealMonitors(api.ctx)).toEqual({ resealed: 0, problems: [] });
    // Any write does it as well.
    await store();
    await api.put(`/monitors/${id}`, { name: "Store" });
    await isSealed();
  });

  test("in a body are sealed where it is marked as secret, and stay with its mask", async () => {
    await using api = await open();
    const check = { type: "http", method: "POST", body: '{"pin":"s3cret-pin"}', body_secret: true };
    const masked = { ...check, body: MASK };
    const { id, ...body } = await create(api, { pipeline: [check] });
    expect(body).toMatchObject({ pipeline: [masked] });
    expect(JSON.stringify([(await opened(api, id)).row, await api.events()])).not.toContain(
      "s3cret",
    );
    const changed = { ...masked, timeout_ms: 500 };
    expect(await api.put(`/monitors/${id}`, { pipeline: [changed] })).toMatchObject({
      status: 200,
    });
    expect((await opened(api, id)).pipeline).toEqual([{ ...check, timeout_ms: 500 }]);
    const { body_secret: _secret, ...unmarked } = masked;
    expect(await api.put(`/monitors/${id}`, { pipeline: [unmarked] })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("body_secret") },
    });
    const plain = { type: "http", method: "POST", body: "ping" };
    expect(await api.put(`/monitors/${id}`, { pipeline: [plain] })).toMatchObject({
      status: 200,
      body: { pipeline: [plain] },
    });
  });
});
