// What was done through the API was done just now. Pictures want a past: it is written into the
// database of a stopped server.
import { randomUUID } from "node:crypto";
import { openSecondConnection } from "../support/stored-variables.ts";

const MINUTE_MS = 60_000;
const RESULTS = 60;
const HOUR_MS = 60 * MINUTE_MS;
const SIZES = [
  ["minute", MINUTE_MS, 24 * 60],
  ["hour", HOUR_MS, 31 * 24],
  ["day", 24 * HOUR_MS, 400],
] as const;

/**
 * Lays the runs out over the last days, gives monitors an hour of results, and the first of them a
 * year of figures.
 */
export async function fillPast(home: string, monitorIds: readonly string[]): Promise<void> {
  const [monitorId = ""] = monitorIds;
  const db = openSecondConnection(`sqlite:///${home}/orchestrator.db`);
  try {
    await db.exclusively(async (session) => {
      const runs = await session.rows<{ id: string }>(
        // Tasks stay where they are, and so does the run that they belong to.
        `select id from flow_runs where end_time is not null
         and id not in (select flow_run_id from task_runs where flow_run_id is not null) order by id`,
      );
      for (const [i, { id }] of runs.entries()) await session.execute(movedRun(id, i, runs.length));
      const [found] = await session.rows<{ workspace_id: string }>(
        `select workspace_id from monitors where id = '${monitorId}'`,
      );
      const workspaceId = found?.workspace_id ?? "";
      for (const [place, id] of monitorIds.entries())
        for (let i = 1; i <= RESULTS; i += 1)
          await session.execute(result({ place, i, monitorId: id, workspaceId }));
      for (const [size, ms, count] of SIZES)
        for (let i = 1; i <= count; i += 1)
          await session.execute(rollup({ size, ms, i, monitorId, workspaceId }));
    });
  } finally {
    await db.close();
  }
}

const text = (ms: number): string => `'${new Date(ms).toISOString().replace("Z", "000Z")}'`;

function movedRun(id: string, i: number, count: number): string {
  const start = Date.now() - (1 - i / count) * 40 * HOUR_MS;
  const seconds = 4 + ((i * 7919) % 97) ** 2 / 3;
  return `update flow_runs set expected_start_time = ${text(start - 900)}, start_time = ${text(start)},
    effective_start_time = ${text(start)}, end_time = ${text(start + seconds * 1000)}, total_run_time = ${seconds} where id = '${id}'`;
}

interface Result {
  /** The first is well, the second went down, the third is slow now and then. */
  readonly place: number;
  /** How many minutes ago. */
  readonly i: number;
  readonly monitorId: string;
  readonly workspaceId: string;
}

function result({ place, i, monitorId, workspaceId }: Result): string {
  const status =
    place === 1 && i < 9 ? "down" : place === 2 && (i < 5 || i % 11 === 0) ? "degraded" : "up";
  const ms = 60 + 25 * Math.sin(i / 3) + ((i * 7919) % 23) + (status === "degraded" ? 2100 : 0);
  const message =
    status === "down"
      ? "http: the host cannot be reached (ECONNREFUSED)"
      : `http: 200 OK${status === "degraded" ? `, slow: ${Math.round(ms)} ms of at most 2000` : ""}`;
  const details =
    status === "down"
      ? { http: { error: "the host cannot be reached" } }
      : { http: { status_code: 200 } };
  return `insert into check_results (id, workspace_id, monitor_id, checked_at, status, message, elapsed_ms, details,
      origin, inconclusive, maintenance)
    values ('${randomUUID()}', '${workspaceId}', '${monitorId}', ${text(Date.now() - i * MINUTE_MS)}, '${status}', '${message}',
      ${ms}, '${JSON.stringify(details)}', 'schedule', false, false)`;
}

interface Past {
  readonly size: string;
  readonly ms: number;
  /** How many of its size ago. */
  readonly i: number;
  readonly monitorId: string;
  readonly workspaceId: string;
}

function rollup({ size, ms, i, monitorId, workspaceId }: Past): string {
  const start = (Math.floor(Date.now() / ms) - i) * ms;
  const wave = 1 + 0.4 * Math.sin(start / (7 * HOUR_MS)) + ((start / ms) % 7) / 20;
  const us = Math.round(90_000 * wave);
  const bucket = (micros: number) => Math.ceil(Math.log(micros / 10) / Math.log(1.08));
  const down = i % 97 === 41 ? 0.2 : 0;
  const checks = Math.max(1, ms / MINUTE_MS);
  const latency = JSON.stringify(
    checks === 1
      ? { [bucket(us)]: 1 }
      : { [bucket(us)]: checks * 0.9, [bucket(us * 2.2)]: checks * 0.1 },
  );
  return `insert into result_rollups (workspace_id, monitor_id, size, start, up_count, degraded_count, down_count,
      inconclusive_count, up_us, degraded_us, down_us, latency_us, latency_min_us, latency_max_us, latency)
    values ('${workspaceId}', '${monitorId}', '${size}', ${text(start)}, ${Math.round(checks)}, 0, ${down > 0 ? 1 : 0},
      0, ${Math.round(ms * 1000 * (1 - down))}, 0, ${Math.round(ms * 1000 * down)}, ${us * checks}, ${us}, ${us * 3}, '${latency}')
    on conflict do nothing`;
}
