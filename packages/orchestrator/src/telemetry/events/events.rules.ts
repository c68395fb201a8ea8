import { type Event, LONG } from "@orchestrator/contract";
import { takesAtMost, writeJson } from "@orchestrator/exact-json";
import type { AppendedEvent } from "@orchestrator/kernel/events";
import { resourceLabel } from "./labels.rules.ts";

const MAX_BYTES = 1_500_000;
const TOO_LONG = `may take at most ${LONG.maxBytes} bytes`;
/** Whether events can be found by the text: it stands in an index. */
const isFoundBy = (text: string): boolean => takesAtMost(text, LONG.maxBytes);

const RELATED_LABELS = ["resource.id", "resource.role"] as const;

/** What is wrong with an event beyond its shape, and where. */
export interface EventProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An event as the log keeps it, or what is wrong with it. */
export function receiveEvent(event: Event, received: string): AppendedEvent | EventProblem {
  const { id, occurred, event: name, resource } = event;
  const related = event.related ?? [];
  const resourceId = resourceLabel(resource, "resource.id");
  if (!resourceId) return { path: ["resource"], message: "the label resource.id is missing" };
  if (!isFoundBy(name)) return { path: ["event"], message: `the name ${TOO_LONG}` };
  if (!isFoundBy(resourceId)) {
    return { path: ["resource"], message: `the label resource.id ${TOO_LONG}` };
  }
  for (const [index, labels] of related.entries()) {
    const missing = RELATED_LABELS.find((label) => !resourceLabel(labels, label));
    if (missing !== undefined) {
      return { path: ["related", index], message: `the label ${missing} is missing` };
    }
    if (!isFoundBy(RELATED_LABELS.map((label) => resourceLabel(labels, label)).join(""))) {
      const message = `together, the labels ${RELATED_LABELS.join(" and ")} ${TOO_LONG}`;
      return { path: ["related", index], message };
    }
  }
  const payload = event.payload ?? {};
  const follows = event.follows ?? null;
  const relatedText = related.length === 0 ? "[]" : JSON.stringify(related);
  const before = JSON.stringify({ id, occurred, event: name, resource });
  const after = writeJson({ payload, follows, received });
  const body = `${before.slice(0, -1)},"related":${relatedText},${after.slice(1)}`;
  if (!takesAtMost(body, MAX_BYTES)) {
    return { path: [], message: `an event may take up at most ${MAX_BYTES} bytes` };
  }
  return {
    id,
    occurred,
    received,
    event: name,
    resource_id: resourceId,
    related: relatedText,
    body,
  };
}

export function isProblem(received: AppendedEvent | EventProblem): received is EventProblem {
  return "message" in received;
}
