import { createHttpApp, createLogger, createMetrics } from "@orchestrator/kernel";
import { expect, test } from "vitest";
import { mountUptime } from "./app.ts";
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

  test("tells that a path is unknown, and which methods a known one has", async () => {
    await using api = await open();
    expect(await api.get("/nothing")).toMatchObject({ status: 404 });
    const answer = await api.patch("/monitors");
    expect(answer.status).toBe(405);
    expect(answer.headers["allow"]).toContain("POST");
  });
});
