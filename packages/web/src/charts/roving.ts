import { type KeyboardEvent, useState } from "react";

interface Part {
  readonly tabIndex: 0 | -1;
  readonly "data-part": number;
  readonly onFocus: () => void;
}

interface Roving {
  /** For what holds the parts. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly part: (at: number) => Part;
}

/**
 * Many parts are one stop of the Tab key, the newest of them at first; arrows, Home and End lead to
 * the others.
 */
export function useRoving(count: number): Roving {
  const [chosen, choose] = useState<number>();
  const current = Math.min(chosen ?? count, count - 1);
  return {
    onKeyDown(event) {
      const next = nextOf(event.key, current, count);
      if (next === undefined) return;
      event.preventDefault();
      choose(next);
      event.currentTarget.querySelector<HTMLElement>(`[data-part="${next}"]`)?.focus();
    },
    part: (at) => ({
      tabIndex: at === current ? 0 : -1,
      "data-part": at,
      onFocus: () => choose(at),
    }),
  };
}

function nextOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, at - 1);
    case "ArrowRight":
      return Math.min(count - 1, at + 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
