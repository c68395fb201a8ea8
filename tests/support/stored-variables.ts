// Looks into the database itself: the rows of variables and the events that tell of them must
// agree.
import { createLogger } from "@orchestrator/kernel/log";
import { type Database, openDatabase, statementsFor } from "@orchestrator/kernel/storage";
import { contentExcerpt, variableStateOf, type Write } from "./ledger.ts";

interface VariableRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly value: string;
  readonly tags: string;
}

interface EventRow {
  readonly position: number;
  readonly id: string;
  readonly occurred: string;
  readonly event: string;
  readonly resource_id: string;
  readonly body: string;
}

interface EventBody {
  readonly id: string;
  readonly occurred: string;
  readonly event: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly payload: { readonly name: string; readonly value: unknown; readonly tags: unknown };
}

/** A change of a variable as an event tells it. */
interface Change {
  readonly verb: string;
  readonly name: string;
  readonly state: string;
}

/** What the events so far say about one variable. */
interface VariableOfEvents {
  readonly name: string;
  readonly state: string;
  readonly created: string;
  readonly updated: string;
  readonly isDeleted: boolean;
}

export interface VariableAudit {
  /** Content by name. */
  readonly stored: ReadonlyMap<string, string>;
  /** The changes that events have told of since the last audit. */
  readonly changes: readonly Change[];
  readonly problems: readonly string[];
}

export interface Auditor {
  /** Nobody may write meanwhile. */
  readonly audit: () => Promise<VariableAudit>;
}

const { systemStatement } = statementsFor<{ variables: VariableRow; events: EventRow }>();

const selectVariables = systemStatement()((db) =>
  db.selectFrom("variables").select(["id", "created", "updated", "name", "value", "tags"]),
);
const selectEvents = systemStatement<{ after: number }>()((db, p) =>
  db
    .selectFrom("events")
    .select(["position", "id", "occurred", "event", "resource_id", "body"])
    .where("position", ">", p.after)
    .orderBy("position"),
);

const PREFIX = "orchestrator.variable.";

/** An opening of the database beside the server's, told apart from it by name. */
export function openSecondConnection(databaseUrl: string): Database {
  const url = new URL(databaseUrl);
  if (url.protocol !== "sqlite:") url.searchParams.set("application_name", "test");
  return openDatabase({
    url: url.href,
    maxConnections: 2,
    stats: { onCommit: () => {} },
    log: createLogger({ level: "silent", format: "json", name: "test" }),
  });
}

/** Follows the events from audit to audit, so that each looks only at what is new. */
export function createAuditor(databaseUrl: string): Auditor {
  const told = new Map<string, VariableOfEvents>();
  let position = 0;
  return {
    async audit() {
      const db = openSecondConnection(databaseUrl);
      try {
        const [rows, events] = [
          await db.system.all(selectVariables, {}),
          await db.system.all(selectEvents, { after: position }),
        ];
        position = events.at(-1)?.position ?? position;
        const problems: string[] = [];
        const changes = events.map((event) => follow(told, event, problems));
        problems.push(...compare(told, rows));
        return { stored: new Map(rows.map((row) => [row.name, rowState(row)])), changes, problems };
      } finally {
        await db.close();
      }
    },
  };
}

/**
 * Every acknowledged write was told of once, no refused one ever, and nothing that nobody asked
 * for.
 */
export function reconcile(writes: readonly Write[], changes: readonly Change[]): string[] {
  const problems: string[] = [];
  const toldOf = countBy(changes.map(keyOfChange));
  const asked = new Set(writes.map(keyOfWrite));
  for (const key of toldOf.keys())
    if (!asked.has(key)) problems.push(`Nobody asked for ${contentExcerpt(key)}`);
  const acknowledged = countBy(fated(writes, "acknowledged"));
  const unknown = countBy(fated(writes, "unknown"));
  for (const key of asked) {
    const [least, count] = [acknowledged.get(key) ?? 0, toldOf.get(key) ?? 0];
    const most = least + (unknown.get(key) ?? 0);
    if (count < least || count > most)
      problems.push(`${contentExcerpt(key)} has ${count} events instead of ${least} to ${most}`);
  }
  return problems;
}

/** A deletion's event tells what was deleted, which its caller need not know. */
const keyOfChange = ({ verb, name, state }: Change): string =>
  verb === "deleted" ? `deleted ${name}` : `${verb} ${name} ${state}`;
const keyOfWrite = ({ verb, name, outcome }: Write): string =>
  verb === "delete" ? `deleted ${name}` : `${verb}d ${name} ${outcome}`;

function fated(writes: readonly Write[], fate: Write["fate"]): string[] {
  return writes.filter((write) => write.fate === fate).map(keyOfWrite);
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function follow(told: Map<string, VariableOfEvents>, row: EventRow, problems: string[]): Change {
  const body = JSON.parse(row.body) as EventBody;
  const where = `event ${row.position} (${row.event} of ${row.resource_id})`;
  const before = told.get(row.resource_id);
  const { name } = body.payload;
  const change = {
    verb: row.event.replace(PREFIX, ""),
    name,
    state: variableStateOf(body.payload),
  };
  if (!isConsistent(row, body)) problems.push(`${where} differs from its body ${row.body}`);
  if (!mayFollow(before, change)) problems.push(`${where} does not follow from what came before`);
  told.set(row.resource_id, {
    name,
    state: change.state,
    created: before?.created ?? row.occurred,
    updated: change.verb === "deleted" ? (before?.updated ?? "") : row.occurred,
    isDeleted: change.verb === "deleted",
  });
  return change;
}

function isConsistent(row: EventRow, body: EventBody): boolean {
  return (
    body.id === row.id &&
    body.occurred === row.occurred &&
    body.event === row.event &&
    body.resource["orchestrator.resource.id"] === row.resource_id
  );
}

function mayFollow(before: VariableOfEvents | undefined, { verb, state }: Change): boolean {
  switch (verb) {
    case "created":
      return before === undefined;
    case "updated":
      return before !== undefined && !before.isDeleted && before.state !== state;
    case "deleted":
      return before !== undefined && !before.isDeleted && before.state === state;
    default:
      return false;
  }
}

function compare(
  told: ReadonlyMap<string, VariableOfEvents>,
  rows: readonly VariableRow[],
): string[] {
  const problems: string[] = [];
  const stored = new Map(rows.map((row) => [`${PREFIX}${row.id}`, row]));
  for (const [resourceId, row] of stored) {
    const last = told.get(resourceId);
    if (last === undefined) problems.push(`${row.name} is stored and no event created it`);
    else if (!agrees(row, last))
      problems.push(
        `${row.name} is stored as ${JSON.stringify(row)}, told as ${JSON.stringify(last)}`,
      );
  }
  for (const [resourceId, { name, isDeleted }] of told) {
    if (!isDeleted && !stored.has(resourceId))
      problems.push(`${name} was told of and is not stored (${resourceId})`);
  }
  return problems;
}

function agrees(row: VariableRow, last: VariableOfEvents): boolean {
  return (
    !last.isDeleted &&
    row.name === last.name &&
    rowState(row) === last.state &&
    row.created === last.created &&
    row.updated === last.updated
  );
}

function rowState({ value, tags }: VariableRow): string {
  return variableStateOf({ value: JSON.parse(value), tags: JSON.parse(tags) });
}
