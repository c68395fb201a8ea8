import { manualClock } from "@orchestrator/kernel/testing";
import { expect } from "vitest";
import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import { recordResult } from "../results/record-result.service.ts";
import { anOutcome } from "./scripted-pipeline.ts";
import type { OpenUptimeApi } from "./test-api.ts";

/** An API whose public pages are looked at by real requests, without credentials. */
export async function openStatusPages(open: OpenUptimeApi, start = "2026-11-15T09:00:00Z") {
  const clock = manualClock(start);
  const api = await open({ clock });
  const base = (await api.url()).replace(/\/uptime\/api$/, "");
  const create = async (path: string, body: unknown) => {
    const answer = await api.post(path, body);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as { readonly id: string; readonly [key: string]: unknown };
  };
  return {
    api,
    clock,
    create,
    async monitor(name: string, more: Readonly<Record<string, unknown>> = {}) {
      return (await create("/monitors", { name, url: "internal.example.com", ...more })).id;
    },
    /** A minute later a result is there. */
    async see(
      monitorId: string,
      status: PipelineOutcome["status"],
      more: Partial<PipelineOutcome> = {},
    ) {
      clock.advanceMs(60_000);
      const finding = { monitorId, outcome: anOutcome(status, more), checkedAt: clock.now() };
      const { workspaceId } = api;
      await recordResult(api.ctx, { ...finding, workspaceId, trigger: "schedule" });
    },
    /** What anybody gets, once what was known before is too old. */
    async visit(path: string, headers: Readonly<Record<string, string>> = {}) {
      clock.advanceMs(10_000);
      return fetch(base + path, { headers });
    },
    /** The same at once. */
    look: (path: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(base + path, { headers }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}
