// What a valid body holds where its shape alone does not say enough.
import type { Planted } from "./planted-workspace.ts";

const WORDS: Readonly<Record<string, unknown>> = {
  schedule: { cron: "0 0 1 1 *" },
  schedules: [{ schedule: { cron: "0 0 1 1 *" }, active: false }],
  url: "http://127.0.0.1:9",
  resource: { "prefect.resource.id": "own" },
  trigger: {
    type: "event",
    expect: ["nothing.of-this"],
    posture: "Reactive",
    threshold: 1,
    within: 0,
  },
  fields: { type: "object", title: "own", properties: { x: { type: "string" } } },
  history_start: "2026-11-01T00:00:00Z",
  history_end: "2026-11-02T00:00:00Z",
  history_interval_seconds: 3600,
  start: "2026-01-01T00:00:00Z",
  since: "2026-11-01T00:00:00Z",
  until: "2026-11-02T00:00:00Z",
  email: "somebody@example.com",
  password: "a password that is long enough",
  new_password: "a password that is long enough",
  schema: {},
  values: {},
  version: 1,
};

let made = 0;

/** A name that nobody has used yet. */
export const freshName = (kind = "fresh"): string => `${kind}-${(made += 1)}-own`.toLowerCase();

const NEW_NAMES = new Set(["name", "slug", "handle", "key", "tag", "title", "dynamic_key"]);

/** By the last name of the place. */
export function wordFor(names: readonly string[]): unknown {
  const last = names.at(-1) ?? "";
  if (last in WORDS && (last !== "version" || names.length === 1)) return WORDS[last];
  return NEW_NAMES.has(last) ? freshName() : undefined;
}

const AFTER = "2026-11-01T00:00:00Z";

/** What an operation needs beyond what its shape says is required. */
const MORE: Readonly<Record<string, (own: Planted) => Readonly<Record<string, unknown>>>> = {
  "POST /api/block_documents/": () => ({ name: freshName() }),
  "POST /api/deployments/{id}/slas": () => ({ kind: "duration", seconds: 60 }),
  "POST /api/deployments/{id}/backfill": ({ schedule }) => ({
    end: "2026-01-02T00:00:00Z",
    schedule_id: schedule,
  }),
  "POST /api/ui/task_runs/dashboard/counts": () => ({
    task_runs: { start_time: { after_: AFTER } },
  }),
  "POST /api/automations/simulate": ({ automation }) => ({ automation_id: automation }),
  "POST /api/automations/monitor_alerts": ({ monitor }) => ({
    monitor_id: monitor,
    notify: { block_type: "webhook", data: { url: "https://example.com/" } },
  }),
  "POST /api/webhooks/": () => ({
    template: '{"event":"x","resource":{"prefect.resource.id":"x"}}',
  }),
  "POST /uptime/api/maintenance": ({ monitor }) => ({
    monitor_ids: [monitor],
    starts_at: "2031-01-01T00:00:00Z",
    ends_at: "2031-01-02T00:00:00Z",
  }),
};

const MORE_QUERY: Readonly<Record<string, (own: Planted) => Record<string, string | undefined>>> = {
  "GET /api/csrf-token": () => ({ client: "own" }),
  "GET /api/flow_run_states/": ({ run }) => ({ flow_run_id: run }),
  "GET /api/task_run_states/": (own) => ({ task_run_id: own["task-run"] }),
  "GET /api/events/filter/next": (own) => ({ "page-token": own["event.page"] }),
  "GET /uptime/api/schedules/preview": () => ({ schedule: "0 0 * * *" }),
};

export const moreOf = (name: string, own: Planted): Readonly<Record<string, unknown>> =>
  MORE[name]?.(own) ?? {};
export const queryOf = (name: string, own: Planted): Record<string, string | undefined> =>
  MORE_QUERY[name]?.(own) ?? {};
