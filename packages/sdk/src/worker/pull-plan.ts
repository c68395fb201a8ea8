import type { JsonObject, JsonValue } from "@orchestrator/contract";

/** The pull steps of a run. */
export interface PullPlan {
  /** With the values of blocks and variables in their places. */
  readonly steps: readonly JsonObject[];
  /** Where the first step begins. */
  readonly folder: string | null;
  /** What the blocks and variables gave, which is not to be shown. */
  readonly secrets: JsonValue;
}
