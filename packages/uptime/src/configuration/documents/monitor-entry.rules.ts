// A monitor as it stands in a file. Secrets are left out of it; a placeholder stands where the
// server keeps one.

import { STORED_SECRET } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { MASK } from "@orchestrator/kernel/pure";
import type { MonitorEntry } from "../../models.ts";
import type { MonitorConfig } from "../../monitors/monitor-input.rules.ts";
import { mapSecrets, type Probed } from "../../monitors/pipeline-secrets.rules.ts";

/** In the order in which people read it. */
export function entryOf(draft: MonitorConfig, parents: readonly string[]): MonitorEntry {
  const { url, pipeline } = mapSecrets(draft, () => STORED_SECRET);
  return {
    name: draft.name,
    url,
    tags: [...draft.tags],
    enabled: draft.enabled,
    interval: draft.interval,
    schedule: draft.schedule,
    timezone: draft.timezone,
    confirm_down: draft.confirm_down,
    confirm_up: draft.confirm_up,
    parents: [...parents],
    pipeline: pipeline.map((check) => {
      if (check.type !== "heartbeat") return check;
      // Whoever knows it can call: it is kept, or made anew elsewhere.
      const { token: _left, ...rest } = check;
      return rest;
    }),
  };
}

/** What is meant to stay as it is kept, said with the mask. */
export function withMasks(probed: Probed): Probed {
  return mapSecrets(probed, (value) => (value === STORED_SECRET ? MASK : value));
}

const REFERENCE = /\$\{(?:stored|env:[^}]*)\}/;

/** The first reference in it that nobody has replaced. */
export function findReference(value: unknown): string | null {
  return REFERENCE.exec(writeJson(value))?.[0] ?? null;
}
