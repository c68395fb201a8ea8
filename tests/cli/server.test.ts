// Looking after a server and its database from a terminal.
import { existsSync } from "node:fs";
import { startPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { launchCommand, runCommand } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { freePort } from "./free-port.ts";
import { openTerminal } from "./terminal.ts";

test("a server that runs says that it is well and what it does in the background", async () => {
  await using terminal = await openTerminal();
  expect(await terminal.text("server", "status")).toMatch(/is ready\n/);
  expect(await terminal.json("server", "status")).toMatchObject({ ready: true, uptime: true });
  const loops = await terminal.json<{ name: string }[]>("server", "services", "ls");
  expect(loops.map(({ name }) => name)).toContain("scheduler");
});

test("a server is started in the background, found and stopped", async () => {
  await using folder = await temporaryFolder();
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
  );
  expect(await exited).toMatchObject({ code: 0 });
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
