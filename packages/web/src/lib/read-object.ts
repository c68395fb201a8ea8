import type { JsonObject } from "@orchestrator/contract";
import { readWrittenJson } from "@orchestrator/exact-json";

interface Read {
  readonly value: JsonObject;
  readonly problem?: string;
}

/**
 * Whether what was typed can be sent as an object at all; what it means is for the server to judge.
 */
export function parseObject(text: string): Read {
  try {
    const value = readWrittenJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { value: value as JsonObject };
    return { value: {}, problem: "It must be a JSON object: { … }" };
  } catch (error) {
    return { value: {}, problem: error instanceof Error ? error.message : "Not valid JSON" };
  }
}
