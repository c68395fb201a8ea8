// Which states there are, from one name to the next in an index: as quick with a million runs as
// with one.

import { type ObservedState, STATE_TYPES, type StateType } from "@orchestrator/contract";
import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";

/** Names are chosen by clients, so there may be many. */
const MAX_NAMES = 2000;
const TYPES = JSON.stringify(STATE_TYPES.map((type) => ({ type })));

const observedIn = (table: "flow_run_states" | "task_run_states") =>
  statement<{ types: string }>()((db, p, dialect) => {
    const types = dialect.rowsFrom({ type: "text" }, p.types).$castTo<{ type: string }>();
    const states = db.selectFrom(table).where("workspace_id", "=", p.workspace_id);
    return db
      .withRecursive("known(type, name)", (query) =>
        query
          .selectFrom(types.as("wanted"))
          .select([
            "wanted.type",
            states
              .where(`${table}.type`, "=", sql.ref<StateType>("wanted.type"))
              .select((e) => e.fn.min<string | null>(`${table}.name`).as("name"))
              .as("name"),
          ])
          .unionAll(
            query
              .selectFrom("known")
              .where("known.name", "is not", null)
              .select([
                "known.type",
                states
                  .where(`${table}.type`, "=", sql.ref<StateType>("known.type"))
                  .where(`${table}.name`, ">", sql.ref<string>("known.name"))
                  .select((e) => e.fn.min<string | null>(`${table}.name`).as("name"))
                  .as("name"),
              ]),
          ),
      )
      .selectFrom("known")
      .where("known.name", "is not", null)
      .select(["known.type as state_type", "known.name as state_name"])
      .select(
        (["min", "max"] as const).map((bound) =>
          states
            .where(`${table}.type`, "=", sql.ref<StateType>("known.type"))
            .where(`${table}.name`, "=", sql.ref<string>("known.name"))
            .select((e) => e.fn[bound]<string>(`${table}.timestamp`).as("seen"))
            .as(bound === "min" ? "first_seen" : "last_seen"),
        ),
      )
      .limit(sql.lit(MAX_NAMES));
  });

const OBSERVED = [observedIn("flow_run_states"), observedIn("task_run_states")];

export async function listObservedStates(queries: Queries): Promise<ObservedState[]> {
  const lists = await Promise.all(OBSERVED.map((of) => queries.all(of, { types: TYPES })));
  return lists.flat() as ObservedState[];
}
