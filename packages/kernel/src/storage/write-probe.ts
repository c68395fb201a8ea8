// Whether a write would be taken: only a write can tell. A disk that is full still answers reads.

import { createHash } from "node:crypto";
import { sleep } from "../clock/clock.ts";
import { isAppError } from "../errors/app-error.ts";
import type { Ids } from "../ids/ids.ts";
import type { Database } from "./database.ts";
import { systemStatement } from "./tables.ts";

/** Needs pages of its own in either engine, and does not shrink when PostgreSQL compresses it. */
const FILLER = Array.from({ length: 256 }, (_, n) =>
  createHash("sha256").update(String(n)).digest("hex"),
).join("");

const insert = systemStatement<{ id: string; filler: string }>()((db, p) =>
  db.insertInto("write_probes").values({ id: p.id, filler: p.filler }),
);
const deleteOthers = systemStatement<{ id: string }>()((db, p) =>
  db.deleteFrom("write_probes").where("id", "<>", p.id),
);

/** A write that is queued behind a flood is not waited for where one was taken a moment ago. */
const PROMPT_MS = 50;
const SUCCESS_HOLDS_MS = 10_000;
/** Anybody may ask, and each answer would otherwise be a write. */
const FRESH_MS = 1000;
const PATIENCE_MS = 3000;

export interface WriteProbe {
  /** Null when a write would be taken; otherwise what is in the way, in words for the operator. */
  readonly check: () => Promise<string | null>;
}

interface Outcome {
  readonly problem: string | null;
  readonly at: number;
}

/** Callers that ask at the same time share one write. */
export function createWriteProbe(
  db: Database,
  ids: Ids,
  now: () => number = () => performance.now(),
): WriteProbe {
  let last: Outcome | null = null;
  let running: Promise<Outcome> | null = null;

  const probe = async (): Promise<Outcome> => {
    const problem = await probeWrite(db, ids).then(() => null, describe);
    running = null;
    last = { problem, at: now() };
    return last;
  };
  const successWithin = (ms: number): Outcome | null =>
    last?.problem === null && now() - last.at < ms ? last : null;

  return {
    async check() {
      if (successWithin(FRESH_MS) !== null) return null;
      running ??= probe();
      const known = await within(running, PROMPT_MS);
      const outcome =
        known ?? successWithin(SUCCESS_HOLDS_MS) ?? (await within(running, PATIENCE_MS));
      return outcome === null ? "The storage has not taken a write in time" : outcome.problem;
    },
  };
}

/** Rejects with what is in the way of a write. */
export async function probeWrite(db: Database, ids: Ids): Promise<void> {
  const id = ids.uuid4();
  await db.writeSystem(async (tx) => {
    // The new row first: what the old one frees would be room enough on a full disk.
    await tx.run(insert, { id, filler: FILLER });
    await tx.run(deleteOthers, { id });
  });
}

/** Null when it takes longer. */
async function within(outcome: Promise<Outcome>, ms: number): Promise<Outcome | null> {
  const over = new AbortController();
  const late = sleep(ms, over.signal).then(() => null);
  try {
    return await Promise.race([outcome, late]);
  } finally {
    over.abort();
  }
}

/** Anybody may ask, so an unexpected error is not repeated to them. */
const describe = (error: unknown): string =>
  isAppError(error, "unavailable") ? error.message : "The storage refuses writes";
