/** Who asks, as far as the server needs to know. */
export interface Caller {
  readonly kind: "anonymous" | "user" | "service" | "system";
  /** Stable identifier of the caller, or null where the server is open. */
  readonly id: string | null;
}

/** What every request carries with it: whose rows it may touch, who asks, and the id its log lines bear. */
export interface Scope {
  readonly workspaceId: string;
  readonly caller: Caller;
  readonly requestId: string;
}
