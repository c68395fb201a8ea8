/** The last ids that were seen, so that what is asked for again is not handed out again. */
export interface SeenIds {
  /** Whether the id is new; from then on it is not. */
  readonly isNew: (id: string) => boolean;
  readonly has: (id: string) => boolean;
}

const REMEMBERED = 50_000;

export function createSeenIds(): SeenIds {
  // A set keeps the order in which it was filled.
  const seen = new Set<string>();
  return {
    has: (id) => seen.has(id),
    isNew(id) {
      if (seen.has(id)) return false;
      seen.add(id);
      if (seen.size > REMEMBERED) {
        const [oldest] = seen;
        if (oldest !== undefined) seen.delete(oldest);
      }
      return true;
    },
  };
}
