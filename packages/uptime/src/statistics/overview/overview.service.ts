import type { OverviewQuery } from "@orchestrator/contract";
import { formatMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import type { Windows } from "../../maintenance/coverage.rules.ts";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import type { MonitorOverview, MonitorsOverview } from "../../models.ts";
import { tokenless } from "../../monitors/shown-tokens.rules.ts";
import { untilMaintenance } from "../../results/rollups/maintenance-time.rules.ts";
import { SIZE_MICROS } from "../../results/rollups/rollup.rules.ts";
import { readSteadily } from "../../results/rollups/steady-reading.ts";
import { type CurrentSpan, currentSpanOf, uncounted } from "../../results/rollups/track.rules.ts";
import {
  addStatusTimes,
  edgesOf,
  rollupRangesOf,
  statusTimesWithin,
  type TimeRange,
  uptimePercent,
} from "../stats/stats.rules.ts";
import { countStates, listOverview } from "./overview.store.ts";
import {
  findTracksOfMany,
  listSpansOfMany,
  readTimesOfMany,
  type Track,
} from "./times-of-many.store.ts";

type Filter = Readonly<Record<string, unknown>>;

const { day: DAY } = SIZE_MICROS;

type Listed = Omit<MonitorOverview, "status_since" | "in_maintenance" | "uptime">;

/**
 * A page of monitors with all that a list shows of each, in a fixed number of questions to the
 * database.
 */
export async function readOverview(
  ctx: MaintenanceContext,
  { workspaceId, caller }: Scope,
  { id, tag, state, q, limit, offset }: OverviewQuery,
): Promise<MonitorsOverview> {
  const queries = ctx.db.in(workspaceId);
  const now = ctx.clock.nowMicros();
  const filter: Filter = {
    ...(id && { id: { any_: id } }),
    ...(tag && { tags: { all_: tag } }),
    ...(q && { text: { like_: q } }),
  };
  const wanted: Filter = state ? { ...filter, state: { any_: state } } : filter;
  const [json, counts, windows] = await Promise.all([
    listOverview(queries, { filter: wanted, limit, offset }),
    countStates(queries, filter),
    ctx.maintenance.windowsIn(workspaceId),
  ]);
  const stored = JSON.parse(json) as readonly Listed[];
  const listed =
    caller.isKeptFromChanges === true ? stored.map((monitor) => tokenless(monitor)) : stored;
  const ids = listed.map((monitor) => monitor.id);
  const { known, day, month } = await readSteadily(
    () => findTracksOfMany(queries, ids),
    async (tracks) => {
      const known = knownOf(listed, tracks, { windows, now });
      const source = { queries, known, now };
      const [day, month] = await Promise.all([sharesOf(source, DAY), sharesOf(source, 30 * DAY)]);
      return { known, day, month };
    },
  );
  const monitors = listed.map((monitor, i) => {
    const since = known[i]?.since ?? null;
    return {
      ...monitor,
      status_since: since === null ? null : formatMicros(since),
      in_maintenance: known[i]?.in_maintenance ?? false,
      uptime: { "24h": day.get(monitor.id) ?? null, "30d": month.get(monitor.id) ?? null },
    };
  });
  const asked = state ?? (Object.keys(counts) as (keyof typeof counts)[]);
  const count = [...new Set(asked)].reduce((sum, name) => sum + counts[name], 0);
  return { counts, count, monitors };
}

/** What holds at present of each monitor. */
function knownOf(
  listed: readonly Listed[],
  tracks: readonly Track[],
  { windows, now }: { readonly windows: Windows; readonly now: number },
) {
  const trackOf = new Map(tracks.map((track) => [track.monitor_id, track]));
  return listed.map(({ id, tags }) => {
    const covered = { id, tags: JSON.stringify(tags) };
    const holding = currentSpanOf(trackOf.get(id) ?? null);
    return {
      id,
      // It begins in the future where the clock was ahead and time was counted until then.
      since: holding === null ? null : Math.min(holding.since, now),
      holding: untilMaintenance(holding, now, { windows, monitor: covered }),
      in_maintenance: windows.covering(covered, now, now) !== null,
    };
  });
}

interface Source {
  readonly queries: Queries;
  readonly known: readonly { readonly id: string; readonly holding: CurrentSpan | null }[];
  readonly now: number;
}

/** The uptime of each monitor over so long up to now, as its statistics tell it. */
async function sharesOf(
  { queries, known, now }: Source,
  length: number,
): Promise<ReadonlyMap<string, number | null>> {
  if (known.length === 0) return new Map();
  const range: TimeRange = { from: now - length, until: now };
  const pieces = rollupRangesOf(range, ["hour", "day"]);
  const edges = edgesOf(range, pieces);
  const ids = known.map(({ id }) => id);
  const [sums, spans] = await Promise.all([
    Promise.all(pieces.map((piece) => readTimesOfMany(queries, ids, piece))),
    Promise.all(edges.map((edge) => listSpansOfMany(queries, ids, edge))),
  ]);
  return new Map(
    known.map(({ id, holding }) => {
      const present = holding === null ? null : uncounted(holding, now);
      const counted =
        holding === null
          ? []
          : [{ status: holding.status, from: holding.since, until: holding.countedUntil }];
      const times = [
        ...sums.map((sum) => sum.get(id) ?? { up: 0, degraded: 0, down: 0 }),
        ...edges.map((edge, i) => {
          const own = (spans[i] ?? []).filter(({ monitor_id }) => monitor_id === id);
          return statusTimesWithin([...own, ...counted], edge);
        }),
        statusTimesWithin(present === null ? [] : [present], range),
      ];
      return [id, uptimePercent(addStatusTimes(...times))];
    }),
  );
}
