import type { Database } from "@orchestrator/kernel/storage";
import {
  awayOnce,
  describeEachDatabase,
  type ManualClock,
  manualClock,
} from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { insertAccount, insertMember, insertUser } from "../accounts/accounts.store.ts";
import { accountsMigrations } from "../db/migrations/index.ts";
import type { SessionRow } from "../db/tables.ts";
import { deleteOverSessions } from "../sign-in/sessions/sessions.service.ts";
import { insertSession } from "../sign-in/sessions/sessions.store.ts";
import { AccessChanges } from "./access-changes.ts";
import { KeyCache } from "./key-cache.ts";
import { SessionCache } from "./session-cache.ts";

const HOUR_MS = 3_600_000;
const [ACCOUNT, USER, SESSION] = ["a", "b", "c"].map(
  (letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`,
) as [string, string, string];

/** Sessions that last an hour unused and a day in all. */
function cacheOf(db: Database, clock: ManualClock): SessionCache {
  const changes = new AccessChanges(db);
  const keys = new KeyCache({ db, clock }, changes);
  return new SessionCache({ db, clock, keys, idleMs: HOUR_MS }, changes);
}

async function begin(db: Database, clock: ManualClock): Promise<string> {
  const now = clock.now();
  const times = { created: now, updated: now };
  const row: SessionRow = {
    id: SESSION,
    user_id: USER,
    api_key_id: null,
    token_hash: "hash",
    created: now,
    last_used: now,
    ends: "2026-01-02T00:00:00.000000Z",
    address: "192.0.2.1",
    user_agent: "",
  };
  await db.writeSystem(async (tx) => {
    await insertUser(tx, { id: USER, ...times, name: "u", email: null, password_hash: null });
    await insertAccount(tx, { id: ACCOUNT, ...times, name: "A", handle: "a" });
    const member = { account_id: ACCOUNT, user_id: USER, created: now, role: "viewer" as const };
    await insertMember(tx, member);
    await insertSession(tx, row);
  });
  return row.token_hash;
}

async function use(cache: SessionCache, hash: string): Promise<boolean> {
  const session = await cache.find(hash);
  if (session !== null) cache.noteUse(session);
  return session !== null;
}

describeEachDatabase("a session", (open) => {
  test("lasts as long as it is used, and no longer than a session may last", async () => {
    await using database = await open([accountsMigrations]);
    const { db } = database;
    const clock = manualClock();
    const cache = cacheOf(db, clock);
    const hash = await begin(db, clock);
    for (let half = 1; half < 48; half += 1) {
      expect(await use(cache, hash)).toBe(true);
      await cache.flushUses();
      clock.advanceMs(HOUR_MS / 2);
    }
    expect(await use(cache, hash)).toBe(true);
    clock.advanceMs(HOUR_MS / 2);
    expect(await use(cache, hash)).toBe(false);
  });

  test("is over when nobody has used it for long enough, and is deleted then", async () => {
    await using database = await open([accountsMigrations]);
    const { db } = database;
    const clock = manualClock();
    const cache = cacheOf(db, clock);
    const hash = await begin(db, clock);
    clock.advanceMs(HOUR_MS - 1);
    expect(await cache.find(hash)).not.toBeNull();
    const care = { db, clock, settings: { sessionIdle: HOUR_MS } };
    expect(await deleteOverSessions(care)).toBe(0);
    clock.advanceMs(1);
    expect(await cache.find(hash)).toBeNull();
    expect(await deleteOverSessions(care)).toBe(1);
  });

  test("lasts as long as it is used, also when the database was away once its use was written", async () => {
    await using database = await open([accountsMigrations]);
    const { db } = database;
    const clock = manualClock();
    const hash = await begin(db, clock);
    const cache = cacheOf(awayOnce(db), clock);
    clock.advanceMs(HOUR_MS / 2);
    expect(await use(cache, hash)).toBe(true);
    await expect(cache.flushUses()).rejects.toThrow("away");
    await cache.flushUses();
    clock.advanceMs(HOUR_MS / 2);
    expect(await use(cacheOf(db, clock), hash)).toBe(true);
  });

  test("that is used elsewhere lasts here as well", async () => {
    await using database = await open([accountsMigrations]);
    const { db } = database;
    const clock = manualClock();
    const [here, there] = [cacheOf(db, clock), cacheOf(db, clock)];
    const hash = await begin(db, clock);
    expect(await use(here, hash)).toBe(true);
    for (let i = 0; i < 4; i += 1) {
      clock.advanceMs(HOUR_MS / 2);
      expect(await use(there, hash)).toBe(true);
      await there.flushUses();
    }
    expect(await use(here, hash)).toBe(true);
  });
});
