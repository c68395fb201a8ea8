import { durationLabel } from "../../lib/time.ts";
import type { TriggerDraft } from "./draft.ts";

/** What a trigger waits for, in a sentence. */
export function triggerWords(trigger: TriggerDraft): string {
  if (trigger.type === "event") return eventWords(trigger);
  const { triggers, within } = trigger;
  const time = within === null ? "" : ` within ${durationLabel(within)}`;
  const parts = triggers.map(triggerWords).map((words) => `(${words.toLowerCase()})`);
  if (trigger.type === "sequence") return `In this order${time}: ${parts.join(", then ")}`;
  const many = { all: "All", any: "Any" }[String(trigger.require)] ?? `${trigger.require}`;
  return `${many} of these${time}: ${parts.join(", ")}`;
}

function eventWords(trigger: Extract<TriggerDraft, { type: "event" }>): string {
  const { posture, expect = [], after = [], for_each = [], threshold = 1, within = 0 } = trigger;
  const names = expect.length === 0 ? "any event" : listed(expect);
  const times = threshold > 1 ? ` ${threshold} times` : "";
  const time = within > 0 ? ` within ${durationLabel(within)}` : "";
  const start = after.length > 0 ? ` after ${listed(after)}` : "";
  const each = for_each.length > 0 ? `, for each ${for_each.map(lastPart).join(" and ")}` : "";
  return posture === "Reactive"
    ? `When ${names} happens${times}${time}${start}${each}`
    : `When ${names} does not happen${times}${time}${start}${each}`;
}

const listed = (names: readonly string[]): string =>
  names.map(shortName).join(names.length > 2 ? ", " : " or ");

/** Without what stands in front of all names of the server's own. */
const shortName = (name: string): string => name.replace(/^(prefect|orchestrator)\./, "");

/** `related:deployment:orchestrator.resource.id` is about deployments. */
function lastPart(label: string): string {
  const [first, role, rest] = label.split(":");
  if (first === "related" && role !== undefined)
    return rest?.endsWith("resource.id") ? role : `${role} ${shortName(rest ?? "")}`;
  return label.endsWith(".resource.id") ? "resource" : shortName(label);
}
