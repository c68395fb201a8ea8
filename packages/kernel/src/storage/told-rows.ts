// Rows that nobody waits for are added by one statement for many of them, which costs hardly more than one for each.

import type { Statement } from "./statement.ts";

/** JSON objects with commas between them, or nothing, for each value of a statement that takes arrays of them. */
export type RowTexts<P> = { readonly [K in keyof P]: string };
type AnyTexts = Readonly<Record<string, string>>;

export interface ToldRows {
  readonly workspaceId: string;
  readonly statement: Statement<AnyTexts, unknown>;
  readonly rows: AnyTexts;
}

export function toldRows<P extends RowTexts<P>>(
  workspaceId: string,
  statement: Statement<P, unknown>,
  rows: P,
): ToldRows {
  return { workspaceId, statement: statement as ToldRows["statement"], rows: { ...rows } };
}

/** The same rows with as few statements as there can be, each in the order in which they were told. */
export function gathered(told: readonly ToldRows[]): ToldRows[] {
  const inserts = new Map<ToldRows["statement"], Map<string, AnyTexts[]>>();
  for (const { statement, workspaceId, rows } of told) {
    const workspaces = inserts.get(statement) ?? new Map<string, AnyTexts[]>();
    inserts.set(statement, workspaces);
    const before = workspaces.get(workspaceId);
    if (before === undefined) workspaces.set(workspaceId, [rows]);
    else before.push(rows);
  }
  return [...inserts].flatMap(([statement, workspaces]) =>
    Array.from(workspaces, ([workspaceId, list]) => ({
      workspaceId,
      statement,
      rows: joined(list),
    })),
  );
}

function joined(list: readonly AnyTexts[]): AnyTexts {
  const names = Object.keys(list[0] ?? {});
  const piecesOf = (name: string) => list.flatMap((rows) => rows[name] || []);
  return Object.fromEntries(names.map((name) => [name, piecesOf(name).join(",")]));
}

/** The values of the statement. */
export function asArrays<P extends RowTexts<P>>(rows: P): P {
  const arrays = Object.entries<string>(rows).map(([name, objects]) => [name, `[${objects}]`]);
  return Object.fromEntries(arrays) as P;
}
