import type { ApiError } from "@orchestrator/client/node";
import { isApiError, isPassing } from "../../io/passing.ts";
import type { Side } from "./sides.ts";
import { NotTransferable, type Transfer, type TransferItem } from "./transfer-context.ts";

/** A thing on a server. Two of a kind are the same where they have the same name. */
export interface FoundItem<Row> {
  readonly id: string;
  readonly name: string;
  readonly row: Row;
  /** It comes with something else, and is only recognised. */
  readonly isPart?: boolean;
}

export interface CreatedItem {
  readonly id: string;
  readonly note?: string | null;
}

/** How one kind of thing is transferred. */
export interface TransferKind<Row> {
  readonly kind: string;
  readonly find: (side: Side, isSource: boolean) => Promise<readonly FoundItem<Row>[]>;
  /** Those before others that need them. */
  readonly inOrder?: (rows: readonly FoundItem<Row>[]) => readonly FoundItem<Row>[];
  /** Looks whether it can be done, and answers with what does it. */
  readonly plan: (transfer: Transfer, found: FoundItem<Row>) => () => Promise<CreatedItem>;
}

export interface TransferProgress {
  /** Whether things of the kind are to be made, and not only recognised. */
  readonly isRequested: (kind: string) => boolean;
  readonly report: (kind: string, done: number, all: number) => void;
  /** What became of a thing, told as soon as it is known: the way may be cut off before the end. */
  readonly done: (item: TransferItem) => void;
}

/**
 * What is there already stays as it is; what is not is made. What cannot be is told, and the rest
 * goes on.
 */
export async function transferKind<Row>(
  transfer: Transfer,
  kind: TransferKind<Row>,
  { isRequested, report, done }: TransferProgress,
): Promise<void> {
  const { from, to, ids } = transfer;
  const isMade = isRequested(kind.kind);
  const listed = await resultOrReason(() =>
    Promise.all([kind.find(from, true), kind.find(to, false)]),
  );
  if (typeof listed === "string") {
    if (isMade) done({ kind: kind.kind, name: "all", outcome: "failed", note: listed });
    return;
  }
  const [ours, theirs] = listed;
  const there = grouped(theirs);
  const ordered = kind.inOrder?.(ours) ?? ours;
  for (const [at, found] of ordered.entries()) {
    const same = there.get(found.name)?.shift();
    if (same !== undefined) ids.set(found.id, same.id);
    else if (found.isPart && transfer.isDryRun) ids.set(found.id, found.id);
    if (!isMade || found.isPart) continue;
    report(kind.kind, at, ordered.length);
    const item = { kind: kind.kind, name: found.name };
    const unknown = (fate: Fate): void => done({ ...item, ...fate });
    const fate =
      same !== undefined ? EXISTS : await orUnknown(make(transfer, kind, found), unknown);
    done({ ...item, ...fate });
  }
  report(kind.kind, ordered.length, ordered.length);
}

type Fate = Pick<TransferItem, "outcome" | "note">;

/** Where the way is cut off meanwhile nobody knows what became of it. */
export async function orUnknown<Value>(
  work: Promise<Value>,
  report: (fate: Fate) => void,
): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (isPassing(error))
      report({ outcome: "failed", note: "no answer came, so that it may be there or not" });
    throw error;
  }
}

const EXISTS = { outcome: "exists", note: null } as const;

async function make<Row>(
  transfer: Transfer,
  kind: TransferKind<Row>,
  found: FoundItem<Row>,
): Promise<Fate> {
  try {
    const act = kind.plan(transfer, found);
    const made: CreatedItem = transfer.isDryRun ? { id: found.id } : await act();
    transfer.ids.set(found.id, made.id);
    return { outcome: "created", note: made.note ?? null };
  } catch (error) {
    if (error instanceof NotTransferable) return { outcome: "left_out", note: error.message };
    if (isApiError(error) && !isPassing(error)) return { outcome: "failed", note: reasonOf(error) };
    throw error;
  }
}

/** The answer, or why it was refused. */
export async function resultOrReason<Value>(work: () => Promise<Value>): Promise<Value | string> {
  try {
    return await work();
  } catch (error) {
    if (isApiError(error) && !isPassing(error)) return reasonOf(error);
    throw error;
  }
}

const UNAUTHORIZED = 401;

/** Which of the two servers does not know us is not to be guessed. */
function reasonOf({ status, url, detail }: ApiError): string {
  if (status !== UNAUTHORIZED) return detail;
  const { origin, pathname } = new URL(url);
  const name = pathname.includes("/uptime/") ? "UPTIME_PASSWORD" : "ORCHESTRATOR_API_KEY";
  return `${detail} (${origin}): set ${name} in the profile of that server`;
}

/** Names need not be unique: the second of a name is the same as the second over there. */
function grouped<Row>(rows: readonly FoundItem<Row>[]): Map<string, FoundItem<Row>[]> {
  const groups = new Map<string, FoundItem<Row>[]>();
  for (const row of rows) groups.set(row.name, [...(groups.get(row.name) ?? []), row]);
  return groups;
}

/**
 * Those that others refer to come first; where they refer to each other in a circle, as they are.
 */
export function referredFirst<Row>(
  rows: readonly FoundItem<Row>[],
  refersTo: (row: Row) => readonly string[],
): FoundItem<Row>[] {
  const byId = new Map(rows.map((found) => [found.id, found]));
  const done = new Set<string>();
  const ordered: FoundItem<Row>[] = [];
  const add = (found: FoundItem<Row>): void => {
    if (done.has(found.id)) return;
    done.add(found.id);
    for (const id of refersTo(found.row)) {
      const other = byId.get(id);
      if (other !== undefined) add(other);
    }
    ordered.push(found);
  };
  for (const found of rows) add(found);
  return ordered;
}
