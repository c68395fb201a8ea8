import { createHttpApp } from "@orchestrator/kernel/http";
import { createLogger, createMetrics } from "@orchestrator/kernel/log";
import { expect, test } from "vitest";
import { mountUptime } from "./app.ts";
import { recordResult } from "./results/record-result.service.ts";
import { anOutcome } from "./testing/scripted-pipeline.ts";
import { describeEachUptimeApi } from "./testing.ts";

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly security?: readonly unknown[];
}

describeEachUptimeApi("the uptime API", (open) => {
  test("has a document that names every operation once, and schemas that compile", async () => {
    await using api = await open();
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const metrics = createMetrics();
    const app = createHttpApp({ log, metrics });
    const { document, compileSchemas } = mountUptime(app, api.ctx);
    await app.ready();
    compileSchemas();
    const { paths } = document() as { readonly paths: Record<string, Record<string, Operation>> };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ summary }) => summary === undefined)).toEqual([]);
    const isOpen = operations.filter(({ security }) => security?.length === 0);
    expect(new Set(isOpen.map(({ operationId }) => operationId))).toEqual(
      new Set([
        "logIn",
        "readHealth",
        "readPublicStatusPage",
        "reportFailure",
        "reportHeartbeat",
        "sendFailure",
        "sendHeartbeat",
      ]),
    );
    expect(document()).toMatchObject({ security: [{ basic: [] }, { session: [] }] });
    await app.close();
    metrics.close();
  });

  test.each(["", "/accounts/:workspace/workspaces/:workspace"])(
    "tells where things are found in the way it was asked (%s)",
    async (named) => {
      await using api = await open();
      const place = named.replaceAll(":workspace", api.workspaceId);
      const { headers, body } = await api.post(`${place}/monitors`, {
        name: "shop",
        url: "https://shop.example.com",
      });
      const { id: monitorId } = body as { readonly id: string };
      expect(headers["location"]).toBe(`/uptime/api${place}/monitors/${monitorId}`);

      const slug = { slug: "shop", title: "Shop" };
      const window = { name: "move", all_monitors: true, schedule: "@daily", duration: 60 };
      const made = [
        await api.post(`${place}/maintenance/`, window),
        await api.post(`${place}/status-pages`, slug),
      ];
      const report = { title: "Slow", text: "We look" };
      const pagePath = String(made[1]?.headers["location"]).replace("/uptime/api", "");
      made.push(await api.post(`${pagePath}/reports`, report));
      for (const answer of made) {
        const address = String(answer.headers["location"]);
        expect(address).toContain(`/uptime/api${place}/`);
        const path = address.replace("/uptime/api", "");
        expect(await api.get(path)).toMatchObject({ status: 200, body: { id: expect.anything() } });
      }

      const outcome = anOutcome("up");
      const { workspaceId, ctx } = api;
      for (const second of ["00", "01"])
        await recordResult(ctx, {
          workspaceId,
          monitorId,
          outcome,
          checkedAt: `2026-11-15T09:00:${second}.000000Z`,
          trigger: "schedule",
        });
      const page = await api.get(`${place}/monitors/${monitorId}/results?limit=1`);
      expect(page.headers["link"]).toContain(`</uptime/api${place}/monitors/${monitorId}/results?`);
    },
  );

  test("tells that a path is unknown, and which methods a known one has", async () => {
    await using api = await open();
    expect(await api.get("/nothing")).toMatchObject({ status: 404 });
    const answer = await api.patch("/monitors");
    expect(answer.status).toBe(405);
    expect(answer.headers["allow"]).toContain("POST");
  });
});
