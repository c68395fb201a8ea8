// One socket tells what has changed; what is shown of it is asked for again. Nothing is asked for
// by the clock.

import { ConnectionError } from "@orchestrator/client";
import type { QueryClient } from "@tanstack/react-query";
import { authMode } from "./auth-mode.ts";
import { api } from "./client.ts";
import { pauseAfterMs, refreshStale } from "./refresh.ts";
import { SERVICES } from "./services.ts";
import { sessionQuery } from "./session.ts";

/** The kind of a resource, as its id begins, and the queries that show it. */
const SHOWN: Readonly<Record<string, string>> = {
  "flow-run": "flow-runs",
  "task-run": "task-runs",
  flow: "flows",
  deployment: "deployments",
  backfill: "flow-runs",
  "work-pool": "work-pools",
  "work-queue": "work-pools",
  worker: "workers",
  variable: "variables",
  "block-document": "blocks",
  automation: "automations",
  "concurrency-limit": "concurrency-limits",
  artifact: "artifacts",
  webhook: "webhooks",
  sla: "deployments",
  monitor: "monitors",
  incident: "incidents",
  maintenance: "maintenance",
  "status-page": "status-pages",
};

/** Every event is one more of these. */
const EVENTS = "events";

const NAMES = "names";
/** Whoever speaks of things of several kinds asks for all their names at once. */
const NAMED: ReadonlySet<string> = new Set([
  "flows",
  "deployments",
  "work-pools",
  "automations",
  "blocks",
]);

const RETRY_MS = 5000;
/**
 * What happened between the first questions of a page and the socket is told, too; clocks differ by
 * as much.
 */
const HEAD_START_MS = 15_000;
/**
 * When the server handed out this page, by its own clock. What it heard of before is in all that
 * was asked for since, but for tasks.
 */
const SERVED_AT = Date.parse(
  document.querySelector<HTMLMetaElement>('meta[name="served-at"]')?.content ?? "",
);
/** Replicas' clocks differ by as much. */
const REPLICAS_MS = 500;

/**
 * Clients tell of tasks by events, and what those say is stored a while after they were told of: it
 * is asked for again.
 */
const STORED_LATER = "task-runs";
const LATER_MS = [4000, 15_000];

/** Goes on until `signal` ends it; while nobody looks, changes wait until somebody does. */
export async function followChanges(queries: QueryClient, signal: AbortSignal): Promise<void> {
  // Without the orchestrator nobody tells of events.
  if (!SERVICES.orchestrator) return;
  const stale = new Set<string>();
  // By the clock of the server where it is known: one that is ahead of it would leave out what
  // happens.
  const opened = Number.isNaN(SERVED_AT) ? Date.now() : Math.min(Date.now(), SERVED_AT);
  const since = new Date(opened - HEAD_START_MS).toISOString();
  // After a long sleep it is not worth reading what has happened: anything may have changed.
  const onGap = () => {
    for (const key of [...Object.values(SHOWN), NAMES, EVENTS]) stale.add(key);
  };
  void refreshNowAndThen(queries, stale, signal);
  while (!signal.aborted) {
    try {
      const changes = api.events.follow({ occurred: { since } }, { backfill: true, signal, onGap });
      for await (const { resource, received } of changes) {
        const key = SHOWN[kindOf(resource)];
        if (key !== STORED_LATER && Date.parse(received) < SERVED_AT - REPLICAS_MS) continue;
        if (key !== undefined) stale.add(key);
        if (key !== undefined && NAMED.has(key)) stale.add(NAMES);
        stale.add(EVENTS);
      }
    } catch (error) {
      // The server is away; the pages say so, and this goes on when it is back.
      if (isRefusal(error)) await lookAtSession(queries);
    }
    await pause(RETRY_MS);
  }
}

async function refreshNowAndThen(
  queries: QueryClient,
  stale: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  let later: readonly number[] = [];
  while (!signal.aborted) {
    const started = performance.now();
    if (!document.hidden) {
      if (stale.has(STORED_LATER)) later = LATER_MS.map((ms) => started + ms);
      else if (later.some((time) => time <= started)) stale.add(STORED_LATER);
      later = later.filter((time) => time > started);
      await refreshStale(queries, stale);
    }
    await pause(pauseAfterMs(performance.now() - started));
  }
}

const REFUSED = 1008;
const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectionError && error.closeCode === REFUSED;

/** A session that has ended leads to where one signs in. */
async function lookAtSession(queries: QueryClient): Promise<void> {
  if (authMode !== "accounts") return;
  await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `prefect.flow-run.<id>` and `orchestrator.flow-run.<id>` are both of the kind `flow-run`. */
function kindOf(resource: Readonly<Record<string, unknown>>): string {
  const id = Object.entries(resource).find(([name]) => name.endsWith(".resource.id"))?.[1];
  return typeof id === "string" ? (id.split(".")[1] ?? "") : "";
}
