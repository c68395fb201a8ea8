// One run of one monitor, from its settings to the stored result.

import type { CheckResult } from "@orchestrator/contract";
import { parseMicros } from "@orchestrator/kernel/pure";
import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import type { CheckOrigin } from "../db/tables/results.table.ts";
import { backOffUntil } from "../monitors/due-times.rules.ts";
import { readHeartbeatCalls } from "../monitors/heartbeats/heartbeats.service.ts";
import { type OpenedMonitor, openedMonitor } from "../monitors/opened-monitor.ts";
import type { RecordedFinding } from "../results/finding.ts";
import type { EngineContext } from "./engine-context.ts";
import type { LeasedMonitor } from "./shares.store.ts";

/**
 * Runs a monitor that this process holds, or joins the run that is under way. Null when there is
 * nothing to keep of it.
 */
export function runMonitor(
  ctx: EngineContext,
  monitor: LeasedMonitor,
  trigger: CheckOrigin,
): Promise<CheckResult | null> {
  const { holder } = ctx.runs;
  return ctx.runs.join(monitor.id, hostOf(monitor), {
    look: (signal) => check(ctx, { monitor, trigger, holder, signal }),
    keep: (finding) => ctx.recorder.record(finding),
  });
}

interface Run {
  readonly monitor: LeasedMonitor;
  readonly trigger: CheckOrigin;
  readonly holder: string;
  readonly signal: AbortSignal;
}

async function check(
  ctx: EngineContext,
  { monitor, trigger, holder, signal }: Run,
): Promise<RecordedFinding | null> {
  const checkedAt = ctx.clock.now();
  const seen = await look(ctx, monitor, signal);
  if (signal.aborted) return null;
  const outcome = await doubted(ctx, monitor, seen);
  const { heldBack } = ctx.runs;
  const { workspace_id: workspaceId, id: monitorId, updated_at: asOf } = monitor;
  const until = outcome.authFailed ? backOffUntil(monitor, parseMicros(checkedAt)) : null;
  if (until === null) heldBack.delete(monitorId);
  else heldBack.set(monitorId, { until, asOf });
  const id = ctx.ids.uuid7();
  return { id, workspaceId, monitorId, outcome, checkedAt, trigger, holder };
}

async function look(
  ctx: EngineContext,
  monitor: LeasedMonitor,
  signal: AbortSignal,
): Promise<PipelineOutcome> {
  const { clock, runs } = ctx;
  try {
    const heartbeat = await readHeartbeatCalls(ctx, monitor);
    const { id, url, pipeline } = opened(ctx, monitor);
    const target = { id, url, pipeline, heartbeat };
    const caller = { kind: "system", id: "monitors" } as const;
    const compute = ctx.compute.for({ workspaceId: monitor.workspace_id, caller });
    const deps = { signal, clock, policy: ctx.policy, compute };
    return await runs.pipeline(target, deps);
  } catch (error) {
    // Not the target's fault: it is on record, and nobody is told that the target is down.
    ctx.log.error({ err: error, monitor: monitor.id }, "A monitor cannot be run");
    return UNABLE;
  }
}

const UNABLE: PipelineOutcome = {
  status: "down",
  message: "The monitor cannot be run; the server's log says why",
  elapsed_ms: 0,
  details: {},
  authFailed: false,
  certificate_ends: null,
  inconclusive: true,
  unreachable: false,
};

/**
 * Where nothing was heard from the target, and nothing can be heard from anywhere, the result is
 * inconclusive.
 */
async function doubted(
  { runs: { connectivity } }: EngineContext,
  monitor: LeasedMonitor,
  outcome: PipelineOutcome,
): Promise<PipelineOutcome> {
  if (!outcome.unreachable || (await connectivity.isUp(hostOf(monitor)))) return outcome;
  return {
    ...outcome,
    message: `${outcome.message} (inconclusive: this server's own network does not work)`,
    inconclusive: true,
  };
}

interface Prepared {
  readonly host: string;
  opened: OpenedMonitor | null;
}

/**
 * What is the same for every run of a monitor, until it is changed: a change brings another object.
 */
const prepared = new WeakMap<LeasedMonitor, Prepared>();

function prepare(monitor: LeasedMonitor): Prepared {
  const known = prepared.get(monitor);
  if (known !== undefined) return known;
  const { url } = monitor;
  const fresh = { host: URL.canParse(url) ? new URL(url).host : url, opened: null };
  prepared.set(monitor, fresh);
  return fresh;
}

const hostOf = (monitor: LeasedMonitor): string => prepare(monitor).host;

function opened(ctx: EngineContext, monitor: LeasedMonitor): OpenedMonitor {
  const known = prepare(monitor);
  known.opened ??= openedMonitor(ctx, monitor);
  return known.opened;
}
