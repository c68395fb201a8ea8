import { type JsonText, type Queries, recordSql, type Transaction } from "@orchestrator/kernel";
import { statement } from "../../db/tables.ts";
import type { FlowRunInputRow } from "./flow-runs.table.ts";

const INPUT_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  flow_run_id: "id",
  key: "text",
  value: "text",
  sender: "text",
} as const;

const insert = statement<FlowRunInputRow>()((db, p) =>
  db
    .insertInto("flow_run_inputs")
    .values({
      workspace_id: p.workspace_id,
      id: p.id,
      created: p.created,
      updated: p.updated,
      flow_run_id: p.flow_run_id,
      key: p.key,
      value: p.value,
      sender: p.sender,
    })
    .onConflict((conflict) => conflict.columns(["flow_run_id", "key"]).doNothing()),
);

/** Tells whether the key was still free. */
export async function insertInput(tx: Transaction, row: FlowRunInputRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

interface InputKey {
  readonly flow_run_id: string;
  readonly key: string;
}

const value = statement<InputKey>()((db, p) =>
  db
    .selectFrom("flow_run_inputs")
    .select("value")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("key", "=", p.key),
);

export async function findInput(queries: Queries, key: InputKey): Promise<string | null> {
  return (await queries.get(value, key))?.value ?? null;
}

const remove = statement<InputKey>()((db, p) =>
  db
    .deleteFrom("flow_run_inputs")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("key", "=", p.key),
);

export async function removeInput(tx: Transaction, key: InputKey): Promise<boolean> {
  return (await tx.run(remove, key)) === 1;
}

const list = statement<{ flow_run_id: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_run_inputs")
    .select([
      "key",
      recordSql(dialect, { fields: INPUT_FIELDS, table: "flow_run_inputs" }).as("json"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .orderBy("id"),
);

/** The inputs of a run, oldest first. */
export async function listInputs(
  queries: Queries,
  flowRunId: string,
): Promise<{ readonly key: string; readonly json: JsonText<unknown> }[]> {
  return queries.all(list, { flow_run_id: flowRunId });
}
