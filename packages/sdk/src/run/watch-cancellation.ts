// How a run that is executed here learns that it is to end: an event says so at once, and a look
// now and again makes up for an event that was missed.

import type { FlowRun, StateType } from "@orchestrator/contract";
import { hasStatus } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import { type Alarm, runAfter, runEvery } from "../time.ts";

/** Most runs are over before anybody could cancel them. */
const FIRST_LOOK_MS = 1000;
const LOOK_MS = 10_000;
const GONE = 404;
const ENDS: ReadonlySet<StateType | null> = new Set(["COMPLETED", "FAILED", "CRASHED"]);
const EVENT_NAMES = ["orchestrator.flow-run.Cancelling", "prefect.flow-run.Cancelling"];

export interface CancellationListener {
  readonly onCancelling: () => void;
  /** Somebody else has ended the run, or deleted it. */
  readonly onEnded: (state: string) => void;
  /** Whose hands it is in; nobody's unless given, and nobody can take it then. */
  readonly claimId?: string | null;
  /** It was offered to others since it was claimed. */
  readonly onTaken?: () => void;
}

export interface Watch {
  /** Looks at once, and waits for a server that is away. */
  readonly look: () => Promise<void>;
  readonly stop: () => void;
}

/** The runs of this process that listen to one server, which share a socket. */
class CancellationFeed {
  readonly #session: ReportSession;
  readonly #looks = new Map<string, () => void>();
  #following: AbortController | null = null;

  constructor(session: ReportSession) {
    this.#session = session;
  }

  add(flowRunId: string, look: () => void): () => void {
    this.#looks.set(flowRunId, look);
    if (this.#following === null) {
      this.#following = new AbortController();
      void this.#follow(this.#following.signal);
    }
    return () => {
      this.#looks.delete(flowRunId);
      if (this.#looks.size > 0) return;
      this.#following?.abort(new Error("Nobody listens any more"));
      this.#following = null;
    };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      const events = this.#session.client.events.follow(
        { event: { name: EVENT_NAMES } },
        { signal },
      );
      for await (const { resource } of events) {
        const id = resource["orchestrator.resource.id"] ?? resource["prefect.resource.id"] ?? "";
        this.#looks.get(id.slice(id.lastIndexOf(".") + 1))?.();
      }
    } catch {
      // Without the socket the runs look for themselves now and again.
    }
  }
}

const feeds = new WeakMap<ReportSession, CancellationFeed>();

function feedOf(session: ReportSession): CancellationFeed {
  const feed = feeds.get(session) ?? new CancellationFeed(session);
  feeds.set(session, feed);
  return feed;
}

export function watchCancellation(
  session: ReportSession,
  flowRunId: string,
  { onCancelling, onEnded, claimId = null, onTaken }: CancellationListener,
): Watch {
  const control = new AbortController();
  const { signal } = control;
  let isAsking = false;
  const ask = async (): Promise<void> => {
    try {
      const record = await session.client.flowRuns.read(flowRunId, { retries: 0, signal });
      if (signal.aborted) return;
      const { state_type } = record;
      if (isTaken(record, claimId)) onTaken?.();
      else if (state_type === "CANCELLING" || state_type === "CANCELLED") onCancelling();
      else if (ENDS.has(state_type)) onEnded(state_type ?? "nothing");
    } catch (error) {
      if (!hasStatus(error, GONE)) throw error;
      onEnded("nothing: it is deleted");
    }
  };
  const look = (): void => {
    if (isAsking || signal.aborted) return;
    isAsking = true;
    // A server that is away says nothing about the run.
    const asked = ask().catch(() => {});
    void asked.finally(() => {
      isAsking = false;
    });
  };
  let leaveFeed: (() => void) | null = null;
  let looking: Alarm | null = null;
  const first = runAfter(FIRST_LOOK_MS, () => {
    leaveFeed = feedOf(session).add(flowRunId, look);
    looking = runEvery(LOOK_MS, look);
    look();
  });
  return {
    look: () => retryUntilAnswered(ask, { seconds: session.settings.deliverySeconds, signal }),
    stop() {
      first.cancel();
      looking?.cancel();
      leaveFeed?.();
      control.abort(new Error("The run has ended"));
    },
  };
}

/**
 * As the server judges who speaks for a run: whoever forces it into a state takes it from nobody,
 * unless it waits to be claimed again.
 */
export function isTaken({ state, state_type }: FlowRun, claimId: string | null): boolean {
  const holder = state?.state_details.claim_id ?? null;
  const isAnybodys = holder === null && state_type !== "SCHEDULED";
  return claimId !== null && claimId !== holder && !isAnybodys;
}
