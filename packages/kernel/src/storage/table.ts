// One description of a table. The row type, inserts, updates and the record on the wire follow
// from it: types at compile time, lists of columns when the module is loaded.

import { writeJson } from "@orchestrator/exact-json";
import type { Generated } from "kysely";
import { Column, type Trait } from "./column.ts";
import type { ComputedField, FieldKind, LookedUpFields } from "./dialect.ts";
import { pick } from "./pick.ts";

type AnyColumn = Column<FieldKind, unknown, Trait>;

/** Columns and computed fields, in the order of the record on the wire. */
type Members = Readonly<Record<string, AnyColumn | ComputedField | LookedUpFields>>;

type ColumnName<M> = {
  [K in keyof M]: M[K] extends AnyColumn ? K : never;
}[keyof M] &
  string;
type NameWith<M, T extends Trait> = {
  [K in keyof M]: M[K] extends Column<FieldKind, unknown, infer Own>
    ? T extends Own
      ? K
      : never
    : never;
}[keyof M] &
  string;
type InsertedName<M> = Exclude<ColumnName<M>, NameWith<M, "later">>;
type ValueOf<C> = C extends Column<FieldKind, infer Value, Trait> ? Value : never;
type KindOf<C> = C extends Column<infer Kind, unknown, Trait> ? Kind : C;

type Row<M> = { readonly [K in InsertedName<M>]: ValueOf<M[K]> };
type LaterRow<M> = {
  readonly [K in NameWith<M, "later"> & keyof M]: Generated<ValueOf<M[K]>>;
};
type Changes<M> = Pick<Row<M>, NameWith<M, "changeable"> & keyof Row<M>>;
type NewRow<M> = Omit<Row<M>, NameWith<M, "initial">> & Partial<Row<M>>;
type RecordFields<M> = {
  readonly [K in keyof M as Exclude<K, NameWith<M, "internal">>]: KindOf<M[K]>;
};
type Kinds<M> = { readonly [K in InsertedName<M>]: KindOf<M[K]> };

export interface Table<Name extends string = string, M extends Members = Members> {
  readonly name: Name;
  readonly members: M;
  /** Every column, also those that no insert writes. */
  readonly describe: () => ReadonlyMap<string, AnyColumn>;
  /** The columns of a new row. */
  readonly columns: readonly InsertedName<M>[];
  /** The same with the name of the table, for joins. */
  readonly qualified: readonly `${Name}.${InsertedName<M>}`[];
  readonly kinds: Kinds<M>;
  /** The record on the wire. */
  readonly fields: RecordFields<M>;
  readonly columnsWith: <T extends Trait>(trait: T) => readonly NameWith<M, T>[];
  /** A row of which only some columns are decided: the others have their initial value. */
  readonly newRow: (given: NewRow<M>) => Row<M>;
  /** What an insert writes. */
  readonly values: (p: InWorkspace<Row<M>>) => InWorkspace<Row<M>>;
  /**
   * The row with what a caller has given. What is left out stays. Null empties a column that can be
   * empty, and leaves any other as it is.
   */
  readonly changed: (row: Row<M>, given: object) => Row<M>;
  /** What an update by a caller writes. */
  readonly changes: (p: Changes<M>) => Changes<M>;
}

type InWorkspace<R> = R & { readonly workspace_id: string };
type MembersOf<T> = T extends Table<string, infer M> ? M : never;

/** A row as an insert writes it: what is JSON on the wire is JSON text here. */
export type RowOf<T> = Row<MembersOf<T>>;
/** The columns that a caller may change. */
export type ChangesOf<T> = Changes<MembersOf<T>>;
/** A row as the database has it. */
export type StoredRow<T> = InWorkspace<RowOf<T> & LaterRow<MembersOf<T>>>;

export function defineTable<const Name extends string, const M extends Members>(
  name: Name,
  members: M,
): Table<Name, M> {
  const all = Object.entries(members).filter(
    (member): member is [string, AnyColumn] => member[1] instanceof Column,
  );
  const namesWith = (trait: Trait) => {
    const found = all.filter(([, { traits }]) => traits.has(trait));
    if (trait === "published")
      found.sort(([, a], [, b]) => (a.place < b.place ? -1 : Number(a.place > b.place)));
    return found.map(([name]) => name);
  };
  const inserted = all.filter(([, { traits }]) => !traits.has("later"));
  const columns = inserted.map(([column]) => column) as InsertedName<M>[];
  const changeable = namesWith("changeable") as (keyof Changes<M>)[];
  const initial = Object.fromEntries(
    inserted.flatMap(([column, { traits, initial: value }]) =>
      traits.has("initial") ? [[column, value]] : [],
    ),
  );
  return {
    name,
    members,
    describe: () => new Map(all),
    columns,
    qualified: columns.map((column) => `${name}.${column}` as const),
    kinds: Object.fromEntries(inserted.map(([column, { kind }]) => [column, kind])) as Kinds<M>,
    fields: recordFields(members),
    columnsWith: <T extends Trait>(trait: T) => namesWith(trait) as NameWith<M, T>[],
    newRow: (given) => ({ ...initial, ...given }) as Row<M>,
    changed: (row, given) => ({ ...row, ...changedValues(changeable, members, given) }),
    values: (p) => ({ workspace_id: p.workspace_id, ...pick(p, columns) }),
    changes: (p) => pick(p, changeable),
  };
}

function changedValues(names: readonly string[], members: Members, given: object): object {
  const values = names.flatMap((name): readonly (readonly [string, unknown])[] => {
    const { kind, isNullable } = members[name] as AnyColumn;
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) return [];
    if (value === null) return isNullable ? [[name, null]] : [];
    if (kind === "tags") return [[name, JSON.stringify([...new Set(value as string[])])]];
    return [[name, kind === "json" ? writeJson(value) : value]];
  });
  return Object.fromEntries(values);
}

function recordFields<M extends Members>(members: M): RecordFields<M> {
  const fields = Object.entries(members).flatMap(([name, member]) => {
    if (!(member instanceof Column)) return [[name, member]];
    return member.traits.has("internal") ? [] : [[name, member.kind]];
  });
  return Object.fromEntries(fields) as RecordFields<M>;
}
