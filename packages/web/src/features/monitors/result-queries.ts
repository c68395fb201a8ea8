import type {
  CheckResult,
  Incident,
  InstanceVersion,
  MonitorStats,
  StatsQuery,
} from "@orchestrator/contract";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { uptime } from "../../api/uptime.ts";

const RESULTS = 25;
/** As many incidents as are asked for. */
export const INCIDENTS = 100;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

interface Range {
  readonly seconds: number;
  readonly step: NonNullable<StatsQuery["step"]>;
  /** A new result changes so little of a long range that it is not asked for at once. */
  readonly freshSeconds: number;
}

const DAY: Range = { seconds: DAY_S, step: "minute", freshSeconds: 300 };

export const RANGES: Readonly<Record<string, Range>> = {
  "1h": { seconds: HOUR_S, step: "minute", freshSeconds: 1 },
  "24h": DAY,
  "7d": { seconds: 7 * DAY_S, step: "hour", freshSeconds: HOUR_S },
  "30d": { seconds: 30 * DAY_S, step: "hour", freshSeconds: HOUR_S },
  "90d": { seconds: 90 * DAY_S, step: "day", freshSeconds: HOUR_S },
  "1y": { seconds: 365 * DAY_S, step: "day", freshSeconds: HOUR_S },
};

export const statsOf = (id: string, range: string, lastCheck: string | null) => {
  const { seconds, step, freshSeconds } = RANGES[range] ?? DAY;
  const seen = Math.floor(Date.parse(lastCheck ?? "1970-01-01") / 1000 / freshSeconds);
  return queryOptions({
    queryKey: ["monitors", "stats", id, range, seen],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<MonitorStats> => {
      const since = new Date(Date.now() - seconds * 1000).toISOString();
      return uptime.monitors.stats(id, { since, step }, { signal });
    },
  });
};

export const incidentsOfMonitor = (id: string) =>
  queryOptions({
    queryKey: ["monitors", "incidents", id],
    queryFn: ({ signal }): Promise<Incident[]> =>
      uptime.incidents.listOfMonitor(id, { limit: INCIDENTS }, { signal }),
  });

/** Under the results: a new one of those may tell of a new version. */
export const versionsOf = (id: string) =>
  queryOptions({
    queryKey: ["monitors", "results", id, "versions"],
    queryFn: ({ signal }): Promise<InstanceVersion[]> =>
      uptime.monitors.versions(id, {}, { signal }),
  });

/**
 * Page behind page, each beginning where the one before has ended; new results do not move them.
 */
export const resultsOf = (id: string, status: string) =>
  infiniteQueryOptions({
    queryKey: ["monitors", "results", id, status],
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }): Promise<CheckResult[]> =>
      uptime.results.list(
        id,
        {
          limit: RESULTS,
          ...(status !== "" && { status: [status as CheckResult["status"]] }),
          ...(pageParam !== null && { until: pageParam }),
        },
        { signal },
      ),
    getNextPageParam: (last: readonly CheckResult[]) =>
      last.length < RESULTS ? undefined : (last.at(-1)?.checked_at ?? undefined),
  });
