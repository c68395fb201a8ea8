// One run of one monitor, from its settings to the stored result.

import type { CheckResult } from "@orchestrator/contract";
import {
  type Destination,
  isAppError,
  type OutboundPolicy,
  parseMicros,
  sleep,
} from "@orchestrator/kernel";
import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import type { UptimeContext } from "../context.ts";
import { readHeartbeat } from "../features/heartbeats/heartbeats.service.ts";
import { openedMonitor } from "../features/monitors/monitors.service.ts";
import { type Finding, recordResult } from "../features/results/record-result.service.ts";
import type { CheckOrigin } from "../features/results/results.table.ts";
import { backOffUntil } from "./due-times.rules.ts";
import type { HeldMonitor } from "./shares.store.ts";

/** Runs a monitor that this process holds, or joins the run that is under way. Null when there is nothing to keep of it. */
export function runMonitor(
  ctx: UptimeContext,
  monitor: HeldMonitor,
  trigger: CheckOrigin,
): Promise<CheckResult | null> {
  return ctx.runs.join(monitor.id, hostOf(monitor.url), (signal) =>
    check(ctx, { monitor, trigger, signal }),
  );
}

interface Run {
  readonly monitor: HeldMonitor;
  readonly trigger: CheckOrigin;
  readonly signal: AbortSignal;
}

async function check(
  ctx: UptimeContext,
  { monitor, trigger, signal }: Run,
): Promise<CheckResult | null> {
  const { holder } = ctx.runs;
  const checkedAt = ctx.clock.now();
  const seen = await look(ctx, monitor, signal);
  if (signal.aborted || seen.inconclusive) return null;
  const outcome = await doubted(ctx, seen.outcome);
  if (outcome.authFailed)
    ctx.runs.heldBack.set(monitor.id, backOffUntil(monitor, parseMicros(checkedAt)));
  else ctx.runs.heldBack.delete(monitor.id);
  const { workspace_id: workspaceId, id: monitorId } = monitor;
  const finding = { workspaceId, monitorId, outcome, checkedAt, trigger, holder };
  return recordPatiently(ctx, finding, signal);
}

interface Seen {
  readonly outcome: PipelineOutcome;
  /** The run was interrupted. */
  readonly inconclusive: boolean;
}

async function look(ctx: UptimeContext, monitor: HeldMonitor, signal: AbortSignal): Promise<Seen> {
  const { clock, runs } = ctx;
  try {
    const heartbeat = await readHeartbeat(ctx, monitor);
    const target = { ...openedMonitor(ctx, monitor), heartbeat };
    const outcome = await runs.pipeline(target, { signal, clock, policy: policyOf(ctx) });
    return { outcome, inconclusive: outcome.inconclusive };
  } catch (error) {
    // Not the target's fault: it is on record, and nobody is told that the target is down.
    ctx.log.error({ err: error, monitor: monitor.id }, "A monitor cannot be run");
    return { outcome: UNABLE, inconclusive: false };
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

/** Where nothing was heard from the target, and nothing can be heard from anywhere, the result is inconclusive. */
async function doubted(ctx: UptimeContext, outcome: PipelineOutcome): Promise<PipelineOutcome> {
  if (!outcome.unreachable || (await ctx.runs.connectivity.isUp())) return outcome;
  return {
    ...outcome,
    message: `${outcome.message} (inconclusive: this server's own network does not work)`,
    inconclusive: true,
  };
}

const ATTEMPTS = 4;
const PAUSE_MS = 500;

/** A database that is away for a moment costs no result. */
async function recordPatiently(
  ctx: UptimeContext,
  finding: Finding,
  signal: AbortSignal,
): Promise<CheckResult | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await recordResult(ctx, finding);
    } catch (error) {
      if (!isAppError(error, "unavailable") || attempt === ATTEMPTS || signal.aborted) throw error;
      await sleep(PAUSE_MS * attempt, signal);
    }
  }
}

function policyOf({ settings, db }: UptimeContext): OutboundPolicy {
  const { probePolicy, probeAllowedHosts } = settings;
  return {
    allowPrivate: probePolicy === "private-ok",
    allowed: probeAllowedHosts ?? [],
    onlyAllowed: probePolicy === "allowlist",
    closed: databaseAt(db.location),
  };
}

const POSTGRES_PORT = 5432;

/** Nobody is sent to this server's own database. */
function databaseAt(location: string): Destination[] {
  if (!URL.canParse(location)) return [];
  const { hostname, port } = new URL(location);
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "" ? [] : [{ host, port: port === "" ? POSTGRES_PORT : Number(port) }];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
