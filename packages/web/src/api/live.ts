// One socket tells what has changed; what is shown of it is asked for again. Nothing is asked for by the clock.

import type { QueryClient } from "@tanstack/react-query";
import { api } from "./client.ts";
import { servicesQuery } from "./services.ts";

/** The kind of a resource, as its id begins, and the queries that show it. */
const SHOWN: Readonly<Record<string, string>> = {
  "flow-run": "flow-runs",
  "task-run": "task-runs",
  flow: "flows",
  deployment: "deployments",
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

/** Under a storm of events a page asks this often and no more, and a tenth of the time at most: what is dear to answer is asked seldom. */
const PAUSE_MS = 1000;
const SHARE = 10;
const RETRY_MS = 5000;

/** Goes on until `signal` ends it; while nobody looks, changes wait until somebody does. */
export async function followChanges(queries: QueryClient, signal: AbortSignal): Promise<void> {
  // Without the orchestrator nobody tells of events.
  if (!(await queries.fetchQuery(servicesQuery)).orchestrator) return;
  const stale = new Set<string>();
  void refreshNowAndThen(queries, stale, signal);
  while (!signal.aborted) {
    try {
      for await (const { resource } of api.events.follow({}, { signal })) {
        const key = SHOWN[kindOf(resource)];
        if (key !== undefined) stale.add(key);
        stale.add("events");
      }
    } catch {
      // The server is away; the pages say so, and this goes on when it is back.
    }
    await pause(RETRY_MS);
  }
}

async function refreshNowAndThen(
  queries: QueryClient,
  stale: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const started = performance.now();
    if (!document.hidden) {
      const keys = [...stale];
      stale.clear();
      await Promise.all(
        keys.map((key) => queries.invalidateQueries({ queryKey: [key] }, { cancelRefetch: false })),
      );
    }
    await pause(Math.max(PAUSE_MS, (performance.now() - started) * (SHARE - 1)));
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `prefect.flow-run.<id>` and `orchestrator.flow-run.<id>` are both of the kind `flow-run`. */
function kindOf(resource: Readonly<Record<string, unknown>>): string {
  const id = Object.entries(resource).find(([name]) => name.endsWith(".resource.id"))?.[1];
  return typeof id === "string" ? (id.split(".")[1] ?? "") : "";
}
