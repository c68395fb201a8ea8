// What clients have been promised. A write that was acknowledged must be found; one that was
// refused must not; one whose answer never came, or said "try again", may be found or not, but only
// whole.

/**
 * What a variable holds, as text that is the same for the same content; null where there is none.
 */
export type VariableState = string | null;

export type LedgerVerb = "create" | "update" | "delete";

export interface Write {
  readonly name: string;
  readonly verb: LedgerVerb;
  readonly outcome: VariableState;
  readonly fate: "acknowledged" | "refused" | "unknown";
}

/** One thing a variable may hold; `ended` is when its write was answered, null while it is not. */
interface Possibility {
  readonly outcome: VariableState;
  ended: number | null;
}

interface OpenWrite extends Write {
  fate: Write["fate"];
  readonly begun: number;
  readonly possibility: Possibility;
}

export function variableStateOf({ value, tags }: { value: unknown; tags: unknown }): string {
  return JSON.stringify([value, tags]);
}

const SHOWN_CHARACTERS = 60;

/** Enough of it to tell it from any other. */
export function contentExcerpt(state: VariableState): string {
  return state === null ? "nothing" : state.slice(0, SHOWN_CHARACTERS);
}

export class Ledger {
  readonly #possibilities = new Map<string, Possibility[]>();
  #writes: OpenWrite[] = [];
  #now = 0;

  begin(write: { name: string; verb: LedgerVerb; outcome: VariableState }): OpenWrite {
    const possibility: Possibility = { outcome: write.outcome, ended: null };
    const open: OpenWrite = { ...write, fate: "unknown", begun: this.#tick(), possibility };
    this.#of(write.name).push(possibility);
    this.#writes.push(open);
    return open;
  }

  /** What ended before this write began is overwritten for good. */
  acknowledge(write: OpenWrite): void {
    write.fate = "acknowledged";
    write.possibility.ended = this.#tick();
    const isStillPossible = ({ ended }: Possibility) => ended === null || ended > write.begun;
    this.#possibilities.set(write.name, this.#of(write.name).filter(isStillPossible));
  }

  refuse(write: OpenWrite): void {
    write.fate = "refused";
    const isOther = (possibility: Possibility) => possibility !== write.possibility;
    this.#possibilities.set(write.name, this.#of(write.name).filter(isOther));
  }

  /** Answered, but not with what became of it: it cannot come true after a later write. */
  leaveOpen(write: OpenWrite): void {
    write.possibility.ended = this.#tick();
  }

  /** Somebody who writes to the name alone has read it. */
  observe(name: string, state: VariableState): void {
    this.#possibilities.set(name, [{ outcome: state, ended: this.#tick() }]);
  }

  possibleStates(name: string): ReadonlySet<VariableState> {
    return new Set(this.#of(name).map(({ outcome }) => outcome));
  }

  /** Every way in which what is stored breaks a promise. */
  problemsWith(stored: ReadonlyMap<string, string>): string[] {
    const broken = [...this.#possibilities.keys()]
      .filter((name) => !this.possibleStates(name).has(stored.get(name) ?? null))
      .map((name) => {
        const expected = [...this.possibleStates(name)].map(contentExcerpt).join(" or ");
        return `${name} holds ${contentExcerpt(stored.get(name) ?? null)} instead of ${expected}`;
      });
    const invented = [...stored.keys()].filter((name) => !this.#possibilities.has(name));
    return [...broken, ...invented.map((name) => `${name} is there and nobody wrote it`)];
  }

  /** The writes since the last settlement; from here on what is stored is what is promised. */
  settle(stored: ReadonlyMap<string, string>): readonly Write[] {
    for (const name of this.#possibilities.keys()) this.observe(name, stored.get(name) ?? null);
    const writes = this.#writes;
    this.#writes = [];
    return writes;
  }

  #of(name: string): Possibility[] {
    const known = this.#possibilities.get(name) ?? [{ outcome: null, ended: this.#now }];
    this.#possibilities.set(name, known);
    return known;
  }

  #tick(): number {
    this.#now += 1;
    return this.#now;
  }
}
