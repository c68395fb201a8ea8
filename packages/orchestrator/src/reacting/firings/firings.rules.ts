// What is kept of a firing for the actions that it asks for.

import { readJson, writeJson } from "@orchestrator/exact-json";
import type { Chain } from "./chain.rules.ts";

/** An event as it is stored. */
export interface StoredEvent {
  readonly id: string;
  readonly occurred: string;
  readonly event: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly related: readonly Readonly<Record<string, string>>[];
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A firing as an action finds it. */
export interface StoredFiring {
  readonly id: string;
  readonly automation: {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly tags: readonly string[];
  };
  readonly trigger: {
    readonly id: string;
    readonly type: string;
    readonly posture: string | null;
  };
  readonly triggered: string;
  readonly triggering_labels: Readonly<Record<string, string>>;
  /** The id of the event that tells of the firing. */
  readonly triggered_event_id: string;
  /** How many automations have made each other fire, this one included; 1 where it is not said. */
  readonly depth?: number;
  /** The event from outside that it goes back to. */
  readonly root?: string;
  /** The event that the action is about. */
  readonly event: StoredEvent | null;
  /** The firings within, where a trigger is made of several. */
  readonly firings: readonly {
    readonly triggering_labels: Readonly<Record<string, string>>;
    readonly triggering_event: StoredEvent | null;
  }[];
}

/**
 * Longer ones are left out of the events about them, or events about events would grow without end.
 */
const MAX_QUOTED = 250_000;

interface NewFiring {
  readonly prefix: string;
  readonly id: string;
  readonly automation: { readonly id: string; readonly name: string };
  readonly posture: string | null;
  readonly occurred: string;
  readonly labels: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly event: string | null;
  readonly chain: Chain;
}

/** As much of a chain as the events of an automation do not say anyway. */
export const chainPayload = ({ depth, root }: Chain, event: { readonly id: string } | null) => ({
  ...(depth > 1 && { chain_depth: depth }),
  ...(root !== event?.id && { chain_root: root }),
});

/** The event that an automation has fired, as JSON text. */
export function triggeredEvent(firing: NewFiring): string {
  const { prefix, id, automation, posture, occurred, labels, event, chain } = firing;
  const about = event === null ? null : (readJson(event) as StoredEvent);
  const resource = {
    [`${prefix}.resource.id`]: `${prefix}.automation.${automation.id}`,
    [`${prefix}.resource.name`]: automation.name,
    ...(posture !== null && { [`${prefix}.posture`]: posture }),
  };
  const related =
    about === null
      ? []
      : [
          {
            [`${prefix}.resource.id`]: `${prefix}.event.${about.id}`,
            [`${prefix}.resource.role`]: "triggering-event",
          },
        ];
  const quoted = event !== null && event.length <= MAX_QUOTED ? about : null;
  return writeJson({
    id,
    occurred,
    event: `${prefix}.automation.triggered`,
    resource,
    related,
    payload: {
      triggering_labels: labels,
      triggering_event: quoted,
      ...chainPayload(chain, about),
    },
    follows: null,
    received: occurred,
  });
}
