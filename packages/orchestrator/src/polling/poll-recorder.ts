/**
 * Wakes the loop that writes down the polls, for when somebody waits to see that they are served.
 */
export const POLLS_TOPIC = "polls";

/** When each queue and each deployment of a workspace was last asked about. */
export interface Polls {
  readonly queues: ReadonlyMap<string, string>;
  readonly deployments: ReadonlyMap<string, string>;
}

interface Poll {
  readonly queueIds?: readonly string[];
  readonly deploymentIds?: readonly string[];
  readonly at: string;
}

/** More than this many are not remembered between two writes. */
const MOST_REMEMBERED = 100_000;

/**
 * Remembers who was polled until a loop writes it down, so that a poll itself writes nothing. What
 * a replica forgets when it dies is told again by the next poll.
 */
export class PollRecorder {
  #polls = new Map<string, { queues: Map<string, string>; deployments: Map<string, string> }>();

  record(workspaceId: string, { queueIds = [], deploymentIds = [], at }: Poll): void {
    let polls = this.#polls.get(workspaceId);
    if (polls === undefined) {
      polls = { queues: new Map(), deployments: new Map() };
      this.#polls.set(workspaceId, polls);
    }
    for (const id of queueIds) remember(polls.queues, id, at);
    for (const id of deploymentIds) remember(polls.deployments, id, at);
  }

  /** Everything since the last time, by workspace. */
  take(): ReadonlyMap<string, Polls> {
    const taken = this.#polls;
    this.#polls = new Map();
    return taken;
  }

  /** For polls that could not be written down. */
  putBack(workspaceId: string, { queues, deployments }: Polls): void {
    for (const [id, at] of queues) this.record(workspaceId, { queueIds: [id], at });
    for (const [id, at] of deployments) this.record(workspaceId, { deploymentIds: [id], at });
  }
}

function remember(known: Map<string, string>, id: string, at: string): void {
  const before = known.get(id);
  if (before === undefined ? known.size < MOST_REMEMBERED : before < at) known.set(id, at);
}
