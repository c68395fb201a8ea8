import { sql } from "kysely";
import { expect, test } from "vitest";
import { plusSeconds } from "../clock/timestamp.ts";
import { kernelMigrations } from "../migrations/index.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { systemStatement } from "./tables.ts";

const later = systemStatement<{ time: string; seconds: number }>()((db, p, dialect) => {
  const rows = dialect.rowsFrom({ time: "time" }, p.time).$castTo<{ time: string }>();
  return db
    .selectFrom(rows.as("listed"))
    .select(dialect.plusSeconds(sql.ref("listed.time"), p.seconds).as("later"));
});

describeEachDatabase("a time in SQL", (open) => {
  test.each([
    ["2026-12-31T23:59:30.123456Z", 30],
    ["2026-01-01T00:00:00.000001Z", 86_400],
    ["2024-02-28T12:00:00.999999Z", 1_000_000_000],
  ])("%s is so many seconds later, to the microsecond", async (time, seconds) => {
    await using t = await open([kernelMigrations]);
    const row = await t.db.system.get(later, { time: JSON.stringify([{ time }]), seconds });
    expect(row?.later).toBe(plusSeconds(time, seconds));
  });
});
