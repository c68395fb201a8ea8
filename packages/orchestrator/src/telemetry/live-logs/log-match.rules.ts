// Which log lines a filter means, decided on lines at hand; the same as the list of lines decides
// in SQL.

import type { LogFilter } from "@orchestrator/contract";
import { parseTextSearch, textMatcher } from "@orchestrator/kernel/lists";
import type { Static } from "typebox";

/** What a line is judged by. */
export interface MatchableLine {
  readonly name: string;
  readonly level: number;
  readonly message: string;
  readonly timestamp: string;
  readonly flow_run_id: string | null;
  readonly task_run_id: string | null;
}

type Filter = Static<typeof LogFilter>;
type Test = (line: MatchableLine) => boolean;
/** Null: it restricts nothing. */
type Condition = Test | null;

export function logMatcher(filter: Filter): Test {
  const { level, timestamp, flow_run_id, task_run_id, text } = filter;
  const whole = join(filter, [
    given(level, (asked) =>
      join(asked, [
        given(asked.ge_, (least) => (line) => line.level >= least),
        given(asked.le_, (most) => (line) => line.level <= most),
      ]),
    ),
    given(timestamp, (asked) =>
      join(asked, [
        given(asked.after_, (first) => (line) => line.timestamp >= first),
        given(asked.before_, (last) => (line) => line.timestamp <= last),
      ]),
    ),
    given(flow_run_id, (asked) =>
      join(asked, [given(asked.any_, (ids) => (line) => holds(ids, line.flow_run_id))]),
    ),
    given(task_run_id, (asked) =>
      join(asked, [
        given(asked.any_, (ids) => (line) => holds(ids, line.task_run_id)),
        given(asked.is_null_, (isNull) => (line) => (line.task_run_id === null) === isNull),
      ]),
    ),
    given(text, ({ query }) => textCondition(query)),
  ]);
  return whole ?? (() => true);
}

function textCondition(query: string): Test {
  const matches = textMatcher(parseTextSearch(query));
  return ({ message, name }) => matches(`${message}\n${name}`);
}

/**
 * All must hold, or one of them where the filter says so: then one that restricts nothing is met by
 * every line.
 */
function join(filter: object, members: readonly (Condition | undefined)[]): Condition {
  const conditions = members.filter((member) => member !== undefined);
  const tests = conditions.filter((condition) => condition !== null);
  if (tests.length === 0) return null;
  const isAny = (filter as { readonly operator?: unknown }).operator === "or_";
  if (!isAny) return (line) => tests.every((test) => test(line));
  return tests.length < conditions.length ? null : (line) => tests.some((test) => test(line));
}

/** Undefined: the filter does not have it. */
function given<T>(
  member: T | null | undefined,
  condition: (member: T) => Condition,
): Condition | undefined {
  return member == null ? undefined : condition(member);
}

function holds(ids: readonly string[], id: string | null): boolean {
  return id !== null && ids.includes(id);
}
