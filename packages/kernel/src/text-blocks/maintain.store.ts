import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import type { SystemStatement } from "../storage/statement.ts";
import { systemStatement } from "../storage/tables.ts";
import type { IndexedTextSource } from "./text-source.ts";

export interface BlockPlace {
  readonly workspace_id: string;
  readonly since: string;
  readonly until: string;
}

export interface TextBlockRow extends BlockPlace {
  /** In hexadecimal digits: what is told goes in one message of texts. */
  readonly marks: string;
}

/** How many rows a stretch has, when the last of them is, and how long their texts are. */
export interface Size {
  readonly until: string | null;
  readonly rows: number;
  readonly size: number;
}

/** Late rows of these times; the position tells notes apart. */
export interface UnindexedNote extends BlockPlace {
  readonly position: number;
}

/** Where the blocks of a workspace end, and whether there are rows for one more. */
export interface WorkspaceEnd {
  readonly workspace_id: string;
  readonly last: string | null;
  readonly is_due: boolean | number;
}

/**
 * Stands between the texts of two rows. A text that holds it falls into parts, so marks say nothing
 * of a term across it (`case-folding.ts`).
 */
export const BETWEEN_ROWS = "\u0001";

const JOINED: Readonly<Record<Dialect["name"], (text: string) => string>> = {
  sqlite: (text) => `group_concat(${text}, char(1))`,
  postgres: (text) => `string_agg(${text}, chr(1))`,
};

const BYTES: Readonly<Record<Dialect["name"], string>> = {
  sqlite: "unhex(digits)",
  postgres: "decode(digits, 'hex')",
};

const addTurns = systemStatement<{ source: string }>()((db, p) =>
  db
    .insertInto("text_block_turns")
    .values({ source: p.source, turn: 0 })
    .onConflict((conflict) => conflict.doNothing()),
);

const selectTurn = systemStatement<{ source: string }>()((db, p) =>
  db.selectFrom("text_block_turns").select("turn").where("source", "=", p.source),
);

const takeTurn = systemStatement<{ source: string; turn: number }>()((db, p) =>
  db
    .updateTable("text_block_turns")
    .set({ turn: sql<number>`turn + 1` })
    .where("source", "=", p.source)
    .where("turn", "=", p.turn),
);

const selectNotes = systemStatement<{ source: string; limit: number }>()((db, p) =>
  db
    .selectFrom("late_texts")
    .select(["position", "workspace_id", "since", "until"])
    .where("source", "=", p.source)
    .orderBy("position")
    .limit(p.limit),
);

const deleteNotes = systemStatement<{ rows: string }>()((db, p, dialect) =>
  db
    .deleteFrom("late_texts")
    .where(
      sql<boolean>`position in (select note.position from ${dialect.rowsFrom({ position: "integer" }, p.rows)} note)`,
    ),
);

/**
 * Blocks lie one behind the other, so the first that ends behind a stretch is the last that it
 * touches.
 */
const deleteTouched = systemStatement<BlockPlace & { source: string }>()((db, p) =>
  db
    .deleteFrom("text_blocks")
    .where("workspace_id", "=", p.workspace_id)
    .where("source", "=", p.source)
    .where("until", ">=", p.since)
    .where("since", "<", p.until)
    .where("until", "<=", (e) =>
      e
        .selectFrom("text_blocks as last")
        .select((last) => last.fn.coalesce(last.fn.min("last.until"), sql<string>`'~'`).as("until"))
        .where("last.workspace_id", "=", p.workspace_id)
        .where("last.source", "=", p.source)
        .where("last.until", ">=", p.until),
    ),
);

const deleteBehind = systemStatement<{ workspace_id: string; source: string; until: string }>()(
  (db, p) =>
    db
      .deleteFrom("text_blocks")
      .where("workspace_id", "=", p.workspace_id)
      .where("source", "=", p.source)
      .where("until", ">", p.until),
);

const deleteBlock = systemStatement<{ workspace_id: string; source: string; until: string }>()(
  (db, p) =>
    db
      .deleteFrom("text_blocks")
      .where("workspace_id", "=", p.workspace_id)
      .where("source", "=", p.source)
      .where("until", "=", p.until),
);

const insertBlock = systemStatement<TextBlockRow & { source: string }>()((db, p, dialect) => {
  const bytes = sql.raw<string>(BYTES[dialect.name]);
  return db.insertInto("text_blocks").values({
    source: p.source,
    workspace_id: p.workspace_id,
    since: p.since,
    until: p.until,
    marks: sql<Uint8Array>`(select ${bytes} from (select cast(${p.marks} as text) as digits) written)`,
  });
});

/** The next workspace that has blocks. */
const selectBlockedWorkspace = systemStatement<{ after: string }>()((db, p) =>
  db
    .selectFrom("text_blocks")
    .select("workspace_id")
    .where("workspace_id", ">", p.after)
    .orderBy("workspace_id")
    .limit(1),
);

/** Stretches between blocks, and before the first, that are in none. */
const selectGaps = systemStatement<{ workspace_id: string; source: string }>()((db, p) =>
  db
    .selectFrom(
      sql<{ since: string; until: string }>`(
        select coalesce(lag(until) over (order by until), '') as since, since as until from text_blocks
        where workspace_id = ${p.workspace_id} and source = ${p.source})`.as("gap"),
    )
    .select(["gap.since", "gap.until"])
    .whereRef("gap.since", "<", "gap.until")
    .orderBy("gap.until"),
);

/** The statements of one source. */
export function textBlockStatements(source: IndexedTextSource) {
  const { name, rowsPerBlock } = source;
  const [table, time] = [sql.ref(source.table), sql.ref(source.time)];
  const isIn = (p: BlockPlace, until: unknown = p.until): RawBuilder<boolean> =>
    sql`workspace_id = ${p.workspace_id} and ${time} > ${p.since} and ${time} <= ${until}`;
  const typed = (value: string, { types }: Dialect): RawBuilder<string> =>
    sql`cast(${value} as ${sql.raw(types.id)})`;
  const inSource = sql.lit(name);

  const selectWorkspaces: SystemStatement<
    { from: string; until: string; limit: number },
    WorkspaceEnd
  > = systemStatement<{ from: string; until: string; limit: number }>()((db, p, dialect) => {
    const first = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`(select workspace_id from ${table} where workspace_id ${condition} order by workspace_id limit 1)`;
    const found = sql<{ workspace_id: string; last: string | null }>`(
      with recursive spaces (id, number) as (
        select ${first(sql`>= ${typed(p.from, dialect)}`)}, 1
        union all select ${first(sql`> spaces.id`)}, number + 1 from spaces where id is not null and number < ${p.limit})
      select id as workspace_id, (
        select max(until) from text_blocks where workspace_id = id and source = ${inSource}) as last
      from spaces where id is not null)`;
    return db
      .selectFrom(found.as("space"))
      .select(["space.workspace_id", "space.last"])
      .select(
        sql<boolean | number>`exists (
          select 1 from ${table} where workspace_id = space.workspace_id and ${time} > coalesce(space.last, '') and ${time} <= ${p.until}
          order by ${time} limit 1 offset ${sql.lit(rowsPerBlock - 1)})`.as("is_due"),
      );
  });

  /** The time of a row of a stretch, by its number in the order of time. */
  const selectTime = systemStatement<BlockPlace & { offset: number }>()((db, p) =>
    db
      .selectFrom(
        sql<{
          time: string;
        }>`(select ${time} as time from ${table} where ${isIn(p)} order by ${time} limit 1 offset ${p.offset})`.as(
          "row",
        ),
      )
      .select("row.time"),
  );

  const sizeOf = (p: BlockPlace, until: unknown, dialect: Dialect) =>
    sql<Size>`(
      select max(${time}) as until, count(*) as rows, coalesce(sum(${sql.raw(source.size(dialect))}), 0) as size
      from ${table} where ${isIn(p, until)})`.as("stretch");

  const selectSize = systemStatement<BlockPlace>()((db, p, dialect) =>
    db
      .selectFrom(sizeOf(p, p.until, dialect))
      .select(["stretch.until", "stretch.rows", "stretch.size"]),
  );

  /**
   * The same up to the row with a number, and with all rows of its time; nothing where there are
   * fewer.
   */
  const selectFirst = systemStatement<BlockPlace & { offset: number }>()((db, p, dialect) => {
    const end = sql`(select ${time} from ${table} where ${isIn(p)} order by ${time} limit 1 offset ${p.offset})`;
    return db
      .selectFrom(sizeOf(p, end, dialect))
      .select(["stretch.until", "stretch.rows", "stretch.size"]);
  });

  const selectTexts = systemStatement<BlockPlace>()((db, p, dialect) => {
    const texts = sql.raw<string>(JOINED[dialect.name](source.text(dialect)));
    return db
      .selectFrom(
        sql<{ texts: string | null }>`(select ${texts} as texts from ${table} where ${isIn(p)})`.as(
          "stretch",
        ),
      )
      .select("stretch.texts");
  });

  /** Blocks of a workspace that end behind a time, and whether a row is left in each. */
  const selectBlocks = systemStatement<{ workspace_id: string; until: string; limit: number }>()(
    (db, p) =>
      db
        .selectFrom("text_blocks as block")
        .select(["block.workspace_id", "block.until"])
        .select(
          sql<boolean | number>`exists (
            select 1 from ${table} where workspace_id = block.workspace_id and ${time} > block.since and ${time} <= block.until)`.as(
            "has_rows",
          ),
        )
        .where("block.workspace_id", "=", p.workspace_id)
        .where("block.source", "=", name)
        .where("block.until", ">", p.until)
        .orderBy("block.until")
        .limit(p.limit),
  );

  return { selectWorkspaces, selectTime, selectSize, selectFirst, selectTexts, selectBlocks };
}

export const TEXT_BLOCKS = {
  addTurns,
  selectTurn,
  takeTurn,
  selectNotes,
  deleteNotes,
  deleteTouched,
  deleteBehind,
  deleteBlock,
  insertBlock,
  selectGaps,
  selectBlockedWorkspace,
};
