// Starting and stopping as a user sees it.
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { createTestPostgres } from "@orchestrator/kernel/testing";
import { describe, expect, test } from "vitest";
import { httpClient } from "../support/http-client.ts";
import { beginRequest } from "../support/raw-request.ts";
import { runCommand, type ServerProcess, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

const manifest = new URL("../../packages/server/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };

async function statusOf(url: string): Promise<number> {
  using client = httpClient(url);
  return (await client.get("")).status;
}

describe("a start", () => {
  test("tells where everything is and keeps the data folder to its owner", async () => {
    await using folder = await temporaryFolder();
    const home = `${folder.path}/data`;
    await using server = await startReadyServer({ home });
    const { url } = server;
    expect(server.stdout().split("\n")).toEqual([
      // As soon as it is there: nobody would be told again if the start failed.
      expect.stringMatching(/^ {2}Uptime login admin \/ [A-Za-z0-9_-]{24} \(shown this once/),
      "",
      expect.stringMatching(new RegExp(`^Orchestrator ${version} is ready \\(\\d+\\.\\d s\\)$`)),
      "",
      `  API          ${url}/api`,
      `  Docs         ${url}/api/docs`,
      `  Uptime API   ${url}/uptime/api`,
      `  UI           ${url}/`,
      `  Data folder  ${home}`,
      `  Database     sqlite: ${home}/orchestrator.db`,
      "",
      "",
    ]);
    expect(server.stderr()).toBe("");
    for (const path of ["/api/health", "/api/ready", "/api/docs", "/uptime/api/health", "/"])
      expect(await statusOf(url + path), path).toBe(200);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(`${home}/secrets/keys.json`).mode & 0o777).toBe(0o600);
  });

  test("shows the address of the database without its password", async () => {
    await using folder = await temporaryFolder();
    const { url, drop } = await createTestPostgres();
    const withPassword = new URL(url);
    withPassword.password = "hunter2";
    try {
      await using server = await startReadyServer({
        home: folder.path,
        databaseUrl: withPassword.href,
      });
      expect(server.stdout()).toContain(withPassword.href.replace("hunter2", "***"));
      expect(server.stdout() + server.stderr()).not.toContain("hunter2");
    } finally {
      await drop();
    }
  });

  test("serves only the services asked for", async () => {
    await using folder = await temporaryFolder();
    await using uptime = await startReadyServer({
      home: `${folder.path}/uptime`,
      flags: ["--services", "uptime"],
    });
    expect(await statusOf(`${uptime.url}/uptime/api/health`)).toBe(200);
    expect(await statusOf(`${uptime.url}/api/health`)).toBe(404);
    expect(uptime.stdout()).not.toContain(`${uptime.url}/api`);
    await using orchestrator = await startReadyServer({
      home: `${folder.path}/orchestrator`,
      env: { ORCHESTRATOR_SERVER_SERVICES: "orchestrator" },
    });
    expect(await statusOf(`${orchestrator.url}/api/health`)).toBe(200);
    expect(await statusOf(`${orchestrator.url}/uptime/api/health`)).toBe(404);
    expect(orchestrator.stdout()).not.toContain("/uptime");
  });

  test("speaks the dialect asked for, and its flag wins over the environment", async () => {
    await using folder = await temporaryFolder();
    const env = { ORCHESTRATOR_SERVER_DIALECT: "prefect" };
    const versionOf = async ({ url }: ServerProcess): Promise<unknown> => {
      using client = httpClient(url);
      return (await client.get("/api/admin/version")).json();
    };
    await using byFlag = await startReadyServer({
      home: `${folder.path}/flag`,
      flags: ["--dialect", "prefect"],
    });
    expect(await versionOf(byFlag)).toMatch(/^3\./);
    await using flagWins = await startReadyServer({
      home: `${folder.path}/wins`,
      flags: ["--dialect", "orchestrator"],
      env,
    });
    expect(await versionOf(flagWins)).toBe(version);
  });

  test("warns of a setting that does not exist, with the one that was probably meant, and goes on", async () => {
    await using folder = await temporaryFolder();
    await using server = await startReadyServer({
      home: folder.path,
      env: { ORCHESTRATOR_LOG_LEVL: "debug" },
    });
    expect(server.stderr()).toBe(
      "orchestrator: ORCHESTRATOR_LOG_LEVL is set in the environment but no setting has that name; did you mean ORCHESTRATOR_LOG_LEVEL?\n",
    );
    expect(await statusOf(`${server.url}/api/health`)).toBe(200);
  });
});

describe("a signal", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s lets the request in flight be answered, then ends with 0 and leaves the port free",
    async (signal) => {
      await using folder = await temporaryFolder();
      const variable = { name: "late", value: "the body arrived after the signal", tags: [] };
      await using server = await startReadyServer({ home: folder.path });
      using request = await beginRequest(server.url, "/api/variables/", variable);
      server.kill(signal);
      await untilRefused(server);
      request.finish();
      expect(await request.answer).toMatch(
        /\r\nHTTP\/1\.1 201 Created\r\n[^]*connection: close\r\n/,
      );
      expect(await server.exited).toEqual({ code: 0, signal: null });
      expect(server.stderr()).toBe(
        `${signal}: finishing what is in flight; once more stops at once\n`,
      );
      await expectFree(server);
      await using again = await startReadyServer({ home: folder.path });
      expect(await statusOf(`${again.url}/api/variables/name/late`)).toBe(200);
    },
  );

  test("cuts off a request that takes longer than a stop may", async () => {
    await using folder = await temporaryFolder();
    const env = { ORCHESTRATOR_SERVER_STOP_TIMEOUT: "200ms" };
    await using server = await startReadyServer({ home: folder.path, env });
    using request = await beginRequest(server.url, "/api/variables/", { name: "never" });
    server.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await request.answer).not.toContain("HTTP/1.1 201");
    await expectFree(server);
  });

  test("that comes a second time stops at once", async () => {
    await using folder = await temporaryFolder();
    await using server = await startReadyServer({ home: folder.path });
    using request = await beginRequest(server.url, "/api/variables/", { name: "never" });
    server.kill("SIGTERM");
    await untilRefused(server);
    server.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 143, signal: null });
    expect(await request.answer).not.toContain("HTTP/1.1 201");
  });

  test("ends a server without requests although clients keep connections open", async () => {
    await using folder = await temporaryFolder();
    await using server = await startReadyServer({ home: folder.path });
    using client = httpClient(server.url);
    expect((await client.get("/api/health")).headers.connection).toBe("keep-alive");
    server.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});

test("the settings in force are shown without their secrets", async () => {
  const { code, stdout } = await runCommand(["server", "settings"], {
    ORCHESTRATOR_DATABASE_URL: "postgres://someone:hunter2@db.example/main",
    ORCHESTRATOR_SECRET_KEY: "ab".repeat(32),
  });
  expect(code).toBe(0);
  expect(stdout).toContain("postgres://someone:***@db.example/main");
  expect(stdout).not.toContain("hunter2");
  expect(stdout).not.toContain("abab");
});

async function untilRefused({ url }: ServerProcess): Promise<void> {
  await retryUntil(async () => {
    await expect(statusOf(`${url}/api/health`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
}

async function expectFree({ url }: ServerProcess): Promise<void> {
  const port = Number(new URL(url).port);
  // Somebody else's outgoing connection may be given the port for a moment.
  await retryUntil(async () => {
    const probe = createServer().listen({ host: "127.0.0.1", port });
    await once(probe, "listening");
    await new Promise((resolve) => probe.close(resolve));
  });
}
