import type { EventCount, EventCountRequest } from "@orchestrator/contract";
import { readHead } from "@orchestrator/kernel/events";
import { AppError, formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import {
  countByName,
  countByResource,
  countByTime,
  type EventGroup,
} from "./events-count.store.ts";
import { type Buckets, countBucketsOf, periodOf, UNIT_MICROS } from "./events-filter.rules.ts";
import { findEventRanges } from "./events-ranges.store.ts";

/** Ten years. */
const MAX_INTERVAL = 3653 * UNIT_MICROS.day;
/** An interval may begin before the time that can be written. */
const FIRST = parseMicros("0001-01-01T00:00:00.000000Z");
const LAST = parseMicros("9999-12-31T23:59:59.999999Z");

/** By what events are counted. */
export type Countable = "day" | "time" | "event" | "resource";

export async function countEventsBy(
  ctx: OrchestratorContext,
  scope: Scope,
  countable: Countable,
  { filter, time_unit: unit = "day", time_interval: interval = 1 }: EventCountRequest,
): Promise<EventCount[]> {
  if (UNIT_MICROS[unit] * interval > MAX_INTERVAL)
    throw new AppError("invalid", "An interval may be at most ten years long");
  const nowMicros = ctx.clock.nowMicros();
  const asked = periodOf(filter, nowMicros);
  const buckets = countBucketsOf(asked, { unit, interval, nowMicros });
  if (buckets === null)
    throw new AppError(
      "invalid",
      "The time between since and until has more than 1000 intervals: ask for longer ones or less time",
    );
  const queries = ctx.db.in(scope.workspaceId);
  const stretches = findEventRanges(queries, { filter, period: asked, rows: null });
  const selection = { filter, period: asked, head: await readHead(ctx.db), stretches };
  if (countable === "event") return sorted(await countByName(queries, selection));
  if (countable === "resource") return sorted(await countByResource(queries, selection));
  return filled(buckets, await countByTime(queries, selection, buckets));
}

/** The most frequent first. */
function sorted(groups: readonly EventGroup[]): EventCount[] {
  return groups
    .map((group) => ({ ...group, label: group.label ?? group.value }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : Number(a.label > b.label)));
}

/** Every piece of time in its order, also those in which nothing happened. */
function filled(
  { start, length, count }: Buckets,
  counted: readonly { readonly bucket: number; readonly count: number }[],
): EventCount[] {
  const counts = new Map(counted.map(({ bucket, count: events }) => [bucket, events]));
  return Array.from({ length: count }, (_, n) => {
    const start_time = formatMicros(Math.max(FIRST, start + n * length));
    const end_time = formatMicros(Math.min(LAST, start + (n + 1) * length - 1));
    return { value: String(n), label: start_time, count: counts.get(n) ?? 0, start_time, end_time };
  });
}
