// Events that follow others wait for them, so that triggers see them in the order they happened in.

/** How long an event waits for the one it follows. */
export const WAIT_MICROS = 15 * 60 * 1_000_000;

/** As much of an event as its order is decided by. */
export interface Ordered {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly follows: string | null;
  /**
   * When it is its turn to be looked at, in microseconds: when it came, or when what it waited for
   * had come.
   */
  readonly turn: number;
}

export interface Arranged<Event> {
  /** To be looked at now, in this order. */
  readonly ready: readonly Event[];
  /** To be looked at when what they follow has come. */
  readonly waiting: readonly Event[];
}

/** What the server itself writes comes in order; what it follows and is not there will not come. */
const IN_ORDER = /^prefect\.(flow-run|work-pool|work-queue|deployment|automation)\./;

export function mayWait({ name, follows }: Ordered): boolean {
  return follows !== null && !IN_ORDER.test(name);
}

/** `seen`: those of the events followed that were looked at before this batch. */
export function arrange<Event extends Ordered>(
  batch: readonly Event[],
  { seen, held }: { readonly seen: ReadonlySet<string>; readonly held: readonly Event[] },
): Arranged<Event> {
  const known = new Set(seen);
  const waiting = new Map<string, Event[]>();
  const ready: Event[] = [];
  const hold = (event: Event): void => {
    const leader = leaderOf(event);
    const others = waiting.get(leader);
    // Grown in its place: very many may wait for one.
    if (others === undefined) waiting.set(leader, [event]);
    else others.push(event);
  };
  const release = (event: Event): void => {
    const next = [event];
    for (let one = next.shift(); one !== undefined; one = next.shift()) {
      ready.push(one);
      const key = followKeyOf(one);
      known.add(key);
      const followers = waiting.get(key) ?? [];
      next.push(...followers.map((follower) => behind(follower, one)));
      waiting.delete(key);
    }
  };
  for (const event of held) hold(event);
  for (const event of batch) {
    if (mayWait(event) && !known.has(leaderOf(event))) hold(event);
    else release(event);
  }
  return { ready, waiting: [...waiting.values()].flat() };
}

/** One that has waited happens, for all that follows from it, after the one it has waited for. */
function behind<Event extends Ordered>(event: Event, leader: Event): Event {
  return leader.turn < event.turn ? event : { ...event, turn: leader.turn + 1 };
}

export const followKeyOf = ({ workspaceId, id }: Pick<Ordered, "workspaceId" | "id">): string =>
  `${workspaceId} ${id}`;
const leaderOf = ({ workspaceId, follows }: Ordered): string => `${workspaceId} ${follows}`;
