// What a result means to others: which incident begins or ends, and whether an event tells of it.
//
// Confirmation goes on always. Within a maintenance nothing begins, nothing ends and nobody is
// told: the first result after it decides, by what is confirmed and what was told last. While a
// parent is down the incidents of its children go on, but a change for the worse is told only once
// no parent is down any more. What was not told needs no end either.

import type { CheckStatus } from "../db/tables/results.table.ts";
import { isWorse } from "./confirmation.rules.ts";

export interface EventState {
  /** What the result says. */
  readonly status: CheckStatus;
  /** As confirmed by this result. */
  readonly confirmed: CheckStatus | null;
  /** Whether this very result has changed it. */
  readonly isChanged: boolean;
  /** What events have told of last. */
  readonly told: CheckStatus | null;
  readonly hasIncident: boolean;
  readonly inMaintenance: boolean;
}

export interface Consequences {
  readonly incident: "begins" | "worsens" | "ends" | null;
  readonly isNews: boolean;
  /** A parent that is down keeps it from being told. */
  readonly mayBeSilenced: boolean;
}

const NOTHING: Consequences = { incident: null, isNews: false, mayBeSilenced: false };

export function consequencesOf(standing: EventState): Consequences {
  const { status, confirmed, isChanged, told, hasIncident, inMaintenance } = standing;
  // A result that says otherwise waits for others to confirm it.
  if (status !== confirmed || inMaintenance) return NOTHING;
  const known = told ?? "up";
  const begins = confirmed !== "up" && !hasIncident;
  // A new incident is told of also where the last that was heard is the same, as after a pause.
  const isNews = confirmed !== known || begins;
  const mayBeSilenced = begins || isWorse(confirmed, known);
  if (begins) return { incident: "begins", isNews, mayBeSilenced };
  if (confirmed === "up") return { incident: hasIncident ? "ends" : null, isNews, mayBeSilenced };
  const worsens = confirmed === "down" && (isChanged || isNews);
  return { incident: worsens ? "worsens" : null, isNews, mayBeSilenced };
}

/** What has been told after this result. The first `up` of all is known without an event. */
export function publishedAfter(
  { told, confirmed }: Pick<EventState, "told" | "confirmed">,
  isTold: boolean,
): CheckStatus | null {
  if (isTold || (told === null && confirmed === "up")) return confirmed;
  return told;
}
