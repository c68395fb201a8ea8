import type { CheckConfig } from "../checks/registry.ts";
import type { UptimeContext } from "../context.ts";
import type { MonitorConfigRow } from "../db/tables/monitors.table.ts";
import { shownOf } from "./monitor-row.ts";
import { reveal, withUrlCredentials } from "./pipeline-secrets.rules.ts";
import { openSecrets } from "./sealed-secrets.ts";

/** A monitor that can be run: with its secrets. */
export interface OpenedMonitor {
  readonly id: string;
  readonly name: string;
  /** Without credentials: those are in the checks. */
  readonly url: string;
  readonly tags: readonly string[];
  readonly pipeline: readonly CheckConfig[];
}

/** Throws a `KeyringError` when the key that sealed its secrets is not there. */
export function openedMonitor(
  { keyring }: Pick<UptimeContext, "keyring">,
  row: Pick<MonitorConfigRow, "id" | "name" | "url" | "pipeline" | "tags" | "secrets">,
): OpenedMonitor {
  const { id, name } = row;
  const tags = JSON.parse(row.tags) as readonly string[];
  const probed = withUrlCredentials(reveal(shownOf(row), openSecrets(keyring, row)));
  return { id, name, tags, ...probed };
}
