import type { ImportedItem } from "@orchestrator/contract";
import type { MonitorConfigRow } from "../../db/tables/monitors.table.ts";

/** What an import does with one monitor. */
export interface PlannedMonitor {
  readonly action: ImportedItem["action"];
  /** Null for a monitor that is created. */
  readonly before: MonitorConfigRow | null;
  /** Null for one that is deleted. */
  readonly after: MonitorConfigRow | null;
  readonly family: FamilyChange | null;
}

/** Other parents than before. */
export interface FamilyChange {
  /** Names, as they are told. */
  readonly before: string[];
  readonly after: string[];
  readonly parentIds: readonly string[];
}
