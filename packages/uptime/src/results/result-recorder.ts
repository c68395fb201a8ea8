// Results on their way into the database. Those that come close together are written together: one
// transaction for a hundred costs a fraction of a hundred transactions. A result is told to nobody
// before it is on record.

import type { CheckResult } from "@orchestrator/contract";
import { isAppError, sleep } from "@orchestrator/kernel/pure";
import type { RecordedFinding } from "./finding.ts";

type Recorded = CheckResult | null;

/**
 * Writes the findings of one workspace, all of them or none, and gives the results in their order.
 * `isRepeated` when they may be on record already, because the connection was lost while they were
 * written.
 */
export type WriteFindings = (
  workspaceId: string,
  findings: readonly RecordedFinding[],
  isRepeated: boolean,
) => Promise<readonly Recorded[]>;

interface Waiting {
  readonly finding: RecordedFinding;
  readonly resolve: (result: Recorded) => void;
  readonly reject: (error: unknown) => void;
}

/** A result waits this long at most for others to join it. It is all that a crash can lose. */
const LONGEST_WAIT_MS = 100;
/** While a transaction is put together nothing else happens in this process. */
const MOST_AT_ONCE = 200;
/** A database that is away for a moment costs no result. */
const PAUSES_MS = [500, 1000, 1500];
const SECOND_MS = 1000;

export class ResultRecorder {
  readonly #write: WriteFindings;
  readonly #rate = new Rate();
  #waiting: Waiting[] = [];
  #hurry = new AbortController();
  #isWorking = false;

  constructor(write: WriteFindings) {
    this.#write = write;
  }

  /** Resolves when the result is on record; null when it is not to be kept. */
  record(finding: RecordedFinding): Promise<Recorded> {
    this.#rate.count();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ finding, resolve, reject });
      if (isAwaited(finding)) this.#hurry.abort();
      if (!this.#isWorking) void this.#work();
    });
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const all = this.#waiting;
      this.#waiting = [];
      for (const [workspaceId, some] of byWorkspace(all))
        for (let i = 0; i < some.length; i += MOST_AT_ONCE)
          await this.#writeSome(workspaceId, some.slice(i, i + MOST_AT_ONCE));
    }
    this.#isWorking = false;
  }

  /**
   * The more there is to do, the longer it pays to wait. When somebody waits for a result, nobody
   * waits for others.
   */
  async #gather(): Promise<void> {
    if (this.#waiting.some(({ finding }) => isAwaited(finding))) return;
    this.#hurry = new AbortController();
    await sleep(Math.min(LONGEST_WAIT_MS, this.#rate.perSecond()), this.#hurry.signal);
  }

  async #writeSome(workspaceId: string, some: readonly Waiting[]): Promise<void> {
    try {
      const findings = some.map(({ finding }) => finding);
      const results = await this.#writePatiently(workspaceId, findings);
      some.forEach(({ resolve }, i) => resolve(results[i] ?? null));
    } catch (error) {
      // One that cannot be written takes no other with it.
      const isAway = isAppError(error, "unavailable");
      if (some.length === 1 || isAway) for (const { reject } of some) reject(error);
      else for (const each of some) await this.#writeSome(workspaceId, [each]);
    }
  }

  async #writePatiently(
    workspaceId: string,
    findings: readonly RecordedFinding[],
  ): Promise<readonly Recorded[]> {
    let isRepeated = false;
    for (const pauseMs of PAUSES_MS) {
      try {
        return await this.#write(workspaceId, findings, isRepeated);
      } catch (error) {
        if (!isAppError(error, "unavailable")) throw error;
        isRepeated = true;
        await sleep(pauseMs);
      }
    }
    return this.#write(workspaceId, findings, isRepeated);
  }
}

/** How many there were within the last second, about. */
class Rate {
  #second = 0;
  #now = 0;
  #before = 0;

  count(): void {
    this.#turn();
    this.#now += 1;
  }

  perSecond(): number {
    const part = this.#turn();
    return this.#now + this.#before * (1 - part);
  }

  /** How much of the present second has passed. */
  #turn(): number {
    const time = performance.now() / SECOND_MS;
    const second = Math.floor(time);
    if (second !== this.#second) {
      this.#before = second === this.#second + 1 ? this.#now : 0;
      this.#now = 0;
      this.#second = second;
    }
    return time - second;
  }
}

const isAwaited = ({ trigger }: RecordedFinding): boolean => trigger === "manual";

function byWorkspace(all: readonly Waiting[]): Map<string, Waiting[]> {
  const groups = new Map<string, Waiting[]>();
  for (const each of all) {
    const group = groups.get(each.finding.workspaceId);
    if (group === undefined) groups.set(each.finding.workspaceId, [each]);
    else group.push(each);
  }
  return groups;
}
