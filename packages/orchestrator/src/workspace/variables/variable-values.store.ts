import { readJson } from "@orchestrator/exact-json";
import { listJson } from "@orchestrator/kernel/lists";
import type { Queries } from "@orchestrator/kernel/storage";
import type { VariableLookup } from "../../parameters/hydrate.ts";
import { VARIABLE_LIST } from "./variables.filter.ts";

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** Variables for placeholders; all that are asked for at once are one query. */
export function variableValues(queries: Queries): VariableLookup {
  return async (names) => {
    if (names.length === 0) return new Map();
    const filter = { name: { any_: names } };
    const page = { filter, limit: names.length, offset: 0 };
    const rows = readJson(await listJson(queries, VARIABLE_LIST, page)) as NamedValue[];
    return new Map(rows.map(({ name, value }) => [name, value]));
  };
}
