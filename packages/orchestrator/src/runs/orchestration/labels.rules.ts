import type { Labels } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";

/** Of two labels with one name, the added one wins. */
export const withLabels = (before: string, added: Labels): string =>
  writeJson({ ...(readJson(before) as Labels), ...added });
