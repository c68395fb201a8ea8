import type { CountedKind } from "@orchestrator/kernel/storage";

export const QUOTAS = ["runs_per_day", "events_per_day", "runs_stored", "storage_bytes"] as const;
export type Quota = (typeof QUOTAS)[number];

/** Null for any amount. */
export type QuotaLimits = Readonly<Record<Quota, number | null>>;
/** Null for what was never measured. */
export type QuotaUsage = Readonly<Record<Quota, number | null>>;

export const NO_LIMITS: QuotaLimits = {
  runs_per_day: null,
  events_per_day: null,
  runs_stored: null,
  storage_bytes: null,
};

/** The lesser of each. */
export function lesserLimits(a: QuotaLimits, b: QuotaLimits): QuotaLimits {
  const lesser = (x: number | null, y: number | null): number | null =>
    x === null || y === null ? (x ?? y) : Math.min(x, y);
  return Object.fromEntries(
    QUOTAS.map((quota) => [quota, lesser(a[quota], b[quota])]),
  ) as unknown as QuotaLimits;
}

/** The first of the quotas that is used up. */
export function usedUp(
  limits: QuotaLimits,
  used: QuotaUsage,
  quotas: readonly Quota[],
): Quota | null {
  const isUsedUp = (quota: Quota): boolean => {
    const limit = limits[quota];
    return limit !== null && (used[quota] ?? 0) >= limit;
  };
  return quotas.find(isUsedUp) ?? null;
}

/**
 * How many more there may be before one of the quotas is used up; what is measured in bytes holds
 * none back until then.
 */
export function remainingOf(
  limits: QuotaLimits,
  used: QuotaUsage,
  quotas: readonly Quota[],
): number {
  const left = quotas.map((quota) => {
    const room = (limits[quota] ?? Number.POSITIVE_INFINITY) - (used[quota] ?? 0);
    return quota === "storage_bytes" && room > 0 ? Number.POSITIVE_INFINITY : Math.max(0, room);
  });
  return Math.min(...left);
}

const RUNS: readonly Quota[] = ["runs_per_day", "runs_stored", "storage_bytes"];
const EVENTS: readonly Quota[] = ["events_per_day", "storage_bytes"];
const STORAGE: readonly Quota[] = ["storage_bytes"];

/** What a new row of a kind adds to. */
export const QUOTAS_OF: Readonly<Record<CountedKind, readonly Quota[]>> = {
  runs: RUNS,
  events: EVENTS,
};

/** What an operation adds to. Those that end something, or take something away, are always done. */
const OPERATIONS: readonly (readonly [quotas: readonly Quota[], operation: RegExp])[] = [
  [RUNS, /^POST \/api\/flow_runs\/?$/],
  [RUNS, /^POST \/api\/deployments\/:id\/(create_flow_run(\/bulk)?|backfills?|schedule)\/?$/],
  [EVENTS, /^(POST \/api\/events|GET \/api\/events\/in)\/?$/],
  [STORAGE, /^POST \/api\/(logs|artifacts|task_runs|variables|block_documents|flows)\/?$/],
  [STORAGE, /^POST \/api\/(deployments|automations|webhooks|flow_runs\/:id\/input)\/?$/],
  [STORAGE, /^POST \/api\/(block_types|block_schemas|work_pools)\/?$/],
  [
    STORAGE,
    /^POST \/api\/(v2\/)?(concurrency_limits|work_queues|work_pools\/:work_pool_name\/queues)\/?$/,
  ],
  [STORAGE, /^POST \/api\/deployments\/:id\/(schedules|slas)\/?$/],
  [STORAGE, /^PUT \/api\/saved_searches\/?$/],
  // Changes that may hold as much as what was made before.
  [STORAGE, /^PATCH \/api\/(artifacts|automations|block_documents|block_types|variables)\//],
  [STORAGE, /^POST \/uptime\/api\/(monitors|import|maintenance|status-pages(\/.+)?)\/?$/],
];

export function quotasOfOperation(method: string, route: string): readonly Quota[] {
  return OPERATIONS.find(([, pattern]) => pattern.test(`${method} ${route}`))?.[0] ?? [];
}

const WORDS: Readonly<Record<Quota, string>> = {
  runs_per_day: "runs a day",
  events_per_day: "events a day",
  runs_stored: "stored runs",
  storage_bytes: "bytes of storage",
};

export const isDaily = (quota: Quota): boolean =>
  quota === "runs_per_day" || quota === "events_per_day";

/** Which quota, how much of it, when it is there again, and what to do. */
export function usedUpMessage(
  quota: Quota,
  limits: QuotaLimits,
  { used, resets }: { readonly used: QuotaUsage; readonly resets: string },
): string {
  const next = isDaily(quota)
    ? `It begins anew at ${resets.slice(0, 19)}Z`
    : "It is there again when something is deleted, which is noticed within minutes";
  return `The workspace has used its quota of ${limits[quota]} ${WORDS[quota]} (${used[quota] ?? 0} used). ${next}; whoever manages the account, or the server, can raise it.`;
}
