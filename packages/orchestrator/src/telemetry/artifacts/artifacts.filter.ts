import type { ArtifactSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import type { Fields } from "@orchestrator/kernel/storage";
import { ARTIFACTS, LATEST_ARTIFACT_FIELDS } from "../../db/tables/artifacts.table.ts";
import { sizesOf } from "../../lists/page-size.ts";

type Attributes = ListDefinition["filter"];

const KEY = {
  column: "key",
  kind: "text",
  hasWildcards: true,
  operators: ["any_", "like_", "exists_"],
} as const;
const FLOW_RUN = {
  column: "flow_run_id",
  kind: "id",
  isNarrow: true,
  operators: ["any_"],
} as const;
const TASK_RUN = {
  column: "task_run_id",
  kind: "id",
  isNarrow: true,
  operators: ["any_"],
} as const;

/** Many artifacts may be of a type: what else is asked for finds them sooner. */
const CONTENT: Attributes = {
  key: { ...KEY, isRare: true },
  flow_run_id: { ...FLOW_RUN, isRare: true },
  task_run_id: { ...TASK_RUN, isRare: true },
  type: {
    column: "type",
    kind: "text",
    valueIndex: { order: "id" },
    operators: ["any_", "not_any_"],
  },
};

export const ARTIFACT_LIST: ListDefinition<ArtifactSort> = {
  table: "artifacts",
  fields: ARTIFACTS.fields,
  filter: { id: { column: "id", kind: "id", isNarrow: true, operators: ["any_"] }, ...CONTENT },
  sorts: {
    ID_DESC: ["id desc"],
    // Ids count up with the time they are made at, and they have an index.
    CREATED_DESC: ["id desc"],
    UPDATED_DESC: ["updated desc"],
    KEY_ASC: ["key asc"],
    KEY_DESC: ["key desc"],
  },
  defaultSort: "ID_DESC",
  slowSorts: ["UPDATED_DESC", "KEY_ASC", "KEY_DESC"],
  isVast: true,
};

export const LATEST_ARTIFACT_LIST: ListDefinition<ArtifactSort> = {
  table: "latest_artifacts",
  fields: LATEST_ARTIFACT_FIELDS,
  filter: {
    latest_id: { column: "latest_id", kind: "id", operators: ["any_"] },
    key: KEY,
    flow_run_id: FLOW_RUN,
    task_run_id: TASK_RUN,
    // Not the column itself, or the database begins with the artifacts of the type: all there ever
    // were.
    type: {
      expression: "coalesce($.type, null)",
      kind: "text",
      operators: ["any_", "not_any_"],
    },
  },
  sorts: {
    ID_DESC: ["id desc"],
    CREATED_DESC: ["id desc"],
    UPDATED_DESC: ["updated desc"],
    KEY_ASC: ["key asc"],
    KEY_DESC: ["key desc"],
  },
  defaultSort: "ID_DESC",
  slowSorts: ["UPDATED_DESC", "KEY_ASC", "KEY_DESC"],
  isVast: { table: "artifacts" },
};

/** What is long of an artifact. */
const ABOUT = { description: "text", metadata_: "json" } as const;
const CONTENTS = { ...ABOUT, data: "json" } as const;
const NO_DATA: Fields = {
  data: { kind: "json", expression: ({ text }) => text("cast(null as text)") },
};

interface ReadList {
  readonly list: ListDefinition<ArtifactSort>;
  readonly sizes: ListDefinition;
}

/** The list with the data of the artifacts and without it. */
function bothWays(list: ListDefinition<ArtifactSort>): {
  readonly whole: ReadList;
  readonly withoutData: ReadList;
} {
  const fields = { ...list.fields, ...NO_DATA };
  return {
    whole: { list, sizes: sizesOf(list, CONTENTS) },
    withoutData: { list: { ...list, fields }, sizes: sizesOf(list, ABOUT) },
  };
}

export const ARTIFACT_LISTS = bothWays(ARTIFACT_LIST);
export const LATEST_ARTIFACT_LISTS = bothWays(LATEST_ARTIFACT_LIST);
