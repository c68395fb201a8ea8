/** Who asks, as far as the server needs to know. */
export interface Caller {
  readonly kind: "anonymous" | "user" | "service" | "system";
  /** Stable identifier of the caller, or null where the server is open. */
  readonly id: string | null;
  /** What people know it by, where that is at hand. */
  readonly name?: string;
  /** Whether secret values are kept from it. */
  readonly isKeptFromSecrets?: boolean;
  /**
   * Whether it only looks, or only runs what others have made: what would let it change something
   * is kept from it.
   */
  readonly isKeptFromChanges?: boolean;
}

/** The one workspace of a server that asks nobody who they are. */
const OPEN_WORKSPACE_ID = "00000000-0000-0000-0000-000000000000";

const ANONYMOUS: Caller = { kind: "anonymous", id: null };

/**
 * What every request carries with it: whose rows it may touch, who asks, and the id its log lines
 * bear.
 */
export interface Scope {
  readonly workspaceId: string;
  readonly caller: Caller;
  /**
   * The key that was sent, where callers have keys of their own; sessions of a user have the id of
   * the user.
   */
  readonly credentialId?: string | undefined;
  readonly requestId: string;
  /** Where the request comes from, for a caller that has no name. */
  readonly address?: string | undefined;
}

/** The scope of a request to an open server. */
export function openScope(requestId: string, address?: string): Scope {
  return { workspaceId: OPEN_WORKSPACE_ID, caller: ANONYMOUS, requestId, address };
}
