import { expect, test } from "vitest";
import { createLogger } from "../log/logger.ts";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import { anEvent, appendNamed } from "../testing/events.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1 } from "../testing/things.ts";
import { until } from "../testing/until.ts";
import { appendEvent } from "./append.ts";
import { createLogFeed, type LogFeed } from "./feed.ts";
import { findPosition } from "./find-position.ts";
import type { LoggedEvent } from "./read.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const clock = manualClock();

function follower(feed: LogFeed, after: number | null) {
  const heard: string[] = [];
  const leave = new AbortController();
  const hear = (events: readonly LoggedEvent[]): void => {
    heard.push(...events.map(({ event }) => event));
  };
  const done = feed.follow({
    after,
    signal: leave.signal,
    deliver: async (events) => hear(events),
    push: hear,
  });
  return {
    heard,
    leave: async () => {
      leave.abort();
      await done;
    },
  };
}

/**
 * Once begun, a newcomer that finds nothing is answered right before the others are given the next
 * event.
 */
function oneMoment(db: Database) {
  const sizes: unknown[] = [];
  let isBegun = false;
  let waiting = 0;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const all: Database["system"]["all"] = async (statement, parameters) => {
    const { limit } = parameters as { readonly limit?: number };
    // Whoever comes first reads pages of this size until it has joined.
    sizes.push(limit);
    const isNewcomer = limit === sizes[0];
    const rows = await db.system.all(statement, parameters);
    if (!isBegun || isNewcomer === rows.length > 0) return rows;
    waiting += 1;
    if (!isNewcomer) end();
    await ended;
    return rows;
  };
  return {
    db: { ...db, system: { ...db.system, all } },
    begin: () => {
      isBegun = true;
    },
    waiting: () => waiting,
  };
}

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `e${from + i}`);

describeEachDatabase("a feed of the event log", (open) => {
  test("gives each follower what lies behind its position and then what comes, each event once", async () => {
    await using t = await open([kernelMigrations]);
    await appendNamed(t.db, names(1, 5));
    const feed = createLogFeed(t.db, { clock, log });
    const early = follower(feed, 0);
    await until(() => expect(early.heard).toHaveLength(5));
    await appendNamed(t.db, names(6, 7));
    const late = follower(feed, 3);
    await appendNamed(t.db, names(8, 12));
    await until(() => expect([early.heard, late.heard]).toEqual([names(1, 12), names(4, 12)]));
    await early.leave();
    await appendNamed(t.db, ["e13"]);
    await until(() => expect(late.heard).toEqual(names(4, 13)));
    expect(early.heard).toEqual(names(1, 12));
    await late.leave();
    await feed.stop();
  });

  test("loses and repeats nothing while many write and followers come", async () => {
    await using t = await open([kernelMigrations]);
    const feed = createLogFeed(t.db, { clock, log });
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 40; i += 1) {
        const refused = t.db.write(W1, async (tx) => {
          await appendEvent(tx, anEvent({ event: `${writer}:${i}` }));
          if (i % 10 === 9) throw new Error("taken back");
        });
        await refused.catch(() => {});
      }
    });
    const followers = [follower(feed, 0)];
    await until(() => expect(followers[0]?.heard.length).toBeGreaterThan(20));
    followers.push(follower(feed, 0), follower(feed, 0));
    await Promise.all(writers);
    for (const { heard, leave } of followers) {
      await until(() => expect(heard).toHaveLength(8 * 36));
      expect(new Set(heard).size).toBe(8 * 36);
      expect(heard).toEqual(followers[0]?.heard);
      await leave();
    }
    await feed.stop();
  });

  test("gives a follower what the others get in the moment in which it joins them", async () => {
    await using t = await open([kernelMigrations]);
    const moment = oneMoment(t.db);
    const feed = createLogFeed(moment.db, { clock, log });
    const first = follower(feed, 0);
    await appendNamed(t.db, ["e1"]);
    await until(() => expect(first.heard).toEqual(["e1"]));
    moment.begin();
    const second = follower(feed, 1);
    await until(() => expect(moment.waiting()).toBe(1));
    await appendNamed(t.db, ["e2"]);
    await until(() => expect(first.heard).toEqual(["e1", "e2"]));
    await until(() => expect(second.heard).toEqual(["e2"]));
    await feed.stop();
  });

  test("gives a follower without a position only what comes", async () => {
    await using t = await open([kernelMigrations]);
    await appendNamed(t.db, names(1, 3));
    const feed = createLogFeed(t.db, { clock, log });
    const first = follower(feed, 0);
    await until(() => expect(first.heard).toHaveLength(3));
    const second = follower(feed, null);
    // From when on it hears is up to the feed, so events come until it does.
    let last = 3;
    await until(async () => {
      last += 1;
      await appendNamed(t.db, [`e${last}`]);
      expect(second.heard).not.toEqual([]);
    });
    await until(() => expect(first.heard).toHaveLength(last));
    await until(() => expect(second.heard.at(-1)).toBe(`e${last}`));
    expect(second.heard).not.toContain("e3");
    await feed.stop();
    await Promise.all([first.leave(), second.leave()]);
  });

  test("goes on where a feed that has ended left off", async () => {
    await using t = await open([kernelMigrations]);
    await appendNamed(t.db, names(1, 3));
    const feed = createLogFeed(t.db, { clock, log });
    const before = follower(feed, 0);
    await until(() => expect(before.heard).toHaveLength(3));
    await feed.stop();
    await appendNamed(t.db, names(4, 6));
    const next = createLogFeed(t.db, { clock, log });
    const after = follower(next, 3);
    await until(() => expect(after.heard).toEqual(names(4, 6)));
    await next.stop();
    expect(before.heard).toEqual(names(1, 3));
  });
});

describeEachDatabase("the position of a moment", (open) => {
  test("is the one behind which the events received since then lie", async () => {
    await using t = await open([kernelMigrations]);
    expect(await findPosition(t.db, "2026-01-01T00:00:00.000000Z")).toBe(0);
    const at = (second: number): string =>
      `2026-01-01T00:00:${String(second).padStart(2, "0")}.000000Z`;
    for (const second of [10, 11, 11, 12, 20]) {
      await t.db.write(W1, (tx) => appendEvent(tx, anEvent({ received: at(second) })));
    }
    const found = await Promise.all(
      [9, 10, 11, 12, 13, 20, 21].map((s) => findPosition(t.db, at(s))),
    );
    expect(found).toEqual([0, 0, 1, 3, 4, 4, 5]);
  });
});
