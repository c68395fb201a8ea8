import type { ReceivedEvent, Static } from "@orchestrator/contract";
import { clock } from "../../output/log-line.ts";
import { bold, dim } from "../../output/style.ts";

type Labels = Readonly<Record<string, string>>;

/** A label of ours, under either of its names. */
export const eventLabel = (labels: Labels, name: "id" | "name"): string | undefined =>
  labels[`orchestrator.resource.${name}`] ?? labels[`prefect.resource.${name}`];

/** What people call it, and its id. */
export function resourceText(labels: Labels): string {
  const id = eventLabel(labels, "id") ?? "";
  const name = eventLabel(labels, "name");
  return name === undefined || name === "" ? id : `${name} ${dim(`(${id})`)}`;
}

/** `09:30:00.123  monitor.down  Shop (uptime.monitor.…)`. */
export const eventText = ({ occurred, event, resource }: Static<typeof ReceivedEvent>): string =>
  `${dim(clock(occurred))}  ${bold(event)}  ${resourceText(resource)}`;
