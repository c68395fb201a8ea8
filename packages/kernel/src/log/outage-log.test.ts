import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "../errors/app-error.ts";
import { StorageAwayError } from "../errors/storage-away.ts";
import { createLogger } from "./logger.ts";
import { OutageLog } from "./outage-log.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const away = (): Error =>
  new StorageAwayError("The database is not available", new Error("connect ECONNREFUSED"));
const STORAGE_LINE = "The storage is";

/** A log of a server whose storage goes and comes back as the test says. */
function watchedLog(level: "warn" | "debug" = "warn") {
  const lines: string[] = [];
  const outage = new OutageLog();
  const write = (line: string): void => {
    lines.push((JSON.parse(line) as { readonly message: string }).message);
  };
  const log = createLogger({ level, format: "json", destination: { write }, outage });
  const storage = { isAway: true };
  const probe = async (): Promise<void> => {
    if (storage.isAway) throw away();
  };
  const { signal } = new AbortController();
  outage.watch({ log, probe, signal });
  return { log, lines, storage };
}

test("an outage of three minutes has a line when it begins, one a minute, and one when it is over", async () => {
  const { log, lines, storage } = watchedLog();
  for (let second = 0; second < 180; second += 1) {
    log.warn({ err: away() }, "request refused");
    log.error({ err: new Error("A pass", { cause: away() }) }, "A background pass failed");
    await vi.advanceTimersByTimeAsync(1000);
  }
  storage.isAway = false;
  await vi.advanceTimersByTimeAsync(1000);
  const reason = "The database is not available (connect ECONNREFUSED)";
  const still = `The storage is still away, and requests that need it are answered 503: ${reason}`;
  expect(lines).toEqual([
    `The storage is away, and requests that need it are answered 503: ${reason}`,
    still,
    still,
    still,
    "The storage is back",
  ]);
});

test("a storage that comes and goes has no more lines than one that stays away", async () => {
  const { log, lines, storage } = watchedLog();
  storage.isAway = false;
  for (let second = 0; second < 60; second += 1) {
    log.warn({ err: away() }, "request refused");
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(lines).toEqual([expect.stringContaining(STORAGE_LINE), "The storage is back"]);
});

test("a refusal under load has one line a minute, and other lines are all there", async () => {
  const { log, lines } = watchedLog();
  for (let second = 0; second < 90; second += 1) {
    log.warn(
      { err: new AppError("unavailable", "Too many writes are waiting") },
      "request refused",
    );
    if (second % 30 === 0) log.error({ err: new Error("Broken") }, "request failed");
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(lines).toEqual([
    "request refused",
    "request failed",
    "request failed",
    "request refused",
    "request failed",
  ]);
});

test("at level debug each line is there beside those of the outage", () => {
  const { log, lines } = watchedLog("debug");
  log.warn({ err: away() }, "one");
  log.warn({ err: away() }, "two");
  expect(lines).toEqual([expect.stringContaining(STORAGE_LINE), "one", "two"]);
});

test("nothing of a driver's client that hangs on an error is logged", () => {
  class Client {
    readonly connectionParameters = { host: "db.internal", binary: "x".repeat(10_000) };
  }
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ level: "warn", format: "json", destination });
  const lost = Object.assign(new Error("Connection terminated"), {
    client: new Client(),
    code: "57P01",
    details: { where: "idle", socket: new Client() },
  });
  log.warn({ err: new AggregateError([lost], "All lost") }, "A database connection was lost");
  log.warn({ err: lost }, "A database connection was lost");
  expect(lines.join("")).not.toContain("db.internal");
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({
    err: { message: "Connection terminated", code: "57P01", details: { where: "idle" } },
  });
});
