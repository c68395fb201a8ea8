import {
  type Dialect,
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import { FLOW_RUN_INPUTS, type FlowRunInputRow } from "../../db/tables/flow-runs.table.ts";
import { statement } from "../../db/tables.ts";
import { assertFits } from "../../lists/page-size.ts";

const insert = statement<FlowRunInputRow>()((db, p) =>
  db
    .insertInto("flow_run_inputs")
    .values(FLOW_RUN_INPUTS.values(p))
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

const deleteFlowRunInputRow = statement<InputKey>()((db, p) =>
  db
    .deleteFrom("flow_run_inputs")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("key", "=", p.key),
);

export async function removeInput(tx: Transaction, key: InputKey): Promise<boolean> {
  return (await tx.run(deleteFlowRunInputRow, key)) === 1;
}

interface InputsOfRun {
  readonly flow_run_id: string;
  /** A JSON array of objects with a key each. */
  readonly excluded: string;
  readonly low: string;
  readonly high: string;
  readonly limit: number;
}

const record = (dialect: Dialect): RawBuilder<string> =>
  recordSql(dialect, { fields: FLOW_RUN_INPUTS.fields, table: "flow_run_inputs" });
const bytes = (): RawBuilder<number> => sql<number>`octet_length(value)`;

/** Which ones is decided by their keys before any of them is made into a record. */
const list = <Shown>(isRange: boolean, shown: (dialect: Dialect) => RawBuilder<Shown>) =>
  statement<InputsOfRun>()((db, p, dialect) =>
    db
      .selectFrom("flow_run_inputs")
      .select(shown(dialect).as("shown"))
      .where("workspace_id", "=", p.workspace_id)
      .where("id", "in", (e) =>
        e
          .selectFrom("flow_run_inputs as wanted")
          .select("wanted.id")
          .where("wanted.flow_run_id", "=", p.flow_run_id)
          .$if(isRange, (query) =>
            query.where("wanted.key", ">=", p.low).where("wanted.key", "<", p.high),
          )
          .where("wanted.key", "not in", (keys) =>
            keys
              .selectFrom(
                dialect
                  .rowsFrom({ key: "text" }, p.excluded)
                  .$castTo<{ key: string }>()
                  .as("excluded"),
              )
              .select("excluded.key"),
          )
          .orderBy("wanted.id")
          .limit(p.limit),
      )
      .orderBy("id"),
  );
const RECORDS = { all: list(false, record), inRange: list(true, record) };
const SIZES = { all: list(false, bytes), inRange: list(true, bytes) };

/**
 * The first inputs of a run, oldest first, whose keys lie in the range, where there is one, and are
 * not excluded.
 */
export async function listInputs(
  queries: Queries,
  request: {
    readonly flow_run_id: string;
    readonly range: { readonly low: string; readonly high: string } | null;
    readonly excluded: readonly string[];
    readonly limit: number;
  },
): Promise<JsonText<unknown>[]> {
  const { flow_run_id, limit, range } = request;
  const excluded = JSON.stringify(request.excluded.map((key) => ({ key })));
  const { low, high } = range ?? { low: "", high: "" };
  const parameters = { flow_run_id, excluded, limit, low, high };
  const which = range === null ? "all" : "inRange";
  // Clients poll for one at a time.
  if (limit > 1) {
    const sizes = await queries.all(SIZES[which], parameters);
    assertFits(sizes.map(({ shown }) => ({ bytes: shown })));
  }
  return (await queries.all(RECORDS[which], parameters)).map(({ shown }) => shown);
}
