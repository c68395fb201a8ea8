import { expect, test } from "vitest";
import type { Ids } from "../ids/ids.ts";
import { kernelMigrations } from "../migrations/index.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { createWriteProbe } from "./write-probe.ts";

const countedIds = (count: () => number): Ids =>
  ({ uuid4: () => `00000000-0000-4000-8000-${String(count()).padStart(12, "0")}` }) as Ids;

describeEachDatabase("a probe of the storage", (open) => {
  test("writes once a second at most, however often it is asked", async () => {
    await using t = await open([kernelMigrations]);
    let writes = 0;
    let now = 0;
    const ids = countedIds(() => (writes += 1));
    const { check } = createWriteProbe(t.db, ids, () => now);
    for (let n = 0; n < 20; n += 1) expect(await check()).toBeNull();
    expect(writes).toBe(1);
    now += 1000;
    expect(await check()).toBeNull();
    expect(writes).toBe(2);
  });

  test("asks again at once while no write is taken", async () => {
    await using t = await open([]);
    let writes = 0;
    const ids = countedIds(() => (writes += 1));
    const { check } = createWriteProbe(t.db, ids, () => 0);
    for (let n = 0; n < 3; n += 1) expect(await check()).toBe("The storage refuses writes");
    expect(writes).toBe(3);
  });
});
