// The results of a run's finished calls: where they are stored and how they are found again.
//
// A result of a deployed run is stored by the server in the commit that reports the call COMPLETED,
// and the call does not return before. While the server is away a file of this machine holds it,
// and of a run that no worker can take over always.

import type { ExecutorClaim, ExecutorEvent, StoredJournalEntry } from "@orchestrator/contract";
import { errorSummary, RunStoppedError } from "../errors.ts";
import { hasStatus, isLapsedClaim } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import { type FinishedCall, RunJournal } from "./run-journal.ts";
import { type CallPlace, packValue } from "./values.ts";

const NOT_FOUND = 404;
/** The server stores so much inline. */
const MAX_VALUE_BYTES = 65_536;
/** The same in base64. */
const MAX_VALUE_TEXT = 87_384;

/** Where executions on other machines find the results. */
export interface SharedJournal {
  readonly session: ReportSession;
  /** Null where no claim is known; the results are not fenced then. */
  readonly claim: ExecutorClaim | null;
  /** Ends this execution, as the run was offered to others. */
  readonly leave: (reason: RunStoppedError) => void;
}

export type FoundResult = Pick<FinishedCall, "value" | "packed" | "taskRunId">;

/** In a rerun, the results of a subflow are in the journal of the run that calls it. */
export interface InheritedResults {
  readonly results: RunResults;
  /** What the keys of the subflow begin with there. */
  readonly prefix: string;
}

interface RunResultsOptions {
  readonly home: string;
  readonly flowRunId: string;
  /** Null when the run is not reported to a server. */
  readonly session: ReportSession | null;
  /** Null where the results stay on this machine. */
  readonly shared: SharedJournal | null;
  /** Null for a run that is within no other. */
  readonly inherited: InheritedResults | null;
  /** Whether an earlier execution may have finished something. */
  readonly isContinued: boolean;
  readonly warn: (text: string) => void;
}

export class RunResults {
  readonly #options: RunResultsOptions;
  readonly #file: RunJournal;

  constructor(options: RunResultsOptions) {
    const { home, flowRunId, isContinued } = options;
    this.#options = options;
    this.#file = isContinued
      ? RunJournal.open(home, flowRunId)
      : RunJournal.create(home, flowRunId);
  }

  get shared(): SharedJournal | null {
    return this.#options.shared;
  }

  /** Reads what earlier executions have finished, wherever they ran. */
  async load(): Promise<void> {
    const { shared, flowRunId } = this.#options;
    if (shared === null) return;
    const { client, settings } = shared.session;
    const read = async (): Promise<void> => {
      const lines = await client.flowRuns.readJournal(flowRunId, { retries: 0 });
      for await (const entry of entriesIn(lines)) {
        this.#file.share(entry);
      }
    };
    await retryUntilAnswered(read, { seconds: settings.deliverySeconds }).catch(
      (error: unknown) => {
        // An older server has no journals.
        if (hasStatus(error, NOT_FOUND)) return;
        throw new RunStoppedError(
          `What the run has finished cannot be read: ${errorSummary(error)}`,
        );
      },
    );
  }

  /** The result of a call that has finished before. */
  find(place: CallPlace): FoundResult | null {
    const found = this.#file.find(place);
    if (found === null) return this.#findInherited(place);
    // The process that finished it may have been killed before the server had the report.
    if (!found.isShared && found.event !== null) {
      const { packed: value } = found;
      this.#options.session?.events.push(this.#report(found.event, { place, value }));
    }
    return found;
  }

  #findInherited({ key, fingerprint }: CallPlace): FoundResult | null {
    const { inherited } = this.#options;
    return inherited?.results.find({ key: `${inherited.prefix}${key}`, fingerprint }) ?? null;
  }

  /** Whether a call at this place has finished before, whatever its arguments were. */
  has(key: string): boolean {
    const { inherited } = this.#options;
    return this.#file.has(key) || inherited?.results.has(`${inherited.prefix}${key}`) === true;
  }

  /** Reports a result of another run as one of this run. */
  reuse(place: CallPlace, { packed: value }: FoundResult, event: ExecutorEvent): void {
    this.#options.session?.events.push(this.#report(event, { place, value }));
  }

  /** Reports the end of a call and stores its result, which is durable when this resolves. */
  async finish(place: CallPlace, result: unknown, event: ExecutorEvent | null): Promise<void> {
    const { session, shared } = this.#options;
    const packed = packValue(result);
    const value = packed?.toString("base64") ?? "";
    const isStored = packed !== null && this.#isStored(place, packed);
    if (event !== null && shared !== null && isStored) {
      const report = this.#report(event, { place, value });
      const delivery = await shared.session.events.deliver(report);
      if (delivery.kind === "stored") return;
      if (delivery.kind === "refused" && isLapsedClaim(delivery.error)) this.#leave(shared);
    } else if (event !== null) session?.events.push(event);
    if (packed !== null) this.#file.finish(place, value, event);
  }

  /** Stores a result that no event carries, where another machine may go on with the run. */
  async write(place: CallPlace, result: unknown): Promise<void> {
    const { shared, flowRunId } = this.#options;
    const packed = packValue(result);
    if (shared === null || packed === null || !this.#isStored(place, packed)) return;
    const { client, settings } = shared.session;
    const entries = [{ ...place, value: packed.toString("base64") }];
    const body = { claim: shared.claim, entries };
    const write = () => client.flowRuns.writeJournal(flowRunId, body, { retries: 0 });
    try {
      await retryUntilAnswered(write, { seconds: settings.deliverySeconds });
    } catch (error) {
      if (isLapsedClaim(error)) this.#leave(shared);
      throw error;
    }
  }

  /** The run has ended and goes on no more. */
  remove(): void {
    this.#file.remove();
  }

  close(): void {
    this.#file.close();
  }

  #report(event: ExecutorEvent, { place, value }: PackedResult): ExecutorEvent {
    const { shared } = this.#options;
    if (shared === null || value.length > MAX_VALUE_TEXT) return event;
    return { ...event, claim: shared.claim, journal: { ...place, value } };
  }

  /** Whether the server stores the result. */
  #isStored({ key }: CallPlace, { length }: Buffer): boolean {
    if (this.#options.shared === null) return false;
    if (length <= MAX_VALUE_BYTES) return true;
    this.#options.warn(
      `The result of ${key} takes ${length} bytes, of which the server stores ${MAX_VALUE_BYTES}: on another machine the run makes it again`,
    );
    return false;
  }

  #leave({ leave }: SharedJournal): never {
    const reason = new RunStoppedError("The run was offered to others");
    leave(reason);
    throw reason;
  }
}

interface PackedResult {
  readonly place: CallPlace;
  readonly value: string;
}

async function* entriesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<StoredJournalEntry> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as StoredJournalEntry;
  }
  if (rest !== "") throw new Error("The journal of the run ended within a line");
}
