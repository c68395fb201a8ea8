// What the uptime service watches, by its own document: monitors, maintenance windows and status
// pages. An import takes effect whole or not at all, so that only what can be imported goes into
// it.

import type {
  ImportedSection,
  MaintenanceEntry,
  MonitorEntry,
  StatusPageEntry,
  UptimeDocument,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { collect } from "../../../io/collect.ts";
import { isApiError } from "../../../io/passing.ts";
import type { Side } from "../sides.ts";
import type { Transfer, TransferItem } from "../transfer-context.ts";
import { orUnknown, resultOrReason, type TransferProgress } from "../transfer-kind.ts";

const STORED = "$" + "{stored}";
const NOT_THERE = 404;
const VERSION = 1;
const UPTIME_KINDS = ["monitor", "maintenance", "status-page"] as const;
type UptimeKind = (typeof UPTIME_KINDS)[number];

interface Watched {
  readonly kind: UptimeKind;
  readonly name: string;
  readonly entry: MonitorEntry | MaintenanceEntry | StatusPageEntry;
  /** The monitors it names. */
  readonly monitors: readonly string[];
}

export async function transferUptime(
  transfer: Transfer,
  { isRequested, report, done }: TransferProgress,
): Promise<void> {
  const requested = UPTIME_KINDS.filter(isRequested);
  const exported = await resultOrReason(() => documentsOf(transfer));
  if (typeof exported === "string") {
    for (const kind of requested) done({ kind, name: "all", outcome: "failed", note: exported });
    return;
  }
  const { ours, theirs } = exported;
  if (ours === null || watchedIn(ours).length === 0) return;
  const there = new Set(watchedIn(theirs ?? { version: VERSION }).map(keyOf));
  const isThere = (kind: UptimeKind, name: string): boolean => there.has(keyOf({ kind, name }));
  const chosen: Watched[] = [];
  const known = new Set(
    (ours.monitors ?? []).map(({ name }) => name).filter((name) => isThere("monitor", name)),
  );
  for (const one of inOrder(watchedIn(ours).filter(({ kind }) => requested.includes(kind)))) {
    const { kind, name } = one;
    if (isThere(kind, name)) {
      done({ kind, name, outcome: "exists", note: null });
      continue;
    }
    const reason = theirs === null ? "there is no uptime service" : reasonAgainst(one, known);
    if (reason !== null) done({ kind, name, outcome: "left_out", note: reason });
    else {
      chosen.push(one);
      if (kind === "monitor") known.add(name);
    }
  }
  for (const kind of requested) report(kind, 0, chosen.filter((one) => one.kind === kind).length);
  const unknown = (fate: Pick<TransferItem, "outcome" | "note">): void => {
    for (const { kind, name } of chosen) done({ kind, name, ...fate });
  };
  for (const item of await orUnknown(importAll(transfer, chosen), unknown)) done(item);
  if (theirs !== null) await learnMonitors(transfer, known);
}

const keyOf = ({ kind, name }: { readonly kind: UptimeKind; readonly name: string }): string =>
  `${kind} ${name.trim()}`;

/** Null where a server does not run the service. */
interface Documents {
  readonly ours: UptimeDocument | null;
  readonly theirs: UptimeDocument | null;
}

async function documentsOf({ from, to }: Transfer): Promise<Documents> {
  const exported = async ({ uptime }: Side): Promise<UptimeDocument | null> => {
    try {
      return await uptime.documents.export();
    } catch (error) {
      if (isApiError(error) && error.status === NOT_THERE) return null;
      throw error;
    }
  };
  const ours = await exported(from);
  // Where nothing is watched the other server need not be asked, and let us in.
  const isNothing = ours === null || watchedIn(ours).length === 0;
  return { ours, theirs: isNothing ? null : await exported(to) };
}

function watchedIn({
  monitors = [],
  maintenance = [],
  status_pages = [],
}: UptimeDocument): Watched[] {
  return [
    ...monitors.map((entry) => ({
      kind: "monitor" as const,
      name: entry.name,
      entry,
      monitors: entry.parents ?? [],
    })),
    ...maintenance.map((entry) => ({
      kind: "maintenance" as const,
      name: entry.name,
      entry,
      monitors: entry.monitors ?? [],
    })),
    ...status_pages.map((entry) => ({
      kind: "status-page" as const,
      name: entry.slug,
      entry,
      monitors: (entry.groups ?? []).flatMap((group) =>
        (group.monitors ?? []).map(({ monitor }) => monitor),
      ),
    })),
  ];
}

/**
 * Parents before those behind them, so that whoever is behind one that is left out is left out,
 * too.
 */
function inOrder(all: readonly Watched[]): Watched[] {
  const monitors = new Map(
    all.flatMap((one) => (one.kind === "monitor" ? [[one.name, one] as const] : [])),
  );
  const ordered = new Set<Watched>();
  const add = (one: Watched, path: ReadonlySet<Watched>): void => {
    if (ordered.has(one) || path.has(one)) return;
    for (const name of one.monitors) {
      const other = monitors.get(name);
      if (other !== undefined) add(other, new Set([...path, one]));
    }
    ordered.add(one);
  };
  for (const one of all) add(one, new Set());
  return [...ordered];
}

function reasonAgainst(
  { kind, name, entry, monitors }: Watched,
  known: ReadonlySet<string>,
): string | null {
  if (kind === "monitor" && known.has(name)) return "its name stands twice: give it another";
  if (writeJson(entry).includes(STORED)) {
    return "its secrets are told nobody: `orchestrator monitor export`, put them in, and `monitor apply` on the other server";
  }
  const lost = monitors.find((other) => !known.has(other));
  return lost === undefined
    ? null
    : `it names the monitor ${lost}, which is not on the other server`;
}

async function importAll(
  { to, isDryRun }: Transfer,
  chosen: readonly Watched[],
): Promise<readonly TransferItem[]> {
  if (chosen.length === 0) return [];
  const outcome = await resultOrReason(() =>
    to.uptime.documents.import(documentOf(chosen), { dry_run: isDryRun }),
  );
  if (typeof outcome === "string") {
    return chosen.map(({ kind, name }) => ({ kind, name, outcome: "failed", note: outcome }));
  }
  const itemsOf = (kind: UptimeKind, section: ImportedSection | null): TransferItem[] =>
    (section?.items ?? []).map(({ name }) => ({
      kind,
      name,
      outcome: "created",
      note: noteOn(chosen.find((one) => one.kind === kind && one.name === name)),
    }));
  return [
    ...itemsOf("monitor", outcome.monitors),
    ...itemsOf("maintenance", outcome.maintenance),
    ...itemsOf("status-page", outcome.status_pages),
  ];
}

/** Whoever sends to a heartbeat has to learn its new address. */
function noteOn(one: Watched | undefined): string | null {
  const isHeartbeat = one?.kind === "monitor" && writeJson(one.entry).includes('"heartbeat"');
  return isHeartbeat ? "it has a new address: `orchestrator monitor inspect` shows it" : null;
}

function documentOf(chosen: readonly Watched[]): UptimeDocument {
  const of = <Entry>(kind: UptimeKind): Entry[] =>
    chosen.filter((one) => one.kind === kind).map(({ entry }) => entry as Entry);
  return {
    version: VERSION,
    monitors: of<MonitorEntry>("monitor"),
    maintenance: of<MaintenanceEntry>("maintenance"),
    status_pages: of<StatusPageEntry>("status-page"),
  };
}

/** Which monitor is which, for automations that name them. */
async function learnMonitors({ from, to, ids, isDryRun }: Transfer, known: ReadonlySet<string>) {
  const ours = await collect(from.uptime.monitors.each());
  const theirs = isDryRun ? ours : await collect(to.uptime.monitors.each());
  const named = (monitors: typeof ours, name: string) =>
    monitors.filter((monitor) => monitor.name === name);
  for (const name of known) {
    const [[one, ...twins], [other, ...others]] = [named(ours, name), named(theirs, name)];
    // Of two with one name nobody knows which is meant.
    if (one && other && twins.length === 0 && others.length === 0) ids.set(one.id, other.id);
  }
}
