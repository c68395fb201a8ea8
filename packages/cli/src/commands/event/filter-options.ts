import type { EventFilter, JsonObject } from "@orchestrator/contract";
import type { Command } from "commander";
import { jsonObject, parseDuration, several } from "../../io/options.ts";
import { MisuseError } from "../../output/fail.ts";

export interface FilterOptions {
  readonly event: readonly string[];
  readonly resource: readonly string[];
  readonly text?: string;
  readonly since?: number;
  readonly filter?: JsonObject;
}

export const withFilterOptions = (command: Command): Command =>
  command
    .option(
      "--event <name>",
      "only events of this name; * at its end for all that begin so; may be repeated",
      several,
      [],
    )
    .option(
      "--resource <id>",
      "only what happened to this, or concerns it; * as above; may be repeated",
      several,
      [],
    )
    .option("--text <words>", "only what holds these words")
    .option("--since <time>", "from so long ago on, such as 10m", parseDuration)
    .option(
      "--filter <json>",
      "a whole filter, as the API takes it; - or @file to read it",
      jsonObject,
    );

/** What is wanted; the single options come before what `--filter` says. */
export function filterOf({
  event,
  resource,
  text,
  since,
  filter = {},
}: FilterOptions): EventFilter {
  const names = split("--event", event);
  const ids = split("--resource", resource);
  return {
    ...(filter as EventFilter),
    ...(names && { event: names.areWhole ? { name: names.texts } : { prefix: names.texts } }),
    ...(ids && { any_resource: ids.areWhole ? { id: ids.texts } : { id_prefix: ids.texts } }),
    ...(text !== undefined && { text: { query: text } }),
    ...(since !== undefined && {
      occurred: { since: new Date(Date.now() - since * 1000).toISOString() },
    }),
  };
}

/** The server takes whole names or beginnings, and where both are given both must hold. */
function split(
  option: string,
  texts: readonly string[],
): { readonly areWhole: boolean; readonly texts: string[] } | null {
  if (texts.length === 0) return null;
  const beginnings = texts.filter((text) => text.endsWith("*")).map((text) => text.slice(0, -1));
  if (beginnings.length === 0) return { areWhole: true, texts: [...texts] };
  if (beginnings.length === texts.length) return { areWhole: false, texts: beginnings };
  throw new MisuseError(`Either every ${option} ends with * or none does`);
}
