import { expect, test } from "vitest";
import { sleep } from "../clock/clock.ts";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import { anEvent, appendNamed } from "../testing/events.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1 } from "../testing/things.ts";
import { until } from "../testing/until.ts";
import { appendEvent } from "./append.ts";
import { followLog, type LogFollower, readHead } from "./read.ts";

const namesAfter = async (follower: LogFollower, after: number, limit = 100): Promise<string[]> =>
  (await follower.next(after, limit)).map(({ event }) => event);

describeEachDatabase("a follower of the log", (open) => {
  test("reads in order, from where it is told, as many as it asks for", async () => {
    await using t = await open([kernelMigrations]);
    await appendNamed(t.db, ["a", "b", "c", "d"]);
    const follower = followLog(t.db);
    expect(await namesAfter(follower, 0, 3)).toEqual(["a", "b", "c"]);
    expect(await namesAfter(follower, 3, 3)).toEqual(["d"]);
    expect(await namesAfter(follower, 4)).toEqual([]);
    expect(await readHead(t.db)).toBe(4);
  });

  test("goes on behind positions that were taken back, refused or deleted", async () => {
    await using t = await open([kernelMigrations]);
    const twice = anEvent({ event: "twice" });
    await appendNamed(t.db, ["deleted"]);
    await t.db.write(W1, (tx) => appendEvent(tx, twice));
    await t.db.write(W1, (tx) => appendEvent(tx, twice));
    const failed = t.db.write(W1, async (tx) => {
      await appendEvent(tx, anEvent());
      throw new Error("second thoughts");
    });
    await expect(failed).rejects.toThrow();
    await appendNamed(t.db, ["last"]);
    await t.db.exclusively((session) =>
      session.execute("delete from events where event = 'deleted'"),
    );
    const follower = followLog(t.db);
    await until(async () => expect(await namesAfter(follower, 0)).toEqual(["twice", "last"]));
  });

  test("delivers every committed event once and in order, however replicas write and change their minds", async () => {
    await using t = await open([kernelMigrations]);
    const replicas = [t.db];
    if (t.openReplica !== null) replicas.push(await t.openReplica(), await t.openReplica());
    const committed: string[] = [];
    const writeSome = async (db: Database): Promise<void> => {
      for (let n = 0; n < 40; n += 1) {
        const events = [anEvent(), anEvent()].slice(0, 1 + (n % 2));
        const pauses = [Math.random() * 3, Math.random() * 3];
        const failing = Math.random() < 0.3;
        const write = db.write(W1, async (tx) => {
          for (const [index, event] of events.entries()) {
            await appendEvent(tx, event);
            await sleep(pauses[index] ?? 0);
          }
          if (failing) throw new Error("second thoughts");
        });
        await write.then(
          () => committed.push(...events.map(({ id }) => id)),
          () => {},
        );
      }
    };

    const seen: { id: string; position: number }[] = [];
    const follower = followLog(t.db);
    const followTo = async (isEnough: (position: number) => Promise<boolean>): Promise<void> => {
      for (;;) {
        const position = seen.at(-1)?.position ?? 0;
        const events = await follower.next(position, 5);
        seen.push(...events);
        if (events.length === 0 && (await isEnough(position))) return;
        if (events.length === 0) await sleep(1);
      }
    };

    let isWriting = true;
    const writers = Promise.all(replicas.flatMap((db) => [writeSome(db), writeSome(db)])).then(
      () => {
        isWriting = false;
      },
    );
    await followTo(async () => !isWriting);
    await writers;
    await followTo(async (position) => position === (await readHead(t.db)));

    expect(seen.map(({ position }) => position)).toEqual(
      seen.map(({ position }) => position).toSorted((a, b) => a - b),
    );
    expect(seen.map(({ id }) => id).toSorted()).toEqual(committed.toSorted());
  });
});
