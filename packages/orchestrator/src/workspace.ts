import type { Scope } from "@orchestrator/kernel";

/** The one workspace of an open server. */
const OPEN_WORKSPACE_ID = "00000000-0000-0000-0000-000000000000";

const ANONYMOUS = { kind: "anonymous", id: null } as const;

/** An open server asks nobody who they are. */
export function openScope(requestId: string): Scope {
  return { workspaceId: OPEN_WORKSPACE_ID, caller: ANONYMOUS, requestId };
}
