import type { Database } from "@orchestrator/kernel/storage";

/** The topics of somebody who was told by a look at the database which ones there are. */
export class FollowedTopics {
  readonly #nudges: Database["wakeUps"];
  readonly #nudged: () => void;
  readonly #leave = new Map<string, () => void>();

  constructor(nudges: Database["wakeUps"], nudged: () => void) {
    this.#nudges = nudges;
    this.#nudged = nudged;
  }

  /** Listens to exactly these, and tells whether one is new: what came before was not heard. */
  follow(topics: readonly string[]): boolean {
    if (topics.length === this.#leave.size && topics.every((topic) => this.#leave.has(topic)))
      return false;
    const wanted = new Set(topics);
    for (const [topic, leave] of this.#leave) {
      if (wanted.has(topic)) continue;
      leave();
      this.#leave.delete(topic);
    }
    const added = [...wanted].filter((topic) => !this.#leave.has(topic));
    for (const topic of added) this.#leave.set(topic, this.#nudges.on(topic, this.#nudged));
    return added.length > 0;
  }

  leaveAll(): void {
    for (const leave of this.#leave.values()) leave();
    this.#leave.clear();
  }
}
