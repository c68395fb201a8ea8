// Rows that nobody waits for are added by one statement for many of them, which costs hardly more
// than one for each.

import type { Statement } from "./statement.ts";

/**
 * JSON objects with commas between them, or nothing, for each value of a statement that takes
 * arrays of them.
 */
export type RowTexts<P> = { readonly [K in keyof P]: string };
type AnyTexts = Readonly<Record<string, string>>;

export interface PipelinedRows {
  readonly workspaceId: string;
  readonly statement: Statement<AnyTexts, unknown>;
  readonly rows: AnyTexts;
}

export function pipelinedRows<P extends RowTexts<P>>(
  workspaceId: string,
  statement: Statement<P, unknown>,
  rows: P,
): PipelinedRows {
  return { workspaceId, statement: statement as PipelinedRows["statement"], rows: { ...rows } };
}

/** So many characters are added at once, unless the rows of one write are more. */
const MOST_AT_ONCE = 1_000_000;

/** What adds the same rows with few statements, each in the order in which they were told. */
export function gathered(told: readonly PipelinedRows[]): PipelinedAddition[] {
  const open = new Map<PipelinedRows["statement"], Map<string, Gathering>>();
  const all: Gathering[] = [];
  for (const { statement, workspaceId, rows } of told) {
    const workspaces = open.get(statement) ?? new Map<string, Gathering>();
    open.set(statement, workspaces);
    let gathering = workspaces.get(workspaceId);
    const length = lengthOf(rows);
    if (gathering === undefined || gathering.length + length > MOST_AT_ONCE) {
      gathering = { statement, workspaceId, list: [], length: 0 };
      workspaces.set(workspaceId, gathering);
      all.push(gathering);
    }
    gathering.list.push(rows);
    gathering.length += length;
  }
  return all.map(({ statement, workspaceId, list }) => ({
    statement,
    workspaceId,
    parameters: asArrays(joined(list)),
  }));
}

export interface PipelinedAddition extends Pick<PipelinedRows, "statement" | "workspaceId"> {
  readonly parameters: AnyTexts;
}

interface Gathering extends Pick<PipelinedRows, "statement" | "workspaceId"> {
  readonly list: AnyTexts[];
  length: number;
}

function lengthOf(rows: AnyTexts): number {
  let length = 0;
  for (const name in rows) length += rows[name]?.length ?? 0;
  return length;
}

function joined(list: readonly AnyTexts[]): AnyTexts {
  const names = Object.keys(list[0] ?? {});
  const objectsOf = (name: string) => list.flatMap((rows) => rows[name] || []);
  return Object.fromEntries(names.map((name) => [name, objectsOf(name).join(",")]));
}

/** The values of the statement. */
export function asArrays<P extends RowTexts<P>>(rows: P): P {
  const arrays = Object.entries<string>(rows).map(([name, objects]) => [name, `[${objects}]`]);
  return Object.fromEntries(arrays) as P;
}
