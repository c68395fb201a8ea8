// Whatever a template is given is copied into the engine, value by value, while everything else waits: so there is a bound
// on how much that may be.

import { ActionFailed } from "./action-failed.ts";

type Values = Readonly<Record<string, unknown>>;

const MAX_WEIGHT = 20_000;
/** So many characters of text are as much work as one value. */
const CHARACTERS = 50;

/** The values as a template gets them; without payloads where there is too much and it names none. */
export function boundedContext(context: Values, text: string): Values {
  if (weightOf(context, MAX_WEIGHT) <= MAX_WEIGHT) return context;
  const isAsked = /\b(?:payload|tojson|items|pprint)\b/.test(text);
  const lighter = isAsked ? context : withoutPayloads(context);
  if (weightOf(lighter, MAX_WEIGHT) <= MAX_WEIGHT) return lighter;
  throw new ActionFailed(
    `There is more in the event than templates can be given: ${MAX_WEIGHT} values, or ${MAX_WEIGHT * CHARACTERS} characters`,
  );
}

/** Stops counting when it is more than enough. */
function weightOf(value: unknown, enough: number): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return 1;
  let weight = 1;
  for (const [name, member] of Object.entries(value)) {
    weight += name.length / CHARACTERS + weightOf(member, enough - weight);
    if (weight > enough) break;
  }
  return weight;
}

/** The payloads of events, wherever these stand. */
function withoutPayloads(context: Values): Values {
  const bare = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(bare);
    const { payload: _, ...rest } = value as Values;
    const inner = rest["triggering_event"];
    return inner === undefined ? rest : { ...rest, triggering_event: bare(inner) };
  };
  const names = ["event", "events", "firing", "firings"].filter((name) => name in context);
  return { ...context, ...Object.fromEntries(names.map((name) => [name, bare(context[name])])) };
}
