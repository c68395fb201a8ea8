import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordServer, runningServers } from "./running-servers.ts";

/** Whatever its command line looks like, as that of `npm start` does not name the command. */
const SERVER = { pid: process.pid, url: "http://127.0.0.1:4200" };
const NOBODY = 2 ** 22 + 1;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "servers-"));
});
afterEach(() => rm(home, { recursive: true }));

function write(note: object): void {
  mkdirSync(join(home, "servers"));
  writeFileSync(join(home, "servers", "1.json"), JSON.stringify(note));
}

test("a server is found while it runs, however it was started", () => {
  const remove = recordServer(home, SERVER);
  expect(runningServers(home)).toEqual([expect.objectContaining(SERVER)]);
  remove();
  expect(runningServers(home)).toEqual([]);
});

test.each([
  ["of a server that is gone", { ...SERVER, pid: NOBODY, start: "1" }],
  ["of a server whose number another program has by now", { ...SERVER, start: "another time" }],
  ["of an older version, whose number is no server's by now,", SERVER],
])("a note %s is taken away", (_, note) => {
  write(note);
  expect(runningServers(home)).toEqual([]);
  expect(readdirSync(join(home, "servers"))).toEqual([]);
});

test("where nobody could say when a server was started, its number must do", () => {
  write({ ...SERVER, start: null });
  expect(runningServers(home)).toEqual([expect.objectContaining(SERVER)]);
});

test("a server of an older version, whose note does not say when it was started, is found", () => {
  const args = ["-e", "setInterval(() => {}, 1e6)", "server", "start"];
  const older = spawn(process.execPath, args, { stdio: "ignore" });
  try {
    const note = { ...SERVER, pid: older.pid };
    write(note);
    expect(runningServers(home)).toEqual([note]);
  } finally {
    older.kill("SIGKILL");
  }
});
