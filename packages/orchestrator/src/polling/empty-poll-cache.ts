// Most polls find nothing, again and again. Where every change is told before anybody can know of
// it, a poll need not ask the database what the one before it has found: nothing is due until a
// nudge says otherwise or the next scheduled time has come.

import type { Database } from "@orchestrator/kernel/storage";
import { FollowedTopics } from "./followed-topics.ts";
import { SharedPolls } from "./shared-polls.ts";

/** A change that nudges nobody, if there is one, is hidden for no longer than this. */
const REMEMBERED_MS = 1000;
/** More pools, or choices of queues, are not remembered at once. */
const MOST_REMEMBERED = 1000;

/** What a look at the database has shown. */
interface Seen {
  /** The queues that were asked for. */
  readonly queueIds: readonly string[];
  /** Whether nothing at all could be claimed, however many were asked for. */
  readonly isQuiet: boolean;
  /** The next scheduled time after those that were asked for; null when there is none. */
  readonly next: string | null;
  /** What is nudged when any of this may have changed. */
  readonly topics: readonly string[];
}

export interface EmptyPollCache {
  /** The queues of those who ask for this, if nothing is due in them up to a time. */
  readonly find: (key: string, before: string) => readonly string[] | null;
  /** Whether nothing was due when this was last looked for; a guess at what is now. */
  readonly wasQuiet: (key: string) => boolean;
  /**
   * Looks at what is due up to a time, maybe a little later where nothing is, and remembers that
   * there was nothing.
   */
  readonly look: <S extends Seen>(
    key: string,
    before: string,
    look: (before: string) => Promise<S>,
  ) => Promise<S>;
}

export function createEmptyPollCache({
  db,
}: {
  readonly db: Pick<Database, "wakeUps">;
}): EmptyPollCache {
  const looks = new SharedPolls();
  const known = new Map<string, Memory>();
  const forget = (key: string): void => {
    known.get(key)?.topics.leaveAll();
    known.delete(key);
  };
  const memoryOf = (key: string): Memory => {
    const memory = known.get(key);
    if (memory !== undefined) return memory;
    const [oldest] = known.keys();
    if (known.size >= MOST_REMEMBERED && oldest !== undefined) forget(oldest);
    const made = new Memory(db);
    known.set(key, made);
    return made;
  };
  return {
    // Another replica's change is told after it has been acknowledged: whoever made it could ask
    // here before.
    find: (key, before) =>
      db.wakeUps.tellEveryChange() ? (known.get(key)?.find(before) ?? null) : null,
    wasQuiet: (key) => looks.wasQuiet(key),
    look: (key, before, look) => {
      if (!db.wakeUps.tellEveryChange()) return looks.look(key, before, look);
      return looks.look(key, before, async (until) => {
        const memory = memoryOf(key);
        const { nudges } = memory;
        try {
          const seen = await look(until);
          memory.note(seen, nudges);
          return seen;
        } catch (error) {
          forget(key);
          throw error;
        }
      });
    },
  };
}

class Memory {
  /** How often it was nudged. */
  nudges = 0;
  readonly topics: FollowedTopics;
  #quiet: { readonly seen: Seen; readonly until: number } | null = null;

  constructor({ wakeUps: nudges }: Pick<Database, "wakeUps">) {
    this.topics = new FollowedTopics(nudges, () => {
      this.nudges += 1;
      this.#quiet = null;
    });
  }

  find(before: string): readonly string[] | null {
    if (this.#quiet === null) return null;
    const { seen, until } = this.#quiet;
    if (performance.now() > until) this.#quiet = null;
    else if (seen.next === null || before < seen.next) return seen.queueIds;
    return null;
  }

  /**
   * What was seen by a look that began after so many nudges. It counts only if no nudge can have
   * been missed since.
   */
  note(seen: Seen, nudges: number): void {
    const isNew = this.topics.follow(seen.topics);
    const isSound = !isNew && this.nudges === nudges && seen.isQuiet;
    this.#quiet = isSound ? { seen, until: performance.now() + REMEMBERED_MS } : null;
  }
}
