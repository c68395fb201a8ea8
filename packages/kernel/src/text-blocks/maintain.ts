// Makes blocks of rows that are old enough, off everybody's way: marks are made of what is read
// beside all writing, and each write is of some blocks. A pass that was begun with what somebody
// else has changed since writes nothing: every write takes the turn that was read before anything
// else. So a row is never missing: either a block was made after it could be seen, or its note is
// there.

import { type Clock, sleep } from "../clock/clock.ts";
import { formatMicros } from "../clock/timestamp.ts";
import type { Database, SystemTransaction } from "../storage/database.ts";
import { BloomBits } from "./bloom-bits.ts";
import {
  BETWEEN_ROWS,
  type BlockPlace,
  type Size,
  TEXT_BLOCKS,
  type TextBlockRow,
  textBlockStatements,
  type UnindexedNote,
} from "./maintain.store.ts";
import { BEFORE_ALL_TIMES, type BlockRange, type IndexedTextSource } from "./text-source.ts";
import { BLOCK_AGE_MICROS } from "./unindexed-rows.ts";

/** At most; the next pass goes on. */
export const BLOCKS_PER_PASS = 128;
const MOST_NOTES = 500;
const MOST_WORKSPACES = 200;
/** How many blocks a pass looks at to find those whose rows are all deleted. */
const MOST_LOOKED_AT = 64;
/** So many are written together. */
const BLOCKS_PER_WRITE = 16;
/** Longer texts together hold every sequence of letters; and to read them would take long. */
const MOST_CHARACTERS = 400_000;
/** A stretch between two blocks becomes one, if it has no more rows than so many blocks. */
const MOST_IN_GAP = 1.5;

/** The first that there can be, and the only one where there are no accounts. */
const NIL = "00000000-0000-0000-0000-000000000000";

interface Keeper {
  readonly db: Database;
  readonly clock: Pick<Clock, "nowMicros">;
}

/** One bounded pass; tells how many blocks it has made. */
export type MaintainTextBlocks = (signal: AbortSignal) => Promise<number>;

/** Somebody else has changed the blocks of this source since the pass began. */
class TurnLost extends Error {}

export function createTextBlocks(
  { db, clock }: Keeper,
  source: IndexedTextSource,
): MaintainTextBlocks {
  const statements = textBlockStatements(source);
  const { name, rowsPerBlock } = source;
  let turn = 0;
  let fromWorkspace = NIL;
  let lookedAt = { workspace_id: NIL, until: BEFORE_ALL_TIMES };
  /** Workspaces that are known to have no rows between their blocks. Nothing is known at first. */
  const gapless = new Set<string>();

  const readTurn = async (): Promise<void> => {
    const read = () => db.system.get(TEXT_BLOCKS.selectTurn, { source: name });
    let found = await read();
    if (found === undefined) {
      await db.writeSystem((tx) => tx.run(TEXT_BLOCKS.addTurns, { source: name }));
      found = await read();
    }
    // Somebody else has changed blocks since, and may have left gaps.
    if (found?.turn !== turn) gapless.clear();
    turn = found?.turn ?? 0;
  };

  const write = async (change: (tx: SystemTransaction) => void): Promise<void> => {
    await db.writeSystem(async (tx) => {
      const taken = await tx.run(TEXT_BLOCKS.takeTurn, { source: name, turn });
      if (taken === 0) throw new TurnLost();
      change(tx);
    });
    turn += 1;
  };

  /** What late rows touch is in no block any more, until it is made anew. */
  const takeNotes = async (): Promise<void> => {
    const notes = await db.system.all(TEXT_BLOCKS.selectNotes, { source: name, limit: MOST_NOTES });
    if (notes.length === 0) return;
    await write((tx) => {
      for (const { workspace_id, since, until } of merged(notes))
        tx.enqueue(TEXT_BLOCKS.deleteTouched, { source: name, workspace_id, since, until });
      const rows = JSON.stringify(notes.map(({ position }) => ({ position })));
      tx.enqueue(TEXT_BLOCKS.deleteNotes, { rows });
    });
    for (const { workspace_id } of notes) gapless.delete(workspace_id);
  };

  /**
   * Up to the row that makes a block full; all of what is left between two blocks, where that is
   * not much more.
   */
  const measure = async (place: BlockPlace, isGap: boolean): Promise<Size | undefined> => {
    const most = rowsPerBlock * MOST_IN_GAP;
    const isSmall =
      isGap &&
      (await db.system.get(statements.selectTime, { ...place, offset: most })) === undefined;
    if (!isSmall)
      return db.system.get(statements.selectFirst, { ...place, offset: rowsPerBlock - 1 });
    const size = await db.system.get(statements.selectSize, place);
    return size && { ...size, until: place.until };
  };

  /** The next block of a stretch; null where there are too few rows for one. */
  const makeBlock = async (stretch: BlockPlace, isGap: boolean): Promise<TextBlockRow | null> => {
    let found = await measure(stretch, isGap);
    // Of fewer rows, where their texts are very long.
    for (let rows = rowsPerBlock; isTooLong(found) && rows > 1; ) {
      rows = Math.ceil(rows / 4);
      const fewer = await db.system.get(statements.selectFirst, { ...stretch, offset: rows - 1 });
      if (fewer !== undefined && fewer.rows > 0) found = fewer;
    }
    if (found === undefined || found.rows === 0 || found.until === null) return null;
    const place = { ...stretch, until: found.until };
    const marks = new BloomBits();
    if (isTooLong(found)) marks.addEverything();
    else {
      const { texts } = (await db.system.get(statements.selectTexts, place)) ?? { texts: null };
      for (const text of texts?.split(BETWEEN_ROWS) ?? []) source.mark(marks, text);
    }
    return { ...place, marks: Buffer.from(marks.bytes).toString("hex") };
  };

  /** Fills a stretch with blocks, as many as there is room for in this pass; tells how many. */
  const fill = async (
    workspace_id: string,
    stretch: BlockRange,
    { isGap, most, signal }: { isGap: boolean; most: number; signal: AbortSignal },
  ): Promise<number> => {
    let { since } = stretch;
    let made = 0;
    while (made < most && since < stretch.until && !signal.aborted) {
      const blocks: TextBlockRow[] = [];
      while (blocks.length < Math.min(BLOCKS_PER_WRITE, most - made) && since < stretch.until) {
        const block = await makeBlock({ workspace_id, since, until: stretch.until }, isGap);
        if (block === null) break;
        blocks.push(block);
        since = block.until;
        // Others have their turn.
        await sleep(0);
      }
      if (blocks.length === 0) break;
      await write((tx) => {
        for (const block of blocks) tx.enqueue(TEXT_BLOCKS.insertBlock, { ...block, source: name });
      });
      made += blocks.length;
    }
    return made;
  };

  const fillGaps = async (workspace_id: string, most: number, signal: AbortSignal) => {
    const gaps = await db.system.all(TEXT_BLOCKS.selectGaps, { workspace_id, source: name });
    let made = 0;
    for (const gap of gaps) {
      if (made >= most || signal.aborted) return made;
      made += await fill(workspace_id, gap, { isGap: true, most: most - made, signal });
    }
    if (made < most) gapless.add(workspace_id);
    return made;
  };

  const fillWorkspaces = async (until: string, signal: AbortSignal): Promise<number> => {
    const request = { from: fromWorkspace, until, limit: MOST_WORKSPACES };
    const found = await db.system.all(statements.selectWorkspaces, request);
    let made = 0;
    for (const { workspace_id, last, is_due } of found) {
      if (made >= BLOCKS_PER_PASS || signal.aborted) return made;
      // A clock that was set back: rows of those times are yet to come, and nobody would note that
      // they are late.
      if (last !== null && last > until)
        await write((tx) => {
          tx.enqueue(TEXT_BLOCKS.deleteBehind, { workspace_id, source: name, until });
        });
      if (!gapless.has(workspace_id))
        made += await fillGaps(workspace_id, BLOCKS_PER_PASS - made, signal);
      if (is_due) {
        const stretch = { since: last ?? BEFORE_ALL_TIMES, until };
        made += await fill(workspace_id, stretch, {
          isGap: false,
          most: BLOCKS_PER_PASS - made,
          signal,
        });
      }
      if (made < BLOCKS_PER_PASS) fromWorkspace = workspace_id;
    }
    if (found.length < MOST_WORKSPACES && made < BLOCKS_PER_PASS) fromWorkspace = NIL;
    return made;
  };

  /**
   * Blocks of rows that are all deleted are of no use any more. A pass looks at some of one
   * workspace.
   */
  const deleteEmpty = async (): Promise<void> => {
    const request = { ...lookedAt, limit: MOST_LOOKED_AT };
    const blocks = await db.system.all(statements.selectBlocks, request);
    const empty = blocks.filter(({ has_rows }) => !has_rows);
    if (empty.length > 0)
      await write((tx) => {
        for (const { workspace_id, until } of empty)
          tx.enqueue(TEXT_BLOCKS.deleteBlock, { workspace_id, source: name, until });
      });
    const last = blocks.length < MOST_LOOKED_AT ? undefined : blocks.at(-1);
    if (last !== undefined) lookedAt = last;
    else {
      const after = lookedAt.workspace_id;
      const next = await db.system.get(TEXT_BLOCKS.selectBlockedWorkspace, { after });
      lookedAt = { workspace_id: next?.workspace_id ?? NIL, until: BEFORE_ALL_TIMES };
    }
  };

  return async (signal) => {
    try {
      await readTurn();
      await takeNotes();
      const made = await fillWorkspaces(formatMicros(clock.nowMicros() - BLOCK_AGE_MICROS), signal);
      if (!signal.aborted) await deleteEmpty();
      return made;
    } catch (error) {
      if (!(error instanceof TurnLost)) throw error;
      return 0;
    }
  };
}

const isTooLong = (found: Size | undefined): boolean =>
  found !== undefined && Number(found.size) > MOST_CHARACTERS;

/** Notes that touch each other as one. */
function merged(notes: readonly UnindexedNote[]): UnindexedNote[] {
  const inOrder = notes.toSorted((a, b) =>
    a.workspace_id === b.workspace_id
      ? a.since < b.since
        ? -1
        : 1
      : a.workspace_id < b.workspace_id
        ? -1
        : 1,
  );
  const all: UnindexedNote[] = [];
  for (const note of inOrder) {
    const last = all.at(-1);
    if (last === undefined || last.workspace_id !== note.workspace_id || note.since > last.until)
      all.push(note);
    else if (note.until > last.until) all[all.length - 1] = { ...last, until: note.until };
  }
  return all;
}
