import type { JsonObject } from "@orchestrator/contract";
import { durationLabel } from "../../lib/time.ts";

export interface ShownSetting {
  /** With dots between the groups: `server.port`. */
  readonly name: string;
  readonly value: string;
  /** A span of time in larger units. */
  readonly words: string | undefined;
}

/** Names of spans, which are milliseconds. */
const SPAN = /(retention|timeout|lifetime|interval|after|idle|warning)$/;

/** Every setting on a line of its own, in the order of the groups. */
export function settingsIn(settings: JsonObject, prefix = ""): readonly ShownSetting[] {
  return Object.entries(settings).flatMap(([key, value]): readonly ShownSetting[] => {
    const name = `${prefix}${key}`;
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return settingsIn(value as JsonObject, `${name}.`);
    const isSpan = typeof value === "number" && value >= 1000 && SPAN.test(key);
    return [
      { name, value: textOf(value), words: isSpan ? durationLabel(value / 1000) : undefined },
    ];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map(textOf).join(", ") || "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const isMask = (value: string): boolean => /^\*{4,}$/.test(value);
