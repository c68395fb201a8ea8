import type { MonitorOverview } from "@orchestrator/contract";
import type { JSX } from "react";
import { StateBadge } from "../../ui/state.tsx";
import { STATE_WORDS, stateOf } from "./monitor-words.ts";

type Told = Parameters<typeof stateOf>[0] & Partial<MonitorOverview>;

/** The state by colour, shape and word. */
export function MonitorBadge({ monitor }: { readonly monitor: Told }): JSX.Element {
  const state = stateOf(monitor);
  return <StateBadge type={state === "unknown" ? undefined : state} name={STATE_WORDS[state]} />;
}
