import { formatMicros, parseMicros } from "@orchestrator/kernel";

/** When the bound of an SLA passes that counts from a moment. */
export function boundAfter(moment: string, seconds: number): string {
  return formatMicros(parseMicros(moment) + Math.round(seconds * 1_000_000));
}
