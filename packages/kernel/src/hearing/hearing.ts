// Whoever is silent is judged by the time in which the server could have heard. While it could not
// - its process or its database was away, or was stopped, or its clock has jumped - nobody's time
// runs.
//
// A service writes down every few seconds that one of its processes takes requests. A gap between
// two such marks is noted once, by whichever replica finds it, and in the same transaction `extend`
// moves the deadlines that are stored, so that they can go on being compared with the clock. What
// is judged by when somebody was last seen, without a stored deadline, asks `heardMicros` or
// `heardFrom` instead.
//
// Both hold only when the gap was noted before, so `listen` comes before every judgement, and
// before a request is answered while the last mark is old (`isStale`). As long as nobody hears,
// `listen` says no and nobody is judged.

import type { Clock } from "../clock/clock.ts";
import { formatMicros } from "../clock/timestamp.ts";
import type { Logger } from "../log/logger.ts";
import type { LoopDefinition } from "../loops/loop.ts";
import type { Database, SystemTransaction } from "../storage/database.ts";
import {
  type HearingGap,
  heardBetween,
  heardFrom,
  LONGEST_SILENCE_MICROS,
  markAt,
} from "./gaps.rules.ts";
import {
  addGap,
  dropGapsAfter,
  findHeard,
  lockOrCreateHeard,
  readGaps,
  writeHeard,
} from "./hearing.store.ts";

export interface Hearing {
  /**
   * To be awaited before anybody's silence is judged: notes a gap that has just ended. False while
   * nobody hears.
   */
  readonly listen: () => Promise<boolean>;
  /** Whether there may have been a gap that is not noted yet. Costs nothing. */
  readonly isStale: () => boolean;
  /** For how long somebody could be heard between two moments, in microseconds. */
  readonly heardMicros: (from: number, until: number) => number;
  /** The moment from which on somebody could be heard for so many microseconds, until another. */
  readonly heardFrom: (until: number, micros: number) => number;
  /** Since when, in microseconds, the server has heard without a gap. */
  readonly since: () => number;
}

/** Stored deadlines that had not passed when the gap began fall so much later. */
export interface DeadlineExtension {
  readonly began: string;
  readonly seconds: number;
}

export interface HearingOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Who hears: one process may have the doors of one service only. */
  readonly service: string;
  /** Whether requests reach this process; if not, it goes by what others have written down. */
  readonly takesRequests: boolean;
  /**
   * Moves the deadlines that are stored. Deadlines of another process may be among them, so it
   * holds what it needs.
   */
  readonly extend?: (tx: SystemTransaction, extension: DeadlineExtension) => Promise<void>;
}

export interface OwnHearing extends Hearing {
  /** Marks that the service hears. */
  readonly loops: readonly LoopDefinition[];
}

const MARK_MS = 5000;
const MICROS_PER_SECOND = 1_000_000;
/** Nobody may be silent for longer than this. */
const KEPT_MICROS = 400 * 86_400 * MICROS_PER_SECOND;

/** The ears of a service. The first `listen` comes before its first request. */
export function createHearing(options: HearingOptions): OwnHearing {
  const { db, clock, log, service, takesRequests } = options;
  let lastMark: number | null = null;
  let since = Number.NEGATIVE_INFINITY;
  let gaps: readonly HearingGap[] = [];
  let marking: Promise<boolean> | null = null;

  const isOlderThan = (micros: number): boolean =>
    lastMark === null || Math.abs(clock.nowMicros() - lastMark) > micros;

  const mark = async (): Promise<boolean> => {
    const now = clock.nowMicros();
    const wasSetBack = lastMark === null || now < lastMark - LONGEST_SILENCE_MICROS;
    const noted = await db.writeSystem(async (tx) => {
      const known = await lockOrCreateHeard(tx, service, now);
      const next = markAt(known, now, wasSetBack);
      await writeHeard(tx, service, next);
      if (next.gap !== null) {
        await addGap(tx, service, { ...next.gap, keptFrom: now - KEPT_MICROS });
        await options.extend?.(tx, extensionFor(next.gap));
      }
      const isSetBack = next.heard < known.heard;
      if (isSetBack) await dropGapsAfter(tx, service, now);
      const isKnown = next.since === since && !isSetBack;
      return { ...next, gaps: isKnown ? gaps : await readGaps(tx, service) };
    });
    lastMark = now;
    since = noted.since;
    gaps = noted.gaps;
    if (noted.gap !== null) {
      const { began, seconds } = extensionFor(noted.gap);
      log.warn(
        { service, began, seconds },
        "The server could not hear for a while: whoever was waited for is given that time again",
      );
    }
    return true;
  };

  const follow = async (): Promise<boolean> => {
    const known = await findHeard(db.system, service);
    if (known === null || clock.nowMicros() - known.heard > LONGEST_SILENCE_MICROS) return false;
    if (known.since !== since) gaps = await readGaps(db.system, service);
    since = known.since;
    return true;
  };

  const markOnce = (): Promise<boolean> => {
    marking ??= mark().finally(() => {
      marking = null;
    });
    return marking;
  };

  return {
    listen: async () => {
      if (!takesRequests) return follow();
      return isOlderThan(MARK_MS * 1000) ? markOnce() : true;
    },
    isStale: () => takesRequests && isOlderThan(LONGEST_SILENCE_MICROS),
    heardMicros: (from, until) => heardBetween(gaps, { from, until }),
    heardFrom: (until, micros) => heardFrom(gaps, { until, micros }),
    since: () => since,
    loops: takesRequests
      ? [
          {
            name: `${service}-hearing`,
            everyMs: MARK_MS,
            runs: "each",
            tick: async () => {
              await markOnce();
            },
          },
        ]
      : [],
  };
}

function extensionFor({ began, ended }: HearingGap): DeadlineExtension {
  return {
    began: formatMicros(began),
    seconds: Math.ceil((ended - began) / MICROS_PER_SECOND),
  };
}

/** Hears all the time: for what runs without a server. */
export const uninterrupted: Hearing = {
  listen: () => Promise.resolve(true),
  isStale: () => false,
  heardMicros: (from, until) => Math.max(0, until - from),
  heardFrom: (until, micros) => until - micros,
  since: () => Number.NEGATIVE_INFINITY,
};
