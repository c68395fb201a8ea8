import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { CheckStatus } from "../db/tables/results.table.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { recordResult } from "./record-result.service.ts";

const STATUSES: readonly CheckStatus[] = ["up", "up", "down", "degraded", "up", "down", "up"];
const START = "2026-11-15T09:00:00Z";
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

/** A monitor with a result in each of the first minutes after nine; their messages are numbers. */
async function openResults(open: OpenUptimeApi) {
  const clock = manualClock(START);
  const api = await open({ clock });
  const { body } = await api.post("/monitors", { name: "shop", url: "shop.example.com" });
  const { id } = body as { readonly id: string };
  const { workspaceId } = api;
  for (const [i, status] of STATUSES.entries()) {
    const outcome = anOutcome(status, { message: String(i) });
    const checkedAt = clock.now();
    await recordResult(api.ctx, {
      workspaceId,
      monitorId: id,
      outcome,
      checkedAt,
      trigger: "schedule",
    });
    clock.advanceMs(60_000);
  }
  const list = async (query: string) => {
    const answer = await api.get(`/monitors/${id}/results${query}`);
    expect(answer.status).toBe(200);
    const numbers = (answer.body as { message: string }[]).map(({ message }) => Number(message));
    return { numbers, headers: answer.headers };
  };
  const numbers = async (query: string) => (await list(query)).numbers;
  return { api, id, list, numbers, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

describeEachUptimeApi("results", (open) => {
  test("are listed as a plain array, newest first", async () => {
    await using r = await openResults(open);
    const { status, body } = await r.api.get(`/monitors/${r.id}/results`);
    expect(status).toBe(200);
    expect((body as unknown[])[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      monitor_id: r.id,
      status: "up",
      message: "6",
      elapsed_ms: 12.5,
      details: { http: { status_code: 200 } },
      checked_at: "2026-11-15T09:06:00.000000Z",
      inconclusive: false,
      maintenance: false,
    });
    expect(await r.numbers("")).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  test.each([
    ["?limit=2", [6, 5]],
    ["?limit=2&offset=1", [5, 4]],
    ["?order=asc&limit=3", [0, 1, 2]],
    ["?status=down", [5, 2]],
    ["?status=down&status=degraded", [5, 3, 2]],
    ["?status=up&limit=2&order=asc", [0, 1]],
    ["?since=2026-11-15T09:05:00Z", [6, 5]],
    ["?until=2026-11-15T09:01:00Z", [1, 0]],
    ["?since=2026-11-15T09:02:00Z&until=2026-11-15T09:03:00Z", [3, 2]],
    ["?since=2027-01-01T00:00:00Z", []],
  ])("are chosen by %s", async (query, expected) => {
    await using r = await openResults(open);
    expect(await r.numbers(query)).toEqual(expected);
  });

  test.each(["", "&order=asc", "&status=up&status=down"])(
    "are read page by page with limit=2%s, each once, until there are no more",
    async (query) => {
      await using r = await openResults(open);
      const all = await r.numbers(`?limit=100${query}`);
      const seen: number[] = [];
      let address: string | null = `?limit=2${query}`;
      while (address !== null) {
        const { numbers, headers }: Awaited<ReturnType<typeof r.list>> = await r.list(address);
        seen.push(...numbers);
        const cursor = headers["x-next-cursor"];
        const link: RegExpExecArray | null = /^<(\/uptime\/api\/.*\?(.*))>; rel="next"$/.exec(
          String(headers["link"]),
        );
        expect(link === null).toBe(cursor === undefined);
        if (link !== null) expect(link[2]).toContain(`before=${String(cursor)}`);
        address = link === null ? null : `?${link[2]}`;
      }
      expect(seen).toEqual(all);
    },
  );

  test.each(["limit=0", "limit=1001", "limit=x", "status=broken", "before=nonsense", "order=up"])(
    "refuse %s",
    async (query) => {
      await using r = await openResults(open);
      expect((await r.api.get(`/monitors/${r.id}/results?${query}`)).status).toBe(422);
    },
  );

  test("of an unknown monitor are not found", async () => {
    await using api = await open();
    expect(await api.get(`/monitors/${UNKNOWN_ID}/results`)).toMatchObject({
      status: 404,
      body: { detail: "Monitor not found" },
    });
  });
});
