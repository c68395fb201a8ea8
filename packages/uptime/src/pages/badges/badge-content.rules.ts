// What stands on badges, and in which colour.

import type { ShownState } from "@orchestrator/contract";
import { latencyText, uptimePercentText } from "../page-text.rules.ts";

export interface BadgeContent {
  readonly label: string;
  readonly text: string;
  readonly colour: string;
}

const GREEN = "1f8a4c";
const AMBER = "c98200";
const RED = "c22a1f";
const BLUE = "2f5fd0";
const GREY = "6a7280";

const STATES: Readonly<Record<ShownState, Omit<BadgeContent, "label">>> = {
  up: { text: "up", colour: GREEN },
  degraded: { text: "degraded", colour: AMBER },
  down: { text: "down", colour: RED },
  maintenance: { text: "maintenance", colour: BLUE },
  paused: { text: "paused", colour: GREY },
  unknown: { text: "unknown", colour: GREY },
};

export function statusBadge(state: ShownState): BadgeContent {
  return { label: "status", ...STATES[state] };
}

export function uptimeBadge(range: string, percent: number | null): BadgeContent {
  const label = `uptime ${range}`;
  if (percent === null) return { label, text: "unknown", colour: GREY };
  const colour = percent >= 99.9 ? GREEN : percent >= 99 ? AMBER : RED;
  return { label, text: uptimePercentText(percent), colour };
}

const SLOW_MS = 1000;
const TOO_SLOW_MS = 3000;

export function latencyBadge(ms: number | null): BadgeContent {
  const label = "latency";
  if (ms === null) return { label, text: "unknown", colour: GREY };
  const colour = ms < SLOW_MS ? GREEN : ms < TOO_SLOW_MS ? AMBER : RED;
  return { label, text: latencyText(ms), colour };
}

/** The same for what is not public as for what is not there. */
export const MISSING_BADGE: BadgeContent = { label: "badge", text: "not found", colour: GREY };
