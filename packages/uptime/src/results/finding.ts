import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import type { CheckOrigin } from "../db/tables/results.table.ts";

/** What a run of a monitor ended with, before it is on record. */
export interface RecordedFinding {
  /**
   * That of its result. It stays when the finding is written again, so that it is known whether it
   * was there already.
   */
  readonly id: string;
  readonly workspaceId: string;
  readonly monitorId: string;
  readonly outcome: PipelineOutcome;
  /** When the run began. */
  readonly checkedAt: string;
  readonly trigger: CheckOrigin;
  /** Given by the engine: the result counts only while the monitor is still its own. */
  readonly holder?: string;
}
