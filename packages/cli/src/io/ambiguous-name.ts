import { UsageError } from "../output/fail.ts";
import { stateText } from "../output/style.ts";
import { tableText } from "../output/table.ts";
import { timeAgo } from "../output/time.ts";

/**
 * One of several things with a name. Resources of the two services spell their fields differently.
 */
export interface NamesakeFields {
  readonly id: string;
  readonly state_type?: string | null;
  readonly state_name?: string | null;
  readonly status?: string | null;
  readonly last_status?: string | null;
  readonly enabled?: boolean;
  readonly created?: string;
  readonly created_at?: string;
}

const SHOWN = 10;

/**
 * Refuses a name that several things have; lists them with state and time, and says what to type.
 */
export function ambiguousName(
  { what, name }: { readonly what: string; readonly name: string },
  rows: readonly NamesakeFields[],
): UsageError {
  const newest = rows.toSorted((a, b) => createdOf(b).localeCompare(createdOf(a)));
  const shown = newest.slice(0, SHOWN);
  const table = tableText(
    [
      { title: "Id", cell: ({ id }) => id },
      { title: "State", cell: stateOf },
      { title: "Created", cell: (row) => timeAgo(createdOf(row)) },
    ],
    shown,
    Number.POSITIVE_INFINITY,
  );
  const more = rows.length > SHOWN ? "\nThere are more of that name." : "";
  const noun = what.replaceAll(" ", "-");
  const [latest] = shown;
  return new UsageError(
    `Several ${plural(what)} are called ${name}:\n${table}${more}\nUse the id of one, as in \`orchestrator ${noun} inspect ${latest?.id}\`.`,
  );
}

const plural = (what: string): string => (what === "sla" ? "SLAs" : `${what}s`);

const createdOf = ({ created, created_at }: NamesakeFields): string => created ?? created_at ?? "";

function stateOf(row: NamesakeFields): string {
  if (row.state_name != null) return stateText(row.state_type, row.state_name);
  if (row.enabled === false) return "disabled";
  return stateText(row.status ?? row.last_status ?? (row.enabled === true ? "enabled" : null));
}
