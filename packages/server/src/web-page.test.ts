import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpApp, type HttpApp } from "@orchestrator/kernel/http";
import { createLogger, createMetrics } from "@orchestrator/kernel/log";
import { AUTH_MODES, type AuthMode } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { afterAll, describe, expect, test } from "vitest";
import { serveWebPage } from "./web-page.ts";

const clock = manualClock();
const folder = mkdtempSync(join(tmpdir(), "orchestrator-web-page-"));
mkdirSync(join(folder, "assets"));
writeFileSync(
  join(folder, "index.html"),
  `<meta name="auth-mode" content="open" /><meta name="services" content="orchestrator uptime" /><meta name="served-at" content="" /><title>the page</title>`,
);
writeFileSync(join(folder, "assets", "app-1a2b.js"), "console.log('it works')");
afterAll(() => rmSync(folder, { recursive: true }));

function open(authMode: AuthMode = "open"): HttpApp {
  const app = bare();
  app.get("/api/known", async () => ({ known: true }));
  app.post("/api/known/:id/change", async () => null);
  expect(serveWebPage(app, { authMode, services: ["uptime"], clock, folder })).toBe(true);
  return app;
}

function bare(): HttpApp {
  const log = createLogger({ level: "error", format: "json", name: "test" });
  return createHttpApp({ log, metrics: createMetrics() });
}

describe("the page of the web UI", () => {
  test.each(["/", "/runs", "/runs/123?tab=logs", "/monitors"])(
    "is the answer to %s",
    async (url) => {
      const answer = await open().inject({ url });
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain("the page");
      expect(answer.headers["content-security-policy"]).toContain("default-src 'self'");
      expect(answer.headers["cache-control"]).toBe("no-cache");
    },
  );

  test.each(AUTH_MODES)("says that the mode is %s", async (mode) => {
    const { body } = await open(mode).inject({ url: "/" });
    expect(body).toContain(`<meta name="auth-mode" content="${mode}" />`);
  });

  test("says which services there are", async () => {
    const { body } = await open().inject({ url: "/" });
    expect(body).toContain(`<meta name="services" content="uptime" />`);
  });

  test("says when it was handed out, by the clock of the server", async () => {
    const app = open();
    const servedAt = async () =>
      /<meta name="served-at" content="([^"]*)"/.exec((await app.inject({ url: "/" })).body)?.[1];
    expect(await servedAt()).toBe(clock.now());
    clock.advanceMs(1500);
    expect(await servedAt()).toBe(clock.now());
  });

  test("is the same below a workspace", async () => {
    const nil = "00000000-0000-0000-0000-000000000000";
    const at = `/accounts/${nil}/workspaces/${nil}`;
    for (const url of [at, `${at}/runs`])
      expect((await open("accounts").inject({ url })).body).toContain("the page");
  });

  test.each(["/api", "/api/unknown", "/uptime/api/unknown", "/metrics/x"])(
    "does not stand in for a service that knows no %s",
    async (url) => {
      const answer = await open().inject({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ detail: "Not Found" });
    },
  );

  test("does not hide that a service knows the address by another method", async () => {
    const answer = await open().inject({ url: "/api/known/1/change" });
    expect([answer.statusCode, answer.headers["allow"]]).toEqual([405, "POST, OPTIONS"]);
    expect(answer.json()).toMatchObject({ detail: "Method Not Allowed" });
  });

  test("leaves what services know to them", async () => {
    expect((await open().inject({ url: "/api/known" })).json()).toEqual({ known: true });
  });

  test("is nothing that can be posted to", async () => {
    expect((await open().inject({ method: "POST", url: "/runs" })).statusCode).toBe(404);
  });

  test("is not served where it was not built", () => {
    const nowhere = {
      authMode: "open",
      services: [],
      clock,
      folder: join(folder, "nowhere"),
    } as const;
    expect(serveWebPage(bare(), nowhere)).toBe(false);
  });
});

describe("the files of the web UI", () => {
  test("are kept for ever by whoever got them, because their names change with them", async () => {
    const answer = await open().inject({ url: "/assets/app-1a2b.js" });
    expect(answer.body).toBe("console.log('it works')");
    expect(answer.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  test("are sent compressed to those who take it", async () => {
    const headers = { "accept-encoding": "gzip" };
    const answer = await open().inject({ url: "/assets/app-1a2b.js", headers });
    expect(answer.headers["content-encoding"]).toBe("gzip");
  });

  test("are sent as they are to those who refuse that", async () => {
    const headers = { "accept-encoding": "gzip;q=0, identity" };
    const answer = await open().inject({ url: "/assets/app-1a2b.js", headers });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(answer.body).toBe("console.log('it works')");
  });

  test.each(["/assets/other.js", "/assets/..%2Findex.html", "/assets/%2e%2e%2findex.html"])(
    "are only those that are there: %s",
    async (url) => {
      expect((await open().inject({ url })).statusCode).toBe(404);
    },
  );
});
