import { type Statements, statementsFor } from "@orchestrator/kernel";
import type { CsrfTokenRow } from "../features/csrf/csrf.table.ts";
import type { VariableRow } from "../features/variables/variables.table.ts";

/** Table name → row, assembled from the features. */
interface Tables {
  csrf_tokens: InWorkspace<CsrfTokenRow>;
  variables: InWorkspace<VariableRow>;
}

type InWorkspace<Row> = Row & { workspace_id: string };

export const statement: Statements<Tables>["statement"] = statementsFor<Tables>().statement;
