// States have a colour, a shape and a word, so that none of them says it alone.
import "./state.css";
import type { JSX } from "react";
import { Icon, type IconName } from "./icons.tsx";

const SHAPES: Readonly<Record<string, IconName>> = {
  COMPLETED: "check",
  FAILED: "cross",
  CRASHED: "bolt",
  RUNNING: "play",
  PENDING: "dots",
  SCHEDULED: "clock",
  LATE: "incident",
  PAUSED: "pause",
  CANCELLING: "slash",
  CANCELLED: "slash",
  READY: "check",
  ONLINE: "check",
  NOT_READY: "dots",
  OFFLINE: "slash",
  up: "check",
  down: "cross",
  degraded: "incident",
  paused: "pause",
  maintenance: "maintenance",
};

/** Which of the known looks a state has: one that is late looks late, whatever type it is of. */
export function badgeLookOf(type: string | null | undefined, name?: string | null): string {
  if (name === "Late") return "LATE";
  return type ?? "none";
}

export const iconShapeOf = (look: string): IconName => SHAPES[look] ?? "question";

export function StateBadge({
  type,
  name,
  title,
}: {
  readonly type: string | null | undefined;
  readonly name?: string | null | undefined;
  /** Why it is so. */
  readonly title?: string | undefined;
}): JSX.Element {
  const look = badgeLookOf(type, name);
  return (
    <span className="state" data-state={look} title={title}>
      <Icon name={iconShapeOf(look)} size={13} />
      {name ?? wordOf(type)}
    </span>
  );
}

function wordOf(type: string | null | undefined): string {
  if (type == null) return "No state";
  const words = type.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
