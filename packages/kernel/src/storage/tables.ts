import type { Generated } from "kysely";
import { statementsFor } from "./statement.ts";

/** The kernel's own tables. */
export interface KernelTables {
  events: {
    position: Generated<number>;
    workspace_id: string;
    id: string;
    occurred: string;
    received: string;
    event: string;
    resource_id: string;
    related_id: string | null;
    body: string;
  };
  event_related: {
    workspace_id: string;
    set_id: string;
    day: string;
    item: number;
    resource_id: string;
    role: string;
    written: string;
  };
  text_blocks: {
    source: string;
    workspace_id: string;
    since: string;
    until: string;
    marks: Uint8Array;
  };
  late_texts: {
    position: Generated<number>;
    source: string;
    workspace_id: string;
    since: string;
    until: string;
  };
  text_block_turns: { source: string; turn: number };
  log_cursors: { name: string; position: number; updated: string };
  schema_migrations: { component: string; version: number; name: string; applied: string };
  write_probes: { id: string; filler: string };
  leases: { name: string; holder: string; token: number; expires: string };
  hearing: { service: string; heard: string; since: string };
  hearing_gaps: { service: string; began: string; ended: string };
}

export const { statement, systemStatement } = statementsFor<KernelTables>();
