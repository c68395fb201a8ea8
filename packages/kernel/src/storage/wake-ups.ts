import type { Logger } from "../log/logger.ts";

/**
 * Wake-up calls by topic. A nudge says only "look again"; what there is to see is in the database,
 * so a nudge that is lost costs time and never data.
 */
export interface WakeUps {
  readonly on: (topic: string, listener: () => void) => () => void;
  readonly fire: (topic: string) => void;
  /** For when calls may have been missed, such as after a lost connection. */
  readonly fireAll: () => void;
  /**
   * Whether nudges tell of every change at present, and before whoever made it knows that it was
   * made.
   */
  readonly tellEveryChange: () => boolean;
  /**
   * Whether no other process works with the database, as the database itself says now. False where
   * that cannot be known.
   */
  readonly confirmAlone: () => Promise<boolean>;
}

/** Calls within this process, which tell of all changes where it makes all of them. */
export function createWakeUps(log: Logger): WakeUps {
  const listeners = new Map<string, Set<() => void>>();
  const fire = (topic: string): void => {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener();
      } catch (error) {
        // Whoever fires has committed already: a listener's mistake is neither theirs nor the other
        // listeners'.
        log.error({ err: error, topic }, "A nudged listener failed");
      }
    }
  };
  return {
    fire,
    tellEveryChange: () => true,
    confirmAlone: async () => true,
    fireAll() {
      for (const topic of listeners.keys()) fire(topic);
    },
    on(topic, listener) {
      const subscription = (): void => listener();
      const topicListeners = listeners.get(topic) ?? new Set();
      listeners.set(topic, topicListeners.add(subscription));
      return () => {
        topicListeners.delete(subscription);
        if (topicListeners.size === 0 && listeners.get(topic) === topicListeners)
          listeners.delete(topic);
      };
    },
  };
}
