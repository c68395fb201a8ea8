import type { Generated } from "kysely";
import { statementsFor } from "./statement.ts";

/** The kernel's own tables. */
interface KernelTables {
  events: {
    position: Generated<number>;
    workspace_id: string;
    id: string;
    occurred: string;
    received: string;
    event: string;
    resource_id: string;
    body: string;
  };
  log_cursors: { name: string; position: number; updated: string };
  leases: { name: string; holder: string; token: number; expires: string };
}

export const { statement, systemStatement } = statementsFor<KernelTables>();
