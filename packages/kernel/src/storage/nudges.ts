/**
 * Wake-up calls by topic. A nudge says only "look again"; what there is to see is in the database, so
 * a nudge that is lost costs time and never data.
 */
export interface Nudges {
  readonly on: (topic: string, listener: () => void) => () => void;
  readonly fire: (topic: string) => void;
  /** For when calls may have been missed, such as after a lost connection. */
  readonly fireAll: () => void;
}

export function createNudges(): Nudges {
  const listeners = new Map<string, Set<() => void>>();
  const fire = (topic: string): void => {
    for (const listener of listeners.get(topic) ?? []) listener();
  };
  return {
    fire,
    fireAll() {
      for (const topic of listeners.keys()) fire(topic);
    },
    on(topic, listener) {
      const topicListeners = listeners.get(topic) ?? new Set();
      listeners.set(topic, topicListeners);
      topicListeners.add(listener);
      return () => topicListeners.delete(listener);
    },
  };
}
