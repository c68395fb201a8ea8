// Results, whole or not at all: the rows, the rollups, what the monitors say of themselves,
// incidents and events. Many are written in one transaction by a handful of statements, however
// many they are.

import type { CheckResult } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { IncidentChange } from "../db/tables/incidents.table.ts";
import type { ResultRow } from "../db/tables/results.table.ts";
import type { VersionRow } from "../db/tables/versions.table.ts";
import { emitMonitorEvents, type MonitorEvent } from "../events/monitor-events.ts";
import { changeIncident } from "../incidents/incidents.store.ts";
import type { MaintenanceContext } from "../maintenance/maintenance-context.ts";
import { listAncestors } from "../monitors/dependencies/dependencies.store.ts";
import { downParents } from "../monitors/dependencies/down-parents.rules.ts";
import { type Circumstances, evaluateResult, type MonitorBefore } from "./evaluate-result.rules.ts";
import type { RecordedFinding } from "./finding.ts";
import { lockMonitorStates, updateMonitorStates } from "./monitor-state.store.ts";
import { findCheckResults, insertResults } from "./results.store.ts";
import { isInMaintenance } from "./rollups/maintenance-time.rules.ts";
import { addToRollups, type MonitorRollupIncrement } from "./rollups/rollups.store.ts";
import type { SpanOf } from "./rollups/tracks.store.ts";
import { insertSpans, saveTracks } from "./rollups/tracks.store.ts";
import { versionsIn } from "./versions/versions.rules.ts";
import { insertVersions } from "./versions/versions.store.ts";

const LONGEST_MESSAGE = 10_000;

/** Null when the monitor is gone, or has passed to another replica meanwhile. */
export async function recordResult(
  ctx: MaintenanceContext,
  found: Omit<RecordedFinding, "id">,
): Promise<CheckResult | null> {
  const finding = { id: ctx.ids.uuid7(), ...found };
  const { workspaceId } = finding;
  const [result = null] = await recordResults(ctx, { workspaceId, findings: [finding] });
  return result;
}

interface Recording {
  readonly workspaceId: string;
  readonly findings: readonly RecordedFinding[];
  /** Whether some may be on record already. */
  readonly isRepeated?: boolean;
}

/**
 * The same for many of one workspace, in the order in which they came; all are kept, or none is.
 */
export async function recordResults(
  ctx: MaintenanceContext,
  { workspaceId, findings, isRepeated = false }: Recording,
): Promise<readonly (CheckResult | null)[]> {
  const windows = await ctx.maintenance.windowsIn(workspaceId);
  const seen = findings.map((finding) => ({ finding, result: resultOf(finding) }));
  return ctx.db.write(workspaceId, async (tx) => {
    const known = await lockMonitorStates(tx, [...new Set(findings.map((f) => f.monitorId))]);
    // Only now: whoever may be writing them still has held the monitors until the end.
    const recorded = isRepeated ? await findCheckResults(tx, findings) : NONE_RECORDED;
    // Only those that are not up can be silenced.
    const troubled = findings.filter(({ outcome }) => outcome.status !== "up");
    const ancestors = await listAncestors(
      tx,
      troubled.map(({ monitorId }) => monitorId),
    );
    const downParentOf = downParents(ancestors, known);
    const batch = new Batch(known, { ...circumstances(ctx), windows, downParentOf });
    const kept = seen.map((each) => recorded.get(each.finding.id) ?? batch.add(each));
    await batch.write(ctx, tx);
    return kept;
  });
}

const NONE_RECORDED: ReadonlyMap<string, CheckResult> = new Map();

function circumstances({ clock, ids, settings }: MaintenanceContext) {
  return {
    now: clock.nowMicros(),
    certificateWarningMicros: settings.certificateWarning * 1000,
    newId: () => ids.uuid7(),
  };
}

interface Seen {
  readonly finding: RecordedFinding;
  readonly result: Omit<CheckResult, "maintenance">;
}

/**
 * All that one transaction writes. Later results of a monitor are judged by what earlier ones have
 * made of it.
 */
class Batch {
  readonly #known: Map<string, MonitorBefore>;
  readonly #given: Circumstances;
  readonly #changed = new Set<string>();
  readonly #rows: ResultRow[] = [];
  readonly #additions: MonitorRollupIncrement[] = [];
  readonly #spans: SpanOf[] = [];
  readonly #incidents: IncidentChange[] = [];
  readonly #versions: VersionRow[] = [];
  readonly #events: Omit<MonitorEvent, "occurred">[] = [];

  constructor(known: Map<string, MonitorBefore>, given: Circumstances) {
    this.#known = known;
    this.#given = given;
  }

  /** The result as it is kept; null when it is not. */
  add({ finding, result: seen }: Seen): CheckResult | null {
    const { outcome, monitorId: monitor_id, trigger: origin, holder } = finding;
    const monitor = this.#known.get(monitor_id);
    if (monitor === undefined) return null;
    if (holder !== undefined && monitor.run_holder !== holder) return null;
    const maintenance = isInMaintenance(this.#given.windows, monitor, seen);
    const result = { ...seen, maintenance };
    const details = writeJson(result.details);
    this.#rows.push({ ...result, details, origin });
    const judgement = evaluateResult(monitor, { result, outcome }, this.#given);
    for (const addition of judgement.additions) this.#additions.push({ monitor_id, addition });
    if (judgement.ended !== null) this.#spans.push({ monitor_id, ...judgement.ended });
    if (judgement.incident !== null) this.#incidents.push(judgement.incident);
    for (const version of versionsIn(result.details))
      this.#versions.push({ ...version, monitor_id, since: result.checked_at });
    for (const told of judgement.told) this.#events.push({ monitor, ...told });
    this.#known.set(monitor_id, judgement.after);
    this.#changed.add(monitor_id);
    return result;
  }

  async write(ctx: MaintenanceContext, tx: Transaction): Promise<void> {
    const changed = [...this.#changed].flatMap((id) => this.#known.get(id) ?? []);
    await insertResults(tx, this.#rows);
    await addToRollups(tx, this.#additions);
    await insertSpans(tx, this.#spans);
    await saveTracks(
      tx,
      changed.map(({ track }) => track),
    );
    await updateMonitorStates(tx, changed);
    for (const change of this.#incidents) await changeIncident(tx, change);
    await insertVersions(tx, this.#versions);
    const occurred = ctx.clock.now();
    await emitMonitorEvents(
      ctx,
      tx,
      this.#events.map((event) => ({ ...event, occurred })),
    );
  }
}

function resultOf({ id, outcome, monitorId, checkedAt }: RecordedFinding): Seen["result"] {
  return {
    id,
    monitor_id: monitorId,
    status: outcome.status,
    message: storable(outcome.message),
    elapsed_ms: outcome.elapsed_ms,
    details: outcome.details as CheckResult["details"],
    checked_at: checkedAt,
    inconclusive: outcome.inconclusive,
  };
}

/** Texts that the target had a hand in may hold what no database takes. */
function storable(text: string): string {
  return text.slice(0, LONGEST_MESSAGE).replaceAll(/\0|[\uD800-\uDFFF]/gu, "\uFFFD");
}
