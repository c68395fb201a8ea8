import type { CheckConfig, CheckKind, Monitor, MonitorCreate } from "@orchestrator/contract";
import { checkKindOf, prefillOf } from "./check-kinds.ts";

/** A monitor as it is being written. */
export interface MonitorFormDraft {
  readonly name: string;
  readonly url: string;
  readonly pipeline: readonly CheckConfig[];
  readonly plan: "interval" | "schedule";
  readonly interval: number;
  readonly schedule: string;
  readonly timezone: string;
  readonly tags: readonly string[];
  readonly confirmDown: number;
  readonly confirmUp: number;
  readonly parents: readonly string[];
}

const DEFAULT_INTERVAL = 60;

export function newDraft(kinds: readonly CheckKind[]): MonitorFormDraft {
  return {
    name: "",
    url: "",
    pipeline: [prefillOf(checkKindOf(kinds, "http"))],
    plan: "interval",
    interval: DEFAULT_INTERVAL,
    schedule: "*/5 * * * *",
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    tags: [],
    confirmDown: 1,
    confirmUp: 1,
    parents: [],
  };
}

export function monitorDraftOf(monitor: Monitor): MonitorFormDraft {
  const { name, url, pipeline, interval, schedule, timezone, tags, parents } = monitor;
  return {
    name,
    url,
    pipeline,
    plan: schedule === null ? "interval" : "schedule",
    interval,
    schedule: schedule ?? "*/5 * * * *",
    timezone,
    tags,
    confirmDown: monitor.confirm_down,
    confirmUp: monitor.confirm_up,
    parents,
  };
}

export function monitorOf(draft: MonitorFormDraft): MonitorCreate {
  const { name, url, pipeline, plan, interval, schedule, timezone, parents } = draft;
  return {
    name: name.trim() === "" ? monitorNameFor(url) : name,
    url,
    pipeline: [...pipeline],
    interval,
    schedule: plan === "schedule" ? schedule : null,
    timezone,
    tags: [...draft.tags],
    confirm_down: draft.confirmDown,
    confirm_up: draft.confirmUp,
    parents: [...parents],
  };
}

/** The host says most where nobody has thought of a name. */
export function monitorNameFor(url: string): string {
  const text = url.includes("://") ? url : `https://${url}`;
  return URL.canParse(text) ? new URL(text).hostname : "";
}

/** Whether a run may still be under way when the next is due. */
export function isTight(
  { plan, interval, pipeline }: MonitorFormDraft,
  kinds: readonly CheckKind[],
): boolean {
  const longest = pipeline.reduce((sum, check) => {
    const usual = Number(checkKindOf(kinds, check.type).defaults["timeout_ms"] ?? 0);
    return sum + Number(check["timeout_ms"] ?? usual);
  }, 0);
  return plan === "interval" && interval * 1000 < longest;
}
