// Looking after a server and its database from a terminal.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createClient } from "@orchestrator/client";
import { startPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { launchCommand, runCommand, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { openTerminal } from "./terminal.ts";

test("a server that runs says that it is well and what it does in the background", async () => {
  await using terminal = await openTerminal();
  expect(await terminal.text("server", "status")).toMatch(/is ready\n/);
  expect(await terminal.json("server", "status")).toMatchObject({ ready: true, uptime: true });
  const loops = await terminal.json<{ name: string }[]>("server", "services", "ls");
  expect(loops.map(({ name }) => name)).toContain("scheduler");
});

test("a server is started in the background as Node was told to run, found and stopped", async () => {
  await using folder = await temporaryFolder();
  const noteFlags = `${folder.path}/note-flags.cjs`;
  const noted = `${folder.path}/flags`;
  writeFileSync(
    noteFlags,
    `require("node:fs").appendFileSync(${JSON.stringify(noted)}, process.argv.includes("--background") ? "" : process.execArgv + "\\n");`,
  );
  const nodeFlags = ["--max-semi-space-size=8", `--require=${noteFlags}`];
  const env = { ORCHESTRATOR_HOME: `${folder.path}/data` };
  const server = (...args: string[]) => runCommand(["server", ...args], env);
  expect(await server("stop")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No server/),
  });
  const port = String(await freePort());
  // What it prints ends with the banner of the server, which is not this process.
  const { exited, stdout, stderr } = launchCommand(
    ["server", "start", "--background", "--port", port],
    env,
    nodeFlags,
  );
  expect(await exited).toMatchObject({ code: 0 });
  expect(readFileSync(noted, "utf8")).toContain(nodeFlags.join());
  expect(stdout()).toContain(`http://127.0.0.1:${port}/api`);
  expect(stderr()).toContain("orchestrator server stop");
  const status = ["server", "status", "--json"];
  const api = { ...env, ORCHESTRATOR_API_URL: `http://127.0.0.1:${port}/api` };
  expect(await runCommand(status, api)).toMatchObject({ code: 0 });
  expect(await server("start", "--background", "--port", port)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/did not start[^]*(?:in use|using)/),
  });
  expect(await server("stop", "--port", "1")).toMatchObject({ code: 1 });
  expect(await server("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining(port) });
  expect(await runCommand(status, api)).toMatchObject({ code: 1 });
  expect(await server("stop")).toMatchObject({ code: 1 });
});

test("where no server is, the next step is said", async () => {
  await using folder = await temporaryFolder();
  const env = { ORCHESTRATOR_HOME: folder.path, ORCHESTRATOR_API_URL: "http://127.0.0.1:2/api" };
  expect(await runCommand(["server", "status"], env)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/No server at [^]*orchestrator server start/),
  });
});

test("a database is made, told about and deleted, but not under a server that runs", async () => {
  await using folder = await temporaryFolder();
  const env = { ORCHESTRATOR_HOME: `${folder.path}/data` };
  const database = (...args: string[]) => runCommand(["server", "database", ...args], env);
  expect((await database("status")).stdout).toContain("not there yet");
  expect((await database("upgrade")).stdout).toMatch(/Applied:[^]*orchestrator: /);
  expect((await database("upgrade")).stdout).toContain("up to date already");
  expect((await database("status")).stdout).toContain("up to date");
  expect(await database("reset")).toMatchObject({ code: 1, stderr: expect.stringContaining("-y") });
  expect(await database("reset", "-y")).toMatchObject({ code: 0 });
  expect(existsSync(`${folder.path}/data/orchestrator.db`)).toBe(false);
  expect(await database("reset", "-y")).toMatchObject({ code: 1 });
});

test("a database that a server uses is left alone", async () => {
  await using terminal = await openTerminal();
  await terminal.client.variables.create({ name: "kept", value: 1 });
  expect(await terminal.type(["server", "database", "reset", "-y"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("stop it first"),
  });
  expect(await terminal.json("server", "database", "status")).toMatchObject({ in_use: true });
  expect((await terminal.client.variables.readByName("kept")).value).toBe(1);
});

test("a database of PostgreSQL is brought up to date, and deleting it is left to its own tools", async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres();
  const env = { ORCHESTRATOR_HOME: folder.path, ORCHESTRATOR_DATABASE_URL: postgres.url };
  const database = (...args: string[]) => runCommand(["server", "database", ...args], env);
  expect((await database("status")).stdout).toContain("behind");
  expect((await database("upgrade")).stdout).toContain("Applied:");
  expect((await database("status")).stdout).toContain("up to date");
  expect(await database("reset", "-y")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("dropdb"),
  });
  expect((await database("status")).stdout).toContain("up to date");
});

test("a step back is refused with the way back", async () => {
  await using folder = await temporaryFolder();
  const home = `${folder.path}/data`;
  const command = ["server", "database", "downgrade"];
  const onFile = await runCommand(command, { ORCHESTRATOR_HOME: home });
  expect(onFile).toMatchObject({ code: 1, stdout: "" });
  expect(onFile.stderr).toContain("orchestrator server stop\n");
  expect(onFile.stderr).toContain(`cp BACKUP '${home}/orchestrator.db'`);
  const ORCHESTRATOR_DATABASE_URL = "postgres://me:pssst@127.0.0.1/shop";
  const onServer = await runCommand(command, {
    ORCHESTRATOR_HOME: home,
    ORCHESTRATOR_DATABASE_URL,
  });
  const where = "--host='127.0.0.1' --username='me'";
  expect(onServer).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`dropdb ${where} 'shop'`),
  });
  expect(onServer.stderr).not.toContain("pssst");
});

test("steps are noted as taken only where there is a database and somebody says yes", async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres();
  const file = { ORCHESTRATOR_HOME: `${folder.path}/data` };
  const stamp = ["server", "database", "stamp"];
  expect(await runCommand([...stamp, "-y"], file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no database"),
  });
  await runCommand(["server", "database", "upgrade"], file);
  expect((await runCommand(stamp, file)).stdout).toContain("noted already");
  const other = { ...file, ORCHESTRATOR_DATABASE_URL: postgres.url };
  expect(await runCommand(stamp, other)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("say yes with -y"),
  });
  const { stamped } = JSON.parse((await runCommand([...stamp, "-y", "--json"], other)).stdout) as {
    readonly stamped: readonly string[];
  };
  expect(stamped.length).toBeGreaterThan(10);
  expect((await runCommand(["server", "database", "upgrade"], other)).stdout).toContain(
    "up to date already",
  );
});

test("background work is done without an API, beside a server on the same database", async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres();
  const start = ["server", "services", "start"];
  expect(await runCommand(start, { ORCHESTRATOR_HOME: `${folder.path}/file` })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ORCHESTRATOR_DATABASE_URL"),
  });
  const env = { ORCHESTRATOR_HOME: folder.path, ORCHESTRATOR_DATABASE_URL: postgres.url };
  await using services = launchCommand([...start, "--services", "orchestrator"], env);
  await retryUntil(() => expect(services.stdout()).toContain("background work of orchestrator\n"));
  // It has the leases, so that what has to be done for a run is done by that process.
  await using server = await startReadyServer({ home: folder.path, databaseUrl: postgres.url });
  const client = createClient({ url: `${server.url}/api` });
  const { id: flow_id } = await client.flows.create({ name: "etl" });
  const state_details = { scheduled_time: "2026-01-01T00:00:00Z" };
  const run = { flow_id, state: { type: "SCHEDULED" as const, state_details } };
  const { id } = await client.flowRuns.create(run);
  await retryUntil(async () => expect((await client.flowRuns.read(id)).state_name).toBe("Late"));
  const { loops } = (await client.server.readiness()) as {
    readonly loops: Readonly<Record<string, { readonly status: string }>>;
  };
  expect(loops["late-runs"]?.status).toBe("standby");
  services.kill("SIGTERM");
  expect(await services.exited).toMatchObject({ code: 0 });
});
