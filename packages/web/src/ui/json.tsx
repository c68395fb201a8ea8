import { writeReadableJson } from "@orchestrator/exact-json";
import type { JSX } from "react";
import { Code } from "./surface.tsx";

/** Any value as it would be written down. */
export function Json({
  label,
  value,
}: {
  /** What it is. */
  readonly label: string;
  readonly value: unknown;
}): JSX.Element {
  return <Code label={label} text={typeof value === "string" ? value : writeReadableJson(value)} />;
}
