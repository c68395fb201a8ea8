// How a run that is executed here learns that it is to end: an event says so at once, and a look now and again makes up for
// an event that was missed.

import type { StateType } from "@orchestrator/contract";
import { hasStatus } from "../report/connection.ts";
import type { Session } from "../report/session.ts";
import { type Alarm, after, every } from "../time.ts";

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
}

/** The runs of this process that listen to one server, which share a socket. */
class CancellationFeed {
  readonly #session: Session;
  readonly #looks = new Map<string, () => void>();
  #following: AbortController | null = null;

  constructor(session: Session) {
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

const feeds = new WeakMap<Session, CancellationFeed>();

function feedOf(session: Session): CancellationFeed {
  const feed = feeds.get(session) ?? new CancellationFeed(session);
  feeds.set(session, feed);
  return feed;
}

export function watchCancellation(
  session: Session,
  flowRunId: string,
  { onCancelling, onEnded }: CancellationListener,
): { readonly stop: () => void } {
  const control = new AbortController();
  let isAsking = false;
  const ask = async (): Promise<void> => {
    try {
      const options = { retries: 0, signal: control.signal };
      const { state_type } = await session.client.flowRuns.read(flowRunId, options);
      if (control.signal.aborted) return;
      if (state_type === "CANCELLING" || state_type === "CANCELLED") onCancelling();
      else if (ENDS.has(state_type)) onEnded(state_type ?? "nothing");
    } catch (error) {
      if (hasStatus(error, GONE)) onEnded("nothing: it is deleted");
      // A server that is away says nothing about the run.
    } finally {
      isAsking = false;
    }
  };
  const look = (): void => {
    if (isAsking || control.signal.aborted) return;
    isAsking = true;
    void ask();
  };
  let leaveFeed: (() => void) | null = null;
  let looking: Alarm | null = null;
  const first = after(FIRST_LOOK_MS, () => {
    leaveFeed = feedOf(session).add(flowRunId, look);
    looking = every(LOOK_MS, look);
    look();
  });
  return {
    stop() {
      first.cancel();
      looking?.cancel();
      leaveFeed?.();
      control.abort(new Error("The run has ended"));
    },
  };
}
