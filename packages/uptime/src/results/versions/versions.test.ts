import type { InstanceVersion } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../../testing.ts";
import { recordResults } from "../record-result.service.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const MINUTE_MS = 60_000;

type Details = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

async function openInstance(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  const body = { name: "clinic", url: "clinic.example.com", pipeline: [{ type: "instance" }] };
  const { id } = (await api.post("/monitors", body)).body as { readonly id: string };
  return {
    api,
    id,
    clock,
    /** A result a minute, all of them kept at once. */
    async see(...seen: readonly Details[]) {
      const { workspaceId } = api;
      const findings = seen.map((details) => {
        const checkedAt = clock.now();
        clock.advanceMs(MINUTE_MS);
        return {
          id: api.ctx.ids.uuid7(),
          workspaceId,
          monitorId: id,
          outcome: anOutcome("up", { details }),
          checkedAt,
          trigger: "schedule" as const,
        };
      });
      await recordResults(api.ctx, { workspaceId, findings });
    },
    async versions(query = "") {
      const { status, body } = await api.get(`/monitors/${id}/versions${query}`);
      expect(status).toBe(200);
      return body as InstanceVersion[];
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

const told = (version: string, revision = "a1") => ({
  instance: { version, revision, build_time: "2026-09-01T21:36:21.000" },
});
const FAILED = { instance: { status_code: 500, error: "500 Internal Server Error" } };
const at = (minute: number): string =>
  `2026-11-15T09:${String(minute).padStart(2, "0")}:00.000000Z`;

describeEachUptimeApi("versions", (open) => {
  test("tell from when until when each was seen, the newest first", async () => {
    await using m = await openInstance(open);
    await m.see(told("2.40"), told("2.40"), FAILED, told("2.40"));
    await m.see(told("2.41"), told("2.41", "b2"));
    expect(await m.versions()).toEqual([
      {
        check: "instance",
        version: "2.41",
        revision: "b2",
        build_time: "2026-09-01T21:36:21.000",
        from: at(5),
        until: null,
      },
      expect.objectContaining({ version: "2.41", revision: "a1", from: at(4), until: at(5) }),
      expect.objectContaining({ version: "2.40", revision: "a1", from: at(0), until: at(4) }),
    ]);
    expect(await m.versions("?limit=1")).toMatchObject([{ version: "2.41", until: null }]);
  });

  test("that come back are told of anew", async () => {
    await using m = await openInstance(open);
    await m.see(told("2.40"), told("2.41"), told("2.40"));
    expect((await m.versions()).map(({ version }) => version)).toEqual(["2.40", "2.41", "2.40"]);
  });

  test("are told of each check apart, and without what a target does not say", async () => {
    await using m = await openInstance(open);
    await m.see(
      { instance: { version: "1" }, "instance#2": { version: "7" }, http: { version: "x" } },
      { instance: { version: "2" }, "instance#2": { version: "7" } },
    );
    const bare = { revision: null, build_time: null };
    expect(await m.versions()).toEqual([
      { check: "instance", version: "2", ...bare, from: at(1), until: null },
      { check: "instance", version: "1", ...bare, from: at(0), until: at(1) },
      { check: "instance#2", version: "7", ...bare, from: at(0), until: null },
    ]);
  });

  test("of a result that comes late change nothing", async () => {
    await using m = await openInstance(open);
    m.clock.advanceMs(10 * MINUTE_MS);
    await m.see(told("2.41"));
    m.clock.advanceMs(-6 * MINUTE_MS);
    await m.see(told("2.40"));
    expect(await m.versions()).toMatchObject([{ version: "2.41", until: null }]);
  });

  test("of no monitor are not found, and end with the monitor", async () => {
    await using m = await openInstance(open);
    await m.see(told("2.40"));
    expect((await m.api.get(`/monitors/${UNKNOWN_ID}/versions`)).status).toBe(404);
    expect((await m.api.delete(`/monitors/${m.id}`)).status).toBe(204);
    expect((await m.api.get(`/monitors/${m.id}/versions`)).status).toBe(404);
  });
});
