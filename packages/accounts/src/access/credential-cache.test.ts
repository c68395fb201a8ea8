import { describeEachDatabase } from "@orchestrator/kernel/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accountsMigrations } from "../db/migrations/index.ts";
import { accessChanged } from "./access.store.ts";
import { AccessChanges } from "./access-changes.ts";
import { CredentialCache } from "./credential-cache.ts";

/**
 * The cache polls for missed changes every second. Tests that count queries control the clock, so
 * that no poll falls between two of them.
 */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describeEachDatabase("what credentials open", (open) => {
  test("is looked up once for all who ask at the same time, and anew after a change", async () => {
    await using opened = await open([accountsMigrations]);
    const { db } = opened;
    const changes = new AccessChanges(db);
    await changes.check();
    const finish: ((value: string) => void)[] = [];
    const known = new CredentialCache<string>(
      changes,
      () => new Promise((resolve) => void finish.push(resolve)),
    );
    const before = [known.find("a"), known.find("a"), known.find("b")];
    expect(finish).toHaveLength(2);
    await db.writeSystem((tx) => accessChanged(tx));
    const after = known.find("a");
    expect(finish).toHaveLength(3);
    for (const [n, end] of finish.entries()) end(`found ${n}`);
    const found: unknown[] = [];
    for (const each of before) found.push(await each);
    expect(found).toEqual(["found 0", "found 0", "found 1"]);
    expect(await after).toBe("found 2");
    expect(known.find("a")).toBe("found 2");
  });

  test("is looked up again where that failed", async () => {
    await using opened = await open([accountsMigrations]);
    const changes = new AccessChanges(opened.db);
    await changes.check();
    const answers = [Promise.reject(new Error("away")), Promise.resolve("found")];
    const known = new CredentialCache<string>(changes, () => answers.shift() as Promise<string>);
    await expect(known.find("a")).rejects.toThrow("away");
    expect(await known.find("a")).toBe("found");
  });
});
