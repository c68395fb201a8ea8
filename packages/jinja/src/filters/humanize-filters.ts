import { DateTime, SECOND_MICROS, TimeSpan, timeValueOf } from "../times/time-kinds.ts";
import { timeValueText } from "../times/time-text.ts";
import { charactersOf, isSequence, isText, type Value } from "../values/kinds.ts";
import type { TemplateFilter } from "../values/run.ts";
import { HUMANIZE_NUMBERS, type HumanizeFilter } from "./humanize-numbers.ts";
import { HUMANIZE_TIMES } from "./humanize-times.ts";

/** As filters for people take it: spans are numbers of seconds. */
function plain(value: Value | undefined): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (isText(value)) return charactersOf(value);
  if (isSequence(value)) return value.items.map(plain);
  const time = timeValueOf(value);
  if (time instanceof TimeSpan) return Number(time.micros) / Number(SECOND_MICROS);
  return time === null || time instanceof DateTime ? value : timeValueText(time);
}

/** What is made readable: True is 1, and nothing stays nothing. */
function subject(value: Value): unknown {
  if (value === null) return "None";
  return typeof value === "boolean" ? Number(value) : plain(value);
}

const asFilter =
  (work: HumanizeFilter): TemplateFilter =>
  (run, value, { positional, named }) => {
    const text = work(
      subject(value),
      (name, place) => plain(named.has(name) ? named.get(name) : positional[place]),
      run.nowMicros,
    );
    run.meter.spend(text.length / 4);
    return text;
  };

export const HUMANIZE_FILTERS: Readonly<Record<string, TemplateFilter>> = Object.fromEntries(
  Object.entries({ ...HUMANIZE_NUMBERS, ...HUMANIZE_TIMES }).map(([name, work]) => [
    name,
    asFilter(work),
  ]),
);
