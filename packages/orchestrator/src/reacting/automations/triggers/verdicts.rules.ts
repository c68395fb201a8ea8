// What became of an event or of the end of a window: for people who ask why a trigger has fired, or
// has not.

import type { Verdict } from "@orchestrator/contract";

/** Which label of an event is not as a trigger wants it. */
export interface Mismatch {
  readonly part: "match" | "match_related";
  readonly label: string;
  readonly wanted: readonly string[];
  /** Null where the label is not there. */
  readonly found: string | null;
}

export interface Remark {
  readonly verdict: Verdict;
  /** How many have come, of events or of triggers within. */
  readonly count: number;
  readonly threshold: number;
  /** The window it is about. */
  readonly window: { readonly starts: number; readonly ends: number } | null;
  readonly mismatch: Mismatch | null;
}

export function remark(
  verdict: Verdict,
  { count = 0, threshold = 0, window = null, mismatch = null }: Partial<Remark> = {},
): Remark {
  return { verdict, count, threshold, window, mismatch };
}

/** In one sentence. */
export function remarkSentence({ verdict, count, threshold, mismatch }: Remark): string {
  const ofThem = `${Math.max(0, count)} of ${threshold}`;
  switch (verdict) {
    case "fired":
      return "The trigger has fired";
    case "counted":
      return `${ofThem} events have come`;
    case "window-opened":
      return "An event in `after` has opened the window";
    case "before-window":
      return "The event happened before the window began; after a firing the next one begins when the last one ends";
    case "no-window":
      return "None of the events in `after` has come before it";
    case "window-over":
      return `The window was over; ${ofThem} events had come in time`;
    case "window-ended":
      return `The window has ended with ${ofThem} events`;
    case "expected-came":
      return "What was expected has come in time";
    case "others-missing":
      return `${ofThem} triggers have fired`;
    case "others-too-old":
      return `${ofThem} triggers have fired within the time; others had fired too long ago`;
    case "wrong-order":
      return "The triggers have fired in another order";
    case "other-labels":
      return mismatch === null ? "The labels are others" : mismatchSentence(mismatch);
    case "own-event":
      return "The event tells what this automation has done itself";
    case "chain-too-long":
      return "Automations have made each other fire too often";
    case "throttled":
      return "The automation had fired as often within a minute as it may; the match was counted, and nothing was done";
    case "quota-used-up":
      return "The workspace had used its quota up; the match was counted, and nothing was done";
    case "not-named":
      return "Automations have brought the event about, and the trigger does not name it";
    case "leader-missing":
      return "The event waits for the one that it follows";
  }
}

function mismatchSentence({ part, label, found }: Mismatch): string {
  const where = part === "match" ? "The resource" : "No related resource";
  if (part === "match_related") return `${where} has the label ${label} as it is wanted`;
  return found === null
    ? `${where} has no label ${label}`
    : `${where} has another value of the label ${label} than is wanted`;
}
