import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CodeCache } from "./code-cache.ts";

function home(): Disposable & { readonly path: string; readonly code: string } {
  const path = mkdtempSync(join(tmpdir(), "code-cache-"));
  const dispose = (): void => rmSync(path, { recursive: true });
  return { path, code: join(path, "code"), [Symbol.dispose]: dispose };
}

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Folders that were last used so many minutes ago. */
function fill(code: string, names: readonly string[], minutes: number): void {
  const used = Date.now() / 1000 - minutes * 60;
  for (const name of names) {
    mkdirSync(join(code, name));
    utimesSync(join(code, name), used, used);
  }
}

test("what was used longest ago is removed beyond fifty versions, unless it is in use", async () => {
  using at = home();
  const cache = new CodeCache(at.path);
  const held = await cache.obtain("held", async () => {});
  fill(
    at.code,
    Array.from({ length: 60 }, (_, i) => `old-${i}`),
    60,
  );
  utimesSync(dirname(held.folder), 0, 0);
  const fresh = Array.from({ length: 55 }, (_, i) => `fresh-${i}`);
  fill(at.code, fresh, 5);
  await cache.obtain("new", async () => {});
  // Another worker may use what is fresh.
  expect(new Set(readdirSync(at.code))).toEqual(new Set(["new", "held", ...fresh]));
  held.release();
  await cache.obtain("newer", async () => {});
  expect(readdirSync(at.code)).not.toContain("held");
});

test("a version that could not be made leaves nothing, and is made by the next who asks", async () => {
  using at = home();
  const cache = new CodeCache(at.path);
  const [begun, lost] = [gate(), gate()];
  const failing = cache.obtain("v1", async (folder) => {
    writeFileSync(join(folder, "half"), "");
    begun.open();
    await lost.opened;
    throw new Error("no network");
  });
  await begun.opened;
  const waiting = cache.obtain("v1", async (folder) => writeFileSync(join(folder, "whole"), ""));
  lost.open();
  await expect(failing).rejects.toThrow("no network");
  expect(readdirSync((await waiting).folder)).toEqual(["whole"]);
  expect(readdirSync(at.code)).toEqual(["v1"]);
});

test("what a lost worker was making is removed after a day", async () => {
  using at = home();
  const cache = new CodeCache(at.path);
  fill(at.code, [".making-lost"], 25 * 60);
  fill(at.code, [".making-now"], 10);
  await cache.obtain("v1", async () => {});
  expect(readdirSync(at.code).toSorted()).toEqual([".making-now", "v1"]);
});

test("of two workers that make a version, both use the one that was first", async () => {
  using at = home();
  const [begun, go] = [gate(), gate()];
  const slow = new CodeCache(at.path).obtain("v1", async (folder) => {
    writeFileSync(join(folder, "slow"), "");
    begun.open();
    await go.opened;
  });
  await begun.opened;
  const fast = await new CodeCache(at.path).obtain("v1", async (folder) =>
    writeFileSync(join(folder, "fast"), ""),
  );
  go.open();
  expect((await slow).folder).toBe(fast.folder);
  expect(readdirSync(fast.folder)).toEqual(["fast"]);
  expect(readdirSync(join(at.code, "v1"))).toHaveLength(2);
});

test("what a lost worker was making of a version is removed by the next who makes it", async () => {
  using at = home();
  const cache = new CodeCache(at.path);
  mkdirSync(join(at.code, "v1"));
  fill(at.code, ["v1/lost"], 25 * 60);
  const { folder } = await cache.obtain("v1", async () => {});
  expect(new Set(readdirSync(join(at.code, "v1")))).toEqual(new Set(["ready", basename(folder)]));
});

test("a run that is cancelled waits for no other run's version", async () => {
  using at = home();
  const cache = new CodeCache(at.path);
  const [begun, go] = [gate(), gate()];
  const making = cache.obtain("v1", async () => {
    begun.open();
    await go.opened;
  });
  await begun.opened;
  const stop = new AbortController();
  const waiting = cache.obtain("v1", async () => {}, stop.signal);
  stop.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  go.open();
  await making;
});
