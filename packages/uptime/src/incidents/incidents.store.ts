import type { Incident } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import {
  INCIDENT_FIELDS,
  type IncidentChange,
  type IncidentRow,
} from "../db/tables/incidents.table.ts";
import { statement } from "../db/tables.ts";

const insert = statement<IncidentRow>()((db, p) =>
  db.insertInto("incidents").values({
    workspace_id: p.workspace_id,
    id: p.id,
    monitor_id: p.monitor_id,
    status: p.status,
    cause: p.cause,
    result_id: p.result_id,
    started_at: p.started_at,
    ended_at: p.ended_at,
    ended_by: p.ended_by,
    caused_by: p.caused_by,
    acknowledged_at: p.acknowledged_at,
    acknowledged_by: p.acknowledged_by,
    note: p.note,
  }),
);

const worsen = statement<Pick<IncidentRow, "id" | "status">>()((db, p) =>
  db
    .updateTable("incidents")
    .set({ status: p.status })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

interface Ending extends Pick<IncidentRow, "id" | "ended_by"> {
  readonly ended_at: string;
}

const close = statement<Ending>()((db, p) =>
  db
    .updateTable("incidents")
    .set((e) => ({
      // It may have begun while the clock was ahead.
      started_at: e
        .case()
        .when("started_at", ">", p.ended_at)
        .then(p.ended_at)
        .else(e.ref("started_at"))
        .end(),
      ended_at: p.ended_at,
      ended_by: p.ended_by,
    }))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("ended_at", "is", null),
);

export async function closeIncident(tx: Transaction, ending: Ending): Promise<void> {
  await tx.run(close, ending);
}

const UNTOUCHED = {
  ended_at: null,
  ended_by: null,
  acknowledged_at: null,
  acknowledged_by: null,
  note: null,
} as const;

export async function changeIncident(tx: Transaction, change: IncidentChange): Promise<void> {
  switch (change.kind) {
    case "opens":
      await tx.run(insert, { ...change, ...UNTOUCHED });
      return;
    case "worsens":
      await tx.run(worsen, { id: change.id, status: "down" });
      return;
    case "ends":
      await closeIncident(tx, { id: change.id, ended_at: change.ended_at, ended_by: "recovered" });
  }
}

const record = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("incidents")
    .select(recordSql(dialect, { fields: INCIDENT_FIELDS, table: "incidents" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findIncident(
  queries: Queries,
  id: string,
): Promise<JsonText<Incident> | null> {
  return (await queries.get(record, { id }))?.json ?? null;
}

type Acknowledgement = Pick<IncidentRow, "id" | "acknowledged_at" | "acknowledged_by">;

const acknowledge = statement<Acknowledgement>()((db, p) =>
  db
    .updateTable("incidents")
    .set({ acknowledged_at: p.acknowledged_at, acknowledged_by: p.acknowledged_by })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("acknowledged_at", "is", null),
);

/** The first who acknowledges it stays the one who has. */
export async function acknowledgeRow(tx: Transaction, row: Acknowledgement): Promise<void> {
  await tx.run(acknowledge, row);
}

const setNote = statement<{ id: string; note: string }>()((db, p) =>
  db
    .updateTable("incidents")
    .set({ note: p.note })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function writeIncidentNote(tx: Transaction, id: string, note: string): Promise<void> {
  await tx.run(setNote, { id, note });
}

interface Range {
  readonly monitor_id: string;
  readonly from: string;
  readonly until: string;
}

const count = statement<Range>()((db, p) =>
  db
    .selectFrom("incidents")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .where("started_at", "<", p.until)
    .where((e) => e.or([e("ended_at", "is", null), e("ended_at", ">", p.from)])),
);

/** How many lasted at least for a while within the range. */
export async function countIncidents(queries: Queries, range: Range): Promise<number> {
  const [counted] = await queries.all(count, range);
  return counted?.count ?? 0;
}
