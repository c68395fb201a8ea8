import type { MonitorOverview } from "@orchestrator/contract";
import type { JSX } from "react";
import { StateBadge } from "../../ui/state.tsx";
import { MONITOR_STATE_WORDS, monitorStateOf } from "./monitor-words.ts";

type BadgeMonitor = Parameters<typeof monitorStateOf>[0] & Partial<MonitorOverview>;

/** The state by colour, shape and word. */
export function MonitorBadge({ monitor }: { readonly monitor: BadgeMonitor }): JSX.Element {
  const state = monitorStateOf(monitor);
  return (
    <StateBadge type={state === "unknown" ? undefined : state} name={MONITOR_STATE_WORDS[state]} />
  );
}
