// Who looks at the database need not do so on its own: polls that ask for the same while one is
// being answered wait for it and look together, after all of them have come. So none is answered by
// what was seen before another replica made a run.

/** More pools, or choices of queues, are not remembered at once. */
const MOST_REMEMBERED = 1000;

interface Look {
  /** Whether nothing at all could be claimed, however many were asked for. */
  readonly isQuiet: boolean;
}

interface PollRequest<L extends Look> {
  readonly key: string;
  readonly before: string;
  readonly look: (before: string) => Promise<L>;
}

/** A look that has not begun, and up to which time those who wait for it ask. */
interface NextLook {
  before: string;
  readonly seen: Promise<Look>;
}

export class SharedPolls {
  /**
   * What was quiet when it was last looked at; where there is work, each needs an answer of its
   * own.
   */
  readonly #quiet = new Set<string>();
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, NextLook>();

  /** Whether nothing could be claimed when this was last looked at. */
  wasQuiet(key: string): boolean {
    return this.#quiet.has(key);
  }

  look<L extends Look>(
    key: string,
    before: string,
    look: (before: string) => Promise<L>,
  ): Promise<L> {
    const running = this.#running.get(key);
    return running === undefined || !this.#quiet.has(key)
      ? this.#run(key, () => look(before))
      : this.#join(running, { key, before, look });
  }

  async #join<L extends Look>(running: Promise<unknown>, asked: PollRequest<L>): Promise<L> {
    const { key, before, look } = asked;
    const joined = this.#next.get(key);
    const next = joined ?? this.#after(running, asked);
    if (before > next.before) next.before = before;
    const seen = (await next.seen) as L;
    // What was found is what the one who looked has asked for, unless somebody asked for more.
    const isOwn = joined === undefined && next.before === before;
    return seen.isQuiet || isOwn ? seen : look(before);
  }

  #after<L extends Look>(
    running: Promise<unknown>,
    { key, before, look }: PollRequest<L>,
  ): NextLook {
    const begin = (): Promise<L> => {
      this.#next.delete(key);
      return this.#run(key, () => look(next.before));
    };
    const next: NextLook = { before, seen: running.then(begin, begin) };
    this.#next.set(key, next);
    return next;
  }

  async #run<L extends Look>(key: string, look: () => Promise<L>): Promise<L> {
    const seen = look();
    this.#running.set(key, seen);
    try {
      this.#remember(key, (await seen).isQuiet);
      return seen;
    } catch (error) {
      this.#quiet.delete(key);
      throw error;
    } finally {
      if (this.#running.get(key) === seen) this.#running.delete(key);
    }
  }

  /** What has been known the longest goes first; whoever asks for it looks closer once. */
  #remember(key: string, isQuiet: boolean): void {
    if (isQuiet === this.#quiet.has(key)) return;
    this.#quiet.delete(key);
    if (!isQuiet) return;
    const [oldest] = this.#quiet;
    if (this.#quiet.size >= MOST_REMEMBERED && oldest !== undefined) this.#quiet.delete(oldest);
    this.#quiet.add(key);
  }
}
